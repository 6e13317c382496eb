"""pushes.py make W REPOS: creates bare repositories W/srv/acme/{r1,…,private}.git and working clones.
pushes.py push W PUSHES URL BIN PORT SECRET SEED: pushes to them and sends push events to the coordinator at URL, like GitHub and
GitLab; then checks that every index equals a fresh build and every job has ended."""
import hashlib
import hmac
import json
import os
import random
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

WHO = {"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.com"}
ENV = {**os.environ, **WHO}
PARTS = 5       # files of a repository, each of which calls the next
PATIENCE_S = 120


def git(folder, *args):
    return subprocess.run(["git", "-C", folder, *args], check=True, capture_output=True, text=True, env=ENV).stdout.strip()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def part(name, k):
    after = f"part{(k + 1) % PARTS}"
    return f'"""Part {k} of {name}."""\nfrom src import {after}\n\n\ndef step_{k}():\n    return {after}.step_{(k + 1) % PARTS}()\n'


def make(w, repos):
    for i in range(repos):
        name = "private" if i == 0 else f"r{i}"
        work = f"{w}/work/{name}"
        os.makedirs(work)
        git(work, "init", "-q", "-b", "main")
        for k in range(PARTS):
            write(f"{work}/src/part{k}.py", part(name, k))
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
        says = self.as_github if self.n % 2 else self.as_gitlab
        forge, body, headers = says({"ref": ref, "before": before, "after": after}, clone,
                                    key or self.secret, delivery or f"delivery-{self.n}")
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

    def as_github(self, push, clone, key, delivery):
        body = json.dumps({**push, "repository": {"clone_url": clone, "default_branch": "main"}}).encode()
        proof = "sha256=" + hmac.new(key.encode(), body, hashlib.sha256).hexdigest()
        return "github", body, {"X-GitHub-Event": "push", "X-GitHub-Delivery": delivery, "X-Hub-Signature-256": proof}

    def as_gitlab(self, push, clone, key, delivery):
        body = json.dumps({**push, "project": {"git_http_url": clone, "default_branch": "main"}}).encode()
        return "gitlab", body, {"X-Gitlab-Event": "Push Hook", "X-Gitlab-Event-UUID": delivery, "X-Gitlab-Token": key}


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
            forge.n += 1    # the same forge again
            again = forge.tell(repo, before, after, delivery=f"twice-{i}")
            assert (again["status"], again["job"]) == ("repeated", answer["job"]), (again, answer)


class Programs:
    """The federation by the command line, and the shard alone."""

    def __init__(self, bin):
        self.bin = bin

    def tool(self, name, **args):
        return json.loads(subprocess.run([f"{self.bin}/atoll", "call", name, json.dumps(args)], capture_output=True, text=True).stdout)

    def jobs(self):
        """All of them, by id."""
        found, more = {}, {}
        while True:
            page = self.tool("job_list", limit=200, **more)
            found |= {j["id"]: j for j in page["jobs"]}
            if not page.get("next_cursor"):
                return found
            more = {"cursor": page["next_cursor"]}

    def index(self, repo, data):
        """What a fresh build of a repository's index says of it."""
        done = subprocess.run([f"{self.bin}/atoll-shard", "--repo", f"file://{repo}", "--data", data, "--once", "--json"],
                              capture_output=True, text=True, check=True)
        return json.loads(done.stdout)


def ended_jobs(programs):
    """All jobs, once none is queued or runs."""
    end = time.time() + PATIENCE_S
    while True:
        jobs = programs.jobs()
        under_way = [j for j in jobs.values() if j["state"] in ("queued", "running")]
        if not under_way:
            return jobs
        assert time.time() < end, ("jobs that do not end", under_way)
        time.sleep(0.2)


def check_jobs(jobs, told, gone):
    for id, repo in told.items():
        assert id in jobs, ("a job is lost", id)
        want = "failed" if repo == gone else "done"
        assert jobs[id]["state"] == want, (want, jobs[id])
    assert any(j["state"] == "failed" and j["code"] == "UNAVAILABLE" for j in jobs.values()), "the repository that disappeared"


def check_index(programs, w, port, repo):
    uri = f"127.0.0.1:{port}/git/acme/{repo}"
    stamp = next(r for r in programs.tool("list_repos", limit=200)["repos"] if r["repo_uri"] == uri)["freshness"]
    fresh = programs.index(f"{w}/srv/acme/{repo}.git", f"{w}/fresh")
    for member in ("commit", "graph_hash"):
        assert stamp[member] == fresh[member], (repo, member, stamp, fresh)


def push(w, pushes, url, bin, port, secret, seed):
    forge, programs = Forge(url, port, secret), Programs(bin)
    *names, gone = sorted(d[:-4] for d in os.listdir(f"{w}/srv/acme"))
    push_all(w, forge, names, pushes, random.Random(seed))
    shutil.move(f"{w}/srv/acme/{gone}.git", f"{w}/srv/acme/{gone}.away")
    forge.tell(gone, "1" * 40, "2" * 40)
    jobs = ended_jobs(programs)
    check_jobs(jobs, forge.jobs, gone)
    for repo in names:
        check_index(programs, w, port, repo)
    print(f"{pushes} pushes, {len(forge.jobs)} jobs of them, {len(jobs)} in all")


def main():
    command, w, *rest = sys.argv[1:]
    if command == "make":
        make(w, int(rest[0]))
    else:
        pushes, url, bin, port, secret, seed = rest
        push(w, int(pushes), url, bin, int(port), secret, int(seed))


main()
