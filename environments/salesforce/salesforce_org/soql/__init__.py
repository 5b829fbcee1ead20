"""The Salesforce Object Query Language: parser and engine.

Importing it also registers the objects that are computed: `definitions` and `tooling`.
"""

from salesforce_org.soql import definitions, tooling
from salesforce_org.soql.engine import query
from salesforce_org.soql.errors import SoqlError
from salesforce_org.soql.result import ColumnInfo, Result, Row

__all__ = ["ColumnInfo", "Result", "Row", "SoqlError", "definitions", "query", "tooling"]
