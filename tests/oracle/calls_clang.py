#!/usr/bin/env python3
"""calls_clang.py ROOT GLOBS [FLAG...]: the call sites that clang sees in the C files below ROOT, as JSON for compare.py.

Each file is parsed by libclang with the flags.  A call whose callee is written at the site has the definitions of that
function as targets, in whatever file; the use of a function-like macro has the macro's definition.  Calls that only a
macro's body makes are not sites.  Lines that the preprocessor leaves out are named, so that nobody is judged by them."""
import ctypes as c
import glob
import json
import os
import sys
from collections import defaultdict

FUNCTION, CALL, MACRO_USE = 8, 103, 502
RECURSE, CONTINUE = 2, 1
DETAILED_PREPROCESSING, KEEP_GOING = 0x1, 0x200
INTERNAL = 2


class Cursor(c.Structure):
    _fields_ = [("kind", c.c_int), ("xdata", c.c_int), ("data", c.c_void_p * 3)]


class Location(c.Structure):
    _fields_ = [("data", c.c_void_p * 2), ("n", c.c_uint)]


class Range(c.Structure):
    _fields_ = [("data", c.c_void_p * 2), ("begin", c.c_uint), ("end", c.c_uint)]


class Ranges(c.Structure):
    _fields_ = [("count", c.c_uint), ("ranges", c.POINTER(Range))]


class String(c.Structure):
    _fields_ = [("data", c.c_void_p), ("flags", c.c_uint)]


Visitor = c.CFUNCTYPE(c.c_int, Cursor, Cursor, c.c_void_p)


