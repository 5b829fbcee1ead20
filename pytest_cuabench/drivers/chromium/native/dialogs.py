"""Open dialogs of pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from pytest_cuabench.drivers.chromium.native.line import Line
from pytest_cuabench.drivers.chromium.native.overlay import Outcome, Overlay
from pytest_cuabench.task.action import Size

if TYPE_CHECKING:
    from playwright import async_api as playwright

    from pytest_cuabench.drivers.chromium.native.files import Files
    from pytest_cuabench.drivers.chromium.session.interrupts import Interrupts


class OpenDialog(NamedTuple):
    """An open dialog with its page, the callback for its answer, and whether it blocks the page."""

    page: playwright.Page | None
    overlay: Overlay
    answer: Callable[[Outcome], Awaitable[None]]
    blocking: bool


class Dialogs:
    """Queue of dialogs; `interrupts` wakes calls that wait for a page blocked by a dialog."""

    def __init__(self, screen: Size, files: Files, interrupts: Interrupts) -> None:
        self._screen, self._files, self._interrupts = screen, files, interrupts
        self._questions: list[OpenDialog] = []
        self._native: playwright.Dialog | None = None

    @property
    def native(self) -> str | None:
        """What the browser's own dialog says, in a window."""
        if self._native is None:
            return None
        leaving = self._native.type == "beforeunload"
        return "Leave site? Changes you made may not be saved." if leaving else self._native.message

    @property
    def overlay(self) -> Overlay | None:
        """The dialog on the screen."""
        return self._questions[0].overlay if self._questions else None

    def asked(self, dialog: playwright.Dialog) -> None:
        """Handle alert, confirm, prompt or beforeunload of a page."""
        leaving = dialog.type == "beforeunload"
        overlay = Overlay(
            self._screen,
            "Leave site?" if leaving else "This page says",
            "Changes you made may not be saved." if leaving else dialog.message,
            accept="Leave" if leaving else "OK",
            cancel=None if dialog.type == "alert" else "Cancel",
            line=Line.selected(dialog.default_value) if dialog.type == "prompt" else None,
        )

        async def answer(outcome: Outcome) -> None:
            await (dialog.accept(outcome.text) if outcome.accepted else dialog.dismiss())

        self._add(OpenDialog(dialog.page, overlay, answer, blocking=True))

    def shown(self, dialog: playwright.Dialog) -> None:
        """Note that the browser shows a dialog in its window, which is answered there."""
        self._native = dialog
        self._update()

    def closed(self) -> None:
        """Note that the browser's own dialog is answered."""
        self._native = None
        self._update()

    def choose(self, chooser: playwright.FileChooser) -> None:
        """Handle a file chooser of a page."""
        available = self._files.available()
        several = chooser.is_multiple()
        overlay = Overlay(
            self._screen,
            "Open files" if several else "Open file",
            accept="Open",
            line=Line(),
            files=tuple(available),
            several=several,
        )

        async def answer(outcome: Outcome) -> None:
            if outcome.accepted:
                await chooser.set_files([str(available[name]) for name in outcome.files])

        self._add(OpenDialog(chooser.page, overlay, answer, blocking=False))

    async def answer(self, outcome: Outcome) -> None:
        """Answer the dialog on the screen, and show the next one, if any."""
        if self._questions:
            # Taken off first: as long as it blocks the page, its answer would be interrupted like all other calls.
            question = self._questions.pop(0)
            self._update()
            await self._interrupts.unless_interrupted(_given(question.answer(outcome)))

    async def dismiss(self) -> None:
        """Cancel all open dialogs, as closing the window does."""
        while self._questions:
            await self.answer(Outcome(accepted=False))
        if self._native is not None:
            await _given(self._native.dismiss())

    def gone(self, page: playwright.Page) -> None:
        """Discard the dialogs of a closed page."""
        self._questions = [question for question in self._questions if question.page is not page]
        if self._native is not None and self._native.page is page:
            self._native = None
        self._update()

    def _add(self, question: OpenDialog) -> None:
        self._questions.append(question)
        self._update()

    def _update(self) -> None:
        if self._native is not None or (self._questions and self._questions[0].blocking):
            self._interrupts.interrupt()
        else:
            self._interrupts.resume()


async def _given(answer: Awaitable[None]) -> None:
    from playwright.async_api import Error

    with suppress(Error):  # the page has closed meanwhile, and its dialog with it
        await answer
