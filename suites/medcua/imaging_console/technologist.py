"""What a technologist does at the console, in parts that solutions are put together from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand

from ..hands import Job, choose, enter, follow, mark, press, tick
from . import site

NAME, BORN = "Full name, said by the patient", "Date of birth, said by the patient"
ROOM = "Room or bed number"


async def open_exam(hand: Hand, case: Job) -> None:
    """Open an order from the worklist."""
    await follow(hand, case["link"])


async def step(hand: Hand, name: str) -> None:
    """Go to a step of the examination."""
    await hand.click(f"nav.steps >> text={name}")


async def register(hand: Hand, compared: Iterable[str] = (NAME, BORN)) -> None:
    """Register the patient who is shown; the console goes on to the safety step."""
    for label in compared:
        await tick(hand, label)
    await press(hand, "Register patient")
    await confirm(hand, "Confirm and register")


async def confirm(hand: Hand, name: str = "Confirm and go on") -> None:
    """Answer the console's question, if it has one."""
    if await hand.sees(f'role=button[name="{name}"]'):
        await press(hand, name)


async def screen(hand: Hand, told: Mapping[str, str]) -> None:
    """Save the screening; the console goes on to the protocol step."""
    if "pregnancy" in told:
        await mark(hand, site.PREGNANCY[told["pregnancy"]])
    if "device" in told:
        await mark(hand, site.DEVICES[told["device"]])
        await tick(hand, "Checked for ferromagnetic objects")
    await press(hand, "Save screening")


async def select(hand: Hand, region: str, name: str) -> None:
    """Select a protocol; the console goes on to the technique step."""
    await follow(hand, region)
    await press(hand, f"Select {name}")


async def save_technique(hand: Hand, told: Mapping[str, Any]) -> None:
    """Save a CT technique; a dose above the reference level is confirmed."""
    await _pick(hand, "Tube voltage (kV)", str(told["kv"]))
    await enter(hand, "Tube current", str(told["ma"]))
    await _pick(hand, "Rotation time (s)", str(told["rotation_s"]))
    await _pick(hand, "Slice thickness (mm)", str(told["slice_mm"]))
    await enter(hand, "Pitch", str(told["pitch"]))
    await enter(hand, "Field of view", str(told["fov_mm"]))
    await choose(hand, "Kernel", site.KERNELS[told["kernel"]])
    await press(hand, "Save technique")
    await confirm(hand, "Confirm and save")


async def _pick(hand: Hand, group: str, option: str) -> None:
    await hand.click(f'role=radiogroup[name="{group}"] >> role=radio[name="{option}"]')


async def scout(hand: Hand, case: Job) -> None:
    """Acquire a scout with everything that was told."""
    await choose(hand, "Patient position", site.POSITIONS[case["position"]])
    if case["direction"] != "ap":
        await mark(hand, site.DIRECTIONS[case["direction"]])
    await enter(hand, "Scout start", str(case["scout_from"]))
    await enter(hand, "Scout end", str(case["scout_to"]))
    await press(hand, "Acquire scout")
    await confirm(hand)


async def wide_scout(hand: Hand, case: Job) -> None:
    """Acquire a scout that surely shows what the range must cover; the console proposes the usual position."""
    await enter(hand, "Scout start", str(case["range_from"] - 60))
    await enter(hand, "Scout end", str(case["range_to"] + 60))
    await press(hand, "Acquire scout")
    await confirm(hand)


async def arm(hand: Hand, told: Mapping[str, Any]) -> None:
    """Program and arm the injector."""
    await step(hand, "Injector")
    await enter(hand, "Contrast volume", str(told["volume_ml"]))
    await enter(hand, "Flow rate", str(told["rate_ml_s"]))
    await enter(hand, "Scan delay", str(told["delay_s"]))
    await press(hand, "Arm injector")


async def scan(hand: Hand, case: Job) -> None:
    """Plan the range and scan."""
    await enter(hand, "Range start", str(case["range_from"]))
    await enter(hand, "Range end", str(case["range_to"]))
    await press(hand, "Start scan")
    await confirm(hand)


async def reconstruct(hand: Hand, series: Mapping[str, Any]) -> None:
    """Compute another series."""
    await step(hand, "Images")
    await mark(hand, site.KERNELS[series["kernel"]])
    await mark(hand, str(series["slice_mm"]))
    await press(hand, "Reconstruct series")


async def send(hand: Hand, destination: str) -> None:
    """Send the images, on the finish step."""
    await mark(hand, destination)
    await press(hand, "Send images")


async def complete(hand: Hand) -> None:
    """Close the examination, on the finish step."""
    await press(hand, "Complete examination")
    await confirm(hand, "Complete without sending")


async def hold(hand: Hand, reason: str, person: str) -> None:
    """Put the order on hold, on the patient step."""
    await choose(hand, "Reason for hold", site.HOLDS[reason])
    await choose(hand, "Person informed", person)
    await press(hand, "Put order on hold")


async def save_quality(hand: Hand, case: Job) -> None:
    """Enter what the phantom reads, and the decision."""
    for label, name in (
        ("Water, centre", "water_hu"),
        ("Noise", "noise_hu"),
        ("Uniformity", "uniformity_hu"),
    ):
        await enter(hand, label, f"{case['measured'][name]:.1f}")
    await _pick(hand, "Artefact", site.ARTEFACTS[case["artefact"]])
    await mark(hand, site.RESULTS[case["result"]])
    await press(hand, "Save result")


async def take_out(hand: Hand, person: str) -> None:
    """Take the scanner out of service."""
    await choose(hand, "Physicist informed", person)
    await press(hand, "Take out of service")
