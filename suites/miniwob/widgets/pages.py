"""Pages with lists, tabs, menus, sliders and other widgets."""

from pytest_cuabench import Case, Lost, Pilot, wrong
from pytest_cuabench.task.action import Click, Move, Scroll

from ..toolkit.dates import pick_date
from ..toolkit.episode import case, check, upstream
from ..toolkit.hands import (
    Solutions,
    asked,
    click_text,
    count,
    drag,
    hand_in,
    nth,
    numbered,
    reveal,
    submit,
    texts,
)

__all__ = ["case", "check", "upstream"]

solutions = Solutions()


async def solve(pilot: Pilot, case: Case) -> None:
    await solutions.solve(pilot, case)


@wrong("milestone:solved")
async def submits_something_else(pilot: Pilot, case: Case) -> None:
    """A box too many, or one step beside the number; elsewhere what was found is submitted."""
    if case["page"].startswith("click-checkboxes"):
        names = asked(case, r"Select (.+) and click Submit")[0].split(", ")
        labels = await texts(pilot, "#area label")
        others = [name for name in labels if name not in names] or labels
        await click_text(pilot, "#area label", others[0])
    elif case["page"] == "use-slider":
        (number,) = asked(case, r"Select (-?\d+) with")
        await _slide(pilot, "#slider", "#val", int(number))
        await pilot.press("Left")
        if await pilot.read("css=#val") == number:  # it was at its end already
            await pilot.press("Right")
    await hand_in(pilot)


@solutions.of("choose-date", "choose-date-easy", "choose-date-medium", "choose-date-nodelay")
async def _date(pilot: Pilot, case: Case) -> None:
    month, day, _ = asked(case, r"Select (\d+)/(\d+)/(\d+)")
    await pilot.click("css=#datepicker")
    await pick_date(pilot, int(month), int(day))
    await submit(pilot)


@solutions.of("choose-list")
async def _from_list(pilot: Pilot, case: Case) -> None:
    (name,) = asked(case, r"Select (.+) from the list")
    await pilot.click("css=#options")
    await pilot.type(name)
    await pilot.press("Enter")
    await pilot.click("css=#area button")


@solutions.of("click-checkboxes", "click-checkboxes-large", "click-checkboxes-transfer")
async def _checkboxes(pilot: Pilot, case: Case) -> None:
    (names,) = asked(case, r"Select (.+) and click Submit")
    for name in names.split(", ") if names != "nothing" else ():
        await click_text(pilot, "#area label", name)
    await submit(pilot)


@solutions.of("click-option")
async def _option(pilot: Pilot, case: Case) -> None:
    (name,) = asked(case, r"Select (.+) and click Submit")
    await click_text(pilot, "#boxes label", name)
    await submit(pilot)


@solutions.of("click-collapsible", "click-collapsible-nodelay")
async def _expand(pilot: Pilot, _case: Case) -> None:
    await pilot.click("css=#area h3")
    await submit(pilot)


@solutions.of("click-collapsible-2", "click-collapsible-2-nodelay")
async def _expand_each(pilot: Pilot, case: Case) -> None:
    (name,) = asked(case, r'the link "(.+)"')
    for number in range(3):
        await pilot.click(nth("#area h3", number))
        if name in await texts(pilot, ".alink"):
            return await click_text(pilot, ".alink", name)
    raise Lost(f"no section has the link {name}")


@solutions.of("click-menu")
async def _menu(pilot: Pilot, case: Case) -> None:
    *above, name = asked(case, r"Select (.+)")[0].split(">")
    for each in above:
        await _hover(pilot, "#menu .ui-menu-item-wrapper", each)
    await click_text(pilot, "#menu .ui-menu-item-wrapper", name)


