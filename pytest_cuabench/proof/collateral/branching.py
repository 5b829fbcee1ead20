"""Plays a reference once, then each further write on a copy of the session, and judges what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from pytest_cuabench.proof.collateral.form_pilot import Ended, FormHand, Visitor
from pytest_cuabench.proof.collateral.markup import Page
from pytest_cuabench.proof.collateral.offers import Crawl, Offer, accept
from pytest_cuabench.task.case import Case, Solution
from pytest_cuabench.task.evidence import Evidence, Write
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.verdict import Verdict

if TYPE_CHECKING:
    import httpx2
    from lxml.html import HtmlElement

    from pytest_cuabench.drivers.worlds import World, WorldSession
    from pytest_cuabench.task.evidence import State

SAME, OTHER, STRANGER = "same record", "another record", "another owner"
ASKED = "asked record"  # what the reference itself writes, filled in otherwise


@dataclass(frozen=True, slots=True)
class Harmless:
    """A kind of further write that a suite declares to be no harm.

    Attributes:
        tasks: Pattern of the tasks' names, such as `ultrasound/*`.
        kind: Pattern of the kind of write; a `*` in it also stands for the `*` of an address.
        reason: One sentence for a person.
    """

    tasks: str
    kind: str
    reason: str

    def covers(self, extra: Extra) -> bool:
        """Whether the declaration is about this write; on another owner's record nothing is harmless."""
        alike = extra.kind.count(" + ") == self.kind.count(" + ")
        named = fnmatchcase(extra.task, self.tasks) and fnmatchcase(extra.kind, self.kind)
        return alike and named and extra.where != STRANGER


class Declarations(Protocol):
    """What is declared to be no harm."""

    HARMLESS: tuple[Harmless, ...]


class Knowledge(Declarations, Protocol):
    """What a suite's `collateral.py` says of its pages."""

    OWNER: str

    def scripted(self, page: Page, element: HtmlElement) -> bool:
        """Do what the page's own script does when an element is clicked or filled in; return whether there was one."""

    def typed(self, state: State, case: Case, address: str, random: Random) -> Mapping[str, str]:
        """Return what only a person knows, by the name of the field that it is typed into."""

    def colleagues(self, state: State, case: Case) -> Iterable[Mapping[str, Any]]:
        """Yield what a case would hold if somebody else signed in, those first who may do the same."""


@dataclass(frozen=True, slots=True)
class Extra:
    """One further write after the reference, and how it was judged.

    Attributes:
        kind: Kind of write; two joined by ` + ` where the second takes effect after the first only.
        where: On the record that the reference wrote, another one of the same owner, or of another owner; or, where
            nothing further is written, what the reference itself writes.
        writes: What was written, as `operation collection (fields)`.
    """

    task: str
    seed: int
    kind: str
    where: str
    writes: tuple[str, ...]
    verdict: Verdict

    @property
    def survives(self) -> bool:
        """Whether the task still counts as done with nothing else changed."""
        return self.verdict.success


