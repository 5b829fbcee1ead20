"""Settings of VLC, GIMP and LibreOffice, as they write them into files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from pytest_cuabench.task.kinds import Items, Kind, Number, Path, Text

from .data import Expected, text_of
from .matching import Strict

Fault = str | None
_FOLDER = Path()
_NAME, _FONT = Text(), Text(ignore_case=True)
_NUMBER = Number()
_COLOURS = Items(separators=";", item=_NUMBER, ordered=True)
_NO_FILE = "there is no such file of settings"
_OOR = "{http://openoffice.org/2001/registry}"


class Status(Strict):
    """A key of GIMP's settings, or two within each other, and its value as it is written."""

    type: str = "key-value"
    key: str | list[str]
    value: str

    def __init__(self, **given: object) -> None:
        # Published records write `type:` by mistake.
        super().__init__(**{name.removesuffix(":"): value for name, value in given.items()})


class RecordPath(Strict):
    """The folder that VLC records into."""

    recording_file_path: str


class Colours(Strict):
    """The colours of VLC's slider: exactly these, or dark ones."""

    type: Literal["match", "blackish"]
    expected_qt_slider_colours: str = ""


class Font(Strict):
    """The usual font of Writer."""

    font_name: str


class Minutes(Strict):
    """Minutes between two automatic savings."""

    minutes: int


def check_config_status(result: bytes | None, rules: Status) -> Fault:
    """A setting of GIMP has a value."""
    if result is None:
        return _NO_FILE
    keys = [rules.key] if isinstance(rules.key, str) else rules.key
    seen = "not set"
    for line in text_of(result).splitlines():
        words = line.strip().lstrip("(").rstrip(")").split()
        if words[: len(keys)] == keys and len(words) > len(keys):
            seen = " ".join(words[len(keys) :])  # the last one counts
    kind, wanted = _kind(rules.value.strip('"')), rules.value.strip('"')
    return None if kind.matches(seen.strip('"'), wanted) else f"{' '.join(keys)} is {seen}"


def is_vlc_recordings_folder(result: bytes | None, rules: RecordPath) -> Fault:
    """VLC records into a folder."""
    return _option(result, "input-record-path", "", rules.recording_file_path, _FOLDER)


def check_qt_slider_colours(result: bytes | None, rules: Colours) -> Fault:
    """The slider of VLC has these colours, or dark ones."""
    if result is None:
        return _NO_FILE
    seen = _value(result, "qt-slider-colours", "153;210;153;20;210;20;255;199;15;245;39;29")
    if rules.type == "match":
        return None if _COLOURS.matches(seen, rules.expected_qt_slider_colours) else f"the colours are {seen}"
    numbers = [int(one) for one in seen.split(";") if one.isdecimal()]
    return None if len(numbers) >= 3 and max(numbers) < 100 else f"the colours are {seen}"


def check_global_key_play_pause(result: bytes | None, rules: dict[str, str | int]) -> Fault:
    """VLC has a global key for play and pause, or none."""
    if result is None:
        return _NO_FILE
    seen = "1" if _value(result, "global-key-play-pause", "") else "0"
    wanted = str(rules.get("expected_global_key_play_pause"))
    return None if seen == wanted else f"a global key is {'set' if seen == '1' else 'not set'}"


def find_default_font(result: bytes | None, rules: Font) -> Fault:
    """The usual font of Writer is this one."""
    seen = _registered(result, "/org.openoffice.Office.Writer/DefaultFont", "Standard")
    return None if _FONT.matches(seen, rules.font_name) else f"the font is {seen or 'unchanged'}"


def check_auto_saving_time(result: bytes | None, rules: Minutes) -> Fault:
    """LibreOffice saves after some minutes."""
    seen = _registered(result, "/org.openoffice.Office.Common/Save/Document", "AutoSaveTimeIntervall")
    return None if _NUMBER.matches(seen, str(rules.minutes)) else f"the minutes are {seen or 'unchanged'}"


def check_presenter_console_disable(result: bytes | None) -> Fault:
    """Impress shows no presenter console."""
    seen = _registered(result, "/org.openoffice.Office.Impress/Misc/Start", "EnablePresenterScreen")
    return None if seen == "false" else "the presenter console is not switched off"


def compare_config(result: bytes | None, rules: Expected) -> Fault:
    """A file of settings reads exactly so."""
    if result is None:
        return _NO_FILE
    return None if text_of(result) == rules.expected else "it reads otherwise"


def _flag(option: str, default: str) -> Callable[[bytes | None, dict[str, str | int]], Fault]:
    """Return an evaluator of an option of VLC, whose rule is named after it."""
    key = f"expected_{option.replace('-', '_')}"

    def check(result: bytes | None, rules: dict[str, str | int]) -> Fault:
        return _option(result, option, default, str(rules.get(key)))

    check.__doc__ = f"The option {option} of VLC has a value."
    return check


def _option(result: bytes | None, name: str, default: str, wanted: str, kind: Kind | None = None) -> Fault:
    if result is None:
        return _NO_FILE
    seen = _value(result, name, default)
    right = seen == wanted if not wanted else (kind or _kind(wanted)).matches(seen, wanted)
    return None if right else f"{name} is {seen or 'not set'}"


def _kind(wanted: str) -> Kind:
    """Return the kind of a value: a number, or a name without what a program adds around it."""
    return _NUMBER if _NUMBER.reads(wanted) else _NAME


def _value(content: bytes, name: str, default: str) -> str:
    """Return an option of `vlcrc`, which writes those that are as usual behind a `#`; the last one counts."""
    found = default
    for line in text_of(content).splitlines():
        key, sign, value = line.partition("=")
        if sign and key.strip() == name:
            found = value.strip()
    return found


def _registered(content: bytes | None, path: str, name: str) -> str | None:
    """Return a value of LibreOffice's registry of changed settings."""
    try:
        root = fromstring(content or b"<none/>")
    except (ParseError, DefusedXmlException, ValueError):
        return None
    for item in root.iter("item"):
        if item.get(f"{_OOR}path") == path:
            for prop in item.iter("prop"):
                if prop.get(f"{_OOR}name") == name:
                    return prop.findtext("value")
    return None


EVALUATORS = {
    "check_auto_saving_time": check_auto_saving_time,
    "check_config_status": check_config_status,
    "check_global_key_play_pause": check_global_key_play_pause,
    "check_one_instance_when_started_from_file": _flag("one-instance-when-started-from-file", "1"),
    "check_presenter_console_disable": check_presenter_console_disable,
    "check_qt_bgcone": _flag("qt-bgcone", "1"),
    "check_qt_max_volume": _flag("qt-max-volume", "125"),
    "check_qt_minimal_view": _flag("qt-minimal-view", "0"),
    "check_qt_slider_colours": check_qt_slider_colours,
    "compare_config": compare_config,
    "find_default_font": find_default_font,
    "is_vlc_recordings_folder": is_vlc_recordings_folder,
}
