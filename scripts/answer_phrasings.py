"""Write docs/answers.md: which phrasings of an answer are accepted and which are refused, for every type of answer.

    scripts/answer-phrasings

The phrasings are those of tests/task/phrasings.toml, which the tests judge.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from pytest_cuabench.task.answer import (
    BloodPressure,
    Choice,
    DateAnswer,
    Entity,
    EntitySet,
    Exact,
    Fields,
    Number,
    Spec,
    Text,
    YesNo,
)

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "answers.md"
TABLE = tomllib.loads((ROOT / "tests" / "task" / "phrasings.toml").read_text(encoding="utf-8"))


class Type(NamedTuple):
    """A type of answer with one right value and one wrong one."""

    spec: Spec
    right: str
    wrong: str
    goal: str = ""


_BALANCE = Number(
    -900,
    "mL",
    units={"L": 1000},
    words=("balance",),
    negative_words=("deficit",),
    positive_words=("surplus",),
)
_FIELDS = Fields({"HR": Number(102, "beats/min"), "BP": BloodPressure(118, 78)})
TYPES = {
    "number": Type(
        Number(9),
        "9",
        "7",
        "How many patients are waiting in ward 3 at the moment? Discharged patients do not count.",
    ),
    "balance": Type(_BALANCE, "-900 mL", "900 mL"),
    "measure": Type(Number(37.4, "°C", 0.05, units={"°F": (5 / 9, -160 / 9)}), "37.4 °C", "38.4 °C"),
    "duration": Type(
        Number(2, "y", units={"month": 1 / 12}), "2 years", "3 years", "How many years of warranty are given?"
    ),
    "money": Type(
        Number(530, "$", needs_unit=True), "$530", "$350", "What is the price of one unit of the product?"
    ),
    "pressure": Type(BloodPressure(118, 78), "118/78", "120/80"),
    "yes_no": Type(YesNo(False), "no", "yes", "Is the patient allergic to latex?"),
    "date": Type(DateAnswer(date(2026, 7, 15)), "2026-07-15", "2026-07-16"),
    "name": Type(Entity("Maria Lopez"), "Maria Lopez", "Ann Lee", "Which patient is waiting?"),
    "names": Type(
        EntitySet(("Maria Lopez", "John Smith")), "Maria Lopez, John Smith", "Maria Lopez, Ann Lee"
    ),
    "choice": Type(
        Choice("urgent", ("urgent", "routine")), "urgent", "routine", "Is the patient urgent or routine?"
    ),
    "text": Type(Text("Main Street station"), "Main Street station", "Hill Street station"),
    "exact": Type(Exact("Wall-E (2008)"), "Wall-E (2008)", "Wall-E (2009)"),
    "fields": Type(_FIELDS, "HR 102, BP 118/78", "HR 104, BP 118/78"),
}


class Phrasing(NamedTuple):
    """One phrasing of one type of answer, and what has to become of it."""

    type: str
    say: str
    accepted: bool


def said(pattern: str, type_: Type) -> str:
    """Return a phrasing with the values of a type in it."""
    return pattern.replace("{right}", type_.right).replace("{wrong}", type_.wrong)


def phrasings() -> Iterator[Phrasing]:
    """Yield every phrasing of the table for every type, then the forms of single types."""
    for group in TABLE["group"]:
        for row in group["rows"]:
            for name, type_ in TYPES.items():
                accepted = (group["verdict"] == "accepted") is not (name in row.get("but", {}))
                yield Phrasing(name, said(row["say"], type_), accepted)
    for form in TABLE["form"]:
        for verdict in ("accepted", "refused"):
            yield from (Phrasing(form["type"], say, verdict == "accepted") for say in form[verdict])


def wrong_in_every_wrapping() -> Iterator[tuple[str, str]]:
    """Yield every type with each accepted phrasing around its wrong value."""
    for group in TABLE["group"]:
        if group["verdict"] == "accepted":
            for row in group["rows"]:
                yield from (
                    (name, row["say"].replace("{right}", type_.wrong)) for name, type_ in TYPES.items()
                )


def text() -> str:
    """Return the page."""
    rows = sum(len(group["rows"]) for group in TABLE["group"])
    head = HEAD.format(rows=rows, types=len(TYPES), judged=len(list(phrasings())))
    return "\n".join([head, *_types(), *_groups(), *_forms()])


def _types() -> Iterator[str]:
    yield "| type | specification | right | wrong | goal |\n|---|---|---|---|---|"
    for name, type_ in TYPES.items():
        kind = type(type_.spec).__name__
        yield f"| {name} | `{kind}` | {_code(type_.right)} | {_code(type_.wrong)} | {type_.goal} |"


def _groups() -> Iterator[str]:
    for group in TABLE["group"]:
        yield f"\n### {group['title']}: {group['verdict']}\n\n| phrasing | why | but |\n|---|---|---|"
        for row in group["rows"]:
            others = row.get("but", {})
            verdict = "refused" if group["verdict"] == "accepted" else "accepted"
            but = "; ".join(f"{name} {verdict}: {reason}" for name, reason in others.items())
            yield f"| {_code(row['say'])} | {row.get('why', group['why'])} | {but} |"


def _forms() -> Iterator[str]:
    yield "\n## Forms of single types\n\n| type | phrasing | verdict | why |\n|---|---|---|---|"
    for form in TABLE["form"]:
        for verdict in ("accepted", "refused"):
            for say, why in form[verdict].items():
                yield f"| {form['type']} | {_code(say)} | {verdict} | {why or 'the usual form'} |"
    yield ""


def _code(say: str) -> str:
    """Return a phrasing as code in a cell of a table; line ends and bars are shown."""
    shown = say.replace("\n", "⏎").replace("|", "¦")
    shown = "".join(f"(U+{ord(c):04X})" if c in "\u0336\u0338" else c for c in shown)
    fence = "``" if "`" in shown else "`"
    room = " " if fence == "``" else ""
    return f"{fence}{room}{shown}{room}{fence}" if shown else "(nothing)"


HEAD = """# Answers

