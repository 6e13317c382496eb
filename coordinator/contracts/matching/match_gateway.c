#include "coordinator/contracts/matching/match_gateway.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"

enum { HOPS = 3, PARTS = 10, EXACT = 1000 };

struct gateway_row {
	size_t member;
	const struct fact *fact;
	/* letters of its template before the first hole, more when it ends without a rest */
	size_t fixed;
	struct gateway_row *next;	/* of its first segment, of its public host */
};

struct gateway_index {
	struct gateway_row *rows;	/* by member */
	size_t n, *first;	/* of each member, and behind the last */
	/* struct gateway_row, by the first segment; those that begin with a hole are not there */
	struct map *by_segment;
	struct map *by_host;	/* struct gateway_host_row: `.example.com` for all below */
	size_t most;
};

struct gateway_host_row {
	const struct gateway_row *row;
	struct gateway_host_row *next;
};

/* ---- rewriting ---- */

static const char *expand_template(
    const char *to, const char *const part[PARTS], const char *rest, struct arena *a)
{
	struct buf b = { 0 };

	for (const char *s = to; *s; s++) {
		size_t k = 0;
		if (s[0] == '{' && isdigit((unsigned char)s[1]) && s[2] == '}')
			k = (size_t)(s[1] - '0');
		if (!strncmp(s, "{*}", 3))
			buf_str(&b, rest ? rest : "");
		else if (k)
			buf_str(&b, part[k] ? part[k] : "{}");
		else
			buf_byte(&b, *s);
		s += k || !strncmp(s, "{*}", 3) ? 2 : 0;
	}
	const char *out = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return out;
}

/* How much a `{}` takes: to the end of the segment, or to the text behind it. */
static size_t hole_length(const char *c, const char *after)
{
	size_t n = strcspn(c, "/?");

	if (!*after || *after == '/')
		return n;
	const char *at = memchr(c, *after, n);
	return at ? (size_t)(at - c) : 0;
}

const char *gateway_rewrite_path(const char *t, const char *to, const char *path, struct arena *a)
{
	const char *part[PARTS] = { 0 }, *rest = NULL, *c = arena_strn(a, path, strcspn(path, "?#"));
	size_t n = 0;

	path = c;
	for (; *t; t++, c++) {
		if (!strncmp(t, "{*}", 3) || (!strcmp(t, "/{*}") && !*c)) {
			rest = c;
			break;
		}
		if (t[0] == '{' && t[1] == '}') {
			size_t len = hole_length(c, t + 2);
			if (!len)
				return NULL;
			if (++n < PARTS)
				part[n] = arena_strn(a, c, len);
			c += len - 1;
			t++;
		} else if (tolower((unsigned char)*t) != tolower((unsigned char)*c)) {
			return NULL;	/* a hole, too: what stands there is not known */
		}
	}
	if (!rest && *c && strcmp(c, "/") && strcmp(c, "{}"))	/* {}: perhaps a query */
		return NULL;
	if (to)
		return expand_template(to, part, rest, a);
	return path;
}

/* ---- the table ---- */

static size_t fixed_of(const char *t)
{
	return strcspn(t, "{") + (strstr(t, "{*}") ? 0 : EXACT);
}

static int by_specificity(const void *x, const void *y)
{
	const struct gateway_row *a = x, *b = y;
	const char *p[] = { a->fact->path, a->fact->host, a->fact->to ? a->fact->to : "",
		a->fact->at ? a->fact->at : "", a->fact->file };
	const char *q[] = { b->fact->path, b->fact->host, b->fact->to ? b->fact->to : "",
		b->fact->at ? b->fact->at : "", b->fact->file };
	int c = (a->member > b->member) - (a->member < b->member);

	if (!c)
		c = (a->fixed < b->fixed) - (a->fixed > b->fixed);
	for (size_t i = 0; i < LEN(p) && !c; i++)
		c = strcmp(p[i], q[i]);
	if (c)
		return c;
	return (a->fact->line > b->fact->line) - (a->fact->line < b->fact->line);
}

