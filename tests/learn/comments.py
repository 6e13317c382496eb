"""Questions from doc comments: their first sentence, with or without the comment in the index; their second, with the rest of it removed."""
import collections
import re

from source import is_code, is_question, plain
from terms import terms

UNTOLD, VERBATIM, SECOND = 400, 30, 200     # at most so many of each
OF_FILE = 8         # comments of one file
EQUAL = 2           # files whose comments begin with the same sentence
DOC_WEIGHT, BODY_WEIGHT = 5, 4      # of an occurrence, in half units (shard/index/postings.h)
LONGEST_DOC = 4096  # bytes of a comment that are embedded (shard/vectors/vector_text.c)
MARKS = [re.compile(pattern) for pattern in (
    r"^\s*(/\*\*?|\*/|\*|///?|//!|#|--)\s?",
    r"\*/\s*$",
    r"^(\"\"\"|''')|(\"\"\"|''')$",
)]
NO_PROSE = re.compile(r"^(@|:param|:return|:raise|:type|\.\. |Args:|Returns:|Parameters|Raises|>>>|```|---|===|\\)")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"])|(?<=\.)\s*$")


def sentences(comment):
    """Of its prose, up to the first line that is something else."""
    lines = []
    for line in comment.split("\n"):
        for mark in MARKS:
            line = mark.sub("", line).strip()
        if NO_PROSE.match(line):
            break
        lines.append(line)
    return [s.strip() for s in SENTENCE_END.split(plain(" ".join(lines))) if s.strip()]


def without_name(sentence, name):
    """Comments of Go begin with it: `Serve is what …`."""
    return re.sub(rf"^{re.escape(name)}\s+(is |are )?", "", sentence) if name else sentence


def commented(docs):
    """Each document of code with prose in its comment: document, first sentence, further ones."""
    for d in docs:
        if d["test"] or d["gen"] or d["gap"] or not d["doc"] or not is_code(d["path"]) or d["kind"] == "section":
            continue
        said = sentences(d["doc"])
        if said:
            yield d, without_name(said[0], d["name"]), said[1:]


def askable(docs, rnd):
    """Those that can be asked for, in any order, and the files whose comments begin so."""
    candidates = list(commented(docs))
    files = collections.defaultdict(set)
    for d, first, _ in candidates:
        files[first.lower()].add(d["path"])
    rnd.shuffle(candidates)
    of_file = collections.Counter()
    for d, first, further in candidates:
        answers = sorted(files[first.lower()])
        names_itself = d["name"] and d["name"].lower() in first.lower().split()
        if not is_question(first) or len(answers) > EQUAL or names_itself or of_file[d["path"]] >= OF_FILE:
            continue
        of_file[d["path"]] += 1
        yield d, first, further, answers


def questions(docs, rnd):
    left = {"untold": UNTOLD, "verbatim": VERBATIM, "second": SECOND}

    def ask(kind, query, answers, d, **more):
        if left[kind]:
            left[kind] -= 1
            yield {"type": kind, "query": query, "answers": answers, **more, "target": d["text"]}

    for d, first, further, answers in askable(docs, rnd):
        yield from ask("untold", first, answers, d)
        yield from ask("verbatim", first, answers, d)
        second = next(filter(is_question, further), None)
        if second:
            yield from ask("second", second, [d["path"]], d, first=d["doc"])


# ---- taking a comment out ----

def taken_out(d, kind):
    """What the index lacks when a question is asked: the weights of terms, and what is embedded of the document then."""
    kept = sentences(d["doc"])[0] if kind == "second" else ""
    body = d["v"][len(d["doc"]):] if d["v"].startswith(d["doc"][:LONGEST_DOC]) else d["v"]
    lines = [line.strip() for line in d["doc"].split("\n") if len(line.strip()) > 3]
    in_body = bool(lines) and lines[0] in body      # as Python's comments are
    counts = collections.Counter(terms(d["doc"]))
    counts.subtract(collections.Counter(terms(kept)))
    weight = DOC_WEIGHT + BODY_WEIGHT * in_body
    if in_body:
        for line in lines:
            body = body.replace(line, "", 1)
    return {term: n * weight for term, n in counts.items() if n > 0}, (f"{kept}\n" + body if kept else body).lstrip("\n")
