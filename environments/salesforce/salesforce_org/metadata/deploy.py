"""Deploying: a package is written into the org, whole or not at all, or as far as it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from salesforce_org.metadata.components import Part, delete, write
from salesforce_org.metadata.errors import MetadataError
from salesforce_org.metadata.files import File, read_files
from salesforce_org.metadata.listing import file_of, identity, zulu
from salesforce_org.metadata.package import DESTRUCTIVE, Manifest, manifest_of
from salesforce_org.metadata.registry import FOLDERS, TYPES, Type
from salesforce_org.store import Org
from salesforce_org.store.errors import OrgError
from salesforce_org.store.values import moment


@dataclass(frozen=True, slots=True)
class Options:
    """How to deploy, by Salesforce's names."""

    check_only: bool = False
    rollback_on_error: bool = True
    ignore_warnings: bool = False
    allow_missing_files: bool = False
    purge_on_delete: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """What became of one component."""

    file: str
    kind: str
    name: str
    id: str = ""
    created: bool = False
    changed: bool = False
    deleted: bool = False
    problem: str = ""
    warning: bool = False

    def failed(self, options: Options) -> bool:
        """Whether it was not done; a warning counts unless warnings are ignored."""
        return bool(self.problem) and not (self.warning and options.ignore_warnings)

    def told(self, when: str, options: Options) -> dict[str, Any]:
        """Return it in the form of Salesforce's DeployMessage."""
        told: dict[str, Any] = {
            "changed": self.changed,
            "componentType": self.kind,
            "created": self.created,
            "createdDate": when,
            "deleted": self.deleted,
            "fileName": self.file,
            "fullName": self.name,
        }
        if self.id:
            told["id"] = self.id
        if self.problem:
            told |= {"problem": self.problem, "problemType": "Warning" if self.warning else "Error"}
        return told | {"success": not self.failed(options)}


@dataclass
class Deployment:
    """A deployment; it is finished when it is made."""

    id: str
    user_id: str
    user_name: str
    options: Options
    started: str
    status: str = "Succeeded"
    messages: list[Message] = field(default_factory=list)
    ended: str = ""

    @property
    def failures(self) -> list[Message]:
        """The components that were refused."""
        return [one for one in self.messages if one.failed(self.options)]

    def told(self, *, details: bool) -> dict[str, Any]:
        """Return it in the form of Salesforce's DeployResult."""
        refused, options = self.failures, self.options
        counted = [one for one in self.messages if one.kind]
        done = self.messages if details else []
        return {
            "checkOnly": options.check_only,
            "completedDate": self.ended,
            "createdBy": self.user_id[:15],
            "createdByName": self.user_name,
            "createdDate": self.started,
            "details": {
                "componentFailures": [one.told(self.ended, options) for one in done if one in refused],
                "componentSuccesses": [one.told(self.ended, options) for one in done if one not in refused],
                "runTestResult": {"numFailures": 0, "numTestsRun": 0, "totalTime": 0.0},
            },
            "done": True,
            "id": self.id,
            "ignoreWarnings": options.ignore_warnings,
            "lastModifiedDate": self.ended,
            "numberComponentErrors": len(refused),
            "numberComponentsDeployed": sum(one not in refused for one in counted),
            "numberComponentsTotal": len(counted),
            "numberTestErrors": 0,
            "numberTestsCompleted": 0,
            "numberTestsTotal": 0,
            "rollbackOnError": options.rollback_on_error,
            "runTestsEnabled": False,
            "startDate": self.started,
            "status": self.status,
            "success": self.status == "Succeeded",
        }


class _TakenBack(Exception):
    """Nothing of the deployment stays."""


def deploy(org: Org, id: str, files: Mapping[str, bytes], options: Options) -> Deployment:
    """Write a package into the org and return what became of it."""
    user = org.user_id or ""
    made = Deployment(id, user, org.name_of(user) or "", options, zulu(moment(org.now)))
    try:
        with org.transaction():
            _run(org, files, made)
            if options.check_only or (made.failures and options.rollback_on_error):
                raise _TakenBack
    except _TakenBack:
        pass
    made.ended = zulu(moment(org.now))
    if made.failures:
        done = any(one.kind and not one.failed(options) for one in made.messages)
        made.status = "SucceededPartial" if done and not options.rollback_on_error else "Failed"
    return made


def _run(org: Org, files: Mapping[str, bytes], made: Deployment) -> None:
    try:
        manifest = manifest_of(files)
        doomed = {name: manifest_of(files, name) for name in DESTRUCTIVE}
    except MetadataError as problem:
        made.messages.append(Message("package.xml", "", "package.xml", problem=problem.message))
        return
    before, *after = DESTRUCTIVE
    made.messages += _removed(org, before, doomed[before])
    made.messages += _written(org, read_files(files), manifest, made.options)
    for name in after:
        made.messages += _removed(org, name, doomed[name])
    made.messages += [
        Message(name, "", name, changed=True) for name in ("package.xml", *doomed) if name in files
    ]


