/* The tokens of Rust's macros and how a macro's pattern takes them apart: whole lists, written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/syntax/macro_match.h"
#include "shard/syntax/macro_tokens.h"

static struct arena *a;

/* A blank before a token that has one, then the token in bars; its row if it is not the one before's; what it skips. */
static const char *written(const struct macro_tokens *l)
{
	struct buf b = { 0 };
	uint32_t row = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct macro_token *t = &l->v[i];
		if (t->space)
			buf_byte(&b, ' ');
		buf_byte(&b, '|');
		buf_put(&b, t->s, t->n);
		if (t->row != row)
			buf_printf(&b, "@%u", t->row);
		if (t->skip)
			buf_printf(&b, "+%u", t->skip);
		row = t->row;
	}
	const char *text = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return text;
}

/* clang-format off */
static const struct { const char *text, *tokens; } texts[] = {
	{ "", "" },
	{ " \n ", "" },
	{ "a b_1 _c\xc3\xa9", "|a |b_1 |_c\xc3\xa9" },
	{ "a\n\nb\nc", "|a |b@2 |c@3" },
	{ "(a)", "|(+2|a|)" },
	{ "([{}])", "|(+5|[+3|{+1|}|]|)" },
	{ "()()", "|(+1|)|(+1|)" },
	/* strings, with what does not end them */
	{ "\"a b\"c", "|\"a b\"|c" },
	{ "\"a\\\"b\" c", "|\"a\\\"b\" |c" },
	{ "\"a\\\\\"b", "|\"a\\\\\"|b" },
	{ "\"(\"", "|\"(\"" },
	{ "\"open", "|\"open" },
	{ "\"a\nb\" c", "|\"a\nb\" |c@1" },
	{ "r\"a\\\"b", "|r\"a\\\"|b" },
	{ "r#\"a\"b\"# c", "|r#\"a\"b\"# |c" },
	{ "r##\"a\"#b\"##c", "|r##\"a\"#b\"##|c" },
	{ "r#\"a\"", "|r#\"a\"" },
	{ "br\"a\"b", "|br\"a\"|b" },
	{ "br#\"a\"b\"#b", "|br#\"a\"b\"#|b" },
	{ "b\"a\\\"b\"c", "|b\"a\\\"b\"|c" },
	{ "c\"a\"d", "|c\"a\"|d" },
	{ "x\"a\"", "|x|\"a\"" },
	{ "brr\"a\"", "|brr|\"a\"" },
	{ "r#type a", "|r|#|type |a" },
	{ "b#a", "|b|#|a" },
	{ "r", "|r" },
	{ "r#", "|r|#" },
	/* characters and lifetimes */
	{ "'a' b", "|'a' |b" },
	{ "'\\'' b", "|'\\'' |b" },
	{ "'\\n'b", "|'\\n'|b" },
	{ "'a b", "|'a |b" },
	{ "&'static str", "|&|'static |str" },
	{ "')'", "|')'" },
	{ "'a", "|'a" },
	{ "<'_>", "|<|'_|>" },
	/* signs: the longest counts */
	{ "a::b->c=>d", "|a|::|b|->|c|=>|d" },
	{ "<<= >>= ... ..=", "|<<= |>>= |... |..=" },
	{ "== != <= >= && || << >> ..", "|== |!= |<= |>= |&& ||| |<< |>> |.." },
	{ "+= -= *= /= %= ^= &= |=", "|+= |-= |*= |/= |%= |^= |&= ||=" },
	{ "=!<>&|.:", "|=|!|<|>|&|||.|:" },
	{ "a=", "|a|=" },
	/* comments are blanks */
	{ "a//b\nc", "|a |c@1" },
	{ "a//b", "|a" },
	{ "a/*b*/c", "|a |c" },
	{ "a/*b/*c*/d*/e", "|a |e" },
	{ "a/*/b*/c", "|a |c" },
	{ "a/*\n*/\n// x\nb", "|a |b@3" },
	{ "a/*b", "|a" },
	{ "a/b", "|a|/|b" },
	{ "a/", "|a|/" },
};
/* clang-format on */

