"""The reference solutions: what a person who knows GRASS does with mouse and keyboard."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from .hands import (
    TABLE,
    await_sight,
    choose_color,
    confirm,
    context,
    find_record,
    layer_menu,
    manage_table,
    open_table,
    pick,
    press,
    properties,
    remove_layer,
    show_map,
    unfold,
)
from .maps import EARTH, PIEMONTE, full

_SYMBOLS = (
    *(
        "arrow",
        "arrow1",
        "arrow2",
        "arrow3",
        "box",
        "circle",
        "cross1",
        "cross2",
        "cross3",
        "diamond",
        "hexagon",
    ),
    *("marker", "octagon", "pin", "pin_dot", "point", "pushpin", "star", "triangle", "x"),
)
_SYMBOL = 'frame[name="Symbols"]'
_OPACITY = 'frame[name^="Set opacity"]'
_STATUS_BAR = 'check-box[name="Render"]'
_MAP = "place:canvas"


async def open_map(hand: Hand, case: Case) -> None:
    """Unfold the other location, and let GRASS switch to it with the map."""
    await unfold(hand, case["location"])
    await press(hand, f"place:catalog/{case['location']}/PERMANENT/{case['map']}", count=2)
    await press(hand, 'push-button[name="Switch"]')
    await await_sight(hand, f"place:layer/{case['layer']}")


async def replace_layer(hand: Hand, case: Case) -> None:
    """Remove the layer, then show the other map."""
    await remove_layer(hand, case["layer"])
    await show_map(hand, case["location"], case["new"])


async def hide_toolbar(hand: Hand, case: Case) -> None:
    """Choose so from the menu of the map."""
    await context(hand, _MAP, "Hide toolbars")


async def start_editing(hand: Hand, case: Case) -> None:
    """Choose so from the menu of the layer."""
    await layer_menu(hand, case["layer"], "Start editing")
    await await_sight(hand, 'toggle-button[name^="Digitize new point"]')


async def show_status(hand: Hand, case: Case) -> None:
    """Choose from the menu of the status bar."""
    await hand.click("place:status", button="right")
    await press(hand, f'radio-menu-item[name="{case["status"]}"]')


async def set_scale(hand: Hand, case: Case) -> None:
    """Have the status bar show the scale, and type another one."""
    await hand.click("place:status", button="right")
    await press(hand, 'radio-menu-item[name="Map scale"]')
    field = 'text[value^="1:"]'
    await await_sight(hand, field)
    await hand.fill(field, f"1:{case['scale']}")
    await hand.press("enter")


async def hide_layer(hand: Hand, case: Case) -> None:
    """Click the box before the layer's name."""
    await hand.click(f"place:checkbox/{case['layer']}")


async def pan_to_country(hand: Hand, case: Case) -> None:
    """Have the map go to the middle of the country, which its table and the map tell."""
    await hand.click("place:status", button="right")
    await press(hand, 'radio-menu-item[name="Go to XY coordinates"]')
    field = 'text[value*=";"]'
    await await_sight(hand, field)
    await hand.fill(field, f"{_degrees(case['east'], 'EW')}; {_degrees(case['north'], 'NS')}")
    await hand.press("enter")


def _degrees(value: float, letters: str) -> str:
    """Write an angle as GRASS does: 84:07:16.2W."""
    seconds = round(abs(value) * 3600)
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{letters[value < 0]}"


async def count_types(hand: Hand, case: Case) -> None:
    """Look into the catalogue."""
    if case["location"] != EARTH:
        await unfold(hand, case["location"])
    await hand.answer(case["more"])


async def count_features(hand: Hand, case: Case) -> None:
    """Read how many records the table has loaded."""
    await show_map(hand, PIEMONTE, case["map"])
    await open_table(hand, case["layer"])
    await hand.answer(str(case["number"]))


