"""intruders.py: peers that do not belong to the cluster and must not receive any request."""
import contextlib
import os
import re
import socket
import ssl
import struct
import threading
import time

import nng_sp
from federation import SHARDS, Authority, Process, Repo, wait
from scenarios import scenario

RPC = re.compile(rb"\xa3rpc(?:[\xa0-\xbf]|\xd9.)([a-z_]+)", re.S)


class Impostor(threading.Thread):
    """Listens where a shard has been, takes what is sent, and answers all of it that it is well."""

    def __init__(self, net, host, port, files):
        super().__init__(daemon=True)
        with net.on(host):
            self.socket = socket.create_server((net.address[host], port))
        self.context, self.ends, self.came, self.admitted, self.rpcs = nng_sp.context(files, server=True), False, 0, 0, []
        self.start()

    def run(self):
        self.socket.settimeout(0.2)
        while not self.ends:
            with contextlib.suppress(OSError):
                s, _ = self.socket.accept()
                self.came += 1
                threading.Thread(target=self.serve, args=(s,), daemon=True).start()

    def serve(self, s):
        with contextlib.suppress(OSError, AssertionError, struct.error):
            s.settimeout(5)
            s = self.context.wrap_socket(s, server_side=True)
            s.sendall(nng_sp.hello(nng_sp.REP))
            nng_sp.exactly(s, 8)
            self.admitted += 1
            while not self.ends:
                message = nng_sp.take(s)
                self.rpcs += [m.decode() for m in RPC.findall(message)] or [repr(message)]
                s.sendall(nng_sp.frame(message[:4] + nng_sp.pack({"v": 1, "body": nng_sp.pack({"status": "ready"})})))

    def stop(self):
        self.ends = True
        self.join()
        self.socket.close()


@scenario("shards with a foreign certificate, or without the key, announce themselves", short=True)
def strangers(x):
    host, foreign = "c", Authority(f"{x.fed.w}/foreign", "foreign")
    if not hasattr(x.fed, "stranger"):
        x.fed.stranger = Repo(x.fed.w, 15, 15, host)
    cert, key = foreign.issue("stranger", x.fed.net.address[host])
    x.write(f"{x.fed.w}/wrong-key", "another key\n")
    os.chmod(f"{x.fed.w}/wrong-key", 0o600)
    mine = x.fed.files[host]
    ways = {"foreign": {"cert": cert, "cert-key": key}, "wrong-key": {"key": f"{x.fed.w}/wrong-key"}}
    for name, change in ways.items():
        x.fed.files[host] = {**mine, **change}
        p = Process(x.fed, f"stranger-{name}", host)
        p.command = [*x.fed.shard_command(x.fed.stranger, host), "--log-level", "debug"]
        x.fed.files[host] = mine
        p.start()
        try:
            time.sleep(2 if x.short else 5)     # one that is let in is there well within a second
            for via in x.fed.COORDINATORS:
                why = x.members(via)
                assert why is True, why
            assert p.running() and " shard shard.ready " in p.log(), p.log()[-500:]
            assert "announce.done" not in p.log() and " debug shard rpc " not in p.log(), p.log()[-500:]
        finally:
            p.end()


@scenario("somebody listens at the address of a shard that is dead: with a foreign certificate, then with ours but without the key", short=True)
def impostors(x):
    repo = x.fed.repos[-1]
    host, port = repo.hosts[0], SHARDS + repo.n
    shard, foreign = x.fed.shards[repo.name, host], Authority(f"{x.fed.w}/foreign2", "foreign")
    cert, key = foreign.issue("impostor", x.fed.net.address[host])
    ways = {"foreign": {**x.fed.files[host], "cert": cert, "cert-key": key}, "keyless": x.fed.files[host]}
    with x.permit(missing=[repo.uri]):
        shard.kill()
        shard.p.wait()
        for name, files in ways.items():
            i = Impostor(x.fed.net, host, port, files)
            try:
                wait("a coordinator dials it", lambda: (i.admitted if name == "keyless" else i.came) > 0 or "nobody came", 15)
                time.sleep(1 if x.short else 8)
            finally:
                i.stop()
            x.note(f"{name}: {i.came} connections, {i.admitted} shook hands, asked {sorted(set(i.rpcs)) or 'nothing'}")
            assert not set(i.rpcs) - {"prove"} and not (name == "foreign" and i.admitted), f"{name} was asked {i.rpcs[:9]}"
        shard.start()
        x.settled()
