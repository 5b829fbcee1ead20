"""Typed answers: strict about the meaning, lenient about the form (docs/answers.md).

A specification matches the *whole* answer and ignores only its form: `six (6)`, `−900 mL`, `15 July 1958` and
`Lopez, Maria` are accepted; an answer with a second number, a negation, a hedge or any word that the question does not
ask for is rejected. `match` never raises, and says in one sentence how it understood the answer.

    >>> Number(7, words=("patients", "waiting")).match("There are seven patients waiting.")
    Match(ok=True, seen='7')
    >>> Number(7, words=("patients", "waiting")).match("7 patients have been seen")
    Match(ok=False, seen="refused: the answer also says 'seen', which the question does not ask")
"""

from __future__ import annotations

from pytest_cuabench.task.answer.date import DateAnswer
from pytest_cuabench.task.answer.exact import Exact
from pytest_cuabench.task.answer.fields import Fields
from pytest_cuabench.task.answer.message import REQUESTS, Message
from pytest_cuabench.task.answer.name import Choice, Entity, EntitySet, Text
from pytest_cuabench.task.answer.number import BloodPressure, Number
from pytest_cuabench.task.answer.spec import Match, Spec
from pytest_cuabench.task.answer.yesno import YesNo

__all__ = [
    "REQUESTS",
    "BloodPressure",
    "Choice",
    "DateAnswer",
    "Entity",
    "EntitySet",
    "Exact",
    "Fields",
    "Match",
    "Message",
    "Number",
    "Spec",
    "Text",
    "YesNo",
]
