"""`recall`, `context` and `timeline`."""

import json
import re
from contextlib import closing
from datetime import datetime

import apsw
import pytest

from recollect import Recollect
from recollect.errors import StoreBusy

HIT = {
    *(
        "id",
        "text",
        "score",
        "signals",
        "values",
        "valid_from",
        "valid_until",
        "recorded_at",
        "sources",
        "lane",
    ),
    *(
        "kind",
        "channel",
        "scope",
        "state",
        "tags",
        "pinned",
        "immutable",
        "confidence",
        "importance",
        "version",
    ),
    *("supersedes", "superseded_by", "session", "role", "speaker", "run", "actor", "event_type", "metadata"),
}


def texts(ran) -> list[str]:
    return [hit["text"] for hit in ran.json["hits"]]


def test_recall_prints_hits_with_reasons_and_a_trace(cli, stock):
    ran = cli("recall", "how do we deploy?", "-k", "2", "--json")
    assert ran.code == 0
    found = ran.json
    assert found.keys() == {"query", "hits", "trace"}
    assert found["query"] == "how do we deploy?"
    first = found["hits"][0]
    assert first["id"] == stock.deploys
    assert first.keys() >= HIT
    assert first["score"] == pytest.approx(sum(first["signals"].values()))
    assert first["signals"].keys() == first["values"].keys() == found["trace"]["weights"].keys()
    assert datetime.fromisoformat(first["recorded_at"]).tzinfo is not None
    assert found["trace"].keys() == {"at", "profile", "weights", "settings", "elapsed_ms", "steps"}
    assert all(step.keys() == {"stage", "elapsed_ms", "detail"} for step in found["trace"]["steps"])


def test_recall_shows_validity_with_every_memory(cli, stock):
    ran = cli("recall", "where is the office?", "-k", "1")
    assert "The office is in Lisbon" in ran.out
    assert re.search(rf"since \d{{4}}-\d\d-\d\d, replaces {stock.porto}", ran.out)
    assert stock.lisbon in ran.out


def test_recall_explains_itself(cli, stock):
    out = cli("recall", "where is the office?", "--explain", "--profile", "cognitive").out
    for told in ("contributions", "similarity", "× 0.4", "trace: profile cognitive", "search", "eligible"):
        assert told in out


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--tag", "ops"), ["Deploys go through staging first"]),
        (("--kind", "fact"), ["The office is in Lisbon"]),
        (("--kind", "fact", "--superseded"), ["The office is in Lisbon", "The office is in Porto"]),
        (("--kind", "fact", "--valid-at", "2025-06-01"), ["The office is in Porto"]),
        (("--as-of", "2020-01-01"), []),
        (("--until", "2025-12-31", "--superseded"), ["The office is in Porto"]),
        (("--lane", "log"), ["I like tea"]),
        (("--run", "r1"), ["I like tea"]),
        (("--only-session", "s2"), ["I like tea"]),
        (("--event-type", "chat."), ["I like tea"]),
        (("--actor", "nobody"), []),
        (("--since", "2999-01-01"), []),
    ],
)
def test_recall_looks_only_where_it_is_told(cli, stock, options, expected):
    assert sorted(texts(cli("recall", "the office and staging and tea", *options, "--json"))) == sorted(
        expected
    )


def test_what_was_forgotten_is_found_only_when_asked_for(cli, stock):
    cli("forget", stock.deploys)
    assert "Deploys go through staging first" not in texts(cli("recall", "deploys staging", "--json"))
    assert (
        texts(cli("recall", "deploys staging", "--dormant", "--json"))[0]
        == "Deploys go through staging first"
    )


def test_a_channel_is_joined_with_the_global_one_unless_all_are_asked(cli):
    cli("remember", "blue is the colour of alpha", "--channel", "alpha")
    cli("--channel", "beta", "remember", "blue is the colour of beta")
    cli("remember", "blue is a colour")
    asked = ("recall", "blue colour", "--json")
    assert {hit["channel"] for hit in cli(*asked, "--channel", "alpha").json["hits"]} == {"alpha", "_global"}
    assert {hit["channel"] for hit in cli(*asked, "--all-channels").json["hits"]} == {
        "alpha",
        "beta",
        "_global",
    }


def test_a_session_scoped_memory_is_seen_in_its_session_only(cli):
    cli("remember", "the draft is called plum", "--scope", "session", "--session", "s7")
    assert texts(cli("recall", "draft plum", "--json")) == []
    for option in ("--session", "--only-session"):
        assert texts(cli("recall", "draft plum", option, "s7", "--json")) == ["the draft is called plum"]


