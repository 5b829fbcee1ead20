"""Second solutions of the pages of widgets, written without a look at their rewards: mostly by keyboard."""

import re

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Drag, Move

from ..toolkit.keyboard import focus, pick, push, quoted, texts

_CURRENT = ".ui-menu-item-wrapper.ui-state-active"
_HEX = "0123456789abcdef"


def _asked(goal: str) -> list[str]:
    """Return what a goal such as "Select a, b from the list and click Submit." lists."""
    found = re.search(r"Select (.*?)(?: from the (?:scroll )?list)? and click Submit", goal)
    assert found
    return [] if found[1] == "nothing" else found[1].split(", ")


async def choose_date(pilot: Pilot, case: Case) -> None:
    """Go through the calendar by keys."""
    found = re.search(r"Select (\S+)", case.goal)
    assert found
    await pick(pilot, found[1])
    await push(pilot, "#subbtn")


choose_date_easy = choose_date_medium = choose_date_nodelay = choose_date


async def choose_list(pilot: Pilot, case: Case) -> None:
    """Type the name into the closed list."""
    (name,) = _asked(case.goal)
    await focus(pilot, "#options")
    await pilot.type(name)
    await push(pilot, "#area button")


async def click_checkboxes(pilot: Pilot, case: Case) -> None:
    """Tick all boxes by their labels, from the last to the first; then take back what was not asked for."""
    asked = _asked(case.goal)
    labels = await texts(pilot, "#area label")
    for name in [*reversed(labels), *(name for name in labels if name not in asked)]:
        box = await pilot.box(f'#area label:text-is("{name}")')
        await pilot.act(Click(round(box.x + box.width - 6), round(box.middle.y)))
    await push(pilot, "#subbtn", "space")


click_checkboxes_large = click_checkboxes_transfer = click_checkboxes


async def click_collapsible(pilot: Pilot, case: Case) -> None:
    """Open the section by keyboard, close and open it again, then submit."""
    await focus(pilot, "h3")
    for _ in range(3):
        await pilot.press("enter")
        await pilot.act(Move(400, 400))
    await pilot.click("#subbtn")


click_collapsible_nodelay = click_collapsible


async def _low_left(pilot: Pilot, target: str) -> None:
    """Click a link low on its left, in place of its middle."""
    box = await pilot.box(target)
    await pilot.act(Click(round(box.x + 3), round(box.y + 0.7 * box.height)))


async def click_collapsible_2(pilot: Pilot, case: Case) -> None:
    """Open the sections by arrows and Enter, from the last to the first."""
    link = f'#area .alink:text-is("{quoted(case)[0]}") >> visible=true >> nth=0'
    await focus(pilot, "h3")
    while True:
        await pilot.press("up")
        await pilot.press("enter")
        await pilot.act(Move(400, 400))
        if await pilot.sees(link):
            break
    await _low_left(pilot, link)


click_collapsible_2_nodelay = click_collapsible_2


async def _go_down_to(pilot: Pilot, name: str) -> None:
    for _ in range(12):
        if await pilot.sees(f'{_CURRENT}:text-is("{name}")'):
            return
        await pilot.press("down")
    raise LookupError(f"the arrow does not reach {name}")


async def click_menu(pilot: Pilot, case: Case) -> None:
    """Go through the menus by arrows."""
    *above, name = case.goal.removeprefix("Select ").strip().split(">")
    await focus(pilot, "#menu")
    for entry in above:
        await _go_down_to(pilot, entry)
        await pilot.press("right")
    await _go_down_to(pilot, name)
    await pilot.press("enter")


async def click_menu_2(pilot: Pilot, case: Case) -> None:
    """Open the menu by Space, and click beside the name."""
    names = {
        "disk": "Save",
        "seek-start": "Prev",
        "stop": "Stop",
        "play": "Play",
        "seek-end": "Next",
        "zoomin": "Zoom In",
        "zoomout": "Zoom Out",
    }
    if "icon" in case.goal:
        (name,) = [name for icon, name in names.items() if await pilot.sees(f"#query .ui-icon-{icon}")]
    else:
        name = quoted(case)[1]
    await push(pilot, "#open-menu", "space")
    if name in ("Prev", "Stop", "Play", "Next"):
        await pilot.click('#menu .ui-menu-item-wrapper:text-is("Playback")')
    await _low_left(pilot, f'#menu .ui-menu-item-wrapper:text-is("{name}")')


