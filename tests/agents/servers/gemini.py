"""Google's `generateContent` as strict as the real one: it plays a script, and refuses what Google refuses."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, pairwise
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .serving import broken, served

KEY = "AIza-the-right-key"
TOKEN = "ya29.the-right-token"  # what Vertex AI takes
LEGACY = ("gemini-2.5-computer-use-preview-10-2025", "gemini-3-flash-preview", "gemini-3.1-pro-preview")
CURRENT = ("gemini-3.5-flash", "gemini-3.6-flash", "gemini-3.8-pro")
MOVING = "gemini-flash-latest"  # a name that stands for the newest
WITHOUT = ("gemini-3.1-flash-lite",)  # a model that cannot use computers

_POINTED = {"click", "double_click", "triple_click", "middle_click"}
_POINTED |= {"right_click", "mouse_down", "mouse_up", "move"}
_KEYED = {"type", "drag_and_drop", "wait", "press_key", "key_down"}
_KEYED |= {"key_up", "hotkey", "take_screenshot", "scroll"}
_SURFING = {"navigate", "go_back", "go_forward"}
_OLD = {"open_web_browser", "wait_5_seconds", "go_back", "go_forward"}
_OLD |= {"search", "navigate", "click_at", "hover_at"}
_OLD |= {"type_text_at", "key_combination", "scroll_document", "scroll_at", "drag_and_drop"}
PREDEFINED = {
    "legacy browser": _OLD,
    "current browser": _POINTED | _KEYED | _SURFING,
    "current desktop": _POINTED | _KEYED,
}
_TOP = {"contents", "systemInstruction", "tools", "toolConfig", "safetySettings", "generationConfig"}
_TOP |= {"cachedContent", "labels"}
_FREE = {"args", "response", "parametersJsonSchema"}  # whatever stands in these is not Google's
_WORDS = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND"}
_WORDS |= {429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED"}


class Refused(Exception):
    """What Google answers instead of a reply."""

    def __init__(self, status: int, message: str, *details: dict[str, Any]) -> None:
        super().__init__(message)
        self.status, self.message, self.details = status, message, details


@dataclass(frozen=True)
class Fault:
    """A reply that is none: an error's status, one of `BROKEN`, or `garbage`, `odd`, `foreign`, `number`."""

    status: int | None = None
    kind: str = "error"
    headers: dict[str, str] = field(default_factory=dict)
    delay: str | None = None  # as Google says how long to wait
    message: str = "The service is having a bad day."


# What a model says


def call(name: str, **args: Any) -> dict[str, Any]:
    """Return a part that calls a function."""
    return {"functionCall": {"name": name, "args": args}}


def says(text: str) -> dict[str, Any]:
    """Return a part in words."""
    return {"text": text}


def thinks(text: str) -> dict[str, Any]:
    """Return a part of what the model thinks."""
    return {"text": text, "thought": True}


def finish(status: str = "success", **more: Any) -> dict[str, Any]:
    """Return the part that ends an episode."""
    return call("finish", status=status, **more)


def reply(*parts: dict[str, Any], reason: str = "STOP", **more: Any) -> dict[str, Any]:
    """Return a reply of these parts."""
    candidate: dict[str, Any] = {"index": 0, "finishReason": reason, **more}
    if parts:
        candidate["content"] = {"role": "model", "parts": list(parts)}
    return {"candidates": [candidate]}


def blocked(reason: str = "PROHIBITED_CONTENT") -> dict[str, Any]:
    """Return a reply to a prompt that Google does not let through."""
    return {"promptFeedback": {"blockReason": reason}}


USED = {
    "promptTokenCount": 1000,
    "cachedContentTokenCount": 400,
    "candidatesTokenCount": 20,
    "thoughtsTokenCount": 30,
    "totalTokenCount": 1050,
}


