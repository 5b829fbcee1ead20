"""What several tasks with TeXstudio share: the project, what is judged of it, and how it is edited."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pytest_cuabench import Case, Change, Evidence, Findings, Milestone, Pilot, State, Values, Violation
from pytest_cuabench.task.action import MAX_REPEAT, Action, Key, Type
from pytest_cuabench.task.case import misread
from pytest_cuabench.task.evidence import Collections
from pytest_cuabench.task.kinds import FURTHER, Choice, Kind, free

from ..kalgebra.workspace import untouched as kalgebra
from .latex import CODE, ENTRY, TEX, Listed, entries, plain


async def work_out(pilot: Pilot, formula: str) -> None:
    """Have a value calculated."""
    await pilot.act(Type(formula), Key(("enter",)), thought=f"Calculate {formula}")


async def leave(pilot: Pilot) -> None:
    """Go back to TeXstudio."""
    await pilot.press("alt+tab")


class Claim(NamedTuple):
    """A statement of the survey, the entry it rests on, and the other work of the same author."""

    key: str
    about: str
    other: str


# What is said in `documents/survey.tex` right before the citation, and the entry of `documents/refs.bib`.
CLAIMS = {
    "shown by Noether": Claim("noether1918", "conserved quantities and symmetries", "noether1921"),
    "settled by Turing": Claim("turing1936", "what a machine can compute", "turing1950"),
    "Shannon": Claim("shannon1948", "noisy channels", "shannon1949"),
    "method of Dijkstra": Claim("dijkstra1959", "shortest paths", "dijkstra1968"),
}
KEYS = (
    "noether1918",
    "noether1921",
    "turing1936",
    "turing1950",
    "shannon1948",
    "shannon1949",
    "hamming1950",
    "dijkstra1959",
    "dijkstra1968",
)


class Typo(NamedTuple):
    """A place as it must be, as it was written, and other ways to write the same."""

    good: str
    bad: str
    also: tuple[str, ...] = ()


MAIN = "paper/main.tex"
REFS = "paper/refs.bib"
Step = dict[str, Any]
_DOCUMENTS = Path(__file__).parent / "documents"
_FIELD = re.compile(r"<<([a-z]+[0-9]*(?:_[a-z]+)*)>>")


def document(name: str, fields: Mapping[str, object] | None = None) -> str:
    """Return a document of the folder `documents` with its `<<fields>>` filled.

    Raises:
        KeyError: A field of the document has no value.
    """
    pattern = (_DOCUMENTS / name).read_text(encoding="utf-8")
    return _FIELD.sub(lambda match: str((fields or {})[match[1]]), pattern)


def prepare(files: Mapping[str, str], *opened: str) -> Iterator[Step]:
    """Yield the steps that write files and have TeXstudio open some of them; the last one is in front."""
    for path, text in files.items():
        yield {"do": "write", "path": path, "text": text}
    for path in opened:
        yield {"do": "open", "path": path}


def start(application: str, *setup: Step) -> Step:
    """Return the step that starts another application beside TeXstudio."""
    return {"do": "start", "application": application, "setup": list(setup)}


def text_of(collections: Collections, path: str) -> str:
    """Return the text of a file, or nothing where there is none."""
    return str(collections.get("files", {}).get(path, {}).get("text") or "")


def main_text(state: State) -> str:
    """Return the text of the document that the task is about."""
    return text_of(state.collections, MAIN)


def the_one(pattern: str, text: str) -> re.Match[str]:
    """Return the only match of a pattern in a text.

    Raises:
        LookupError: There is none, or there are several.
    """
    found = list(re.finditer(pattern, text, re.MULTILINE))
    if len(found) != 1:
        raise LookupError(f"{pattern!r} matches {len(found)} times, one was expected")
    return found[0]


Steps = Iterator[Step]


def survey(*empty: str) -> Steps:
    missing = {CLAIMS[statement].key for statement in empty}
    yield from cited({key: "" if key in missing else key for key in KEYS})


def cited(keys: dict[str, str]) -> Steps:
    yield from prepare({MAIN: document("survey.tex", keys), REFS: document("refs.bib")}, REFS, MAIN)


GAP = "????"


def edit_values(old: str, new: str, *also: str) -> Values:
    """Return a place that has to change."""
    return {"old": old, "new": new, "also": list(also)}


def edits(state: State, *edits: Values, **more: Any) -> Values:
    return {"edits": list(edits), "texts": texts(state), **more}


def texts(state: State) -> dict[str, str]:
    """Return the texts of the project, in which hands find their way."""
    files = state.collections["files"]
    return {
        PurePosixPath(path).name: text_of(state.collections, path) for path in files if path[-4:] != ".pdf"
    }


def empty(text: str) -> list[tuple[str, Claim]]:
    """Return the statements without a source, in the order of the text."""
    found = [(before, claim) for before, claim in CLAIMS.items() if rf"{before}~\cite{{}}" in text]
    if len(found) != text.count(r"\cite{}"):
        raise LookupError("a citation is empty that no statement is known for")
    return found


Edit = Mapping[str, Any]
Wordings = tuple[str | None, ...]  # for each edit the wording in which it was made, if it was
# What compiling leaves beside a document.
_WORK = ("console", "editor", "variables")
CHOSEN = Choice("compiling tells it")
_PRODUCTS = (
    ".aux", ".bbl", ".blg", ".fdb_latexmk", ".fls", ".lof", ".log", ".lot", ".out", ".pdf", ".synctex.gz", ".toc",
)  # fmt: skip


def listed(evidence: Evidence, path: str, key: str, entry: str, weight: float) -> Findings:
    """Judge whether a list of references has an entry once, as it is given, and is else as it was."""
    text = text_of(evidence.after.collections, path)
    ours = [one for one in entries(text) if re.match(rf"\s*@\s*\w+\s*[{{(]\s*{re.escape(key)}\s*,", one)]
    right = len(ours) == 1 and ENTRY.matches(ours[0].strip(), entry)
    seen = f"{len(ours)} times" if right or not ours else "otherwise"
    yield Milestone("entry", right, weight, f"{key} once, as in the notes", seen)
    declare(evidence, path, Listed(entry=ours[0].strip()) if ours else TEX)
    for one in ours:
        text = text.replace(one, "", 1)
    yield from stayed(evidence, path, text)


def declare(evidence: Evidence, path: str, kind: Kind = TEX) -> None:
    """Declare the kind of a file's text, and what follows from it."""
    text = text_of(evidence.after.collections, path)
    kind.same(text, text, ("files", path, "text"))


