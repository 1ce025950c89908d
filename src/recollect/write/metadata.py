"""Metadata as it may be stored: what JSON can hold, without secrets."""

import json
from collections.abc import Mapping
from typing import Any

from recollect.errors import InvalidInput
from recollect.language.secrets import redact


def plain_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """What JSON would give back, so that what is stored is what was meant."""
    if metadata is None:
        return {}
    try:
        plain = json.loads(json.dumps(dict(metadata)))
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"metadata is what JSON can hold: {error}") from None
    return {str(name): _redacted(str(name), value) for name, value in plain.items()}


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
        return {key: _redacted(key, item) for key, item in value.items()}
    return value
