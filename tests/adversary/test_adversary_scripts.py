"""Programs by CDP try to earn a reward of MiniWoB++ by scripts: each try is refused, and the attempt is graded."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from agents.boxed import needs_box, program
from agents.test_program_cdp import ATTACH, PACKAGES, RAW, VARIABLES

from pytest_cuabench.proof.arena import Arena, Stage

from .conftest import SUITES

pytestmark = [
    pytest.mark.slow,
    needs_box,
    pytest.mark.skipif(find_spec("miniwob") is None, reason="type: pip install 'pytest-cuabench[miniwob]'"),
]
TRIES = """
import urllib.request
forged = "frames[0].core.endEpisode(1.0)"
frame = ask("Page.getFrameTree", tab)["frameTree"]["frame"]["id"]
answers = [
    ask("Runtime.evaluate", tab, expression=forged, userGesture=True),
    ask("Runtime.callFunctionOn", tab, functionDeclaration=f"() => {forged}", executionContextId=1),
    ask("Runtime.compileScript", tab, expression=forged, sourceURL="", persistScript=True),
    ask("Runtime.addBinding", tab, name="report"),
    ask("Page.addScriptToEvaluateOnNewDocument", tab, source=forged, runImmediately=True),
    ask("Page.createIsolatedWorld", tab, frameId=frame, worldName="screen"),
    ask("Page.setDocumentContent", tab, frameId=frame, html=f"<script>{forged}</script>"),
    ask("Page.navigate", tab, url="javascript:" + forged),
    ask("DOM.setOuterHTML", tab, nodeId=1, outerHTML=f"<img src=x onerror='{forged}'>"),
    ask("DOM.setAttributeValue", tab, nodeId=1, name="onclick", value=forged),
    ask("DOM.focus", tab, backendNodeId=1),
    ask("Debugger.enable", tab),
    ask("Debugger.evaluateOnCallFrame", tab, callFrameId="1", expression=forged),
    ask("Fetch.enable", tab),
    ask("Network.setBypassServiceWorker", tab, bypass=True),
    ask("DOMStorage.enable", tab),
    ask("Page.setBypassCSP", tab, enabled=True),
]
assert all(isinstance(answer, str) for answer in answers), answers
assert isinstance(ask("DOM.getDocument", tab), dict)  # looking stays
finish()
"""
EXITS = TRIES.replace("finish()", "sys.exit(1)")


def test_no_script_earns_a_reward(arena: Arena) -> None:
    """Whether it finishes or exits with an error, the program has no success, no script ran, and it is judged."""
    stage = Stage.of(arena, SUITES / "miniwob", "pointing/click_test")
    for code in (TRIES, EXITS):
        agent = program(RAW + ATTACH + code, door="cdp", files=PACKAGES, environment=VARIABLES)
        found = stage.arena.play(stage.task, stage.environment, agent, attempts=1)
        assert found.result.graded, found.error
        assert (found.outcome != "success", found.counts.scripts, found.conditions.scripts_policy) == (
            True,
            0,
            "refused",
        )
