"""git_server.py FOLDER NAME [CERT KEY]: serves the bare repositories of FOLDER/srv over HTTP, or HTTPS, on loopback.

Writes its port to FOLDER/NAME.port, and for each request a line `PATH AUTHORIZATION` (or `PATH -`) to FOLDER/NAME.requests.
FOLDER/NAME.redirects is read at each request: lines `PREFIX TARGET` replace the prefix of a path by the target."""
import base64
import functools
import http.server
import os
import ssl
import sys

folder, name, *tls = sys.argv[1:]


def redirects():
    try:
        return [line.split() for line in open(f"{folder}/{name}.redirects")]
    except FileNotFoundError:
        return []


def shown(header):
    if not header or not header.startswith("Basic "):
        return header or "-"
    return base64.b64decode(header[6:]).decode()


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        with open(f"{folder}/{name}.requests", "a") as f:
            f.write(f"{self.path} {shown(self.headers.get('Authorization'))}\n")
        for prefix, target in redirects():
            if self.path.startswith(prefix):
                self.send_response(302)
                self.send_header("Location", target + self.path[len(prefix):])
                self.send_header("Content-Length", "0")
                self.end_headers()
                return None
        return super().do_GET()

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=f"{folder}/srv"))
if tls:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*tls)
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(f"{folder}/{name}.port.tmp", "w") as f:
    f.write(str(server.server_address[1]))
os.rename(f"{folder}/{name}.port.tmp", f"{folder}/{name}.port")
server.serve_forever()
