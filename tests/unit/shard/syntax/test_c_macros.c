/* Which words of C and C++ are blanked before the text is parsed, and which are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/syntax/c_macros.h"
#include "tests/language_rules.h"

static struct arena *a;

/* The words in {{}} are blanked, and nothing else. */
static void check(const struct rules *r, const char *marked)
{
	char text[2000], want[2000];
	bool hidden = false, any = false;
	size_t n = 0;

	for (const char *p = marked; *p; p++) {
		if (*p == '{' && p[1] == '{') {
			hidden = any = true;
			p++;
		} else if (*p == '}' && p[1] == '}' && hidden) {
			hidden = false;
			p++;
		} else {
			text[n] = *p;
			want[n++] = hidden && *p != '\n' ? ' ' : *p;
		}
	}
	text[n] = want[n] = '\0';
	char *copy = exact_copy(text);
	const char *got = c_macros_blank(r, copy, n, a);
	if (memcmp(got, want, n) != 0)
		fail_msg("%s\nis\n%.*s\nnot\n%s", text, (int)n, got, want);
	assert_int_equal(got == copy, !any);
	free(copy);
}

/* clang-format off */
static const char *const c[] = {
	"", "int x;", "x",
	/* before a declaration */
	"{{API}} int f(void);", "{{API_EXPORT(x)}} int f(void);", "{{__init}} int f(void);", "int a; {{API}} int f(void);",
	"int a;\n/* b */ {{API}} int f(void);", "{{API}} {{OLD}} int f(void);", "{{API}} struct s *f(void);", "{{API}} const int *f(void);",
	"{{API}} int *f(void);", "AB int f(void);", "{{ABC}} int f(void);", "_1 int f(void);", "__ int f(void);", "{{__a}} int f(void);",
	"Abc int f(void);", "123 int f(void);", "API f(void);", "API x;", "API *x;", "API(x);", "API;", "API + x;",
	"static {{API}} int f(void);", "extern {{API}} int x;", "inline {{API}} int f(void);", "} {{API}} int f(void);",
	"{{API}} /* x */ int f(void);", "{{API}} // x\n int f(void);", "{{API(a, (b), c)}} int f(void);", "API(a; b) int f(void);",
	"API else x;", "API return x;", "API goto x;",
	"{{API}} int f(void) { {{API}} int x; }",
	/* alone on its line */
	"{{BEGIN_DECLS}}\nint x;", "int y;\n\t {{BEGIN_DECLS}}\nint x;", "int y; {{BEGIN_DECLS}}\nint x;", "{{BEGIN_DECLS}}\n#include <x>\n",
	"{{BEGIN_DECLS}}", "BEGIN_DECLS\n+ x", "BEGIN_DECLS x;", "int x;\n{{END_DECLS}} // x\n", "{{A_B}}\n{{C_D}}\nint x;",
	/* in the head of a type */
	"struct {{API}} s { int x; };", "struct {{PACKED(1)}} s { int x; };", "union {{API}} u {", "enum {{API}} e { A };", "struct API x;", "struct API {",
	"struct API *f(void);", "struct {{API}} /* x */ s {", "struct {{API}} s : b {", "struct API s::f(", "struct {{API}} s<int> x;",
	"struct {{API}} s final {", "struct API 1 {",
	/* behind a declarator */
	"void f(void) {{NOTHROW}};", "void f(void) {{ATTR(1, 2)}};", "void f(void) {{NOTHROW}} {", "void f(void) {{__must_check}};",
	"int x {{ATTR(1)}};", "int x {{__used}};", "int x {{__used}} = 1;", "int x __used == 1;", "int x[3] {{__used}};", "int x[3] {{ATTR(1)}} = { 1 };",
	"int *x {{__used}};", "int ABC;", "static int ABC;", "int XYZ = 1;", "int XYZ(int a);", "unsigned ABC;", "struct s ABC;", 
	"if (x) ABC;", "while (x) ABC;", "for (;x;) ABC;", "switch (x) ABC;", "(void) ABC;", "u32 __f(int x) {", "int x ATTR(1) {",
	"void f(void) {{ABC}} : x", "void f(void) ABC :: x", "void f(void) ABC, x",
	/* between a type and a name */
	"int {{API}} f(void);", "int {{API}} x;", "int {{API}} x = 1;", "int {{API}} x[3];", "void f(int {{INP}} a, int {{OUT}} b);", "char {{FAR}} *p;",
	"int * {{RESTRICT}} p;", "int * FAR * p;", "int ABC + x;", "return ABC x;", "case ABC: x;",
	/* a word of its own before a macro */
	"asmlinkage {{API}} int f(void);", "asmlinkage {{API(1)}} struct s *f(void);",
	/* what is no text to look at */
	"// API int f(void);\nint x;", "/* API int f(void); */", "\"API int f(void);\"", "'API int f(void);'", "\"\\\"API int f(\"", "/* API int f(",
	"// API int f(", "#define API int f(void)\nint x;", "#define A \\\n API int f(void)\nint x;", "#if X\n{{API}} int f(void);",
	"it's; {{API}} int f(void);", "\"x\n; {{API}} int f(void);", "a / b; {{API}} int f(void);",
	"char c = '\"'; {{API}} int f(void);", "int x; #define API int f(void)",
};
/* clang-format on */

