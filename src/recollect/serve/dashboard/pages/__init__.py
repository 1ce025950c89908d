"""The pages, one a module; the menu is in the order of this list."""

from recollect.serve.dashboard.pages import (
    audit,
    dreams,
    episodes,
    graph,
    map,  # noqa: A004 - what people call it
    memory,
    overview,
    review,
    search,
    settings,
    sharing,
    timeline,
)

MODULES = (overview, search, map, graph, timeline, episodes, dreams, review, sharing, settings, audit, memory)
PAGES = tuple(page for module in MODULES for page in module.PAGES)
DEEDS = tuple(deed for module in MODULES for deed in getattr(module, "DEEDS", ()))
FEEDS = tuple(feed for module in MODULES for feed in getattr(module, "FEEDS", ()))
MENU = tuple(page for page in PAGES if page.key)
