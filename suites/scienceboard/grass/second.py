"""Second solutions of GRASS GIS, written without a look at the checks.

The console's output is in no element of the screen. Copied into the catalogue's search, it can be read there.
"""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Drag, Key, Type, Wait

_PROMPT = Click(1700, 972)  # the console's line for commands
_OUTPUT = Click(1700, 500)
_MORE_TOOLS = Click(364, 608)  # of the layers' toolbar
_VIEWS = Click(1053, 133)  # two and three dimensions, and the digitizers
_MAP_TO_EDIT = Click(466, 177)  # of the digitizer's toolbar
_ROWS = range(643, 900, 24)  # of the list of layers
_SETTINGS_OF_LAYER = 'panel[description="Click to edit layer settings"]'
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
    await pilot.act(_PROMPT, Type(command), Wait(1), Key(("escape",)), Key(("enter",)), Wait(2))


async def _ask(pilot: Pilot, command: str) -> list[str]:
    """Return the lines that a command prints."""
    await _run(pilot, command)
    for _ in range(20):
        await pilot.act(*_COPY)
        _, echo, text = (await pilot.read(_SEARCH)).partition(command.replace('"', ""))
        if echo and _ENDED in text:
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


async def _raster(pilot: Pilot, name: str) -> bool:
    return name in await _ask(pilot, "g.list type=raster")


async def _show(pilot: Pilot, name: str) -> None:
    await _run(pilot, f"d.{'rast' if await _raster(pilot, name) else 'vect'} map={name}")


async def _row(pilot: Pilot, layer: str) -> None:
    """Open a layer's menu from the keyboard."""
    await pilot.click(f"place:layer/{layer}")
    await pilot.act(Key(("space",)), Wait(1))


async def _remove(pilot: Pilot, layer: str) -> None:
    await pilot.click(f"place:layer/{layer}")
    await pilot.act(_MORE_TOOLS)
    await pilot.click('menu-item[name="Delete map layer"]')
    await pilot.press("Return")


async def _digitize(pilot: Pilot, name: str) -> None:
    await pilot.act(_VIEWS, Wait(1))
    await pilot.click('menu-item[name="Vector digitizer"]:nth(0)')
    await pilot.act(Wait(2), _MAP_TO_EDIT, Wait(1))
    await pilot.click(f'menu-item[name="{name}"]:nth(0)')
    await pilot.act(Wait(2))


async def show_metadata(pilot: Pilot, case: Case) -> None:
    """Run the module in the console."""
    await _ask(pilot, f"{'r' if await _raster(pilot, case['map']) else 'v'}.info {case['map']}")


async def raster_statistics(pilot: Pilot, case: Case) -> None:
    """Run the module in the console."""
    await _ask(pilot, f"r.univar {case['map']}")


async def symbol_size(pilot: Pilot, case: Case) -> None:
    """Write the drawing command."""
    await _run(pilot, f"d.vect map={case['map']} size={case['size']}")


async def point_symbol(pilot: Pilot, case: Case) -> None:
    """Write the drawing command."""
    await _run(pilot, f"d.vect map={case['map']} icon=basic/{case['symbol']}")


async def drop_column(pilot: Pilot, case: Case) -> None:
    """Run the module in the console."""
    await _ask(pilot, f"db.dropcolumn -f table={case['map']} column={case['column']}")


async def fix_start_date(pilot: Pilot, case: Case) -> None:
    """Update the record by its category."""
    rows = await _table(pilot, "points_of_interest")
    (row,) = [row for row in rows if "-" in row["start_date"]]
    year = next(part for part in row["start_date"].split("-") if len(part) == 4)
    where = f"where=cat={row['cat']}"
    await _ask(pilot, f"v.db.update map=points_of_interest column=start_date value={year} {where}")


