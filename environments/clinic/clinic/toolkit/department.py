"""Where an application stands: hospital, department, product and workstation, drawn from the seed."""

import random
import sqlite3
from collections.abc import Sequence

from clinic import rows
from clinic.application import Seeding


def settle(
    db: sqlite3.Connection,
    seeding: Seeding,
    stream: random.Random,
    names: Sequence[str],
    products: Sequence[str],
    station: str,
    stations: int,
    *,
    station_last: bool = False,
) -> None:
    """Fill `department`.

    Args:
        station: How workstations are called, with a place for the number.
        stations: How many there are.
        station_last: Whether the workstation is drawn after name and product.
    """
    drawn = {"hospital": seeding.fixtures.load("hospitals")["names"], "workstation": range(1, stations + 1)}
    drawn |= {"name": names, "product": products}
    if station_last:
        drawn["workstation"] = drawn.pop("workstation")
    chosen = {name: stream.choice(values) for name, values in drawn.items()}
    rows.insert(db, "department", id=1, **chosen | {"workstation": station.format(chosen["workstation"])})
