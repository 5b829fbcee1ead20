"""Agent backed by two models: a planner describes the actions, a grounder finds their targets on the screen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.makers.chat.action_spaces.base import fenced, join_thoughts, shortened
from pytest_cuabench.agents.makers.chat.action_spaces.described import HINT, steps, system
from pytest_cuabench.agents.makers.chat.agent import address
from pytest_cuabench.agents.makers.chat.completions import Completion, Endpoint, Sampling, Unanswered
from pytest_cuabench.agents.makers.chat.conversation import Conversation
from pytest_cuabench.agents.makers.chat.grounder import Grounder, GrounderOptions
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.agents.models.budget import SpendLimit
from pytest_cuabench.agents.models.calls import Caller, Trouble
from pytest_cuabench.agents.models.model import ModelAgent, ModelOptions, without_price
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.errors import ActionError, SettingError
from pytest_cuabench.task.action import Action, Point
from pytest_cuabench.task.observation import Observation

_NOW = "This is the screen now."


class PlannerOptions(ModelOptions):
    """`[options]` of a profile with `adapter = "planner"`; `body` is what the planner's server takes besides."""

    grounder: GrounderOptions
    body: Mapping[str, Any] = Field(default_factory=dict)


class PlannerAgent(ModelAgent):
    """A planner, whose model the profile names, and a grounder, whose model `options.grounder` names."""

    def __init__(self, profile: Profile) -> None:
        options = profile.read_options(PlannerOptions)
        super().__init__(profile, options)
        sampling = Sampling(options.max_tokens, options.temperature, options.body)
        self._planner = Endpoint(
            address(profile, options), self.model, profile.key, sampling, options.timeout
        )
        self._key_of_grounder = options.grounder.key
        self.grounder = Grounder(options.grounder, Caller(self.explain, deadline=options.grounder.deadline))

    def own_servers(self) -> tuple[str, ...]:
        """Return the addresses of the planner and of the grounder."""
        return (self._planner.url, self.grounder.url)

    def check(self) -> None:
        """See that the grounder has its key, where its profile names one.

        Raises:
            SettingError: It has none.
        """
        name = self._key_of_grounder
        if name and not os.environ.get(name):
            raise SettingError(
                f"agent {self.profile.name!r}: its grounder reads its key from {name}, which is not set; "
                f"type: export {name}=..."
            )
        super().check()

    @property
    def helpers(self) -> tuple[str, ...]:
        """The grounder's model."""
        return (self.grounder.model,)

    def explain(self, error: Exception) -> Trouble | None:
        """Return what an endpoint says of its failure."""
        return error.trouble if isinstance(error, Unanswered) else None

    async def begin(self) -> None:
        """Begin with the planner's instructions; the task comes with the first look."""
        instructions = self.limits.system or system(self.briefing)
        task = prompts.task(self.briefing)
        self._conversation = Conversation(
            instructions, task, self.limits.history, pictures=self.briefing.pictures
        )

    async def turn(self, seen: Observation) -> Decision:
        """Ask for a plan, then for the place of each thing it names."""
        self._conversation.show(prompts.look(seen) or _NOW, [self.picture(seen)])
        messages = self._conversation.messages()
        plan = await self.call(lambda: self._planner.ask(messages))
        self.spend(plan.tokens_in, plan.tokens_out, plan.tokens_cached)
        self._conversation.said(plan.message)
        return await self._carried_out(plan, seen)

    def unpriced(self) -> str | None:
        """Return the sentence on whichever of the two has no price."""
        if self.grounder.tariff.known:
            return super().unpriced()
        return super().unpriced() or without_price(
            self.grounder.model, self.profile, "options.grounder.prices"
        )

    def set_spend_limit(self, spend_limit: SpendLimit) -> None:
        """Hold the worst case of every call of both models before it is sent."""
        super().set_spend_limit(spend_limit)
        self.grounder.spend_limit = spend_limit

    async def close(self) -> None:
        """Close both connections."""
        await self._planner.close()
        await self.grounder.close()

    async def _carried_out(self, plan: Completion, seen: Observation) -> Decision:
        """Return a plan's actions, up to the first that is not understood or not found."""
        actions: list[Action] = []
        searches: list[dict[str, Any]] = []
        raw = {"planner": plan.raw, "grounder": searches}
        said = fenced(plan.reply.text)[0] if "```" in plan.reply.text else ""
        thought = join_thoughts(plan.reply.thought, said)
        if plan.problem:
            return Decision((), thought, format_error=plan.problem, raw=raw, withheld=plan.withheld)
        try:
            for step in steps(plan.reply.text):
                places = [await self._find(target, seen, searches) for target in step.targets]
                actions += step.act(*places)
        except ActionError as error:
            return Decision(
                tuple(actions), thought, format_error=f"{shortened(str(error))}. {HINT}.", raw=raw
            )
        return Decision(tuple(actions), thought, raw=raw)

    async def _find(self, target: str, seen: Observation, searches: list[dict[str, Any]]) -> Point:
        """Return the place of a target, and keep what was asked and what it cost, whatever comes of it."""
        search: dict[str, Any] = {"target": shortened(target), "replies": []}
        searches.append(search)
        asked = await self.grounder.ask(target, seen)
        self._waited += asked.waited
        self._spent += asked.usage
        self._settled += asked.usage.cost or 0.0  # by the grounder, answer by answer
        search["replies"] += [answer.raw for answer in asked.answers]
        if asked.failure:
            raise asked.failure
        point = self.grounder.agreed(target, asked.answers, seen.size)
        search["point"] = list(point)
        return point
