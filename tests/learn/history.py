"""Questions from subjects of commits that changed one or two files which are still similar; and from test descriptions, about the tested file."""
import collections
import os
import re

from source import git, is_code, is_question, is_test, plain

COMMITS, TESTS = 200, 120       # at most so many of each
LOOKED_AT = 6000    # commits
OF_FILE = 8         # commits of one file
OF_TEST = 3         # descriptions of one file of tests
SUBJECT_NOISE = re.compile(r"\s*\(#\d+\)|#\d+|\[[^\]]*\]|https?://\S+")
SUBJECT_KIND = re.compile(r"^(feat|fix|chore|refactor|docs|perf|style|test|build|ci)(\([^)]*\))?!?:\s*", re.I)
NO_CHANGE = re.compile(r"""
    ^(merge|bump|release|version|revert|update[ ]dep|translated) | v?\d+\.\d+\.\d+
    | copyright | typo | lint | format | \bwip\b | changelog""", re.I | re.X)


# ---- commits ----

def commits(repo, commit):
    """(hash, subject, [(lines added, path)]) of each commit."""
    log = git(repo, "log", "--no-merges", "-n", str(LOOKED_AT), "--no-renames", "--format=%x01%H%x02%s", "--numstat", commit)
    for entry in log.split("\x01")[1:]:
        commit, _, rest = entry.partition("\x02")
        subject, _, numbers = rest.partition("\n")
        rows = [line.split("\t") for line in numbers.strip().split("\n") if line.count("\t") == 2]
        yield commit, subject, [(int(added) if added.isdigit() else 0, path) for added, _, path in rows]


def small_changes(repo, commit, files):
    """(hash, subject, paths) of those that did something to one or two files of code, and little else."""
    for change, subject, rows in commits(repo, commit):
        code = [(added, path) for added, path in rows if is_code(path)]
        if (1 <= len(code) <= 2 and len(rows) <= 8 and all(path in files for _, path in code)
                and sum(added for added, _ in code) >= 3):
            yield change, subject, [path for _, path in code]


def asked_by(subject):
    """None: it is no question."""
    query = SUBJECT_KIND.sub("", SUBJECT_NOISE.sub("", subject).strip()).strip()
    if not 3 <= len(query.split()) <= 20 or not query.isascii() or NO_CHANGE.search(query):
        return None
    return query


class Lines:
    """Of files, as they were indexed."""
    def __init__(self, repo, commit):
        self.repo, self.commit, self.of = repo, commit, {}

    def __getitem__(self, path):
        if path not in self.of:
            self.of[path] = {line.strip() for line in git(self.repo, "show", f"{self.commit}:{path}").split("\n")}
        return self.of[path]


def stands(repo, change, path, lines):
    """Whether at least half of what the change added is still there."""
    diff = git(repo, "show", "--format=", "--no-renames", change, "--", path).split("\n")
    added = [line[1:].strip() for line in diff if line.startswith("+") and not line.startswith("+++") and len(line.strip()) > 4]
    return bool(added) and sum(line in lines[path] for line in added) * 2 >= len(added)


def of_commits(repo, commit, files, rnd):
    changes = list(small_changes(repo, commit, files))
    rnd.shuffle(changes)
    lines, of_file, made = Lines(repo, commit), collections.Counter(), 0
    for change, subject, paths in changes:
        if made == COMMITS:
            return
        query = asked_by(subject)
        if not query:
            continue
        answers = [p for p in paths if stands(repo, change, p, lines) and of_file[p] < OF_FILE]
        if answers:
            of_file.update(answers)
            made += 1
            yield {"type": "commit", "query": query, "answers": answers}


# ---- tests ----

def as_it_is(text):
    return text


def snake(text):
    return text.replace("_", " ")


def camel(text):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", snake(text))


# How tests are described: what the file must hold, what the description stands in, how it becomes words.
DESCRIPTIONS = [
    ("", re.compile(r"""\b(?:it|test|specify)\s*[( ]\s*["']([^"'\n]{15,120})["']"""), as_it_is),
    ("", re.compile(r"def test_(\w{15,100})\("), snake),
    ("", re.compile(r"func(?:tion)? [tT]est_?(\w{15,100})\("), camel),
    ("#[test]", re.compile(r"fn (\w{18,100})\(\)"), snake),
    ("", re.compile(r"public (?:async )?(?:Task|void) (\w{18,120})\("), snake),
]
TEST_NAME = re.compile(r"^test_|[._-](test|spec|cy)$|_test$|Tests?$|_spec$")


def descriptions(source):
    found = [plain(words(text)) for needs, pattern, words in DESCRIPTIONS if needs in source for text in pattern.findall(source)]
    return [text for text in found if is_question(text)]


def stem(path):
    """Of a file's name, without its ending."""
    return os.path.basename(path).rsplit(".", 1)[0]


def letters(name):
    return re.sub("[^a-z0-9]", "", name.lower())


def of_tests(repo, commit, files, rnd):
    """What is tested is the only file of code that is called like the file of tests."""
    named = collections.defaultdict(list)
    for path in filter(is_code, files):
        named[letters(stem(path))].append(path)
    tests = sorted(filter(is_test, files))
    rnd.shuffle(tests)
    made = []
    for path in tests:
        tested = named.get(letters(TEST_NAME.sub("", stem(path))), [])
        if len(tested) != 1:
            continue
        said = descriptions(git(repo, "show", f"{commit}:{path}"))
        rnd.shuffle(said)
        made += [{"type": "testdesc", "query": re.sub("^should ", "", text), "answers": tested} for text in said[:OF_TEST]]
    rnd.shuffle(made)
    return made[:TESTS]
