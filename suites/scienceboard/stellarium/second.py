"""Second solutions of Stellarium, written without a look at the checks."""

from __future__ import annotations

import re

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Scroll

from ..toolkit.ephemeris import CONSTELLATIONS, Sky

_SPIN = "dialog >> spin-button"
_HIPPARCOS = {  # numbers of bright stars in the catalogue of Hipparcos
    "Vega": 91262,
    "Arcturus": 69673,
    "Capella": 24608,
    "Procyon": 37279,
    "Altair": 97649,
    "Aldebaran": 21421,
    "Spica": 65474,
    "Regulus": 49669,
    "Deneb": 102098,
    "Antares": 80763,
}
_CATALOGUE = {  # numbers of Messier's objects in the New General Catalogue
    31: 224,
    13: 6205,
    42: 1976,
    57: 6720,
    51: 5194,
    81: 3031,
}
_BOXES = {  # words of a wish: the page of the view's dialog, and the box on it
    "the atmosphere": ("Sky", '[name="Atmosphere visualization"]'),
    "the Milky Way": ("Sky", '[name^="Milky Way"]'),
    "the names of the stars": ("Sky", '[name="Stars"] >> check-box[name="Labels and Markers"]'),
    "the stars": ("Sky", '[name="Stars"]@0.075,0.083'),
    "the orbits of the planets": ("SSO", '[name="Show orbits"]'),
    "the names of the planets": ("SSO", '[name="Labels and Markers"]'),
    "the planets": ("SSO", '[name="Solar System objects"]@0.033,0.077'),
    "the ground": ("Landscape", '[name="Show ground"]'),
    "the fog": ("Landscape", '[name="Show fog"]'),
    "the cardinal points": ("Markings", '[name="Cardinal points"]'),
    "the azimuthal grid": ("Markings", '[name="Azimuthal grid"]'),
    "the equatorial grid of date": ("Markings", '[name="Equatorial grid (of date)"]'),
    "the equatorial grid": ("Markings", '[name="Equatorial grid (of date)"]'),
    "the ecliptic of date": ("Markings", '[description="Show ecliptic line of current date."]'),
    "the ecliptic": ("Markings", '[description="Show ecliptic line of current date."]'),
    "the celestial equator of date": (
        "Markings",
        '[description^="Show celestial equator of current planet"]',
    ),
    "the celestial equator": ("Markings", '[description^="Show celestial equator of current planet"]'),
    "the meridian": ("Markings", '[description="Show meridian line."]'),
    "the line of the horizon": ("Markings", '[description="Show mathematical horizon line."]'),
    "the lines of the constellations": ("Starlore", '[name="Show constellation lines"]'),
    "the names of the constellations": ("Starlore", '[name="Show labels"]'),
    "the boundaries of the constellations": ("Starlore", '[name="Show boundaries"]'),
    "the pictures of the constellations": ("Starlore", '[name="Show art in brightness"]'),
    "the lines of the asterisms": ("Starlore", '[name="Show asterism lines"]'),
    "the names of the asterisms": ("Starlore", '[name="Show asterism labels"]'),
}
_KEYS = {  # of wishes that have no box in the dialog
    "all in the red light of the night mode": "ctrl+n",
    "the sky mirrored left to right": "ctrl+shift+h",
    "the sky mirrored top to bottom": "ctrl+shift+v",
}


async def switches(pilot: Pilot, case: Case) -> None:
    """Set the boxes of the view's dialog, page by page, in place of the keys."""
    wishes = re.split(
        r", (?:and )?(?:hide |show )?| and (?:hide |show )?", re.sub("^(show|hide) ", "", case["wish"])
    )
    for wish in wishes:
        if wish in _KEYS:
            await pilot.press(_KEYS[wish])
    boxes = sorted(_BOXES[wish] for wish in wishes if wish not in _KEYS)
    if not boxes:
        return
    await pilot.press("F4")
    for page in dict.fromkeys(page for page, _ in boxes):
        await pilot.click(f'list-item[name="{page}"]')
        for _, box in filter(lambda each: each[0] == page, boxes):
            await pilot.click(f"check-box{box}")
    await pilot.press("F4")


async def _find(pilot: Pilot, name: str) -> None:
    await pilot.press("ctrl+f")
    await pilot.type(name)
    await pilot.press("Return")


async def centre_planet(pilot: Pilot, case: Case) -> None:
    """Find another planet first."""
    await _find(pilot, "Neptune")
    await _find(pilot, case["called"].lower())


async def centre_star(pilot: Pilot, case: Case) -> None:
    """Find the star by its number in a catalogue."""
    await _find(pilot, f"HIP {_HIPPARCOS[case['called']]}")


async def centre_nebula(pilot: Pilot, case: Case) -> None:
    """Find the nebula by its number in another catalogue."""
    await _find(pilot, f"NGC {_CATALOGUE[int(case['called'])]}")


async def centre_brightest(pilot: Pilot, case: Case) -> None:
    """Find the star by its number in a catalogue."""
    (star,) = [star for star, home in CONSTELLATIONS.items() if home == case["called"]]
    await _find(pilot, f"HIP {_HIPPARCOS[star]}")


async def _close_up(pilot: Pilot, name: str) -> None:
    """Find a body, and come nearer by the wheel."""
    await _find(pilot, name)
    await pilot.act(Scroll(960, 547, dy=-60))
    await pilot.act(Scroll(960, 547, dy=-60))


async def close_up_planet(pilot: Pilot, case: Case) -> None:
    """Come nearer by the wheel."""
    await _close_up(pilot, case["called"])


async def centre_highest(pilot: Pilot, case: Case) -> None:
    """Work out the altitudes with an almanac."""
    sky, now = await _here(pilot)
    await _find(pilot, sky.highest(now)[0])


# The place and the time, which two dialogs tell.


async def _julian_day(pilot: Pilot) -> float:
    """Open the clock's dialog on its second page."""
    await pilot.press("F5")
    await pilot.click('page-tab[name="Julian Day"]')
    return float(await pilot.read(f"{_SPIN}:nth(0)"))


async def _here(pilot: Pilot) -> tuple[Sky, float]:
    """Return the place and the time, which two dialogs tell."""
    await pilot.press("F6")
    told = [await pilot.read(f"{_SPIN}:nth({index})") for index in range(3)]
    await pilot.press("F6")
    place = {}
    for text in told:
        numbers = [float(number) for number in re.findall(r"[\d.]+", text)]
        if text[0] in "NSEW":
            degrees = sum(number / 60**power for power, number in enumerate(numbers))
            place["latitude" if text[0] in "NS" else "longitude"] = degrees * (-1 if text[0] in "SW" else 1)
        else:
            place["altitude"] = numbers[0]
    now = await _julian_day(pilot)
    await pilot.click('page-tab[name="Date and Time"]')
    await pilot.press("F5")
    return Sky(**place), now


async def tell_altitude(pilot: Pilot, case: Case) -> None:
    """Answer with one more decimal."""
    sky, now = await _here(pilot)
    await pilot.answer(f"{case['body']} stands at {sky.altaz(case['body'], now)[0]:.1f}°.")
