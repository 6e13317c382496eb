"""Reads what the oracle needs of a SCIP index: protobuf by its wire format, documents one at a time."""
from collections import namedtuple

Occurrence = namedtuple("Occurrence", "line start end_line end symbol roles")
Document = namedtuple("Document", "path occurrences")
DEFINITION = 1


def varint(b, i):
    value = shift = 0
    while True:
        byte = b[i]
        i += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, i


def fields(b):
    """(number, value) of each field of a message: an int, or bytes."""
    i = 0
    while i < len(b):
        key, i = varint(b, i)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, i = varint(b, i)
        elif wire == 2:
            n, i = varint(b, i)
            value, i = b[i:i + n], i + n
        elif wire in (1, 5):
            n = 8 if wire == 1 else 4
            value, i = b[i:i + n], i + n
        else:
            raise ValueError("wire type %d" % wire)
        yield number, value


def packed(b):
    out, i = [], 0
    while i < len(b):
        value, i = varint(b, i)
        out.append(value)
    return out


def occurrence(b):
    place, symbol, roles = [], "", 0
    for number, value in fields(b):
        if number == 1:
            place = packed(value)
        elif number == 2:
            symbol = bytes(value).decode()
        elif number == 3:
            roles = value
    if len(place) == 3:
        place = place[:2] + [place[0], place[2]]
    return Occurrence(*place, symbol, roles) if len(place) == 4 else None


def document(b):
    path, occurrences = "", []
    for number, value in fields(b):
        if number == 1:
            path = bytes(value).decode()
        elif number == 2:
            o = occurrence(value)
            if o and o.symbol:
                occurrences.append(o)
    return Document(path, occurrences)


def documents(file):
    """Yields the documents of an index; a path may come more than once (one for each project that has it)."""
    with open(file, "rb") as f:
        data = memoryview(f.read())
    for number, value in fields(data):
        if number == 2:
            yield document(value)
