"""Who may write what."""

from datetime import UTC, datetime

import pytest

from recollect.errors import InvalidInput
from recollect.model import Memory, Origin
from recollect.write.rules import denial, rules_from

AT = datetime(2026, 1, 1, tzinfo=UTC)


def memory(kind="fact", channel="project-a", **origin):
    return Memory("m", "text", AT, AT, kind=kind, channel=channel, origin=Origin(**origin))


@pytest.mark.parametrize(
    ("rules", "denied"),
    [
        ("", False),
        ("deny scout * *", True),
        ("deny Scout * *", False),
        ("deny scout project-* fact", True),
        ("deny scout project-* preference", False),
        ("deny scout other *", False),
        ("allow scout * fact; deny * * *", False),
        ("deny * * *; allow scout * fact", True),
        ("deny tool * *", True),
        ("deny manual * *", True),
        ("deny import * *", False),
    ],
)
def test_the_first_rule_that_fits_decides_and_what_none_speaks_about_is_allowed(rules, denied):
    one = memory(actor="scout", role="tool")
    assert (denial(one, rules_from(rules)) is not None) is denied


def test_a_denial_names_who_what_where_and_the_rule():
    told = denial(memory(actor="scout"), rules_from("deny scout * *"))
    assert told == "scout may not write a fact into project-a: `deny scout * *` (privacy.rules)"


@pytest.mark.parametrize("rules", ["forbid a b c", "deny a b", "deny a b c d", "allow * * *; nonsense"])
def test_what_is_no_rule_is_told(rules):
    with pytest.raises(InvalidInput, match="a rule is `allow` or `deny`"):
        rules_from(rules)
