"""Gemini through Google's SDK: `generateContent` with the ComputerUse tool, on the Gemini API or on Vertex AI."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from json import JSONDecodeError
from typing import Any, Literal

import httpx2
from google.auth.exceptions import GoogleAuthError
from google.genai import Client, errors, types
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_cuabench.action import Action, Answer, CoordinateSpace, Point, Terminate
from pytest_cuabench.adapters.gemini_functions import (
    FINISH,
    FINISH_SCHEMA,
    Environment,
    Functions,
    FunctionSet,
    set_of,
)
from pytest_cuabench.errors import ActionError, ProviderFailure, SettingError
from pytest_cuabench.observation import ActionResult, Box, Observation
from pytest_cuabench.players import prompts
from pytest_cuabench.players.calls import Trouble, of_connection, of_status
from pytest_cuabench.players.model import ModelAgent, ModelOptions, Reading, read_options
from pytest_cuabench.players.pictures import Limit, resized
from pytest_cuabench.players.safety import Ask, allowed, ask_terminal
from pytest_cuabench.profile import Profile

MALFORMED_TRIES = 3  # replies in a row whose function call Google itself could not read
_LEFT_OUT = "(an older screenshot, left out)"
_NO_REPLY = "(no reply)"
# Agents see no address bar, so Gemini gets no address either: the field has to be there, and says nothing.
_URL = ""

_ENDING = (
    "Every reply calls at least one function. When the task is done, call finish with status success; if it asks for "
    "something, give exactly that as answer. If you give up, the status is failure; if it cannot be done here at all, "
    "infeasible. Words alone end nothing."
)
_ON_THE_GRID = "Places in the accessibility tree are on the same grid, 0 to 999, as those of your functions."

_Policy = Literal[
    "FINANCIAL_TRANSACTIONS",
    "SENSITIVE_DATA_MODIFICATION",
    "COMMUNICATION_TOOL",
    "ACCOUNT_CREATION",
    "DATA_MODIFICATION",
    "USER_CONSENT_MANAGEMENT",
    "LEGAL_TERMS_AND_AGREEMENTS",
]
_Ended = types.FinishReason
_SPOKEN = {None, _Ended.STOP, _Ended.MAX_TOKENS, _Ended.FINISH_REASON_UNSPECIFIED}
_MALFORMED = {_Ended.MALFORMED_FUNCTION_CALL, _Ended.MALFORMED_RESPONSE, _Ended.UNEXPECTED_TOOL_CALL}
_NOT_THE_MODELS = {_Ended.MISSING_THOUGHT_SIGNATURE, _Ended.PUP_LIMITED_DISABLED}


class Vertex(BaseModel):
    """A project on Vertex AI, which takes Google's own credentials in place of a key."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    project: str = Field(min_length=1)
    location: str = "global"


class GeminiOptions(ModelOptions):
    """`[options]` of a profile whose player is a Gemini.

    Attributes:
        max_tokens: Longest reply; what the model thinks counts, too.
        functions: Which predefined functions the model calls, where its name does not tell.
        environment: What Google is told the screen is, instead of what its abilities suggest.
        thinking: How much the model thinks.
        injection_detection: Whether Google looks for instructions hidden in screenshots.
        disabled_safety_policies: Policies that Google shall not ask about.
        vertex: Where to play on Vertex AI instead of the Gemini API; such a profile names no `key`.
        version: Which version of Google's interface to speak, instead of the one that has all previews.
    """

    max_tokens: int = Field(default=16_384, ge=16)
    functions: FunctionSet | None = None
    environment: Environment | None = None
    thinking: Literal["minimal", "low", "medium", "high"] | None = None
    injection_detection: bool = False
    disabled_safety_policies: tuple[_Policy, ...] = ()
    vertex: Vertex | None = None
    version: str | None = None


@dataclass(slots=True)
class _Asked:
    """A call of the last reply: which of the decision's actions are its own, and what it must be answered."""

    call: types.FunctionCall
    start: int
    end: int
    acknowledged: bool = False
    error: str | None = None


