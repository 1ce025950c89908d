"""Credentials that are known by a word beside them: a name in code, a sentence, an element."""

import re
from collections.abc import Iterator
from typing import Final

from recollect.language.secret_nouns import NOUNS, Noun, Value
from recollect.language.secret_protocols import strong_value
from recollect.language.secret_rules import Rule, Span
from recollect.language.secret_values import is_code, is_placeholder, is_random, is_strong
from recollect.language.secret_words import words

_NAME_PARTS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_QUOTED: Final = (
    r"(?P<open>\\?[\"'`])(?!(?P=open))(?P<quoted>[^\n]{1,512}?)(?P=open)|[“‘«](?P<curly>[^”’»\n]{1,512})[”’»]"
)
# More than any pattern here is long, from its trigger to the end of a quoted value and back to an option.
_REACH: Final = 800
_LONGEST_BARE: Final = 256
_BARE: Final = rf"(?P<bare>[^\s\"'`“”]{{1,{_LONGEST_BARE}}}+(?:[\"'`]\w[^\s\"'`]{{0,64}}+){{0,3}})"
# Turkish endings of foreign words: token'ım, API key'i.
_ENDING: Final = r"(?:['’][^\W\d_]{1,6}+)?"
_NOT_A_WORD: Final = r"(?=[\"'`“‘«\\]|\S{0,63}[0-9@#$%^&*~+=|])"
# A quote that is opened and never closed is passed over.
_VALUE: Final = rf"(?:{_QUOTED}|\\?[\"'`]?{_BARE})"
_REST_OF_RUN: Final = re.compile(r"[^\s\"'`]*+")
# Where a value without quotes ends before its run does. After a sign of assignment the next pair ends it too, as in
# a query, a connection string or a call. One set of first characters lets the engine skip to them.
_END: Final = re.compile(r"[;,<\\\"](?:(?<=[;,])(?=\s|$|[\"'])|(?<=<)/|(?<=\\)\"|(?<=\"))")
_END_OR_NEXT_PAIR: Final = re.compile(
    r"[;&,<\\\"](?:(?<=[;,])(?=\s|$|[\"'])|(?<=;)(?=[A-Za-z][A-Za-z ]{1,24}=)|(?<=&)(?=[A-Za-z_]{2,24}=)"
    r"|(?<=,)(?=[A-Za-z_]{2,24}[=:])|(?<=<)/|(?<=\\)\"|(?<=\"))"
)
_CLAUSE_END: Final = re.compile(
    r"[\"'`*_]{0,3}[ \t]*(?:$|[\n\r,;.!)\]}|<#]|--|//)|[\"'`]?[ \t]+(?:and|or|but|ve|ile)\b"
)


def _value(match: re.Match[str], *, variable: bool = False) -> tuple[Span, Value] | None:
    """What a match of `_VALUE` holds and where, unless it only stands for a value."""
    (start, end), quoted = _located(match)
    text = match.string[start:end]
    if not text.strip() or is_placeholder(text) or (not quoted and is_code(text)):
        return None
    alone = quoted or bool(_CLAUSE_END.match(match.string, end))
    return (start, end), Value(text, quoted, alone, variable)


def _located(match: re.Match[str]) -> tuple[Span, bool]:
    for group in ("quoted", "curly"):
        if match[group] is not None:
            return match.span(group), True
    start, end = match.span("bare")
    ends = _END_OR_NEXT_PAIR if match.string[start - 1] in "=:" else _END
    sooner = ends.search(match.string, start, end)
    text = match.string[start : sooner.start() if sooner else end]
    return (start, start + len(text.rstrip(".,;:)]}>*"))), False


def _whole(match: re.Match[str], span: Span) -> Span:
    """Go on to the end of a run that was cut for length: only for what is a secret, or it would be read over and over."""
    start, end = span
    if end - start >= _LONGEST_BARE and (rest := _REST_OF_RUN.match(match.string, end)):
        end = rest.end()
    return start, end


