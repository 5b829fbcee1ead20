"""The org's data: a typed record store with its schema, rules, journal and metadata components."""

from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Org, Record
from salesforce_org.store.schema import Field, PicklistValue, Schema, SObject

__all__ = ["DmlError", "Field", "Org", "PicklistValue", "Record", "SObject", "Schema"]
