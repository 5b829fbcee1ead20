"""Fallback of the HTML report without scripts: headline, matrix and all instances as plain tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from pytest_cuabench.reporting.figures import Rate, percent
from pytest_cuabench.task.text import short

_COLUMNS = ("instance", "outcome", "difficulty", "score", "reward", "steps", "time", "why")


def static(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the markup, with every text escaped."""
    for number, run in enumerate(data["runs"]):
        yield f"<h1>{_text(run['name'])}</h1>\n<p>{_headline(run)}</p>\n"
        yield "<p>Scripts are blocked: this page shows tables only, without the steps of episodes.</p>\n"
        yield from _table("Success by domain and difficulty", *_matrix(run))
        yield from _table("Instances", _COLUMNS, _instances(data["instances"], number))


def _headline(run: Mapping[str, Any]) -> str:
    if run["imported"]:
        return "Imported: another program recorded this; it was not played or judged here, and no figure counts it."
    rate = _rate(run["rate"])
    ungraded = sum(run["outcomes"].values()) - rate.graded
    words = f"{rate.successes} of {rate.graded} graded instances succeeded: {percent(rate)}, 95 % Wilson interval."
    return words + (f" {ungraded} could not be graded and are excluded." if ungraded else "")


def _matrix(run: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    rows = run["matrix"]["domain"]
    columns = list(rows[0]["cells"])
    return ["domain", *columns], [
        [row["name"], *(_cell(_rate(row["cells"][column])) for column in columns)] for row in rows
    ]


def _cell(rate: Rate) -> str:
    return f"{rate.successes}/{rate.graded} · {percent(rate)}" if rate.graded else "–"


def _rate(value: Mapping[str, Any]) -> Rate:
    return Rate(value["k"], value["n"], value["low"], value["high"])


def _instances(instances: Sequence[Mapping[str, Any]], run: int) -> Iterator[list[str]]:
    for instance in instances:
        if (result := instance["played"][run]) is not None:
            verdict = [_number(result[name]) for name in ("score", "reward")]
            effort = [str(result["steps"]), f"{result['seconds']:.1f} s"]
            why = "" if result["outcome"] == "success" else result["reason"]
            yield [instance["id"], result["outcome"], instance["difficulty"], *verdict, *effort, why]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _table(title: str, columns: Sequence[str], rows: Iterator[list[str]] | list[list[str]]) -> Iterator[str]:
    yield f'<h2>{_text(title)}</h2>\n<div class="scroll" role="group" aria-label="{_text(title)}" tabindex="0">'
    yield '<table class="plain"><thead><tr>'
    yield "".join(f'<th scope="col">{_text(column)}</th>' for column in columns)
    yield "</tr></thead><tbody>\n"
    for row in rows:
        yield f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>\n"
    yield "</tbody></table></div>\n"


def _text(text: str) -> str:
    return escape(short(text, 300))
