"""Findings, each with its reason in a sentence, and the judgement that they add up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Decision(Enum):
    """Label, exit code, sign; the worst finding decides, and a failure is worse than not knowing.

    The codes are none of pytest's own (0 to 6), so that a pipeline can tell a gate that failed from a session that
    broke.
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
        """Return what these come to; nothing found is nothing known."""
        ranked = list(cls)
        return max(decisions, key=ranked.index, default=cls.INCONCLUSIVE)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one demand of the gate came to.

    Attributes:
        check: The kind of demand: session, coverage, bound, must_pass, zero_tolerance, baseline, non_inferiority,
            collapse.
        subject: What it is about: a group, an instance, the suite.
        reason: One sentence, with the figures that it rests on.
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
    """All findings on a run."""

    run: str
    agent: str
    findings: tuple[Finding, ...]
    gate: Mapping[str, Any]

    @property
    def decision(self) -> Decision:
        """The worst of all findings."""
        return Decision.worst([finding.decision for finding in self.findings])

    def of(self, decision: Decision) -> list[Finding]:
        """Return the findings that came to this."""
        return [finding for finding in self.findings if finding.decision is decision]

    def to_json(self) -> dict[str, Any]:
        """Return plain data: what `gate.json` holds."""
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
        }
