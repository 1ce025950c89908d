"""Metadata as it may be stored: what JSON can hold, without secrets."""

import json
from collections.abc import Mapping
from typing import Any

from recollect.errors import InvalidInput
from recollect.language.plain import MOST_LEVELS, is_too_deep
from recollect.language.secrets import redact
from recollect.write.text import word


def plain_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """What JSON would give back, so that what is stored is what was meant."""
    if metadata is None:
        return {}
    return {
        word(str(name)): _redacted(str(name), value) for name, value in plain(metadata, "metadata").items()
    }


def plain(given: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The same as JSON has it; raises where JSON cannot hold it, or not everywhere."""
    check_depth(given, name)
    try:
        told: dict[str, Any] = json.loads(json.dumps(dict(given), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{name} is what JSON can hold: {error}") from None
    return told


def check_depth(given: Any, name: str) -> None:
    """Raises where something is nested deeper than can be kept and read again."""
    if is_too_deep(given):
        raise InvalidInput(f"{name} has at most {MOST_LEVELS} lists and objects in each other")


def _redacted(name: str, value: Any) -> Any:
    if isinstance(value, str):
        # The name tells what the value alone may not: {"password": "hunter2"}.
        findings = redact(f"{name}: {value}").findings
        return (
            f"[redacted:{findings[0].kind}]"
            if findings and not redact(value).findings
            else redact(value).text
        )
    if isinstance(value, list):
        return [_redacted(name, item) for item in value]
    if isinstance(value, dict):
        return {word(key): _redacted(key, item) for key, item in value.items()}
    return value