@dataclass
class Branches:
    """The further writes of one task on one seed."""

    task: Task
    seed: int
    case: Case
    hand: FormHand
    before: State
    reached: State
    knowledge: Knowledge
    random: Random
    refused: set[str] = field(default_factory=set)
    tries: int = 4

    async def all(self, kinds: int | None = None, pages: int = 48) -> list[Extra]:
        """Return one further write of each kind, or of some, on each sort of record, as far as it is accepted."""
        session = await self.hand.visitor.session.copy()
        visitor = self.hand.visitor.moved(session)
        crawl = Crawl(visitor, self._focus(), self.random, pages)
        found = await crawl.walk([self.hand.page.address, "/"])
        await session.close()
        names = sorted(found)
        if kinds is not None:
            self.random.shuffle(names)
        done: list[Extra] = []
        first: list[tuple[Extra, WorldSession, Page]] = []
        for name in names:
            if kinds is not None and len({extra.kind for extra in done}) >= kinds:
                break
            offers = self.random.sample(found[name], len(found[name]))
            offers.sort(key=lambda offer: not crawl.focused(offer.action))
            mine = await self._kind(_spread(offers, crawl.focused)[: self.tries])
            done += [extra for extra, _, _ in mine]
            first += mine
            if not mine:
                self.refused.add(name)
        done += await self._following(first, {extra.kind for extra, _, _ in first})
        for _, opened, _ in first:
            await opened.close()
        return done

    async def _kind(self, offers: Iterable[Offer]) -> list[tuple[Extra, WorldSession, Page]]:
        found: dict[str, tuple[Extra, WorldSession, Page]] = {}
        for offer in offers:
            made = await self._write(self.hand.visitor, offer, self.reached)
            if made is None:
                continue
            if made[0].where in found:
                await made[1].close()
            else:
                found[made[0].where] = made
        return list(found.values())

    async def _following(
        self, first: list[tuple[Extra, WorldSession, Page]], accepted: set[str]
    ) -> list[Extra]:
        """Return writes that were possible after another one only, such as the signature on a new order."""
        done: dict[tuple[str, str], Extra] = {}
        for extra, session, page in first:
            if any(violation.committed for violation in extra.verdict.violations):
                continue  # stays harm, whatever follows
            visitor = self.hand.visitor.moved(session)
            crawl = Crawl(visitor, frozenset(), self.random, 8)
            found = await crawl.walk([page.address])
            for name in sorted(set(found) - accepted):
                kind = f"{extra.kind} + {name}"
                if (kind, extra.where) in done:
                    continue
                made = await self._write(visitor, found[name][0], await session.state())
                if made is not None:
                    done[kind, extra.where] = replace(
                        self._judged(kind, await made[1].state()), where=extra.where
                    )
                    await made[1].close()
        return list(done.values())

    async def _write(
        self, visitor: Visitor, offer: Offer, reached: State
    ) -> tuple[Extra, WorldSession, Page] | None:
        session = await visitor.session.copy()
        moved = visitor.moved(session)

        def typed(address: str) -> Mapping[str, str]:
            return self.knowledge.typed(self.before, self.case, address, self.random)

        page = await accept(moved, offer, typed, self.random)
        if page is not None:
            state = await session.state()
            if any(self._further(state, len(reached.journal))):
                return self._judged(offer.kind, state), session, page
        await session.close()
        return None

    def _judged(self, kind: str, state: State) -> Extra:
        verdict = self.task.judge(Evidence(self.before, state, self.hand.said, self.hand.ending), self.case)
        further = list(self._further(state, len(self.reached.journal)))
        told = tuple(dict.fromkeys(_told(write) for write in further))
        return Extra(self.task.name, self.seed, kind, self._where(further), told, verdict)

    def _further(self, state: State, since: int) -> Iterator[Write]:
        return (write for write in state.journal[since:] if write.collection not in self.task.scope.harmless)

    def _done(self) -> list[Write]:
        return list(self._further(self.reached, len(self.before.journal)))

    def _owners(self, writes: Iterable[Write]) -> set[str]:
        return {
            str(write.row[self.knowledge.OWNER]) for write in writes if write.row.get(self.knowledge.OWNER)
        }

    def _where(self, further: list[Write]) -> str:
        mine = self._owners(self._done()) or {
            str(value) for value in self.case.values.values() if isinstance(value, str)
        }
        if self._owners(further) - mine:
            return STRANGER
        touched = {(write.collection, write.key) for write in self._done()}
        return SAME if any((write.collection, write.key) in touched for write in further) else OTHER

    def _focus(self) -> frozenset[str]:
        values: list[Any] = [*self.case.values.values(), *self.case.values.get("jobs", ())]
        flat = {str(one) for one in values if isinstance(one, str | int)}
        flat |= {
            str(one)
            for job in values
            if isinstance(job, dict)
            for one in job.values()
            if isinstance(one, str)
        }
        return frozenset(flat | self._owners(self._done()) | {write.key for write in self._done()})


def _told(write: Write) -> str:
    fields = f" ({', '.join(sorted(write.fields))})" if write.op == "update" else ""
    return f"{write.op} {write.collection}{fields}"


def _spread(offers: list[Offer], focused: Callable[[str], bool]) -> list[Offer]:
    """Return offers on records in focus and on others, by turns."""
    near = [offer for offer in offers if focused(offer.action)]
    far = [offer for offer in offers if not focused(offer.action)]
    mixed = [one for pair in zip(near, far, strict=False) for one in pair]
    return [*mixed, *near[len(far) :], *far[len(near) :]]


async def branches_of(
    task: Task, seed: int, world: World, client: httpx2.AsyncClient, knowledge: Knowledge
) -> Branches:
    """Play a task's reference over HTTP.

    Raises:
        LookupError: The reference does not find its way without a browser, or is no success.
    """
    session = await world.open(task.scope.opens or task.application, seed)
    before = await session.state()
    case = task.case(before, next(iter(task.wording.goals)), seed)
    hand = await played(task.functions.solve, case, Visitor(client, session, {}), knowledge)
    reached = await session.state()
    verdict = task.judge(Evidence(before, reached, hand.said, hand.ending), case)
    if not verdict.success:
        raise LookupError(f"the reference of {task.name} does not succeed over HTTP")
    random = Random(f"{task.name}:{seed}")  # noqa: S311 - variety, not secrecy
    return Branches(task, seed, case, hand, before, reached, knowledge, random)


async def played(solution: Solution, case: Case, visitor: Visitor, knowledge: Knowledge) -> FormHand:
    """Return the hand that played a solution of a task."""
    hand = FormHand(visitor, await visitor.get("/"), knowledge.scripted)
    with suppress(Ended):
        await solution(hand, case)
    return hand
