"""An agent without a model: signs in, and opens the chart of the patient that the goal names."""

import re

from pytest_cuabench.client import Episode, Observation

episode = Episode()
FREE = {"cost": 0}  # no model is asked


def find(seen: Observation, role: str, name: str) -> tuple[int, int]:
    """Return the middle of the first element with this role whose name holds a text."""
    for node in seen.tree or []:
        if node["role"] == role and name in node["name"]:
            left, top, width, height = node["box"]
            return int(left + width / 2), int(top + height / 2)
    raise SystemExit(f"no {role} named {name!r} on the screen")


def fill(seen: Observation, field: str, text: str) -> Observation:
    """Click a field and type, as one step."""
    x, y = find(seen, "textbox", field)
    return episode.act({"kind": "click", "x": x, "y": y}, {"kind": "type", "text": text}, usage=FREE)


def press(place: tuple[int, int]) -> Observation:
    """Click a pixel, as one step."""
    x, y = place
    return episode.act({"kind": "click", "x": x, "y": y}, usage=FREE)


def in_row(seen: Observation, number: str) -> tuple[int, int]:
    """Return the middle of the link in the row of a table that holds a number."""
    _, row = find(seen, "cell", number)
    for node in seen.tree or []:
        left, top, width, height = node["box"]
        if node["role"] == "link" and top < row < top + height:
            return int(left + width / 2), int(top + height / 2)
    raise SystemExit(f"no link in the row of {number}")


def main() -> None:
    """Play."""
    user = re.search(r"user ID is (\S+) and the password is (\S+?)\. ", episode.goal)
    mrn = re.search(r"MRN (\w+)", episode.goal)
    if not user or not mrn:
        raise SystemExit(f"this program cannot read the goal: {episode.goal}")
    seen = fill(episode.observe(), "User ID", user[1])
    seen = fill(seen, "Password", user[2])
    seen = press(find(seen, "button", "Sign in"))
    seen = fill(seen, "Search name or MRN", mrn[1])
    seen = press(find(seen, "button", "Search"))
    press(in_row(seen, mrn[1]))
    episode.finish(usage=FREE)


main()
