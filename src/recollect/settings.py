"""The settings, in groups: what each is called, what it is unless told otherwise, and what it may be."""

from collections.abc import Callable
from dataclasses import dataclass, field, make_dataclass
from functools import partial
from typing import Any

from recollect.dream.params import DreamParams
from recollect.formulas.gate import GateParams
from recollect.learn.params import DECAYS, LearningParams
from recollect.providers.adapters import NEWEST, NONE, SHA256
from recollect.providers.formats import FORMATS
from recollect.recall.layers import LAYERS
from recollect.recall.profiles import PROFILES
from recollect.write.policy import CONFLICTS, PERSONAL_DATA, EventParams
from recollect.write.rules import rules_from

GATE = GateParams()
DREAM = DreamParams()
EVENTS = EventParams()
LEARNING = LearningParams()


def setting(
    default: Any,
    about: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    at_start: bool = False,
    check: Callable[[Any], object] | None = None,
) -> Any:
    """A field of a settings group, with what it means and what it may be.

    What is read `at_start` belongs to who starts the process: the users of a service cannot change it.
    """
    metadata = {"about": about, "low": low, "high": high, "choices": choices}
    return field(default=default, metadata={**metadata, "at_start": at_start, "check": check})


start_setting = partial(setting, at_start=True)


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """Whether anything is recorded or brought back at all."""

    enabled: bool = setting(True, "off: nothing is recorded and nothing is recalled")
    recording: bool = setting(True, "off: nothing new is recorded; what is known is still recalled")
    recalling: bool = setting(True, "off: nothing is recalled; what is new is still recorded")

    @property
    def records(self) -> bool:
        return self.enabled and self.recording

    @property
    def recalls(self) -> bool:
        return self.enabled and self.recalling


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """How questions are answered."""

    k: int = setting(10, "how many hits a recall gives", low=1, high=1000)
    profile: str = setting("default", "which weighting of the signals ranks", choices=tuple(PROFILES))
    candidates: int = setting(
        50,
        "how many candidates each search arm brings at least; three times k if that is more",
        low=1,
        high=10_000,
    )
    budget_tokens: int = setting(800, "how many tokens `context` may fill", low=16, high=1_000_000)
    full_from: float = setting(
        0.7, "`context` tells a hit in full from this relevance on, and below it in short", low=0.0, high=1.0
    )
    brief_from: float = setting(
        0.4, "`context` leaves out what is less relevant than this; 0: nothing", low=0.0, high=1.0
    )
    window_days: float = setting(
        0.0,
        "only what became true in the last so many days, unless asked otherwise; 0: all",
        low=0.0,
        high=1e6,
    )


LayerSettings = make_dataclass(
    "LayerSettings",
    [(one.name, bool, setting(one.on, one.about)) for one in LAYERS.values()],
    namespace={"__doc__": "Which optional parts of a recall are on.", "__module__": __name__},
    frozen=True,
    slots=True,
)


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """Which model turns texts into vectors."""

    kind: str = start_setting(
        "minilm", "the model: built in, or an OpenAI-compatible endpoint", choices=("minilm", "openai")
    )
    source: str = start_setting(
        "package", "where the built-in model comes from: package, hub, or a folder's path"
    )
    adapter: str = start_setting(
        NEWEST,
        "what the built-in model learnt about memory questions; a store without it stays so until `reembed`",
        choices=(NONE, *SHA256),
    )
    cache: str = start_setting("", "the folder that keeps the model; empty: the user's cache folder")
    threads: int = start_setting(
        0, "threads of the built-in model; 0: as many as the machine has", low=0, high=256
    )
    url: str = start_setting("", "the endpoint's address, such as http://localhost:11434/v1")
    model: str = start_setting("", "the endpoint's model name")
    words: bool = start_setting(True, "keep the vectors of a text's words too, where the embedder gives them")
    quick_questions: bool = start_setting(
        True, "embed questions with rounded weights, where the model has them: about as good, much quicker"
    )
    cached_texts: int = start_setting(
        4096, "how many texts' vectors are kept in memory", low=1, high=10_000_000
    )
    cache_seconds: float = start_setting(1800.0, "how long a text's vector is kept in memory", low=0.001)


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """How the derived index searches."""

    rescore: int = setting(500, "how many of the nearest by bits are scored exactly", low=10, high=1_000_000)
    exact_up_to: int = setting(
        8_192, "up to how many vectors all are scored exactly, in memory", low=0, high=10_000_000
    )
    held_up_to: int = setting(
        32_768,
        "up to how many vectors, and those of their words, are kept in memory as they are stored",
        low=0,
        high=10_000_000,
    )


