"""Sending an email from a record: a message, and the task that stands for it in the timeline."""

from __future__ import annotations

import re

from starlette.responses import Response

from salesforce_org.pages.activities import PEOPLE, panel
from salesforce_org.pages.dialogs import found
from salesforce_org.pages.formats import record_href
from salesforce_org.pages.inputs import Input
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import Visit
from salesforce_org.store import Record, SObject
from salesforce_org.store.errors import OrgError

_ADDRESS = re.compile(r"[^@\s,;<>()]+@[^@\s,;<>()]+\.[A-Za-z]{2,}")


@page("POST", "/lightning/r/{object}/{id}/activity/email")
def send(visit: Visit) -> Response:
    """Send an email."""
    kind, row = found(visit)
    to = [one for one in re.split(r"[;,\s]+", visit.field("To")) if one]
    error = "" if to else "Enter at least one recipient."
    if to and not all(_ADDRESS.fullmatch(one) for one in to):
        error = "Enter valid email addresses."
    if not error:
        try:
            with visit.org.transaction():
                _write(visit, kind, row, to)
        except OrgError as problem:
            error = problem.message
        else:
            return visit.go(record_href(kind.name, row["Id"]), "Email sent.")
    filled = {"email": [Input("To", "To", "text", visit.field("To"), error=error)]}
    context = panel(visit.org, kind, row, filled)
    return visit.render(
        "activity/panel.html", **context, email_subject=visit.field("Subject"), email_body=visit.field("Body")
    )


def _write(visit: Visit, kind: SObject, row: Record, to: list[str]) -> None:
    """Write the message and its task; the task's subject says what it is, its description is the whole email."""
    subject, body = visit.field("Subject"), visit.field("Body")
    target = {"WhoId" if kind.name in PEOPLE else "WhatId": row["Id"]}
    described = f"To: {'; '.join(to)}\nCC: {visit.field('Cc')}\nSubject: {subject}\nBody:\n{body}"
    task = visit.org.insert(
        "Task",
        Subject=f"Email: {subject}",
        Description=described,
        TaskSubtype="Email",
        Status="Completed",
        ActivityDate=visit.org.today().isoformat(),
        **target,
    )
    message = {
        "Subject": subject,
        "TextBody": body,
        "FromAddress": visit.user.get("Email"),
        "ToAddress": "; ".join(to),
        "CcAddress": visit.field("Cc"),
        "ActivityId": task,
        "RelatedToId": row["Id"] if kind.name not in PEOPLE else None,
        "ParentId": row["Id"] if kind.name == "Case" else None,
        "Status": "3",
    }
    known = {
        name: value
        for name, value in message.items()
        if visit.org.schema["EmailMessage"].field(name) and value
    }
    with visit.org.unchecked():
        visit.org.insert("EmailMessage", **known)
