"""Sub-tiers boost in the document's profile, or where they are asked for; a season prefers what bears its label."""

import pytest

from recollect.errors import InvalidInput

RULE = "Never deploy the billing service on Fridays"
FACT = "Somebody deploys the billing service on Fridays"


def hit(found, text):
    return next(one for one in found if one.text == text)


@pytest.mark.parametrize("options", [{"profile": "cognitive"}, {"ablate": "sub_tiers"}])
def test_a_rule_counts_a_tenth_more(memory, options):
    memory.remember(RULE)
    memory.remember(FACT)
    found = memory.recall("when do we deploy the billing service?", **options)
    rule, fact = hit(found, RULE), hit(found, FACT)
    assert rule.signals["sub_tier"] == pytest.approx((rule.score - rule.signals["sub_tier"]) * 0.1)
    assert sum(rule.signals.values()) == pytest.approx(rule.score)
    assert fact.signals["sub_tier"] == 0
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_the_boost_can_change_the_order(memory):
    memory.remember("The billing service goes out on Fridays, as a rule of the house")
    memory.remember("The billing service goes out on Fridays, as said in the house")
    question = "billing service goes out on Fridays, as said in the house"
    plain = [one.text for one in memory.recall(question, profile="meaning")]
    assert "as said" in plain[0]
    boosted = memory.recall("the billing service on Fridays", profile="cognitive")
    assert "a rule" in boosted[0].text


def test_the_default_leaves_them_alone(memory):
    memory.remember(RULE)
    (found,) = memory.recall("deploy the billing service")
    assert "sub_tier" not in found.signals


def test_a_season_prefers_what_bears_its_label(memory):
    memory.remember("The build machine is shared with the data team")
    memory.remember("The build machine is ours alone", tags=["season:release-week"])
    question = "who has the build machine, shared with the data team?"
    assert "shared" in memory.recall(question)[0].text
    found = memory.recall("whose is the build machine?", season="release-week")
    ours = hit(found, "The build machine is ours alone")
    assert ours.values["in_season"] == 1
    assert ours.signals["in_season"] == pytest.approx(0.2)
    assert found[0] == ours
    assert len(found) == 2, "a season prefers, it leaves nothing out"


def test_another_season_gives_nothing(memory):
    memory.remember("The build machine is ours alone", tags=["season:release-week"])
    (found,) = memory.recall("whose is the build machine?", season="holidays")
    assert found.values["in_season"] == 0


def test_an_empty_season_is_refused(memory):
    with pytest.raises(InvalidInput, match="season"):
        memory.recall("whose is the build machine?", season=" ")
