#include "shard/syntax/node_rules.h"

#include "shard/syntax/tree_nodes.h"

/* Matches the rules against nodes: paths, conditions and lists of words. */

bool type_in_list(const char *type, const char *types)
{
	size_t n = strlen(type);

	for (const char *s = types; s;) {
		if (!strncmp(s, type, n) && (s[n] == '|' || !s[n]))
			return true;
		s = strchr(s, '|');
		if (s)
			s++;
	}
	return false;
}

bool node_path_step_matches(const struct node_path *p, int step, TSFieldId field, TSNode child)
{
	if (p->step[step].field && (field == p->step[step].field || !p->step[step].node))
		return field == p->step[step].field && ts_node_is_named(child);
	if (p->step[step].kind == STEP_ANY)
		return ts_node_is_named(child) && !ts_node_is_extra(child);
	TSSymbol symbol = ts_node_symbol(child);
	return symbol && (symbol == p->step[step].symbol || symbol == p->step[step].word);
}

bool word_set_has(const struct word_set *w, const char *s, size_t n)
{
	for (size_t i = 0; i < w->n; i++) {
		if (n && *w->v[i] != *s)	/* most words begin with another letter */
			continue;
		if (!strncmp(w->v[i], s, n) && !w->v[i][n])
			return true;
	}
	return false;
}

/* Whether the type of a node is among those of a test.  ERROR is not a symbol of the grammar. */
static bool has_type(const struct condition *c, int i, const struct syntax_tree *t, TSNode at)
{
	TSSymbol symbol = ts_node_symbol(at);

	if (symbol < t->rules->nsymbols)
		return c->test[i].symbol[symbol];
	return type_in_list(ts_node_type(at), c->test[i].among);
}

static bool test_holds(const struct condition *c, int i, const struct syntax_tree *t, TSNode at)
{
	bool there = !ts_node_is_null(at);

	switch (c->test[i].kind) {
	case TEST_THERE: return there;
	case TEST_ABSENT: return !there;
	case TEST_TYPE: return there && has_type(c, i, t, at);
	case TEST_NOT_TYPE: return !there || !has_type(c, i, t, at);
	case TEST_TEXT:
		return there &&
		    word_set_has(&c->test[i].texts, t->text + node_start_byte(at), node_len(at));
	case TEST_NOT_TEXT:
		return there &&
		    !word_set_has(&c->test[i].texts, t->text + node_start_byte(at), node_len(at));
	}
	return false;
}

bool condition_holds(const struct condition *c, const struct syntax_tree *t, TSNode n)
{
	for (int i = 0; i < c->n; i++)
		if (!test_holds(c, i, t, node_path_get(&c->test[i].at, n)))
			return false;
	return true;
}

const struct expr_rule *rules_expr(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);
	const struct expr_rule *x = NULL;

	if (r)
		x = r->exprs;
	while (x && !condition_holds(&x->when, t, n))
		x = x->next;
	return x;
}

/* The nth named child; -1 is the last, -2 the one before it. */
static TSNode nth_child(TSNode n, int nth)
{
	enum { FEW = 16 };
	TSNode child[FEW];
	uint32_t count = nodes_named(n, child, FEW), seen = 0;

	if (nth < 0 && count > FEW)
		return ts_node_named_child(n, count + (uint32_t)nth);
	if (nth < 0 && count >= (uint32_t)-nth)
		return child[count + (uint32_t)nth];
	if (nth < 0)
		return (TSNode){ 0 };
	for (uint32_t i = 0; i < count && i < FEW; i++)
		if (!ts_node_is_extra(child[i]) && ++seen == (uint32_t)nth)
			return child[i];
	return (TSNode){ 0 };
}

/* Searches the first children for one that a step names. */
struct child_search {
	const struct node_path *path;
	int step, left;
	TSNode found;
};

static bool match_child(void *arg, TSNode n, TSFieldId field)
{
	struct child_search *w = arg;
	const struct node_path *p = w->path;
	TSSymbol wanted = p->step[w->step].token;

	(void)field;
	if (!wanted)
		wanted = p->step[w->step].symbol;
	if (wanted && ts_node_symbol(n) == wanted)
		w->found = n;
	return ts_node_is_null(w->found) && --w->left > 0;
}

static TSNode step_get(const struct node_path *p, int i, TSNode n)
{
	if (p->step[i].field) {
		TSNode at = nodes_field(n, p->step[i].field);
		if (!ts_node_is_null(at) || !p->step[i].node)
			return at;
	}
	if (p->step[i].nth)
		return nth_child(n, p->step[i].nth);
	if (p->step[i].kind >= STEP_SELF) {
		if (p->step[i].kind == STEP_SELF)
			return n;
		return node_parent(n);
	}
	struct child_search w = { .step = i, .path = p, .left = 32 };
	nodes_children(n, match_child, &w);
	return w.found;
}

TSNode node_path_get(const struct node_path *p, TSNode n)
{
	if (!p->n)
		return (TSNode){ 0 };
	for (int i = 0; i < p->n && !ts_node_is_null(n); i++)
		n = step_get(p, i, n);
	return n;
}

TSNode node_returned(const struct node_rule *r, TSNode n)
{
	if (!r->returns)
		return (TSNode){ 0 };
	TSNode value = node_path_get(r->returns, n);
	if (ts_node_is_null(value) && r->returns_else)
		return node_path_get(r->returns_else, n);
	return value;
}

/* Collects all nodes at the end of a path. */
struct node_collector {
	const struct node_path *path;
	TSNode *out;
	size_t n, max;
};

struct collector_step {
	struct node_collector *to;
	int step;
};

static void collect_from(struct node_collector *, int step, TSNode);

static bool collect_child(void *arg, TSNode n, TSFieldId field)
{
	struct collector_step *g = arg;

	if (node_path_step_matches(g->to->path, g->step, field, n))
		collect_from(g->to, g->step + 1, n);
	return g->to->n < g->to->max;
}

static void collect_from(struct node_collector *x, int i, TSNode n)
{
	const struct node_path *p = x->path;

	if (i == p->n) {
		if (x->n < x->max)
			x->out[x->n++] = n;
		return;
	}
	if (p->step[i].nth || p->step[i].kind >= STEP_SELF) {
		n = step_get(p, i, n);
		if (!ts_node_is_null(n))
			collect_from(x, i + 1, n);
		return;
	}
	nodes_children(n, collect_child, &(struct collector_step){ x, i });
}

size_t node_path_all(const struct node_path *p, TSNode n, TSNode *out, size_t max)
{
	struct node_collector x = { p, out, 0, max };

	if (p->n && max)
		collect_from(&x, 0, n);
	return x.n;
}

/* Only declarators: `~A` and `operator""_x` contain one name, too, but are names themselves. */
static bool is_declarator(TSNode n)
{
	static const char suffix[] = "_declarator";
	size_t len = strlen(ts_node_type(n));

	return len >= sizeof suffix && !strcmp(ts_node_type(n) + len + 1 - sizeof suffix, suffix);
}

TSNode node_path_follow(const struct node_path *p, TSNode n, TSNode *holder)
{
	enum { MAX_CHAIN = 12 };

	for (int i = 0; i < MAX_CHAIN && p->chain; i++) {
		TSNode next = step_get(p, p->n - 1, n);
		if (ts_node_is_null(next) && ts_node_named_child_count(n) == 1 && is_declarator(n))
			next = ts_node_named_child(n, 0);
		if (ts_node_is_null(next))
			break;
		*holder = n;
		n = next;
	}
	return n;
}
