"""The built-in model: what each word of a text adds to its vector, as in proto/embed/model/SPEC.md."""
import collections
import functools
import re
import struct

import numpy as np

from terms import root, singular

RUN = re.compile(r"[A-Za-z0-9]+")
LONGEST = 32                # letters of a subtoken
HEAD, HEAD_WEIGHT = 16, 4.0     # the first subtokens count more
GRAMS = (3, 4, 5)


# ---- the table ----

class Table:
    def __init__(self, path):
        with open(path, "rb") as f:
            data = f.read()
        self.dim, self.vocabulary, self.buckets = struct.unpack_from("<III", data, 16)
        scales_at, rows_at, offsets_at, strings_at = struct.unpack_from("<IIII", data, 48)
        n = self.vocabulary + self.buckets
        scales = np.frombuffer(data, "<f4", n, scales_at)
        rows = np.frombuffer(data, "i1", n * self.dim, rows_at).reshape(n, self.dim)
        self.rows = (rows * scales[:, None]).astype("f4")
        ends = np.frombuffer(data, "<u4", self.vocabulary + 1, offsets_at) + strings_at
        self.row_of = {data[ends[i]:ends[i + 1]].decode("latin1"): i for i in range(self.vocabulary)}

    @functools.cache
    def shares(self, subtoken):
        """The rows of a subtoken, each with its share: its own, or those of its pieces."""
        if subtoken in self.row_of:
            return ((self.row_of[subtoken], 1.0),)
        word = f"<{subtoken}>"
        grams = [word[i:i + n] for n in GRAMS for i in range(len(word) - n + 1)]
        counts = collections.Counter()
        for gram in grams:
            counts[self.vocabulary + fnv1a(gram) % self.buckets] += 1 / len(grams)
        return tuple(counts.items())


def fnv1a(text):
    h = 2166136261
    for byte in text.encode("latin1"):
        h = ((h ^ byte) * 16777619) & 0xffffffff
    return h


TABLE = Table("proto/embed/model/code-embed.bin")


# ---- a text ----

def begins_subtoken(run, i):
    """Whether a run of letters and digits is cut before run[i]."""
    before, here, after = run[i - 1], run[i], run[i + 1:i + 2]
    if before.isdigit() or here.isdigit():
        return before.isdigit() != here.isdigit()
    if here.islower():
        return False
    if before.islower():
        return True
    plural = after == "s" and not run[i + 2:i + 3].islower()    # URLs stays whole
    return after.islower() and not plural


@functools.cache
def subtokens_of_run(run):
    cuts = [0, *(i for i in range(1, len(run)) if begins_subtoken(run, i)), len(run)]
    parts = (run[i:j] for i, j in zip(cuts, cuts[1:]))
    return [p[:LONGEST].lower() for p in parts if len(p) > 1]


def subtokens(text):
    return [s for run in RUN.findall(text) for s in subtokens_of_run(run)]


@functools.cache
def word_of(subtoken):
    return root(singular(subtoken))


def parts(text):
    """The words of a text, and what each adds to its vector; their sum, made a unit long, is the vector."""
    counts = collections.Counter()
    for i, subtoken in enumerate(subtokens(text)):
        weight = HEAD_WEIGHT if i < HEAD else 1.0
        for row, share in TABLE.shares(subtoken):
            counts[word_of(subtoken), row] += weight * share
    by_word = collections.defaultdict(list)
    for (word, row), count in counts.items():
        by_word[word].append((count ** .5 if count > 1 else count) * TABLE.rows[row])
    if not by_word:
        return [], np.zeros((0, TABLE.dim), "f4")
    return list(by_word), np.stack([sum(rows) for rows in by_word.values()]).astype("f4")
