"""Programs may play by the Chrome DevTools Protocol: Playwright in a box, on a task of the clinic."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from pytest_cuabench.agents.profile import load_profile
from pytest_cuabench.agents.program.agent import ProgramAgent
from pytest_cuabench.collection.stash import SETTINGS
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.pool import Pool
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.episode.play import Play
from pytest_cuabench.episode.retry import play_instance
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.task import library
from pytest_cuabench.task.model import Instance, Task
from pytest_cuabench.task.suite import load_suite

from .boxed import needs_box, program

pytestmark = [needs_box, pytest.mark.slow]
PACKAGES = [
    str(Path(importlib.import_module(name).__file__ or "").parent)
    for name in ("playwright", "greenlet", "websockets")
]
PACKAGES.append(str(importlib.import_module("typing_extensions").__file__))
VARIABLES = {
    "PYTHONPATH": "/opt/agent",
    "LD_LIBRARY_PATH": "/opt/python/lib",
}  # of a Python with a shared library

CONNECT = """
import re
from playwright.sync_api import Error, sync_playwright
goal = call("/v1/briefing")[1]["goal"]
user = re.search(r"user ID is (\\S+) and the password is (\\S+?)\\. ", goal)
mrn = re.search(r"MRN (\\w+)", goal)[1]
place = re.search(r"(?:choose|Select|mark) “(.+?)”", goal)[1]
playwright = sync_playwright().start()
address = os.environ["CUABENCH_URL"] + "/cdp/" + os.environ["CUABENCH_TOKEN"]
browser = playwright.chromium.connect_over_cdp(address)
page = browser.contexts[0].pages[0]
"""
SIGN_IN = """
page.get_by_label("User ID").fill(user[1])
page.get_by_label("Password").click()
page.keyboard.type(user[2])
page.keyboard.press("Enter")
"""
SOLVE = """
page.get_by_role("row", name=mrn).get_by_role("link").first.click()
page.get_by_role("link", name="Disposition").click()
page.get_by_label(place).check()
page.get_by_role("button", name="Save disposition").click()
"""

RAW = """
from websockets.sync.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
address = os.environ["CUABENCH_URL"].replace("http", "ws") + "/cdp/" + os.environ["CUABENCH_TOKEN"]
socket = connect(address, max_size=None)
events, numbers = [], iter(range(1, 10**9))

def ask(method, session=None, **parameters):
    number = next(numbers)
    asked = {"id": number, "method": method, "params": parameters}
    socket.send(json.dumps({**asked, "sessionId": session} if session else asked))
    while True:
        message = json.loads(socket.recv(timeout=20))
        if message.get("id") == number:
            return message.get("result", message.get("error", {}).get("message"))
        events.append(message)

def tell(answer):
    finish(answer=json.dumps(answer))
    sys.exit()
"""
ATTACH = """
target = ask("Target.getTargets")["targetInfos"][0]
tab = ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]

def evaluate(text, **more):
    found = ask("Runtime.evaluate", tab, expression=text, returnByValue=True, awaitPromise=True, **more)
    return found["result"].get("value") if isinstance(found, dict) else found

"""


@dataclass(frozen=True)
class Clinic:
    """A task of the clinic, and where programs play it."""

    task: Task
    environment: Environment
    runner: asyncio.Runner
    folder: Path
    played: list[Attempt]

    def play(
        self, code: str, steps: int = 30, seconds: float = 120.0, action: float = 90.0, **options: Any
    ) -> tuple[Attempt, ProgramAgent, list[dict[str, Any]]]:
        """Let a program play; return the attempt, the agent and the recorded steps."""
        given = {"door": "cdp", "files": PACKAGES, "environment": VARIABLES, **options}
        agent = program(code, **given)
        run, number = Run(self.folder), len(self.played) + 1
        instance = Instance(self.task, "step")
        attempt = self.runner.run(
            play_instance(
                Play(
                    instance,
                    self.environment,
                    agent,
                    Limits(steps=steps, seconds=seconds, action=action),
                    agent_name="mine",
                ),
                lambda number: Recorder(run, instance.id, number),
                first=number,
            )
        )
        self.played.append(attempt)
        file = self.folder / (attempt.trajectory or "") / "steps.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        return attempt, agent, [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Clinic]:
    """The clinic's emergency triage, where a disposition is to be saved."""
    with asyncio.Runner() as runner:
        pool = Pool(pytestconfig.stash[SETTINGS])
        suite = load_suite(library.SUITES / "medcua")
        task = next(task for task in suite.tasks if task.name == "emergency_triage/assign_disposition")
        yield Clinic(task, pool.environment(suite), runner, tmp_path_factory.mktemp("run"), [])
        runner.run(pool.close())


