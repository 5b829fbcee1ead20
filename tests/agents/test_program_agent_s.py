"""Code of agent frameworks is a step, read and never run; and the profile `agent-s` plays with the real package."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from small_world import SCREEN, Table

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.profile import load_profile
from pytest_cuabench.agents.program.agent import ProgramAgent
from pytest_cuabench.agents.program.endpoints.openapi import description
from pytest_cuabench.agents.program.endpoints.wire import read_step
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Action, Size

from .boxed import needs_box, program

PRELUDE = """import pyautogui; 
try:
    import pyperclip
except ImportError:
    import subprocess
    subprocess.run('echo "a-password" | sudo -S apt-get install -y xclip xsel', shell=True, check=True)
    subprocess.check_call([subprocess.sys.executable, '-m', 'pip', 'install', 'pyperclip'])
    import pyperclip

"""  # noqa: W291 - as Agent-S writes it
PACKAGES = Path(os.environ.get("AGENT_S_PACKAGES", Path.home() / "agent-s"))
needs_agent_s = pytest.mark.skipif(
    not (PACKAGES / "gui_agents").is_dir(),
    reason="type: pip install --target ~/agent-s gui-agents==0.3.2",
)
MODEL = Path(__file__).with_name("scripted_agent_s.py")


@pytest.mark.parametrize(
    ("code", "actions"),
    [
        ("import pyautogui; import pyautogui; pyautogui.click(832, 346, clicks=1, button='left'); ",
         [act.Click(832, 346)]),
        ("import pyautogui; pyautogui.keyDown('ctrl'); import pyautogui; "
         "pyautogui.click(8, 3, clicks=2, button='right'); "
         "pyautogui.keyUp('ctrl'); ", [act.KeyDown("ctrl"), act.Click(8, 3, "right", 2), act.KeyUp("ctrl")]),
        (PRELUDE + "pyautogui.click(5, 6); pyautogui.write('hello'); ", [act.Click(5, 6), act.Type("hello")]),
        (PRELUDE + "pyautogui.hotkey('ctrl', 'a'); pyautogui.press('backspace'); pyautogui.write(\"it's\"); "
         "pyautogui.press('enter'); ",
         [act.Key(("ctrl", "a")), act.Key(("backspace",)), act.Type("it's"), act.Key(("enter",))]),
        (PRELUDE + "pyautogui.click(5, 6); pyperclip.copy('Grüße'); pyautogui.hotkey('ctrl', 'v'); ",
         [act.Click(5, 6), act.Type("Grüße")]),
        ("import pyautogui; pyautogui.moveTo(1, 2); pyautogui.dragTo(30, 40, duration=1., button='left'); "
         "pyautogui.mouseUp(); ",
         [act.Move(1, 2), act.MouseDown(), act.Move(30, 40), act.MouseUp(), act.MouseUp()]),
        ("import pyautogui; import time; pyautogui.moveTo(9, 8); time.sleep(0.5); pyautogui.vscroll(-3)",
         [act.Move(9, 8), act.Wait(0.5), act.Scroll(dy=3)]),
        ("import pyautogui; import time; pyautogui.moveTo(9, 8); time.sleep(0.5); pyautogui.hscroll(2)",
         [act.Move(9, 8), act.Wait(0.5), act.Scroll(dx=2)]),
        ("import pyautogui; pyautogui.hotkey('ctrl', 'shift', 't')", [act.Key(("ctrl", "shift", "t"))]),
        ("import pyautogui; pyautogui.keyDown('shift'); pyautogui.press(['tab', 'enter']); pyautogui.keyUp('shift'); ",
         [act.KeyDown("shift"), act.Key(("tab",)), act.Key(("enter",)), act.KeyUp("shift")]),
        ("import pyautogui; pyautogui.hotkey('win'); time.sleep(0.5); pyautogui.write('calc'); time.sleep(1.0); "
         "pyautogui.hotkey('enter'); time.sleep(0.5)",
         [act.Key(("meta",)), act.Wait(0.5), act.Type("calc"), act.Wait(1.0), act.Key(("enter",)), act.Wait(0.5)]),
        ("import pyautogui; import time; pyautogui.hotkey('win', 'd', interval=0.5); pyautogui.typewrite('calc'); "
         "pyautogui.press('enter'); time.sleep(1.0)",
         [act.Key(("meta", "d")), act.Type("calc"), act.Key(("enter",)), act.Wait(1.0)]),
        ("import time; time.sleep(1.333)", [act.Wait(1.333)]),
        ("WAIT", [act.Wait(5.0)]),
        ("DONE", [act.Terminate("success")]),
        ("FAIL", [act.Terminate("infeasible")]),
    ],
    ids=["click", "click with a held key", "type", "overwrite and enter", "foreign characters", "drag", "scroll",
         "scroll sideways", "hotkey", "hold and press", "open", "switch on Windows", "wait", "note", "done", "fail"],
)  # fmt: skip
def test_each_action(code: str, actions: list[Action]) -> None:
    """What Agent-S returns for each of its actions is read; what it would install is left out."""
    decision = read_step({"pyautogui": code}, Size(1920, 1080))
    assert (list(decision.actions), decision.format_error) == (actions, None)


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.system('reboot')",
        "import subprocess;\nimport difflib;\nimport pyautogui;\npyautogui.press('escape');\n"
        "output = subprocess.check_output(['wmctrl', '-lx']);",
        "try:\n    import os\n    os.system('reboot')\nexcept OSError:\n    pass",
        "def f(): pass",
        "exec('1')",
        "pyautogui.click(*[1, 2])",
        "pyautogui.click(9999, 1)",
        "x" * 60_000,
        "((" * 5000,
        "",
    ],
)
def test_what_is_not_read(code: str) -> None:
    """Other code is a step that cannot be read; nothing of it is run."""
    decision = read_step({"pyautogui": code}, SCREEN)
    assert decision.format_error


def test_form() -> None:
    """A step has actions or code, and the OpenAPI document says so."""
    briefing = Briefing("Do it", "screenshot", SCREEN, ("pointer", "keyboard"), 10)
    schema = description(briefing)["paths"]["/v1/step"]["post"]["requestBody"]["content"]
    told = Draft202012Validator(schema["application/json"]["schema"])
    assert told.is_valid({"pyautogui": "DONE"})
    both = {"pyautogui": "DONE", "actions": [{"kind": "wait"}]}
    for step in (both, {"pyautogui": 3}, {}):
        assert not told.is_valid(step)
        with pytest.raises(ActionError, match="a list of 1 to 50 objects"):
            read_step(step, SCREEN)


@needs_box
def test_by_the_client(table: Table) -> None:
    """A program sends code, is told what could not be read, and ends with DONE."""
    code = """
