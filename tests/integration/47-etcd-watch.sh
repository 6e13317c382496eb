#!/bin/bash
# If etcd, or a proxy in front of it, ends each watch at once, the coordinator waits before it starts the next one.
. "$(dirname "$0")/../lib.sh"

cat >"$W/etcd.py" <<'END'
import base64, http.server, json, sys

b64 = lambda s: base64.b64encode(s.encode()).decode()
header = {"header": {"revision": "5"}}
answers = {
    "/v3/kv/range": {**header, "kvs": [{"key": b64("/atoll/registry"), "value": b64("a-name"), "mod_revision": "3"}]},
    "/v3/kv/txn": {**header, "succeeded": True},
    "/v3/lease/grant": {**header, "ID": "1", "TTL": "10"},
    "/v3/lease/keepalive": {"result": {**header, "ID": "1", "TTL": "10"}},
}

class Etcd(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps(answers.get(self.path, {})).encode() if self.path != "/v3/watch" else b""
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        print(self.path, flush=True)

    def log_message(self, *args):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Etcd)
open(sys.argv[1], "w").write(str(server.server_port))
server.serve_forever()
END
start etcd python3 "$W/etcd.py" "$W/port"
wait_for 10 test -s "$W/port"
start coordinator atoll-coordinator --data "$W/data" --http 127.0.0.1:0 --registry "etcd://127.0.0.1:$(cat "$W/port")/atoll"
watches() { grep -c /v3/watch "$W/etcd.log"; }
more() { [ "$(watches)" -ge "$1" ]; }
wait_for 20 more 1
began=$(date +%s%N) before=$(watches)
wait_for 30 more $((before + 5))
n=$(($(watches) - before)) ms=$((($(date +%s%N) - began) / 1000000))
[ $ms -ge $((n * 100)) ] || fail "$n watches in $ms ms: $(sort "$W/etcd.log" | uniq -c)"
ok "a watch that ends at once is restarted after a pause"