def _leave_open(change: Change) -> None:
    """Declare what no task of TeXstudio asks for."""
    at = (change.collection, change.key)
    if change.collection == "files":
        for name in ("size", "sha256", FURTHER):
            free((*at, name), "it follows from the text")
    elif change.collection == "builds":
        for name in ("pages", "error", FURTHER):
            free((*at, name), "it is judged whether the document compiles")
    elif change.collection in _WORK:
        free(at, "how one works is left open, and KAlgebra is a help here")


def written(
    evidence: Evidence, path: str, edits: Sequence[Edit], weight: float, *, indented: bool = False
) -> Findings:
    """Judge whether every edit was made in a file, one milestone for each, and whether the rest of it stayed.

    Raises:
        LookupError: The place of an edit does not stand in the file exactly once.
    """
    before, after = (
        plain(text_of(state.collections, path), indented=indented)
        for state in (evidence.before, evidence.after)
    )
    declare(evidence, path, CODE if indented else TEX)
    choices, meant = _closest(before, after, edits)
    for number, (edit, made) in enumerate(zip(edits, choices, strict=True), 1):
        name = f"edit_{number}" if len(edits) > 1 else "edit"
        seen = made or ("as it was" if edit["old"] in after else "something else")
        yield Milestone(name, made is not None, round(weight / len(edits), 6), edit["new"], seen)
    missing = [edit["old"] for edit, made in zip(edits, choices, strict=True) if made is None]
    yield from _strays(meant, after, path, missing)