def _name_speaks_of(match: re.Match[str]) -> bool:
    """Whether the name around the word makes it another thing, as in max_tokens, secretary or password_field."""
    rest = match["rest"]
    word_goes_on = rest[:1].islower() or (rest[:1].isupper() and match["word"].isupper())
    if word_goes_on:
        return True
    before = re.search(r"[\w-]*$", match.string[max(0, match.start() - 32) : match.start()])
    parts = _NAME_PARTS.findall((before[0] if before else "") + " " + rest)
    return any(part.lower() in words("speaks-of") for part in parts)


def _assignment(noun: Noun) -> Rule:
    def locate(match: re.Match[str]) -> Span | None:
        if _name_speaks_of(match):
            return None
        variable = (
            match["operator"] == "="
            and match["word"].isupper()
            and match.string[match.end("operator")] not in " \t"
        )
        found = _value(match, variable=variable)
        if not found or (match["line"] and not is_strong(found[1].text, 4)):
            return None
        return _whole(match, found[0]) if noun.accepts(found[1]) else None

    return Rule(
        noun.kind,
        f"is the value of a name that says {noun.kind}",
        noun.triggers,
        rf"(?P<head>(?P<word>{noun.words})(?P<rest>[\w-]{{0,40}}+)(?:\[\]|{_ENDING})[\"'`\])*\\]{{0,4}}[ \t]{{0,8}}"
        # A type can stand between: token: str = "...", var token string = "..."
        r"(?:(?::[ \t]{0,4}[A-Za-z][\w.\[\]|?]{0,40}+|string|str)[ \t]{0,3}(?==))?"
        r"(?P<operator>:=|=>|->|→|!?={1,3}|::?|\((?=[\"']))[*_]{0,2}[ \t]{0,8}(?P<line>\r?\n[ \t]{0,8})?(?:@|[bfru]{1,2}(?=[\"']))?)"
        rf"{_VALUE}",
        locate,
        re.IGNORECASE,
        _REACH,
    )


_PAST_CHANGE: Final = re.compile(
    r"(?:chang|set|updat|rotat|switch|renam|değiş|ayarla|güncelle)", re.IGNORECASE
)


def _sentence(noun: Noun) -> Rule:
    """Recognise 'the password for the wifi is Kedi1234' and 'changed the token to abc123de'."""

    def locate(match: re.Match[str]) -> Span | None:
        found = _value(match)
        nearby = match.string[max(0, match.start() - 40) : match.end("head")]
        if not found or (match["operator"].strip().lower() == "to" and not _PAST_CHANGE.search(nearby)):
            return None
        value = found[1]
        strong = (
            is_strong(value.text, 4)
            or value.quoted
            or noun.kind == "pin"
            or (noun.kind == "password" and value.text.isdigit())
        )
        return _whole(match, found[0]) if strong and noun.accepts(value) else None

    return Rule(
        noun.kind,
        f"is said to be the {noun.kind}",
        noun.triggers,
        rf"(?P<head>{noun.words}(?![A-Za-z]){_ENDING}"
        r"(?:[ \t]+(?:for|of|on|in|at|from|to|by|we|i|you|that|which|used|has|had|got|was|is|been|changed|reset|updated"
        r"|rotated|set|için|\()(?=\W)[^\n:=;!?]{0,48}?)??"
        r"(?P<operator>[ \t)]+(?:is|was|to|olarak)[ \t]+|[ \t)]{0,3}[:=→][ \t]{0,3})(?:(?:now|still|just)[ \t]+|:[ \t]{0,3})?)"
        # Without this the first 'is' would end the search: 'was changed to hunter2'.
        rf"{_NOT_A_WORD}{_VALUE}",
        locate,
        re.IGNORECASE,
        _REACH,
    )


def _plain_sentence(noun: Noun) -> Rule:
    """Recognise 'my password is sunshine.', where only the end of the clause tells it from a description."""

    def locate(match: re.Match[str]) -> Span | None:
        found = _value(match)
        return found[0] if found and found[1].alone and noun.accepts(found[1]) else None

    return Rule(
        noun.kind,
        f"is said to be the {noun.kind}",
        noun.triggers,
        rf"(?P<head>(?<![\w-]){noun.words}[ \t]+(?:is|was)[ \t]+){_VALUE}",
        locate,
        re.IGNORECASE,
        _REACH,
    )


