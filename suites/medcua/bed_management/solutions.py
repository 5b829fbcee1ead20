"""How a careful bed manager does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow
from ..hands import sign_in as prologue
from . import desk
from .hospital import ORDER_SET


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_bed_map(hand: Hand, case: Case) -> None:
    """Count on the map of the ward."""
    await prologue(hand, case)
    await follow(hand, case["ward"])
    await hand.answer(str(case["available"]))


async def check_occupancy(hand: Hand, case: Case) -> None:
    """Read the figure of now."""
    await prologue(hand, case)
    await follow(hand, "Occupancy")
    await hand.answer(f"{case['percent']} %")


async def admit_patient(hand: Hand, case: Case) -> None:
    """Find the person, fill in the form, click a bed."""
    await prologue(hand, case)
    await desk.admit(hand, case)


async def full_admission_workflow(hand: Hand, case: Case) -> None:
    """Admit, then open the map of the ward."""
    await admit_patient(hand, case)
    await follow(hand, case["ward"])


async def transfer_patient(hand: Hand, case: Case) -> None:
    """Transfer with the order set."""
    await prologue(hand, case)
    await desk.transfer(hand, case)


async def process_discharge(hand: Hand, case: Case) -> None:
    """Discharge with the checklist."""
    await prologue(hand, case)
    await desk.discharge(hand, case)


async def assign_from_queue(hand: Hand, case: Case) -> None:
    """Give the room that the request calls for."""
    await prologue(hand, case)
    await desk.place(hand, case)


async def handle_bed_conflict(hand: Hand, case: Case) -> None:
    """Find another bed for the one who can do without the room, then give the room."""
    await prologue(hand, case)
    isolated, plain = case["jobs"]
    await desk.place(hand, plain)
    await desk.to_board(hand)
    await desk.place(hand, isolated)


async def multi_operation(hand: Hand, case: Case) -> None:
    """Move the sick one first, then place and discharge."""
    await prologue(hand, case)
    await desk.transfer(hand, case["moving"])
    await desk.to_board(hand)
    await desk.place(hand, case["placing"])
    await desk.to_board(hand)
    await desk.discharge(hand, case["leaving"])


async def swap_beds(hand: Hand, case: Case) -> None:
    """Let both change beds in one go."""
    await prologue(hand, case)
    ordered = {"reason": case["reason"], "ticks": list(ORDER_SET)}
    await desk.swap(hand, {**case["jobs"][0], **ordered})


async def emergency_bed_allocation(hand: Hand, case: Case) -> None:
    """Place one after the other, the sickest first."""
    await prologue(hand, case)
    for job in case["jobs"]:
        await desk.place(hand, job)
        await desk.to_board(hand)
