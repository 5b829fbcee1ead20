"""Second solutions of Impress, written without a look at the checks: by Tab, letters of labels, and arrow keys."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot

from ..toolkit.office import choose, finish, put, turn


async def _select(pilot: Pilot, name: str) -> None:
    """Select an object of the first slide by Tab, past its title."""
    await pilot.press("tab", ["Left", "Middle", "Right"].index(name) + 2)


async def custom_show(pilot: Pilot, case: Case) -> None:
    """Choose the slides first, and name the show at the end."""
    await choose(pilot, "Slide Show", "Custom Slide Show")
    await pilot.press("alt+n")
    for name in (case["slide4"], case["slide2"], case["slide6"]):
        await pilot.click(f'dialog[name="Define Custom Slide Show"] >> table-cell[name="{name}"]')
        await pilot.click('push-button[name=">>"]')
    await put(pilot, "n", case["name"])
    await pilot.press("alt+o")
    await finish(pilot)


async def pin_object(pilot: Pilot, case: Case) -> None:
    """Open the dialog by F4, and enter what is down before what is across."""
    await _select(pilot, "Right")
    await pilot.press("f4")
    await put(pilot, "y", f"{case['down']} cm")
    await put(pilot, "x", f"{case['across']} cm")
    await pilot.press("alt+n")
    await finish(pilot)


async def round_corners(pilot: Pilot, case: Case) -> None:
    """Open the dialog by F4, and enter the radius in millimetres."""
    await _select(pilot, "Right")
    await pilot.press("f4")
    await pilot.click('page-tab[name^="Slant"]')
    await pilot.fill(
        'dialog >> spin-button[description^="Enter the radius"]', f"{float(case['radius']) * 10:g} mm\t"
    )
    await finish(pilot)


async def outline_of_box(pilot: Pilot, case: Case) -> None:
    """Set caps and corners before the width."""
    await _select(pilot, "Right")
    await pilot.press("shift+f10")
    await pilot.click('menu-item[name^="Line..."]')
    await pilot.press("alt+p")
    await turn(pilot, ["flat", "round", "square"].index(case["cap_said"]))
    await pilot.press("shift+tab")
    await turn(pilot, 3)
    await put(pilot, "w", f"{case['width']} cm")
    await finish(pilot)


async def alternative_text(pilot: Pilot, case: Case) -> None:
    """Enter the long text first."""
    await _select(pilot, "Middle")
    await choose(pilot, "Format", "Description")
    await pilot.press("tab")
    await pilot.type(case["long"])
    await pilot.press("alt+t")
    await pilot.type(case["short"])
    await finish(pilot)


async def object_name(pilot: Pilot, case: Case) -> None:
    """Select the object by Tab."""
    await _select(pilot, "Right")
    await choose(pilot, "Format", "Name")
    await put(pilot, "n", case["name"])
    await finish(pilot)


async def ticker(pilot: Pilot, case: Case) -> None:
    """Choose the effect by arrow keys, and start inside at the end."""
    await _text_attributes(pilot, "Right")
    await pilot.click('dialog >> page-tab[name="Text Animation"]')
    await pilot.press("tab")
    await turn(pilot, 2)
    await pilot.click('dialog >> toggle-button[name="Up"]')
    await pilot.click('dialog >> check-box[name="Continuous"]')
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['cycles']}\t")
    await pilot.click('dialog >> check-box[name="Start inside"]')
    await finish(pilot)


async def _text_attributes(pilot: Pilot, name: str) -> None:
    await _select(pilot, name)
    await choose(pilot, "Format", "Text Box and Shape", "Text Attributes")


async def text_fills_box(pilot: Pilot, case: Case) -> None:
    """Select the object by Tab, and go to the box by its letter."""
    await _text_attributes(pilot, case["object"])
    await pilot.press("alt+f")
    await finish(pilot)


async def go_to_slide(pilot: Pilot, case: Case) -> None:
    """By the context menu, and with the name of the slide typed."""
    await _select(pilot, "Middle")
    await pilot.press("shift+f10")
    await pilot.click('menu-item[name^="Interaction"]')
    await turn(pilot, 5)
    await pilot.fill("dialog >> text", case["slide4"])
    await finish(pilot)


async def row_of_copies(pilot: Pilot, case: Case) -> None:
    """By the key, from the last setting to the first, and in millimetres."""
    await _select(pilot, "Right")
    await pilot.press("shift+f3")
    for start, text in (
        (
            "Enter the amount by which you want to enlarge or reduce the width",
            f"{case['size_wider'] * 10:g} mm",
        ),
        ("Enter the vertical distance", "20 mm"),
        ("Enter the horizontal distance", f"-{case['by_left'] * 10:g} mm"),
        ("Enter the number of copies", "2"),
    ):
        await pilot.fill(f'dialog >> spin-button[description^="{start}"]', f"{text}\t")
    await finish(pilot)


async def _options(pilot: Pilot, place: int) -> None:
    """Open the options by their key, and go to one of Impress's pages by arrow keys."""
    await pilot.press("alt+f12")
    await pilot.click('table-cell[name="LibreOffice Impress"]')
    await pilot.press("right")
    await pilot.press("down", place)