def test_a_recall_counts_as_a_use_unless_it_is_told_not_to(cli, stock):
    def used() -> int:
        return cli("show", stock.deploys, "--json").json["counters"]["access_count"]

    before = used()
    cli("recall", "deploys", "-k", "1", "--no-learn")
    assert used() == before
    cli("recall", "deploys", "-k", "1")
    assert used() == before + 1


def test_nothing_found_is_said(cli, stock, monkeypatch):
    monkeypatch.setenv("RECOLLECT_USER", "nobody")
    assert cli("recall", "anything").out == "nothing found\n"
    assert cli("recall", "anything", "--json").json["hits"] == []
    assert cli("context", "anything").out == "nothing found\n"
    assert cli("timeline").out == "nothing yet\n"


@pytest.mark.parametrize("verb", ["recall", "context", "bundle", "timeline"])
def test_an_answer_is_told_before_the_store_is_closed(cli, stock, monkeypatch, verb):
    def busy(_: Recollect) -> None:
        raise StoreBusy("the store is held")

    monkeypatch.setattr(Recollect, "close", busy)
    ran = cli(verb, "office")
    assert "Lisbon" in ran.out
    assert ran.err == "error: the store is held\n"


def test_nobody_waits_long_for_what_is_only_counted(cli, stock, store, monkeypatch):
    monkeypatch.setattr("recollect.stores.sqlite.connection.HURRIED_MILLISECONDS", 0)
    with closing(apsw.Connection(str(store))) as other:
        other.execute("BEGIN IMMEDIATE")
        ran = cli("recall", "office")
    assert (ran.code, "Lisbon" in ran.out) == (0, True)
    assert ran.err.startswith("warning: what was recalled was not counted: ")


def test_context_in_json_is_json_in_json(cli, stock):
    told = cli("context", "office", "--format", "json", "--json").json["context"]
    assert told == json.loads(cli("context", "office", "--format", "json").out)
    assert told[0]["text"] == "The office is in Lisbon"
    assert cli("context", "office", "--format", "json", "--json", "--user", "nobody").json["context"] == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("recall",), "Missing argument 'QUESTION'"),
        (("recall", " "), "the question is empty"),
        (("recall", "x", "-k", "0"), "k is a whole number between"),
        (("recall", "x", "-k", "many"), "-k"),
        (("recall", "x", "--profile", "best"), "there are: default"),
        (("recall", "x", "--lane", "fast"), "'log', 'memory'"),
        (("recall", "x", "--since", "tuesday"), "ISO 8601"),
        (("context", "x", "--budget", "0"), "above 0"),
    ],
)
def test_wrong_questions_are_told_apart(cli, stock, words, told):
    ran = cli(*words)
    assert ran.code == 2
    assert told in ran.err


def test_context_is_text_for_a_prompt_within_its_budget(cli, stock):
    ran = cli("context", "office", "--budget", "40", "--json")
    assert ran.json.keys() == {"query", "budget_tokens", "context"}
    assert ran.json["budget_tokens"] == 40
    assert len(ran.json["context"]) <= 160
    assert "The office is in Lisbon (since" in cli("context", "office").out
    assert cli("context", "office", "--json").json["budget_tokens"] == 800


def test_timeline_is_in_the_order_of_truth(cli, stock):
    ran = cli("timeline", "office", "--kind", "fact", "--json")
    assert [one["id"] for one in ran.json["memories"]] == [stock.porto, stock.lisbon]
    assert ran.json["query"] == "office"
    everything = cli("timeline", "--json").json
    assert len(everything["memories"]) == 4
    assert len(cli("timeline", "--limit", "2", "--json").json["memories"]) == 2
    assert "until" in cli("timeline", "office").out


def test_a_question_comes_from_standard_input_too(cli, stock):
    assert cli("recall", "-", "--json", given="how do we deploy?\n").json["query"] == "how do we deploy?"


def test_recall_says_of_a_turn_what_replaced_what_it_states(cli):
    for text in ("I live in Porto by the river.", "I moved to Lisbon."):
        assert cli("observe", "-", "--speaker", "Ada", given=text).code == 0
    question = ("recall", "where do I live, in Porto by the river?", "-k", "2")
    newer, older = cli(*question, "--json").json["hits"]
    assert (newer["outdated_by"], older["outdated_by"]) == (None, newer["id"])
    assert re.search(rf"no longer true: replaced\s+by\s+{newer['id']}", cli(*question).out)
