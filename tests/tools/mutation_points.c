/* mutation_points FILE...: lists, for `make mutants`, each place of a C file where a small defect can be planted, one line each:
 *   file  line  function  line of its name  kind  first byte  byte after the last  replacement
 * separated by tabs; in the replacement, newline, tab and backslash are escaped.  A defect is inside a function.  Left out are
 * those that no test can or should notice: in calls that log or assert, in ends of variable arguments, in the destruction of
 * mutexes (which hold no memory), in labels and in sizes of arrays. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "proto/base/buf.h"

const TSLanguage *tree_sitter_c(void);

struct source {
	const char *path, *text;
	size_t n;
	char function[128];
	uint32_t function_line;
};

/* ---- nodes ---- */

static bool is_type(TSNode n, const char *type)
{
	return !ts_node_is_null(n) && !strcmp(ts_node_type(n), type);
}

static TSNode field(TSNode n, const char *name)
{
	return ts_node_child_by_field_name(n, name, (uint32_t)strlen(name));
}

static const char *start_of(const struct source *s, TSNode n)
{
	return s->text + ts_node_start_byte(n);
}

static int length_of(TSNode n)
{
	return (int)(ts_node_end_byte(n) - ts_node_start_byte(n));
}

static bool is_text(const struct source *s, TSNode n, const char *text)
{
	return (size_t)length_of(n) == strlen(text) && !strncmp(start_of(s, n), text, strlen(text));
}

static bool same_text(const struct source *s, TSNode a, TSNode b)
{
	return length_of(a) == length_of(b) &&
	    !strncmp(start_of(s, a), start_of(s, b), (size_t)length_of(a));
}

/* ---- output ---- */

/* One line; `replacement` takes the place of the nodes from `first` to `last`. */
static void print_between(
    const struct source *s, const char *kind, TSNode first, TSNode last, const char *replacement)
{
	printf("%s\t%u\t%s\t%u\t%s\t%u\t%u\t", s->path, ts_node_start_point(first).row + 1, s->function,
	    s->function_line, kind, ts_node_start_byte(first), ts_node_end_byte(last));
	for (const char *p = replacement; *p; p++) {
		const char *at = strchr("\n\t\\", *p);
		if (at)
			printf("\\%c", "nt\\"[at - "\n\t\\"]);
		else
			putchar(*p);
	}
	putchar('\n');
}

static void print(const struct source *s, const char *kind, TSNode n, const char *replacement)
{
	print_between(s, kind, n, n, replacement);
}

/* ---- the kinds of defects ---- */

static void negate(const struct source *s, TSNode condition)
{
	struct buf b = { 0 };

	if (ts_node_is_null(condition))
		return;
	buf_printf(&b, "(!(%.*s))", length_of(condition), start_of(s, condition));
	print(s, "negate", condition, b.p);
	buf_free(&b);
}

/* A condition is taken as always or never true.  A loop without an end is no small defect. */
static void drop(const struct source *s, TSNode condition, bool is_loop)
{
	if (ts_node_is_null(condition))
		return;
	print(s, "drop", condition, "(0)");
	if (!is_loop)
		print(s, "drop", condition, "(1)");
}

static void turn_condition(const struct source *s, TSNode n)
{
	bool is_loop = is_type(n, "while_statement") || is_type(n, "do_statement") ||
	    is_type(n, "for_statement");

	if (!is_loop && !is_type(n, "if_statement") && !is_type(n, "conditional_expression"))
		return;
	negate(s, field(n, "condition"));
	drop(s, field(n, "condition"), is_loop);
}

static const struct turn {
	const char *operator, * kind, *other;
} turns[] = {
	{ "==", "compare", "!=" },
	{ "!=", "compare", "==" },
	{ "<", "compare", ">" },
	{ ">", "compare", "<" },
	{ "<=", "compare", ">=" },
	{ ">=", "compare", "<=" },
	{ "<", "off by one", "<=" },
	{ "<=", "off by one", "<" },
	{ ">", "off by one", ">=" },
	{ ">=", "off by one", ">" },
};

static void drop_operand(const struct source *s, TSNode n, const char *kept)
{
	TSNode operand = field(n, kept);
	struct buf b = { 0 };

	buf_printf(&b, "%.*s", length_of(operand), start_of(s, operand));
	print(s, "drop", n, b.p);
	buf_free(&b);
}

static void turn_operator(const struct source *s, TSNode n)
{
	if (!is_type(n, "binary_expression"))
		return;
	TSNode operator= field(n, "operator");
	for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
		if (is_text(s, operator, turns[i].operator))
			print(s, turns[i].kind, operator, turns[i].other);
	if (!is_text(s, operator, "&&") && !is_text(s, operator, "||"))
		return;
	drop_operand(s, n, "left");
	drop_operand(s, n, "right");
}

static void shift_number(const struct source *s, TSNode n)
{
	static const char *const sizes[] = { "array_declarator", "case_statement", "enumerator",
		"bitfield_clause" };
	char digits[24];
	char *end;

	if (!is_type(n, "number_literal") || length_of(n) >= (int)sizeof digits)
		return;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (is_type(ts_node_parent(n), sizes[i]))
			return;
	snprintf(digits, sizeof digits, "%.*s", length_of(n), start_of(s, n));
	unsigned long long value = strtoull(digits, &end, 0);
	if (*end)
		return;
	snprintf(digits, sizeof digits, "%llu", value + 1);
	print(s, "off by one", n, digits);
}

