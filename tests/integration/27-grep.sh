#!/bin/bash
# Exact search: the same lines as a search in the files themselves, whatever the ranked index thinks of them, after each push.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

for n in one two; do
	git init -q -b main "$W/$n"
	git -C "$W/$n" remote add origin "https://git.example.com/exact/$n.git"
done
cp -r "$ROOT/shard/search" "$ROOT/deploy" "$W/one/"
cp -r "$ROOT/coordinator/web" "$W/two/"
cat >"$W/make.py" <<'PY'
import os, sys
one, two = sys.argv[1] + "/one/", sys.argv[1] + "/two/"
def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "wb").write(data)
put(one + "odd/crlf.txt", b"needle at the start\r\nand needle at the end\r\n")
put(one + "odd/mark.txt", b"\xef\xbb\xbfneedle behind a mark\n")
put(one + "odd/latin.txt", b"na\xefve needle caf\xe9\n")
put(one + "odd/unicode.txt", "Größe Straße ΣΊΣΥΦΟΣ naïve 日本語 needle K\u212a\n".encode())
put(one + "odd/no-end.txt", b"the last line has a needle")
put(one + "odd/empty.txt", b"")
put(one + "odd/binary.dat", b"needle\0needle\n")
put(one + "odd/large.txt", b"needle in a large file\n" * 60000)
put(one + "odd/no-type.quux", b"needle of no language\n")
put(one + "odd/long.js", b"x" * 5000 + b"needle" + b"y" * 5000 + b"\n")
put(one + "node_modules/a/index.js", b"needle of a dependency\n")
put(one + "vendor/a.min.js", b"var needle=1;\n")
put(one + "package-lock.json", b'{"needle": "1.0.0"}\n')
put(one + ".hidden/needle.sh", b"echo needle\n")
put(one + ".atollignore", b"ignored/\n")
put(one + "ignored/needle.go", b"package needle\n")
os.symlink("odd/crlf.txt", one + "link.txt")
put(two + "only.txt", b"qzkjwx_only here\n")
put(two + "a b/été.py", b"def needle():\n    return [\n        'needle',\n    ]\n")
PY
python3 "$W/make.py" "$W"
commit "$W/one" first
commit "$W/two" first

cat >"$W/check.py" <<'PY'
"""Compares what grep answers with a search in the files of the working trees."""
import json, os, re, subprocess, sys, urllib.error, urllib.request
url, w, few = os.environ["ATOLL_URL"], sys.argv[1], sys.argv[2:] == ["few"]