async def _apply(pilot: Pilot) -> None:
    """Apply what was set, and close the dialog afterwards."""
    await pilot.click('dialog >> push-button[name="Apply"]')
    await pilot.click('dialog >> push-button[name="OK"]')


async def print_options(pilot: Pilot, case: Case) -> None:
    """From the right to the left, and with the other quality tried."""
    await _options(pilot, 4)
    more = "Time" if case["more_said"] == "the time" else "Page name"
    for name in ("Hidden pages", more, "Date"):
        await pilot.click(f'dialog >> check-box[name="{name}"]')
    await pilot.click('dialog >> radio-button[name^="Black"]')
    await pilot.click('dialog >> radio-button[name="Grayscale"]')
    await _apply(pilot)


async def grid(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, and in millimetres."""
    await _options(pilot, 3)
    await pilot.click('dialog >> check-box[name^="When rotating"]')
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['angle_said']}\t")
    await pilot.click('dialog >> check-box[name="To object points"]')
    for start, text in (
        ("Defines the snap distance", str(case["range"])),
        ("Defines the grid points spacing", f"{case['down_said'] * 10:g} mm"),
        ("Defines the unit of measure for the spacing", f"{case['across_said'] * 10:g} mm"),
    ):
        await pilot.fill(f'dialog >> spin-button[description^="{start}"]@0.2,0.5', f"{text}\t")
    await _apply(pilot)


async def _tab_stops(pilot: Pilot, case: Case) -> None:
    """Enter the distance in millimetres."""
    await pilot.fill(
        'dialog >> spin-button[description^="Defines the spacing between tab stops"]@0.2,0.5',
        f"{case['tab_said'] * 10:g} mm\t",
    )


async def remote_control(pilot: Pilot, case: Case) -> None:
    """Set tab stops first, and switch the console off before the remote control on."""
    await _options(pilot, 1)
    await _tab_stops(pilot, case)
    await pilot.click('dialog >> check-box[name="Enable Presenter Console"]')
    await pilot.click('dialog >> check-box[name="Enable remote control"]')
    await _apply(pilot)


async def start_with_templates(pilot: Pilot, case: Case) -> None:
    """Set tab stops first, and tick the box by the space bar."""
    await _options(pilot, 1)
    await _tab_stops(pilot, case)
    await pilot.click('dialog >> check-box[name="Start with Template Selection"]')
    await pilot.press("space", 2)
    await _apply(pilot)


async def endless_show(pilot: Pilot, case: Case) -> None:
    """Try the window before the loop."""
    await choose(pilot, "Slide Show", "Slide Show Settings")
    await pilot.click('dialog >> radio-button[name="In a window"]')
    await pilot.click('dialog >> radio-button[name^="Loop and repeat"]')
    await pilot.fill('dialog >> spin-button[name="Pause Duration"]@0.2,0.5', f"00:00:{case['seconds']:02}\t")
    await pilot.click('dialog >> check-box[name="Presentation always on top"]')
    await finish(pilot)


async def draw_while_showing(pilot: Pilot, case: Case) -> None:
    """Set the mouse first, and open the list of slides by a key."""
    await choose(pilot, "Slide Show", "Slide Show Settings")
    await pilot.click('dialog >> check-box[name^="Change slides by clicking"]')
    await pilot.click('dialog >> check-box[name="Mouse pointer as pen"]')
    await pilot.click('dialog >> radio-button[name="From:"]')
    await pilot.press("tab")
    await pilot.press("alt+down")
    await pilot.click(f'table-cell[name="{case["slide3"]}"]')
    await finish(pilot)


async def footer(pilot: Pilot, case: Case) -> None:
    """On each slide but the first one by itself."""
    for _ in range(5):
        await pilot.press("pagedown")
        await choose(pilot, "Insert", "Header and Footer")
        await pilot.click('dialog >> check-box[name="Slide number"]')
        await pilot.fill('dialog >> text[description^="Adds the text"]', case["footer"])
        await pilot.fill('dialog >> text[description^="Displays the date"]', case["date"])
        await pilot.click('dialog >> push-button[name="Apply"]')
    await pilot.press("ctrl+s")


async def leave_out(pilot: Pilot, case: Case) -> None:
    """By the context menu of the slide in the pane."""
    await pilot.click(f'panel[name="{case["slide3"]}"]', button="right")
    await pilot.click('menu-item[name="Hide Slide"]')
    await pilot.press("ctrl+s")


async def turn_by_itself(pilot: Pilot, case: Case) -> None:
    """Open the sidebar by its key, and enter the seconds first."""
    await pilot.click(f'panel[name="{case["slide4"]}"]')
    await pilot.press("ctrl+alt+6")
    await pilot.click('radio-button[name="After:"]')
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['seconds']}\t")
    await pilot.click('list-item[name="Wheel"]')
    await pilot.press("tab")
    await turn(pilot, ["one", "two", "three", "four", "eight"].index(case["kind_variant"].split()[0]))
    await choose(pilot, "File", "=Save")
