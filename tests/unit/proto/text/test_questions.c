/*
 * What questions are understood as, field by field: questions.txt beside this file.  `> ` begins a question (`\n` and `\t` are
 * line ends and tabs in it), and what follows is understood.  With RECORD set, the test prints the text as it is now.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/gateway_rules.h"
#include "proto/text/question.h"
#include "proto/text/route_question.h"
#include "proto/text/symbol_match.h"
#include "proto/text/tokens.h"
#include "proto/text/word_forms.h"

static struct arena *a;

static void put_list(struct buf *b, const char *name, const char *const *v, size_t n)
{
	if (n)
		buf_printf(b, "%s:", name);
	for (size_t i = 0; i < n; i++)
		buf_printf(b, " %s", v[i]);
	if (n)
		buf_byte(b, '\n');
}

static void put_text(struct buf *b, const char *name, const char *value)
{
	if (value)
		buf_printf(b, "%s: %s\n", name, value);
}

static void put_question(struct buf *b, const char *text)
{
	struct question q;
	struct err e = { 0 };

	if (question_parse(&q, text, a, &e)) {
		buf_printf(b, "%s\n%s%s", e.msg, e.hint, *e.hint ? "\n" : "");
		return;
	}
	put_list(b, "terms", q.terms, q.noriginal);
	put_list(b, "forms", q.terms + q.noriginal, q.nterms - q.noriginal);
	for (size_t i = 0; i < q.nphrases; i++) {
		put_text(b, "phrase", q.phrases[i].text);
		put_list(b, "  its words", q.phrases[i].word, q.phrases[i].n);
	}
	put_list(b, "words", q.words, q.nwords);
	put_text(b, "name", q.name);
	put_text(b, "counted", q.counted_name);
	put_text(b, "spelled", q.spelled);
	put_text(b, "route", q.route ? (q.route_method ? q.route_method : "-") : NULL);
	for (size_t i = 0; i < q.npaths; i++)
		buf_printf(b, "path: %s line %d\n", q.paths[i].path, (int)q.paths[i].line);
	static const char *const names[] = { "file", "prefix", "only-paths", "keywords", "literal" };
	const bool flags[] = { q.name_is_file, q.name_is_prefix, q.only_paths, q.keywords, q.literal };
	const char *set[LEN(names)];
	size_t n = 0;
	for (size_t i = 0; i < LEN(names); i++)
		if (flags[i])
			set[n++] = names[i];
	put_list(b, "is", set, n);
}

static void questions_as_they_are_understood(void **state)
{
	struct buf all = { 0 }, out = { 0 };
	char chunk[4096];
	FILE *f = fopen("tests/unit/proto/text/questions.txt", "r");

	(void)state;
	assert_non_null(f);
	for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
		buf_put(&all, chunk, n);
	fclose(f);
	for (const char *p = all.p; *p; p += strcspn(p, "\n") + 1) {
		size_t n = strcspn(p, "\n");
		if (strncmp(p, "> ", 2))
			continue;
		buf_put(&out, p, n + 1);
		struct buf text = { 0 };
		buf_str(&text, "");
		for (const char *c = p + 2; c < p + n; c++) {
			bool escaped = *c == '\\' && (c[1] == 'n' || c[1] == 't');
			buf_byte(&text, escaped ? (c[1] == 'n' ? '\n' : '\t') : *c);
			c += escaped;
		}
		put_question(&out, text.p);
		buf_free(&text);
	}
	if (getenv("RECORD"))
		fwrite(out.p, 1, out.n, stdout);
	else
		assert_string_equal(out.p, all.p);
	buf_free(&all);
	buf_free(&out);
}

/* The rarest terms are kept, when there are too many; those that no document has are not. */
static void the_rarest_terms_are_kept(void **state)
{
	struct term_count v[70];
	struct question q = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 70; i++)
		v[i] = (struct term_count){ .term = arena_printf(a, "t%02d", (int)i),
			.documents = i < 4 ? 0 : 70 - i / 2 };
	assert_int_equal(question_select_terms(&q, v, 10), 6);
	assert_string_equal(v[0].term, "t04");
	for (uint64_t i = 0; i < 70; i++)
		v[i] = (struct term_count){ .term = arena_printf(a, "t%02d", (int)i),
			.documents = 70 - i / 2 };
	assert_int_equal(question_select_terms(&q, v, 64), 64);
	assert_string_equal(v[0].term, "t00"); /* in their order, as there are not too many */
	assert_int_equal(question_select_terms(&q, v, 70), 64);
	assert_string_equal(v[0].term, "t68");
	assert_string_equal(v[1].term, "t69");
	assert_string_equal(v[63].term, "t07");
	q.nphrases = 1;
	v[0].documents = 0;
	assert_int_equal(question_select_terms(&q, v, 70), 70);
	const struct search_req plain = { .names = 9 }, many = { .names = 10 },
	                        filtered = { .names = 10, .path_prefix = "src" };
	const char *kind = "route";
	const struct search_req kinds = { .names = 10, .kinds = { &kind, 1 } },
	                        languages = { .names = 10, .languages = { &kind, 1 } };
	q.counted_name = "=x";
	assert_true(question_wants_longer_names(&q, &plain));
	assert_false(question_wants_longer_names(&q, &many));
	assert_true(question_wants_longer_names(&q, &filtered));
	assert_true(question_wants_longer_names(&q, &kinds));
	assert_true(question_wants_longer_names(&q, &languages));
	q.counted_name = NULL;
	assert_true(question_wants_longer_names(&q, &many));
	assert_string_equal(question_prefix("load*", a), "load");
	assert_null(question_prefix("load", a));
	assert_null(question_prefix("", a));
}

