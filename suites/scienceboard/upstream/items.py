"""How a record is judged: the items of its `evaluate`, each with exactly the arguments it takes."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Literal

import regex
from pydantic import AfterValidator, Field, JsonValue, model_validator

from .lambda_work import shortened
from .lambdas import Forbidden, expression
from .steps import GuestPath, Strict, Words


def _of(parameters: tuple[int, ...]) -> AfterValidator:
    """Return a validator of lambdas that take so many values."""

    def check(source: str) -> str:
        try:
            found = len(expression(source).parameters)
        except Forbidden as error:
            raise ValueError(f"{error}, in {source[:80]!r}") from None
        if found not in parameters:
            raise ValueError(f"the lambda takes {found} values, not {' or '.join(map(str, parameters))}")
        return source

    return AfterValidator(check)


_BRACE = re.compile(r"\\.|\{(?:(\d{1,6}),?(\d{0,6})\}|(,\d{1,6}\}))?", re.DOTALL)
_REPEATED = 1_000  # times, all counts of a pattern multiplied


def _pattern(source: str) -> str:
    """Refuse what is no pattern, and counts that make one large: they are multiplied while it is compiled."""
    times = 1
    for found in _BRACE.finditer(source):
        if found[0] == "{":
            raise ValueError("a brace that is no count is written \\{")
        counts = [int(digits) for digits in re.findall(r"\d+", found[0])] if found[0].startswith("{") else []
        times *= max([1, *counts])
    if times > _REPEATED:
        raise ValueError(f"the pattern repeats something more than {_REPEATED} times")
    try:
        re.compile(source)
        regex.compile(source)
    except (re.error, regex.error, RecursionError, OverflowError) as error:
        raise ValueError(f"this is no regular expression: {error}") from None
    return source


def _real(number: int | float) -> int | float:
    """Refuse what no calculator shows: infinities, and whole numbers that no float holds."""
    try:
        finite = math.isfinite(number)
    except OverflowError:
        finite = False
    if not finite:
        raise ValueError("this is no number of a calculator")
    return number


def is_lambda(text: str) -> bool:
    """Return whether a text of a record means a lambda."""
    return text.lstrip().startswith("lambda")


def _literal_or(parameters: tuple[int, ...]) -> AfterValidator:
    check = _of(parameters)

    def choose(text: str) -> str:
        return check.func(text) if is_lambda(text) else text  # type: ignore[call-arg]

    return AfterValidator(choose)


OfOne = Annotated[Words, _of((1,))]
OfTwo = Annotated[Words, _of((2,))]
Pattern = Annotated[str, Field(min_length=1, max_length=1_000), AfterValidator(_pattern)]
Real = Annotated[int | float, AfterValidator(_real)]


class Stop(Strict):
    """The episode must have ended with exactly this."""

    type: Literal["stop"]
    value: Literal["DONE", "FAIL", "ANS", "TIMEOUT"]
    args: tuple[str, ...] = ()


class Info(Strict):
    """Celestia, GRASS: a value found in a dump of the application, compared."""

    type: Literal["info"]
    key: OfOne
    value: JsonValue
    pred: OfTwo | None = None


class Db(Strict):
    """GRASS: a value found in what a module printed, compared."""

    type: Literal["db"]
    cmd: Words
    kwargs: dict[str, str]
    key: OfOne
    value: JsonValue
    pred: OfTwo | None = None


class ChimeraInfo(Strict):
    """ChimeraX: what the command `info` notes, as a set."""

    type: Literal["info"]
    key: Words
    value: tuple[str, ...]


class States(Strict):
    """ChimeraX: a value found in the flattened state of the session."""

    type: Literal["states"]
    find: OfTwo | None = None
    key: Annotated[Words, _literal_or((1, 2))]
    pattern: Pattern | None = None
    value: JsonValue = None

    @model_validator(mode="after")
    def _one_of_both(self) -> States:
        if ("pattern" in self.model_fields_set) == ("value" in self.model_fields_set):
            raise ValueError("states takes either a pattern or a value")
        return self


class Contains(Strict):
    """ChimeraX: a file that exists and holds a text."""

    type: Literal["file"]
    key: GuestPath
    value: Annotated[Words, _literal_or((0,))]


class Val(Strict):
    """KAlgebra: a variable is this number, to 1e-6."""

    type: Literal["val"]
    key: Words
    value: Real


class Var(Strict):
    """KAlgebra: a variable is printed so, or `#UNDEF`: it does not exist."""

    type: Literal["var"]
    key: Words
    value: str


Coordinates = Annotated[tuple[Real, ...], Field(min_length=2, max_length=3)]


class Eqn(Strict):
    """KAlgebra: some plot holds exactly these of the points, and is of this look; or `#SIZE`, their number."""

    type: Literal["eqn"]
    key: Literal["#SIZE"] | Annotated[tuple[Coordinates, ...], Field(min_length=1, max_length=1_000)]
    value: int | dict[str, bool | Real | str]

    @model_validator(mode="after")
    def _number_or_points(self) -> Eqn:
        if (self.key == "#SIZE") != isinstance(self.value, int):
            raise ValueError("the value of #SIZE is a number, that of points says which of them belong")
        if len({len(point) for point in self.key}) != 1 and self.key != "#SIZE":
            raise ValueError("all points have as many coordinates")
        return self


class Placeholder(Strict):
    """Lean: the statement is proved."""

    type: Literal["placeholder"]


class Edited(Strict):
    """TeXstudio: a file is what it began as, with one text for another, to the last character."""

    type: Literal["file"]
    path: GuestPath
    source: str = ""
    target: str = ""


class Include(Strict):
    """TeXstudio: something in a file fits a pattern."""

    type: Literal["include"]
    path: GuestPath
    pattern: Pattern


class Compile(Strict):
    """TeXstudio: the document compiles."""

    type: Literal["compile"]
    path: GuestPath
    file: Annotated[Words, Field(pattern=r"^[\w.-]+$")]


Item = (
    Stop
    | Info
    | Db
    | ChimeraInfo
    | States
    | Contains
    | Val
    | Var
    | Eqn
    | Placeholder
    | Edited
    | Include
    | Compile
)

ITEMS: dict[str, dict[str, type[Item]]] = {
    "Celestia": {"stop": Stop, "info": Info},
    "ChimeraX": {"stop": Stop, "info": ChimeraInfo, "states": States, "file": Contains},
    "GrassGIS": {"stop": Stop, "info": Info, "db": Db},
    "KAlgebra": {"stop": Stop, "val": Val, "var": Var, "eqn": Eqn},
    "Lean": {"stop": Stop, "placeholder": Placeholder},
    "TeXstudio": {"stop": Stop, "file": Edited, "include": Include, "compile": Compile},
}


def describe(value: Any, limit: int = 160) -> str:
    """Return a value of a world as a short text for a person."""
    if not isinstance(value, str):
        return shortened(value, limit)
    return value if len(value) <= limit else f"{value[: limit - 1]}…"
