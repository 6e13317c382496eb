#include "coordinator/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/match_host.h"
#include "coordinator/match_path.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/crypto.h"

enum { TARGETS_MAX = 8, CANDIDATES_MAX = 16 };

struct provider {
	size_t member;
	const struct fact *fact;
	struct path path;
	bool used;
};

/* How well a provider fits a call. */
struct rank {
	struct fit fit;
	bool foreign;		/* not the caller's own repository, while nothing says that it is another */
	bool any;		/* it takes any method */
};

struct target {
	struct provider *p;
	struct rank rank;
};

struct work {
	const struct match_member *m;
	size_t n;
	struct arena *a;
	struct hosts *hosts;
	struct provider *providers;
	size_t nproviders;
	struct matched *out;
};

/* A call on its way. */
struct call_site {
	size_t member;
	const struct fact *fact;
	struct path path;
	enum host_says says;
	struct host_names host;
	struct target *v;		/* equally good ones */
	size_t n, cap;
};

static bool is(const char *s, const char *word)
{
	return s && !strcmp(s, word);
}

/* ---- order ---- */

static int by_uri(const void *x, const void *y)
{
	const struct match_member *a = x, *b = y;

	return strcmp(a->repo_uri, b->repo_uri);
}

static int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_place(const void *x, const void *y)
{
	const struct fact *a = *(const struct fact *const *)x, *b = *(const struct fact *const *)y;
	int c = text_order(a->file, b->file);

	c = c ? c : (a->line > b->line) - (a->line < b->line);
	c = c ? c : (a->end_line > b->end_line) - (a->end_line < b->end_line);
	c = c ? c : text_order(a->method, b->method);
	c = c ? c : text_order(a->path, b->path);
	c = c ? c : text_order(a->symbol, b->symbol);
	c = c ? c : text_order(a->framework, b->framework);
	return c ? c : text_order(a->host, b->host);
}

/* The facts of one side of a member, in order of their place. */
static const struct fact **side_of(const struct match_member *m, const char *side, struct arena *a, size_t *n)
{
	size_t total = m->facts ? m->facts->facts.n : 0;
	const struct fact **v = arena_many(a, total, const struct fact *);

	*n = 0;
	for (size_t i = 0; i < total; i++)
		if (is(m->facts->facts.v[i].side, side) && m->facts->facts.v[i].path && m->facts->facts.v[i].method &&
		    m->facts->facts.v[i].kind && m->facts->facts.v[i].file)
			v[(*n)++] = &m->facts->facts.v[i];
	if (*n)
		qsort(v, *n, sizeof *v, by_place);
	return v;
}

/* ---- does it fit? ---- */

static bool method_fits(const char *call, const char *route)
{
	return !strcmp(call, route) || !strcmp(call, "ANY") || !strcmp(route, "ANY");
}

/* A gRPC method with or without its package; a topic by its name. */
static bool name_fits(const char *kind, const char *call, const char *route, struct fit *f)
{
	*f = (struct fit){ .literals = 1 };
	if (!strcmp(call, route))
		return true;
	if (!is(kind, "grpc"))
		return false;
	f->level = 1;
	const char *c = strchr(call, '/'), *r = strchr(route, '/');
	if (!c || !r || strcmp(c, r))
		return false;
	const char *cs = call, *rs = route;
	for (const char *p = call; p < c; p++)
		cs = *p == '.' ? p + 1 : cs;
	for (const char *p = route; p < r; p++)
		rs = *p == '.' ? p + 1 : rs;
	return (cs == call || rs == route) && c - cs == r - rs && !strncmp(cs, rs, (size_t)(c - cs));
}

/* Without a word of the host, fixed text must agree, or a relative root its own. */
static bool trusted(const struct call_site *s, const struct provider *p, const struct fit *f)
{
	if (s->says == HOST_MEMBER)
		return true;
	if (s->says == HOST_STRANGER)
		return f->level == 0 && !f->rest && f->literals > 1 && p->member != s->member;
	return f->literals > 0 || (!s->path.n && !p->path.n && p->member == s->member);
}

static bool named_by_host(const struct call_site *s, size_t member)
{
	for (size_t i = 0; i < s->host.n; i++)
		if (s->host.members[i] == member)
			return true;
	return s->says != HOST_MEMBER;
}

static bool fits(const struct call_site *s, const struct provider *p, struct rank *r)
{
	*r = (struct rank){ 0 };
	if (strcmp(s->fact->kind, p->fact->kind))
		return false;
	if (!is(s->fact->kind, "http")) {
		r->foreign = is(s->fact->kind, "grpc") && s->says != HOST_MEMBER && p->member != s->member;
		return name_fits(s->fact->kind, s->fact->path, p->fact->path, &r->fit);
	}
	r->foreign = s->says != HOST_MEMBER && p->member != s->member;
	r->any = strcmp(s->fact->method, p->fact->method) != 0;
	return method_fits(s->fact->method, p->fact->method) && named_by_host(s, p->member) &&
	    path_fit(&s->path, &p->path, &r->fit) && trusted(s, p, &r->fit);
}

