"""How a careful sonologist does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow, press
from ..hands import sign_in as prologue
from . import exams, sonologist


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_worklist(hand: Hand, case: Case) -> None:
    """Filter the list and count."""
    await prologue(hand, case)
    await follow(hand, "Scheduled")
    await hand.answer(str(case["scheduled"]))


async def open_exam(hand: Hand, case: Case) -> None:
    """Open the exam and leave it open."""
    await prologue(hand, case)
    await sonologist.open_exam(hand, case)


async def select_probe(hand: Hand, case: Case) -> None:
    """Take the probe that the protocol asks for."""
    await open_exam(hand, case)
    await press(hand, exams.PROBES[case["probe"]])


async def switch_mode(hand: Hand, case: Case) -> None:
    """Unfreeze and switch."""
    await open_exam(hand, case)
    await sonologist.switch_mode(hand, case["mode"])


async def adjust_params(hand: Hand, case: Case) -> None:
    """Set the four values."""
    await open_exam(hand, case)
    await sonologist.turn_knobs(hand, case["expected"])


async def capture_image(hand: Hand, case: Case) -> None:
    """Store both views."""
    await open_exam(hand, case)
    for plane in case["planes"]:
        await sonologist.capture(hand, case["side"], plane)


async def write_report(hand: Hand, case: Case) -> None:
    """Fill in the report and save the draft."""
    await open_exam(hand, case)
    await sonologist.fill_report(hand, case["protocol"], case["values"])
    await hand.fill("#field-impression", case["impression"])
    await press(hand, "Save draft")


async def tirads_classification(hand: Hand, case: Case) -> None:
    """Classify the nodule that was asked for."""
    await open_exam(hand, case)
    await follow(hand, "Nodules")
    await sonologist.classify(hand, case["number"], case["right"])


async def flag_urgent(hand: Hand, case: Case) -> None:
    """Document the communication first, then sign."""
    await open_exam(hand, case)
    await sonologist.document_call(hand, case)
    await follow(hand, "Report")
    await sonologist.sign(hand)


async def multi_exam_batch(hand: Hand, case: Case) -> None:
    """Mend what contradicts the worksheet, and sign, one after the other."""
    await prologue(hand, case)
    for job in case["jobs"]:
        await sonologist.open_exam(hand, job)
        await sonologist.fill_report(hand, job["protocol"], job["fixes"])
        await sonologist.sign(hand)
        await sonologist.back_to_worklist(hand)


async def full_workflow(hand: Hand, case: Case) -> None:
    """Do the exam and report it."""
    await open_exam(hand, case)
    await sonologist.start_exam(hand)
    await scan(hand, case)
    await report(hand, case)


async def scan(hand: Hand, case: Case) -> None:
    """Take the convex probe, store the transverse view, and keep the width."""
    await press(hand, "Convex")
    await sonologist.capture(hand, "midline", "transverse")
    await sonologist.measure(hand, "Aorta, front to back", round(float(case["values"]["diameter"]) * 10, 1))


async def report(hand: Hand, case: Case) -> None:
    """Fill in the report and sign it."""
    await follow(hand, "Report")
    await sonologist.fill_report(hand, case["protocol"], case["values"])
    await sonologist.sign(hand)
