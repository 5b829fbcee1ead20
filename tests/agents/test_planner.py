"""A planner and a grounder as one player: two models on two servers, in whole episodes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lazily import lazily
from small_world import Table

from pytest_cuabench.agents.models.budget import SpendLimit
from pytest_cuabench.agents.models.estimate import estimated
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.errors import BudgetSpent, ProviderFailure, SettingError
from pytest_cuabench.ledger.record import read_steps
from pytest_cuabench.task.action import Click, Drag, Key, Scroll, Type

from .servers.chat import Fault, Said, Server, picture_of, serving
from .test_chat import LOOK, SCREEN, ask, awake, parts, play, words

if TYPE_CHECKING:
    from pytest_cuabench.agents.makers.chat.planner import PlannerAgent

adapter = lazily("pytest_cuabench.agents.makers.chat.planner")

PLANNER, GROUNDER = "acme/plan-32b", "acme/point-7b"
PRICES = {"input": 3, "output": 15, "cached": 3}
CHEAP = {"input": 1, "output": 1, "cached": 1}
DONE = "```\ndone()\n```"


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Server, Server]]:
    """The two servers of this module."""
    with serving() as planner, serving() as grounder:
        planner.models, grounder.models = (PLANNER,), (GROUNDER,)
        yield planner, grounder


@pytest.fixture
def planner(servers: tuple[Server, Server]) -> Server:
    """The server of the planner."""
    servers[0].play(DONE)
    return servers[0]


@pytest.fixture
def grounder(servers: tuple[Server, Server]) -> Server:
    """The server of the grounder."""
    servers[1].play("(500, 500)")
    return servers[1]


def pair(planner: Server, grounder: Server, **pointing: Any) -> PlannerAgent:
    """Return a player of both servers that sleeps without waiting."""
    options = {
        "url": planner.url,
        "prices": PRICES,
        "timeout": 30,
        "grounder": {"model": GROUNDER, "url": grounder.url, "prices": CHEAP, "timeout": 30} | pointing,
    }
    agent = adapter.PlannerAgent(Profile(adapter="planner", name="pair", model=PLANNER, options=options))
    awake(agent)
    agent.naps.of(agent.grounder._caller)  # type: ignore[attr-defined]
    return agent


def test_success(planner: Server, grounder: Server, table: Table) -> None:
    """The planner says what, the grounder where; both usages are priced, each at its own price."""
    planner.play("There is a field.\n```\nclick('the name field')\npress('n')\n```", DONE)
    played = play(table, pair(planner, grounder))
    assert played.last.outcome == "success"
    assert played.world.performed == [Click(640, 360), Key(("n",))]
    usage = played.last.usage
    assert (usage.tokens_in, usage.tokens_out) == (300, 30)
    assert usage.cost == pytest.approx(2 * (100 * 3 + 10 * 15) / 1e6 + 110 / 1e6)
    first = read_steps(played.folder())[0]
    assert first["thought"] == "There is a field."
    assert first["raw"]["grounder"][0]["target"] == "the name field"
    assert first["raw"]["grounder"][0]["point"] == [640, 360]


GROUNDERS = [
    ("gta1", "qwen25", "(644,364)"),
    ("ui-tars-grounder", "uitars15", "Action: click(point='<point>644 364</point>')"),
    ("holo1.5-grounder", "qwen25", '{"action": "click_absolute", "x": 644, "y": 364}'),
    ("holo2-grounder", "relative1000", '{"x": 500, "y": 500}'),
    (
        "mai-ui-grounder",
        "relative999",
        '<grounding_think>Not [1, 2].</grounding_think>\n<answer>\n{"coordinate": [500,500]}\n</answer>',
    ),
]


@pytest.mark.parametrize(("prompt", "coordinates", "reply"), GROUNDERS)
def test_published_grounders(
    planner: Server, grounder: Server, prompt: str, coordinates: str, reply: str
) -> None:
    """A grounder is asked in its maker's words, with the picture's size where they say it, and its answer is read."""
    planner.play("```\nclick('the field of Ada {width}')\n```")
    grounder.play(reply)
    (decision,) = ask(pair(planner, grounder, prompt=prompt, coordinates=coordinates), LOOK)
    assert decision.actions == (Click(640, 360),)
    asked = grounder.requests[0]["messages"]
    assert "the field of Ada {width}" in words(asked[-1])
    assert ("height 728 and width 1288" in words(asked[0])) == (prompt == "gta1")
    assert len(parts(grounder.requests[0], "image_url")) == 1


def test_an_unknown_prompt_of_a_grounder(planner: Server, grounder: Server) -> None:
    """A prompt that is not there is told with those that are."""
    with pytest.raises(SettingError, match=r"no official prompt 'gta9'; known: .*gta1"):
        pair(planner, grounder, prompt="gta9")


def test_question(planner: Server, grounder: Server) -> None:
    """The grounder gets the picture and the description, nothing of the task; the planner gets no coordinates."""
    planner.play("```\nclick('the {image} of Ada')\n```")
    ask(pair(planner, grounder, coordinates="qwen25"), LOOK)
    (question,) = grounder.requests
    (message,) = question["messages"]
    assert "the {image} of Ada" in words(message)
    assert "pixels of the screen as you see it, 1288x728" in words(message)
    assert "do it" not in words(message)
    assert picture_of(parts(question, "image_url")[0]).size == (1288, 728)
    assert "coordinates" not in json.dumps(planner.requests[0]).lower()


def test_every_step(planner: Server, grounder: Server) -> None:
    """Each description is looked for, in order; steps without one need no grounder."""
    planner.play(
        "```\ndrag('a', 'b')\nscroll('down', notches=3, target='list')\nscroll('left')\ntype('x', target='Name')\n```"
    )
    grounder.play("(0, 0)", "(100, 100)", "(500, 500)", "[0, 0, 1000, 1000]")
    (decision,) = ask(pair(planner, grounder), LOOK)
    assert decision.actions == (
        Drag(((0, 0), (128, 72))),
        Scroll(640, 360, dy=3),
        Scroll(dx=-5),
        Click(640, 360),
        Type("x"),
    )


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        (["(500, 500)", "(503, 500)", "(900, 100)"], Click(640, 360)),
        (["(900, 100)", "(500, 500)", "none", "(500, 500)", "(501, 501)"], Click(640, 360)),
        (["(500, 500)", "(100, 100)", "(900, 900)"], None),
        (["(500, 500)", "none", "none"], None),
        (["(500, 500)", "none"], None),
        (["(5000, 5000)"], None),
        ([Said("(500, 500)", finish="length")], None),
        (["none"], None),
        (["I see it."], None),
    ],
)
def test_majority(planner: Server, grounder: Server, votes: list[Any], expected: Click | None) -> None:
    """A place counts when more than half of the answers name it; otherwise the planner is told."""
    planner.play("```\npress('a')\nclick('Save')\npress('b')\n```")
    grounder.play(*votes)
    (decision,) = ask(pair(planner, grounder, votes=len(votes), temperature=0.7), LOOK)
    assert len(grounder.requests) == len(votes)
    if expected:
        assert decision.actions == (Key(("a",)), expected, Key(("b",)))
    else:
        assert decision.actions == (Key(("a",)),)
        assert "'Save'" in str(decision.format_error)
    assert decision.usage.tokens_in == 100 * (1 + len(votes))


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Said("```\njump()\n```"), "unknown call jump"),
        (Said("```\npress('n')"), "is not closed"),
    ],
)
def test_format_error_then_recovery(
    planner: Server, grounder: Server, table: Table, reply: Said, told: str
) -> None:
    """What the planner said amiss is told to it, and the episode goes on."""
    planner.play(reply, "```\npress('n')\n```", DONE)
    last = play(table, pair(planner, grounder)).last
    assert (last.outcome, last.counts.format_errors) == ("success", 1)
    assert told in words(planner.requests[1]["messages"][-1])
    assert grounder.requests == []


def test_fault_then_recovery(planner: Server, grounder: Server, table: Table) -> None:
    """A fault of either server that passes is waited out."""
    planner.play(Fault(429, {"Retry-After": "3"}), "```\nclick('it')\npress('n')\n```", DONE)
    grounder.play(Fault(500), "(500, 500)")
    agent = pair(planner, grounder)
    last = play(table, agent).last
    assert last.outcome == "success"
    assert len(agent.naps.slept) == 2  # type: ignore[attr-defined]
    assert last.seconds.waited >= 3


def test_grounder_dies(planner: Server, grounder: Server, table: Table) -> None:
    """What the planner used is kept when the grounder fails for good, and the sentence names the grounder's server."""
    planner.play("```\nclick('it')\n```")
    grounder.play(Fault(401))
    last = play(table, pair(planner, grounder)).last
    assert last.outcome == "provider_error"
    assert (last.usage.tokens_in, last.usage.cost) == (100, pytest.approx((100 * 3 + 10 * 15) / 1e6))
    assert grounder.url.removeprefix("http://").removesuffix("/v1") in str(last.error)


