"""Gemini through Google's SDK: `generateContent` with the ComputerUse tool, on the Gemini API or on Vertex AI."""

from __future__ import annotations

import os
import re
import ssl
from dataclasses import replace
from functools import cache
from json import JSONDecodeError
from typing import Any, Literal

import httpx2
from google.auth.exceptions import GoogleAuthError
from google.genai import Client, errors, types
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.makers.gemini.calls import (
    FINISH,
    FINISH_SCHEMA,
    Environment,
    Functions,
)
from pytest_cuabench.agents.makers.gemini.conversation import Asked, picture, without_pictures
from pytest_cuabench.agents.makers.gemini.models import LIMIT, FunctionSet, set_of
from pytest_cuabench.agents.makers.gemini.reply import Reply, safety_question
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.agents.models.calls import Trouble, of_connection, of_status
from pytest_cuabench.agents.models.extras import Extra, extras, named_space
from pytest_cuabench.agents.models.model import ModelAgent, ModelOptions
from pytest_cuabench.agents.models.pictures import Limit, resized
from pytest_cuabench.agents.models.safety import Ask, allowed, ask_terminal
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.errors import ActionError, ProviderFailure, SettingError
from pytest_cuabench.task.action import Action, Answer, CoordinateSpace, Terminate
from pytest_cuabench.task.observation import Box, Observation

MALFORMED_TRIES = 3  # replies in a row whose function call Google itself could not read
_NO_REPLY = "(no reply)"

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


class Vertex(BaseModel):
    """A project on Vertex AI, which takes Google's own credentials in place of a key."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    project: str = Field(min_length=1)
    location: str = "global"


class Options(ModelOptions):
    """`[options]` of a profile with a Gemini model.

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