class Google:
    """Plays a script, the last entry again and again, and keeps what it was asked.

    An entry may be a function of the request.
    """

    def __init__(self) -> None:
        self.url = ""
        self.play()

    def play(self, *script: dict[str, Any] | Fault | Callable[[dict[str, Any]], Any]) -> None:
        """Begin a script, and forget what was."""
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.asked = 0  # refused and broken ones, too
        self.refusals: list[str] = []
        self.keys: list[str | None] = []
        self.paths: list[str] = []
        self._issued: list[list[dict[str, Any]]] = []
        self._numbers = count(1)

    @property
    def app(self) -> Starlette:
        """The two doors: the Gemini API's and Vertex AI's."""
        vertex = "/v1beta1/projects/{project}/locations/{location}/publishers/google/models/{call}"
        routes = [
            Route("/v1beta/models/{call}", self.generate, methods=["POST"]),
            Route(vertex, self.generate, methods=["POST"]),
        ]
        return Starlette(routes=routes)

    async def generate(self, request: Request) -> Response:
        """Answer one request."""
        self.asked += 1
        self.paths.append(request.url.path)
        self.keys.append(request.headers.get("x-goog-api-key"))
        try:
            model = self._admit(request)
            body = _camel(json.loads(await request.body()))
            Check(model, body, self._issued).all()
        except Refused as refused:
            self.refusals.append(refused.message)
            return _error(refused.status, refused.message, *refused.details)
        entry = self.script[min(self.asked, len(self.script)) - 1]
        entry = entry(body) if callable(entry) else entry
        if isinstance(entry, Fault):
            return await self._break(entry, request)
        self.requests.append(body)
        return Response(json.dumps(self._issue(entry, model)), media_type="application/json")

    def _admit(self, request: Request) -> str:
        model, _, method = request.path_params["call"].rpartition(":")
        if method != "generateContent":
            raise Refused(404, "Requested entity was not found.")
        if "project" in request.path_params:
            if request.headers.get("authorization") != f"Bearer {TOKEN}":
                raise Refused(401, "Request had invalid authentication credentials.")
        elif (key := request.headers.get("x-goog-api-key")) is None:
            raise Refused(
                403, "Method doesn't allow unregistered callers (callers without established identity)."
            )
        elif key != KEY:
            reason = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
            raise Refused(400, "API key not valid. Please pass a valid API key.", reason)
        if model not in (*LEGACY, *CURRENT, *WITHOUT, MOVING):
            raise Refused(404, f"models/{model} is not found for API version v1beta.")
        return model

    def _issue(self, entry: dict[str, Any], model: str) -> dict[str, Any]:
        """Give each call an id and its reply a signature, as models do since Gemini 3."""
        data: dict[str, Any] = json.loads(json.dumps(entry))
        data.setdefault("usageMetadata", USED)
        data.setdefault("modelVersion", model)
        data.setdefault("responseId", f"r-{self.asked}")
        for candidate in data.get("candidates", ()):
            calls = [part for part in candidate.get("content", {}).get("parts", ()) if "functionCall" in part]
            for part in calls if _signs(model) else ():
                part["functionCall"].setdefault("id", f"call-{next(self._numbers)}")
            if calls and _signs(model):
                signature = f"signature {self.asked}\xff\xfe".encode("latin-1")
                calls[0]["thoughtSignature"] = base64.b64encode(signature).decode()
            self._issued.append(candidate.get("content", {}).get("parts", []))
        return data

    async def _break(self, fault: Fault, request: Request) -> Response:
        if (reply := await broken(fault.kind, request)) is not None:
            return reply
        match fault.kind:
            case "garbage":
                return Response('{"candidates": [{"con', media_type="application/json")
            case "odd":
                return JSONResponse({"candidates": [{"content": {"parts": "none"}}]})
            case "foreign":
                return JSONResponse(["hello"])
            case "number":
                return JSONResponse({"candidates": 5})
        assert fault.status is not None
        details = []
        if fault.delay:
            details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": fault.delay})
        return _error(fault.status, fault.message, *details, headers=fault.headers)

    @contextmanager
    def running(self) -> Iterator[Google]:
        """Serve on a free port of this machine."""
        with served(self.app) as self.url:
            yield self