def kinds(steps: list[dict[str, Any]]) -> list[str]:
    """Return what was done in each step."""
    return [" ".join(action["kind"] for action in step["actions"]) for step in steps]


def test_playwright_solves(clinic: Clinic) -> None:
    """Playwright's own client solves a task: its clicks and words are steps, and its scripts are counted."""
    last, agent, steps = clinic.play(CONNECT + SIGN_IN + SOLVE)
    assert (last.outcome, last.ending) == ("success", "success"), (last.error, agent._box.tail())
    assert last.verdict is not None
    assert last.verdict.score == 1.0
    assert kinds(steps) == ["type", "click", "type key", *["click"] * 4, "terminate"]
    assert last.counts.scripts == agent.scripts > 20
    assert any("querySelectorAll" in text for text in steps[0]["raw"]["scripts"])
    assert all((clinic.folder / str(last.trajectory) / step["screenshot"]).is_file() for step in steps)


def test_budget(clinic: Clinic) -> None:
    """A budget that is spent in the middle of a program closes its connection."""
    code = f"\ntry:{indent(SIGN_IN, '    ')}\nexcept Error: print('closed', browser.is_connected())"
    last, agent, _ = clinic.play(CONNECT + code, steps=3)
    assert (last.outcome, last.ending, last.steps) == ("budget_exhausted", "budget", 3), last.error
    assert agent._box.tail().splitlines() == ["closed False"]


def test_drag_and_drop(clinic: Clinic) -> None:
    """Elements that can be dragged are dropped by Playwright's own drag and drop; a button may be held by hand, too."""
    code = """
page.evaluate('''() => {
    document.body.innerHTML = "<p id=a draggable=true style='height: 40px'>a</p><p id=b style='height: 40px'>b</p>";
    globalThis.heard = [];
    for (const name of ["dragstart", "drop"]) addEventListener(name, (event) => heard.push(name + event.target.id));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("dblclick", (event) => heard.push(event.type));
}''')
page.locator("#a").drag_to(page.locator("#b"))
page.locator("#b").dblclick()
finish(answer=json.dumps(page.evaluate("heard")))
"""
    last, agent, steps = clinic.play(CONNECT + code)
    assert last.answer, (last.error, agent._box.tail())
    assert json.loads(last.answer) == ["dragstarta", "dropb", "dblclick"], kinds(steps)
    assert "click" in kinds(steps)


def test_dialogs_and_tabs(clinic: Clinic) -> None:
    """Dialogs are answered and tabs opened by links are used, switched and closed as steps."""
    code = """
page.on("dialog", lambda dialog: dialog.accept())
page.evaluate('document.body.innerHTML = `<a href="/" target="_blank" style="display: block">new</a><p>ask</p>`')
page.evaluate("void (document.querySelector('p').onclick = () => { globalThis.said = confirm('Sure?'); })")
page.locator("p").click()
said = page.evaluate("said")
with page.expect_popup() as opening:
    page.get_by_role("link", name="new").click()
popup = opening.value
title = popup.title()
page.locator("p").hover()
popup.screenshot(path="/tmp/popup.png")
popup.close()
picture = open("/tmp/popup.png", "rb").read(4)[1:].decode()
finish(answer=json.dumps([said, title, len(browser.contexts[0].pages), picture]))
"""
    last, agent, steps = clinic.play(CONNECT + code)
    assert last.answer, (last.error, kinds(steps), agent._box.tail())
    said, title, tabs, picture = json.loads(last.answer)
    assert (said, bool(title), tabs, picture) == (True, True, 1, "PNG")
    assert kinds(steps) == ["click", "key", "click", "switch_tab move", "close_tab", "answer"]


