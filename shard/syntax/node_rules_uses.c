/* The rows of nodes.tab for uses: expressions, types, locals, imports, bases. */
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"
#include "shard/facts/facts.h"
#include "shard/syntax/node_rules_internal.h"

/* The position of `word` in `names`, or -1 with the line's error. */
static int op_find(const struct rule_line *l, const char *const *names, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], word))
			return (int)i;
	return rule_line_error(l, "no such operation", word);
}

/*
 * Append a rule to the list that begins at `first` of a node type; a list reached over two names
 * of a type has it once.
 */
#define APPEND(name, type, first) \
	static void name(struct node_rule *rule, void *added) \
	{ \
		struct type **at = &rule->first; \
		while (*at && *at != added) \
			at = &(*at)->next; \
		*at = added; \
	}
APPEND(add_expr, expr_rule, exprs)
APPEND(append_local, local_rule, locals)
APPEND(add_import, import_rule, imports)
APPEND(add_part, import_rule, parts)
APPEND(add_base, base_rule, bases)
APPEND(add_claim, claim_rule, claims)
APPEND(add_key, literal_key_rule, keys)

static bool same_path(const struct node_path *a, const struct node_path *b)
{
	if (a->n != b->n || a->chain != b->chain)
		return false;
	for (int i = 0; i < a->n; i++)
		if (strcmp(a->step[i].type, b->step[i].type))
			return false;
	return true;
}

static bool same_condition(const struct condition *a, const struct condition *b)
{
	if (a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++) {
		if (a->test[i].kind != b->test[i].kind)
			return false;
		if (!same_path(&a->test[i].at, &b->test[i].at))
			return false;
		if (!texts_equal(a->test[i].among, b->test[i].among))
			return false;
	}
	return true;
}

/*
 * Rows for one node type often differ only in the paths of names and have the same condition, which
 * then is evaluated once.
 */
static void add_local(struct node_rule *rule, void *added)
{
	struct local_rule *r = added, *last = rule->locals;

	while (last && last->next)
		last = last->next;
	append_local(rule, r);
	r->again = last && last != r && same_condition(&last->when, &r->when);
}

static void set_type(struct node_rule *rule, void *type)
{
	rule->type = type;
}

static void set_pattern(struct node_rule *rule, void *pattern)
{
	rule->pattern = pattern;
}

static void set_returns(struct node_rule *rule, void *path)
{
	rule->returns = path;
}

static void set_returns_else(struct node_rule *rule, void *path)
{
	rule->returns_else = path;
}

static void set_package(struct node_rule *rule, void *path)
{
	rule->package = path;
}

/* expr NODE OP option... */
static int row_expr(struct rule_line *l)
{
	static const char *const ops[] = { "name", "member", "call", "new", "index", "inner", "cast",
		"sum" };
	struct expr_rule *x = arena_one(l->r->arena, struct expr_rule);
	const struct row_option options[] = {
		{ "object", OPTION_PATH, &x->object },
		{ "name", OPTION_PATH, &x->name },
		{ "function", OPTION_PATH, &x->function },
		{ "arguments", OPTION_PATH, &x->arguments },
		{ "type", OPTION_PATH, &x->type },
		{ "of", OPTION_PATH, &x->of },
		{ "with", OPTION_PATH, &x->with },
		{ "calls", OPTION_FLAG, &x->calls },
		{ "gives", OPTION_FLAG, &x->gives },
	};

	if (l->n < 3)
		return rule_line_error(l, "too short", "expr NODE OP option...");
	int op = op_find(l, ops, LEN(ops), l->word[2]);
	if (op < 0 || rule_options_read(l, 3, options, LEN(options), &x->when))
		return -1;
	x->op = (enum expr_op)op;
	return rules_each_symbol(l, l->word[1], add_expr, x);
}

/* type NODE OP option... */
static int row_type(struct rule_line *l)
{
	static const char *const ops[] = { "name", "generic", "make", "inner", "union", "text", "none",
		"member", "absent" };
	struct type_rule *t = arena_one(l->r->arena, struct type_rule);
	const struct row_option options[] = { { "of", OPTION_PATH, &t->of },
		{ "name", OPTION_PATH, &t->of }, { "object", OPTION_PATH, &t->object },
		{ "arguments", OPTION_PATH, &t->arguments } };

	if (l->n < 3)
		return rule_line_error(l, "too short", "type NODE OP option...");
	int op = op_find(l, ops, LEN(ops), l->word[2]);
	if (op < 0)
		return -1;
	t->op = (enum type_op)op;
	if (t->op != TYPE_MAKE) {
		if (rule_options_read(l, 3, options, LEN(options), NULL))
			return -1;
		return rules_each_symbol(l, l->word[1], set_type, t);
	}
	if (l->n < 5 || l->n > 6)
		return rule_line_error(l, "not a row", "type NODE make WORD PATH [PATH]");
	t->word = arena_str(l->r->arena, l->word[3]);
	for (int i = 4; i < l->n; i++)
		if (node_path_read(l, l->word[i], &t->part[t->nparts++]))
			return -1;
	return rules_each_symbol(l, l->word[1], set_type, t);
}

