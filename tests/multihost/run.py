#!/usr/bin/env python3
"""run.py BIN FOLDER PREFIX [--short] [SCENARIO...]: three hosts, two coordinators, clients that query all the time, and failures.

Namespaces are named PREFIX-*; everything else is below FOLDER.  --short: the short scenarios, with fewer repositories.
Each prints `ok - ...` with what clients saw; the first with faults ends it with status 1.
"""
import argparse
import collections
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import scenarios
import intruders    # noqa: F401: rows of TABLE, in this order
import fuzz         # noqa: F401
from clients import DEADLINE, OPS, Asker, Away, Clients, Judge, Writers, Wrong, pretty
from federation import COMMON, KEY, TOKEN, Federation, wait
from net import Net, permitted

HERE = os.path.dirname(os.path.abspath(__file__))
JOBS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../coordinator/jobs/jobs.def")
OWN = re.findall(r"^JOB\((\w+),.*\bJOB_LOCAL,", open(JOBS).read(), re.M)   # jobs that each coordinator does for itself
assert "prune" in OWN, OWN
TOOLS = {"group_query": DEADLINE["word"], "open_file": DEADLINE["open"], "group_contracts": DEADLINE["contracts"]}
HEALTHY = re.compile(r'^atoll_shard_health\{[^\n]*health="healthy"\} 1$', re.M)


