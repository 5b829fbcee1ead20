"""Guests as OSWorld's clients find them: on a port, without a token, the desktop not started yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import httpx
import pytest
from drivers.guests import Guest, absent


@contextmanager
def open_guest(*arguments: str) -> Iterator[tuple[Guest, httpx.Client]]:
    """Start one, and a client of the root of its address."""
    if reason := absent():
        pytest.skip(reason)
    if find_spec("pyautogui") is None:
        pytest.skip("OSWorld's clients need more in the guest; type: pip install pyautogui")
    guest = Guest("--listen", "127.0.0.1:0", "--without-token", *arguments)
    address = f"http://{guest.ready['listen']}"
    guest.client.close()
    guest.client = httpx.Client(base_url=f"{address}/cuabench/1", timeout=60)
    try:
        with httpx.Client(base_url=address, timeout=60) as client:
            yield guest, client
    finally:
        guest.close()
