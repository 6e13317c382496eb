#ifndef TESTS_GENERATED_SOURCES_H
#define TESTS_GENERATED_SOURCES_H
/* Random source files that use few names, so that they refer to each other in every way. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/random_number.h"

struct generated_language {
	const char *name, *extension;
	/* formats with the arguments (letter, digit, letter, digit): %c is a type's letter */
	const char *head, *imports[4], *type, *derived, *field, *method, *end, *function;
};

static const struct generated_language generated_languages[] = {
	{ "python", "py", "", { "from .m%2$d import %1$c, f%4$d\n", "import d%2$d.m%4$d as w\n", "from d%2$d.m%4$d import *\n",
	    "from d%2$d import m%4$d, %1$c\n" }, "class %1$c:\n    kind = %4$d\n", "class %1$c(%3$c):\n",
	    "    def __init__(self, p: %1$c, q=None):\n        self.x = p\n        self.y = %3$c(p)\n",
	    "    def g%2$d(self, p: %3$c):\n        self.x.g%4$d()\n        self.g%4$d()\n        return p.g%2$d()\n", "    z = 1\n",
	    "def f%2$d(p):\n    v = %1$c(p)\n    v.g%4$d()\n    p.g%2$d()\n    f%4$d(v.y)\n    w.f%2$d()\n    return v\n" },
	{ "typescript", "ts", "", { "import { %1$c, f%4$d } from './m%2$d';\n", "import * as w from '../d%2$d/m%4$d';\n",
	    "export * from './m%2$d';\n", "import %1$c from '../d%2$d/m%4$d';\n" },
	    "export class %1$c {\n", "export class %1$c extends %3$c {\n", "  x: %3$c;\n  constructor(p: %1$c) { this.x = p; }\n",
	    "  g%2$d(p: %3$c) { this.x.g%4$d(); this.g%4$d(); return p.g%2$d(); }\n", "}\n",
	    "export function f%2$d(p: %3$c): %1$c {\n  const v = new %1$c(p);\n  v.g%4$d();\n  f%4$d(v.x);\n  w.f%2$d();\n  return v;\n}\n" },
	{ "go", "go", "package d\n", { "import w \"example.com/r/d%2$d\"\n", "import \"example.com/r/d%2$d\"\n", "\n", "\n" },
	    "type %1$c struct {\n\tX *%3$c\n", "type %1$c struct {\n\t%3$c\n", "\tY d%2$d.%3$c\n", "\tZ%2$d int\n", "}\n",
	    "func (s *%1$c) G%2$d(p *%3$c) *%3$c {\n\ts.X.G%4$d(p)\n\tF%4$d(p)\n\tw.F%2$d(p)\n\treturn s.G%4$d(p)\n}\n"
	    "func F%2$d(p *%1$c) *%3$c {\n\tv := &%3$c{}\n\treturn v.G%4$d(p)\n}\ntype I%4$d interface {\n\tG%2$d(p *%3$c) *%3$c\n}\n" },
	{ "java", "java", "package d0;\n", { "import d1.%1$c;\n", "import d0.%3$c;\n", "import d1.*;\n", "\n" }, "public class %1$c {\n",
	    "public class %1$c extends %3$c {\n", "  private %3$c x;\n  public %1$c(%3$c p) { this.x = p; }\n",
	    "  public %3$c g%2$d(%1$c p) { x.g%4$d(p); g%4$d(p); return p.g%2$d(p); }\n", "}\n",
	    "class H%2$d { static %1$c f%4$d(%3$c p) { return new %1$c(p); } }\n" },
	{ "c", "c", "", { "#include \"m%2$d.h\"\n", "#include \"../d%2$d/m%4$d.c\"\n", "\n", "\n" }, "struct %1$c {\n",
	    "struct %1$c {\n\tstruct %3$c *base;\n", "\tint x%2$d;\n", "\tstruct %3$c *y%2$d;\n", "};\n",
	    "%5$sint f%2$d(struct %1$c *p)\n{\n\treturn f%4$d(p->base) + p->x%2$d;\n}\n" },
	{ "rust", "rs", "", { "use crate::d%2$d::m%4$d::%1$c;\n", "use super::m%2$d::*;\n",
	    "mod m%2$d;\nuse crate::%3$c;\npub use crate::d%2$d::m%4$d::%1$c;\n",
	    "use crate::d%2$d::m%4$d as w;\n" }, "pub struct %1$c {\n", "pub struct %1$c {\n    pub y: %3$c,\n", "    pub x%2$d: %3$c,\n",
	    "    pub z%2$d: i32,\n", "}\n", "impl %1$c {\n    fn g%2$d(&self, p: %3$c) { self.y.g%4$d(p); m%2$d::f%4$d(p); }\n}\n"
	    "pub fn f%2$d(p: %1$c) -> %3$c { p.g%4$d(p); %3$c::g%2$d(p); w::f%2$d(p); f%4$d(p) }\n" },
	{ "csharp", "cs", "namespace d0;\n", { "using d1;\n", "using w = d0.%1$c;\n", "\n", "\n" }, "public partial class %1$c {\n",
	    "public partial class %1$c : %3$c {\n", "  private %3$c x;\n  public %1$c(%3$c p) { x = p; }\n",
	    "  public %3$c G%2$d(%1$c p) { x.G%4$d(p); G%4$d(p); return p.G%2$d(p); }\n", "}\n",
	    "public static class H%2$d { public static %1$c F%4$d(%3$c p) { return new %1$c(p); } }\n" },
	{ "ruby", "rb", "", { "require_relative 'm%2$d'\n", "require 'd%2$d/m%4$d'\n", "\n", "\n" }, "class %1$c\n",
	    "class %1$c < %3$c\n", "  def initialize(p)\n    @x = %3$c.new(p)\n  end\n",
	    "  def g%2$d(p)\n    @x.g%4$d(p)\n    g%4$d(p)\n    %3$c.new(p).g%2$d(p)\n  end\n", "end\n",
	    "def f%2$d(p)\n  f%4$d(%1$c.new(p).g%2$d(p))\nend\n" },
};

