"""hold.py PORT N: N calls at once, each on a connection of its own; prints `sent`, and then how many had which status."""
import collections
import re
import resource
import socket
import sys

PORT, N = int(sys.argv[1]), int(sys.argv[2])
BODY = b'{"repo":"orders","query":"order"}'
CALL = (b"POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(BODY)) + BODY
resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
calls = []
for _ in range(N):
    calls.append(socket.create_connection(("127.0.0.1", PORT), 60))
    calls[-1].sendall(CALL)
print("sent", flush=True)
got = collections.Counter()
for s in calls:
    try:
        got[re.match(rb"HTTP/1.1 (\d+)|$", s.recv(100))[1]] += 1
    except ConnectionError:
        got[None] += 1
print(" ".join(f"{n} x {(status or b'nothing').decode()}" for status, n in sorted(got.items(), key=str)))
