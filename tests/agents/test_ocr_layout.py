"""What is read off small drawn screens: words, frames, and which field a label names."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from lazily import lazily

from pytest_cuabench.agents.builtin.reader import similarity
from pytest_cuabench.agents.builtin.reader.screen import Screen, Text, contains
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.observation import Box

from .drawn import Drawing

if TYPE_CHECKING:
    from pytest_cuabench.agents.builtin.reader.reading import Reader

pytestmark = pytest.mark.skipif(find_spec("rapidocr_onnxruntime") is None, reason="needs the extra ocr")

reading = lazily("pytest_cuabench.agents.builtin.reader.reading")


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reading.Reader()


@pytest.fixture(scope="module")
def form(reader: Reader) -> Screen:
    """A form: a label above its field, one left of it, two buttons, a lone digit in a frame."""
    page = Drawing().text(40, 30, "Heart rate").field(40, 56, 160)
    page.text(40, 120, "Surname").field(200, 114, 180, "Lovelace")
    page.button(40, 200, "Save form").button(180, 200, "Cancel")
    return reader.read(page.field(480, 200, 40, "7", height=36).png())


def at(screen: Screen, wanted: str) -> Box:
    """Return where words stand that stand there once."""
    (place,) = screen.find(wanted)
    return place.box


def test_words_are_found_where_they_stand(form: Screen) -> None:
    """Every label and button is found once, at its place."""
    for wanted, x, y in [
        ("Heart rate", 40, 30),
        ("Surname", 40, 120),
        ("Save form", 54, 207),
        ("Cancel", 194, 207),
    ]:
        box = at(form, wanted)
        assert abs(box.x - x) < 10
        assert abs(box.y - y) < 10


def test_words_that_are_not_there_are_not_found(form: Screen) -> None:
    """Similar is not the same: other words are nowhere."""
    assert form.find("Respiratory rate") == []
    assert form.find("Delete form") == []


@pytest.mark.parametrize(("label", "x", "y"), [("Heart rate", 40, 56), ("Surname", 200, 114)])
def test_a_label_names_the_field_below_or_right_of_it(form: Screen, label: str, x: int, y: int) -> None:
    """The likeliest field of a label is the one under it, or else the one at its right."""
    field = form.fields(at(form, label))[0]

    assert abs(field.x - x) <= 3
    assert abs(field.y - y) <= 3


def test_a_button_is_the_frame_around_its_words(form: Screen) -> None:
    """The words of a button lie in a frame of its size."""
    frame = form.frame_of(at(form, "Cancel"))

    assert frame is not None
    assert abs(frame.width - 110) <= 4
    assert abs(frame.height - 32) <= 4


def test_what_a_field_holds_is_read(form: Screen) -> None:
    """The text within a field's frame is its content."""
    field = form.fields(at(form, "Surname"))[0]

    assert [text.words for text in form.inside(field)] == ["Lovelace"]


def test_a_lone_digit_in_a_frame_is_read(form: Screen) -> None:
    """A single digit, which a search for lines of text passes over, is read in its frame."""
    assert any(contains(Box(480, 200, 40, 36), place.box) for place in form.find("7"))


@pytest.mark.slow
def test_the_same_picture_reads_the_same(reader: Reader, form: Screen) -> None:
    """Neither what was read before nor another reader changes what is read."""
    png = Drawing().text(40, 30, "Heart rate").button(40, 200, "Save form").png()

    assert reader.read(png) == reader.read(png) == reading.Reader().read(png)


def test_a_change_is_noticed_where_it_happens(reader: Reader) -> None:
    """Typing changes the field's region and no other."""
    before = reader.read(Drawing().field(40, 56, 160).field(40, 156, 160).png())
    after = reader.read(Drawing().field(40, 56, 160, "97").field(40, 156, 160).png())

    assert after.changed(before)
    assert after.changed(before, Box(40, 56, 160, 30))
    assert not after.changed(before, Box(40, 156, 160, 30))
    assert [text.words for text in after.new_texts(before)] == ["97"]


def test_what_is_no_picture_is_an_environment_failure(reader: Reader) -> None:
    """A screenshot that cannot be decoded is not the player's fault."""
    with pytest.raises(EnvironmentFailure, match="invalid screenshot"):
        reader.read(b"nothing")


# Words alone


@pytest.mark.parametrize(
    ("wanted", "seen"),
    [("Ekström, Ingrid", "Ekstrom,Ingrid"), ("All", "AlI"), ("ICU-05", "lCU-05"), ("Save it", "Saveit")],
)
def test_look_alikes_are_the_same(wanted: str, seen: str) -> None:
    """Lost spaces and accents, and letters that look like digits, do not matter."""
    assert similarity.ratio(wanted, seen) == 1


@pytest.mark.parametrize(
    ("wanted", "seen"), [("5A-07", "5A-08"), ("MRN 1234567", "MRN 1234568"), ("Bed 1", "Bed 11")]
)
def test_other_numbers_are_other_things(wanted: str, seen: str) -> None:
    """Texts that differ in a digit are not alike at all."""
    assert similarity.ratio(wanted, seen) == 0


def test_a_label_parts_from_its_value() -> None:
    """What follows the label is the value; a label within a longer word is none."""
    assert similarity.starts("Heart rate 97", "Heartrate") == "97"
    assert similarity.starts("Heart rate 97", "Heatrate") == "97"
    assert similarity.starts("Paint it", "Pain") is None
    assert similarity.starts("Pain", "Pain") is None


def test_short_words_are_found_as_words_of_their_own() -> None:
    """A code is found before a name, even when the space between got lost, but not within another code."""
    assert similarity.find_within("5B", "5B Surgical ward") is not None
    assert similarity.find_within("5B", "5BSurgicalward") is not None
    assert similarity.find_within("5B", "5B-07") is None
    assert similarity.find_within("5B", "15B open") is None


def test_names_are_found_as_lists_write_them() -> None:
    """A person is found with the family name first, too."""
    assert similarity.name_forms("Ada King Byron") == ("Ada King Byron", "Byron, Ada King", "Byron, A.")


def test_pieces_of_one_line_are_one_phrase() -> None:
    """A phrase that was found in two pieces is found, and so is a part of a longer piece."""
    screen = Screen((400, 100), (Text("Save", Box(10, 10, 40, 20)), Text("vital signs", Box(56, 10, 80, 20))))  # type: ignore[arg-type]

    assert [place.box for place in screen.find("Save vital signs")] == [Box(10, 10, 126, 20)]
    assert screen.find("signs")[0].box.x > 90
