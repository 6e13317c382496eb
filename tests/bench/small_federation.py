"""A federation of small repositories, and the times of its answers on one kept-alive connection."""
import http.client
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import time


def say(what, value):
    print(f"{what:<58} {value}", flush=True)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def git(path, *command):
    subprocess.run(["git", "-C", path, "-c", "user.name=bench", "-c", "user.email=bench@example.com", *command], check=True)


def repository(path, url, files):
    """Make a git repository of these files, {path: text}."""
    for name, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(path, name)), exist_ok=True)
        with open(os.path.join(path, name), "w") as f:
            f.write(text)
    git(path, "init", "-q", "-b", "main")
    git(path, "add", "-A")
    git(path, "commit", "-q", "-m", "all of it")
    git(path, "remote", "add", "origin", url)
    return path


class Federation:
    def __init__(self, bin_, work, paths):
        port = free_port()
        self.members = len(paths)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        with open(f"{work}/up.log", "w") as log:
            self.up = subprocess.Popen([f"{bin_}/atoll", "up", "--data", f"{work}/data", "--http", f"127.0.0.1:{port}"] + paths, stdout=log,
                                       stderr=log, env=dict(os.environ, ATOLL_EMBEDDER="none"), start_new_session=True)
        while not self.ready():
            if self.up.poll() is not None:
                sys.exit(f"atoll up ended; see {work}/up.log")
            time.sleep(.1)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        os.killpg(self.up.pid, signal.SIGTERM)
        self.up.wait(30)

    def post(self, tool, args):
        self.connection.request("POST", f"/api/v1/{tool}", json.dumps(args), {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            sys.exit(f"{tool}: {answer.status} {body[:300]}")
        return json.loads(body)

    def healthz(self):
        self.connection.request("GET", "/healthz")
        self.connection.getresponse().read()

    def ready(self):
        try:
            self.healthz()
            got = self.post("group_status", {"group": "default"})["repos"]
            return len(got) == self.members and all(r["status"] == "ready" for r in got)
        except (OSError, http.client.HTTPException):
            self.connection.close()
            return False

    def times(self, ask, n=200):
        spent = []
        for _ in range(n):
            began = time.perf_counter()
            ask()
            spent.append((time.perf_counter() - began) * 1000)
        spent.sort()
        return f"p50 {statistics.median(spent):.2f} ms, p99 {spent[int(n * .99)]:.2f} ms"
