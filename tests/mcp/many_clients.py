#!/usr/bin/env python3
"""many_clients.py URL [SECONDS]: many concurrent clients, well-behaved, slow and abusive; fails if a well-behaved one is not served.

64 clients call tools over kept-alive connections, while others send byte by byte, disconnect in the middle of a request, or
send a request and disconnect (with a reset).  /healthz is timed throughout.
"""
import http.client, json, socket, struct, sys, threading, time
from urllib.parse import urlsplit

url = urlsplit(sys.argv[1])
until = time.monotonic() + float(sys.argv[2] if len(sys.argv) > 2 else 5)
lock = threading.Lock()
served, errors, health = 0, [], []
HEAD = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def note(what):
    with lock:
        errors.append(what)


def guard(f):
    def run(*args):
        try:
            f(*args)
        except Exception as e:  # a failed client is a failed test, whatever the reason
            note(f"{f.__name__}: {e!r}")
    return run


def message(id, method, params):
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params})


@guard
def polite(k):
    global served
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    calls = [("tools/list", {}), ("ping", {}), ("tools/call", {"name": "group_list", "arguments": {}}),
             ("tools/call", {"name": "list_repos"})]
    i = 0
    while time.monotonic() < until or i < len(calls):
        id = f"{k}-{i}"
        c.request("POST", "/mcp", message(id, *calls[i % len(calls)]), HEAD)
        r = c.getresponse()
        body = json.loads(r.read())
        if r.status != 200 or body["id"] != id or "result" not in body:
            note(f"client {k}: {r.status} {str(body)[:200]}")
            return
        i += 1
    with lock:
        served += i


def connection():
    return socket.create_connection((url.hostname, url.port), timeout=30)


def request(length=None):
    body = message(1, "tools/call", {"name": "list_repos", "arguments": {}}).encode()
    head = f"POST /mcp HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Type: application/json\r\n" \
           f"Content-Length: {length or len(body)}\r\n\r\n".encode()
    return head + body


@guard
def rude(k):
    while time.monotonic() < until:
        s = connection()
        if k % 3 == 0:
            s.sendall(request()[: 40 + k])      # in the middle of the headers
        elif k % 3 == 1:
            s.sendall(request(5000))            # in the middle of the body
        else:
            s.sendall(request())                # before the answer
        if k % 2:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        s.close()
        time.sleep(0.01)


@guard
def slow(k):
    s = connection()
    for byte in request():
        if time.monotonic() > until:
            break
        try:
            s.send(bytes([byte]))
        except OSError:
            break       # hung up on, as it should be after a while
        time.sleep(0.3)
    s.close()


@guard
def doctor():
    while time.monotonic() < until:
        t = time.monotonic()
        c = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
        c.request("GET", "/healthz")
        if c.getresponse().status != 200:
            note("healthz")
        c.close()
        health.append(time.monotonic() - t)
        c.request("GET", "/metrics")    # which opens files beside connections that come and go
        if b"process_open_fds" not in c.getresponse().read():
            note("metrics")
        c.close()
        time.sleep(0.05)


threads = [threading.Thread(target=polite, args=(k,)) for k in range(64)]
threads += [threading.Thread(target=rude, args=(k,)) for k in range(24)]
threads += [threading.Thread(target=slow, args=(k,)) for k in range(16)]
threads += [threading.Thread(target=doctor)]
for t in threads:
    t.start()
for t in threads:
    t.join()
health.sort()
print(f"{served} calls served, healthz median {health[len(health) // 2] * 1000:.1f} ms, max {health[-1] * 1000:.1f} ms")
for e in errors[:10]:
    print("FAIL:", e)
sys.exit(bool(errors) or served < 64)
