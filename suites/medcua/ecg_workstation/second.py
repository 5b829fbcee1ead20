"""Second solutions of the ECG workstation, written without a look at the checks.

Where a task asks for a diagnosis, the tracing is read from the picture: 100 pixels are a second, 40 a millivolt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from PIL import Image

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Wait

from ..toolkit.screen import choose, follow, mark_in, press, sign_in, suggest, tick

_ROWS = 'table[aria-label="Recordings"] tbody tr'
_SINUS = ("Sinus rhythm", "Sinus bradycardia", "Sinus tachycardia")
_TERRITORIES = {
    "anterior": ("V1", "V2", "V3", "V4"),
    "inferior": ("II", "III", "aVF"),
    "lateral": ("I", "aVL", "V5", "V6"),
}
_GRID = (("I", "aVR", "V1", "V4"), ("II", "aVL", "V2", "V5"), ("III", "aVF", "V3", "V6"))
_DARK, _LEFT, _PART, _HEIGHT = 110, 24, 250, 580  # of the paper, in pixels
_MV = 40  # pixels
_STEEP = 5  # pixels of a complex drawn in one pixel of time
_FEWEST = 5  # beats in the ten seconds of a strip
_UNEVEN = 0.08
_BROAD = 120  # ms
_BLOCKED = "Complete AV block"


async def login(pilot: Pilot, case: Case) -> None:
    """Type the password first, and sign in with the Enter key."""
    await pilot.click("#password")
    await pilot.type(case["password"])
    await pilot.press("shift+tab")
    await pilot.type(case["user_id"])
    await pilot.press("enter")


async def view_worklist(pilot: Pilot, case: Case) -> None:
    """Take those with a draft or a signature away from all of today, in place of filtering."""
    await sign_in(pilot, case)
    everyone = await _rows(pilot)
    read = 0
    for status in ("Draft", "Signed"):
        await follow(pilot, status)
        read += await _rows(pilot)
    await pilot.answer(str(everyone - read))


async def open_study(pilot: Pilot, case: Case) -> None:
    """Look for the family name, open the other recording first, and then the newest."""
    await sign_in(pilot, case)
    await pilot.fill("#q", case["name"].split()[-1])
    await pilot.press("enter")
    row = f'{_ROWS}:has-text("{case["mrn"]}")'
    await pilot.click(f"{row} >> nth=1 >> a")
    await follow(pilot, "◀ Worklist")
    await pilot.click(f"{row} >> nth=0 >> a")


async def read_heart_rate(pilot: Pilot, case: Case) -> None:
    """Look for the patient number, and answer in a sentence."""
    await sign_in(pilot, case)
    await _find(pilot, case)
    rate = await _measured(pilot, "Ventricular rate")
    await pilot.answer(f"The ventricular rate was {rate} beats/min.")


async def change_paper_speed(pilot: Pilot, case: Case) -> None:
    """Look at the other views first, and store from the panel of earlier recordings."""
    await sign_in(pilot, case)
    await _find(pilot, case)
    await follow(pilot, "Cabrera")
    await follow(pilot, "3×4 + II")
    await follow(pilot, "Previous")
    await follow(pilot, "50 mm/s")
    await follow(pilot, "5–10 s")
    await press(pilot, "Store view")


async def change_gain(pilot: Pilot, case: Case) -> None:
    """Try the opposite gain on the screen, and store the wanted one from the panel of the report."""
    await sign_in(pilot, case)
    await _find(pilot, case)
    wanted, other = ("5", "20") if re.search(r"half|5 mm", case["change"]) else ("20", "5")
    await follow(pilot, f"{other} mm/mV")
    await follow(pilot, "Report")
    await follow(pilot, f"{wanted} mm/mV")
    await press(pilot, "Store view")


async def switch_cabrera(pilot: Pilot, case: Case) -> None:
    """Store with the keyboard, from the panel of alerts."""
    await sign_in(pilot, case)
    await _find(pilot, case)
    await follow(pilot, "Alert")
    await follow(pilot, "6×2")
    await follow(pilot, "Cabrera")
    for _ in range(3):  # rhythm, single, the button
        await pilot.press("tab")
    if not await pilot.sees('button:text-is("Store view"):focus'):
        await pilot.click("span.kept")
        await press(pilot, "Store view")
        return
    await pilot.press("enter")


async def run_auto_analysis(pilot: Pilot, case: Case) -> None:
    """Take the value from the formula's page, after all other formulas were looked at."""
    await sign_in(pilot, case)
    await _find(pilot, case)
    await press(pilot, "Run analysis")
    formula = case["formula_words"]
    for other in ("Hodges", "Framingham", "Fridericia", "Bazett", formula):
        await follow(pilot, other)
    value = await _measured(pilot, f"QTc {formula}")
    await pilot.answer(f"QTc ({formula}): {value}ms")


