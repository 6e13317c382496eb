"""federation.py: what runs on the hosts of a test: certificates, repositories, etcd, coordinators, shards.

Repository svcNN serves GET /itemsNN/{id} and calls the next one; the last calls the first.  Each of its texts names service and
release, so that an answer shows its repository and commit.
"""
import json
import os
import signal
import subprocess
import time

HTTP, ANNOUNCE, SHARDS, ETCD, ETCD_PEER = 7700, 7701, 7710, 2379, 2380
COMMON = "lanternfish"          # in each of the two texts of every repository
KEY, TOKEN = "the-cluster-key-of-three-hosts", "a-bootstrap-token-of-three-hosts"
GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "m", "GIT_AUTHOR_EMAIL": "m@example.com",
       "GIT_COMMITTER_NAME": "m", "GIT_COMMITTER_EMAIL": "m@example.com"}
FRONT = '''"""The front of {name}."""
import requests
from flask import Flask

app = Flask(__name__)


@app.route("/items{n:02}/<item_id>", methods=["GET"])
def item_{n:02}(item_id):
    """Release {release} of {name}: a {common} at the front."""
    return requests.get(f"http://svc{next:02}:8080/items{next:02}/{{item_id}}").json()
'''
STORE = '''def keep_{word}(order):
    """Release {release} of {name}: the {common} that keeps {word}."""
    return order
'''


