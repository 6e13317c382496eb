#include "coordinator/contracts/served_routes.h"

#include <ctype.h>
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/contracts/matching/match_path.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

enum { PAGE = 2000 };

struct served_routes_loader {
	struct member_routes out;
	size_t cap;
	struct contracts_req req;
	void (*then)(struct call *, struct member_routes *);
	void *state;
};

static void add(struct served_routes_loader *l, const struct fact *f, struct arena *a)
{
	if (strcmp(f->side, "provides"))
		return;
	if (l->out.n == l->cap) {
		const struct fact **v = arena_many(a, l->cap * 2 + 64, const struct fact *);
		if (l->out.n)
			memcpy(v, l->out.v, l->out.n * sizeof *v);
		l->cap = l->cap * 2 + 64;
		l->out.v = v;
	}
	l->out.v[l->out.n++] = f;
}

static void next_page(struct call *c, struct served_routes_loader *l);

static void with_page(struct call *c, struct fanout *f)
{
	struct served_routes_loader *l = c->state;
	const struct contracts_res *r = f->v[0].res;
	const struct freshness *stamp = f->v[0].stamp;
	bool moved = l->out.stamp && stamp && stamp->generation != l->out.stamp->generation;

	if (f->v[0].e.code) {
		c->e = f->v[0].e;
	} else if (moved) {	/* a new index was published between two pages */
		l->out.n = 0;
		l->out.stamp = NULL;
		l->req.after = 0;
		next_page(c, l);
		return;
	} else {
		l->out.stamp = stamp;
		for (size_t i = 0; i < r->facts.n; i++)
			add(l, &r->facts.v[i], c->a);
		if (r->next > l->req.after) {
			l->req.after = r->next;
			next_page(c, l);
			return;
		}
	}
	c->state = l->state;
	l->then(c, &l->out);
}

static void next_page(struct call *c, struct served_routes_loader *l)
{
	c->state = l;
	fanout(c, &l->out.member, 1, RPC_contracts, &l->req, NULL, (int)c->o->contracts_deadline_ms,
	    with_page);
}

void served_routes_load(
    struct call *c, struct member *m, void (*then)(struct call *, struct member_routes *))
{
	struct served_routes_loader *l = arena_one(c->a, struct served_routes_loader);

	*l = (struct served_routes_loader){ .out.member = m, .req.limit = PAGE, .then = then, .state = c->state };
	next_page(c, l);
}

/* ---- by what it is called ---- */

/* `:id`, `<int:id>`, `{id}` and `${id}` become {}; a `*` at the end becomes {*}. */
static const char *as_template(const char *path, struct arena *a)
{
	char *out = arena_get(a, strlen(path) * 2 + 4, 1), *w = out;

	for (const char *p = path; *p;) {
		bool begins = p == path || p[-1] == '/';
		size_t n = *p == '{'           ? strcspn(p, "}") + 1 :
		    *p == '<'                  ? strcspn(p, ">") + 1 :
		    p[0] == '$' && p[1] == '{' ? strcspn(p, "}") + 1 :
		    *p == ':' && begins        ? strcspn(p, "/") :
		                                 0;
		if (n > 1 && strncmp(p, "{*}", 3)) {
			w = stpcpy(w, "{}");
			p += n <= strlen(p) ? n : strlen(p);
		} else if (*p == '*' && begins) {
			w = stpcpy(w, "{*}");
			p += strlen(p);
		} else {
			*w++ = *p++;
		}
	}
	return out;
}

struct route_query route_query_parse(const char *route, const char *method, struct arena *a)
{
	struct route_query want = { method && *method ? method : NULL, route && *route ? route : NULL };
	size_t n = 0;

	while (route && isupper((unsigned char)route[n]))
		n++;
	if (n && route[n] == ' ') {
		want.path = route + n + 1 + strspn(route + n + 1, " ");
		if (!want.method)
			want.method = arena_strn(a, route, n);
	}
	if (want.path)
		want.path = as_template(want.path, a);
	else
		want.path = NULL;
	return want;
}

enum route_match_kind route_query_match(
    const struct route_query *w, const struct fact *f, struct arena *a)
{
	struct path_match fit;

	if (w->method && strcmp(w->method, f->method) && strcmp(f->method, "ANY"))
		return ROUTE_MATCH_NONE;
	if (!w->path || !strcmp(w->path, f->path))
		return ROUTE_MATCH_TEMPLATE;
	if (!strcmp(f->kind, "http") && *w->path == '/') {
		struct path_template want = path_split(w->path, a), has = path_split(f->path, a);
		bool fits = path_fit(&want, &has, &fit) && !fit.level && !fit.weak;
		if (fits && !fit.rest && (size_t)fit.literals == has.literals &&
		    want.literals == has.literals)
			return ROUTE_MATCH_TEMPLATE;
		if (fits)
			return ROUTE_MATCH_PATH;
	}
	if (strstr(f->path, w->path))
		return ROUTE_MATCH_TEXT;
	return ROUTE_MATCH_NONE;
}