@solutions.of("click-menu-2")
async def _menu_with_icons(pilot: Pilot, case: Case) -> None:
    icons = {
        "Save": "disk",
        "Prev": "seek-start",
        "Stop": "stop",
        "Play": "play",
        "Next": "seek-end",
        "Zoom In": "zoomin",
        "Zoom Out": "zoomout",
    }
    for name, icon in icons.items():
        if f'labeled "{name}"' in case["utterance"] or await pilot.sees(f"css=#query .ui-icon-{icon}"):
            break
    await pilot.click("css=#open-menu")
    if name in ("Prev", "Stop", "Play", "Next"):
        await _hover(pilot, "#menu .ui-menu-item-wrapper", "Playback")
    await click_text(pilot, "#menu .ui-menu-item-wrapper", name)


async def _hover(pilot: Pilot, selector: str, name: str) -> None:
    box = await pilot.box(await numbered(pilot, selector, name))
    await pilot.act(Move(*box.middle), thought=f"Open the menu {name}")


@solutions.of("click-scroll-list")
async def _several_from_list(pilot: Pilot, case: Case) -> None:
    (names,) = asked(case, r"Select (.+) from the scroll list")
    for number, name in enumerate(names.split(", ")):
        option = await reveal(pilot, await numbered(pilot, "#options option", name), "css=#options")
        modifiers = ("ctrl",) if number else ()
        await pilot.act(
            Click(*(await pilot.box(option)).middle, modifiers=modifiers), thought=f"Select {name}"
        )
    await pilot.click("css=#area button")


@solutions.of("click-tab")
async def _tab(pilot: Pilot, case: Case) -> None:
    (number,) = asked(case, r"Click on Tab #(\d)")
    await pilot.click(f'css=#area a[href="#tabs-{number}"]')


@solutions.of("click-tab-2", "click-tab-2-easy", "click-tab-2-hard", "click-tab-2-medium")
async def _link_in_tabs(pilot: Pilot, case: Case) -> None:
    (name,) = asked(case, r'the link "(.+)"')
    tabs = await count(pilot, "#area ul a")
    number = 0
    while name not in await texts(pilot, ".alink"):
        number += 1
        if number == tabs:
            raise Lost(f"no tab has the link {name}")
        await pilot.click(
            nth("#area ul a", number)
        )  # an empty tab may be what was asked for, and ends the episode
    await click_text(pilot, ".alink", name)


@solutions.of("form-sequence")
async def _slider_and_checkbox(pilot: Pilot, case: Case) -> None:
    number, box = asked(case, r"Select (-?\d+) with the slider, click the (\d)")
    await _slide(pilot, "#slider", "#val", int(number))
    await pilot.click(f"css=#checkbox-{box}")
    await submit(pilot)


@solutions.of("form-sequence-2")
async def _radio_and_field(pilot: Pilot, case: Case) -> None:
    radio, number, field = asked(
        case, r'the (\d)\w\w radio button and enter the number "(-?\d+)" into the (\d)'
    )
    await pilot.click(f'css=input[type=radio][value="{radio}"]')
    await pilot.fill(f"css=#input-{field}", number)
    await submit(pilot)


@solutions.of("form-sequence-3")
async def _dropdown_and_button(pilot: Pilot, case: Case) -> None:
    name, button = asked(case, r'Choose (.+) from the dropdown, then click the button labeled "(\w+)"')
    await pilot.click("css=.selectric")
    names = await texts(pilot, ".selectric-scroll li")
    await pilot.press("Down", names.index(name))
    await pilot.press("Enter")
    await pilot.click(f"css=#{button.lower()}")


@solutions.of("navigate-tree")
async def _in_tree(pilot: Pilot, case: Case) -> None:
    (name,) = asked(case, r'named "(.+)"')
    for _ in range(10):
        if name in await texts(pilot, "#tree span"):
            return await click_text(pilot, "#tree span", name)
        await pilot.click(nth("#tree li.expandable > .folder", 0))
    raise Lost(f"the tree has no {name}")