static void texts_have_tokens(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(texts); i++) {
		struct macro_tokens l = { 0 };
		assert_true(macro_tokens_read(texts[i].text, strlen(texts[i].text), &l));
		assert_string_equal(written(&l), texts[i].tokens);
		free(l.v);
	}
}

/* Bytes beyond the text are not read: it ends in the middle of a token. */
static void a_text_ends_where_it_ends(void **state)
{
	/* clang-format off */
	static const struct { const char *text; size_t n; const char *tokens; } cases[] = {
		{ "ab", 1, "|a" }, { "\"ab\"", 3, "|\"ab" }, { "'a'", 2, "|'a" }, { "r#\"a\"#", 5, "|r#\"a\"" }, { "r#\"", 2, "|r|#" },
		{ "a//b\nc", 4, "|a" }, { "a/*b*/c", 5, "|a" }, { "a//", 2, "|a|/" }, { "<<=", 2, "|<<" }, { "=>", 1, "|=" },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct macro_tokens l = { 0 };
		char *exact = malloc(cases[i].n); /* so that one byte more is a fault */
		memcpy(exact, cases[i].text, cases[i].n);
		assert_true(macro_tokens_read(exact, cases[i].n, &l));
		assert_string_equal(written(&l), cases[i].tokens);
		free(exact);
		free(l.v);
	}
}

static void brackets_match_or_nothing_is_read(void **state)
{
	/* clang-format off */
	static const char *const bad[] = { "(", ")", "(]", "[}", "{)", "(()", "())", "[(])" };
	/* clang-format on */
	char deep[514];

	(void)state;
	for (size_t i = 0; i < LEN(bad); i++) {
		struct macro_tokens l = { 0 };
		assert_false(macro_tokens_read(bad[i], strlen(bad[i]), &l));
		free(l.v);
	}
	for (size_t n = 256; n <= 257; n++) { /* at most 256 inside of each other */
		struct macro_tokens l = { 0 };
		memset(deep, '[', n);
		memset(deep + n, ']', n);
		assert_int_equal(macro_tokens_read(deep, 2 * n, &l), n == 256);
		free(l.v);
	}
}

static void groups_and_rests(void **state)
{
	struct macro_tokens l = { 0 };

	(void)state;
	assert_true(macro_tokens_read("a(b c)()", 8, &l));
	struct macro_slice all = { l.v, l.n }, in = macro_group(all, 1), rest = macro_rest(all, 5);
	assert_int_equal(in.n, 2);
	assert_true(macro_token_is(in.v, "b") && macro_token_is(in.v + 1, "c"));
	assert_int_equal(rest.n, 2);
	assert_true(macro_token_is(rest.v, "("));
	assert_int_equal(macro_group(all, 5).n, 0);
	assert_false(macro_token_is(in.v, "bc"));
	assert_false(macro_token_is(in.v, ""));
	free(l.v);
}

static void what_a_word_is(void **state)
{
	/* clang-format off */
	static const struct { const char *text; bool word; } cases[] = {
		{ "a", true }, { "_", true }, { "Z9", true }, { "9", false }, { "\"a\"", false }, { "b\"a\"", false }, { "r#\"a\"#", false },
		{ "+", false }, { "(", false },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct macro_token t = { .s = cases[i].text, .n = (uint32_t)strlen(cases[i].text) };
		assert_int_equal(macro_token_is_word(&t), cases[i].word);
	}
}

/* ---- patterns ---- */

/* `name=value` for each variable, with the repetitions that it is in: `name.0.2=value`. */
static const char *bound(const struct macro_bindings *l)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < l->n; i++) {
		const struct macro_binding *x = &l->v[i];
		if (i)
			buf_put(&b, "; ", 2);
		buf_put(&b, x->name.s, x->name.n);
		for (int k = 0; k < x->depth; k++)
			buf_printf(&b, ".%u", x->repetition[k]);
		buf_byte(&b, '=');
		for (size_t k = 0; k < x->value.n; k++) {
			buf_put(&b, " ", k > 0);
			buf_put(&b, x->value.v[k].s, x->value.v[k].n);
		}
	}
	const char *text = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return text;
}

