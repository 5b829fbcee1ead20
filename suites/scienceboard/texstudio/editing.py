"""What hands do in TeXstudio: walk to a place by arrow keys, change what is different, save.

Escape is never pressed: with nothing to close, TeXstudio may answer it with a joke in a dialog. So the search panel
is left alone, which only Escape leaves, and the list of completions is closed by saving.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pytest_cuabench.action import MAX_REPEAT, Action, Key, Type
from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case


async def show(hand: Hand, file: str) -> None:
    """Bring an open file to the front."""
    await hand.click(f'page-tab[name="{file}"]')


async def replace(hand: Hand, case: Case, file: str, old: str, new: str) -> None:
    """Change a text that stands once in the file in front, no more of it than needed."""
    before = case["texts"][file]
    assert before.count(old) == 1, f"{old!r} stands {before.count(old)} times in {file}"
    same = _alike(old, new)
    behind = _alike(old[same:][::-1], new[same:][::-1])
    gone, put = old[same : len(old) - behind], new[same : len(new) - behind]
    actions = [*_walk(before, before.index(old) + same), *_press("delete", len(gone)), *_typed(put)]
    await hand.act(*actions, thought=f"Put {new!r} in place of {old!r}")


async def change(
    hand: Hand, case: Case, edits: Iterable[Mapping[str, Any]], file: str = "main.tex", *, saved: bool = True
) -> None:
    """Make edits in a file, from its end to its beginning, so that no edit moves the place of another."""
    await show(hand, file)
    for edit in sorted(edits, key=lambda edit: case["texts"][file].index(edit["old"]), reverse=True):
        await replace(hand, case, file, edit["old"], edit["new"])
        if saved:
            await save(hand)


async def add_below(hand: Hand, case: Case, file: str, anchor: str, line: str) -> None:
    """Add a line below the one of the file in front that holds a text."""
    place = _walk(case["texts"][file], case["texts"][file].index(anchor))
    await hand.act(*place, Key(("end",)), Key(("enter",)), *_typed(line), thought=f"Add {line}")


async def copy(hand: Hand, case: Case, file: str, lines: str) -> None:
    """Copy whole lines of the file in front."""
    place = _walk(case["texts"][file], case["texts"][file].index(lines))
    chosen = (*_press("shift+down", lines.count("\n")), Key(("shift", "end")))
    await hand.act(*place, *chosen, Key(("ctrl", "c")), thought="Copy")


async def paste_at_end(hand: Hand) -> None:
    """Add what was copied to the file in front, on lines of its own."""
    await hand.act(Key(("ctrl", "end")), Key(("enter",)), Key(("ctrl", "v")), thought="Paste")


async def save(hand: Hand) -> None:
    """Save the file in front."""
    await hand.press("ctrl+s")


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts share at their beginning."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _walk(text: str, place: int) -> Iterator[Action]:
    """Yield the keys that move the text cursor to a place of the text."""
    line = text.count("\n", 0, place)
    yield Key(("ctrl", "home"))
    yield from _press("down", line)
    yield from _press("right", place - (text.rfind("\n", 0, place) + 1))


def _press(chord: str, times: int) -> Iterator[Action]:
    for start in range(0, times, MAX_REPEAT):
        yield Key(tuple(chord.split("+")), min(MAX_REPEAT, times - start))


def _typed(text: str) -> Iterator[Action]:
    if text.endswith("\n"):  # after the text, Enter might choose a completion; so it goes first
        yield from (Key(("enter",)), Key(("up",)))
    if text.strip():
        yield Type(text.rstrip("\n"))
