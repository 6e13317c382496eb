#!/usr/bin/env python3
"""pause_process.py PID: sends SIGSTOP and waits until every thread is stopped, as a thread could still answer before.  SIGCONT resumes it."""
import glob, os, signal, sys, time


def is_stopped(task):
    try:
        return open(task + "/stat").read().rpartition(")")[2].split()[0] in "TtXZ"
    except (FileNotFoundError, ProcessLookupError):
        return True     # it has ended


def pause(pid):
    os.kill(pid, signal.SIGSTOP)
    while not all(map(is_stopped, glob.glob(f"/proc/{pid}/task/*"))):
        time.sleep(0.002)


if __name__ == "__main__":
    pause(int(sys.argv[1]))
