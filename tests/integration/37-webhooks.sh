#!/bin/bash
# Push events of forges: which are trusted, which are ignored, which become one update; and secrets appear nowhere.
. "$(dirname "$0")/../lib.sh"
secret=hunter2hunter2hunter2
"$ROOT/tests/fixtures/make.sh" "$W/shop"
echo "$secret" >"$W/secret"
export GITHUB_WEBHOOK_SECRET=$secret ATOLL_GITLAB_WEBHOOK_SECRET_FILE="$W/secret"
up --group shop "$W/shop/users" "$W/shop/web"
unset GITHUB_WEBHOOK_SECRET ATOLL_GITLAB_WEBHOOK_SECRET_FILE
ready shop 2
ATOLL_TOKEN=$("$BIN/atoll" token create --name admin 2>/dev/null)	# forges have none, and need none
export ATOLL_TOKEN

cat >"$W/hooks.py" <<'PY'
import concurrent.futures, hashlib, hmac, itertools, json, os, subprocess, sys, time, urllib.error, urllib.parse, urllib.request
url, secret, shop, atoll = sys.argv[1:]
def git(repo, *args):
    who = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
    return subprocess.run(["git", "-C", f"{shop}/{repo}", *who, *args], check=True, capture_output=True, text=True).stdout.strip()
tool = lambda name, args={}: json.loads(subprocess.run([atoll, "call", name, json.dumps(args)], capture_output=True, text=True).stdout)

def send(forge, body, headers):
    r = urllib.request.Request(f"{url}/webhooks/{forge}", body, {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(r, timeout=60) as f:
            return f.status, json.load(f)
    except urllib.error.HTTPError as e:
        return e.code, json.load(e)

def push(repo="users", ref="refs/heads/main", before="1" * 40, after="2" * 40, **more):
    return {"ref": ref, "before": before, "after": after, **more,
            "repository": {"clone_url": f"https://github.com/atoll-shop/{repo}.git", "default_branch": "main"}}

numbers = itertools.count(1)
def github(payload, event="push", delivery=None, key=secret, form=False, **headers):
    n = next(numbers)
    body = json.dumps(payload).encode()
    if form:
        body = b"x=1&payload=" + urllib.parse.quote_plus(body.decode()).encode() + b"&y=2"
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    sign = "sha256=" + hmac.new(key.encode(), body, hashlib.sha256).hexdigest()
    return send("github", body, {"X-GitHub-Event": event, "X-GitHub-Delivery": delivery or f"d{n}", "X-Hub-Signature-256": sign, **headers})

def want(got, code, **members):
    assert got[0] == code and all(got[1].get(k) == v for k, v in members.items()), (got, code, members)
    return got[1]

def why(got, status, text):
    assert got[0] == status and text in json.dumps(got[1]), (got, status, text)

# which are trusted
want(github({"zen": "x", "hook_id": 1}, event="ping"), 200, status="pong")
why(github(push(), key="wrong"), 401, "is wrong")
why(send("github", b"{}", {"X-GitHub-Event": "push"}), 401, "is missing")
why(send("github", b"{}", {"X-GitHub-Event": "push", "X-Hub-Signature-256": ""}), 401, "X-Hub-Signature-256")
why(send("gitea", b"{}", {"X-Gitea-Event": "push"}), 404, "no secret")
why(send("gitnowhere", b"{}", {}), 404, "gitlab")
body = b"[1"
sign = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
why(send("github", body, {"X-GitHub-Event": "push", "X-Hub-Signature-256": sign}), 400, "neither JSON")
why(github({"ref": "refs/heads/main"}), 400, "does not name a repository")
why(github({"repository": {}}), 400, "ref")
print("ok - only who knows the secret is believed", flush=True)

# which are ignored
want(github({}, event="issues"), 202, status="ignored", reason="not a push")
want(github(push(ref="refs/heads/topic")), 202, status="ignored", reason="not the default branch")
want(github(push(ref="refs/tags/v1")), 202, status="ignored", reason="not a branch")
want(github(push(after="0" * 40, deleted=True)), 202, status="ignored", reason="the branch was deleted")
want(github(push(repo="nothere")), 202, status="ignored", reason="github.com/atoll-shop/nothere is not registered here")
print("ok - what is no push to a default branch that is known is ignored", flush=True)

# which become an update
def commit(repo, name):
    before = git(repo, "rev-parse", "HEAD")
    with open(f"{shop}/{repo}/{name}.py", "w") as f:
        f.write(f"def {name}():\n    return 1\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", name)
    return before, git(repo, "rev-parse", "HEAD")

def visible(repo, name):
    for _ in range(600):
        got = tool("query", {"repo": f"atoll-shop/{repo}", "query": name})
        if any(name in json.dumps(h) for h in got.get("results", [])):
            return
        time.sleep(0.1)
    raise AssertionError((name, got, tool("job_list")))

before, after = commit("users", "first_pushed_thing")
job = want(github(push(before=before, after=after), delivery="same"), 202, status="accepted")["job"]
want(github(push(before=before, after=after), delivery="same"), 202, status="repeated", job=job)
visible("users", "first_pushed_thing")
for _ in range(600):
    row = tool("job_show", {"id": job})
    if row["state"] in ("done", "failed"):
        break
    time.sleep(0.1)
assert (row["state"], row["kind"], row["repo_uri"], row["reason"]) == ("done", "update", "github.com/atoll-shop/users", "push (GitHub)"), row
before, after = commit("web", "form_pushed_thing")
want(github(push(repo="web", before=before, after=after), form=True), 202, status="accepted")
visible("web", "form_pushed_thing")
before, after = commit("users", "gitlab_pushed_thing")
lab = {"object_kind": "push", "ref": "refs/heads/main", "before": before, "after": after, "project": {
    "git_http_url": "https://github.com/atoll-shop/users.git", "default_branch": "main"}}
why(send("gitlab", json.dumps(lab).encode(), {"X-Gitlab-Event": "Push Hook", "X-Gitlab-Token": "wrong"}), 401, "X-Gitlab-Token")
want(send("gitlab", json.dumps(lab).encode(), {"X-Gitlab-Event": "Push Hook", "X-Gitlab-Token": secret}), 202, status="accepted")
visible("users", "gitlab_pushed_thing")
for time_ in range(5):          # on a busy machine eight pushes may not be quick
    quick = [commit("users", f"quick_thing_{time_}_{i}") for i in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        jobs = {want(got, 202, status="accepted")["job"] for got in threads.map(lambda q: github(push(before=q[0], after=q[1])), quick)}
    visible("users", f"quick_thing_{time_}_7")
    if len(jobs) <= 4:
        break
assert len(jobs) <= 4, jobs
print("ok - pushes become updates, quick ones few; one that comes twice is known", flush=True)

# size
big = {**push(ref="refs/heads/topic"), "commits": ["x" * 1000] * 5000}
want(github(big), 202, status="ignored")
why(send("github", b"x" * (26 << 20), {"X-GitHub-Event": "push"}), 413, "larger than")
print("ok - bodies up to 25 MB", flush=True)
PY
python3 "$W/hooks.py" "$ATOLL_URL" "$secret" "$W/shop" "$BIN/atoll" || fail "webhooks failed"
if grep -rlF "$secret" "$W/data" "$W"/*.log; then fail "the secret is in these files"; fi
for p in $(_ours); do ! tr '\0' ' ' <"/proc/$p/cmdline" 2>/dev/null | grep -qF "$secret" || [ "$p" = $$ ] ||
	fail "the secret is on a command line"; done
ok "the secret appears nowhere"
