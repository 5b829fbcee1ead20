"""What lies under the probe: echo strength in decibels and blood flow, at places given in centimetres."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clinic.toolkit.pictures import Picture

BLACK, DARK, DIM, GREY, BRIGHT, BONE = -70.0, -34.0, -26.0, -19.0, -9.0, 2.0


@dataclass(frozen=True)
class Finding:
    """What is drawn beside normal anatomy: its kind, its size, and on which side and in which plane one looks."""

    kind: str
    size_mm: float
    side: str
    plane: str


@dataclass
class Scene:
    """Tissue that is being put together, from the skin down."""

    x: Picture
    y: Picture
    echo: Picture
    flow: Picture

    def layer(self, top: float, echo: float, wave: float = 0.0) -> None:
        """Fill everything below a depth, whose upper edge is a bright, slightly curved line."""
        edge = top + wave * np.cos(self.x * 0.9)
        self.echo[self.y >= edge] = echo
        self.echo[np.abs(self.y - edge) < 0.035 + 0.004 * top] = BRIGHT

    def inside(self, x: float, y: float, across: float, deep: float, turn: float = 0.0) -> Picture:
        """Return the distance from the middle of an ellipse, 1 on its edge."""
        dx, dy = self.x - x, self.y - y
        a, b = dx * np.cos(turn) + dy * np.sin(turn), dy * np.cos(turn) - dx * np.sin(turn)
        distance: Picture = np.hypot(a / (across / 2), b / (deep / 2))
        return distance

    def body(
        self, x: float, y: float, across: float, deep: float, echo: float, rim: float | None = None
    ) -> None:
        """Put an ellipse, with a rim of another strength if there is one."""
        distance = self.inside(x, y, across, deep)
        self.echo[distance <= 1] = echo
        if rim is not None:
            self.echo[(distance > 1 - 0.14 / min(across, deep)) & (distance <= 1)] = rim

    def vessel(self, x: float, y: float, across: float, deep: float, speed: float) -> None:
        """Put a vessel with a bright wall, and the blood in it."""
        self.body(x, y, across, deep, BLACK, BRIGHT)
        self.flow[self.inside(x, y, across, deep) <= 0.9] = speed

    def shadow(self, x: float, y: float, across: float, deep: float, echo: float = BONE) -> None:
        """Put something that reflects all sound; nothing is seen behind it."""
        mask = self.inside(x, y, across, deep) <= 1
        behind = np.maximum.accumulate(mask, axis=0) & ~mask
        self.echo[behind] -= 30
        self.flow[behind] = 0
        self.echo[mask] = echo


def thyroid(scene: Scene, finding: Finding) -> None:
    """Strap muscles, a lobe beside the windpipe, the carotid artery, and a nodule."""
    scene.layer(0.25, DIM)
    scene.layer(0.85, BLACK + 40)
    scene.layer(1.05, GREY)
    long = finding.plane == "longitudinal"
    turn = -1 if finding.side == "left" else 1
    scene.layer(3.1, DIM, 0.1)
    if not long:
        scene.shadow(1.9 * turn, 2.2, 1.6, 1.7, BRIGHT)
        scene.vessel(-1.75 * turn, 2.2, 0.75, 0.75, 0.7)
    size = finding.size_mm / 10
    if not size:
        return
    wide, deep = (size * 0.8, size) if "tall" in finding.kind else (size, size * 0.7)
    echo = BLACK if "cystic" in finding.kind else DARK - 8 if "very" in finding.kind else DARK
    echo = GREY + 1 if "iso" in finding.kind else echo
    scene.body(-0.3 * turn, 1.95, wide, min(deep, 2.0), echo, DIM if "iso" in finding.kind else None)
    if "mixed" in finding.kind:
        scene.body(-0.2 * turn, 1.9, wide * 0.5, deep * 0.45, BLACK)
    if "punctate" in finding.kind:
        for dx, dy in ((-0.2, -0.1), (0.1, 0.15), (0.22, -0.12), (-0.08, 0.2), (0.0, -0.22)):
            scene.body(-0.3 * turn + dx * wide, 1.95 + dy * deep, 0.07, 0.07, BONE)
    if "macro" in finding.kind:
        scene.shadow(-0.3 * turn, 1.9, wide * 0.4, 0.14)


def kidney(scene: Scene, finding: Finding) -> None:
    """Liver or spleen, and a kidney whose collecting system may be wide."""
    scene.layer(0.8, DIM)
    scene.layer(1.9, GREY, 0.15)
    across = 10.6 if finding.plane == "longitudinal" else 6.0
    scene.body(0, 7.2, across + 0.4, 5.4, BRIGHT)
    scene.body(0, 7.2, across, 5.0, DIM)
    scene.body(0, 7.3, across * 0.55, 2.0, BRIGHT)
    scene.flow[(scene.inside(0, 7.3, across * 0.7, 3.0) < 1) & (np.sin(scene.x * 5) > 0.6)] = 0.5
    if finding.size_mm:
        scene.body(0, 7.3, across * 0.42, finding.size_mm / 10, BLACK)
    scene.layer(11.0, DIM, 0.3)


def gallbladder(scene: Scene, finding: Finding) -> None:
    """The liver with the gallbladder, and stones in it."""
    scene.layer(0.8, DIM)
    scene.layer(1.8, GREY)
    wall = 0.45 if finding.kind == "inflamed" else 0.18
    long = 6.8 if finding.plane == "longitudinal" else 3.2
    scene.body(0.4, 6.6, long + 2 * wall, 2.8 + 2 * wall, BRIGHT if wall < 0.3 else DIM)
    scene.body(0.4, 6.6, long, 2.8, BLACK)
    if finding.kind in ("stones", "inflamed"):
        for x in (-0.6, 0.3, 1.1):
            scene.shadow(x, 7.6, 0.7, 0.6)
    scene.vessel(-3.2, 9.0, 1.1, 1.1, 0.4)


def aorta(scene: Scene, finding: Finding) -> None:
    """Bowel and fat, the aorta in front of the spine, the vena cava beside it."""
    scene.layer(0.9, DIM)
    scene.layer(2.2, GREY - 3, 0.2)
    size = finding.size_mm / 10
    centre = 10.2 - size / 2
    scene.shadow(0.2, 11.6, 4.6, 2.0)
    across = size if finding.plane == "transverse" else 30.0
    rim = 0.12
    scene.body(0, centre, across + rim, size + rim, BONE)
    scene.body(0, centre, across - rim, size - rim, BLACK)
    scene.flow[scene.inside(0, centre, across * 0.9, size * 0.85) <= 1] = 0.8
    if finding.plane == "transverse":
        scene.vessel(-(size / 2 + 1.5), 8.9, 2.0, 1.4, -0.4)


def leg_vein(scene: Scene, finding: Finding) -> None:
    """The femoral artery and vein side by side; a clot fills the vein with grey."""
    scene.layer(0.3, DIM)
    scene.layer(1.1, GREY - 2, 0.05)
    turn = -1 if finding.side == "left" else 1
    long = 12.0 if finding.plane == "longitudinal" else 0.0
    scene.vessel(-0.75 * turn, 2.1, long or 0.85, 0.85, 0.8)
    scene.vessel(0.55 * turn, 2.9 if long else 2.3, long or 1.15, 1.0, -0.6)
    if finding.kind == "clot":
        scene.body(0.55 * turn, 2.9 if long else 2.3, (long or 1.15) - 0.2, 0.8, DIM)
        scene.flow[scene.inside(0.55 * turn, 2.9 if long else 2.3, long or 1.15, 1.0) <= 1] = 0


def carotid(scene: Scene, finding: Finding) -> None:
    """The common carotid artery, with a plaque if it is narrowed."""
    scene.layer(0.3, DIM)
    scene.layer(0.9, GREY - 3)
    scene.vessel(0, 1.9, 0.75 if finding.plane == "transverse" else 14.0, 0.75, 0.9)
    if finding.kind == "plaque":
        scene.shadow(0.3, 2.18, 1.1, 0.22, BRIGHT)
    scene.vessel(
        -1.3 if finding.plane == "transverse" else 0,
        1.15,
        1.2 if finding.plane == "transverse" else 14.0,
        0.4,
        -0.4,
    )


def pregnancy(scene: Scene, finding: Finding) -> None:
    """The womb with a sac and an embryo, or empty with a ring beside it."""
    scene.layer(0.3, GREY - 4)
    scene.body(0, 3.6, 6.0, 4.4, DIM, GREY)
    scene.body(0, 3.6, 4.6, 1.2, BRIGHT)
    if finding.kind == "ectopic":
        scene.body(2.6, 5.6, 1.9, 1.9, BRIGHT)
        scene.body(2.6, 5.6, 1.0, 1.0, BLACK)
        return
    scene.body(0.2, 3.5, 2.9, 2.0, BLACK, BRIGHT)
    scene.body(0.1, 3.9, finding.size_mm / 10 or 0.8, 0.5, GREY)
    scene.flow[scene.inside(0.1, 3.85, 0.3, 0.25) <= 1] = 0.5


def testis(scene: Scene, finding: Finding) -> None:
    """One testis under the skin; a twisted one is darker and has no flow."""
    scene.layer(0.25, DIM)
    twisted = finding.kind == "torsion"
    scene.body(
        0, 1.9, 4.0 if finding.plane == "longitudinal" else 2.8, 2.3, DARK if twisted else GREY, BRIGHT
    )
    scene.body(-1.7, 1.2, 0.9, 0.8, GREY - 2)
    if not twisted:
        scene.flow[(scene.inside(0, 1.9, 3.0, 1.8) < 1) & (np.sin(scene.x * 6 + scene.y * 9) > 0.75)] = 0.5


def heart(scene: Scene, finding: Finding) -> None:
    """Chambers around the septum; fluid may lie around them."""
    scene.layer(1.0, DIM)
    if finding.size_mm:
        scene.body(0, 8.0, 10.4 + finding.size_mm / 5, 9.6 + finding.size_mm / 5, BLACK, BRIGHT)
    scene.body(0, 8.0, 10.4, 9.6, GREY)
    for x, y, speed in ((-1.9, 6.4, 0.5), (1.9, 6.4, 0.6), (-1.8, 10.4, -0.5), (1.8, 10.4, -0.6)):
        scene.body(x, y, 3.2, 3.3, BLACK, BRIGHT)
        scene.flow[scene.inside(x, y, 2.4, 2.6) <= 1] = speed


SCENES: dict[str, Callable[[Scene, Finding], None]] = {
    "thyroid": thyroid,
    "kidney": kidney,
    "gallbladder": gallbladder,
    "aorta": aorta,
    "leg_vein": leg_vein,
    "carotid": carotid,
    "pregnancy": pregnancy,
    "testis": testis,
    "heart": heart,
}


def build(anatomy: str, finding: Finding, x: Picture, y: Picture) -> tuple[Picture, Picture]:
    """Return echo strength and flow at the given places."""
    scene = Scene(x, y, np.full_like(x, GREY - 4), np.zeros_like(x))
    scene.echo[y < 0.12] = BRIGHT
    SCENES[anatomy](scene, finding)
    return scene.echo, scene.flow
