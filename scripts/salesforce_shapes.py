"""Write environments/salesforce/salesforce_org/metadata/shapes.txt: elements, kinds and order of metadata types.

One line a type, `Type element:Kind ...`; an element without a kind is text, `*` means that it may stand more than
once, `!` that it must be there and say something. A line `Type = A B ...` lists the words that are allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

TARGET = Path(__file__).parents[1] / "environments/salesforce/salesforce_org/metadata/shapes.txt"
XSD = "{http://www.w3.org/2001/XMLSchema}"
PLAIN = {"string": "", "boolean": "boolean", "int": "int", "double": "double"}
TYPES = [
    "ApprovalProcess",
    "AssignmentRules",
    "AutoResponseRules",
    "CustomApplication",
    "CustomLabels",
    "CustomObject",
    "CustomPermission",
    "CustomTab",
    "Dashboard",
    "DashboardFolder",
    "DataCategoryGroup",
    "DuplicateRule",
    "EmailFolder",
    "EmailTemplate",
    "EntitlementProcess",
    "EscalationRules",
    "FlexiPage",
    "GlobalValueSet",
    "Group",
    "Layout",
    "MatchingRules",
    "MilestoneType",
    "MutingPermissionSet",
    "PathAssistant",
    "PermissionSet",
    "PermissionSetGroup",
    "Profile",
    "Queue",
    "QuickAction",
    "RemoteSiteSetting",
    "Report",
    "ReportFolder",
    "ReportType",
    "Role",
    "SharingRules",
    "StandardValueSet",
    "Territory2",
    "Territory2Model",
    "Territory2Rule",
    "Territory2Type",
    "Workflow",
]
SETTINGS = [
    "Account",
    "Activities",
    "Address",
    "Campaign",
    "Case",
    "Company",
    "Contract",
    "DynamicForms",
    "Entitlement",
    "Forecasting",
    "IncidentMgmt",
    "Knowledge",
    "LeadConfig",
    "LeadConvert",
    "LightningExperience",
    "Name",
    "Opportunity",
    "Order",
    "Picklist",
    "Product",
    "Quote",
    "RecordPage",
    "Search",
    "Security",
    "ServiceSetupAssistant",
    "Sharing",
    "Territory2",
    "UserInterface",
    "UserManagement",
]


@dataclass
class Interface:
    """What a description of an interface says of types.

    Attributes:
        words: The allowed words of each enumeration.
    """

    elements: dict[str, list[ElementTree.Element]] = field(default_factory=dict)
    base: dict[str, str] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)

    def of(self, type: str) -> list[ElementTree.Element]:
        """Return the elements of a type in order, those of its bases first."""
        above = self.of(self.base[type]) if type in self.base else []
        return above + self.elements[type]


def read(file: Path) -> Interface:
    """Read a WSDL."""
    found = Interface()
    for one in ElementTree.parse(file).iter(f"{XSD}complexType"):
        name = one.get("name")
        if name is None:
            continue
        found.elements[name] = list(one.iter(f"{XSD}element"))
        extension = one.find(f".//{XSD}extension")
        if extension is not None:
            found.base[name] = _local(extension.get("base"))
    for one in ElementTree.parse(file).iter(f"{XSD}simpleType"):
        words = [entry.get("value", "") for entry in one.iter(f"{XSD}enumeration")]
        if words:
            found.words[one.get("name", "")] = words
    return found


def lines(interface: Interface, types: list[str]) -> list[str]:
    """Return what is written of the types and of all that they are made of."""
    written: dict[str, str] = {}
    waiting = list(types)
    while waiting:
        name = waiting.pop()
        if name in written:
            continue
        if name in interface.words:
            written[name] = " ".join([name, "=", *interface.words[name]])
            continue
        inside = interface.of(name)
        written[name] = " ".join([name, *(_element(interface, one) for one in inside)])
        waiting += [
            kind for kind in map(_kind, inside) if kind in interface.elements or kind in interface.words
        ]
    return sorted(written.values())


def _kind(element: ElementTree.Element) -> str:
    return _local(element.get("type"))


def _local(name: str | None) -> str:
    return (name or "").rpartition(":")[2]


def _element(interface: Interface, element: ElementTree.Element) -> str:
    kind = _kind(element)
    known = kind in interface.elements or kind in interface.words
    shown = kind if known else PLAIN.get(kind, "")
    many = "*" if element.get("maxOccurs") == "unbounded" else ""
    must = "!" if element.get("minOccurs") is None and element.get("nillable") != "true" else ""
    return f"{element.get('name')}{must}{many}" + (f":{shown}" if shown else "")


def main() -> None:
    """Write the file."""
    package = find_spec("simple_salesforce")
    if package is None or package.origin is None:
        raise SystemExit("salesforce-shapes: type: pip install simple-salesforce")
    interface = read(Path(package.origin).with_name("metadata.wsdl"))
    wanted = TYPES + [f"{name}Settings" for name in SETTINGS]
    head = "# Written by scripts/salesforce-shapes; do not edit.\n"
    TARGET.write_text(head + "\n".join(lines(interface, wanted)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
