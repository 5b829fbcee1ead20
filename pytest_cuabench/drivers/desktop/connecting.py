"""Connects to a guest: waits until it answers, and detects its protocol (ours or OSWorld's)."""

from __future__ import annotations

import asyncio

from pytest_cuabench.drivers.desktop.client import GuestClient
from pytest_cuabench.drivers.desktop.guest import Guest, WrongProtocol
from pytest_cuabench.drivers.desktop.machine import Address, Machine
from pytest_cuabench.errors import EnvironmentFailure

_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8)  # seconds between tries; the last one is repeated


async def connect(machine: Machine, patience: float) -> GuestClient:
    """Start the machine if needed, and return a connected client of its guest.

    Raises:
        EnvironmentFailure: No guest answered within the machine's start timeout.
        SettingError: A prerequisite is missing, or the token is wrong.
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
                said = await machine.last_output() or str(failure)
                raise EnvironmentFailure(f"no desktop answers at {address}: {said}") from failure
        await asyncio.sleep(_PAUSES[min(tries, len(_PAUSES) - 1)])
        tries += 1


async def _opened(address: Address, name: str, patience: float) -> GuestClient:
    guest = Guest(address, name, patience)
    try:
        await guest.open()
    except WrongProtocol:
        await guest.close()
        return await _osworld(address)
    except BaseException:
        await guest.close()
        raise
    return guest


async def _osworld(address: Address) -> GuestClient:
    from pytest_cuabench.drivers.desktop.osworld.client import OSWorldClient

    client = OSWorldClient(address)
    try:
        await client.open()
    except BaseException:
        await client.close()
        raise
    return client
