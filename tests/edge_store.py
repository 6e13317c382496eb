"""edge_store: reads and writes the edges of an index in the format of shard/storage/edge_store.h, for tests."""

import zlib


def put(out, v):
    while v > 127:
        out.append(v & 127 | 128)
        v >>= 7
    out.append(v)


def put_difference(out, v):
    put(out, v << 1 if v >= 0 else (-v << 1) - 1)


class Numbers:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self):
        v = shift = 0
        while True:
            b = self.data[self.at]
            self.at += 1
            v |= (b & 127) << shift
            shift += 7
            if b < 128:
                return v

    def difference(self):
        v = self.take()
        return v >> 1 if not v & 1 else -((v + 1) >> 1)

    def text(self):
        n = self.take()
        self.at += n
        return self.data[self.at - n:self.at].decode()


def read_edges(db):
    """(file, source, line, target_file, target, confidence, reason, kind) of every edge."""
    for file, data in db.execute("select file, data from edges order by file"):
        data = zlib.decompress(data[5:]) if data[0] else data[1:]
        n = Numbers(data)
        sorts = [(n.take(), n.take(), n.text()) for _ in range(n.take())]
        source = target = line = 0
        target_file = file
        while n.at < len(data):
            source += n.take()
            kind, confidence, reason = sorts[n.take()]
            target_file += n.difference()
            target += n.difference()
            line += n.difference()
            yield (file, source and file << 24 | source, line, target_file, target and target_file << 24 | target, confidence, reason,
                   kind)


def number(symbol):
    return symbol & (1 << 24) - 1


def write_edges(db, edges):
    """Make these all edges of the index: {file: [(source, kind, target_file, target, confidence, reason, line)]}."""
    db.execute("delete from edges")
    db.execute("delete from incoming")
    for file, rows in edges.items():
        rows.sort(key=lambda r: (*r[:4], r[6]))
        sorts = sorted({(r[1], r[4], r[5]) for r in rows})
        data = bytearray()
        put(data, len(sorts))
        for kind, confidence, reason in sorts:
            put(data, kind)
            put(data, confidence)
            put(data, len(reason.encode()))
            data += reason.encode()
        before = (0, 0, file, 0, 0, "", 0)
        for r in rows:
            put(data, number(r[0]) - number(before[0]))
            put(data, sorts.index((r[1], r[4], r[5])))
            put_difference(data, r[2] - before[2])
            put_difference(data, number(r[3]) - number(before[3]))
            put_difference(data, r[6] - before[6])
            before = r
        db.execute("insert into edges values (?, ?)", (file, b"\0" + bytes(data)))
        db.executemany("insert into incoming values (?, ?)", {(r[2], file) for r in rows})
