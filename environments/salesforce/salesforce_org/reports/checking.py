"""What a report must be so that metadata can say it, and so that it fits its type."""

from __future__ import annotations

from xml.etree.ElementTree import Element as Node  # building only

from salesforce_org.metadata.errors import unfit
from salesforce_org.metadata.trees import Tree, fill, ordered
from salesforce_org.metadata.trees import read as read_tree
from salesforce_org.reports import definition
from salesforce_org.store import Org


def check(org: Org, tree: Tree) -> None:
    """Refuse a report that metadata has no words for, or that does not fit its type.

    Raises:
        MetadataError: It says what is wrong.
    """
    read_tree("Report", fill(Node("Report"), "Report", ordered("Report", tree)))
    report = definition.read(org, tree)
    if report is None:
        raise unfit("invalid report type", "reportType")
    for element, key in report.unknown():
        raise unfit(f"{element}: Invalid value specified: {key}", element)
    shown = {one.key for one in report.columns}
    for one in report.groupings:
        if one.column.key in shown:
            raise unfit(
                f"You can't include groupings in the selected columns list: {one.column.key}", "groupings"
            )
