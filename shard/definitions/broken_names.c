#include "shard/definitions/definitions_internal.h"

#include <stdlib.h>

#include "shard/syntax/tree_nodes.h"

/* What was read of a definition's head before the next child of the error. */
struct broken_head {
	struct definition_walk *w;
	const char *kind;	/* that the word before begins; NULL: there is none */
	TSNode name;		/* the name right before; null: there is none */
};

static bool has_ending(const char *text, const char *ending)
{
	size_t n = strlen(text), end = strlen(ending);

	return n >= end && !strcmp(text + n - end, ending);
}

/* Whether the text of the node is a word of the language, which an error may turn into a name. */
static bool is_keyword(const struct syntax_tree *t, TSNode n)
{
	const char *text = t->text + node_start_byte(n);

	return ts_language_symbol_for_name(t->rules->grammar, text, node_len(n), false);
}

/* Whether the node is a name by its type: `identifier`, `type_identifier`, `simple_identifier`. */
static bool is_name(TSNode n)
{
	const char *type = ts_node_type(n);

	if (!ts_node_is_named(n) || ts_node_child_count(n) || !node_len(n))
		return false;
	return has_ending(type, "identifier") || type_in_list(type, "name|word|constant");
}

/* Whether a node may stand between a name and its parameters, or anywhere. */
static bool is_between(TSNode n)
{
	return ts_node_is_extra(n) || strstr(ts_node_type(n), "type_parameter");
}

static void add_name(struct definition_walk *w, const char *kind, TSNode name)
{
	if (!is_keyword(w->t, name))
		definitions_add_minor(w, kind, name, name);
}

static bool read_child(void *arg, TSNode n, TSFieldId field)
{
	struct broken_head *head = arg;
	TSSymbol symbol = ts_node_symbol(n);
	const char *kind = NULL;

	(void)field;
	if (is_between(n))
		return true;
	if (symbol < head->w->t->rules->nsymbols)
		kind = head->w->t->rules->broken[symbol];
	if (is_name(n)) {
		if (head->kind)
			add_name(head->w, head->kind, n);
		head->kind = NULL;
		head->name = n;
		return true;
	}
	if (kind && ts_node_is_named(n) && !ts_node_is_null(head->name))
		add_name(head->w, kind, head->name);
	head->name = (TSNode){ 0 };
	head->kind = NULL;
	if (kind && !ts_node_is_named(n))
		head->kind = kind;
	return true;
}

void definitions_add_broken(struct definition_walk *w, TSNode error)
{
	struct broken_head head = { .w = w };

	nodes_children(error, read_child, &head);
	w->broken = true;
}

static int by_place(const void *a, const void *b)
{
	const struct minor_name *x = a, *y = b;

	if (x->start_byte != y->start_byte)
		return (x->start_byte > y->start_byte) - (x->start_byte < y->start_byte);
	return strcmp(x->name, y->name);
}

void definitions_order_broken(struct definition_walk *w)
{
	if (w->broken && w->out->minors.n)
		qsort(w->out->minors.v, w->out->minors.n, sizeof *w->out->minors.v, by_place);
}
