"""A language model behind any OpenAI-compatible `/chat/completions` endpoint, hosted or local.

What it returns is checked before it is believed. A model that fails is left alone for a while, so that a broken one
costs little; every question is counted by what came of it, and told to whoever listens.
"""

import json
import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from recollect.errors import InvalidInput, ModelUnavailable
from recollect.providers.endpoint import Endpoint, NotTaken
from recollect.providers.formats import FORMATS
from recollect.providers.shape import problem
from recollect.providers.tasks import Task, task
from recollect.providers.text import well_formed

log = logging.getLogger("recollect")
ANSWERED, FAILED, MALFORMED, RESTING = "answered", "failed", "malformed", "resting"
MAX_ANSWER_BYTES: Final = 2**20
PATIENCE: Final = 3
"""After so many failures in a row it is left alone."""
LONGEST_WAIT_SECONDS: Final = 1.0
"""A caller waits for it: what asks for a longer pause has failed."""
_FENCED: Final = re.compile(r"\s*```(?:json)?\s*(.*?)\s*```\s*", re.DOTALL)
_FENCE: Final = re.compile(r"```(?:json)?(.*?)```", re.DOTALL)
_THOUGHT: Final = "</think>"
"""What ends the thoughts that some models write before they answer."""

Tell = Callable[[Mapping[str, Any]], None]


class Chat:
    """Does tasks through POST {url}/chat/completions."""

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api_key: str | None = None,
        format: str = FORMATS[0],
        timeout_seconds: float = 10.0,
        rest_seconds: float = 60.0,
        retries: int = 1,
        tell: Tell = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if format not in FORMATS:
            raise InvalidInput(f"no format {format!r}; there are: {', '.join(FORMATS)}")
        self.name = model
        self.tell = tell
        self._endpoint = Endpoint(url, api_key, timeout_seconds, retries, _pause, MAX_ANSWER_BYTES)
        self._format, self._rest_seconds, self._clock = format, rest_seconds, clock
        self._counts: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()
        self._failures, self._rests_until = 0, float("-inf")
        self._steady = True
        """Whether it is asked for the likeliest answer: models that reason know no other temperature than their own."""

    @property
    def counts(self) -> Mapping[tuple[str, str], int]:
        with self._lock:
            return dict(self._counts)

    def answer(self, task_name: str, given: Mapping[str, Any]) -> Any | None:
        """The answer, checked; None where there is none that could be believed."""
        wanted = task(task_name)
        if self._clock() < self._rests_until:
            return self._done(wanted, RESTING, None, 0.0, "it failed too often just now")
        began = time.perf_counter()
        found, reason = None, ""
        try:
            found = _parsed(self._posted(self._body(wanted, given)), wanted)
            outcome = ANSWERED
        except ModelUnavailable as error:
            outcome, reason = FAILED, str(error)
        except _BadAnswer as error:
            outcome, reason = MALFORMED, str(error)
        return self._done(wanted, outcome, found, time.perf_counter() - began, reason)

    def _posted(self, body: dict[str, Any]) -> Any:
        if self._steady:
            try:
                return self._endpoint.post("chat/completions", {**body, "temperature": 0})
            except NotTaken:
                answer = self._endpoint.post("chat/completions", body)
                self._steady = False
                return answer
        return self._endpoint.post("chat/completions", body)

    def _done(self, wanted: Task, outcome: str, found: Any | None, seconds: float, reason: str) -> Any | None:
        with self._lock:
            self._counts[wanted.name, outcome] += 1
            if outcome == ANSWERED:
                self._failures = 0
            elif outcome != RESTING:
                self._failures += 1
                if self._failures >= PATIENCE:
                    # After the rest one question is enough to send it back to rest.
                    self._rests_until = self._clock() + self._rest_seconds
        if outcome in (FAILED, MALFORMED):
            log.warning("the language model did not %s: %s; rules serve instead", wanted.name, reason)
        line = {"op": "llm", "task": wanted.name, "model": self.name, "outcome": outcome}
        self.tell({**line, "ms": round(1_000 * seconds, 3)} | ({"reason": reason} if reason else {}))
        return found

    def _body(self, wanted: Task, given: Mapping[str, Any]) -> dict[str, Any]:
        shown = well_formed(json.dumps(given, ensure_ascii=False))
        prompt = wanted.prompt
        body: dict[str, Any] = {"model": self.name}
        if self._format == "json_schema":
            shape = {"name": wanted.name, "strict": True, "schema": wanted.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        else:
            prompt += f"\nThe JSON schema of your answer:\n{json.dumps(wanted.schema)}\n"
            if self._format == "json_object":
                body["response_format"] = {"type": "json_object"}
        body["messages"] = [{"role": "system", "content": prompt}, {"role": "user", "content": shown}]
        return body


class _BadAnswer(Exception):
    """Something that cannot be believed; its message quotes nothing of the answer."""


def _parsed(answer: Any, wanted: Task) -> Any:
    try:
        content = answer["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise _BadAnswer("its answer holds no message") from None
    if not isinstance(content, str):
        raise _BadAnswer("its message is no text")
    value = _value(content)
    wrong = problem(value, wanted.schema)
    if wrong is not None:
        raise _BadAnswer(f"its message has another shape: {wrong}")
    return value


def _value(content: str) -> Any:
    """The JSON of a message: all of it, or what follows its thoughts, or what it has put between fences."""
    answer = content.rpartition(_THOUGHT)[2]
    fenced = _FENCED.fullmatch(answer)
    for text in (content, fenced[1] if fenced else answer, *_FENCE.findall(answer)[-1:]):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            continue
    raise _BadAnswer("its message is not JSON")


def _pause(seconds: float) -> None:
    if seconds > LONGEST_WAIT_SECONDS:
        raise ModelUnavailable("The model service asks for a longer pause than a caller can wait.")
    time.sleep(seconds)
