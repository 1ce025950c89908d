"""Whether what stands where a secret could stand is one: or a word, a number, a reference, a placeholder."""

import base64
import binascii
import re
from typing import Final

from recollect.language.secret_rules import class_changes, entropy
from recollect.language.secret_words import words

_PLACEHOLDER: Final = re.compile(
    r"""
    \$(?-i:[A-Z_][A-Z0-9_]*|[a-z_]+) | \$\{.* | \$\(.* | \{\{.* | \{[A-Za-z_.]*\} | <[A-Za-z_ .-]*>? | <%.* | %[A-Za-z_]+% | %\([a-z_]+\)?s? | %[sdr]
    | [*x•.\#_?-]{3,} | \.\.\.\S* | \S{0,4}\*{3,}\S{0,4}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_INSTRUCTION: Final = re.compile(
    r"(?:^|[_-])(?:your|my|example|placeholder|dummy|insert|enter|redacted|masked|removed|hidden)[_-]",
    re.IGNORECASE,
)
_ATTRIBUTE: Final = re.compile(
    r"(?:self|this|os|env|environ|process|settings|config|cfg|conf|args|opts|options|request|req|res|response|user|app|ctx"
    r"|context|params|props|state|data|obj|creds|credentials|secrets|vault|session|client|form|input|import|system|deno|var"
    r"|local|module|kwargs|payload|body|event|row|record|st|flask|django)(?:\.|\[|->|::)[A-Za-z_'\"]",
    re.IGNORECASE,
)
_TYPE_OR_VARIABLE: Final = re.compile(
    r"(?:Optional|Union|Annotated|Literal|Maybe|Option|Secret|SecretStr|String|None|NULL|str|list|dict)[\[(<|?].*"
    r"|[({\[<][A-Za-z_]{0,20}[)}\]>]?|[A-Za-z_]+_(?i:password|passwd|secret|token|key|pwd|pass|hash)"
)
_CALL: Final = re.compile(
    r"(?:await\s|new\s|not\s|!)?(?P<name>[A-Za-z_]{3,}|[A-Za-z_]++(?:\.[A-Za-z_]\w*+)++)(?:\(|\[['\"]?\w)"
)
_NOT_IN_CALLS: Final = re.compile(r"[!@#$%^&~?|;\\]")
# Names of technology, quantities, versions, times and addresses have letters and digits but hide nothing.
_TECHNICAL: Final = re.compile(
    r"""
    (?:sha|md|aes|utf|rsa|ed|argon|base|pbkdf|hs|rs|es|crc|tlsv?|sslv?)[-_ ]?[0-9]{1,5}(?:[a-z]{0,3}|-[a-z0-9.]{1,12})
    | (?:ipv|http|web|log|oauth|auth|python|py|java|vue|node|postgres|mysql|gpt|claude|llama|bert|win|fido)[-_ ]?v?[0-9]{1,2}
      (?:[a-z]?|-[a-z0-9.]{1,12})
    | 1password | 2fa | mfa | keepass\w* | lastpass | bitwarden | argon2id? | scrypt | bcrypt | log4j | k8s | l10n | i18n | x86_64
    | \d+[-‐–]?(?:bit|byte|char|digit|letter|word|symbol|token|time|day|week|month|year|hour|hr|h|minute|min|m|second|sec|s
       |ms|k|kb|mb|gb|b|x|st|nd|rd|th|px|am|pm|d|w|y|karakter|haneli|gün|saat)(?:s|es|-[a-z]+)?
    | v?\d+(?:\.\d+)+(?:[-+.]?(?:a|b|rc|alpha|beta|dev|post|build|final)[-.]?\d{0,4})*
    | \d{4}-\d\d-\d\dt[\d:.]+(?:z|[+-][\d:]+)?
    | [@\#][a-z][a-z_-]+[0-9]{0,3}
    | q[1-4] | \d+/\d+ | \w{1,3}\d | [a-z]:\\\S* | (?:\.{0,2}/|~/)[\w.-]+(?:/[\w.-]*)* | [\w-]+(?:/[\w-]+)+\.\w{1,5}
    | [\w-]+\.(?:py|js|ts|tsx|jsx|go|rs|rb|md|txt|json|yaml|yml|toml|env|sh|sql|html|css|pdf|png|com|org|net|io|dev|app|ai)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_EMAIL: Final = re.compile(r"[\w.+-]+@[a-z0-9-]+(?:\.[a-z]{2,6})+")
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://")
_LETTER: Final = re.compile(r"[^\W\d_]")
_DIGIT_OR_SIGN: Final = re.compile(r"[\d!@#$%^&*~+=?|\\]")
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_ULID: Final = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_PUBLIC: Final = re.compile(r"AAAA[A-Z]3Nza|AAAAE2VjZHNh")


def is_placeholder(value: str) -> bool:
    """Something that stands for a value: a variable in a template, a mask, an instruction, a link."""
    start = value[:100]
    instruction = start.replace("_", "").replace("-", "").isalpha() and _INSTRUCTION.search(start)
    return bool(instruction or _PLACEHOLDER.fullmatch(start) or _URL.match(start))


def is_code(value: str) -> bool:
    """An expression that yields a value: a call, an attribute, another variable, a type."""
    start = value[:100]
    if _ATTRIBUTE.match(start) or _TYPE_OR_VARIABLE.fullmatch(start):
        return True
    call = _CALL.match(start)
    # A made password can have a bracket too, but its letters are no name and it has other signs.
    return call is not None and class_changes(call["name"]) <= 0.4 and not _NOT_IN_CALLS.search(start)


def is_identifier(value: str) -> bool:
    """A UUID or ULID: random, but made to be shown."""
    return bool(_UUID.fullmatch(value) or _ULID.fullmatch(value))


def is_ordinary(value: str) -> bool:
    """A word that describes a secret, or a technical term, a quantity, a date, an address."""
    start = value[:100]
    bare = start.strip("!?.,;:*_").lower()
    return bare in words("describes") or bool(_TECHNICAL.fullmatch(bare) or _EMAIL.fullmatch(start))


def is_strong(value: str, least: int = 6) -> bool:
    """It reads like something chosen or made to be hard to guess: letters with digits or signs."""
    core = value[:100].rstrip("!?")
    if len(value) < least or not _LETTER.search(core) or is_ordinary(value):
        return False
    if _DIGIT_OR_SIGN.search(core):
        return True
    return len(core) >= 16 and core[1:] != core[1:].lower() and core != core.upper()


def is_plain_password(value: str) -> bool:
    """A plain word or number that can be a password, such as sunshine or 12345678."""
    core = value.rstrip("!?.")
    if core.isdigit():
        return len(core) >= 4
    return len(core) >= 4 and not is_ordinary(core) and not core.lower().endswith(tuple(words("ending")))


def is_passphrase(value: str) -> bool:
    """A quoted value that can be a password; several words are one unless they read as a message."""
    parts = value.split()
    if len(parts) == 1:
        return is_strong(value, 3) or is_plain_password(value)
    talk = words("describes") | words("message")
    ordinary = sum(part.strip(".,:;!?").lower() in talk for part in parts)
    return 3 <= len(parts) <= 8 and ordinary * 3 <= len(parts)


def is_random(value: str) -> bool:
    """Letters and digits mixed as only a generator mixes them (measured on its first 512 characters)."""
    sample = value[:512]
    if not any(map(str.isdigit, sample)) or not any(map(str.isalpha, sample)) or is_identifier(value):
        return False
    if re.fullmatch(r"[0-9a-fA-F]+", sample):
        return entropy(sample) >= 2.8
    if not any(map(_is_mixed, re.split(r"[^A-Za-z0-9]", sample))):
        return False
    return entropy(sample) >= 3.3 and class_changes(sample) >= 0.15


def _is_mixed(part: str) -> bool:
    return len(part) >= 8 and any(map(str.isdigit, part)) and class_changes(part) >= 0.15


def is_certainly_random(value: str) -> bool:
    """So random that it needs no word beside it: base64 or base62 of three kinds of characters."""
    if len(value) < 32 or not (
        re.search("[a-z]", value) and re.search("[A-Z]", value) and re.search("[0-9]", value)
    ):
        return False
    if _PUBLIC.match(value) or is_identifier(value):
        return False
    # Names are joined by signs too, so only what happens inside their parts counts.
    parts = [part for part in re.split(r"[+/_=-]", value) if part]
    pairs = sum(len(part) - 1 for part in parts)
    changes = sum(class_changes(part) * (len(part) - 1) for part in parts)
    mixed = pairs >= 0.7 * len(value) and changes >= 0.28 * pairs and len(re.findall("[0-9]", value)) > 1
    return mixed and entropy(value) >= 4.2 and not _decodes_to_text(value)


def is_access_key(value: str) -> bool:
    """Base64 of both cases and no name: for a place where a secret access key is expected."""
    return (
        value != value.lower()
        and value != value.upper()
        and entropy(value) >= 3.8
        and class_changes(value) >= 0.2
    )


def _decodes_to_text(value: str) -> bool:
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return False
    return decoded.isascii() and decoded.decode().isprintable()


def is_card_number(text: str) -> bool:
    """A payment card's length, first digits and check digit (Luhn).

    >>> is_card_number("4111 1111 1111 1112")
    False
    """
    digits = [int(character) for character in text if character.isdigit()]
    number = "".join(map(str, digits))
    if not re.fullmatch(
        r"4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|6(?:011|[45]\d\d)\d{12}|35\d{14}", number
    ):
        return False
    doubled = [
        digit if place % 2 == 0 else sum(divmod(2 * digit, 10))
        for place, digit in enumerate(reversed(digits))
    ]
    return sum(doubled) % 10 == 0 and len(set(digits)) > 1
