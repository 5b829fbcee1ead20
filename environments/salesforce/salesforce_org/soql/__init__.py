"""The Salesforce Object Query Language, and search.

Importing it also registers the objects that are computed: `apex`, `definitions` and `tooling`.
"""

from salesforce_org.soql import apex, definitions, tooling
from salesforce_org.soql.engine import query
from salesforce_org.soql.errors import SoqlError
from salesforce_org.soql.result import ColumnInfo, Result, Row
from salesforce_org.soql.sosl import find

__all__ = ["ColumnInfo", "Result", "Row", "SoqlError", "apex", "definitions", "find", "query", "tooling"]
