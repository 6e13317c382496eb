#include "shard/contracts/grpc_sites.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/frameworks/framework.h"
#include "shard/definitions/definitions.h"
#include "shard/facts/facts.h"
#include "shard/syntax/syntax_tree.h"
#include "shard/syntax/tree_query.h"

enum { MOST_SITES = 2000, LONGEST = 300 };

struct grpc_site_collector {
	struct syntax_tree *t;
	const struct found_definitions *found;
	bool serves;
	struct local *v;
	size_t n, cap;
};

/*
 * An expression of names, members and calls as facts.h writes it: this.a(x).b is self.a().b.  NULL:
 * it is something else.
 */
static const char *expression(const struct syntax_tree *t, TSNode n)
{
	const char *s = t->text + node_start_byte(n), *end = s + node_len(n);
	struct buf b = { 0 };
	int deep = 0;

	for (; s < end && b.n < LONGEST; s++) {
		deep -= *s == ')';
		if (!deep && !isspace((unsigned char)*s) && *s != '!' && *s != '?')
			buf_byte(&b, *s);
		deep += *s == '(';
	}
	buf_byte(&b, 0);
	char *out;
	if (b.n > 5 && !memcmp(b.p, "this.", 5))
		out = arena_printf(t->arena, "self%s", b.p + 4);
	else
		out = arena_str(t->arena, b.p);
	buf_free(&b);
	if (out[strspn(out, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.()")])
		return NULL;
	return out;
}

static bool is_string(const struct syntax_tree *t, TSNode n)
{
	return strchr("'\"`", t->text[node_start_byte(n)]) != NULL;
}

/* A name, without the quotes around it. */
static const char *plain(const struct syntax_tree *t, TSNode n)
{
	uint32_t quotes = is_string(t, n) && node_len(n) > 1;

	return arena_strn(t->arena, t->text + node_start_byte(n) + quotes, node_len(n) - 2 * quotes);
}

/*
 * The function of this file that a name or `Type.name.bind(this)` means, by its last name; -1 if
 * there is none.
 */
static int function_named(const struct grpc_site_collector *s, TSNode n)
{
	const char *text = expression(s->t, n);

	if (!text)
		return -1;
	const char *call = strstr(text, ".bind(");
	if (call)
		text = arena_strn(s->t->arena, text, (size_t)(call - text));
	else if (strchr(text, '('))
		return -1;
	const char *last = strrchr(text, '.');
	if (last)
		last++;
	else
		last = text;
	for (size_t i = 0; i < s->found->n; i++)
		if (s->found->v[i].def.signature && !strcmp(s->found->v[i].def.name, last))
			return (int)i;
	return -1;
}

/* The innermost definition around a byte. */
static int around(const struct grpc_site_collector *s, uint32_t at)
{
	int found = -1;

	for (size_t i = 0; i < s->found->n && s->found->v[i].def.start_byte <= at; i++)
		if (at < s->found->v[i].def.end_byte && s->found->v[i].def.signature)
			found = (int)i;
	return found;
}

/* The name of a generated client's service: Users of Users or UsersDefinition. */
static const char *client_service(const char *text, struct arena *a)
{
	const char *end = strstr(text, "Definition");
	size_t n = strlen(text);

	if (end && !end[10])
		n = (size_t)(end - text);
	return arena_printf(a, "/%.*s", (int)n, text);
}

static void name_service(const struct grpc_site_collector *s, TSNode n, struct local *x)
{
	if (is_string(s->t, n)) {
		x->type = arena_printf(s->t->arena, "/%s", plain(s->t, n));
		return;
	}
	const char *text = expression(s->t, n);
	if (!text)
		return;
	const char *dot = strrchr(text, '.');
	if (dot && !strcmp(dot, ".service"))
		text = arena_strn(s->t->arena, text, (size_t)(dot - text));
	if (s->serves)
		x->value = text;
	else if (!strchr(text, '.') && isupper((unsigned char)*text))
		x->type = client_service(text, s->t->arena);
	else
		x->value = arena_printf(s->t->arena, "%s!", text);
}

static void add(struct grpc_site_collector *s, const struct local *x)
{
	if ((!x->value && !x->type) || s->n == MOST_SITES)
		return;
	s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = *x;
}

/* One handler: where its function is, or where it is registered. */
static void add_handler(struct grpc_site_collector *s, const TSNode *node)
{
	TSNode name = node[ROLE_METHOD];
	int function = -1;

	if (ts_node_is_null(name))
		name = node[ROLE_HANDLER];
	if (!ts_node_is_null(node[ROLE_HANDLER]))
		function = function_named(s, node[ROLE_HANDLER]);
	struct local x = { .name = arena_printf(s->t->arena, "//%s", plain(s->t, name)) };
	if (function < 0) {
		x.definition = around(s, node_start_byte(name));
		x.line = node_line(name);
	} else {
		x.definition = function;
		x.line = s->found->v[function].def.start_line;
	}
	name_service(s, node[ROLE_PATH], &x);
	add(s, &x);
}

static void add_object(struct grpc_site_collector *s, const TSNode *node)
{
	const char *made = expression(s->t, node[ROLE_OBJECT]);
	struct local x = { .name = arena_printf(s->t->arena, "//"),
		.definition = around(s, node_start_byte(node[ROLE_SITE])),
		.line = node_line(node[ROLE_SITE]),
		.type = made };

	name_service(s, node[ROLE_PATH], &x);
	if (made && x.value)
		add(s, &x);
}

static void add_stub(struct grpc_site_collector *s, const TSNode *node)
{
	struct local x = { .name = expression(s->t, node[ROLE_BIND]),
		.definition = around(s, node_start_byte(node[ROLE_BIND])),
		.line = node_line(node[ROLE_BIND]) };

	name_service(s, node[ROLE_PATH], &x);
	if (x.name)
		add(s, &x);
}

static int collect(void *arg, const struct query *q, const TSQueryMatch *m)
{
	struct grpc_site_collector *s = arg;
	TSNode node[NROLES] = { 0 };

	for (uint16_t i = 0; i < m->capture_count; i++) {
		const char *name = query_capture(q, m->captures[i].index);
		for (size_t k = 0; k < NROLES; k++)
			if (!strcmp(name, roles[k]))
				node[k] = m->captures[i].node;
	}
	if (ts_node_is_null(node[ROLE_PATH]))
		return 0;
	if (!s->serves)
		add_stub(s, node);
	else if (ts_node_is_null(node[ROLE_OBJECT]))
		add_handler(s, node);
	else
		add_object(s, node);
	return 0;
}

void grpc_sites(const struct framework *f, struct syntax_tree *t,
    const struct found_definitions *found, struct facts *out)
{
	struct grpc_site_collector s = {
		.t = t, .found = found, .serves = !strcmp(f->side, "provides")
	};

	query_each(f->query, t, collect, &s);
	facts_append_locals(out, s.v, s.n, t->arena);
	free(s.v);
}
