"""The partner interface's descriptions: objects, layouts, tabs, as REST gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salesforce_org.api.describe import described, in_short
from salesforce_org.api.layouts import layouts
from salesforce_org.api.objects import all_objects
from salesforce_org.api.presentation import tab_sets
from salesforce_org.api.soap import SoapCall, text
from salesforce_org.api.soap_partner import operation
from salesforce_org.api.soap_records import object_named

_ONLY_REST = frozenset({"urls", "networkScopeFieldName", "listviewable", "lookupLayoutable"})


@operation("describeGlobal")
def describe_global(call: SoapCall) -> str:
    """List all objects."""
    kinds = all_objects(call.org, tooling=call.letter == "T")
    told = [_told(in_short(one, "")) for one in kinds]
    return call.result({"encoding": "UTF-8", "maxBatchSize": 200, "sobjects": told})


@operation("describeSObject")
@operation("describeSObjects")
def describe_objects(call: SoapCall) -> str:
    """Describe objects in full."""
    kinds = [object_named(call, name) for name in call.texts("sObjectType")]
    return call.result(*(_told(described(call.org, one, "")) for one in kinds))


@operation("describeLayout")
def describe_layout(call: SoapCall) -> str:
    """Describe the layout of an object."""
    return call.result(
        _told(layouts(call.org, object_named(call, text(call.envelope.body, "sObjectType")), ""))
    )


@operation("describeTabs")
def describe_tabs(call: SoapCall) -> str:
    """Describe the apps and their tabs."""
    return call.result(*map(_told, tab_sets(call.org, call.origin)))


def _told(value: Any) -> Any:
    """Return a description as SOAP's types prescribe: in the order of the names, without what is empty."""
    if isinstance(value, list | tuple):
        return [_told(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    kept = (name for name in sorted(value) if name not in _ONLY_REST and value[name] is not None)
    return {name: _told(value[name]) for name in kept}