How a final answer is judged, for people who write tasks and for those who connect agents. Specifications are in
`pytest_cuabench.task.answer`; [suites.md](suites.md) says where they are used.

## The rules

1. **Wrappers come off, on every type, in one place** (`answer/speech.py`): code fences, `<answer>` and harmless tags,
   `\\boxed{{}}` and `$...$`, quotes and emphasis, a JSON object (its one value, or a line for each label), list marks,
   and sentences about the work at the beginning or the end. Each comes from a closed list.
2. **What is left is judged, on every type, in one place** (`answer/vocabulary.py`). Beside the value an answer may hold
   only neutral words and phrases from a closed list; the words that the specification declares; words of the goal
   (`answer/goal.py`), from sentences that exclude nothing, but no negation, bound, hedge or number word. A numeral of
   the goal may be repeated with the word beside it (`ward 3`). Names take no capitalised word from a goal, lists of
   names none at all. Anything else refuses the answer.
3. **Negations, corrections, second candidates and what is crossed out** refuse every type. One negation after a no is
   the question said again.
4. **Hedges** (about, ~, I think) refuse every type, also a number with a tolerance, which is for rounding. Only
   `Number(..., tolerance=..., approximate=True)` takes "about" and "~"; bounds (at least, <) are never taken.
5. **A dash before a number.** `-9` is a sign, and so is the true minus sign, with a space or without. `- 9` at the
   start of a line is a list mark where the number has no sign (a count, a dose), and is refused where a sign is
   asked: a negative value, `negative_words`, or `either_sign=True` where another case is negative.
6. **Exactly.** `Exact` compares to the letter (Unicode NFC, line ends, and space around the whole text apart). Known
   wrappers come off one by one, and what is there at any step may be right, so that quotes of the text itself stay.
7. **Bounded.** An answer of more than 2,000 characters is refused unread; `match` never raises.
8. **Texts to another person.** `Message` judges a page, a note or a mail in the writer's own words, clause by clause:
   what it must name (`must`), which numbers it may hold, and whether it denies, contradicts or withdraws what it tells
   ("no need", "is fine", "ignore this"). A negation of what was told, or of a withdrawal ("do not delay"), refuses
   nothing.

## Phrasings of every type

{rows} phrasings for {types} types, and the forms further below: {judged} judgements. For the accepted ones, the
wrong value in the same words is refused. `⏎` is a line end, `¦` a vertical bar. The tests judge this table
(`tests/task/phrasings.toml`); this page is written by `scripts/answer-phrasings`.
"""


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
