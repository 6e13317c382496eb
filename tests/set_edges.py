"""set_edges.py INDEX < ROWS: replaces the edges of an index by these rows, for tests of what reads them.
A row: SOURCE KIND TARGET [CONFIDENCE [LINE]]; an end is path#qualified, or the path of a file."""
import pathlib
import re
import sqlite3
import sys

from edge_store import write_edges
from symbol_store import make_symbols

kinds = re.findall(r"^EDGE\((\w+)", (pathlib.Path(__file__).parent.parent / "proto/record/kinds.def").read_text(), re.M)
db = sqlite3.connect(sys.argv[1])
make_symbols(db)


def end(name):
    path, _, qualified = name.partition("#")
    (file,) = db.execute("select id from files where path = ?", (path,)).fetchone()
    if not qualified:
        return file, 0
    row = db.execute("select id from symbols where file = ? and qualified = ?", (file, qualified)).fetchone()
    assert row, f"no {name}"
    return file, row[0]


edges = {}
for line in sys.stdin:
    if not line.strip():
        continue
    source, kind, target, *rest = line.split()
    confidence, at = (int(rest[0]) if rest else 90), (int(rest[1]) if len(rest) > 1 else 1)
    file, symbol = end(source)
    target_file, target_symbol = end(target)
    edges.setdefault(file, []).append((symbol, kinds.index(kind), target_file, target_symbol, confidence, "test", at))
write_edges(db, edges)
db.commit()
