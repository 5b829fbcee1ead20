"""When atria and ventricles beat: the timing of one recording."""

import random
from dataclasses import dataclass

from clinic.applications.ecg_workstation.signal import Signal

SECONDS = 10.0
BEFORE, AFTER = -1.0, 11.0


@dataclass(frozen=True)
class Beats:
    """Onsets in seconds: of P waves, of ventricular beats, and of those that begin in the ventricles early."""

    atrial: tuple[float, ...]
    ventricular: tuple[float, ...]
    early: tuple[float, ...] = ()


def beats(signal: Signal) -> Beats:
    """Draw the beats of a recording; the same signal always has the same ones."""
    stream = random.Random(signal.seed)  # noqa: S311 - repeatable on purpose
    return _RHYTHMS[signal.rhythm](signal, stream)


def _regular(stream: random.Random, interval: float, jitter: float) -> list[float]:
    times, at = [], BEFORE + stream.uniform(0.1, 0.9) * interval
    while at < AFTER:
        times.append(at)
        at += interval * (1 + stream.uniform(-jitter, jitter))
    return times


def _sinus(signal: Signal, stream: random.Random) -> Beats:
    times = _regular(stream, 60 / signal.rate, 0.012)
    return Beats(tuple(at - signal.pr for at in times), tuple(times))


def _fibrillation(signal: Signal, stream: random.Random) -> Beats:
    """Irregular without a pattern; the mean over the recording is the rate."""
    count = round(signal.rate * (AFTER - BEFORE) / 60)
    intervals = [stream.uniform(0.62, 1.42) for _ in range(count)]
    scale = (AFTER - BEFORE) / sum(intervals)
    times, at = [], BEFORE
    for interval in intervals:
        times.append(at)
        at += max(interval * scale, 0.34)
    return Beats((), tuple(times))


def _flutter(signal: Signal, stream: random.Random) -> Beats:
    return Beats((), tuple(_regular(stream, 60 / signal.rate, 0.0)))


def _extra_beats(signal: Signal, stream: random.Random) -> Beats:
    """Every fourth or fifth beat comes early from the ventricles, with a full pause after it."""
    interval, atrial, ventricular, early = 60 / signal.rate, [], [], []
    at, left = BEFORE, stream.randint(2, 4)
    while at < AFTER:
        if left:
            atrial.append(at - signal.pr)
            ventricular.append(at)
            left -= 1
        else:
            early.append(at - interval * 0.42)
            left = stream.randint(3, 4)
        at += interval
    return Beats(tuple(atrial), tuple(ventricular), tuple(early))


def _wenckebach(signal: Signal, stream: random.Random) -> Beats:
    """Conduction tires over three beats, the fourth is dropped."""
    interval = 60 / signal.rate * 0.75
    times = _regular(stream, interval, 0.006)
    delays = (0.0, 0.09, 0.13, None)
    pairs = [(at, delays[index % 4]) for index, at in enumerate(times)]
    return Beats(tuple(times), tuple(at + signal.pr + more for at, more in pairs if more is not None))


def _complete_block(signal: Signal, stream: random.Random) -> Beats:
    """Atria and ventricles beat each on their own."""
    atrial = _regular(stream, 60 / stream.uniform(84, 98), 0.01)
    return Beats(tuple(atrial), tuple(_regular(stream, 60 / signal.rate, 0.004)))


_RHYTHMS = {
    "sinus": _sinus,
    "fibrillation": _fibrillation,
    "flutter": _flutter,
    "extra_beats": _extra_beats,
    "wenckebach": _wenckebach,
    "complete_block": _complete_block,
}
