"""hold_streams.py PORT CA TOKEN N: opens N event streams, one after the other, over TLS, prints the count of each status, and keeps them open."""
import collections
import signal
import socket
import ssl
import sys

PORT, CA, TOKEN, N = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
ASK = f"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
tls = ssl.create_default_context(cafile=CA)
streams, got = [], collections.Counter()
for _ in range(N):
    s = tls.wrap_socket(socket.create_connection(("127.0.0.1", PORT), 60), server_hostname="localhost")
    s.sendall(ASK)
    got[s.recv(100).split()[1].decode()] += 1
    streams.append(s)
print(" ".join(f"{n} x {status}" for status, n in sorted(got.items())), flush=True)
signal.pause()
