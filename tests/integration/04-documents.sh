#!/bin/sh
# Documents name only what exists: links, files and modules.  Each kind of mistake is planted and found.
. "$(dirname "$0")/../lib.sh"

# documents.py ROOT [FILE LINE]: prints each mistake; fails if there is one.  It reads FILE as if it ended with LINE.
cat >"$W/documents.py" <<'.'
import ast
import os
import re
import subprocess
import sys

ROOT = sys.argv[1]
PLANTED, LINE = sys.argv[2:] or (None, None)
# Documents of other people, or of repositories that tests index.
OTHERS = ("tests/fixtures/", "tests/golden/", "tests/mcp/schema/")
LINK = re.compile(r"\]\(([^)\s]+)\)")
# A path anywhere, or a file's name between backquotes.
NAME = re.compile(r"(?<![\w./:{}<>*~$@-])(`?)([\w.-]+(?:/[\w.-]+)*\.(?:c|h|def|md|sh|py|sql|tab|mjs|ctags|scm|tsv))(?![\w/{}<>*-])(`?)")
TEST = re.compile(r"`(?:unit/)?(test_[a-z0-9_]+)`")
# Names that documents use as examples, and files that a build makes.
EXAMPLES = set("""src/app.py app.py cleanup.sh x.yaml test_pool.py one.py two.py tests/page/NN-name.mjs NN-name.mjs
	integration/NN-name.sh attacks/NN-name.sh build/docs/wire.md zig/nodes.tab zig/modules.tab NNNN.sql schema/NNNN.sql
	src/parser.c tests/fixtures/make.sh""".split())
README = {"proto": "proto/README.md", "shard": "shard/README.md", "coordinator": "coordinator/README.md"}


def listed():
    git = subprocess.run(["git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "-co", "--exclude-standard"],
                         capture_output=True, text=True)
    if git.returncode == 0 and git.stdout:
        return [f for f in git.stdout.split("\n") if f and os.path.exists(os.path.join(ROOT, f))]
    return [os.path.relpath(os.path.join(d, f), ROOT) for d, _, names in os.walk(ROOT) for f in names]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read() + (f"\n{LINE}\n" if path == PLANTED else "")


def anchors(text):
    """The anchors of a document's headings, as forges make them."""
    heads = re.findall(r"^#+ +(.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in heads}


def exists(name, document, files, ends):
    """Whether a name is that of a file: from the root, from the document, or as the end of a path."""
    here = os.path.normpath(os.path.join(os.path.dirname(document), name))
    return name in files or here in files or name in ends


def check_links(document, text):
    for target in LINK.findall(text):
        if "://" in target or target.startswith("mailto:"):
            continue
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
        if not os.path.exists(os.path.join(ROOT, path)):
            yield f"{document}: the link {target} is dead"
        elif anchor and anchor not in anchors(read(path)):
            yield f"{document}: {path} has no heading for the link {target}"


def check_names(document, text, files, ends):
    for before, name, after in NAME.findall(LINK.sub("]", text)):
        if not ("/" in name or before and after) or name in EXAMPLES:
            continue
        if not exists(name, document, files, ends):
            yield f"{document}: there is no file {name}"


def check_tests(document, text, ends):
    for name in TEST.findall(text):
        if name + ".c" not in ends:
            yield f"{document}: there is no test {name}"


def check_modules(files):
    """The READMEs have a row for each module of layers.def, in its words."""
    for folder, owns in map(ast.literal_eval, re.findall(r"^MODULE(\(.*\))$", read("deploy/layers.def"), re.M)):
        program, _, rest = folder.partition("/")
        if folder == "shard":
            continue
        row = re.search(r"^\| `%s/` \| ([^|]*)\|" % re.escape(rest or "."), read(README[program]), re.M)
        if not row:
            yield f"{README[program]}: no row for the module {folder} of deploy/layers.def"
        elif not words(row.group(1)) == words(owns):
            yield f"{README[program]}: {folder} is `{words(row.group(1))}`, but `{words(owns)}` in deploy/layers.def"


def words(cell):
    """What a module owns, without links and main files."""
    cell = re.sub(r"\(`[^)]*\)\s*$", "", cell.strip())
    cell = re.sub(r":? ?\[[^]]*\]\([^)]*\),?", "", cell)
    return cell.replace("`", "").strip().rstrip(":").strip()


files = set(listed())
ends = {"/".join(f.split("/")[i:]) for f in files for i in range(f.count("/") + 1)}
mistakes = []
for document in sorted(f for f in files if f.endswith(".md") and not f.startswith(OTHERS)):
    text = read(document)
    mistakes += check_links(document, text)
    mistakes += check_names(document, text, files, ends)
    mistakes += check_tests(document, text, ends)
mistakes += check_modules(files)
print("\n".join(mistakes))
sys.exit(bool(mistakes))
.
documents() { python3 "$W/documents.py" "$ROOT" "$@" >"$W/out" 2>&1; }

documents || fail "documents name what does not exist: $(cat "$W/out")"
ok "every link, file, test and module that a document names exists"

# planted WHAT FILE LINE MESSAGE: with the line at the end of the file, this is the only mistake
planted() {
	! documents "$2" "$3" || fail "$1 is not found"
	same "$1" "$(cat "$W/out")" "$4"
	ok "$1 is found"
}
p=proto/README.md
planted "a dead link" $p '[x](wire/ABSENT.md)' "$p: the link wire/ABSENT.md is dead"
planted "a dead heading" $p '[x](wire/PROTOCOL.md#absent)' "$p: proto/wire/PROTOCOL.md has no heading for the link wire/PROTOCOL.md#absent"
planted "a file that does not exist" $p 'The table is `absent.def`.' "$p: there is no file absent.def"
planted "a path that does not exist" $p 'See proto/wire/absent.c.' "$p: there is no file proto/wire/absent.c"
planted "a test that does not exist" $p 'Tests: `unit/test_absent`.' "$p: there is no test test_absent"
planted "a module without a row" deploy/layers.def 'MODULE("proto/absent", "x")' "$p: no row for the module proto/absent of deploy/layers.def"
planted "a module in other words" deploy/layers.def 'MODULE("proto/db", "x")' "$p: proto/db is \`SQLite\`, but \`x\` in deploy/layers.def"