@pytest.mark.parametrize(("before", "outcome"), [((), "provider_error"), (("(500, 500)",), "gave_up")])
def test_grounder_refuses(
    planner: Server, grounder: Server, table: Table, before: tuple[str, ...], outcome: str
) -> None:
    """A grounder's first request may fail for its profile, whatever the planner said; a later one is graded."""
    clicks = ["```\nclick('it')\n```"] * (len(before) + 1)
    planner.play("```\npress('l')\n```", *clicks, DONE)
    grounder.play(*before, Fault(404))
    last = play(table, pair(planner, grounder)).last
    assert (last.outcome, last.steps) == (outcome, 1 + len(before))


def test_votes_before_a_death_are_paid(planner: Server, grounder: Server) -> None:
    """When one of several answers fails for good, the others have been paid for."""
    planner.play("```\nclick('it')\n```")
    grounder.play("(1, 1)", Fault(403), "(1, 1)")
    with pytest.raises(ProviderFailure) as failed:
        ask(pair(planner, grounder, votes=3), LOOK)
    assert failed.value.usage.tokens_in == 300


def test_every_call_of_both_is_held_and_paid(planner: Server, grounder: Server, tmp_path: Path) -> None:
    """What the spending limit pays is what both models cost, and nothing of it is paid twice."""
    planner.play("```\nclick('it')\n```")
    spend_limit = SpendLimit(tmp_path / "spend_limit", 1)
    agent = pair(planner, grounder, votes=3)
    agent.set_spend_limit(spend_limit)
    (decision,) = ask(agent, LOOK)
    assert decision.usage.cost == pytest.approx((100 * 3 + 10 * 15) / 1e6 + 3 * 110 / 1e6)
    assert spend_limit.paid == pytest.approx(decision.usage.cost)
    assert spend_limit.left == pytest.approx(1 - spend_limit.paid)