static void collect(struct gateway_index *g, const struct match_context *w)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct contracts_res *r = w->m[i].facts;
		for (size_t k = 0; r && k < r->facts.n; k++) {
			const struct fact *f = &r->facts.v[k];
			if (match_text_equal(f->side, "forwards") && match_text_equal(f->kind, "http") &&
			    f->path && f->host && f->file && *f->path == '/')
				g->rows[g->n++] = (struct gateway_row){ i, f, fixed_of(f->path), NULL };
		}
	}
	if (g->n)
		qsort(g->rows, g->n, sizeof *g->rows, by_specificity);
	for (size_t i = 0, k = 0; i <= w->n; i++) {
		while (k < g->n && g->rows[k].member < i)
			k++;
		g->first[i] = k;
	}
}

static const char *segment_of(const char *path, struct arena *a)
{
	size_t n = strcspn(path + 1, "/?#{");
	char *s = arena_strn(a, path + 1, n);

	for (char *c = s; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return s;
}

static void index_row(struct gateway_index *g, struct gateway_row *r, struct arena *a)
{
	const char *segment = segment_of(r->fact->path, a);

	if (*segment) {
		struct gateway_row **at = (struct gateway_row **)map_at(g->by_segment, segment);
		r->next = *at;
		*at = r;
	}
	for (const char *s = r->fact->at ? r->fact->at : ""; *s; s += strcspn(s, " "), s += *s == ' ') {
		struct gateway_host_row **at = (struct gateway_host_row **)map_at(
		    g->by_host, arena_strn(a, s + (*s == '*'), strcspn(s, " ") - (*s == '*')));
		struct gateway_host_row *h = arena_one(a, struct gateway_host_row);
		*h = (struct gateway_host_row){ r, *at };
		*at = h;
	}
}

struct gateway_index *gateway_index_new(const struct match_context *w)
{
	struct gateway_index *g = arena_one(w->a, struct gateway_index);
	size_t total = 0;

	for (size_t i = 0; i < w->n; i++)
		total += w->m[i].facts ? w->m[i].facts->facts.n : 0;
	*g = (struct gateway_index){ .rows = malloc((total + 1) * sizeof *g->rows), .first = arena_many(w->a, w->n + 1, size_t),
		.by_segment = map_new(), .by_host = map_new() };
	if (!g->rows)
		die("out of memory");
	collect(g, w);
	for (size_t i = g->n; i--;)
		index_row(g, &g->rows[i], w->a);
	return g;
}

bool gateway_index_has_rows(const struct gateway_index *g)
{
	return g->n > 0;
}

void gateway_index_free(struct gateway_index *g)
{
	if (!g)
		return;
	free(g->rows);
	map_free(g->by_segment);
	map_free(g->by_host);
}

/* ---- one call ---- */

/* What is found behind gateways. */
struct gateway_forwarding {
	const struct match_context *w;
	gateway_choose_fn *choose;
	struct match_target *v;
	size_t n, cap;
	bool known, external;	/* a row leads to a member that serves something, out into the world */
	const char *outside;
};

struct gateway_row_list {
	const struct gateway_row **v;
	size_t n, cap;
};

static void add_row(
    struct gateway_row_list *r, const struct gateway_row *row, const char *path, struct arena *a)
{
	if (!gateway_rewrite_path(row->fact->path, row->fact->to, path, a))
		return;
	r->v = grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
	r->v[r->n++] = row;
}

static int by_place(const void *x, const void *y)
{
	const struct gateway_row *a = *(const struct gateway_row *const *)x,
	                         *b = *(const struct gateway_row *const *)y;

	return (a > b) - (a < b);
}

/* The best rows of each gateway, in order: rows of a member are sorted by how special they are. */
static void keep_best(struct gateway_row_list *r)
{
	size_t k = 0;

	if (r->n)
		qsort(r->v, r->n, sizeof *r->v, by_place);
	for (size_t i = 0; i < r->n; i++)
		if (!k || r->v[k - 1]->member != r->v[i]->member ||
		    (r->v[k - 1]->fixed == r->v[i]->fixed && r->v[k - 1] != r->v[i]))
			r->v[k++] = r->v[i];
	r->n = k;
}

static void rows_of(const struct gateway_index *g, size_t member, const char *path,
    struct gateway_row_list *r, struct arena *a)
{
	for (size_t i = g->first[member]; i < g->first[member + 1]; i++)
		add_row(r, &g->rows[i], path, a);
}

/* Less is better: how much is guessed. */
static int guess_level(const struct match_rank *r)
{
	return (r->fit.weak > 0) * 8 + r->fit.level * 2 + r->fit.rest;
}

/* The best of two sets of targets; both when they are equally good. */
static void keep_best_targets(
    struct gateway_forwarding *x, struct call_site *d, const struct forward_hop *via)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		if (!d->v[i].rank.fit.rest || d->v[i].rank.fit.literals)
			d->v[n++] = d->v[i];
	int c = !n ? 1 : !x->n ? -1 : guess_level(&d->v[0].rank) - guess_level(&x->v[0].rank);
	if (c < 0)
		x->n = 0;
	for (size_t i = 0; i < n && c <= 0; i++) {
		bool known = false;
		for (size_t k = 0; k < x->n; k++)
			known |= x->v[k].p == d->v[i].p;
		if (known)
			continue;
		x->v = grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
		x->v[x->n] = d->v[i];
		x->v[x->n].rank.basis = MATCH_BY_GATEWAY;
		x->v[x->n].loose = d->host_class != HOST_MEMBER || d->host.loose;
		x->v[x->n++].via = via;
	}
	free(d->v);
}