class Check:
    """Everything that Google checks before a model sees a request."""

    def __init__(self, model: str, body: dict[str, Any], issued: list[list[dict[str, Any]]]) -> None:
        self.model, self.body = model, body
        self.issued = [parts for parts in issued if any("functionCall" in part for part in parts)]

    def all(self) -> None:
        """Check a request.

        Raises:
            Refused: It is not as Google wants it.
        """
        if unknown := set(self.body) - _TOP:
            raise Refused(
                400, f'Invalid JSON payload received. Unknown name "{min(unknown)}": Cannot find field.'
            )
        self._tools()
        self._roles()
        contents = self.body["contents"]
        for place, content in enumerate(contents):
            self._user(content) if content["role"] == "user" else self._model(content)
            calls = [part["functionCall"] for part in content["parts"] if "functionCall" in part]
            following = contents[place + 1]["parts"] if place + 1 < len(contents) else []
            self._answered(calls, following, newest=place + 2 == len(contents))

    def _tools(self) -> None:
        tools = [tool["computerUse"] for tool in self.body.get("tools", ()) if "computerUse" in tool]
        if len(tools) != 1:
            raise Refused(400, "Exactly one computer_use tool is required.")
        if self.model in WITHOUT:
            raise Refused(400, f"Computer Use is not enabled for models/{self.model}")
        kind = "legacy" if self.model in LEGACY else "current"
        environment = tools[0].get("environment", "").removeprefix("ENVIRONMENT_").lower()
        functions = PREDEFINED.get(f"{kind} {environment}")
        if functions is None:
            raise Refused(
                400, f"Computer Use environment {environment!r} is not supported for models/{self.model}"
            )
        unknown = set(tools[0].get("excludedPredefinedFunctions", ())) - functions
        if unknown:
            raise Refused(400, f"Unknown predefined function to exclude: {min(unknown)}")
        self.predefined = functions

    def _roles(self) -> None:
        contents = self.body.get("contents") or []
        roles = [content.get("role") for content in contents]
        if not roles or set(roles) - {"user", "model"}:
            raise Refused(400, "Please use a valid role: user, model.")
        if roles[0] != "user" or roles[-1] != "user" or any(a == b for a, b in pairwise(roles)):
            raise Refused(400, "Please ensure that roles alternate, beginning and ending with a user turn.")
        if not all(content.get("parts") for content in contents):
            raise Refused(400, "contents.parts must not be empty.")

    def _user(self, content: dict[str, Any]) -> None:
        kinds = [
            next(iter(part.keys() - {"thought", "thoughtSignature"}), "nothing") for part in content["parts"]
        ]
        if "functionResponse" in kinds and set(kinds) != {"functionResponse"}:
            raise Refused(400, "Function responses must not be mixed with other parts.")
        if "inlineData" in kinds and "text" in kinds and kinds.index("text") < kinds.index("inlineData"):
            raise Refused(400, "The image must come before the text.")
        for part in content["parts"]:
            if "inlineData" in part:
                _png(part["inlineData"])

    def _model(self, content: dict[str, Any]) -> None:
        calls = [part for part in content["parts"] if "functionCall" in part]
        if not calls:
            return
        if _signs(self.model) and "thoughtSignature" not in calls[0]:
            raise Refused(400, "Function call is missing a thought_signature in functionCall parts.")
        if not any(_same(content["parts"], parts) for parts in self.issued):
            raise Refused(400, "The model turn was changed: thought signature is not valid.")

    def _answered(
        self, calls: list[dict[str, Any]], following: list[dict[str, Any]], *, newest: bool
    ) -> None:
        answers = [part["functionResponse"] for part in following if "functionResponse" in part]
        if len(answers) != len(calls):
            raise Refused(
                400,
                "Please ensure that the number of function response parts is equal to the number of function call "
                "parts of the function call turn.",
            )
        for asked, answer in zip(calls, answers, strict=True):
            if (asked["name"], asked.get("id")) != (answer.get("name"), answer.get("id")):
                raise Refused(
                    400, f"Function response {answer.get('name')!r} does not match call {asked['name']!r}."
                )
            self._answer(asked, answer, newest=newest)

    def _answer(self, asked: dict[str, Any], answer: dict[str, Any], *, newest: bool) -> None:
        response = answer.get("response")
        if not isinstance(response, dict):
            raise Refused(400, "function_response.response is required.")
        decision = asked.get("args", {}).get("safety_decision")
        open_question = isinstance(decision, dict) and decision.get("decision") == "require_confirmation"
        if open_question and response.get("safety_acknowledgement") != "true":
            raise Refused(400, f"Safety decision of {asked['name']!r} must be acknowledged.")
        if asked["name"] not in self.predefined:
            return
        if "url" not in response:
            raise Refused(400, "Computer Use function responses must contain url.")
        pictures = answer.get("parts", [])
        if newest and not pictures:
            raise Refused(400, "Computer Use function responses must contain a screenshot.")
        for part in pictures:
            _png(part["inlineData"])


def _signs(model: str) -> bool:
    return not model.startswith("gemini-2.5")


def _camel(value: Any) -> Any:
    """Return a message with the names of its fields in one spelling; Google takes `mime_type` for `mimeType`."""
    if isinstance(value, list):
        return [_camel(item) for item in value]
    if not isinstance(value, dict):
        return value
    named = {re.sub("_([a-z])", lambda match: match[1].upper(), name): item for name, item in value.items()}
    return {name: item if name in _FREE else _camel(item) for name, item in named.items()}


def _png(data: dict[str, Any]) -> None:
    picture = decoded(data.get("data", ""))
    if data.get("mimeType") != "image/png" or not picture.startswith(b"\x89PNG\r\n\x1a\n"):
        raise Refused(400, "Unable to process input image. Please use a valid image and MIME type.")


def _same(replayed: list[dict[str, Any]], issued: list[dict[str, Any]]) -> bool:
    """Whether a turn is what was issued, or the beginning of it."""
    return [_part(part) for part in replayed] == [_part(part) for part in issued[: len(replayed)]]


def _part(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part with its signature as bytes."""
    if signature := part.get("thoughtSignature"):
        return part | {"thoughtSignature": decoded(signature)}
    return part


def decoded(text: str) -> bytes:
    """Return what base64 stands for, in either of its alphabets."""
    return base64.urlsafe_b64decode(text.replace("+", "-").replace("/", "_"))


def _error(
    status: int, message: str, *details: dict[str, Any], headers: dict[str, str] | None = None
) -> JSONResponse:
    error: dict[str, Any] = {"code": status, "message": message, "status": _WORDS.get(status, "UNKNOWN")}
    if details:
        error["details"] = list(details)
    return JSONResponse({"error": error}, status_code=status, headers=headers)