/* Less is better.  Exact before stripped before suffix; the caller's own repository before others. */
static int compare_ranks(const struct rank *a, const struct rank *b)
{
	const int keys[][2] = {
		{ a->fit.level, b->fit.level }, { a->fit.rest, b->fit.rest }, { a->fit.weak > 0, b->fit.weak > 0 },
		{ a->foreign, b->foreign }, { -a->fit.literals, -b->fit.literals }, { a->fit.weak, b->fit.weak },
		{ a->any, b->any },
	};

	for (size_t i = 0; i < LEN(keys); i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

/* ---- choosing ---- */

/* Of equally good providers in one repository the first counts, but for a call whose method is not known. */
static bool stands_for(const struct call_site *s, const struct provider *p)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct provider *t = s->v[i].p;
		if (t->member != p->member || is(s->fact->kind, "topic"))
			continue;
		if (!is(s->fact->method, "ANY") || !strcmp(t->fact->method, p->fact->method))
			return true;
	}
	return false;
}

static void choose(struct work *w, struct call_site *s)
{
	for (size_t i = 0; i < w->nproviders; i++) {
		struct provider *p = &w->providers[i];
		struct rank r;
		if (!fits(s, p, &r))
			continue;
		int c = s->n ? compare_ranks(&r, &s->v[0].rank) : -1;
		if (c > 0)
			continue;
		if (c < 0)
			s->n = 0;
		if (stands_for(s, p))
			continue;
		s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
		s->v[s->n++] = (struct target){ p, r };
	}
}

static size_t repositories(const struct call_site *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)	/* providers come by member */
		n += !i || s->v[i].p->member != s->v[i - 1].p->member;
	return n;
}

/* ---- rows ---- */

static struct end *end_of(const struct match_member *m, const struct fact *f, struct end *e)
{
	*e = (struct end){ m->repo_uri, f->file, f->line, f->end_line, f->symbol, f->method, f->path, f->framework };
	return e;
}

static double confidence(const struct call_site *s, const struct rank *r, size_t repos)
{
	static const double plain[] = { 0.9, 0.7, 0.6 }, by_host[] = { 1.0, 0.9, 0.8 };
	double c = (s->says == HOST_MEMBER ? by_host : plain)[r->fit.level];

	if (is(s->fact->kind, "topic"))
		return 1.0;
	if (repos > 1)
		return 1.0 / (double)repos;
	return s->says == HOST_STRANGER || r->fit.weak || r->fit.rest ? c * 0.8 : c;
}

static void evidence(struct work *w, const struct call_site *s, const struct target *t, struct contract *row)
{
	static const char *const levels[] = { "is", "is, without its prefix,", "ends" };
	const struct match_member *caller = &w->m[s->member], *server = &w->m[t->p->member];
	const struct fact *call = s->fact, *route = t->p->fact;
	struct clue *v = arena_many(w->a, call->steps.n + 2, struct clue);
	size_t n = 0;

	for (size_t i = 0; i < call->steps.n; i++)
		v[n++] = (struct clue){ caller->repo_uri, call->steps.v[i].file ? call->steps.v[i].file : call->file,
			call->steps.v[i].line, call->steps.v[i].text };
	if (s->says == HOST_MEMBER)
		v[n++] = (struct clue){ caller->repo_uri, call->file, call->line,
			arena_printf(w->a, "host %s names %s", s->host.name, server->name) };
	v[n++] = (struct clue){ server->repo_uri, route->file, route->line, arena_printf(w->a, "%s %s %s %s %s",
	    call->method, call->path, levels[t->rank.fit.level], route->method, route->path) };
	row->evidence.v = v;
	row->evidence.n = n;
}

static void add_contract(struct work *w, const struct call_site *s, const struct target *t, size_t repos)
{
	struct matched *o = w->out;
	const struct fact *call = s->fact, *route = t->p->fact;
	bool topic = is(call->kind, "topic");
	struct contract row = {
		.kind = call->kind, .method = is(route->method, "ANY") ? call->method : route->method, .path = route->path,
		.producer = end_of(&w->m[t->p->member], route, arena_one(w->a, struct end)),
		.consumer = end_of(&w->m[s->member], call, arena_one(w->a, struct end)),
		.cross_repo = t->p->member != s->member, .ambiguous = repos > 1 && !topic,
		.confidence = confidence(s, &t->rank, repos), .scope = call->scope ? call->scope : route->scope,
	};

	evidence(w, s, t, &row);
	t->p->used = true;
	o->contracts.v = grow(o->contracts.v, &o->contracts.cap, o->contracts.n + 1, sizeof row);
	o->contracts.v[o->contracts.n++] = row;
}

