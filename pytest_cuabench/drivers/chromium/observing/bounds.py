"""How much of a page an observation tells; what is beyond is cut, and the agent is told."""

from __future__ import annotations

MOST_NODES = 3_000  # elements of a tree
MOST_MARKS = (
    250  # of a page that is outlined: each is tried out, which takes up to 8 ms in a very long paragraph
)
MOST_LINES = 5_000  # of a page's text
MOST_CHARACTERS = 200_000  # of an observation
LONGEST = 20_000  # characters of a name, a value or a line
MOST_VISITED = 100_000  # nodes of a page that are looked at; of one with more, those about the screen
SHORTENED = f"Texts of more than {LONGEST} characters are cut."


def shortened(text: str) -> str:
    """Return a name or a value, with its end cut off where it is too long."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... (cut)"