async def submit_report(pilot: Pilot, case: Case) -> None:
    """Empty the list of statements, and put together what the picture of the tracing shows."""
    await sign_in(pilot, case)
    await _find(pilot, case)
    await _report(pilot, case)


async def critical_alert(pilot: Pilot, case: Case) -> None:
    """Measure the ST segments in all leads, and add a note."""
    await sign_in(pilot, case)
    await _find(pilot, case)
    tracing = await _read(pilot)
    await _alert(
        pilot, tracing.critical, note=f"{tracing.territory} territory, ECG of {case['time']}".capitalize()
    )


async def full_workflow(pilot: Pilot, case: Case) -> None:
    """Fill in the report before the view is stored, and keep a draft in between."""
    await sign_in(pilot, case)
    await _find(pilot, case)
    await press(pilot, "Run analysis")
    tracing = await _read(pilot)
    said, qrs = await _said(pilot), await _measured(pilot, "QRS duration")
    await follow(pilot, "Previous")
    comparison = "No previous"
    if await pilot.sees("section.past"):
        same = tracing.block in await pilot.read("section.past >> nth=0")
        comparison = "Same" if same else "Changed"
    await follow(pilot, "Report")
    await mark_in(pilot, "Compared with previous", comparison)
    await choose(pilot, "QTc formula", case["formula_words"])
    await _restate(pilot, said, tracing.statements(qrs))
    await press(pilot, "Save draft")
    await follow(pilot, "50 mm/s")
    await press(pilot, "Store view")
    await _sign(pilot, case)


async def multi_study_review(pilot: Pilot, case: Case) -> None:
    """Look at both recordings before anything is done, and analyse the urgent one before its alert."""
    await sign_in(pilot, case)
    numbers = re.findall(r"MRN (\w+)", case["patients"])
    tracings = {}
    for number in numbers:
        await _find(pilot, {"mrn": number})
        tracings[number] = await _read(pilot)
        await follow(pilot, "◀ Worklist")
    urgent = next(number for number in numbers if tracings[number].critical)
    for number in sorted(numbers, key=lambda number: number != urgent):
        await _find(pilot, {"mrn": number})
        if number == urgent:
            await press(pilot, "Run analysis")
            await _alert(pilot, tracings[number].critical)
            await follow(pilot, "Analysis")
        await _report(pilot, case, tracings[number])
        await follow(pilot, "◀ Worklist")


