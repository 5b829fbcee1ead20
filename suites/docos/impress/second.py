"""Second solutions of Impress, written without a look at the checks: by Tab, letters of labels, and arrow keys."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot

from ..toolkit.office import choose, finish, put, settings, turn


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


async def ticker(pilot: Pilot, case: Case) -> None:
    """Set the number of cycles before the direction."""
    await _select(pilot, "Right")
    await choose(pilot, "Format", "Text Box and Shape", "Text Attributes")
    await pilot.click('page-tab[name="Text Animation"]')
    await pilot.press("alt+f")
    await turn(pilot, 2)
    await pilot.press("alt+c")
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['cycles']}\t")
    await pilot.press("alt+t")
    await pilot.click('dialog >> toggle-button[description^="Scrolls text from bottom"]')
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


async def go_to_slide(pilot: Pilot, case: Case) -> None:
    """Open the dialog from the context menu, and choose by arrow keys."""
    await _select(pilot, "Middle")
    await pilot.press("shift+f10")
    await pilot.click('menu-item[name^="Interaction"]')
    await turn(pilot, 5)
    await pilot.click(f'dialog >> table-cell[name="{case["slide4"]}"]')
    await finish(pilot)


async def row_of_copies(pilot: Pilot, case: Case) -> None:
    """Open the dialog by Shift+F3, and go from the last field to the first."""
    await _select(pilot, "Right")
    await pilot.press("shift+f3")
    await put(pilot, "w", f"{case['size_wider']} cm")
    await put(pilot, "y", "2 cm")
    await put(pilot, "x", f"-{case['by_left']} cm")
    await pilot.fill('dialog >> spin-button[description^="Enter the number of copies"]', "2\t")
    await finish(pilot)


async def object_name(pilot: Pilot, case: Case) -> None:
    """Select the object by Tab."""
    await _select(pilot, "Right")
    await choose(pilot, "Format", "Name")
    await put(pilot, "n", case["name"])
    await finish(pilot)


async def text_fills_box(pilot: Pilot, case: Case) -> None:
    """Tick by the letter of the label."""
    await _select(pilot, case["object"])
    await choose(pilot, "Format", "Text Box and Shape", "Text Attributes")
    await pilot.press("alt+f")
    await finish(pilot)


async def print_options(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, by letters."""
    await settings(pilot, "LibreOffice Impress", 4)
    await pilot.press("alt+y")
    await pilot.press("alt+i")
    more = {"time": "m", "name": "p"}
    await pilot.press(f"alt+{next(letter for word, letter in more.items() if word in case['more_said'])}")
    await pilot.press("alt+a")
    await pilot.press("enter")


async def grid(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, by letters."""
    await settings(pilot, "LibreOffice Impress", 3)
    await pilot.press("alt+t")
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['angle_said']}\t")
    await put(pilot, "s", case["range"])
    await pilot.press("alt+c")
    await put(pilot, "v", f"{case['down_said']} cm")
    await put(pilot, "o", f"{case['across_said']} cm")
    await pilot.press("enter")


async def remote_control(pilot: Pilot, case: Case) -> None:
    """Set the tab stops first."""
    await settings(pilot, "LibreOffice Impress", 1)
    await put(pilot, "b", f"{case['tab_said']} cm")
    await pilot.click('dialog >> check-box[name="Enable Presenter Console"]')
    await pilot.press("tab")
    await pilot.press("space")
    await pilot.press("enter")


async def start_with_templates(pilot: Pilot, case: Case) -> None:
    """Set the tab stops first."""
    await settings(pilot, "LibreOffice Impress", 1)
    await put(pilot, "b", f"{case['tab_said']} cm")
    await pilot.press("alt+t")
    await pilot.press("enter")


async def endless_show(pilot: Pilot, case: Case) -> None:
    """Keep the show in front first, and enter the pause at the end."""
    await choose(pilot, "Slide Show", "Slide Show Settings")
    await pilot.click('dialog >> check-box[name="Presentation always on top"]')
    await pilot.press("alt+l")
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    seconds = int(case["seconds"])
    await pilot.type(f"00:{seconds // 60:02}:{seconds % 60:02}\t")
    await finish(pilot)


async def draw_while_showing(pilot: Pilot, case: Case) -> None:
    """Set the mouse first, by letters, and choose the slide by arrow keys."""
    await choose(pilot, "Slide Show", "Slide Show Settings")
    await pilot.press("alt+p")
    await pilot.press("alt+k")
    await pilot.press("alt+f")
    await pilot.press("tab")
    await turn(pilot, 2)
    await finish(pilot)


async def footer(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await choose(pilot, "Insert", "Header and Footer")
    await pilot.press("alt+n")
    await pilot.press("alt+s")
    await pilot.press("alt+f")
    await put(pilot, "o", case["footer"])
    await pilot.press("alt+x")
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['date']}\t")
    await pilot.press("alt+y")
    await pilot.press("ctrl+s")


async def leave_out(pilot: Pilot, case: Case) -> None:
    """Go to the slide by PageDown, and hide it by the menu."""
    await pilot.press("pagedown", 2)
    await choose(pilot, "Slide", "Hide Slide")
    await pilot.press("ctrl+s")
