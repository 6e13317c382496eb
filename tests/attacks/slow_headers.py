"""slow_headers.py PORT: two clients that send headers byte by byte are disconnected; one that is silent between requests is not."""
import socket
import sys
import time

PORT = int(sys.argv[1])
ASK = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def connect():
    s = socket.create_connection(("127.0.0.1", PORT), 30)
    s.settimeout(0.1)
    return s


def ask(s):
    s.settimeout(30)
    s.sendall(ASK)
    return s.recv(4096).startswith(b"HTTP/1.1 200 ")


def is_closed(s):
    try:
        s.send(b"a")
        return s.recv(100) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


idle = connect()
assert ask(idle)
second = connect()                  # its first request is done, the second one trickles
assert ask(second)
slow = {"first line": connect(), "header": connect(), "second request": second}
slow["first line"].sendall(b"GET /hea")
slow["header"].sendall(ASK[:-2] + b"X-A: ")
slow["second request"].settimeout(0.1)
slow["second request"].sendall(b"GET /hea")
began = time.monotonic()
while slow:
    for name, s in list(slow.items()):
        if is_closed(s):
            print(f"{name}: after {time.monotonic() - began:.1f} s")
            del slow[name]
    assert time.monotonic() - began < 30, list(slow)
assert ask(idle), "who is silent between requests"
