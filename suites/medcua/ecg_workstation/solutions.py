"""How a careful reader does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import Job, follow, press
from ..hands import sign_in as prologue
from . import reader


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_worklist(hand: Hand, case: Case) -> None:
    """Filter the worklist and count."""
    await prologue(hand, case)
    await follow(hand, "Unread")
    await hand.answer(str(case["unread"]))


async def open_study(hand: Hand, case: Case) -> None:
    """Open the recording and leave it open."""
    await prologue(hand, case)
    await reader.open_study(hand, case)


async def read_heart_rate(hand: Hand, case: Case) -> None:
    """Read the measured rate."""
    await open_study(hand, case)
    await hand.answer(f"{case['rate']}/min")


async def change_paper_speed(hand: Hand, case: Case) -> None:
    """Store the view at double speed."""
    await open_study(hand, case)
    await reader.store_view(hand, "50 mm/s")


async def change_gain(hand: Hand, case: Case) -> None:
    """Store the view at the gain that suits."""
    await open_study(hand, case)
    await reader.store_view(hand, f"{case['gain']} mm/mV")


async def switch_cabrera(hand: Hand, case: Case) -> None:
    """Store the view in Cabrera order."""
    await open_study(hand, case)
    await reader.store_view(hand, "Cabrera")


async def run_auto_analysis(hand: Hand, case: Case) -> None:
    """Run the analysis and read the QTc after the formula."""
    await open_study(hand, case)
    await press(hand, "Run analysis")
    await follow(hand, case["formula_words"])
    await hand.answer(f"{case['qtc']} ms")


async def submit_report(hand: Hand, case: Case) -> None:
    """Analyse, correct and sign."""
    await prologue(hand, case)
    await read(hand, case, case["password"])


async def critical_alert(hand: Hand, case: Case) -> None:
    """Tell the cardiologist on call."""
    await open_study(hand, case)
    await reader.tell(hand, case.values)


async def full_workflow(hand: Hand, case: Case) -> None:
    """Analyse, store the view, compare, correct, sign."""
    await open_study(hand, case)
    await press(hand, "Run analysis")
    await reader.store_view(hand, "50 mm/s")
    await follow(hand, "Previous")
    await reader.write_report(hand, case.values)
    await reader.sign(hand, case["password"])


async def multi_study_review(hand: Hand, case: Case) -> None:
    """Tell of the danger and sign it, then read the other one."""
    urgent, calm = case["jobs"]
    await prologue(hand, case)
    await reader.open_study(hand, urgent)
    await reader.tell(hand, urgent)
    await follow(hand, "Analysis")
    await finish(hand, urgent, case["password"])
    await reader.back_to_worklist(hand)
    await read(hand, calm, case["password"])


async def read(hand: Hand, job: Job, password: str) -> None:
    """Read one recording from the worklist to the signature."""
    await reader.open_study(hand, job)
    await finish(hand, job, password)


async def finish(hand: Hand, job: Job, password: str) -> None:
    """Read the recording on the screen."""
    await press(hand, "Run analysis")
    await reader.write_report(hand, job.values if isinstance(job, Case) else job)
    await reader.sign(hand, password)