static inline void generate_line(FILE *out, const char *format, uint64_t *seed)
{
	const char *statics[] = { "static ", "" };
	int a = 'A' + (int)random_number(seed, 5), b = (int)random_number(seed, 3), c = 'A' + (int)random_number(seed, 5),
	    d = (int)random_number(seed, 3);

	const char *modifier = statics[random_number(seed, 2)];

	/* Not printf, as a format may use the second argument but not the first, which a hardened libc refuses. */
	for (const char *f = format; *f; f++) {
		if (*f != '%') {
			fputc(*f, out);
			continue;
		}
		switch (f[1]) {
		case '1': fputc(a, out); break;
		case '2': fprintf(out, "%d", b); break;
		case '3': fputc(c, out); break;
		case '4': fprintf(out, "%d", d); break;
		case '5': fputs(modifier, out); break;
		}
		f += strlen("1$c");
	}
}

/* Write a random file of the language. */
static inline void generate_file(FILE *out, const struct generated_language *l, uint64_t *seed)
{
	fputs(l->head, out);
	for (unsigned n = random_number(seed, 4); n; n--)
		generate_line(out, l->imports[random_number(seed, 4)], seed);
	for (unsigned n = random_number(seed, 3); n; n--) {
		generate_line(out, random_number(seed, 2) ? l->type : l->derived, seed);
		if (random_number(seed, 2))
			generate_line(out, l->field, seed);
		for (unsigned k = random_number(seed, 4); k; k--)
			generate_line(out, l->method, seed);
		fputs(l->end, out);
	}
	for (unsigned n = random_number(seed, 3); n; n--)
		generate_line(out, l->function, seed);
}
#endif
