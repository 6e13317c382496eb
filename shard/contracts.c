#include "shard/contracts.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "shard/definitions.h"
#include "shard/framework.h"
#include "shard/query.h"
#include "shard/rules.h"
#include "shard/tree.h"
#include "shard/urls.h"

enum { MAX_RAW = 200, MAX_FACTS = 5000, MAX_TWINS = 64, MAX_GROUPS = 4 };

struct contracts {
	struct arena *arena;
	struct framework *first;
};

/* One match of a framework's query. */
struct spot {
	TSNode node[NROLES];
	const char *method;	/* set by the pattern; NULL */
	const char *fallback;	/* method when no match of the same site has one; NULL */
	const char *style;	/* how the path is written; NULL: as it is */
	const char *anyone;	/* not NULL: the object need not be bound */
	const char *bare;	/* not NULL: a site without a path is one with the empty path */
};

/* What all matches of one site say together: every method with every path. */
struct site {
	TSNode node, object, handler;
	TSNode path[16];
	const char *method[10];
	int npaths, nmethods;
	const char *style;
	bool anyone, bare;
	bool said;		/* a method stands there ... */
	bool unknown;		/* ... that cannot be known here */
};

struct compose {
	const struct framework *fw;
	struct tree *t;
	const struct found_list *found;
	struct facts *out;
	struct spot *spot;
	size_t nspots, spots_cap;
	size_t facts_cap;
};

struct contracts *contracts_new(const struct rules *r, struct err *e)
{
	struct contracts *c = calloc(1, sizeof *c);

	if (!c)
		abort();
	c->arena = arena_new();
	if (!frameworks_load(r, c->arena, &c->first, e))
		return c;
	contracts_free(c);
	return NULL;
}

void contracts_free(struct contracts *c)
{
	if (!c)
		return;
	for (struct framework *f = c->first; f; f = f->next)
		query_free(f->query);
	arena_free(c->arena);
	free(c);
}

static int collect(void *arg, const struct query *q, const TSQueryMatch *m)
{
	struct compose *c = arg;
	struct spot h = { .method = query_property(q, m->pattern_index, "method"),
		.fallback = query_property(q, m->pattern_index, "default"),
		.style = query_property(q, m->pattern_index, "style"),
		.anyone = query_property(q, m->pattern_index, "anyone"),
		.bare = query_property(q, m->pattern_index, "bare") };

	for (uint16_t i = 0; i < m->capture_count; i++) {
		const char *name = query_capture(q, m->captures[i].index);
		for (size_t k = 0; k < NROLES; k++)
			if (!strcmp(name, roles[k]) && ts_node_is_null(h.node[k]))
				h.node[k] = m->captures[i].node;
	}
	c->spot = grow(c->spot, &c->spots_cap, c->nspots + 1, sizeof h);
	c->spot[c->nspots++] = h;
	return 0;
}

static bool has(const struct spot *h, enum role r)
{
	return !ts_node_is_null(h->node[r]);
}

/* The text of a name without `this.` or `self.`. */
static const char *own_name(const struct tree *t, TSNode n, size_t *len)
{
	const char *s = t->text + node_from(n);
	bool own = node_len(n) > 5 && (!memcmp(s, "this.", 5) || !memcmp(s, "self.", 5));

	*len = node_len(n) - (own ? 5 : 0);
	return s + (own ? 5 : 0);
}

static bool same_name(const struct tree *t, TSNode a, TSNode b)
{
	size_t n, m;
	const char *x = own_name(t, a, &n), *y = own_name(t, b, &m);

	return n == m && !memcmp(x, y, n);
}

/* Whether what is called is one of the things that the framework makes. */
static bool bound(const struct compose *c, const struct site *s)
{
	if (ts_node_is_null(s->object) || s->anyone)
		return true;
	for (size_t i = 0; i < c->nspots; i++)
		if (has(&c->spot[i], BIND) && same_name(c->t, c->spot[i].node[BIND], s->object))
			return true;
	return false;
}

/* Whether the site is inside what `p` gives a prefix to. */
static bool prefixes(const struct compose *c, const struct spot *p, const struct site *s)
{
	if (!has(p, PREFIX) || has(p, SITE))
		return false;
	if (has(p, SCOPE))
		return node_from(p->node[SCOPE]) <= node_from(s->node) && node_to(s->node) <= node_to(p->node[SCOPE]);
	return has(p, BIND) && !ts_node_is_null(s->object) && same_name(c->t, p->node[BIND], s->object);
}

