"""nng_sp.py: the wire format between daemons: mutual TLS, nng's SP over TCP, requests and replies in msgpack."""
import socket
import ssl
import struct

REQ, REP = 0x30, 0x31


def context(files, server=False):
    """Of `files`: ca, cert, cert-key.  As a client of a host, or as a server that wants certificates of its clients."""
    c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if server else ssl.PROTOCOL_TLS_CLIENT)
    c.check_hostname = False
    c.load_verify_locations(files["ca"])
    c.load_cert_chain(files["cert"], files["cert-key"])
    c.verify_mode = ssl.CERT_REQUIRED
    return c


def pack(x):
    """msgpack of what an envelope has."""
    if isinstance(x, bool):
        return b"\xc3" if x else b"\xc2"
    if isinstance(x, int):
        return b"\xcf" + struct.pack(">Q", x)
    if isinstance(x, str):
        return b"\xdb" + struct.pack(">I", len(x.encode())) + x.encode()
    if isinstance(x, bytes):
        return b"\xc6" + struct.pack(">I", len(x)) + x
    return b"\xdf" + struct.pack(">I", len(x)) + b"".join(pack(k) + pack(v) for k, v in x.items())


def request(rpc, body=None, n=1, **more):
    return struct.pack(">I", 0x80000000 | n) + pack({"v": 1, "rpc": rpc, "deadline_ms": 1000, "body": pack(body or {}), **more})


def frame(message):
    return struct.pack(">Q", len(message)) + message


def hello(protocol):
    return b"\0SP\0" + struct.pack(">HH", protocol, 0)


def exactly(s, n):
    data = b""
    while len(data) < n:
        more = s.recv(n - len(data))
        if not more:
            raise ConnectionError(f"hung up after {len(data)} of {n} bytes")
        data += more
    return data


def dial(address, port, files, timeout=3):
    """A connection that has shaken hands as one that asks."""
    s = socket.create_connection((address, port), timeout)
    s = context(files).wrap_socket(s)
    s.sendall(hello(REQ))
    got = exactly(s, 8)
    assert got == hello(REP), f"not a peer of ours: {got!r}"
    return s


def take(s):
    """The next message."""
    n = struct.unpack(">Q", exactly(s, 8))[0]
    assert n < 64 << 20, n
    return exactly(s, n)
