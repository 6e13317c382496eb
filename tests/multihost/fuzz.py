"""fuzz.py: sends malformed bytes to every port of our programs, while clients continue."""
import contextlib
import random
import socket
import ssl
import struct
import time

import nng_sp
from federation import ANNOUNCE, HTTP, SHARDS, TOKEN
from scenarios import scenario

RPCS = ["health", "hello", "announce", "search", "file", "contracts", "stats", "snippet", "sync", "cancel", "prove", "", "x" * 300]


def noise(rnd, n):
    return rnd.randbytes(rnd.randrange(1, n))


def bent(rnd, data):
    """Some bytes changed, cut off or said twice."""
    data = bytearray(data)
    for _ in range(rnd.randrange(1, 8)):
        at = rnd.randrange(len(data))
        kind = rnd.randrange(4)
        if kind == 0:
            data[at] = rnd.randrange(256)
        elif kind == 1:
            data[at:at] = rnd.choice([b"\xdf\xff\xff\xff\xff", b"\xdd\x7f\xff\xff\xff", b"\xc6\xff\xff\xff\xf0", b"\x91" * 200, b"\0"])
        elif kind == 2 and len(data) > 2:
            del data[at:]
        else:
            data += data[at:at + 50]
        data = data or bytearray(b"\0")
    return bytes(data)


def raw(rnd, address, port, files):
    """No TLS at all."""
    with socket.create_connection((address, port), 2) as s:
        s.sendall(rnd.choice([noise(rnd, 3000), nng_sp.hello(nng_sp.REQ) + noise(rnd, 200), b"GET / HTTP/1.1\r\n\r\n",
                              b"\x16\x03\x01" + noise(rnd, 600)]))


def half(rnd, address, port, files):
    """A handshake that ends in the middle."""
    c, out = nng_sp.context(files), ssl.MemoryBIO()
    tls = c.wrap_bio(ssl.MemoryBIO(), out)
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    with socket.create_connection((address, port), 2) as s:
        s.sendall(bent(rnd, out.read()) if rnd.random() < 0.7 else out.read())


def inside(rnd, address, port, files):
    """Our certificate, but no SP."""
    with nng_sp.context(files).wrap_socket(socket.create_connection((address, port), 2)) as s:
        s.sendall(rnd.choice([noise(rnd, 3000), bent(rnd, nng_sp.hello(nng_sp.REQ)), nng_sp.hello(rnd.randrange(65536))]))


def messages(rnd, address, port, files):
    """A peer that speaks SP, but its messages are nonsense.  A length may be more than ever comes."""
    with nng_sp.dial(address, port, files, 2) as s:
        for n in range(rnd.randrange(1, 30)):
            good = nng_sp.request(rnd.choice(RPCS), {"query": "x", "limit": rnd.randrange(1 << 32), "path": "../../etc/passwd"}, n,
                              **rnd.choice([{}, {"key": TOKEN}, {"mac": noise(rnd, 40), "session": noise(rnd, 20)}]))
            message = rnd.choice([good, bent(rnd, good), noise(rnd, 2000), b""])
            length = struct.pack(">Q", rnd.choice([len(message), len(message), len(message), 1 << 40, (1 << 64) - 1, 3]))
            s.sendall(length + message)


def http(rnd, address, port, files):
    c = ssl.create_default_context(cafile=files["ca"])
    c.check_hostname = False
    body = bent(rnd, b'{"group":"all","query":"x","limit":5,"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    head = (f"POST {rnd.choice(['/mcp', '/api/v1/group_query', '/webhooks/github', '/%00'])} HTTP/1.1\r\nHost: {address}\r\n"
            f"{rnd.choice(['Authorization: Bearer ' + TOKEN, 'Authorization: Bearer x', 'X: y'])}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {rnd.choice([len(body), len(body), 1 << 40, -1])}\r\n\r\n").encode()
    with c.wrap_socket(socket.create_connection((address, port), 2)) as s:
        s.sendall(rnd.choice([head + body, bent(rnd, head + body), noise(rnd, 3000)]))
        if rnd.random() < 0.5:
            s.settimeout(0.2)
            s.recv(4096)


def ports(fed):
    """(process, port, ways) of all that listen."""
    for h, c in fed.coordinators.items():
        yield c, HTTP, [raw, half, http]
        yield c, ANNOUNCE, [raw, half, inside, messages]
    for r in fed.repos:
        for h in r.hosts:
            yield fed.shards[r.name, h], SHARDS + r.n, [raw, half, inside, messages]


def answers(fed, p, port):
    """A question that is well made is answered, if only with a refusal: what follows does reach the program."""
    with nng_sp.dial(fed.net.address[p.host], port, fed.files[p.host]) as s:
        s.sendall(nng_sp.frame(nng_sp.request("health", n=7)))
        got = nng_sp.take(s)
    assert got[:4] == b"\x80\0\0\7" and b"body" in got or b"code" in got, f"{p.name}: {got!r}"


@scenario("bytes that nobody should send, on every port", short=True)
def fuzzed(x):
    rnd, sent, seconds = random.Random(7), 0, 2 if x.short else 60
    targets = list(ports(x.fed))
    with x.fed.net.on("client"):
        for p, port, ways in targets:
            if messages in ways:
                answers(x.fed, p, port)

    def round_of(end):
        n = 0
        with x.fed.net.on("client"):
            while time.monotonic() < end:
                p, port, ways = rnd.choice(targets)
                with contextlib.suppress(OSError, AssertionError):      # ours may end it, and we do not mind how
                    rnd.choice(ways)(rnd, x.fed.net.address[p.host], port, x.fed.files[p.host])
                n += 1
        return n

    sent = round_of(time.monotonic() + seconds / 3)         # what each needs for connections it has by then
    before = {p: p.rss_kb() for p, _, _ in targets}
    sent += round_of(time.monotonic() + seconds * 2 / 3)
    time.sleep(1)
    grown = {p.name: p.rss_kb() - kb for p, kb in before.items()}
    worst = max(grown, key=grown.get)
    x.note(f"{sent} connections to {len(targets)} ports; {worst} grew most, by {grown[worst]} KB")
    # some 400 connections to each: 8 KB that are left of each are seen
    assert grown[worst] < (8 if x.short else 3) << 10, f"{worst} grew by {grown[worst]} KB"
    assert not x.fed.dead(), x.fed.dead()
    x.settled()
