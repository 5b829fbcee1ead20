"""Second solutions of KiCad's PCB editor, written without a look at the checks."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Button, Click

_SETUP = 'frame[name="Board Setup"]'
_ZONE = (214, 400)  # a point of the zone's outline, apart from its handles
_PAD = (1200, 482)  # pad 1 of J1


async def _setup(pilot: Pilot, page: str = "", further: int = 0) -> None:
    """Open the board's setup by the keyboard, and a page by typing what its name begins with, and arrow keys."""
    await pilot.press("alt+f")
    await pilot.press("up", 5)
    await pilot.press("enter")
    await _at(pilot, 91, 63)
    if page:
        await pilot.type(page)
    if further:
        await pilot.press("down", further)


async def _at(pilot: Pilot, right: int, down: int, button: Button = "left") -> None:
    """Click within the board's setup."""
    left, top, _, _ = await pilot.box(_SETUP)
    await pilot.act(Click(round(left + right), round(top + down), button=button))


async def _ok(pilot: Pilot) -> None:
    """Press OK, which saves what belongs to the project."""
    await pilot.click('push-button[name="OK"]')


async def _done(pilot: Pilot) -> None:
    """Press OK, and save the board by the keyboard, when the editor answers again."""
    await _ok(pilot)
    await pilot.box('menu[name="File"]')
    await pilot.press("ctrl+s")
    await pilot.box('menu[name="File"]')


async def _turn(pilot: Pilot, shown: str, key: str, times: int = 1) -> None:
    """Choose in a list by arrow keys."""
    await pilot.click(f"combo-box{shown}")
    await pilot.press(key, times)
    await pilot.press("enter")


async def _enter(pilot: Pilot, field: str, value: object) -> None:
    """Enter a value, and leave the field by Tab."""
    await pilot.fill(field, str(value))
    await pilot.press("tab")


async def _cells(pilot: Pilot, *values: object) -> None:
    """Type into the cells of a row, going on by Tab."""
    *others, last = values
    for value in others:
        await pilot.type(str(value))
        await pilot.press("tab")
    await pilot.type(f"{last}\n")


async def _add(pilot: Pilot, nth: int = 0) -> None:
    """Press one of the buttons with a plus, which have no names."""
    await pilot.click(f'{_SETUP} >> push-button[name=""]:nth({nth})')


async def text_variable(pilot: Pilot, case: Case) -> None:
    """From cell to cell by Tab; the board is saved besides."""
    await _setup(pilot, "Def", 1)
    await _add(pilot)
    await _cells(pilot, case["name"], case["text"])
    await _done(pilot)


