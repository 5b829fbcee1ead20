"""Smart infusion pumps of an intensive care unit: front panels, drug library, orders, dashboard."""

from pathlib import Path

from clinic.application import Application, Page, form
from clinic.applications.infusion_pump import choices, fleet, keys, library, orders, programming
from clinic.applications.infusion_pump.seed import fill

PUMP = "/pumps/{mrn}"
CHANNEL = f"{PUMP}/{{letter}}"

APPLICATION = Application(
    name="infusion_pump",
    folder=Path(__file__).parent,
    seed=fill,
    choices=choices,
    home="/pumps",
    pages=(
        Page("GET", "/pumps", fleet.show),
        Page("GET", "/log", fleet.log),
        Page("GET", "/library", library.show),
        Page("GET", "/library/{id}", library.show_entry),
        Page("GET", "/orders", orders.show_unit),
        *form(f"{PUMP}/orders", orders.show, orders.query),
        Page("GET", CHANNEL, keys.show),
        Page("POST", f"{CHANNEL}/start", keys.start),
        Page("POST", f"{CHANNEL}/hold", keys.hold),
        Page("POST", f"{CHANNEL}/off", keys.off),
        Page("POST", f"{CHANNEL}/silence", keys.silence),
        Page("POST", f"{CHANNEL}/alarms/{{id}}", keys.clear),
        *form(f"{CHANNEL}/volume", keys.show_volume, keys.save_volume),
        Page("GET", f"{CHANNEL}/drugs", programming.choose),
        Page("GET", f"{CHANNEL}/areas", programming.areas),
        *form(f"{CHANNEL}/program", programming.show, programming.save),
        *form(f"{CHANNEL}/titrate", programming.show_titration, programming.titrate),
    ),
)