class GeminiAgent(ModelAgent):
    """One of Google's Geminis. `ask` shows a question to a person and returns the line typed (`safety = "ask"`)."""

    server = "Google's server"
    provider = "google"

    def __init__(self, profile: Profile, ask: Ask = ask_terminal) -> None:
        self.options = read_options(profile, GeminiOptions)
        super().__init__(profile, self.options)
        self._kind = self._function_set()
        self._ask = ask
        self._client: Client | None = None
        self._http: httpx2.AsyncClient | None = None
        self._contents: list[types.Content] = []
        self._asked: list[_Asked] = []

    def picture_limit(self) -> Limit:
        """Google shrinks what is longer; as places are on a grid, clicks would not drift even so."""
        return Limit(long_edge=3072)

    async def begin(self) -> None:
        """Connect, and forget the conversation before.

        Raises:
            SettingError: The observation has no picture, or there is no key.
        """
        if self.briefing.observation in ("tree", "dom"):
            raise SettingError(
                f"agent {self.profile.name!r} needs screenshots; play it with --observation=screenshot"
            )
        await self.close()
        self._contents, self._asked = [], []
        self._space = CoordinateSpace.normalised(self.briefing.screen, 999)
        self._functions = Functions(
            self._kind,
            self.briefing.capabilities,
            self._space,
            self.image_size,
            self.options.environment,
        )
        self._config = self._configuration()
        self._http = httpx2.AsyncClient(verify=_trust())  # ours: it is known how it fails and when it closes
        self._client = self._connect(self._http)

    async def turn(self, seen: Observation) -> Reading:
        """See `ModelAgent.turn`."""
        self._contents.append(types.Content(role="user", parts=self._show(seen)))
        self._forget_pictures()
        reply = await self._reply()
        return await self._read(reply)

    async def close(self) -> None:
        """Let go of the connections."""
        client, self._client = self._client, None
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()
        if client is not None:
            client.close()

    def explain(self, error: Exception) -> Trouble | None:
        """See `ModelAgent.explain`."""
        match error:
            case errors.APIError():
                return self._refusal(error)
            case httpx2.TimeoutException():
                return of_connection(self.server, error, self.limits.timeout)
            case httpx2.RequestError():
                return of_connection(self.server, error)
            case errors.UnknownApiResponseError() | JSONDecodeError() | ValidationError() | TypeError():
                return Trouble(f"{self.server} answers with what is no reply; check url", again=True)
            case GoogleAuthError():
                return Trouble(
                    f"{self.server} cannot be asked without credentials ({error!s:.200}); "
                    "type: gcloud auth application-default login",
                    again=False,
                )
        return None

    # Connecting

    def _function_set(self) -> FunctionSet:
        kind = self.options.functions or set_of(self.model)
        name = self.profile.name
        if kind is None:
            raise SettingError(
                f"agent {name!r}: it is not known which functions {self.model!r} calls; "
                'add functions = "current" (or "legacy") to its options'
            )
        if kind == "legacy" and self.options.environment == "desktop":
            raise SettingError(f"agent {name!r}: {self.model!r} knows browsers only; leave out environment")
        return kind

    def _connect(self, http: httpx2.AsyncClient) -> Client:
        options = types.HttpOptions(
            base_url=self.options.url,
            api_version=self.options.version or ("v1beta1" if self.options.vertex else "v1beta"),
            timeout=int(self.limits.timeout * 1000),
            retry_options=types.HttpRetryOptions(attempts=1),
            httpx_async_client=http,
            client_args={"verify": _trust()},
            async_client_args={"ssl": _trust()},
        )
        if vertex := self.options.vertex:
            return Client(
                vertexai=True, project=vertex.project, location=vertex.location, http_options=options
            )
        if not self._key:
            raise SettingError(
                f"agent {self.profile.name!r} needs a key; name its variable in the profile: "
                'key = "GEMINI_API_KEY"'
            )
        return Client(vertexai=False, api_key=self._key, http_options=options)

    @property
    def _key(self) -> str:
        return os.environ.get(self.profile.key or "", "").strip()

    def _configuration(self) -> types.GenerateContentConfig:
        tree = _ON_THE_GRID if self.briefing.observation == "screenshot+tree" else ""
        ending = "\n".join(part for part in (_ENDING, tree) if part)
        level = types.ThinkingLevel(self.options.thinking.upper()) if self.options.thinking else None
        return types.GenerateContentConfig(
            system_instruction=self.limits.system or prompts.instructions(self.briefing, ending),
            max_output_tokens=self.limits.max_tokens,
            temperature=self.limits.temperature,
            thinking_config=types.ThinkingConfig(include_thoughts=True, thinking_level=level),
            tools=[
                types.Tool(computer_use=self._computer_use()),
                types.Tool(function_declarations=[_finish_declared()]),
            ],
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )

    def _computer_use(self) -> types.ComputerUse:
        policies = [types.SafetyPolicy(name) for name in self.options.disabled_safety_policies]
        return types.ComputerUse(
            environment=types.Environment(f"ENVIRONMENT_{self._functions.environment.upper()}"),
            excluded_predefined_functions=list(self._functions.excluded) or None,
            enable_prompt_injection_detection=self.options.injection_detection or None,
            disabled_safety_policies=policies or None,
        )

    # Showing

    def _show(self, seen: Observation) -> list[types.Part]:
        """Return the next message: answers to all calls of the last reply, or picture and words."""
        png = self.picture(seen)
        if self._asked:
            asked, self._asked = self._asked, []
            words = prompts.look(self._on_the_grid(replace(seen, results=())))
            return [self._answer(one, seen.results, png, words if one is asked[-1] else "") for one in asked]
        words = prompts.look(self._on_the_grid(seen))
        if not self._contents:
            words = "\n\n".join(part for part in (prompts.task(self.briefing), words) if part)
        picture = types.Part(inline_data=types.Blob(mime_type="image/png", data=png))
        return [picture, types.Part(text=words or "This is the screen now.")]

    def _answer(self, asked: _Asked, results: Sequence[ActionResult], png: bytes, words: str) -> types.Part:
        """Return the answer to one call: what came of it, with the screen after all of them."""
        own = results[asked.start : asked.end]
        response: dict[str, Any] = {"url": _URL}
        if error := asked.error or _error(own, asked.end - asked.start):
            response["error"] = error
        texts = [*(result.text for result in own if result.text), *([words] if words else ())]
        if texts:
            response["output"] = "\n\n".join(texts)
        if asked.acknowledged:
            response["safety_acknowledgement"] = "true"
        for result in own:
            if result.image is not None:
                png = resized(result.image, self.image_size)
        picture = types.FunctionResponseBlob(mime_type="image/png", data=png)
        answer = types.FunctionResponse(
            id=asked.call.id,
            name=asked.call.name,
            response=response,
            parts=[types.FunctionResponsePart(inline_data=picture)],
        )
        return types.Part(function_response=answer)

    def _on_the_grid(self, seen: Observation) -> Observation:
        """Return the observation with the places of its tree as the model's functions name them."""
        if seen.tree is None:
            return seen

        def moved(box: Box) -> Box:
            x, y = self._space.from_screen(Point(*box.middle))
            return Box(x, y, 0, 0)

        return replace(seen, tree=tuple(node._replace(box=moved(node.box)) for node in seen.tree))

    def _forget_pictures(self) -> None:
        """Keep the screenshots of the last turns only."""
        shown = [content for content in self._contents if content.role == "user"]
        for content in shown[: -self.limits.history]:
            content.parts = [_without_picture(part) for part in content.parts or ()]

    # Asking

    async def _reply(self) -> types.GenerateContentResponse:
        """Return the reply; one whose function call Google could not read is asked for again."""
        for _ in range(MALFORMED_TRIES):
            reply = await self.call(self._request)
            self._count(reply.usage_metadata)
            if _finish_reason(reply) not in _MALFORMED:
                break
        return reply

    async def _request(self) -> types.GenerateContentResponse:
        assert self._client is not None
        reply = await self._client.aio.models.generate_content(
            model=self.model, contents=list(self._contents), config=self._config
        )
        if not (reply.candidates or reply.prompt_feedback or reply.usage_metadata):
            raise errors.UnknownApiResponseError("the SDK passes over JSON that is nothing it knows")
        return reply

    def _count(self, used: types.GenerateContentResponseUsageMetadata | None) -> None:
        if used is not None:
            self.spend(
                (used.prompt_token_count or 0) + (used.tool_use_prompt_token_count or 0),
                (used.candidates_token_count or 0) + (used.thoughts_token_count or 0),
                used.cached_content_token_count or 0,
            )

    # Reading

    async def _read(self, reply: types.GenerateContentResponse) -> Reading:
        raw = _plain(reply)
        content = reply.candidates[0].content if reply.candidates else None
        parts = list(content.parts or ()) if content else []
        thought = _thought(parts)
        if _finish_reason(reply) in _NOT_THE_MODELS:
            raise ProviderFailure(f"{self.server} ended the reply: {_why(reply)}")
        if problem := _problem(reply, parts):
            told = parts if parts and not _calls(parts) else [types.Part(text=_NO_REPLY)]
            self._contents.append(types.Content(role="model", parts=told))
            return Reading(thought=thought, format_error=problem, raw=raw)
        actions, followed, error = await self._follow(parts, raw)
        self._contents.append(types.Content(role="model", parts=parts[:followed]))
        return Reading(tuple(actions), thought, error, raw)

    async def _follow(
        self, parts: Sequence[types.Part], raw: dict[str, Any]
    ) -> tuple[list[Action], int, str | None]:
        """Return the actions of all calls up to the first bad one, how many parts that were, and what is bad.

        What comes after a bad call is not played, so it is not replayed either: each call that the model sees
        again has an answer.
        """
        actions: list[Action] = []
        for number, call in _calls(parts):
            asked = _Asked(call, len(actions), len(actions))
            self._asked.append(asked)
            try:
                actions += await self._understood(asked, raw)
            except ActionError as error:
                asked.error = f"{call.name or 'a call without a name':.80}: {error}"
                return actions, number + 1, asked.error
            asked.end = len(actions)
            if isinstance(actions[-1], Answer | Terminate):
                return actions, number + 1, None
        return actions, len(parts), None

    async def _understood(self, asked: _Asked, raw: dict[str, Any]) -> list[Action]:
        """Return what a call means, when nobody objects."""
        given = asked.call.args or {}
        if not await self._allowed(asked, given.get("safety_decision"), raw):
            return [Terminate("failure", f"a confirmation of {asked.call.name} was asked for, and not given")]
        actions, spellings = self._functions.read(asked.call.name or "", given)
        raw.setdefault("spellings", []).extend(spellings)
        return actions

    async def _allowed(self, asked: _Asked, decision: Any, raw: dict[str, Any]) -> bool:
        """Answer Google's safety service as the profile says; what it asks is kept in the record.

        Raises:
            ActionError: The call is blocked, and the episode goes on without it.
        """
        question = _safety_question(decision)
        if question is None:
            return True
        kind, explanation = question
        policy, name = self.limits.safety, asked.call.name
        if kind == "blocked" and policy != "deny":
            answer = "not done"
        elif await allowed(policy, f"Google wants a confirmation of {name}: {explanation}", self._ask):
            answer = "acknowledged"
        else:
            answer = "denied"
        asked.acknowledged = answer == "acknowledged"
        raw.setdefault("safety", []).append(
            {"function": name, "decision": kind, "explanation": explanation, "answer": answer}
        )
        if answer == "not done":
            raise ActionError(f"Google's safety service blocks it: {explanation}")
        return asked.acknowledged

    def _refusal(self, error: errors.APIError) -> Trouble:
        said = error.message or error.status or ""
        headers = dict(getattr(error.response, "headers", None) or {})
        if delay := _retry_delay(error.details):
            headers.setdefault("retry-after", delay)
        # Google calls a wrong key a bad request.
        status = 401 if "API_KEY_INVALID" in str(error.details) else error.code
        if self._key:
            said = said.replace(self._key, "...")
        return of_status(self.server, status, said, headers, key=self.profile.key, model=self.model)


