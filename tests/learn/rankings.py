"""Reads the ranker's output for a federation, FED.out and FED.out.docs (ranked_question.c, federation.c), and FED.json of questions.py."""
import dataclasses
import json

import numpy as np

from embedding import TABLE

NAME = 64   # bytes of a term
WITHOUT_TESTS = "testdesc"      # is asked of code that is no test
DOC = np.dtype([("file", "<i4"), ("repo", "<i4"), ("test", "<i4"), ("length", "<i4"), ("text", "<u8"), ("prior", "<f4")])


class Reader:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        self.at = 0

    def take(self, dtype, *shape):
        v = np.frombuffer(self.data, dtype, int(np.prod(shape)), self.at)
        self.at += v.nbytes
        return v.reshape(shape)

    def more(self):
        return self.at < len(self.data)


class Federation:
    def __init__(self, base):
        r = Reader(base + ".out.docs")
        n, files, _ = r.take("<i4", 3)
        docs = r.take(DOC, n)
        self.file = docs["file"].astype(int)
        self.text = docs["text"]
        self.prior = docs["prior"] / 100
        self.test = docs["test"] > 0
        self.vec = r.take("<f4", n, TABLE.dim)
        self.file_vec = self.means((docs["length"] > 0) & self.vec.any(1), files)

    def means(self, counts, files):
        """What the documents of each file say on average, of those that count."""
        total = np.zeros((files, TABLE.dim), "f4")
        np.add.at(total, self.file[counts], self.vec[counts])
        n = np.bincount(self.file[counts], minlength=files)
        return total / np.maximum(n, 1)[:, None].astype("f4")


@dataclasses.dataclass
class Question:
    federation: Federation
    type: str
    text: str
    wanted: list            # files
    literal: bool           # it says how its words stand: meaning is not asked
    terms: list
    vec: np.ndarray
    doc: np.ndarray         # the documents that may be found; what follows is of each
    doc_vec: np.ndarray
    prior: np.ndarray
    named: np.ndarray       # how well it bears a name that is asked for
    by_term: np.ndarray     # what each term gives it
    file_by_term: np.ndarray    # what the term gives the best document of its file

    @property
    def file(self):
        return self.federation.file[self.doc]


def read_question(r, federation, asked):
    number, nterms, ndocs, literal, _, _ = r.take("<i4", 6)
    terms = [name.decode("utf8", "replace") for name in r.take(f"S{NAME}", nterms).tolist()]
    r.take("<f4", nterms)       # idf
    r.take("<i4", nterms)       # documents
    vec, stripped_vec = r.take("<f4", 2, TABLE.dim)
    doc = r.take("<i4", ndocs).astype(int)
    named = r.take("<f4", ndocs)
    stripped = r.take("<i4", ndocs) > 0     # its comment is taken out
    by_term = r.take("<f4", nterms, 2, ndocs)
    doc_vec = federation.vec[doc]
    doc_vec[stripped] = stripped_vec
    q = asked[number]
    hidden = federation.test[doc] if q["type"] == WITHOUT_TESTS else np.zeros(ndocs, bool)
    return Question(federation, q["type"], q["query"], q["files"], bool(literal), terms, vec, doc, doc_vec,
                    np.where(hidden, np.float32(0), federation.prior[doc]), named, by_term[:, 0], by_term[:, 1])


def questions(base, types):
    """Those of the types that have an answer, one after the other."""
    federation, r = Federation(base), Reader(base + ".out")
    with open(base + ".json", encoding="utf8") as f:
        asked = json.load(f)
    while r.more():
        q = read_question(r, federation, asked)
        if q.type in types and q.wanted:
            yield q