/* ---- calls ---- */

/* Calls without an effect that a test can see; a * at the end stands for anything. */
static const char *const unseen[] = { "log_*", "assert", "va_start", "va_end",
	"pthread_mutex_destroy", "pthread_cond_destroy", "pthread_rwlock_destroy",
	"pthread_attr_destroy", "pthread_condattr_destroy", "static_assert", "die", NULL };
/* Words in names of functions that give something back. */
static const char *const cleanups[] = { "*free", "*close", "*closedir", "*unlock", "*release",
	"*delete", "*unref", "*destroy", "*finalize", "*rollback", "*fini", "*cleanup", "*unlink",
	"*munmap", "*call_end", "*args_end", "*registry_*end", "*db_*end", NULL };

static bool matches(const char *name, const char *pattern)
{
	size_t n = strlen(pattern), length = strlen(name);

	if (pattern[n - 1] == '*')
		return !strncmp(name, pattern, n - 1);
	if (*pattern == '*')
		return length >= n - 1 && !strcmp(name + length - (n - 1), pattern + 1);
	return !strcmp(name, pattern);
}

static bool is_among(const char *name, const char *const *patterns)
{
	while (*patterns)
		if (matches(name, *patterns++))
			return true;
	return false;
}

static void name_of_call(const struct source *s, TSNode call, char *name, size_t size)
{
	TSNode function = field(call, "function");

	if (is_type(function, "field_expression"))
		function = field(function, "field");
	snprintf(name, size, "%.*s", length_of(function), start_of(s, function));
}

static bool is_unseen(const struct source *s, TSNode call)
{
	char name[128];

	name_of_call(s, call, name, sizeof name);
	return is_among(name, unseen);
}

static void skip_call(const struct source *s, TSNode statement)
{
	TSNode call = ts_node_named_child(statement, 0);
	char name[128];

	if (!is_type(statement, "expression_statement") || !is_type(call, "call_expression"))
		return;
	name_of_call(s, call, name, sizeof name);
	if (is_among(name, unseen))
		return;
	print(s, is_among(name, cleanups) ? "cleanup" : "skip", statement, ";");
}

static void swap_arguments(const struct source *s, TSNode call)
{
	TSNode arguments = field(call, "arguments");

	if (!is_type(call, "call_expression"))
		return;
	for (uint32_t i = 0; i + 1 < ts_node_named_child_count(arguments); i++) {
		TSNode a = ts_node_named_child(arguments, i), b = ts_node_named_child(arguments, i + 1);
		struct buf text = { 0 };
		if (same_text(s, a, b) || is_type(a, "comment") || is_type(b, "comment"))
			continue;
		buf_printf(&text, "%.*s, %.*s", length_of(b), start_of(s, b), length_of(a), start_of(s, a));
		print_between(s, "swap", a, b, text.p);
		buf_free(&text);
	}
}

/* ---- the walk ---- */

static void walk_function(const struct source *s, TSNode n)
{
	if (is_type(n, "call_expression") && is_unseen(s, n))
		return;
	turn_condition(s, n);
	turn_operator(s, n);
	shift_number(s, n);
	skip_call(s, n);
	swap_arguments(s, n);
	for (uint32_t i = 0; i < ts_node_named_child_count(n); i++)
		walk_function(s, ts_node_named_child(n, i));
}

/* The name is the innermost declarator. */
static void name_function(struct source *s, TSNode definition)
{
	TSNode n = field(definition, "declarator");

	while (!ts_node_is_null(field(n, "declarator")))
		n = field(n, "declarator");
	snprintf(s->function, sizeof s->function, "%.*s", length_of(n), start_of(s, n));
	s->function_line = ts_node_start_point(n).row + 1;
}

static void walk_file(struct source *s, TSNode n)
{
	if (is_type(n, "function_definition")) {
		name_function(s, n);
		walk_function(s, field(n, "body"));
		return;
	}
	for (uint32_t i = 0; i < ts_node_named_child_count(n); i++)
		walk_file(s, ts_node_named_child(n, i));
}

static int read_file(const char *path, struct buf *text)
{
	char block[65536];
	size_t n;
	FILE *f = fopen(path, "rb");

	if (!f)
		return -1;
	while ((n = fread(block, 1, sizeof block, f)) > 0)
		buf_put(text, block, n);
	fclose(f);
	return 0;
}

int main(int argc, char **argv)
{
	TSParser *parser = ts_parser_new();

	if (!ts_parser_set_language(parser, tree_sitter_c()))
		return 1;
	for (int i = 1; i < argc; i++) {
		struct buf text = { 0 };
		if (read_file(argv[i], &text)) {
			fprintf(stderr, "mutation_points: cannot read %s\n", argv[i]);
			return 1;
		}
		struct source s = { .path = argv[i], .text = text.p, .n = text.n };
		TSTree *tree = ts_parser_parse_string(parser, NULL, text.p, (uint32_t)text.n);
		walk_file(&s, ts_tree_root_node(tree));
		ts_tree_delete(tree);
		buf_free(&text);
	}
	ts_parser_delete(parser);
	return 0;
}
