"""Pictures show the screen as it is, and trees tell what is on it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from drivers.guests import Guest, needs_desktop
from PIL import Image, ImageChops

pytestmark = needs_desktop
PAD = (221, 221, 238)  # the colour of the probe's first area


@pytest.fixture
def probe(desktop: Guest) -> Guest:
    """The probe window, with the pointer on its first area."""
    if desktop.call("GET", "/health")["session"] is None:
        desktop.begin()
    desktop.act({"kind": "move", "x": 100, "y": 100})
    return desktop


def picture(guest: Guest, **query: Any) -> Image.Image:
    """Return a screenshot."""
    reply = guest.client.get("/screenshot", params=query)
    assert reply.headers["content-type"] == "image/png"
    return Image.open(io.BytesIO(reply.content))


def test_the_whole_screen(probe: Guest) -> None:
    """A screenshot has the screen's size and colours, and the pointer on it."""
    image = picture(probe)
    assert (image.size, image.mode) == ((1280, 800), "RGB")
    assert image.getpixel((300, 40)) == PAD
    drawn = ImageChops.difference(image, picture(probe, cursor=0)).getbbox()
    assert drawn is not None
    assert drawn[0] <= 100 < drawn[2]
    assert drawn[1] <= 100 < drawn[3]


def test_a_region(probe: Guest) -> None:
    """A region is cut out of the same picture."""
    image = picture(probe, region="280,30,320,60")
    assert image.size == (40, 30)
    assert image.getpixel((20, 10)) == PAD


@pytest.mark.parametrize("query", [{"region": "1,2,3"}, {"region": "0,0,1281,10"}, {"cursor": "maybe"}])
def test_what_cannot_be_shown(query: dict[str, str], probe: Guest) -> None:
    """A region off the screen or a flag that is none is refused."""
    assert probe.client.get("/screenshot", params=query).status_code == 400


def test_the_tree(probe: Guest) -> None:
    """The tree tells roles, names, states and boxes in reading order, each node after its parent."""
    nodes = probe.nodes()
    assert [node["role"] for node in nodes[:2]] == ["application", "frame"]
    assert all(node["parent"] is None or node["parent"] < place for place, node in enumerate(nodes))
    [clear] = [node for node in nodes if node["name"] == "Clear"]
    assert (clear["role"], clear["box"]) == ("push-button", [1160, 720, 100, 40])
    assert "focusable" in clear["states"]


def test_located(probe: Guest) -> None:
    """A selector is answered by a box and a text, by nothing, or by a sentence."""

    def located(target: str) -> Any:
        reply = probe.client.get("/locate", params={"target": target})
        return reply.status_code, reply.json()

    probe.act({"kind": "click", "x": 1210, "y": 740}, {"kind": "click", "x": 500, "y": 155})
    probe.act({"kind": "type", "text": "né"})
    status, told = located("text:focused")
    assert (status, told["text"]) == (200, "né")
    assert located('push-button[name="Clear"]@0,0')[1]["box"] == [1160, 720, 1, 1]
    assert located('push-button[name="Gone"]') == (200, {"box": None})
    assert located("text")[0] == 409
    assert located("text[")[0] == 400
