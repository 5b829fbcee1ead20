"""How a record prepares its world: the functions of its `initialize`, each with exactly the arguments it takes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Words = Annotated[str, Field(min_length=1, max_length=100_000)]
Short = Annotated[str, Field(min_length=1, max_length=2_000)]  # what is typed, or names something
GuestPath = Annotated[str, Field(pattern=r"^/[^\x00]*$", max_length=4_096)]  # within the guest
Command = (
    Annotated[str, Field(min_length=1, max_length=10_000)]
    | Annotated[tuple[Short, ...], Field(min_length=1, max_length=100)]
)


class Strict(BaseModel):
    """A table of a record in which only known keys may stand, of exactly the type that they have."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Step(Strict):
    """One item of `initialize`."""

    wait: Annotated[float, Field(ge=0, le=600)] = 0.0  # seconds; upstream sleeps, we wait for what it means


# Any machine


class Launch(Step):
    """Start a program; `«PORTLIKE»` is the port of the application's own server."""

    func: Literal["launch"]
    command: Command
    shell: bool = False


class Execute(Step):
    """Run a command to its end, whatever its exit code."""

    func: Literal["execute"]
    command: Command
    shell: bool = False


class Opt(Step):
    """Limit how deep the accessibility tree is walked."""

    func: Literal["opt"]
    depth: Annotated[int, Field(ge=1, le=1_000)]


class Touch(Step):
    """Write a file."""

    func: Literal["touch"]
    path: GuestPath
    text: str


class Append(Step):
    """Add to the end of a file."""

    func: Literal["append"]
    path: GuestPath
    content: str


class Download(Step):
    """Fetch a file from the network."""

    func: Literal["download"]
    url: Annotated[str, Field(pattern=r"^https?://")]
    path: GuestPath


# KAlgebra


class Tab(Step):
    """Show a tab: console, 2D, 3D or dictionary."""

    func: Literal["tab"]
    index: Annotated[int, Field(ge=0, le=3)]


class Plot(Step):
    """Plot a curve or a surface."""

    func: Literal["func_2d", "func_3d"]
    expr: Short


# GRASS


class Map(Step):
    """Go to a mapset."""

    func: Literal["map"]
    grassdb: GuestPath
    location: Short
    mapset: Short


class Query(Strict):
    """How a map is found in the catalogue of maps."""

    name: Short


class Layer(Step):
    """Add a map to the display."""

    func: Literal["layer"]
    query: Query


class Scale(Step):
    """Set the scale of the display to 1 in so many."""

    func: Literal["scale"]
    scale: Annotated[float, Field(gt=0)]


class Cmd(Step):
    """Take the console away."""

    func: Literal["cmd"]


# ChimeraX; the same through the guest's own server for the tasks of other applications


class ClearLog(Step):
    """Empty the log."""

    func: Literal["clear_log", "chimerax_clear_log"]


class Open(Step):
    """Open a structure."""

    func: Literal["open", "chimerax_open"]
    name: Short


class Turn(Step):
    """Turn the view by degrees."""

    func: Literal["turn", "chimerax_turn"]
    axis: Literal["x", "y", "z"]
    angle: float


class AlphafoldMatch(Step):
    """Fetch a predicted structure."""

    func: Literal["alphafold_match"]
    name: Short


class Color(Step):
    """Colour the model."""

    func: Literal["color"]
    style: Short


class Destroy(Step):
    """Take the command line away, so that only the graphical interface is left."""

    func: Literal["destroy"]


# Lean


class Import(Step):
    """Import libraries, or open namespaces."""

    func: Literal["import", "open"]
    libs: Annotated[tuple[Words, ...], Field(min_length=1)]


class Statement(Step):
    """Define something, or state what is to be proved."""

    func: Literal["def", "query"]
    expr: Words


_COMMON: tuple[type[Step], ...] = (Launch, Execute, Opt, Touch, Append, Download)
_PROXIED: tuple[type[Step], ...] = (ClearLog, Open, Turn)
STEPS: dict[str, tuple[type[Step], ...]] = {
    "Celestia": _COMMON,
    "ChimeraX": (*_COMMON, *_PROXIED, AlphafoldMatch, Color, Destroy),
    "GrassGIS": (*_COMMON, Map, Layer, Scale, Cmd),
    "KAlgebra": (*_COMMON, Tab, Plot),
    "Lean": (*_COMMON, Import, Statement),
    "TeXstudio": (*_COMMON, *_PROXIED),
}


def functions(application: str) -> dict[str, type[Step]]:
    """Return the functions that the records of an application may call, with their arguments."""
    found: dict[str, type[Step]] = {}
    for model in STEPS[application]:
        for name in _names(model.model_fields["func"].annotation):
            if name.startswith("chimerax_") == (application == "TeXstudio") or model not in _PROXIED:
                found[name] = model
    return found


def _names(annotation: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = annotation.__args__
    return names
