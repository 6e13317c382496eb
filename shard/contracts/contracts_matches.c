#include "shard/contracts/contracts_internal.h"

#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/parse_budget.h"

enum { QUERY_MS = 10000 };

struct contracts *contracts_new(const struct rules *r, struct err *e)
{
	struct contracts *c = xcalloc(1, sizeof *c);

	c->arena = arena_new();
	if (!frameworks_load(r, c->arena, &c->all, e))
		return c;
	contracts_free(c);
	return NULL;
}

void contracts_free(struct contracts *c)
{
	if (!c)
		return;
	for (struct framework *f = c->all.first; f; f = f->next)
		query_free(f->query);
	arena_free(c->arena);
	free(c);
}

/*
 * Read the members of an options object whose keys the pattern assigns to roles.  Members that are
 * not in this file are left for later.
 */
static void options_read(
    const struct syntax_tree *t, const struct query *q, uint32_t pattern, struct framework_match *h)
{
	static const struct { const char *key; enum role is; } known[] = {
		{ "path", ROLE_PATH }, { "verb", ROLE_METHOD }, { "base", ROLE_BASE },
		    { "handler", ROLE_HANDLER },
		{ "prefixed", ROLE_PREFIX }, { "versioned", ROLE_VERSION },
	};

	bool changed = has(h, ROLE_OPTIONS) && object_is_changed(t, h->node[ROLE_OPTIONS]);
	for (size_t i = 0; i < LEN(known) && has(h, ROLE_OPTIONS); i++) {
		const char *keys = query_property(q, pattern, known[i].key);
		if (!keys || !ts_node_is_null(h->node[known[i].is]))
			continue;
		if (!changed)
			h->node[known[i].is] = object_field(t, h->node[ROLE_OPTIONS], keys);
		if (ts_node_is_null(h->node[known[i].is]))
			h->keys[known[i].is] = keys;
	}
}

struct match_collector {
	struct framework_matches *spots;
	const struct syntax_tree *t;
};

/* The site of a chain of calls is its start.  False: the chain is of another object. */
static bool find_chain_start(
    const struct syntax_tree *t, const struct query *q, uint32_t pattern, struct framework_match *h)
{
	const char *makers = query_property(q, pattern, "chain");

	if (!makers || !has(h, ROLE_SITE))
		return true;
	h->node[ROLE_SITE] = chain_start(t, h->node[ROLE_SITE], makers);
	return has(h, ROLE_SITE);
}

/* Whether the node is a comment among the arguments of a call, which no query means. */
static bool is_comment_of_call(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = NULL;

	if (!ts_node_is_null(n) && ts_node_is_extra(n))
		r = rules_of(t->rules, n);
	if (!r || !(r->marks & MARK_COMMENT))
		return false;
	return strstr(ts_node_type(ts_node_parent(n)), "argument") != NULL;
}

/* The node that a capture means: `(arguments . (_) @path)` captures a comment before the path. */
static TSNode captured_node(const struct syntax_tree *t, TSNode n)
{
	while (is_comment_of_call(t, n))
		n = ts_node_next_named_sibling(n);
	return n;
}

static int collect(void *arg, const struct query *q, const TSQueryMatch *m)
{
	struct match_collector *c = arg;
	struct framework_matches *s = c->spots;
	uint32_t p = m->pattern_index;
	struct framework_match h = { .method = query_property(q, p, "method"),
		.fallback = query_property(q, p, "default"),
		.style = query_property(q, p, "style"),
		.anyone = query_property(q, p, "anyone"),
		.absolute = query_property(q, p, "absolute"),
		.bare = query_property(q, p, "bare"),
		.open = query_property(q, p, "open"),
		.prefix = query_property(q, p, "prefix"),
		.append = query_property(q, p, "append"),
		.word = query_property(q, p, "word"),
		.setting = query_property(q, p, "setting"),
		.otherwise = query_property(q, p, "otherwise"),
		.action = query_property(q, p, "action"),
		.answers = query_property(q, p, "class"),
		.replaces = query_property(q, p, "replaces"),
		.global = query_property(q, p, "global"),
		.derived = query_property(q, p, "derived"),
		.counts = query_property(q, p, "counts"),
		.typed = query_property(q, p, "typed"),
		.called = query_property(q, p, "called"),
		.changes = query_property(q, p, "changes"),
		.only = query_property(q, p, "only"),
		.composed = query_property(q, p, "composed"),
		.methods = query_property(q, p, "methods"),
		.template = query_property(q, p, "template"),
		.continues = query_property(q, p, "continues"),
		.sure = query_property(q, p, "sure"),
		.mounted = query_property(q, p, "mounted"),
		.passed = query_property(q, p, "passed"),
		.module = query_property(q, p, "module"),
		.invokes = query_property(q, p, "invokes") };

	for (uint16_t i = 0; i < m->capture_count; i++) {
		const char *name = query_capture(q, m->captures[i].index);
		for (size_t k = 0; k < NROLES; k++)
			if (!strcmp(name, roles[k]) && ts_node_is_null(h.node[k]))
				h.node[k] = captured_node(c->t, m->captures[i].node);
	}
	if (!find_chain_start(c->t, q, p, &h))
		return 0;
	options_read(c->t, q, p, &h);
	s->binds |= binds_object(&h);
	s->types |= h.typed != NULL;
	s->v = grow(s->v, &s->cap, s->n + 1, sizeof h);
	s->v[s->n++] = h;
	return 0;
}

bool framework_compile_once(struct framework *f, struct parse_budget *effort)
{
	struct err e = { 0 };
	uint64_t aside = parse_budget_pause();
	int rc = framework_compile(f, &e);

	parse_budget_resume(effort, aside);
	if (!rc)
		return true;
	if (e.code)
		log_error("contracts.query_invalid", "framework=%s message=%s", log_quote(f->name),
		    log_quote(e.msg));
	return false;
}

struct framework_matches *framework_find_matches(
    struct contract_file *in, const struct framework *fw)
{
	struct framework_matches *s;

	for (s = in->spots; s; s = s->next)
		if (framework_is_same(s->fw, fw))
			return s;
	s = arena_one(in->t->arena, struct framework_matches);
	*s = (struct framework_matches){ .fw = fw, .next = in->spots };
	in->spots = s;
	if (in->file)
		parse_budget_begin(in->t->effort, in->t->n, QUERY_MS);
	for (struct framework *f = contracts_frameworks(in->frameworks, in->t); f; f = f->next)
		if (framework_is_same(f, fw) && framework_compile_once(f, in->t->effort)) {
			query_each(f->query, in->t, collect, &(struct match_collector){ s, in->t });
			s->global |= f->global;
			s->intercepts |= f->intercepts;
		}
	return s;
}

void framework_matches_free(struct framework_matches *s)
{
	for (; s; s = s->next)
		free(s->v);
}

int contracts_check(struct contracts *c, struct err *e)
{
	for (struct framework *f = c->all.first; f; f = f->next)
		if (framework_compile(f, e))
			return -1;
	return 0;
}

struct framework *contracts_frameworks(struct contracts *k, const struct syntax_tree *t)
{
	if (t && t->depth > TREE_MAX_DEPTH)
		return NULL;
	return k->all.first;
}

bool contracts_detect(struct contracts *k, const struct syntax_tree *t)
{
	bool any = false;

	frameworks_detect(&k->all, t);
	for (const struct framework *f = k->all.first; f && !any; f = f->next)
		any = k->all.needed[f->number];
	return any;
}
