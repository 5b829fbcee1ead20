"""Which computer tool a Claude takes on which platform, and how large a picture may be, from the table of models."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pytest_cuabench.agents.models.known import KnownModel, rows_of
from pytest_cuabench.agents.models.pictures import Limit
from pytest_cuabench.task.action import Size

Platform = Literal["anthropic", "vertex", "bedrock"]
ToolType = Literal["computer_20250124", "computer_20251124", "computer_toolset_20260801"]

_PATCH = 28  # pixels; pictures are counted in patches, and a patch that is begun counts whole


@dataclass(frozen=True, slots=True)
class PatchLimit(Limit):
    """A limit in patches of 28 x 28 pixels, as the maker counts; a larger picture is refused or clicks drift.

    Attributes:
        patches: Patches in all.
    """

    patches: int = 0

    def fit(self, size: Size) -> Size:
        """Return the largest size within the limit, never larger than it was."""
        longest = max(Limit.fit(self, size))
        shapes = (
            Size(*(max(1, round(side * edge / max(size))) for side in size)) for edge in range(longest, 0, -1)
        )
        return next(shape for shape in shapes if count_patches(shape) <= self.patches)


def count_patches(size: Size) -> int:
    """Return how many patches a picture of this size takes."""
    return math.ceil(size.width / _PATCH) * math.ceil(size.height / _PATCH)


@dataclass(frozen=True, slots=True)
class Tool:
    """One version of the computer tool.

    Attributes:
        type: Its name in a request.
        beta: The header without which it is refused; None where it needs none.
        zooms: Whether it can look closely at a region.
    """

    type: ToolType
    beta: str | None
    zooms: bool

    @property
    def is_set(self) -> bool:
        """Whether each action is a tool of its own, and the size of the screen is not said."""
        return self.beta is None

    def declared(self, screen: Size) -> dict[str, Any]:
        """Return the entry of `tools` for pictures of this size."""
        if self.is_set:
            return {"type": self.type}
        entry = {"type": self.type, "name": "computer"}
        size = {"display_width_px": screen.width, "display_height_px": screen.height}
        return entry | size | ({"enable_zoom": True} if self.zooms else {})


_TOOLSET = Tool("computer_toolset_20260801", beta=None, zooms=True)
_TOOL_2511 = Tool("computer_20251124", beta="computer-use-2025-11-24", zooms=True)
_TOOL_2501 = Tool("computer_20250124", beta="computer-use-2025-01-24", zooms=False)
TOOLS: dict[ToolType, Tool] = {tool.type: tool for tool in (_TOOLSET, _TOOL_2511, _TOOL_2501)}


@dataclass(frozen=True, slots=True)
class Model:
    """What models of one kind take.

    Attributes:
        names: Without `claude-`, date, version of a platform or region.
        anthropic: The tool on the maker's own platform; `vertex` and `bedrock` are those of Google and Amazon.
        limit: How large a picture may be.
        thinks: It thinks unless told otherwise, and shows its thoughts only when asked.
        bound: Its thoughts are only taken back when nothing before them was changed.
    """

    names: tuple[str, ...]
    anthropic: Tool
    vertex: Tool
    bedrock: Tool
    limit: Limit
    thinks: bool = False
    bound: bool = False

    def tool(self, platform: Platform) -> Tool:
        """Return the tool on a platform."""
        return {"anthropic": self.anthropic, "vertex": self.vertex, "bedrock": self.bedrock}[platform]


def _model(row: KnownModel) -> Model:
    tools = {platform: TOOLS[row.tools.get(platform, row.tool)] for platform in get_args(Platform)}  # type: ignore[index]
    edge, patches = row.picture.long_edge, row.picture.patches or 0
    limit = PatchLimit(long_edge=edge, pixels=patches * _PATCH**2, patches=patches)
    names = tuple(name.removeprefix("claude-") for name in row.names)
    return Model(names, **tools, limit=limit, thinks=row.thinks, bound=row.bound)


# Newest first: an unknown model is taken for one of the first row.
MODELS = tuple(map(_model, rows_of("anthropic")))

_ALWAYS = frozenset(name.removeprefix("claude-") for row in rows_of("anthropic") for name in row.always)

_NAME = re.compile(r"claude-((?:\d{1,2}-)*[a-z]+(?:-\d{1,2}(?![0-9a-z]))*(?:-preview)?)")


def find_model(identifier: str) -> tuple[Model, str | None]:
    """Return what a model takes, and a sentence if that is only supposed because the table does not know it."""
    name = _name(identifier)
    for model in MODELS:
        if name in model.names:
            return model, None
    return MODELS[0], (
        f"{identifier!r} is not in the table of models; assuming the newest; override with options.tool and "
        "options.image"
    )


def always_thinks(identifier: str) -> bool:
    """Whether a model's thoughts can be neither turned off nor limited."""
    return _name(identifier) in _ALWAYS


def _name(identifier: str) -> str:
    found = _NAME.search(identifier)
    return found[1] if found else identifier
