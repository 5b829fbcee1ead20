"""Trends: of one bed as a graph or a table, and of the whole unit side by side."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta

from starlette.responses import Response

from clinic.applications.icu_central import bed, overview
from clinic.applications.icu_central.choices import PARAMETERS, WINDOWS
from clinic.toolkit import workstation
from clinic.toolkit.words import moment
from clinic.visit import Visit

SERIES = "SELECT * FROM trends WHERE mrn = ? AND parameter = ?"
OCCUPIED = "SELECT number, mrn, family_name, given_name FROM beds JOIN patients USING (mrn) ORDER BY number"
TABLE_MINUTES = {"4": 15, "12": 60, "24": 120, "72": 360}
FRAMES = {
    "heart_rate": (20, 180),
    "spo2": (70, 100),
    "respiratory_rate": (0, 50),
    "abp_mean": (30, 130),
    "temp_c": (34, 41),
}
LINES = 5
Sample = tuple[datetime, float]


@dataclass(frozen=True)
class Trend:
    """One parameter over one window, from the oldest sample to the newest."""

    parameter: str
    samples: list[Sample]

    @property
    def lowest(self) -> Sample:
        """The lowest sample, the latest of several."""
        return min(reversed(self.samples), key=lambda sample: sample[1])

    @property
    def highest(self) -> Sample:
        """The highest sample, the latest of several."""
        return max(reversed(self.samples), key=lambda sample: sample[1])

    @property
    def mean(self) -> float:
        """The mean of all samples."""
        return sum(value for _, value in self.samples) / len(self.samples)

    def points(self, width: float, height: float) -> str:
        """Return the curve as points of an SVG polyline."""
        low, high = FRAMES[self.parameter]
        step = width / (len(self.samples) - 1)
        return " ".join(
            f"{place * step:.1f},{height - (value - low) / (high - low) * height:.1f}"
            for place, (_, value) in enumerate(self.samples)
        )

    def scale(self, height: float) -> list[tuple[float, float]]:
        """Return where the lines of the scale lie, each with its value."""
        low, high = FRAMES[self.parameter]
        return [(height - height * n / LINES, low + (high - low) * n / LINES) for n in range(LINES + 1)]

    def times(self, width: float) -> list[tuple[float, datetime]]:
        """Return where the time lines lie."""
        last = len(self.samples) - 1
        return [(width * n / 4, self.samples[last * n // 4][0]) for n in range(5)]


def _read(row: sqlite3.Row | None, window: str) -> Trend | None:
    """Cut a window out of a stored series."""
    if row is None:
        return None
    values = [float(text) for text in row["samples"].split(",")]
    count = int(window) * 60 // row["step_minutes"] + 1
    end, step = moment(row["last_at"]), timedelta(minutes=row["step_minutes"])
    kept = values[-count:]
    samples = [(end - step * (len(kept) - 1 - place), value) for place, value in enumerate(kept)]
    return Trend(row["parameter"], samples)


def _chosen(visit: Visit) -> tuple[str, str]:
    """Return parameter and window of the address; heart rate over four hours unless said otherwise."""
    parameter, window = visit.query.get("parameter", ""), visit.query.get("window", "")
    return (parameter if parameter in PARAMETERS else "heart_rate"), (window if window in WINDOWS else "4")


def show(visit: Visit) -> Response:
    """Show a trend of one bed, as a graph or as a table of all parameters."""
    mrn = bed.load(visit)["mrn"]
    parameter, window = _chosen(visit)
    all_trends = [_read(visit.db.execute(SERIES, (mrn, name)).fetchone(), window) for name in PARAMETERS]
    found = {trend.parameter: trend for trend in all_trends if trend is not None}
    return bed.render(
        visit,
        "trends",
        parameter=parameter,
        window=window,
        view="table" if visit.query.get("view") == "table" else "graph",
        trend=found.get(parameter),
        table=_table(found, TABLE_MINUTES[window]),
    )


def _table(found: dict[str, Trend], minutes: int) -> list[tuple[datetime, list[float]]]:
    """Return rows of all parameters at regular times, the newest first."""
    if not found:
        return []
    length = len(found["heart_rate"].samples)
    places = range(length - 1, -1, -minutes // 15)
    rows = [[found[name].samples[place][1] for name in PARAMETERS] for place in places]
    return [(found["heart_rate"].samples[place][0], row) for place, row in zip(places, rows, strict=True)]


def unit(visit: Visit) -> Response:
    """Show one parameter of all beds over one window."""
    parameter, window = _chosen(visit)
    workstation.show(visit, "unit_trends")
    beds = visit.db.execute(OCCUPIED).fetchall()
    trends = {
        row["number"]: _read(visit.db.execute(SERIES, (row["mrn"], parameter)).fetchone(), window)
        for row in beds
    }
    return overview.render(
        visit, "unit_trends.html", beds=beds, trends=trends, parameter=parameter, window=window
    )
