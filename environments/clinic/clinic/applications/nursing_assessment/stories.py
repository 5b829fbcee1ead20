"""What is true of each patient: points before and now, and the notes that tell what changed."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clinic.application import Seeding

ITEMS = {
    "braden": ("sensory", "moisture", "activity", "mobility", "nutrition", "friction"),
    "morse": ("history", "secondary", "aid", "iv", "gait", "mental"),
}
STORIES = (
    "braden_new",
    "braden_read",
    "morse_new",
    "gcs_new",
    "pain_new",
    "must_new",
    "unplanned",
    "planned",
    "fallen",
    "multi_skin",
    "multi_fall",
    "bundle",
)
PRESSURE_BANDS = {
    "braden_new": ("none",),
    "braden_read": ("mild", "moderate"),
    "unplanned": ("high",),
    "planned": ("high",),
}
ANY_BAND = ("none", "mild", "mild", "moderate")


@dataclass
class Story:
    """One patient to be.

    Attributes:
        before: Points at the last signed assessment, by form.
        now: Points that the findings in the chart mean; a form that is not in it stands as it was.
        notes: Title and text of what colleagues wrote down, the newest last.
    """

    name: str
    before: dict[str, list[int]] = field(default_factory=dict)
    now: dict[str, dict[str, int]] = field(default_factory=dict)
    notes: list[tuple[str, str]] = field(default_factory=list)

    def standing(self, form: str) -> Mapping[str, int]:
        """Return the points that the chart has to agree with."""
        return self.now.get(form) or _named(form, self.before[form])


def _named(form: str, points: list[int]) -> dict[str, int]:
    return dict(zip(ITEMS[form], points, strict=True))


class Teller:
    """Makes up the stories of one seed."""

    def __init__(self, seeding: Seeding, stream: random.Random) -> None:
        self._profiles: dict[str, Any] = seeding.fixtures.load("nursing_assessment/profiles")
        self._findings: dict[str, Any] = seeding.fixtures.load("nursing_assessment/findings")
        self._stream = stream

    def tell(self, name: str) -> Story:
        """Return the story of one patient."""
        story = Story(name)
        band = self._stream.choice(PRESSURE_BANDS.get(name, ANY_BAND))
        story.before["braden"] = self._stream.choice(self._profiles["braden"][band])
        risk = self._stream.choice(("low", "moderate", "high"))
        story.before["morse"] = self._stream.choice(self._profiles["morse"][risk])
        rest = self._stream.randint(0, 4)
        story.before["pain"] = [rest, rest + self._stream.randint(1, 4)]
        story.notes.append(("Shift note", self._stream.choice(self._profiles["notes"]["quiet"])))
        getattr(self, f"_{name}", lambda _: None)(story)
        return story

    def _braden_new(self, story: Story) -> None:
        after = _named("braden", self._stream.choice(self._profiles["braden"]["high"]))
        story.now["braden"] = after
        told = [self._sentence("braden", key, points) for key, points in after.items()]
        story.notes.append(("Skin round", " ".join(self._stream.sample(told, len(told)))))

    def _morse_new(self, story: Story) -> None:
        story.before["morse"] = self._stream.choice(self._profiles["morse"]["low"])
        after = _named("morse", self._stream.choice(self._profiles["morse"]["high"]))
        story.now["morse"] = after
        told = ", ".join(self._sentence("morse", key, after[key]) for key in ("aid", "gait"))
        mental = self._sentence("morse", "mental", after["mental"])
        story.notes.append(("Mobility round", f"The patient {told}, and {mental}."))

    def _must_new(self, story: Story) -> None:
        choice = self._stream.choice
        story.now["must"] = {"bmi": choice((0, 1, 2)), "loss": choice((0, 1, 2)), "acute": choice((0, 0, 2))}
        story.notes.append(("Nutrition", self._sentence("must", "acute", story.now["must"]["acute"])))

    def _fallen(self, story: Story) -> None:
        self._changed(story, "braden", "fall_braden", "After the fall: skin")
        self._changed(story, "morse", "fall_morse", "After the fall: mobility")

    def _multi_skin(self, story: Story) -> None:
        self._changed(story, "braden", "skin_braden", "Skin round")
        self._pain(story)

    def _multi_fall(self, story: Story) -> None:
        self._changed(story, "morse", "mobility_morse", "Mobility round")
        self._pain(story)

    def _bundle(self, story: Story) -> None:
        self._changed(story, "braden", "bundle_braden", "Skin round")
        story.before["morse"], after = self._stream.choice(self._profiles["changes"]["bundle_morse"])
        story.now["morse"] = _named("morse", after)
        story.notes.append(("Mobility round", self._profiles["notes"]["bed_rest"]))
        self._pain(story)

    def _changed(self, story: Story, form: str, change: str, title: str) -> None:
        before, after = self._stream.choice(self._profiles["changes"][change])
        story.before[form], story.now[form] = before, _named(form, after)
        old = _named(form, before)
        changed = {key: points for key, points in story.now[form].items() if points != old[key]}
        told = [self._sentence(form, key, points) for key, points in changed.items()]
        scale = {"braden": "Braden", "morse": "Morse"}[form]
        text = " ".join(told) if form == "braden" else self._movement(changed, told)
        story.notes.append((title, f"{text} The other points are as at the last {scale}."))

    @staticmethod
    def _movement(changed: Mapping[str, int], told: list[str]) -> str:
        if "history" not in changed:
            return f"The patient {', '.join(told)}."
        return f"Found on the floor beside the bed, no injury. Seen since: the patient {', '.join(told[1:])}."

    def _pain(self, story: Story) -> None:
        rest, movement = (score for score in story.before["pain"])
        rest = self._other(rest, 0, 5)
        movement = self._other(movement, rest + 1, 10)
        story.now["pain"] = {"rest": rest, "movement": movement}
        where = "Place and kind of the pain are as at the last pain score."
        text = f"Rates pain {rest} of 10 lying still and {movement} of 10 when turning. {where}"
        story.notes.append(("Pain round", text))

    def _other(self, score: int, low: int, high: int) -> int:
        return self._stream.choice([each for each in range(low, high + 1) if each != score])

    def _sentence(self, form: str, key: str, points: int) -> str:
        sentence: str = self._stream.choice(self._findings[form][key][str(points)])
        return sentence
