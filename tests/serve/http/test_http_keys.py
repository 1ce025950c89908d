"""Keys: made once, stored as hashes, told apart, revoked for good."""

import pytest

from recollect.errors import InvalidInput, NotFound
from recollect.serve.keys import SERVICE_USER, Keys, Right
from recollect.stores.reference import ReferenceStore
from recollect.stores.sqlite import SQLiteStore
from recollect.testing import FakeClock


@pytest.fixture(params=["reference", "sqlite"])
def store(request, tmp_path):
    store = ReferenceStore() if request.param == "reference" else SQLiteStore(tmp_path / "keys.db")
    yield store
    store.close()


@pytest.fixture
def keys(store, clock):
    return Keys(store, clock)


def test_a_token_finds_its_key_and_no_other(keys):
    made, token = keys.create("ada", [Right.READ], name="laptop")
    keys.create("bob")
    assert keys.find(token) == made
    assert (made.user, made.rights, made.name) == ("ada", (Right.READ,), "laptop")


@pytest.mark.parametrize("token", ["", "rcl", "rcl__", "rcl_x_y", "rcl_\ud800_y", "Bearer x"])
def test_what_is_no_token_finds_nothing(keys, token):
    keys.create("ada")
    assert keys.find(token) is None


def test_the_id_of_a_key_is_not_enough(keys):
    made, _ = keys.create("ada")
    assert keys.find(f"rcl_{made.id}_") is None
    assert keys.find(f"rcl_{made.id}_{'x' * 43}") is None


def test_the_store_has_no_part_of_a_token_but_its_id(tmp_path):
    path = tmp_path / "keys.db"
    store = SQLiteStore(path)
    _, token = Keys(store, FakeClock()).create("ada")
    store.close()
    secret = token.split("_", 2)[2].encode()
    for file in tmp_path.iterdir():
        assert secret not in file.read_bytes(), file


def test_a_revoked_key_finds_nothing_and_stays_listed(keys, clock):
    made, token = keys.create("ada")
    clock.advance(hours=1)
    gone = keys.revoke(made.id)
    assert (keys.find(token), gone.revoked_at) == (None, clock.now())
    clock.advance(hours=1)
    assert keys.revoke(made.id) == gone
    assert keys.all("ada") == [gone]


def test_a_key_is_good_until_its_last_moment(keys, clock):
    _, token = keys.create("ada", days=1)
    clock.advance(hours=23, minutes=59)
    assert keys.find(token) is not None
    clock.advance(minutes=1)
    assert keys.find(token) is None


def test_keys_are_numbered_apart(keys):
    assert len({keys.create("ada")[0].number for _ in range(5)}) == 5


def test_making_and_revoking_is_witnessed_without_the_hash(keys, store):
    made, _ = keys.create("ada")
    keys.revoke(made.id)
    told = store.witness(SERVICE_USER)
    assert [entry.operation for entry in told] == ["key created", "key revoked"]
    assert all(entry.detail["key"] == made.id and "hash" not in entry.detail for entry in told)
    assert store.verify(SERVICE_USER) == []


def test_nonsense_is_refused(keys):
    for user, rights, days in (
        ("", [Right.READ], None),
        (SERVICE_USER, [Right.READ], None),
        ("a", [], None),
        ("a", [Right.READ], 0),
    ):
        with pytest.raises(InvalidInput):
            keys.create(user, rights, days=days)
    with pytest.raises(NotFound):
        keys.revoke("nothing")
    assert keys.all() == []
