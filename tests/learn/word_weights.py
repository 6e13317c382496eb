"""word_weights.py FED...: learns the rows of proto/text/word_weights.def from the ranker's output for the federations WORK/fed/FED (learn.sh).

Each word of a question has two weights, both 1 at first: one for the score of its term, one for its share in the question's vector.
A document's score is computed as coordinator/search/rank_fusion.c did when the weights were learned, from the hundred best by words
and by vectors: it divided each list by the best score of the question (today by a typical score).  The training minimizes

    loss = -log(sum of softmax(STEEPNESS * score) over the documents of wanted files)

by Adagrad, with BATCH questions a step and an analytic gradient (`gradient`).  Weights are factors, so steps go along their
logarithms, which are regularized towards 0.
"""
import collections
import dataclasses
import os
import random
import re
import sys
import time

import numpy as np

from embedding import parts
from rankings import questions
from terms import root

TYPES = ("untold", "commit", "second", "testdesc")
SELDOM = 20         # words that were asked less often have no weight
BEST = 100          # texts of each list that count
NAMED, NEAR, SHARE, AROUND = .5 / 3, .6, .15, .15       # what the lists count beside words (fuse.c)
NEAREST = np.array([1, .5, .25, 0], "f4")       # what the nearest documents of a file count for each other
TINY = 1e-6

STEEPNESS, EPOCHS, BATCH = 12, 3, 64
RATE, SLOWER = .06, .75     # of the first epoch; of each further one by the one before
DRAWN = .03                 # to 1
LEAST, MOST = .15, 3        # weight
TOLD = 4                    # percent: a weight nearer to 1 is no row


# ---- what is learned from ----

@dataclasses.dataclass
class Sample:
    """A question: what its words give its documents while every weight is 1."""
    terms: list             # a root for each
    words: list             # of the question's vector
    lexical: np.ndarray     # terms x documents
    cosine: np.ndarray      # documents x words: of the document with what the word adds; the sum by the vector's length is the cosine
    around: np.ndarray      # the same of what its file says on average
    products: np.ndarray    # words x words, of what they add
    prior: np.ndarray       # of each document
    named: np.ndarray
    file: np.ndarray        # numbered from 0
    wanted: np.ndarray
    term_at: list = None    # which weight each has
    word_at: list = None


def best_texts(score, text):
    """The documents with the best scores, of BEST different texts."""
    order = np.argsort(-score, kind="stable")
    order = order[score[order] > 0]
    _, first = np.unique(text[order], return_index=True)
    return order if len(first) <= BEST else order[:np.sort(first)[BEST]]


def listed(q):
    """The documents that are in any list of the question."""
    near = np.clip(q.doc_vec @ q.vec, 0, 1) * q.prior
    words = q.by_term.sum(0)
    lexical = np.where(words > 0, words + .5 * q.file_by_term.sum(0), 0)
    text = q.federation.text[q.doc]
    is_listed = q.named > 0
    is_listed[best_texts(lexical, text)] = True
    if not q.literal:
        is_listed[best_texts(near, text)] = True
    return np.nonzero(is_listed)[0]


def sample(q):
    """None: there is nothing to learn."""
    words, added = parts(q.text)
    if not q.terms or not words:
        return None
    docs = listed(q)
    wanted = np.isin(q.file[docs], q.wanted)
    if not wanted.any() or wanted.all():
        return None
    has_words = q.by_term.sum(0) > 0
    _, file = np.unique(q.file[docs], return_inverse=True)
    return Sample(
        terms=[root(t) for t in q.terms], words=words,
        lexical=((q.by_term + .5 * q.file_by_term) * has_words)[:, docs],
        cosine=q.doc_vec[docs] @ added.T,
        around=q.federation.file_vec[q.file[docs]] @ added.T,
        products=added @ added.T,
        prior=q.prior[docs], named=q.named[docs], file=file, wanted=wanted)


# ---- the gradient ----

def nearest_of_files(near, file):
    """What each document counts in the sum of its file: more the nearer it is among them."""
    order = np.lexsort((-near, file))
    begin = np.searchsorted(file[order], file[order])
    place = np.arange(len(file)) - begin
    counts = np.empty(len(file), "f4")
    counts[order] = NEAREST[np.minimum(place, len(NEAREST) - 1)]
    return counts


def sum_of_files(v, file):
    return np.bincount(file, v)[file]


def best(score):
    return max(score.max(), TINY)


