"""scenarios.py: what happens to the hosts while clients query.  A row of TABLE is a scenario; `short`: also in `make test`.

A scenario gets a Test (run.py), disturbs something, declares what may be missing meanwhile (x.permit), and ends when everything
is healthy again (x.settled).  What clients saw is judged at its end.
"""
import datetime
import signal
import time

from clients import Asker
from federation import ANNOUNCE, Authority, wait

TABLE = []


def scenario(says, short=False):
    def row(f):
        TABLE.append((f.__name__, says, short, f))
        return f
    return row


@scenario("nothing happens", short=True)
def calm(x):
    time.sleep(1 if x.short else 5)


@scenario("repositories get commits", short=True)
def commits(x):
    for repo in x.fed.repos[:2 if x.short else None]:
        repo.commit()
        time.sleep(0.2)
    x.note(f"all answer from the new commits after {x.newest():.1f} s")


@scenario("a host with shards alone is killed, and boots", short=True)
def host_killed(x):
    down(x, "c", 2 if x.short else 8)


@scenario("a host with a coordinator is killed, and boots")
def coordinator_host_killed(x):
    down(x, "b", 8)


def down(x, host, seconds):
    with x.permit(missing=x.fed.singles(host) | x.in_flight(host), away=[host]):
        x.fed.kill_host(host)
        x.note(f"its members are named after {x.named(host):.1f} s")
        time.sleep(seconds)
        x.fed.boot_host(host)
        x.note(f"all is well {x.settled():.1f} s after the boot")


@scenario("a host is cut off for 10 s", short=False)
def partition(x):
    for host in "cb":
        with x.permit(missing=x.fed.singles(host) | x.in_flight(host) | x.cut_off(host), away=[host], slow=[host]):
            x.fed.net.cut(host)
            time.sleep(10)
            x.fed.net.join(host)
            x.note(f"{host}: all is well {x.settled():.1f} s after it is healed")


@scenario("5 % loss and 100 ms on the way to two hosts")
def lossy(x):
    hosts = "bc"
    with x.permit(missing={u for h in hosts for u in x.on(h)} | x.cut_off("b"), away=["b"], slow=["b"]):
        how = [x.fed.net.shape(h, 100, 0.05) for h in hosts]
        began = time.monotonic()
        time.sleep(15)
        asked = x.clients.since(began)
        whole = [e for e in asked if e.outcome == "right"]
        for h in hosts:
            x.fed.net.unshape(h)
        x.note(f"by {how[0]}: {len(whole)} of {len(asked)} answers were whole; all is well {x.settled():.1f} s later")
        assert len(whole) > len(asked) / 4, "most answers lack somebody"


@scenario("one shard is slow: it runs a tenth of the time", short=True)
def slow_shard(x):
    for repo in (x.fed.repos[-1], x.fed.repos[0]):
        shard = x.fed.shards[repo.name, repo.hosts[0]]
        with x.permit(missing=[repo.uri]):
            began = time.monotonic()
            while time.monotonic() - began < (1.5 if x.short else 6):
                shard.kill(signal.SIGSTOP)
                time.sleep(0.27)
                shard.kill(signal.SIGCONT)
                time.sleep(0.03)
            x.settled()


@scenario("a shard hangs: its process stands still, its connections too", short=False)
def hung_shard(x):
    for repo in (x.fed.repos[-1], x.fed.repos[0]):
        shard = x.fed.shards[repo.name, repo.hosts[0]]
        with x.permit(missing=[repo.uri]):
            shard.kill(signal.SIGSTOP)
            time.sleep(8)
            shard.kill(signal.SIGCONT)
            x.note(f"{repo.name} of {len(repo.hosts)}: all is well {x.settled():.1f} s later")


@scenario("every shard and every coordinator is restarted, one after the other")
def rolling_restart(x):
    x.rolling(x.fed.shards.values())
    x.rolling(x.fed.coordinators.values())


