"""Words for secrets in English and Turkish, and which values beside them are one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from recollect.language.secret_values import is_ordinary, is_passphrase, is_plain_password, is_strong


@dataclass(frozen=True, slots=True)
class Value:
    """What stands where a secret would, and how it is written."""

    text: str
    quoted: bool = False
    alone: bool = False
    """Nothing but the end of a clause or line follows."""
    variable: bool = False
    """It is assigned as in a shell: NAME=value, nothing between."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A word for a secret, and which values beside it are one."""

    kind: str
    triggers: tuple[str, ...]
    words: str
    accepts: Callable[[Value], bool]
    stands_for_itself: bool = True
    """What follows it can be one without a sign between; not so for 'to pass' and 'pin 13'."""


def _password(value: Value) -> bool:
    if value.quoted:
        return is_passphrase(value.text)
    return is_strong(value.text, 4) or ((value.alone or value.variable) and is_plain_password(value.text))


def _pass(value: Value) -> bool:
    return is_strong(value.text) or ((value.quoted or value.variable) and is_plain_password(value.text))


def _pin(value: Value) -> bool:
    return value.text.isdigit() and 3 <= len(value.text) <= 8


def _token(value: Value) -> bool:
    if value.variable:
        return len(value.text) >= 8 and not value.text.isdigit() and not is_ordinary(value.text)
    return is_strong(value.text, 8) and any(map(str.isdigit, value.text))


def _secret(value: Value) -> bool:
    named = value.variable or (value.quoted and value.text.isalpha() and len(value.text) >= 8)
    return is_strong(value.text) or (named and is_plain_password(value.text) and not value.text.isdigit())


_I: Final = "[i\u0131\u0130]"
NOUNS: Final = (
    Noun(
        "password",
        ("passw", "passphrase", "passcode", "parola", "\u015fifre", "sifre", "contrase"),
        r"(?:passw(?:or[dt]|d)|passphrase|passcode|contrase[ñn]a"
        rf"|parola(?:s\u0131n\u0131|[ymns]\u0131|[mn]\u0131z|[mn])?|[\u015fs]{_I}fre(?:s{_I}n{_I}|[ymns]{_I}|[mn]{_I}z|[mn])?)",
        _password,
    ),
    Noun(
        "password",
        ("pass", "pwd", "pw"),
        r"(?:(?<![A-Za-z])(?:pass|pwd|pword|pw)|(?<=[a-z])(?-i:Pass|Pwd))",
        _pass,
        stands_for_itself=False,
    ),
    Noun(
        "pin",
        ("pin", "cvv", "cvc"),
        rf"(?<![A-Za-z])(?:pin(?:[ _-]?(?:code|number|kod{_I}?u?m?))?|cvv2?|cvc2?)",
        _pin,
        stands_for_itself=False,
    ),
    Noun("token", ("token", "jeton"), r"(?:token|jeton)", _token),
    Noun(
        "api-key",
        ("key", "anahtar"),
        r"(?:api|access|auth|private|account|signing|encryption|master|service|deploy|licen[sc]e|webhook|client|app|admin"
        rf"|secret|gizli)[ _.-]?(?:access[ _.-]?)?(?:key|anahtar(?:{_I}m?)?)",
        _secret,
    ),
    Noun("secret", ("secret", "credential"), r"(?:secret|credentials?)", _secret),
)
