"""What a server may be asked in a minute, by all that ask it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_cuabench.agents.models.rates import MINUTE, Booking, Rates, rates_file
from pytest_cuabench.errors import SettingError

settings.register_profile("players", deadline=None, max_examples=60)  # a busy machine is no failure
settings.load_profile("players")


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock."""
    return Clock()


def booked(rates: Rates, tokens: int = 1) -> Booking:
    """Book a request."""
    booking = rates.book(tokens)
    assert booking is not None
    return booking


def test_requests_of_a_minute(tmp_path: Path, clock: Clock) -> None:
    """So many go at once, the next ones as the first ones are a minute old."""
    rates = Rates(tmp_path / "r", 2, None, clock=clock)
    assert booked(rates).wait == 0
    clock.now += 10
    assert [booked(rates).wait for _ in range(4)] == pytest.approx([0, 50, 60, 110])


def test_tokens_of_a_minute(tmp_path: Path, clock: Clock) -> None:
    """A request waits until the tokens of the minute before leave room for its own."""
    rates = Rates(tmp_path / "r", None, 1000, clock=clock)
    assert booked(rates, 600).wait == 0
    clock.now += 15
    assert booked(rates, 400).wait == 0
    assert booked(rates, 500).wait == pytest.approx(45)


def test_a_request_larger_than_the_limit_goes_alone(tmp_path: Path, clock: Clock) -> None:
    """It could never fit, so it goes when nothing else does."""
    rates = Rates(tmp_path / "r", None, 1000, clock=clock)
    assert booked(rates, 10).wait == 0
    assert booked(rates, 5000).wait == pytest.approx(60)
    assert booked(rates, 10).wait == pytest.approx(120)


def test_what_it_really_took_counts(tmp_path: Path, clock: Clock) -> None:
    """An estimate that was too high makes room for those behind it."""
    rates = Rates(tmp_path / "r", None, 1000, clock=clock)
    first = booked(rates, 1000)
    rates.settle(first, 200)
    assert booked(rates, 800).wait == 0
    assert booked(rates, 1).wait == pytest.approx(60)


def test_nobody_is_overtaken(tmp_path: Path, clock: Clock) -> None:
    """A small request does not slip in before a large one that waits."""
    rates = Rates(tmp_path / "r", None, 1000, clock=clock)
    booked(rates, 900)
    large = booked(rates, 900).wait
    assert booked(rates, 50).wait >= large == pytest.approx(60)


def test_all_workers_share_it(tmp_path: Path, clock: Clock) -> None:
    """Two workers with the same file have one limit together."""
    first, second = (Rates(tmp_path / "r", 1, None, clock=clock) for _ in range(2))
    assert booked(first).wait == 0
    assert booked(second).wait == pytest.approx(60)


def test_too_far_off_is_not_booked(tmp_path: Path, clock: Clock) -> None:
    """A place that nobody would wait for is not taken from others."""
    rates = Rates(tmp_path / "r", 1, None, clock=clock)
    booked(rates)
    assert rates.book(1, longest=30) is None
    assert booked(rates).wait == pytest.approx(60)


@pytest.mark.parametrize("text", ["", "{", "[1]", '[["x", 1, "n"]]', "null", '[[99999999999, 1, "n"]]'])
def test_a_broken_file_is_an_empty_one(tmp_path: Path, clock: Clock, text: str) -> None:
    """What a crash cut short, or a clock that was set back left behind, holds nobody up."""
    (tmp_path / "r").write_text(text)
    rates = Rates(tmp_path / "r", 1, None, clock=clock)
    assert booked(rates).wait == 0
    assert booked(rates).wait == pytest.approx(60)


def test_the_file_stays_small(tmp_path: Path, clock: Clock) -> None:
    """What is over a minute old is forgotten."""
    rates = Rates(tmp_path / "r", 10, None, clock=clock)
    for _ in range(60):
        booked(rates)
        clock.now += 20
    assert len((tmp_path / "r").read_text()) < 400


@given(
    st.lists(st.tuples(st.floats(0, 40), st.integers(1, 900)), max_size=30),
    st.integers(1, 5),
    st.integers(900, 3000),
)
def test_no_minute_holds_more(
    tmp_path_factory: pytest.TempPathFactory, asked: list[tuple[float, int]], requests: int, tokens: int
) -> None:
    """However requests come, no minute has more of them, or of their tokens, than is allowed."""
    clock = Clock()
    rates = Rates(tmp_path_factory.mktemp("rates") / "r", requests, tokens, clock=clock)
    sent = []
    for pause, count in asked:
        clock.now += pause
        sent.append((clock.now + booked(rates, count).wait, count))
    assert sent == sorted(sent, key=lambda place: place[0])
    for last, _ in sent:
        minute = [count for when, count in sent if last - MINUTE + 1e-6 < when <= last]
        assert len(minute) <= requests
        assert sum(minute) <= tokens


def test_where_the_book_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Server, model and key have a file of their own, which tells none of them, in a folder that is the user's own."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    file = rates_file("https://maker", "m-1", "sk-123")
    assert file == rates_file("https://maker", "m-1", "sk-123")
    others = [
        ("https://other", "m-1", "sk-123"),
        ("https://maker", "m-2", "sk-123"),
        ("https://maker", "m-1", None),
    ]
    assert len({file, *(rates_file(*other) for other in others)}) == 4
    assert not any(word in str(file) for word in ("maker", "m-1", "sk-123"))
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that another user put there is not written to."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = rates_file("https://maker", "m", None).parent
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SettingError, match="set XDG_RUNTIME_DIR"):
        rates_file("https://maker", "m", None)