def test_refused(clinic: Clinic) -> None:
    """What would change the screen, read secrets or reach other pages is refused with a sentence."""
    code = """
refused = [
    ("Browser.close", None, {}), ("Target.createTarget", None, {"url": "about:blank"}),
    ("Target.createBrowserContext", None, {}), ("Target.attachToBrowserTarget", None, {}),
    ("Target.exposeDevToolsProtocol", None, {"targetId": target["targetId"]}),
    ("Storage.getCookies", None, {}), ("Tracing.start", None, {}), ("SystemInfo.getProcessInfo", None, {}),
    ("Storage.clearDataForOrigin", tab, {"origin": "*", "storageTypes": "all"}),
    ("Network.getAllCookies", tab, {}), ("Network.setCookie", tab, {"name": "a", "value": "b"}),
    ("Network.getResponseBody", tab, {"requestId": "1"}), ("Network.setBlockedURLs", tab, {"urls": ["*"]}),
    ("Fetch.enable", tab, {}), ("Page.setDocumentContent", tab, {"frameId": "x", "html": "<p>"}),
    ("Page.setBypassCSP", tab, {"enabled": True}), ("Page.printToPDF", tab, {}), ("Page.crash", tab, {}),
    ("DOM.setFileInputFiles", tab, {"files": ["/etc/passwd"], "nodeId": 1}),
    ("DOM.setOuterHTML", tab, {"nodeId": 1, "outerHTML": ""}), ("Debugger.enable", tab, {}),
    ("Runtime.addBinding", tab, {"name": "screenPart"}), ("Runtime.queryObjects", tab, {"prototypeObjectId": "1"}),
    ("Emulation.setScriptExecutionDisabled", tab, {"value": True}), ("IO.read", tab, {"handle": "1"}),
    ("Input.dispatchTouchEvent", tab, {"type": "touchStart", "touchPoints": []}), ("No.such", tab, {}),
]
tell({method: ask(method, session, **given) for method, session, given in refused})
"""
    last, agent, steps = clinic.play(RAW + ATTACH + code)
    answers = json.loads(last.answer or "{}")
    assert len(answers) == 27, (last.error, agent._box.tail())
    assert {
        method: text for method, text in answers.items() if f"{method} is refused: " not in str(text)
    } == {}
    assert kinds(steps) == ["answer"]


def test_foreign_pages(clinic: Clinic) -> None:
    """No address outside of the application opens: by navigation, by a link, by a script."""
    code = """
goes = [ask("Page.navigate", tab, url=url) for url in (
    "file:///etc/passwd", "http://127.0.0.1:9/", "http://example.com/", "javascript:alert(1)", "chrome://version",
    "data:text/html,hello")]
before = evaluate("location.href")
link = '<a href="http://127.0.0.1:9/" style="position:fixed;inset:0">away</a>'
evaluate(f"document.body.innerHTML = {json.dumps(link)}")
for kind in ("mousePressed", "mouseReleased"):
    ask("Input.dispatchMouseEvent", tab, type=kind, x=300, y=300, button="left", clickCount=1)
clicked = evaluate("location.href")
evaluate("void (location.href = 'http://example.com/')")
time.sleep(1)
fetched = evaluate("fetch('http://127.0.0.1:9/', {mode: 'no-cors'}).then(() => 'came', () => 'refused')")
tell([goes, before, clicked, evaluate("location.href"), fetched])
"""
    last, agent, steps = clinic.play(RAW + ATTACH + code)
    assert last.answer, (last.error, agent._box.tail())
    goes, before, clicked, after, fetched = json.loads(last.answer)
    assert [text.partition(" cannot be opened")[1] for text in goes] == [" cannot be opened"] * 6, goes
    assert before == clicked == after
    assert fetched == "refused"
    assert kinds(steps) == [*["navigate"] * 6, "click", "answer"]