class GeminiAgent(ModelAgent):
    """Agent backed by a Gemini model. `ask` shows a question to a person and returns the answer (`safety = "ask"`)."""

    server = "Google's server"
    provider = "google"

    def __init__(self, profile: Profile, ask: Ask = ask_terminal) -> None:
        self.options = profile.read_options(Options)
        super().__init__(profile, self.options)
        self._kind = self._function_set()
        self._ask = ask
        self._client: Client | None = None
        self._http: httpx2.AsyncClient | None = None
        self._contents: list[types.Content] = []
        self._asked: list[Asked] = []

    def check(self) -> None:
        """See that there is a key.

        Raises:
            SettingError: The key is missing.
        """
        if not self.options.vertex:
            self._require_key()
        super().check()

    @property
    def action_space(self) -> str:
        """Google's set of functions, and whether there are extras."""
        return named_space(f"computer_use, {self._kind} functions", self.profile)

    def picture_limit(self) -> Limit:
        """The largest picture that Google does not shrink."""
        return LIMIT

    async def begin(self) -> None:
        """Connect, and forget the conversation before.

        Raises:
            SettingError: The observation has no picture, or there is no key.
        """
        if self.briefing.observation in ("tree", "dom"):
            raise SettingError(
                f"agent {self.profile.name!r} needs screenshots; use --cua-observation=screenshot"
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
            lambda own: extras(self.profile, self.briefing, own),
        )
        self._config = self._configuration()
        self._http = httpx2.AsyncClient(verify=_trust())  # ours: it is known how it fails and when it closes
        self._client = self._connect(self._http)

    async def turn(self, seen: Observation) -> Decision:
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
                problem = f"{self.server} sent an invalid reply; check url"
                return Trouble(problem, again=True, answered=False)  # it may have been charged
            case GoogleAuthError():
                return Trouble(
                    f"{self.server} needs credentials ({error!s:.200}); "
                    "type: gcloud auth application-default login",
                    again=False,
                    refusal="account",
                )
        return None

    # Connecting

    def _function_set(self) -> FunctionSet:
        kind = self.options.functions or set_of(self.model)
        name = self.profile.name
        if kind is None:
            raise SettingError(
                f"agent {name!r}: unknown set of functions for {self.model!r}; "
                'add functions = "current" (or "legacy") to its options'
            )
        if kind == "legacy" and self.options.environment == "desktop":
            raise SettingError(f"agent {name!r}: {self.model!r} supports browsers only; remove environment")
        return kind

    def _connect(self, http: httpx2.AsyncClient) -> Client:
        options = types.HttpOptions(
            base_url=self.options.url,
            api_version=self.options.version or ("v1beta1" if self.options.vertex else "v1beta"),
            timeout=int(self.limits.timeout * 1000),  # milliseconds
            # Calls are tried again in one place for all makers.
            retry_options=types.HttpRetryOptions(attempts=1),
            httpx_async_client=http,
            # Else each client that the SDK makes reads all certificates, see `_trust`.
            client_args={"verify": _trust()},
            async_client_args={"ssl": _trust()},
        )
        if vertex := self.options.vertex:
            return Client(
                vertexai=True, project=vertex.project, location=vertex.location, http_options=options
            )
        self._require_key()
        return Client(vertexai=False, api_key=self._key, http_options=options)

    def _require_key(self) -> None:
        if not self._key:
            raise SettingError(
                f"agent {self.profile.name!r} needs a key; add its environment variable to the profile: "
                'key = "GEMINI_API_KEY"'
            )

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
                types.Tool(function_declarations=[_FINISH, *map(_declared, self._functions.extras.values())]),
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
        asked, self._asked = self._asked, []
        if asked:
            words = prompts.look(self._on_the_grid(replace(seen, results=())))
            return [self._answered(one, seen, png, words if one is asked[-1] else "") for one in asked]
        words = prompts.look(self._on_the_grid(seen))
        if not self._contents:
            words = "\n\n".join(part for part in (prompts.task(self.briefing), words) if part)
            return [*map(picture, (*self.briefing.pictures, png)), types.Part(text=words)]
        return [picture(png), types.Part(text=words or "This is the screen now.")]

    def _answered(self, asked: Asked, seen: Observation, png: bytes, words: str) -> types.Part:
        """Return the answer to a call, with the screen as it was when the call looked, else as it is now."""
        results = asked.own(seen.results)
        looks = [result.image for result in results if result.image is not None]
        return asked.answer(results, resized(looks[-1], self.image_size) if looks else png, words)

    def _on_the_grid(self, seen: Observation) -> Observation:
        """Return the observation with the places of its tree as the model's functions name them."""
        if seen.tree is None:
            return seen

        def moved(box: Box) -> Box:
            return Box(*self._space.from_screen(box.middle), 0, 0)

        return replace(seen, tree=tuple(node._replace(box=moved(node.box)) for node in seen.tree))

    def _forget_pictures(self) -> None:
        """Keep the screenshots of the last turns only."""
        shown = [place for place, content in enumerate(self._contents) if content.role == "user"]
        for place in shown[: -self.limits.history]:
            self._contents[place] = without_pictures(self._contents[place])

    # Asking

    async def _reply(self) -> Reply:
        """Return the reply; one whose function call Google could not read is asked for again."""
        for _ in range(MALFORMED_TRIES):
            response = await self.call(self._request)
            self._count(response.usage_metadata)
            reply = Reply(response)
            if not reply.malformed:
                break
        return reply

    async def _request(self) -> types.GenerateContentResponse:
        assert self._client is not None
        reply = await self._client.aio.models.generate_content(
            model=self.model, contents=list(self._contents), config=self._config
        )
        if not (reply.candidates or reply.prompt_feedback or reply.usage_metadata):
            raise errors.UnknownApiResponseError("the SDK ignored unknown JSON")
        return reply

    def _count(self, used: types.GenerateContentResponseUsageMetadata | None) -> None:
        if used is not None:
            self.spend(
                (used.prompt_token_count or 0) + (used.tool_use_prompt_token_count or 0),
                (used.candidates_token_count or 0) + (used.thoughts_token_count or 0),
                used.cached_content_token_count or 0,
            )

    # Decision

    async def _read(self, reply: Reply) -> Decision:
        if reply.broken:
            raise ProviderFailure(f"{self.server} ended the reply: {reply.why}")
        raw = reply.record()
        if reply.problem:
            said = reply.parts if reply.parts and not reply.calls else [types.Part(text=_NO_REPLY)]
            self._contents.append(types.Content(role="model", parts=said))
            withheld = bool(reply.refused)
            return Decision(thought=reply.thought, format_error=reply.problem, raw=raw, withheld=withheld)
        actions, followed, error = await self._follow(reply, raw)
        self._contents.append(types.Content(role="model", parts=reply.parts[:followed]))
        return Decision(tuple(actions), reply.thought, format_error=error, raw=raw)

    async def _follow(self, reply: Reply, raw: dict[str, Any]) -> tuple[list[Action], int, str | None]:
        """Return the actions of all calls up to the first bad one, how many parts that were, and what is bad.

        What comes after a bad call is not played, so it is not replayed either: each call that the model sees
        again has an answer.
        """
        actions: list[Action] = []
        for place, call in reply.calls:
            asked = Asked(call, len(actions), len(actions))
            self._asked.append(asked)
            try:
                actions += await self._understood(asked, raw)
            except ActionError as error:
                asked.error = f"{call.name or 'a call without a name':.80}: {error}"
                return actions, place + 1, asked.error
            asked.end = len(actions)
            if isinstance(actions[-1], Answer | Terminate):
                return actions, place + 1, None
        return actions, len(reply.parts), None

    async def _understood(self, asked: Asked, raw: dict[str, Any]) -> list[Action]:
        """Return what a call means, when nobody objects."""
        name, given = asked.call.name or "", asked.call.args or {}
        if not await self._allowed(asked, given.get("safety_decision"), raw):
            return [Terminate("failure", f"Google asked for a confirmation of {name:.80}, which was denied")]
        actions, spellings = self._functions.read(name, given)
        raw.setdefault("spellings", []).extend(spellings)
        return actions

    async def _allowed(self, asked: Asked, decision: Any, raw: dict[str, Any]) -> bool:
        """Answer Google's safety service as the profile says; what it asks is kept in the record.

        Raises:
            ActionError: The call is blocked, and the episode goes on without it.
        """
        question = safety_question(decision)
        if question is None:
            return True
        kind, explanation = question
        policy, name = self.limits.safety, f"{asked.call.name or 'nothing':.80}"
        if kind == "blocked" and policy != "deny":
            answer = "not done"
        elif await allowed(policy, f"Google wants a confirmation of {name}: {explanation}", self._ask):
            answer = "acknowledged"
        else:
            answer = "denied"
        raw.setdefault("safety", []).append(
            {"function": name, "decision": kind, "explanation": explanation, "answer": answer}
        )
        if answer == "not done":
            raise ActionError(f"Google's safety service blocks it: {explanation}")
        asked.acknowledged = answer == "acknowledged"
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


_FINISH = types.FunctionDeclaration(
    name=FINISH,
    description="Ends the task. Nothing can be done after it.",
    parameters_json_schema=FINISH_SCHEMA,
)


def _declared(extra: Extra) -> types.FunctionDeclaration:
    return types.FunctionDeclaration(
        name=extra.name, description=extra.description, parameters_json_schema=extra.schema
    )


def _retry_delay(details: Any) -> str | None:
    """Return the seconds that Google asks to wait: it says so in the body, and not in a header."""
    found = re.search(r"'retryDelay': '(\d+(?:\.\d+)?)s'", str(details))
    return found[1] if found else None
