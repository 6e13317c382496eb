#!/bin/sh
# What a shard answers about the shop's code, request by request: tests/answers/.  ACCEPT=1 writes the answers; the diff is the review.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
"$ROOT/tests/fixtures/make.sh" "$W/shop"
mkdir "$W/all"
git init -q -b main "$W/all"
for service in web users catalog orders; do	# who committed what decides about owners
	rm -rf "$W/shop/$service/.git"
	mv "$W/shop/$service" "$W/all/$service"
	git -C "$W/all" add -A
	GIT_COMMITTER_DATE=2026-01-02T00:00:00Z git -C "$W/all" -c user.name="$service" -c user.email="$service@example.com" commit -q \
		-m "$service: the service" --date=2026-01-01T00:00:00Z
done
sed -i 's/limit=20/limit=30/; s/def find_user/def search_user/' "$W"/all/users/users/*.py
git -C "$W/all" mv catalog/neighbours.go catalog/near.go
GIT_COMMITTER_DATE=2026-02-02T00:00:00Z commit "$W/all" "other limits"
cat >"$W/requests" <<'END'
status	{}
file_map	{"path": "", "limit": 20}
file_map	{"path": "users", "limit": 4}
file_map	{"path": "users/users/app.py", "limit": 5}
file_map	{"path": "users/users/app.py", "limit": 60}
file_map	{"path": "catalog/server.go", "limit": 3}
file_map	{"path": "catalog/store/store.go", "limit": 30}
file_map	{"path": "web/src", "limit": 50}
file_map	{"path": "web/src/cache.ts", "limit": 20}
file_map	{"path": "orders/src/main/java/shop/orders/OrderBook.java", "limit": 20}
file_map	{"path": "nowhere", "limit": 5}
symbol	{"symbol": "TimedCache", "limit": 4}
symbol	{"symbol": "OrderBook.move", "limit": 4}
symbol	{"symbol": "loadOrder", "limit": 4}
symbol	{"symbol": "orders/src/main/java/shop/orders/OrderBook.java#OrderBook", "limit": 4}
symbol	{"symbol": "server.routes", "limit": 4}
symbol	{"symbol": "nobody", "limit": 4}
symbol	{"symbol": "healthz", "limit": 4}
symbol	{"symbol": "Product", "limit": 4}
symbol	{"symbol": "digest", "limit": 4}
symbol	{"symbol": "healthz", "kind": "method", "limit": 2}
symbol	{"symbol": "healthz", "path": "catalog/server.go", "limit": 2}
symbol	{"symbol": "get", "limit": 50}
signature	{"symbol": "TimedCache", "limit": 3}
signature	{"symbol": "OrderBook", "limit": 3}
signature	{"symbol": "UserStore", "limit": 3}
signature	{"symbol": "listProducts", "limit": 3}
signature	{"symbol": "healthz", "limit": 3}
signature	{"symbol": "requireUser", "limit": 3}
signature	{"symbol": "server.orderStats", "limit": 3}
signature	{"symbol": "nobody", "limit": 3}
context	{"symbol": "TimedCache", "limit": 4}
context	{"symbol": "OrderBook", "limit": 4}
context	{"symbol": "UserStore", "limit": 4}
context	{"symbol": "OrderBook.get", "limit": 4}
context	{"symbol": "server.orderStats", "limit": 4}
context	{"symbol": "users/users/app.py", "limit": 4}
context	{"symbol": "placeOrder", "limit": 4}
context	{"symbol": "writeJSON", "limit": 4}
context	{"symbol": "loadConfig", "limit": 4}
context	{"symbol": "nobody", "limit": 4}
context	{"symbol": "healthz", "limit": 4}
context	{"symbol": "get", "limit": 4}
context	{"symbol": "get", "path": "web", "limit": 3}
context	{"symbol": "Config", "kind": "interface", "limit": 1}
context	{"symbol": "users/users/store.py#UserStore.get", "limit": 1}
impact	{"symbol": "TimedCache", "depth": 3, "min_confidence": 0.2, "limit": 3}
impact	{"symbol": "OrderBook.get", "depth": 2, "min_confidence": 0.2, "limit": 3}
impact	{"symbol": "UserStore", "depth": 3, "min_confidence": 0.2, "limit": 3}
impact	{"symbol": "Products.Get", "depth": 3, "min_confidence": 0.2, "limit": 3}
impact	{"symbol": "writeJSON", "depth": 1, "min_confidence": 0.2, "limit": 3}
impact	{"symbol": "neighbours.load_orders", "depth": 2, "min_confidence": 0.2, "limit": 3}
impact	{"symbol": "nobody", "depth": 2, "min_confidence": 0.2, "limit": 3}
impact	{"symbol": "healthz", "depth": 1, "min_confidence": 0.2, "limit": 3}
impact	{"symbol": "server.routes", "depth": 2, "min_confidence": 0.2, "limit": 5, "downstream": true}
impact	{"symbol": "OrderController", "depth": 3, "min_confidence": 0.9, "limit": 2, "downstream": true}
impact	{"symbol": "OrderBook.get", "depth": 2, "min_confidence": 0.99, "limit": 3}
impact	{"symbol": "OrderBook", "path": "orders", "kind": "class", "depth": 1, "min_confidence": 0, "limit": 2}
changes	{"limit": 20}
changes	{"base": "HEAD~2", "limit": 3}
changes	{"base": "HEAD~1", "head": "HEAD", "limit": 1}
changes	{"base": "nowhere", "limit": 3}
changes	{"diff": "--- a/web/src/cache.ts\n+++ b/web/src/cache.ts\n@@ -8,2 +8,3 @@\n   get(key: string): T | undefined {\n+    // looks\n     const entry = this.entries.get(key);\n", "limit": 3}
changes	{"diff": "diff --git a/users/users/passwords.py b/users/users/passwords.py\ndeleted file mode 100644\n--- a/users/users/passwords.py\n+++ /dev/null\n", "limit": 3}
owners	{"path": "", "limit": 2}
owners	{"path": "users", "limit": 2}
owners	{"path": "catalog/near.go", "limit": 2}
owners	{"path": "users/users/store.py", "limit": 2}
owners	{"path": "nowhere", "limit": 2}
contracts	{"limit": 100}
contracts	{"limit": 3, "after": 3}
contracts	{"limit": 1}
stats	{"terms": ["order", "product*", "users", "unheard", "\"close an account\""]}
file	{"path": "users/users/app.py", "start_line": 3, "end_line": 9, "max_bytes": 4000}
file	{"path": "users/users/app.py", "max_bytes": 120}
file	{"path": "users/users/app.py", "start_line": 9999, "max_bytes": 100}
file	{"path": "nowhere.py", "max_bytes": 100}
file	{"path": "catalog/near.go", "start_line": 5, "max_bytes": 200}
knows	{"commits": ["0123456789012345678901234567890123456789"]}
search	{"query": "reserve stock", "limit": 5}
search	{"query": "TimedCache", "limit": 5}
search	{"query": "OrderBook.move", "limit": 5}
search	{"query": "\"close an account\"", "limit": 5}
search	{"query": "users/users/store.py", "limit": 5}
search	{"query": "unheard of words", "limit": 5}
search	{"query": "order", "limit": 3, "kinds": ["class"]}
search	{"query": "order", "limit": 3, "languages": ["go"]}
search	{"query": "order", "limit": 3, "path_prefix": "web/"}
search	{"query": "order", "limit": 4, "granularity": "file"}
search	{"query": "order", "limit": 0}
search	{"query": "*", "limit": 3}
END
serve s "$W/all" --data "$W/d" --embedder none
python3 - "$ROOT/tests/answers" "$TESTBIN/rpc" "ipc://$W/s.ipc" "$W/requests" <<'END' || fail "other answers"
import json, os, subprocess, sys
folder, rpc, url, requests = sys.argv[1:]
rows = [line.rstrip("\n").split("\t") for line in open(requests)]
OF_THE_RUN = ("repo_uri", "ingest_ms", "indexed_at", "uptime_ms", "rss_bytes", "disk_bytes", "index_bytes", "version", "data", "freshness", "text", "file",
    "document")
IN_ORDER_ONLY = ("lexical", "exact", "near", "named", "score")      # numbers that a better formula changes

def lasting(x):
    """Without what differs from run to run."""
    if isinstance(x, dict):
        return {k: lasting(v) for k, v in x.items() if k not in OF_THE_RUN + IN_ORDER_ONLY}
    return [lasting(v) for v in x] if isinstance(x, list) else x

def missing(want, got, at=""):
    """Where the answer is not as expected; fields that are new are no difference."""
    if isinstance(want, dict) and isinstance(got, dict):
        return [d for k in want for d in missing(want[k], got.get(k), f"{at}.{k}")]
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return [d for i, w in enumerate(want) for d in missing(w, got[i], f"{at}[{i}]")]
    return [] if want == got else [f"{at}: {json.dumps(got)[:300]}, want {json.dumps(want)[:300]}"]

answers = []
for name, request in rows:
    out = subprocess.run([rpc, url, name, request], capture_output=True, text=True).stdout
    answers.append(lasting(json.loads(out)))
path = f"{folder}/shop.jsonl"
if os.environ.get("ACCEPT"):
    with open(path, "w") as f:
        f.writelines(json.dumps(a, ensure_ascii=False, sort_keys=True) + "\n" for a in answers)
expected = [json.loads(line) for line in open(path)]
assert len(expected) == len(answers), f"{len(expected)} answers are expected, {len(answers)} were given"
bad = [(r, d) for r, w, g in zip(rows, expected, answers) for d in missing(w, g)]
for (name, request), difference in bad[:10]:
    print(f"{name} {request}\n    {difference}")
sys.exit(bool(bad))
END
ok "$(wc -l <"$W/requests") answers are as expected"
