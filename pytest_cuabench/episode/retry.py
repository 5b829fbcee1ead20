"""The attempts at an instance, until one is graded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import count

from pytest_cuabench.episode.phases import WholeEpisode
from pytest_cuabench.episode.play import Play
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.ledger.record import Recorder


async def play_instance(
    play: Play,
    make_recorder: Callable[[int], Recorder],
    *,
    attempts: int = 1,
    first: int = 1,
    fingerprint: Fingerprint | None = None,
    markers: tuple[str, ...] = (),
    ended: Callable[[Attempt], None] = lambda attempt: None,
) -> Attempt:
    """Play until an attempt is graded or the attempts are used up, recording each one, and return the last one.

    `make_recorder(number)` opens the record of an attempt, numbered from `first`; `fingerprint` and `markers` go into
    the record; `ended` is called with each finished attempt. The last attempt and controls are played alone where the
    lane can, because other episodes may have broken what is shared.
    """
    played: list[WholeEpisode] = []
    alone = play.lane.alone
    for number in count(first):
        last = number >= first + attempts - 1
        async with AsyncExitStack() as stack:
            if alone and last and played:
                play = replace(play, environment=await stack.enter_async_context(alone()))
            recorder = make_recorder(number)
            episode = WholeEpisode(play, recorder)
            played.append(episode)
            try:
                await episode.play()
                if episode.salvage.suspect:
                    environment = play.environment
                    if alone and not last:
                        environment = await stack.enter_async_context(alone())
                    await episode.play_control(environment, last=last)
            finally:
                done = last or not episode.salvage.again
                try:
                    for each in (
                        reversed(played) if done else ()
                    ):  # only now, since retries play the same case
                        each.keep()
                finally:
                    # Recorded even where the evidence cannot be written.
                    attempt = episode.record().with_values(fingerprint=fingerprint, markers=markers)
                    recorder.run.append(attempt)
                    recorder.publish(state="ended", outcome=attempt.outcome)
                    ended(attempt)
        if done:
            return attempt
    raise AssertionError("count() does not end")
