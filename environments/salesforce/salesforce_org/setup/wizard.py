"""Wizards of Setup: steps with Back, Next and Save.

What was entered lives with the browser, not in the org, until the last step stores it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.forms import INVALID, Form
from salesforce_org.store.errors import OrgError

Draft = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One screen.

    Attributes:
        template: The page that shows it; it gets `wizard`, `step`, `draft`, `problem` and what `prepare` returns.
        take: Puts what was submitted into the draft; returns what is wrong, or nothing.
        next: What the button that goes on is called.
        again: Whether it offers Save & New, too; `finish` finds `again` submitted as `do`.
    """

    title: str
    template: str
    take: Callable[[SetupVisit, Draft], str]
    prepare: Callable[[SetupVisit, Draft], dict[str, Any]] = lambda page, draft: {}
    next: str = "Next"
    again: bool = False


def form_step(
    title: str,
    build: Callable[[SetupVisit, Draft], Form],
    check: Callable[[SetupVisit, Draft], None] = lambda page, draft: None,
    template: str = "setup/wizard_form.html",
    more: Callable[[SetupVisit, Draft], dict[str, Any]] = lambda page, draft: {},
    next: str = "Next",
) -> Step:
    """Return a step that is a form; what was entered goes into the draft under the names of its inputs.

    Args:
        check: Raises `OrgError` for what is wrong with it as a whole; its fields name the inputs.
        more: Returns what the template needs beside the form.
    """

    def take(page: SetupVisit, draft: Draft) -> str:
        form = build(page, draft).read(page)
        draft.update(form.given)
        if page.field("do") == "back":
            return ""
        if form.check(page.org):
            try:
                check(page, draft)
            except OrgError as refused:
                form.blame(refused)
        draft["errors"] = form.errors
        return form.problem or (INVALID if form.errors else "")

    def prepare(page: SetupVisit, draft: Draft) -> dict[str, Any]:
        form = build(page, draft)
        form.values |= {one.name: draft[one.name] for one in form.inputs if one.name in draft}
        form.errors = draft.pop("errors", {})
        return more(page, draft) | {"form": form}

    return Step(title, template, take, prepare, next)


@dataclass(frozen=True, slots=True)
class Wizard:
    """A sequence of steps at `<path>/<number>`; without a number a new draft is begun.

    Attributes:
        path: Inner address, which may have variable parts: `/assign/{id}`.
        steps: The screens in order, or a function that returns them for a draft.
        begin: Returns the first draft.
        finish: Stores the draft and answers; what it raises as `OrgError` is said on the last step.
        cancel: Where Cancel leads.
    """

    title: str
    path: str
    steps: Sequence[Step] | Callable[[Draft], Sequence[Step]]
    begin: Callable[[SetupVisit], Draft]
    finish: Callable[[SetupVisit, Draft], Response]
    cancel: Callable[[SetupVisit], str]

    def register(self, area: Area) -> Wizard:
        """Put the wizard at its address in an area."""
        area.get(self.path)(self._start)
        area.get(f"{self.path}/step/{{number}}")(self._show)
        area.post(f"{self.path}/step/{{number}}")(self._take)
        return self

    def _start(self, page: SetupVisit) -> Response:
        page.drafts[page.path] = self.begin(page)
        return page.go(f"{page.path}/step/1")

    def _show(self, page: SetupVisit, problem: str = "") -> Response:
        base, number = _place(page)
        draft = page.drafts.get(base)
        if draft is None:
            return page.go(base)
        steps, number = self._steps(draft, number)
        step = steps[number - 1]
        context = {
            "wizard": self,
            "step": step,
            "number": number,
            "count": len(steps),
            "draft": draft,
            "problem": problem,
        }
        return page.render(step.template, **context, **step.prepare(page, draft))

    def _take(self, page: SetupVisit) -> Response:
        base, number = _place(page)
        draft, do = page.drafts.get(base), page.field("do")
        if draft is None or do == "cancel":
            page.drafts.pop(base, None)
            return page.go(self.cancel(page))
        steps, number = self._steps(draft, number)
        problem = steps[number - 1].take(page, draft)
        if do == "back":
            return page.go(f"{base}/step/{max(1, number - 1)}")
        if problem:
            return self._show(page, problem)
        if number < len(self._steps(draft, number)[0]):
            return page.go(f"{base}/step/{number + 1}")
        return self._save(page, base, draft)

    def _save(self, page: SetupVisit, base: str, draft: Draft) -> Response:
        try:
            with page.org.transaction():
                response = self.finish(page, draft)
        except OrgError as refused:
            return self._show(page, refused.message)
        page.drafts.pop(base, None)
        return response

    def _steps(self, draft: Draft, number: int) -> tuple[Sequence[Step], int]:
        steps = self.steps(draft) if callable(self.steps) else self.steps
        return steps, min(max(1, number), len(steps))


def _place(page: SetupVisit) -> tuple[str, int]:
    base, _, number = page.path.rpartition("/step/")
    return base, int(number) if number.isdecimal() and len(number) < 3 else 1
