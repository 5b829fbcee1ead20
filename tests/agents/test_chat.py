"""What is particular to models behind chat completions: notations, functions, servers of one's own.

What is true of every maker's model stands in `test_provider_contract`.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lazily import lazily
from small_world import ROWS, Played, Table, react

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.action_spaces import ACTION_SPACES, COORDINATES, find_action_space
from pytest_cuabench.agents.profile import Profile, load_profile
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.ledger.record import read_steps
from pytest_cuabench.task.action import Click, Key, Screenshot, Size, Type
from pytest_cuabench.task.observation import ActionResult, Box, Mark, Node, Observation
from pytest_cuabench.testing import FakeEnvironment, blank_png

from .desk import Naps
from .servers.chat import KEY, MODEL, Fault, Said, Server, picture_of, serving
from .speakers import CHATS, PAIR

if TYPE_CHECKING:
    from pytest_cuabench.agents.makers.chat.agent import ChatAgent

adapter = lazily("pytest_cuabench.agents.makers.chat.agent")

ROOT = Path(__file__).parents[2]
SCREEN = Size(1280, 720)
NOTE = "The key n notes it.\n```python\npyautogui.press('n')\n```"
DONE = "```\nDONE\n```"
PROSE = "I would rather not say."
FREE = {"input": 2, "output": 10, "cached": 1}


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    """The one server of this module."""
    with serving() as served:
        yield served


@pytest.fixture
def server(running: Server) -> Server:
    """The server with an empty script."""
    running.play(DONE)
    running.models = (MODEL,)
    return running


def chat(server: Server, *, key: str | None = None, model: str = MODEL, **options: Any) -> ChatAgent:
    """Return an agent of this server that sleeps without waiting."""
    given = {"url": server.url, "dialect": "pyautogui", "timeout": 30} | options
    agent = adapter.ChatAgent(Profile(adapter="chat", name="acme", model=model, key=key, options=given))
    return awake(agent)


def awake(agent: Any) -> Any:
    """Let an agent wait without time passing."""
    agent.naps = Naps()
    agent.naps.of(agent._caller)
    return agent


def play(table: Table, agent: Any, size: Size = SCREEN, **limits: Any) -> Played:
    """Play the desk's task on a screen of a real size."""
    return table.play(agent, world=FakeEnvironment(ROWS, react, size), **limits)


def parts(request: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Return the parts of a kind in all messages."""
    contents = [message["content"] for message in request["messages"]]
    return [
        part for content in contents if isinstance(content, list) for part in content if part["type"] == kind
    ]


def words(message: dict[str, Any]) -> str:
    """Return the text of a message."""
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def called(**arguments: Any) -> str:
    """Return a reply that calls Qwen's function."""
    return f"<tool_call>{json.dumps({'name': 'computer_use', 'arguments': arguments})}</tool_call>"


def ask(
    agent: Any,
    *seen: Observation,
    observation: str = "screenshot",
    capabilities: tuple[str, ...] = ("pointer", "keyboard"),
) -> list[Any]:
    """Return the decisions about some looks, in one episode."""

    async def asked() -> list[Any]:
        await agent.start(Briefing("do it", observation, SCREEN, capabilities, 10))  # type: ignore[arg-type]
        try:
            return [await agent.decide(look) for look in seen]
        finally:
            await agent.close()

    return asyncio.run(asked())


LOOK = Observation(SCREEN, blank_png(SCREEN))


# Whole episodes


def test_first_request(server: Server, table: Table) -> None:
    """The first request holds instructions, the task and the screenshot, and nothing of OpenAI's environment."""
    play(table, chat(server, temperature=0.5, max_tokens=77, body={"top_k": 3}))
    (request,) = server.requests
    system, user = request["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert "pyautogui.click" in system["content"]
    assert "Note that Ada was seen." in words(user)
    assert (request["temperature"], request["max_tokens"], request["top_k"]) == (0.5, 77, 3)
    assert picture_of(parts(request, "image_url")[0]).size == SCREEN


def test_an_official_prompt(server: Server, table: Table) -> None:
    """The maker's own words come first, with the task in them, and nothing of ours beside the screenshots."""
    server.by_turns = False
    server.play("Action: hotkey(key='n')", "Action: finished()")
    played = play(table, chat(server, dialect="ui-tars", prompt="official"))
    assert played.last.outcome == "success"
    first, second = (request["messages"] for request in server.requests)
    assert [message["role"] for message in second] == ["user", "user", "assistant", "user"]
    assert first[0]["content"].startswith("You are a GUI agent.")
    assert played.last.goal in words(first[0])
    assert [part["type"] for part in second[3]["content"]] == ["image_url"]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Said("```python\npyautogui.jump(1)\n```"), "unknown call pyautogui.jump"),
        (Said(None), "the reply is empty"),
        (Said(NOTE, finish="length"), "cut off after 10 tokens"),
        (Said("<think>and so on and so on", finish="stop"), "the reply is empty"),
    ],
)
def test_format_error_then_recovery(server: Server, table: Table, reply: Said, told: str) -> None:
    """What cannot be read is told to the model, counted, and does not end the episode."""
    server.play(reply, NOTE, DONE)
    played = play(table, chat(server))
    assert (played.last.outcome, played.last.counts.format_errors, played.last.steps) == ("success", 1, 3)
    assert told in words(server.requests[1]["messages"][-1])
    assert played.world.performed == [Key(("n",))]


