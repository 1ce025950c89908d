"""Thousands of requests, right and wrong, on every route: nothing breaks and nothing that was acknowledged is lost."""

import json
import random
import re

import pytest
from served import API, caller, serving

from recollect.model import Filter, State
from recollect.testing import FakeClock

REQUESTS = 10_000
WORDS = [
    "deploys",
    "go",
    "through",
    "staging",
    "first",
    "the",
    "office",
    "is",
    "in",
    "Porto",
    "Lisbon",
    "garden",
    "tea",
]
JUNK = (
    None,
    True,
    -1,
    0,
    10**30,
    1.5,
    "",
    " ",
    "\x00",
    "\u202e",
    "ÿ",
    "☃" * 50,
    [],
    {},
    [[]],
    {"a": None},
    "x" * 5_000,
)


class Fuzz:
    """Makes requests from a seed and keeps account of what was acknowledged."""

    def __init__(self, seed, document):
        self.rng = random.Random(seed)
        self.kept, self.purged, self.episodes = {}, set(), []
        self.routes = [
            (method.upper(), path, one)
            for path, methods in document["paths"].items()
            for method, one in methods.items()
            if path.startswith(API)
            and one["operationId"] not in ("configure", "snapshot", "compact", "verify", "export", "dream")
        ]

    def text(self):
        return " ".join(self.rng.choices(WORDS, k=self.rng.randint(1, 8))) + f" {self.rng.randint(0, 5_000)}"

    def request(self):
        method, path, operation = self.rng.choice(self.routes)
        known = list(self.kept)
        named = (
            self.rng.choice(known)
            if known and self.rng.random() < 0.8
            else self.rng.choice(("x", "%00", "..", "0" * 90))
        )
        if self.episodes and self.rng.random() < 0.8:
            path = path.replace("{episode_id}", self.rng.choice(self.episodes))
        path = re.sub(r"\{\w+\}", lambda _: named, path)
        return operation["operationId"], method, path.removeprefix(API), named

    def body(self, name):
        known = self.rng.choice(list(self.kept) or ["x"])
        good = {
            "remember": lambda: (
                {"text": self.text()} | ({"supersedes": known} if self.rng.random() < 0.1 else {})
            ),
            "remember_many": lambda: {
                "memories": [{"text": self.text()} for _ in range(self.rng.randint(1, 4))]
            },
            "observe": lambda: {"messages": [{"role": "user", "content": self.text()}], "session": "s"},
            "recall": lambda: {"query": self.text(), "k": self.rng.randint(1, 20)},
            "bundle": lambda: {"query": self.text()},
            "describe": lambda: {"text": self.text(), "name": self.rng.choice(WORDS)},
            "context": lambda: {"query": self.text()},
            "feedback": lambda: {"ids": [known], "helpful": self.rng.random() < 0.5},
            "edit": lambda: {"text": self.text()},
            "tag": lambda: {"add": [self.rng.choice(WORDS)]},
            "link": lambda: {"target": known},
            "pin": lambda: {"pinned": self.rng.random() < 0.5},
            "start_episode": lambda: {"goal": self.text()},
            "step": lambda: {"state": self.text(), "action": self.text(), "advised": self.rng.random() < 0.5},
            "decide": lambda: {"state": self.text(), "possible": [self.text()]},
            "outcome": lambda: {"success": self.rng.random() < 0.5},
            "intend": lambda: {"text": self.text(), "when": self.text()},
            "add_goal": lambda: {"text": self.text(), "priority": self.rng.randint(-5, 5)},
            "end_goal": lambda: {"standing": self.rng.choice(("completed", "abandoned"))},
            "block_goal": lambda: {"obstacle": self.text()},
            "note_gap": lambda: {"context": self.text()},
            "close_gap": dict,
            "publish": lambda: {"title": self.text(), "text": self.text()},
            "preview": lambda: {"title": self.text(), "of": [known]},
            "unpublish": dict,
            "report": lambda: {"items": [known], "success": True},
            "sync_place": lambda: {"sender": self.text()},
            "sync_give": lambda: {"place": {"base": self.rng.randint(0, 100)}},
            "resolve": lambda: {"keep": self.rng.choice(("new", "old", "both"))},
        }
        made = good[name]() if name in good else None
        if made is not None and self.rng.random() < 0.3:
            made[self.rng.choice([*made, "surprise"])] = self.rng.choice(JUNK)
        return made

    def learn(self, name, named, answer):
        if answer.status_code == 200 and name == "start_episode":
            self.episodes.append(answer.json()["id"])
        if answer.status_code != 200 or name not in (
            "remember",
            "remember_many",
            "observe",
            "describe",
            "purge",
        ):
            return
        told = answer.json()
        if name == "purge":
            self.purged.update(told["purged"])
            for one in told["purged"]:
                self.kept.pop(one, None)
        else:
            for one in told.get("memories") or told.get("turns") or [told]:
                if one["id"] is not None:
                    self.kept[one["id"]] = one["text"]


def fuzzed(client, count, seed):
    ada = caller(client, "ada")
    fuzz = Fuzz(seed, client.app.openapi())
    for _ in range(count):
        name, method, path, named = fuzz.request()
        if name == "import":
            answer = ada(method, path, content=fuzz.rng.randbytes(fuzz.rng.randint(0, 200)))
        else:
            answer = ada(method, path, fuzz.body(name))
        assert answer.status_code < 500, (name, path, answer.text)
        if answer.status_code >= 400:
            assert answer.json()["status"] == answer.status_code
        fuzz.learn(name, named, answer)
    service = client.service
    states = (State.ACTIVE, State.DORMANT)
    there = {one.id for one in service.store.find("ada", Filter(states=states, any_session=True))}
    assert set(fuzz.kept) <= there
    assert not fuzz.purged & there
    assert service.store.verify("ada") == []
    assert set(service.store.users()) - {"_library"} == {"_service", "ada"}
    return fuzz


def test_hundreds_of_requests_break_nothing_and_lose_nothing(tmp_path):
    with serving(tmp_path / "x.db", clock=FakeClock(), requests_per_second=0.0) as client:
        fuzz = fuzzed(client, 800, seed=random.randrange(10**9))
        assert len(fuzz.kept) > 5
        assert json.dumps(fuzz.kept)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_ten_thousand_requests_break_nothing_and_lose_nothing(tmp_path):
    with serving(tmp_path / "x.db", clock=FakeClock(), requests_per_second=0.0) as client:
        fuzz = fuzzed(client, REQUESTS, seed=20_260_101)
        assert len(fuzz.kept) > 100
