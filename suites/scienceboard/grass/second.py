"""Second solutions of GRASS GIS, written without a look at the checks.

The console's output is in no element of the screen. Copied into the catalogue's search, it can be read there.
"""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Key, Type, Wait

_PROMPT = Click(1700, 972)  # the console's line for commands
_OUTPUT = Click(1700, 500)
_SEARCH = "text:nth(1)"  # of the catalogue; the first text is the kind of view
_COPY = (
    _OUTPUT,
    Key(("ctrl", "a")),
    Key(("ctrl", "c")),
    Click(150, 158),
    Key(("ctrl", "a")),
    Key(("ctrl", "v")),
)
_ENDED = "Command finished ("


async def _run(pilot: Pilot, command: str) -> None:
    await pilot.click("place:tab/Console")
    await pilot.act(_PROMPT, Type(command + "\n"), Wait(2))


async def _ask(pilot: Pilot, command: str) -> list[str]:
    """Return the lines that a command prints."""
    await _run(pilot, command)
    for _ in range(20):
        await pilot.act(*_COPY)
        text = (await pilot.read(_SEARCH)).split(command.replace('"', ""), 1)[-1]
        if _ENDED in text:
            break
    return [line.strip() for line in text.splitlines()[1:] if _ENDED not in line]


async def _table(pilot: Pilot, name: str) -> list[dict[str, str]]:
    """Return the rows of a map's table."""
    columns, *rows = [line.split("|") for line in await _ask(pilot, f"db.select table={name}")]
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _holding(rows: list[dict[str, str]], value: object, column: str = "") -> list[dict[str, str]]:
    return [row for row in rows if str(value) in ([row[column]] if column else row.values())]


async def count_features(pilot: Pilot, case: Case) -> None:
    """Describe the table, which has a row for each feature."""
    lines = await _ask(pilot, f"db.describe -c table={case['map']}")
    await pilot.answer(next(line.split(":")[1].strip() for line in lines if line.startswith("nrows")))


async def count_least_developed(pilot: Pilot, case: Case) -> None:
    """Count in the whole table."""
    await pilot.answer(str(len(_holding(await _table(pilot, "countries"), case["economy"], "economy"))))


async def hospitals_in_city(pilot: Pilot, case: Case) -> None:
    """Count in the whole table."""
    await pilot.answer(str(len(_holding(await _table(pilot, "hospitals"), case["city"], "city"))))


async def count_types(pilot: Pilot, case: Case) -> None:
    """List the folders in which GRASS keeps its maps."""
    mapset = f"/home/user/grassdata/{case['location']}/PERMANENT"
    lines = await _ask(pilot, f"ls {mapset}/cell {mapset}/vector")
    split = lines.index(f"{mapset}/vector:")
    rasters, vectors = (len(list(filter(None, part))) for part in (lines[1:split], lines[split + 1 :]))
    await pilot.answer("Raster" if rasters > vectors else "Vector")


async def province_at_latitude(pilot: Pilot, case: Case) -> None:
    """Search the whole table."""
    rows = await _table(pilot, "states_provinces")
    (row,) = [row for row in rows if float(row["latitude"]) == float(case["latitude"])]
    await pilot.answer(row["name_local"])


async def largest_city(pilot: Pilot, case: Case) -> None:
    """Compare the cities, and answer with a sentence."""
    rows = _holding(await _table(pilot, "populated_places"), case["zone"], "timezone")
    largest = max(rows, key=lambda row: int(row["pop_max"]))
    await pilot.answer(f"The city with the largest population is {largest['name']}.")


async def fire_station_in_street(pilot: Pilot, case: Case) -> None:
    """Answer with a sentence."""
    (row,) = _holding(await _table(pilot, "firestations"), case["street"], "street")
    await pilot.answer(f"The station is called “{row['name']}”.")


async def province_of_municipality(pilot: Pilot, case: Case) -> None:
    """Answer with a sentence."""
    (row,) = _holding(await _table(pilot, "boundary_municipality"), case["municipality"], "NAME")
    await pilot.answer(f"{row['NAME']} belongs to the province {row['PROVINCE'].title()}.")


async def feature_code(pilot: Pilot, case: Case) -> None:
    """Search the whole table."""
    (row,) = _holding(await _table(pilot, "geonames"), case["name"], "name")
    await pilot.answer(f"Its feature code is {row['feature_code'].upper()}.")


async def add_column(pilot: Pilot, case: Case) -> None:
    """Alter the table by SQL."""
    await _ask(
        pilot, f'db.execute sql="alter table {case["map"]} add column {case["column"]} {case["type"]}"'
    )


async def road_color(pilot: Pilot, case: Case) -> None:
    """Write the colour as a web page would."""
    await _run(pilot, "d.vect map=roadsmajor color=#" + "".join(f"{part:02X}" for part in case["rgb"]))


async def filter_schools(pilot: Pilot, case: Case) -> None:
    """Name the schools by their categories."""
    value = "limited" if "limit" in case["meaning"] else "no" if " not " in case["meaning"] else "yes"
    rows = _holding(await _table(pilot, "schools"), value, "wheelchair")
    await _run(pilot, f"d.vect map=schools cats={','.join(row['cat'] for row in rows)}")


async def hide_toolbar(pilot: Pilot, case: Case) -> None:
    """Use the keyboard in the map's menu."""
    await pilot.click("place:canvas", button="right")
    await pilot.press("Down", 2)
    await pilot.press("Return")
