#include "coordinator/contracts/matching/match_gateway.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"

enum { HOPS = 3, PARTS = 10, EXACT = 1000 };

struct gate_row {
	size_t member;
	const struct fact *fact;
	size_t fixed;		/* letters of its template before the first hole, more when it ends without a rest */
	struct gate_row *next;	/* of its first segment, of its public host */
};

struct gates {
	struct gate_row *rows;	/* by member */
	size_t n, *first;	/* of each member, and behind the last */
	struct map *by_segment;	/* struct gate_row, by the first segment; those that begin with a hole are not there */
	struct map *by_host;	/* struct host_row: `.example.com` for all below */
	size_t most;
};

struct host_row {
	const struct gate_row *row;
	struct host_row *next;
};

/* ---- rewriting ---- */

static const char *filled(const char *to, const char *const part[PARTS], const char *rest, struct arena *a)
{
	struct buf b = { 0 };

	for (const char *s = to; *s; s++) {
		size_t k = s[0] == '{' && isdigit((unsigned char)s[1]) && s[2] == '}' ? (size_t)(s[1] - '0') : 0;
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
static size_t taken(const char *c, const char *after)
{
	size_t n = strcspn(c, "/?");

	if (!*after || *after == '/')
		return n;
	const char *at = memchr(c, *after, n);
	return at ? (size_t)(at - c) : 0;
}

const char *gate_rewrite(const char *t, const char *to, const char *path, struct arena *a)
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
			size_t len = taken(c, t + 2);
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
	return to ? filled(to, part, rest, a) : path;
}

/* ---- the table ---- */

static size_t fixed_of(const char *t)
{
	return strcspn(t, "{") + (strstr(t, "{*}") ? 0 : EXACT);
}

static int by_what_they_say(const void *x, const void *y)
{
	const struct gate_row *a = x, *b = y;
	const char *p[] = { a->fact->path, a->fact->host, a->fact->to ? a->fact->to : "", a->fact->at ? a->fact->at : "", a->fact->file };
	const char *q[] = { b->fact->path, b->fact->host, b->fact->to ? b->fact->to : "", b->fact->at ? b->fact->at : "", b->fact->file };
	int c = (a->member > b->member) - (a->member < b->member);

	c = c ? c : (a->fixed < b->fixed) - (a->fixed > b->fixed);
	for (size_t i = 0; i < LEN(p) && !c; i++)
		c = strcmp(p[i], q[i]);
	return c ? c : (a->fact->line > b->fact->line) - (a->fact->line < b->fact->line);
}

static void collect(struct gates *g, const struct work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct contracts_res *r = w->m[i].facts;
		for (size_t k = 0; r && k < r->facts.n; k++) {
			const struct fact *f = &r->facts.v[k];
			if (match_is(f->side, "forwards") && match_is(f->kind, "http") && f->path && f->host && f->file && *f->path == '/')
				g->rows[g->n++] = (struct gate_row){ i, f, fixed_of(f->path), NULL };
		}
	}
	if (g->n)
		qsort(g->rows, g->n, sizeof *g->rows, by_what_they_say);
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

static void index_row(struct gates *g, struct gate_row *r, struct arena *a)
{
	const char *segment = segment_of(r->fact->path, a);

	if (*segment) {
		struct gate_row **at = (struct gate_row **)map_at(g->by_segment, segment);
		r->next = *at;
		*at = r;
	}
	for (const char *s = r->fact->at ? r->fact->at : ""; *s; s += strcspn(s, " "), s += *s == ' ') {
		struct host_row **at = (struct host_row **)map_at(g->by_host, arena_strn(a, s + (*s == '*'), strcspn(s, " ") - (*s == '*')));
		struct host_row *h = arena_one(a, struct host_row);
		*h = (struct host_row){ r, *at };
		*at = h;
	}
}

struct gates *gates_new(const struct work *w)
{
	struct gates *g = arena_one(w->a, struct gates);
	size_t total = 0;

	for (size_t i = 0; i < w->n; i++)
		total += w->m[i].facts ? w->m[i].facts->facts.n : 0;
	*g = (struct gates){ .rows = malloc((total + 1) * sizeof *g->rows), .first = arena_many(w->a, w->n + 1, size_t),
		.by_segment = map_new(), .by_host = map_new() };
	if (!g->rows)
		abort();
	collect(g, w);
	for (size_t i = g->n; i--;)
		index_row(g, &g->rows[i], w->a);
	return g;
}

bool gates_any(const struct gates *g)
{
	return g->n > 0;
}

void gates_free(struct gates *g)
{
	if (!g)
		return;
	free(g->rows);
	map_free(g->by_segment);
	map_free(g->by_host);
}

/* ---- one call ---- */

/* What is found behind gateways. */
struct sending {
	const struct work *w;
	gate_choice *choose;
	struct target *v;
	size_t n, cap;
	bool known, external;	/* a row leads to a member that serves something, out into the world */
	const char *outside;
};

struct rows {
	const struct gate_row **v;
	size_t n, cap;
};

static void add_row(struct rows *r, const struct gate_row *row, const char *path, struct arena *a)
{
	if (!gate_rewrite(row->fact->path, row->fact->to, path, a))
		return;
	r->v = grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
	r->v[r->n++] = row;
}

static int by_place(const void *x, const void *y)
{
	const struct gate_row *a = *(const struct gate_row *const *)x, *b = *(const struct gate_row *const *)y;

	return (a > b) - (a < b);
}

/* The best rows of each gateway, in order: rows of a member are sorted by how special they are. */
static void keep_best(struct rows *r)
{
	size_t k = 0;

	if (r->n)
		qsort(r->v, r->n, sizeof *r->v, by_place);
	for (size_t i = 0; i < r->n; i++)
		if (!k || r->v[k - 1]->member != r->v[i]->member || (r->v[k - 1]->fixed == r->v[i]->fixed && r->v[k - 1] != r->v[i]))
			r->v[k++] = r->v[i];
	r->n = k;
}

static void rows_of(const struct gates *g, size_t member, const char *path, struct rows *r, struct arena *a)
{
	for (size_t i = g->first[member]; i < g->first[member + 1]; i++)
		add_row(r, &g->rows[i], path, a);
}

/* Less is better: how much is guessed. */
static int guess(const struct rank *r)
{
	return (r->fit.weak > 0) * 8 + r->fit.level * 2 + r->fit.rest;
}

/* The best of two sets of targets; both when they are equally good. */
static void take(struct sending *x, struct call_site *d, const struct via *via)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		if (!d->v[i].rank.fit.rest || d->v[i].rank.fit.literals)
			d->v[n++] = d->v[i];
	int c = !n ? 1 : !x->n ? -1 : guess(&d->v[0].rank) - guess(&x->v[0].rank);
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
		x->v[x->n].rank.grounds = BY_GATEWAY;
		x->v[x->n].loose = d->says != HOST_MEMBER || d->host.loose;
		x->v[x->n++].via = via;
	}
	free(d->v);
}

