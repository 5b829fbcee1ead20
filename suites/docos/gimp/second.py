"""Second solutions of GIMP, written without a look at the checks: by its search of actions and by keys."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Wait


async def _run(pilot: Pilot, action: str) -> None:
    """Look for an action by its name, and run it."""
    await pilot.press("slash")
    await pilot.type(action)
    await pilot.act(Wait(1))
    await pilot.press("enter")
    await pilot.act(Wait(1))


async def _preferences(pilot: Pilot, page: str) -> None:
    """Open the preferences by the search, and a page of them."""
    await _run(pilot, "Preferences")
    await pilot.click(f'dialog >> table-cell[name="{page}"]')


async def _confirm(pilot: Pilot) -> None:
    """Press OK by its mnemonic."""
    await pilot.press("alt+o")


async def undo(pilot: Pilot, case: Case) -> None:
    """Enter the number, and confirm by the mnemonic."""
    await _preferences(pilot, "System Resources")
    await pilot.fill('dialog >> spin-button[description^="Sets the minimal number"]', str(case["levels"]))
    await pilot.press("tab")
    await _confirm(pilot)


async def snapping(pilot: Pilot, case: Case) -> None:
    """The distance first, and another box is ticked and unticked."""
    await _preferences(pilot, "Snapping")
    await pilot.fill("dialog >> spin-button", str(case["distance"]))
    await pilot.click('dialog >> check-box[name="Snap to Grid"]:nth(0)')
    await pilot.press("space")
    await pilot.click('dialog >> check-box[name="Snap to Canvas Edges"]:nth(0)')
    await _confirm(pilot)


async def print_size(pilot: Pilot, case: Case) -> None:
    """The vertical resolution first; the other one by hand as well, if it does not follow."""
    await _run(pilot, "Print Size")
    for nth in (1, 0):
        await pilot.fill(f'dialog >> spin-button[value="72.000"]:nth({nth})', str(case["resolution"]))
        await pilot.press("tab")
        if not await pilot.sees('dialog >> spin-button[value="72.000"]'):
            break
    await _finish(pilot)


async def _finish(pilot: Pilot) -> None:
    """Press OK by its mnemonic, and save the picture by its key."""
    await _confirm(pilot)
    await pilot.act(Wait(1))
    await pilot.press("ctrl+s")


async def guides(pilot: Pilot, case: Case) -> None:
    """The vertical guide first."""
    for way, percent in (("Vertical", case["down_percent"]), ("Horizontal", case["across_percent"])):
        await _run(pilot, "New Guide (by Percent)")
        if not await pilot.sees(f'dialog >> combo-box[name="{way}"]'):
            await pilot.click("dialog >> combo-box")
            await pilot.press("down")
            await pilot.press("enter")
        await pilot.fill("dialog >> spin-button", str(percent))
        await pilot.press("tab")
        await _confirm(pilot)
        await pilot.act(Wait(1))
    await pilot.press("ctrl+s")


async def comment(pilot: Pilot, case: Case) -> None:
    """By the key of the properties."""
    await pilot.press("alt+enter")
    await pilot.click('dialog >> page-tab[name="Comment"]')
    await pilot.click("dialog >> text")
    await pilot.press("ctrl+a")
    await pilot.type(case["comment"])
    await pilot.press("escape")
    await pilot.act(Wait(1))
    await pilot.press("ctrl+s")


async def canvas(pilot: Pilot, case: Case) -> None:
    """The height first, and the layers by arrow keys."""
    await _run(pilot, "Canvas Size")
    for old, name in (("320", "size_height"), ("480", "size_width")):
        await pilot.fill(f'dialog >> spin-button[value="{old}"]', f"{case[name]}\t")
    await pilot.click('dialog >> combo-box[name="None"]')
    await pilot.press("escape")
    await pilot.press("down", 2)
    await pilot.click('dialog >> push-button[name="Center"]')
    await pilot.press("alt+r")
    await pilot.act(Wait(1))
    await pilot.press("ctrl+s")


async def _choose(pilot: Pilot, old: str, new: str) -> None:
    """Choose in the list that shows `old`."""
    await pilot.click(f'dialog >> combo-box[name="{old}"]:nth(0)')
    await pilot.click(f'window >> menu-item[name^="{new}"]')


async def layer_attributes(pilot: Pilot, case: Case) -> None:
    """Its transparency is protected in the dock, and the rest is set from the last to the first."""
    await pilot.click(f'table-cell[name="{case["middle"]}"]')
    await pilot.click('toggle-button[description="Lock alpha channel"]')
    await _run(pilot, "Edit Layer Attributes")
    await pilot.fill('dialog >> spin-button[value="100.0"]', f"{case['opacity']}\t")
    await _choose(pilot, "Normal", case["mode_name"])
    await pilot.click("dialog >> radio-button:nth(3)")
    await pilot.click('dialog >> push-button[name="OK"]')
    await pilot.act(Wait(1))
    await pilot.press("ctrl+s")


async def mask(pilot: Pilot, case: Case) -> None:
    """By the button of the dock, and with the letter of the label."""
    await pilot.click(f'table-cell[name="{case["top"]}"]')
    await pilot.click('push-button[description^="Add a mask that allows"]')
    await pilot.press("alt+b")
    await pilot.click('dialog >> push-button[name="Add"]')
    await pilot.act(Wait(1))
    await pilot.press("ctrl+s")


async def _space(pilot: Pilot, pixels: int) -> None:
    """Enter both distances of a grid, the vertical one first."""
    for way in ("Vertical", "Horizontal"):
        await pilot.fill(f'dialog >> spin-button[description^="{way} spacing"]', f"{pixels}\t")


async def grid(pilot: Pilot, case: Case) -> None:
    """The distances first."""
    await _run(pilot, "Configure Grid")
    await _space(pilot, case["spacing"])
    await _choose(pilot, "Solid", "Dashed")
    await _finish(pilot)


async def web_colors(pilot: Pilot, case: Case) -> None:
    """By the palette of the same 216 colours."""
    await _run(pilot, "Indexed")
    await pilot.click('dialog >> radio-button[name="Use custom palette"]')
    await pilot.click('dialog >> check-box[name^="Remove unused"]')
    await pilot.click('dialog >> push-button[name="Convert"]')
    await pilot.act(Wait(1))
    await pilot.press("ctrl+s")


async def new_pictures(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _preferences(pilot, "Default Image")
    if not await pilot.sees("dialog >> text"):
        await pilot.click('dialog >> toggle-button[name="Advanced Options"]')
    await pilot.fill("dialog >> text", case["comment"])
    for way in ("vertical", "horizontal"):
        await pilot.fill(
            f'dialog >> spin-button[description="The {way} image resolution."]', f"{case['resolution']}\t"
        )
    for old, name in (("1080", "height"), ("1920", "width")):
        await pilot.fill(f'dialog >> spin-button[value="{old}"]', f"{case[name]}\t")
    await _confirm(pilot)


async def usual_grid(pilot: Pilot, case: Case) -> None:
    """The distances first."""
    await _preferences(pilot, "Default Grid")
    await _space(pilot, case["across"])
    await _choose(pilot, "Solid", "Intersections (dots)")
    await _confirm(pilot)


async def proofing(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _preferences(pilot, "Color Management")
    await pilot.click('dialog >> check-box[name="Mark out of gamut colors"]')
    intents = {"saturat": "Saturation", "absolute": "Absolute", "relative": "Relative"}
    await _choose(
        pilot, "Perceptual", next(name for word, name in intents.items() if word in case["intent_say"])
    )
    await _choose(pilot, "Color-managed display", "Soft")
    await pilot.click('dialog >> push-button[name="OK"]')


async def title(pilot: Pilot, case: Case) -> None:
    """As the example of the goal has it, with signs for what it names."""
    text = case["title_say"].split("“")[1].split("”")[0]
    for shown, sign in (("a.xcf", "%f"), ("3", "%l"), ("Sky", "%n")):
        text = text.replace(shown, sign)
    await _preferences(pilot, "Title & Status")
    await pilot.fill('dialog >> text[description$="in image window titles."]', f"{text}\t")
    await _confirm(pilot)


async def exports(pilot: Pilot, case: Case) -> None:
    """The kind first, and what is left out from the last to the first."""
    await _preferences(pilot, "Image Import & Export")
    await _choose(pilot, "PNG Image", case["kind_say"].split()[0])
    for kind in ("IPTC", "Exif"):
        await pilot.click(f'dialog >> check-box[name^="Export {kind} metadata"]')
    await _confirm(pilot)