/* clang-format off */
static const char *const cpp[] = {
	"class {{API}} A {", "class {{API}} A : public B {", "class {{API}} A final {", "class API A::B", "class API {", "class API;",
	"virtual {{API}} int f();", "public: {{API}} int f();", "template <class T> {{API}} int f();", "void f() const {{NOTHROW}};",
	"void f() override {{NOTHROW}};", "void f() final {{NOTHROW}};", "void f() noexcept {{NOTHROW}};", "try {} catch (x) ABC;",
	"{{API}} std::vector<int> f();", "{{API}} std::map<int, std::vector<int>> f();", "{{API}} a::b c;", "API a::b;", "API std::vector<int;", "API a < b;",
	"A & {{API}} x;", "operator ABC x;", "using ABC = x;", "API new x;", "API delete x;", "API throw x;",
};
/* clang-format on */

/* clang-format off */
static const char *const swift[] = {
	"{{#if DEBUG}}\nlet x = 1\n{{#else}}\nlet y\n  {{# endif // x}}\n", "{{#elseif A \\\n B}}\nx", "#available(iOS 1)", "x #if y", "{{#if}}", "#iffy",
	"{{#if a}}\n\n{{#endif}}", "API int f();", "#",
};
/* clang-format on */

static void macros_are_blanked(void **state)
{
	/* clang-format off */
	static const struct { const char *lang; const char *const *v; size_t n; } all[] = {
		{ "c", c, LEN(c) }, { "cpp", c, LEN(c) }, { "cpp", cpp, LEN(cpp) }, { "swift", swift, LEN(swift) },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(all); i++) {
		struct rules *r = language_rules(all[i].lang);
		for (size_t k = 0; k < all[i].n; k++)
			check(r, all[i].v[k]);
		rules_free(r);
	}
}

/* 16 macros before a declaration, and 1,000 bytes of arguments; with one more they are left as they are. */
static void how_many_and_how_long(void **state)
{
	struct rules *r = language_rules("c");
	char text[1200];

	(void)state;
	for (int n = 15; n <= 17; n++) {
		struct buf b = { 0 };
		for (int i = 0; i < n; i++)
			buf_printf(&b, "API(1) ");
		buf_printf(&b, "int f(void);");
		const char *got = c_macros_blank(r, b.p, b.n, a);
		assert_int_equal(strncmp(got, "API", 3) != 0, n <= 16);
		buf_free(&b);
	}
	for (int n = 999; n <= 1001; n++) {
		snprintf(text, sizeof text, "API(%0*d) int f(void);", n - 2, 0);
		const char *got = c_macros_blank(r, text, strlen(text), a);
		assert_int_equal(strncmp(got, "API", 3) != 0, n <= 1000);
	}
	rules_free(r);
}

static void other_languages_have_none(void **state)
{
	struct rules *r = language_rules("java");

	(void)state;
	check(r, "API int f();\n#if x");
	rules_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(macros_are_blanked),
		cmocka_unit_test(how_many_and_how_long),
		cmocka_unit_test(other_languages_have_none),
	};

	a = arena_new();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(a);
	return rc;
}
