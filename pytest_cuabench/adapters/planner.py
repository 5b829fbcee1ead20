"""Two models as one player: the first plans in words, the second finds on the screen what the first names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from pytest_cuabench.action import Action, Point
from pytest_cuabench.adapters.chat import address
from pytest_cuabench.errors import ActionError
from pytest_cuabench.observation import Observation
from pytest_cuabench.players import prompts
from pytest_cuabench.players.calls import Caller, Trouble
from pytest_cuabench.players.completions import Completion, Endpoint, Sampling, Unanswered
from pytest_cuabench.players.conversation import Conversation
from pytest_cuabench.players.dialects.base import fenced, short, told
from pytest_cuabench.players.dialects.described import HINT, steps, system
from pytest_cuabench.players.grounder import Grounder, GrounderOptions
from pytest_cuabench.players.model import ModelAgent, ModelOptions, Reading, read_options, without_price
from pytest_cuabench.players.purse import Purse
from pytest_cuabench.profile import Profile

_NOW = "This is the screen now."


class PlannerOptions(ModelOptions):
    """`[options]` of a profile with `adapter = "planner"`; `body` is what the planner's server takes besides."""

    grounder: GrounderOptions
    body: Mapping[str, Any] = Field(default_factory=dict)


class PlannerAgent(ModelAgent):
    """A planner, whose model the profile names, and a grounder, whose model `options.grounder` names."""

    def __init__(self, profile: Profile) -> None:
        options = read_options(profile, PlannerOptions)
        super().__init__(profile, options)
        sampling = Sampling(options.max_tokens, options.temperature, options.body)
        self._planner = Endpoint(
            address(profile, options), self.model, profile.key, sampling, options.timeout
        )
        self.grounder = Grounder(options.grounder, Caller(self.explain, deadline=options.grounder.deadline))

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
        self._conversation = Conversation(instructions, self.limits.history)
        self._first = True

    async def turn(self, seen: Observation) -> Reading:
        """Ask for a plan, then for the place of each thing it names."""
        first, self._first = self._first, False
        words = [prompts.task(self.briefing)] if first else []
        self._conversation.show("\n\n".join([*words, prompts.look(seen) or _NOW]), [self.picture(seen)])
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

    def pay_from(self, purse: Purse) -> None:
        """Hold the worst case of every call of both models before it is sent."""
        super().pay_from(purse)
        self.grounder.purse = purse

    async def close(self) -> None:
        """Close both connections."""
        await self._planner.close()
        await self.grounder.close()

    async def _carried_out(self, plan: Completion, seen: Observation) -> Reading:
        """Return a plan's actions, up to the first that is not understood or not found."""
        actions: list[Action] = []
        searches: list[dict[str, Any]] = []
        raw = {"planner": plan.raw, "grounder": searches}
        said = fenced(plan.reply.text)[0] if "```" in plan.reply.text else ""
        thought = told(plan.reply.thought, said)
        if plan.problem:
            return Reading((), thought, plan.problem, raw)
        try:
            for step in steps(plan.reply.text):
                places = [await self._find(target, seen, searches) for target in step.targets]
                actions += step.act(*places)
        except ActionError as error:
            return Reading(tuple(actions), thought, f"{short(str(error))}. {HINT}.", raw)
        return Reading(tuple(actions), thought, None, raw)

    async def _find(self, target: str, seen: Observation, searches: list[dict[str, Any]]) -> Point:
        """Return the place of a target, and keep what was asked and what it cost, whatever comes of it."""
        search: dict[str, Any] = {"target": short(target), "replies": []}
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