/* The call as the target of a row has it. */
static struct call_site behind(const struct gateway_forwarding *x, const struct call_site *s,
    const struct gateway_row *row, const char *path)
{
	const struct match_context *w = x->w;
	struct fact *f = arena_one(w->a, struct fact);
	struct call_site d = {
		.member = s->member, .fact = f, .path = path_split(path, w->a), .sent = true
	};

	*f = *s->fact;
	f->path = path;
	f->host = row->fact->host;
	f->raw = row->fact->raw;
	f->steps.n = 0;
	d.host_class = host_index_find(w->hosts, f->host, &d.host, w->a);
	const char *raw = f->raw && strstr(f->raw, "://") ? strstr(f->raw, "://") + 3 : "";
	/* the name of an upstream, whose server is nobody here */
	if (d.host_class != HOST_MEMBER && *raw) {
		struct host_names h;
		if (host_index_find(w->hosts, arena_strn(w->a, raw, strcspn(raw, "/")), &h, w->a) ==
		    HOST_MEMBER) {
			d.host_class = HOST_MEMBER;
			d.host = h;
		}
	}
	if (d.host_class != HOST_MEMBER)
		host_index_find_hint(w->hosts, f, &d.hint, w->a);
	return d;
}

static void follow(struct gateway_forwarding *, const struct call_site *,
    const struct gateway_row_list *, const struct forward_hop *, int hop);

/* A member that is behind a gateway may be one itself. */
static void follow_member(struct gateway_forwarding *x, const struct call_site *d,
    const struct host_names *names, const struct forward_hop *via, int hop)
{
	struct gateway_row_list r = { 0 };

	for (size_t i = 0; i < names->n; i++)
		rows_of(x->w->gates, names->members[i], d->fact->path, &r, x->w->a);
	keep_best(&r);
	if (hop < HOPS)
		follow(x, d, &r, via, hop + 1);
	free(r.v);
}

static void follow_row(struct gateway_forwarding *x, const struct call_site *s,
    const struct gateway_row *row, const struct forward_hop *before, int hop)
{
	const char *path = gateway_rewrite_path(row->fact->path, row->fact->to, s->fact->path, x->w->a);
	struct call_site d = behind(x, s, row, path), same = behind(x, s, row, s->fact->path);
	const struct host_names *names = d.host_class == HOST_MEMBER ? &d.host : &d.hint;
	struct forward_hop *via = arena_one(x->w->a, struct forward_hop);
	size_t had = x->n;

	*via = (struct forward_hop){ row->member, row->fact, path, before };
	if (d.host_class == HOST_EXTERNAL && !names->n) {
		x->external = true;
		x->outside = d.host.name;
	}
	if (!names->n)
		return;
	for (size_t i = 0; i < names->n; i++)
		x->known |= x->w->serves[names->members[i]];
	x->choose(x->w, &d, names);
	bool exact = d.n && match_exact(&d.v[0].rank);
	keep_best_targets(x, &d, via);
	if (!exact) {	/* the rewriting may be another than we understand */
		x->choose(x->w, &same, names);
		if (same.n && match_exact(&same.v[0].rank))
			keep_best_targets(x, &same, via);
		else
			free(same.v);
	}
	if (x->n == had && !exact)
		follow_member(x, &d, names, via, hop);
}

static void follow(struct gateway_forwarding *x, const struct call_site *s,
    const struct gateway_row_list *r, const struct forward_hop *before, int hop)
{
	for (size_t i = 0; i < r->n; i++)
		follow_row(x, s, r->v[i], before, hop);
}

