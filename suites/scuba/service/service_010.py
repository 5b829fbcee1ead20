"""Published knowledge article."""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.following import Exactly
from ..toolkit.judging import Findings, exists, holds, judged
from ..toolkit.lightning import PAGE, enter, open_app, open_tab, press, save, start
from ..toolkit.records import Records, Row, plain
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """No article of the title may be there already."""
    if Records(state).where("Knowledge__kav", Title=values["title"]):
        raise LookupError(f"there is an article {values['title']!r} already")
    return {"url": "-".join(values["title"].split())}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the article online with its two texts."""
    work.free("Knowledge__kav", UrlName="the task leaves it open")
    article = work.closest("Knowledge__kav", {"Title": Exactly(case["title"])}, PublishStatus="Online")
    _claim_versions(work, article)
    question, answer = ((article or {}).get(name) for name in ("Question__c", "Answer__c"))
    right = _reads(question, case["question"]) and _reads(answer, case["text"])
    seen = f"{plain(question) or 'nothing'} / {plain(answer) or 'nothing'}"
    yield exists("article", 0.3, article, f"an article '{case['title']}'")
    yield holds("published", 0.3, article, "PublishStatus", "Online")
    yield Milestone("texts", right, 0.4, f"{case['question']} / {case['text']}", seen)


def _claim_versions(work: Work, article: Row | None) -> None:
    """Account for what belongs to an article: its master, and a draft beside the version that is online."""
    attempt = article or next(iter(work.made("Knowledge__kav")), {})
    if master := attempt.get("KnowledgeArticleId"):
        for version in work.made("Knowledge__kav", KnowledgeArticleId=master):
            if version["Id"] != attempt["Id"] and version["PublishStatus"] == "Online":
                continue  # an article has one version that is online
            work.claim(version, "Title", "Question__c", "Answer__c", "PublishStatus", "KnowledgeArticleId")
        for one in work.made("Knowledge__ka"):
            if one["Id"] == master:
                work.claim(one)


def _reads(rich: Any, wanted: str) -> bool:
    return plain(rich) == plain(wanted)


async def solve(pilot: Pilot, case: Case) -> None:
    """Write the article, which is a draft then, and publish it."""
    await open_app(pilot, "Service")
    await open_tab(pilot, "Knowledge")
    await press(pilot, "New", PAGE)
    await enter(pilot, "Title", case["title"])
    await enter(pilot, "Question", case["question"])  # leaving the title has filled the URL name
    await enter(pilot, "Answer", case["text"])
    await save(pilot)
    if case.values.get("publish", True):
        await start(pilot, "Publish")
        await save(pilot, "Publish")


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first article of the title."""
    row = first(Records(evidence.after).where("Knowledge__kav", Title=case["title"]))
    texts = [plain(row.get("Question__c")), plain(row.get("Answer__c"))]
    yield fact("article", 0.3, bool(row))
    yield fact("published", 0.3, row.get("PublishStatus") == "Online")
    yield fact("texts", 0.4, texts == [plain(case["question"]), plain(case["text"])])


@slip("milestone:published", 0.7)
def left_a_draft(case: Case) -> Case:
    """Nobody but the author reads it."""
    return misread(case, publish=False)


@slip("milestone:texts", 0.6)
def swapped_question_and_answer(case: Case) -> Case:
    """The answer stands where the question belongs."""
    return misread(case, question=case["text"], text=case["question"])
