"""The patterns of detect-secrets, a maintained detector, used as they are."""

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from recollect.language.secret_rules import Span


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plugin, and the substrings without which none of its patterns can match.

    Left out: those that backtrack without bound on long input (npm, OpenAI, JWT, IBM, SoftLayer, Cloudant), those
    without a substring that tells when to try them (basic auth, Discord, Telegram, Twilio), and those that find
    only the heading of a secret or name a variable (private key, keyword, entropy, public IP). Our own rules cover
    these kinds.
    """

    module: str
    name: str
    kind: str
    triggers: tuple[str, ...]
    first_group: bool = False

    def spans(self, text: str, folded: str) -> Iterator[Span]:  # noqa: ARG002 - as every detector
        for regex in _patterns(self.module, self.name):
            for match in regex.finditer(text):
                yield match.span(1 if self.first_group and regex.groups else 0)

    @property
    def reason(self) -> str:
        return f"matches detect-secrets' {self.name}"


PLUGINS: Final = (
    Plugin(
        "aws",
        "AWSKeyDetector",
        "aws-access-key",
        ("AKIA", "ASIA", "ABIA", "ACCA", "aws_", "AWS"),
        first_group=True,
    ),
    Plugin("artifactory", "ArtifactoryDetector", "artifactory-token", ("AKC", "artifactory")),
    Plugin("azure_storage_key", "AzureStorageKeyDetector", "azure-key", ("AccountKey=",)),
    Plugin("github_token", "GitHubTokenDetector", "github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")),
    Plugin(
        "gitlab_token",
        "GitLabTokenDetector",
        "gitlab-token",
        (
            "glpat-",
            "gldt-",
            "glft-",
            "glsoat-",
            "glrt-",
            "GR1348941",
            "glcbt-",
            "glimt-",
            "glptt-",
            "glagent-",
            "gloas-",
        ),
    ),
    Plugin("mailchimp", "MailchimpDetector", "mailchimp-key", tuple(f"-us{digit}" for digit in range(10))),
    Plugin("pypi_token", "PypiTokenDetector", "pypi-token", ("pypi-AgE",)),
    Plugin("sendgrid", "SendGridDetector", "sendgrid-key", ("SG.",)),
    Plugin(
        "slack",
        "SlackDetector",
        "slack-token",
        ("xoxa-", "xoxb-", "xoxp-", "xoxo-", "xoxs-", "xoxr-", "hooks.slack.com"),
    ),
    Plugin("square_oauth", "SquareOAuthDetector", "square-token", ("sq0csp-",)),
    Plugin("stripe", "StripeDetector", "stripe-key", ("sk_live_", "rk_live_")),
)


@cache
def _patterns(module: str, name: str) -> tuple[re.Pattern[str], ...]:
    # Importing a plugin brings in an HTTP client (0.2 s): only texts with its trigger pay for it.
    return tuple(getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name).denylist)
