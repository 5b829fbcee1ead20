"""Queries over 2,000 records: records read per second by the org's engine, and by SQLite doing the same.

SQLite gets the same records in a table without indexes, for the org has none either, and the same conditions, order
and columns; both start from the query's text and end with a list of dictionaries.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "environments" / "salesforce"), str(ROOT / "environments" / "kit")]

from salesforce_org.rules import RULES  # noqa: E402 - the world program is no installed package
from salesforce_org.seeding import SCHEMA  # noqa: E402
from salesforce_org.soql import query  # noqa: E402
from salesforce_org.store import Org  # noqa: E402
from salesforce_org.store.schema import read_schema  # noqa: E402

RECORDS = 2000
ROUNDS = 15
COLUMNS = ("Id", "Name", "StageName", "Amount", "CloseDate", "AccountId")
STAGES = ("Prospecting", "Qualification", "Needs Analysis", "Closed Won", "Closed Lost")
# A title, the query here, and what SQLite is asked.
CASES = (
    (
        "equality",
        "SELECT Id, Name FROM Opportunity WHERE Name = 'deal 77'",
        "SELECT Id, Name FROM o WHERE Name = 'deal 77' COLLATE NOCASE",
    ),
    (
        "range, order, limit",
        "SELECT Id, Name, Amount FROM Opportunity WHERE Amount > 500 AND StageName IN ('Closed Won', 'Prospecting') "
        "ORDER BY Amount DESC, Name LIMIT 50",
        "SELECT Id, Name, Amount FROM o WHERE Amount > 500 AND StageName IN ('Closed Won', 'Prospecting') "
        "ORDER BY Amount DESC, Name COLLATE NOCASE LIMIT 50",
    ),
    (
        "pattern or date",
        "SELECT Id, Name FROM Opportunity WHERE Name LIKE '%al 1%' OR CloseDate = 2026-03-03",
        "SELECT Id, Name FROM o WHERE Name LIKE '%al 1%' OR CloseDate = '2026-03-03'",
    ),
    (
        "parent",
        "SELECT Id, Account.Name FROM Opportunity WHERE Account.Name LIKE 'Account 1%' ORDER BY Name",
        "SELECT o.Id, a.Name FROM o LEFT JOIN a ON a.Id = o.AccountId WHERE a.Name LIKE 'Account 1%' "
        "ORDER BY o.Name COLLATE NOCASE",
    ),
    (
        "children",
        "SELECT Id, (SELECT Id, Amount FROM Opportunities ORDER BY Amount) FROM Account WHERE Name != 'x'",
        "SELECT a.Id, o.Id, o.Amount FROM a LEFT JOIN o ON a.Id = o.AccountId WHERE a.Name != 'x' "
        "ORDER BY a.Id, o.Amount",
    ),
    (
        "groups",
        "SELECT StageName, COUNT(Id), SUM(Amount) FROM Opportunity GROUP BY StageName",
        "SELECT StageName, COUNT(Id), SUM(Amount) FROM o GROUP BY StageName",
    ),
    (
        "everything",
        "SELECT Id, Name, StageName, Amount, CloseDate, AccountId FROM Opportunity",
        "SELECT Id, Name, StageName, Amount, CloseDate, AccountId FROM o",
    ),
)


def filled() -> Org:
    """Return an org with opportunities of forty accounts."""
    chance = random.Random(7)
    org = Org(read_schema(SCHEMA), RULES, datetime(2026, 3, 3, 17, tzinfo=UTC))
    with org.unchecked():
        rows = {
            f"006Kj{place:010}AAA": {
                "Id": f"006Kj{place:010}AAA",
                "Name": f"Deal {chance.randrange(400)}",
                "StageName": chance.choice(STAGES),
                "Amount": float(chance.randrange(1000)),
                "CloseDate": f"2026-03-{chance.randrange(1, 29):02}",
                "AccountId": f"001Kj{chance.randrange(40):010}AAA",
            }
            for place in range(RECORDS)
        }
        org._tables["Opportunity"].update(rows)
        accounts = (f"001Kj{place:010}AAA" for place in range(40))
        org._tables["Account"].update(
            {id: {"Id": id, "Name": f"Account {place}"} for place, id in enumerate(accounts)}
        )
    return org


def beside(org: Org, file: str) -> sqlite3.Connection:
    """Return a database with the same records."""
    base = sqlite3.connect(file)
    base.row_factory = sqlite3.Row
    base.execute(f"CREATE TABLE o ({', '.join(COLUMNS)})")
    base.execute("CREATE TABLE a (Id, Name)")
    marks = ", ".join("?" * len(COLUMNS))
    rows = ([row[name] for name in COLUMNS] for row in org.rows("Opportunity"))
    base.executemany(f"INSERT INTO o VALUES ({marks})", rows)
    base.executemany("INSERT INTO a VALUES (?, ?)", ((row["Id"], row["Name"]) for row in org.rows("Account")))
    return base


def timed(ask: Callable[[], list[Any]]) -> tuple[float, int]:
    """Return the median time of a query in milliseconds, and how many rows it gives."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        found = ask()
        times.append(1000 * (time.perf_counter() - start))
    return median(times), len(found)


def main() -> None:
    """Measure and print."""
    org = filled()
    with tempfile.TemporaryDirectory() as folder:
        base = beside(org, str(Path(folder) / "peer.sqlite"))
        print(f"{RECORDS} records; medians of {ROUNDS} rounds; rows/s are records read")
        for title, ours, theirs in CASES:
            own, count = timed(lambda text=ours: query(org, text).records)
            peer, peers = timed(lambda text=theirs: [dict(row) for row in base.execute(text)])
            if title != "children":  # rows within rows here, joined rows there
                assert count == peers, f"{title}: {count} rows here, {peers} there"
            print(
                f"{title:20} {count:5} found   ours {own:6.2f} ms {1000 * RECORDS / own:10,.0f} rows/s   "
                f"sqlite {peer:6.2f} ms {1000 * RECORDS / peer:10,.0f} rows/s   x{own / peer:.1f}"
            )


if __name__ == "__main__":
    main()
