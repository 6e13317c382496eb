"""pushes.py make W REPOS: bare repositories W/srv/acme/{r1,…,private}.git and clones to work in.
pushes.py push W PUSHES URL BIN PORT SECRET SEED: push to them and tell the coordinator at URL, as GitHub and GitLab do; then look whether
every index is that of a fresh build and every job has ended."""
import hashlib, hmac, json, os, random, shutil, subprocess, sys, time, urllib.error, urllib.request

ENV = {**os.environ, "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.com"}


def git(folder, *args):
    return subprocess.run(["git", "-C", folder, *args], check=True, capture_output=True, text=True, env=ENV).stdout.strip()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def make(w, repos):
    for i in range(repos):
        name = "private" if i == 0 else f"r{i}"
        work = f"{w}/work/{name}"
        os.makedirs(work)
        git(work, "init", "-q", "-b", "main")
        for k in range(5):
            write(f"{work}/src/part{k}.py", f'"""Part {k} of {name}."""\nfrom src import part{(k + 1) % 5}\n\n\ndef step_{k}():\n    return part{(k + 1) % 5}.step_{(k + 1) % 5}()\n')
        git(work, "add", "-A")
        git(work, "commit", "-qm", "first")
        git(w, "clone", "-q", "--bare", work, f"{w}/srv/acme/{name}.git")
        git(work, "remote", "add", "origin", f"{w}/srv/acme/{name}.git")


class Forge:
    def __init__(self, url, port, secret):
        self.url, self.port, self.secret, self.n, self.jobs = url, port, secret, 0, {}

    def tell(self, repo, before, after, ref="refs/heads/main", key=None, delivery=None, want=202):
        """Tell of a push, as one of the two; the answer."""
        self.n += 1
        clone = f"http://127.0.0.1:{self.port}/git/acme/{repo}.git"
        push = {"ref": ref, "before": before, "after": after}
        key, delivery = key or self.secret, delivery or f"delivery-{self.n}"
        if self.n % 2:
            forge, body = "github", json.dumps({**push, "repository": {"clone_url": clone, "default_branch": "main"}}).encode()
            proof = "sha256=" + hmac.new(key.encode(), body, hashlib.sha256).hexdigest()
            headers = {"X-GitHub-Event": "push", "X-GitHub-Delivery": delivery, "X-Hub-Signature-256": proof}
        else:
            forge, body = "gitlab", json.dumps({**push, "project": {"git_http_url": clone, "default_branch": "main"}}).encode()
            headers = {"X-Gitlab-Event": "Push Hook", "X-Gitlab-Event-UUID": delivery, "X-Gitlab-Token": key}
        request = urllib.request.Request(f"{self.url}/webhooks/{forge}", body, {"Content-Type": "application/json", **headers})
        try:
            with urllib.request.urlopen(request, timeout=60) as f:
                status, answer = f.status, json.load(f)
        except urllib.error.HTTPError as e:
            status, answer = e.code, json.load(e)
        assert status == want, (status, answer, want)
        if answer.get("job"):
            self.jobs[answer["job"]] = repo
        return answer


def change(work, kind, i, rng):
    """Change the branch; which ref was pushed."""
    parts = sorted(os.listdir(f"{work}/src"))
    if kind == "empty":
        git(work, "commit", "-q", "--allow-empty", "-m", "nothing")
    elif kind == "rename":
        git(work, "mv", f"src/{rng.choice(parts)}", f"src/moved_{i}.py")
        git(work, "commit", "-qm", "rename")
    elif kind == "force":
        if git(work, "rev-list", "--count", "HEAD") != "1":
            git(work, "reset", "-q", "--hard", "HEAD~1")
        write(f"{work}/src/forced_{i}.py", f"def forced_{i}():\n    return {i}\n")
        git(work, "add", "-A")
        git(work, "commit", "-qm", "other history")
    else:
        with open(f"{work}/src/{rng.choice(parts)}", "a") as f:
            f.write(f"\n\ndef added_{i}():\n    return {i}\n")
        git(work, "commit", "-qam", "edit")
    git(work, "push", "-q", "--force", "origin", "main")


