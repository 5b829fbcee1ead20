"""Resources of the REST interface below its version; modules register theirs when they are imported."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from starlette.routing import compile_path

from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.store.errors import NotThere

Handler = Callable[[Call], Reply]


@dataclass(frozen=True, slots=True)
class Resource:
    """One address and the methods that it answers."""

    methods: tuple[str, ...]
    pattern: re.Pattern[str]
    handler: Handler


RESOURCES: list[Resource] = []


def resource(methods: str, path: str) -> Callable[[Handler], Handler]:
    """Register a function for methods such as `GET POST` of `/sobjects/{object}`; the first that fits answers."""

    def register(handler: Handler) -> Handler:
        RESOURCES.append(Resource(tuple(methods.split()), compile_path(path)[0], handler))
        return handler

    return register


def dispatch(call: Call) -> Reply:
    """Answer a call.

    Raises:
        OrgError: It is refused.
    """
    method = "GET" if call.method == "HEAD" else call.method
    allowed: set[str] = set()
    for one in RESOURCES:
        match = one.pattern.match(call.path)
        if match and method in one.methods:
            return one.handler(replace(call, params=match.groupdict()))
        allowed.update(one.methods if match else ())
    if allowed:
        told = ",".join(sorted(allowed))
        raise ApiError(
            405, "METHOD_NOT_ALLOWED", f"HTTP Method '{call.method}' not allowed. Allowed are {told}"
        )
    raise NotThere
