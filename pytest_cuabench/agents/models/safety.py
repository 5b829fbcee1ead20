"""What becomes of a maker's question whether an action may be carried out: `deny`, `ack`, or `ask` a person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from pytest_cuabench.agents.models.model import SafetyPolicy
from pytest_cuabench.errors import ProviderFailure

Ask = Callable[[str], str]


def ask_terminal(question: str) -> str:
    """Show a question on the controlling terminal, where pytest captures nothing, and return the line typed.

    Raises:
        ProviderFailure: There is no terminal.
    """
    try:
        with Path("/dev/tty").open("w") as screen, Path("/dev/tty").open() as keyboard:
            screen.write(question)
            screen.flush()
            return keyboard.readline()
    except OSError as error:
        raise ProviderFailure('safety = "ask" needs a terminal; run pytest in one, without -n') from error


async def allowed(policy: SafetyPolicy, concern: str, ask: Ask = ask_terminal) -> bool:
    """Return whether the model may go on; a person allows by 'yes', and by nothing else.

    Raises:
        ProviderFailure: A person is to be asked, and no terminal is there.
    """
    if policy != "ask":
        return policy == "ack"
    shown = "".join(sign if sign.isprintable() else " " for sign in concern)  # no control of the terminal
    line = await asyncio.to_thread(ask, f"\n\n{shown}\n\nAllow the agent to continue? Type yes or no. > ")
    return line.strip().lower() in {"y", "yes"}
