"""Reads what a person typed into a form field."""

import re
from dataclasses import dataclass, field

NUMBER = re.compile(r"[0-9]{1,5}(\.[0-9]{1,2})?", re.ASCII)


@dataclass
class Problems:
    """Refusals by field; the key '' holds those of the form as a whole."""

    by_field: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.by_field)

    def add(self, name: str, text: str) -> None:
        """Keep the first refusal of a field."""
        self.by_field.setdefault(name, text)

    def add_if(self, refused: object, name: str, text: str) -> None:
        """Add a refusal where a condition holds."""
        if refused:
            self.add(name, text)

    def get(self, name: str) -> str:
        """Return the refusal of a field, or nothing."""
        return self.by_field.get(name, "")


def read_number(text: str, whole: bool) -> float | None:
    """Return the number typed, or None when it is not one (of the wanted kind)."""
    if not NUMBER.fullmatch(text) or (whole and "." in text):
        return None
    return int(text) if whole else float(text)