/* clang-format off */
static const struct { const char *pattern, *input, *bound; } matches[] = {
	{ "", "", "" },
	{ "", "a", NULL },
	{ "a", "", NULL },
	{ "a b", "a b", "" },
	{ "a b", "a c", NULL },
	{ "a", "a b", NULL },
	{ "(a)", "(a)", "" },
	{ "(a)", "(b)", NULL },
	{ "(a)", "(a b)", NULL },
	{ "(a)", "[a]", NULL },
	{ "(a) b", "(a) b", "" },
	/* one token */
	{ "$x:ident", "abc", "x=abc" },
	{ "$x:ident", "1", NULL },
	{ "$x:ident", "\"a\"", NULL },
	{ "$x:ident", "a b", NULL },
	{ "$x:ident", "", NULL },
	{ "$x:literal", "\"/a\"", "x=\"/a\"" },
	{ "$x:literal", "12", "x=12" },
	{ "$x:literal", "'c'", "x='c'" },
	{ "$x:literal", "r#\"a\"#", "x=r#\"a\"#" },
	{ "$x:literal", "true", "x=true" },
	{ "$x:literal", "false", "x=false" },
	{ "$x:literal", "maybe", NULL },
	{ "$x:literal", "-1", "x=- 1" },
	{ "$x:literal", "-", NULL },
	{ "$x:literal", "(1)", NULL },
	{ "$x:tt", "a", "x=a" },
	{ "$x:tt", "(a b)", "x=( a b )" },
	{ "$x:tt $y:tt", "[a] {b}", "x=[ a ]; y={ b }" },
	{ "$x:block", "{ a; b }", "x={ a ; b }" },
	{ "$x:lifetime", "'a", "x='a" },
	/* up to what follows */
	{ "$x:expr", "a + b", "x=a + b" },
	{ "$x:expr, $y:expr", "a(1, 2), b", "x=a ( 1 , 2 ); y=b" },
	{ "$x:expr; $y:expr", "a; b", "x=a; y=b" },
	{ "$x:expr => $y:expr", "a => b", "x=a; y=b" },
	{ "$x:expr", "a, b", NULL },
	{ "$x:expr, b", ", b", NULL },
	{ "$x:ty | $y:ident", "A | b", "x=A; y=b" },
	{ "$x:ty, $y:ident", "Map<A, B>, c", "x=Map < A , B >; y=c" },
	{ "$x:ty, $y:ident", "Map<A, Vec<B>>, c", "x=Map < A , Vec < B >>; y=c" },
	{ "$x:path, $y:ident", "a::B<C, D>, c", "x=a :: B < C , D >; y=c" },
	{ "$x:expr, $y:ident", "a < b, c", "x=a < b; y=c" },
	{ "$x:item $y:ident", "fn f(a: B) { 1 } c", "x=fn f ( a : B ) { 1 }; y=c" },
	{ "$x:item $y:ident", "use a, b; c", "x=use a , b ;; y=c" },
	{ "$v:vis $x:ident", "a", "v=; x=a" },
	{ "$v:vis $x:ident", "pub a", "v=pub; x=a" },
	{ "$v:vis $x:ident", "pub(crate) a", "v=pub ( crate ); x=a" },
	{ "$v:vis", "", "v=" },
	{ "$v:vis", "pub", "v=pub" },
	/* repetitions */
	{ "$($x:ident),*", "", "" },
	{ "$($x:ident),*", "a", "x.0=a" },
	{ "$($x:ident),*", "a, b, c", "x.0=a; x.1=b; x.2=c" },
	{ "$($x:ident),*", "a b", NULL },
	{ "$($x:ident)*", "a b", "x.0=a; x.1=b" },
	{ "$($x:ident)+ 1", "a b 1", "x.0=a; x.1=b" },
	{ "$($x:ident)? 1", "a 1", "x.0=a" },
	{ "$($x:ident)? 1", "1", "" },
	{ "$($x:ident)? 1", "a b 1", NULL },
	{ "$($x:ident),* $(,)?", "a, b,", "x.0=a; x.1=b" },
	{ "$($x:ident = $y:literal);*", "a = 1; b = 2", "x.0=a; y.0=1; x.1=b; y.1=2" },
	{ "$($x:ident = $y:literal);* z", "a = 1; z", NULL },
	{ "$($x:ident: [$($y:literal),*]),*", "a: [1, 2], b: [], c: [3]", "x.0=a; y.0.0=1; y.0.1=2; x.1=b; x.2=c; y.2.0=3" },
	{ "$($x:expr) | *", "a | b", "x.0=a; x.1=b" },
	{ "$(a)* b", "a a b", "" },
	{ "$x", "$x", "" },
	{ "$ (a)", "$ (a)", "" },
};
/* clang-format on */

