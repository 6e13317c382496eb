"""slow_clients.py PORT N KIND: N clients that never finish a request and reconnect when they are disconnected.

KIND is what they send byte by byte: head (of a request), hello (of TLS), body; or silent.
Prints `open` once the first N have connected, and on SIGTERM how many were disconnected.
"""
import resource
import selectors
import signal
import socket
import sys
import time

PORT, N, KIND = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
PAUSE_S = 0.2

BEGINNINGS = {
    "head": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ",
    "hello": bytes([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]),    # of a record of 512 bytes
    "body": b"POST /api/v1/group_list HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n",
    "silent": b"",
}
clients, dropped, running = selectors.DefaultSelector(), 0, True


def stop(*_):
    global running
    running = False


def connect():
    s = socket.socket()
    s.setblocking(False)
    s.connect_ex(("127.0.0.1", PORT))
    clients.register(s, selectors.EVENT_READ, {"left": BEGINNINGS[KIND]})


def drop(s):
    global dropped
    dropped += 1
    clients.unregister(s)
    s.close()
    connect()


def trickle():
    for key in list(clients.get_map().values()):
        s, left = key.fileobj, key.data["left"]
        try:
            # the first time nearly all of it: the rest is the trickle
            sent = s.send(left or b"a" if KIND != "silent" else b"")
            key.data["left"] = left[sent:]
        except BlockingIOError:
            pass
        except OSError:
            drop(s)


def hear(until):
    while running and (left := until - time.monotonic()) > 0:
        for key, _ in clients.select(left):
            try:
                if not key.fileobj.recv(4096):
                    drop(key.fileobj)
            except BlockingIOError:
                pass
            except OSError:
                drop(key.fileobj)


signal.signal(signal.SIGTERM, stop)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
for _ in range(N):
    connect()
trickle()
print("open", flush=True)
while running:
    hear(time.monotonic() + PAUSE_S)
    trickle()
print(f"dropped {dropped}", flush=True)