@dataclass(frozen=True, slots=True)
class FormationSettings:
    """Whether and how memories are formed from what is observed."""

    enabled: bool = setting(True, "form memories from observed messages; the log keeps them either way")
    later: bool = setting(
        False, "come back from `observe` as soon as the messages are kept, and read them in the background"
    )
    conflicts: str = setting(
        "prefer_new", "which of two contradicting statements is believed", choices=CONFLICTS
    )
    reinforce: float = setting(
        GATE.reinforce, "similarity from which a statement says the same as a memory", low=-1.0, high=1.0
    )
    update: float = setting(GATE.update, "similarity from which the two are merged", low=-1.0, high=1.0)
    near: float = setting(
        GATE.near, "similarity from which only something important is new", low=-1.0, high=1.0
    )


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Which language model helps to form memories; none unless one is named, and rules serve where it fails."""

    url: str = start_setting(
        "", "the address of an OpenAI-compatible service, such as http://localhost:11434/v1; empty: none"
    )
    model: str = start_setting("", "the service's model name")
    format: str = start_setting(
        FORMATS[0],
        "how the shape of an answer is asked for; `text` is for services that know no other",
        choices=FORMATS,
    )
    timeout_seconds: float = start_setting(
        10.0, "how long one answer may take; it is tried twice", low=0.01, high=3_600.0
    )
    rest_seconds: float = start_setting(
        60.0, "for how long it is left alone after three failures in a row", low=0.0, high=86_400.0
    )


@dataclass(frozen=True, slots=True)
class PrivacySettings:
    """What may be written, and in which form; secrets are taken out of everything, whatever is said here."""

    personal_data: str = setting(
        "store",
        "keep it with a label; mask it; or mask it in the log, and remember and form nothing that has some",
        choices=PERSONAL_DATA,
    )
    ignore_files: bool = setting(
        True, "nothing is kept of a file that a `.gitignore` or `.secretsignore` above it ignores"
    )
    quarantine: bool = setting(
        True, "a message that reads like an attack stays in the log, asleep, until it is released"
    )
    guard: bool = setting(
        True, "where a message may be an attack or not, a second model looks at it, beside the built-in one"
    )
    rules: str = setting(
        "",
        "who may write what: `allow` or `deny` with source, channel and kind, such as `deny scout * preference`; parted by semicolons, the first that fits decides",
        check=rules_from,
    )


@dataclass(frozen=True, slots=True)
class EventSettings:
    """Which events of agents are taken in."""

    enabled: bool = setting(EVENTS.enabled, "off: events are left out; what is said is still recorded")
    types: str = setting(
        EVENTS.types, "only these types, parted by spaces; `run.*` is all that begin so; empty: every type"
    )
    min_characters: int = setting(
        EVENTS.min_characters, "events that say less are left out", low=0, high=1_000_000
    )
    coherence: float = setting(
        EVENTS.coherence,
        "how like one of the last four of its session an event is for memories to be formed from it; 0: no matter how",
        low=0.0,
        high=1.0,
    )


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """How episodes advise and what their outcomes teach; each part can be switched off."""

    neighbours: int = setting(
        LEARNING.neighbours, "how many similar steps of successes a decision looks at", low=1, high=1000
    )
    temperature: float = setting(
        LEARNING.temperature, "how fast a step counts less as it is less similar", low=0.001, high=10.0
    )
    task_match: float = setting(
        LEARNING.task_match,
        "how much more a step of the same kind of task says (a logarithm)",
        low=0.0,
        high=20.0,
    )
    region_match: float = setting(
        LEARNING.region_match,
        "how much more a step of the same region says, at each level (a logarithm)",
        low=0.0,
        high=20.0,
    )
    chances: bool = setting(LEARNING.chances, "score actions by P(success | region, action)")
    patience: bool = setting(
        LEARNING.patience, "an action that was tried here before counts by what trying again has brought"
    )
    optimism: float = setting(
        LEARNING.optimism,
        "by how many deviations an action that was rarely tried promises more than its chance",
        low=0.0,
        high=10.0,
    )
    sharpness: float = setting(
        LEARNING.sharpness, "to what power a chance counts beside the evidence", low=0.0, high=10.0
    )
    clean: bool = setting(LEARNING.clean, "only successes advise; off: failures do as well")
    trim: bool = setting(LEARNING.trim, "only the steps that brought a success about advise")
    necessity: float = setting(
        LEARNING.necessity,
        "a step that leaves no trace is needed if this share of the successes at the same kind of task had one of its type",
        low=0.0,
        high=1.0,
    )
    value: bool = setting(LEARNING.value, "steps near the success count more")
    gamma: float = setting(
        LEARNING.gamma, "what a step is worth of the one that follows it", low=0.01, high=1.0
    )
    decay: str = setting(
        LEARNING.decay,
        "what a failure takes from the advice at hand: from what was followed for the same kind of task; from all; nothing",
        choices=DECAYS,
    )
    usefulness: bool = setting(LEARNING.usefulness, "count advice by how often following it went well")
    weights: bool = setting(
        LEARNING.weights, "let outcomes teach what each signal of advice weighs, by logistic regression"
    )
    levels: bool = setting(
        LEARNING.levels,
        "let feedback teach what the level that a question asks for weighs beside the content",
    )
    edges: bool = setting(LEARNING.edges, "relate advice to the outcomes that it led to")
    skills: bool = setting(
        LEARNING.skills, "make a skill of what brought about three successes in the same order"
    )
    warnings: bool = setting(
        LEARNING.warnings, "let advice begin with what was criticised in earlier tries at similar goals"
    )
    lens: bool = setting(
        LEARNING.lens, "recall with questions as `contrast`, feedback and outcomes have taught to see them"
    )
    lens_rank: int = setting(
        LEARNING.lens_rank, "how many directions of a question the lens reads and writes", low=2, high=4
    )
    gnn: bool = setting(
        LEARNING.gnn, "let contrasts, feedback and outcomes teach the layer `gnn` what neighbours are worth"
    )
    consolidation: float = setting(
        LEARNING.consolidation,
        "how firmly the lens and the layer `gnn` hold what mattered before; 0: they do not",
        low=0.0,
        high=1e12,
    )
    canary: bool = setting(
        LEARNING.canary, "leave contrasts out that make the answers to past questions worse"
    )
    likeness: float = setting(
        LEARNING.likeness, "similarity from which two situations lie in one region", low=-1.0, high=1.0
    )
    wandering: float = setting(
        LEARNING.wandering,
        "how much a step that a success did not need counts as a failed try",
        low=0.0,
        high=1.0,
    )
    pseudo_counts: float = setting(
        LEARNING.pseudo_counts,
        "how many tries it takes to outweigh what is known in general",
        low=0.001,
        high=1000.0,
    )


@dataclass(frozen=True, slots=True)
class DreamSettings:
    """How memories strengthen by use, fade without it, and sleep."""

    strengthen: bool = setting(
        True, "a recall strengthens what it brings, what lies beside that, and what came to mind with it"
    )
    hot_tier: bool = setting(True, "`context` begins with what has proved most useful of late")
    curve: str = setting(DREAM.curve, "which forgetting curve a dream goes by", choices=("power", "fsrs6"))
    batch: int = setting(
        DREAM.batch, "how many memories one transaction of a dream changes at most", low=1, high=10_000
    )
    rehearsals: int = setting(
        DREAM.rehearsals, "how many memories that are about to be lost a dream asks for", low=0, high=5_000
    )
    capacity: int = setting(
        DREAM.capacity, "above how many awake memories the least useful sleep", low=1, high=100_000_000
    )
    themes: bool = setting(
        DREAM.themes, "make memories that tell what others are about: themes, patterns, summaries of a kind"
    )
    archive_days: float = setting(
        DREAM.archive_days,
        "after how many days without use what has not proved itself sleeps; 0: never",
        low=0.0,
        high=36_500.0,
    )


@dataclass(frozen=True, slots=True)
class WorkingSettings:
    """How long something stays in mind in a conversation, and how much."""

    ttl_seconds: float = setting(
        3_600.0, "after so long working memory is gone", low=0.001, high=31_536_000.0
    )
    turns: int = setting(50, "how many turns of a conversation stay in mind", low=1, high=100_000)
    thoughts: int = setting(50, "how many thoughts stay in mind", low=1, high=100_000)
    states: int = setting(500, "how many states of a conversation stay in mind", low=1, high=100_000)


@dataclass(frozen=True, slots=True)
class RedisSettings:
    """A Redis server that services share beside the store."""

    url: str = start_setting(
        "",
        "where working memory, the vectors of questions and the rates of callers lie, such as redis://cache:6379/0; empty: in each process",
    )
    timeout_seconds: float = start_setting(
        0.25, "after so long without an answer each process goes on by itself", low=0.01, high=60.0
    )
    retry_seconds: float = start_setting(
        1.0, "how often a server that is away is looked for", low=0.01, high=3_600.0
    )


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """How often `recollect worker` does each of its jobs, in minutes."""

    consolidate: float = setting(
        15.0, "what was felt, and what came to mind together", low=0.001, high=5_256_000.0
    )
    promote: float = setting(60.0, "which memories have proved themselves", low=0.001, high=5_256_000.0)
    patterns: float = setting(60.0, "what belongs together, with `dream.themes`", low=0.001, high=5_256_000.0)
    decay: float = setting(
        1440.0, "fading, and rehearsal of what is about to be lost", low=0.001, high=5_256_000.0
    )
    cleanup: float = setting(
        1440.0, "what sleeps: over, contradicted, useless, repeated, unused", low=0.001, high=5_256_000.0
    )
    audit: float = setting(
        1440.0, "what was read longer ago than `audit.retention_days`", low=0.001, high=5_256_000.0
    )


@dataclass(frozen=True, slots=True)
class SharedSettings:
    """What is given to others, and what of theirs is asked; nothing leaves but by `publish` and `grant`."""

    enabled: bool = setting(False, "a recall also asks the library of what others published")
    store: str = start_setting(
        "",
        "where the library is: a store's path or address, or a service's (https://host:8420); empty: in this store",
    )
    channels: bool = setting(True, "a recall in a channel also looks into what others granted of it")
    deadline_ms: float = setting(
        200.0,
        "how long a recall waits for the library, from its start; then it answers without",
        low=1.0,
        high=60_000.0,
    )
    coordinate_minutes: float = setting(
        15.0,
        "how often a worker lets what was reported of published items move their ranks",
        low=0.001,
        high=5_256_000.0,
    )
    author: str = setting("", "the name under which one publishes; empty: the user's name")
    unpublished: str = setting(
        "keep",
        "what becomes of an item's versions when it is unpublished: they stay for its owner, or are erased, also from copies",
        choices=("keep", "erase"),
    )


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """What a question to the graph may take."""

    cypher_seconds: float = start_setting(
        5.0, "how long a Cypher query may take before it is stopped", low=0.1, high=600.0
    )
    cypher_megabytes: int = start_setting(
        1_024, "how much memory a Cypher query may take beside the graph itself", low=64, high=1_000_000
    )


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """What is kept of what was read; what was written is in the witness chain at every level."""

    level: str = setting(
        "writes",
        "what is kept of reads: nothing, nor is it shown; nothing; what was brought back, when and to whom;"
        " the question, the scores and the times too",
        choices=("off", "writes", "reads", "verbose"),
    )
    retention_days: float = setting(
        0.0, "after how many days a worker removes what was read; 0: never", low=0.0, high=36_500.0
    )


@dataclass(frozen=True, slots=True)
class OpsSettings:
    """The ops log: what was decided, a line of JSON each, written beside the work."""

    log: str = start_setting("", "the file that it is written to; empty: none")
    content: bool = start_setting(False, "with the texts and the reasons, which may quote them")
    max_bytes: int = start_setting(
        10_000_000, "from which size on the file is rotated", low=1_000, high=10_000_000_000
    )
    files: int = start_setting(5, "how many files there are at most, with the present one", low=1, high=1_000)
    waiting: int = start_setting(
        10_000, "how many lines may wait to be written; more are dropped and counted", low=1, high=10_000_000
    )


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """How `recollect serve` shares the machine among its callers."""

    workers: int = start_setting(0, "worker processes; 0: one a core, at most 4", low=0, high=256)
    threads: int = start_setting(1, "threads of a worker that answer", low=1, high=256)
    queue: int = start_setting(256, "requests that may wait for a worker's threads", low=1, high=100_000)
    open_users: int = start_setting(64, "users whose index a worker keeps open", low=1, high=100_000)
    requests_per_second: float = start_setting(
        100.0, "requests of one key a second, over all workers; 0: as many as come", low=0.0, high=1e6
    )
    max_request_bytes: int = start_setting(
        10_000_000, "the largest request, except for an import", low=1_000, high=1_000_000_000
    )
    max_import_bytes: int = start_setting(
        1_000_000_000, "the largest import", low=1_000, high=1_000_000_000_000
    )
    timeout_seconds: float = start_setting(30.0, "how long a request may take", low=0.05, high=3_600.0)
    slow_timeout_seconds: float = start_setting(
        600.0, "how long an import, a snapshot or the like may take", low=0.05, high=86_400.0
    )
    drain_seconds: int = start_setting(
        30, "how long requests in flight may take to end when the service stops", low=1, high=3_600
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All groups together."""

    memory: MemorySettings = MemorySettings()
    recall: RecallSettings = RecallSettings()
    layers: LayerSettings = LayerSettings()  # type: ignore[valid-type] # noqa: RUF009 - its fields are the list of layers
    embedder: EmbedderSettings = EmbedderSettings()
    index: IndexSettings = IndexSettings()
    formation: FormationSettings = FormationSettings()
    llm: LlmSettings = LlmSettings()
    events: EventSettings = EventSettings()
    privacy: PrivacySettings = PrivacySettings()
    learning: LearningSettings = LearningSettings()
    dream: DreamSettings = DreamSettings()
    working: WorkingSettings = WorkingSettings()
    redis: RedisSettings = RedisSettings()
    worker: WorkerSettings = WorkerSettings()
    shared: SharedSettings = SharedSettings()
    graph: GraphSettings = GraphSettings()
    audit: AuditSettings = AuditSettings()
    ops: OpsSettings = OpsSettings()
    service: ServiceSettings = ServiceSettings()