def _closest(before: str, after: str, edits: Sequence[Edit]) -> tuple[Wordings, str]:
    """Return which edits were made, in which wording, so that most lines are as they are; no edit without a gain."""
    for edit in edits:
        if before.count(edit["old"]) != 1:
            raise LookupError(f"{edit['old']!r} stands {before.count(edit['old'])} times in the document")
    choices = itertools.product(*((None, edit["new"], *edit["also"]) for edit in edits))
    texts = {choice: _chosen(before, edits, choice) for choice in choices}
    best = max(texts, key=lambda choice: _alike_of(texts[choice], after))  # the first one of equals
    return best, texts[best]


def _chosen(text: str, edits: Sequence[Edit], choice: Wordings) -> str:
    for edit, made in zip(edits, choice, strict=True):
        text = text if made is None else text.replace(edit["old"], made)
    return text


def _alike_of(one: str, other: str) -> int:
    """Return how many lines two texts share in order, twice, less those that each has of its own."""
    mine, theirs = one.split("\n"), other.split("\n")
    matcher = difflib.SequenceMatcher(None, mine, theirs, autojunk=False)
    return 4 * sum(block.size for block in matcher.get_matching_blocks()) - len(mine) - len(theirs)


def _strays(meant: str, after: str, path: str, places: Sequence[str] = ()) -> Iterator[Violation]:
    """Judge lines that were to stay and did not; a place that waits for its edit may look as it will."""
    stood, stands = meant.split("\n"), after.split("\n")
    changed = difflib.SequenceMatcher(None, stood, stands, autojunk=False).get_opcodes()
    for kind, start, end, _, _ in changed:
        said = stood[start:end]
        if kind == "equal" or any(place in line for place in places for line in said):
            continue
        what = (
            f"line {start + 1} of {path} was to stay: {said[0]!r}" if said else f"a line was added to {path}"
        )
        yield Violation("record_integrity", "major", f"{path}:{start + 1}", what)


def stayed(evidence: Evidence, path: str, rest: str, until: str = "\0") -> Iterator[Violation]:
    """Judge whether a file without what was added to it is what it was, empty lines before `until` aside."""
    before = text_of(evidence.before.collections, path)
    yield from _strays(_solid(before, until), _solid(rest, until), path)


def _solid(text: str, until: str) -> str:
    head, mark, rest = plain(text).partition(until)
    return "\n".join(filter(None, head.split("\n"))) + f"\n{mark}{rest}"


def untouched(evidence: Evidence, *allowed: str) -> Iterator[Violation]:
    """Judge every file that the task does not name, and KAlgebra beside it; what compiling leaves is no harm."""
    if "functions2d" in evidence.before.collections:
        yield from kalgebra(evidence, files=True)
    for change in evidence.changes:
        _leave_open(change)
        if change.collection == "files" and change.key not in allowed and _product(evidence, change.key):
            free((change.collection, change.key), "compiling leaves it")
        if change.collection != "files" or change.key in allowed or _product(evidence, change.key):
            continue
        verb = {"insert": "is new", "update": "was changed", "delete": "was deleted"}[change.op]
        yield Violation(
            "record_integrity", "major", change.key, f"{change.key} {verb}, which nobody asked for"
        )


def _product(evidence: Evidence, path: str) -> bool:
    """Whether a file is what compiling leaves beside a document that was there before the episode."""
    files = evidence.before.collections.get("files", {})
    return any(path.endswith(end) and f"{path.removesuffix(end)}.tex" in files for end in _PRODUCTS)