async def set_opacity(hand: Hand, case: Case) -> None:
    """Move the slider with the keyboard."""
    await layer_menu(hand, case["layer"], "Change opacity level")
    await press(hand, f"{_OPACITY} >> slider")
    await hand.press("home")
    await hand.press("right", repeat=case["percent"])
    await confirm(hand, _OPACITY)


async def rename_layer(hand: Hand, case: Case) -> None:
    """Type over the name in the list."""
    await layer_menu(hand, case["layer"], "Rename")
    await hand.press("ctrl+a")
    await hand.type(case["label"])
    await hand.press("enter")


async def label_features(hand: Hand, case: Case) -> None:
    """Name the column on the page of labels."""
    dialog = await properties(hand, case["layer"], "Labels")
    await hand.fill(f"{dialog} >> text:nth(1)", case["column"])
    await confirm(hand, dialog)


async def label_alignment(hand: Hand, case: Case) -> None:
    """Name the column, and choose the alignment further down."""
    dialog = await properties(hand, case["layer"], "Labels")
    await hand.click(f"{dialog}@0.5,0.02", count=2)  # as large as the screen, so that all of the page shows
    await hand.fill(f"{dialog} >> text:nth(1)", case["column"])
    await hand.fill(f'{dialog} >> text[value="left"]', case["side"])
    await confirm(hand, dialog)


async def fill_color(hand: Hand, case: Case) -> None:
    """Choose the second colour of the page of colours."""
    await recolor(hand, case["layer"], 1, case["rgb"])


async def recolor(hand: Hand, layer: str, which: int, rgb: list[int]) -> None:
    """Choose one of a layer's colours: 0 that of its lines and points, 1 that of its areas."""
    dialog = await properties(hand, layer, "Colors")
    await choose_color(hand, f"{dialog} >> scroll-pane >> panel:nth({which + 1})", rgb)
    await confirm(hand, dialog)


async def road_color(hand: Hand, case: Case) -> None:
    """Show the roads, then choose their colour."""
    await show_map(hand, PIEMONTE, case["map"])
    await recolor(hand, case["layer"], 0, case["rgb"])


async def line_width(hand: Hand, case: Case) -> None:
    """Type the width on the page of lines."""
    dialog = await properties(hand, case["layer"], "Lines")
    await hand.fill(f"{dialog} >> spin-button", str(case["width"]))
    await confirm(hand, dialog)


async def point_symbol(hand: Hand, case: Case) -> None:
    """Show the points, then choose the symbol among the pictures."""
    await show_map(hand, PIEMONTE, case["map"])
    dialog = await properties(hand, case["layer"], "Symbols")
    await press(hand, f"{dialog} >> scroll-pane >> push-button:nth(0)")
    await press(hand, f"{_SYMBOL} >> icon:nth({_SYMBOLS.index(case['symbol'])})")
    await confirm(hand, _SYMBOL)
    await confirm(hand, dialog)


async def symbol_size(hand: Hand, case: Case) -> None:
    """Show the points, then type the size."""
    await show_map(hand, PIEMONTE, case["map"])
    dialog = await properties(hand, case["layer"], "Symbols")
    await hand.fill(f"{dialog} >> text:nth(0)", str(case["size"]))
    await confirm(hand, dialog)


async def filter_schools(hand: Hand, case: Case) -> None:
    """Show the schools, then type the condition."""
    await show_map(hand, PIEMONTE, "schools")
    await condition(hand, f"wheelchair = '{case['access']}'")


async def condition(hand: Hand, where: str) -> None:
    """Let the layer of schools show those only that fit a condition."""
    dialog = await properties(hand, full("schools"), "Selection")
    await hand.fill(f"{dialog} >> text:nth(2)", where)
    await confirm(hand, dialog)


async def show_metadata(hand: Hand, case: Case) -> None:
    """Choose so from the menu of the layer."""
    await layer_menu(hand, case["layer"], "Metadata")


