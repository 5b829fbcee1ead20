"""Programs reach a desktop by VNC and by SSH: they can play, and what they leave behind harms no later episode."""

from __future__ import annotations

import json
import sysconfig
from pathlib import Path

import pytest
from agents.boxed import needs_box, program
from agents.test_program_agent_s import agent_s, needs_agent_s
from drivers.desktop_here import require_desktop

from pytest_cuabench.ledger.record import read_steps
from pytest_cuabench.proof.arena import Arena, Stage
from pytest_cuabench.task.action import Size

from .conftest import SUITES

pytestmark = [pytest.mark.slow, needs_box]
SUITE = Path(__file__).parents[1] / "desktop_suite"
_NEEDED = ("asyncvnc", "keysymdef", "numpy", "numpy.libs", "cryptography", "cffi", "_cffi_backend")
PACKAGES = [
    str(path) for name in _NEEDED for path in Path(sysconfig.get_path("purelib")).glob(f"{name}*")
    if path.suffix in {"", ".py", ".so", ".libs"}
]  # fmt: skip
WORD = """
goal = call("/v1/briefing")[1]["goal"]
word = goal.split("Write ")[1].split(" into")[0]
"""
VNC = f"""
import asyncio, warnings
warnings.simplefilter("ignore")
sys.path.append("/opt/agent")
import asyncvnc
{WORD}
def connect():
    return asyncvnc.connect("127.0.0.1", 5900, password=os.environ["CUABENCH_TOKEN"][:8])

"""
WRITES = """
async def main():
    async with connect() as client:
        before = await client.screenshot()
        client.mouse.move(500, 60)
        client.mouse.click()
        for character in word:  # asyncvnc itself does not know all of them
            for down in (1, 0):
                client.writer.write(bytes((4, down, 0, 0)) + (0x01000000 + ord(character)).to_bytes(4, "big"))
        after = await client.screenshot()
        assert before.shape == (800, 1280, 4) and (before != after).any()

asyncio.run(main())
"""
HOLDS = """
async def main():
    async with connect() as client:
        client.mouse.move(500, 60)
        for code in (0xffe1, 0xffe3):
            client.writer.write(b"\\4\\1\\0\\0" + code.to_bytes(4, "big"))
        client.writer.write(b"\\5\\1" + (500).to_bytes(2, "big") + (60).to_bytes(2, "big"))
        await client.screenshot()
        finish()
        await asyncio.sleep(60)

asyncio.run(main())
"""
FLOODS = """
async def main():
    async with connect() as client:
        for number in range(150):
            client.writer.write(b"\\5" + bytes([number % 3]) + bytes([number % 5, number % 250, number % 3, 7]))
            client.writer.write(b"\\4\\1\\0\\0\\0\\0\\xff" + bytes([number % 256]))
        await client.writer.drain()
        await asyncio.sleep(60)

asyncio.run(main())
"""
SSH = """
import subprocess

def ssh(command):
    return subprocess.run(["ssh", "guest", command], capture_output=True, text=True)

"""


@pytest.fixture(scope="module")
def probe(arena: Arena) -> Stage:
    """A window with two fields; to write a word into the upper one is the task."""
    require_desktop()
    return Stage.of(arena, SUITE, "probe/write")


def test_vnc(probe: Stage) -> None:
    """A desktop task is solved by asyncvnc: the screen is live, and the record has its input as steps."""
    pytest.importorskip("asyncvnc")
    agent = program(VNC + WRITES, door="vnc", files=PACKAGES)
    found = probe.arena.play(probe.task, probe.environment, agent, attempts=1)
    assert (found.outcome, found.conditions.isolation, found.counts.code_used) == ("success", "box", False), (
        agent._box.tail()
    )
    steps = read_steps(probe.arena.folder / str(found.trajectory))
    assert [[action["kind"] for action in step["actions"]] for step in steps] == [
        ["click", "type"],
        ["terminate"],
    ]


def test_ssh(probe: Stage) -> None:
    """Commands by SSH run as the desktop's user in the guest; the record says that code was used."""
    code = """
found = [ssh("echo $DISPLAY; ls -d /opt/agent; exit 3"), ssh("cat note.txt || ls ~"), ssh("id -u")]
print([(one.returncode, one.stdout, one.stderr) for one in found])
word = call("/v1/briefing")[1]["goal"].split("Write ")[1].split(" into")[0]
step({"kind": "click", "x": 500, "y": 60})
typed = ssh("python3 -c \\"import pyautogui; pyautogui.press('x')\\"; true")
step({"kind": "key", "keys": "ctrl+a"}, {"kind": "type", "text": word})
assert [one.returncode for one in found] == [3, 0, 0] and "agent" not in found[0].stdout, found
"""
    found = probe.arena.play(
        probe.task, probe.environment, agent := program(SSH + code, door="ssh"), attempts=1
    )
    assert (found.outcome, found.counts.code_used) == ("success", True), (found.error, agent._box.tail())
    steps = read_steps(probe.arena.folder / str(found.trajectory))
    assert steps[0]["actions"][0]["kind"] == "run_code"
    assert steps[0]["actions"][0]["language"] == "bash"


@pytest.mark.parametrize("code", [HOLDS, FLOODS], ids=["holds keys", "floods"])
def test_next_episode_is_unharmed(probe: Stage, code: str) -> None:
    """Held keys and floods of events are graded, and the next episode begins with nothing pressed."""
    pytest.importorskip("asyncvnc")
    agent = program(VNC + code, door="vnc", files=PACKAGES)
    found = probe.arena.play(probe.task, probe.environment, agent, attempts=1)
    assert found.result.graded, (found.error, agent._box.tail())
    assert found.outcome != "success"
    assert not probe.reference().hole


@needs_agent_s
def test_agent_s(probe: Stage) -> None:
    """Agent-S writes the word on the desktop, with a scripted model server."""
    agent = agent_s(("agent.type('The upper field.', 'WORD')", "agent.done()"), (500, 60), "1280x800")
    found = probe.arena.play(probe.task, probe.environment, agent, attempts=1)
    assert (found.outcome, found.steps) == ("success", 2), (found.error, agent._box.tail())


def test_vnc_in_a_browser(arena: Arena) -> None:
    """A browser is seen and used by VNC, too: the picture changes with what is typed."""
    pytest.importorskip("asyncvnc")
    code = """
async def main():
    async with connect() as client:
        before = await client.screenshot()
        client.mouse.move(640, 300)
        client.mouse.click()
        client.keyboard.press("Tab")
        client.keyboard.write("nobody")
        after = await client.screenshot()
        finish(answer=json.dumps([before.shape[:2], bool((before != after).any()), int(before.std())]))

asyncio.run(main())
"""
    stage = Stage.of(arena, SUITES / "medcua", "emergency_triage/assign_disposition")
    agent = program(VNC.replace(WORD, "") + code, door="vnc", files=PACKAGES)
    found = arena.play(stage.task, stage.environment, agent, attempts=1)
    assert found.answer is not None, (found.error, agent._box.tail())
    (height, width), changed, contrast = json.loads(found.answer)
    assert (Size(width, height), changed, contrast > 10) == (stage.environment.screen, True, True)
    steps = read_steps(arena.folder / str(found.trajectory))
    assert [action["kind"] for action in steps[0]["actions"]] == ["click", "key", "type"]
