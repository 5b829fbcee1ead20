"""How models phrase their answers: the table of phrasings, its page, and mixtures of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from breadth import some
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pytest_cuabench.task.answer.speech import unwrap

SCRIPT = Path(__file__).parents[2] / "scripts" / "answer_phrasings.py"

steady = settings(
    max_examples=200,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def load() -> Any:
    """Import the script that holds the types and writes the page."""
    spec = spec_from_file_location("answer_phrasings", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


table = load()
NAMES = sorted(table.TYPES)
TAILS = {"Negations", "Corrections", "Second candidates", "Hedges and doubts", "Further claims"}


def rows(verdict: str) -> list[dict[str, Any]]:
    """Return the phrasings of the table that have a verdict."""
    return [row for group in table.TABLE["group"] if group["verdict"] == verdict for row in group["rows"]]


ACCEPTED = rows("accepted")
AROUND = [row["say"] for row in ACCEPTED if not row.get("but")]
CONTAINERS = [
    row["say"]
    for group in table.TABLE["group"]
    if group["title"] == "Marks and containers"
    for row in group["rows"]
    if not row.get("but") and not row["say"][0].isalpha()
]
INLINE = [pattern for pattern in CONTAINERS if "\n" not in pattern and "answer is" not in pattern]
PLAIN = [pattern for pattern in INLINE if '"' not in pattern]
BLOCKS = ["{right}", "```\n{right}\n```", "<answer>\n{right}\n</answer>"]
SENTENCES = [
    "{right}",
    "The answer is:\n{right}",
    "Done.\n{right}",
    "I have completed the task.\n{right}",
    "{right}\nDone.",
]
BEHIND = [
    row["say"].removeprefix("{right}")
    for group in table.TABLE["group"]
    if group["title"] in TAILS
    for row in group["rows"]
    if row["say"].startswith("{right}") and len(row["say"]) > len("{right}")
]


def match(name: str, text: str) -> Any:
    """Judge a text as an answer of a type."""
    return table.TYPES[name].spec.match(text, table.TYPES[name].goal)


def test_the_table_is_long() -> None:
    """There are at least 120 phrasings for every type."""
    assert len(rows("accepted") + rows("refused")) >= 120


@pytest.mark.parametrize("name", NAMES)
def test_every_phrasing_is_judged_as_the_table_says(name: str) -> None:
    """Each phrasing of the right value is accepted or refused as declared."""
    judged = [(each, match(name, each.say)) for each in table.phrasings() if each.type == name]

    assert [(each.say, found.seen) for each, found in judged if found.ok is not each.accepted] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_value_is_wrong_in_every_wrapping(name: str) -> None:
    """No accepted phrasing makes a wrong value right."""
    said = [text for type_, text in table.wrong_in_every_wrapping() if type_ == name]

    assert [text for text in said if match(name, text).ok] == []


def test_the_page_is_up_to_date() -> None:
    """docs/answers.md is what `scripts/answer-phrasings` writes."""
    assert table.PAGE.read_text(encoding="utf-8") == table.text(), "run scripts/answer-phrasings"


names = st.sampled_from(NAMES)
wrappings = st.lists(st.sampled_from(AROUND), min_size=1, max_size=3)


def wrapped(value: str, patterns: list[str]) -> str:
    """Return a value in several wrappings, one within the other."""
    for pattern in patterns:
        value = pattern.replace("{right}", value)
    return value


@steady
@given(
    names,
    st.sampled_from(INLINE),
    st.lists(st.sampled_from(PLAIN), max_size=3),
    st.sampled_from(BLOCKS),
    st.sampled_from(SENTENCES),
)
def test_wrappers_nest(name: str, inner: str, outer: list[str], block: str, sentence: str) -> None:
    """A right value in containers within containers, also the same one twice, and in a sentence, is accepted."""
    assume('{"' not in inner or not any("\\" in pattern for pattern in outer))  # braces in LaTeX's braces
    said = wrapped(table.TYPES[name].right, [inner, *outer, block, sentence])

    assert match(name, said).ok, said


@steady
@given(st.lists(st.sampled_from(AROUND), max_size=3), st.text(max_size=20))
def test_unwrapping_twice_is_unwrapping_once(patterns: list[str], text: str) -> None:
    """What is unwrapped has no wrapper left."""
    once = unwrap(wrapped(text, patterns))

    assert unwrap(once) == once


@steady
@given(names, wrappings)
def test_a_wrong_value_is_wrong_in_mixed_wrappings(name: str, patterns: list[str]) -> None:
    """A wrong value in wrappings within wrappings stays wrong."""
    assert not match(name, wrapped(table.TYPES[name].wrong, patterns)).ok


@steady
@given(names, st.sampled_from(AROUND), st.sampled_from(BEHIND))
def test_a_refused_tail_is_refused_in_every_wrapping(name: str, pattern: str, tail: str) -> None:
    """The right value with a negation, correction, candidate, hedge or claim behind it is refused, however wrapped."""
    type_ = table.TYPES[name]
    said = wrapped(
        type_.right + tail.replace("{right}", type_.right).replace("{wrong}", type_.wrong), [pattern]
    )

    assert not match(name, said).ok, said
    assert not match(name, wrapped(type_.right, [pattern]) + tail.replace("{wrong}", type_.wrong)).ok


HOSTILE = {
    "a megabyte": "9" * 1_000_000,
    "a megabyte of words": "the answer is " * 80_000,
    "nested tags": "<answer>" * 10_000 + "9" + "</answer>" * 10_000,
    "nested tags that fit": "<answer>" * 100 + "9" + "</answer>" * 100,
    "nested boxes": "\\boxed{" * 220 + "9" + "}" * 220,
    "nested JSON": '{"answer":' * 150 + "9" + "}" * 150,
    "nested lists": "[" * 999 + "]" * 999,
    "unclosed JSON": '{"answer":' * 190,
    "fences": "```\n" * 480,
    "emphasis": "**" * 990,
    "underscores": "_a" * 990,
    "dollars": "$a" * 990,
    "bullets": "- " * 990,
    "seams": ". " * 990,
    "headings": "# " * 990,
    "bullets on lines": "- \n" * 660,
    "chatter": "Done. " * 330,
    "leads": "The answer is " * 140,
    "a long number": "9" * 1990,
    "a long fraction": "0." + "9" * 1990,
    "an exponent": "1e" + "9" * 1000,
    "a JSON exponent": '{"answer": 1e99999999}',
    "surrogates": "\ud800" * 900,
    "overlays": "9" + "\u0336" * 1900,
    "accents": "e" + "\u0301" * 1900,
    "zero width": "\u200b" * 1999,
    "backslashes": "\\" * 1999,
    "quotes": '"' * 1999,
}


@pytest.mark.parametrize("text", some(HOSTILE.values()), ids=HOSTILE.keys())
def test_hostile_answers_are_judged(
    text: str, at_work_for_seconds: Callable[[float], AbstractContextManager[None]]
) -> None:
    """Size, nesting and repetition lead to a verdict of one bounded sentence in bounded time, for every type."""
    with at_work_for_seconds(60):
        for name in NAMES:
            assert len(match(name, text).seen) < 2500


@pytest.mark.parametrize("junk", [9, 9.0, True, b"9", ["9"], {"answer": 9}, object()], ids=range(7))
def test_what_is_no_text_is_refused(junk: Any) -> None:
    """An answer that is no string is refused, whatever it is equal to."""
    assert not any(match(name, junk).ok for name in NAMES)


@steady
@given(
    st.lists(
        st.sampled_from(
            [*"<>/{}[]\\$*_`~#-–.:!\"' \n", "answer", "\\boxed{", "```", "9", "no", "Done.", "</answer>"]
        ),
        max_size=400,
    ).map("".join)
)
def test_no_mixture_of_marks_breaks_a_type(text: str) -> None:
    """Any mixture of marks and wrappers gets a verdict."""
    for name in NAMES:
        match(name, text)