static const char *matched(const char *pattern, const char *input)
{
	struct macro_tokens p = { 0 }, in = { 0 };
	struct macro_bindings out = { 0 };
	const char *text = NULL;

	assert_true(macro_tokens_read(pattern, strlen(pattern), &p) &&
	    macro_tokens_read(input, strlen(input), &in));
	if (macro_match((struct macro_slice){ p.v, p.n }, (struct macro_slice){ in.v, in.n }, &out))
		text = bound(&out);
	free(p.v);
	free(in.v);
	free(out.v);
	return text;
}

static void patterns_match_and_bind(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(matches); i++) {
		const char *got = matched(matches[i].pattern, matches[i].input);
		if (!got != !matches[i].bound || (got && strcmp(got, matches[i].bound) != 0))
			fail_msg(
			    "%s with %s: %s", matches[i].pattern, matches[i].input, got ? got : "no match");
	}
}

/* Four repetitions inside of each other are understood; in the fifth nothing is. */
static void how_deep_repetitions_go(void **state)
{
	(void)state;
	assert_string_equal(matched("$([$([$([$([$x:ident])*])*])*])*", "[[[[a]]]]"), "x.0.0.0.0=a");
	assert_null(matched("$([$([$([$([$([$x:ident])*])*])*])*])*", "[[[[[a]]]]]"));
}

/* 2,000 variables are bound, and one more makes the pattern not match. */
static void how_many_variables_are_bound(void **state)
{
	struct buf b = { 0 };

	(void)state;
	for (int i = 0; i < 2000; i++)
		buf_put(&b, "a ", 2);
	assert_non_null(matched("$($x:ident)*", arena_strn(a, b.p, b.n)));
	buf_put(&b, "a ", 2);
	assert_null(matched("$($x:ident)*", arena_strn(a, b.p, b.n)));
	buf_free(&b);
}

static void what_a_repetition_is(void **state)
{
	/* clang-format off */
	static const struct { const char *text; size_t end, inside; const char *separator; char sign; } cases[] = {
		{ "$(a b)*", 6, 2, NULL, '*' }, { "$(a),+", 6, 1, ",", '+' }, { "$()?", 4, 0, NULL, '?' }, { "$(a)", 0, 0, NULL, 0 },
		{ "$(a),", 0, 0, NULL, 0 }, { "$(a),,", 0, 0, NULL, 0 }, { "$a", 0, 0, NULL, 0 }, { "(a)*", 0, 0, NULL, 0 }, { "$", 0, 0, NULL, 0 },
		{ "$(a)=>*", 6, 1, "=>", '*' }, { "$[a]*", 0, 0, NULL, 0 },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct macro_tokens l = { 0 };
		struct macro_repetition r = { 0 };
		assert_true(macro_tokens_read(cases[i].text, strlen(cases[i].text), &l));
		size_t end = macro_repetition_at((struct macro_slice){ l.v, l.n }, 0, &r);
		assert_int_equal(end, cases[i].end);
		if (end) {
			assert_int_equal(r.inside.n, cases[i].inside);
			assert_int_equal(r.sign, cases[i].sign);
			assert_int_equal(!r.separator, !cases[i].separator);
			assert_true(!r.separator || macro_token_is(r.separator, cases[i].separator));
		}
		free(l.v);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_have_tokens),
		cmocka_unit_test(a_text_ends_where_it_ends),
		cmocka_unit_test(brackets_match_or_nothing_is_read),
		cmocka_unit_test(groups_and_rests),
		cmocka_unit_test(what_a_word_is),
		cmocka_unit_test(patterns_match_and_bind),
		cmocka_unit_test(how_deep_repetitions_go),
		cmocka_unit_test(how_many_variables_are_bound),
		cmocka_unit_test(what_a_repetition_is),
	};

	a = arena_new();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(a);
	return rc;
}