static void names_and_their_keys(void **state)
{
	/* clang-format off */
	static const struct { const char *name, *key, *base; } rows[] = { { "loadUsers", "loadusers", "loadUsers" }, { "load_users", "loadusers", "load_users" },
		{ "A.b2::C#d/e", "ab2cde", "e" }, { "++", "++", "++" }, { "Größe", "größe", "Größe" }, { "a::b", "ab", "b" }, { "a.", "a", "a." }, { "a..b", "ab", "b" }, { "a/b.c", "abc", "c" },
		{ "operator::", "operator", "operator::" }, { "", "", "" } };
	static const struct { const char *name, *key; size_t n; bool begins; } begins[] = { { "load_users", "loadu", 5, true }, { "load_users", "loadx", 5, false },
		{ "load_users", "loadx", 4, true }, { "lo", "load", 4, false }, { "++", "load", 4, true }, { "Load", "load", 4, true }, { "x", "y", 0, true } };
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		assert_string_equal(symbol_key(rows[i].name, a), rows[i].key);
		assert_string_equal(symbol_base_name(rows[i].name), rows[i].base);
		for (size_t k = 0; k < LEN(rows); k++)
			assert_int_equal(
			    symbol_has_key(rows[i].name, rows[k].key), !strcmp(rows[i].key, rows[k].key));
	}
	assert_false(symbol_has_key("load", "loa"));
	assert_false(symbol_has_key("loa", "load"));
	assert_false(symbol_has_key("--", "++"));
	for (size_t i = 0; i < LEN(begins); i++)
		assert_int_equal(
		    symbol_key_begins(begins[i].name, begins[i].key, begins[i].n), begins[i].begins);
}

static void words_and_their_forms(void **state)
{
	static const struct {
		const char *term, *forms;
		size_t stem;
	} rows[] = {
		{ "load", "loading loaded loader loade ", 4 },
		{ "planned", "plan planing planed planer plane plann planning planner planne ", 4 },
		{ "plan", "planing planed planer plane plann planning planned planner planne ", 4 },
		{ "deleted", "delet deleting deleter delete delett deletting deletted deletter delette ",
		    5 },
		{ "controls", "controlsing controlsed controlser controlse ", 8 },
		{ "key", "", 3 },
		{ "key2", "", 4 },
		{ "sing", "singing singed singer singe ", 4 },
		{ "row", "", 3 },
		{ "show", "showing showed shower showe ", 4 },
		{ "handed", "hand handing hander hande ", 4 },
		{ "Load", "", 4 },
		{ "classes",
		    "classesing classesed classeser classese classess classessing classessed classesser classesse ",
		    7 },
	};

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		const char *v[WORD_FORMS_MAX];
		size_t n = word_forms(rows[i].term, v, a);
		const char *all = "";
		for (size_t k = 0; k < n; k++)
			all = arena_printf(a, "%s%s ", all, v[k]);
		assert_string_equal(all, rows[i].forms);
		assert_int_equal(word_stem_len(rows[i].term), rows[i].stem);
	}
}

static int keep(void *arg, const struct token *t)
{
	buf_printf(arg, "%.*s %d-%d%s|", (int)t->n, t->text, (int)t->start, (int)t->end,
	    t->same_position ? " part" : "");
	return !strncmp(t->text, "stop", 4) ? 7 : 0;
}

