"""The whole way of training in little, on a processor: questions, steps, a file, weights that it is merged into."""

import json
import re

import numpy as np
import pytest

from recollect.providers.convert import merge, read_safetensors

train = pytest.importorskip("training.train", reason="PyTorch is missing: `make test-training` installs it")
torch = train.torch

pytestmark = [pytest.mark.model, pytest.mark.slow]
WEIGHTS = {"keep": 4.0, "words": 1.0, "heat": 0.05}
RANK, LAYERS = 4, 2


def shallow(weights):
    """The first layers alone: a third of the work, and learnt by in the same way."""
    return {name: value for name, value in weights.items() if not re.search(rf"layer\.[{LAYERS}-9]", name)}


@pytest.fixture(scope="module")
def lessons(tmp_path_factory):
    """Examples of the made conversations alone: no other source lies in the folder."""
    found = [*train.examples(tmp_path_factory.mktemp("nothing"), 0)]
    assert {one.source for one in found} == {"made", "turns"}
    return found


@pytest.fixture(scope="module")
def texts(lessons):
    made = train.Texts(train.TOKENIZER, "cpu", 32)
    made.weigh(sorted({one.positive for one in lessons}))
    return made


@pytest.fixture(scope="module")
def taught(lessons, texts):
    """A model after a few steps, with its loss on examples that it was not shown, before and after."""
    torch.manual_seed(0)
    model = train.Encoder(shallow(train.read_weights(train.WEIGHTS)), RANK)
    shown, held = lessons[16:], lessons[:16]

    def loss():
        with torch.no_grad():
            return train.step_loss(model, texts, held, **WEIGHTS).item()

    before = loss()
    train.trained(model, texts, shown, steps=8, size=8, rate=1e-3, seed=0, **WEIGHTS)
    return model, before, loss()


def test_a_few_steps_bring_questions_nearer_to_answers_that_were_not_shown(taught):
    _, before, after = taught
    assert after < before - 0.1


def test_merged_into_the_weights_it_embeds_the_same(taught, texts, tmp_path):
    model, *_ = taught
    change = model.adapter()
    layers = {name.rpartition(".")[0] for name in change}
    pairs = {one: tuple(change[f"{one}.{part}"].astype(np.float32) for part in "ab") for one in layers}
    np.savez(tmp_path / "merged.npz", **merge(shallow(read_safetensors(train.WEIGHTS)), pairs))
    merged = train.Encoder(train.read_weights(tmp_path / "merged.npz"), RANK)
    ids, mask, _ = texts.batch(["Where does Vera live?", "Vera: we moved to Oslo in March"])
    with torch.no_grad():
        apart, whole, before = (
            model(ids, mask)[1],
            merged(ids, mask, adapted=False)[1],
            model(ids, mask, adapted=False)[1],
        )
    assert torch.allclose(apart, whole, atol=2e-3)
    assert not torch.allclose(apart, before, atol=2e-3)


def test_what_is_held_back_shares_no_answer_with_what_is_shown(lessons):
    shown, held = train.parted(lessons)
    assert len(lessons) / 40 < len(held) < len(lessons) / 10
    assert len(shown) + len(held) == len(lessons)
    assert not {one.positive for one in shown} & {one.positive for one in held}


def test_training_stops_when_what_is_held_back_is_understood_no_better_and_keeps_the_best(
    lessons, texts, monkeypatch
):
    torch.manual_seed(0)
    model = train.Encoder(shallow(train.read_weights(train.WEIGHTS)), RANK)
    shown, held = train.parted(lessons)
    losses, seen = iter([3.0, 2.0, 2.5, 2.5, 1.0]), []

    def looked(self, step):
        monkeypatch.setattr(self, "_loss", lambda _: torch.tensor(losses.__next__()))
        seen.append({name: value.clone() for name, value in self._learnt()})
        return over(self, step)

    over = train.Stopping.over
    monkeypatch.setattr(train, "batches", lambda held, size, seed: [list(held)[:2]])
    monkeypatch.setattr(train.Stopping, "over", looked)
    stopped = train.trained(
        model, texts, shown, steps=8, size=4, rate=1e-2, seed=0, held=held, every=1, patience=2, **WEIGHTS
    )
    assert (len(seen), stopped.best_step, stopped.best) == (4, 2, 2.0)
    now = dict(stopped._learnt())
    assert all(torch.equal(now[name], value) for name, value in seen[1].items())
    assert not all(torch.equal(now[name], value) for name, value in seen[3].items())


