"""Plans: sequences of instructions."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Press:
    """Click the text; a `place` is only the location of further instructions, and may be open already."""

    words: str
    place: bool = False
    count: int = 1


@dataclass(frozen=True, slots=True)
class Open:
    """Open the first of these names that is found; `near` is a text on its row.

    `enter` means to open it, not only to select it.
    """

    names: tuple[str, ...]
    near: str | None = None
    count: int = 1
    enter: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Fill:
    """Fill in or choose a value; without `label` the value may begin with it."""

    value: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class CheckAll:
    """Check all boxes of a list."""

    words: str


@dataclass(frozen=True, slots=True)
class CountEntries:
    """Answer with the number of list entries that have these words, within the panel of `scope` if given."""

    words: str | None
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class ReadValues:
    """Answer with the values of labels, in a form with … for each value; `row` selects a table's row."""

    form: str
    labels: tuple[str, ...] = ()
    row: str | None = None
    without: str | None = None


Instruction = Press | Open | Fill | CheckAll | CountEntries | ReadValues


@dataclass(frozen=True, slots=True)
class Plan:
    """The parsed goal.

    Attributes:
        user: The user ID to sign in with, if there is one.
        password: The password to sign in with.
        facts: Other facts about the user, such as a signature code.
        understood: Whether there is a step, or at least a sign-in.
    """

    user: str | None = None
    password: str | None = None
    facts: tuple[tuple[str, str], ...] = ()
    steps: tuple[Instruction, ...] = ()
    understood: bool = True

    def resolved(self, value: str) -> str:
        """Return a value, with “your password” and the like replaced."""
        said = value.lower().removeprefix("your ").removeprefix("the ").removeprefix("my ")
        own = {"password": self.password, "user id": self.user, **dict(self.facts)}
        if said in own:
            return own[said] or value
        mine = [what for words, what in self.facts if said in words] if said else []
        return mine[0] if value.lower().startswith(("your", "the")) and mine else value
