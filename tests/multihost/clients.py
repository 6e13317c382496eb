"""clients.py: clients that query both coordinators all the time and know the right answers.

An answer must be right, or name exactly the missing members; `Event.missing` has those.  Anything else is a fault: a wrong
repository or text, two releases of one repository in an answer, an older release on a later page, an answer that lacks a member
without naming it.
"""
import collections
import contextlib
import http.client
import json
import random
import re
import ssl
import threading
import time

from federation import COMMON, HTTP, TOKEN, pretty

DEADLINE = {"word": 2.0, "common": 2.0, "pages": 2.0, "open": 2.0, "contracts": 10.0}
# op: what was asked; via: host of the coordinator; outcome: right | partial | away | wrong; longest: seconds of its longest request
Event = collections.namedtuple("Event", "began ended op via outcome missing detail longest")
RELEASE = re.compile(r"Release (\d+) of (svc\d+)")


class Away(Exception):
    """The coordinator cannot be reached."""


class Wrong(Exception):
    """The answer is not right."""


class Missing(dict):
    """Why, by repo_uri."""

    def __sub__(self, other):
        return {uri: why for uri, why in self.items() if uri not in other}

    def __ne__(self, other):
        return set(self) != set(other)


class Metronome(threading.Thread):
    """How late this very machine is: it cannot be blamed on an answer.  The lateness of ticks of 10 ms."""

    def __init__(self):
        super().__init__(daemon=True)
        self.late, self.ends = collections.deque(maxlen=200000), False
        self.start()

    def run(self):
        while not self.ends:
            began = time.monotonic()
            time.sleep(0.01)
            lateness = time.monotonic() - began - 0.01
            if lateness > 0.02:
                self.late.append((began, lateness))

    def between(self, began, ended):
        return sum(late for at, late in list(self.late) if began - 0.1 <= at <= ended)

    def worst(self, began, seconds):
        """The most of any time that long since then."""
        late = [x for x in list(self.late) if x[0] >= began]
        return max((sum(b for at, b in late if a <= at <= a + seconds) for a, _ in late), default=0)