@solutions.of("resize-textarea")
async def _resize(pilot: Pilot, case: Case) -> None:
    side, change = asked(case, r"so that the (\w+) is (\w+) than")
    x, y = (await pilot.box("css=.ui-resizable-se")).middle
    by = 40 if change == "larger" else -40
    await drag(pilot, (x, y), (x + by, y) if side == "width" else (x, y + by))
    await submit(pilot)


@solutions.of("scroll-text-2")
async def _scroll(pilot: Pilot, case: Case) -> None:
    (where,) = asked(case, r"to the (top|bottom)")
    x, y = (await pilot.box("css=#text-area")).middle
    for _ in range(4):
        await pilot.act(Scroll(x, y, dy=20 if where == "bottom" else -20), thought="Scroll")
    await submit(pilot)


@solutions.of("use-autocomplete", "use-autocomplete-nodelay")
async def _autocomplete(pilot: Pilot, case: Case) -> None:
    (start,) = asked(case, r'starts with "([^"]+)"')
    end = asked(case, r'ends with "([^"]+)"')[0] if "ends with" in case["utterance"] else ""
    await pilot.fill("css=#tags", start)
    offered = await texts(pilot, ".ui-menu-item")
    name = next(name for name in offered if name.startswith(start) and name.endswith(end.strip()))
    await pilot.fill("css=#tags", name)
    await pilot.press("Tab")
    await submit(pilot)


_COLORS = {
    "black": "000000",
    "white": "ffffff",
    "aqua": "00ffff",
    "blue": "0000ff",
    "gray": "808080",
    "green": "008000",
    "lime": "00ff00",
    "maroon": "800000",
    "navy": "000080",
    "olive": "808000",
    "purple": "800080",
    "red": "ff0000",
    "silver": "c0c0c0",
    "teal": "008080",
    "yellow": "ffff00",
    "pink": "ffc0cb",
    "magenta": "ff00ff",
    "gold": "ffd700",
    "orange": "ffa500",
}


@solutions.of("use-colorwheel")
async def _named_color(pilot: Pilot, case: Case) -> None:
    (name,) = asked(case, r"Select (\w+) with the color picker")
    await _enter_color(pilot, _COLORS[name])


@solutions.of("use-colorwheel-2")
async def _shown_color(pilot: Pilot, _case: Case) -> None:
    color = ""
    for _ in range(6):
        for digit in "0123456789abcdef":
            if await pilot.sees(f'css=.cc[style*="#{color}{digit}"]'):
                color += digit
                break
    await _enter_color(pilot, color)


async def _enter_color(pilot: Pilot, color: str) -> None:
    await pilot.fill("css=#col", color)
    await pilot.click("css=#query")  # closes the picker, which covers the button
    await submit(pilot)


@solutions.of("use-slider")
async def _slider(pilot: Pilot, case: Case) -> None:
    (number,) = asked(case, r"Select (-?\d+) with the slider")
    await _slide(pilot, "#slider", "#val", int(number))
    await submit(pilot)


@solutions.of("use-slider-2")
async def _sliders(pilot: Pilot, case: Case) -> None:
    (numbers,) = asked(case, r"\[(.+)\]")
    for slider, number in enumerate(numbers.split(","), 1):
        await _slide(pilot, f"#slider-{slider}", f"#val-{slider}", int(number))
    await submit(pilot)


async def _slide(pilot: Pilot, slider: str, shown: str, number: int) -> None:
    await pilot.click(f"css={slider} .ui-slider-handle")
    if missing := number - int(await pilot.read(f"css={shown}")):
        await pilot.press("Right" if missing > 0 else "Left", abs(missing))


@solutions.of("use-spinner")
async def _spinner(pilot: Pilot, case: Case) -> None:
    number = int(asked(case, r"Select (-?\d+) with the spinner")[0])
    if number:
        box = await pilot.box(f"css=.ui-spinner-{'up' if number > 0 else 'down'}")
        await pilot.act(*[Click(*box.middle)] * abs(number), thought="Press the arrow")
    await submit(pilot)