async def raster_statistics(hand: Hand, case: Case) -> None:
    """Choose so from the menu of the layer."""
    await layer_menu(hand, case["layer"], "Univariate raster statistics")


async def raster_statistics_of_vector(hand: Hand, case: Case) -> None:
    """See that the menu of the layer is one of a vector map."""
    await hand.click(f"place:layer/{case['layer']}", button="right")
    await hand.press("escape")
    await hand.give_up("infeasible", f"{case['map']} is a vector map")


async def _look(hand: Hand, location: str, name: str, answer: str) -> None:
    await show_map(hand, location, name)
    await open_table(hand, full(name))
    await hand.answer(answer)


async def count_least_developed(hand: Hand, case: Case) -> None:
    """Count in the table."""
    await _look(hand, EARTH, "countries", str(case["number"]))


async def province_at_latitude(hand: Hand, case: Case) -> None:
    """Find the latitude in the table."""
    await _look(hand, EARTH, "states_provinces", case["name"])


async def largest_city(hand: Hand, case: Case) -> None:
    """Compare in the table."""
    await _look(hand, EARTH, "populated_places", case["name"])


async def fire_station_in_street(hand: Hand, case: Case) -> None:
    """Find the street in the table."""
    await _look(hand, PIEMONTE, "firestations", case["name"])


async def hospitals_in_city(hand: Hand, case: Case) -> None:
    """Count in the table."""
    await _look(hand, PIEMONTE, "hospitals", str(case["number"]))


async def province_of_municipality(hand: Hand, case: Case) -> None:
    """Find the municipality in the table."""
    await _look(hand, PIEMONTE, "boundary_municipality", case["province"])


async def feature_code(hand: Hand, case: Case) -> None:
    """Find the place in the table."""
    await _look(hand, PIEMONTE, "geonames", case["code"])


async def add_column(hand: Hand, case: Case) -> None:
    """Type the name, choose the type, add."""
    await manage_table(hand, case["layer"])
    await hand.fill(f"{TABLE} >> text:nth(0)", case["column"])
    if case["type"] != "integer":
        await pick(hand, f'{TABLE} >> combo-box[name="integer"]', case["type"].split()[0])
    await hand.click(f'{TABLE} >> push-button[name="Add"]')


async def drop_column(hand: Hand, case: Case) -> None:
    """Choose so from the menu of the column."""
    await manage_table(hand, case["layer"])
    row = case["place"] + 0.5
    await hand.click(f"{TABLE} >> scroll-pane >> panel:nth(1)@0.1,{row * 23 / 145:.4f}", button="right")
    await press(hand, 'menu-item[name="Drop selected column"]')
    await press(hand, 'alert >> push-button[name="Yes"]')


async def fix_start_date(hand: Hand, case: Case) -> None:
    """Edit the one record in the table."""
    await show_map(hand, PIEMONTE, "points_of_interest")
    await open_table(hand, full("points_of_interest"))
    await _edit(hand, case["cat"], case["date"], case["year"])


async def _edit(hand: Hand, cat: int, before: str, after: str) -> None:
    record = await find_record(hand, cat)
    await context(hand, record, "Edit selected record")
    dialog = 'frame[name="Update existing record"]'
    field = f'{dialog} >> text[value="{before}"]'
    await await_sight(hand, field)
    await hand.fill(field, after)
    await confirm(hand, dialog, "Submit")


async def delete_point(hand: Hand, case: Case) -> None:
    """Open the digitizer, delete the point on the map, and save."""
    await layer_menu(hand, case["layer"], "Start editing")
    await press(hand, 'toggle-button[name^="Delete selected point"]')
    await _delete(hand, case["east"], case["north"])


async def _delete(hand: Hand, east: float, north: float) -> None:
    await hand.click(f"place:map/{east},{north}")
    await hand.click(f"place:map/{east},{north}", button="right")
    await press(hand, 'push-button[name^="Quit"]')
    await press(hand, 'push-button[name="Yes"]')
