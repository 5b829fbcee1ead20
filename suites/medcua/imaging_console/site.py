"""What the site knows: protocols, how the console words its choices, and how dose is computed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from pytest_cuabench.library import FIXTURES

POSITIONS = {
    "head_first_supine": "Head first, supine",
    "head_first_prone": "Head first, prone",
    "feet_first_supine": "Feet first, supine",
    "feet_first_prone": "Feet first, prone",
}
DIRECTIONS = {"ap": "AP", "lateral": "Lateral"}
KERNELS = {"smooth": "Smooth", "standard": "Standard", "sharp": "Sharp", "bone": "Bone"}
MODES = {"normal": "Normal", "first_level": "First level"}
PREGNANCY = {"excluded": "Excluded", "possible": "Cannot be excluded", "pregnant": "Pregnant"}
DEVICES = {"none": "No device", "safe": "MR Safe", "conditional": "MR Conditional", "unsafe": "MR Unsafe"}
DESTINATIONS = ("Main archive", "Teaching archive", "Workstation 2")
HOLDS = {"pregnancy": "Possible or confirmed pregnancy", "condition": "Patient's condition"}
ARTEFACTS = {"none": "None", "ring": "Ring"}
RESULTS = {"pass": "Pass", "fail": "Fail"}
# The largest value that passes daily quality control, in HU.
WATER, NOISE, UNIFORMITY = 5.0, 6.0, 5.0


@cache
def _load() -> Mapping[str, Any]:
    file = FIXTURES / "clinic" / "imaging_console" / "protocols.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def protocols(modality: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the protocols of a scanner."""
    known: Mapping[str, Mapping[str, Any]] = _load()[modality.lower()]
    return known


def ctdi(protocol: Mapping[str, Any], technique: Mapping[str, Any]) -> float:
    """Return the CTDIvol in mGy that the console predicts."""
    per_100_mas = {"head": 16.0, "body": 6.8}[protocol["phantom"]]
    effective = technique["ma"] * technique["rotation_s"] / technique["pitch"]
    return float(per_100_mas * (technique["kv"] / 120) ** 2.6 * effective / 100)