/* The call as the target of a row has it. */
static struct call_site behind(const struct sending *x, const struct call_site *s, const struct gate_row *row, const char *path)
{
	const struct work *w = x->w;
	struct fact *f = arena_one(w->a, struct fact);
	struct call_site d = { .member = s->member, .fact = f, .path = path_split(path, w->a), .sent = true };

	*f = *s->fact;
	f->path = path;
	f->host = row->fact->host;
	f->raw = row->fact->raw;
	f->steps.n = 0;
	d.says = hosts_ask(w->hosts, f->host, &d.host, w->a);
	const char *raw = f->raw && strstr(f->raw, "://") ? strstr(f->raw, "://") + 3 : "";
	if (d.says != HOST_MEMBER && *raw) {	/* the name of an upstream, whose server is nobody here */
		struct host_names h;
		if (hosts_ask(w->hosts, arena_strn(w->a, raw, strcspn(raw, "/")), &h, w->a) == HOST_MEMBER) {
			d.says = HOST_MEMBER;
			d.host = h;
		}
	}
	if (d.says != HOST_MEMBER)
		hosts_hint(w->hosts, f, &d.hint, w->a);
	return d;
}

static void follow(struct sending *, const struct call_site *, const struct rows *, const struct via *, int hop);

/* A member that is behind a gateway may be one itself. */
static void follow_on(struct sending *x, const struct call_site *d, const struct host_names *names, const struct via *via, int hop)
{
	struct rows r = { 0 };

	for (size_t i = 0; i < names->n; i++)
		rows_of(x->w->gates, names->members[i], d->fact->path, &r, x->w->a);
	keep_best(&r);
	if (hop < HOPS)
		follow(x, d, &r, via, hop + 1);
	free(r.v);
}

