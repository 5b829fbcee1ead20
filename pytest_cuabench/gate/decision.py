"""Findings, each with a reason, and the judgement that combines them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Decision(Enum):
    """Decisions with label, exit code and sign; the worst finding decides: fail, then inconclusive, then pass.

    The exit codes differ from pytest's (0 to 6), so that a pipeline can distinguish a failed gate from a broken
    session.
    """

    PASS = ("pass", 0, "✓")
    INCONCLUSIVE = ("inconclusive", 11, "?")
    FAIL = ("fail", 10, "✗")

    def __init__(self, label: str, code: int, sign: str) -> None:
        self.label = label
        self.code = code
        self.sign = sign

    @classmethod
    def worst(cls, decisions: list[Decision]) -> Decision:
        """Return the worst decision; inconclusive if there are none."""
        ranked = list(cls)
        return max(decisions, key=ranked.index, default=cls.INCONCLUSIVE)


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one requirement of the gate.

    Attributes:
        check: The kind of requirement: session, ledger, coverage, isolation, code, scripts, bound, errors, must_pass,
            zero_tolerance, baseline, non_inferiority, collapse, floor.
        subject: A group, an instance or the suite.
        reason: One sentence with its figures.
        figures: The same figures as plain data.
    """

    check: str
    subject: str
    decision: Decision
    reason: str
    figures: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "check": self.check,
            "subject": self.subject,
            "decision": self.decision.label,
            "reason": self.reason,
            "figures": dict(self.figures),
        }


@dataclass(frozen=True, slots=True)
class Judgement:
    """All findings on a run.

    Attributes:
        record: Counts of the ledger: attempts, retried, regraded, resumed, and whether it is signed.
    """

    run: str
    agent: str
    findings: tuple[Finding, ...]
    gate: Mapping[str, Any]
    record: Mapping[str, Any] = field(default_factory=dict)

    @property
    def decision(self) -> Decision:
        """The worst of all findings."""
        return Decision.worst([finding.decision for finding in self.findings])

    def of(self, decision: Decision) -> list[Finding]:
        """Return the findings with this decision."""
        return [finding for finding in self.findings if finding.decision is decision]

    def to_json(self) -> dict[str, Any]:
        """Return the plain data of `gate.json`."""
        decision = self.decision
        return {
            "decision": decision.label,
            "exit_code": decision.code,
            "run": self.run,
            "agent": self.agent,
            "reasons": [
                finding.reason for found in Decision if found is decision for finding in self.of(found)
            ],
            "findings": [finding.to_json() for finding in self.findings],
            "gate": dict(self.gate),
            "record": dict(self.record),
        }