def push_all(w, forge, names, pushes, rng):
    kinds = ["edit"] * 4 + ["rename", "empty", "force", "branch", "wrong", "twice"]
    for i in range(pushes):
        repo, kind = rng.choice(names), kinds[i % len(kinds)]
        work = f"{w}/work/{repo}"
        if kind == "branch":
            git(work, "push", "-q", "origin", "HEAD:refs/heads/topic")
            git(work, "push", "-q", "origin", ":refs/heads/topic")
            answer = forge.tell(repo, git(work, "rev-parse", "HEAD"), "0" * 40, ref="refs/heads/topic")
            assert answer["status"] == "ignored", answer
            continue
        before = git(work, "rev-parse", "HEAD")
        change(work, kind, i, rng)
        after = git(work, "rev-parse", "HEAD")
        if kind == "wrong":
            forge.tell(repo, before, after, key="wrong", want=401)
        answer = forge.tell(repo, before, after, delivery=f"twice-{i}")
        assert answer["status"] == "accepted", answer
        if kind == "twice":
            forge.n += 1	# the same forge again
            again = forge.tell(repo, before, after, delivery=f"twice-{i}")
            assert (again["status"], again["job"]) == ("repeated", answer["job"]), (again, answer)


def push(w, pushes, url, bin, port, secret, seed):
    tool = lambda name, args={}: json.loads(subprocess.run([f"{bin}/atoll", "call", name, json.dumps(args)], capture_output=True, text=True).stdout)
    forge, rng = Forge(url, port, secret), random.Random(seed)
    names = sorted(d[:-4] for d in os.listdir(f"{w}/srv/acme"))
    gone, names = names[-1], names[:-1]
    push_all(w, forge, names, pushes, rng)
    shutil.move(f"{w}/srv/acme/{gone}.git", f"{w}/srv/acme/{gone}.away")
    forge.tell(gone, "1" * 40, "2" * 40)

    end = time.time() + 120
    while True:
        jobs, cursor = {}, None
        while True:
            page = tool("job_list", {"limit": 200, **({"cursor": cursor} if cursor else {})})
            jobs |= {j["id"]: j for j in page["jobs"]}
            cursor = page.get("next_cursor")
            if not cursor:
                break
        open_jobs = [j for j in jobs.values() if j["state"] in ("queued", "running")]
        if not open_jobs:
            break
        assert time.time() < end, ("jobs that do not end", open_jobs)
        time.sleep(0.2)
    for id, repo in forge.jobs.items():
        assert id in jobs, ("a job is lost", id)
        want = "failed" if repo == gone else "done"
        assert jobs[id]["state"] == want, (want, jobs[id])
    assert any(j["state"] == "failed" and j["code"] == "UNAVAILABLE" for j in jobs.values()), "the repository that disappeared"

    for repo in names:
        uri = f"127.0.0.1:{port}/git/acme/{repo}"
        stamp = next(r for r in tool("list_repos", {"limit": 200})["repos"] if r["repo_uri"] == uri)["freshness"]
        fresh = json.loads(subprocess.run([f"{bin}/atoll-shard", "--repo", f"file://{w}/srv/acme/{repo}.git", "--data", f"{w}/fresh", "--once", "--json"],
                                          capture_output=True, text=True, check=True).stdout)
        for member in ("commit", "graph_hash"):
            assert stamp[member] == fresh[member], (repo, member, stamp, fresh)
    print(f"{pushes} pushes, {len(forge.jobs)} jobs of them, {len(jobs)} in all")


if sys.argv[1] == "make":
    make(sys.argv[2], int(sys.argv[3]))
else:
    w, pushes, url, bin, port, secret, seed = sys.argv[2:]
    push(w, int(pushes), url, bin, int(port), secret, int(seed))
