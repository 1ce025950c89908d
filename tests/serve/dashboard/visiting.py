"""Somebody with a browser, as far as a test needs one."""

import re
from contextlib import contextmanager

from served import serving

from recollect.serve.keys import Right
from recollect.testing import FakeClock

ROOT = "/dashboard"
TAGS = re.compile(r"<[^>]+>")


class Visitor:
    """Logged in with a key of a user."""

    def __init__(self, client, user, *rights):
        self.client = client
        _, token = client.service.keys.create(user, rights or tuple(Right))
        answer = client.post(f"{ROOT}/login", data={"key": token}, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        self.cookies = {"recollect_session": answer.cookies["recollect_session"]}
        client.cookies.clear()

    def get(self, path, **params):
        return self._sent("GET", path, params=params or None)

    def post(self, path, headers=None, **fields):
        """What a form gives, and the page that it leads to."""
        return self._sent("POST", path, data=fields, headers=headers)

    def _sent(self, method, path, **more):
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": cookies} | (more.pop("headers", None) or {})
        answer = self.client.request(method, ROOT + path, headers=headers, follow_redirects=False, **more)
        self.client.cookies.clear()
        if answer.status_code != 303:
            return answer
        told = answer.headers.get("set-cookie", "")
        kept = re.search(r"recollect_told=([^;]*)", told)
        if kept:
            headers = {"Cookie": f"{cookies}; recollect_told={kept[1]}"}
        return self.client.get(answer.headers["location"], headers=headers, follow_redirects=False)


@contextmanager
def visited(path, **more):
    """The service over a store, with a clock that stands still."""
    with serving(path, clock=more.pop("clock", None) or FakeClock(), **more) as client:
        yield client


def words(answer):
    """What a page says, without its tags."""
    return " ".join(TAGS.sub(" ", answer.text).split())
