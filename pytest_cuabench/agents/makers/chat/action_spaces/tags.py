"""Functions between tags: `<function=NAME><parameter=KEY>value</parameter></function>`, parsed strictly."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_cuabench.agents.makers.chat.action_spaces.base import formatted
from pytest_cuabench.errors import ActionError

_FUNCTION = re.compile(r"\s*<function(?:=|\s+name=\")(?P<name>[\w.-]{1,64})\"?\s*>")
_PARAMETER = re.compile(
    r"\s*<parameter(?:=|\s+name=\")(?P<name>[\w.-]{1,64})\"?(?:\s+[a-z]+=\"[a-z]*\")?\s*>"
)
_END = "</function>"


def inside(tag: str, text: str, *, closed: bool = True) -> Iterator[str]:
    """Yield the content of each pair of tags; unless they must be closed, up to the next one or the end.

    Raises:
        ActionError: A tag is not closed.
    """
    _, *blocks = text.split(f"<{tag}>")
    for block in blocks:
        content, end, _ = block.partition(f"</{tag}>")
        if closed and not end:
            raise ActionError(f"<{tag}> is not closed by </{tag}>")
        yield content


def outside(tag: str, text: str) -> str:
    """Return the text outside of the tags."""
    before, *blocks = text.split(f"<{tag}>")
    return "\n".join([before, *(block.partition(f"</{tag}>")[2] for block in blocks)]).strip()


def functions(block: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the functions of a block with their parameters; a newline at either end of a value is removed.

    Raises:
        ActionError: The block contains anything else.
    """
    at = 0
    while block[at:].strip():
        head = _FUNCTION.match(block, at)
        if not head:
            raise ActionError(f"{formatted(block[at : at + 80].strip())} is not a <function=...>")
        at = head.end()
        given: dict[str, str] = {}
        while parameter := _PARAMETER.match(block, at):
            end = block.find("</parameter>", parameter.end())
            if end < 0:
                raise ActionError(f"{head['name']}: <parameter={parameter['name']}> is not closed")
            if parameter["name"] in given:
                raise ActionError(f"{head['name']}: duplicate parameter {parameter['name']}")
            given[parameter["name"]] = block[parameter.end() : end].removeprefix("\n").removesuffix("\n")
            at = end + len("</parameter>")
        end = block.find(_END, at)
        if end < 0 or block[at:end].strip():
            raise ActionError(
                f"{head['name']}: {formatted(block[at : at + 80].strip())} is neither a parameter nor {_END}"
            )
        at = end + len(_END)
        yield head["name"], given
