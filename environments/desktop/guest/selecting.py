"""Selectors of nodes: `dialog[name^="Save"] >> push-button[name="OK"]:nth(0)@0.5,0.25`.

A step is a role (`*` for any), then any of `[name="..."]`, `:state`, `:hidden`, `:nth(0)`. Steps joined by `>>`
match descendants. A point after the last step is a fraction of the box, for maps and canvases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from guest.errors import BadRequest, Missing
from guest.nodes import STATES, Box, Node

_STEP = re.compile(r"(?P<role>\*|[a-z][a-z-]*)")
_ATTRIBUTE = re.compile(r'\[(?P<name>name|value|description)(?P<test>[\^*$]?=)"(?P<text>(?:[^"\\]|\\.)*)"\]')
_PSEUDO = re.compile(r":(?P<word>[a-z-]+)(?:\((?P<number>\d+)\))?")
_POINT = re.compile(r"@(?P<x>\d*\.?\d+),(?P<y>\d*\.?\d+)$")
_LONGEST = 1000  # characters
_TESTS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda have, want: have == want,
    "^=": lambda have, want: have.startswith(want),
    "*=": lambda have, want: want in have,
    "$=": lambda have, want: have.endswith(want),
}


@dataclass(slots=True)
class Step:
    """One step of a selector."""

    role: str
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    hidden: bool = False
    nth: int | None = None

    def fits(self, node: Node) -> bool:
        """Whether a node matches the step, ignoring its index."""
        return (
            self.role in ("*", node.role)
            and (self.hidden or ("showing" in node.states and node.box is not None))
            and all(state in node.states for state in self.states)
            and all(_TESTS[test](getattr(node, name), text) for name, test, text in self.attributes)
        )


@dataclass(frozen=True, slots=True)
class Selector:
    """A parsed selector; `point` is a point within the box, as fractions."""

    text: str
    steps: tuple[Step, ...]
    point: tuple[float, float] | None

    @property
    def hidden(self) -> bool:
        """Whether hidden nodes are searched as well."""
        return any(step.hidden for step in self.steps)

    def all(self, nodes: list[Node]) -> list[Node]:
        """Return the matching nodes in reading order."""
        found = _numbered(self.steps[0], nodes)
        for step in self.steps[1:]:
            below = {id(node) for top in found for node in _below(top)}
            found = _numbered(step, [node for node in nodes if id(node) in below])
        return found

    def one(self, nodes: list[Node]) -> Node | None:
        """Return the matching node, or None.

        Raises:
            Missing: Several nodes match; the message names them.
        """
        found = self.all(nodes)
        if len(found) > 1:
            names = ", ".join(f"{node.role} {node.name[:40]!r}" for node in found[:5])
            raise Missing(f"{self.text!r} fits {len(found)} nodes ({names}); say more, or add :nth(0)")
        return found[0] if found else None

    def box(self, node: Node) -> Box | None:
        """Return the node's box, or the pixel of the selector's point."""
        if self.point is None or node.box is None:
            return node.box
        x, y, width, height = node.box
        right, down = (int(share * size) for share, size in zip(self.point, (width, height), strict=True))
        return x + min(right, width - 1), y + min(down, height - 1), 1, 1


def parse(text: str) -> Selector:
    """Parse a selector.

    Raises:
        BadRequest: It is malformed; the message says where.
    """
    if len(text) > _LONGEST:
        raise BadRequest(f"a selector has at most {_LONGEST} characters, this one has {len(text)}")
    rest, point = text.strip(), None
    if match := _POINT.search(rest):
        point = (float(match["x"]), float(match["y"]))
        rest = rest[: match.start()]
        if max(point) > 1:
            raise BadRequest(f"selector {text!r}: a point lies within 0 and 1, for example @0.5,0.25")
    steps = []
    while True:
        step, rest = _step(rest.lstrip(), text)
        steps.append(step)
        rest = rest.lstrip()
        if not rest:
            return Selector(text, tuple(steps), point)
        if not rest.startswith(">>"):
            raise _malformed(text, rest)
        rest = rest[2:]


def _step(rest: str, whole: str) -> tuple[Step, str]:
    match = _STEP.match(rest)
    if match is None:
        raise _malformed(whole, rest)
    step, rest = Step(match["role"]), rest[match.end() :]
    while rest.startswith(("[", ":")):
        if match := _ATTRIBUTE.match(rest):
            step.attributes.append((match["name"], match["test"], re.sub(r"\\(.)", r"\1", match["text"])))
        elif match := _PSEUDO.match(rest):
            _pseudo(step, match["word"], match["number"], whole)
        else:
            raise _malformed(whole, rest)
        rest = rest[match.end() :]
    return step, rest


def _pseudo(step: Step, word: str, number: str | None, whole: str) -> None:
    if word == "nth" and number is not None:
        step.nth = int(number)
    elif word == "hidden" and number is None:
        step.hidden = True
    elif word in STATES and number is None:
        step.states.append(word)
    else:
        raise BadRequest(f"selector {whole!r}: unknown :{word}; known: :nth(0), :hidden and AT-SPI's states")


def _malformed(whole: str, rest: str) -> BadRequest:
    example = 'push-button[name="OK"]:focused'
    return BadRequest(f"selector {whole!r} is malformed at {rest[:20]!r}; write it like {example}")


def _numbered(step: Step, nodes: Iterable[Node]) -> list[Node]:
    found = [node for node in nodes if step.fits(node)]
    return found if step.nth is None else found[step.nth : step.nth + 1]


def _below(top: Node) -> Iterable[Node]:
    for child in top.children:
        yield child
        yield from _below(child)
