"""Chat completions: any server that speaks OpenAI's protocol. Only adapters import this module."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI, Omit, OpenAIError
from pydantic import BaseModel, Field, ValidationError

from pytest_cuabench.agents.makers.chat.action_spaces.base import Reply, ToolCall, shortened, strip_surrogates
from pytest_cuabench.agents.models.calls import Trouble, of_connection, of_status
from pytest_cuabench.errors import SettingError

Message = dict[str, Any]

_THINKING = re.compile(r"[<◁](/?)(?:seed:)?think\w*[>▷]")
_CUT = "the reply was cut off after {tokens} tokens and nothing of it was done; be shorter"
_FILTERED = "the server withheld the reply (content filter)"
_REFUSED = "the reply is a refusal, not an action"


class Unanswered(Exception):
    """A try without an answer; `trouble` says why."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.sentence)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Completion:
    """A server's answer.

    Attributes:
        problem: Set where the reply is not to be read: cut off, withheld, a refusal.
        withheld: Whether that is a refusal or a filter, and not the model's way of writing.
        message: The reply as it is said again in the history, without its thoughts.
        raw: The answer as plain data.
        tokens_in: All input; `tokens_cached` is the part of it read from a cache.
    """

    reply: Reply
    problem: str | None
    message: Message
    raw: Mapping[str, Any]
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a reply is drawn; `body` holds what this server takes beside the protocol."""

    max_tokens: int
    temperature: float | None = None
    body: Mapping[str, Any] | None = None


class Endpoint:
    """One model on one server.

    Attributes:
        url: The server's address.
        key: Name of the environment variable with the key; servers of one's own often want none.

    Raises:
        SettingError: The address is no http address.
    """

    def __init__(self, url: str, model: str, key: str | None, sampling: Sampling, timeout: float) -> None:
        self.name = f"the server at {_host(url)}"
        self.model = model
        self.url = url
        self._key = key
        self._sampling = sampling
        self._timeout = timeout
        self._client: AsyncOpenAI | None = None

    async def ask(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] = ()) -> Completion:
        """Return the answer to a conversation.

        Raises:
            Unanswered: There is none; its trouble says whether another try may help.
        """
        given: dict[str, Any] = {"tools": list(tools)} if tools else {}
        if self._sampling.temperature is not None:
            given["temperature"] = self._sampling.temperature
        try:
            answer = await self._open().chat.completions.create(
                model=self.model,
                messages=messages,  # type: ignore[arg-type]  # plain data of the protocol
                max_tokens=self._sampling.max_tokens,
                extra_body=self._sampling.body,
                **given,
            )
        except (OpenAIError, ValueError) as error:  # the SDK hands on what json says of a broken body
            raise Unanswered(self._trouble(error)) from error
        return self._read(answer)

    async def close(self) -> None:
        """Close the connection; the next question opens another."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    def _open(self) -> AsyncOpenAI:
        """Return the client. What the environment says of OpenAI's own server is not for this one."""
        if self._client is None:
            self._client = AsyncOpenAI(
                api_key=self._secret or "none",  # the SDK demands one
                base_url=self.url,
                timeout=self._timeout,
                max_retries=0,
                default_headers={"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()},  # type: ignore[dict-item]
            )
        return self._client

    @property
    def _secret(self) -> str | None:
        return os.environ.get(self._key) if self._key else None

    # What went wrong

    def _trouble(self, error: Exception) -> Trouble:
        match error:
            case APITimeoutError():
                return of_connection(self.name, error, self._timeout)
            case APIConnectionError():
                return of_connection(self.name, error)
            case APIStatusError():
                said = self._without_key(_said(error.body) or error.message)
                headers = error.response.headers
                return of_status(self.name, error.status_code, said, headers, key=self._key, model=self.model)
        return self._garbled(f"{type(error).__name__}: {error}")

    def _garbled(self, why: str) -> Trouble:
        return Trouble(
            f"{self.name} did not send a chat completion ({self._without_key(shortened(why))})",
            again=True,
            answered=False,
        )

    def _without_key(self, text: str) -> str:
        return text.replace(self._secret, "***") if self._secret else text

    # The answer

    def _read(self, answer: object) -> Completion:
        data = answer.model_dump(mode="json", warnings=False) if isinstance(answer, BaseModel) else answer
        try:
            read = _Answer.model_validate(data)
        except ValidationError as error:
            why = _said(data) or f"{'.'.join(map(str, error.errors()[0]['loc']))}: {error.errors()[0]['msg']}"
            raise Unanswered(self._garbled(why)) from None
        choice = read.choices[0]
        used = read.usage or _Usage()
        thought, text = set_apart(choice.message.content or "")
        thought = "\n".join(part.strip() for part in (choice.message.reason, thought) if part.strip())
        calls = tuple(
            ToolCall(call.function.name, call.function.arguments, call.id or f"call_{number}")
            for number, call in enumerate(choice.message.tool_calls or ())
        )
        return Completion(
            Reply(text, calls, strip_surrogates(thought)),
            _problem(choice, used.completion_tokens),
            _again(text, calls),
            json.loads(self._without_key(strip_surrogates(json.dumps(_bare(data), ensure_ascii=False)))),
            used.prompt_tokens,
            used.completion_tokens,
            min(used.cached, used.prompt_tokens),
            withheld=bool(choice.message.refusal) or choice.finish_reason == "content_filter",
        )


class _Cached(BaseModel):
    cached_tokens: int | None = None


class _Usage(BaseModel):
    prompt_tokens: int = Field(default=0, ge=0)
    completion_tokens: int = Field(default=0, ge=0)
    prompt_tokens_details: _Cached | None = None

    @property
    def cached(self) -> int:
        details = self.prompt_tokens_details
        return max(0, details.cached_tokens or 0) if details else 0


class _Function(BaseModel):
    name: str
    arguments: str = ""


class _Call(BaseModel):
    function: _Function
    id: str | None = None


class _Said(BaseModel):
    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None  # vLLM and SGLang
    reasoning: str | None = None  # Ollama, OpenRouter, newer vLLM
    tool_calls: list[_Call] | None = None

    @property
    def reason(self) -> str:
        return self.reasoning_content or self.reasoning or ""


class _Choice(BaseModel):
    message: _Said
    finish_reason: str | None = None


class _Answer(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


def _host(url: str) -> str:
    """Return host and port of an address.

    Raises:
        SettingError: The text is no address, or holds a password, which would show in records.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        raise SettingError(f"invalid server URL {url!r}; expected http://HOST:PORT/v1")
    if "@" in parts.netloc:
        raise SettingError(
            f"the URL of {host} holds a name or password; move it to an environment variable and set key = ..."
        )
    return f"{host}:{port}" if port else host


def _problem(choice: _Choice, tokens: int) -> str | None:
    """Return why a reply is not read: what is not whole may mean something else."""
    if choice.message.refusal:
        return f"{_REFUSED} ({shortened(choice.message.refusal)})"
    if choice.finish_reason == "content_filter":
        return _FILTERED
    return _CUT.format(tokens=tokens) if choice.finish_reason == "length" else None


def _again(text: str, calls: Sequence[ToolCall]) -> Message:
    """Return the reply as a message of the history; many servers take neither empty texts nor broken arguments."""
    message: Message = {"role": "assistant", "content": strip_surrogates(text).strip() or "(no text)"}
    if calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": strip_surrogates(call.name), "arguments": _object(call)},
            }
            for call in calls
        ]
    return message


def _object(call: ToolCall) -> str:
    try:
        whole = isinstance(json.loads(call.arguments), dict)
    except (ValueError, RecursionError):
        whole = False
    return strip_surrogates(call.arguments) if whole else "{}"


def _bare(data: Any) -> Any:
    """Return plain data without what is not set."""
    if isinstance(data, dict):
        return {key: _bare(value) for key, value in data.items() if value is not None}
    return [_bare(item) for item in data] if isinstance(data, list) else data


def _said(body: object) -> str | None:
    """Return a server's own message from the shapes that are about."""
    if not isinstance(body, dict):
        return body if isinstance(body, str) else None
    error = body.get("error")
    if isinstance(error, dict | str):
        return _said(error)
    return next((str(body[name]) for name in ("message", "detail") if body.get(name)), None)


def set_apart(text: str) -> tuple[str, str]:
    """Return thoughts and reply; the opening tag may be missing, as templates write it into the question."""
    tag = _THINKING.search(text)
    if tag is None or (not tag[1] and text[: tag.start()].strip()):
        return "", text
    if tag[1]:
        return text[: tag.start()].strip(), text[tag.end() :].strip()
    end = next((found for found in _THINKING.finditer(text, tag.end()) if found[1]), None)
    if end is None:
        return text[tag.end() :].strip(), ""
    return text[tag.end() : end.start()].strip(), text[end.end() :].strip()
