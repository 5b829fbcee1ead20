"""Waiting for a guest to answer, and finding out which protocol it speaks: ours, or OSWorld's."""

from __future__ import annotations

import asyncio

from pytest_cuabench.drivers.desktop.client import GuestClient
from pytest_cuabench.drivers.desktop.guest import AnotherProtocol, Guest
from pytest_cuabench.drivers.desktop.machine import Address, Machine
from pytest_cuabench.errors import EnvironmentFailure

_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8)  # seconds between tries; the last one again and again


async def connect(machine: Machine, patience: float) -> GuestClient:
    """Start a machine where that is needed, and return a client of its guest, which answers.

    Raises:
        EnvironmentFailure: No guest answered within the machine's time to start.
        SettingError: Something is missing, or the guest wants another token.
    """
    address = await machine.start()
    tries = 0
    until = asyncio.get_running_loop().time() + machine.boot
    while True:
        try:
            return await _opened(address, machine.kind, patience)
        except EnvironmentFailure as failure:
            late = asyncio.get_running_loop().time() > until
            if late or not await machine.alive():
                said = await machine.why() or str(failure)
                raise EnvironmentFailure(f"no desktop answers at {address}: {said}") from failure
        await asyncio.sleep(_PAUSES[min(tries, len(_PAUSES) - 1)])
        tries += 1


async def _opened(address: Address, name: str, patience: float) -> GuestClient:
    guest = Guest(address, name, patience)
    try:
        await guest.open()
    except AnotherProtocol:
        await guest.close()
        return await _osworld(address)
    except BaseException:
        await guest.close()
        raise
    return guest


async def _osworld(address: Address) -> GuestClient:
    from pytest_cuabench.drivers.desktop.osworld import OSWorldClient

    foreign = OSWorldClient(address)
    try:
        await foreign.open()
    except BaseException:
        await foreign.close()
        raise
    return foreign