async def click_option(pilot: Pilot, case: Case) -> None:
    """Choose every option in turn by its label, and the asked one last."""
    (asked,) = _asked(case.goal)
    for name in [*await texts(pilot, "#area label"), asked]:
        box = await pilot.box(f'#area label:text-is("{name}")')
        await pilot.act(Click(round(box.x + box.width - 6), round(box.middle.y)))
    await push(pilot, "#subbtn")


async def click_scroll_list(pilot: Pilot, case: Case) -> None:
    """Take the names by Space, with Ctrl and arrows between them."""
    names, asked = await _options(pilot), _asked(case.goal)
    await focus(pilot, "#options")
    await pilot.press("home")
    await pilot.press("ctrl+space")
    for name in names:
        if name in asked:
            await pilot.press("ctrl+space")
        await pilot.press("ctrl+down")
    await push(pilot, "#area button")


async def _options(pilot: Pilot) -> list[str]:
    """Return the names in a list that shows several at once."""
    found: list[str] = []
    while await pilot.sees(nth := f"#options option >> nth={len(found)}"):
        found.append((await pilot.read(nth)).strip())
    return found


async def click_tab(pilot: Pilot, case: Case) -> None:
    """Click the tab beside its name."""
    found = re.search(r"#(\d+)", case.goal)
    assert found
    await _low_left(pilot, f'[role=tab]:has-text("#{found[1]}") a')


async def click_tab_2(pilot: Pilot, case: Case) -> None:
    """Go through the tabs by arrows, from the last to the first."""
    link = f'#area .alink:text-is("{quoted(case)[0]}") >> visible=true >> nth=0'
    await focus(pilot, "[role=tab]")
    while True:
        await pilot.press("left")
        await pilot.press("space")
        if await pilot.sees(link):
            break
    await _low_left(pilot, link)


click_tab_2_easy = click_tab_2_hard = click_tab_2


async def click_tab_2_medium(pilot: Pilot, case: Case) -> None:
    """Click beside the middle of the link, or of the second tab if the link is not in the first."""
    link = f'#area .alink:text-is("{quoted(case)[0]}") >> visible=true >> nth=0'
    await _low_left(pilot, link if await pilot.sees(link) else '[role=tab]:has-text("#2") a')


async def _slide(pilot: Pilot, slider: str, value: str, wanted: int) -> None:
    """Move a slider by arrows."""
    await focus(pilot, f"{slider} .ui-slider-handle")
    while (ahead := wanted - int(await pilot.read(value))) != 0:
        before = ahead
        await pilot.press("right" if ahead > 0 else "left")
        step = abs(before - (wanted - int(await pilot.read(value)))) or 1
        more = abs(wanted - int(await pilot.read(value))) // step
        if more:
            await pilot.press("up" if ahead > 0 else "down", more)


async def form_sequence(pilot: Pilot, case: Case) -> None:
    """Tick the box by Space, with the slider before it by arrows."""
    found = re.search(r"Select (-?\d+) with the slider, click the (\d)", case.goal)
    assert found
    await _slide(pilot, "#slider", "#val", int(found[1]))
    await push(pilot, f"#checkbox-{found[2]}", "space")
    await push(pilot, "#subbtn", "space")


async def form_sequence_2(pilot: Pilot, case: Case) -> None:
    """Enter the number first, then choose the radio button, and submit by Enter."""
    found = re.search(r'the (\d).. radio button and enter the number "(-?\d+)" into the (\d)', case.goal)
    assert found
    radio, number, field = found.groups()
    await focus(pilot, f"#input-{field}")
    await pilot.type(number)
    await pilot.click(f"input[type=radio] >> nth={int(radio) - 1}")
    await push(pilot, "#subbtn")


async def form_sequence_3(pilot: Pilot, case: Case) -> None:
    """Choose by arrows, and press the button by keyboard."""
    found = re.search(r"Choose (.*) from the dropdown", case.goal)
    assert found
    await pilot.click(".selectric")
    for _ in range(8):
        if await pilot.sees(f'.selectric-items li:is(.highlighted, .selected):text-is("{found[1]}")'):
            break
        await pilot.press("down")
    await pilot.press("enter")
    await push(pilot, f"#{quoted(case)[0].lower()}", "space")


