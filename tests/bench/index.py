#!/usr/bin/env python3
"""index.py BIN TESTBIN TREES [NAME...]: index each folder of TREES (trees.sh makes them) from nothing, beside the floor of the
same files (bench_index: parse alone and FTS5 alone, as many threads) and `ctags -R`; then one changed line and no change, and the
share of contracts (bench_extraction).  Every repetition runs the three one after the other; the figures are medians, times of the
clock and, which other work on the machine disturbs less, of the processor.  BENCH_REPEAT (3), BENCH_THREADS (2)."""
import glob
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

REPEAT = int(os.environ.get("BENCH_REPEAT", "3"))
THREADS = os.environ.get("BENCH_THREADS", "2")


def git(tree, *args):
    subprocess.run(["git", "-C", tree, "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0",
                    "-c", "core.hooksPath=/dev/null", *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def repository(tree):
    if not os.path.isdir(os.path.join(tree, ".git")):
        git(tree, "init", "-q")
        git(tree, "add", "-Af")
        git(tree, "commit", "-qm", "tree")
        git(tree, "repack", "-adq")


def peak(command):
    """Run in a child of its own, so that the peak is of this command alone: seconds, megabytes, seconds of the processor."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        start = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        seconds = time.monotonic() - start
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.stderr.buffer.write(done.stderr[-2000:])
        os.write(write, f"{done.returncode} {seconds} {usage.ru_maxrss / 1024} {usage.ru_utime + usage.ru_stime}".encode())
        os._exit(0)
    os.close(write)
    os.waitpid(pid, 0)
    code, seconds, used, cpu = os.read(read, 200).split()
    os.close(read)
    if int(code):
        sys.exit(f"{command[0]} failed")
    return float(seconds), float(used), float(cpu)


def changed_line(tree, shard, data):
    """Seconds of `atoll-shard --once` after a commit that changes one line of one file, and after none."""
    files = subprocess.run(["git", "-C", tree, "ls-files", "-z"], check=True, stdout=subprocess.PIPE).stdout.split(b"\0")
    sources = [f for f in files if f.rsplit(b".", 1)[-1] in (b"c", b"go", b"java", b"py", b"ts")]
    path = os.path.join(os.fsencode(tree), sources[len(sources) // 2])
    change, none = [], []
    for i in range(5):
        with open(path, "ab") as f:
            f.write(b"\n")
        git(tree, "commit", "-qam", "change")
        change.append(peak([*shard, "--repo", tree, "--data", data, "--once"])[0])
        none.append(peak([*shard, "--repo", tree, "--data", data, "--once"])[0])
    git(tree, "reset", "-q", "--hard", "HEAD~5")
    return statistics.median(change), statistics.median(none)


def extraction(tree, test_dir, data):
    """The share of contracts in the processor time of an index with one parser, in percent: all, and its parts."""
    out = subprocess.run([os.path.join(test_dir, "bench_extraction"), "--repo", tree, "--data", data], check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode().split()
    whole = int(out[0])
    parts = ", ".join(f"{name} {int(ms) * 100 / whole:.0f}" for name, ms in zip(out[2::2], out[3::2]))
    return f"{int(out[1]) * 100 / whole:.0f} % ({parts})"


def measure(name, tree, bin_dir, test_dir, work):
    shard = [os.path.join(bin_dir, "atoll-shard"), "--ingest-threads", THREADS]
    mine, memory, floor, ctags, work_ratio = [], [], [], [], []
    for i in range(REPEAT):
        data = os.path.join(work, f"{name}{i}")
        seconds, used, cpu = peak([*shard, "--repo", tree, "--data", data, "--once"])
        mine.append(seconds)
        memory.append(used)
        index, = glob.glob(os.path.join(data, "*", "index-*.db"))
        out = subprocess.run([os.path.join(test_dir, "bench_index"), index, tree, THREADS], check=True,
                             stdout=subprocess.PIPE).stdout.split()
        floor.append(int(out[2]) / 1e6)
        work_ratio.append(cpu * 1e6 / (int(out[3]) + int(out[4])))
        ctags.append(peak(["ctags", "-R", "-f", os.path.join(work, "tags"), tree])[0])
        size = os.path.getsize(index)
        if i + 1 < REPEAT:
            shutil.rmtree(data)
    files, source = int(out[0]), int(out[1])
    seconds = statistics.median(mine)
    ratios = statistics.median(a / b for a, b in zip(mine, floor)), statistics.median(a / b for a, b in zip(mine, ctags))
    change, none = changed_line(tree, shard, data)
    print(f"index {name:<11} {files:6} files {source / 1e6:6.1f} MB: {source / 1e6 / seconds:5.1f} MB/s; {ratios[0]:.2f} x the floor "
          f"(processor {statistics.median(work_ratio):.2f} x), {ratios[1]:.2f} x ctags -R; "
          f"on disk {size / source:.2f} x the source; peak {max(memory):.0f} MB; "
          f"one line changed {change * 1e3:.0f} ms, nothing changed {none * 1e3:.0f} ms (with process start); "
          f"contracts {extraction(tree, test_dir, os.path.join(work, name + 'x'))} of the processor time", flush=True)
    shutil.rmtree(data)


def main():
    bin_dir, test_dir, trees = sys.argv[1:4]
    names = sys.argv[4:] or sorted(n for n in os.listdir(trees) if n != "linux" or os.environ.get("LINUX"))
    with tempfile.TemporaryDirectory(prefix="atoll-bench-") as work:
        for name in names:
            tree = os.path.join(trees, name)
            repository(tree)
            measure(name, tree, bin_dir, test_dir, work)


main()
