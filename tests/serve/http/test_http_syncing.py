"""Two stores of one user, one of them behind a service with keys."""

import pytest
from served import listening

from recollect import Recollect
from recollect.errors import Refused
from recollect.serve.keys import Right
from recollect.testing import HashEmbedder


@pytest.fixture
def laptop(tmp_path):
    with Recollect(tmp_path / "laptop.db", user="ada", embedder=HashEmbedder()) as memory:
        yield memory


def test_a_sync_over_http_brings_both_to_the_same(laptop, tmp_path):
    with listening(tmp_path / "served.db") as server:
        with server.service.engines.of("ada") as theirs:
            there = theirs.remember("Tea is in the kitchen").id
        here = laptop.remember("The office is in Lisbon").id
        done = laptop.sync(server.url, key=server.token)
        assert (done.created, done.pages_sent > 0) == ([there], True)
        with server.service.engines.of("ada") as theirs:
            assert {one.id for one in theirs.list()} == {one.id for one in laptop.list()} == {here, there}
            assert theirs.verify() == laptop.verify() == []
        assert laptop.sync(server.url, key=server.token).created == []


def test_another_users_key_syncs_that_users_memory_and_nothing_of_ones_own(laptop, tmp_path):
    with listening(tmp_path / "served.db") as server:
        with server.service.engines.of("ada") as theirs:
            theirs.remember("Only of Ada")
        token = server.service.keys.create("bob")[1]
        assert laptop.sync(server.url, key=token).created == []
        with pytest.raises(Refused, match="401"):
            laptop.sync(server.url, key="rcl_0_wrong")


def test_a_purge_travels_with_a_key_that_may_purge_and_with_no_other(laptop, tmp_path):
    with listening(tmp_path / "served.db") as server:
        first = laptop.remember("The office is in Lisbon").id
        second = laptop.remember("Tea is in the kitchen").id
        writer = server.service.keys.create("ada", (Right.READ, Right.WRITE))[1]
        laptop.sync(server.url, key=server.token)
        laptop.purge(first)
        laptop.sync(server.url, key=writer)
        with server.service.engines.of("ada") as theirs:
            assert theirs.find(first) is not None
        laptop.purge(second)
        laptop.sync(server.url, key=server.token)
        with server.service.engines.of("ada") as theirs:
            assert theirs.find(second) is None
