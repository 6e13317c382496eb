"""Shared by the generators of questions: a repository, the kinds of its files, and candidates for questions."""
import json
import os
import re
import subprocess

WORK, REPOS = os.environ["WORK"], os.environ["REPOS"]
ENDINGS = "py js jsx ts tsx go rs rb php c h cc cpp cs java kt ex exs vue svelte".split()
CODE = re.compile(rf"\.({'|'.join(ENDINGS)})$")
TEST = re.compile(r"""
    (^|/) (tests?|spec|specs|__tests__|e2e|cypress|testing|testdata|fixtures?|mocks?) (/|$)
    | [._-](test|spec|cy|mock)\. | _test\. | (^|/)test_ | Tests?\.(php|cs)$ | (^|/)conftest""", re.I | re.X)
NO_QUESTION = re.compile(r"copyright|licen[sc]e|eslint|todo|noqa|generated|deprecated", re.I)
MARKUP = [(re.compile(pattern), text) for pattern, text in (
    (r"`{1,2}([^`]*)`{1,2}", r"\1"),        # `code`
    (r":\w+:", ""),                         # :class:
    (r"<[^>]*>", ""),                       # <p>
    (r"\{@?\w*\s*([^}]*)\}", r"\1"),        # {@link it}
    (r"\s+", " "),
)]


def git(repo, *args):
    done = subprocess.run(["git", "-C", f"{REPOS}/{repo}/repo", *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode(errors="replace")


def read_lines(path):
    """A file of JSON lines."""
    with open(path, encoding="utf8", errors="replace") as f:
        return [json.loads(line) for line in f]


def documents(repo):
    """What the ranker wrote down of the index: dump.c."""
    return read_lines(f"{WORK}/d/{repo}.docs")


def head(repo):
    """The commit that was indexed."""
    with open(f"{WORK}/d/{repo}.commit", encoding="utf8") as f:
        return f.read().strip()


def is_code(path):
    """Code that is no test."""
    return bool(CODE.search(path) and not TEST.search(path))


def is_test(path):
    return bool(CODE.search(path) and TEST.search(path))


def plain(text):
    for pattern, instead in MARKUP:
        text = pattern.sub(instead, text)
    return text.strip()


def is_question(text):
    """Whether people might ask so: a few words of English, most of them letters."""
    letters = sum(c.isalpha() for c in text)
    return (4 <= len(text.split()) <= 24 and text.isascii() and letters > .7 * len(text.replace(" ", ""))
            and not NO_QUESTION.search(text))