class Test:
    """What a scenario has: the federation, its clients, and words for what it does."""

    def __init__(self, fed, clients, writers, short):
        self.fed, self.clients, self.writers, self.short, self.notes, self.skewed = fed, clients, writers, short, [], []
        self.judge = Judge(clients)
        self.permit = self.judge.permit

    def note(self, text):
        self.notes.append(text)

    def write(self, path, text):
        """In one piece, for whoever reads it meanwhile."""
        with open(path + ".new", "w") as f:
            f.write(text)
        os.rename(path + ".new", path)

    def skew_library(self):
        out = f"{self.fed.w}/skew.so"
        subprocess.run(["cc", "-std=c11", "-O1", "-shared", "-fPIC", "-o", out, f"{HERE}/clock_skew.c"], check=True)
        return out

    # ---- members ----

    def on(self, host):
        return {r.uri for r in self.fed.repos if host in r.hosts}

    def in_flight(self, host):
        """Members with another replica: what was asked of the one that is lost may be named."""
        return self.on(host) - self.fed.singles(host)

    def cut_off(self, host):
        """What a coordinator on that host cannot reach, while clients reach it."""
        return {r.uri for r in self.fed.repos if host in self.fed.COORDINATORS and host not in r.hosts}

    # ---- looking ----

    def look(self, via, ops=OPS, want=()):
        """True when all questions to that coordinator are answered, lacking exactly `want`; else why not."""
        ask, rnd = Asker(self.fed, via), random.Random(1)
        try:
            for name, op in ops.items():
                gone = op(self.fed, ask, rnd)
                if gone != want:
                    return f"{via}: {name} lacks {pretty(gone)}"
            return True
        except (Away, Wrong) as e:
            return f"{via}: {e}"
        finally:
            ask.close()

    def members(self, via):
        """True when that coordinator knows all repositories, no other, all healthy and indexed."""
        ask = Asker(self.fed, via)
        try:
            rows = ask.want("list_repos", {"limit": 200})["repos"]
            bad = [(r["name"], r["status"], r["health"], r.get("reason")) for r in rows
                   if (r["status"], r["health"]) != ("ready", "healthy")]
            if bad:
                return f"{via}: {bad}"
            if {r["repo_uri"] for r in rows} != set(self.fed.by_uri):
                return f"{via} knows {[r['repo_uri'] for r in rows]}"
            up = len(HEALTHY.findall(ask.text("/metrics")))
            return up == len(self.fed.shards) or f"{via}: {up} of {len(self.fed.shards)} shards are healthy"
        except (Away, Wrong) as e:
            return f"{via}: {e}"
        finally:
            ask.close()

    def everywhere(self, look):
        """The first reason of any coordinator, or True."""
        for via in self.fed.COORDINATORS:
            why = look(via)
            if why is not True:
                return why
        return True

    def settled(self, seconds=90):
        """Waits until every coordinator knows every member as healthy, and answers everything."""
        def well(via):
            why = self.members(via)
            return self.look(via) if why is True else why
        return wait("all is well", lambda: self.everywhere(well), seconds)

    def named(self, host, seconds=60):
        """Waits until the coordinators elsewhere name exactly the members that were on that host alone."""
        common, want = {"common": OPS["common"]}, self.fed.singles(host)

        def names(via):
            return via == host or self.look(via, common, want)
        return wait("the missing are named", lambda: self.everywhere(names), seconds)

    def newest(self, seconds=90):
        """Waits until all answers are of the newest commits."""
        def look(via):
            ask = Asker(self.fed, via)
            try:
                for repo in self.fed.repos:
                    stamp = ask.want("open_file", {"repo_uri": repo.uri, "path": "front.py"})["freshness"]
                    if repo.commits.get(stamp["commit"]) != repo.release:
                        return f"{repo.name} is at {stamp}"
                return True
            except (Away, Wrong) as e:
                return str(e)
            finally:
                ask.close()
        return wait("new commits", lambda: self.everywhere(look), seconds)

    def jobs(self, began):
        """What is wrong with the jobs: one that is lost; of one key two that ran at the same time, as two coordinators see them; one
        that was begun again without a reason."""
        rows, accepted = {}, set(self.writers.since(began, self.writers.accepted))
        for via in self.fed.COORDINATORS:
            ask = Asker(self.fed, via)
            try:
                self.add_jobs(rows, via, ask)
            except (Away, Wrong) as e:
                return [f"job_list of {via}: {e}"]
            finally:
                ask.close()
        lost = [f"job {id}, which {via} was asked for, is lost" for via, id in accepted if self.job_id(via, id) not in rows]
        again = [f"job {id} was begun {n} times, of which {why} had a reason" for id, (n, why) in self.runs().items() if n > why]
        return self.writers.since(began, self.writers.wrong) + lost + self.at_once(rows) + again

    def job_id(self, via, id):
        """Without etcd each coordinator has jobs of its own."""
        return id if self.fed.etcd else via + id

    def add_jobs(self, rows, via, ask):
        """What a coordinator knows of all jobs."""
        more = {}
        while True:
            page = ask.want("job_list", {"limit": 200, **more})
            rows.update({self.job_id(via, j["id"]): j for j in page["jobs"]})
            if "next_cursor" not in page:
                break
            more = {"cursor": page["next_cursor"]}
        # One that ended while the pages were read may be on none of them as such.
        for id, j in rows.items():
            if "ended_at" not in j and id == self.job_id(via, j["id"]):
                status, found = ask.call("job_show", {"id": j["id"]})
                rows[id] = found if status == 200 else j

    def at_once(self, rows):
        """Jobs of one key that ran at the same time."""
        spans, run = {}, self.first_runs()
        for id, j in rows.items():
            if j.get("started_at") and j["kind"] not in OWN:
                since, host = run.get(id, (j["started_at"], ""))
                spans.setdefault(j["key"] if self.fed.etcd else id, []).append((since, host, j.get("ended_at", "9999"), id))
        faults = []
        for key, of in spans.items():
            of.sort()
            faults += [f"{key}: job {a[3]} ran until {a[2]}, {b[3]} since {b[0]}" for a, b in zip(of, of[1:])
                       if b[0] < a[2] and not self.apart(a, b)]
        return faults

    def first_runs(self):
        """When and where each job was begun, by the logs: once its claim stood.  `started_at` is of before that: the end of the job that
        it waited for may come between."""
        found = {}
        for host, p in self.fed.coordinators.items():
            for at, id in re.findall(r"^(\S+) \S+ \S+ job\.run job=(\S+)", p.log(), re.M):
                found[id] = min((at, host), found.get(id, (at, host)))
        return found

    def apart(self, a, b):
        """Whether the times of two jobs are of two clocks of which one was wrong."""
        return a[1] != b[1] and any(host in (a[1], b[1]) and since < b[0] < until for host, since, until in self.skewed)

    def runs(self):
        """By the logs of all coordinators: how often each job was begun, and how often with a reason: it was new, its shard was away, it
        had failed, or the coordinator that had it died or ended."""
        logs = [p.log() for p in self.fed.coordinators.values()]
        stops = sum(log.count(" coordinator.stop ") for log in logs)
        again = collections.Counter(id for log in logs for id in re.findall(r" job\.retry job=(\S+)", log))
        begun, lost = collections.Counter(), collections.Counter()
        for id, times in (m for log in logs for m in re.findall(r" job\.run job=(\S+) .* lost=(\d+)", log)):
            begun[id], lost[id] = begun[id] + 1, max(lost[id], int(times))
        return {id: (n, 1 + again[id] + lost[id] + stops) for id, n in begun.items()}

    def overlong(self, began, said):
        """Calls that took a coordinator itself longer than their deadline, by its log: whatever the wire to its clients is like."""
        extra, faults = self.clients.metronome.worst(began, 4), []
        for host, p in self.fed.coordinators.items():
            for tool, ms in re.findall(r" call req=\S+ .* tool=(\w+) .* ms=(\d+)", p.log()[said[host]:]):
                if tool in TOOLS and int(ms) / 1000 > TOOLS[tool] * 1.1 + extra:
                    faults.append(f"{tool} took the coordinator of {host} {ms} ms: its deadline was {TOOLS[tool]} s")
        return faults

    # ---- doing ----

    def rolling(self, processes):
        """Each is ended in order and started again; the next one's turn comes when all is well."""
        for p in processes:
            single = {r.uri for r in self.fed.repos if self.fed.shards.get((r.name, p.host)) is p and len(r.hosts) == 1}
            with self.permit(missing=single, away=[h for h, c in self.fed.coordinators.items() if c is p]):
                wrong = p.end()
                assert not wrong, wrong
                said = len(p.log())
                p.start()
                if p in self.fed.shards.values():
                    wait(f"{p.name} is known", lambda: p.log()[said:].count(" announce.done ") >= len(self.fed.COORDINATORS), 30)
                    time.sleep(1)       # a connection that was lost and is back for so long
                self.settled()


