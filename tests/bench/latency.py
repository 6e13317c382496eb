"""latency.py SHARD RPC DIR [FILES] [COMMITS]: from a commit to the answer that knows it, and a sync that has nothing to do.

Makes a repository of FILES (5000) in DIR, serves it, changes one line COMMITS (20) times.  A query is asked every 2 ms; the
time is that from the moment the branch moved (its file's time) to the first answer from the new commit.
"""
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time

shard, rpc, where = sys.argv[1:4]
files, commits = (int(x) for x in (sys.argv[4:6] + ["5000", "20"][len(sys.argv[4:6]):]))
repo, url = where + "/repo", f"ipc://{where}/latency.ipc"
GIT = ["git", "-C", repo, "-c", "user.name=b", "-c", "user.email=b@example.com", "-c", "gc.auto=0"]


def make():
    random.seed(1)
    for i in range(files):
        folder = f"{repo}/pkg{i % 70}/sub{i % 7}"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/m{i}.py", "w") as f:
            f.write(f"from pkg{(i + 1) % 70}.sub{(i + 1) % 7}.m{i + 1} import run_{i + 1}\n\n")
            for k in range(8):
                f.write(f"def run_{i}{'' if k == 0 else f'_{k}'}(order, limit={k}):\n    \"\"\"Handle the order {i} of kind {k}.\"\"\"\n"
                        f"    return run_{i + 1}(order * {k} + limit) + {random.randrange(999)}\n\n\n")
    subprocess.run(["git", "init", "-q", "-b", "main", repo], check=True)
    commit("all")


def commit(message):
    subprocess.run(GIT + ["add", "-A"], check=True)
    subprocess.run(GIT + ["commit", "-q", "-m", message], check=True)


def head():
    return subprocess.run(GIT + ["rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()


make()
server = subprocess.Popen([shard, "--repo", repo, "--data", where + "/data", "--listen", url], stderr=subprocess.DEVNULL)
while subprocess.run([shard, "--probe", url], capture_output=True).returncode:
    time.sleep(0.2)
os.mkfifo(where + "/questions")
asker = subprocess.Popen([rpc, "--stamp", "--loop", where + "/questions", url, "symbol"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True)
questions, first = open(where + "/questions", "w"), {}


def listen():
    for line in asker.stdout:
        first.setdefault(json.loads(line).get("stamp", {}).get("commit"), time.time())


threading.Thread(target=listen, daemon=True).start()
times = []
for i in range(commits):
    path = f"{repo}/pkg3/sub3/m3.py"
    with open(path) as f:
        lines = [x for x in f.read().split("\n") if not x.startswith("def probe_")]
    with open(path, "w") as f:
        f.write("\n".join(lines + [f"def probe_{i}(): return {i}"]))
    commit(f"line {i}")
    commit_id, moved, end = head(), os.stat(repo + "/.git/refs/heads/main").st_mtime, time.time() + 20
    while commit_id not in first and time.time() < end:
        questions.write(json.dumps({"symbol": f"probe_{i}", "limit": 3}) + "\n")
        questions.flush()
        time.sleep(0.002)
    times.append(1000 * (first.get(commit_id, float("inf")) - moved))
    time.sleep(0.2)
questions.close()
sync = subprocess.run([rpc, "--loop", "/dev/stdin", url, "sync"], input="{}\n" * 20, capture_output=True, text=True).stderr
no_op = [int(x) / 1000 for x in sync.split()]
server.terminate()
print(f"median {statistics.median(times):.0f}, largest {max(times):.0f} ({files} files, {commits} commits)")
print(f"median {statistics.median(no_op):.2f}, largest {max(no_op):.2f}")
