"""What is sent to the graph and what it answers, for validation and OpenAPI."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from recollect.graph.balls import LEAST, MOST
from recollect.graph.cypher import MOST_ROWS
from recollect.graph.guard import MOST_CHARACTERS
from recollect.serve.http.models import Hit, Memory, Text, Word
from recollect.serve.http.sending import Sent


class Cypher(Sent):
    """A query in Cypher, which can only read."""

    query: Annotated[
        str,
        Field(min_length=1, max_length=MOST_CHARACTERS, examples=["MATCH (m:Memory) RETURN m.text LIMIT 5"]),
    ]
    parameters: dict[Word, Any] | None = Field(None, description="Values for $name in the query.")
    near: dict[Word, Text] | None = Field(
        None, max_length=10, description="For $name: ids and scores of what is most like the text."
    )
    limit: int = Field(1_000, ge=1, le=MOST_ROWS)


class CypherTable(BaseModel):
    """Columns and rows; a node is an object with `node`, its label, a link one with `link`, its type."""

    columns: list[str]
    rows: list[list[Any]]
    truncated: bool
    elapsed_ms: float


class GraphNode(BaseModel):
    id: str
    label: str
    text: str


class GraphLink(BaseModel):
    source: str
    target: str
    type: str
    weight: float


class Hub(GraphNode):
    """Something that much is related to."""

    degree: int
    share: float


class Hubs(BaseModel):
    hubs: list[Hub]


class Community(BaseModel):
    """What is related to each other more than to the rest."""

    members: list[GraphNode]
    inside: float


class Communities(BaseModel):
    communities: list[Community]


class GraphPath(BaseModel):
    """How two nodes are related."""

    nodes: list[GraphNode]
    links: list[GraphLink]
    weight: float


class CurvatureTrial(BaseModel):
    """A curvature on trial beside the usual one."""

    curvature: float
    share: float
    judged: dict[str, tuple[int, int]] = Field(
        description="Of the `usual` side and the `trial`, how many hits helped and how many did not."
    )


class Geometry(BaseModel):
    """What is known of one channel's levels."""

    channel: str
    nodes: int
    levels: list[int] = Field(description="How many there are of each depth.")
    told_by_text: float | None
    flat: float | None
    curved: float | None
    curvature: float | None
    spread: float | None
    benefits: bool
    used: float | None = Field(
        description="The curvature that recalls go by; null where none was fitted or chosen."
    )
    fitted_at: str | None
    trial: CurvatureTrial | None


class Geometries(BaseModel):
    channels: list[Geometry]


class Curvature(Sent):
    """How a channel is laid out from the next recall on."""

    curvature: float = Field(ge=LEAST, le=MOST)
    channel: Word | None = None
    trial: float | None = Field(
        None, gt=0, lt=1, description="Only for this share of the questions; feedback decides which stays."
    )


class Neighbour(Memory):
    """A memory, and how many links it is away from the hits."""

    hops: int


class Neighbourhood(BaseModel):
    """Hits, with what lies a few links around them."""

    hits: list[Hit]
    neighbours: list[Neighbour]
    links: list[GraphLink]


class InOrder(BaseModel):
    """What belongs to an episode, each after all that led to it."""

    memories: list[Memory]
