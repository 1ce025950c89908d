"""Take memories out and in, as a stream."""

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from itertools import islice
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import StreamingResponse

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.serve.http import models
from recollect.serve.http.routing import PROBLEMS, add, answered, as_json
from recollect.serve.http.service import Service
from recollect.serve.keys import Right

router = APIRouter(tags=["exchange"])
Format = Annotated[Literal["jsonl", "markdown"], Query()]
MEDIA_TYPES = {"jsonl": "application/x-ndjson", "markdown": "text/markdown; charset=utf-8"}
LINES_AT_ONCE = 200
IN_MEMORY_BYTES = 8_000_000


async def export(request: Request, format: Format = "jsonl") -> StreamingResponse:
    """Write memories out as JSON Lines or Markdown.

    JSON Lines hold everything, with its history. Markdown holds what is true now, to be read and edited.
    """
    service: Service = request.app.state.service
    lent = ExitStack()
    memory = lent.enter_context(service.engines.of(request.state.caller.user))
    try:
        lines: Iterator[str] = iter(await service.slow.run(partial(memory.export, format=format)))
        first = await service.slow.run(partial(_some, lines))
    except BaseException:
        lent.close()
        raise
    return StreamingResponse(_stream(service, lent, lines, first), media_type=MEDIA_TYPES[format])


async def import_(request: Request, format: Format = "jsonl") -> Any:
    """Take an export in; the same one twice changes nothing.

    What is known here in another form is reported as a conflict and left as it is.
    """
    with SpooledTemporaryFile(IN_MEMORY_BYTES) as body:
        async for part in request.stream():
            body.write(part)
        body.seek(0)
        return await answered(request, partial(_taken, body, format), slow=True)


add(
    router,
    "GET",
    "/export",
    export,
    export,
    right=Right.READ,
    response_class=StreamingResponse,
    responses={
        **PROBLEMS,
        200: {
            "description": "The lines.",
            "content": {
                name: {"schema": {"type": "string"}}
                for name in ("application/x-ndjson", "text/markdown; charset=utf-8")
            },
        },
    },
)
add(
    router,
    "POST",
    "/import",
    import_,
    import_,
    right=Right.WRITE,
    response_model=models.ImportedFile,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                name: {"schema": {"type": "string"}} for name in ("application/x-ndjson", "text/markdown")
            },
        }
    },
)


async def _stream(
    service: Service, lent: ExitStack, lines: Iterator[str], part: bytes
) -> AsyncIterator[bytes]:
    """A part after the other, each made when the one before it was taken."""
    with lent:
        while part:
            yield part
            part = await service.slow.run(partial(_some, lines))


def _some(lines: Iterator[str]) -> bytes:
    return "".join(f"{line}\n" for line in islice(lines, LINES_AT_ONCE)).encode("utf-8", "backslashreplace")


def _taken(body: IO[bytes], format: str, memory: Recollect) -> bytes:
    return as_json(asdict(memory.import_(_lines(body), format=format)))


def _lines(body: Iterable[bytes]) -> Iterator[str]:
    """Only line feeds part lines: other separators may stand inside a text."""
    for number, line in enumerate(body, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8").removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError:
            raise InvalidInput(f"line {number} is not UTF-8 text; nothing was imported") from None
