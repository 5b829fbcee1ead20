"""What several tasks with CoqIDE share: a file that differs by seed, what is judged of it, and how it is edited."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation
from pytest_cuabench.task.action import Type
from pytest_cuabench.task.kinds import FURTHER, Choice, Kind, free
from pytest_cuabench.task.kinds.base import Spellings

from ..texstudio.writing import Step, press, text_of, walk

NAMES = ("alder", "birch", "cedar", "hazel", "larch", "maple", "rowan", "willow")
HOLE = "@@"  # where a text is to be changed
_PIECE = re.compile(r'\(\*|\*\)|"(?:[^"]|"")*"|.', re.DOTALL)
_NUMBERS = (range(3, 8), range(11, 17))


def words(name: str, a: int, b: int) -> dict[str, Any]:
    """Return what may stand in the texts of a task as `{word}`."""
    return {
        "name": name,
        "other": NAMES[(NAMES.index(name) + 3) % len(NAMES)],
        "a": a,
        "b": b,
        "c": a * b,
        "aa": a * a,
        "next": a + 1,
        "reached": b + 6 * a,
        "reached_early": b + 5 * a,
        "constructors": " | ".join(f"{name}{number}" for number in range(1, a + 1)),
    }


def chosen(random: Random) -> dict[str, Any]:
    """Return the words of a seed."""
    return words(random.choice(NAMES), random.choice(_NUMBERS[0]), random.choice(_NUMBERS[1]))


def filled(value: Any, known: dict[str, Any]) -> Any:
    """Return a value with the words in its texts."""
    match value:
        case str():
            return re.sub(r"\{(\w+)\}", lambda found: str(known.get(found[1], found[0])), value)
        case list():
            return [filled(one, known) for one in value]
        case dict():
            return {name: filled(one, known) for name, one in value.items()}
    return value


def again(state: State, values: Values) -> Values:
    """Return the values with the words that the state's file was written with.

    Raises:
        LookupError: The file is not one of the task's.
    """
    for name, a, b in itertools.product(NAMES, *_NUMBERS):
        found: dict[str, Any] = filled(dict(values), known := words(name, a, b))
        if text_of(state.collections, path(found)) == written(found):
            return {**known, **found}
    raise LookupError("the file was not written by this task")


def path(values: Values) -> str:
    """Return the path of the file that a task is about."""
    return f"work/{values.get('file', 'exercise')}.v"


def pattern(values: Values) -> str:
    """Return the text of the file with its hole."""
    if "text" in values:
        return str(values["text"])
    parts = [values.get("head", ""), values.get("given", "")]
    parts.append(f"Theorem {values['theorem']} : {values['statement']}.\n{HOLE}\n")
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def written(values: Values) -> str:
    """Return the text of the file as it is at the beginning."""
    return pattern(values).replace(HOLE, str(values.get("was", "")))


def opened(values: Values) -> Iterator[Step]:
    """Yield the steps that write the file and open it."""
    yield {"do": "write", "path": path(values), "text": written(values)}
    yield {"do": "open", "path": path(values)}


async def fill(pilot: Pilot, case: Case, new: str) -> None:
    """Put a text into the hole of the file, and save it."""
    before = written(case.values)
    place = pattern(case.values).index(HOLE)
    actions = [*walk(before, place), *press("delete", len(case["was"])), Type(new)]
    await pilot.act(*actions, thought=f"Write {new!r}")
    await save(pilot)


async def save(pilot: Pilot) -> None:
    """Save the file in front."""
    await pilot.press("ctrl+s")


async def choose(pilot: Pilot, *names: str, role: str = "menu-item") -> None:
    """Choose an item of the menus."""
    *menus, item = names
    for menu in menus:
        await pilot.click(f'menu[name="{menu}"]')
    await pilot.click(f'{role}[name="{item}"]')


def sentences(text: str) -> list[str]:
    """Return the sentences of a text of Coq without comments and needless white space.

    Raises:
        ValueError: A comment is not closed.
    """
    depth, plain = 0, []
    for piece in _PIECE.findall(text):
        if piece == "(*":
            depth += 1
            plain.append(" ")
        elif piece == "*)" and depth:
            depth -= 1
        elif not depth:
            plain.append(piece)
    if depth:
        raise ValueError("a comment is not closed")
    found = re.split(r"(?<=\.)\s+", "".join(plain).strip())
    return [re.sub(r"\s*(\W)\s*", r"\1", " ".join(one.split())) for one in found if one]


@dataclass(frozen=True)
class Sentences(Kind):
    """The sentences of a file that stay in their order: others between them, white space and comments mean nothing.

    Attributes:
        pattern: The text that stays, with its hole.
    """

    pattern: str = ""

    @property
    def name(self) -> str:
        return "sentences of Coq"

    def meaning(self, value: Any) -> list[str]:
        return [one for one in sentences(str(value)) if one != HOLE]

    def equal(self, one: list[str], other: list[str]) -> bool:
        return not self._lost(one, other)

    def _lost(self, seen: list[str], wanted: list[str]) -> str:
        """Return the first wanted sentence that is missing in its order; nothing if all are there."""
        left = iter(seen)
        return next((one for one in wanted if not any(_fits(other, one) for other in left)), "")

    def lost(self, seen: str) -> str:
        """Return the first sentence that should have stayed and did not."""
        try:
            return self._lost(self.meaning(seen), self.meaning(self.pattern))
        except ValueError as error:
            return str(error)

    def spellings(self, value: str, random: Random) -> Spellings:
        yield "line ends of Windows", value.replace("\n", "\r\n")
        yield "indented", re.sub("^", "  ", value, flags=re.MULTILINE)
        yield "on one line", " ".join(value.split())
        yield "a comment before", f"(* as asked (* or so *) *) {value}"
        yield "comments behind sentences", re.sub(r"\.$", ". (* . *)", value, flags=re.MULTILINE)
        yield "spaces between signs", re.sub(r" ?([:()]) ?", r" \1 ", value).replace(": =", ":=")
        yield "a further sentence", f"Check nat.\n{value}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        for line in self.pattern.splitlines():
            if line.strip() and HOLE not in line:
                yield value.replace(line, "", 1)
                yield value.replace(line, f"(*\n{line}\n*)", 1)
                yield value.replace(line, f"{line[:-1]}x{line[-1]}", 1)
        yield f"{value} (* "


def _fits(sentence: str, wanted: str) -> bool:
    head, hole, tail = wanted.partition(HOLE)
    if not hole:
        return sentence == wanted
    return sentence.startswith(head) and sentence.endswith(tail)


def kept(evidence: Evidence, case: Case) -> Findings:
    """Judge the sentences of the file that were to stay, in their order; others may be added."""
    file, text = path(case.values), text_of(evidence.after.collections, path(case.values))
    stays = Sentences(pattern(case.values))
    if not stays.same(text, stays.pattern, ("files", file, "text")):
        yield Violation("record_integrity", "major", file, f"was to stay: {stays.lost(text)}")


def untouched(evidence: Evidence, *judged: str, open: Collection[str] = ()) -> Findings:
    """Judge files and switches that the task does not name.

    Args:
        judged: Keys of rows that the task judges.
        open: Keys of files that come along.
    """
    for change in evidence.changes:
        at = (change.collection, change.key)
        free((*at, FURTHER), "it is told by these fields and no others")
        if change.collection == "files" and change.key in open:
            free(at, "CoqIDE writes it beside")
        elif change.collection == "files" and change.key in judged:
            for name in ("size", "sha256"):
                free((*at, name), "it follows from the text")
        elif change.collection in ("files", "view") and change.key not in judged:
            detail = f"{change.key} was changed, which nobody asked for"
            yield Violation("record_integrity", "major", change.key, detail)


def products(values: Values) -> list[str]:
    """Return what compiling leaves beside the file."""
    stem = path(values).removesuffix(".v")
    folder, _, name = stem.rpartition("/")
    return [f"{stem}.{end}" for end in ("vo", "vok", "vos", "glob")] + [f"{folder}/.{name}.aux"]


def proved(evidence: Evidence, key: str) -> Milestone:
    """Judge whether a theorem is proved without axioms."""
    seen = evidence.after.collections.get("proofs", {}).get(key, {}).get("verdict")
    right = Choice("Coq itself judges it").same(seen, "proved", ("proofs", key, "verdict"))
    return Milestone("proved", right, 1.0, "proved without axioms", seen or "not judged")