/* local NODE option... */
static int row_local(struct rule_line *l)
{
	struct local_rule *r = arena_one(l->r->arena, struct local_rule);
	const struct row_option options[] = {
		{ "name", OPTION_PATH, &r->name },
		{ "type", OPTION_PATH, &r->type },
		{ "value", OPTION_PATH, &r->value },
		{ "per", OPTION_PATH, &r->per },
		{ "new", OPTION_PATH, &r->made },
		{ "parameter", OPTION_FLAG, &r->parameter },
		{ "first", OPTION_FLAG, &r->first },
		{ "assign", OPTION_FLAG, &r->assign },
		{ "element", OPTION_COUNT, &r->element },
		{ "rest", OPTION_FLAG, &r->rest },
		{ "inside", OPTION_FLAG, &r->inside },
		{ "generic", OPTION_FLAG, &r->generic },
		{ "receiver", OPTION_FLAG, &r->receiver },
		{ "block", OPTION_FLAG, &r->block },
		{ "notlast", OPTION_TEXT, &r->notlast },
		{ "unnamed", OPTION_FLAG, &r->unnamed },
		{ "export", OPTION_FLAG, &r->exported },
	};

	if (l->n < 3)
		return rule_line_error(l, "too short", "local NODE option...");
	if (rule_options_read(l, 2, options, LEN(options), &r->when))
		return -1;
	return rules_each_symbol(l, l->word[1], add_local, r);
}

static void add_within(struct node_rule *rule, void *added)
{
	struct within_rule *r = added, **last = &rule->within;

	while (*last)
		last = &(*last)->next;
	*last = r;
}

/* within NODE option... */
static int row_within(struct rule_line *l)
{
	struct within_rule *r = arena_one(l->r->arena, struct within_rule);
	const struct row_option options[] = { { "of", OPTION_PATH, &r->of },
		{ "inside", OPTION_PATH, &r->inside }, { "block", OPTION_FLAG, &r->block } };

	if (l->n < 3)
		return rule_line_error(l, "too short", "within NODE option...");
	if (rule_options_read(l, 2, options, LEN(options), &r->when))
		return -1;
	l->r->withins = true;
	return rules_each_symbol(l, l->word[1], add_within, r);
}

/* key NODE option... */
static int row_key(struct rule_line *l)
{
	struct literal_key_rule *r = arena_one(l->r->arena, struct literal_key_rule);
	const struct row_option options[] = { { "name", OPTION_PATH, &r->name },
		{ "of", OPTION_PATH, &r->of }, { "element", OPTION_FLAG, &r->element } };

	if (l->n < 4)
		return rule_line_error(l, "too short", "key NODE option...");
	if (rule_options_read(l, 2, options, LEN(options), &r->when))
		return -1;
	return rules_each_symbol(l, l->word[1], add_key, r);
}

/* The number of words in a `pattern` row. */
static int pattern_words(enum pattern_op op)
{
	switch (op) {
	case PATTERN_PAIR: return 5;
	case PATTERN_INNER:
	case PATTERN_REST: return 4;
	default: return 3;
	}
}

/* pattern NODE OP [PATH [PATH]] */
static int row_pattern(struct rule_line *l)
{
	static const char *const ops[] = { "list", "elements", "object", "pair", "inner", "name",
		"rest" };
	struct pattern_rule *p = arena_one(l->r->arena, struct pattern_rule);

	if (l->n < 3)
		return rule_line_error(l, "too short", "pattern NODE OP");
	int op = op_find(l, ops, LEN(ops), l->word[2]);
	if (op < 0)
		return -1;
	p->op = (enum pattern_op)op;
	if (l->n != pattern_words(p->op))
		return rule_line_error(l, "not a row", "pattern NODE OP, pair KEY NAME, inner|rest PATH");
	if (p->op == PATTERN_PAIR && node_path_read(l, l->word[3], &p->key))
		return -1;
	if (l->n > 3 && node_path_read(l, l->word[l->n - 1], &p->name))
		return -1;
	return rules_each_symbol(l, l->word[1], set_pattern, p);
}

