"""Results as JSON-shaped values: the shapes that `--json` promises."""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from recollect.exchange.values import edge_value, iso, memory_value
from recollect.language.parts import parts_of
from recollect.model import AuditEntry, Counters, Edge, Memory
from recollect.recall.hits import Hit, Recall, Trace
from recollect.stores.address import without_password

# It brings the secret detectors, which a verb's `--help` does not wait for.
if TYPE_CHECKING:
    from recollect.config import Setting
    from recollect.dream.intentions import Due
    from recollect.dream.runs import Run
    from recollect.engine import Recollect
    from recollect.engine.auditing import AuditPage
    from recollect.engine.bundling import Bundle
    from recollect.formulas.quality import Quality
    from recollect.learn.values import Advice, Episode, Outcome, Precedent, Step
    from recollect.shared.grants import Grant
    from recollect.shared.items import Item
    from recollect.shared.preview import Preview
    from recollect.working.gaps import Gap
    from recollect.working.goals import Goal
    from recollect.working.memory import StateHit
    from recollect.working.portrait import Portrait
    from recollect.write.result import Formed, Remembered
    from recollect.write.reviewing import Review


def remembered(result: "Remembered") -> dict[str, Any]:
    """What became of one text."""
    return {
        "id": result.id,
        "action": str(result.action),
        "reason": result.reason,
        "text": result.text,
        "redactions": [{"kind": found.kind, "reason": found.reason} for found in result.redactions],
        "supersedes": result.supersedes,
    }


def observed(turns: "list[Remembered]", *, dry_run: bool = False) -> dict[str, Any]:
    """What became of a conversation, and of what its messages state where memories are formed from it."""
    told = []
    for turn in turns:
        formed = {"formed": [_formed(one) for one in turn.formed]} if turn.formed else {}
        told.append(remembered(turn) | formed)
    kept = 0 if dry_run else sum(turn.kept for turn in turns)
    return {"kept": kept, "turns": told}


def _formed(one: "Formed") -> dict[str, Any]:
    return {
        "action": str(one.action),
        "stage": one.stage,
        "reason": one.reason,
        "text": one.text,
        "id": one.id,
        "kind": one.kind,
        "supersedes": list(one.supersedes),
    }


def recalled(found: Recall) -> dict[str, Any]:
    """The hits of a question, best first, and how they were found."""
    return {"query": found.query, "hits": [recalled_hit(hit) for hit in found], "trace": _trace(found.trace)}


def detailed(memory: Memory, counters: Counters, edges: list[Edge]) -> dict[str, Any]:
    """All that is known about one memory."""
    used = {"access_count": counters.access_count, "last_accessed_at": iso(counters.last_accessed_at)}
    return memory_value(memory) | {"counters": used, "edges": [edge_value(edge) for edge in edges]}


def audited(page: "AuditPage") -> dict[str, Any]:
    """What was written and read, and where the next entries begin."""
    return {"entries": [_audit_entry(one) for one in page], "next": page.next}


def _audit_entry(one: AuditEntry) -> dict[str, Any]:
    return {
        "id": one.id,
        "at": iso(one.at),
        "operation": one.operation,
        "sequence": one.sequence,
        "actor": one.actor,
        "session": one.session,
        "channel": one.channel,
        "ids": list(one.ids),
        "cross_channel": list(one.cross_channel),
        "detail": dict(one.detail),
    }


def episode(one: "Episode") -> dict[str, Any]:
    """One try at a goal."""
    return {
        "id": one.id,
        "goal": one.goal,
        "task_type": one.task_type,
        "channel": one.channel,
        "session": one.session,
        "started_at": iso(one.started_at),
        "ending": str(one.ending),
    }


def quality(one: "Quality | None") -> dict[str, Any] | None:
    """How good an episode was; nothing while it is open."""
    return None if one is None else {"score": one.score, "reason": one.reason}


