#!/bin/bash
# Secrets in the environment of `atoll up` reach only the programs that use them; read from /proc of each process.
. "$(dirname "$0")/../lib.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop" >/dev/null
secrets="OPENAI_API_KEY ANTHROPIC_API_KEY AWS_SECRET_ACCESS_KEY DATABASE_URL NPM_TOKEN GITHUB_TOKEN GITHUB_WEBHOOK_SECRET
	ATOLL_GITLAB_WEBHOOK_SECRET ATOLL_TOKEN ATOLL_GIT_TOKEN ATOLL_LLM_KEY ATOLL_EMBED_KEY ATOLL_REGISTRY_PASSWORD"
canaries=()
for name in $secrets; do canaries+=("$name=canary-$name-0123456789"); done

# Repeatedly inspects all descendants, as children are short-lived: "KIND NAME" for each secret that a process has.
cat >"$W/look.py" <<'EOF'
import os, signal, sys
top, seen, on = int(sys.argv[1]), set(), True
def stop(*_):
    global on
    on = False
signal.signal(signal.SIGTERM, stop)
def read(pid, what):
    with open(f"/proc/{pid}/{what}", "rb") as f:
        return f.read().decode(errors="replace")
def is_below(pid):
    while pid > 1 and pid != top:
        pid = int(read(pid, "stat").rpartition(")")[2].split()[1])
    return pid == top
def kind_of(words):
    name = os.path.basename(words[0])
    if name != "atoll-shard":
        return name
    if "--fetch" in words:
        return "fetch"
    if "--ingest" in words:
        return "ingest"
    return "mirror" if "--repo" in words and "://" in words[words.index("--repo") + 1] else "shard"
while on:
    for pid in [int(p) for p in os.listdir("/proc") if p.isdigit()]:
        try:
            if pid == top or not is_below(pid):
                continue
            words = read(pid, "cmdline").split("\0")
            if os.path.basename(words[0]) in ("atoll", ""):      # between fork and exec
                continue
            for entry in read(pid, "environ").split("\0"):
                name, _, value = entry.partition("=")
                if "canary-" in value or name == "ATOLL_STARTER_TOKEN":
                    seen.add(f"{kind_of(words)} {name}")
            seen.add(f"{kind_of(words)} runs")
        except (OSError, ValueError):
            pass
print("\n".join(sorted(seen)))
EOF

seen() {	# seen VARIABLE=VALUE...: what the processes of an `atoll up` have of the secrets
	ATOLL_URL=http://127.0.0.1:$(free_port)
	export ATOLL_URL
	rm -rf "$W/data"
	start up env -u ATOLL_URL "${canaries[@]}" "$@" atoll up --data "$W/data" --http "${ATOLL_URL#http://}" "$W/shop/web" "file://$W/shop/users"
	start look python3 "$W/look.py" "$(pid_of up)"
	wait_for 20 answers
	wait_for 30 shown 2
	stop look
	stop up
	cat "$W/look.log"
}
shown() { "$BIN/atoll" repo list --json | jq -e --argjson n "$1" '[.repos[] | select(.status == "ready")] | length == $n'; }
has() { grep "^$1 " <<<"$all" | cut -d' ' -f2 | grep -vx runs | tr '\n' ' '; }

all=$(seen)
for kind in atoll-coordinator shard mirror fetch ingest; do grep -qx "$kind runs" <<<"$all" || fail "no process of kind $kind was seen: $all"; done
same "secrets of the coordinator" "$(has atoll-coordinator)" "ATOLL_GITLAB_WEBHOOK_SECRET ATOLL_REGISTRY_PASSWORD ATOLL_STARTER_TOKEN GITHUB_WEBHOOK_SECRET "
same "secrets of a shard of a path" "$(has shard)" ""
same "secrets of a mirror" "$(has mirror)" "ATOLL_GIT_TOKEN GITHUB_TOKEN "
same "secrets of the child that fetches" "$(has fetch)" "ATOLL_GITHUB_TOKEN ATOLL_GIT_TOKEN "
if grep -E 'OPENAI|ANTHROPIC|AWS|DATABASE|NPM| ATOLL_TOKEN$' <<<"$all"; then fail "a process has a secret that no program here uses"; fi
ok "programs get the variables of their options"

all=$(seen ATOLL_LLM_URL=http://127.0.0.1:9 ATOLL_LLM_MODEL=m)
same "the coordinator with a language model" "$(has atoll-coordinator)" \
	"ATOLL_GITLAB_WEBHOOK_SECRET ATOLL_LLM_KEY ATOLL_REGISTRY_PASSWORD ATOLL_STARTER_TOKEN GITHUB_WEBHOOK_SECRET OPENAI_API_KEY "
same "its shard" "$(has shard)" ""
[ -n "${ATTACKS:-}" ] || { ok "keys are passed with the option that uses them"; exit; }

all=$(seen ATOLL_EMBEDDER=http ATOLL_EMBED_URL=http://127.0.0.1:9 ATOLL_EMBED_MODEL=m)
same "a shard that asks for vectors" "$(has shard)" "ATOLL_EMBED_KEY OPENAI_API_KEY "
ok "keys are passed with the option that uses them"