_OPTION: Final = re.compile(r"--?[a-z][a-z-]*(?:=.*)?")


def _adjacent(noun: Noun) -> Rule:
    """Recognise 'password hunter2', '--token abc' and, in Turkish, 'parolam hunter2'."""

    def locate(match: re.Match[str]) -> Span | None:
        found = _value(match, variable=bool(match["option"]))
        if not found:
            return None
        span, value = found
        if match["option"]:
            return _whole(match, span) if not _OPTION.fullmatch(value.text) and noun.accepts(value) else None
        strong = is_strong(value.text, 4 if value.quoted else 6)
        if noun.kind != "password":
            strong = strong and len(value.text) >= 16 and is_random(value.text)
        return _whole(match, span) if strong and noun.accepts(value) else None

    return Rule(
        noun.kind,
        f"stands next to the word {noun.kind}",
        noun.triggers,
        rf"(?P<head>(?P<option>--[\w-]{{0,20}}?)?{noun.words}(?![\w-]){_ENDING}[ \t]+)(?(option)|{_NOT_A_WORD}){_VALUE}",
        locate,
        re.IGNORECASE,
        _REACH,
    )


_POINTS_ELSEWHERE: Final = re.compile(
    r"(?:commit|sha\d*|rev|revision|hash|checksum|digest|merge|branch|id|in|at|by|since|of|see|from|blob|tree|etag)\W{0,3}$",
    re.IGNORECASE,
)


def _nearby(noun: Noun) -> Rule:
    def locate(match: re.Match[str]) -> Span | None:
        before = match.string[max(0, match.start("secret") - 16) : match.start("secret")]
        hidden = is_random(match["secret"]) and not _POINTS_ELSEWHERE.search(before)
        return _whole(match, match.span("secret")) if hidden else None

    return Rule(
        noun.kind,
        f"is a random string near the word {noun.kind}",
        noun.triggers,
        rf"(?P<head>{noun.words})[^\n]{{1,40}}?(?<![A-Za-z0-9+/_=.-])(?P<secret>[A-Za-z0-9+/_=-]{{20,}}+)(?![./])",
        locate,
        re.IGNORECASE,
        _REACH,
    )


def _element(noun: Noun) -> Rule:
    def locate(match: re.Match[str]) -> Span | None:
        value = Value(match["secret"], quoted=True)
        return match.span("secret") if not is_placeholder(value.text) and noun.accepts(value) else None

    return Rule(
        noun.kind,
        f"is the content of an element that says {noun.kind}",
        noun.triggers,
        rf"(?P<head><[\w:.-]{{0,30}}?{noun.words}[\w-]{{0,20}}(?:[ \t][^<>\n]{{0,80}})?>)(?P<secret>[^<>\n]{{3,512}})</",
        locate,
        re.IGNORECASE,
        _REACH,
    )


_REVERSED: Final = Rule(
    "password",
    "is said to be the password",
    ("passw", "passphrase", "passcode"),
    r"(?<!\S)[\"'`]?(?P<secret>[^\s\"'`]{4,64}+)[\"'`]?[ \t]+(?:is|as)[ \t]+(?:my|our|the|your)[ \t]+(?:[\w-]{1,20}[ \t]+){0,2}"
    r"pass(?:word|phrase|code)",
    strong_value,
    re.IGNORECASE,
    _REACH,
)


def _rules() -> Iterator[Rule]:
    for noun in NOUNS:
        yield _assignment(noun)
        yield _sentence(noun)
        yield _element(noun)
        if noun.stands_for_itself:
            yield _adjacent(noun)
            yield _nearby(noun)
    yield _plain_sentence(NOUNS[0])
    yield _REVERSED


CONTEXT: Final = tuple(_rules())