def test_a_content_filter_is_told_but_not_counted(server: Server, table: Table) -> None:
    """What the server withheld is told to the model; it could write it no other way, so it never locks it out."""
    filtered = Said("", finish="content_filter")
    server.play(*[filtered] * 6, NOTE, DONE)
    played = play(table, chat(server))
    assert (played.last.outcome, played.last.counts.format_errors, played.last.steps) == ("success", 0, 8)
    assert "content filter" in words(server.requests[1]["messages"][-1])


def test_repaired_replies_are_counted(server: Server, table: Table) -> None:
    """What is written wrongly, and read as it is meant, is no format error, and is in the record by kind."""
    server.play("```python\nimport os\npyautogui.press('n')\n```", DONE)
    played = play(table, chat(server))
    assert (played.last.outcome, played.last.counts.format_errors) == ("success", 0)
    assert played.last.counts.repairs == {"import": 1}
    assert played.world.performed == [Key(("n",))]


# Thoughts


@pytest.mark.parametrize(
    "reply",
    [
        Said(DONE, reasoning_content="It is done."),
        Said(DONE, reasoning="It is done."),
        Said(f"<think>It is done.</think>{DONE}"),
        Said(f"It is done.</think>\n\n{DONE}"),
        Said(f"<seed:think>It is done.</seed:think>{DONE}"),
        Said(f"<think_never_used_51bc>It is done.</think_never_used_51bc>{DONE}"),
    ],
)
def test_thoughts(server: Server, reply: Said) -> None:
    """Reasoning becomes the thought, however the server sends it, and is not sent back."""
    server.play(reply)
    agent = chat(server)
    decisions = ask(agent, LOOK, LOOK)
    assert decisions[0].thought == "It is done."
    assert decisions[0].format_error is None
    assert "It is done." not in json.dumps(server.requests[1]["messages"])


def test_tags_within_a_reply_are_no_thought() -> None:
    """A tag in the middle of a reply is text of the reply."""
    set_apart = lazily("pytest_cuabench.agents.makers.chat.completions").set_apart
    assert set_apart("Type <think>") == ("", "Type <think>")
    assert set_apart("plain") == ("", "plain")


# Pictures and history

RELATIVE, STEPS = {"coordinates": "relative"}, {"coordinates": "relative1000"}


def clicked(x: int, y: int) -> str:
    """Return a reply of Qwen's that clicks."""
    return called(action="left_click", coordinate=[x, y])


def test_history(server: Server, table: Table) -> None:
    """The newest pictures are sent again, older ones become a word; what was said stays."""
    server.play(*["```python\npyautogui.press('tab')\n```"] * 5, DONE)
    played = play(table, chat(server, history=2))
    assert played.last.steps == 6
    assert [len(parts(request, "image_url")) for request in server.requests] == [1, 2, 2, 2, 2, 2]
    last = server.requests[-1]["messages"]
    assert "left out by now" in words(last[1])
    assert "Note that Ada was seen." in words(last[1])
    assert [message["role"] for message in last[-3:]] == ["user", "assistant", "user"]


