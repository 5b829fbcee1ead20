"""What was answered on the real web, kept so that it can be answered again.

A recording is a folder. Each program that records appends to a file of its own, `NAME.jsonl`, one entry a line in the
form of the entries of a HAR file; files `*.har`, as browsers save them, are read too.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from docs_web.site import File


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a host: its status, headers as they were sent (a name may be there twice), and body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def file(self) -> File:
        """The body with its media type."""
        kinds = [value for name, value in self.headers if name.lower() == "content-type"]
        return File(self.body, kinds[0] if kinds else "application/octet-stream")


class Recorder:
    """Appends answers to a file of the folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}.jsonl"

    def add(self, method: str, url: str, answer: Answer) -> None:
        """Append an answer; a line is whole or not there."""
        entry = {
            "startedDateTime": datetime.now(UTC).isoformat(),
            "request": {"method": method, "url": url},
            "response": {
                "status": answer.status,
                "headers": [{"name": name, "value": value} for name, value in answer.headers],
                "content": {
                    "mimeType": answer.file.media_type,
                    "encoding": "base64",
                    "text": base64.b64encode(answer.body).decode(),
                },
            },
        }
        with self._file.open("ab") as out:
            out.write(json.dumps(entry).encode() + b"\n")


class Recording:
    """The answers of a folder; of several to the same request the last one."""

    def __init__(self, folder: Path) -> None:
        self._answers: dict[tuple[str, str], Answer] = {}
        for entry in _entries(folder):
            key, answer = _read(entry)
            self._answers[key] = answer

    def __len__(self) -> int:
        return len(self._answers)

    def find(self, method: str, url: str) -> Answer | None:
        """Return what was answered; the order of a query's parameters does not matter."""
        return self._answers.get((method, _alike(url)))


def _alike(url: str) -> str:
    parts = urlsplit(url)
    query = repr(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    return urlunsplit((parts.scheme, parts.netloc.lower().removesuffix(":443"), parts.path or "/", query, ""))


def _entries(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of all files.

    Raises:
        OSError: There are none, or a file is none of a recording.
    """
    files = sorted([*folder.glob("*.har"), *folder.glob("*.jsonl")])
    if not files:
        raise OSError(
            f"{folder} has no recording, which is files *.jsonl or *.har; record with live:{folder} first"
        )
    for file in files:
        text = file.read_text(encoding="utf-8")
        try:
            # The last line may be cut, if its program was killed.
            lines = text.splitlines() if text.endswith("\n") else text.splitlines()[:-1]
            yield from json.loads(text)["log"]["entries"] if file.suffix == ".har" else map(json.loads, lines)
        except (ValueError, KeyError, TypeError) as problem:
            raise OSError(f"{file} is no recording: {type(problem).__name__}: {problem}") from None


def _read(entry: Mapping[str, Any]) -> tuple[tuple[str, str], Answer]:
    """Read an entry.

    Raises:
        OSError: It is malformed.
    """
    try:
        request, response = entry["request"], entry["response"]
        content = response["content"]
        text = content.get("text", "")
        body = base64.b64decode(text) if content.get("encoding") == "base64" else text.encode()
        headers = tuple((str(one["name"]), str(one["value"])) for one in response["headers"])
        answer = Answer(int(response["status"]), headers, body)
        return (str(request["method"]), _alike(str(request["url"]))), answer
    except (ValueError, KeyError, TypeError, AttributeError, binascii.Error) as problem:
        raise OSError(
            f"an entry of the recording is malformed: {type(problem).__name__}: {problem}"
        ) from None
