"""What was tried, how it went, and whether it goes better with time."""

from collections import Counter
from typing import Any
from urllib.parse import quote

from recollect.serve.dashboard import charts
from recollect.serve.dashboard.visits import Deed, Done, Page, Visit

MOST = 500
SHOWN = 50
WINDOW = 10
HEIGHT = 160.0
ENDINGS = ("all", "open", "won", "lost")


def show(visit: Visit) -> dict[str, Any]:
    chosen = visit.asked.chosen("ending", ENDINGS, "all")
    every = visit.memory.episodes(limit=MOST)
    finished = [one for one in reversed(every) if one.ending != "open"]
    rates = charts.smoothed([one.ending == "won" for one in finished], WINDOW)
    shown = [one for one in every if chosen in ("all", one.ending)]
    return {
        "episodes": shown[:SHOWN],
        "more": max(0, len(shown) - SHOWN),
        "counts": Counter(str(one.ending) for one in every),
        "endings": ENDINGS,
        "ending": chosen,
        "window": WINDOW,
        "curve": {
            "line": charts.path(rates, HEIGHT, top=1.0),
            "height": HEIGHT,
            "last": rates[-1] if rates else None,
            "count": len(rates),
        },
    }


def show_one(visit: Visit) -> dict[str, Any]:
    found = visit.memory.episode_of(visit.asked.named["episode_id"])
    return {"title": "Episode", "episode": found, "steps": visit.memory.trajectory(found.id)}


def undo(visit: Visit) -> Done:
    """Takes the outcome of an episode back."""
    known = visit.memory.undo(visit.asked.named["episode_id"]).id
    return Done("Its outcome is taken back; the episode is open again", f"/episodes/{quote(known, safe='')}")


PAGES = (
    Page("episodes", "/episodes", "Episodes", show, key="e"),
    Page("episode", "/episodes/{episode_id}", "Episode", show_one),
)
DEEDS = (Deed("undo", "/episodes/{episode_id}/undo", undo),)