@pytest.mark.parametrize(
    ("options", "size", "click", "expected"),
    [
        ({"dialect": "pyautogui"}, (1280, 720), "```\npyautogui.click(640, 360)\n```", (640, 360)),
        ({"dialect": "opencua"}, (1288, 728), "```python\npyautogui.click(x=1287, y=727)\n```", (1279, 719)),
        ({"dialect": "opencua", **RELATIVE}, SCREEN, "```\npyautogui.click(0.5, 0.5)\n```", (640, 360)),
        ({"dialect": "ui-tars"}, (1288, 728), "Action: click(point='<point>0 0</point>')", (0, 0)),
        ({"dialect": "ui-tars", **STEPS}, SCREEN, "Action: click(start_box='(500,1000)')", (640, 719)),
        ({"dialect": "qwen"}, (1280, 704), clicked(1000, 500), (1279, 360)),
        ({"dialect": "qwen2.5"}, (1288, 728), clicked(644, 364), (640, 360)),
    ],
)
def test_image_size_and_coordinates(
    server: Server, options: dict[str, Any], size: tuple[int, int], click: str, expected: tuple[int, int]
) -> None:
    """The picture has the size that the action space asks for, and a click on it means that place of the screen."""
    server.play(click)
    (decision,) = ask(chat(server, **options), LOOK)
    assert picture_of(parts(server.requests[0], "image_url")[0]).size == size
    assert decision.format_error is None
    assert decision.actions == (Click(*expected),)


def test_screenshot_in_a_batch(server: Server) -> None:
    """What the screen looked like in the middle of a batch is shown before the screen as it is now."""
    server.play("```\npyautogui.screenshot()\n```")
    result = ActionResult(image=blank_png(SCREEN))
    decisions = ask(chat(server), LOOK, Observation(SCREEN, blank_png(SCREEN), results=(result,)))
    assert decisions[0].actions == (Screenshot(),)
    assert len(server.requests[1]["messages"][-1]["content"]) == 3


def test_tree_without_a_picture(server: Server) -> None:
    """Without a picture the tree is sent as text, and pixels are those of the screen."""
    server.play("```\npyautogui.click(15, 12)\n```")
    node = Node("button", "Save", "", (), Box(10, 10, 10, 4), 0)
    (decision,) = ask(chat(server, dialect="opencua"), Observation(SCREEN, tree=(node,)), observation="tree")
    assert decision.actions == (Click(15, 12),)
    assert 'button "Save" (15, 12)' in words(server.requests[0]["messages"][1])


def test_tree_beside_a_scaled_picture(server: Server) -> None:
    """Where the model's coordinates are not the tree's, it is told what the tree's are."""
    node = Node("button", "Save", "", (), Box(10, 10, 10, 4), 0)
    look = Observation(SCREEN, blank_png(SCREEN), tree=(node,))
    for dialect, told in (("qwen", True), ("pyautogui", False)):
        server.play(DONE)
        ask(chat(server, dialect=dialect), look, observation="screenshot+tree")
        assert ("pixels of the screen, 1280x720" in words(server.requests[0]["messages"][0])) is told


def test_missing_screenshot(server: Server) -> None:
    """A look without the picture it should have is the environment's fault."""
    with pytest.raises(EnvironmentFailure, match="needs a screenshot"):
        ask(chat(server), Observation(SCREEN))


def test_marks(server: Server) -> None:
    """A model that acts on numbers gets the table of marks, and its actions name them."""
    server.play(
        '{"thinking": "there", "action": [{"click": {"index": 3}}, {"input": {"index": 4, "text": "ü"}}]}'
    )
    mark = Mark(3, "button", "Save", Box(0, 0, 9, 9))
    look = Observation(SCREEN, blank_png(SCREEN), marks=(mark,))
    (decision,) = ask(chat(server, dialect="browser-use"), look, observation="marks")
    assert [str(action) for action in decision.actions] == [
        "click_element(mark=3)",
        "fill_element(mark=4, text='ü')",
    ]
    assert decision.thought == "there"
    assert '3: button "Save"' in words(server.requests[0]["messages"][1])


# Functions


def computer_use(**arguments: Any) -> tuple[str, str]:
    """Return a call of Qwen's function."""
    return "computer_use", json.dumps(arguments)