async def navigate_tree(pilot: Pilot, case: Case) -> None:
    """Open folders by their boxes with a plus, in place of their names."""
    name = f'#tree span:text-is("{quoted(case)[0]}")'
    seen: set[str] = set()
    while not await pilot.sees(name):
        folders = await texts(pilot, "#tree .expandable > .folder")
        closed = next(folder for folder in folders if folder not in seen)
        seen.add(closed)
        await pilot.click(f'#tree li:has(> .folder:text-is("{closed}")) > .hitarea')
    await _low_left(pilot, name)


async def resize_textarea(pilot: Pilot, case: Case) -> None:
    """Drag the corner, and so change the other side as well."""
    handle = (await pilot.box(".ui-resizable-se")).middle
    by = -24 if "smaller" in case.goal else 30
    sideways = handle.x + (by if "width" in case.goal else 14)
    down = handle.y + (by if "height" in case.goal else 14)
    await pilot.act(Drag(((handle.x, handle.y), (handle.x + 2, handle.y + 2), (sideways, down))))
    await push(pilot, "#submit")


async def scroll_text_2(pilot: Pilot, case: Case) -> None:
    """Scroll by Ctrl with Home and End, first the other way."""
    ways = ["ctrl+end", "ctrl+home"]
    await focus(pilot, "#text-area")
    for key in ways if "top" in case.goal else reversed(ways):
        await pilot.press(key)
    await push(pilot, "#subbtn")


async def use_autocomplete(pilot: Pilot, case: Case) -> None:
    """Look at the suggestions, and type the one that fits letter by letter."""
    start, *end = quoted(case)
    await focus(pilot, "#tags")
    await pilot.type(start)
    await pilot.box(".ui-autocomplete")
    fitting = [
        item
        for item in await texts(pilot, ".ui-autocomplete .ui-menu-item")
        if item.startswith(start) and item.endswith(end[0] if end else "")
    ]
    await pilot.type(fitting[-1].removeprefix(start))
    await pilot.press("escape")
    await pilot.type(fitting[-1]) if not await pilot.read("#tags") else None
    await push(pilot, "#subbtn")


use_autocomplete_nodelay = use_autocomplete


_COLORS = {
    "black": "000000",
    "white": "FFFFFF",
    "red": "FF0000",
    "lime": "00FF00",
    "blue": "0000FF",
    "yellow": "FFFF00",
    "cyan": "00FFFF",
    "aqua": "00FFFF",
    "magenta": "FF00FF",
    "pink": "FFC0CB",
    "orange": "FFA500",
    "green": "008000",
    "gray": "808080",
    "grey": "808080",
    "olive": "808000",
    "purple": "800080",
    "teal": "008080",
    "brown": "A52A2A",
    "navy": "000080",
    "maroon": "800000",
}


async def use_colorwheel(pilot: Pilot, case: Case) -> None:
    """Type the color's code into the picker's field."""
    found = re.search(r"Select (\w+) with", case.goal)
    assert found
    await pilot.fill("#col", _COLORS[found[1]])
    await push(pilot, "#subbtn")


async def use_colorwheel_2(pilot: Pilot, case: Case) -> None:
    """Type the color's code in small letters and with its sharp sign into the picker's field."""
    code = "#"
    while len(code) < 7:
        for digit in _HEX:
            if await pilot.sees(f'.cc[style*="{code}{digit}"]'):
                code += digit
                break
    await pilot.fill("#col", code)
    await push(pilot, "#subbtn", "space")


async def use_slider(pilot: Pilot, case: Case) -> None:
    """Move the slider by arrows."""
    found = re.search(r"Select (-?\d+)", case.goal)
    assert found
    await _slide(pilot, "#slider", "#val", int(found[1]))
    await push(pilot, "#subbtn")


async def use_slider_2(pilot: Pilot, case: Case) -> None:
    """Move the sliders by arrows, from the last to the first."""
    numbers = [int(number) for number in re.findall(r"\d+", case.goal)]
    for place in (3, 2, 1):
        await _slide(pilot, f"#slider-{place}", f"#val-{place}", numbers[place - 1])
    await push(pilot, "#subbtn")


async def use_spinner(pilot: Pilot, case: Case) -> None:
    """Go one too far, and one back."""
    found = re.search(r"Select (-?\d+)", case.goal)
    assert found
    wanted = int(found[1])
    ahead, back = ("up", "down") if wanted > 0 else ("down", "up")
    button = (await pilot.box(f".ui-spinner-{ahead}")).middle
    await pilot.act(*[Click(*button)] * (abs(wanted) + 1))
    await pilot.click(f".ui-spinner-{back}")
    await pilot.click("#subbtn")
