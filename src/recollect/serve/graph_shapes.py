"""What the verbs of the graph give, as JSON has it: the same in the shell and over HTTP."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from recollect.exchange.values import memory_value
from recollect.serve.shapes import recalled_hit

if TYPE_CHECKING:
    from recollect.engine.refining import Neighbourhood
    from recollect.graph.analytics import Community, Hub, Link, Node, Path
    from recollect.graph.cypher import Table
    from recollect.graph.geometry import Geometry
    from recollect.model import Edge


def cypher_table(found: "Table") -> dict[str, Any]:
    return {
        "columns": list(found.columns),
        "rows": [list(row) for row in found.rows],
        "truncated": found.truncated,
        "elapsed_ms": round(found.elapsed_ms, 3),
    }


def hub(one: "Hub") -> dict[str, Any]:
    return {**node(one.node), "degree": one.degree, "share": one.share}


def community(one: "Community") -> dict[str, Any]:
    return {"members": [node(member) for member in one.members], "inside": one.inside}


def path(one: "Path") -> dict[str, Any]:
    return {
        "nodes": [node(passed) for passed in one.nodes],
        "links": [link(step) for step in one.links],
        "weight": one.weight,
    }


def link(one: "Link | Edge") -> dict[str, Any]:
    return {"source": one.source, "target": one.target, "type": one.type, "weight": one.weight}


def neighbourhood(found: "Neighbourhood") -> dict[str, Any]:
    return {
        "hits": [recalled_hit(hit) for hit in found.hits],
        "neighbours": [memory_value(one.memory) | {"hops": one.hops} for one in found.neighbours],
        "links": [link(edge) for edge in found.edges],
    }


def geometry(one: "Geometry") -> dict[str, Any]:
    return {**asdict(one), "levels": list(one.levels), "benefits": one.benefits}


def node(one: "Node") -> dict[str, Any]:
    return {"id": one.id, "label": one.label, "text": one.text}
