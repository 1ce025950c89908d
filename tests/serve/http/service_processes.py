"""The service in a process of its own."""

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager


class Started:
    """A service that runs, and how to call it."""

    def __init__(self, process):
        self.process = process
        self.told = json.loads(
            process.stdout.readline() + "".join(process.stdout.readline() for _ in range(4))
        )
        self.port = int(self.told["url"].rpartition(":")[2])

    def call(self, method, path, body=None, key=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Content-Type": "application/json"} | ({"X-API-Key": key} if key else {})
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def wait(self, path="/health", seconds=90):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if self.call("GET", path)[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise AssertionError(f"{path} was not answered in {seconds} s")


@contextmanager
def started(environment, *words, port="0", **changed):
    command = [sys.executable, "-m", "recollect", "serve", "--port", port, "--json", *words]
    # Into a file: a pipe that nobody reads is full after some hundred requests, and the service waits for it.
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            command,
            env=environment | changed,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            start_new_session=True,
        )
        try:
            yield Started(process)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate(timeout=60)
            said.seek(0)
            print(said.read())
