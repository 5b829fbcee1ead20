"""A stand-in for Lean's REPL, as a program: the same messages, and one theorem that it knows the proof of.

`intro` leaves one goal, `exact` none; `die`, `garble`, `hang` break it, `trace` replies with keys of newer releases.
"""

from __future__ import annotations

import json
import sys
import time

POSITION = {"line": 1, "column": 0}


def error(text: str) -> dict[str, object]:
    return {"messages": [{"severity": "error", "pos": POSITION, "endPos": None, "data": text}]}


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n\n")
    sys.stdout.flush()


class Repl:
    """Environments and proof states, numbered as they are made."""

    def __init__(self) -> None:
        self.environments: list[str] = []
        self.states: list[str] = []

    def reply(self, message: dict[str, object]) -> dict[str, object]:
        if set(message) in ({"cmd"}, {"cmd", "env"}):
            return self.command(str(message["cmd"]), message.get("env"))
        if set(message) == {"tactic", "proofState"}:
            return self.tactic(str(message["tactic"]), message["proofState"])
        return {"message": "Could not parse as a valid JSON command"}

    def command(self, words: str, env: object) -> dict[str, object]:
        if env is not None and env not in range(len(self.environments)):
            return {"message": "Unknown environment."}
        if env is None and not words.startswith("import "):
            return error("unknown identifier")
        self.environments.append(words)
        made: dict[str, object] = {"env": len(self.environments) - 1}
        if words.endswith("by sorry"):
            self.states.append("⊢ goal")
            sorry = {
                "proofState": len(self.states) - 1,
                "goal": "⊢ goal",
                "pos": POSITION,
                "endPos": POSITION,
            }
            made["sorries"] = [sorry]
            made["messages"] = [{"severity": "warning", "data": "declaration uses 'sorry'"}]
        return made

    def tactic(self, words: str, state: object) -> dict[str, object]:
        if state not in range(len(self.states)):
            return {"message": "Unknown proof state."}
        if words == "die":
            sys.exit(1)
        if words == "hang":
            time.sleep(60)
        goals = {"intro": ["h : p\n⊢ p"], "exact": [], "trace": []}.get(words.split()[0])
        if goals is None:
            return {"message": f"Lean error:\nunknown tactic {words}"}
        self.states.append(words)
        made: dict[str, object] = {"proofState": len(self.states) - 1, "goals": goals}
        return {**made, "traces": ["t"], "sorries": []} if words == "trace" else made


def main() -> None:
    repl, lines = Repl(), []
    for line in sys.stdin:
        if line.strip():
            lines.append(line)
            continue
        message = json.loads("".join(lines))
        lines = []
        if message.get("tactic") == "garble":
            say("uncaught exception: out of memory")
        else:
            say(json.dumps(repl.reply(message), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