static void keep_word(void *arg, const char *word, size_t n)
{
	buf_printf(arg, "%.*s|", (int)n, word);
}

static void tokens_and_where_they_are(void **state)
{
	struct buf b = { 0 };
	char large[200];

	(void)state;
	assert_int_equal(tokens_each("_a FOOBar_x2 _ users.", 21, true, keep, &b), 0);
	assert_string_equal(b.p, "a 0-2|foobar_x2 3-12|foo 3-12 part|bar 3-12 part|user 15-20|");
	b.n = 0;
	assert_int_equal(tokens_each("oneTwo stop more", 16, false, keep, &b), 7);
	assert_string_equal(b.p, "onetwo 0-6|stop 7-11|");
	b.n = 0;
	assert_int_equal(tokens_each("xStopMore more", 14, true, keep, &b), 7);
	assert_string_equal(b.p, "xstopmore 0-9|stop 0-9 part|");
	b.n = 0;
	tokens_each_word("-a_b, c9 é", 11, keep_word, &b);
	assert_string_equal(b.p, "a_b|c9|é|");
	b.n = 0;
	memset(large, 'q', sizeof large);
	tokens_each(large, sizeof large, true, keep, &b);
	assert_string_equal(arena_strn(a, b.p, b.n), arena_printf(a, "%.64s 0-200|", large));
	buf_free(&b);
	assert_true(token_is_word_byte('_') && token_is_word_byte('0') && token_is_word_byte('9') &&
	    token_is_word_byte('A') && token_is_word_byte('Z') && token_is_word_byte('a') &&
	    token_is_word_byte('z') && token_is_word_byte('\x80') && token_is_word_byte('\xff'));
	assert_false(token_is_word_byte('-') || token_is_word_byte('/') || token_is_word_byte(':') ||
	    token_is_word_byte('@') || token_is_word_byte('[') || token_is_word_byte('`') ||
	    token_is_word_byte('{') || token_is_word_byte('\x7f') || token_is_word_byte(' ') ||
	    token_is_word_byte('\0'));
	static const struct {
		const char *word, *singular;
	} rows[] = { { "users", "user" }, { "bus", "bus" }, { "is", "is" }, { "gas", "gas" },
		{ "axis", "axis" }, { "class", "class" }, { "classes", "class" }, { "boxes", "box" },
		{ "matches", "match" }, { "caches", "cache" }, { "ties", "tie" }, { "queries", "query" },
		{ "status", "status" }, { "dogs", "dog" }, { "user", "user" } };
	for (size_t i = 0; i < LEN(rows); i++) {
		char *w = arena_str(a, rows[i].word);
		w[token_singular(w, strlen(w))] = 0;
		assert_string_equal(w, rows[i].singular);
	}
	const struct terms some = terms_of("one two one threeFour", 3, a),
	                   more = terms_in_order("one two one threeFour", 9, a);
	assert_int_equal(some.n, 3);
	assert_string_equal(some.v[2].text, "threefour");
	assert_string_equal(some.v[2].word, "threeFour");
	assert_false(some.v[2].part);
	assert_int_equal(more.n, 4);
	assert_string_equal(more.v[2].text, "one");
}

/* ---- gateways that people declare ---- */

static void read_rules(void *arg, const struct flat_entry *v, size_t n)
{
	struct fact *f;
	size_t count = gateway_rules_to_facts(v, n, "mine", a, &f);

	for (size_t i = 0; i < count; i++)
		buf_printf(arg, "%s|%s|%s|%s|%s|%s|%d\n", f[i].path, f[i].raw, f[i].host,
		    f[i].to ? f[i].to : "-", f[i].at ? f[i].at : "-", f[i].framework, (int)f[i].line);
}

static void gateways_that_are_declared(void **state)
{
	static const char text[] =
	    "gateways:\n- {path: /a, to: host}\n- path: /b\n  to: http://h:1/b\n- {path: /c, to: h/x/y, hosts: [p.example, q:2]}\n- {path: /d, to: 'https://h/'}\n";
	struct buf b = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(flat_read(text, strlen(text), a, read_rules, &b, &e), 0);
	assert_string_equal(b.p,
	    "/a|host|host|-|-|mine|2\n/b|http://h:1/b|h:1|-|-|mine|3\n/c|h/x/y|h|/x/y|p.example q:2|mine|5\n/d|https://h/|h|/|-|mine|6\n");
	buf_free(&b);
	static const struct {
		const char *host, *name;
	} hosts[] = { { "localhost:80", ":80" }, { "127.0.0.1:8080", ":8080" },
		{ "localhost", "localhost" }, { "h:80", "h:80" }, { "xlocalhost:1", "xlocalhost:1" } };
	for (size_t i = 0; i < LEN(hosts); i++)
		assert_string_equal(gateway_normalize_host(hosts[i].host), hosts[i].name);
}

