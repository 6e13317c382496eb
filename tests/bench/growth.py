"""growth.py BIN DIR: what a push of one changed line costs in a repository of N files, beside one of N / 10: until the answer knows
it, until its vector is made, processor time of the shard and its children, bytes that they wrote.  A cost of the change alone is the
same in both: the ratio is 1.  BENCH_GROWTH (30000) is N, BENCH_PUSHES (12) the number of pushes."""
import glob
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import time
import urllib.request

BIN, W = sys.argv[1:]
N, PUSHES = int(os.environ.get("BENCH_GROWTH", "30000")), int(os.environ.get("BENCH_PUSHES", "12"))
WORDS = "order stock price parcel route invoice user shelf label batch crate truck driver depot night".split()
MEASURES = ["visible, ms", "vector, ms", "processor, ms", "written, KB"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def git(tree, *args):
    subprocess.run(["git", "-C", tree, "-c", "user.name=b", "-c", "user.email=b@example.com", "-c", "gc.auto=0", *args], check=True,
                   capture_output=True)


def source(i):
    """A file with functions of its own, which call those of its neighbours, and one whose name is in every tenth file."""
    a, b = WORDS[i % len(WORDS)], WORDS[i // 7 % len(WORDS)]
    text = f'#include "unit{max(i - 1, 0)}.h"\n\n'
    for k in range(6):
        text += f"/* The {a} of {b} number {k}. */\nint {a}_{b}_{i}_{k}(int count)\n{{\n\treturn {a}_{b}_{max(i - 15, 0)}_{k}(count) + {k};\n}}\n\n"
    return text + ("static int begin(void)\n{\n\treturn 0;\n}\n" if i % 10 == 0 else "")


def make(tree, files):
    for i in range(files):
        folder = f"{tree}/part{i // 100}"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/unit{i}.c", "w") as f:
            f.write(source(i))
    git(tree, "init", "-q", "-b", "main")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "first")
    git(tree, "repack", "-adq")


def wait(what, seconds, done):
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            sys.exit(f"{what}: not after {seconds} s")
        time.sleep(0.01)


def child(pid, name):
    rows = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(pid)], stdout=subprocess.PIPE, text=True).stdout.split("\n")
    return next(int(r.split()[0]) for r in rows if r.strip() and r.split()[1].startswith(name))


def spent(pid):
    """Processor milliseconds and kilobytes written, of a process and its children that ended."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{pid}/io") as f:
        written = int(re.search(r"wchar: (\d+)", f.read()).group(1))
    return sum(int(x) for x in fields[11:15]) * 1000 / os.sysconf("SC_CLK_TCK"), written / 1e3


class Federation:
    def __init__(self, work, tree):
        self.work, self.url = work, f"http://127.0.0.1:{free_port()}"
        env = {**os.environ, "HOME": work, "XDG_RUNTIME_DIR": work}
        self.up = subprocess.Popen([f"{BIN}/atoll", "up", "--data", f"{work}/data", "--http", self.url[7:], "--group", "all", tree],
                                   env=env, stdout=open(f"{work}/up.log", "w"), stderr=subprocess.STDOUT)

    def ask(self, tool, **arguments):
        body = json.dumps(arguments).encode()
        request = urllib.request.Request(f"{self.url}/api/v1/{tool}", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as f:
            return f.read().decode()

    def runs(self):
        """How many runs have made vectors."""
        return sum(open(log).read().count(" vectors.done ") for log in glob.glob(f"{self.work}/data/logs/*.log"))

    def ready(self):
        wait("an index", 900, lambda: "MCP address" in open(f"{self.work}/up.log").read())
        wait("vectors", 900, lambda: self.runs() > 0)
        self.shard = child(self.up.pid, "atoll-shard")


def push(federation, tree, i):
    """The measures of one push."""
    word, path = f"pushed_{i}_thing", f"{tree}/part{i % 20}/unit{i % 20 * 100 + 7}.c"
    runs, before = federation.runs(), spent(federation.shard)
    with open(path, "a") as f:
        f.write(f"\nint {word}(int count)\n{{\n\treturn count + {i};\n}}\n")
    git(tree, "commit", "-qam", f"push {i}")
    began = time.monotonic()
    wait("the answer", 60, lambda: f"{word}(" in federation.ask("group_query", group="all", query=word, mode="lexical", limit=3))
    visible = time.monotonic()
    wait("the vector", 60, lambda: federation.runs() > runs)
    vector = time.monotonic()
    wait("the end of the child", 60, lambda: subprocess.run(["pgrep", "-P", str(federation.shard)], capture_output=True).returncode)
    after = spent(federation.shard)
    return (visible - began) * 1e3, (vector - began) * 1e3, after[0] - before[0], after[1] - before[1]


def measure(files):
    work = f"{W}/{files}"
    tree = f"{work}/tree"
    os.makedirs(tree)
    make(tree, files)
    federation = Federation(work, tree)
    try:
        federation.ready()
        push(federation, tree, 0)        # what is done once is done
        rows = [push(federation, tree, i + 1) for i in range(PUSHES)]
    finally:
        federation.up.terminate()
        federation.up.wait()
    return [statistics.median(column) for column in zip(*rows)]


small, large = measure(N // 10), measure(N)
for name, a, b in zip(MEASURES, small, large):
    print(f"{'one line pushed, ' + name:<58} {b:.0f} in {N} files, {a:.0f} in {N // 10}: {b / a:.2f} x", flush=True)
