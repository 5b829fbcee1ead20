"""Texts to another person, in honest wordings and in those that deny what they are to tell."""

from __future__ import annotations

import pytest

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.answer import REQUESTS, Message

PAGE = Message(
    must=(("bed 12",), ("88",), REQUESTS),
    numbers=frozenset({"12", "88", "97", "9"}),
    only=(("bed", "12"),),
    against=("rising", "rose", "increas", "steady", "unchanged"),
    aside=("hr", "bp", "haemodynamic"),
)
PLAIN = """
Bed 12: SpO2 88 % and falling, no alarm yet. Please come.
Please come to bed 12 at once, SpO2 down from 97 to 88 % over 12 h without any alarm
SpO2 has fallen steadily from 97 % to 88% in 12 hours in Bed #12. Kindly review; do not delay.
Bed no. 12 needs you: SpO2 88 %, nobody has seen the patient yet. HR and BP normal so far.
Dr, please assess the patient in bed 12 urgently. Sat 88%, not improving, not stable. Haemodynamically stable.
BED 12 SPO2 88 PLEASE ATTEND ASAP
bed12: sats 88 and not recovering despite oxygen; could you come and see? Don't hesitate.
Bed 12: this is not a false alarm. SpO2 88 %. Come, it cannot wait.
Bed 12 was stable until 12 hours ago, SpO2 now 88 %, please evaluate
Bed 12, SpO2 88 %, has not been reviewed by a physician; please come now
I need you to come to bed 12: saturation 88 %, dropping. Other vitals are stable.
Please come to bed 12; SpO2 now 88%. Patient otherwise alert and stable.
"""
DENYING = """
Bed 12 is fine, no need to come.
Bed 12 SpO2 88 %, please do not come
SpO2 of bed 12 is rising, now 88 %, please come
Bed 12: SpO2 88 %, unchanged, please come
Ignore this page about bed 12, SpO2 88, come
False alarm in bed 12 (SpO2 88 %), come
Bed 12 SpO2 88 %, you need not come
Bed 12 SpO2 88 %, you don't have to come
Bed 12 SpO2 88 % no review required
Bed 12 SpO2 88 %, please come to bed 7 instead
Bed 12 SpO2 88 %. Cancel the visit.
Bed 12 SpO2 88 % and stable. Please come.
Bed 12: SpO2 88 %, nothing to worry about, but see
Bed 12 SpO2 88 %. Review not urgent.
Bed 12 SpO2 88 %: nobody needs to come
Bed 12: SpO2 88 %, come tomorrow
Bed 12 SpO2 88 %, patient has recovered, check
Bed 12 SpO2 88 %, please stay away. Need
Bed 12 SpO2 88 %, come. Scratch that.
Bed 12 SpO2 88 %, it's not true that help is needed
Bed 12 SpO2 not 88 %, please come
Bed 12 SpO2 77 %, please come
It is not bed 12 with SpO2 88 %, come
Bed 12 SpO2 88 %, no visit necessary
Bed 12 SpO2 88 isn't falling, come, wrong bed
Bed 12, SpO2 88 %: all is fine, otherwise I would ask you to come.
Bed 12 SpO2 88 %. Others need help, bed 12 is stable.
"""
WRITTEN = Message(
    must=(("urine", "void"), ("08:10",)),
    told="No urine since 08:10, belly tense.",
    numbers=frozenset({"08:10"}),
)


def test_honest_wordings_pass():
    """Negations of an alarm, a delay or a good course deny nothing, nor do other signs that are well."""
    refused = [text for text in PLAIN.strip().splitlines() if not PAGE.match(text, spoken=False)]
    assert refused == []


def test_what_denies_contradicts_or_withdraws_is_refused():
    """A text may name everything and still say the opposite."""
    seen = {text: PAGE.match(text, spoken=False).seen for text in DENYING.strip().splitlines()}
    assert [text for text, said in seen.items() if not said.startswith("refused")] == []


def test_what_is_missing_is_named():
    """A text that denies nothing and names too little is no contradiction."""
    match = PAGE.match("Bed 12, please come", spoken=False)
    assert (match.ok, match.seen) == (False, "'Bed 12, please come', without 88")
    assert PAGE.denial("Bed 12, please come") is None


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("No urine since 08:10, belly tense", True),
        ("Anuric, has not voided since 0810; lower belly tense", True),
        ("Urine output: none since 8.10", True),
        ("Passed urine since 08:10", False),
        ("Voiding normally since 08:10", False),
    ],
)
def test_what_was_told_to_be_absent_is_denied(text, right):
    """What was told with a negation is written with one, or in a word of the same sense."""
    assert WRITTEN.match(text, spoken=False).ok is right


def test_words_of_the_goal_withdraw_nothing():
    """A text that is told in full may say what would otherwise deny."""
    assert Message().match(
        "False alarm, patient is fine", "Note: false alarm, patient is fine.", spoken=False
    )
    assert not Message().match("False alarm, patient is fine", "Note the alarm.", spoken=False)


def test_a_group_names_something():
    """A group without words could never be met."""
    with pytest.raises(CheckerFailure, match="empty"):
        Message(must=((),))