def test_no_place_is_looked_for_that_cannot_be_paid(
    planner: Server, grounder: Server, tmp_path: Path
) -> None:
    """A spend_limit that is too small for the grounder's worst case ends the episode before the grounder is asked."""
    planner.play("```\nclick('it')\n```")
    agent = pair(planner, grounder, max_tokens=900_000)
    agent.set_spend_limit(SpendLimit(tmp_path / "spend_limit", 0.5))
    with pytest.raises(BudgetSpent) as raised:
        ask(agent, LOOK)
    assert grounder.requests == []
    assert raised.value.usage.cost == pytest.approx((100 * 3 + 10 * 15) / 1e6)


@pytest.mark.parametrize(
    ("script", "least", "most"),
    [
        ([Fault(403)], 0, 0),
        ([Fault(500), "(1, 1)"], 110, 110),
        ([Said("(1, 1)", usage=None)], 2304 + 256, 2304 + 256 + 1000),
    ],
    ids=["refused for good", "failed, then answered", "told no usage"],
)
def test_what_searches_cost(
    planner: Server, grounder: Server, tmp_path: Path, script: list[Any], least: int, most: int
) -> None:
    """A search that the grounder's server refused is free; one that never told its price counts at its worst."""
    planner.play("```\nclick('it')\n```")
    grounder.play(*script)
    spend_limit = SpendLimit(tmp_path / "spend_limit", 1)
    agent = pair(planner, grounder)
    agent.set_spend_limit(spend_limit)
    with suppress(ProviderFailure):
        ask(agent, LOOK)
    micro = spend_limit.paid * 1e6 - (100 * 3 + 10 * 15)
    assert least <= round(micro, 3) <= most
    assert spend_limit.left + spend_limit.paid == pytest.approx(1)


def test_both_prices_are_known_where_money_is_limited(
    planner: Server, grounder: Server, tmp_path: Path
) -> None:
    """The sentence names the model without a price, and where to say it."""
    with pytest.raises(
        SettingError, match=r"the prices of acme/point-7b are unknown.*\[options\.grounder\.prices\]"
    ):
        pair(planner, grounder, prices=None).set_spend_limit(SpendLimit(tmp_path / "spend_limit", 1))


def test_an_estimate_names_the_grounder(planner: Server, grounder: Server) -> None:
    """Nobody can foresee how often the planner names a place; the estimate says so."""
    agent = pair(planner, grounder)
    lines = list(estimated([(10, SCREEN)], agent.profile, agent, "screenshot"))
    assert any("calls of acme/point-7b, which cannot be estimated" in line for line in lines)


def test_settings(planner: Server, grounder: Server) -> None:
    """What is wrong in the grounder's options is said when the player is made."""
    for wrong, told in (
        ({"coordinates": "polar"}, "no notation named 'polar'"),
        ({"url": "nowhere"}, "invalid server URL"),
        ({"votes": 0}, "options.grounder.votes"),
        ({"colour": 1}, "options.grounder.colour"),
    ):
        with pytest.raises(SettingError, match=told):
            pair(planner, grounder, **wrong)
    with pytest.raises(SettingError, match=r"options\.grounder"):
        adapter.PlannerAgent(Profile(adapter="planner", name="x", model="m"))
