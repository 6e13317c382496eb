#!/usr/bin/env python3
"""federation.py BIN TESTBIN WORK SHARDSxFILES [SOURCE...]: latency and memory of group_query over so many repositories.

Deals the sources into SHARDS repositories of FILES files (corpus.py), serves them by `atoll up`, and asks 500 distinct questions
(or BENCH_QUERIES of them, as many of each kind), twice: the coordinator knows nothing of them (cold), and it does (warm); by one
client, and by 16.  Beside each stands the floor: one message to as many processes as an answer asked, and back, with plain nng.
The processor time of all processes for a query says more than its latency where other work is done.  At most 25,000 documents of
a shard: the commonest words.
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

bin_, testbin, work, shape = sys.argv[1:5]
sources = sys.argv[5:]
shards, files = (int(x) for x in shape.split("x"))
here = os.path.dirname(os.path.abspath(__file__))


def say(what, value):
    print(f"{what:<58} {value}", flush=True)


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{command[0]}: status {done.returncode} {done.stdout[-500:]}")
    return done.stdout


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def get(path):
    try:
        with urllib.request.urlopen(url + path, timeout=5) as r:
            return r.status == 200
    except OSError:
        return False


def call(tool, arguments):
    return json.loads(run(f"{bin_}/atoll", "call", tool, json.dumps(arguments)))


def pss(pid):
    """Kilobytes."""
    with open(f"/proc/{pid}/smaps_rollup") as f:
        return int(re.search(r"^Pss:\s+(\d+)", f.read(), re.M).group(1))


def children(pid):
    """{pid: program} of the processes that `atoll up` supervises."""
    rows = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(pid)], stdout=subprocess.PIPE, text=True).stdout.split("\n")
    return {int(r.split()[0]): r.split()[1] for r in rows if r.strip()}


def memory(up, when):
    kb = {p: (pss(p), name) for p, name in children(up).items()}
    of_shards = sorted(k for k, name in kb.values() if name.startswith("atoll-shard"))
    coordinator = sum(k for k, name in kb.values() if name.startswith("atoll-coord"))
    say(f"PSS {when}, MB", f"shard median {of_shards[len(of_shards) // 2] / 1024:.1f}, largest {of_shards[-1] / 1024:.1f}; "
        f"coordinator {coordinator / 1024:.1f}; all {len(kb) + 1} processes {(sum(k for k, _ in kb.values()) + pss(up)) / 1024:.0f}")


def processor_ms():
    """Of the coordinator and of all shards, since they began."""
    tick, sums = 1000 / os.sysconf("SC_CLK_TCK"), {"coordinator": 0, "shards": 0}
    for p, name in children(up.pid).items():
        with open(f"/proc/{p}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        sums["coordinator" if name.startswith("atoll-coord") else "shards"] += (int(fields[11]) + int(fields[12])) * tick
    return sums


floors = {}


def floor(n):
    n = max(1, int(float(f"{n:.1e}")))     # to two digits: a floor of many processes takes its time
    if n not in floors:
        floors[n] = [int(x) for x in run(f"{testbin}/bench_fanout", str(n), "300").split()[2:4]]
    return floors[n]


def ask(group, rows, name, clients=1, mode="hybrid"):
    """Latencies in ms of a tool's answers to `rows`, with how many members were asked."""
    path = f"{work}/q"
    with open(path, "w") as f:
        for q in rows:
            f.write(json.dumps({"group": group, "query": q, "mode": mode}) + "\n")
    before = processor_ms()
    n, p50, p99, incomplete, failed, answered, skipped = run(f"{testbin}/bench_query", url, "group_query", path, str(clients)).split()[1:]
    spent = {who: (ms - before[who]) / int(n) for who, ms in processor_ms().items()}
    p50, p99 = int(p50), int(p99)
    low = floor(float(answered))
    say(f"{name}, {n} queries, ms", f"p50 {p50 / 1e3:.2f} p99 {p99 / 1e3:.2f}; asked {answered}, skipped {skipped}; "
        f"floor p50 {low[0] / 1e3:.2f} p99 {low[1] / 1e3:.2f}, {p50 / low[0]:.1f} x; incomplete {incomplete}, failed {failed}")
    say(f"{name}, processor ms a query", f"{sum(spent.values()):.2f}: coordinator {spent['coordinator']:.2f}, shards {spent['shards']:.2f}")


def common_words():
    """The commonest words, in the repository with most documents up to 25,000."""
    repos = call("list_repos", {"limit": 200})["repos"]
    largest = max(repos, key=lambda r: r.get("symbols") or 0)
    for word in ("return", "self", "error"):
        took = []
        for i in range(11):
            body = json.dumps({"repo_uri": largest["repo_uri"], "query": word, "limit": 10 + i}).encode()
            start = time.monotonic()
            with urllib.request.urlopen(urllib.request.Request(f"{url}/api/v1/query", body, {"Content-Type": "application/json"})) as r:
                r.read()
            took.append((time.monotonic() - start) * 1e3)
        say(f"`{word}` in {largest['symbols']} definitions, ms", f"median {sorted(took)[5]:.1f}")


def measure(up):
    with open(f"{work}/src/queries.txt") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    most = int(os.environ.get("BENCH_QUERIES", len(rows)))
    kinds = list(dict.fromkeys(kind for kind, _ in rows))
    rows = [r for kind in kinds for r in [r for r in rows if r[0] == kind][:-(-most // len(kinds))]]
    everything = [q for _, q in rows]
    memory(up, "idle")
    for k in sorted({k for k in (1, 8, shards) if k <= shards}):
        group = "all"
        if k < shards:
            group = f"g{k}"
            members = [r["repo_uri"] for r in call("group_status", {"group": "all"})["repos"]][:k]
            run(f"{bin_}/atoll", "group", "create", group, *members)
        ask(group, everything, f"{k} shards, one client, cold")
        ask(group, everything, f"{k} shards, one client, warm")
        ask(group, everything, f"{k} shards, by words alone", mode="lexical")
    for kind in kinds:
        ask("all", [q for k, q in rows if k == kind], f"{shards} shards, {kind}, warm")
    ask("all", everything, f"{shards} shards, 16 clients, warm", 16)
    if files >= 1000:
        common_words()
    memory(up, "after the queries")


port = free_port()
url = os.environ["ATOLL_URL"] = f"http://127.0.0.1:{port}"
os.makedirs(work, exist_ok=True)
say(f"{shape}: corpus", run(sys.executable, f"{here}/corpus.py", f"{work}/src", str(shards), str(files), *sources).strip())
began = time.monotonic()
repos = sorted(f"{work}/src/{d}" for d in os.listdir(f"{work}/src") if re.fullmatch(r"r\d+", d))
with open(f"{work}/up.log", "w") as log:
    up = subprocess.Popen([f"{bin_}/atoll", "up", "--data", f"{work}/data", "--http", f"127.0.0.1:{port}", "--group", "all", *repos],
                          stdin=subprocess.DEVNULL, stdout=log, stderr=log)
try:
    while not get("/readyz"):
        if up.poll() is not None or time.monotonic() - began > 3600:
            sys.exit(open(f"{work}/up.log").read()[-2000:])
        time.sleep(0.3)
    say(f"{shape}: all indexed after", f"{time.monotonic() - began:.1f} s, {os.cpu_count()} cores")
    time.sleep(5)       # threads and pages that indexing needed are given back
    measure(up.pid)
finally:
    up.send_signal(signal.SIGTERM)
    up.wait()