@dataclass(frozen=True)
class _Tracing:
    """What a careful reader sees.

    Attributes:
        rate: Beats a minute.
        irregular: Whether no two intervals are alike.
        swapped: Whether lead I is upside down.
        tall: Whether the T waves are high.
        block: What V1 speaks for, if the complexes are broad.
        territory: Where the ST segments are raised most.
        elevation: How much they are raised there, in mV.
    """

    rate: int
    irregular: bool
    swapped: bool
    tall: bool
    block: str
    territory: str
    elevation: float

    @property
    def critical(self) -> str:
        """What somebody has to be told of, if anything."""
        if self.rate < 45 and not self.irregular:
            return _BLOCKED
        return f"Acute {self.territory} ST-elevation infarction" if self.elevation > 0.1 else ""

    def statements(self, qrs: int) -> list[str]:
        """Return what the report should say, with the duration of the complexes in ms."""
        if self.critical == _BLOCKED:
            return [_BLOCKED]
        if self.irregular:
            rhythm = "Atrial fibrillation"
        else:
            rhythm = _SINUS[0] if 60 <= self.rate <= 100 else _SINUS[1] if self.rate < 60 else _SINUS[2]
        if qrs >= _BROAD:
            return [rhythm, self.block]
        if self.critical:
            return [rhythm, self.critical]
        if self.swapped:
            return [rhythm, "Suspected arm lead reversal"]
        return [rhythm, "Tall T waves"] if self.tall else [rhythm]


async def _read(pilot: Pilot) -> _Tracing:
    """Read the tracing that is shown at the usual speed, gain and layout."""
    await pilot.act(Wait(0.2), thought="Look at the tracing")
    edge = await pilot.box("#paper")
    picture = np.asarray(Image.open(BytesIO(await pilot.screenshot())).convert("L"))
    ink = picture[round(edge.y) : round(edge.y) + _HEIGHT, round(edge.x) :][:, : _LEFT + 4 * _PART] < _DARK
    strip, strokes = _lead(ink, 3, 0, 4)
    together = np.sum([_lead(ink, row, 0, 4)[1] for row in range(4)], axis=0)
    high = np.sort(together)[-5]
    found = [_beats(strokes >= max(_STEEP, 0.35 * strokes.max()))]
    found += [_beats(together > part * high) for part in (0.4, 0.55)]  # where the rhythm strip is flat
    found = [beats for beats in found if len(beats) >= _FEWEST]
    beats = min(found, key=lambda beats: (_unevenness(beats) > _UNEVEN, -len(beats)))
    gaps = np.diff(beats)
    waves = {
        name: _lead(ink, row, part)[0] for row, names in enumerate(_GRID) for part, name in enumerate(names)
    }
    parts = {name: part for names in _GRID for part, name in enumerate(names)}
    inside = {
        name: [beat - _PART * part for beat in beats if 12 <= beat - _PART * part < _PART - 30]
        for name, part in parts.items()
    }
    raised = {
        name: float(np.median([wave[beat + 8 : beat + 12].mean() for beat in inside[name]]))
        for name, wave in waves.items()
    }
    means = {place: float(np.mean([raised[name] for name in names])) for place, names in _TERRITORIES.items()}
    territory = max(means, key=lambda place: means[place])
    peaks = {
        name: (
            float(np.median([wave[beat - 6 : beat + 7].max() for beat in inside[name]])),
            float(np.median([wave[beat - 6 : beat + 7].min() for beat in inside[name]])),
        )
        for name, wave in waves.items()
    }
    t_wave = float(np.median([strip[beat + 15 : beat + 40].max() for beat in beats[:-1]]))
    return _Tracing(
        rate=round(6000 / float(gaps.mean())),
        irregular=_unevenness(beats) > _UNEVEN,
        swapped=-peaks["I"][1] > peaks["I"][0],
        tall=t_wave > 0.5,
        block="Right bundle branch block" if peaks["V1"][0] > -peaks["V1"][1] else "Left bundle branch block",
        territory=territory,
        elevation=means[territory],
    )