def divided(gradient, score):
    """By the scores of a list, when by the list divided by its own best it is `gradient`: the best divides all others too."""
    by_score = gradient / best(score)
    by_score[score.argmax()] -= (gradient @ score) / best(score) ** 2
    return by_score


def softmax(score, wanted):
    """The loss, and what of each score makes it less, by STEEPNESS."""
    x = np.exp(STEEPNESS * (score - score.max()))
    right = x * wanted
    share = right.sum() / x.sum()
    return -np.log(max(share, 1e-9)), right / max(right.sum(), 1e-12) - x / x.sum()


def gradient(s, w, a):
    """The loss with weights `w` of terms and `a` of words, and what of each makes it less."""
    length = np.sqrt(max(a @ s.products @ a, 1e-12))
    cosine, cosine_around = s.cosine @ a / length, s.around @ a / length
    lexical = w @ s.lexical
    near, around = np.clip(cosine, 0, 1) * s.prior, np.clip(cosine_around, 0, 1) * s.prior
    counts = nearest_of_files(near, s.file)
    meaning = NEAR * near + SHARE * sum_of_files(counts * near, s.file)
    loss, up = softmax(lexical / best(lexical) + NAMED * s.named + meaning / best(near) + AROUND * around / best(around), s.wanted)

    by_lexical = divided(up, lexical)
    by_near = divided(NEAR * up + SHARE * counts * sum_of_files(up, s.file), near)
    by_cosine = by_near * s.prior * (cosine > 0)
    by_around = divided(AROUND * up, around) * s.prior * (cosine_around > 0)
    straight = s.cosine.T @ by_cosine + s.around.T @ by_around
    longer = (by_cosine @ cosine + by_around @ cosine_around) * (s.products @ a) / length   # by the vector's length, which divides
    return loss, s.lexical @ by_lexical, (straight - longer) / length


# ---- learning ----

class Weights:
    """Of all that was asked often; the last is what all others have, and stays 1."""
    def __init__(self, asked):
        counts = collections.Counter(key for keys in asked for key in set(keys))
        self.at = {key: i for i, key in enumerate(sorted(k for k, n in counts.items() if n >= SELDOM))}
        self.v = np.ones(len(self.at) + 1, "f4")
        self.squares = np.full(len(self.v), 1e-3, "f4")
        self.begin()

    def places(self, keys):
        return [self.at.get(key, -1) for key in keys]

    def begin(self):
        self.step = np.zeros(len(self.v), "f4")

    def add(self, places, gradient):
        np.add.at(self.step, places, gradient)

    def move(self, rate, batch):
        """Adagrad; what was not asked stands still."""
        self.step[-1] = 0
        z = self.step != 0
        self.step[z] -= DRAWN * np.log(self.v[z]) * batch
        self.squares[z] += self.step[z] ** 2
        self.v[z] *= np.exp(rate * self.step[z] / np.sqrt(self.squares[z]))
        np.clip(self.v, LEAST, MOST, out=self.v)
        self.begin()

    def percent(self, key):
        return round(100 * float(self.v[self.at.get(key, -1)]))


def learn(samples):
    """The weights of terms, and of words."""
    terms, words = Weights(s.terms for s in samples), Weights(s.words for s in samples)
    for s in samples:
        s.term_at, s.word_at = terms.places(s.terms), words.places(s.words)
    order, rate = random.Random(1), RATE
    for epoch in range(EPOCHS):
        order.shuffle(samples)
        total = 0
        for i in range(0, len(samples), BATCH):
            batch = samples[i:i + BATCH]
            for s in batch:
                loss, by_term, by_word = gradient(s, terms.v[s.term_at], words.v[s.word_at])
                terms.add(s.term_at, by_term)
                words.add(s.word_at, by_word)
                total += loss
            terms.move(rate, len(batch) / BATCH)
            words.move(rate, len(batch) / BATCH)
        rate *= SLOWER
        print(f"epoch {epoch}: loss {total / len(samples):.4f}, {time.process_time():.1f} s", file=sys.stderr, flush=True)
    return terms, words


def main():
    bases = [os.path.join(os.environ["WORK"], "fed", name) for name in sys.argv[1:]]
    samples = [s for base in bases for s in map(sample, questions(base, TYPES)) if s]
    terms, words = learn(samples)
    for key in sorted({*terms.at, *words.at}):
        x, y = terms.percent(key), words.percent(key)
        if re.fullmatch("[a-z]{2,}", key) and root(key) == key and max(abs(x - 100), abs(y - 100)) >= TOLD:
            print(f"WORD_WEIGHT({key}, {x}, {y})")


if __name__ == "__main__":
    main()
