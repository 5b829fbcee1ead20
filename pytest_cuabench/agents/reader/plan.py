"""What a plan is made of: instructions that a screen can be met with, one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Press:
    """Click what carries these words; a `place` is only where the rest is done, perhaps in sight already."""

    words: str
    place: bool = False
    count: int = 1


@dataclass(frozen=True, slots=True)
class Open:
    """Click what these names stand for, in the order in which they are tried; `near` is on its row.

    To `enter` is more than to select.
    """

    names: tuple[str, ...]
    near: str | None = None
    count: int = 1
    enter: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Put:
    """Give a field a value, or choose it; without a label the words may begin with it."""

    value: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Tick all boxes of a list."""

    words: str


@dataclass(frozen=True, slots=True)
class Count:
    """Answer with how often these words stand in a list; only within the panel of `scope`, where it is given."""

    words: str | None
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Tell:
    """Answer with what is read beside labels, in a form whose … stand for values; `row` picks a table's row."""

    form: str
    labels: tuple[str, ...] = ()
    row: str | None = None
    without: str | None = None


Instruction = Press | Open | Put | Tick | Count | Tell


@dataclass(frozen=True, slots=True)
class Plan:
    """What a goal asks for.

    Attributes:
        user: The user ID to sign in with, if there is one.
        password: The password to sign in with.
        facts: Other things that the goal says are mine, such as a signature code.
        understood: Whether there is something to do: a step, or at least signing in.
    """

    user: str | None = None
    password: str | None = None
    facts: tuple[tuple[str, str], ...] = ()
    steps: tuple[Instruction, ...] = ()
    understood: bool = True

    def resolved(self, value: str) -> str:
        """Return a value, or what is meant by “your password” and the like."""
        said = value.lower().removeprefix("your ").removeprefix("the ").removeprefix("my ")
        own = {"password": self.password, "user id": self.user, **dict(self.facts)}
        if said in own:
            return own[said] or value
        mine = [what for words, what in self.facts if said in words] if said else []
        return mine[0] if value.lower().startswith(("your", "the")) and mine else value
