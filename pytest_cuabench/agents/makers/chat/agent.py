"""Agent backed by any chat-completions server: vLLM, SGLang, Ollama or a hosted one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.makers.chat.action_spaces import find_action_space
from pytest_cuabench.agents.makers.chat.completions import Completion, Endpoint, Sampling, Unanswered
from pytest_cuabench.agents.makers.chat.conversation import Conversation, PublishedConversation
from pytest_cuabench.agents.makers.chat.official import official_opening
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.agents.models.calls import Trouble
from pytest_cuabench.agents.models.model import ModelAgent, ModelOptions
from pytest_cuabench.agents.models.pictures import Limit, resized
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.observation import Observation

DEFAULT_URL = "http://localhost:8000/v1"  # where vLLM listens unless told otherwise
_WITH_PICTURE = frozenset({"screenshot", "screenshot+tree", "marks"})
_NOW = "This is the screen now."
_TREE_IN_PIXELS = "The tree names places in pixels of the screen, {screen}."


class Options(ModelOptions):
    """`[options]` of a profile with `adapter = "chat"`.

    Attributes:
        dialect: The model's action space: a name of `action_spaces.ACTION_SPACES`, or `module:Class`.
        coordinates: Its coordinate notation, if it differs from the dialect's.
        prompt: `official` for the prompt that the model's maker publishes, `cuabench` for ours.
        functions: Whether to send the dialect's functions as `tools`, for servers that separate calls from text.
        body: Further parameters of the request, such as `top_k`.
    """

    dialect: str = "qwen"
    coordinates: str | None = None
    prompt: Literal["official", "cuabench"] = "cuabench"
    functions: bool = False
    body: Mapping[str, Any] = Field(default_factory=dict)


class ChatAgent(ModelAgent):
    """Agent backed by a chat-completions server; `--agent=NAME:URL` overrides the profile's `url`."""

    def __init__(self, profile: Profile) -> None:
        options = profile.read_options(Options)
        super().__init__(profile, options)
        self.dialect = find_action_space(options.dialect, options.coordinates)
        self._official = options.prompt == "official" and not options.system
        if self._official and (options.functions or not getattr(self.dialect, "official", "")):
            why = "its functions are in the text" if options.functions else f"{options.dialect} has none"
            raise SettingError(
                f'agent {profile.name!r}: options.prompt = "official" cannot be used, because {why}; '
                f"remove options.{'functions' if options.functions else 'prompt'}"
            )
        self._functions = options.functions
        self._named = options.dialect
        self._endpoint = Endpoint(
            address(profile, options),
            self.model,
            profile.key,
            Sampling(options.max_tokens, options.temperature, options.body),
            options.timeout,
        )

    @property
    def action_space(self) -> str:
        """The dialect."""
        return self._named

    def own_servers(self) -> tuple[str, ...]:
        """Return the endpoint's address."""
        return (self._endpoint.url,)

    def explain(self, error: Exception) -> Trouble | None:
        """Return what the endpoint says of its failure."""
        return error.trouble if isinstance(error, Unanswered) else None

    def picture_limit(self) -> Limit:
        """Return the dialect's."""
        return self.dialect.limit

    async def begin(self) -> None:
        """Begin with the instructions; the task comes with the first look.

        Raises:
            SettingError: Functions are wanted, but the dialect has none.
        """
        image = self._shown_size()
        self._space = self.dialect.space(self.briefing.screen, image)
        self._tools = self.dialect.tools(self.briefing, image) if self._functions else []
        if self._functions and not self._tools:
            raise SettingError(
                f"agent {self.profile.name!r}: this dialect has no functions; remove options.functions"
            )
        self._conversation = self._begun(image)

    async def turn(self, seen: Observation) -> Decision:
        """Show the screen and read the reply."""
        words = prompts.look(seen) or ("" if self._official else _NOW)
        self._conversation.show(words, self._pictures(seen))
        messages = self._conversation.messages()
        completion: Completion = await self.call(lambda: self._endpoint.ask(messages, self._tools))
        self.spend(completion.tokens_in, completion.tokens_out, completion.tokens_cached)
        self._conversation.said(completion.message, completion.reply.thought)
        if completion.problem:
            thought, problem = completion.reply.thought, completion.problem
            return Decision(
                (), thought, format_error=problem, raw=completion.raw, withheld=completion.withheld
            )
        return replace(self.dialect.read(completion.reply, self._space), raw=completion.raw)

    async def close(self) -> None:
        """Close the connection."""
        await self._endpoint.close()

    def _begun(self, image: Size) -> Conversation:
        pictures = self.briefing.pictures if self._pictured else ()
        if self._official:
            opening = official_opening(self.dialect.official, self.briefing, image)
            return PublishedConversation(
                opening.system, opening.task, self.limits.history, opening.telling, opening.values, pictures
            )
        return Conversation(
            self.limits.system or self._instructions(image),
            prompts.task(self.briefing),
            self.limits.history,
            pictures=pictures,
            in_user=self.dialect.asks_in_user,
        )

    def _instructions(self, image: Size) -> str:
        shown = replace(self.briefing, screen=image)  # one size in the whole prompt
        words = self.dialect.system(shown, image, native=self._functions)
        if "tree" not in self.briefing.observation or self._space.span == tuple(self.briefing.screen):
            return words
        return f"{words}\n{_TREE_IN_PIXELS.format(screen=self.briefing.screen)}"

    def _pictures(self, seen: Observation) -> list[bytes]:
        """Return what single actions showed, then the screen."""
        if not self._pictured:
            return []
        asked = [resized(result.image, self.image_size) for result in seen.results if result.image]
        return [*asked, self.picture(seen)]

    def _shown_size(self) -> Size:
        """Return the size that pixels mean: that of the picture, or of the screen where none is sent."""
        return self.image_size if self._pictured else self.briefing.screen

    @property
    def _pictured(self) -> bool:
        return self.briefing.observation in _WITH_PICTURE


def address(profile: Profile, options: ModelOptions) -> str:
    """Return where the server is: what stands behind the profile's name, or its `url`, or this machine.

    Raises:
        SettingError: What stands behind the name is no address.
    """
    if profile.argument and not profile.argument.startswith(("http://", "https://")):
        raise SettingError(
            f"--agent={profile.name}:{profile.argument}: write a URL after the colon, "
            f"such as {profile.name}:{DEFAULT_URL}"
        )
    return profile.argument or options.url or DEFAULT_URL