class Asker:
    """A connection to the coordinator of one host, from another; begun anew when it breaks."""

    def __init__(self, fed, via, host="client"):
        self.fed, self.via, self.host, self.c, self.longest = fed, via, host, None, 0.0

    def tls(self):
        context = ssl.create_default_context(cafile=self.fed.files[self.via]["ca"])
        context.check_hostname = False
        return context

    def call(self, tool, arguments):
        """Status and body; raises Away."""
        began = time.monotonic()
        status, text = self.send("POST", f"/api/v1/{tool}", json.dumps(arguments))
        self.longest = max(self.longest, time.monotonic() - began)
        return status, json.loads(text)

    def text(self, path):
        return self.send("GET", path)[1].decode()

    def send(self, method, path, body=None, timeout=15.0):
        try:
            if self.c is None:
                with self.fed.net.on(self.host):
                    c = http.client.HTTPSConnection(self.fed.net.address[self.via], HTTP, timeout=2, context=self.tls())
                    c.connect()
                self.c = c
                self.c.sock.settimeout(timeout)
            self.c.request(method, path, body, {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"})
            r = self.c.getresponse()
            status, text = r.status, r.read()
            if status == 503 and b"is shutting down" in text:       # another one is asked
                raise ConnectionError("it is shutting down")
            return status, text
        except (OSError, http.client.HTTPException) as e:
            self.close()
            raise Away(f"{type(e).__name__}: {e}") from e

    def want(self, tool, arguments):
        status, body = self.call(tool, arguments)
        if status != 200:
            raise Wrong(f"{tool}: {status} {pretty(body)}")
        return body

    def close(self):
        if self.c:
            self.c.close()
        self.c = None


# ---- the right answers; each returns the repo_uris that the answer names as missing ----

def group_query(fed, ask, query, **more):
    """The answer; None: a cursor has expired, as another index, or another member, has come meanwhile."""
    status, body = ask.call("group_query", {"group": "all", "query": query, "mode": "lexical", **more})
    if status == 400 and "cursor" in more and "cursor expired" in body["error"]["message"]:
        return None
    if status != 200:
        raise Wrong(f"group_query: {status} {pretty(body)}")
    return body


def missing(answer, stale=False):
    """`stale`: an answer is not complete either when it is of an older index, which it names."""
    failed = Missing({f["repo_uri"]: f"{f['code']}: {f['message']}" for f in answer["coverage"]["failed"]})
    named = set(failed) | {s["repo_uri"] for s in answer["coverage"]["stale"] if stale}
    if not answer["complete"] and not named or answer["complete"] and failed:
        raise Wrong(f"complete is {answer['complete']}: {pretty(answer['coverage'])}")
    return failed


def releases(fed, answer, known=None):
    """Release of each repository in the hits, of which each must be its own repository's text."""
    seen = {} if known is None else known
    for hit in answer["results"]:
        repo = fed.by_uri.get(hit["repo_uri"])
        found = set(RELEASE.findall(hit["snippet"]))
        if repo is None or any(name != repo.name for _, name in found) or len(found) > 1:
            raise Wrong(f"a hit of another repository: {pretty(hit)}")
        for release, _ in found:
            if seen.setdefault(repo.uri, int(release)) != int(release):
                raise Wrong(f"two releases of {repo.name} in an answer: {seen[repo.uri]} and {release}")
            if not 1 <= int(release) <= repo.release:
                raise Wrong(f"{repo.name} never had release {release}")
    return seen


def ask_word(fed, ask, rnd):
    """One repository alone has the word."""
    repo = rnd.choice(fed.repos)
    answer = group_query(fed, ask, repo.word)
    gone = missing(answer)
    releases(fed, answer)
    got = {(h["repo_uri"], h["path"]) for h in answer["results"] if repo.word in h["snippet"]}
    if got != {(repo.uri, "store.py")} and not (repo.uri in gone and not got):
        raise Wrong(f"{repo.word} is in {repo.name}, {sorted(gone)} are missing: {pretty(answer)}")
    return gone


def ask_common(fed, ask, rnd):
    """All have it, in two definitions each."""
    answer = group_query(fed, ask, COMMON, limit=100)
    gone = missing(answer)
    releases(fed, answer)
    got = collections.Counter(h["repo_uri"] for h in answer["results"] if RELEASE.search(h["snippet"]))
    for repo in fed.repos:
        if got[repo.uri] < 2 and repo.uri not in gone:
            raise Wrong(f"{got[repo.uri]} of 2 hits of {repo.name}, which is not missing: {pretty(answer['coverage'])}")
        if got[repo.uri] and repo.uri in gone:
            raise Wrong(f"{repo.name} is missing and answers: {pretty(answer['coverage'])}")
    return gone


def ask_pages(fed, ask, rnd):
    """Pages of one question: no repository falls back to an older release.  A new index may begin the list anew."""
    cursor, before, gone = {}, {}, Missing()
    for _ in range(4):
        answer = group_query(fed, ask, COMMON, limit=7, **cursor)
        if answer is None:
            break
        gone |= missing(answer)
        now = releases(fed, answer)
        for uri, release in now.items():
            if release < before.get(uri, 0):
                raise Wrong(f"{uri} falls back from release {before[uri]} to {release} within one cursor")
        before.update(now)
        if "next_cursor" not in answer:
            break
        cursor = {"cursor": answer["next_cursor"]}
    return gone


def ask_open(fed, ask, rnd):
    repo, path = rnd.choice(fed.repos), rnd.choice(["front.py", "store.py"])
    status, body = ask.call("open_file", {"repo_uri": repo.uri, "path": path})
    if status != 200:
        error = body.get("error", {})
        if error.get("code") == "UNAVAILABLE" or "cluster key" in error.get("message", ""):     # the question names the repository
            return Missing({repo.uri: error["message"]})
        raise Wrong(f"open_file of {repo.name}: {status} {pretty(body)}")
    release = repo.commits.get(body["freshness"]["commit"])
    want = repo.texts(release)[path] if release else None
    if body["repo_uri"] != repo.uri or body["content"].rstrip("\n") != (want or "").rstrip("\n"):
        raise Wrong(f"{path} of {repo.name} is not the text of release {release}: {pretty(body)}")
    return Missing()


def ask_contracts(fed, ask, rnd):
    """Who calls whom does not change, whatever happens to members: the last good facts stay."""
    answer = ask.want("group_contracts", {"group": "all", "limit": 500})
    got = {(c["producer"]["repo_uri"], c["consumer"]["repo_uri"]) for c in answer["contracts"]}
    want = {(r.uri, p.uri) for r in fed.repos for p in fed.repos if p.next == r.n}
    if got != want:
        raise Wrong(f"links that are not: {sorted(got - want)}; lost: {sorted(want - got)}")
    missing(answer, stale=True)
    return Missing()


OPS = {"word": ask_word, "common": ask_common, "pages": ask_pages, "open": ask_open, "contracts": ask_contracts}


class Clients:
    """A thread for each coordinator, asking every `pause` seconds."""

    def __init__(self, fed, pause):
        self.fed, self.pause, self.ends, self.paused = fed, pause, False, threading.Event()
        self.events, self.lock, self.metronome = [], threading.Lock(), Metronome()
        self.threads = [threading.Thread(target=self.loop, args=(via,), daemon=True) for via in fed.COORDINATORS]

    def start(self):
        for t in self.threads:
            t.start()

    def loop(self, via):
        rnd, ask = random.Random(via), Asker(self.fed, via)
        while not self.ends:
            for op in OPS:
                if self.ends:
                    break
                self.note(self.one(op, via, ask, rnd))
                time.sleep(self.pause)
        ask.close()

    def one(self, op, via, ask, rnd):
        began, gone, ask.longest = time.monotonic(), Missing(), 0.0
        try:
            gone = OPS[op](self.fed, ask, rnd)
            outcome, detail = ("partial" if gone else "right"), ""
        except Away as e:
            outcome, detail = "away", str(e)
        except Wrong as e:
            outcome, detail = "wrong", str(e)
        except (KeyError, TypeError, ValueError) as e:
            outcome, detail = "wrong", f"{op}: {type(e).__name__} {e}"
        return Event(began, time.monotonic(), op, via, outcome, gone, detail, ask.longest)

    def note(self, event):
        with self.lock:
            self.events.append(event)

    def since(self, began):
        with self.lock:
            return [e for e in self.events if e.ended >= began]

    def stop(self):
        self.ends = True
        for t in self.threads:
            t.join(20)
        self.metronome.ends = True


class Writers:
    """Ask all coordinators at the same moment to bring the same repository's index up to date: of what they make of that, one job is done."""

    def __init__(self, fed, pause):
        self.fed, self.pause, self.ends, self.lock = fed, pause, False, threading.Lock()
        self.accepted, self.refused, self.wrong = [], [], []        # (when, job or why)
        self.threads = [threading.Thread(target=self.loop, args=(via,), daemon=True) for via in fed.COORDINATORS]
        for t in self.threads:
            t.start()

    def loop(self, via):
        ask = Asker(self.fed, via)
        while not self.ends:
            now = time.monotonic()
            n = int(now / self.pause) + 1
            time.sleep(n * self.pause - now)
            into, what = self.one(ask, self.fed.repos[n % len(self.fed.repos)].uri)
            with self.lock:
                into.append((time.monotonic(), what))
        ask.close()

    def one(self, ask, uri):
        try:
            status, body = ask.call("repo_analyze", {"repo_uri": uri})
        except Away as e:
            return self.refused, str(e)
        if status == 200:
            return self.accepted, (ask.via, body["job"])
        return self.refused if body["error"]["code"] == "UNAVAILABLE" else self.wrong, f"repo_analyze of {ask.via}: {status} {pretty(body)}"

    def since(self, began, what):
        with self.lock:
            return [x for at, x in what if at >= began]

    def stop(self):
        self.ends = True
        for t in self.threads:
            t.join(20)


class Judge:
    """What a scenario permits while it disturbs something, and what the clients' events say of it."""

    def __init__(self, clients):
        self.clients, self.windows = clients, []

    @contextlib.contextmanager
    def permit(self, missing=(), away=(), slow=()):
        """Until its end these members may be missing, these coordinators away, or behind a wire that is slow by itself."""
        window = [time.monotonic(), None, frozenset(missing), frozenset(away), frozenset(slow)]
        self.windows.append(window)
        try:
            yield
        finally:
            window[1] = time.monotonic()

    def permitted(self, event):
        got = [frozenset(), frozenset(), frozenset()]
        for began, ended, *what in self.windows:
            if event.ended >= began and (ended is None or event.began <= ended):
                got = [a | b for a, b in zip(got, what)]
        return got

    def faults(self, began):
        out = []
        for e in self.clients.since(began):
            missing, away, slow = self.permitted(e)
            at = f"{e.op} of {e.via} at {e.began - began:.1f} s, {e.longest:.2f} s long"
            if e.outcome == "wrong":
                out.append(f"{at}: {e.detail}")
            elif e.outcome == "away" and e.via not in away:
                out.append(f"{at}: {e.detail}")
            elif e.missing - missing:
                out.append(f"{at}: missing without a reason to be: {pretty(e.missing - missing)}")
            limit = DEADLINE[e.op] * 1.1 + self.clients.metronome.between(e.began, e.ended)
            if e.longest > limit and e.outcome != "away" and e.via not in slow:
                out.append(f"{at}: its deadline was {DEADLINE[e.op]} s")
        return out

    def summary(self, began):
        events = self.clients.since(began)
        count = collections.Counter(e.outcome for e in events)
        slowest = max((e for e in events if e.outcome != "away"), key=lambda e: e.longest, default=None)
        text = f"{len(events)} answers, {count['partial']} named a missing member, {count['away']} met a coordinator that was away"
        return text + (f"; the slowest took {1000 * slowest.longest:.0f} ms ({slowest.op})" if slowest else "")