@cache
def _trust() -> ssl.SSLContext:
    """Return whom to trust: read once, as that takes longer than an episode's beginning should."""
    return httpx2.create_ssl_context()


def _finish_declared() -> types.FunctionDeclaration:
    return types.FunctionDeclaration(
        name=FINISH,
        description="Ends the task. Nothing can be done after it.",
        parameters_json_schema=FINISH_SCHEMA,
    )


def _error(results: Sequence[ActionResult], expected: int) -> str | None:
    """Return what went wrong with a call's actions: one of them did, or they were never reached."""
    wrong = [result.error for result in results if result.error]
    if wrong:
        return wrong[0]
    return None if len(results) == expected else "not carried out, because a call before it failed"


def _without_picture(part: types.Part) -> types.Part:
    if part.inline_data is not None:
        return types.Part(text=_LEFT_OUT)
    if part.function_response is not None and part.function_response.parts:
        answer = part.function_response
        response = {**(answer.response or {}), "screenshot": _LEFT_OUT}
        return types.Part(function_response=answer.model_copy(update={"parts": None, "response": response}))
    return part


def _calls(parts: Sequence[types.Part]) -> list[tuple[int, types.FunctionCall]]:
    """Return the function calls with the place of each among the parts."""
    return [(number, part.function_call) for number, part in enumerate(parts) if part.function_call]


