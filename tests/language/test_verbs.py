"""Verbs: the form that follows he and she, for regular, irregular and unknown verbs."""

import pytest

from recollect.language.endings import ended
from recollect.language.verbs import third_person, verbs


@pytest.mark.parametrize(
    ("base", "third"),
    [
        ("live", "lives"),
        ("go", "goes"),
        ("study", "studies"),
        ("play", "plays"),
        ("teach", "teaches"),
        ("have", "has"),
        ("am", "is"),
        ("are", "is"),
        ("don't", "doesn't"),
        ("need", "needs"),
        ("frobnicate", "frobnicates"),
        ("succeed", "succeeds"),
    ],
)
def test_a_present_form_agrees(base, third):
    assert third_person(base, "en") == third


@pytest.mark.parametrize(
    "word", ["moved", "went", "bought", "will", "can't", "was", "had", "read", "frobnicated"]
)
def test_a_form_without_person_stays(word):
    assert third_person(word, "en") == word


def test_a_language_without_such_forms_keeps_its_words():
    assert third_person("yaşıyor", "tr") == "yaşıyor"
    assert not verbs("tr").forms


def test_forms_double_and_drop_letters():
    forms = verbs("en").forms
    assert {"running", "moving", "studying", "stopped", "studied"} <= set(forms)
    assert not {"runing", "moveing", "stoped"} & set(forms)


@pytest.mark.parametrize(
    ("name", "genitive", "ablative"),
    [
        ("Ada", "Ada'nın", "Ada'dan"),
        ("Mehmet", "Mehmet'in", "Mehmet'ten"),
        ("Umut", "Umut'un", "Umut'tan"),
        ("Gül", "Gül'ün", "Gül'den"),
        ("Işık", "Işık'ın", "Işık'tan"),
        ("İPEK", "İPEK'in", "İPEK'ten"),
        ("Bob", "Bob'un", "Bob'dan"),
        ("Zs", "Zs'in", "Zs'ten"),
    ],
)
def test_turkish_endings_follow_the_name(name, genitive, ablative):
    assert ended("{name}{'}{n}{I}n", name, "tr") == genitive
    assert ended("{name}{'}{D}{A}n", name, "tr") == ablative


def test_a_common_noun_has_no_apostrophe():
    assert ended("{name}{'}{n}{I}n", "Kullanıcı", "tr", proper=False) == "Kullanıcının"
