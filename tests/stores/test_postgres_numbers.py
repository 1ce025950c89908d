"""Numbers that go to a server as one array are those that it sees, and come back as they were."""

import numpy as np
import psycopg
import pytest

from recollect.stores.postgres import numbers

pytestmark = pytest.mark.server

GIVEN = {
    "none": [],
    "one": [7],
    "many": list(range(1, 1001)),
    "the_ends": [np.iinfo(np.int64).min, -1, 0, np.iinfo(np.int64).max],
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=list(GIVEN))
def test_an_array_arrives_as_the_list_would_and_comes_back(given, postgres_address):
    array = np.array(given, np.int64)
    with psycopg.connect(postgres_address) as connection:
        numbers.register(connection.adapters)
        query = "SELECT %(array)s = %(list)s::bigint[], array_send(%(array)s)"
        same, sent = connection.execute(query, {"array": array, "list": given}, binary=True).fetchone()
    assert same
    assert bytes(sent) == numbers.sent(array)
    assert np.array_equal(numbers.received(sent), array)