@scenario("the clock of a host is a minute ahead, then it is set right, then a minute late")
def clock_skew(x):
    host, path, since = "b", f"{x.fed.w}/skew", stamp(-90)
    x.write(path, "60")
    for p in x.fed.on(host):
        p.env = {"LD_PRELOAD": x.skew_library(), "SKEW_FILE": path}
    x.rolling(p for p in x.fed.on(host) if p not in x.fed.etcd.values())
    time.sleep(5)
    for seconds in ("0", "-60"):
        x.write(path, seconds)
        time.sleep(5)
        dead = x.fed.shards[x.fed.repos[1].name, host]      # whoever waits for it must notice in time
        with x.permit(missing=x.in_flight(host) | {x.fed.repos[1].uri}):
            dead.kill(signal.SIGSTOP)
            time.sleep(5)
            dead.kill(signal.SIGCONT)
            x.note(f"set to {seconds} s: all is well {x.settled():.1f} s after a shard hung")
    for p in x.fed.on(host):
        p.env = {}
    x.rolling(p for p in x.fed.on(host) if p not in x.fed.etcd.values())
    x.skewed.append((host, since, stamp(90)))


def stamp(ahead):
    """The time so many seconds from now, as logs have it."""
    return datetime.datetime.fromtimestamp(time.time() + ahead, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@scenario("every certificate is issued anew, by another CA")
def certificates(x):
    old, new = x.fed.authority, Authority(f"{x.fed.w}/certs2", "ca2")
    both = f"{x.fed.w}/both.pem"
    x.write(both, open(old.ca).read() + open(new.ca).read())
    issued = {h: new.issue(h, x.fed.net.address[h]) for h in x.fed.HOSTS}
    steps = [("both CAs", lambda h: {"ca": both}),
             ("new certificates", lambda h: {"cert": issued[h][0], "cert-key": issued[h][1]}),
             ("the new CA alone", lambda h: {"ca": new.ca})]
    for says, change in steps:
        for h in x.fed.HOSTS:
            x.fed.files[h].update(change(h))
        x.fed.commands()
        x.rolling(x.fed.etcd.values())
        x.rolling(x.fed.shards.values())
        x.rolling(x.fed.coordinators.values())
        x.note(f"{says}: done")
    x.fed.authority = new


def group_of_two(x, via, name):
    """A write: status, and error code or what it says, of making a group."""
    ask = Asker(x.fed, via)
    try:
        status, body = ask.call("group_create", {"group": name, "repos": [x.fed.repos[0].uri, x.fed.repos[1].uri]})
        error = body.get("error", {})
        return status, "exists" if "already exists" in error.get("message", "") else error.get("code")
    finally:
        ask.close()


def groups(x, via):
    ask = Asker(x.fed, via)
    try:
        return {g["name"] for g in ask.want("group_list", {})["groups"]}
    finally:
        ask.close()


def written(x, name, seconds=60):
    """How long until a group can be made by every coordinator, and both know both."""
    def made(via):
        status, code = group_of_two(x, via, f"{name}-{via}")
        return status == 200 or code == "exists" or f"{via}: {status} {code}"
    took = wait("writing", lambda: x.everywhere(made), seconds)
    want = {f"{name}-{via}" for via in x.fed.COORDINATORS}
    wait("both groups everywhere", lambda: x.everywhere(lambda via: want <= groups(x, via) or f"{via} knows {groups(x, via)}"), 10)
    return took


@scenario("the leader of etcd is killed", short=True)
def etcd_leader_killed(x):
    if not x.fed.etcd:
        return
    leader = x.fed.etcd_leader()
    p = x.fed.etcd[leader]
    p.kill()
    p.p.wait()
    x.note(f"all can write {written(x, 'leader'):.1f} s after the death of {leader}")
    time.sleep(0 if x.short else 5)
    p.start()
    wait("etcd", lambda: len(x.fed.etcd_status()) == 3 and x.fed.etcd_leader() is not None, 60)
    x.settled()


@scenario("all of etcd is gone")
def etcd_gone(x):
    if not x.fed.etcd:
        return
    for p in x.fed.etcd.values():
        p.kill()
        p.p.wait()
    time.sleep(3)
    for via in x.fed.COORDINATORS:
        status, code = group_of_two(x, via, f"never-{via}")
        assert (status, code) == (503, "UNAVAILABLE"), f"a write without etcd: {status} {code}"
    x.fed.repos[2].commit()         # shards go on, and so does what coordinators know of them
    x.note(f"a commit is seen {x.newest():.1f} s later, without etcd")
    time.sleep(7)
    for p in x.fed.etcd.values():
        p.start()
    x.note(f"all can write {written(x, 'again'):.1f} s after it is back")
    x.settled()
    for via in x.fed.COORDINATORS:
        assert not any(g.startswith("never-") for g in groups(x, via)), "a write that was refused is there"
