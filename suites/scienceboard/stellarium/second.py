"""Second solutions of Stellarium, written without a look at the checks."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime, timedelta

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Scroll, Wait

from ..toolkit.ephemeris import CONSTELLATIONS, PLANETS, Sky, between

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


_NEARER = Scroll(960, 547, dy=-60)


async def _close_up(pilot: Pilot, name: str) -> None:
    """Find a body, and come nearer by the wheel."""
    await _find(pilot, name)
    await pilot.act(_NEARER)
    await pilot.act(_NEARER)


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


# What Stellarium tells of a body, copied and put into the field of the search, where it can be read.

_FIELD = "dialog >> text:nth(0)"
_ANGLE = r"([+-]?)(\d+)[°h](\d+)['m]([\d.]+)[\"s]"


async def _told(pilot: Pilot, *names: str) -> list[str]:
    """Find bodies one by one, and return what is told of each; the search stays open."""
    texts = []
    await pilot.press("ctrl+f")
    for name in names:
        await pilot.fill(_FIELD, f"{name}\n")
        texts.append(await _copied(pilot, name))
    return texts


async def _copied(pilot: Pilot, name: str) -> str:
    while await pilot.sees(_FIELD):
        await pilot.act(Wait(1))
    await pilot.press("ctrl+shift+c")
    await pilot.press("ctrl+f")
    await pilot.box(_FIELD)
    await pilot.press("ctrl+v")
    while not (text := await pilot.read(_FIELD)).startswith(f"{name}\n"):
        await pilot.act(Wait(2))
    return text


def _pair(text: str, label: str) -> tuple[float, float]:
    """Return the two numbers of a line in degrees, or hours and degrees."""
    line = text.split(f"{label}: ", 1)[1].splitlines()[0]
    one, other = (
        (float(degrees) + float(minutes) / 60 + float(seconds) / 3600) * (-1 if sign == "-" else 1)
        for sign, degrees, minutes, seconds in re.findall(_ANGLE, line)
    )
    return one, other


async def _altitudes(pilot: Pilot) -> dict[str, float]:
    texts = await _told(pilot, *PLANETS)
    return {name: _pair(text, "Az./Alt.")[1] for name, text in zip(PLANETS, texts, strict=True)}


async def tell_azimuth(pilot: Pilot, case: Case) -> None:
    """Round what Stellarium tells with minutes and seconds."""
    (text,) = await _told(pilot, case["body"])
    await pilot.answer(f"{_pair(text, 'Az./Alt.')[0]:.1f}°")


async def tell_distance(pilot: Pilot, case: Case) -> None:
    """Answer with a sentence."""
    (text,) = await _told(pilot, case["body"])
    distance = text.split("Distance: ", 1)[1].split(" (")[0]
    await pilot.answer(f"{case['body']} is {distance} away.")


async def tell_phase(pilot: Pilot, case: Case) -> None:
    """Write the unit as a word."""
    (text,) = await _told(pilot, "Moon")
    lit = text.split("Illuminated: ", 1)[1].split("%")[0]
    await pilot.answer(f"{lit}% of the Moon's disc is illuminated.")


async def tell_right_ascension(pilot: Pilot, case: Case) -> None:
    """Work out the decimals from minutes and seconds."""
    (text,) = await _told(pilot, case["body"])
    await pilot.answer(f"The right ascension is {_pair(text, 'RA/Dec (J2000.0)')[0]:.2f} h.")


async def tell_declination(pilot: Pilot, case: Case) -> None:
    """Write the sign as in print."""
    (text,) = await _told(pilot, case["body"])
    await pilot.answer(f"{_pair(text, 'RA/Dec (J2000.0)')[1]:.2f}°".replace("-", "−"))


async def count_planets(pilot: Pilot, case: Case) -> None:
    """Read the altitudes one by one."""
    altitudes = await _altitudes(pilot)
    await pilot.answer(str(sum(altitude > 0 for altitude in altitudes.values())))


async def tell_highest(pilot: Pilot, case: Case) -> None:
    """Read the altitudes one by one, and answer with a sentence."""
    altitudes = await _altitudes(pilot)
    await pilot.answer(f"{max(altitudes, key=altitudes.__getitem__)} is the highest.")


async def tell_separation(pilot: Pilot, case: Case) -> None:
    """Work out the angle from the two directions."""
    places = [_pair(text, "Az./Alt.") for text in await _told(pilot, "Moon", case["body"])]
    (a, b), (c, d) = places
    await pilot.answer(f"They are {between((b, a), (d, c)):.1f} degrees apart.")


async def tell_altitude_later(pilot: Pilot, case: Case) -> None:
    """Type the later hour into the clock's dialog."""
    await pilot.press("F5")
    await _set(pilot, await _moment(pilot) + timedelta(hours=case["hours"]))
    (text,) = await _told(pilot, case["body"])
    await pilot.answer(f"{_pair(text, 'Az./Alt.')[1]:.2f}°")


