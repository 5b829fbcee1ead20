"""Where the landmarks of a body lie on the table."""

import random

FRACTIONS = {
    "skull_base": 0.078,
    "apex": 0.166,
    "dome": 0.288,
    "adrenals": 0.338,
    "symphysis": 0.502,
}


def landmarks(stream: random.Random, height_cm: int) -> dict[str, int]:
    """Draw the landmarks of somebody of a height, and the seed of the pictures."""
    vertex = stream.randint(125, 185)
    places = {
        name: vertex + round(fraction * height_cm * 10) + stream.randint(-7, 7)
        for name, fraction in FRACTIONS.items()
    }
    return {"seed": stream.randrange(1, 10**6), "vertex": vertex, **places}