static const char *const verbs[] = { "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
	"ANY" };

/* A verb out of `get`, `RequestMethod.POST`, `http.MethodPut`, `PatchMapping`, `del`, `all`; NULL: none. */
static const char *verb(const char *s)
{
	const char *dot = strrchr(s, '.');
	size_t n;

	s = dot ? dot + 1 : s;
	if (!strncmp(s, "Method", 6))
		s += 6;
	n = strlen(s);
	if (n > 7 && !strcmp(s + n - 7, "Mapping"))
		n -= 7;
	if (!strcasecmp(s, "all"))
		return "ANY";
	if (!strcasecmp(s, "del"))
		return "DELETE";
	for (size_t i = 0; i < LEN(verbs); i++)
		if (strlen(verbs[i]) == n && !strncasecmp(verbs[i], s, n))
			return verbs[i];
	return NULL;
}

/* Add the method that a spot says to those of its site. */
static void method_add(const struct compose *c, const struct spot *h, struct site *s)
{
	struct buf b = { 0 };
	struct url_steps steps = { 0 };
	const char *found = h->method;

	if (has(h, METHOD)) {
		buf_put(&b, c->t->text + node_from(h->node[METHOD]), node_len(h->node[METHOD]));
		found = verb(b.p ? b.p : "");
		if (!found) {
			b.n = 0;
			url_text(c->t, h->node[METHOD], &b, &steps);
			found = b.n ? verb(b.p) : NULL;
			s->unknown |= !found;
		}
		s->said = true;
	}
	for (int i = 0; found && i < s->nmethods; i++)
		if (!strcmp(s->method[i], found))
			found = NULL;
	if (found && s->nmethods < (int)LEN(s->method))
		s->method[s->nmethods++] = found;
	buf_free(&b);
	free(steps.v);
}

/* Gather all that the matches from `first` on say of one site. */
static void site_read(const struct compose *c, size_t first, struct site *s)
{
	const char *fallback = NULL;

	for (size_t i = first; i < c->nspots; i++) {
		const struct spot *h = &c->spot[i];
		if (!has(h, SITE) || !ts_node_eq(h->node[SITE], c->spot[first].node[SITE]))
			continue;
		s->anyone |= h->anyone != NULL;
		s->bare |= h->bare != NULL;
		s->style = h->style ? h->style : s->style;
		fallback = h->fallback ? h->fallback : fallback;
		if (has(h, OBJECT))
			s->object = h->node[OBJECT];
		if (has(h, HANDLER))
			s->handler = h->node[HANDLER];
		if (has(h, PATH) && s->npaths < (int)LEN(s->path))
			s->path[s->npaths++] = h->node[PATH];
		method_add(c, h, s);
	}
	if (!s->nmethods && fallback && !s->said)
		s->method[s->nmethods++] = fallback;
	if (!s->nmethods && s->unknown)
		s->method[s->nmethods++] = "ANY";
}

/* The innermost definition around a byte, or NULL; callables before what is in them. */
static const char *enclosing(const struct compose *c, uint32_t at)
{
	const struct found *best = NULL;

	for (size_t i = 0; i < c->found->n; i++) {
		const struct found *f = &c->found->v[i];
		if (f->def.start_byte > at)
			break;
		if (at < f->def.end_byte && (f->def.signature || !best || !best->def.signature))
			best = f;
	}
	return best ? best->def.qualified : NULL;
}

/* A handler by name: the definition of this file that has it, else the name as written. */
static const char *handler(const struct compose *c, TSNode n)
{
	const struct tree *t = c->t;
	const char *name;

	for (uint32_t i = node_from(n); i < node_to(n); i++)
		if (!isalnum((unsigned char)t->text[i]) && !strchr("_$.", t->text[i]))
			return NULL;
	name = arena_strn(t->arena, t->text + node_from(n), node_len(n));
	const char *last = strrchr(name, '.') ? strrchr(name, '.') + 1 : name;
	for (size_t i = 0; i < c->found->n; i++) {
		const struct found *f = &c->found->v[i];
		if (f->def.signature && !strcmp(f->def.name, last) &&
		    (f->def.start_byte == node_from(n) || last == name || f->def.parent >= 0 || strchr(f->def.qualified, '.')))
			return f->def.qualified;
	}
	return name;
}

/* The definition that a name stands in as its own name (a decorated function, an annotated method), or NULL. */
static const char *named_by(const struct compose *c, TSNode n)
{
	const char *s = NULL;

	for (size_t i = 0; i < c->found->n; i++) {
		const struct definition *d = &c->found->v[i].def;
		if (d->signature && d->start_byte <= node_from(n) && node_to(n) <= d->end_byte && node_is(c->t, n, d->name))
			s = d->qualified;
	}
	return s;
}

