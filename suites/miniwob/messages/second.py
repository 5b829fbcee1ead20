"""Second solutions of the pages of messages, written without a look at their rewards: by search."""

import re

from pytest_cuabench import Case, Pilot

from ..toolkit.keyboard import focus, push, quoted, show, texts


async def _open(pilot: Pilot, sender: str) -> None:
    """Look for a sender, and open the message from the results."""
    await pilot.click("#open-search")
    await pilot.fill("#search-input", sender)
    await pilot.click(f'#search-results .email-thread:has-text("{sender}")')


def _recipient(goal: str) -> str:
    """Return to whom the goal wants a message to be forwarded."""
    found = re.search(r"(?:Give|Send|Forward|[Tt]o) ([A-Z][\w-]*)", goal)
    assert found
    return found[1]


async def _senders(pilot: Pilot) -> list[str]:
    return await texts(pilot, "#main .email-sender")


async def email_inbox(pilot: Pilot, case: Case) -> None:
    """Find the message by search, and do from the open message what the list offers as well."""
    goal = case.goal
    forwards = re.search(r"[Ff]orward|[Gg]ive|[Ss]end|[Ss]ent", goal) and not re.search(
        r"delete|star|reply", goal
    )
    to = _recipient(goal) if forwards else ""
    sender = next(name for name in await _senders(pilot) if name in goal.replace(to, "") if name)
    await _open(pilot, sender)
    if "reply" in goal:
        await pilot.click(".email-reply")
        await focus(pilot, "#reply-text")
        await pilot.type(quoted(case)[0])
        await pilot.click("#send-reply")
    elif to:
        await pilot.click(".email-forward")
        await focus(pilot, ".forward-sender")
        await pilot.type(to)
        await pilot.click("#send-forward")
    else:
        icon = "star" if re.search(r"star|important", goal) else "trash"
        await pilot.click(f"#area .{icon} >> visible=true")


email_inbox_delete = email_inbox_forward = email_inbox_forward_nl = email_inbox_forward_nl_turk = email_inbox
email_inbox_important = email_inbox_nl_turk = email_inbox_noscroll = email_inbox_reply = email_inbox
email_inbox_star_reply = email_inbox


async def phone_book(pilot: Pilot, case: Case) -> None:
    """Go one page too far, and back; then click beside the middle of the link."""
    found = re.search(r"Find (\S+) in the contact book and click on their (.*)\.", case.goal)
    assert found
    name, what = found.groups()
    while (await pilot.read("#contact .name")).strip() != name:
        await pilot.click("#pagination .next a")
    if await pilot.sees("#pagination .next:not(.disabled) a"):
        await pilot.click("#pagination .next a")
        await pilot.click("#pagination .prev a")
    await pilot.click(f"#contact .{what.split()[0]}")


async def search_engine(pilot: Pilot, case: Case) -> None:
    """Press the button by keyboard, and go to the page by its number."""
    found = re.search(r"the (\d+)", case.goal)
    assert found
    await focus(pilot, "#search-text")
    await pilot.type(quoted(case)[0])
    await push(pilot, "#search", "space")
    page, row = divmod(int(found[1]) - 1, len(await texts(pilot, ".search-title")))
    if page:
        await pilot.click(f'#pagination .page-link:text-is("{page + 1}")')
    await pilot.click(f".search-title >> nth={row}")


_ICONS = {"Reply": "reply", "Retweet": "retweet", "Like": "like", "Share": "share"}
_MENU = {
    "Share via DM": "share",
    "Copy link to Tweet": "copy",
    "Embed Tweet": "embed",
    "Mute": "menu-user",
    "Block": "block-user",
    "Report": "report",
}


async def _posts(pilot: Pilot, user: str) -> list[int]:
    """Return the places of the posts by a user."""
    return [place for place, name in enumerate(await texts(pilot, ".media .username")) if name == user]


async def social_media(pilot: Pilot, case: Case) -> None:
    """Use the user's last post."""
    found = re.search(r"For the user (@\S+), click on the \"(.*)\" button", case.goal)
    assert found
    user, action = found.groups()
    post = f".media >> nth={(await _posts(pilot, user))[-1]}"
    if action in _ICONS:
        await show(pilot, button := f"{post} >> .{_ICONS[action]} >> nth=0")
        await pilot.click(button)
        return
    await show(pilot, menu := f"{post} >> .more")
    await pilot.click(menu)
    await show(pilot, entry := f"{post} >> li.{_MENU[action]}")
    await pilot.click(entry)


async def social_media_all(pilot: Pilot, case: Case) -> None:
    """Click from the last post to the first, and submit by keyboard."""
    found = re.search(r"\"(\w+)\" button on (\w+) posts? by (@\w+)", case.goal)
    assert found
    action, number, user = found.groups()
    posts = await _posts(pilot, user)
    for place in list(reversed(posts))[: None if number == "all" else int(number)]:
        await show(pilot, button := f".media >> nth={place} >> .{_ICONS[action]}")
        await pilot.click(button)
    await push(pilot, "#submitRow button", "space")


social_media_some = social_media_all
