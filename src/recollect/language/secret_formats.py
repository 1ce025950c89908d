"""Credentials that are known by their own form, whatever stands beside them."""

import re
from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import Final

from recollect.language.secret_rules import DIGIT_RUN, LONG_RUN, Rule, Span
from recollect.language.secret_values import (
    is_access_key,
    is_card_number,
    is_certainly_random,
    is_placeholder,
    is_strong,
)


def _own(prefix: str) -> str:
    """Match a prefix that starts a run; written behind the literal, which the engine can search for."""
    return rf"{prefix}(?:(?<![A-Za-z0-9_-]{prefix})|(?<=%[0-9A-Fa-f]{{2}}{prefix}))"


def _mixed(match: re.Match[str]) -> Span | None:
    return match.span("secret") if is_strong(match["secret"]) else None


def _card(match: re.Match[str]) -> Span | None:
    return match.span() if is_card_number(match[0]) else None


def _url_password(match: re.Match[str]) -> Span | None:
    return None if is_placeholder(match["secret"]) else match.span("secret")


def _access_key(match: re.Match[str]) -> Span | None:
    return match.span("secret") if is_access_key(match["secret"]) else None


def _certain(match: re.Match[str]) -> Span | None:
    return match.span("secret") if match["secret"] and is_certainly_random(match["secret"]) else None


def _user_and_password(match: re.Match[str]) -> Span | None:
    """Only what is a user, a colon and a password in base64."""
    try:
        user, colon, password = b64decode(match["secret"], validate=True).decode().partition(":")
    except ValueError:
        return None
    return match.span("secret") if user and colon and password and user.isprintable() else None


@cache
def formats() -> tuple[Rule, ...]:
    """Every rule here, the surest first."""
    lines = Path(__file__).with_name("secret_formats.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    listed = (
        Rule(kind, f"has the form of {name}", tuple(triggers.split()), pattern)
        for kind, name, triggers, pattern in rows
    )
    return (PRIVATE_KEY, *listed, *SHAPES)


_PEM_LABEL: Final = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?"

PRIVATE_KEY: Final = Rule(
    "private-key",
    "stands between the armour lines of a private key",
    ("private key",),
    # Up to the closing line; without one, the lines that can be key material.
    rf"-{{4,5}} ?BEGIN {_PEM_LABEL}-{{4,5}}"
    rf"(?:[^-]*+(?:-(?!---)[^-]*+)*+-{{4,5}} ?END {_PEM_LABEL}-{{4,5}}"
    r"|(?:\s{0,8}[A-Za-z0-9+/=]{16,}+)*+)",
)

SHAPES: Final = (
    Rule(
        "aws-secret-key",
        "is 40 random characters next to AWS or access key",
        ("aws", "amazon", "access key", "access_key", "accesskey"),
        r"(?i:aws|amazon|access.?key)[^\n]{0,60}?(?<![A-Za-z0-9/+=])(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        _access_key,
    ),
    Rule(
        "openai-key",
        "has the form of an OpenAI key",
        ("sk-",),
        rf"(?P<secret>{_own('sk-')}[\w-]{{20,}})",
        _mixed,
    ),
    Rule(
        "api-key",
        "has the form of an API key",
        ("sk_",),
        rf"{_own('sk_')}[0-9a-f]{{48}}(?![A-Za-z0-9])",
    ),
    Rule(
        "basic-auth",
        "stands where Docker or npm keep a user and a password",
        ('"auth"', "_auth"),
        r'(?:"auth"\s{0,8}:\s{0,8}"|:_auth\s{0,8}=\s{0,8}"?)(?P<secret>[A-Za-z0-9+/]{8,}={0,2})',
        _user_and_password,
    ),
    Rule(
        "jwt",
        "has the form of a JSON web token",
        ("eyJ",),
        _own("eyJ") + r"[\w=-]{8,}+\.[\w=-]{4,}+(?:\.[\w=+/-]*+){0,3}",
    ),
    Rule(
        "url-password",
        "stands where a URL has its password",
        ("://",),
        # The second alternative is for passwords with a raw slash; a port and a path must not look like one.
        r"(?<=[A-Za-z0-9])://[^\s/?#@:'\"<>]{0,128}:(?!\d{2,5}[/?#])"
        r"(?P<secret>[^\s/?#'\"<>]+|[^\s'\"<>]{1,128}?)@(?=[\w\[.-])",
        _url_password,
    ),
    Rule(
        "url-token",
        "stands where a URL has its user, and is random",
        ("://",),
        r"(?<=[A-Za-z0-9])://(?P<secret>[\w-]{20,200})@",
        _mixed,
    ),
    Rule(
        "credit-card",
        "has a payment card's length, first digits and check digit",
        (DIGIT_RUN,),
        r"(?<![0-9A-Za-z.])(?:[0-9]{14,16}|[0-9]{4}(?P<gap>[ -])[0-9]{4}(?P=gap)[0-9]{4}(?P=gap)[0-9]{4}"
        r"|[0-9]{4}[ -][0-9]{6}[ -][0-9]{4,5})(?![0-9A-Za-z])",
        _card,
    ),
    Rule(
        "high-entropy",
        "is a long string too random to be language",
        (LONG_RUN,),
        # Links, checksums, public certificates and embedded data are passed over whole.
        r"(?i:https?://\S*+|-----BEGIN [^-]{0,40}-----[^-]*+|(?:sha\d{1,3}[:=-]|;base64,)\S*+)"
        r"|(?<![A-Za-z0-9+/_=-])(?P<secret>[A-Za-z0-9+/_=-]{32,512})(?![A-Za-z0-9+/_=-])",
        _certain,
    ),
)
