"""Charts of reports, as shapes of an SVG: bars, lines, slices, a funnel or points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from salesforce_org.pages.lists.drawing import COLORS, slice_of
from salesforce_org.reports.definition import Report, Summary
from salesforce_org.reports.running import Figure, Group, Run

MOST = 15
WIDTH, HEIGHT = 640.0, 260.0
_ROUND = ("Donut", "Pie", "Funnel")


@dataclass(frozen=True, slots=True)
class Shape:
    """One piece of a chart: an SVG element with its attributes, and what it stands for."""

    tag: str
    attributes: dict[str, str]
    color: int
    title: str


@dataclass(frozen=True, slots=True)
class Text:
    """A word in a chart."""

    x: float
    y: float
    words: str
    anchor: str = "start"


@dataclass(frozen=True)
class Drawing:
    """A chart that is ready to be shown."""

    title: str
    axes: tuple[str, str]
    width: float
    height: float
    shapes: list[Shape] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    legend: list[tuple[int, str]] = field(default_factory=list)
    legend_below: bool = False


@dataclass(frozen=True, slots=True)
class _Bar:
    """A group with its figure, and the parts of it where a chart is stacked."""

    label: str
    value: float
    text: str
    parts: tuple[tuple[str, float, str], ...] = ()


def drawn(run: Run, told: dict[str, Any], kind: str = "") -> Drawing | None:
    """Return a report's chart; None where there is nothing to draw.

    Args:
        told: The chart's properties, as metadata has them.
        kind: The chart's type, where it is not the one that they name.
    """
    report, chart_type = run.report, kind or str(told["chartType"])
    figure = charted(report, told)
    place = next(
        (n for n, one in enumerate(report.groupings) if one.column.key == told.get("groupingColumn")), 0
    )
    if not report.groupings or not run.rows:
        return None
    second = (
        told.get("secondaryGroupingColumn") if "Stacked" in chart_type or "Grouped" in chart_type else None
    )
    bars = _bars(run, place, figure, second)[:MOST]
    axes = (report.groupings[place].column.label, figure.label)
    share = bool(told.get("showPercentage")) and chart_type in _ROUND
    values = bool(told.get("showValues"))
    drawing = _start(chart_type, told, axes, bars)
    total = sum(max(one.value, 0) for one in bars) or 1
    notes = [_note(one, total, values, share) for one in bars]
    match chart_type:
        case "Donut" | "Pie":
            _slices(drawing, bars, notes, total)
        case "Funnel":
            _funnel(drawing, bars, notes, total)
        case "Line" | "LineCumulative" | "LineGrouped" | "Scatter" | "ScatterGrouped":
            _points(drawing, bars, notes, joined=chart_type.startswith("Line"))
        case _ if chart_type.startswith("Horizontal"):
            _across(drawing, bars, notes)
        case _:
            _upright(drawing, bars, notes)
    return drawing


def charted(report: Report, told: dict[str, Any]) -> Summary:
    """Return the figure that a chart names; the number of rows where the report has it no longer."""
    for each in told.get("chartSummaries", ()):
        if (found := report.summary(each)) is not None:
            return found
    return report.summaries[-1]


def _bars(run: Run, place: int, figure: Summary, second: str | None) -> list[_Bar]:
    """Return the groups of one grouping, across all others; `second` divides them into parts."""
    first, upright = run.report.groupings[place].column.key, place < len(run.report.down)
    found = run.regrouped([first, second] if second else [first])
    level, other = (found.down, found.across) if upright else (found.across, found.down)

    def figured(group: Group, crossing: Group | None = None) -> Figure:
        return found.figure(figure, *((group, crossing) if upright else (crossing, group)))

    bars = []
    for one in level.groups:
        pieces = [(part.label, figured(part)) for part in one.groups]
        pieces += [(part.label, figured(one, part)) for part in other.groups if one.rows & part.rows]
        whole = figured(one)
        shown = tuple((name, each.value or 0.0, each.text) for name, each in pieces)
        bars.append(_Bar(one.label, whole.value or 0.0, whole.text, shown))
    return bars


def _note(one: _Bar, total: float, values: bool, share: bool) -> str:
    part = f"{max(one.value, 0) / total:.1%}"
    return f"{one.text} ({part})" if values and share else one.text if values else part if share else ""


def _start(kind: str, told: dict[str, Any], axes: tuple[str, str], bars: list[_Bar]) -> Drawing:
    wide = 320.0 if kind in _ROUND else WIDTH
    high = len(bars) * 28 + 16.0 if kind.startswith("Horizontal") else HEIGHT
    pieces = list(dict.fromkeys(name for one in bars for name, _, _ in one.parts))
    names = pieces or ([one.label for one in bars] if kind in _ROUND else [axes[1]])
    legend = [(n % COLORS, name) for n, name in enumerate(names)]
    below = told.get("legendPosition") == "Bottom"
    return Drawing(str(told.get("title") or ""), axes, wide, max(high, 60.0), [], [], legend, below)


def _color(drawing: Drawing, name: str) -> int:
    return next((color for color, one in drawing.legend if one == name), 0)


def _pieces(one: _Bar) -> tuple[tuple[str, float, str], ...]:
    return one.parts or (("", one.value, one.text),)


def _title(one: _Bar, name: str, text: str) -> str:
    return f"{one.label}{', ' + name if name else ''}: {text}"


def _rect(x: float, y: float, width: float, height: float) -> dict[str, str]:
    return {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{width:.1f}", "height": f"{height:.1f}"}


def _across(drawing: Drawing, bars: list[_Bar], notes: list[str]) -> None:
    most = max((one.value for one in bars), default=0) or 1
    room = drawing.width - 240
    for n, (one, note) in enumerate(zip(bars, notes, strict=True)):
        x, y = 170.0, n * 28 + 8.0
        drawing.texts.append(Text(x - 8, y + 13, one.label[:28], "end"))
        for name, value, text in _pieces(one):
            wide = max(value, 0) / most * room + 1
            attributes = _rect(x, y, wide, 18)
            drawing.shapes.append(Shape("rect", attributes, _color(drawing, name), _title(one, name, text)))
            x += wide
        drawing.texts.append(Text(x + 4, y + 13, note))


def _upright(drawing: Drawing, bars: list[_Bar], notes: list[str]) -> None:
    most = max((one.value for one in bars), default=0) or 1
    step, floor = drawing.width / max(len(bars), 1), drawing.height - 40
    for n, (one, note) in enumerate(zip(bars, notes, strict=True)):
        y, x, wide = floor, n * step + step * 0.2, min(step * 0.6, 70)
        for name, value, text in _pieces(one):
            high = max(value, 0) / most * (floor - 24) + 1
            y -= high
            attributes = _rect(x, y, wide, high)
            drawing.shapes.append(Shape("rect", attributes, _color(drawing, name), _title(one, name, text)))
        drawing.texts.append(Text(x + wide / 2, y - 5, note, "middle"))
        drawing.texts.append(Text(x + wide / 2, floor + 15, one.label[: max(int(step / 7), 3)], "middle"))
    _floor(drawing, floor)


def _floor(drawing: Drawing, floor: float) -> None:
    drawing.shapes.append(Shape("rect", _rect(0, floor, drawing.width, 1), 11, ""))


def _points(drawing: Drawing, bars: list[_Bar], notes: list[str], *, joined: bool) -> None:
    most = max((one.value for one in bars), default=0) or 1
    step, floor = drawing.width / max(len(bars), 1), drawing.height - 40
    at = [
        (n * step + step / 2, floor - max(one.value, 0) / most * (floor - 30)) for n, one in enumerate(bars)
    ]
    if joined:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        drawing.shapes.append(Shape("polyline", {"points": points, "class": "org-line"}, 0, ""))
    for one, note, (x, y) in zip(bars, notes, at, strict=True):
        attributes = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "5"}
        drawing.shapes.append(Shape("circle", attributes, 0, _title(one, "", one.text)))
        drawing.texts.append(Text(x, y - 9, note, "middle"))
        drawing.texts.append(Text(x, floor + 15, one.label[: max(int(step / 7), 3)], "middle"))
    _floor(drawing, floor)


def _slices(drawing: Drawing, bars: list[_Bar], notes: list[str], total: float) -> None:
    turned = 0.0
    for one in bars:
        part = max(one.value, 0) / total
        attributes = {"d": slice_of(turned, part), "transform": "translate(60 20)"}
        drawing.shapes.append(
            Shape("path", attributes, _color(drawing, one.label), _title(one, "", one.text))
        )
        turned += part
    _noted(drawing, notes)


def _funnel(drawing: Drawing, bars: list[_Bar], notes: list[str], total: float) -> None:
    y, middle, whole = 10.0, drawing.width / 2, drawing.height - 40
    wide = drawing.width * 0.8
    for one in bars:
        high = max(max(one.value, 0) / total * whole, 2)
        narrower = max(wide - drawing.width * 0.7 * high / whole, 12)
        corners = (middle - wide / 2, y), (middle + wide / 2, y)
        lower = (middle + narrower / 2, y + high), (middle - narrower / 2, y + high)
        points = " ".join(f"{x:.1f},{v:.1f}" for x, v in (*corners, *lower))
        color = _color(drawing, one.label)
        drawing.shapes.append(Shape("polygon", {"points": points}, color, _title(one, "", one.text)))
        y, wide = y + high, narrower
    _noted(drawing, notes)


def _noted(drawing: Drawing, notes: list[str]) -> None:
    """Put figures behind the names of the legend, which slices have no room for."""
    drawing.legend[:] = [
        (color, f"{name}: {note}" if note else name)
        for (color, name), note in zip(drawing.legend, notes, strict=True)
    ]
