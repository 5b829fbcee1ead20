"""Pages that are solved by typing what was asked for, read or worked out."""

import re

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Scroll

from ..toolkit.episode import case, check, upstream
from ..toolkit.hands import SCALE, Solutions, asked, click_at, count, nth, submit, submits_at_once, texts

__all__ = ["case", "check", "submits_at_once", "upstream"]

solutions = Solutions()


async def solve(pilot: Pilot, case: Case) -> None:
    await solutions.solve(pilot, case)


async def _enter(pilot: Pilot, field: str, text: str) -> None:
    await pilot.fill(f"css={field}", text)
    await submit(pilot)


@solutions.of("copy-paste")
async def _copy(pilot: Pilot, _case: Case) -> None:
    await _enter(pilot, "#answer-input", await pilot.read("css=#to-copy"))


@solutions.of("copy-paste-2")
async def _copy_numbered(pilot: Pilot, case: Case) -> None:
    (number,) = asked(case, r"from the (\d)\w\w text area")
    await _enter(pilot, "#answer-input", await pilot.read(f"css=#text-{number}"))


@solutions.of("enter-date")
async def _date(pilot: Pilot, case: Case) -> None:
    month, day, year = asked(case, r"Enter (\d+)/(\d+)/(\d+)")
    await _enter_parts(pilot, month + day + year)


@solutions.of("enter-time")
async def _time(pilot: Pilot, case: Case) -> None:
    hour, minute, half = asked(case, r"Enter (\d+):(\d+)\s([AP]M)")
    await _enter_parts(pilot, f"{hour:0>2}{minute}{half}")


async def _enter_parts(pilot: Pilot, text: str) -> None:
    box = await pilot.box("css=#tt")
    await click_at(pilot, box, 6, box.height / SCALE / 2)
    await pilot.type(text)
    await submit(pilot)


@solutions.of("enter-password")
async def _password(pilot: Pilot, case: Case) -> None:
    (password,) = asked(case, r'password "(\w+)"')
    await pilot.fill("css=#password", password)
    await _enter(pilot, "#verify", password)


@solutions.of("enter-text", "enter-text-dynamic")
async def _text(pilot: Pilot, case: Case) -> None:
    await _enter(pilot, "#tt", asked(case, r'Enter "(\w+)"')[0])


@solutions.of("enter-text-2")
async def _text_in_case(pilot: Pilot, case: Case) -> None:
    text, letters = asked(case, r'Type "(\w+)" in all (upper|lower) case')
    await _enter(pilot, "#tt", text.upper() if letters == "upper" else text.lower())


@solutions.of("find-word")
async def _word(pilot: Pilot, case: Case) -> None:
    number = int(asked(case, r"Find the (\d+)")[0])
    words = (await pilot.read("css=#area p")).split()
    await _enter(pilot, "#answer-input", re.sub(r"[^a-zA-Z]", "", words[number - 1]))


@solutions.of("login-user")
async def _login(pilot: Pilot, case: Case) -> None:
    user, password = asked(case, r'username "(\w+)" and the password "(\w+)"')
    await pilot.fill("css=#username", user)
    await _enter(pilot, "#password", password)


@solutions.of("login-user-popup")
async def _login_with_interruption(pilot: Pilot, case: Case) -> None:
    user, password = asked(case, r'username "(\w+)" and the password "(\w+)"')
    for field, text in (("css=#username", user), ("css=#password", password)):
        await pilot.click(field)
        if await pilot.sees("css=#popup-cancel"):
            await pilot.click("css=#popup-cancel")
        await pilot.fill(field, text)
    await submit(pilot)


@solutions.of("multi-layouts", "multi-orderings")
async def _movie(pilot: Pilot, case: Case) -> None:
    genre, name, year = asked(case, r"Search for (\w+) movies directed by (.+) from year (\d+)")
    words = {"Genre": genre, "Director": name, "Year": year, "Released": year}
    rows = await texts(pilot, "#area p, #area .row, #area tr, #area .field, #area .ui-entry")
    for number, row in enumerate(rows):
        text = next(text for word, text in words.items() if word in row)
        await pilot.fill(nth("#area input", number), text)
    await pilot.click("css=#area button, #area .final, #area .ui-submit")


@solutions.of("read-table")
async def _cell(pilot: Pilot, case: Case) -> None:
    (key,) = asked(case, r"the value of (.+) into")
    cells = await texts(pilot, "#tab td")
    await _enter(pilot, "#tt", cells[cells.index(key) + 1])


