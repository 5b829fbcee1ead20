"""Second solutions of the pages for typing, written without a look at their rewards: by keyboard, in another order."""

import re

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Drag, Key

from ..toolkit.keyboard import focus, push, quoted, texts

_SHADES = {
    "red": "#f06666",
    "orange": "#ffc266",
    "yellow": "#ffff66",
    "green": "#66b966",
    "blue": "#66a3e0",
    "purple": "#c285ff",
}


async def _submit(pilot: Pilot) -> None:
    await push(pilot, "#subbtn", "space")


def _sought(goal: str, pattern: str) -> str:
    found = re.search(pattern, goal)
    assert found
    return found[1]


async def copy_paste(pilot: Pilot, case: Case) -> None:
    """Copy and paste by Ctrl+Insert and Shift+Insert, after a detour that undoes itself."""
    await focus(pilot, "#to-copy")
    await pilot.act(Key(("end",)), Key(("ctrl", "a")), Key(("ctrl", "insert")))
    await focus(pilot, "#answer-input")
    await pilot.type("x")
    await pilot.act(Key(("backspace",)), Key(("shift", "insert")))
    await _submit(pilot)


async def copy_paste_2(pilot: Pilot, case: Case) -> None:
    """Select by Shift with Ctrl+End, cut, put it back, and paste into the other field."""
    await focus(pilot, f"#text-{_sought(case.goal, 'the ([0-9])')}")
    await pilot.act(
        Key(("ctrl", "home")), Key(("ctrl", "shift", "end")), Key(("ctrl", "x")), Key(("ctrl", "v"))
    )
    await focus(pilot, "#answer-input")
    await pilot.press("ctrl+v")
    await _submit(pilot)


async def enter_date(pilot: Pilot, case: Case) -> None:
    """Type the year first, then go back to month and day."""
    month, day, year = _sought(case.goal, r"(\d\d/\d\d/\d{4})").split("/")
    await focus(pilot, "#tt")
    await pilot.act(Key(("right",), 2))
    await pilot.type(year)
    await pilot.act(Key(("left",), 2))
    await pilot.type(month + day)
    await _submit(pilot)


async def enter_password(pilot: Pilot, case: Case) -> None:
    """Type from the last field to the first."""
    (password,) = quoted(case)
    for field in ("#verify", "#password"):
        await pilot.fill(field, password)
    await _submit(pilot)


async def enter_text(pilot: Pilot, case: Case) -> None:
    """Type something else first, and replace it."""
    await focus(pilot, "#tt")
    await pilot.type(f"not {quoted(case)[0]}")
    await pilot.act(Key(("home",)), Key(("delete",), 4))
    await _submit(pilot)


async def enter_text_2(pilot: Pilot, case: Case) -> None:
    """Type the letters as the page wants them, from the last to the first."""
    (word,) = quoted(case)
    await focus(pilot, "#tt")
    for letter in reversed(word.lower() if "lower case" in case.goal else word.upper()):
        await pilot.act(Key(("home",)))
        await pilot.type(letter)
    await _submit(pilot)


enter_text_dynamic = enter_text


async def enter_time(pilot: Pilot, case: Case) -> None:
    """Set the half of the day first, and hour and minute by arrows."""
    found = re.search(r"(\d+):(\d\d) ([AP]M)", case.goal)
    assert found
    hour, minute, half = found.groups()
    await focus(pilot, "#tt")
    await pilot.act(Key(("right",), 2))
    await pilot.type(half[0].lower())
    await pilot.act(Key(("left",), 2))
    await pilot.act(Key(("down" if half == "AM" else "up",)))
    await pilot.type(f"{int(hour):02}{minute}")
    await _submit(pilot)


async def find_word(pilot: Pilot, case: Case) -> None:
    """Type the word without the comma or stop after it."""
    place = int(_sought(case.goal, r"the (\d+)"))
    word = (await pilot.read("#area p")).split()[place - 1]
    await focus(pilot, "#answer-input")
    await pilot.type(word.strip(".,"))
    await _submit(pilot)


async def login_user(pilot: Pilot, case: Case) -> None:
    """Type the password first."""
    name, password = quoted(case)
    await pilot.fill("#password", password)
    await pilot.fill("#username", name)
    await _submit(pilot)


async def login_user_popup(pilot: Pilot, case: Case) -> None:
    """Refuse by keyboard what the popup asks, and type the password first."""
    name, password = quoted(case)
    for field, text in (("#password", password), ("#username", name)):
        await pilot.click(field)
        if await pilot.sees("#popup"):
            await push(pilot, "#popup-cancel")
        await pilot.fill(field, text)
    await _submit(pilot)


async def multi_layouts(pilot: Pilot, case: Case) -> None:
    """Fill the fields from below, each found by the words at its place."""
    found = re.search(r"Search for (.*) movies directed by (.*) from year (\d+)", case.goal)
    assert found
    values = dict(zip(("Genre", "Director", "Year|Date"), found.groups(), strict=True))
    fields = [line for line in await texts(pilot, ":is(#area p, .row, #area tr, .field, .ui-entry)") if line]
    for row, line in reversed(list(enumerate(fields))):
        (value,) = (value for label, value in values.items() if re.search(label, line))
        await pilot.fill(f"#area input >> nth={row}", value)
    await pilot.click(
        ':is(#area button, #area .final, #area .ui-submit):text-matches("^(Submit|Search|Go!)$")'
    )


