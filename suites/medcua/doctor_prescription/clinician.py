"""What a prescriber does at the screen, in parts that solutions are put together from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand

from ..hands import Job, choose, enter, follow, mark, press, tick
from .words import (
    CHANGE_REASONS,
    CONSENTS,
    DENIALS,
    REPORTERS,
    SCHEDULES,
    SEVERITIES,
    SIGNERS,
    SOURCES,
    STOP_REASONS,
)

_NUMBERS = {"dose": "Dose", "quantity": "Quantity", "days_supply": "Days supply", "refills": "Refills"}


async def open_chart(hand: Hand, case: Job) -> None:
    """Open a chart from the list; of two with one name the one that is meant."""
    await hand.click(f'role=link[name="{case["link"]}"] >> nth={case["nth"]}')


async def open_first_chart(hand: Hand) -> None:
    """Open whatever chart the list begins with."""
    await hand.click('table[aria-label="Patients"] a >> nth=0')


async def suggest(hand: Hand, field: str, text: str) -> None:
    """Type into a field that offers what begins to fit, and take it where it is offered."""
    await hand.fill(f'role=combobox[name="{field}"]', text)
    if await hand.sees(f'role=option[name="{text}"]'):
        await hand.click(f'role=option[name="{text}"]')


async def order(hand: Hand, told: Mapping[str, Any]) -> None:
    """Enter an order for a new medication, past the order checks."""
    await follow(hand, "Orders")
    await follow(hand, "New medication")
    await suggest(hand, "Medication", told["drug"])
    await enter(hand, "Dose", f"{told['dose']:g}")
    await choose(hand, "Schedule", SCHEDULES[told["schedule"]])
    for name in ("quantity", "days_supply", "refills"):
        await enter(hand, _NUMBERS[name], f"{told[name]:g}")
    await hand.fill('role=combobox[name="Indication"]', told["indication"])
    if told["pharmacy"] not in await hand.read('role=combobox[name="Pharmacy"]'):
        await choose(hand, "Pharmacy", told["pharmacy"])
    await accept(hand)


async def accept(hand: Hand) -> None:
    """Accept an order; where checks speak against it, the benefit outweighs the risk."""
    await press(hand, "Accept order")
    if await hand.sees('role=combobox[name="Reason for override"]'):
        await choose(hand, "Reason for override", "Benefit outweighs the risk")
        await press(hand, "Accept order")


async def change(hand: Hand, drug: str, changes: Mapping[str, Any], reason: str) -> None:
    """Enter an order that changes a medication."""
    await follow(hand, "Medications")
    await follow(hand, f"Change {drug}")
    for name, value in changes.items():
        await enter(hand, _NUMBERS[name], f"{value:g}")
    await choose(hand, "Reason for the change", CHANGE_REASONS[reason])
    await accept(hand)


async def stop(hand: Hand, drug: str, reason: str, cancel: str = "Send") -> None:
    """Enter an order that discontinues a medication."""
    await follow(hand, "Medications")
    await follow(hand, f"Discontinue {drug}")
    await choose(hand, "Reason", STOP_REASONS[reason])
    await mark(hand, cancel)
    await press(hand, "Accept order")


async def sign(hand: Hand, code: str) -> None:
    """Sign what was entered."""
    await follow(hand, "Sign orders")
    await enter(hand, "Electronic signature code", code)
    await press(hand, "Sign")


async def add_allergy(hand: Hand, told: Job) -> None:
    """Put what was told on the list."""
    await follow(hand, "Allergies")
    await suggest(hand, "Substance", told["substance"])
    await suggest(hand, "Reaction", told["reaction"])
    await mark(hand, SEVERITIES[told["severity"]])
    await mark(hand, SOURCES[told["source"]])
    await press(hand, "Add allergy")


async def prefer(hand: Hand, pharmacy: str, *, default: bool = True) -> None:
    """Put a pharmacy on the patient's list."""
    await follow(hand, "Add or change pharmacy")
    await mark(hand, pharmacy)
    if default:
        await tick(hand, "Make this the default")
    await press(hand, "Save pharmacy")


async def document(hand: Hand, told: Mapping[str, Any]) -> None:
    """Document a medicine that others prescribe."""
    await follow(hand, "Medications")
    await follow(hand, "Add outside medication")
    await enter(hand, "Medication", told["drug"])
    await enter(hand, "Dose", told["dose"])
    await choose(hand, "Schedule", SCHEDULES[told["schedule"]])
    if told["prescriber"]:
        await enter(hand, "Prescribed by", told["prescriber"])
    await mark(hand, REPORTERS[told["reported_by"]])
    if told["explained"]:
        await tick(hand, "Explained to the patient")
    await press(hand, "Document")


async def consent(hand: Hand, case: Job, kind: str = CONSENTS["eprescribing"]) -> None:
    """Record a consent, past the warning that nobody witnesses it."""
    await follow(hand, "Consents")
    await follow(hand, "New consent")
    await choose(hand, "Consent", kind)
    await mark(hand, SIGNERS[case["signer"]])
    await enter(hand, "Name of the signer", case["signer_name"])
    if case["witness"]:
        await enter(hand, "Witness user ID", case["witness"])
        await enter(hand, "Witness password", case["witness_password"])
    await press(hand, "Record consent")
    if await hand.sees('role=button[name="Record without witness"]'):
        await press(hand, "Record without witness")


async def accept_renewal(hand: Hand, drug: str, refills: int, code: str) -> None:
    """Accept a request, past the warning that supply is left or that it was stopped."""
    await follow(hand, f"Answer {drug}")
    await mark(hand, "Accept")
    await enter(hand, "Refills", str(refills))
    await enter(hand, "Electronic signature code", code)
    await press(hand, "Send answer")
    if await hand.sees('role=button[name="Accept anyway"]'):
        await press(hand, "Accept anyway")


async def deny_renewal(hand: Hand, drug: str, reason: str) -> None:
    """Deny a request."""
    await follow(hand, f"Answer {drug}")
    await mark(hand, "Deny")
    await choose(hand, "Reason", DENIALS[reason])
    await press(hand, "Send answer")
