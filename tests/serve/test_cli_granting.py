"""`grant`, `revoke`, `grants`, `contribute`."""


def test_a_channel_is_shared_written_into_and_taken_back(cli):
    cli("remember", "The deploy window is Tuesday", "--channel", "apollo", "--user", "ada")
    made = cli("grant", "ben", "apollo", "--role", "writer", "--user", "ada", "--json").json
    assert (made["owner"], made["user"], made["role"]) == ("ada", "ben", "writer")
    assert "ben is writer of apollo of ada" in cli("grants", "--user", "ben").out
    asked = ("recall", "when is the deploy window?", "--channel", "apollo", "--user", "ben")
    assert "shared by ada" in cli(*asked).out
    assert cli("contribute", "ada", "apollo", "The deploy window is Friday", "--user", "ben").code == 0
    assert "Friday" in cli("list", "--user", "ada").out
    cli("revoke", "ben", "apollo", "--user", "ada")
    assert "nothing found" in cli(*asked).out
    assert "nothing is shared" in cli("grants", "--user", "ben").out
    gone = cli("contribute", "ada", "apollo", "x", "--user", "ben")
    assert (gone.code, gone.err.strip()) == (1, "error: no channel apollo of ada is shared with you")
    assert cli("grant", "ben", "_global", "--user", "ada").code == 2