def test_functions(server: Server, table: Table) -> None:
    """Where the server separates calls from text, the function is sent, and each call is answered."""
    calls = [computer_use(action="mouse_move", coordinate=[5, 5]), computer_use(action="key", keys=["n"])]
    server.play(Said("I press n.", calls), Said(None, [computer_use(action="terminate", status="success")]))
    played = play(table, chat(server, dialect="qwen", functions=True))
    assert played.last.outcome == "success"
    first, second = server.requests
    assert first["tools"][0]["function"]["name"] == "computer_use"
    assert "<tools>" not in first["messages"][0]["content"]
    roles = [message["role"] for message in second["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "tool", "user"]
    assert read_steps(played.folder())[0]["thought"] == "I press n."


@pytest.mark.parametrize("arguments", ["{", "[1]", "", '"x"', "{}", '{"action": "\\ud800"}'])
def test_broken_arguments(server: Server, table: Table, arguments: str) -> None:
    """Arguments that are no object are told to the model, and do not break the conversation."""
    server.play(
        Said(None, [("computer_use", arguments)]), Said(None, [computer_use(action="key", keys=["n"])])
    )
    played = play(table, chat(server, dialect="qwen", functions=True), steps=2)
    assert (played.last.outcome, played.last.counts.format_errors) == ("success", 1)


def test_functions_of_an_action_space_without(server: Server) -> None:
    """Functions are refused where the action space has none."""
    with pytest.raises(SettingError, match="has no functions"):
        ask(chat(server, functions=True), LOOK)


# Faults


@pytest.mark.parametrize(
    ("body", "type"),
    [
        ("<html>bad gateway</html>", "text/html"),
        ('{"error": {"message": "upstream is down"}}', "application/json"),
        ('{"choices": []}', "application/json"),
        ('{"choices": [{"message": {"content": 7}}]}', "application/json"),
        ("null", "application/json"),
    ],
)
def test_bodies_that_are_no_completion(server: Server, table: Table, body: str, type: str) -> None:
    """Whatever a server sends in place of a completion is asked for again."""
    server.play(NOTE, Fault(how="body", body=body, type=type), DONE)
    agent = chat(server)
    assert play(table, agent).last.outcome == "success"
    assert len(agent.naps.slept) == 1


# Keys and records


def test_key(server: Server, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key is read from its variable, sent to this server only, and found in no record, even if it is echoed."""
    monkeypatch.setenv("ACME_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody-else")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-of-somebody-else")
    server.play(Said(f"{NOTE} {KEY}", reasoning_content="thinking"), DONE)
    played = play(table, chat(server, key="ACME_API_KEY"))
    assert played.last.outcome == "success"
    sent = json.dumps(server.headers)
    assert f"Bearer {KEY}" in sent
    assert "somebody-else" not in sent
    raw = [json.dumps(step["raw"]) for step in read_steps(played.folder())]
    assert KEY not in "".join(raw)
    assert "***" in raw[0]


def test_no_key(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of one's own is not told the key of OpenAI's."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    ask(chat(server), LOOK)
    assert "somebody-else" not in json.dumps(server.headers)


# Settings


def refusal(make: Callable[[], Any]) -> str:
    """Return the sentence with which a profile is refused."""
    with pytest.raises(SettingError) as refused:
        make()
    return str(refused.value)


def test_settings(server: Server) -> None:
    """What is wrong in a profile is said when the agent is made."""
    assert "did you mean 'qwen'" in refusal(lambda: chat(server, dialect="qwem"))
    assert "did you mean 'relative'" in refusal(lambda: chat(server, coordinates="relativ"))
    assert "options.dialct" in refusal(lambda: chat(server, dialct="qwen"))
    assert "http://HOST:PORT" in refusal(lambda: chat(server, url="localhost:8000"))
    assert "http://HOST:PORT" in refusal(lambda: chat(server, url="http://h:99999999/v1"))
    password = refusal(lambda: chat(server, url="http://me:secret@host/v1"))
    assert "secret" not in password
    assert "the URL of host holds" in password
    assert "cannot import" in refusal(lambda: chat(server, dialect="no.such:Dialect"))
    assert "has no model" in refusal(lambda: adapter.ChatAgent(Profile(adapter="chat", name="x")))
    profile = Profile(adapter="chat", name="x", model="m", argument="somewhere")
    assert "write a URL" in refusal(lambda: adapter.ChatAgent(profile))


def test_address_behind_the_name(server: Server) -> None:
    """What stands behind the profile's name is where the server is."""
    server.models = ("Qwen/Qwen3-VL-8B-Instruct",)
    server.play(called(action="terminate", status="success"))
    profile = load_profile(f"qwen-vl:{server.url}", Path.cwd())
    (decision,) = ask(adapter.ChatAgent(profile), LOOK)
    assert decision.actions[0].kind == "terminate"
    assert decision.usage.cost == 0


@pytest.mark.parametrize("name", sorted({speaker.plays for speaker in (*CHATS, PAIR)}))
def test_shipped_profiles(name: str) -> None:
    """Every shipped profile of these adapters can be made without a key."""
    profile = load_profile(name, Path.cwd())
    planner = lazily("pytest_cuabench.agents.makers.chat.planner")
    assert (planner.PlannerAgent if profile.adapter == "planner" else adapter.ChatAgent)(profile).model


@pytest.mark.parametrize("dialect", sorted(ACTION_SPACES))
def test_every_action_space_has_instructions(server: Server, dialect: str) -> None:
    """The instructions of every action space are complete: nothing in braces is left, and the ways to end are named."""
    ask(chat(server, dialect=dialect), LOOK)
    told = json.dumps(server.requests[0]["messages"])
    assert "{image}" not in told
    assert "{coordinates}" not in told
    assert any(word in told for word in ("DONE", "terminate", "finished", "done"))
    assert "Coordinates are" in told


def test_scienceboard_words(server: Server) -> None:
    """API and CODE are told to a model only where they work."""
    ask(chat(server, dialect="scienceboard"), LOOK)
    ask(chat(server, dialect="scienceboard"), LOOK, capabilities=("pointer", "keyboard", "api", "code"))
    plain, rich = (words(request["messages"][0]) for request in server.requests)
    assert "ANS text" in plain
    assert "API" not in plain
    assert "CODE" not in plain
    assert "API name" in rich
    assert "CODE bash program" in rich


README = (ROOT / "agents" / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """Return the README's one code block in a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return str(found)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the README's profile and action space."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "acme.toml").write_text(block("toml"), encoding="utf-8")
    (tmp_path / "acme_actions.py").write_text(block("python"), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_the_example_of_the_readme(server: Server, table: Table, project: Path) -> None:
    """The profile that the README shows plays against a server, pruned, resized, sampled and priced as it says."""
    server.play(called(action="key", keys=["n"]), PROSE)
    agent = awake(adapter.ChatAgent(load_profile(f"acme:{server.url}", project)))
    last = play(table, agent, Size(1920, 1080), steps=5).last
    assert last.outcome == "success"
    assert last.usage.cost == pytest.approx(5 * (100 * 0.2 + 10 * 0.6) / 1e6)
    sent = server.requests[-1]
    assert (sent["model"], sent["top_k"]) == ("acme/see-7b", 1)
    assert [picture_of(part).size for part in parts(sent, "image_url")] == [(1280, 720)] * 3


def test_the_action_space_of_the_readme(server: Server, table: Table, project: Path) -> None:
    """The action space that the README shows reads what it asks for, and tells what it does not understand."""
    server.play("CLICK 500 500\nTYPE two words", "CLICK here", "STOP")
    played = play(table, chat(server, dialect="acme_actions:Acme"))
    assert played.world.performed == [Click(640, 360), Type("two words")]
    assert (played.last.ending, played.last.counts.format_errors) == ("success", 1)
    assert "lines of CLICK x y" in server.requests[0]["messages"][0]["content"]


@pytest.mark.parametrize("name", sorted(ACTION_SPACES))
def test_readme_lists_every_action_space(name: str) -> None:
    """Every action space is in the README's table, with the coordinates that it has by itself."""
    rows = [line.split("|") for line in README.splitlines() if line.startswith("|")]
    row = next(row for row in reversed(rows) if f"`{name}`" in row[1])
    ours = find_action_space(name).coordinates
    assert any(COORDINATES[word] is ours for word in re.findall(r"`(\w+)`", row[3]))


def test_instructions_in_the_user_message(server: Server) -> None:
    """UI-TARS is asked as it was trained: its instructions open the first user message."""
    server.play("Thought: a\nAction: wait()", "Thought: b\nAction: finished(content='')")
    ask(chat(server, dialect="ui-tars"), LOOK, LOOK)
    messages = server.requests[1]["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert "left_double(" in words(messages[0])
    assert "left_double(" not in words(messages[2])