def library():
    found = sorted(glob.glob("/usr/lib/llvm-*/lib/libclang.so.1") + glob.glob("/usr/lib/*/libclang-[0-9]*.so.1"))
    lib = c.CDLL(found[-1])
    u, v = c.POINTER(c.c_uint), c.c_void_p
    for name, result, *arguments in (
            ("createIndex", v, c.c_int, c.c_int),
            ("parseTranslationUnit", v, v, c.c_char_p, c.POINTER(c.c_char_p), c.c_int, v, c.c_uint, c.c_uint),
            ("disposeTranslationUnit", None, v), ("getTranslationUnitCursor", Cursor, v),
            ("visitChildren", c.c_uint, Cursor, Visitor, v), ("getCursorReferenced", Cursor, Cursor),
            ("getCursorDefinition", Cursor, Cursor), ("isCursorDefinition", c.c_uint, Cursor),
            ("getCursorLocation", Location, Cursor), ("getCursorLinkage", c.c_int, Cursor),
            ("getCursorSpelling", String, Cursor), ("Cursor_isMacroFunctionLike", c.c_uint, Cursor),
            ("getFileLocation", None, Location, c.POINTER(v), u, u, u), ("getFileName", String, v),
            ("getCString", c.c_char_p, String), ("disposeString", None, String),
            ("getFile", v, v, c.c_char_p), ("getSkippedRanges", c.POINTER(Ranges), v, v),
            ("getRangeStart", Location, Range), ("getRangeEnd", Location, Range)):
        function = getattr(lib, "clang_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


L = library()


def text(string):
    value = L.clang_getCString(string)
    L.clang_disposeString(string)
    return value.decode(errors="replace") if value else ""


class Calls:
    def __init__(self, root):
        self.root = os.path.realpath(root) + "/"
        self.paths, self.lines = {}, {}
        self.sites = defaultdict(dict)		# path -> (line, byte, name) -> what it is: names and places
        self.functions = defaultdict(set)	# name -> places of definitions with external linkage
        self.skipped = {}			# path -> lines left out in every unit that has it
        self.unit = set()

    def path(self, file):
        """Its path in the repository, or None."""
        if file not in self.paths:
            full = os.path.realpath(text(L.clang_getFileName(file))) if file else ""
            self.paths[file] = full[len(self.root):] if full.startswith(self.root) else None
        return self.paths[file]

    def place(self, location):
        return self.point(location)[:3]

    def point(self, location):
        file, line, column, offset = c.c_void_p(), c.c_uint(), c.c_uint(), c.c_uint()
        L.clang_getFileLocation(location, file, line, column, offset)
        return self.path(file.value), line.value, column.value, offset.value

    def written(self, path, line, column, name):
        """Whether the name stands there, with a parenthesis behind it."""
        if path not in self.lines:
            with open(self.root + path, encoding="latin-1") as f:
                self.lines[path] = f.read().split("\n")
        here = self.lines[path][line - 1:line + 1]
        rest = "\n".join(here)[column - 1:]
        return rest.startswith(name) and rest[len(name):].lstrip().startswith("(")

    def target(self, cursor):
        """Of a callee: (name, None) for what is linked by name, (name, place) for what only this unit sees."""
        name = text(L.clang_getCursorSpelling(cursor))
        if cursor.kind != FUNCTION:
            return name, ()
        if L.clang_getCursorLinkage(cursor) != INTERNAL:
            return name, None
        path, line, _ = self.place(L.clang_getCursorLocation(L.clang_getCursorDefinition(cursor)))
        return name, (path, line, name) if path else ()

    def call(self, cursor):
        path, line, column, byte = self.point(L.clang_getCursorLocation(cursor))
        if not path:
            return
        name, target = self.target(L.clang_getCursorReferenced(cursor))
        if name and (target == () or self.written(path, line, column, name)):
            self.sites[path].setdefault((line, byte, name), set()).add((name, target))

    def macro(self, cursor):
        definition = L.clang_getCursorReferenced(cursor)
        path, line, column, byte = self.point(L.clang_getCursorLocation(cursor))
        name = text(L.clang_getCursorSpelling(cursor))
        if not path or not L.clang_Cursor_isMacroFunctionLike(definition) or not self.written(path, line, column, name):
            return
        at, where, _ = self.place(L.clang_getCursorLocation(definition))
        self.sites[path].setdefault((line, byte, name), set()).add((name, (at, where, name) if at else ()))

    def function(self, cursor):
        if L.clang_isCursorDefinition(cursor) and L.clang_getCursorLinkage(cursor) != INTERNAL:
            path, line, _ = self.place(L.clang_getCursorLocation(cursor))
            if path:
                name = text(L.clang_getCursorSpelling(cursor))
                self.functions[name].add((path, line, name))

    def visit(self, cursor, parent, _):
        if parent.kind == 350 or parent.kind == 300:	# the unit: of what it includes only the repository's own
            path = self.place(L.clang_getCursorLocation(cursor))[0]
            if not path:
                return CONTINUE
            self.unit.add(path)
        if cursor.kind == CALL:
            self.call(cursor)
        elif cursor.kind == MACRO_USE:
            self.macro(cursor)
        elif cursor.kind == FUNCTION:
            self.function(cursor)
        return RECURSE

    def skip(self, unit, path):
        lines = set()
        ranges = L.clang_getSkippedRanges(unit, L.clang_getFile(unit, (self.root + path).encode()))
        for i in range(ranges.contents.count if ranges else 0):
            r = ranges.contents.ranges[i]
            lines |= set(range(self.place(L.clang_getRangeStart(r))[1], self.place(L.clang_getRangeEnd(r))[1] + 1))
        self.skipped[path] = self.skipped[path] & lines if path in self.skipped else lines

    def parse(self, index, path, flags):
        arguments = (c.c_char_p * len(flags))(*[f.encode() for f in flags])
        unit = L.clang_parseTranslationUnit(index, (self.root + path).encode(), arguments, len(flags), None, 0,
                                            DETAILED_PREPROCESSING | KEEP_GOING)
        if not unit:
            print("not parsed: " + path, file=sys.stderr)
            return
        self.paths, self.unit = {}, {path}
        L.clang_visitChildren(L.clang_getTranslationUnitCursor(unit), self.visitor, None)
        for seen in self.unit:
            self.skip(unit, seen)
        L.clang_disposeTranslationUnit(unit)

    def result(self):
        files = {}
        for path in self.skipped:
            sites = []
            for (line, byte, name), what in sorted(self.sites[path].items()):
                targets = set()
                for callee, place in what:
                    targets |= self.functions.get(callee, set()) if place is None else {place} if place else set()
                sites.append([line, byte, name, "", False, sorted(targets)])
            files[path] = {"skipped": sorted(self.skipped[path]), "sites": sites}
        return files


def main():
    root, globs, *flags = sys.argv[1:]
    calls = Calls(root)
    calls.visitor = Visitor(calls.visit)
    os.chdir(root)
    index = L.clang_createIndex(0, 0)
    for path in sorted({p for g in globs.split() for p in glob.glob(g, recursive=True)}):
        calls.parse(index, path, flags)
    json.dump({"oracle": "clang", "files": calls.result()}, sys.stdout)


main()