def step(one: "Step") -> dict[str, Any]:
    """What was done in one situation."""
    return {
        "id": one.id,
        "place": one.place,
        "state": parts_of(one.state),
        "action": one.action,
        "action_type": one.action_type,
        "command": one.command,
        "observation": one.observation,
        "reward": one.reward,
        "possible": None if one.possible is None else sorted(one.possible),
        "ok": one.ok,
        "latency_ms": one.latency_ms,
        "at": iso(one.at),
    }


def advice(given: "Advice") -> dict[str, Any]:
    """What memory says about a situation."""
    return {
        "best": given.best,
        "region": given.region,
        "choices": [
            {"action": one.action, "score": one.score, "evidence": one.evidence, "chance": one.chance}
            for one in given.choices
        ],
        "precedents": [precedent(one) for one in given.precedents],
        "warnings": list(given.warnings),
    }


def precedent(one: "Precedent") -> dict[str, Any]:
    """A step of an earlier success."""
    return {
        "id": one.id,
        "episode": one.episode,
        "state": parts_of(one.state),
        "action": one.action,
        "similarity": one.similarity,
        "value": one.value,
        "reward": one.reward,
        "weight": one.weight,
    }


def outcome(learnt: "Outcome") -> dict[str, Any]:
    """What the end of an episode taught."""
    return {
        "episode": learnt.episode,
        "success": learnt.success,
        "kept": list(learnt.kept),
        "decayed": dict(learnt.decayed),
        "tried": learnt.tried,
        "edges": learnt.edges,
    }


def dream(run: "Run") -> dict[str, Any]:
    """One dream: what each step did, and what it leaves to decide."""
    return {
        "id": run.id or None,
        "state": run.state,
        "at": run.now.isoformat(),
        "job": run.job,
        "finished": None if run.finished is None else run.finished.isoformat(),
        "changed": run.changed,
        "seconds": round(run.seconds, 3),
        "steps": {
            name: {
                "changed": dict(step.changed),
                "noted": dict(step.noted),
                "seconds": round(step.seconds, 3),
            }
            for name, step in run.steps.items()
        },
        "to_decide": [{"rule": one.rule, "ids": list(one.ids)} for one in run.doubts],
        "conflicts": list(run.conflicts),
        "params": dict(run.params),
    }


def due(one: "Due") -> dict[str, Any]:
    """An intention that is due, and why."""
    return {
        "memory": memory_value(one.memory),
        "since": None if one.since is None else one.since.isoformat(),
        "similarity": one.similarity,
    }


def goal(one: "Goal") -> dict[str, Any]:
    """Something to be reached, and how it stands."""
    return {
        "id": one.id,
        "text": one.text,
        "channel": one.channel,
        "standing": str(one.standing),
        "priority": one.priority,
        "deadline": iso(one.deadline),
        "started_at": iso(one.started_at),
        "ended_at": iso(one.ended_at),
        "result": one.result,
        "obstacle": one.obstacle,
        "parent": one.parent,
        "subgoals": list(one.subgoals),
        "blockers": list(one.blockers),
    }


def portrait(one: "Portrait") -> dict[str, Any]:
    """What is known about the user as a person."""
    return {
        "preferences": [memory_value(each) for each in one.preferences],
        "expertise": [memory_value(each) for each in one.expertise],
        "style": [memory_value(each) for each in one.style],
        "text": one.text,
    }


def bundle(found: "Bundle") -> dict[str, Any]:
    """Everything that helps with a question, part by part."""
    return {
        "query": found.query,
        "episodic": [recalled_hit(hit) for hit in found.episodic],
        "facts": [recalled_hit(hit) for hit in found.facts],
        "strategies": [recalled_hit(hit) for hit in found.strategies],
        "entities": [
            {"id": one.id, "weight": one.weight, "memories": list(one.memories)} for one in found.entities
        ],
        "goals": [goal(one) for one in found.goals],
        "portrait": portrait(found.portrait),
    }


def gap(one: "Gap") -> dict[str, Any]:
    """What came up and nothing was known about."""
    return {
        "id": one.id,
        "text": one.text,
        "channel": one.channel,
        "session": one.session,
        "noticed_at": iso(one.noticed_at),
        "count": one.count,
    }


