"""Play one pytest item: its attempts, its test outcome, and its record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from pytest_cuabench.agents.base import Agent, Insider
from pytest_cuabench.collection.items import observation_of, own_markers, suite_folder_of, suite_of
from pytest_cuabench.collection.stash import ATTEMPTS, CHOSEN, PAST
from pytest_cuabench.drivers.backend import place_of
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.registry import find_driver
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.episode.play import Lane, Play
from pytest_cuabench.episode.retry import play_instance
from pytest_cuabench.errors import (
    STOPS_RUN,
)
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.fingerprint import UPSTREAM_SCORING, Fingerprint, fingerprint_of
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.ledger.recorded import read_evidence
from pytest_cuabench.ledger.resume import Past
from pytest_cuabench.proof.claims import FURTHER_KINDS, Proof
from pytest_cuabench.proof.collateral import is_claimed
from pytest_cuabench.proof.variants import MOST_LOOSE, try_variants
from pytest_cuabench.reporting.words import broke_words, error_message
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.model import Instance, SuiteInfo, phase_instance, phase_places
from pytest_cuabench.task.observation import ObservationKind
from pytest_cuabench.task.usage import Usage


def limits_of(instance: Instance, settings: Settings) -> Limits:
    """Return the effective budgets: those of the settings, else the task's."""
    task = instance.task
    return Limits(
        settings.max_steps or task.budget.steps,
        settings.max_seconds or task.budget.seconds,
        dollars=settings.max_task_cost or task.budget.dollars,
    )


def item_fingerprint(item: pytest.Item, instance: Instance, settings: Settings) -> Fingerprint | None:
    """Return the fingerprint of an item before it is played; None for a test outside of suites."""
    if suite_folder_of(item.path) is None:
        return None
    return fingerprint_in(item.config, instance, suite_of(item), settings)


def fingerprint_in(
    config: pytest.Config, instance: Instance, suite: SuiteInfo, settings: Settings
) -> Fingerprint:
    """Return the fingerprint of a suite's instance in this session."""
    chosen = config.stash.get(CHOSEN, None)
    limits = limits_of(instance, settings)
    return fingerprint_of(
        instance,
        suite,
        observation=observation_of(settings, chosen),
        max_steps=limits.steps,
        max_seconds=limits.seconds,
        profile=chosen.profile if chosen else None,
        others={
            **dict(_places_and_cuts(suite, settings, observation_of(settings, chosen))),
            **({"cua_max_task_cost": f"{limits.dollars:g}"} if limits.dollars else {}),
        },
    )


def _places_and_cuts(suite: SuiteInfo, settings: Settings, observation: str) -> Iterator[tuple[str, str]]:
    """Yield the non-default settings that make results of the same task incomparable."""
    for played in (suite, *phase_places(suite)):
        place = place_of(played, settings)
        if place.chosen:
            yield "cua_world" if played is suite else f"cua_world_{played.world}", str(place)
        if place.chosen and (image := find_driver(place.driver, played).image(place)):
            yield "image" if played is suite else f"image_{played.world}", image
    if path := settings.tasks.of(suite.name):
        yield "cua_tasks", path
    if settings.upstream_scoring and any(task.functions.upstream for task in suite.tasks):
        yield UPSTREAM_SCORING, "on"
    if settings.api:
        yield "cua_api", "on"
    if "tree" in observation and settings.sources.get("tree_tokens", "default") != "default":
        yield "cua_tree_tokens", str(settings.tree_tokens)


def agent_name(config: pytest.Config, settings: Settings) -> str:
    """Return the agent's name in the ledger."""
    chosen = config.stash.get(CHOSEN, None)
    return chosen.name if chosen else "audit" if settings.audit else "agent"