def ask(**args):
    r = urllib.request.Request(f"{url}/api/v1/grep", json.dumps({"group": "g", **args}).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(r, timeout=60) as f:
        return json.load(f)

def texts():
    for repo in ("one", "two"):
        out = subprocess.run(["git", "-C", f"{w}/{repo}", "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout
        for path in sorted(p for p in out.split(b"\0") if p):
            name = os.path.join(f"{w}/{repo}".encode(), path)
            if os.path.islink(name):
                continue
            data = open(name, "rb").read()
            if b"\0" in data or len(data) > 1 << 20:
                continue
            if data.startswith(b"\xef\xbb\xbf"):
                data = data[3:]
            yield repo, path.decode(), data
files = list(texts())

def truth(pattern, wanted=lambda p: True):
    for repo, path, data in files:
        if not wanted(path):
            continue
        lines = data.split(b"\n")
        if lines[-1] == b"":
            lines.pop()
        for i, line in enumerate(lines):
            m = pattern.search(line)
            if m:
                yield repo, path, i + 1, m.start() + 1, m.end() - m.start()

def all_rows(**args):
    rows, cursor, pages = [], None, 0
    while True:
        a = ask(**args, **({"cursor": cursor} if cursor else {}))
        assert a["complete"], a["coverage"]
        rows += a.get("matches", [])
        cursor, pages = a.get("next_cursor"), pages + 1
        if not cursor:
            return a, rows, pages

def place(m):
    return m["repo_uri"].split("/")[-1], m["path"], m["line"], m["column"], m["length"]

def compare(pattern, oracle=None, flags=0, wanted=lambda p: True, **args):
    want = list(truth(re.compile((oracle or pattern).encode(), flags), wanted))
    a, rows, _ = all_rows(pattern=pattern, limit=1000, **args)
    got = [place(m) for m in rows]
    assert got == want, (pattern, args, [x for x in want if x not in got][:3], [x for x in got if x not in want][:3])
    assert a["total"] == len(want) and a["files_total"] == len({x[:2] for x in want}), (pattern, a["total"], len(want))
    check_counts(a, want)
    return rows

def check_counts(a, want):
    """Whatever the page, they are of all matches."""
    counted = {x["repo_uri"].split("/")[-1]: (x["lines"], x["files"]) for x in a.get("by_repo", [])}
    of = {r: [x for x in want if x[0] == r] for r in {x[0] for x in want}}
    assert counted == {r: (len(v), len({x[1] for x in v})) for r, v in of.items()} and a.get("repos_total", 0) == len(of), (counted, of.keys())
    languages = a.get("by_language", [])
    assert sum(x["lines"] for x in languages) == a["total"] and sum(x["files"] for x in languages) == a["files_total"], languages
    for rows in a.get("by_repo", []), languages:
        assert rows == sorted(rows, key=lambda x: -x["lines"]), rows

W = rb"[0-9A-Za-z_]"
compare("needle")
compare("nosuchword_anywhere_zq")
compare(r"needle$", r"needle(?=$)")
compare(r"^\s*#include <\w+\.h>", r"^[ \t\r\f\v]*#include <[0-9A-Za-z_]+\.h>")
if not few:
    compare("NEEDLE", flags=re.I, ignore_case=True)
    compare("struct", r"(?<![0-9A-Za-z_])struct(?![0-9A-Za-z_])", word=True, wanted=lambda p: p.endswith(".c") and "search" in p, glob=["**/search/*.c"])
    compare("a.b(", r"a\.b\(", fixed_strings=True)
    compare("const", wanted=lambda p: p.endswith((".c", ".h")), glob="*.{c,h}")
    compare("const", wanted=lambda p: not p.endswith(".ts") and "search" not in p.split("/")[:-1], glob=["!*.ts", "!search"])
    compare("x")
    compare(r"[a-z]+_[a-z]+\(struct \w+ \*", r"[a-z]+_[a-z]+\(struct [0-9A-Za-z_]+ \*")
    compare("(foo|needle|quux)+_?(id|name|$|b)?")
    compare("", oracle="", wanted=lambda p: p == "odd/crlf.txt", glob="crlf.txt")
    compare("needle", wanted=lambda p: p.startswith("odd/"), path_prefix="odd/")

# ---- pages, files, counts ----
whole = all_rows(pattern="return", limit=1000)[1]
a, paged, pages = all_rows(pattern="return", limit=7)
assert paged == whole and pages == -(-len(whole) // 7), (pages, len(whole))
found = ask(pattern="needle", output_mode="files", limit=1000)
assert "matches" not in found and found["files_total"] == len(found["files"])
assert sum(f["matches"] for f in found["files"]) == found["total"]
count = ask(pattern="needle", output_mode="count")
assert "matches" not in count and "next_cursor" not in count and count["total"] == found["total"]
left_out = {x["reason"]: x["files"] for x in count["coverage"]["left_out"]}
assert left_out["binary"] >= 1 and left_out.get("symlink") == (None if few else 1) and left_out["too large"] == 1, left_out

languages = {x.get("language"): (x["lines"], x["files"]) for x in ask(pattern="needle", glob=["été.py", "no-type.quux"], limit=1)["by_language"]}
assert languages == {"python": (2, 1), None: (1, 1)}, languages

# ---- what a row has ----
latin = ask(pattern="needle", glob="latin.txt")["matches"][0]
assert latin["column"] == 7 and [(s["column"], s["length"]) for s in latin["replaced"]] == [(3, 1), (17, 1)], latin
row = ask(pattern="return \\[$", context=2, glob="été.py")["matches"][0]
assert (row["before"], row["text"], row["after"]) == (["def needle():"], "    return [", ["        'needle',", "    ]"]), row
assert row["symbol"] == "needle" and row["offset"] == 14
over = ask(pattern="return \\[\n +'needle'", multiline=True, glob="été.py")["matches"]
assert [(m["line"], m["column"], m["length"]) for m in over] == [(2, 5, 8), (3, 1, 16)], over
long = ask(pattern="needle", glob="long.js")["matches"][0]
assert long["column"] == 5001 and len(long["text"]) <= 2000 and long["text"][5001 - long["text_column"]:].startswith("needle")
several = ask(pattern="needle", glob="binary.dat")
assert several["total"] == 0 and several["complete"]
spans = ask(pattern="e", glob="no-end.txt")["matches"][0]
assert [s["column"] for s in spans["more"]] == [13, 22, 23, 26], spans

# ---- queries: an oracle for and, or, not over files, and the lines of what is true ----
def word(text, flags=None):
    """Without flags: case matters if there is a capital letter."""
    return ("text", re.compile(text.encode(), re.I * (text == text.lower()) if flags is None else flags))

def file(path):
    return ("path", re.compile(path))

def repo(name):
    return ("repo", re.compile(name))

def lang(*ends):
    return ("lang", ends)

def both(*parts):
    return ("all", parts)

def one(*parts):
    return ("one", parts)

def no(part):
    return ("not", part)

def is_true(node, repo, path, data):
    kind, x = node[0], node[1]
    if kind == "all":
        return all(is_true(p, repo, path, data) for p in x)
    if kind == "one":
        return any(is_true(p, repo, path, data) for p in x)
    if kind == "not":
        return not is_true(x, repo, path, data)
    if kind == "text":
        return any(x.search(line) for line in data)
    if kind == "lang":
        return path.endswith(x)
    names = (path,) if kind == "path" else ("exact/" + repo, "git.example.com/exact/" + repo)
    return any(x.search(n) for n in names)

def lines_of(node, repo, path, data):
    kind, x = node[0], node[1]
    if kind == "not" or not is_true(node, repo, path, data):
        return set()
    if kind == "text":
        return {i + 1 for i, line in enumerate(data) if x.search(line)}
    return {i for p in x for i in lines_of(p, repo, path, data)} if kind in ("all", "one") else set()

split = []
for name, path, data in files:
    lines = data.split(b"\n")
    split.append((name, path, lines[:-1] if lines[-1] == b"" else lines))

def query(text, node, asked=lambda path: True, **args):
    true = [f for f in split if asked(f[1]) and is_true(node, *f)]
    want = [(*f[:2], i) for f in true for i in sorted(lines_of(node, *f))]
    a, rows, _ = all_rows(query=text, limit=1000, **args)
    got = [place(m)[:3] for m in rows]
    assert got == want, (text, [x for x in want if x not in got][:3], [x for x in got if x not in want][:3])
    assert a["total"] == len(want) and a["files_total"] == len(true), (text, a["total"], a["files_total"], len(want), len(true))
    named = ask(query=text, output_mode="files", limit=1000, **args)
    assert [(f["repo_uri"].split("/")[-1], f["path"]) for f in named["files"]] == [f[:2] for f in true], text
    assert true, text
    return rows

C = (".c", ".h")
free, malloc = word("free"), word("alloc")
query("needle", word("needle"))
query("free alloc", both(free, malloc))
query("free or alloc -struct", one(free, both(malloc, no(word("struct")))))
if not few:
    query("Needle or NEEDLE", one(word("Needle"), word("NEEDLE"))) if any(b"NEEDLE" in f[2] for f in files) else None
    query("case:no NEEDLE -Package", both(word("needle", re.I), no(word("package", re.I))))
    query("case:yes needle", word("needle", 0))
    query("const (free or alloc) -(sort or return)", both(word("const"), one(word("free"), word("alloc")), no(one(word("sort"), word("return")))))
    query('not (free or "struct arena") static', both(no(one(free, word("struct arena"))), word("static")))
    query(r"/^static \w+ \*?[a-z]+_[a-z]+\(/ file:\.c$ lang:c", both(word(r"^static [0-9A-Za-z_]+ \*?[a-z]+_[a-z]+\(", re.I), file(r"\.c$")))
    query("file:^search/ static or file:^odd/ needle", one(both(file("^search/"), word("static")), both(file("^odd/"), word("needle"))))
    query('needle repo:two', both(word("needle"), repo("two")))
    query("(needle repo:^exact/two$) or (include repo:^git.example.com/exact/one$)", one(both(word("needle"), repo("^exact/two$")), both(word("include"), repo("^git.example.com/exact/one$"))))
    query("(alloc file:nosuch) or free", one(both(malloc, file("nosuch")), free))
    query('(needle repo:"exact/two") or (include repo:/one$/ lang:C)', one(both(word("needle"), repo("two")), both(word("include"), repo("one"), lang(*C))))
    query("needle -repo:one", both(word("needle"), no(repo("one"))))
    query("const or (needle -lang:javascript)", one(word("const"), both(word("needle"), no(lang(".js", ".mjs")))))
    query("path:\"odd/no-\" or path:CRLF case:no", one(file("odd/no-"), file("crlf")))
    query("-needle file:^odd/ lang:javascript or file:empty", one(both(no(word("needle")), file("^odd/"), lang(".js")), file("empty")))
    query("free alloc", both(free, malloc), lambda path: path.endswith(".c"), glob="*.c")
    query("struct", word(r"(?<![0-9A-Za-z_])struct(?![0-9A-Za-z_])", re.I), lambda path: path.startswith("search/"), word=True, path_prefix="search/")

# the matches of several texts in a line, in order
row = ask(query='"the last" /l[a-z]+/ needle file:no-end', limit=5)["matches"]
assert [(m["column"], m["length"]) for m in row] == [(1, 8)] and [(s["column"], s["length"]) for s in row[0]["more"]] == [(10, 4), (21, 6)], row

# definitions
found = ask(query="sym:^put_ lang:c" if few else r"sym:/^[a-z]+_(free|new)$/ -sym:nosuch", limit=1000)
assert found["total"] and found["complete"]
for m in found["matches"]:
    assert re.search(r"\bput_|_(free|new)\b", m["text"]) and m["text"][m["column"] - 1:][:m["length"]] in m["text"], m
    assert m["symbol"] and m["symbol"].endswith(m["text"][m["column"] - 1:][:m["length"]]), m
defined = {(f, m) for _, f, d in split if f.endswith(".c") for line in d for m in re.findall(rb"^(?:static )?[a-z_ ]+[ *]([a-z_]*excerpt[a-z_]*)\(", line)}
got = ask(query=r"sym:excerpt lang:c file:\.c$ /\w/", limit=1000)
assert defined and {d[0] for d in defined} <= {m["path"] for m in got["matches"]}, (defined, got["total"])
py = ask(query="sym:need file:été")["matches"]
assert [(m["line"], m["column"], m["length"], m["symbol"]) for m in py] == [(1, 5, 6, "needle")], py
assert ask(query="sym:need -def file:été", output_mode="count")["total"] == 0
both_rows = ask(query="sym:needle return file:été")["matches"]
assert [m["line"] for m in both_rows] == [1, 2], both_rows

over = ask(query='"return [\n        \'needle\'" file:été', multiline=True)["matches"]
assert [(m["line"], m["column"], m["length"]) for m in over] == [(2, 5, 8), (3, 1, 16)], over

# what is asked of whom: a repository that repo: excludes is not
asked = ask(query="needle repo:two")["coverage"]
assert asked["members"] == asked["answered"] == 1, asked
files_only = ask(query="lang:c file:^search/", limit=3)
assert len(files_only["files"]) == 3 and files_only["next_cursor"] and "matches" not in files_only and files_only["total"] == 0, files_only

# ---- Unicode ----
for pattern, ignore, n in () if few else ((r"\bnaïve\b", False, 1), ("größe", True, 1), ("σίσυφος", True, 1), ("日本", False, 1), (r"K\x{212a}|kk", True, 1), ("stra.e", False, 0), ("Stra.e", False, 1)):
    got = ask(pattern=pattern, ignore_case=ignore, glob="unicode.txt")["total"]
    assert got == n, (pattern, got)

# ---- errors ----
for args, words in (({"pattern": "a(b"}, ("pattern", "2")), ({"pattern": r"(a)\1"}, ("pattern", "4")), ({"pattern": "(?=a)"}, ("pattern",)), ({"pattern": "a", "glob": "*.{c"}, ("glob",)),
                    ({"pattern": "a\\n"}, ("multiline",)), ({"pattern": "a", "languages": ["nosuch"]}, ("nosuch",)), ({"pattern": "return", "cursor": "bm9uc2Vuc2U"}, ("cursor",)),
                    ({}, ("pattern", "query")), ({"pattern": "a", "query": "b"}, ("query", "one of the two")), ({"query": "a", "ignore_case": True}, ("ignore_case", "case:no")), ({"query": "a", "fixed_strings": True}, ("fixed_strings",)),
                    ({"query": "a (b"}, ("query", "column 3")), ({"query": "é /a(/"}, ("query", "column 5")), ({"query": "x file:*"}, ("query", "column 8")), ({"query": 'x "a\nb"'}, ("query", "column 4", "multiline")), ({"query": "x lang:nosuch"}, ("query", "column 8", "nosuch")), ({"query": "x repo:nosuch"}, ("query", "repo:"))):
    try:
        raise AssertionError((args, ask(**args)))
    except urllib.error.HTTPError as e:
        e = json.load(e)["error"]
        assert e["code"] == "INVALID_INPUT" and all(x in e["message"] for x in words), (args, e)
print("all as in the files")
PY

up --group g "$W/one" "$W/two"
ready g 2
check() { python3 "$W/check.py" "$W" "$@" >"$W/said" 2>&1 || fail "$(cat "$W/said")"; }
check
ok "the lines are those of the files, with pages, counts, context, globs and errors"

# ---- pushes ----
current() { [ "$(call group_status '{"group":"g"}' | jq -r '.repos[] | select(.repo_uri | endswith("/one")) | .commit')" = "$(git -C "$W/one" rev-parse HEAD)" ]; }
push() {
	commit "$W/one" "$1"
	wait_for 30 current
	check few
}
sed -i '1s/^/needle in a changed line; /' "$W/one/search/excerpt.c"
git -C "$W/one" mv odd/crlf.txt odd/moved.txt
rm "$W/one/odd/mark.txt" "$W/one/link.txt"
printf 'needle\0' >"$W/one/odd/unicode.txt"
push "one line, a move, a text that is none any more"
ok "what changed is found in the next index"
mkdir "$W/one/many"
for i in $(seq 600); do echo "needle number $i" >"$W/one/many/$i.txt"; done
push "enough files for lists of their own"
for i in $(seq 400); do rm "$W/one/many/$i.txt"; done
echo 'needle again' >"$W/one/many/500.txt"
push "most of them are gone"
ok "so is what many pushes leave"

# ---- the command line, as ripgrep ----
code() { local rc=0; "$@" >"$W/printed" 2>"$W/errors" || rc=$?; echo "$rc"; }
grep_() { atoll grep --group g "$@"; }
same "a match" "$(code grep_ 'def needle')" 0
same "its line" "$(cat "$W/printed")" "exact/two/a b/été.py:1:def needle():"
same "no match" "$(code grep_ nosuchword_anywhere_zq)" 1
same "a bad pattern" "$(code grep_ 'a(')" 2
same "it is named" "$(grep -c pattern "$W/errors")" 1
same "smart case" "$(code grep_ NEEDLE)" 1
same "files" "$(grep_ -l 'def needle')" "exact/two/a b/été.py"
same "count" "$(grep_ -c needle -g 'été.py')" 2
same "lines around" "$(grep_ -C1 -F 'return [' -g 'été.py')" "$(printf '%s\n' 'exact/two/a b/été.py-1-def needle():' 'exact/two/a b/été.py:2:    return [' "exact/two/a b/été.py-3-        'needle',")"
grep_ --json -w needle -g 'été.py' >"$W/json"
same "messages" "$(jq -r .type "$W/json" | xargs)" "begin match match end summary"
same "a submatch" "$(jq -c 'select(.type == "match") | .data | [.line_number, .absolute_offset, .submatches[0].start, .submatches[0].match.text]' "$W/json" | head -1)" '[1,0,4,"needle"]'
grep_ --json needle -g latin.txt >"$W/json"
same "a submatch behind bytes that are not UTF-8" "$(jq -c 'select(.type == "match") | .data.submatches[0] | [.match.text, .start, .end]' "$W/json")" '["needle",8,14]'
same "paths to open" "$(grep_ --open 'def needle')" "$W/two/a b/été.py:1:def needle():"
same "a limit" "$(grep_ --limit 3 needle | wc -l)" 3
ok "the command prints what ripgrep prints"
same "a query" "$(grep_ -Q 'def needle file:été')" "$(printf '%s\n' 'exact/two/a b/été.py:1:def needle():' "exact/two/a b/été.py:3:        'needle',")"
same "a query for files" "$(grep_ --query 'lang:python file:été')" "exact/two/a b/été.py"
same "their number" "$(grep_ -c -Q 'lang:python file:été')" 1
same "none of a query" "$(code grep_ -Q 'nosuchword_anywhere_zq lang:c')" 1
same "a bad query" "$(code grep_ -Q 'needle or')" 2
same "its column" "$(grep -c 'query: column 8' "$W/errors")" 1
same "two at once" "$(code grep_ -Q needle needle)" 2
same "neither" "$(code grep_)" 2
same "case stands in the query" "$(code grep_ -i -Q needle)" 2
same "the help" "$(atoll help query | head -1)" "$(head -1 "$ROOT/coordinator/cli/data/query.txt")"
ok "queries are asked on the command line"

# ---- members that cannot match are not asked ----
skipped() { [ "$(call grep '{"group":"g","pattern":"nosuchword_anywhere_zq"}' | jq .coverage.skipped)" = 2 ]; }
wait_for 30 skipped
same "one of two" "$(call grep '{"group":"g","pattern":"qzkjwx_only"}' | jq -c '[.coverage.skipped, .coverage.members, .complete, .total > 0]')" '[1,2,true,true]'
same "a query, too" "$(call grep '{"group":"g","query":"nosuchword_anywhere_zq or qzkjwx_only"}' | jq -c '[.coverage.skipped, .total]')" '[1,1]'
printf 'nosuchword_anywhere_zq\n' >"$W/one/new.txt"
commit "$W/one" "it is somewhere now"
wait_for 30 current
same "found as soon as it is indexed" "$(call grep '{"group":"g","pattern":"nosuchword_anywhere_zq"}' | jq -c '[.total, .complete]')" '[1,true]'
ok "a member whose texts lack the trigrams is not asked, and is after a push"

# ---- a cursor lasts as long as the rows stay what they are ----
first=$(call grep '{"group":"g","pattern":"needle number 4[0-9][0-9]$","limit":2}')
next=$(jq -c '{group: "g", pattern: "needle number 4[0-9][0-9]$", limit: 2, cursor: .next_cursor}' <<<"$first")
printf 'an aside\n' >"$W/two/aside.txt"
commit "$W/two" "a repository without such rows"
two_is_current() { [ "$(call group_status '{"group":"g"}' | jq -r '.repos[] | select(.repo_uri | endswith("/two")) | .commit')" = "$(git -C "$W/two" rev-parse HEAD)" ]; }
wait_for 30 two_is_current
same "the next page" "$(call grep "$next" | jq -c '[.matches[].path]')" "$(call grep '{"group":"g","pattern":"needle number 4[0-9][0-9]$","limit":4}' | jq -c '[.matches[2:][].path]')"
printf 'an aside\n' >"$W/one/aside.txt"
commit "$W/one" "the repository of the rows"
wait_for 30 current
same "a cursor of rows that may be others now" "$(atoll call grep "$next" | jq -r .error.code)" INVALID_INPUT
ok "a cursor is refused only if a repository with rows has a new index"

# ---- many clients at once, while the index changes ----
cat >"$W/clients.py" <<'PY'
import collections, concurrent.futures, json, os, subprocess, sys, urllib.request
url, w = os.environ["ATOLL_URL"], sys.argv[1]
def count(_=None):
    r = urllib.request.Request(f"{url}/api/v1/grep", json.dumps({"group": "g", "pattern": "pomegranate", "output_mode": "count"}).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(r, timeout=60) as f:
        a = json.load(f)
    assert a["complete"], a["coverage"]
    return a["total"]
def push(n):
    open(f"{w}/one/fruit.txt", "w").write("a pomegranate\n" * n)
    subprocess.run(["git", "-C", f"{w}/one", "add", "-A"], check=True)
    subprocess.run(["git", "-C", f"{w}/one", "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", f"{n}"], check=True)
seen = collections.Counter()
with concurrent.futures.ThreadPoolExecutor(100) as pool:
    for n in (1, 2000, 3):
        push(n)
        seen.update(pool.map(count, range(100)))
        while (last := count()) != n:
            seen[last] += 1
assert set(seen) <= {0, 1, 2000, 3}, seen
PY
python3 "$W/clients.py" "$W" || fail "many clients at once"
ok "each answer is of one commit, whatever happens meanwhile"
