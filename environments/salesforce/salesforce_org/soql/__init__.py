"""The Salesforce Object Query Language: parser and engine."""

from salesforce_org.soql.engine import query
from salesforce_org.soql.errors import SoqlError
from salesforce_org.soql.result import ColumnInfo, Result, Row

__all__ = ["ColumnInfo", "Result", "Row", "SoqlError", "query"]
