"""Credentials where a protocol or a command has its place for them: headers, cookies, options."""

import base64
import binascii
import re
from typing import Final

from recollect.language.secret_rules import Rule, Span
from recollect.language.secret_values import is_placeholder, is_strong


def strong_value(match: re.Match[str]) -> Span | None:
    secret = match["secret"]
    hidden = (is_strong(secret) or len(secret) >= 24) and not is_placeholder(secret)
    return match.span("secret") if hidden else None


def _not_a_placeholder(match: re.Match[str]) -> Span | None:
    secret = match["secret"]
    return None if is_placeholder(secret) or secret.isdigit() else match.span("secret")


def _basic_login(match: re.Match[str]) -> Span | None:
    try:
        decoded = base64.b64decode(match["secret"] + "==")
    except (binascii.Error, ValueError):
        return None
    return match.span("secret") if b":" in decoded and decoded.isascii() else None


PROTOCOLS: Final = (
    Rule(
        "authorization",
        "stands in an Authorization header",
        ("authorization",),
        r"authorization[\"'`]?\s{0,3}[:=,]\s{0,3}[\"'`]?(?:(?:bearer|basic|token|digest|apikey|bot|negotiate|key)[ \t]+)?"
        r"(?P<secret>[^\s\"'`]{6,}+)",
        strong_value,
        re.IGNORECASE,
    ),
    Rule(
        "authorization",
        "follows the word Bearer",
        ("bearer",),
        r"(?<![A-Za-z])bearer[ \t:]{1,3}(?P<secret>[\w.~+/=-]{12,}+)",
        strong_value,
        re.IGNORECASE,
    ),
    Rule(
        "authorization",
        "is a login in base64 after the word Basic",
        ("basic",),
        r"(?<![A-Za-z])basic[ \t]+(?P<secret>[A-Za-z0-9+/]{6,}+={0,2})",
        _basic_login,
        re.IGNORECASE,
    ),
    Rule(
        "cookie",
        "stands in a Cookie header",
        ("cookie",),
        r"(?<![A-Za-z])(?:set-)?cookie[\"'`]?\s{0,3}[:,]\s{0,3}[\"'`]?(?P<secret>[^\s=;,\"'`]{1,64}=[^\s\"'`][^\n\"'`]{5,}+)",
        flags=re.IGNORECASE,
    ),
    Rule(
        "cookie",
        "is the value of a session cookie",
        (
            "sess",
            "connect.sid",
            "csrftoken",
            "xsrf-token",
            "logged_in",
            "auth_token",
            "remember_",
            "__secure-",
            "__host-",
        ),
        r"(?:phpsessid|jsessionid|aspsessionid\w{0,10}|asp\.net_sessionid|connect\.sid|sessionid|(?:laravel|rack|_?\w{1,16})[_.]session"
        r"|csrftoken|xsrf-token|wordpress_logged_in_\w{1,40}|auth_token|remember_\w{1,20}|__(?:secure|host)-[\w.-]{1,40})"
        r"=(?P<secret>[^\s;,\"'`&]{8,}+)",
        strong_value,
        re.IGNORECASE,
    ),
    Rule(
        "password",
        "is the password in a command's login",
        ("curl", "wget", "http"),
        r"(?:curl|wget|http)[^\n]{0,160}?[ \t](?:-u|--user)[ =]{0,2}[\"']?[^\s:\"'=]{1,64}:(?P<secret>[^\s\"']++)",
        _not_a_placeholder,
    ),
    Rule(
        "password",
        "is the password option of a command",
        ("sshpass", "mysql"),
        r"(?:sshpass[ \t]+-p[ \t]*|mysql\w{0,8}(?:[ \t][^\n]{0,120}?)?[ \t]-p)[\"']?(?P<secret>[^\s\"']{3,}+)",
        _not_a_placeholder,
    ),
)
