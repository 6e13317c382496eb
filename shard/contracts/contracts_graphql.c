#include "shard/contracts/contracts_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "shard/contracts/paths/route_syntax.h"
#include "shard/program/program.h"

/*
 * What queries of `emits: graphql.*` capture: a field `Type.name`, a root `Query=Type`, a base or
 * part `Type<Base` (bind_handlers_graphql.c).
 */

enum { LONGEST = 200, BUDGET = 4000 };

/* The sign between the two names of a fact. */
static const struct { const char *side; char sign; } signs[] = {
	{ "resolves", '.' }, { "defines", '.' }, { "states", '.' }, { "roots", '=' },
	    { "extends", '<' },
};

static char sign_of(const struct framework *f)
{
	for (size_t i = 0; i < LEN(signs); i++)
		if (!strcmp(signs[i].side, f->side))
			return signs[i].sign;
	return 0;
}

bool framework_is_graphql(const struct framework *f)
{
	return !strcmp(f->kind, "graphql") && sign_of(f);
}

/* ---- names ---- */

static bool is_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_')
			return false;
	return true;
}

/* A node's text without the quotes and signs around it; of a dotted name, only the last part. */
static const char *word_of(const struct syntax_tree *t, TSNode n, struct arena *a)
{
	const char *s = t->text + node_start_byte(n), *end = s + node_len(n);

	while (s < end && !isalnum((unsigned char)*s) && *s != '_')
		s++;
	while (end > s && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
		end--;
	const char *name = s;
	for (; s < end; s++) {
		if (strchr(".:\\", *s))
			name = s + 1;
	}
	size_t len = (size_t)(end - name);
	if (len >= LONGEST)
		len = 0;
	return arena_strn(a, name, len);
}

/* The name that a match gives a field; NULL: it is unknown, or not a name. */
static const char *name_of(struct fact_builder *c, const struct framework_match *p, TSNode n)
{
	const char *s;

	if (p->word)
		s = word_of(c->in->t, n, c->a);
	else
		s = expression_text(&c->ask, (struct expression){ c->in, n, NULL });
	if (p->style)
		s = route_syntax_convert(p->style, s, c->a);
	if (is_name(s))
		return s;
	return NULL;
}

static const char *type_of(struct fact_builder *c, const struct framework_match *p)
{
	if (p->prefix)
		return p->prefix;
	if (has(p, ROLE_CLASS))
		return word_of(c->in->t, p->node[ROLE_CLASS], c->a);
	return "";
}

/* ---- facts ---- */

static struct fact fact_at(
    struct fact_builder *c, struct contract_file *in, TSNode at, const char *type, const char *name)
{
	struct fact f = { .side = c->fw->side,
		.kind = c->fw->kind,
		.framework = c->fw->name,
		.method = "GRAPHQL",
		.scope = c->fw->scope,
		.path = arena_printf(c->a, "%s%c%s", type, sign_of(c->fw), name),
		.line = node_line(at),
		.end_line = node_line(at) };

	if (in->file)
		f.file = in->file->path;
	return f;
}

struct each_key {
	struct fact_builder *c;
	const struct framework_match *spot;
	const char *type;
};

static void put_key(void *arg, struct expression key, struct expression value)
{
	struct each_key *x = arg;
	struct fact_builder *c = x->c;
	const char *name = word_of(key.in->t, key.n, c->a);
	struct contract_site s = { .node = key.n };

	if (isalpha((unsigned char)value.in->t->text[node_start_byte(value.n)]))
		s.handler = value.n;
	if (x->spot->style)
		name = route_syntax_convert(x->spot->style, name, c->a);
	if (!is_name(name))
		return;
	struct fact f = fact_at(c, key.in, key.n, x->type, name);
	f.symbol = site_symbol(key.in, &s, NULL);
	fact_builder_put(c, &f);
}

/* All matches of a site together: an explicit name counts more than the function's own. */
static void put_site(struct fact_builder *c, size_t first)
{
	const struct framework_match *by = NULL;
	const char *name = NULL;
	struct contract_site s = { .node = c->spots->v[first].node[ROLE_SITE] };

	for (size_t i = first; i < c->spots->n; i++) {
		const struct framework_match *p = &c->spots->v[i];
		if (!has(p, ROLE_SITE) || !ts_node_eq(p->node[ROLE_SITE], s.node))
			continue;
		const char *given = NULL;
		if (has(p, ROLE_PATH))
			given = name_of(c, p, p->node[ROLE_PATH]);
		if (given && (!name || by->word)) {
			name = given;
			by = p;
		}
		if (has(p, ROLE_HANDLER))
			s.handler = p->node[ROLE_HANDLER];
	}
	if (!name)
		return;
	TSNode at = s.handler;
	if (ts_node_is_null(at))
		at = s.node;
	struct fact f = fact_at(c, c->in, at, type_of(c, by), name);
	f.symbol = site_symbol(c->in, &s, NULL);
	fact_builder_put(c, &f);
}

/* Whether each key of an object is a field. */
static bool is_map(const struct framework_match *p)
{
	return has(p, ROLE_OPTIONS) && !has(p, ROLE_PATH) && !p->keys[ROLE_PATH];
}

void graphql_make_facts(struct fact_builder *c)
{
	for (size_t i = 0; i < c->spots->n; i++) {
		const struct framework_match *p = &c->spots->v[i];
		c->ask.home = c->in;
		c->ask.around = p->node[ROLE_SITE];
		c->ask.budget = BUDGET;
		c->ask.depth = 0;
		if (!has(p, ROLE_SITE))
			continue;
		if (is_map(p)) {
			struct each_key x = { c, p, type_of(c, p) };
			literal_each_member(
			    &c->ask, (struct expression){ c->in, p->node[ROLE_OPTIONS], NULL }, put_key, &x, 0);
			continue;
		}
		if (!site_composed(c->spots, i))
			put_site(c, i);
	}
	c->open |= c->ask.unknown;
}
