"""Pages that are solved by clicking the right thing, some of them after looking a second time."""

from pytest_cuabench import Case, Pilot, wrong
from pytest_cuabench.task.action import Click, Move

from ..toolkit.episode import case, check, upstream
from ..toolkit.hands import SCALE, Solutions, asked, at, click_text, count, nth, submit, texts

__all__ = ["case", "check", "upstream"]

solutions = Solutions()


async def solve(pilot: Pilot, case: Case) -> None:
    await solutions.solve(pilot, case)


@wrong("milestone:solved")
async def clicks_the_wrong_thing(pilot: Pilot, case: Case) -> None:
    """Whatever else can be clicked is not what was asked for."""
    await _mistakes.get(case["page"], _nothing_of_it)(pilot, case)


async def _nothing_of_it(pilot: Pilot, _case: Case) -> None:
    await pilot.click("css=#query")


@solutions.of("click-test")
async def _the_button(pilot: Pilot, _case: Case) -> None:
    await pilot.click("css=#subbtn")


@solutions.of("click-test-2", "click-test-transfer")
async def _button_one(pilot: Pilot, case: Case) -> None:
    (name,) = asked(case, r"Click button (\w+)\.")
    await pilot.click(f'role=button[name="{name}"]')


@solutions.of("click-button-sequence")
async def _both_buttons(pilot: Pilot, _case: Case) -> None:
    await pilot.click("css=#subbtn")
    await pilot.click("css=#subbtn2")


@solutions.of("click-button", "unicode-test")
async def _named_button(pilot: Pilot, case: Case) -> None:
    (name,) = asked(case, r'Click on the "(.+)" button')
    await click_text(pilot, "#area button", name)


@solutions.of("click-color")
async def _colored_box(pilot: Pilot, case: Case) -> None:
    (color,) = asked(case, r"Click on the (\w+) colored box")
    await pilot.click(f'css=#area [data-color="{color}"]')


@solutions.of("click-dialog")
async def _close_dialog(pilot: Pilot, _case: Case) -> None:
    await pilot.click("css=.ui-dialog-titlebar-close")


@solutions.of("click-dialog-2")
async def _button_of_dialog(pilot: Pilot, case: Case) -> None:
    (name,) = asked(case, r'labeled "(\w+)"')
    if name == "x":
        await pilot.click("css=.ui-dialog-titlebar-close")
    else:
        await click_text(pilot, ".ui-dialog-buttonset button", name)


@solutions.of("click-link")
async def _link(pilot: Pilot, case: Case) -> None:
    (name,) = asked(case, r'the link "(.+)"\.')
    await click_text(pilot, ".alink", name)


@solutions.of("click-widget")
async def _widget(pilot: Pilot, case: Case) -> None:
    (kind,) = asked(case, r'Click on a "(\w+)" widget')
    await pilot.click(nth(f'[data-type="{kind}"]', 0))


@solutions.of("focus-text")
async def _only_field(pilot: Pilot, _case: Case) -> None:
    await pilot.click("css=#tt")


@solutions.of("focus-text-2")
async def _numbered_field(pilot: Pilot, case: Case) -> None:
    (number,) = asked(case, r"the (\d)\w\w input textbox")
    await pilot.click(f"css=#tt{number}")


@solutions.of("ascending-numbers")
async def _ascending(pilot: Pilot, _case: Case) -> None:
    boxes = {number: await pilot.box(f'css=svg text >> text="{number}"') for number in range(1, 6)}
    for box in boxes.values():  # after the first click the numbers are covered
        await pilot.act(Click(*box.middle), thought="Click the next number")


@solutions.of("odd-or-even")
async def _odd_or_even(pilot: Pilot, _case: Case) -> None:
    for row, number in enumerate(await texts(pilot, ".display-number")):
        await pilot.click(nth(".odd" if int(number) % 2 else ".even", row))
    await submit(pilot)


@solutions.of("find-greatest")
async def _greatest(pilot: Pilot, _case: Case) -> None:
    seen = []
    for number in range(3):
        card = f'css=.card[data-index="{number}"]'
        await pilot.click(card)
        seen.append(int(await pilot.read(f"{card} >> css=.card-value")))
    await pilot.click(f'css=.card[data-index="{seen.index(max(seen))}"]')
    await submit(pilot)


@solutions.of("guess-number")
async def _guess(pilot: Pilot, _case: Case) -> None:
    low, high = 0, 9
    while low <= high:
        middle = (low + high) // 2
        await pilot.fill("css=#tt", str(middle))
        await submit(pilot)
        if await pilot.sees("css=#higher"):
            low = middle + 1
        elif await pilot.sees("css=#lower"):
            high = middle - 1
        else:
            return


@solutions.of("generate-number")
async def _generate(pilot: Pilot, case: Case) -> None:
    goal = case["utterance"]
    for _ in range(25):
        await pilot.click("css=#generate")
        number = int(await pilot.read("css=#display-number"))
        if "less than" in goal and number < int(asked(case, r"less than (\d+)")[0]):
            break
        if "greater than" in goal and number > int(asked(case, r"greater than (\d+)")[0]):
            break
        if ("odd" in goal and number % 2) or ("even" in goal and not number % 2):
            break
    await submit(pilot)