static const char *symbol_of(const struct compose *c, const struct site *s)
{
	const char *name = NULL;

	if (!ts_node_is_null(s->handler) && !(name = named_by(c, s->handler)))
		name = handler(c, s->handler);
	return name ? name : enclosing(c, node_from(s->node));
}

/* Whether `text` can be a route; a map's key or a setting's name cannot. */
static bool rooted(const char *text)
{
	return !*text || *text == '/' || *text == '*' || (!strncmp(text, "{}", 2) && text[2]);
}

/* ServeMux: `[METHOD ][HOST]/path`, where a slash at the end means everything below. */
static const char *mux_pattern(struct compose *c, const char *text, struct fact *f)
{
	const char *space = strchr(text, ' '), *slash;

	if (space) {
		f->method = verb(arena_strn(c->t->arena, text, (size_t)(space - text)));
		text = space + 1 + strspn(space + 1, " ");
	}
	slash = strchr(text, '/');
	if (!f->method || !slash)
		return NULL;
	size_t n = strlen(slash);
	return slash[n - 1] == '/' ? arena_printf(c->t->arena, "%s{rest...}", slash) : slash;
}

static bool provide(struct compose *c, const struct site *s, const char *prefix, const char *text, struct fact *f)
{
	if (s->style && !strcmp(s->style, "mux")) {
		text = mux_pattern(c, text, f);
		if (!text)
			return false;
	} else if (s->style && !strcmp(s->style, "loose")) {
		text = arena_printf(c->t->arena, "%s%s", *text && *text != '/' ? "/" : "", text);
	} else if (s->style && !strcmp(s->style, "prefix")) {
		text = arena_printf(c->t->arena, "%s*", text);
	}
	if (!rooted(text))
		return false;
	if (!strncmp(text, "{}/", 3) && !*prefix) {
		text += 2;
		f->reason = "dynamic";
	}
	f->path = url_path(arena_printf(c->t->arena, "%s/%s", prefix, text), true, c->t->arena);
	return true;
}

static bool consume(struct compose *c, const char *prefix, const char *text, struct fact *f)
{
	bool absolute = strstr(text, "://") || !*prefix;

	if (!absolute)
		text = arena_printf(c->t->arena, "%s%s%s", prefix, *text && *text != '/' ? "/" : "", text);
	if (!strncmp(text, "data:", 5) || !strncmp(text, "blob:", 5) || !strncmp(text, "file:", 5))
		return false;
	if (!url_split(text, c->t->arena, &f->host, &f->path))
		f->reason = "dynamic";
	return true;
}

static const char *raw_of(const struct tree *t, TSNode n)
{
	uint32_t len = node_len(n);

	return arena_strn(t->arena, t->text + node_from(n), len > MAX_RAW ? MAX_RAW : len);
}

static void put(struct compose *c, const struct fact *f)
{
	if (c->out->contracts.n >= MAX_FACTS)
		return;
	for (size_t i = c->out->contracts.n, seen = 0; i-- && seen++ < MAX_TWINS;) {
		const struct fact *o = &c->out->contracts.v[i];
		if (o->line == f->line && o->side == f->side && !strcmp(o->method, f->method) && !strcmp(o->path, f->path))
			return;
	}
	c->out->contracts.v = grow(c->out->contracts.v, &c->facts_cap, c->out->contracts.n + 1, sizeof *f);
	c->out->contracts.v[c->out->contracts.n++] = *f;
}

/* Append a prefix, after the one of what it was itself made from (a group of a group). */
static void prefix_text(const struct compose *c, const struct spot *p, int depth, struct buf *out,
    struct url_steps *steps)
{
	for (size_t i = 0; i < c->nspots && depth < MAX_GROUPS && has(p, OBJECT); i++) {
		const struct spot *q = &c->spot[i];
		if (q != p && has(q, PREFIX) && has(q, BIND) && same_name(c->t, q->node[BIND], p->node[OBJECT])) {
			prefix_text(c, q, depth + 1, out, steps);
			buf_byte(out, '/');
			break;
		}
	}
	url_text(c->t, p->node[PREFIX], out, steps);
}

