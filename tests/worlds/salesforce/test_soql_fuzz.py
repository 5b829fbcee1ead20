"""Whatever a text is made of, it is answered or refused; nothing else happens."""

from __future__ import annotations

import contextlib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from salesforce_org.soql import SoqlError, find, query
from salesforce_org.soql.search import search
from salesforce_org.store import Org

from . import soql_org

RIGHT = [
    "SELECT Id , Name , Owner.Name FROM Account WHERE Name LIKE 'a%' AND Industry IN ( 'Tech' , null ) ORDER BY Name",
    "SELECT Name , ( SELECT Id , LastName FROM Contacts WHERE Email != '' LIMIT 2 ) FROM Account LIMIT 5 OFFSET 1",
    "SELECT StageName , SUM( Amount ) s FROM Opportunity GROUP BY ROLLUP( StageName ) HAVING COUNT( Id ) > 1",
    "SELECT CALENDAR_YEAR( CloseDate ) , MAX( Name ) FROM Opportunity GROUP BY CALENDAR_YEAR( CloseDate ) ",
    "SELECT Id FROM Opportunity WHERE NOT ( CloseDate = LAST_N_DAYS : 30 OR Amount <= -1.5 ) ORDER BY Id NULLS LAST",
    "SELECT Id FROM Task WHERE What.Type = 'Account' AND HOUR_IN_DAY( convertTimezone( StartDateTime ) ) > 5",
    "SELECT Subject , TYPEOF What WHEN Account THEN Industry , Id ELSE Name END FROM Task FOR VIEW ALL ROWS",
    "SELECT FIELDS(ALL) FROM Account WHERE Regions__c INCLUDES ( 'North;South' ) LIMIT 200",
    "SELECT toLabel( Industry ) , format( AnnualRevenue ) n FROM Account a WHERE a.Parent.Name = 'x' OR a.Id = ''",
    "SELECT Id FROM Contact WHERE AccountId IN ( SELECT Id FROM Account WHERE CreatedDate > 2026-01-01T00:00:00Z )",
    "SELECT QualifiedApiName FROM EntityDefinition USING SCOPE everything WITH USER_MODE GROUP BY QualifiedApiName",
    "SELECT COUNT() FROM Account WHERE Birthdate = 2026-99-99 OR GROUPING( Name ) = 1e9",
    "FIND {acme} IN NAME FIELDS RETURNING Account ( Id , Name WHERE Name LIKE 'a%' LIMIT 3 ) , Task LIMIT 9",
]  # fmt: skip
PIECES = sorted({piece for text in RIGHT for piece in text.split()})


def changed(text: str, changes: list[tuple[int, int, str]]) -> str:
    """Return a query with some of its pieces left out, replaced or added."""
    pieces = text.split()
    for place, width, piece in changes:
        at = place % (len(pieces) + 1)
        pieces[at : at + width] = [piece] if piece else []
    return " ".join(pieces)


changes = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 2), st.sampled_from(["", *PIECES])), max_size=2
)
soups = st.builds(changed, st.sampled_from(RIGHT), changes)


@cache
def org() -> Org:
    """Return an org that is only read."""
    with TemporaryDirectory() as folder:
        return soql_org.peopled(Path(folder))


@settings(max_examples=250)
@given(soups)
def test_any_mixture_of_words_is_answered_or_refused(text: str) -> None:
    """A refusal has a code; whatever is answered can be told to the command line."""
    with contextlib.suppress(SoqlError):
        result = query(org(), text, tooling=True)
        assert result.total >= len(result.records)
        assert isinstance(result.columns_to_json(), dict)
    with contextlib.suppress(SoqlError):
        assert isinstance(find(org(), text), list)


@settings(max_examples=60)
@given(st.text(max_size=30))
def test_any_text_can_be_typed_into_the_search_box(text: str) -> None:
    """A typed text finds something or nothing, and is never a mistake."""
    assert isinstance(search(org(), text), list)
    with contextlib.suppress(SoqlError):
        find(org(), "FIND {" + text + "}")
