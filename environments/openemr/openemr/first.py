"""The first sign-in, before the database is copied: what OpenEMR writes then is no write of any session."""

from __future__ import annotations

import httpx2

from openemr.sessions import Stack
from openemr.stack import StackError

_LOGIN = "/interface/login/login.php?site=default"
_SUBMIT = "/interface/main/main_screen.php?auth=login&site=default"
_SECONDS = 120.0  # a fresh OpenEMR compiles its pages first


def sign_in(stack: Stack) -> None:
    """Sign in to the default site as a session's user will.

    Raises:
        StackError: OpenEMR does not answer, or does not take the user name and password.
    """
    form = {
        "new_login_session_management": "1",
        "languageChoice": "1",
        "authUser": stack.username,
        "clearPass": stack.password,
    }
    try:
        with httpx2.Client(timeout=_SECONDS, trust_env=False) as client:
            page = client.get(stack.address + _LOGIN)
            if page.status_code >= 400 or "authUser" not in page.text:
                raise StackError(f"{stack.address}{_LOGIN} is no login page of OpenEMR ({page.status_code})")
            answer = client.post(stack.address + _SUBMIT, data=form)
    except httpx2.HTTPError as problem:
        raise StackError(f"OpenEMR at {stack.address} does not answer: {type(problem).__name__}") from None
    if answer.status_code >= 400 or "error=1" in answer.text:
        raise StackError(f"OpenEMR at {stack.address} does not let {stack.username} sign in")
