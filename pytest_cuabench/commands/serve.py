"""`cuabench serve`: offer a suite as an OpenEnv environment to trainers."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import Missing, SettingError
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.signing import Key, Signer
from pytest_cuabench.serving.catalogue import HELD_OUT, SEEDS, TEST, TRAIN, Catalogue, collect, listed
from pytest_cuabench.settings import SETTINGS, read_seconds, read_seeds
from pytest_cuabench.task.http_limits import is_loopback
from pytest_cuabench.task.text import many, say

HELP = "Offer a suite as an OpenEnv environment to trainers, until Ctrl-C."
AGENT = "openenv"
_OFFERED = (
    *("observation", "max_steps", "max_seconds", "world", "tasks", "api", "chromium"),
    *("tree_tokens", "reports", "screenshots"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what is served, where, and for how many at once."""
    parser.add_argument("suite", help="a suite by its name, such as medcua, or a path that pytest collects")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
    parser.add_argument(
        "--port", type=int, default=8000, metavar="P", help="0 for any free port (default: 8000)"
    )
    parser.add_argument(
        "--at-once", type=int, default=4, metavar="N", help="episodes that are played at once (default: 4)"
    )
    parser.add_argument(
        "--idle",
        type=_reading(read_seconds),
        default=600.0,
        metavar="S",
        help="seconds without a step after which an episode ends and its place is free (default: 600)",
    )
    parser.add_argument(
        "--token-file", type=Path, metavar="FILE", help="file with the token that clients have to send"
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="name of a proxy in front of the server, by which clients may call it, too (repeatable)",
    )
    parser.add_argument("--seeds", default=SEEDS, metavar="LIST", help=f"seeds (default: {SEEDS})")
    parser.add_argument(
        "--held-out",
        type=_reading(_held_out),
        default=HELD_OUT,
        metavar="LIST",
        help=f"seeds of the split {TEST}, which {TRAIN} does not have; or none (default: 0)",
    )
    parser.add_argument("-k", metavar="EXPRESSION", help="only instances that match, as in pytest")
    parser.add_argument("-m", metavar="MARKEXPR", help="only instances with these markers, as in pytest")
    parser.add_argument("--run", metavar="NAME", help="record the episodes as a new run of this name")
    parser.add_argument("--list", action="store_true", help="print the splits and their instances, and end")
    for setting in SETTINGS:
        if setting.name in _OFFERED:
            words = f"{setting.help} (default: {setting.default})" if setting.default else setting.help
            parser.add_argument(
                setting.option.replace("--cua-", "--"),
                dest=setting.dest,
                action="append" if setting.repeats else "store",
                metavar=setting.metavar or "{" + ",".join(setting.choices or ()) + "}",
                help=words,
            )


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM, which are the usual ends.

    Raises:
        SettingError: Something cannot be served, or not so.
    """
    if options.at_once < 1:
        raise SettingError("--at-once has to be 1 or more")
    catalogue = collect(options.suite, list(_for_pytest(options)), options.held_out)
    if options.list:
        say("\n".join(listed(catalogue)) + "\n")
        return 0
    if find_spec("openenv") is None:
        raise Missing.of("the server", "openenv", "openenv")
    token = _token(options)
    catalogue.check(options.at_once)
    with _recording(catalogue, options.key) as record:
        asyncio.run(_serve(catalogue, options, token, record))
    return 0


async def _serve(
    catalogue: Catalogue, options: argparse.Namespace, token: str | None, record: Run | None
) -> None:
    from pytest_cuabench.serving.openenv import bound, serving
    from pytest_cuabench.serving.sessions import Sessions

    at = bound(options.host, options.port)
    sessions = Sessions(catalogue, at_once=options.at_once, idle=options.idle, run=record, name=AGENT)
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    # Another computer's clients may call a server with a token by any name that leads to it.
    hosts = options.allow_host if options.allow_host or is_loopback(options.host) else None
    async with serving(sessions, at, token, options.idle, hosts) as address:
        told = ", ".join(
            f"{name} {many(len(catalogue.splits.get(name, ())), 'instance')}" for name in (TRAIN, TEST)
        )
        where = f"; recorded in {record.folder}" if record else ""
        say(
            f"{options.suite} at {address} ({told}), {many(options.at_once, 'episode')} at once{where}; "
            "press Ctrl-C to end\n"
        )
        sys.stdout.flush()
        await stopped.wait()


def _for_pytest(options: argparse.Namespace) -> Iterator[str]:
    yield f"--cua-seeds={options.seeds}"
    for setting in SETTINGS:
        value = getattr(options, setting.dest, None) if setting.name in _OFFERED else None
        for each in value if isinstance(value, list) else [value]:
            if each is not None:
                yield f"{setting.option}={each}"
    for flag, value in (("-k", options.k), ("-m", options.m), ("--cua-run", options.run)):
        if value is not None:
            yield from (flag, value)


@contextmanager
def _recording(catalogue: Catalogue, key: Key | None) -> Iterator[Run | None]:
    """Lead a new run during the block, and write its reports afterwards; None without `--run`."""
    if catalogue.settings.run is None:
        yield None
        return
    from pytest_cuabench.collection.lifecycle import about_run, new_folder
    from pytest_cuabench.ledger import locks
    from pytest_cuabench.reporting.finish import finish_run

    record = replace(Run(new_folder(catalogue.settings)), signer=Signer(key) if key else None)
    lock = locks.lead(record.folder)
    try:
        record.create({**about_run(catalogue.config, catalogue.settings), "agent": AGENT})
        yield record
        record.close()
        finish_run(record)
    finally:
        locks.leave(record.folder, lock)


def _token(options: argparse.Namespace) -> str | None:
    """Return the token that clients have to send.

    Raises:
        SettingError: The file holds none, or others than this computer's programs could connect without one.
    """
    if options.token_file is not None:
        token = options.token_file.read_text(encoding="utf-8").strip()
        if not token or not token.isascii() or len(token.split()) != 1:
            raise SettingError(f"--token-file: {options.token_file} must hold one word of ASCII characters")
        return str(token)
    if not is_loopback(options.host):
        raise SettingError(
            f"--host {options.host} lets other computers play and read verdicts; add --token-file FILE"
        )
    return None


def _held_out(text: str) -> tuple[int, ...]:
    return () if text == "none" else read_seeds(text)


def _reading(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a reader of settings as a type of argparse."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"must be {error}, not {text!r}") from None

    return convert
