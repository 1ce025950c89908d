"""Texts that were purged are known as such, before anybody tries to write them again."""

from recollect import Recollect
from recollect.testing import HashEmbedder


def opened(store, user):
    return Recollect(store, user=user, channel="_global", embedder=HashEmbedder())


def test_a_purged_text_is_known_as_erased_however_it_is_spelt(store):
    memory = opened(store, "ada")
    kept = memory.remember("Porto is home")
    assert store.erased("ada", ["Porto is home"]) == [False]
    memory.purge(kept.id)
    asked = ["  porto IS\nhome ", "Porto is far", "Porto is home"]
    assert store.erased("ada", asked) == [True, False, True]


def test_what_one_user_erased_is_not_erased_for_another(store):
    memory = opened(store, "ada")
    memory.purge(memory.remember("Porto is home").id)
    opened(store, "bob").remember("Lisbon is home")
    assert store.erased("bob", ["Porto is home"]) == [False]
    assert store.erased("nobody", ["Porto is home"]) == [False]