def _finish_reason(reply: types.GenerateContentResponse) -> types.FinishReason | None:
    return reply.candidates[0].finish_reason if reply.candidates else None


def _why(reply: types.GenerateContentResponse) -> str:
    """Return Google's word for how the reply ended, with its explanation."""
    reason = _finish_reason(reply)
    said = reply.candidates[0].finish_message if reply.candidates else None
    return f"{reason.value if reason else 'no reason given'}{f', {said}' if said else ''}"


def _problem(reply: types.GenerateContentResponse, parts: Sequence[types.Part]) -> str | None:
    """Return why there is nothing to follow in a reply, as a sentence told to the model."""
    blocked = reply.prompt_feedback
    if blocked and blocked.block_reason:
        said = f", {blocked.block_reason_message}" if blocked.block_reason_message else ""
        return f"it was refused ({blocked.block_reason.value}{said})"
    reason = _finish_reason(reply)
    if reason in _MALFORMED:
        return f"the function call is malformed ({_why(reply)})"
    if reason not in _SPOKEN:
        return f"it was refused ({_why(reply)})"
    if _calls(parts):
        return None
    if reason is types.FinishReason.MAX_TOKENS:
        return "it was cut for its length before it called a function; be brief"
    if any(part.text and not part.thought for part in parts):
        return f"it calls no function; call one, or end with {FINISH}"
    return f"it is empty; call a function, or end with {FINISH}"


