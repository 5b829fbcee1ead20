"""A conversation as it is sent: it only grows, so that its beginning is read from the cache, and is pruned rarely."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pytest_cuabench.agents.makers.chat.action_spaces.base import strip_surrogates

Block = dict[str, Any]

_MARK = {"cache_control": {"type": "ephemeral"}}
_LEFT_OUT = "[an older screenshot, left out]"
_MOST = 20  # pictures in a request; among more of them none may have a side of over 2000 pixels
_THOUGHTS = frozenset({"thinking", "redacted_thinking"})


def text(words: str) -> Block:
    """Return a block of text."""
    return {"type": "text", "text": strip_surrogates(words)}


def image(png: bytes) -> Block:
    """Return a block with a picture."""
    data = base64.b64encode(png).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


def cached(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with a mark at the last: all up to there is kept by the server for the next call."""
    return [*blocks[:-1], blocks[-1] | _MARK]


def bounds(keep: int, interval: int) -> tuple[int, int]:
    """Return how many pictures a pruning leaves, and how many a request may hold."""
    return min(keep, _MOST), min(keep + interval, _MOST)


class Conversation:
    """What was said by both sides.

    Attributes:
        keep: How many pictures a pruning leaves.
        most: How many may gather before the next one; each pruning costs the cache once.
        bound: Whether the model's thoughts are only taken back when nothing before them was changed.
    """

    def __init__(self, keep: int, interval: int, *, bound: bool) -> None:
        self.keep, self.most = bounds(keep, interval)
        self.bound = bound
        self._messages: list[dict[str, Any]] = []

    def hear(self, blocks: Sequence[Block]) -> None:
        """Add what the model is told, and prune if too many pictures have gathered."""
        if self._messages and self._messages[-1]["role"] == "user":
            self._messages[-1]["content"].extend(blocks)
        else:
            self._messages.append({"role": "user", "content": list(blocks)})
        pictures = list(_pictures(self._messages))
        if len(pictures) > self.most:
            newest = len(
                list(_pictures(self._messages[-1:]))
            )  # what was just asked for is shown once, if it fits
            self._prune(pictures[: -max(self.keep, min(newest, _MOST))])

    def answer(self, blocks: Sequence[Block]) -> None:
        """Add what the model said, as it said it."""
        self._messages.append({"role": "assistant", "content": _sendable(blocks)})

    def messages(self) -> list[dict[str, Any]]:
        """Return all messages, the last two of the user with a mark for the cache.

        The older mark is where the call before ended; the newer is where the next one will find its beginning.
        """
        heard = [number for number, message in enumerate(self._messages) if message["role"] == "user"]
        return [
            message | {"content": cached(message["content"])} if number in heard[-2:] else message
            for number, message in enumerate(self._messages)
        ]

    def _prune(self, old: Iterable[tuple[list[Block], int]]) -> None:
        for content, place in old:
            content[place] = text(_LEFT_OUT)
        if self.bound:  # what was thought on the old beginning would be refused on the new one
            for message in self._messages:
                if message["role"] == "assistant":
                    message["content"] = [
                        block for block in message["content"] if block["type"] not in _THOUGHTS
                    ]


def _sendable(blocks: Sequence[Block]) -> list[Block]:
    """Return a copy without what can be written in JSON but not sent: half characters, and numbers without end."""
    written = json.dumps(blocks, ensure_ascii=False).encode("utf-8", "replace")
    copy: list[Block] = json.loads(written, parse_constant=lambda name: None)
    return copy


def _pictures(messages: Iterable[dict[str, Any]]) -> Iterator[tuple[list[Block], int]]:
    """Return where pictures are, oldest first: the list and the place in it."""
    for content in _user_lists(messages):
        for place, block in enumerate(content):
            if block["type"] == "image":
                yield content, place


def _user_lists(messages: Iterable[dict[str, Any]]) -> Iterator[list[Block]]:
    """Return the lists of blocks that may hold pictures, in the order in which the model sees them."""
    for message in messages:
        if message["role"] != "user":
            continue
        for block in message["content"]:
            if block["type"] == "tool_result":
                yield block["content"]
        yield message["content"]
