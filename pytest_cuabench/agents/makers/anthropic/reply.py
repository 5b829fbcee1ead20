"""A reply of Claude as JSON: its blocks, its thought, what it used, and why it is useless."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_cuabench.agents.makers.anthropic.conversation import Block

TO_DO = "call the tools to act, or the tool finish to end the task and to answer"
NO_CALL = f"it held no call of a tool; {TO_DO}"
PAUSED = f"it was paused by the server; go on, and {TO_DO}"
_CUT = frozenset({"max_tokens", "model_context_window_exceeded"})


class Garbled(Exception):
    """A reply that cannot be read at all."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A message of the model."""

    data: Mapping[str, Any]

    @property
    def withheld(self) -> bool:
        """Whether the server kept back what the model would have said."""
        return self.data.get("stop_reason") in ("refusal", "pause_turn")

    @property
    def blocks(self) -> list[Block]:
        """The blocks, without blank texts, which nobody may send back."""
        content = self.data.get("content")
        blocks = content if isinstance(content, list) else []
        return [
            block
            for block in blocks
            if isinstance(block, dict) and isinstance(block.get("type"), str)
            if block["type"] != "text" or str(block.get("text", "")).strip()
        ]

    @property
    def kept(self) -> list[Block]:
        """The blocks that the conversation can go on with: none of a refusal, which would be refused again."""
        stop, blocks = self.data.get("stop_reason"), self.blocks
        if stop == "refusal":
            return []
        return _whole(blocks) if stop in _CUT else blocks

    @property
    def thought(self) -> str:
        """Texts and thoughts."""
        words = (block.get("text") or block.get("thinking") for block in self.blocks)
        return "\n\n".join(word for word in words if isinstance(word, str))

    def problem(self, longest: int, *, called: bool) -> str | None:
        """Return what is wrong with a reply whose calls, if there are any, are all understood.

        Args:
            longest: Tokens that it was allowed.
            called: Whether it holds calls.
        """
        match self.data.get("stop_reason"):
            case "refusal":
                return self._refusal()
            case "pause_turn" if self.blocks and not called:
                return PAUSED
            case "max_tokens":
                return f"it was cut off after {longest} tokens; be briefer, and {TO_DO}"
            case "model_context_window_exceeded":
                return "it was cut off because the conversation has grown too long; end the task"
        if called:
            return None
        return NO_CALL if any(block["type"] == "text" for block in self.kept) else f"it was empty; {TO_DO}"

    def usage(self) -> tuple[int, int, int, int]:
        """Return tokens: read, written, and of those read, the ones from and into the cache."""
        fresh, into, cached, written = map(
            self._count,
            ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"),
        )
        return fresh + into + cached, written, cached, into

    def record(self) -> dict[str, Any]:
        """Return the reply without the signatures of thoughts, which are long and mean nothing to anybody else."""
        content = self.data.get("content")
        lean = [_unsigned(block) for block in content] if isinstance(content, list) else content
        return {**self.data, "content": lean}

    def _refusal(self) -> str:
        details = self.data.get("stop_details")
        why = details.get("explanation") or details.get("category") if isinstance(details, dict) else None
        return f"it was a refusal{f' ({why})' if why else ''}; {TO_DO}"

    def _count(self, name: str) -> int:
        used = self.data.get("usage")
        value = used.get(name) if isinstance(used, dict) else None
        return value if isinstance(value, int) and value > 0 else 0


def _unsigned(block: Any) -> Any:
    if not isinstance(block, dict):
        return block
    return {name: value for name, value in block.items() if name != "signature"}


def _whole(blocks: list[Block]) -> list[Block]:
    """Return what was surely said to its end before a reply was cut: all up to the last call that something follows."""
    calls = [number for number, block in enumerate(blocks[:-1]) if block["type"] == "tool_use"]
    return blocks[: calls[-1] + 1] if calls else []