/* ---- whose gateways ---- */

/* A name that a gateway has which is no member: `gateway`, `api-gw`, `nginx`. */
static bool called_gateway(const char *name)
{
	static const char *const words[] = { "gateway", "gw", "proxy", "nginx", "ingress", "traefik",
		"envoy", "kong", "zuul", "edge" };

	for (size_t i = 0; name && i < LEN(words); i++) {
		const char *at = strstr(name, words[i]);
		if (at)
			return true;
	}
	return false;
}

static void rows_at(const struct gateway_index *g, const char *host, const char *path,
    struct gateway_row_list *r, struct arena *a)
{
	for (const char *s = host; s; s = strchr(s + 1, '.')) {
		const struct gateway_host_row *h = map_get(g->by_host, s);
		for (; h; h = h->next)
			add_row(r, h->row, path, a);
		if (!strchr(s, '.'))
			break;
	}
}

static void rows_of_all(
    const struct gateway_index *g, const char *path, struct gateway_row_list *r, struct arena *a)
{
	const struct gateway_row *row = NULL;

	if (*path == '/')
		row = map_get(g->by_segment, segment_of(path, a));
	for (; row; row = row->next)
		add_row(r, row, path, a);
}

/* Whether it is said that the call goes to these gateways, and not only likely. */
static bool find_rows(const struct match_context *w, const struct call_site *s,
    const struct host_names *those, const char *path, struct gateway_row_list *r)
{
	const struct gateway_index *g = w->gates;

	for (size_t i = 0; those && i < those->n; i++)
		rows_of(g, those->members[i], path, r, w->a);
	if (those)
		return true;
	if (s->host.name && (s->host_class == HOST_EXTERNAL || s->host_class == HOST_UNREGISTERED))
		rows_at(g, s->host.name, path, r, w->a);
	if (!r->n && s->host_class == HOST_UNKNOWN && !s->hint.n)
		rows_of(g, s->member, path, r, w->a);
	if (r->n)
		return true;
	if (s->host_class == HOST_UNKNOWN ||
	    (s->host_class == HOST_UNREGISTERED && called_gateway(s->host.name)))
		rows_of_all(g, path, r, w->a);
	return false;
}

/* Without the hole that may be the address. */
static const char *path_of(const struct call_site *s)
{
	const char *hole = NULL;

	if (s->path.based)
		hole = strchr(s->fact->path, '}');
	if (hole)
		return hole + 1;
	return s->fact->path;
}

static size_t repositories(const struct match_target *v, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		size_t j = 0;
		while (j < i && v[j].p->member != v[i].p->member)
			j++;
		k += j == i;
	}
	return k;
}

static enum gateway_outcome put_targets(struct call_site *s, struct gateway_forwarding *x)
{
	free(s->v);
	s->v = x->v;
	s->n = x->n;
	s->cap = x->cap;
	s->repos = repositories(s->v, s->n);
	return GATEWAY_FORWARDS;
}

enum gateway_outcome gateway_forward(const struct match_context *w, struct call_site *s,
    const struct host_names *those, gateway_choose_fn *choose)
{
	struct gateway_forwarding x = { .w = w, .choose = choose };
	struct gateway_row_list r = { 0 };

	if (!w->gates->n || s->path.open || path_has_no_text(&s->path) || *path_of(s) != '/')
		return GATEWAY_UNKNOWN;
	bool said = find_rows(w, s, those, path_of(s), &r);
	keep_best(&r);
	struct call_site call = *s;
	struct fact f = *s->fact;
	f.path = path_of(s);
	call.fact = &f;
	follow(&x, &call, &r, NULL, 0);
	bool some = r.n && r.v[0]->fixed % EXACT > 1,
	     several = r.n && r.v[0]->member != r.v[r.n - 1]->member;
	free(r.v);
	bool disagree = !said && several && repositories(x.v, x.n) > 1;
	if (x.n && !(disagree && s->n && match_exact(&s->v[0].rank)))
		return put_targets(s, &x);
	free(x.v);
	if (said && some && x.external && !x.known) {
		s->host_class = HOST_EXTERNAL;
		s->host = (struct host_names){ .name = x.outside };
		return GATEWAY_EXTERNAL;
	}
	if (said && some && x.known)
		return GATEWAY_NOT_SERVED;
	return GATEWAY_UNKNOWN;
}
