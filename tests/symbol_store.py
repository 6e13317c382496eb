"""symbol_store: reads the definitions of an index, in the format of shard/storage/symbol_store.h, into a table `symbols`, for tests."""
import pathlib
import re

from edge_store import Numbers

KINDS = re.findall(r"^KIND\((\w+)", (pathlib.Path(__file__).resolve().parent.parent / "proto/record/kinds.def").read_text(), re.M)


def string(n):
    end = n.data.index(0, n.at)
    text, n.at = n.data[n.at:end], end + 1
    return text.decode("utf-8", "surrogateescape")


def definitions(file, data):
    n, rows = Numbers(data), []
    start_byte = start_line = 0
    for place in range(n.take()):
        size = n.take()
        start_byte += n.difference()
        start_line += n.difference()
        end, name, head = n.at + size, string(n), n.take()
        more = n.take() if head & 4 else 0
        qualified = string(n) if more & 1 else None
        ordinal = n.take() if more & 2 else 0
        number = n.take() if more & 4 else place + 1
        signature, up = string(n) or None, n.take()
        if signature and not more & 8:
            signature = signature.replace("\1", name, 1)
        parent = rows[place - up] if up else None
        end_byte, end_line = start_byte + n.difference(), start_line + n.difference()
        assert n.at == end, f"definition {name} of file {file}"
        rows.append((file << 24 | number, file, name, qualified or (parent[3] + "." + name if parent else name),
                     KINDS[head >> 3], signature,
                     start_line, end_line, start_byte, end_byte, parent[0] if parent else None, head & 1, head >> 1 & 1, ordinal, place))
    assert n.at == len(data), f"definitions of file {file}"
    return rows


def make_symbols(db):
    db.execute("create temp table symbols (id integer primary key, file, name, qualified, kind, signature, start_line, end_line,"
               " start_byte, end_byte, parent, exported, test, ordinal, place)")
    for file, data in db.execute("select file, data from definitions").fetchall():
        db.executemany("insert into symbols values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", definitions(file, data))


def key(name):
    """symbol_key of proto/text/symbol_match.h, as bytes."""
    raw = name.encode("utf-8", "surrogateescape")
    return bytes(b + 32 if 65 <= b <= 90 else b for b in raw if b >= 128 or chr(b).isalnum()) or raw


def hash_of(name):
    h = 2166136261
    for b in key(name):
        h = (h ^ b) * 16777619 & 0xffffffff
    return h ^ h >> 15


def named(db):
    """(hash, file) of every name that can be looked up."""
    for bucket, data in db.execute("select bucket, data from named order by bucket"):
        n, at, file = Numbers(data), bucket << 20, 0
        while n.at < len(data):
            step = n.take()
            at, file = at + step, n.take() + (0 if step else file)
            yield at, file