@solutions.of("hot-cold")
async def _hottest(pilot: Pilot, _case: Case) -> None:
    area = await pilot.box("css=#touch-area")
    for y in range(4, int(area.height / SCALE), 6):
        points = [at(area, x, y) for x in range(4, int(area.width / SCALE), 6)]
        for point in points:
            await pilot.act(Move(*point), thought="Feel whether it is hot")
            if await pilot.sees("css=#signal.hot"):
                await pilot.act(Click(*point), thought="Click where it is hot")
                return


_DIGITS = (
    "0110 1001 1001 1001 1001 1001 0110",
    "0010 0110 0010 0010 0010 0010 0010",
    "0110 1001 1001 0010 0100 1000 1111",
    "0110 1001 0001 0110 0001 1001 0110",
    "1000 1010 1010 1111 0010 0010 0010",
    "1111 1000 1000 1110 0001 1001 0110",
    "0110 1001 1000 1110 1001 1001 0110",
    "1111 1001 0001 0010 0010 0100 0100",
    "0110 1001 1001 0110 1001 1001 0110",
    "0110 1001 1001 0111 0001 1001 0110",
)


@solutions.of("number-checkboxes")
async def _digit_of_boxes(pilot: Pilot, case: Case) -> None:
    (digit,) = asked(case, r'number "(\d)"')
    for number, marked in enumerate(_DIGITS[int(digit)].replace(" ", "")):
        if marked == "1":
            await pilot.click(nth("#checkboxes input", number))
    await submit(pilot)


_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@solutions.of("tic-tac-toe")
async def _win(pilot: Pilot, _case: Case) -> None:
    for _ in range(5):
        ours = {number for number in range(9) if await pilot.sees(f"css=#ttt-{number}.mark-x")}
        theirs = {number for number in range(9) if await pilot.sees(f"css=#ttt-{number}.mark-o")}
        free = [number for number in (4, 0, 2, 6, 8, 1, 3, 5, 7) if number not in ours | theirs]
        await pilot.click(f"css=#ttt-{_best(free, ours, theirs)}")


def _best(free: list[int], ours: set[int], theirs: set[int]) -> int:
    """Return a field that wins, else one that the other would win by, else the one in most lines that are open."""
    for owned in (ours, theirs):
        for number in free:
            if any(number in line and len(owned & set(line)) == 2 for line in _LINES):
                return number
    return max(
        free,
        key=lambda number: sum(
            1 + 2 * len(ours & set(line)) for line in _LINES if number in line and not theirs & set(line)
        ),
    )


async def _submits_at_once(pilot: Pilot, _case: Case) -> None:
    await submit(pilot)


async def _another(pilot: Pilot, selector: str, name: str) -> None:
    """Click the first visible element with another text, if there is one."""
    others = [number for number, text in enumerate(await texts(pilot, selector)) if text != name]
    await pilot.click(nth(selector, others[0]) if others else "css=#query")


async def _wrong_name(pilot: Pilot, case: Case) -> None:
    page = case["page"]
    pattern = r'the link "(.+)"\.' if page == "click-link" else r'Click on the "(.+)" button'
    await _another(pilot, ".alink" if page == "click-link" else "#area button", asked(case, pattern)[0])


async def _second_button(pilot: Pilot, _case: Case) -> None:
    await pilot.click("css=#subbtn2")


async def _second_button_first(pilot: Pilot, _case: Case) -> None:
    await pilot.click("css=#subbtn2")
    await pilot.click("css=#subbtn")


async def _other_color(pilot: Pilot, case: Case) -> None:
    (color,) = asked(case, r"Click on the (\w+) colored box")
    await pilot.click(nth(f'#area .color:not([data-color="{color}"])', 0))


async def _other_button_of_dialog(pilot: Pilot, case: Case) -> None:
    (name,) = asked(case, r'labeled "(\w+)"')
    await click_text(pilot, ".ui-dialog-buttonset button", "Cancel" if name != "Cancel" else "OK")


async def _other_widget(pilot: Pilot, case: Case) -> None:
    (kind,) = asked(case, r'Click on a "(\w+)" widget')
    other = f'[data-type]:not([data-type="{kind}"])'
    await pilot.click(nth(other, 0) if await count(pilot, other) else "css=#query")


async def _other_field(pilot: Pilot, case: Case) -> None:
    (number,) = asked(case, r"the (\d)\w\w input textbox")
    await pilot.click("css=#tt1" if number != "1" else "css=#tt2")


async def _second_number(pilot: Pilot, _case: Case) -> None:
    await pilot.click('css=svg text >> text="2"')


async def _cold_corner(pilot: Pilot, _case: Case) -> None:
    area = await pilot.box("css=#touch-area")
    await pilot.act(Click(*at(area, 1, 1)), thought="Click in a corner")


_mistakes = {
    "click-test-2": _second_button,
    "click-test-transfer": _second_button,
    "click-button-sequence": _second_button_first,
    "click-button": _wrong_name,
    "unicode-test": _wrong_name,
    "click-color": _other_color,
    "click-dialog-2": _other_button_of_dialog,
    "click-link": _wrong_name,
    "click-widget": _other_widget,
    "focus-text-2": _other_field,
    "ascending-numbers": _second_number,
    "hot-cold": _cold_corner,
    **dict.fromkeys(
        ("odd-or-even", "find-greatest", "generate-number", "number-checkboxes"), _submits_at_once
    ),
}
