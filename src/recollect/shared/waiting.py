"""Asking somebody who may be slow or dead: beside the work, up to a deadline, and not again for a while."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeAlias

FIRST_REST_SECONDS: Final = 1.0
MOST_REST_SECONDS: Final = 60.0
IDLE_SECONDS: Final = 60.0
"""So long a thread waits for the next question: what it has open is worth keeping."""


@dataclass(slots=True)
class Asked:
    """A question that is on its way, or why it was not asked."""

    deadline: float = 0.0
    why_not: str | None = None
    answer: Any = None
    error: Exception | None = None
    is_there: threading.Event = field(default_factory=threading.Event)
    elapsed_ms: float = 0.0


Questions: TypeAlias = "SimpleQueue[tuple[Callable[[], Any], Asked] | None]"


class Waiting:
    """Asks in threads of its own; one that did not answer is left alone, longer each time.

    A thread that has answered waits for the next question. A store has a connection for each thread, and opening one
    for every question took longer than the question.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._rest_until = 0.0
        self._rest = FIRST_REST_SECONDS
        self._late = 0
        """How many questions are still on their way after their deadline."""
        self._idle: list[Questions] = []
        """Of each thread that waits, where it takes its next question from."""

    def ask(self, work: Callable[[], Any], seconds: float) -> Asked:
        """Begins the work, unless there was no answer lately."""
        now = self._clock()
        with self._lock:
            if self._late:
                return Asked(why_not="it has not answered an earlier question yet")
            if now < self._rest_until:
                left = self._rest_until - now
                return Asked(why_not=f"it did not answer lately; asked again in {left:.0f} s")
        asked = Asked(now + seconds)
        with self._lock:
            questions = self._idle.pop() if self._idle else None
        if questions is None:
            questions = SimpleQueue()
            # A daemon: one that never ends does not keep the program from ending.
            threading.Thread(
                target=self._answer, args=(questions,), name="recollect-asking", daemon=True
            ).start()
        questions.put((work, asked))
        return asked

    def result(self, asked: Asked, more_seconds: float = 0.0) -> Any:
        """The answer, if it comes in time; None says that `why_not` tells why there is none.

        It has `more_seconds`, where it could not begin at once.
        """
        if asked.why_not is not None:
            return None
        if not asked.is_there.wait(max(0.0, asked.deadline + more_seconds - self._clock())):
            with self._lock:
                self._late += not asked.is_there.is_set()
                asked.why_not = "no answer in time"
                self._tire()
            return None
        if asked.error is not None:
            with self._lock:
                self._tire()
            asked.why_not = f"{type(asked.error).__name__}"
            return None
        with self._lock:
            self._rest = FIRST_REST_SECONDS
        return asked.answer

    def close(self) -> None:
        """Lets the threads go that have nothing to do."""
        with self._lock:
            idle, self._idle = self._idle, []
        for questions in idle:
            questions.put(None)

    def _answer(self, questions: "Questions") -> None:
        while True:
            try:
                question = questions.get(timeout=IDLE_SECONDS)
            except Empty:
                with self._lock:
                    if questions not in self._idle:
                        continue  # somebody has taken it, and is about to ask
                    self._idle.remove(questions)
                return
            if question is None:
                return
            self._run(*question)
            del question  # what was answered is not held on to
            with self._lock:
                self._idle.append(questions)

    def _tire(self) -> None:
        self._rest_until = self._clock() + self._rest
        self._rest = min(2 * self._rest, MOST_REST_SECONDS)

    def _run(self, work: Callable[[], Any], asked: Asked) -> None:
        began = time.perf_counter()
        try:
            asked.answer = work()
        except Exception as error:  # noqa: BLE001 - whoever waits is told which
            asked.error = error
        asked.elapsed_ms = (time.perf_counter() - began) * 1e3
        with self._lock:
            asked.is_there.set()
            self._late -= asked.why_not is not None
