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
serve s "$W/all" --data "$W/d" --embedder none
python3 - "$ROOT/tests/answers" "$TESTBIN/rpc" "ipc://$W/s.ipc" <<'END' || fail "other answers"
import json, os, subprocess, sys
folder, rpc, url = sys.argv[1:]
rows = [line.rstrip("\n").split("\t") for line in open(f"{folder}/requests.tsv")]
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
path = f"{folder}/expected.jsonl"
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
ok "$(wc -l <"$ROOT/tests/answers/requests.tsv") answers are as expected"
