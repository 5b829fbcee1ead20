"""The functions of formulas, by name; `catalog` has their table, the other modules their doing.

Importing the package fills the table.
"""

from salesforce_org.formulas.functions import dates, logic, mathematics, summaries, texts
from salesforce_org.formulas.functions.catalog import FUNCTIONS, Function, Parameter, Use

__all__ = ["FUNCTIONS", "Function", "Parameter", "Use", "dates", "logic", "mathematics", "summaries", "texts"]