async def close_up_lowest(pilot: Pilot, case: Case) -> None:
    """Read the altitudes one by one, and come nearer by the wheel."""
    altitudes = await _altitudes(pilot)
    await pilot.fill(_FIELD, min(altitudes, key=altitudes.__getitem__) + "\n")
    await pilot.act(_NEARER, _NEARER)


# The clock, whose dialog is slow on a busy machine.

_LUNATION = timedelta(days=29.530589)


async def _moment(pilot: Pilot) -> datetime:
    """Return the hour that the clock's dialog shows."""
    year, month, day, hour = [int(await pilot.read(f"{_SPIN}:nth({index})")) for index in range(4)]
    return datetime(year, month, day, hour)


async def _set(pilot: Pilot, moment: datetime) -> None:
    """Type year, month, day and hour into the clock's dialog, from a day that every month has, and close it."""
    if (moment.year, moment.month) != ((shown := await _moment(pilot)).year, shown.month):
        await _enter(pilot, 2, 1)
    for index, value in enumerate(moment.timetuple()[:4]):
        await _enter(pilot, index, value)
    await pilot.press("F5")


async def _enter(pilot: Pilot, index: int, value: int) -> None:
    field = f"{_SPIN}:nth({index})"
    for _ in range(4):
        if await pilot.read(field) == str(value):
            return
        await pilot.fill(field, f"{value}\t")
        for _ in range(10):
            if await pilot.read(field) == str(value):
                return
            await asyncio.sleep(0.5)
    raise LookupError(f"the clock does not take {value}")


async def move_by_days(pilot: Pilot, case: Case) -> None:
    """Step by the arrow keys in the field of the day."""
    count, _, side = case["about"].split()
    await pilot.press("F5")
    await pilot.click(f"{_SPIN}:nth(2)")
    for _ in range(int(count)):
        await pilot.press("Up" if side == "later" else "Down")
    await pilot.press("F5")


async def move_by_weeks(pilot: Pilot, case: Case) -> None:
    """Work out the date, and type it into the clock's dialog."""
    count, _, side = case["about"].split()
    await pilot.press("F5")
    await _set(pilot, await _moment(pilot) + timedelta(weeks=int(count) * (1 if side == "later" else -1)))


async def set_date(pilot: Pilot, case: Case) -> None:
    """Type the date into the clock's dialog."""
    wanted = datetime.strptime(case["about"], "%d %B %Y")
    await pilot.press("F5")
    await _set(pilot, wanted.replace(hour=(await _moment(pilot)).hour))


async def set_full_moon(pilot: Pilot, case: Case) -> None:
    """Count months from a full moon of 2000, and come nearer by what is told of the Moon's elongation."""
    first = datetime.strptime(case["about"], "%B %Y")
    moment = datetime(2000, 1, 21, 5)
    while moment < first - timedelta(days=1):
        moment += _LUNATION
    await pilot.press("F5")
    await _set(pilot, moment)
    moment += await _until_full(pilot)
    if moment < first:
        await _set(pilot, moment := moment + _LUNATION)
        moment += await _until_full(pilot)
    await _set(pilot, moment + timedelta(minutes=30))


async def _until_full(pilot: Pilot) -> timedelta:
    """Return how long it is to the full moon, or since, and open the clock's dialog."""
    (text,) = await _told(pilot, "Moon")
    side, degrees, minutes = re.findall(r"Elong. in Ecl.Long.: ([EW])(\d+)°(\d+)'", text)[0]
    left = timedelta(days=(180 - int(degrees) - int(minutes) / 60) / 12.19)
    await pilot.press("Escape")
    await pilot.press("F5")
    return left if side == "E" else -left