#define RULES                                                                                      \
	{ "list[].name", FLAT_NAME, true }, { "list[].path", FLAT_PATH, false },                       \
	    { "list[].method", FLAT_METHOD, false }, { "list[].to", FLAT_TARGET, false },              \
	    { "list[].text", FLAT_TEXT, false }, { "other[].tags[]", FLAT_NAME, false },               \
	{                                                                                              \
		"single", FLAT_TEXT, false                                                                 \
	}
static const char *said;

static void check_rules(void *arg, const struct flat_entry *v, size_t n)
{
	static const struct flat_rule rules[] = { RULES };
	struct err e = { 0 };

	(void)arg;
	flat_check("f.yaml", v, n, rules, LEN(rules), &e);
	said = arena_str(a, e.msg);
}

static void values_that_files_may_hold(void **state)
{
	/* clang-format off */
	static const struct { const char *text, *said; } rows[] = {
		{ "list: [{name: a-B.c:1_*, path: /x, method: ANY, to: h:1/p, text: anything}]", "" }, { "single: x", "" }, { "other: [{tags: [a, b]}]", "" },
		{ "list: [{path: /x}]", "f.yaml:1: `list[0].name`: is missing" }, { "list: [{name: a}, {to: x}]", "f.yaml:1: `list[1].name`: is missing" },
		{ "\nlist: [{name: ''}]", "f.yaml:2: `list[0].name`: `` is not a name or host: use letters, digits, . _ - and a port" },
		{ "list: [{name: a b}]", "f.yaml:1: `list[0].name`: `a b` is not a name or host: use letters, digits, . _ - and a port" },
		{ "list: [{name: a, path: x}]", "f.yaml:1: `list[0].path`: `x` is not a path: a path begins with / and contains no blank" },
		{ "list: [{name: a, path: '/x y'}]", "f.yaml:1: `list[0].path`: `/x y` is not a path: a path begins with / and contains no blank" },
		{ "list: [{name: a, path: '/x?y'}]", "f.yaml:1: `list[0].path`: `/x?y` is not a path: a path begins with / and contains no blank" },
		{ "list: [{name: a, method: get}]", "f.yaml:1: `list[0].method`: `get` is not a method: use GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS or ANY" },
		{ "list: [{name: a, method: OPTIONS}]", "" },
		{ "list: [{name: a, to: /x}]", "f.yaml:1: `list[0].to`: `/x` is not a target: use host, host:port/path or a URL" },
		{ "list: [{name: a, to: ''}]", "f.yaml:1: `list[0].to`: `` is not a target: use host, host:port/path or a URL" },
		{ "list: [{name: a, to: 'x#y'}]", "f.yaml:1: `list[0].to`: `x#y` is not a target: use host, host:port/path or a URL" },
		{ "single: ''", "f.yaml:1: `single`: `` is empty" },
		{ "list: [{nam: a}]", "f.yaml:1: `list[0].nam`: no such key; there are list[].name, list[].path, list[].method, list[].to, list[].text" },
		{ "lost: x", "f.yaml:1: `lost`: no such key; there are list, other, single" },
		{ "list: x", "f.yaml:1: `list`: no such key; there are list[].name, list[].path, list[].method, list[].to, list[].text" },
	};
	/* clang-format on */
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		said = "?";
		assert_int_equal(
		    flat_read(rows[i].text, strlen(rows[i].text), a, check_rules, NULL, &e), 0);
		assert_string_equal(said, rows[i].said);
	}
	assert_int_equal(flat_read("a: [", 4, a, check_rules, NULL, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	char name[300];
	for (size_t n = 250; n < 256; n++) {
		memset(name, 'n', n);
		name[n] = 0;
		const char *text = arena_printf(a, "list: [{name: %s}]", name);
		flat_read(text, strlen(text), a, check_rules, NULL, &e);
		assert_int_equal(*said == 0, n <= 253);
	}
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(questions_as_they_are_understood),
		cmocka_unit_test(the_rarest_terms_are_kept),
		cmocka_unit_test(names_and_their_keys),
		cmocka_unit_test(words_and_their_forms),
		cmocka_unit_test(tokens_and_where_they_are),
		cmocka_unit_test(gateways_that_are_declared),
		cmocka_unit_test(values_that_files_may_hold),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
