"""Reads what the applications of an episode tell of their state, and by what they are judged once they have ended.

What is in files is read whether programs run or not. What only a running program tells is read until the program ends,
or does not answer in time. A program that a person closed tells what its application says (`Live.closed`). One that
crashed, or that runs code of an agent's, is judged by what it told last; if nobody has acted yet, its end is trouble.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from guest import companions
from guest.applications.base import Desk, Episode, InTree, Live
from guest.data import Collections
from guest.errors import Ended, GuestError, SealBroken
from guest.plain import plain
from guest.timeouts import scaled

if TYPE_CHECKING:
    from guest.program import Program

_SECONDS = scaled(18.0)  # the plugin's timeout is 20
_ENDING = scaled(5.0)  # from the end of a channel or a connection to that of its program

_Read = Callable[[Desk], Awaitable[Collections]]


async def read(desktop: Desk, episode: Episode) -> tuple[Collections, str | None, str | None]:
    """Return all collections, why some could not be read, and why some are not believed any more.

    These have their last values then.
    """
    failures: list[str] = []
    unsealed: list[str] = []
    end = asyncio.get_running_loop().time() + _SECONDS
    for name, key, reading in _readings(episode):
        try:
            with desktop.session.accessibility.only(name):
                async with asyncio.timeout_at(end):
                    episode.told[name, key] = plain(await reading(desktop))
        except TimeoutError:
            failures.append(f"{name} did not tell its state within {_SECONDS:g} s")
        except SealBroken as error:  # an agent's doing
            unsealed.append(str(error))
        except Ended as error:  # likewise, unless nobody has acted
            (unsealed if episode.touched else failures).append(str(error))
        except GuestError as error:
            failures.append(str(error))
        except Exception as error:  # programs may have put anything into the files that are read
            failures.append(f"the state of {name} cannot be read: {type(error).__name__}: {error}")
    found = {name: rows for told in episode.told.values() for name, rows in told.items()}
    return found, _first(failures), _first(unsealed)


def _readings(episode: Episode) -> Iterator[tuple[str, str, _Read]]:
    """Yield what is read of each application, by its name and a key; first what needs no running program."""
    for application in (episode.application, *companions.of(episode.setup)):
        yield application.name, "kept", application.state
        if isinstance(application, Live):
            yield application.name, "live", partial(_live_state, application)


async def _live_state(application: Live, desktop: Desk) -> Collections:
    """Return what the running launches of an application tell, until the last of them ends.

    Raises:
        Ended: They have ended, and not by being closed.
    """
    launches = desktop.session.launches[application.name]
    ends = asyncio.ensure_future(_ended(launches))
    asked = asyncio.ensure_future(_asked(application, desktop))
    why = Ended(f"{application.name} was closed")
    try:
        if any(one.alive for one in launches):
            either: set[asyncio.Future[Any]] = {asked, ends}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                return asked.result()
    except Ended as error:
        why = error
        with suppress(TimeoutError):
            await asyncio.wait_for(ends, _ENDING)
    finally:
        asked.cancel()
        ends.cancel()
    last = launches[-1]
    if last.process.returncode:
        raise Ended(f"{application.name} ended {last.end}")
    if last.alive or application.closed is None:
        raise why
    return application.closed


async def _ended(launches: Sequence[Program]) -> None:
    for one in launches:
        await one.process.wait()


async def _asked(application: Live, desktop: Desk) -> Collections:
    told = await application.live_state(desktop)
    if isinstance(application, InTree) and not await desktop.session.accessibility.applications():
        raise Ended(f"{application.name} has left its message bus")  # so this may be a part only
    return told


def _first(sentences: list[str]) -> str | None:
    return sentences[0] if sentences else None
