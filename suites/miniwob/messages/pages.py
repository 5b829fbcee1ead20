"""Pages like a mailbox, an address book, a search engine and a timeline."""

from pytest_cuabench import Case, Lost, Pilot

from ..toolkit.episode import case, check, upstream
from ..toolkit.hands import Solutions, asked, click_text, nth, reveal, submit, submits_at_once, texts

__all__ = ["case", "check", "submits_at_once", "upstream"]

solutions = Solutions()
_AREA = "css=#area"


async def solve(pilot: Pilot, case: Case) -> None:
    await solutions.solve(pilot, case)


@solutions.of(
    "email-inbox",
    "email-inbox-delete",
    "email-inbox-forward",
    "email-inbox-forward-nl",
    "email-inbox-forward-nl-turk",
    "email-inbox-important",
    "email-inbox-nl-turk",
    "email-inbox-noscroll",
    "email-inbox-reply",
    "email-inbox-star-reply",
)
async def _mail(pilot: Pilot, case: Case) -> None:
    wanted = case["fields"] or _read(case)
    senders = await texts(pilot, "#main .email-thread .email-sender")
    thread = f"#main .email-thread:nth-of-type({senders.index(wanted['by']) + 2})"
    task = wanted.get("task", "forward")
    if task in ("delete", "star"):
        icon = "trash" if task == "delete" else "star"
        await pilot.click(await reveal(pilot, f"css={thread} .{icon}", _AREA))
        return
    await pilot.click(await reveal(pilot, f"css={thread} .email-sender", _AREA))
    await pilot.click(await reveal(pilot, f"css=.email-{task}", _AREA))
    if task == "reply":
        await pilot.fill(await reveal(pilot, "css=#reply-text", _AREA), wanted["message"])
    else:
        await pilot.fill("css=.forward-sender", wanted["to"])
    await pilot.click(f"css=#send-{task}")


def _read(case: Case) -> dict[str, str]:
    goal = case["utterance"]
    if "reply to them" in goal:
        by, message = asked(case, r'by (\S+) and reply to them with the text "(.+)"')
        return {"task": "reply", "by": by, "message": message}
    if "forward that email" in goal:
        by, to = asked(case, r"by (\S+) and forward that email to (.+)\.")
        return {"task": "forward", "by": by, "to": to}
    return {"task": "delete" if "trash" in goal else "star", "by": asked(case, r"by (\S+) and")[0]}


@solutions.of("phone-book")
async def _contact(pilot: Pilot, case: Case) -> None:
    name, what = asked(case, r"Find (.+) in the contact book and click on their (\w+)")
    for _ in range(5):
        if (await pilot.read("css=#contact .name")).strip() == name:
            return await pilot.click(f"css=#contact a.{what}")
        await click_text(pilot, "#pagination a", ">")
    raise Lost(f"the address book has no {name}")


@solutions.of("search-engine")
async def _result(pilot: Pilot, case: Case) -> None:
    name, number = asked(case, r'enter "(.+)" and press "Search", then find and click the (\d+)')
    await pilot.fill("css=#search-text", name)
    await pilot.click("css=#search")
    page, place = divmod(int(number) - 1, 3)
    if page:
        await click_text(pilot, "#pagination a", str(page + 1))
    await pilot.click(nth(".search-title", place))


@solutions.of("social-media")
async def _post(pilot: Pilot, case: Case) -> None:
    user, action = asked(case, r'For the user (\S+), click on the "(.+)" button')
    post = (await _posts_by(pilot, user))[0]
    if action in ("Reply", "Retweet", "Like"):
        await pilot.click(await reveal(pilot, f"{post} .{action.lower()}", _AREA))
        return
    names = {
        "Share via DM": "share",
        "Copy link to Tweet": "copy",
        "Embed Tweet": "embed",
        "Mute": "menu-user",
        "Block": "block-user",
        "Report": "report",
    }
    await pilot.click(await reveal(pilot, f"{post} .more", _AREA))
    await pilot.click(await reveal(pilot, f"{post} .{names[action]}", _AREA))


@solutions.of("social-media-all", "social-media-some")
async def _posts(pilot: Pilot, case: Case) -> None:
    action, number, user = asked(case, r'Click the "(\w+)" button on (all|\d+) posts? by (\S+) and')
    posts = await _posts_by(pilot, user)
    for post in posts if number == "all" else posts[: int(number)]:
        await pilot.click(await reveal(pilot, f"{post} .{action.lower()}", _AREA))
    await reveal(pilot, "css=#submitRow button", _AREA)
    await submit(pilot)


async def _posts_by(pilot: Pilot, user: str) -> list[str]:
    users = await texts(pilot, "#area .media .username")
    return [f"css=#area .media:nth-of-type({number})" for number, one in enumerate(users, 1) if one == user]
