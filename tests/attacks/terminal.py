"""terminal.py CMD...: runs a command on a terminal of its own, and fails if its output contains control sequences or invalid UTF-8.

OWN=1 permits the sequences with which `atoll up` draws its progress.  Prints the output as a Python literal.
"""
import os
import pty
import re
import signal
import sys

OWN = re.compile(rb"\033\[(K|\d+A)") if os.environ.get("OWN") else re.compile(rb"(?!)")
ODD = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
printed = bytearray()

pid, fd = pty.fork()
if not pid:
    os.execvp(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGTERM))
try:
    while data := os.read(fd, 1 << 16):
        printed.extend(data)
except OSError:                     # its end, on Linux
    pass
os.waitpid(pid, 0)
text = OWN.sub(b"", bytes(printed)).replace(b"\r\n", b"\n")
print(ascii(text.decode(errors="replace")))
try:
    odd = ODD.search(text.decode())
    if odd:
        sys.exit(f"{sys.argv[1:]}: the terminal is sent {odd[0]!r}: {text.decode()[max(0, odd.start() - 60):odd.end() + 40]!r}")
except UnicodeDecodeError as e:
    sys.exit(f"{sys.argv[1:]}: {e}")