async def open_map(pilot: Pilot, case: Case) -> None:
    """Change the location by the menu, and add the map in the console."""
    await pilot.click('menu[name="Settings"]')
    await pilot.press("Down", 2)
    await pilot.press("Right")
    await pilot.press("Down", 3)
    await pilot.press("Return")
    await pilot.fill('frame[name="Select GRASS location and mapset"] >> text:nth(0)', case["location"])
    await pilot.act(Key(("tab",)), Wait(1))
    await pilot.click('frame[name="Select GRASS location and mapset"] >> push-button[name="OK"]')
    await pilot.act(Wait(3))
    await _show(pilot, case["map"])


async def replace_layer(pilot: Pilot, case: Case) -> None:
    """Add the new map first, and remove the old one by the toolbar."""
    await _show(pilot, case["new"])
    await _remove(pilot, case["layer"])


async def rename_layer(pilot: Pilot, case: Case) -> None:
    """Use the keyboard."""
    await _row(pilot, case["layer"])
    await pilot.press("Down", 2)
    await pilot.press("Return")
    await pilot.type(case["label"] + "\n")


async def set_opacity(pilot: Pilot, case: Case) -> None:
    """Drag the slider."""
    await _row(pilot, case["layer"])
    await pilot.press("Down", 3)
    await pilot.press("Return")
    left, top, width, height = await pilot.box("slider")
    middle = round(top + height / 3)
    start, end = round(left + width - 14), round(left + 14 + (width - 28) * case["percent"] / 100)
    await pilot.act(Drag(((start, middle), ((start + end) // 2, middle), (end, middle))))
    await pilot.click('push-button[name="Apply"]')
    await pilot.click('push-button[name="OK"]')


async def _status(pilot: Pilot, name: str) -> None:
    await pilot.click('push-button[name="Map Display Settings"]')
    await pilot.click('page-tab[name="Status bar"]')
    await pilot.click(f'radio-button[name="{name}"]')
    await pilot.click('push-button[name="Close"]')


async def set_scale(pilot: Pilot, case: Case) -> None:
    """Open the field by the settings of the display, and have coordinates there again afterwards."""
    await _status(pilot, "Map scale")
    await pilot.fill('text[value^="1:"]', f"1:{case['scale']}\n")
    await pilot.act(Wait(1))
    await _status(pilot, "Coordinates")


async def start_editing(pilot: Pilot, case: Case) -> None:
    """Open the digitizer, and choose the map in it."""
    await _digitize(pilot, case["layer"])


async def show_status(pilot: Pilot, case: Case) -> None:
    """Use the settings of the display."""
    named = {
        "scale": "Map scale",
        "computational": "Computational region",
        "extent": "Display extent",
        "rows": "Display geometry",
    }
    await _status(pilot, next(name for word, name in named.items() if word in case["meaning"]))


async def fill_color(pilot: Pilot, case: Case) -> None:
    """Write the colour's name, and apply it before the settings are closed."""
    await pilot.click(f"place:layer/{case['layer']}", count=2)
    await pilot.click('page-tab[name="Colors"]')
    left, top, *_ = await pilot.box('label[name="Area fill color:"]')
    await pilot.act(Click(round(left) + 60, round(top) + 32), Wait(1))
    await pilot.fill("color-chooser >> text:nth(0)", case["color"] + "\t")
    await pilot.click('color-chooser >> push-button[name="Select"]')
    await pilot.click('frame[name="d.vect"] >> push-button[name="Apply"]')
    await pilot.click('frame[name="d.vect"] >> push-button[name="Close"]')


async def line_width(pilot: Pilot, case: Case) -> None:
    """Use the keyboard."""
    await _row(pilot, case["layer"])
    await pilot.press("Down", 4)
    await pilot.press("Return")
    await pilot.click('page-tab[name="Lines"]')
    await pilot.press("Up", int(case["width"]) - int(await pilot.read("spin-button")))
    await pilot.click('frame[name="d.vect"] >> push-button[name="OK"]')


async def hide_layer(pilot: Pilot, case: Case) -> None:
    """Switch all layers off, and the others on again."""
    left, top, width, height = await pilot.box(f"place:checkbox/{case['layer']}")
    x, hidden = round(left + width / 2), round(top + height / 2)
    rows = [y for index, y in enumerate(_ROWS) if await pilot.sees(f"{_SETTINGS_OF_LAYER}:nth({index})")]
    await pilot.act(*(Click(x, y) for y in rows))
    await pilot.act(*(Click(x, y) for y in rows if abs(y - hidden) > 12), Wait(2))


async def label_features(pilot: Pilot, case: Case) -> None:
    """Draw the map anew in the console, with labels, in place of the old layer."""
    await _remove(pilot, case["layer"])
    await _run(pilot, f"d.vect map={case['map']} attribute_column={case['column']}")


async def label_alignment(pilot: Pilot, case: Case) -> None:
    """Enlarge the window of the settings, which then shows all of them."""
    await pilot.click(f"place:layer/{case['layer']}", count=2)
    left, top, width, _ = await pilot.box('frame[name="d.vect"]')
    await pilot.act(Click(round(left + width / 2), round(top) + 9, count=2), Wait(2))
    await pilot.click('page-tab[name="Labels"]')
    await pilot.fill('frame[name="d.vect"] >> text:nth(1)', case["column"])
    left, top, *_ = await pilot.box('label[name="Label horizontal justification:"]')
    await pilot.act(Click(round(left) + 282, round(top) + 34), Wait(1))
    await pilot.click(f'menu-item[name="{case["side"]}"]:nth(0)')
    await pilot.click('frame[name="d.vect"] >> push-button[name="OK"]')
    await pilot.act(Wait(1))


async def raster_statistics_of_vector(pilot: Pilot, case: Case) -> None:
    """Try the module in the console first."""
    if not await _raster(pilot, case["map"]):
        await _ask(pilot, f"r.univar {case['map']}")
        await pilot.give_up(
            reason=f"{case['map']} is a vector map, and there are no raster statistics of one."
        )


def _degrees(value: float, signs: str) -> str:
    seconds = round(abs(value) * 3600)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{signs[value < 0]}"


async def _go_to(pilot: Pilot, x: float, y: float) -> None:
    """Have a place in the middle of the map, at the same scale."""
    await _status(pilot, "Go to XY coordinates")
    await pilot.fill('text[value*="; "]:nth(0)', f"{_degrees(x, 'EW')}; {_degrees(y, 'NS')}\n")
    await pilot.act(Wait(2))
    await _status(pilot, "Coordinates")


async def _measured(pilot: Pilot, what: str) -> dict[str, list[float]]:
    """Return the numbers that GRASS measures of each country or point."""
    lines = await _ask(pilot, f"v.to.db -p map=countries option={what}")
    rows = [line.split("|") for line in lines if "|" in line][1:]
    return {category: [float(value) for value in values] for category, *values in rows}


async def pan_to_country(pilot: Pilot, case: Case) -> None:
    """Have GRASS measure the country, and go to its middle."""
    (row,) = _holding(await _table(pilot, "countries"), case["name"], "name")
    north, south, east, west = (await _measured(pilot, "bbox"))[row["cat"]]
    await _go_to(pilot, (east + west) / 2, (north + south) / 2)


async def delete_point(pilot: Pilot, case: Case) -> None:
    """Have GRASS tell the coordinates, draw a box around the point, and leave the digitizer by the views."""
    lands = (await _measured(pilot, "bbox")).values()
    points = (await _measured(pilot, "coor type=point")).values()
    ((x, y, _),) = [
        (x, y, z) for x, y, z in points if not any(w < x < e and s < y < n for n, s, e, w in lands)
    ]
    await _digitize(pilot, "countries@PERMANENT")
    await _go_to(pilot, x, y)
    await pilot.click('toggle-button[name^="Delete selected point"]')
    middle = (await pilot.box("place:canvas")).middle
    corners = [(middle.x + away, middle.y + away) for away in (-12, 0, 12)]
    await pilot.act(Drag(tuple(corners)), Wait(1), Click(middle.x, middle.y + 60, button="right"), Wait(1))
    await pilot.act(_VIEWS, Wait(1))
    await pilot.click('menu-item[name="2D view"]:nth(0)')
    await pilot.press("Return")
    await pilot.act(Wait(3))
