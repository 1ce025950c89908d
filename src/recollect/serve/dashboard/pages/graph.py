"""Questions to the graph in Cypher: their rows, and the nodes and links among them as a picture."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.errors import RecollectError
from recollect.serve.dashboard.charts import COLOURS, WIDTH
from recollect.serve.dashboard.drawing import clip
from recollect.serve.dashboard.visits import Page, Visit
from recollect.serve.keys import Right


class Example(NamedTuple):
    """A query to begin with, and the text that `$near` is about, if it has one."""

    q: str
    near: str = ""


EXAMPLES = (
    Example("MATCH (m:Memory)-[r]->(n) RETURN m, r, n LIMIT 30"),
    Example(
        "MATCH (m)-[:has_tag]->(t:Tag) RETURN t.name, count(*) AS memories ORDER BY memories DESC LIMIT 10"
    ),
    Example(
        "MATCH (s:Step)-[:part_of]->(e:Episode) RETURN e.text, count(s) AS steps ORDER BY steps DESC LIMIT 10"
    ),
    Example(
        "UNWIND $near AS s MATCH (m {id: s.id})-[r]-(n) RETURN m, r, n, s.score LIMIT 20", near="deploys"
    ),
)
ROWS = 200
DRAWN = 80
CAPTIONED, CAPTION = 24, 28
"""So many nodes have room for a caption of so many characters each; of more, what they say is told when pointed at."""
NODE_RADIUS = 9.0
EDGE = 110.0
"""So near to an edge a caption begins, or ends, at its node."""
HEIGHT = 560.0
MARGIN = 40.0
ROUNDS = 120


def show(visit: Visit) -> dict[str, Any]:
    query = visit.asked.text("q")
    may_ask = Right.ADMIN in visit.rights
    near = visit.asked.text("near")
    shown: dict[str, Any] = {
        "q": query or "",
        "near": near or "",
        "examples": EXAMPLES,
        "may_ask": may_ask,
        "found": None,
        "problem": None,
    }
    if query is None or not may_ask:
        return shown
    try:
        found = visit.memory.cypher(query, near=None if near is None else {"near": near}, limit=ROWS)
    except RecollectError as error:
        return shown | {"problem": str(error)}
    rows = [[_cell(value) for value in row] for row in found.rows]
    return shown | {"found": found, "rows": rows, "picture": picture(found.rows)}


def picture(rows: Any) -> dict[str, Any] | None:
    """The nodes and links among some values, each with its place; None where there are none."""
    nodes: dict[str, dict[str, Any]] = {}
    links: dict[tuple[str, str, str], None] = {}
    waiting = [*rows]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict) and "node" in value:
            nodes.setdefault(value["id"], value)
        elif isinstance(value, dict) and "link" in value:
            links[value["source"], value["target"], value["link"]] = None
        elif isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list | tuple):
            waiting += value
    ids = sorted(nodes)[:DRAWN]
    if not ids:
        return None
    at = {one: place for place, one in enumerate(ids)}
    joined = [(at[one], at[other], type_) for one, other, type_ in links if one in at and other in at]
    labels = sorted({nodes[one]["node"] for one in ids})
    places = laid_out(len(ids), [(one, other) for one, other, _ in joined])
    return {
        "height": HEIGHT,
        "left_out": len(nodes) - len(ids),
        "types": sorted({type_ for _, _, type_ in joined}),
        "labels": [{"name": label, "colour": number % COLOURS} for number, label in enumerate(labels)],
        "links": [
            dict(zip(("x1", "y1", "x2", "y2"), _line(places[a], places[b]), strict=True), type=type_)
            for a, b, type_ in joined
        ],
        "nodes": [
            {
                "id": one,
                "x": places[at[one], 0],
                "y": places[at[one], 1],
                "text": clip(_said(nodes[one]), 90),
                "caption": clip(_said(nodes[one]), CAPTION) if len(ids) <= CAPTIONED else "",
                "side": "begins"
                if places[at[one], 0] < EDGE
                else "ends"
                if places[at[one], 0] > WIDTH - EDGE
                else "",
                "is_memory": nodes[one]["node"] not in ("Entity", "Tag"),
                "colour": labels.index(nodes[one]["node"]) % COLOURS,
            }
            for one in ids
        ],
    }


def _line(one: NDArray[np.float64], other: NDArray[np.float64]) -> list[float]:
    """From the rim of a node to the rim of another, so that the arrow's head is seen."""
    way = other - one
    rim = NODE_RADIUS * way / max(float(np.hypot(*way)), 2 * NODE_RADIUS)
    return [round(float(number), 1) for number in (*(one + rim), *(other - rim))]


def laid_out(count: int, links: list[tuple[int, int]]) -> NDArray[np.float64]:
    """Places in the picture: links pull, all push each other away (Fruchterman & Reingold 1991); always the same.

    >>> laid_out(1, []).tolist()
    [[500.0, 280.0]]
    """
    if count == 1:
        return np.array([[WIDTH / 2, HEIGHT / 2]])
    turn = 2 * np.pi * np.arange(count) / count
    places = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    ends = np.array(links, np.intp).reshape(-1, 2)
    apart = 2.0 / np.sqrt(count)
    for step in range(ROUNDS):
        between = places[:, None] - places[None, :]
        distance = np.maximum(np.linalg.norm(between, axis=2), 1e-6)
        # What is far away pushes no more and all lean to the middle: parts that nothing joins stay beside each other.
        push = np.where(distance < 3 * apart, apart**2 / distance**2, 0.0)
        moved = (between * push[:, :, None]).sum(axis=1) - places * apart
        pull = places[ends[:, 0]] - places[ends[:, 1]]
        pull = pull * (np.linalg.norm(pull, axis=1, keepdims=True) / apart)
        np.add.at(moved, ends[:, 0], -pull)
        np.add.at(moved, ends[:, 1], pull)
        far = np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-9)
        places = places + moved / far * np.minimum(far, 0.1 * (1 - step / ROUNDS))
    low, high = places.min(axis=0), places.max(axis=0)
    room = np.array([WIDTH, HEIGHT]) - 2 * MARGIN
    spread: NDArray[np.float64] = MARGIN + room * (places - low) / np.maximum(high - low, 1e-9)
    return spread.round(1)


def _cell(value: Any) -> dict[str, Any]:
    """What a cell shows, and where it leads."""
    if isinstance(value, dict) and "node" in value:
        leads = value["id"] if value["node"] not in ("Entity", "Tag") else None
        return {"text": clip(_said(value), 160), "about": value["node"], "leads": leads}
    if isinstance(value, dict) and "link" in value:
        return {"text": value["link"], "about": "", "leads": None}
    return {"text": clip(str(value) if value is not None else "", 300), "about": "", "leads": None}


def _said(node: Any) -> str:
    return str(node.get("text") or node.get("name") or node["id"])


PAGES = (Page("graph", "/graph", "Graph", show, key="g", slow=True),)
