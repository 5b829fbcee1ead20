"""The embedded archive: the part of DICOMweb that the viewer asks for, answered from the studies of a session."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from starlette.responses import JSONResponse, PlainTextResponse, Response

from imaging import pathology, radiology, slides
from imaging.elements import Elements
from imaging.reports import Report
from imaging.sessions import Session

_BOUNDARY = "tile"
_PIXELS = "application/octet-stream; transfer-syntax=1.2.840.10008.1.2.1"
_FRAME = re.compile(r"/studies/([\d.]+)/series/[\d.]+/instances/[\d.]+\.(\d+)/frames/(\d+)")
_STUDY = re.compile(r"/studies/([\d.]+)/series(?:/([\d.]+)/metadata)?")
_WHOLE = re.compile(r"/studies/([\d.]+)/series/[\d.]+/instances/([\d.]+)")


def answered(session: Session, path: str, query: Mapping[str, str]) -> Response:
    """Answer what the viewer asks the archive."""
    if path == "/studies":
        first, most = query.get("offset", "0"), query.get("limit", "101")
        if not (first.isdecimal() and most.isdecimal()):
            return PlainTextResponse("Bad request\n", 400)
        found = [study.elements for study in session.studies.values() if matches(study.elements, query)]
        return _json(found[int(first) : int(first) + int(most)])
    if frame := _FRAME.fullmatch(path):
        return _tile(session, frame[1], int(frame[2]) - 1, int(frame[3]) - 1)
    if whole := _WHOLE.fullmatch(path):
        return _part(session.file(whole[1], whole[2]), "application/dicom")
    asked = _STUDY.fullmatch(path)
    instances = session.instances(asked[1]) if asked else []
    if asked and asked[2]:
        instances = [one for one in instances if one["0020000E"]["Value"] == [asked[2]]]
    if not instances or asked is None:
        return PlainTextResponse("Not found\n", 404)
    return _json(instances if asked[2] else _series(instances))


_KEYS = {
    "StudyInstanceUID": "0020000D",
    "PatientID": "00100020",
    "PatientName": "00100010",
    "AccessionNumber": "00080050",
    "StudyDescription": "00081030",
    "ModalitiesInStudy": "00080061",
    "StudyDate": "00080020",
}


def matches(elements: Elements, query: Mapping[str, str]) -> bool:
    """Whether a study has all that is asked for; `*` stands for anything, `-` divides the ends of a range of dates."""
    for name, wanted in query.items():
        tag = _KEYS.get(name, name)
        if tag not in _KEYS.values() or not wanted:
            continue
        values = elements[tag].get("Value", [""])
        held = str(values[0]["Alphabetic"] if tag == "00100010" else values[0]).casefold()
        if tag == "00080020" and "-" in wanted:
            first, _, last = wanted.partition("-")
            if not (first or "0") <= held <= (last or "9"):
                return False
        elif not any(_like(held, one) for one in re.split(r"[,\\]", wanted.casefold())):
            return False
    return True


def _like(held: str, wanted: str) -> bool:
    return fnmatchcase(held.replace("^", " "), wanted.replace("^", " ").replace("[", "[[]"))


def _series(instances: list[Elements]) -> list[Elements]:
    kept = ("0020000D", "0020000E", "00080060", "0008103E", "00200011", "00080021", "00080031")
    by_uid: dict[str, list[Elements]] = {}
    for one in instances:
        by_uid.setdefault(one["0020000E"]["Value"][0], []).append(one)
    return [
        {tag: held[0][tag] for tag in kept if tag in held[0]}
        | {"00201209": {"vr": "IS", "Value": [len(held)]}}
        for held in by_uid.values()
    ]


def _tile(session: Session, uid: str, level: int, frame: int) -> Response:
    study = session.studies.get(uid)
    if isinstance(study, radiology.Study):
        return _part(study.frame(level) if frame == 0 else None, _PIXELS)
    slide = study.slide if isinstance(study, pathology.Study) else None
    if not slide or not 0 <= level < len(slides.SPACING) or not 0 <= frame < slides.frames(level):
        return PlainTextResponse("Not found\n", 404)
    session.fetched(uid, level, frame)
    return _part(slides.tile(slide, level, frame), "image/jpeg")


def stored(reports: list[Report]) -> Response:
    """Tell that reports were stored."""
    references = [
        {"00081150": one.elements["00080016"], "00081155": one.elements["00080018"]} for one in reports
    ]
    return _json({"00081199": {"vr": "SQ", "Value": references}})


def _part(content: bytes | None, media_type: str) -> Response:
    """Return the only part of an answer in several parts; without content, there is no such thing."""
    if content is None:
        return PlainTextResponse("Not found\n", 404)
    head = f"--{_BOUNDARY}\r\nContent-Type: {media_type}\r\n\r\n".encode()
    kind = f'multipart/related; type="{media_type.partition(";")[0]}"; boundary={_BOUNDARY}'
    body = head + content + f"\r\n--{_BOUNDARY}--\r\n".encode()
    return Response(body, media_type=kind, headers={"cache-control": "no-store"})


def _json(found: Any) -> Response:
    return JSONResponse(found, media_type="application/dicom+json", headers={"cache-control": "no-store"})