multi_orderings = multi_layouts


async def _told(pilot: Pilot) -> dict[str, str]:
    """Return what the table says."""
    cells = await texts(pilot, "#tab td")
    return dict(zip(cells[::2], cells[1::2], strict=True))


async def read_table(pilot: Pilot, case: Case) -> None:
    """Type the value by keyboard."""
    await focus(pilot, "#tt")
    await pilot.type((await _told(pilot))[_sought(case.goal, "value of (.*) into")])
    await _submit(pilot)


async def read_table_2(pilot: Pilot, case: Case) -> None:
    """Fill the second field first."""
    told = await _told(pilot)
    for row in (2, 1):
        await pilot.fill(f"#tt{row}", told[(await pilot.read(f"#ll{row}")).strip(" :\n")])
    await _submit(pilot)


async def scroll_text(pilot: Pilot, case: Case) -> None:
    """Go to the end by keyboard, and type the word without the stop after it."""
    await focus(pilot, "#text-area")
    await pilot.press("ctrl+end")
    word = (await pilot.read("#text-area")).split()[-1]
    await focus(pilot, "#answer-input")
    await pilot.type(word.strip(".,"))
    await _submit(pilot)


async def sign_agreement(pilot: Pilot, case: Case) -> None:
    """Scroll by dragging the bar, and press the buttons by keyboard."""
    if quoted(case):
        box = await pilot.box("#text-area")
        right = round(box.x + box.width - 12)
        await pilot.act(Drag(((right, round(box.y + 30)), (right, round(box.y + box.height + 60)))))
        await pilot.fill("#name", quoted(case)[0])
    wanted = quoted(case)[1] if quoted(case) else "Cancel"
    await push(pilot, f"#{wanted.lower()}", "space")


async def simple_algebra(pilot: Pilot, case: Case) -> None:
    """Try the numbers, in place of moving terms."""
    left, right = (await pilot.read("#math-problem")).split("=")
    first, sign, second = left.split()

    def value(x: int) -> int:
        a, b = (x if term == "x" else int(term) for term in (first, second))
        return a + b if sign == "+" else a - b if sign == "-" else a * b

    solution = next(x for x in range(-500, 500) if value(x) == int(right))
    await focus(pilot, "#math-answer")
    await pilot.type(f"{solution}")
    await _submit(pilot)


async def simple_arithmetic(pilot: Pilot, case: Case) -> None:
    """Type the result by keyboard."""
    first, sign, second, _ = (await pilot.read("#math-problem")).split()
    a, b = int(first), int(second)
    await focus(pilot, "#math-answer")
    await pilot.type(f"{a + b if sign == '+' else a - b if sign == '-' else a * b}")
    await _submit(pilot)


async def terminal(pilot: Pilot, case: Case) -> None:
    """Ask for help first, misspell a command, and delete the last file that fits."""
    await pilot.click("#terminal")
    await pilot.type("help\nsl\nls\n")
    (names,) = [line.split() for line in await texts(pilot, ".output") if _names(line)]
    ending = re.search(r"extension \.?(\w[\w.]*)$", case.goal.strip(". "))
    fitting = [name for name in names if (name.endswith(f".{ending[1]}") if ending else "." not in name)]
    await pilot.type(f"rm {fitting[-1]}\n")


def _names(line: str) -> bool:
    """Return whether a line of the terminal lists files, and is no sentence of its own."""
    return bool(line) and not re.search(r"Welcome|login|list|Usage|remove|found|error", line)


async def text_editor(pilot: Pilot, case: Case) -> None:
    """Select by keyboard, set the style by Ctrl with a letter, and a color in another shade of it."""
    await pilot.click(".ql-editor")
    if "everything" in case.goal:
        await pilot.press("ctrl+a")
    else:
        word = _sought(case.goal, r"give the text (\S+) the")
        start = (await pilot.read(".ql-editor")).index(word)
        await pilot.press("ctrl+home")
        if start:
            await pilot.press("right", start)
        await pilot.press("shift+right", len(word))
    keys = {"bold": "ctrl+b", "italics": "ctrl+i", "underlined": "ctrl+u"}
    style = _sought(case.goal, r"(?:style|color) (\w+)")
    if style in keys:
        await pilot.press(keys[style])
    else:
        await pilot.click(".ql-color")
        await pilot.click(f'.ql-picker-item[data-value="{_SHADES[style]}"]')
    await pilot.click("#subbtn")


async def text_transform(pilot: Pilot, case: Case) -> None:
    """Type the letters from the last to the first."""
    await focus(pilot, "#tt")
    for letter in reversed(await texts(pilot, "#captcha span")):
        await pilot.act(Key(("home",)))
        await pilot.type(letter)
    await _submit(pilot)


async def visual_addition(pilot: Pilot, case: Case) -> None:
    """Count all blocks at once."""
    blocks = len(await texts(pilot, ".addition-block"))
    await focus(pilot, "#math-answer")
    await pilot.type(f"{blocks}")
    await _submit(pilot)
