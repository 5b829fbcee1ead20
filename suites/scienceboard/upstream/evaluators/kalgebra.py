"""KAlgebra: variables, and plots that are known by the points they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..items import Eqn, Val, Var, describe
from .finding import Finding

TOLERANCE = 1e-6
_LOOK = ("color", "res", "style")
UNDEFINED = "#UNDEF"
UNREAD = "unread"  # of a plot: what it draws is not understood, so that its points are not known


def val(item: Val, variables: Mapping[str, Any]) -> Finding:
    """Return whether a variable is a number within 1e-6 of the value."""
    text = variables.get(item.key)
    try:
        reached = abs(float(text) - item.value) <= TOLERANCE  # type: ignore[arg-type]  # false where it is no number
    except (TypeError, ValueError, OverflowError):
        reached = False
    return Finding(reached, f"{item.key} = {item.value}", describe(text))


def var(item: Var, variables: Mapping[str, Any]) -> Finding:
    """Return whether a variable is printed exactly so, or does not exist where that is demanded."""
    text = variables.get(item.key)
    reached = item.key not in variables if item.value == UNDEFINED else text == item.value
    return Finding(reached, f"{item.key} = {item.value}", describe(text))


def eqn(item: Eqn, plots: Any) -> Finding:
    """Return whether some plot fits every entry of the value, or whether there are so many plots in the plane."""
    if item.key == "#SIZE":
        return Finding(len(plots) == item.value, f"{item.value} plots", str(len(plots)))
    assert isinstance(item.value, dict)
    found = plots if isinstance(plots, list) else [plots]
    fitting = [_fit(item.value, plot) for plot in found if isinstance(plot, dict)]
    best = max(fitting, default=0)
    unread = any(_may_fit(item.value, plot) for plot in found if isinstance(plot, dict))
    return Finding(
        best == len(item.value),
        f"a plot with {len(item.value)} of these properties",
        _told(found, best),
        unread and best < len(item.value),
    )


def _may_fit(wanted: Mapping[str, Any], plot: Mapping[str, Any]) -> bool:
    """Whether a plot has the wanted look, and nobody knows its points."""
    return UNREAD in plot and all(plot.get(name) == wanted[name] for name in _LOOK if name in wanted)


def _fit(wanted: Mapping[str, Any], plot: Mapping[str, Any]) -> int:
    """Return how many entries a plot fits; one that it does not have fits nothing."""
    return sum(name in plot and plot[name] == value for name, value in wanted.items())


def _told(plots: Sequence[Any], best: int) -> str:
    names = [str(plot.get("expr", "?")) for plot in plots if isinstance(plot, dict) and plot]
    return f"{describe(', '.join(names))}: at best {best} of them" if names else "no plot"
