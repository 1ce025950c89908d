"""Every setting of this user, and changing them."""

from itertools import groupby
from typing import Any

from recollect.config import SETTINGS
from recollect.errors import Refused
from recollect.serve import shapes
from recollect.serve.dashboard.visits import Deed, Done, Page, Visit
from recollect.serve.keys import Right


def show(visit: Visit) -> dict[str, Any]:
    found = shapes.settings(visit.memory, (one for one in SETTINGS.values() if not one.at_start))
    for one in found:
        one["is_switch"] = SETTINGS[one["name"]].type is bool
        one["is_number"] = SETTINGS[one["name"]].type in (int, float)
    groups = {name: list(those) for name, those in groupby(found, lambda one: one["name"].split(".")[0])}
    return {"groups": groups, "changed": sum(one["source"] != "default" for one in found)}


def configure(visit: Visit) -> Done:
    """Changes one setting; an empty field takes it back to its default."""
    name = visit.asked.text("name") or ""
    known = SETTINGS.get(name)
    if known is None or known.at_start:
        raise Refused(f"{name}: chosen by whoever starts the service")
    value = visit.asked.text("value")
    visit.memory.configure({name: value})
    return Done(f"{name} is {'at its default' if value is None else value}, from now on", f"/settings#{name}")


PAGES = (Page("settings", "/settings", "Settings", show, key="c"),)
DEEDS = (Deed("configure", "/settings", configure, right=Right.ADMIN),)
