"""Phases: what is played before a task's own episode, each in an environment of its own, and what it hands on.

`[[phases]]` of `suite.toml` declares them (`schema.py`). The functions of a phase are in one module of the suite
and have fixed names; `case` is the task's, with its goal as `goal` and its `[reference]` as `url`, `as_well`, `query`
and `steps`:

    def check(evidence, case) -> Findings        whether the phase reached its end; never part of the task's verdict
    def measure(evidence, case) -> dict          its metrics, by name: numbers and words
    def named(evidence, case) -> str | None      the document that is handed on, by its name in the phase's world
    def expected(case) -> str                    the document that it should be
    async def solve(pilot, case)                 the reference solution
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_cuabench.task.names import did_you_mean

if TYPE_CHECKING:
    from pytest_cuabench.task.functions import Functions

Metric = float | str
_LONGEST = 40_000  # characters of a document
_LARGEST = 1024 * 1024  # bytes of a picture
MOST_PICTURES = 8
SIGNATURES: Mapping[str, tuple[str, ...]] = {
    "check": ("evidence", "case"),
    "measure": ("evidence", "case"),
    "named": ("evidence", "case"),
    "expected": ("case",),
    "solve": ("pilot", "case"),
}


@dataclass(frozen=True, slots=True)
class Reference:
    """Where the steps of a task are told.

    Attributes:
        url: The document that tells them.
        query: What somebody who looks for it would ask.
        steps: The steps in words, in their order.
        beyond: Why somebody knows what the solution types and neither goal nor document has, by patterns of its words.
        as_well: Further documents that tell the steps as well.
    """

    url: str
    query: str
    steps: tuple[str, ...]
    beyond: Mapping[str, str] = field(default_factory=dict)
    as_well: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that a phase hands on.

    Attributes:
        name: Its name in the phase's world, such as its URL.
        pictures: PNG files of what is pictured in it.
        page: PNG file of the whole document as a person sees it; it is recorded, and not given to the agent.
    """

    name: str
    title: str
    text: str
    html: str = ""
    pictures: tuple[bytes, ...] = ()
    page: bytes = b""

    @property
    def told(self) -> str:
        """The text that an agent is given, at most 40,000 characters of it."""
        cut = f"\n(cut after {_LONGEST:,} characters)" if len(self.text) > _LONGEST else ""
        return f"{self.title}\n{self.name}\n\n{self.text[:_LONGEST]}{cut}"

    @property
    def shown(self) -> tuple[bytes, ...]:
        """The pictures that an agent is given: the first eight that are no larger than 1 MiB."""
        return tuple(picture for picture in self.pictures if len(picture) <= _LARGEST)[:MOST_PICTURES]


def faults(functions: Functions) -> Iterator[str]:
    """Yield what is wrong with the names and signatures of a phase's module, with the file and line."""
    for name, parameters in SIGNATURES.items():
        if name not in functions:
            near = did_you_mean(name, functions.defined)
            yield f"{functions.file}: def {name}({', '.join(parameters)}) is missing{near}"
        yield from functions.signature_faults(name, parameters)
