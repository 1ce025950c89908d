"""Somebody who may be slow or dead is asked beside the work, up to a deadline, and then left alone for a while."""

import threading
import time

from recollect.shared.waiting import Waiting


class Ticks:
    """A clock of seconds that stands still until it is told to move."""

    now = 0.0

    def __call__(self):
        return self.now


def failing():
    raise ConnectionError("gone")


def test_an_answer_in_time_is_given():
    waiting = Waiting()
    asked = waiting.ask(lambda: 7, 30)
    assert waiting.result(asked) == 7
    assert asked.why_not is None


def test_one_that_is_late_is_not_asked_again_before_it_has_answered_and_rested():
    clock, go = Ticks(), threading.Event()
    waiting = Waiting(clock)
    asked = waiting.ask(go.wait, 0.0)
    assert waiting.result(asked) is None
    assert asked.why_not == "no answer in time"
    clock.now = 1_000.0
    assert "not answered an earlier" in waiting.ask(failing, 1).why_not
    go.set()
    asked.is_there.wait(30)
    again = waiting.ask(lambda: 8, 30)
    assert waiting.result(again) == 8


def test_the_rest_doubles_with_each_failure_and_ends_with_a_success():
    clock = Ticks()
    waiting = Waiting(clock)
    for rest in (1, 2, 4, 8, 16, 32, 60, 60):
        asked = waiting.ask(failing, 30)
        assert waiting.result(asked) is None
        assert asked.why_not == "ConnectionError"
        clock.now += rest - 0.001
        assert "did not answer lately" in waiting.ask(failing, 30).why_not
        clock.now += 0.002
    assert waiting.result(waiting.ask(lambda: 1, 30)) == 1
    assert waiting.result(waiting.ask(failing, 30)) is None
    clock.now += 1.001
    assert waiting.result(waiting.ask(lambda: 2, 30)) == 2


def test_who_has_answered_is_asked_again_in_the_same_thread_and_let_go_in_the_end():
    waiting = Waiting()
    threads = []
    for _ in range(3):
        asked = waiting.ask(lambda: threads.append(threading.current_thread()), 30)
        waiting.result(asked)
        _settled(waiting, 1)
    assert len(set(threads)) == 1
    waiting.close()
    threads[0].join(30)
    assert not threads[0].is_alive()


def test_questions_at_the_same_time_do_not_wait_for_each_other():
    waiting, both = Waiting(), threading.Barrier(2)
    asked = [waiting.ask(lambda: both.wait(30), 30) for _ in range(2)]
    assert sorted(waiting.result(one) for one in asked) == [0, 1]


def _settled(waiting, count):
    """Waits until so many threads have nothing to do."""
    for _ in range(3_000):
        if len(waiting._idle) == count:
            return
        time.sleep(0.01)
    raise AssertionError("no thread came back")
