"""Second solutions of the pages for pointing, written without a look at their rewards: mostly by keyboard."""

import operator
import re
from collections.abc import Callable, Iterable
from itertools import product

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Action, Click, Drag, Key, Move

from ..toolkit.keyboard import focus, push, quoted, texts

# The examples of number_checkboxes, as they are pictured: seven rows of four boxes.
_DIGITS = {
    "0": ".##. #..# #..# #..# #..# #..# .##.",
    "1": "..#. .##. ..#. ..#. ..#. ..#. ..#.",
    "2": ".##. #..# #..# ..#. .#.. #... ####",
    "3": ".##. #..# ...# .##. ...# #..# .##.",
    "4": "#... #.#. #.#. #### ..#. ..#. ..#.",
    "5": "#### #... #... ###. ...# #..# .##.",
    "6": ".##. #..# #... ###. #..# #..# .##.",
    "7": "#### #..# ...# ..#. ..#. .#.. .#..",
    "8": ".##. #..# #..# .##. #..# #..# .##.",
    "9": ".##. #..# #..# .### ...# #..# .##.",
}
_LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


async def _near_corner(pilot: Pilot, target: str) -> None:
    """Click an element near its lower left corner, in place of its middle."""
    box = await pilot.box(target)
    await pilot.act(Click(round(box.x + 0.2 * box.width), round(box.y + 0.75 * box.height)))


async def ascending_numbers(pilot: Pilot, case: Case) -> None:
    """Remember the places, which hide after the first click, and click low on the left of each."""
    numbers = sorted(map(int, await texts(pilot, "#area text")))
    boxes = [await pilot.box(f'#area text:text-is("{number}")') for number in numbers]
    for box in boxes:
        await pilot.act(Click(round(box.x + 0.2 * box.width), round(box.y + 0.75 * box.height)))


async def click_button(pilot: Pilot, case: Case) -> None:
    """Go by Tab to the last of several buttons of that name, and press Space."""
    (name,) = quoted(case)
    same = (await texts(pilot, "#area button")).count(name)
    button = f'#area button:text-is("{name}")'
    for _ in range(same):
        await pilot.press("tab")
        await focus(pilot, button)
    await pilot.press("space")


async def unicode_test(pilot: Pilot, case: Case) -> None:
    """As `click_button`, and with Enter."""
    await push(pilot, f'#area button:text-is("{quoted(case)[0]}")')


async def click_button_sequence(pilot: Pilot, case: Case) -> None:
    """Press both buttons by keyboard."""
    await push(pilot, "#subbtn", "space")
    await push(pilot, "#subbtn2")


async def click_color(pilot: Pilot, case: Case) -> None:
    """Click near a corner of the box."""
    found = re.search(r"the (\w+) colored", case.goal)
    assert found
    await _near_corner(pilot, f"#area [data-color={found[1]}] >> nth=0")


async def click_dialog(pilot: Pilot, case: Case) -> None:
    """Drag the dialog aside first, and close it there."""
    title = (await pilot.box(".ui-dialog-titlebar")).middle
    await pilot.act(Drag(((title.x - 20, title.y), (title.x, title.y + 40), (title.x + 30, title.y + 60))))
    await pilot.click(".ui-dialog-titlebar-close")


async def click_dialog_2(pilot: Pilot, case: Case) -> None:
    """Press the dialog's button by keyboard."""
    (name,) = quoted(case)
    await push(
        pilot,
        ".ui-dialog-titlebar-close" if name == "x" else f'.ui-dialog-buttonset button:text-is("{name}")',
    )


async def click_link(pilot: Pilot, case: Case) -> None:
    """Click low on the left of the link, after a click on the words between the links."""
    await pilot.click("#query")
    await _near_corner(pilot, f'#area .alink:text-is("{quoted(case)[0]}") >> nth=0')


async def click_test(pilot: Pilot, case: Case) -> None:
    """Press the button by Space."""
    await push(pilot, "#subbtn", "space")


async def click_test_2(pilot: Pilot, case: Case) -> None:
    """Press the button by Enter, past the other one and back."""
    await push(pilot, "#subbtn2", "shift+tab")
    await push(pilot, "#subbtn")


async def click_test_transfer(pilot: Pilot, case: Case) -> None:
    """Press the button by Space, past the other one and back."""
    await focus(pilot, "#subbtn2")
    await focus(pilot, "#subbtn", "shift+tab")
    await pilot.press("space")


async def click_widget(pilot: Pilot, case: Case) -> None:
    """Click the last of these widgets; a radio button or checkbox by its label."""
    (kind,) = quoted(case)
    widgets = {
        "text": "#area input[data-type=text]",
        "radio": "#area label:has([data-type=radio])",
        "checkbox": "#area label:has([data-type=checkbox])",
    }
    target = widgets.get(kind, f"#area [data-type={kind}]")
    number = len(await texts(pilot, target))
    box = await pilot.box(f"{target} >> nth={number - 1}")
    await pilot.act(Click(round(box.x + box.width - 6), round(box.middle.y)))