# Writing


@dataclass(slots=True)
class _Work:
    """One thing to do and the message of its last try."""

    do: Callable[[], Message]
    refusal: Callable[[str], Message]
    message: Message | None = None


def _written(org: Org, files: list[File], manifest: Manifest, options: Options) -> list[Message]:
    told = [Message(one.path, one.kind, one.name, problem=one.problem) for one in files if one.problem]
    told += _unknown(manifest)
    named = _named(files)
    if not options.allow_missing_files:
        told += _absent(manifest, {*named, *((one.kind, one.name) for one in files)})
    work = []
    for file in files:
        for part in file.parts:
            if _wanted(manifest, part):
                work.append(_writing(org, file.path, part))
            elif not any(_wanted(manifest, one) for one in file.parts):
                told.append(
                    Message(file.path, part.type.name, part.name, problem="Not in package.xml", warning=True)
                )
    return told + _worked(org, work)


def _named(files: Iterable[File]) -> set[tuple[str, str]]:
    return {(part.type.name, part.name) for file in files for part in file.parts}


def _unknown(manifest: Manifest) -> Iterator[Message]:
    for kind in manifest.types:
        if kind not in TYPES:
            text = f"Unknown type name '{kind}' specified in package.xml"
            yield Message("package.xml", kind, kind, problem=text)


def _absent(manifest: Manifest, there: set[tuple[str, str]]) -> Iterator[Message]:
    for kind, members in manifest.types.items():
        if kind not in TYPES:
            continue
        for member in members:
            folder = TYPES[kind].folders, member
            if member != "*" and (kind, member) not in there and folder not in there:
                text = (
                    f"An object '{member}' of type {kind} was named in package.xml, "
                    "but was not found in zipped directory"
                )
                yield Message("package.xml", kind, member, problem=text)


def _wanted(manifest: Manifest, part: Part) -> bool:
    """Tell whether a manifest names a component, itself or with the one in whose file it stands."""
    kind = FOLDERS[part.type.name].name if part.type.name in FOLDERS else part.type.name
    members = manifest.types.get(kind, ())
    if part.name in members or "*" in members:
        return True
    above = manifest.types.get(part.type.parent, ())
    return bool(part.type.parent) and (part.name.partition(".")[0] in above or "*" in above)


def _writing(org: Org, path: str, part: Part) -> _Work:
    def do() -> Message:
        if part.problem:
            raise MetadataError("INVALID_CONTENT", part.problem)
        old = part.type.source.read(org, part.name)
        write(org, part)
        changed = old is None or dict(old) != dict(part.type.source.read(org, part.name) or {})
        id = identity(org, part.type, part.name)
        return Message(path, part.type.name, part.name, id, created=old is None, changed=changed)

    return _Work(do, lambda text: Message(path, part.type.name, part.name, problem=text))


def _worked(org: Org, work: list[_Work]) -> list[Message]:
    """Do everything, what was refused again after the rest, until nothing more can be done."""
    waiting = work
    while waiting:
        refused = [one for one in waiting if not _tried(org, one)]
        if len(refused) == len(waiting):
            break
        waiting = refused
    return [one.message for one in work if one.message]


def _tried(org: Org, work: _Work) -> bool:
    try:
        with org.transaction():
            work.message = work.do()
    except OrgError as problem:
        work.message = work.refusal(problem.message)
        return False
    return True


# Deleting


def _removed(org: Org, file: str, doomed: Manifest) -> list[Message]:
    told = []
    work = []
    for kind, members in doomed.types.items():
        if kind not in TYPES:
            text = f"Unknown type name '{kind}' specified in {file}"
            told.append(Message(file, kind, kind, problem=text))
            continue
        for member in members:
            if member == "*":
                told.append(
                    Message(file, kind, member, problem="Wildcards are not allowed in destructive changes")
                )
            elif TYPES[kind].source.read(org, member) is None:
                told.append(
                    Message(file, kind, member, problem=f"No {kind} named: {member} found", warning=True)
                )
            else:
                work.append(_deleting(org, file, TYPES[kind], member))
    return told + _worked(org, work)


def _deleting(org: Org, file: str, type: Type, name: str) -> _Work:
    def do() -> Message:
        id = identity(org, type, name)
        delete(org, type, name)
        return Message(file_of(type, name), type.name, name, id, deleted=True, changed=True)

    return _Work(do, lambda text: Message(file, type.name, name, problem=text))