/* A fact for each method of the site, at this path, below the prefix that `p`, if any, gives. */
static void emit(struct compose *c, const struct site *s, TSNode path, const struct spot *p)
{
	struct url_steps steps = { 0 };
	struct buf text = { 0 }, prefix = { 0 };
	struct tree *t = c->t;
	bool provides = !strcmp(c->fw->side, "provides");

	if (p)
		prefix_text(c, p, 0, &prefix, &steps);
	if (!ts_node_is_null(path))
		url_text(t, path, &text, &steps);
	buf_str(&text, "");
	buf_str(&prefix, "");
	for (int i = 0; i < s->nmethods; i++) {
		struct fact f = { .side = c->fw->side, .kind = c->fw->kind, .framework = c->fw->name,
			.method = s->method[i], .line = node_line(s->node),
			.end_line = ts_node_end_point(s->node).row + 1, .symbol = symbol_of(c, s),
			.raw = ts_node_is_null(path) ? NULL : raw_of(t, path),
			.reason = s->unknown ? "dynamic" : NULL };
		if (!(provides ? provide(c, s, prefix.p, text.p, &f) : consume(c, prefix.p, text.p, &f)))
			continue;
		f.steps.v = arena_many(t->arena, steps.n, struct step);
		f.steps.n = steps.n;
		if (steps.n)
			memcpy(f.steps.v, steps.v, steps.n * sizeof *steps.v);
		put(c, &f);
	}
	free(steps.v);
	buf_free(&text);
	buf_free(&prefix);
}

static void compose_site(struct compose *c, const struct site *s)
{
	int npaths = s->npaths ? s->npaths : s->bare;
	bool prefixed = false;

	for (size_t k = 0; k < c->nspots; k++)
		for (int i = 0; i < npaths && prefixes(c, &c->spot[k], s); i++) {
			emit(c, s, s->path[i], &c->spot[k]);
			prefixed = true;
		}
	for (int i = 0; i < npaths && !prefixed; i++)
		emit(c, s, s->path[i], NULL);
}

/* Whether an earlier match has the same site, which then was composed with it. */
static bool composed(const struct compose *c, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (has(&c->spot[k], SITE) && ts_node_eq(c->spot[k].node[SITE], c->spot[i].node[SITE]))
			return true;
	return false;
}

static void compose_all(struct compose *c)
{
	for (size_t i = 0; i < c->nspots; i++) {
		struct site s = { .node = c->spot[i].node[SITE] };
		if (!has(&c->spot[i], SITE) || composed(c, i))
			continue;
		site_read(c, i, &s);
		if (bound(c, &s))
			compose_site(c, &s);
	}
}

static int by_line(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
	int path = x->line == y->line ? strcmp(x->path, y->path) : 0;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return path ? path : strcmp(x->method, y->method);
}

/* A query that does not compile is a mistake in this program: said once, and its framework is not seen. */
static bool compiled(struct framework *f)
{
	struct err e = { 0 };

	if (!framework_compile(f, &e))
		return true;
	if (e.code)
		log_error("contracts.query", "framework=%s message=%s", log_quote(f->name), log_quote(e.msg));
	return false;
}

int contracts_check(struct contracts *c, struct err *e)
{
	for (struct framework *f = c->first; f; f = f->next)
		if (framework_compile(f, e))
			return -1;
	return 0;
}

void contracts_find(struct contracts *k, struct tree *t, const struct found_list *found, struct facts *out)
{
	struct compose c = { .t = t, .found = found, .out = out };

	for (struct framework *f = t->depth > TREE_DEEP ? NULL : k->first; f; f = f->next) {
		if (f->again || !framework_needed(f, t))
			continue;
		c.fw = f;
		c.nspots = 0;
		for (struct framework *g = f; g; g = g->next)
			if (framework_twins(f, g) && compiled(g))
				query_each(g->query, t, collect, &c);
		compose_all(&c);
	}
	free(c.spot);
	struct fact *v = out->contracts.v;
	out->contracts.v = arena_many(t->arena, out->contracts.n, struct fact);
	if (out->contracts.n)
		memcpy(out->contracts.v, v, out->contracts.n * sizeof *v);
	free(v);
	/* The framework's own strings end with this thread's queries, perhaps before the facts are written. */
	for (size_t i = 0; i < out->contracts.n; i++) {
		struct fact *f = &out->contracts.v[i];
		f->side = arena_str(t->arena, f->side);
		f->kind = arena_str(t->arena, f->kind);
		f->framework = arena_str(t->arena, f->framework);
		f->method = arena_str(t->arena, f->method);
	}
	if (out->contracts.n)
		qsort(out->contracts.v, out->contracts.n, sizeof *v, by_line);
}