def _thought(parts: Sequence[types.Part]) -> str:
    """Return what the model says beside its calls, or what it says these are for."""
    said = [part.text.strip() for part in parts if part.text and part.text.strip()]
    if said:
        return "\n\n".join(said)
    intents = [(call.args or {}).get("intent") for _, call in _calls(parts)]
    return "\n".join(intent for intent in intents if isinstance(intent, str))


def _safety_question(decision: Any) -> tuple[str, str] | None:
    """Return what the safety service asks and why, or None where it lets the call pass."""
    if decision is None:
        return None
    if not isinstance(decision, Mapping):
        return "require_confirmation", f"{decision!s:.500}"
    kind = decision.get("decision")
    if kind in ("regular", "allowed"):
        return None
    explanation = f"{decision.get('explanation') or 'no reason is given'!s:.500}"
    return ("blocked" if kind == "blocked" else "require_confirmation"), explanation


def _retry_delay(details: Any) -> str | None:
    """Return the seconds that Google asks to wait: it says so in the body, and not in a header."""
    found = re.search(r"'retryDelay': '(\d+(?:\.\d+)?)s'", str(details))
    return found[1] if found else None


def _plain(reply: types.GenerateContentResponse) -> dict[str, Any]:
    """Return a reply for the record: plain data, without signatures, which nobody can read."""
    kept = {"candidates", "prompt_feedback", "usage_metadata", "model_version", "response_id"}
    data = reply.model_dump(mode="python", exclude_none=True, include=kept)
    return {"reply": _readable(data)}


def _readable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            str(name): _readable(item)
            for name, item in value.items()
            if name != "thought_signature" and not isinstance(item, bytes)
        }
    if isinstance(value, list | tuple):
        return [_readable(item) for item in value]
    return value.value if isinstance(value, Enum) else value
