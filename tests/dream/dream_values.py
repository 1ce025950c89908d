"""What the tests of dreams are made of: memories that were used, idle or useless, and all that can be seen of them."""

from dataclasses import fields

from recollect import Filter, Lane
from recollect.dream.committing import ASLEEP
from recollect.dream.cycle import dream
from recollect.model import Counters, Memory, State
from recollect.ports import Changes

FORMED = Filter(lanes=(Lane.MEMORY,), any_session=True)
UNSEEN = {"version", "recorded_at", "retired_at"}
"""What nobody is shown of a memory."""


def keep(memory, text, **values):
    """Remembers a text and gives its id."""
    return memory.remember(text, **values).id


def teach(memory, memory_id, *, accesses=0, **counters):
    """Sets what use has taught about a memory."""
    used = {memory_id: (accesses, memory._clock.now())} if accesses else {}
    memory.store.write(
        "ada", Changes("teach", memory._clock.now(), counters={memory_id: counters}, accesses=used)
    )


def learnt(memory, memory_id):
    return memory.store.counters("ada", [memory_id]).get(memory_id, Counters())


def sleeps(memory, memory_id):
    return memory.get(memory_id).state is State.DORMANT


def rule(memory, memory_id):
    """By which rule a memory sleeps."""
    known = memory.store.record("ada", ASLEEP, memory_id)
    return None if known is None else known.value["rule"]


def only(memory, *steps, **params):
    """A dream of these steps alone, with other thresholds if they are given."""
    from dataclasses import replace

    chosen = replace(memory._dream_params(), **params)
    return dream(memory._dreamer(chosen, steps))


def view(memory):
    """All that is seen of the awake memories: what they say, what use has taught, how they are related."""
    found = memory.store.find("ada", FORMED)
    shown = [field.name for field in fields(Memory) if field.name not in UNSEEN]
    counters = memory.store.counters("ada", [one.id for one in found])
    edges = {(e.source, e.target, e.type, e.weight, e.recorded_at) for e in memory.store.all_edges("ada")}
    return (
        {one.id: {name: getattr(one, name) for name in shown} for one in found},
        {one.id: counters.get(one.id, Counters()) for one in found},
        edges,
    )
