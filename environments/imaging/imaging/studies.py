"""What the studies of every archive have in common: whose they are, from which day, and how the list tells of them."""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from imaging.elements import Elements, el

ROOT = "1.2.826.0.1.3680043.10"
FIRST_DAY = datetime.date(2031, 1, 6)
ALIKE = {
    "Anna": "Anne",
    "Clara": "Carla",
    "Elena": "Helena",
    "Irene": "Irena",
    "Karin": "Karen",
    "Marta": "Martha",
}
GIVEN = ("Boris", "David", "Felix", "Hugo", "Jonas", "Lukas", "Nils")


@dataclass(frozen=True, kw_only=True)
class Study(ABC):
    """One study in the list; the first of its series has its images.

    Attributes:
        modality: Of its images.
        alike: The study of the person with a like name.
    """

    uid: str
    family: str
    given: str
    mrn: str
    date: str
    accession: str
    description: str
    modality: str
    alike: str = ""

    @property
    def series(self) -> str:
        """The UID of the series of its images."""
        return f"{self.uid}.1"

    @property
    @abstractmethod
    def counts(self) -> Mapping[str, int]:
        """The modalities of its series, and how many instances each has."""

    @property
    @abstractmethod
    def instances(self) -> list[Elements]:
        """The metadata of its instances."""

    @property
    def time(self) -> str:
        """When it was made, in working hours."""
        minute = int(self.accession[-4:]) % 600
        return f"{8 + minute // 60:02}{minute % 60:02}00"

    @property
    def elements(self) -> Elements:
        """What the list tells of it."""
        return {
            "00080020": el("DA", self.date),
            "00080030": el("TM", self.time),
            "00080050": el("SH", self.accession),
            "00080061": el("CS", *self.counts),
            "00080090": el("PN"),
            "00081030": el("LO", self.description),
            "00100010": el("PN", {"Alphabetic": f"{self.family}^{self.given}"}),
            "00100020": el("LO", self.mrn),
            "0020000D": el("UI", self.uid),
            "00200010": el("SH", self.accession),
            "00201206": el("IS", len(self.counts)),
            "00201208": el("IS", sum(self.counts.values())),
        }


AnyStudy = TypeVar("AnyStudy", bound=Study)


def newest_first(studies: Iterable[AnyStudy]) -> tuple[AnyStudy, ...]:
    """Return studies in the order of the list."""
    return tuple(sorted(studies, key=lambda study: (study.date, study.uid), reverse=True))


def new_mrn(random: Random) -> str:
    """Return a patient's number."""
    return str(random.randint(400000, 999999))
