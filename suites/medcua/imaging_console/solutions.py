"""How a careful technologist does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow, mark, press
from ..hands import sign_in as prologue
from . import site, technologist


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_worklist(hand: Hand, case: Case) -> None:
    """Show the CT orders and count."""
    await prologue(hand, case)
    await follow(hand, "CT")
    await hand.answer(str(case["pending"]))


async def open_exam(hand: Hand, case: Case) -> None:
    """Sign in and open the order."""
    await prologue(hand, case)
    await technologist.open_exam(hand, case)


async def load_patient(hand: Hand, case: Case) -> None:
    """Open the order and register the patient."""
    await open_exam(hand, case)
    await technologist.register(hand)


async def select_protocol(hand: Hand, case: Case) -> None:
    """Select what the plan asks for."""
    await open_exam(hand, case)
    await technologist.step(hand, "Protocol")
    await technologist.select(hand, case["region"], case["protocol_name"])


async def set_ct_parameters(hand: Hand, case: Case) -> None:
    """Save the technique."""
    await open_exam(hand, case)
    await technologist.step(hand, "Technique")
    await technologist.save_technique(hand, case["technique"])


async def acquire_scout(hand: Hand, case: Case) -> None:
    """Acquire the scout."""
    await open_exam(hand, case)
    await technologist.step(hand, "Scan")
    await technologist.scout(hand, case)


async def run_scan(hand: Hand, case: Case) -> None:
    """Arm the injector, plan, scan."""
    await open_exam(hand, case)
    await technologist.arm(hand, case["injection"])
    await technologist.step(hand, "Scan")
    await technologist.scan(hand, case)


async def check_safety_flags(hand: Hand, case: Case) -> None:
    """Read the chart."""
    await open_exam(hand, case)
    await hand.answer(flags(case))


def flags(case: Case) -> str:
    """Return what was found in the form that the goal asks for."""
    return f"Agent {case['agent']}, eGFR {case['egfr']}, Metformin {'yes' if case['metformin'] else 'no'}"


async def complete_scan_workflow(hand: Hand, case: Case) -> None:
    """Register, screen, plan, scan, reconstruct, send, complete."""
    await prepared(hand, case)
    await technologist.select(hand, case["region"], case["protocol_name"])
    await acquired(hand, case)
    await finished(hand, case)


async def prepared(hand: Hand, case: Case) -> None:
    """Register and screen."""
    await open_exam(hand, case)
    await technologist.register(hand)
    await technologist.screen(hand, case["screening"])


async def acquired(hand: Hand, case: Case) -> None:
    """Scout, scan and reconstruct."""
    await technologist.step(hand, "Scan")
    await technologist.wide_scout(hand, case)
    await technologist.scan(hand, case)
    await technologist.reconstruct(hand, case["series"])


async def finished(hand: Hand, case: Case) -> None:
    """Send and complete."""
    await technologist.step(hand, "Finish")
    await technologist.send(hand, case["destination"])
    await technologist.complete(hand)


async def mri_scan(hand: Hand, case: Case) -> None:
    """Register, screen, choose protocol and mode, scan, send, complete."""
    await scanned(hand, case)
    await finished(hand, case)


async def scanned(hand: Hand, case: Case) -> None:
    """Do an MR examination up to its last sequence."""
    await prepared(hand, case)
    await technologist.select(hand, case["region"], case["protocol_name"])
    await mark(hand, site.MODES[case["mode"]])
    await press(hand, "Save technique")
    await press(hand, "Acquire localizer")
    await technologist.confirm(hand)
    await press(hand, "Start sequences")
    await technologist.confirm(hand)


async def run_qc(hand: Hand, case: Case) -> None:
    """Scan the phantom, enter the values, decide, and act on it."""
    await measured(hand, case)
    if case["result"] == "fail":
        await technologist.take_out(hand, case["physicist_name"])


async def measured(hand: Hand, case: Case) -> None:
    """Scan the phantom, enter the values and decide."""
    await prologue(hand, case)
    await follow(hand, "Quality control")
    await press(hand, "Scan phantom")
    await technologist.save_quality(hand, case)


async def pregnant_patient_safety(hand: Hand, case: Case) -> None:
    """Register, screen, put on hold."""
    await prepared(hand, case)
    await technologist.step(hand, "Patient")
    await technologist.hold(hand, case["reason"], case["radiologist_name"])
