"""What can be played in sessions: the instances that pytest collects, in splits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from serving.conftest import PLAIN

from pytest_cuabench.errors import SettingError
from pytest_cuabench.serving.catalogue import Catalogue, collect, listed

Collected = Callable[..., Catalogue]


def test_seeds_that_are_held_out_are_not_trained_on(collected: Collected) -> None:
    """The split `train` has all seeds but those that are held out, which `test` has."""
    splits = collected("--cua-seeds=0-2").splits
    assert {offer.instance.seed for offer in splits["train"]} == {1, 2}
    assert {offer.instance.seed for offer in splits["test"]} == {0}
    assert len(splits["train"]) == 2 * len(splits["test"]) == len(splits["train:front_desk"])


def test_nothing_is_held_out_if_so_asked(collected: Collected) -> None:
    """Without held-out seeds everything is in `train`."""
    assert "test" not in collected(held_out=()).splits


def test_selections_and_ids_are_those_of_pytest(collected: Collected) -> None:
    """`-k` selects as in pytest, and ids are those that pytest shows."""
    found = collected("-k", "note and step")
    assert [offer.instance.id for offer in found.offers] == ["desk/note-step"]
    assert list(listed(found))[-1] == "test 0  desk/note-step"


def test_a_seed_chooses_the_same_instance_again(collected: Collected) -> None:
    """The same seed of a reset chooses the same instance, and different ones choose several."""
    found = collected("--cua-seeds=1-9")
    chosen = [found.chosen(seed=number).instance.id for number in range(20)]
    assert chosen == [found.chosen(seed=number).instance.id for number in range(20)]
    assert len(set(chosen)) > 5


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda found: found.chosen(), "no split named 'train'; known: test"),
        (lambda found: found.chosen("test", 6), "indices 0 to 5, not 6"),
        (lambda found: found.chosen("test", -1), "not -1"),
        (lambda found: found.named("desk/nota-intent"), "did you mean 'desk/note-intent'"),
    ],
)
def test_what_is_not_served_is_refused(
    collected: Collected, ask: Callable[[Catalogue], object], words: str
) -> None:
    """A split, index or id that does not exist is refused with those that do, never answered with another one."""
    with pytest.raises(SettingError, match=words):
        ask(collected())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("-k", "note("), "Wrong expression"),
        (("--cua-seeds=x",), "--cua-seeds"),
        (("-k", "nothing_like_it"), "no instances are left"),
        (("--cua-observation=smell",), "expected one of"),
    ],
)
def test_a_mistake_in_the_options_is_one_sentence(
    collected: Collected, options: tuple[str, ...], words: str
) -> None:
    """What pytest refuses is refused with pytest's sentence."""
    with pytest.raises(SettingError, match=words):
        collected(*options)


def test_a_suite_that_replaces_the_environment_is_refused(sample: pytest.Pytester) -> None:
    """Sessions use drivers, so a suite whose fixture makes the environment is refused and not played elsewhere."""
    with pytest.raises(SettingError, match="so name a driver"):
        collect("suites/sample", PLAIN)


def test_a_world_with_one_state_is_not_shared(desk: pytest.Pytester, collected: Collected) -> None:
    """Where a driver plays one episode at a time, several at once are refused with what to type."""
    driver = desk.path / "suites" / "sample" / "desk_driver.py"
    driver.write_text(driver.read_text().replace("return True", "return False"))
    found = collected()
    with pytest.raises(SettingError, match="--at-once 1"):
        found.check(2)
    found.check(1)
