#!/bin/bash
# Re-indexing one member: invisible to the others, and never visible half done.
. "$(dirname "$0")/../lib.sh"
"$ROOT/tests/fixtures/make.sh" "$W/shop"
versions() {	# twenty functions that carry the version in their name
	for i in $(seq 20); do printf 'def marker_%s_%s():\n    return "marker"\n' "$1" "$i" >"$W/shop/users/users/marker_$i.py"; done
	git -C "$W/shop/users" add -A
	git -C "$W/shop/users" -c user.name=t -c user.email=t@example.com commit -qm "version $1"
}
versions 0
up --group shop "$W"/shop/*
ready shop 4
state() {
	call group_status '{"group":"shop"}' | jq -cS '[.repos[] | select(.repo_uri != "github.com/atoll-shop/users") |
		{repo_uri, generation, graph_hash, indexed_at, commit}]'
}
files() {	# indexes of the others
	for f in "$W"/data/repo_*/CURRENT "$W"/data/repo_*/index-*.db; do
		case $f in "$users"/*) ;; *) sha256sum "$f"; stat -c '%Y %i' "$f" ;; esac
	done
}
users=$W/data/$(call list_repos | jq -r '.repos[] | select(.name == "atoll-shop/users") | .collection')
[ -f "$users/CURRENT" ] || fail "the collection does not name the folder: $users"

others=$(state)
disk=$(files)
generation() { call group_status '{"group":"shop"}' | jq '.repos[] | select(.repo_uri == "github.com/atoll-shop/users") | .generation'; }
was=$(generation)
versions 1
"$BIN/atoll" repo analyze users --wait || fail "repo analyze --wait failed"
[ "$(generation)" -gt "$was" ] || fail "the generation did not grow: $was, $(generation)"
call query '{"repo":"users","query":"marker_1_7"}' | jq -e '.results[0].name == "marker_1_7"' >/dev/null || fail "the new text is not found"
call query '{"repo":"users","query":"marker_0_7"}' | jq -e '[.results[].name] | index("marker_0_7") == null' >/dev/null ||
	fail "the old text is gone"
same "generations of the others" "$(state)" "$others"
same "files of the others" "$(files)" "$disk"
"$BIN/atoll" repo analyze users --wait 2>&1 | grep -q 'nothing to do' || fail "an unchanged head was indexed again"
was=$(generation)
"$BIN/atoll" repo analyze users --force --wait || fail "repo analyze --force failed"
[ "$(generation)" -gt "$was" ] || fail "--force did not build again"
ok "re-indexing one member does not affect the others"

# ---- a URL with nothing new: only a fetch shows its head, and no later index follows
git clone -q --bare "$W/shop/web" "$W/mirror.git"
"$BIN/atoll" repo add "file://$W/mirror.git" >/dev/null 2>&1 || fail "repo add failed"
mirror=local:$(printf %s "$W/mirror.git" | sha256sum | cut -c1-64)
mirrored() { call list_repos | jq -e --arg u "$mirror" '.repos[] | select(.repo_uri == $u) | .status == "ready" and .phase == null' >/dev/null; }
wait_for 30 mirrored
timeout 100 "$BIN/atoll" repo analyze "$mirror" --wait 2>"$W/out" || fail "repo analyze of a URL: $(cat "$W/out")"
"$BIN/atoll" repo remove "$mirror" >/dev/null || fail "repo remove failed"
ok "repo analyze --wait ends when there is nothing new"

# ---- at least 1,000 queries, 16 at a time, while versions change ----
cat >"$W/load.py" <<'PY'
import itertools, json, os, sys, threading, urllib.request
url, least, enough, told = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]
count, done, bad, seen = itertools.count(), [], [], set()
def post(tool, args):
    r = urllib.request.Request(f"{url}/api/v1/{tool}", json.dumps(args).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(r, timeout=60))
def client():
    while len(done) < least or not os.path.exists(enough):
        i = next(count)
        done.append(i)
        try:
            if i % 2:
                a = post("query", {"repo": "users", "query": "marker", "limit": 40})
                names = [r["name"] for r in a["results"]]
            else:
                a = post("group_query", {"group": "shop", "query": "marker", "limit": 40})
                names = [(r.get("symbol") or "").split(".")[-1] for r in a["results"]]
                if not a["complete"]:
                    bad.append(f"incomplete: {a['coverage']}")
            versions = {n.split("_")[1] for n in names if n.startswith("marker_")}
            if not versions <= seen:
                seen.update(versions)
                with open(told, "a") as f:
                    f.writelines(f"{v}\n" for v in versions)
            if len(versions) != 1:
                bad.append(f"versions {sorted(versions)} in one answer")
        except Exception as e:
            bad.append(f"{type(e).__name__} {e} {e.read().decode()[:300] if hasattr(e, 'read') else ''}")
threads = [threading.Thread(target=client) for _ in range(16)]
for t in threads: t.start()
for t in threads: t.join()
print(f"{len(done)} queries, {len(seen)} versions seen, {len(bad)} bad", *bad[:5], sep="\n")
sys.exit(bool(bad))
PY
start load python3 "$W/load.py" "$ATOLL_URL" 1000 "$W/enough" "$W/told"
wait_for 20 test -s "$W/told"
for v in 2 3 4 5 6; do
	versions $v
	"$BIN/atoll" repo analyze users --wait 2>/dev/null || fail "repo analyze failed while queries ran"
	wait_for 20 grep -qx $v "$W/told"
done
touch "$W/enough"
wait "$(pid_of load)" || { cat "$W/load.log"; fail "queries failed during a re-index"; }
head -n 1 "$W/load.log"
ok "no query fails or sees two generations while the index changes"
