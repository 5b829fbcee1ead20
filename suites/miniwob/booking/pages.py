"""Pages on which something is booked or ordered."""

import re

from pytest_cuabench import Case, Pilot

from ..toolkit.dates import pick_date
from ..toolkit.episode import case, check, upstream
from ..toolkit.hands import Solutions, asked, nth, reveal, submits_at_once, texts

__all__ = ["case", "check", "submits_at_once", "upstream"]

solutions = Solutions()
_AREA = "css=#area"


async def solve(pilot: Pilot, case: Case) -> None:
    await solutions.solve(pilot, case)


def _minutes(duration: str) -> int:
    hours, minutes = re.findall(r"\d+", duration)
    return int(hours) * 60 + int(minutes)


def _dollars(price: str) -> int:
    return int(re.findall(r"\$(\d+)", price)[0])


@solutions.of("buy-ticket")
async def _ticket(pilot: Pilot, case: Case) -> None:
    most, what = asked(case, r"with the (\w+(?: expensive)?) (cost|duration)")
    if what == "cost":
        found = [_dollars(text) for text in await texts(pilot, ".buy-ticket")]
    else:
        found = [_minutes(text) for text in await texts(pilot, ".time-duration")]
    best = min(found) if most in ("cheapest", "shortest") else max(found)
    await pilot.click(await reveal(pilot, nth(".buy-ticket", found.index(best)), _AREA))


@solutions.of("book-flight", "book-flight-nodelay")
async def _flight(pilot: Pilot, case: Case) -> None:
    most, start, end, month, day = asked(
        case, r"Book the (\w+) one-way flight from: (.+) to: (.+) on (\d+)/(\d+)/\d+"
    )
    for field, city in (("#flight-from", start), ("#flight-to", end)):
        await pilot.fill(f"css={field}", city)
        offered = await texts(pilot, ".ui-autocomplete .ui-menu-item")
        fitting = next(one for one in offered if one.startswith(f"{city} (") or f"({city})" in one)
        await pilot.fill(f"css={field}", fitting)
        await pilot.press("Tab")
    await pilot.click("css=#datepicker")
    await pick_date(pilot, int(month), int(day))
    await pilot.click(await reveal(pilot, "css=#search", _AREA))
    if most == "cheapest":
        found = [_dollars(text) for text in await texts(pilot, ".flight-price")]
    else:
        found = [_minutes(text) for text in await texts(pilot, ".time-duration")]
    await pilot.click(await reveal(pilot, nth(".flight-price", found.index(min(found))), _AREA))


@solutions.of("order-food")
async def _order(pilot: Pilot, case: Case) -> None:
    if "one of each" in case["utterance"]:
        names = [name.strip() for name in asked(case, r"item: (.+)")[0].split(",")]
        known = [name.strip() for name in await texts(pilot, ".item-name")]
        chosen = [known.index(name) for name in names]
    else:
        number, kind = asked(case, r"Order (\d+) items that are (\S+)")
        fitting = [
            place for place in range(12) if await pilot.sees(f'css=[data-id="{place}"] img[alt="{kind}"]')
        ]
        chosen = (fitting * 4)[: int(number)]
    for place in chosen:
        await pilot.click(await reveal(pilot, f'css=[data-id="{place}"] .add', _AREA))
    await pilot.click(await reveal(pilot, "css=#submit-order button", _AREA))