static const char *reason_of(const struct call_site *s)
{
	if (s->n)
		return "ambiguous";
	if (s->says == HOST_EXTERNAL)
		return "external";
	if (s->says == HOST_MEMBER || s->says == HOST_STRANGER)
		return path_unknown(&s->path) && s->fact->reason ? "dynamic" : "no-producer";
	return s->fact->reason || path_unknown(&s->path) ? "dynamic" : "no-producer";
}

static const char *unresolved_id(const struct work *w, const struct call_site *s)
{
	const struct fact *f = s->fact;
	const char *text = arena_printf(w->a, "%s|%s|%llu|%s|%s", w->m[s->member].repo_uri, f->file,
	    (unsigned long long)f->line, f->method, f->path);
	char hex[SHA256_HEX];

	crypto_sha256(text, strlen(text), hex);
	return arena_printf(w->a, "fetches:unresolved:%.16s", hex);
}

static void add_unresolved(struct work *w, const struct call_site *s)
{
	struct matched *o = w->out;
	size_t n = s->n < CANDIDATES_MAX ? s->n : CANDIDATES_MAX;
	struct unresolved row = {
		.id = unresolved_id(w, s), .kind = s->fact->kind, .method = s->fact->method, .path = s->fact->path,
		.host = s->fact->host, .consumer = end_of(&w->m[s->member], s->fact, arena_one(w->a, struct end)),
		.reason = reason_of(s), .scope = s->fact->scope,
	};

	row.candidates.v = arena_many(w->a, n, struct end);
	row.candidates.n = n;
	for (size_t i = 0; i < n; i++)
		end_of(&w->m[s->v[i].p->member], s->v[i].p->fact, &row.candidates.v[i]);
	o->unresolved.v = grow(o->unresolved.v, &o->unresolved.cap, o->unresolved.n + 1, sizeof row);
	o->unresolved.v[o->unresolved.n++] = row;
}

static void add_idle(struct work *w)
{
	struct matched *o = w->out;

	for (size_t i = 0; i < w->nproviders; i++) {
		const struct provider *p = &w->providers[i];
		if (p->used)
			continue;
		o->idle.v = grow(o->idle.v, &o->idle.cap, o->idle.n + 1, sizeof *o->idle.v);
		o->idle.v[o->idle.n++] = (struct idle_producer){ p->fact->kind, end_of(&w->m[p->member], p->fact,
		    arena_one(w->a, struct end)) };
	}
}

/* ---- all of it ---- */

static void resolve(struct work *w, size_t member, const struct fact *f)
{
	struct call_site s = { .member = member, .fact = f };

	if (is(f->kind, "http")) {
		s.path = path_split(f->path, w->a);
		s.says = hosts_ask(w->hosts, f->host, &s.host, w->a);
	}
	if (s.says != HOST_EXTERNAL)
		choose(w, &s);
	size_t repos = repositories(&s);
	if (!s.n || (repos > TARGETS_MAX && !is(f->kind, "topic")))
		add_unresolved(w, &s);
	else
		for (size_t i = 0; i < s.n; i++)
			add_contract(w, &s, &s.v[i], repos);
	free(s.v);
}

static void collect_providers(struct work *w)
{
	size_t total = 0, n;

	for (size_t i = 0; i < w->n; i++)
		total += w->m[i].facts ? w->m[i].facts->facts.n : 0;
	w->providers = arena_many(w->a, total, struct provider);
	for (size_t i = 0; i < w->n; i++) {
		const struct fact **v = side_of(&w->m[i], "provides", w->a, &n);
		for (size_t k = 0; k < n; k++)
			w->providers[w->nproviders++] = (struct provider){ i, v[k], path_split(v[k]->path, w->a), false };
	}
}

void match(const struct match_member *members, size_t n, struct arena *a, struct matched *out)
{
	struct match_member *m = arena_many(a, n, struct match_member);
	struct work w = { .m = m, .n = n, .a = a, .out = out };

	*out = (struct matched){ 0 };
	if (n)
		memcpy(m, members, n * sizeof *m);
	if (n)
		qsort(m, n, sizeof *m, by_uri);
	w.hosts = hosts_new(m, n, a);
	collect_providers(&w);
	for (size_t i = 0; i < n; i++) {
		size_t k;
		const struct fact **v = side_of(&m[i], "consumes", a, &k);
		for (size_t j = 0; j < k; j++)
			resolve(&w, i, v[j]);
	}
	add_idle(&w);
	hosts_free(w.hosts);
}

void match_done(struct matched *m)
{
	free(m->contracts.v);
	free(m->unresolved.v);
	free(m->idle.v);
	*m = (struct matched){ 0 };
}
