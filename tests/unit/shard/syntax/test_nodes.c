/*
 * nodes_each tells what a cursor of tree-sitter sees: the same nodes, in the same order, at the same places and depths; and what
 * stands below each of them is what tree-sitter says.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shard/parse/parser.h"
#include "shard/syntax/languages.h"
#include "shard/syntax/tree_nodes.h"

struct seen {
	TSTreeCursor cursor;
	uint32_t depth, deepest;
	size_t n;
	bool end;
};

/* The cursor's next node, named or not. */
static void next(struct seen *s)
{
	if (ts_tree_cursor_goto_first_child(&s->cursor)) {
		s->depth++;
	} else {
		while (!s->end && !ts_tree_cursor_goto_next_sibling(&s->cursor)) {
			s->end = !ts_tree_cursor_goto_parent(&s->cursor);
			s->depth -= !s->end;
		}
	}
	if (s->depth > s->deepest)
		s->deepest = s->depth;
}

static void skip_unnamed(struct seen *s)
{
	while (!s->end && !ts_node_is_named(ts_tree_cursor_current_node(&s->cursor)))
		next(s);
}

static void assert_same(TSNode a, TSNode b)
{
	assert_true(ts_node_eq(a, b));
	assert_memory_equal(a.context, b.context, sizeof a.context);
}

struct expected {
	TSTreeCursor cursor;
	bool more;
};

static bool compare_child(void *arg, TSNode n, TSFieldId field)
{
	struct expected *x = arg;

	assert_true(x->more);
	assert_same(n, ts_tree_cursor_current_node(&x->cursor));
	assert_int_equal(field, ts_tree_cursor_current_field_id(&x->cursor));
	x->more = ts_tree_cursor_goto_next_sibling(&x->cursor);
	return true;
}

static void compare_children(TSNode n)
{
	enum { MANY = 24 };
	struct expected x = { .cursor = ts_tree_cursor_new(n) };
	TSNode child[MANY];

	x.more = ts_tree_cursor_goto_first_child(&x.cursor);
	nodes_children(n, compare_child, &x);
	assert_false(x.more);
	ts_tree_cursor_delete(&x.cursor);
	uint32_t count = nodes_named(n, child, MANY);
	assert_int_equal(count, ts_node_named_child_count(n));
	for (uint32_t i = 0; i < count && i < MANY; i++)
		assert_same(child[i], ts_node_named_child(n, i));
	for (TSFieldId f = (TSFieldId)ts_language_field_count(ts_node_language(n)); f; f--)
		assert_same(nodes_field(n, f), ts_node_child_by_field_id(n, f));
}

static void compare(void *arg, TSNode n, uint32_t depth)
{
	struct seen *s = arg;

	skip_unnamed(s);
	assert_false(s->end);
	TSNode want = ts_tree_cursor_current_node(&s->cursor);
	assert_true(ts_node_eq(n, want));
	assert_int_equal(depth, s->depth);
	assert_int_equal(ts_node_symbol(n), ts_node_symbol(want));
	assert_int_equal(ts_node_start_byte(n), ts_node_start_byte(want));
	assert_int_equal(ts_node_end_byte(n), ts_node_end_byte(want));
	assert_memory_equal(&(TSPoint[]){ ts_node_start_point(n) }, &(TSPoint[]){ ts_node_start_point(want) }, sizeof(TSPoint));
	if (depth < 100)
		compare_children(n);
	s->n++;
	next(s);
}

static size_t check_text(const struct lang *l, const char *text, size_t n)
{
	TSParser *p = ts_parser_new();
	struct seen s = { .n = 0 };

	assert_true(ts_parser_set_language(p, l->grammar()));
	TSTree *tree = ts_parser_parse_string(p, NULL, text, (uint32_t)n);
	s.cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t deepest = nodes_each(ts_tree_root_node(tree), compare, &s);
	skip_unnamed(&s);
	assert_true(s.end);
	assert_int_equal(deepest, s.deepest);
	ts_tree_cursor_delete(&s.cursor);
	ts_tree_delete(tree);
	ts_parser_delete(p);
	return s.n;
}

static size_t check_file(const char *path, bool *languages)
{
	static char text[1 << 20];
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof text, f) : 0;
	const struct lang *l = lang_detect(path, text, n);

	if (f)
		fclose(f);
	if (!l || !l->grammar)
		return 0;
	languages[l - langs] = true;
	return check_text(l, text, n) + check_text(l, text, n * 2 / 3);	/* cut off: with errors */
}

static size_t check_folder(const char *path, bool *languages)
{
	DIR *d = opendir(path);
	char child[4096];
	size_t n = 0;

	for (struct dirent *e; d && (e = readdir(d));) {
		if (*e->d_name == '.')
			continue;
		snprintf(child, sizeof child, "%s/%s", path, e->d_name);
		n += e->d_type == DT_DIR ? check_folder(child, languages) : check_file(child, languages);
	}
	if (d)
		closedir(d);
	return n;
}

static void test_same_as_a_cursor(void **state)
{
	bool *languages = calloc(nlangs, sizeof *languages);

	(void)state;
	assert_true(check_folder("tests/golden", languages) > 10000);
	for (size_t i = 0; i < nlangs; i++)
		if (langs[i].grammar && !languages[i])
			fail_msg("no golden file of %s", langs[i].name);
	check_file("shard/definitions/definitions.c", languages);
	free(languages);
}

static void test_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < nlangs; i++)
		if (langs[i].grammar)
			check_text(&langs[i], "", 0);
}

static void test_deep(void **state)
{
	enum { DEEP = 20000 };
	char *text = malloc(DEEP);

	(void)state;
	for (size_t i = 0; i < DEEP; i++)
		text[i] = i < DEEP / 2 ? '(' : ')';
	assert_true(check_text(lang_detect("a.py", "", 0), text, DEEP) > DEEP / 2);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_as_a_cursor), cmocka_unit_test(test_nothing), cmocka_unit_test(test_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
