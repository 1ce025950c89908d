"""`describe`, `portrait` and `bundle`."""


def test_the_user_is_described_and_a_bundle_brings_it(cli):
    cli("remember", "The office is in Porto")
    assert "nothing is known" in cli("portrait").out
    cli("describe", "Long answers", "--aspect", "style", "--name", "length")
    cli("describe", "Short answers", "--aspect", "style", "--name", "length")
    cli("remember", "Deploys go through staging first", "--kind", "fact")
    assert cli("portrait").out.strip() == "Style: Short answers"
    told = cli("bundle", "how do we deploy?").out
    assert "- Deploys go through staging first" in told
    assert "- Style: Short answers" in told
    found = cli("bundle", "how do we deploy?", "--json").json
    assert [hit["text"] for hit in found["facts"]][:1] == ["Deploys go through staging first"]
    assert cli("describe", "Tall", "--aspect", "height").code == 2
