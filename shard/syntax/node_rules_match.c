#include "shard/syntax/node_rules.h"

#include "shard/syntax/tree_nodes.h"

/* What the rules say of a node: paths, conditions and lists of words. */

bool type_among(const char *type, const char *types)
{
	size_t n = strlen(type);

	for (const char *s = types; s; s = strchr(s, '|') ? strchr(s, '|') + 1 : NULL)
		if (!strncmp(s, type, n) && (s[n] == '|' || !s[n]))
			return true;
	return false;
}

bool path_step_is(const struct path *p, int step, TSFieldId field, TSNode child)
{
	if (p->step[step].field && (field == p->step[step].field || !p->step[step].node))
		return field == p->step[step].field && ts_node_is_named(child);
	if (p->step[step].kind == STEP_ANY)
		return ts_node_is_named(child) && !ts_node_is_extra(child);
	TSSymbol symbol = ts_node_symbol(child);
	return symbol && (symbol == p->step[step].symbol || symbol == p->step[step].word);
}

bool words_have(const struct words *w, const char *s, size_t n)
{
	for (size_t i = 0; i < w->n; i++)
		if ((!n || *w->v[i] == *s) && !strncmp(w->v[i], s, n) && !w->v[i][n])	/* the letter: most begin with another */
			return true;
	return false;
}

static bool test_holds(const struct condition *c, int i, const struct tree *t, TSNode at)
{
	const char *among = c->test[i].among;
	bool there = !ts_node_is_null(at);
	TSSymbol symbol = there && c->test[i].symbol ? ts_node_symbol(at) : 0;

	switch (c->test[i].kind) {
	case TEST_THERE: return there;
	case TEST_ABSENT: return !there;
	case TEST_TYPE: return there && (symbol < t->rules->nsymbols ? c->test[i].symbol[symbol] : type_among(ts_node_type(at), among));
	case TEST_NOT_TYPE: return !there || !(symbol < t->rules->nsymbols ? c->test[i].symbol[symbol] : type_among(ts_node_type(at), among));
	case TEST_TEXT: return there && words_have(&c->test[i].texts, t->text + node_from(at), node_len(at));
	}
	return false;
}

bool condition_holds(const struct condition *c, const struct tree *t, TSNode n)
{
	for (int i = 0; i < c->n; i++)
		if (!test_holds(c, i, t, path_get(&c->test[i].at, n)))
			return false;
	return true;
}

const struct expr_rule *rules_expr(const struct tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);
	const struct expr_rule *x = r ? r->exprs : NULL;

	while (x && !condition_holds(&x->when, t, n))
		x = x->next;
	return x;
}

/* The nth named child, -1: the last, -2: the one before it. */
static TSNode nth_child(TSNode n, int nth)
{
	enum { FEW = 16 };
	TSNode child[FEW];
	uint32_t count = nodes_named(n, child, FEW), seen = 0;

	if (nth < 0 && count > FEW)
		return ts_node_named_child(n, count + (uint32_t)nth);
	if (nth < 0)
		return count >= (uint32_t)-nth ? child[count + (uint32_t)nth] : (TSNode){ 0 };
	for (uint32_t i = 0; i < count && i < FEW; i++)
		if (!ts_node_is_extra(child[i]) && ++seen == (uint32_t)nth)
			return child[i];
	return (TSNode){ 0 };
}

/* The first of the next few children that a step speaks of. */
struct wanted {
	const struct path *path;
	int step, left;
	TSNode found;
};

static bool see_wanted(void *arg, TSNode n, TSFieldId field)
{
	struct wanted *w = arg;
	const struct path *p = w->path;

	(void)field;
	TSSymbol wanted = p->step[w->step].token ? p->step[w->step].token : p->step[w->step].symbol;
	if (wanted && ts_node_symbol(n) == wanted)
		w->found = n;
	return ts_node_is_null(w->found) && --w->left > 0;
}

static TSNode step_get(const struct path *p, int i, TSNode n)
{
	TSNode at = p->step[i].field ? nodes_field(n, p->step[i].field) : (TSNode){ 0 };

	if (p->step[i].field && (!ts_node_is_null(at) || !p->step[i].node))
		return at;
	if (p->step[i].nth)
		return nth_child(n, p->step[i].nth);
	if (p->step[i].kind >= STEP_SELF)
		return p->step[i].kind == STEP_SELF ? n : ts_node_parent(n);
	struct wanted w = { .step = i, .path = p, .left = 32 };
	nodes_children(n, see_wanted, &w);
	return w.found;
}

TSNode path_get(const struct path *p, TSNode n)
{
	if (!p->n)
		return (TSNode){ 0 };
	for (int i = 0; i < p->n && !ts_node_is_null(n); i++)
		n = step_get(p, i, n);
	return n;
}

/* All nodes to which the path leads from a step on. */
struct gathered {
	const struct path *path;
	TSNode *out;
	size_t n, max;
};

struct gathering {
	struct gathered *to;
	int step;
};

static void all_from(struct gathered *, int step, TSNode);

static bool see_child(void *arg, TSNode n, TSFieldId field)
{
	struct gathering *g = arg;

	if (path_step_is(g->to->path, g->step, field, n))
		all_from(g->to, g->step + 1, n);
	return g->to->n < g->to->max;
}

static void all_from(struct gathered *x, int i, TSNode n)
{
	const struct path *p = x->path;

	if (i == p->n) {
		if (x->n < x->max)
			x->out[x->n++] = n;
		return;
	}
	if (p->step[i].nth || p->step[i].kind >= STEP_SELF) {
		n = step_get(p, i, n);
		if (!ts_node_is_null(n))
			all_from(x, i + 1, n);
		return;
	}
	nodes_children(n, see_child, &(struct gathering){ x, i });
}

size_t path_all(const struct path *p, TSNode n, TSNode *out, size_t max)
{
	struct gathered x = { p, out, 0, max };

	if (p->n && max)
		all_from(&x, 0, n);
	return x.n;
}

/* `~A` and `operator""_x` hold one name, too, but are one. */
static bool is_declarator(TSNode n)
{
	static const char suffix[] = "_declarator";
	size_t len = strlen(ts_node_type(n));

	return len >= sizeof suffix && !strcmp(ts_node_type(n) + len + 1 - sizeof suffix, suffix);
}

TSNode path_follow(const struct path *p, TSNode n, TSNode *holder)
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
