"""The electrical model: one moving dipole, seen from twelve leads.

Each wave is a bump in time with a direction in the body (x to the left, y to the feet, z to the back). A lead is
the projection of the dipole on its axis after Dower et al. 1980, so that ST elevation in a territory brings its
reciprocal depression, and a bundle branch block changes every lead as it should.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from clinic.applications.ecg_workstation.rhythm import AFTER, BEFORE, SECONDS, beats
from clinic.applications.ecg_workstation.signal import Signal

RATE = 250
LEADS = ("I", "II", "III", "aVR", "aVL", "aVF", "V1", "V2", "V3", "V4", "V5", "V6")

Samples = NDArray[np.float64]
Direction = tuple[float, float, float]
Bump = tuple[
    float, float, Direction
]  # middle and width in seconds after the onset, height and direction in mV

_DOWER = {
    "I": (0.632, -0.235, 0.059),
    "II": (0.235, 1.066, -0.132),
    "V1": (-0.515, 0.157, -0.917),
    "V2": (0.044, 0.164, -1.387),
    "V3": (0.882, 0.098, -1.277),
    "V4": (1.213, 0.127, -0.601),
    "V5": (1.125, 0.127, -0.086),
    "V6": (0.831, 0.076, 0.230),
}
_P: Direction = (0.07, 0.12, -0.02)
_T: Direction = (0.25, 0.2, -0.2)
_INJURY: dict[str, Direction] = {
    "anterior": (0.05, 0.02, -0.3),
    "inferior": (-0.05, 0.25, 0.03),
    "lateral": (0.3, -0.16, 0.12),
}
# T waves turn against the ventricles where these are not activated the usual way.
_T_OF_SHAPE: dict[str, Direction] = {
    "lbbb": (-0.32, -0.08, -0.34),
    "rbbb": (0.3, 0.18, 0.12),
    "lvh": (-0.2, -0.04, -0.16),
    "ventricular": (0.3, 0.4, -0.3),
}


def _main(axis: int) -> tuple[float, float]:
    """Return left and downward parts that give lead I and aVF the net size of an axis."""
    one, foot = 0.85 * math.cos(math.radians(axis)), 0.85 * math.sin(math.radians(axis))
    determinant = 0.632 * 1.1835 - 0.235 * 0.081
    return (1.1835 * one + 0.235 * foot) / determinant, (0.081 * one + 0.632 * foot) / determinant


def _ventricles(signal: Signal) -> list[Bump]:
    """Return the bumps of one ventricular complex."""
    length, (left, down) = signal.qrs_ms / 1000, _main(signal.axis)
    if signal.shape == "lbbb":
        parts = [
            (0.2, 0.11, (0.3, 0.05, 0.3)),
            (0.43, 0.14, (0.75, 0.2, 0.8)),
            (0.68, 0.14, (0.85, 0.02, 0.7)),
        ]
    elif signal.shape == "ventricular":
        parts = [(0.3, 0.15, (0.15, -0.75, 0.35)), (0.68, 0.16, (0.5, -0.35, 0.9))]
    elif signal.shape == "rbbb":
        parts = [
            (0.14, 0.06, (-0.12, -0.02, -0.25)),
            (0.31, 0.09, (left, down, 0.25)),
            (0.53, 0.08, (-0.08, -0.1, 0.25)),
            (0.77, 0.13, (-0.7, 0.02, -0.72)),
        ]
    else:
        grown = 1.9 if signal.shape == "lvh" else 1.0
        parts = [
            (0.18, 0.08, (-0.14, -0.02, -0.26)),
            (0.45, 0.13, (left * grown, down, 0.35 * grown**1.6)),
            (0.79, 0.1, (-0.12, -0.14, 0.34)),
        ]
    if signal.scar == "inferior":
        parts = [(0.24, 0.13, (0.1, -0.5, -0.1)), *parts[1:]]
    return [(middle * length, width * length, direction) for middle, width, direction in parts]


def _add(dipole: Samples, at: float, width: float, direction: Direction, scale: float = 1.0) -> None:
    """Add a bump to the samples around it."""
    first, last = (int((at + side * 4 * width - BEFORE) * RATE) for side in (-1, 1))
    first, last = max(first, 0), min(last, dipole.shape[1])
    if first < last:
        times = np.arange(first, last) / RATE + BEFORE
        dipole[:, first:last] += np.outer(direction, scale * np.exp(-0.5 * ((times - at) / width) ** 2))


def _recover(dipole: Samples, onset: float, signal: Signal, direction: Direction) -> None:
    """Add a T wave that ends with the QT interval: slow up, fast down."""
    end, fall = onset + signal.qt_ms / 1000, 0.034
    peak, rise = end - 2.3 * fall, min(0.055, signal.qt_ms / 7000)
    first, last = int((peak - 4 * rise - BEFORE) * RATE), int((peak + 4 * fall - BEFORE) * RATE)
    first, last = max(first, 0), min(last, dipole.shape[1])
    if first < last:
        away = np.arange(first, last) / RATE + BEFORE - peak
        wave = np.exp(-0.5 * (away / np.where(away < 0, rise, fall)) ** 2)
        dipole[:, first:last] += np.outer(direction, wave)


def _raise(dipole: Samples, onset: float, signal: Signal, direction: Direction) -> None:
    """Add an injury current: from the end of the ventricular complex into the T wave, which it carries along."""
    start, end = onset + signal.qrs_ms / 1000 * 0.85, onset + signal.qt_ms / 1000
    first, last = max(int((start - BEFORE) * RATE), 0), min(int((end - BEFORE) * RATE), dipole.shape[1])
    if first < last:
        part = (np.arange(first, last) / RATE + BEFORE - start) / (end - start)
        shape = np.minimum(part / 0.1, 1) * np.cos(np.clip((part - 0.5) / 0.5, 0, 1) * np.pi / 2) * (1 + part)
        dipole[:, first:last] += np.outer(direction, shape)


def _baseline(signal: Signal, count: int) -> Samples:
    """Return what the atria do between beats, breathing and a little muscle."""
    times, chance = np.arange(count) / RATE, np.random.default_rng(signal.seed)
    dipole = np.outer((0.5, 0.5, 0.3), 0.02 * np.sin(2 * np.pi * (0.23 * times + chance.random())))
    dipole += chance.normal(0, 0.006, (3, count))
    if signal.rhythm == "fibrillation":
        wave = sum(np.sin(2 * np.pi * (f * times + chance.random())) for f in (5.3, 6.1, 7.4))
        dipole += np.outer((-0.01, 0.018, -0.028), wave)
    if signal.rhythm == "flutter":
        dipole += np.outer((0.02, 0.2, -0.06), 0.5 - (times * signal.rate * 4 / 60) % 1)
    return dipole


def _dipole(signal: Signal) -> Samples:
    dipole = _baseline(signal, int((AFTER - BEFORE) * RATE))
    timing, ventricles = beats(signal), _ventricles(signal)
    recovery = tuple(signal.t_wave * part for part in _T_OF_SHAPE.get(signal.shape, _T))
    for at in timing.atrial:
        _add(dipole, at + 0.046, 0.02, _P)
    for onset in timing.ventricular:
        for middle, width, direction in ventricles:
            _add(dipole, onset + middle, width, direction, signal.voltage)
        _recover(dipole, onset, signal, tuple(signal.voltage * part for part in recovery))  # type: ignore[arg-type]
        if signal.injury:
            _raise(dipole, onset, signal, _INJURY[signal.injury])
    for onset in timing.early:
        _add(dipole, onset + 0.045, 0.022, (0.3, -1.0, 0.5))
        _add(dipole, onset + 0.11, 0.025, (0.7, -0.6, 1.0))
        _add(dipole, onset + 0.33, 0.06, (-0.3, 0.4, -0.4))
    start = int(-BEFORE * RATE)
    return dipole[:, start : start + int(SECONDS * RATE)]


@lru_cache(maxsize=32)
def leads(signal: Signal) -> dict[str, Samples]:
    """Return twelve leads of ten seconds in millivolts, as the electrode cables deliver them."""
    dipole = _dipole(signal)
    seen = {name: np.asarray(axis) @ dipole for name, axis in _DOWER.items()}
    one, two = seen["I"], seen["II"]
    if signal.arms_swapped:
        one, two = -one, two - one
    limbs = {
        "I": one,
        "II": two,
        "III": two - one,
        "aVR": -(one + two) / 2,
        "aVL": one - two / 2,
        "aVF": two - one / 2,
    }
    return {name: limbs.get(name, seen.get(name, one)) for name in LEADS}