class Authority:
    """A CA below `folder`, and certificates that it issued."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        os.makedirs(folder, exist_ok=True)
        self.ca = f"{folder}/{name}.pem"
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                     "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")

    def openssl(self, *args):
        subprocess.run(["openssl", *args], cwd=self.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def issue(self, name, address):
        """Paths of a certificate and its key."""
        with open(f"{self.folder}/ext", "w") as f:
            f.write(f"subjectAltName=IP:{address},IP:127.0.0.1")
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
                     "-keyout", f"{name}.key", "-out", f"{name}.csr")
        self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{self.name}.pem", "-CAkey", f"{self.name}.key",
                     "-CAcreateserial", "-days", "2", "-extfile", "ext", "-out", f"{name}.pem")
        return f"{self.folder}/{name}.pem", f"{self.folder}/{name}.key"


class Repo:
    """A repository on some of the hosts, each with a bare copy of its own."""

    def __init__(self, folder, n, of, hosts):
        self.n, self.hosts, self.name = n, hosts, f"svc{n:02}"
        self.uri, self.word = f"git.example.com/multihost/{self.name}", f"zebra{'abcdefghijklmnop'[n]}{n * 7919 % 9973:04}"
        self.next = n % of + 1
        self.source, self.copies = f"{folder}/source/{self.name}", {h: f"{folder}/{h}/repos/{self.name}.git" for h in hosts}
        self.release, self.commits = 0, {}      # release by commit
        os.makedirs(self.source)
        self.git("init", "-q", "-b", "main", self.source)
        self.write()
        for copy in self.copies.values():
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            self.git("clone", "-q", "--bare", self.source, copy)
            self.git("--git-dir", copy, "config", "remote.origin.url", f"https://{self.uri}.git")

    def git(self, *args):
        return subprocess.run(["git", *args], env={**os.environ, **GIT}, cwd=self.source, check=True, stdout=subprocess.PIPE,
                              text=True).stdout.strip()

    def texts(self, release):
        words = {"n": self.n, "name": self.name, "release": release, "next": self.next, "word": self.word, "common": COMMON}
        return {"front.py": FRONT.format(**words), "store.py": STORE.format(**words)}

    def write(self):
        self.release += 1
        for path, text in self.texts(self.release).items():
            with open(f"{self.source}/{path}", "w") as f:
                f.write(text)
        self.git("add", "-A")
        self.git("commit", "-qm", f"release {self.release}")
        self.commits[self.git("rev-parse", "HEAD")] = self.release

    def commit(self):
        """A further release, on all hosts."""
        self.write()
        for copy in self.copies.values():
            self.git("push", "-q", copy, "main")


class Process:
    def __init__(self, fed, name, host):
        self.fed, self.name, self.host, self.command, self.env, self.p = fed, name, host, [], {}, None

    def start(self):
        env = {**os.environ, **self.env}
        named = ["unshare", "-u", "sh", "-c", f'hostname host-{self.host}; exec "$@"', "sh", *self.command]
        with open(f"{self.fed.w}/{self.name}.log", "ab") as log:
            self.p = self.fed.net.run(self.host, named, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env)
        return self

    def running(self):
        return self.p is not None and self.p.poll() is None

    def kill(self, sig=signal.SIGKILL):
        if self.running():
            self.p.send_signal(sig)

    def end(self, seconds=30):
        """In order: SIGTERM.  Says what is wrong with how it ended, or None."""
        self.kill(signal.SIGTERM)
        try:
            rc = self.p.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            self.p.wait()
            return f"{self.name} does not end within {seconds} s"
        own = self in self.fed.etcd.values() and rc == -signal.SIGTERM     # etcd ends itself by the signal that it got
        return f"{self.name} ended with {rc}" if rc and not own else None

    def log(self):
        with open(f"{self.fed.w}/{self.name}.log", errors="replace") as f:
            return f.read()

    def rss_kb(self):
        with open(f"/proc/{self.p.pid}/status") as f:
            return next(int(line.split()[1]) for line in f if line.startswith("VmRSS"))


class Federation:
    """Hosts a, b, c; coordinators on a and b; `repos` repositories, the first half of them on two hosts."""

    HOSTS, COORDINATORS = "abc", "ab"

    def __init__(self, net, folder, bin_, repos, etcd):
        self.net, self.w, self.bin = net, folder, bin_
        self.authority = Authority(f"{folder}/certs", "ca")
        self.files = {h: {"ca": self.authority.ca, "key": f"{folder}/cluster-key"} for h in self.HOSTS}
        for h in self.HOSTS:
            self.files[h]["cert"], self.files[h]["cert-key"] = self.authority.issue(h, net.address[h])
        for name, text in (("cluster-key", KEY), ("token", TOKEN)):
            with open(f"{folder}/{name}", "w", opener=lambda p, f: os.open(p, f, 0o600)) as f:
                f.write(text + "\n")
        spread = [self.HOSTS[i % 3] + (self.HOSTS[(i + 1) % 3] if i < repos // 2 else "") for i in range(repos)]
        self.repos = [Repo(folder, i + 1, repos, hosts) for i, hosts in enumerate(spread)]
        self.by_uri = {r.uri: r for r in self.repos}
        self.etcd = {h: Process(self, f"etcd-{h}", h) for h in self.HOSTS} if etcd else {}
        self.coordinators = {h: Process(self, f"coordinator-{h}", h) for h in self.COORDINATORS}
        self.shards = {(r.name, h): Process(self, f"{r.name}-{h}", h) for r in self.repos for h in r.hosts}
        self.commands()

    # ---- commands; those of the next start ----

    def commands(self):
        for h, p in self.coordinators.items():
            p.command = self.coordinator_command(h)
        for h, p in self.etcd.items():
            p.command = self.etcd_command(h)
        for r in self.repos:
            for h in r.hosts:
                self.shards[r.name, h].command = self.shard_command(r, h)

    def tls(self, host):
        f = self.files[host]
        return ["--tls-ca", f["ca"], "--tls-cert", f["cert"], "--tls-key", f["cert-key"], "--cluster-key-file", f["key"]]

    def coordinator_command(self, host):
        address = self.net.address[host]
        f = self.files[host]
        return [f"{self.bin}/atoll-coordinator", "--data", f"{self.w}/{host}/coordinator", "--http", f"{address}:{HTTP}",
                "--http-cert", f["cert"], "--http-key", f["cert-key"], "--bootstrap-token-file", f"{self.w}/token",
                "--listen", f"tls+tcp://{address}:{ANNOUNCE}", "--embedder", "none", "--calls-per-second", "0",
                *self.tls(host), *self.registry(host)]

    def registry(self, host):
        """What all coordinators share is in etcd, where there is one; else each has its own."""
        if not self.etcd:
            return []
        f, nodes = self.files[host], ",".join(f"{self.net.address[h]}:{ETCD}" for h in self.HOSTS)
        return ["--registry", f"tls+etcd://{nodes}/multihost", "--registry-ca", f["ca"], "--registry-cert", f["cert"],
                "--registry-key", f["cert-key"]]

    def shard_command(self, repo, host):
        where = [x for c in self.COORDINATORS for x in ("--coordinator", f"tls+tcp://{self.net.address[c]}:{ANNOUNCE}")]
        return [f"{self.bin}/atoll-shard", "--repo", repo.copies[host], "--data", f"{self.w}/{host}/data/{repo.name}",
                "--listen", f"tls+tcp://{self.net.address[host]}:{SHARDS + repo.n}", "--embedder", "none", "--ingest-threads", "1",
                *where, *self.tls(host)]

    def etcd_command(self, host):
        f, url = self.files[host], f"https://{self.net.address[host]}"
        cluster = ",".join(f"{h}=https://{self.net.address[h]}:{ETCD_PEER}" for h in self.HOSTS)
        return ["etcd", "--name", host, "--data-dir", f"{self.w}/{host}/etcd", "--initial-cluster", cluster,
                "--initial-cluster-state", "new", "--initial-cluster-token", "multihost", "--logger", "zap", "--log-level", "warn",
                "--listen-peer-urls", f"{url}:{ETCD_PEER}", "--initial-advertise-peer-urls", f"{url}:{ETCD_PEER}",
                "--listen-client-urls", f"{url}:{ETCD},https://127.0.0.1:{ETCD}", "--advertise-client-urls", f"{url}:{ETCD}",
                "--cert-file", f["cert"], "--key-file", f["cert-key"], "--trusted-ca-file", f["ca"], "--client-cert-auth",
                "--peer-cert-file", f["cert"], "--peer-key-file", f["cert-key"], "--peer-trusted-ca-file", f["ca"],
                "--peer-client-cert-auth"]

    # ---- life ----

    def all(self):
        return [*self.etcd.values(), *self.coordinators.values(), *self.shards.values()]

    def on(self, host):
        return [p for p in self.all() if p.host == host]

    def start(self):
        for p in self.etcd.values():
            p.start()
        if self.etcd:
            wait("etcd", lambda: len(self.etcd_status()) == len(self.etcd) and self.etcd_leader() is not None, 60)
        for p in [*self.coordinators.values(), *self.shards.values()]:
            p.start()

    def etcd_status(self):
        """{host: (its id, the leader's id)} of the members that answer."""
        out = {}
        for h, p in self.etcd.items():
            if not p.running():
                continue
            f = self.files[h]
            got = subprocess.run(["ip", "netns", "exec", self.net.ns(h), "etcdctl", "--endpoints", f"https://127.0.0.1:{ETCD}",
                                  "--cacert", f["ca"], "--cert", f["cert"], "--key", f["cert-key"], "--command-timeout", "2s",
                                  "endpoint", "status", "-w", "json"], env={**os.environ, "ETCDCTL_API": "3"},
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if got.returncode == 0:
                status = json.loads(got.stdout)[0]["Status"]
                out[h] = status["header"]["member_id"], status.get("leader", 0)
        return out

    def etcd_leader(self):
        """Host of etcd's leader, on which a majority agrees; None while there is none."""
        status = self.etcd_status()
        for h, (own, _) in status.items():
            if sum(leader == own for _, leader in status.values()) * 2 > len(self.etcd):
                return h
        return None

    def close(self):
        """Ends everything.  Says which programs of ours did not end in order."""
        ours = [*self.shards.values(), *self.coordinators.values()]
        for p in ours:
            p.kill(signal.SIGCONT)
            p.kill(signal.SIGTERM)
        faults = [p.end() for p in ours if p.running() or p.p and p.p.returncode]
        for p in self.etcd.values():
            p.kill()
            if p.p:
                p.p.wait()
        return [f for f in faults if f]

    def dead(self):
        """Programs that nobody ended."""
        return [f"{p.name} is gone (status {p.p.poll()}): {p.log()[-500:]}" for p in self.all() if not p.running()]

    # ---- what a scenario does to a host ----

    def kill_host(self, host):
        """As if its power were cut: no process says goodbye, no packet either."""
        self.net.cut(host)
        for p in self.on(host):
            p.kill()
            p.p.wait()

    def boot_host(self, host):
        self.net.join(host)
        for p in self.on(host):
            p.start()

    def singles(self, host):
        """Repositories that only this host has."""
        return {r.uri for r in self.repos if r.hosts == host}

    def replicated(self):
        return {r.uri for r in self.repos if len(r.hosts) > 1}


def wait(what, true, seconds):
    """How long it took.  `true` may also return why not, as a string."""
    began = time.monotonic()
    while True:
        why = true()
        took = time.monotonic() - began
        if why is True:
            return took
        if took > seconds:
            raise AssertionError(f"{what}: not within {seconds} s: {why}")
        time.sleep(0.1)


def pretty(x):
    return json.dumps(x, sort_keys=True)[:600]
