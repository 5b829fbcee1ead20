"""Tools beside the makers' own, which `--cua-extras` offers to Claude, Gemini and OpenAI's models alike.

Without it each model plays with its maker's computer tool and the end of the episode alone, so that no maker's model is
ahead of another's for what we gave it. Names and arguments are those of the canonical actions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.task.action import Action, Capability, parse_action


@dataclass(frozen=True, slots=True)
class Extra:
    """A tool that is offered where the environment can do more than a screen and hands.

    Attributes:
        needs: The capability that brings it.
        properties: JSON schemas of the arguments; the first `required` of them must be given.
        marks: Whether the model must be shown numbered boxes for it.
        likeness: What makers call a tool of their own that does the same.
    """

    name: str
    description: str
    needs: Capability
    properties: Mapping[str, Any]
    required: int = 0
    marks: bool = False
    likeness: str = ""

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        return {
            "type": "object",
            "properties": dict(self.properties),
            "required": list(self.properties)[: self.required],
            "additionalProperties": False,
        }

    def read(self, arguments: Mapping[str, Any]) -> Action:
        """Return the action that a call means.

        Raises:
            ActionError: It means none.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        return parse_action(given | {"kind": self.name})


_MARK = {"type": "integer", "minimum": 1, "description": "Number of the box."}
_TAB = {"type": "integer", "minimum": 0, "description": "Tabs are counted from 0."}
_BUTTON = {"type": "string", "enum": ["left", "middle", "right"]}
_COUNT = {"type": "integer", "minimum": 1, "maximum": 3}
_TEXT = {"type": "string"}

EXTRAS = (
    Extra("navigate", "Go to an address in the tab in front.", "browser", {"url": _TEXT}, 1),
    Extra("back", "Go back in the history of the tab in front.", "browser", {}, likeness="go_back"),
    Extra("forward", "Go forward in the history of the tab in front.", "browser", {}, likeness="go_forward"),
    Extra("switch_tab", "Bring a tab to the front.", "browser", {"index": _TAB}, 1),
    Extra("close_tab", "Close a tab, or the one in front.", "browser", {"index": _TAB}),
    Extra(
        "click_element",
        "Click the middle of a numbered box.",
        "elements",
        {"mark": _MARK, "button": _BUTTON, "count": _COUNT},
        1,
        marks=True,
    ),
    Extra(
        "fill_element",
        "Replace what a numbered box holds by a text.",
        "elements",
        {"mark": _MARK, "text": _TEXT},
        2,
        marks=True,
    ),
)


def extras(profile: Profile, briefing: Briefing, own: Collection[str] = ()) -> dict[str, Extra]:
    """Return the tools by name that this environment and observation bring, if the profile has extras.

    Args:
        own: Names of the maker's own tools, which are not offered twice.
    """
    if not profile.extras:
        return {}
    return {
        extra.name: extra
        for extra in EXTRAS
        if extra.needs in briefing.capabilities
        and (not extra.marks or briefing.observation == "marks")
        and not {extra.name, extra.likeness} & set(own)
    }


def named_space(tool: str, profile: Profile) -> str:
    """Return what the record says of a model's actions: its maker's tool, and whether it had extras."""
    return f"{tool} with extras" if profile.extras else tool
