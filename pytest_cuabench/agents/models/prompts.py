"""What models are told beside the goal: where they are, how an episode ends, and what the texts of a look mean."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.task.observation import Mark, Node, Observation

_ROLE = (
    "You operate a computer for somebody who is not there. You see its screen, {screen} pixels, and act with mouse "
    "and keyboard. Do exactly what the task says and nothing besides; look at the screen after each step, and mend "
    "what went wrong. Nobody can answer questions. You may take {steps} turns."
)
_BY_OBSERVATION = {
    "screenshot": "",
    "tree": "Each turn you get the accessibility tree of the screen as text, without a picture.",
    "screenshot+tree": "Each turn you get a screenshot and the accessibility tree as text.",
    "marks": "Each turn you get a screenshot with numbered boxes, and a table that says what each number is.",
    "dom": "Each turn you get the text of the page.",
}


def instructions(briefing: Briefing, ending: str) -> str:
    """Return the system prompt; `ending` says in the adapter's own notation how to finish and how to answer."""
    role = _ROLE.format(screen=briefing.screen, steps=briefing.max_steps)
    return "\n".join(part for part in (role, kind_of_look(briefing), ending) if part)


def kind_of_look(briefing: Briefing) -> str:
    """Return what the model gets each turn; nothing if it is a screenshot alone."""
    return _BY_OBSERVATION[briefing.observation]


def task(briefing: Briefing) -> str:
    """Return the goal, with demonstrations and manuals before it."""
    documents = [f"<document>\n{_fenced(text)}\n</document>" for text in briefing.documents]
    return "\n\n".join((*documents, f"Task: {briefing.goal}"))


def _fenced(text: str) -> str:
    """Return a document that cannot end itself, since it may be a page that anybody wrote."""
    return text.replace("</document", "<\u200b/document")


def look(seen: Observation) -> str:
    """Return the texts of an observation: notices and errors first, then tabs, tree, marks and page text."""
    errors = [f"The action failed: {result.error}" for result in seen.results if result.error]
    said = [result.text for result in seen.results if result.text]
    parts = [*seen.notices, *errors, *said]
    if len(seen.tabs) > 1:
        tabs = (
            f"{number}: {_one_line(tab.title)}{' (in front)' if tab.active else ''}"
            for number, tab in enumerate(seen.tabs)
        )
        parts.append("Tabs: " + "; ".join(tabs))
    if seen.tree is not None:
        parts.append(tree(seen.tree))
    if seen.marks is not None:
        parts.append(marks(seen.marks))
    if seen.dom is not None:
        parts.append(seen.dom)
    return "\n\n".join(parts)


def tree(nodes: Iterable[Node]) -> str:
    """Return an accessibility tree as lines: role, name, value, states, middle of the box in screen pixels."""
    lines = []
    for node in nodes:
        name, value = _one_line(node.name), _one_line(node.value)
        words = [node.role, f'"{name}"' if name else "", f"= {value}" if value else ""]
        states = f"[{', '.join(node.states)}]" if node.states else ""
        place = "({}, {})".format(*node.box.middle)
        lines.append("  " * node.depth + " ".join(word for word in (*words, states, place) if word))
    return "\n".join(lines)


def marks(numbered: Iterable[Mark]) -> str:
    """Return the table of numbered boxes."""
    return "\n".join(f'{mark.number}: {mark.role} "{_one_line(mark.name)}"' for mark in numbered)


def _one_line(text: str) -> str:
    """Return a page's text without line breaks, so that it cannot write lines of ours."""
    return "\\n".join(text.splitlines())
