#!/usr/bin/env python3
"""scale.py BIN TESTBIN WORK SHARDS ipc|tls: one coordinator over so many shards, of which most are idle.

Each serves a repository of its own with four files; WORK keeps repositories and indexes, so that a further run begins with them.  Every
number with a target is marked.  The floor is plain nng over the same transport to as many processes.
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request

bin_, testbin, work, shards, transport = sys.argv[1:6]
shards = int(shards)
HEALTHY = re.compile(r'^atoll_shard_health\{[^\n]*health="healthy"\} 1$', re.M)
ROUNDS, REST_S, IDLE_S = 50, 25, 20
AIMS = {"all are asked, by words": "2 x", "grep, one alone can match": "p50 10 ms"}


def say(what, value, aim=None):
    print(f"{f'{shards} {transport}: {what}':<58} {value}{f'   (aim {aim})' if aim else ''}", flush=True)


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{command[0]}: status {done.returncode} {done.stdout[-500:]}")
    return done.stdout


def own(i):
    return "zebra" + "".join(chr(ord("a") + int(d)) for d in f"{i:04}")


def repository(i):
    """Every one has the word `lantern`, and one of its own."""
    path = f"{work}/src/r{i:04}.git"
    if os.path.exists(f"{path}/HEAD"):
        return path
    for folder in ("objects", "refs/heads"):
        os.makedirs(f"{path}/{folder}")
    with open(f"{path}/config", "w") as f:
        f.write(f'[core]\n\trepositoryformatversion = 0\n\tbare = true\n[remote "origin"]\n'
                f'\turl = https://git.example.com/scale/r{i:04}.git\n')
    with open(f"{path}/HEAD", "w") as f:
        f.write("ref: refs/heads/main\n")
    rows = ["commit refs/heads/main\ncommitter b <b@example.com> 1700000000 +0000\ndata 1\nb\n"]
    for f in range(4):
        text = "".join(f'def handle_{i}_{f}_{k}(order):\n    """A lantern for order {k} of {own(i)}."""\n    return order + {k}\n\n'
                       for k in range(8))
        rows.append(f"M 100644 inline m{f}.py\ndata {len(text)}\n{text}\n")
    subprocess.run(["git", "-C", path, "fast-import", "--quiet"], input="".join(rows).encode(), check=True)
    return path


def certificates():
    folder = f"{work}/certs"
    if not os.path.exists(f"{folder}/host.pem"):
        run(f"{bin_}/atoll", "certs", "init", folder)
        run(f"{bin_}/atoll", "certs", "issue", folder, "host,127.0.0.1")
    return [f"{folder}/ca.pem", f"{folder}/host.pem", f"{folder}/host.key"]


def url_of(n):
    return f"ipc://{work}/s/{n}" if transport == "ipc" else f"tls+tcp://127.0.0.1:{base + n}"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def trust():
    if transport == "ipc":
        return []
    ca, cert, key = certificates()
    return ["--tls-ca", ca, "--tls-cert", cert, "--tls-key", key, "--cluster-key-file", f"{work}/certs/cluster-key"]


def daemon(*command):
    with open(f"{work}/log", "ab") as log:
        return subprocess.Popen(["nice", *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def coordinator():
    return daemon(f"{bin_}/atoll-coordinator", "--data", f"{work}/coordinator-{transport}-{shards}", "--http", f"127.0.0.1:{port}",
                  "--listen", url_of(0), "--index-max-age", "0", "--ready-share", "100", *trust())


def shard(i):
    return daemon(f"{bin_}/atoll-shard", "--repo", repository(i), "--data", f"{work}/data/r{i:04}", "--listen", url_of(i + 1),
                  "--coordinator", url_of(0), "--ingest-slots", f"{work}/slots", *trust())


def get(path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as r:
            return r.read().decode()
    except OSError:
        return ""


def call_or_none(tool, arguments):
    try:
        return call(tool, arguments)
    except OSError:
        return None


def call(tool, arguments):
    q = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/{tool}", json.dumps(arguments).encode(),
                               {"Content-Type": "application/json"})
    with urllib.request.urlopen(q, timeout=60) as r:
        return json.load(r)


def joined(p, seconds):
    """
    Seconds since now until all shards answer, and until all are healthy: of the former /readyz tells, which costs little; the
    metrics of 1,000 take a tenth of a second.
    """
    began, answer = time.monotonic(), None
    while (n := len(HEALTHY.findall(get("/metrics"))) if answer else 0) < shards:
        dead = [x.args for x in [p, *of_shards] if x.poll() is not None]
        if dead or time.monotonic() - began > seconds:
            sys.exit(f"{n} of {shards} shards are healthy after {time.monotonic() - began:.0f} s; ended: {dead[:1]}; see {work}/log")
        if not answer and get("/readyz"):
            answer = time.monotonic() - began
        elif answer:
            time.sleep(0.3)
        else:
            time.sleep(0.05)
    return answer, time.monotonic() - began


def indexed(seconds):
    until = time.monotonic() + seconds
    while "ready" != (why := ready()):
        if time.monotonic() > until or any(p.poll() is not None for p in of_shards):
            sys.exit(f"{why}; see {work}/log")
        time.sleep(1)


def ready():
    rows, cursor = [], {}
    while True:
        page = call_or_none("list_repos", {"limit": 200, **cursor})
        if not page:
            return "the list changes while it is read"  # a cursor is one of a list as it was
        rows += page["repos"]
        if "next_cursor" not in page:
            break
        cursor = {"cursor": page["next_cursor"]}
    bad = [r for r in rows if r["status"] != "ready" or r["vectors"] != "complete"]
    return f"{len(bad)} of {len(rows)} are not indexed: {bad[:1]}" if bad or len(rows) < shards else "ready"


def pss_kb(pid):
    with open(f"/proc/{pid}/smaps_rollup") as f:
        return int(re.search(r"^Pss:\s+(\d+)", f.read(), re.M).group(1))


def cpu_s(pids):
    """To the nanosecond: what runs for microseconds at a time is counted by ticks as often too much as too little."""
    total = 0
    for pid in pids:
        for task in os.listdir(f"/proc/{pid}/task"):
            try:
                with open(f"/proc/{pid}/task/{task}/schedstat") as f:
                    total += int(f.read().split()[0])
            except OSError:     # it has ended meanwhile
                pass
    return total / 1e9


def memory(co, of_shards, when):
    kb = sorted(pss_kb(p.pid) for p in of_shards)
    own = pss_kb(co.pid)
    say(f"PSS {when}, MB", f"shard median {kb[len(kb) // 2] / 1024:.2f}, largest {kb[-1] / 1024:.2f}; coordinator {own / 1024:.0f}; "
        f"all {(sum(kb) + own) / 1024:.0f}", "6144 idle" if shards == 1000 else None)


def idle(co, of_shards):
    began, c, s = time.monotonic(), cpu_s([co.pid]), cpu_s(p.pid for p in of_shards)
    time.sleep(IDLE_S)
    took = time.monotonic() - began
    c, s = cpu_s([co.pid]) - c, cpu_s(p.pid for p in of_shards) - s
    say("processor of idling, % of a core", f"{100 * (c + s) / took:.2f}: coordinator {100 * c / took:.2f}, shards {100 * s / took:.2f}",
        "2" if shards == 1000 else None)


def floor():
    more = [] if transport == "ipc" else [*certificates(), str(run_of_ports(shards))]
    _, _, p50, p99 = run(f"{testbin}/bench_fanout", str(shards), str(ROUNDS), *more).split()
    return int(p50) / 1000, int(p99) / 1000


def queries(co, of_shards):
    path, low = f"{work}/q", floor()
    for name, tool, rows in (
            ("all are asked, by words", "group_query", [{"query": f"lantern order {k}", "mode": "lexical"} for k in range(ROUNDS)]),
            ("one alone can have it", "group_query", [{"query": own(k * 7 % shards), "mode": "lexical"} for k in range(ROUNDS)]),
            ("grep, one alone can match", "grep", [{"pattern": own(k * 7 % shards), "limit": 50} for k in range(ROUNDS)]),
            ("grep, all match", "grep", [{"pattern": f"lantern for order {k % 8}", "limit": 50} for k in range(ROUNDS)])):
        with open(path, "w") as f:
            f.writelines(json.dumps({"group": "all", **row}) + "\n" for row in rows)
        for warmth in ("cold", "warm"):
            before = cpu_s([co.pid]), cpu_s(p.pid for p in of_shards)
            n, p50, p99, incomplete, failed, answered, skipped = run(f"{testbin}/bench_query", f"http://127.0.0.1:{port}",
                                                                     tool, path, "1").split()[1:]
            c, s = 1000 * (cpu_s([co.pid]) - before[0]) / int(n), 1000 * (cpu_s(p.pid for p in of_shards) - before[1]) / int(n)
            p50, p99 = int(p50) / 1000, int(p99) / 1000
            say(f"{name}, {warmth}, ms",
                f"p50 {p50:.1f} p99 {p99:.1f}; floor of {shards}: {low[0]:.1f} {low[1]:.1f}, {p50 / low[0]:.1f} x; "
                f"asked {answered}, skipped {skipped}, incomplete {incomplete}, failed {failed}; "
                f"processor {c + s:.1f}: coordinator {c:.1f}, shards {s:.1f}",
                AIMS.get(name) if shards == 1000 else None)


def run_of_ports(n):
    """The first of so many that nobody listens on, below those that the system gives out."""
    taken = set()
    for table in ("tcp", "tcp6"):
        with open(f"/proc/net/{table}") as f:
            taken |= {int(row.split()[1].rsplit(":", 1)[1], 16) for row in f.readlines()[1:]}
    return next(p for p in range(10000, 32768 - n, 50) if not taken & set(range(p, p + n)))


port, base = free_port(), run_of_ports(shards + 1) if transport == "tls" else 0
for folder in ("src", "data", "slots", "s"):
    os.makedirs(f"{work}/{folder}", exist_ok=True)
for i in range(2):
    open(f"{work}/slots/{i}", "a").close()
subprocess.run(["rm", "-rf", f"{work}/coordinator-{transport}-{shards}"], check=True)
co, of_shards = None, []
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
try:
    began = time.monotonic()
    co = coordinator()
    for i in range(shards):
        of_shards.append(shard(i))
    while not call_or_none("list_repos", {"limit": 1}):
        time.sleep(0.2)
    indexed(1800)
    say("all are there and indexed, s", f"{time.monotonic() - began:.0f}")
    call("group_create", {"group": "all", "repos": [f"git.example.com/scale/r{i:04}" for i in range(shards)]})
    joined(co, 300)
    time.sleep(REST_S)  # contracts, sketches, pages that indexing needed, announcements as seldom as many make them
    memory(co, of_shards, "idle")
    idle(co, of_shards)
    queries(co, of_shards)
    memory(co, of_shards, "after the queries")
    for how in (signal.SIGTERM, signal.SIGKILL):
        time.sleep(5)
        co.send_signal(how)
        co.wait()
        before = cpu_s(p.pid for p in of_shards)
        co = coordinator()
        answer, healthy = joined(co, 120)
        say(f"all are there again after {how.name} of the coordinator, s",
            f"{answer:.2f}, and healthy after {healthy:.2f}; processor, s: coordinator {cpu_s([co.pid]):.2f}, "
            f"shards {cpu_s(p.pid for p in of_shards) - before:.2f}", "5" if shards == 1000 else None)
finally:
    for p in [*of_shards, co]:
        if p and p.poll() is None:
            p.send_signal(signal.SIGTERM)
    for p in [*of_shards, co]:
        if p:
            p.wait()