@solutions.of("read-table-2")
async def _cells(pilot: Pilot, _case: Case) -> None:
    cells = await texts(pilot, "#tab td")
    for number in (1, 2):
        key = (await pilot.read(f"css=#ll{number}")).strip().removesuffix(":")
        await pilot.fill(f"css=#tt{number}", cells[cells.index(key) + 1])
    await submit(pilot)


@solutions.of("scroll-text")
async def _last_word(pilot: Pilot, _case: Case) -> None:
    last = (await pilot.read("css=#text-area")).split()[-1]
    await _enter(pilot, "#answer-input", re.sub(r"[^a-zA-Z0-9]", "", last))


@solutions.of("sign-agreement")
async def _sign(pilot: Pilot, case: Case) -> None:
    if "Scroll" in case["utterance"]:
        name, button = asked(case, r'the name "(\w+)" ?then press "(\w+)"')
        x, y = (await pilot.box("css=#text-area")).middle
        for _ in range(4):
            await pilot.act(Scroll(x, y, dy=20), thought="Scroll to the end")
        await pilot.fill("css=#name", name)
        await pilot.click(f"css=#{button.lower()}")
    else:
        await pilot.click("css=#cancel")


@solutions.of("simple-arithmetic")
async def _arithmetic(pilot: Pilot, _case: Case) -> None:
    one, sign, other = re.findall(r"\d+|[-+x]", await pilot.read("css=#math-problem"))
    a, b = int(one), int(other)
    await _enter(pilot, "#math-answer", str({"+": a + b, "-": a - b, "x": a * b}[sign]))


@solutions.of("simple-algebra")
async def _algebra(pilot: Pilot, _case: Case) -> None:
    one, sign, other, result = re.findall(r"\d+|[-+x]", await pilot.read("css=#math-problem"))
    if sign == "+":
        found = int(result) - int(other if one == "x" else one)
    else:
        found = int(result) + int(other) if one == "x" else int(one) - int(result)
    await _enter(pilot, "#math-answer", str(found))


@solutions.of("terminal")
async def _remove_file(pilot: Pilot, case: Case) -> None:
    wanted = asked(case, r"extension \.(\S+)")[0] if "extension ." in case["utterance"] else ""
    await pilot.click("css=#terminal")
    await pilot.type("ls")
    await pilot.press("Enter")
    files = (await texts(pilot, ".terminal-output"))[-1].split()
    fits = [name for name in files if (name.endswith(f".{wanted}") if wanted else "." not in name)]
    await pilot.type(f"rm {fits[0]}")
    await pilot.press("Enter")


@solutions.of("text-editor")
async def _style(pilot: Pilot, case: Case) -> None:
    text = (await pilot.read("css=.ql-editor")).strip()
    await pilot.click("css=.ql-editor")
    if "everything" in case["utterance"]:
        await pilot.press("ctrl+a")
    else:
        (word,) = asked(case, r"give the text (\S+) the")
        await pilot.press("ctrl+Home")
        if before := len(re.match(rf"(.*?)(?<!\S){re.escape(word)}(?!\S)", text)[1]):  # type: ignore[index]
            await pilot.press("Right", before)
        await pilot.press("shift+Right", len(word))
    if "the color" in case["utterance"]:
        colors = {
            "red": "#e60000",
            "orange": "#ff9900",
            "yellow": "#ffff00",
            "green": "#008a00",
            "blue": "#0066cc",
            "purple": "#9933ff",
        }
        (color,) = asked(case, r"the color (\w+)")
        await pilot.click("css=.ql-color .ql-picker-label")
        await pilot.click(f'css=.ql-picker-item[data-value="{colors[color]}"]')
    else:
        (style,) = asked(case, r"the style (\w+)")
        buttons = {"bold": "bold", "italics": "italic", "underlined": "underline"}
        await pilot.click(f"css=button.ql-{buttons[style]}")
    await submit(pilot)


@solutions.of("text-transform")
async def _captcha(pilot: Pilot, _case: Case) -> None:
    await _enter(pilot, "#tt", "".join(await texts(pilot, "#captcha span")))


@solutions.of("visual-addition")
async def _blocks(pilot: Pilot, _case: Case) -> None:
    await _enter(pilot, "#math-answer", str(await count(pilot, ".addition-block")))
