"""`cuabench models`: the models for computer use that the adapters know, with tools, limits and prices."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from pytest_cuabench.agents.models.known import KnownModel, known_models
from pytest_cuabench.agents.models.money import Tariff
from pytest_cuabench.task.text import columns, say

HELP = "Print the known models with their computer tools, limits and prices."
_THOUSAND = 1_000  # tokens: longer calls may cost more each
_HEADINGS = ("model", "tool", "largest picture", "US$ in / out", "status", "looked up")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="only models whose name contains this")


def run(options: argparse.Namespace) -> int:
    """Print the table."""
    rows = [row for row in _rows() if not options.names or any(name in row[0] for name in options.names)]
    say("\n".join(columns([_HEADINGS, *rows])) + "\n")
    return 0


def _rows() -> Iterator[tuple[str, ...]]:
    for model in known_models():
        for name in model.names:
            tools = [model.tool or "none", *(f"{platform}: {tool}" for platform, tool in model.tools.items())]
            picture, looked_up = str(model.picture) or "not said", model.looked_up.isoformat()
            yield name, ", ".join(tools), picture, _prices(model, name), model.status, looked_up


def _prices(model: KnownModel, name: str) -> str:
    """Return US dollars per million tokens."""
    tariff = Tariff(name, model.maker)
    prices = [tariff.cost(_THOUSAND, 0), tariff.cost(0, _THOUSAND)]
    return " / ".join(f"{price * _THOUSAND:g}" for price in prices if price is not None) or "unknown"