def builds(evidence: Evidence, path: str, weight: float) -> Milestone:
    """Judge whether the changed document compiles, with every reference and citation known."""
    build = evidence.after.collections.get("builds", {}).get(path, {})
    changed = text_of(evidence.before.collections, path) != text_of(evidence.after.collections, path)
    unknown = list(build.get("undefined", ()))
    for name in ("ok", "undefined") if build else ():
        held = build.get(name)
        CHOSEN.same(held, held, ("builds", path, name), optional=not held)
    good = bool(build.get("ok")) and not unknown and changed
    seen = build.get("error") or (f"not defined: {', '.join(unknown)}" if unknown else "compiles")
    expected = "changed, compiles, all references known"
    return Milestone("compiles", good, weight, expected, seen if changed else "unchanged")


def edited(evidence: Evidence, case: Case) -> Findings:
    """Judge a task that is nothing but edits of one document."""
    yield from written(evidence, MAIN, case["edits"], 0.8)
    yield builds(evidence, MAIN, 0.2)
    yield from untouched(evidence, MAIN)


async def show(pilot: Pilot, file: str) -> None:
    """Bring an open file to the front."""
    await pilot.click(f'page-tab[name="{file}"]')


async def replace(pilot: Pilot, case: Case, file: str, old: str, new: str) -> None:
    """Change a text that stands once in the file in front, no more of it than needed."""
    before = case["texts"][file]
    assert before.count(old) == 1, f"{old!r} stands {before.count(old)} times in {file}"
    same = _alike(old, new)
    behind = _alike(old[same:][::-1], new[same:][::-1])
    gone, put = old[same : len(old) - behind], new[same : len(new) - behind]
    actions = [*walk(before, before.index(old) + same), *press("delete", len(gone)), *typed(put)]
    await pilot.act(*actions, thought=f"Put {new!r} in place of {old!r}")


async def change(
    pilot: Pilot,
    case: Case,
    edits: Iterable[Mapping[str, Any]],
    file: str = "main.tex",
    *,
    saved: bool = True,
) -> None:
    """Make edits in a file, from its end to its beginning, so that no edit moves the place of another."""
    await show(pilot, file)
    for edit in sorted(edits, key=lambda edit: case["texts"][file].index(edit["old"]), reverse=True):
        await replace(pilot, case, file, edit["old"], edit["new"])
        if saved:
            await save(pilot)


async def save(pilot: Pilot) -> None:
    """Save the file in front."""
    await pilot.press("ctrl+s")


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts share at their beginning."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def walk(text: str, place: int) -> Iterator[Action]:
    """Yield the keys that move the text cursor to a place of the text."""
    line = text.count("\n", 0, place)
    yield Key(("ctrl", "home"))
    yield from press("down", line)
    yield from press("right", place - (text.rfind("\n", 0, place) + 1))


def press(chord: str, times: int) -> Iterator[Action]:
    for start in range(0, times, MAX_REPEAT):
        yield Key(tuple(chord.split("+")), min(MAX_REPEAT, times - start))


def typed(text: str) -> Iterator[Action]:
    if text.endswith("\n"):  # after the text, Enter might choose a completion; so it goes first
        yield from (Key(("enter",)), Key(("up",)))
    if text.strip():
        yield Type(text.rstrip("\n"))


async def edit(pilot: Pilot, case: Case) -> None:
    await change(pilot, case, case["edits"])


async def calculate_and_edit(pilot: Pilot, case: Case) -> None:
    """Work the value out with KAlgebra, then write it down."""
    await work_out(pilot, case["formula"])
    await leave(pilot)
    await edit(pilot, case)


def slipped(case: Case, new: str | None = None) -> Case:
    """Return the case with the wrong thing put into its place."""
    (edit,) = case["edits"]
    return misread(case, edits=[{**edit, "new": new or case["slip"]}])


async def put(pilot: Pilot, case: Case, old: str, new: str, file: str = "main.tex") -> None:
    """Change a place of a file that was to stay, and save it."""
    await change(pilot, case, [{"old": old, "new": new}], file)