def test_the_command_writes_an_adapter_small_enough_to_ship(tmp_path, monkeypatch, capsys):
    target = tmp_path / "adapter.npz"
    asked = f"train --data {tmp_path} --target {target} --steps 2 --batch 4 --longest 32 --most 80 --every 1"
    monkeypatch.setattr("sys.argv", asked.split())
    train.main()
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["examples"] > 40
    assert told["best_step"] in {1, 2}
    with np.load(target) as data:
        assert len(data.files) == 2 * 36
        assert {values.dtype for values in data.values()} == {np.dtype(np.float16)}
    assert target.stat().st_size <= 2_000_000


def test_the_same_seed_gives_the_same_adapter(lessons, texts):
    """The rest of a run, its data included, hangs on the seed alone."""
    made = []
    for _ in range(2):
        train.repeatable(3)
        model = train.Encoder(shallow(train.read_weights(train.WEIGHTS)), RANK)
        train.trained(model, texts, lessons, steps=2, size=4, rate=1e-2, seed=3, **WEIGHTS)
        made.append(model.adapter())
    assert all(np.array_equal(made[0][name], made[1][name]) for name in made[0])


@pytest.fixture
def conversation(tmp_path):
    """A set of one question, to which only what was said first is an answer."""
    said = ["the old beagle runs the house", *(f"we met {n} people" for n in range(12))]
    turns = [{"speaker": "Vera", "dia_id": f"D1:{place}", "text": text} for place, text in enumerate(said)]
    asked = {
        "question": "Which dog does Vera have?",
        "answer": "a beagle",
        "evidence": ["D1:0"],
        "category": 4,
    }
    sample = {
        "conversation": {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"},
        "qa": [asked],
    }
    (tmp_path / "locomo.json").write_text(json.dumps([sample]))
    return tmp_path


def test_adapters_are_compared_on_what_none_was_trained_on(conversation, monkeypatch, capsys):
    from training import check

    monkeypatch.setattr("sys.argv", ["check", "--data", str(conversation), str(check.SHIPPED)])
    check.main()
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["adapter"] for one in told] == ["none", check.SHIPPED.name, check.SHIPPED.name]
    assert all(one["recall@10"] == {"locomo": {"dense": 1.0, "words": 1.0}} for one in told)
    texts = train.Texts(train.TOKENIZER, "cpu", 32)
    weights = train.read_weights(train.WEIGHTS)
    plain, shipped = (
        check.embedded(check.adapted(weights, path), texts, ["Which dog does Vera have?"]).pooled
        for path in (None, check.SHIPPED)
    )
    assert 0.5 < float(plain[0] @ shipped[0]) < 0.99


def test_of_items_that_share_a_key_the_best_counts_and_later_sessions_are_not_known_yet(monkeypatch):
    from recollect.evals.model import Corpus, Item, Session
    from training import check

    monkeypatch.setattr(check, "NEAREST", 2)
    assert check.nearest(["a", "a", "b", "c"], [0.9, 0.8, 0.7, 0.6]) == {"a", "b"}
    one, two = (Session(name, (Item(name, "said"),) * 3) for name in ("one", "two"))
    corpus = Corpus("c", (), (one, two))
    assert check.known_before(corpus, "two", 6) == 3
    assert check.known_before(corpus, None, 6) == 6


def test_adapters_are_compared_through_the_engine(conversation, tmp_path, monkeypatch, capsys):
    from training import check, evaluate

    mine = tmp_path / "mine.npz"
    mine.write_bytes(check.SHIPPED.read_bytes())
    monkeypatch.setattr(evaluate, "FITTED_ON", 100)
    arguments = f"evaluate --data {conversation} {mine} --processes 1"
    monkeypatch.setattr("sys.argv", arguments.split())
    evaluate.main()
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["adapter"] for one in told] == ["none", check.SHIPPED.name, "mine.npz"]
    assert all(one["recall@10"] == {"locomo": 1.0} for one in told)


def test_the_engine_embeds_there_as_it_does_by_itself(tmp_path):
    from recollect.providers.adapters import NEWEST, projection
    from recollect.providers.minilm import MiniLM
    from training import check, evaluate

    here = evaluate.Encoding(check.SHIPPED, train.TOKENIZER, train.WEIGHTS, projection(NEWEST))
    lines = ["Which dog does Vera have?", "the old beagle runs the house " * 60]
    vectors, words = here.encode(lines)
    wanted, its_words = MiniLM(threads=1).encode(lines)
    assert np.allclose(vectors, wanted, atol=2e-3)
    assert [one.terms.tolist() for one in words] == [one.terms.tolist() for one in its_words]
