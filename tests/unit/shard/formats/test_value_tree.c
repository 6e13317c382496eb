/* What each reader makes of a text, in tests/answers/value_tree.txt: text_cases.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shard/formats/value_tree.h"
#include "tests/text_cases.h"

/* `name = value :line`, a word as <value>, children below, indented. */
static void put_node(const struct value_node *x, int depth, struct buf *out)
{
	buf_printf(out, "%*s%s", 2 * depth, "", x->name ? x->name : "-");
	if (x->value)
		buf_printf(out, x->word ? " = <%s>" : " = %s", x->value);
	buf_printf(out, " :%u\n", x->line);
	for (const struct value_node *c = x->child; c; c = c->next) {
		assert_ptr_equal(c->up, x);
		assert_int_equal(c == x->last, !c->next);
		put_node(c, depth + 1, out);
	}
}

static void says(
    const char *notation, const char *text, size_t n, struct buf *said, struct arena *a)
{
	value_tree_reader *read = value_tree_reader_of(arena_strn(a, notation, strcspn(notation, " ")));
	struct value_tree t;

	assert_non_null(read);
	value_tree_init(&t, n, a);
	read(&t, text, n);
	for (const struct value_node *c = t.root->child; c; c = c->next)
		put_node(c, 0, said);
}

static void texts_are_trees(void **state)
{
	(void)state;
	text_cases_check("tests/answers/value_tree.txt", says);
	assert_null(value_tree_reader_of("html"));
}

static void children_by_name(void **state)
{
	struct arena *a = arena_new();
	struct value_tree t;

	(void)state;
	value_tree_init(&t, 10, a);
	value_tree_add(&t, t.root, NULL, "1", 1);
	struct value_node *first = value_tree_add(&t, t.root, "a", "2", 2);
	value_tree_add(&t, t.root, "a", "3", 3);
	assert_ptr_equal(value_tree_child(&t, t.root, "a"), first);
	assert_null(value_tree_child(&t, t.root, "b"));
	assert_null(value_tree_child(&t, first, "a"));
	assert_int_equal(t.n, 4);
	arena_free(a);
}

/* 48 levels below the root, and 100,000 nodes with the root. */
static void trees_have_limits(void **state)
{
	struct arena *a = arena_new();
	struct value_tree t;
	int depth = 0;

	(void)state;
	value_tree_init(&t, 1 << 20, a);
	for (struct value_node *x = t.root; x; depth++)
		x = value_tree_add(&t, x, "x", NULL, 1);
	assert_int_equal(depth - 1, VALUE_TREE_MAX_DEPTH);
	value_tree_init(&t, 1 << 20, a);
	for (size_t i = 1; i < VALUE_TREE_MAX_NODES; i++)
		assert_non_null(value_tree_add(&t, t.root, "x", NULL, 1));
	assert_null(value_tree_add(&t, t.root, "x", NULL, 1));
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_trees),
		cmocka_unit_test(children_by_name),
		cmocka_unit_test(trees_have_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