async def copper_layers(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, with an arrow key."""
    await _setup(pilot)
    await _turn(pilot, '[name="signal"]:nth(1)', "down")
    await _enter(pilot, f'{_SETUP} >> text[value="B.Cu"]', case["back"])
    await _enter(pilot, f'{_SETUP} >> text[value="F.Cu"]', case["front"])
    await _done(pilot)


async def stack(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, with units."""
    await _setup(pilot, "Phys")
    await _enter(pilot, 'text[value="4.5"]', case["epsilon"])
    await _enter(pilot, 'text[value="1.51 mm"]', f"{case['core']} mm")
    await _enter(pilot, 'text[value="0.01 mm"]', f"{case['mask']} mm")
    await _done(pilot)


async def finish(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, the last tick by Space."""
    await _setup(pilot, "Phys", 1)
    await pilot.click('combo-box[name="None"]:nth(0)')
    await pilot.click(f'menu-item[name="{case["finish"]}"]:nth(0)')
    await pilot.click('check-box[name="Plated board edge"]')
    await pilot.press("shift+tab")
    await pilot.press("space")
    await _done(pilot)


async def solder_mask(pilot: Pilot, case: Case) -> None:
    """The second setting before the first."""
    await _setup(pilot, "Solder")
    await _enter(pilot, 'text[description^="Minimum distance between openings"]', case["web"])
    await _enter(pilot, 'text[description^="Positive clearance"]', case["mask"])
    await _done(pilot)


async def silk_texts(pilot: Pilot, case: Case) -> None:
    """From cell to cell by Tab."""
    await _setup(pilot, "Def")
    await _at(pilot, 404, 87)
    await _cells(pilot, case["line"], case["size"], case["size"])
    await _ok(pilot)


async def dimensions(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, with arrow keys."""
    await _setup(pilot, "Def")
    await pilot.click('check-box[name="Suppress trailing zeroes"]')
    await _turn(pilot, '[name="0.0000"]', "up", 2)
    await _turn(pilot, '[name="Automatic"]', "up")
    await _ok(pilot)


async def limits(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, with units."""
    await _setup(pilot, "Con")
    for about, name in (
        ("The minimum clearance between the board", "edge"),
        ("The minimum track width", "track"),
        ("The minimum clearance between copper", "clearance"),
    ):
        await _enter(pilot, f'text[description^="{about}"]', f"{case[name]}mm")
    await _ok(pilot)


async def micro_vias(pilot: Pilot, case: Case) -> None:
    """Blind vias are ticked and unticked, then on by Tab and Space."""
    await _setup(pilot, "Con")
    await pilot.click('check-box[name^="Allow blind"]')
    await pilot.press("space")
    await pilot.press("tab")
    await pilot.press("space")
    await _ok(pilot)


async def sizes(pilot: Pilot, case: Case) -> None:
    """From the pairs to the tracks, from cell to cell by Tab."""
    await _setup(pilot, "Pre")
    await _add(pilot, 4)
    await _cells(pilot, case["width"], case["gap"])
    await _add(pilot, 2)
    await _cells(pilot, case["via"], case["hole"])
    await _add(pilot)
    await _cells(pilot, case["track"])
    await _ok(pilot)


async def net_class(pilot: Pilot, case: Case) -> None:
    """Find the net by the filter, and assign to all that are listed."""
    await _setup(pilot, "Net")
    await _add(pilot)
    await _cells(pilot, case["name"], case["clearance"], case["track"])
    await pilot.fill('panel[name="Filter Nets"] >> text', "+5V")
    await pilot.click('push-button[name="Apply Filters"]')
    await pilot.click('panel[name="Assign Net Class"] >> combo-box')
    await pilot.click(f'panel[name="Assign Net Class"] >> menu-item[name="{case["name"]}"]:nth(0)')
    await pilot.click('push-button[name="Assign To All Listed Nets"]')
    await _ok(pilot)


async def severities(pilot: Pilot, case: Case) -> None:
    """Move the choice of each row by arrow keys."""
    await _setup(pilot, "Viol")
    for row, column, key, times in (
        ("Footprint has no courtyard", 792, "left", 2),
        ("Courtyards overlap", 592, "right", 1),
        ("Track has unconnected end", 681, "left", 1),
    ):
        _, top, _, height = await pilot.box(f'label[name^="{row}"]')
        left, _, _, _ = await pilot.box(_SETUP)
        await pilot.act(Click(round(left + column), round(top + height / 2)))
        await pilot.press(key, times)
    await _ok(pilot)


async def rule_of_its_own(pilot: Pilot, case: Case) -> None:
    """On one line, with the maximum before the minimum."""
    await _setup(pilot, "Cust")
    await _at(pilot, 600, 200)
    await pilot.type(
        f"(version 1) (rule {case['name']} "
        f"(constraint hole_size (max {case['most']}mm) (min {case['least']}mm)))"
    )
    await _ok(pilot)


async def _zone(pilot: Pilot) -> None:
    """Open the zone's properties by a double click on its outline."""
    await pilot.act(Click(*_ZONE, count=2))


async def zone_order(pilot: Pilot, case: Case) -> None:
    """By a double click, the priority by arrow keys."""
    await _zone(pilot)
    await pilot.click('panel[name="General"] >> spin-button')
    await pilot.press("up", int(case["priority"]))
    await _enter(pilot, 'panel[name="General"] >> text', case["name"])
    await _done(pilot)


async def zone_corners(pilot: Pilot, case: Case) -> None:
    """By a double click, from the last setting to the first."""
    await _zone(pilot)
    await _enter(pilot, 'text[description^="Width of copper in thermal"]', case["spoke"])
    await _enter(pilot, 'text[description^="Clearance between pads in the same net"]', case["gap"])
    await _turn(pilot, '[name="None"]', "down", 2)
    await _enter(pilot, 'panel[name="Shape"] >> text', case["radius"])
    await _done(pilot)


async def zone_hatched(pilot: Pilot, case: Case) -> None:
    """By a double click, from the last setting to the first."""
    await _zone(pilot)
    await _turn(pilot, '[name="Solid fill"]', "down")
    await _enter(pilot, 'panel[name="Fill"] >> spin-button:nth(0)@0.2,0.5', case["effort"])
    for nth, name in ((2, "gap"), (1, "width"), (0, "angle")):
        await _enter(pilot, f'panel[name="Fill"] >> text:nth({nth})', case[name])
    await _done(pilot)


async def pad(pilot: Pilot, case: Case) -> None:
    """By a double click on the pad, the hole first."""
    await pilot.act(Click(*_PAD, count=2))
    await _enter(pilot, 'text[value="1"]:nth(1)', case["hole"])
    await _turn(pilot, '[name="Circular"]:nth(0)', "down", 2)
    await _enter(pilot, 'text[value="1.7"]:nth(1)', case["high"])
    await _enter(pilot, 'text[value="1.7"]:nth(0)', case["wide"])
    await _done(pilot)


async def title_block(pilot: Pilot, case: Case) -> None:
    """From the last field to the first."""
    await pilot.press("alt+f")
    await pilot.press("up", 4)
    await pilot.press("enter")
    for label, name in (
        ("Comment1:", "remark"),
        ("Company:", "company"),
        ("Revision:", "revision"),
        ("Issue Date:", "date"),
    ):
        left, top, _, height = await pilot.box(f'label[name="{label}"]')
        await pilot.act(Click(round(left + 120), round(top + height / 2)))
        await pilot.press("ctrl+a")
        await pilot.type(str(case[name]))
    await _done(pilot)


async def backups(pilot: Pilot, case: Case) -> None:
    """By the key of the preferences, the numbers first."""
    await pilot.press("ctrl+,")
    await _enter(pilot, 'panel[name="Project Backup"] >> spin-button:nth(1)', case["daily"])
    await _enter(pilot, 'panel[name="Project Backup"] >> spin-button:nth(0)', case["most"])
    await pilot.click('check-box[name="Automatically backup projects"]')
    await _ok(pilot)


async def hotkey(pilot: Pilot, case: Case) -> None:
    """Find the command by the filter, and edit it from its context menu."""
    await pilot.press("ctrl+,")
    left, top, _, _ = await pilot.box('frame[name="Preferences"]')
    await pilot.act(Click(round(left + 68), round(top + 55)))
    await pilot.type("Hot")
    await pilot.fill('text[name="Search"]', "to next lay")
    await pilot.click('table-cell[name="Switch to Next Layer"]:nth(0)', button="right")
    await pilot.click('menu-item[name^="Edit"]')
    await pilot.press(case["shown"].lower())
    await pilot.click('frame[name="Preferences"] >> push-button[name="OK"]')
