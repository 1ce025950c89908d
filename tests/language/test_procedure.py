"""Procedures: announced, in steps, with what they take and what to beware of; other lists are none."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.procedure import MAX_STEPS, Procedure, procedure

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)
PIECES = [
    "To deploy: ",
    "1. a b ",
    "2) c ",
    "\n- d",
    "\nWarning: e",
    "\nPrerequisites: f, g",
    "first x, then y",
    "\n",
    "için: ",
    "Steps: ",
]
salad = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("To deploy: run make deploy", Procedure("Deploy", "deploy", ("run make deploy",))),
        (
            "To deploy: 1. run the tests 2. push the tag",
            Procedure("Deploy", "deploy", ("run the tests", "push the tag")),
        ),
        (
            "How to release the app:\nPrerequisites: npm access, a clean tree and Node 18\n1. Bump it\n2. Publish it\nWarning: tag first",
            Procedure(
                "Release the app",
                "release the app",
                ("Bump it", "Publish it"),
                ("npm access", "a clean tree", "Node 18"),
                ("tag first",),
            ),
        ),
        (
            "To deploy to production, first run the tests, then push the tag, finally check the logs.",
            Procedure(
                "Deploy to production",
                "deploy to production",
                ("run the tests", "push the tag", "check the logs"),
            ),
        ),
        (
            "Release procedure:\n- build\n- sign\nWarnings:\n- keys expire\n",
            Procedure("Release", "release", ("build", "sign"), (), ("keys expire",)),
        ),
        (
            "## Steps to restart the server\nRequirements:\n- root access\nSteps:\n1) stop it\n2) start it",
            Procedure("Restart the server", "restart the server", ("stop it", "start it"), ("root access",)),
        ),
        (
            "To clean up:\n1. stop the app\n2. remove the cache\n\nNever delete the database.",
            Procedure(
                "Clean up",
                "clean up",
                ("stop the app", "remove the cache"),
                (),
                ("Never delete the database",),
            ),
        ),
        (
            "Deploy etmek için: önce testleri çalıştır, sonra etiketi gönder.",
            Procedure("Deploy etmek", "deploy etmek", ("testleri çalıştır", "etiketi gönder")),
        ),
        (
            "Iptal etmek için:\nÖn koşullar: yönetici hakkı, yedek\n1. Servisi durdur\n2. Kaydı sil\nUyarı: gündüz yapma",
            Procedure(
                "Iptal etmek",
                "ıptal etmek",
                ("Servisi durdur", "Kaydı sil"),
                ("yönetici hakkı", "yedek"),
                ("gündüz yapma",),
            ),
        ),
        (
            "Kahve nasıl yapılır:\n1. Suyu kaynat\n2. Kahveyi ekle",
            Procedure("Kahve", "kahve", ("Suyu kaynat", "Kahveyi ekle")),
        ),
    ],
)
def test_a_procedure_has_its_parts(text, expected):
    assert procedure(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I went to Rome: it was nice",
        "To be honest: I like tea",
        "We need to talk",
        "Shopping list:\n- milk\n- eggs",
        "In 2020 1. FC won 2. times",
        "To reset it, well, I do not know",
        "Çay içmek için geldim",
        "",
    ],
)
def test_other_texts_are_none(text):
    assert procedure(text) is None


def test_a_warning_after_a_step_is_not_a_part_of_it():
    found = procedure("To deploy: 1. run the tests 2. push the tag. Careful: not on Fridays.")
    assert found.steps == ("run the tests", "push the tag")
    assert found.warnings == ("not on Fridays",)


@given(st.one_of(any_text, salad))
def test_any_text_gives_a_procedure_with_steps_or_none(text):
    found = procedure(text)
    assert found is None or (found.name and 0 < len(found.steps) <= MAX_STEPS and all(found.steps))


@pytest.mark.parametrize("piece", ["To a: ", "1. a ", "- a\n", "first a, ", "to b, ", "için ", "warning: "])
def test_a_long_text_takes_time_in_proportion(piece):
    started = time.perf_counter()
    procedure("To deploy: " + (piece * 100_000)[:100_000])
    assert time.perf_counter() - started < 5
