#!/usr/bin/env python3
"""recording_proxy.py RECORD URL PORT_FILE: a proxy in front of a coordinator that forwards every byte and records the traffic.
recording_proxy.py RECORD -- PROGRAM ARG...: the same for a program that uses standard input and output.

RECORD gets one JSON object a line: {request: {method, path, headers, body}, status, headers, body} for each HTTP exchange, in the
order in which connections end; {in: LINE} or {out: LINE} for standard input and output.  Bodies are text.  records.mjs reads them.
"""
import asyncio, io, json, os, signal, subprocess, sys, threading
from http.client import HTTPException, HTTPResponse, IncompleteRead, parse_headers
from urllib.parse import urlsplit


class Record:
    def __init__(self, path):
        self.file, self.lock = open(path, "a", encoding="utf-8"), threading.Lock()

    def put(self, what):
        with self.lock:
            self.file.write(json.dumps(what) + "\n")
            self.file.flush()


# ---- HTTP ----

def read_chunks(f):
    body = b""
    while n := int(f.readline().split(b";")[0], 16):
        body += f.read(n)
        f.readline()
    f.readline()
    return body


def requests(sent):
    """The requests that the bytes are, up to the first that is none."""
    f = io.BytesIO(sent)
    while line := f.readline():
        try:
            method, path, _ = line.decode("latin1").split()
            head = parse_headers(f)
            chunked = head.get("Transfer-Encoding", "").lower() == "chunked"
            body = read_chunks(f) if chunked else f.read(int(head.get("Content-Length", 0)))
        except (ValueError, HTTPException):
            return
        yield {"method": method, "path": path, "headers": {k.lower(): v for k, v in head.items()},
               "body": body.decode("utf-8", "surrogateescape")}


class Got:
    """What HTTPResponse wants of a socket."""

    def __init__(self, f):
        self.f = f

    def makefile(self, mode):
        return self.f


class Kept(io.BytesIO):
    def close(self):        # the next answer of the connection follows
        pass


def exchanges(sent, got):
    f = Kept(got)
    for q in requests(sent):
        r = HTTPResponse(Got(f), method=q["method"])
        try:
            r.begin()
            body = r.read()
        except IncompleteRead as e:         # a stream that was left
            body = e.partial
        except (HTTPException, ValueError, OSError) as e:
            if f.tell() < len(got):
                yield {"lost": repr(e)}
            return
        yield {"request": q, "status": r.status, "headers": {k.lower(): v for k, v in r.getheaders()},
               "body": body.decode("utf-8", "surrogateescape")}


class Proxy:
    def __init__(self, record, url):
        self.record, self.url, self.open = record, urlsplit(url), {}

    async def pass_on(self, reader, writer, kept):
        try:
            while data := await reader.read(1 << 16):
                kept += data
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()      # nobody here shuts down one direction alone

    def write_down(self, connection):
        for x in exchanges(*self.open.pop(connection)):
            self.record.put(x)

    async def serve(self, reader, writer):
        try:
            there, here = await asyncio.open_connection(self.url.hostname, self.url.port)
        except OSError:
            writer.transport.abort()
            return
        self.open[writer] = bytearray(), bytearray()
        sent, got = self.open[writer]
        await asyncio.gather(self.pass_on(reader, here, sent), self.pass_on(there, writer, got))
        self.write_down(writer)

    async def run(self, port_file):
        server, stop = await asyncio.start_server(self.serve, "127.0.0.1", 0), asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        with open(port_file + ".new", "w") as f:
            f.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        os.rename(port_file + ".new", port_file)
        await stop.wait()
        for connection in list(self.open):
            self.write_down(connection)
        os._exit(0)


# ---- standard input and output ----

def wrap(record, command):
    p = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for s in (signal.SIGTERM, signal.SIGINT):
        signal.signal(s, lambda s, frame: p.send_signal(s))

    def read():
        while line := sys.stdin.buffer.readline():
            record.put({"in": line.decode("utf-8", "surrogateescape")})
            try:
                p.stdin.write(line)
                p.stdin.flush()
            except OSError:
                break
        p.stdin.close()

    def answer():
        for line in p.stdout:
            record.put({"out": line.decode("utf-8", "surrogateescape")})
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()

    threading.Thread(target=read, daemon=True).start()
    out = threading.Thread(target=answer)
    out.start()
    code = p.wait()
    out.join()
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    if sys.argv[2] == "--":
        wrap(Record(sys.argv[1]), sys.argv[3:])
    asyncio.run(Proxy(Record(sys.argv[1]), sys.argv[2]).run(sys.argv[3]))
