"""compare_indexes.py DIR [DIR]: checks that the indexes below two data directories have the same content, whatever ids they use.

Prints the first difference and exits 1.  With one DIR it only checks that index.
These may differ: generation, indexed_at, ingest_ms, and the repository's identity.
It also checks each index: SQLite's integrity_check, the counts in `meta`, and that postings refer to existing documents.
"""
import glob
import os
import sqlite3
import sys

from edge_store import read_edges
from symbol_store import hash_of, make_symbols, named

MAY_DIFFER = ("generation", "indexed_at", "ingest_ms", "repo_uri", "branch")

ROWS = {
    "files": "select path, blob, language, size, lines, test, generated, package, hex(nodes), hex(hash) from files",
    "symbols": "select f.path, s.start_byte, s.qualified, s.kind, s.ordinal, s.*, p.qualified, p.ordinal from symbols s"
    " join files f on f.id = s.file left join symbols p on p.id = s.parent",
    "minors": "select f.path, hex(m.data) from minors m join files f on f.id = m.file",
    "left_out": "select l.path, l.blob, l.language, l.lines, l.test, l.generated, hex(m.data) from left_out l"
    " join minors m on m.file = l.id",
    "docs": "select f.path, d.start_line, d.end_line, s.qualified, s.kind, s.ordinal, d.hash from docs d"
    " join files f on f.id = d.file left join symbols s on s.id = d.symbol",
    "told": "select f.path, hex(x.docs) from told x join files f on f.id = x.file",
    "facts": "select f.path, hex(x.facts) from facts x join files f on f.id = x.file",
    "contracts": "select f.path, c.line, hex(c.fact) from contracts c join files f on f.id = c.file",
    "packages": "select f.path, hex(p.row) from packages p join files f on f.id = p.file",
    "locks": "select l.path, l.blob, l.language, l.lines, l.test, l.generated, hex(p.row) from left_out l"
    " join packages p on p.file = l.id",
    "packages of nobody": "select hex(row) from packages where file not in"
    " (select id from files union all select id from left_out)",
    "skipped": "select * from skipped",
    "skips": "select * from skips",
    "names": "select * from names",
    "rules": "select * from rules",
}
IDS = {"id", "file", "parent"}


def rows(db, table):
    cursor = db.execute(ROWS[table])
    keep = [i for i, d in enumerate(cursor.description) if d[0] not in IDS]
    return sorted((tuple(r[i] for i in keep) for r in cursor), key=repr)


def numbers(data):
    v = shift = 0
    for byte in data:
        v |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            yield v
            v = shift = 0


def entries(first, data):
    """Documents of a row of postings and their weights (postings.h)."""
    it = numbers(data)
    for v in it:
        first += v >> 1
        yield first, next(it) if v & 1 else 4


def documents(db):
    """Living documents by id: their place, length and prior."""
    lengths, priors, files = b"", b"", b""
    for x, y, z in db.execute("select lengths, priors, files from ranking order by id"):
        lengths, priors, files = lengths + x, priors + y, files + z
    out = {}
    for i, file, path, start, end, digest in db.execute(
            "select d.id, f.id, f.path, d.start_line, d.end_line, d.hash from docs d join files f on f.id = d.file"):
        if int.from_bytes(files[4 * i:4 * i + 4], "little") != file:
            raise SystemExit(f"document {i} is ranked as of another file")
        out[i] = (path, start, end, digest, int.from_bytes(lengths[2 * i:2 * i + 2], "little"), priors[i])
    for i in range(len(priors)):
        if i not in out and lengths[2 * i:2 * i + 2] != b"\0\0":
            raise SystemExit(f"document {i} has a length, and is not there")
    return out


def postings(db):
    docs, out = documents(db), {}
    for term, first, count, data in db.execute("select term, first, docs, data from postings"):
        living = [(docs[i], w) for i, w in entries(first, data) if i in docs and docs[i][4]]
        if len(living) != count:
            raise SystemExit(f"postings of {term}: {len(living)} documents, the row says {count}")
        if living:
            out.setdefault(term, []).extend(living)
    return sorted((t, sorted(v)) for t, v in out.items())


def edges(db):
    """Edges by the names of their ends; every end is there, and `incoming` says who has edges into a file."""
    paths = dict(db.execute("select id, path from files"))
    names = {i: rest for i, *rest in db.execute("select id, qualified, kind, ordinal from symbols")}
    names[0] = None
    out, pairs = [], set()
    for file, source, line, target_file, target, confidence, reason, kind in read_edges(db):
        if file not in paths or target_file not in paths or source not in names or target not in names:
            raise SystemExit(f"an edge of {paths.get(file)} line {line}, to what is not there")
        pairs.add((target_file, file))
        out.append((paths[file], line, kind, names[source], paths[target_file], names[target], confidence, reason))
    if pairs != set(db.execute("select target_file, file from incoming")):
        raise SystemExit("incoming does not say who has edges into a file")
    return sorted(out, key=repr)


def read(where):
    files = [os.path.join(os.path.dirname(f), open(f).read().strip()) for f in glob.glob(where + "/*/CURRENT")]
    if len(files) != 1:
        raise SystemExit(f"{where}: {len(files)} indexes")
    db = sqlite3.connect(f"file:{files[0]}?mode=ro", uri=True)
    db.text_factory = lambda b: b.decode("utf-8", "surrogateescape")
    bad = db.execute("pragma integrity_check").fetchall()
    if bad != [("ok",)]:
        raise SystemExit(f"{files[0]}: {bad[:3]}")
    make_symbols(db)
    meta = dict(db.execute("select key, value from meta"))
    for key, table in (("files", "files"), ("symbols", "symbols"), ("documents", "docs"), ("contracts", "contracts where joined <> 4")):
        n = db.execute(f"select count(*) from {table}").fetchone()[0]
        if n != int(meta[key]):
            raise SystemExit(f"{files[0]}: {n} rows of {table}, meta says {meta[key]}")
    if sorted({(hash_of(name), file) for name, file in db.execute("select name, file from symbols")}) != list(named(db)):
        raise SystemExit(f"{files[0]}: `named` is not what the definitions are named")
    out = {t: rows(db, t) for t in ROWS}
    out["edges"] = edges(db)
    out["postings"] = postings(db)
    out["meta"] = sorted((k, v) for k, v in meta.items() if k not in MAY_DIFFER)
    return out


def main():
    a, b = read(sys.argv[1]), read(sys.argv[-1])
    for table in a:
        if a[table] == b[table]:
            continue
        x, y = set(map(repr, a[table])), set(map(repr, b[table]))
        print(f"{table}: {len(a[table])} and {len(b[table])} rows; {len(x - y)} only in the first, {len(y - x)} in the second")
        for r in sorted(x - y)[:3]:
            print("  first ", r[:500])
        for r in sorted(y - x)[:3]:
            print("  second", r[:500])
        return 1
    return 0


sys.exit(main())
