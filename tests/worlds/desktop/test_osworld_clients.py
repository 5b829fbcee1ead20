"""A client that was written for OSWorld works on our guest as it is."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from .on_a_port import open_guest
from .osworld_style import Controller, Desktop

PROBE = ["python3", "/opt/guest/probe_window.py", "/home/user/probe.jsonl"]
SHOWN = {"command": "true", "shell": True, "verification": {"window_exists": "Probe"}, "check_interval": 0.2}


def events(client: httpx.Client) -> list[dict[str, Any]]:
    """Return what the probe window got."""
    return [json.loads(line) for line in client.get("/read?path=~/probe.jsonl").text.splitlines()]


@pytest.mark.slow
def test_steps_and_actions() -> None:
    """Code strings, actions of computer_13 and the three words do on a GTK window what they say."""
    with open_guest() as (_, client):
        address = str(client.base_url).rstrip("/")
        client.post("/setup/launch", json={"command": PROBE})
        client.post("/setup/execute_with_verification", json=SHOWN)
        desktop = Desktop(address, pause=0.05)
        seen, over = desktop.step("WAIT")
        assert seen["screenshot"].startswith(b"\x89PNG")
        assert "Clear" in seen["accessibility_tree"]
        assert (seen["terminal"], over) == (None, False)
        desktop.step("pyautogui.click(x=100, y=100, button='right')")
        desktop.step({"action_type": "CLICK", "parameters": {"x": 500, "y": 60}})
        desktop.step({"action_type": "TYPING", "parameters": {"text": "Two words"}})
        desktop.step({"action_type": "HOTKEY", "parameters": {"keys": ["ctrl", "a"]}})
        desktop.step({"action_type": "MOVE_TO", "parameters": {"x": 150, "y": 350}})
        desktop.step({"action_type": "SCROLL", "parameters": {"dy": -2}})
        _, over = desktop.step("DONE")
        assert over
        recorded = events(client)
    clicked = [(one["x"], one["y"], one["button"]) for one in recorded if one["type"] == "mousedown"]
    assert clicked == [(100, 100, 2), (500, 60, 0)]
    assert any(one["type"] == "keydown" and one["key"] == "a" and one["ctrl"] for one in recorded)
    assert sum(one["dy"] for one in recorded if one["type"] == "wheel") == 240
    assert "".join(one["new"] for one in recorded if one["type"] == "edit") == "Two words"


@pytest.mark.slow
def test_failures_are_none() -> None:
    """A call that cannot be carried out gives None after three tries, as these clients expect."""
    with open_guest() as (_, client):
        controller = Controller(str(client.base_url).rstrip("/"), pause=0.01)
        assert controller.post("/setup/open_file", {"path": "nonesuch"}) is None
        assert controller.post("/file", file_path="/nowhere") is None
        failed = controller.python("raise SystemExit(3)")
        assert failed is not None
        assert failed["returncode"] == 3


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("kalgebra") is None, reason="type: apt-get install kalgebra")
def test_a_script_calculates() -> None:
    """The client as a program of its own launches KAlgebra, types a sum and finds it in the tree."""
    script = Path(__file__).with_name("osworld_style.py")
    with open_guest() as (_, client):
        told = subprocess.run(
            [sys.executable, str(script), str(client.base_url).rstrip("/")],
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
    assert json.loads(told.stdout) == {"over": True, "png": True, "total": True}, told.stderr
