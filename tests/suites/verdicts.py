"""What tests of checks ask of a verdict."""

from pytest_cuabench.task.verdict import Verdict


def reasons(verdict: Verdict) -> list[str]:
    """Return the harm that was found, in short."""
    return [violation.reason for violation in verdict.violations]


def final(verdict: Verdict) -> list[str]:
    """Return the harm that ends the episode."""
    return [violation.reason for violation in verdict.violations if violation.ends_episode]


def missed(verdict: Verdict) -> list[str]:
    """Return the milestones that were not reached."""
    return [milestone.name for milestone in verdict.milestones if not milestone.reached]
