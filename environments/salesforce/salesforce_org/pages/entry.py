"""Into the org and out of it: the login page, links that sign a browser in, and logging out."""

from __future__ import annotations

import re

from starlette.responses import RedirectResponse, Response

from salesforce_org.access import Refused, admit
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import COOKIE, Visit

HOME = "/lightning/page/home"
REMEMBERED = "rememberedUsername"
SENTENCES = {
    "wrong": "Check your username and password. If you still can't log in, ask your Salesforce administrator for help.",
    "inactive": "This user is not active, so it can't log in. Ask your Salesforce administrator for help.",
    "frozen": "This user is frozen, so it can't log in for now. Ask your Salesforce administrator for help.",
}
_LOCAL = re.compile(r"/(?![/\\])[^\s\\]*")
_YEAR = 365 * 24 * 3600


@page("GET", "/", anyone=True)
def entrance(visit: Visit) -> Response:
    """Lead to the home page, by way of the login page where nobody is signed in."""
    return visit.go(HOME if visit.login else "/login")


@page("GET", "/login", anyone=True)
def login(visit: Visit) -> Response:
    """Ask who it is; whoever is signed in goes on."""
    if visit.login is not None:
        return visit.go(local(visit.query.get("startURL", "")))
    return _ask(visit, visit.cookies.get(REMEMBERED, ""), "")


@page("POST", "/login", anyone=True)
def enter(visit: Visit) -> Response:
    """Sign in with username and password."""
    username = visit.field("username")
    try:
        user = visit.session.access.sign_in(visit.org, username, str(visit.form.get("password", "")))
    except Refused as refusal:
        return _ask(visit, username, SENTENCES[refusal.kind])
    response = visit.sign_in(user["Id"], local(visit.query.get("startURL", "")))
    if visit.form.get("remember"):
        response.set_cookie(REMEMBERED, _cookie_safe(username), _YEAR, httponly=True, samesite="strict")
    else:
        response.delete_cookie(REMEMBERED)
    return response


@page("GET", "/secur/frontdoor.jsp", anyone=True)
def front_door(visit: Visit) -> Response:
    """Sign in with a one-time token or an access token, and go on to a page of the org."""
    user = visit.org.get("User", visit.session.access.redeem(visit.query.get("sid", "")))
    if user is None:
        return visit.go("/login")
    try:
        admit(visit.org, user)
    except Refused as refusal:
        return _ask(visit, "", SENTENCES[refusal.kind])
    return visit.sign_in(user["Id"], local(visit.query.get("retURL", "")))


@page("GET", "/secur/logout.jsp", anyone=True)
def leave(visit: Visit) -> Response:
    """Sign out."""
    visit.sign_out()
    response = RedirectResponse("/login", 303)
    response.delete_cookie(COOKIE)
    return response


def local(path: str) -> str:
    """Return an address within the org; anything else becomes the home page."""
    return path if _LOCAL.fullmatch(path) else HOME


def _ask(visit: Visit, username: str, problem: str) -> Response:
    remembered = bool(visit.cookies.get(REMEMBERED))
    return visit.render("entry/login.html", username=username, problem=problem, remembered=remembered)


def _cookie_safe(username: str) -> str:
    """Return a username that a cookie can hold; a stranger one is not remembered."""
    return username if re.fullmatch(r"[\w.@+-]{1,80}", username, re.ASCII) else ""