def test_own_worlds_only(clinic: Clinic) -> None:
    """A program reaches the page's scripts and worlds of its own, but no world or binding of the judge."""
    code = """
ask("Runtime.enable", tab)
frame = ask("Page.getFrameTree", tab)["frameTree"]["frame"]["id"]
own = ask("Page.createIsolatedWorld", tab, frameId=frame, worldName="mine", grantUniveralAccess=True)
shown = [one["params"]["context"] for one in events if one["method"] == "Runtime.executionContextCreated"]
known = {context["id"] for context in shown}
others = [ask("Runtime.evaluate", tab, expression="1", contextId=n) for n in range(1, 60) if n not in known]
node = ask("DOM.getDocument", tab)["root"]["nodeId"]
others += [ask("DOM.resolveNode", tab, nodeId=node, executionContextId=n) for n in range(1, 60) if n not in known]
nonsense = "globalThis.__playwright__binding__ && (__playwright__binding__('no'), __playwright__binding__('{}'), 1)"
tell([
    sorted(context["name"] for context in shown), own["executionContextId"] in known, sorted({*others}),
    evaluate("1 + 1", contextId=own["executionContextId"]), evaluate("typeof screenTold"), evaluate(nonsense),
    evaluate("typeof queryObjects", includeCommandLineAPI=True),
])
"""
    last, agent, _ = clinic.play(RAW + ATTACH + code)
    assert last.answer, (last.error, agent._box.tail())
    names, shown, others, two, binding, called, api = json.loads(last.answer)
    assert names == ["", "mine"]
    assert (shown, two, binding, called, api) == (True, 2, "undefined", None, "undefined")
    assert {text.partition(" (")[0] for text in others} == {"Cannot find context with specified id"}


def test_malformed(clinic: Clinic) -> None:
    """Malformed messages, unknown sessions and another token are answered; a huge message ends the connection."""
    code = """
answers = []
for text in ("nonsense", "[]", '{"id": "x"}', '{"id": 1}', '{"id": 1, "method": "Page.enable", "sessionId": "none"}',
             '{"id": 1, "method": "Page.enable", "params": 3}', '{"id": 1, "method": "Page.enable"}'):
    socket.send(text)
    answers.append(json.loads(socket.recv(timeout=10))["error"]["message"])
answers.append(ask("Input.dispatchMouseEvent", tab, type="mousePressed", x="a", y=1))
answers.append(ask("Input.dispatchKeyEvent", tab, type="keyDown", key="NoSuchKey"))
answers.append(ask("Input.dispatchMouseEvent", tab, type="mouseWheel", x=1e7, y=0, deltaX=0, deltaY=1))
answers.append(ask("Page.captureScreenshot", tab, clip={"x": 0, "y": 0, "width": 1e6, "height": 1e6, "scale": 1}))
odd = [("Runtime.callFunctionOn", {"arguments": 5, "functionDeclaration": []}), ("Runtime.evaluate", {"contextId": []}),
       ("Target.attachToTarget", {"targetId": [], "flatten": True}), ("Page.navigateToHistoryEntry", {"entryId": {}}),
       ("Page.navigate", {"url": 5}), ("DOM.getBoxModel", {"nodeId": "x"}), ("Page.handleJavaScriptDialog", {}),
       ("Target.closeTarget", {"targetId": 1}), ("Input.insertText", {"text": 5})]
answers.append([ask(method, tab, **given) for method, given in odd])
socket.send('{"id": 1, "method": "Runtime.evaluate", "params": {"expression": "1", "timeout": NaN}}')
answers.append(json.loads(socket.recv(timeout=10))["error"]["message"])
try:
    connect(address[:-5] + "wrong")
except InvalidStatus as error:
    answers.append(error.response.status_code)
try:
    socket.send("x" * 5_000_000)
    while True: socket.recv(timeout=10)
except ConnectionClosed as error:
    answers.append(error.rcvd.code if error.rcvd else "reset")
tell(answers)
"""
    last, agent, _ = clinic.play(RAW + ATTACH + code)
    assert last.answer, (last.error, agent._box.tail())
    answers = json.loads(last.answer)
    form = "Message must have 'method', and 'params' is an object"
    assert answers[:7] == [
        "Message must be a valid JSON",
        "Message must be an object",
        "Message must have integer 'id' property",
        form,
        "Session with given id not found.",
        form,
        "Page.enable needs the sessionId of a tab; see Target.attachToTarget",
    ]
    assert answers[7] == "x is 'a', but must be a number"
    assert answers[8].startswith("unknown key 'NoSuchKey'")
    assert answers[9] == "x is 10000000.0, but must be a number from -1000000 to 1000000"
    assert answers[10] == "clip has at most 40000000 pixels: width * height * scale * scale"
    assert all(isinstance(text, str) and text for text in answers[11])
    assert answers[12] == "Message must be a valid JSON"
    assert answers[13] == 401
    assert answers[14] in (1009, "reset")  # the box's forwarder may close first


