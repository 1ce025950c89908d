"""The benchmark's memory: a blank agent gets better at a small game by what the engine tells it, and only then."""

import random

import pytest

from recollect.evals import alfworld
from recollect.testing import HashEmbedder

PLACES = ("shelf", "desk", "fridge")
WHERE = {"apple": "fridge", "book": "shelf", "pen": "desk"}
STATE = "put OBJ in TARGET | {noun} box | {done} | {seen}"


class Fetch:
    """Go to where the thing is, take it, put it into the box; a thing always lies in the same place."""

    def __init__(self, noun):
        self.noun, self.at, self.held, self.done = noun, "hall", False, []

    def possible(self):
        commands = [f"go to {place} 1" for place in (*PLACES, "box") if place != self.at]
        if self.at == WHERE[self.noun] and not self.held:
            commands.append(f"take {self.noun} 1 from {self.at} 1")
        return [
            *commands,
            "look",
            *([f"move {self.noun} 1 to box 1"] if self.held and self.at == "box" else []),
        ]

    def lifted(self, command):
        return command.replace(f"{self.noun} 1", "OBJ").replace("box 1", "TARGET").replace(" 1", "")

    def state(self):
        return STATE.format(noun=self.noun, done="; ".join(self.done) or "nothing", seen=self.at)

    def step(self, command):
        if command.startswith("go to "):
            self.at = command.split()[2]
        elif command.startswith("take"):
            self.held = True
            self.done.append("take OBJ")
        return command.startswith("move")


def play(memory, noun, rng, limit=12):
    game, run = Fetch(noun), memory.start(f"put a {noun} in box", "fetch")
    won = False
    for _ in range(limit):
        state, possible = game.state(), game.possible()
        commands = {game.lifted(command): command for command in possible}
        weight = dict.fromkeys(commands, 1e-3)
        for action, counts in memory.advise(run, state, 10):
            if action in weight:
                weight[action] += counts
        for action, factor in memory.value(run, state, list(commands)).items():
            weight[action] *= factor
        action = rng.choices(list(weight), list(weight.values()))[0]
        memory.acted(run, state, action, commands[action], frozenset(possible))
        won = game.step(commands[action])
        if won:
            break
    memory.finish(run, won)
    return won


def rate(memory, rounds, rng):
    games = [noun for _ in range(rounds) for noun in WHERE]
    return sum(play(memory, noun, rng) for noun in games) / len(games)


@pytest.fixture
def memory():
    household = alfworld.build(1)
    yield household
    household.close()


def test_a_blank_agent_gets_better_with_every_outcome(memory):
    rng = random.Random(3)
    rate(memory, 12, rng)
    assert rate(memory, 6, rng) > 0.85


def test_only_the_needed_steps_of_its_wins_advise(memory):
    rng = random.Random(3)
    rate(memory, 12, rng)
    run = memory.start("put a pen in box", "fetch")
    best = max(memory.advise(run, Fetch("pen").state(), 30), key=lambda one: one[1])
    assert best[0] == "go to desk"
    assert "look" not in {action for action, _ in memory.advise(run, Fetch("pen").state(), 300)}


def test_settings_come_from_the_environment(monkeypatch):
    monkeypatch.setenv(alfworld.OPTIONS, "learning.chances=off learning.trim=off")
    household = alfworld.build(1)
    run = household.start("put a pen in box", "fetch")
    assert household.value(run, Fetch("pen").state(), ["look"]) == {}
    assert household.memory.settings.learning.trim is False
    household.close()


def test_the_model_takes_the_place_of_hashed_words_by_a_setting(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "recollect.engine.core.make_embedder", lambda chosen, *_: asked.append(chosen.kind) or HashEmbedder()
    )
    alfworld.build(1).close()
    assert asked == []
    monkeypatch.setenv(alfworld.OPTIONS, "embedder.kind=minilm")
    household = alfworld.build(1)
    assert household.advise(household.start("put a pen in box", "fetch"), Fetch("pen").state(), 5) == []
    household.close()
    assert asked == ["minilm"]
