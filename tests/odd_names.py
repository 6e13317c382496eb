"""odd_names.py DIR: writes files whose paths and definitions have names that are hard to take apart."""
import pathlib
import sys

FILES = {
    "README.md": "# Release 1.2.3\n\ntext\n\n## v1.0 \"quoted\" `code`\n\nx\n\n## C# and F#\n\nx\n\n### foo::bar->baz()\n\ny\n\n## Example\n\na\n\n"
                 "## Example\n\nb\n\n## https://example.com/a.b?c=d#e\n\nz\n\n## Überschrift – mit Größe…\n\nq\n\n# Release 1.2.3\n\nagain\n\n## "
                 + "very long heading " * 40 + "\n\nx\n\n## .\n\n## ...\n\nx\n\n## a.b\n\n## build\n\nword\n\n## 🎉 party.time\n\n"
                 "## trailing dot.\n\nx\n\n## [link](http://x.y/z)\n\n## <b>html</b> &amp; x\n\n## \\# escaped\n\n## one / two / three\n",
    "a#b.md": "# In a#b\n\n## c#d.e\n",
    "a": "just a file\n",
    "build": "#!/bin/sh\nbuild() {\n echo hi\n}\nbuild\n",
    "x.sh": "build() {\n echo\n}\nrelease.it() {\n echo\n}\n",
    "sp ace/ü/datei mit leer.py": "class A:\n    def f(self):\n        return 1\n\n    class B:\n        def f(self):\n            return 2\n\n\ndef f():\n    pass\n",
    "over.cpp": "struct V { int operator[](int i); int operator()(int); bool operator==(const V &o); V operator->(); };\nint f(int a) { return a; }\n"
                "int f(double a) { return 1; }\nnamespace n { int f(int a) { return a; } }\nint V::operator[](int i) { return i; }\n"
                "template<class T> struct W { T get() { return T(); } };\ntemplate<> struct W<int> { int get() { return 1; } };\n",
    "s.css": ".a:hover > b { color: red }\n#id .x { color: blue }\n:root { --main-color: red; --a.b: c }\n@media (max-width: 3.5em) { .a { x: y } }\n",
    "c.yaml": "a.b: &anchor\n  c/d: 1\n  \"e f\": 2\n\"x#y\":\n  z: 3\nlist:\n  - name: q.r\n",
    "c.json": "{\"a.b\": {\"c#d\": 1, \"\": 2, \"e\\\"f\": {\"g\": 1}}}\n",
    "t.ts": "export class A { \"quoted.name\"() { return 1 } [Symbol.iterator]() { return 1 } get x() { return 1 } set x(v) {} }\n"
            "export const o = { \"a-b\": () => 1, \"c.d\"() { return 1 } };\n",
    "r.rb": "class Foo\n  def ==(o)\n  end\n  def []=(a,b)\n  end\n  def bar?\n  end\n  def self.baz!\n  end\nend\nclass Foo\n  def bar?\n  end\nend\n",
    "Makefile": "a.o: b.c\n\tcc\n%.o: %.c\n\tcc\nX.Y := 1\nbuild:\n\techo\n",
    "m.rs": "impl<T: Into<String>> From<Vec<T>> for Foo { fn from(v: Vec<T>) -> Foo { Foo } }\nstruct Foo;\nmod a { pub mod b { pub fn c() {} } }\n"
            "#[cfg(unix)] fn dup() {}\n#[cfg(windows)] fn dup() {}\n",
    "q.sql": "create table \"a.b\" (\"c d\" int);\ncreate function s.f(a int) returns int as $$ select 1 $$ language sql;\n",
    "h.hs": "(<+>) :: Int -> Int -> Int\na <+> b = a + b\nf' x = x\n",
    "k.kt": "fun `it works, a.b`() {}\nclass A { companion object { fun x() {} } }\n",
    "s.scala": "object A { def `a.b`(x: Int) = x; def +(o: Int) = o }\n",
    "p.proto": "syntax=\"proto3\";\npackage a.b.c;\nmessage M { int32 x = 1; enum E { A = 0; } }\nservice S { rpc Get(M) returns (M); }\n",
    "t.toml": "[a.b]\n\"c.d\" = 1\n[[x.\"y.z\"]]\nq = 1\n",
    "e.ex": "defmodule A.B.C do\n  def f(x), do: x\n  def f(x, y), do: y\n  defmodule D do\n    def g?, do: 1\n  end\nend\n",
    "long.py": "".join("    " * i + "class " + "LongName" * 6 + str(i) + ":\n" for i in range(30)) + "    " * 30 + "def f(self): pass\n",
}
for path, text in FILES.items():
    file = pathlib.Path(sys.argv[1]) / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