static void follow_row(struct sending *x, const struct call_site *s, const struct gate_row *row, const struct via *before, int hop)
{
	const char *path = gate_rewrite(row->fact->path, row->fact->to, s->fact->path, x->w->a);
	struct call_site d = behind(x, s, row, path), same = behind(x, s, row, s->fact->path);
	const struct host_names *names = d.says == HOST_MEMBER ? &d.host : &d.hint;
	struct via *via = arena_one(x->w->a, struct via);
	size_t had = x->n;

	*via = (struct via){ row->member, row->fact, path, before };
	if (d.says == HOST_EXTERNAL && !names->n) {
		x->external = true;
		x->outside = d.host.name;
	}
	if (!names->n)
		return;
	for (size_t i = 0; i < names->n; i++)
		x->known |= x->w->serves[names->members[i]];
	x->choose(x->w, &d, names);
	bool exact = d.n && match_exact(&d.v[0].rank);
	take(x, &d, via);
	if (!exact) {	/* the rewriting may be another than we understand */
		x->choose(x->w, &same, names);
		if (same.n && match_exact(&same.v[0].rank))
			take(x, &same, via);
		else
			free(same.v);
	}
	if (x->n == had && !exact)
		follow_on(x, &d, names, via, hop);
}

static void follow(struct sending *x, const struct call_site *s, const struct rows *r, const struct via *before, int hop)
{
	for (size_t i = 0; i < r->n; i++)
		follow_row(x, s, r->v[i], before, hop);
}

/* ---- whose gateways ---- */

/* A name that a gateway has which is no member: `gateway`, `api-gw`, `nginx`. */
static bool called_gateway(const char *name)
{
	static const char *const words[] = { "gateway", "gw", "proxy", "nginx", "ingress", "traefik", "envoy", "kong", "zuul", "edge" };

	for (size_t i = 0; name && i < LEN(words); i++) {
		const char *at = strstr(name, words[i]);
		if (at)
			return true;
	}
	return false;
}

static void rows_at(const struct gates *g, const char *host, const char *path, struct rows *r, struct arena *a)
{
	for (const char *s = host; s; s = strchr(s + 1, '.')) {
		const struct host_row *h = map_get(g->by_host, s);
		for (; h; h = h->next)
			add_row(r, h->row, path, a);
		if (!strchr(s, '.'))
			break;
	}
}

static void rows_of_all(const struct gates *g, const char *path, struct rows *r, struct arena *a)
{
	const struct gate_row *row = *path == '/' ? map_get(g->by_segment, segment_of(path, a)) : NULL;

	for (; row; row = row->next)
		add_row(r, row, path, a);
}

/* Whether it is said that the call goes to these gateways, and not only likely. */
static bool find_rows(const struct work *w, const struct call_site *s, const struct host_names *those, const char *path, struct rows *r)
{
	const struct gates *g = w->gates;

	for (size_t i = 0; those && i < those->n; i++)
		rows_of(g, those->members[i], path, r, w->a);
	if (those)
		return true;
	if (s->host.name && (s->says == HOST_EXTERNAL || s->says == HOST_STRANGER))
		rows_at(g, s->host.name, path, r, w->a);
	if (!r->n && s->says == HOST_NOTHING && !s->hint.n)
		rows_of(g, s->member, path, r, w->a);
	if (r->n)
		return true;
	if (s->says == HOST_NOTHING || (s->says == HOST_STRANGER && called_gateway(s->host.name)))
		rows_of_all(g, path, r, w->a);
	return false;
}

/* Without the hole that may be the address. */
static const char *path_of(const struct call_site *s)
{
	const char *hole = s->path.based ? strchr(s->fact->path, '}') : NULL;

	return hole ? hole + 1 : s->fact->path;
}

static size_t repositories(const struct target *v, size_t n)
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

static enum gate_says put_targets(struct call_site *s, struct sending *x)
{
	free(s->v);
	s->v = x->v;
	s->n = x->n;
	s->cap = x->cap;
	s->repos = repositories(s->v, s->n);
	return GATE_SENDS;
}

enum gate_says gates_send(const struct work *w, struct call_site *s, const struct host_names *those, gate_choice *choose)
{
	struct sending x = { .w = w, .choose = choose };
	struct rows r = { 0 };

	if (!w->gates->n || s->path.open || path_unknown(&s->path) || *path_of(s) != '/')
		return GATE_NOTHING;
	bool said = find_rows(w, s, those, path_of(s), &r);
	keep_best(&r);
	struct call_site call = *s;
	struct fact f = *s->fact;
	f.path = path_of(s);
	call.fact = &f;
	follow(&x, &call, &r, NULL, 0);
	bool some = r.n && r.v[0]->fixed % EXACT > 1, several = r.n && r.v[0]->member != r.v[r.n - 1]->member;
	free(r.v);
	bool disagree = !said && several && repositories(x.v, x.n) > 1;
	if (x.n && !(disagree && s->n && match_exact(&s->v[0].rank)))
		return put_targets(s, &x);
	free(x.v);
	if (said && some && x.external && !x.known) {
		s->says = HOST_EXTERNAL;
		s->host = (struct host_names){ .name = x.outside };
		return GATE_EXTERNAL;
	}
	return said && some && x.known ? GATE_LOSES : GATE_NOTHING;
}
