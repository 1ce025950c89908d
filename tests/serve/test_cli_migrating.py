"""`migrate` and `upgrade`."""

import pytest

from recollect.stores.postgres.migrations import migrations


def test_migrate_moves_a_store_and_says_how_much(cli, stock, store, tmp_path):
    moved = str(tmp_path / "moved.db")
    ran = cli("migrate", str(store), moved, "--json")
    assert ran.code == 0, ran.err
    assert ran.json["rows"] > 10
    assert not ran.json["resumed"]
    ours, theirs = (cli("export", "--store", path).out.splitlines()[1:] for path in (str(store), moved))
    assert ours == theirs


def test_migrate_refuses_what_it_cannot_do(cli, stock, store, tmp_path):
    moved = str(tmp_path / "moved.db")
    assert cli("migrate", str(store), moved).code == 0
    again = cli("migrate", str(store), moved)
    assert again.code == 1
    assert "holds memories already" in again.err
    missing = cli("migrate", str(tmp_path / "nothing.db"), str(tmp_path / "x.db"))
    assert (missing.code, "no store at" in missing.err) == (1, True)
    assert not (tmp_path / "x.db").exists()


def test_a_file_needs_no_finishing(cli):
    ran = cli("upgrade", "--json")
    assert (ran.code, "whenever it is opened" in ran.json["error"]["message"]) == (2, True)


@pytest.mark.server
def test_an_upgrade_of_a_store_on_a_server_is_finished(cli, postgres_address):
    ran = cli("upgrade", "--store", postgres_address, "--json")
    assert (ran.code, ran.json) == (0, {"schema": len(migrations())})
