"""What the tasks of the probe share: a word for one of its two fields."""

from pytest_cuabench import Milestone, Violation

WORDS = ("été", "∑ sum", "plain", "日本")


def a_word(state, random):
    return {"word": random.choice(WORDS), "files": sorted(state.collections.get("files", {}))}


def a_note(random):
    return [{"do": "write", "path": "note.txt", "text": f"{random.random()}\n"}]


def written(evidence, case, field):
    held = {row["_key"]: row["value"] for row in evidence.after.rows("fields")}
    yield Milestone("written", held.get(field) == case["word"], 1.0)
    for name, value in held.items():
        if name != field and value:
            yield Violation("record_integrity", "minor", name, f"{name} was written to")
