#!/usr/bin/env python3
"""eval_calls.py EVAL REPOS BIN LABELS...: how many calls of the labelled repositories are understood, and why the others are not.

Indexes them with EVAL/run.py and asks repo_status of each: calls by what is known of them (standard library only).
"""
import argparse
import collections
import json
import os
import shutil
import sys

EVAL, REPOS, BIN, *LABELS = sys.argv[1:]
sys.path.insert(0, EVAL)
import run


def rows():
    for path in LABELS:
        with open(path) as f:
            yield from (json.loads(line) for line in f if line.strip())


args = argparse.Namespace(repos=REPOS, bin=os.path.abspath(BIN), work=None, keep=False, truth=LABELS)
work, uris, atoll = run.setup(args, list(rows()))
try:
    reasons = collections.Counter()
    for uri in uris:
        for c in atoll.call("repo_status", {"repo_uri": uri}).get("calls", []):
            reasons[c["reason"]] += c["calls"]
finally:
    atoll.stop()
    shutil.rmtree(work, ignore_errors=True)
total, resolved = sum(reasons.values()), reasons.pop("resolved", 0)
share = 100 * resolved / total if total else 0.0
print(f"calls resolved: {resolved} of {total} ({share:.1f} %); not: " +
      (", ".join(f"{reason} {n}" for reason, n in reasons.most_common()) or "none"))