static int import_read(struct rule_line *l, void (*add)(struct node_rule *, void *))
{
	struct import_rule *r = arena_one(l->r->arena, struct import_rule);
	const struct row_option options[] = {
		{ "module", OPTION_PATH, &r->module },
		{ "path", OPTION_PATH, &r->path },
		{ "name", OPTION_PATH, &r->name },
		{ "alias", OPTION_PATH, &r->alias },
		{ "prefix", OPTION_PATH, &r->prefix },
		{ "again", OPTION_PATH, &r->again_if },
		{ "again", OPTION_FLAG, &r->again },
		{ "all", OPTION_FLAG, &r->all },
		{ "include", OPTION_FLAG, &r->include },
		{ "split", OPTION_FLAG, &r->split },
		{ "value", OPTION_FLAG, &r->value },
		{ "default", OPTION_FLAG, &r->first_name },
		{ "whole", OPTION_FLAG, &r->whole },
	};

	if (l->n < 2)
		return rule_line_error(l, "too short", l->word[0]);
	if (rule_options_read(l, 2, options, LEN(options), &r->when))
		return -1;
	return rules_each_symbol(l, l->word[1], add, r);
}

static int row_import(struct rule_line *l)
{
	return import_read(l, add_import);
}

static int row_part(struct rule_line *l)
{
	return import_read(l, add_part);
}

/* base NODE PATH HOW option... */
static int row_base(struct rule_line *l)
{
	static const char *const hows[] = {
		[BASE_EXTENDS] = "extends", [BASE_IMPLEMENTS] = "implements", [BASE_EITHER] = "either"
	};
	struct base_rule *b = arena_one(l->r->arena, struct base_rule);
	const struct row_option options[] = { { "owner", OPTION_PATH, &b->owner } };

	if (l->n < 4)
		return rule_line_error(l, "too short", "base NODE PATH HOW");
	b->relation = op_find(l, hows, LEN(hows), l->word[3]);
	if (b->relation < 0 || node_path_read(l, l->word[2], &b->at))
		return -1;
	if (rule_options_read(l, 4, options, LEN(options), &b->when))
		return -1;
	return rules_each_symbol(l, l->word[1], add_base, b);
}

/* NODE[/PATH]...: claim the nodes there. */
static int claims_read(struct rule_line *l, enum claim claim)
{
	for (int i = 1; i < l->n; i++) {
		struct claim_rule *c = arena_one(l->r->arena, struct claim_rule);
		char here[] = ".", *path = here, *slash = strchr(l->word[i], '/');
		if (slash) {
			*slash = '\0';
			path = slash + 1;
		}
		c->claim = claim;
		if (node_path_read(l, path, &c->at))
			return -1;
		if (rules_each_symbol(l, l->word[i], add_claim, c))
			return -1;
	}
	return 0;
}

static int row_types(struct rule_line *l)
{
	return claims_read(l, CLAIM_TYPE);
}

static int row_skip(struct rule_line *l)
{
	return claims_read(l, CLAIM_SKIP);
}

static int row_upper(struct rule_line *l)
{
	return claims_read(l, CLAIM_UPPER);
}

static int row_path(struct rule_line *l, void (*set)(struct node_rule *, void *))
{
	struct node_path *p = arena_one(l->r->arena, struct node_path);

	if (l->n != 3)
		return rule_line_error(l, "not a row: NODE PATH", l->word[0]);
	if (node_path_read(l, l->word[2], p))
		return -1;
	return rules_each_symbol(l, l->word[1], set, p);
}

/* returns NODE PATH [PATH] */
static int row_returns(struct rule_line *l)
{
	struct node_path *otherwise = arena_one(l->r->arena, struct node_path);

	if (l->n == 4) {
		if (node_path_read(l, l->word[3], otherwise) ||
		    rules_each_symbol(l, l->word[1], set_returns_else, otherwise))
			return -1;
		l->n--;
	}
	return row_path(l, set_returns);
}

static int row_package(struct rule_line *l)
{
	return row_path(l, set_package);
}

int row_uses(struct rule_line *l)
{
	static const struct {
		const char *name;
		int (*read)(struct rule_line *);
	} rows[] = {
		{ "expr", row_expr },
		{ "type", row_type },
		{ "types", row_types },
		{ "skip", row_skip },
		{ "upper", row_upper },
		{ "local", row_local },
		{ "within", row_within },
		{ "key", row_key },
		{ "pattern", row_pattern },
		{ "returns", row_returns },
		{ "import", row_import },
		{ "part", row_part },
		{ "base", row_base },
		{ "package", row_package },
	};

	for (size_t i = 0; i < LEN(rows); i++)
		if (!strcmp(rows[i].name, l->word[0]))
			return rows[i].read(l) ? -1 : 1;
	if (!strcmp(l->word[0], "broken"))
		return row_broken(l) ? -1 : 1;
	return 0;
}
