"""Tiny sets in the formats of the public ones, made up here."""

import json
from pathlib import Path
from typing import Any


def written(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def turn(dia_id: str, speaker: str, text: str, **more: str) -> dict[str, str]:
    return {"dia_id": dia_id, "speaker": speaker, "text": text, **more}


def asked(question: str, *evidence: str, category: int = 4) -> dict[str, Any]:
    return {"question": question, "answer": "SECRET", "evidence": list(evidence), "category": category}


def locomo(folder: Path) -> Path:
    """Two conversations; the last question of the first has evidence that is not there."""
    pottery = {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                turn("D1:1", "Ada", "Hello there!"),
                turn("D1:2", "Ben", "I started pottery lessons on Monday", blip_caption="a clay bowl"),
            ],
            "session_10_date_time": "10:37 am on 27 June, 2023",
            "session_10": [turn("D10:1", "Ben", "My kiln exploded yesterday")],
            "session_2_date_time": "9:00 am on 25 May, 2023",
            "session_2": [turn("D2:1", "Ada", "The marathon in Lisbon was great")],
        },
        "qa": [
            asked("Who started pottery lessons?", "D1:2"),
            asked("What became of the kiln and the marathon?", "D10:1", "D2:1", category=1),
            asked("What is not there?", "D9:9", category=5),
        ],
    }
    cats = {
        "sample_id": "conv-2",
        "conversation": {
            "session_1_date_time": "8:00 am on 1 June, 2023",
            "session_1": [turn("D1:1", "Cem", "My cat Luna sleeps on the piano")],
        },
        "qa": [asked("Where does the cat Luna sleep?", "D1:1")],
    }
    return written(folder / "locomo.json", [pottery, cats])


def realtalk(folder: Path) -> Path:
    for place, (words, date) in enumerate(
        [("I moved to Porto", "29.12.2023, 20:30:00"), ("The exam is in spring", "who knows")], 1
    ):
        said = [{"dia_id": "D1:1", "speaker": "Emi", "clean_text": words, "text": words.upper()}]
        told = {
            "session_1": said,
            "session_1_date_time": date,
            "qa": [asked(f"{words}?", "D1:1", category=2)],
        }
        written(folder / "realtalk" / f"Chat_{place}.json", told)
    return folder / "realtalk"


def beam(folder: Path) -> Path:
    """One chat: the port is 8080 first and 9090 later."""
    said = [
        ("user", "The server listens on port 8080. ->-> 1,1"),
        ("assistant", "Noted: nice weather today."),
        ("user", "The server listens on port 9090 now."),
    ]
    messages = [{"id": i, "role": role, "content": text} for i, (role, text) in enumerate(said)]
    chat = [
        {"batch_number": 1, "turns": [[{**messages[0], "time_anchor": "March-15-2024"}, messages[1]]]},
        {"batch_number": 2, "turns": [[messages[2]]], "time_anchor": "April-05-2024"},
    ]
    sides = {"original_info": [0], "updated_info": [2]}
    swapped = {"first_statement": [2], "second_statement": [0]}
    questions = {
        "knowledge_update": [
            {"question": "On which port does the server listen now?", "source_chat_ids": sides}
        ],
        "contradiction_resolution": [{"question": "Which port is it?", "source_chat_ids": swapped}],
        "event_ordering": [{"question": "Which ports were there?", "source_chat_ids": [0, [2, 1], 2]}],
        "temporal_reasoning": [
            {"question": "When did it change?", "source_chat_ids": {"first_event": [0], "second_event": [2]}}
        ],
        "abstention": [{"question": "Which colour is it?"}],
    }
    written(folder / "beam-100k" / "3" / "chat.json", chat)
    written(folder / "beam-100k" / "3" / "probing_questions.json", questions)
    return folder / "beam-100k"


def _said(speaker: str, content: str, **more: Any) -> dict[str, Any]:
    return {"speaker": speaker, "content": content, "is_query": False, **more}


def realmem(folder: Path) -> Path:
    """Three sessions. The last one would answer the question of the second, which must not see it."""
    query = _said("User", "How is my sourdough plan?", is_query=True, category_name="Dynamic Updating")
    answer = _said("Assistant", "Fine.", memory_session_uuids=["s1", "s1", "s2", "s3"])
    dialogues = [
        (
            "s1",
            "2025-12-19 (Friday)",
            [_said("User", "Let us plan my sourdough baking"), _said("User", "Rye!")],
        ),
        ("s2", "2025-12-22 (Monday)", [query, answer]),
        ("s3", "2025-12-21 (Sunday)", [_said("User", "How is my sourdough plan? It is a sourdough plan.")]),
    ]
    value = {
        "dialogues": [
            {"session_uuid": uuid, "current_time": date, "dialogue_turns": turns}
            for uuid, date, turns in dialogues
        ]
    }
    return written(folder / "realmem" / "Kim.json", value).parent


def multihop(folder: Path) -> Path:
    corpus = [
        {"id": 0, "title": "Kiln", "text": "A kiln is an oven for clay."},
        {"id": 1, "title": "Lisbon", "text": "Lisbon is a city in Portugal."},
        {"id": 2, "title": "Kiln", "text": "A kiln is an oven for clay."},
    ]
    for name, gold in (("hotpotqa", [0]), ("musique", [1, 2])):
        queries = [
            {"question": "What is a kiln in Lisbon?", "answer": "SECRET", "type": "bridge", "gold": gold}
        ]
        written(folder / "multihop" / f"{name}.json", {"corpus": corpus, "queries": queries})
    return folder / "multihop"


def locomo_plus(folder: Path) -> Path:
    pairs = [
        {
            "relation_type": "goal",
            "cue_dialogue": "A: I am learning car repair.\nB: Good idea.",
            "trigger_query": "A: My car repair course is over.",
            "time_gap": "six weeks later",
        },
        {
            "relation_type": "value",
            "cue_dialogue": "A: Honesty matters to me.",
            "trigger_query": "A: I told my boss the truth, honesty matters.",
            "time_gap": "about one year later",
        },
    ]
    return written(folder / "locomo_plus.json", pairs)