def item(one: "Item") -> dict[str, Any]:
    """Something published, as one reader sees it."""
    quality = None if one.quality is None else {"score": one.quality.score, "voices": one.quality.voices}
    return {
        "id": one.id,
        "title": one.title,
        "text": one.text,
        "kind": one.kind,
        "summary": one.summary,
        "tags": list(one.tags),
        "author": one.author,
        "access": str(one.access),
        "version": one.version,
        "published_at": iso(one.published_at),
        "is_published": one.is_published,
        "is_own": one.is_own,
        "quality": quality,
    }


def grant(one: "Grant") -> dict[str, Any]:
    """Who may do what in whose channel."""
    return {
        "owner": one.owner,
        "channel": one.channel,
        "user": one.user,
        "role": str(one.role),
        "granted_by": one.granted_by,
        "granted_at": iso(one.granted_at),
    }


def preview(shown: "Preview") -> dict[str, Any]:
    """Exactly what would leave, and what forbids it."""
    return {
        "may_leave": shown.may_leave,
        "text": shown.offer.text,
        "metadata": dict(shown.metadata),
        "entities": list(shown.entities),
        "problems": [{"part": one.part, "kind": one.kind, "label": one.label} for one in shown.problems],
        "replaces": shown.replaces,
        "changes": list(shown.changes),
    }


def review(one: "Review") -> dict[str, Any]:
    """What waits for somebody to decide, with what it contradicts."""
    return memory_value(one.memory) | {
        "contradicts": [memory_value(old) for old in one.against],
        "reason": one.reason,
    }


def judged(memory: "Recollect", memory_ids: Iterable[str], *, helpful: bool) -> dict[str, Any]:
    """What each memory is worth after it was judged; what others published is not ours to tell."""
    own = [one for one in memory_ids if memory.is_own(one)]
    utility = {one: round(memory.counters(one).utility, 4) for one in own}
    return {"helpful": helpful, "utility": utility}


def settings(memory: "Recollect", chosen: "Iterable[Setting]") -> list[dict[str, Any]]:
    """Settings as they are for this user now, and where each value comes from."""
    kept = memory.store.settings(memory.user)
    return [_setting(memory, one, kept=one.name in kept) for one in chosen]


def _setting(memory: "Recollect", one: "Setting", *, kept: bool) -> dict[str, Any]:
    group, field = one.name.split(".", 1)
    return {
        "name": one.name,
        "value": _shown(getattr(getattr(memory.settings, group), field)),
        "default": one.default,
        "source": "environment" if one.in_environment else "store" if kept else "default",
        "variable": one.variable,
        "about": one.about,
        "choices": list(one.choices),
        "low": one.low,
        "high": one.high,
    }


def state(one: "StateHit") -> dict[str, Any]:
    """A state of a conversation, and how like the question it is."""
    told = {"turn": one.turn, "text": one.text, "metadata": dict(one.metadata)}
    return {**told, "at": iso(one.at), "similarity": one.similarity}


def _shown(value: Any) -> Any:
    """A setting's value without the password that an address may carry."""
    return without_password(value) if isinstance(value, str) else value


def recalled_hit(hit: Hit) -> dict[str, Any]:
    signals = {"signals": _numbers(hit.signals), "values": _numbers(hit.values)}
    told = {
        "id": hit.id,
        "text": hit.text,
        "score": hit.score,
        "relevance": hit.relevance,
        "whence": hit.whence,
        "outdated_by": hit.outdated_by,
    }
    return {**told, **signals, **memory_value(hit.memory)}


def _trace(trace: Trace) -> dict[str, Any]:
    return {
        "at": iso(trace.at),
        "profile": trace.profile,
        "weights": dict(trace.weights),
        "settings": dict(trace.settings),
        "elapsed_ms": round(trace.elapsed_ms, 3),
        "steps": [
            {"stage": step.stage, "elapsed_ms": round(step.elapsed_ms, 3), "detail": dict(step.detail)}
            for step in trace.steps
        ],
    }


def _numbers(values: Mapping[str, float]) -> dict[str, float | None]:
    """JSON has no word for what is not a number."""
    return {name: value if math.isfinite(value) else None for name, value in values.items()}
