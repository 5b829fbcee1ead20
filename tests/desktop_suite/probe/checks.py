from pytest_cuabench.verdict import Milestone, Violation

FIELDS = {"write": "text", "line": "line"}


def _judge(field):
    def check(evidence, case):
        held = {row["_key"]: row["value"] for row in evidence.after.rows("fields")}
        yield Milestone("written", held.get(field) == case["word"], 1.0)
        for name, value in held.items():
            if name != field and value:
                yield Violation("record_integrity", "minor", name, f"{name} was written to")

    return check


write, line = _judge("text"), _judge("line")