class ItemRunner:
    """Plays the attempts of one item.

    Attributes:
        run: The run that is written to.
        recalled: Whether the resumed run already held the item's result, so that nothing was played.
    """

    def __init__(self, item: pytest.Item, settings: Settings, run: Run, lane: Lane | None = None) -> None:
        self._lane = lane or Lane()
        self._item = item
        self._settings = settings
        self.run = run
        chosen = item.config.stash.get(CHOSEN, None)
        self._agent_name = agent_name(item.config, settings)
        self._kind = cast(ObservationKind, observation_of(settings, chosen))
        self._past = item.config.stash.setdefault(PAST, Past())
        self._played: list[Attempt] = []
        self.recalled = False
        item.stash[ATTEMPTS] = self._played

    async def play(self, instance: Instance, environment: Environment, agent: Agent) -> Attempt:
        """Play until graded, unless the run holds a result, and return the last attempt.

        A test that a plugin runs again because it failed gets the result that it has: one more play would be a chance
        that other instances do not have.

        Raises:
            EnvironmentFailure, ProviderFailure, CheckerFailure: No attempt could be graded.
            BudgetSpent: The run reached its spending limit.
            HumanHelp: A person took over.
            RecordFailure, Unauthorized, RunAborted: The run is to be stopped.
        """
        fingerprint = item_fingerprint(self._item, instance, self._settings)
        if recorded := self._recorded(instance, fingerprint):
            self.recalled = True
            self._played.append(recorded)
            self._tell(recorded)
            return recorded
        for where, what in self._machines(instance, environment):
            if lacking := await where.lacking(what):
                pytest.skip(lacking)
        try:
            attempt = await self._play(instance, environment, agent, fingerprint)
        except STOPS_RUN:
            if self._played:
                self._tell(self._played[-1])
            raise
        self._tell(attempt)
        if not attempt.result.graded:
            assert attempt.result.error is not None
            raise attempt.result.error(error_message(attempt, self.run.shown))
        return attempt

    def _recorded(self, instance: Instance, fingerprint: Fingerprint | None) -> Attempt | None:
        """Return the result of an instance that need not, or must not, be played again; None if there is none."""
        if instance.id in self._past.graded and not isinstance(instance, Proof):
            return self.run.last_attempts()[instance.id]
        return self._past.recall(instance.id, self._agent_name, fingerprint)

    def _machines(
        self, instance: Instance, environment: Environment
    ) -> Iterator[tuple[Environment, Instance]]:
        """Yield the environments that an instance is played in."""
        yield environment, instance
        for phase in instance.phases:
            yield self._lane.environments(phase), phase_instance(phase, instance, Case("", {}))

    async def _play(
        self, instance: Instance, environment: Environment, agent: Agent, fingerprint: Fingerprint | None
    ) -> Attempt:
        pictures = self._settings.screenshots != "off"

        def recorder(number: int) -> Recorder:
            take_over = self._settings.take_over
            return Recorder(self.run, instance.id, number, pictures=pictures, take_over=take_over)

        return await play_instance(
            Play(
                instance,
                environment,
                self._paying(agent),
                limits_of(instance, self._settings),
                self._kind,
                self._agent_name,
                look=pictures or not isinstance(agent, Insider),
                lane=self._lane,
            ),
            recorder,
            attempts=self._settings.attempts,
            first=1 + self._past.played[instance.id],
            fingerprint=fingerprint,
            markers=own_markers(self._item, instance),
            ended=self._ended,
        )

    def _ended(self, attempt: Attempt) -> None:
        self._played.append(attempt)
        self._past.add(attempt)

    async def prove(self, proof: Proof, environment: Environment) -> tuple[Attempt, str | None]:
        """Play a claim of an audit; return the attempt, and why the claim fails, if it does."""
        attempt = await self.play(proof, environment, proof.claim.agent(proof.task))
        broken = proof.claim.broken(attempt) or self._variants(proof, attempt) or await self._unseen(proof)
        self._item.user_properties += [("cua_claim", proof.claim.kind), ("cua_claim_holds", broken is None)]
        return attempt, broken

    def _variants(self, proof: Proof, attempt: Attempt) -> str | None:
        """Return what the check refuses or accepts wrongly when the state after the reference is written otherwise."""
        if proof.claim.kind != "reference" or not proof.task.proof.kinds:
            return None
        most = None if self._settings.audit == "full" else MOST_LOOSE
        tried = try_variants(proof.task, *read_evidence(self.run, attempt), proof.seed, most=most)
        self._item.user_properties.append(("cua_variants", len(tried.variants)))
        return tried.broken

    async def _unseen(self, proof: Proof) -> str | None:
        """Return the collateral writes that the checks miss, for suites that can generate them."""
        depth = self._settings.audit
        if (
            proof.claim.kind != "reference"
            or depth not in FURTHER_KINDS
            or suite_folder_of(self._item.path) is None
        ):
            return None
        suite = suite_of(self._item)
        if proof.task.application in suite.places or not is_claimed(suite.folder):
            return None  # `collateral.py` tells of the suite's own world
        from pytest_cuabench.proof.collateral.claims import broken_by

        return await broken_by(suite, proof.task, proof.seed, FURTHER_KINDS[depth])

    def _paying(self, agent: Agent) -> Agent:
        """Return the agent with the run's spending limit applied, if there is one and the agent has costs."""
        if self._settings.max_cost is None or isinstance(agent, Insider):
            return agent
        from pytest_cuabench.agents.models import budget

        limit = budget.SpendLimit(self.run.folder / budget.FILE, self._settings.max_cost)
        return budget.paying(agent, limit, len(self._item.session.items))

    def _tell(self, attempt: Attempt) -> None:
        """Add the attempt's figures to the item's user properties, for JUnit XML and the controller."""
        verdict = attempt.verdict
        usage = sum((played.cost.usage for played in self._played), Usage())
        figures = {
            "cua_instance": attempt.item.instance,
            "cua_outcome": attempt.outcome,
            "cua_agent": attempt.agent,
            "cua_isolation": attempt.conditions.isolation or None,
            "cua_code_used": True if attempt.counts.code_used else None,
            "cua_scripts": attempt.counts.scripts or None,
            "cua_reward": verdict.reward if verdict else None,
            "cua_score": verdict.score if verdict else None,
            "cua_steps": attempt.counts.steps,
            "cua_attempt": attempt.number,
            "cua_broke": broke_words(attempt),
            "cua_human_steps": attempt.intervention.human_steps if attempt.intervention.human_help else None,
            "cua_seconds": attempt.cost.seconds.total,
            "cua_tokens_in": usage.tokens_in,
            "cua_tokens_out": usage.tokens_out,
            "cua_cost": usage.cost,
            "cua_trajectory": attempt.files.trajectory,
            "cua_recorded": attempt.started if self.recalled else None,
        }
        known = set(figures)
        # A test that is run again still has those of before.
        kept = [pair for pair in self._item.user_properties if pair[0] not in known]
        self._item.user_properties[:] = [*kept, *((k, v) for k, v in figures.items() if v is not None)]
