"""What both tasks judge alike: nothing but the wanted ticket may change."""

from collections.abc import Iterator

from pytest_cuabench import Change, Evidence, Violation


def others(evidence: Evidence, wanted: list[Change]) -> Iterator[Violation]:
    """Yield a violation for each change that the task does not ask for."""
    for change in evidence.changes:
        if change not in wanted:
            fields = ", ".join(change.fields)
            yield Violation(
                "record_integrity",
                "major",
                f"{change.collection}/{change.key}",
                f"{change.collection} {change.key} was changed by {change.op}: {fields}",
                committed=True,
            )
