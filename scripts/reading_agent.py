"""Write docs/ocr.md: where the agent `ocr` succeeds, by application, difficulty and wording.

scripts/reading-agent [RUN]
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.figures import difficulties, failures, rate
from pytest_cuabench.task.outcome import Outcome

PAGE = Path(__file__).resolve().parents[1] / "docs" / "ocr.md"
HEAD = """# The OCR agent: a baseline without a model

`--agent=ocr` sees screenshots only. It reads them with OCR, follows the sentences of the goal one by one
(press a button, type into a named field, choose, save), locates elements by their text, and checks whether
something changed. It knows nothing about medicine or the applications: it may get far with a goal that names
each button, and cannot follow a goal that only names the result.

Successes of instances played, with the 95 % interval (Wilson) of the whole. Written by `scripts/reading-agent`.
OCR reads small signs (“°F”) differently in another version of the browser or its fonts, which moves single cells.
"""


def text(run: Run) -> str:
    """Return the page on a run.

    Raises:
        SystemExit: It is none of this agent, or nothing of it is graded.
    """
    attempts = list(run.last_attempts().values())
    if {attempt.agent for attempt in attempts} != {"ocr"}:
        raise SystemExit(f"{run.folder} is no run of the agent ocr; type: scripts/reading-agent")
    if not any(attempt.result.graded for attempt in attempts):
        raise SystemExit(f"nothing in {run.folder} is graded; play it again: scripts/reading-agent")
    return "\n".join([HEAD, *_table(attempts), "", *_failures(run, attempts), ""])


def _table(attempts: Sequence[Attempt]) -> Iterator[str]:
    levels, variants = difficulties(attempts), sorted({a.variant for a in attempts}, reverse=True)
    columns = [(variant, level) for variant in variants for level in levels]
    yield _row(["application", *(f"{variant}, {level}" for variant, level in columns)])
    yield _row(["---", *("---:" for _ in columns)])
    for name in sorted({attempt.application for attempt in attempts}):
        yield _row([name, *_cells([a for a in attempts if a.application == name], columns)])
    yield _row(["**all**", *_cells(attempts, columns)])
    yield ""
    for variant in variants:
        found = rate(attempt for attempt in attempts if attempt.variant == variant)
        yield (
            f"* `{variant}`: {found.successes} of {found.graded}"
            f" ({found.low:.0%} to {found.high:.0%})".replace("%", " %")
        )
    left_out = sum(not attempt.result.graded for attempt in attempts)
    yield f"* not graded, and left out: {left_out}"


def _cells(attempts: Iterable[Attempt], columns: Iterable[tuple[str, str]]) -> Iterator[str]:
    chosen = list(attempts)
    for column in columns:
        found = rate(a for a in chosen if (a.variant, a.difficulty) == column)
        yield f"{found.successes}/{found.graded}" if found.graded else "–"


def _failures(run: Run, attempts: Sequence[Attempt]) -> Iterator[str]:
    kinds = failures(run, attempts)
    yield "How the others failed, as [outcomes.md](outcomes.md#how-attempts-fail) names it: " + ", ".join(
        f"{kind.label.replace('_', ' ')} {count}" for kind, count in kinds.items()
    )
    steps = sorted(attempt.steps for attempt in attempts if attempt.result is Outcome.SUCCESS)
    if steps:
        yield f"\nA success took {steps[0]} to {steps[-1]} steps, {steps[len(steps) // 2]} at the median."


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    PAGE.write_text(text(Run(Path(sys.argv[1]))), encoding="utf-8")