def test_flood_and_next(clinic: Clinic) -> None:
    """A program that floods the door is stopped, and the next episode on the same browser is unharmed."""
    flood = "\nwhile True: socket.send(json.dumps({'id': 1, 'method': 'Target.getTargets'}))"
    last, _, _ = clinic.play(RAW + flood, requests=500)
    assert (last.outcome, last.ending) == ("gave_up", "failure"), last.error
    last, agent, _ = clinic.play(CONNECT + SIGN_IN + SOLVE)
    assert last.outcome == "success", (last.error, agent._box.tail())


WAYS_OUT = {
    "scripts, then an exit": ('evaluate("fetch(location.href).then(r => r.status)"); sys.exit(1)', "gave_up"),
    "a name of half a character": (
        'call("/v1/step", {"actions": [{"kind": "click", "\\ud800": 1}]}); call("/v1/observation"); sys.exit(1)',
        "gave_up",
    ),
    "a hung page, then finish": (
        'socket.send(json.dumps({"id": 10**6, "method": "Runtime.evaluate", "sessionId": tab,'
        ' "params": {"expression": "while (true);"}})); time.sleep(1); finish()',
        "broke_environment",
    ),
}


def test_no_way_out(clinic: Clinic) -> None:
    """Scripts without a step, malformed names and a hung page are the program's, and the next episode is unharmed."""
    found = {name: clinic.play(RAW + ATTACH + code, action=12.0)[0] for name, (code, _) in WAYS_OUT.items()}
    told = {name: (each.outcome, each.counts.scripts) for name, each in found.items()}
    assert told == {name: (outcome, int("name" not in name)) for name, (_, outcome) in WAYS_OUT.items()}
    broke = found["a hung page, then finish"].end.broke
    assert broke is not None
    assert (broke.action, broke.control) == ({"kind": "script", "text": "while (true);"}, True)
    last, agent, _ = clinic.play(CONNECT + SIGN_IN + SOLVE)
    assert last.outcome == "success", (last.error, agent._box.tail())


SERVER = shutil.which("playwright-mcp")
CLIENT = Path(__file__).with_name("scripted_playwright_mcp.py")


@pytest.mark.skipif(SERVER is None, reason="needs npm install -g @playwright/mcp@0.0.83")
def test_playwright_mcp_solves(clinic: Clinic) -> None:
    """Playwright MCP solves a task by its own tools, driven by a scripted client as by a model."""
    modules = next(path for path in Path(SERVER or "").resolve().parents if path.name == "node_modules")
    profile = load_profile("playwright-mcp", library.ROOT)
    server = json.loads(profile.options["write"]["mcp.json"])["mcpServers"]["playwright"]
    assert server["command"] == "playwright-mcp"
    command = [
        "python3",
        f"/opt/agent/{CLIENT.name}",
        "node",
        "/opt/agent/node_modules/@playwright/mcp/cli.js",
    ]
    last, agent, steps = clinic.play(
        "",
        command=[*command, *server["args"]],
        files=[str(modules), str(CLIENT)],
        network=profile.options["network"],
    )
    assert last.outcome == "success", (last.error, agent._box.tail())
    assert kinds(steps) == ["type", "type", "key", *["click"] * 4, "terminate"]


BROWSER_USE = os.environ.get("CUABENCH_BROWSER_USE")  # such a folder
MODEL = Path(__file__).with_name("scripted_browser_use.py")


@pytest.mark.skipif(
    BROWSER_USE is None,
    reason="needs pip install --target FOLDER browser-use==0.13.14 requests, and CUABENCH_BROWSER_USE=FOLDER",
)
def test_browser_use_solves(clinic: Clinic) -> None:
    """The profile `browser-use` solves a task, with a scripted model."""
    options = load_profile("browser-use", library.ROOT).options
    folder = Path(BROWSER_USE or "")
    path = f"/opt/agent/{folder.name}:/opt/cuabench"
    given = {
        **options,
        "command": ["python3", f"/opt/agent/{MODEL.name}", *options["command"]],
        "files": [str(folder), str(MODEL)],
        "environment": {**options["environment"], "PYTHONPATH": path, "OPENAI_API_KEY": "sk-of-the-tests"},
    }
    last, agent, steps = clinic.play("", seconds=300.0, **given)
    assert (last.outcome, last.answer) == ("success", "Saved."), (
        last.error,
        kinds(steps),
        last.answer,
        agent._box.tail(),
    )
    assert kinds(steps) == ["type", "type", *["click"] * 5, "answer"]
