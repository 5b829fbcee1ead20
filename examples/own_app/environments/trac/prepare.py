"""Make a Trac project with a few tickets, whose visitor may change tickets."""

from __future__ import annotations

import sys

from trac.admin.console import run
from trac.env import Environment
from trac.perm import PermissionSystem
from trac.ticket.model import Ticket

TICKETS = (
    ("Watering plan misses the greenhouse", "defect", "major"),
    ("Order new grafting knives", "task", "minor"),
    ("Apple press leaks oil", "defect", "minor"),
    ("Apple press leaks juice", "defect", "critical"),
    ("Paint the tool shed", "enhancement", "trivial"),
)


def main(folder: str) -> None:
    """Fill the project."""
    run([folder, "initenv", "Orchard", "sqlite:db/trac.db"])
    env = Environment(folder)
    for action in ("TICKET_CREATE", "TICKET_ADMIN"):
        PermissionSystem(env).grant_permission("anonymous", action)
    for summary, kind, priority in TICKETS:
        ticket = Ticket(env)
        ticket.populate(
            {
                "summary": summary,
                "type": kind,
                "priority": priority,
                "reporter": "ada",
                "owner": "bo",
                "status": "new",
            }
        )
        ticket.insert()
    env.shutdown()


if __name__ == "__main__":
    main(sys.argv[1])