def run(test, row):
    name, says, _, f = row
    began, test.notes = time.monotonic(), []
    said, why = {h: len(p.log()) for h, p in test.fed.coordinators.items()}, []
    try:
        f(test)
        test.settled()      # nobody is lost
    except AssertionError as e:
        why = [str(e)]
    took = time.monotonic() - began
    faults = why + test.judge.faults(began) + test.overlong(began, said) + test.fed.dead() + test.jobs(began)
    wanted, refused = (len(test.writers.since(began, of)) for of in (test.writers.accepted, test.writers.refused))
    print(f"{'not ok' if faults else 'ok'} - {name}: {says}; {took:.0f} s, {test.judge.summary(began)}; "
          f"jobs: {wanted} wanted, {refused} refused", flush=True)
    for text in test.notes:
        print(f"     {text}")
    for text in faults[:12]:
        print(f"     FAULT {text}")
    if len(faults) > 12:
        print(f"     and {len(faults) - 12} more")
    return not faults


def begin(fed):
    """All run, know each other, and have the group."""
    fed.start()
    test = Test(fed, Clients(fed, 0), None, True)
    wait("all members", lambda: test.everywhere(test.members), 60)
    for via in fed.COORDINATORS:
        ask = Asker(fed, via)
        status, body = ask.call("group_create", {"group": "all", "repos": [r.uri for r in fed.repos]})
        if status != 200 and "already exists" not in body["error"]["message"]:
            raise AssertionError(f"group_create: {pretty(body)}")
        ask.close()
    test.clients.metronome.ends = True
    return test.settled(60)


def read_options():
    p = argparse.ArgumentParser()
    for name in ("bin", "folder", "prefix"):
        p.add_argument(name)
    p.add_argument("--short", action="store_true")
    p.add_argument("--repos", type=int)
    p.add_argument("--keep-going", action="store_true")
    p.add_argument("scenario", nargs="*", choices=[[], *(r[0] for r in scenarios.TABLE)])
    return p.parse_intermixed_args()


def wanted_rows(o):
    """Of the table: those that are named, or all of the form."""
    def wanted(name, short):
        return name in o.scenario if o.scenario else short or not o.short
    return [row for row in scenarios.TABLE if wanted(row[0], row[2])]


def play(fed, o):
    """All scenarios that are wanted, one after the other; whether all is right."""
    print(f"ok - {len(fed.repos)} repositories, {len(fed.shards)} shards and {len(fed.coordinators)} coordinators on three hosts, "
          f"{len(fed.etcd)} members of etcd: ready after {begin(fed):.1f} s")
    clients, writers, good = Clients(fed, 0.03), Writers(fed, 0.7), True
    clients.start()
    test = Test(fed, clients, writers, o.short)
    for row in wanted_rows(o):
        good = run(test, row) and good
        if not good and not o.keep_going:
            break
    clients.stop()
    writers.stop()
    begun = len(test.runs())
    print(f"{'ok' if begun else 'not ok'} - {len(writers.accepted)} times a job was wanted, {begun} times one was begun, none twice",
          flush=True)
    return good and begun > 0


def main():
    o = read_options()
    why = permitted()
    if why:
        print(f"skipped: no network namespaces here: {why}")
        return 77
    etcd = shutil.which("etcd") and shutil.which("etcdctl")
    if not etcd:
        print("without etcd, which is not installed: each coordinator has a registry of its own")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    net = fed = heard = None
    good = False
    try:
        net = Net(o.prefix, [*Federation.HOSTS, "client"])
        fed = Federation(net, o.folder, o.bin, o.repos or (6 if o.short else 12), etcd=bool(etcd))
        heard = net.listen([w.encode() for w in (COMMON, KEY, TOKEN, "Release ", "svc01", "group_query")])
        good = play(fed, o)
    finally:
        faults = fed.close() if fed else []
        if heard:
            faults += overheard(net, heard)
        if net:
            net.close()
    for f in faults:
        print(f"FAULT {f}")
    return 0 if good and not faults else 1


def overheard(net, heard):
    """Nothing of what was asked, answered or secret passed the switch as it is; that it would have been seen is shown, too."""
    with net.on("a"):
        taker = socket.create_server((net.address["a"], 9))
    with net.on("client"), socket.create_connection((net.address["a"], 9), 2) as s:
        s.sendall(COMMON.encode())
    taker.close()
    time.sleep(0.3)
    seen, drops = heard.stop()
    control = seen.pop(COMMON.encode())
    faults = [f"{n} frames between the hosts held {w.decode()!r} in plain text" for w, n in seen.items() if n]
    if not 1 <= control <= 3:   # once at the port where it came in, and where it went out
        faults.append(f"{control} frames held {COMMON!r}, of which one was the test's own")
    if drops > heard.frames / 100:
        faults.append(f"{drops} frames of {heard.frames} were not looked at")
    if not faults:
        print(f"ok - nothing in plain text in {heard.frames} frames of {heard.bytes >> 20} MB between the hosts")
    return faults


if __name__ == "__main__":
    sys.exit(main())
