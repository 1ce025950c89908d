"""Logs as JSON lines: what happened, never what was said."""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

log = logging.getLogger("recollect.http")
QUIET = ("uvicorn.access", "httpx")


class Lines(logging.Formatter):
    """One JSON object a line.

    Of an error the kind and the places in the code are told, and not its message, which may repeat what
    somebody said.
    """

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        value: dict[str, Any] = {
            "at": at,
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "told", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            value["error"] = record.exc_info[0].__name__
            value["where"] = [
                f"{place.filename}:{place.lineno} {place.name}"
                for place in traceback.extract_tb(record.exc_info[2])
            ]
        return json.dumps(value, ensure_ascii=False)


def write_logs() -> None:
    """Sends this process's logs to standard error, as lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    log.setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)


def tell(event: str, **told: Any) -> None:
    """One line about something ordinary."""
    log.info(event, extra={"told": told})