def _lead(ink: np.ndarray, row: int, part: int, parts: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return the heights of a lead in mV for each pixel of time, and how long the stroke is there."""
    baseline = round((row + 0.55) * _HEIGHT / 4 / 4) * 4
    band = ink[max(0, baseline - 70) : baseline + 46, _LEFT + part * _PART :][:, : parts * _PART].copy()
    top = baseline - max(0, baseline - 70)
    for start in range(0, parts * _PART, _PART):
        band[top - 60 : top - 46, start : start + 36] = False  # the name of the lead
    drawn = band.any(axis=0)
    above = top - band.argmax(axis=0)
    below = top - (band.shape[0] - 1 - band[::-1].argmax(axis=0))
    heights = np.where(abs(above) > abs(below), above, below) * drawn
    return heights / _MV, (above - below) * drawn


def _unevenness(beats: np.ndarray) -> float:
    """Return how much the intervals differ, for their length."""
    gaps = np.diff(beats)
    return float(gaps.std() / gaps.mean())


def _beats(steep: np.ndarray) -> np.ndarray:
    """Return where the complexes are; what is steep within a fifth of a second belongs together."""
    where = np.flatnonzero(steep)
    groups = np.split(where, np.flatnonzero(np.diff(where) > 20) + 1)
    return np.array([round(float(group.mean())) for group in groups if len(group)])


async def _rows(pilot: Pilot) -> int:
    """Return how many recordings are listed."""
    if await pilot.sees("td.empty"):
        return 0
    number = 0
    while await pilot.sees(f"{_ROWS} >> nth={number}"):
        number += 1
    return number


async def _find(pilot: Pilot, case: Case | dict[str, str]) -> None:
    """Open the newest recording of a patient by the search."""
    await pilot.fill("#q", case["mrn"])
    await press(pilot, "Search")
    await pilot.click(f"{_ROWS} >> nth=0 >> a")


async def _said(pilot: Pilot) -> list[str]:
    """Return the statements of the algorithm."""
    return [line.strip(" –") for line in (await pilot.read("ul.said")).splitlines() if line.strip(" –")]


async def _measured(pilot: Pilot, name: str) -> int:
    """Return a value of the automatic analysis."""
    return int((await pilot.read(f'dl.values dt:text-is("{name}") + dd')).split()[0])


async def _report(pilot: Pilot, case: Case, tracing: _Tracing | None = None) -> None:
    """Analyse, write down what the tracing shows, and sign."""
    tracing = tracing or await _read(pilot)
    if await pilot.sees('button:text-is("Run analysis")'):
        await press(pilot, "Run analysis")
    said = await _said(pilot)
    automatic, qrs = await _measured(pilot, "Ventricular rate"), await _measured(pilot, "QRS duration")
    await follow(pilot, "Report")
    await _restate(pilot, said, tracing.statements(qrs))
    if abs(automatic - tracing.rate) > 5:
        await pilot.fill('role=textbox[name="Rate"]', str(tracing.rate))
    await _sign(pilot, case)


async def _restate(pilot: Pilot, said: list[str], wanted: list[str]) -> None:
    """Add the statements that are missing, and then take out the wrong ones."""
    for statement in wanted:
        if statement not in said:
            await suggest(pilot, "Add statement", statement)
    for statement in said:
        if statement not in wanted:
            await press(pilot, f"Remove {statement}")


async def _sign(pilot: Pilot, case: Case) -> None:
    """Sign with the password."""
    await pilot.fill('role=textbox[name="Password to sign"]', case["password"])
    await press(pilot, "Sign report")


async def _alert(pilot: Pilot, finding: str, note: str = "") -> None:
    """Record an alert to the interventional cardiologist whose hours the clock is in."""
    await follow(pilot, "Alert")
    hour = int((await pilot.read("span.clock b"))[:2])
    hours = "07:00–19:00" if 7 <= hour < 19 else "19:00–07:00"
    await tick(pilot, "Read back by the person told")
    await pilot.click(f'label.contact:has-text("Interventional cardiology"):has-text("{hours}")')
    if note:
        await pilot.fill('role=textbox[name="Note (optional)"]', note)
    await choose(pilot, "Finding", finding)
    await press(pilot, "Record alert")
