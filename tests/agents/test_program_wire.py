"""What programs send is read strictly, and what they are told follows from the actions themselves."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from small_world import SCREEN

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.program.endpoints.openapi import action_schema, description
from pytest_cuabench.agents.program.endpoints.page import page
from pytest_cuabench.agents.program.endpoints.wire import (
    observation_to_json,
    read_action,
    read_finish,
    read_step,
    read_usage,
)
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import ACTIONS, Action, Answer, Click, Drag, Key, KeyDown, Terminate, Zoom
from pytest_cuabench.task.observation import Box, Mark, Node, Observation, Tab
from pytest_cuabench.task.usage import Usage

BRIEFING = Briefing("Do it", "screenshot", SCREEN, ("pointer", "keyboard"), 10)


@pytest.mark.parametrize(
    ("data", "action"),
    [
        ({"kind": "key", "keys": "Control+a"}, Key(("ctrl", "a"))),
        ({"kind": "key", "keys": ["Return"]}, Key(("enter",))),
        ({"kind": "key_down", "key": "Shift"}, KeyDown("shift")),
        ({"kind": "drag", "path": [[1, 2], [3, 4]]}, Drag(((1, 2), (3, 4)))),
    ],
)
def test_actions(data: dict[str, Any], action: Action) -> None:
    """Actions are the canonical ones; keys can have any of their names."""
    assert read_action(data) == action


@pytest.mark.parametrize(
    ("data", "action"),
    [
        ({}, Terminate("success")),
        ({"answer": "42"}, Answer("42")),
        ({"status": "failure", "answer": "42"}, Terminate("failure")),
        ({"status": "infeasible"}, Terminate("infeasible")),
    ],
)
def test_finish(data: dict[str, Any], action: Action) -> None:
    """An answer counts with success only."""
    assert read_finish(data).actions == (action,)


@pytest.mark.parametrize("cost", [10**10, -1, float("nan"), float("inf"), True, "1", [1]])
def test_costs_that_are_none(cost: object) -> None:
    """A cost is a number from 0, or unknown."""
    with pytest.raises(ActionError, match="usage: cost is"):
        read_usage({"cost": cost})


def test_usage() -> None:
    """What is not reported is unknown, not zero."""
    assert read_usage({"tokens_in": 3}) == Usage(3, 0, 0, None)
    assert read_usage(None).cost is None


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"actions": [{"kind": "wait"}] * 51}, "a list of 1 to 50 objects"),
        ({"actions": [{"kind": "wait"}], "thought": 3}, "thought is text"),
        ({"actions": [{"kind": "wait"}], "verdict": "success"}, "unknown 'verdict'"),
    ],
)
def test_other_forms(data: dict[str, Any], words: str) -> None:
    """A step of another form is refused."""
    with pytest.raises(ActionError, match=words):
        read_step(data, SCREEN)


def test_broken_characters() -> None:
    """A thought with a lone surrogate can be recorded."""
    read_step({"actions": [{"kind": "wait"}], "thought": "\ud800"}, SCREEN).thought.encode()


@pytest.mark.parametrize("kind", sorted(ACTIONS))
def test_schema(kind: str) -> None:
    """Each action has a valid JSON schema."""
    Draft202012Validator.check_schema(action_schema(ACTIONS[kind]))


@pytest.mark.parametrize(
    ("action", "fits"),
    [
        (Click(1, 2, count=2).to_json(), True),
        (Zoom((0, 0, 5, 5)).to_json() | {"region": [0, 0, 5, 5]}, True),
        ({"kind": "click", "x": "left"}, False),
        ({"kind": "zoom", "region": [1, 2]}, False),
        ({"kind": "key"}, False),
    ],
)
def test_schema_fits(action: dict[str, Any], fits: bool) -> None:
    """The schema of an action accepts what the action does, and nothing else."""
    assert Draft202012Validator(action_schema(ACTIONS[action["kind"]])).is_valid(action) is fits


def test_description() -> None:
    """The OpenAPI document names the actions of this environment, and those only."""
    step = description(BRIEFING)["paths"]["/v1/step"]["post"]["requestBody"]["content"]["application/json"][
        "schema"
    ]
    kinds = {each["properties"]["kind"]["const"] for each in step["properties"]["actions"]["items"]["oneOf"]}
    assert {"click", "key", "wait"} <= kinds
    assert not {"navigate", "run_code", "answer", "terminate"} & kinds
    Draft202012Validator(step).validate(
        {"actions": [{"kind": "click", "x": 1, "y": 2}], "usage": {"cost": 0.1}}
    )


def test_observation() -> None:
    """A program is told all that an observation holds, and nothing after the end."""
    box = Box(1, 2, 3, 4)
    node, mark = Node("button", "OK", "", ("focused",), box, 0), Mark(1, "a", "b", box)
    seen = Observation(SCREEN, b"p", (node,), (mark,), "t", (Tab("T", True),))
    told = observation_to_json(seen, 3, 10)
    assert (told["screenshot"], told["dom"], told["step"]) == ("cA==", "t", 3)
    assert told["tree"][0]["box"] == told["marks"][0]["box"] == [1, 2, 3, 4]
    assert told["tabs"] == [{"title": "T", "active": True}]
    assert observation_to_json(None, 3, 10) == {"ended": True, "step": 3, "max_steps": 10}


def test_page() -> None:
    """The page for people has every path and action of the document, asks nothing from elsewhere, and escapes."""
    document = description(BRIEFING)
    step = document["paths"]["/v1/step"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    found = page({**document, "info": {"title": "<script>"}})
    kinds = [each["properties"]["kind"]["const"] for each in step["properties"]["actions"]["items"]["oneOf"]]
    assert [each for each in (*document["paths"], *kinds) if f"{each}</code>" not in found] == []
    assert "<script" not in found
    assert "//" not in found