def send(code):
    return call("/v1/step", {"pyautogui": code})[1]

told = send("import os; os.system('touch /tmp/run')")["notices"][0]
send("import pyautogui; pyautogui.press('n')")
print("unknown call os.system" in told, os.path.exists("/tmp/run"), send("DONE"))
"""
    agent = program(code)
    last = table.play(agent).last
    assert (last.outcome, last.steps, last.counts.format_errors) == ("success", 3, 1)
    assert agent._box.tail().startswith("True False {'ended': True")


def agent_s(plans: tuple[str, ...], point: tuple[int, int], size: str) -> ProgramAgent:
    """Return the profile's agent with a scripted model server, which has these plans and finds all at one point."""
    profile = load_profile("agent-s", library.ROOT)
    options = {
        **profile.options,
        "command": ["python3", f"/opt/agent/{MODEL.name}", *profile.options["command"]],
        "files": [str(MODEL), str(PACKAGES)],
        "environment": {
            **profile.options["environment"],
            "PYTHONPATH": f"/opt/agent/{PACKAGES.name}:/opt/cuabench",
            "OPENAI_API_KEY": "sk-of-the-tests",
            "OPENAI_BASE_URL": "http://127.0.0.1:8765/v1",
            "AGENT_S_GROUNDING_URL": "http://127.0.0.1:8765/v1",
            "AGENT_S_GROUNDING_SIZE": size,
            "SCRIPT": json.dumps({"plans": plans, "point": point}),
        },
        "network": "none",
    }
    return ProgramAgent(profile.model_copy(update={"options": options, "key": None}))


@needs_box
@pytest.mark.slow
@needs_agent_s
def test_plays(table: Table) -> None:
    """Agent-S looks, has its models asked, acts, and says that it is done; boxed, with a scripted model server."""
    plans = ("agent.click('The field in the middle.')", "agent.hotkey(['n'])", "agent.done()")
    agent = agent_s(plans, (12, 34), "64x48")
    played = table.play(agent, seconds=500.0)
    assert (played.last.outcome, played.last.steps) == ("success", 3), (played.last.error, agent._box.tail())
    assert played.world.performed == [act.Click(12, 34), act.Key(("n",))]
    assert played.last.conditions.isolation == "box"
