"""push.py BIN DIR: from a git push to the answer that knows it, over HTTP and a webhook: a line that changes in a repository of
5,000 files, served by lighttpd and git http-backend, without a pause for further pushes.  Beside it what git alone takes to fetch it."""
import hashlib, hmac, json, os, socket, statistics, subprocess, sys, time, urllib.request

BIN, W = sys.argv[1:]
FILES, PUSHES = 5000, int(os.environ.get("BENCH_PUSHES", "40"))
SECRET = "hunter2hunter2"
ENV = {**os.environ, "GIT_AUTHOR_NAME": "b", "GIT_AUTHOR_EMAIL": "b@example.com", "GIT_COMMITTER_NAME": "b",
       "GIT_COMMITTER_EMAIL": "b@example.com",
       "GITHUB_WEBHOOK_SECRET": SECRET, "ATOLL_PUSH_DELAY_MS": "0", "HOME": W, "XDG_RUNTIME_DIR": W}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def git(*args):
    return subprocess.run(["git", "-C", f"{W}/work", *args], check=True, capture_output=True, text=True, env=ENV).stdout.strip()


def make():
    os.makedirs(f"{W}/work")
    git("init", "-q", "-b", "main")
    for i in range(FILES):
        d = f"{W}/work/pkg{i // 100}"
        os.makedirs(d, exist_ok=True)
        with open(f"{d}/mod{i}.py", "w") as f:
            f.write("".join(f"def step_{i}_{k}(order):\n    return order + {k}\n\n" for k in range(6)))
    git("add", "-A")
    git("commit", "-qm", "first")
    subprocess.run(["git", "clone", "-q", "--bare", f"{W}/work", f"{W}/srv/r.git"], check=True)
    git("remote", "add", "origin", f"{W}/srv/r.git")


def serve(port):
    with open(f"{W}/conf", "w") as f:
        f.write(f'''server.modules = ("mod_alias", "mod_setenv", "mod_cgi")
server.document-root = "{W}/srv"
server.bind = "127.0.0.1"
server.port = {port}
alias.url = ("/git" => "/usr/lib/git-core/git-http-backend")
cgi.assign = ("" => "")
setenv.set-environment = ("GIT_PROJECT_ROOT" => "{W}/srv", "GIT_HTTP_EXPORT_ALL" => "1", "PATH" => "/usr/bin:/bin")
''')
    return subprocess.Popen(["/usr/sbin/lighttpd", "-D", "-f", f"{W}/conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def post(url, body, headers={}):
    with urllib.request.urlopen(urllib.request.Request(url, body, {"Content-Type": "application/json", **headers}), timeout=60) as f:
        return json.load(f)


def push(url, clone, i):
    before = git("rev-parse", "HEAD")
    with open(f"{W}/work/pkg7/mod7{i % 90:02}.py", "a") as f:
        f.write(f"\ndef pushed_thing_{i}():\n    return {i}\n")
    git("commit", "-qam", f"push {i}")
    git("push", "-q", "origin", "main")
    body = json.dumps({"ref": "refs/heads/main", "before": before, "after": git("rev-parse", "HEAD"),
                       "repository": {"clone_url": clone, "default_branch": "main"}}).encode()
    sign = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    began = time.monotonic()
    post(f"{url}/webhooks/github", body, {"X-GitHub-Event": "push", "X-GitHub-Delivery": str(i), "X-Hub-Signature-256": sign})
    question = json.dumps({"query": f"pushed_thing_{i}", "limit": 3}).encode()
    while f"def pushed_thing_{i}(" not in json.dumps(post(f"{url}/api/v1/query", question)):
        assert time.monotonic() < began + 30, f"push {i} is not visible after 30 s"
        time.sleep(0.005)
    return (time.monotonic() - began) * 1000


def fetch_alone(clone, mirror):
    began = time.monotonic()
    subprocess.run(["git", "--git-dir", mirror, "fetch", "-q", "--no-tags", clone, "+refs/heads/*:refs/heads/*"], check=True, env=ENV)
    return (time.monotonic() - began) * 1000


def quantile(v, q):
    return sorted(v)[min(len(v) - 1, int(q * len(v)))]


make()
port, http = free_port(), free_port()
clone, url = f"http://127.0.0.1:{port}/git/r.git", f"http://127.0.0.1:{http}"
server = serve(port)
up = None
try:
    time.sleep(0.5)
    mirror = f"{W}/alone.git"
    subprocess.run(["git", "clone", "-q", "--bare", clone, mirror], check=True, env=ENV)
    up = subprocess.Popen([f"{BIN}/atoll", "up", "--data", f"{W}/data", "--http", f"127.0.0.1:{http}", clone], env=ENV,
                          stdout=open(f"{W}/up.log", "w"), stderr=subprocess.STDOUT)
    end = time.monotonic() + 120
    while "MCP address" not in open(f"{W}/up.log").read():
        assert time.monotonic() < end, open(f"{W}/up.log").read()
        time.sleep(0.1)
    times, floor = [], []
    for i in range(PUSHES):
        times.append(push(url, clone, i))
        floor.append(fetch_alone(clone, mirror))
    p50, p99 = statistics.median(times), quantile(times, 0.99)
    print(f"{p50:.0f} / {p99:.0f}, "
          f"git fetch alone {statistics.median(floor):.0f} / {quantile(floor, 0.99):.0f} ({p50 / statistics.median(floor):.1f} times)")
finally:
    for p in (up, server):
        if p:
            p.terminate()
            p.wait()