async def find_greatest(pilot: Pilot, case: Case) -> None:
    """Look at all cards from the right, pick the greatest, and submit by keyboard."""
    seen: dict[int, int] = {}
    for index in (2, 1, 0):
        card = f'.card[data-index="{index}"]'
        await pilot.click(card)
        seen[int(await pilot.read(f"{card} .card-value"))] = index
    await pilot.click(f'.card[data-index="{seen[max(seen)]}"]')
    await push(pilot, "#submit", "space")


async def focus_text(pilot: Pilot, case: Case) -> None:
    """Go to the field by Tab."""
    await focus(pilot, "#tt")


async def focus_text_2(pilot: Pilot, case: Case) -> None:
    """Click near the field's end: on the way by Tab another field would be the first with the focus."""
    found = re.search(r"the (\d)", case.goal)
    assert found
    box = await pilot.box(f"#tt{found[1]}")
    await pilot.act(Click(round(box.x + box.width - 8), round(box.middle.y)))


def _wanted(goal: str) -> Callable[[int], bool]:
    if found := re.search(r"(less|greater) than (-?\d+)", goal):
        compare, bound = (operator.lt if found[1] == "less" else operator.gt), int(found[2])
        return lambda number: compare(number, bound)
    return lambda number: number % 2 == ("odd" in goal)


async def generate_number(pilot: Pilot, case: Case) -> None:
    """Press both buttons by keyboard."""
    wanted = _wanted(case.goal)
    await push(pilot, "#generate", "space")
    while not wanted(int(await pilot.read("#display-number"))):
        await pilot.press("enter")
    await push(pilot, "#submit")


async def guess_number(pilot: Pilot, case: Case) -> None:
    """Halve the range, and submit each guess by Enter in the field."""
    low, high = 0, 9
    while True:
        guess = (low + high + 1) // 2
        await focus(pilot, "#tt", "shift+tab")
        await pilot.press("ctrl+a")
        await pilot.type(f"{guess}\n")
        if await pilot.sees("#lower"):
            high = guess - 1
        elif await pilot.sees("#higher"):
            low = guess + 1
        else:
            return


async def hot_cold(pilot: Pilot, case: Case) -> None:
    """Narrow the place down by three grids of moves, each finer than the last."""
    area = await pilot.box("#touch-area")
    left, top, right, bottom = (
        round(side) for side in (area.x, area.y, area.x + area.width, area.y + area.height)
    )
    at = (0, 0)
    for step, enough in ((76, {"COLD", "WARM", "HOT"}), (24, {"WARM", "HOT"}), (8, {"HOT"})):
        places = list(product(range(left + 2, right, step), range(top + 2, bottom, step)))
        places.sort(key=lambda place: (place[0] - at[0]) ** 2 + (place[1] - at[1]) ** 2)
        for place in places:
            await pilot.act(Move(*place))
            if await pilot.read("#signal") in enough:
                at = place
                break
    await pilot.act(Click())


async def number_checkboxes(pilot: Pilot, case: Case) -> None:
    """Set the boxes by Tab and Space, row by row."""
    await focus(pilot, "#checkboxes p:first-of-type input:first-of-type")
    keys: list[Action] = []
    for box in _DIGITS[quoted(case)[0]].replace(" ", ""):
        keys += [Key(("space",))] * (box == "#") + [Key(("tab",))]
    await pilot.act(*keys)
    await pilot.press("enter")


async def odd_or_even(pilot: Pilot, case: Case) -> None:
    """Mark the numbers from below, each wrongly first, and then right."""
    numbers = [int(number) for number in await texts(pilot, ".display-number")]
    for row, number in reversed(list(enumerate(numbers))):
        right, wrong = ("odd", "even") if number % 2 else ("even", "odd")
        for mark in (wrong, right):
            await pilot.click(f"#numbers .row >> nth={row} >> .{mark}")
    await push(pilot, "#submit")


def _best(mine: set[str], theirs: set[str]) -> str:
    """Return the field that wins, else one that keeps the other from winning, else a corner."""
    free = [field for field in "802641357" if field not in mine | theirs]
    for marks in (mine, theirs):
        for line in _LINES:
            (*missing,) = set(line) - marks
            if len(missing) == 1 and missing[0] in free:
                return missing[0]
    return max(free, key=lambda field: _forks(mine | {field}, theirs))


def _forks(mine: set[str], theirs: Iterable[str]) -> int:
    return sum(len(mine & set(line)) for line in _LINES if not set(line) & set(theirs))


async def tic_tac_toe(pilot: Pilot, case: Case) -> None:
    """Begin in a corner, and keep most lines open."""
    mine: set[str] = set()
    while await pilot.sees("#ttt-0"):
        theirs = {field for field in "012345678" if await pilot.sees(f"#ttt-{field}.mark-o")}
        if len(mine | theirs) == 9:
            return
        mine.add(field := _best(mine, theirs))
        await pilot.click(f"#ttt-{field}")
