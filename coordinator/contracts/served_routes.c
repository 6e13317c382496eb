#include "coordinator/contracts/served_routes.h"

#include <ctype.h>
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/contracts/paths/match_path.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"

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

/* Add a page of facts; whether another page must be fetched. */
static bool take_page(struct served_routes_loader *l, const struct fanout_reply *k, struct arena *a)
{
	const struct contracts_res *r = k->res;
	const struct freshness *before = l->out.stamp;

	/* a new index was published between two pages */
	if (before && k->stamp && k->stamp->generation != before->generation) {
		l->out.n = 0;
		l->out.stamp = NULL;
		l->req.after = 0;
		return true;
	}
	l->out.stamp = k->stamp;
	for (size_t i = 0; i < r->facts.n; i++)
		add(l, &r->facts.v[i], a);
	if (r->next <= l->req.after)
		return false;
	l->req.after = r->next;
	return true;
}

static void with_page(struct call *c, struct fanout *f)
{
	struct served_routes_loader *l = c->state;

	if (f->v[0].e.code) {
		c->e = f->v[0].e;
	} else if (take_page(l, &f->v[0], c->a)) {
		next_page(c, l);
		return;
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

	*l = (struct served_routes_loader){
		.out.member = m, .req.limit = PAGE, .then = then, .state = c->state
	};
	next_page(c, l);
}

/* ---- finding a route by how it is written ---- */

/* `:id`, `<int:id>`, `{id}` and `${id}` become {}; a `*` at the end becomes {*}. */
/* The length of the parameter that begins here, perhaps beyond the end of the path; 0 = none. */
static size_t parameter_length(const char *p, bool begins_segment)
{
	if (*p == '{')
		return strcspn(p, "}") + 1;
	if (*p == '<')
		return strcspn(p, ">") + 1;
	if (p[0] == '$' && p[1] == '{')
		return strcspn(p, "}") + 1;
	if (*p == ':' && begins_segment)
		return strcspn(p, "/");
	return 0;
}

static const char *as_template(const char *path, struct arena *a)
{
	char *out = arena_get(a, strlen(path) * 2 + 4, 1), *w = out;

	for (const char *p = path; *p;) {
		bool begins_segment = p == path || p[-1] == '/';
		size_t n = parameter_length(p, begins_segment);
		if (n > 1 && strncmp(p, "{*}", 3)) {
			w = stpcpy(w, "{}");
			size_t left = strlen(p);
			p += MIN(n, left);
		} else if (*p == '*' && begins_segment) {
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
	struct route_query want = { text_or_null(method), text_or_null(route) };
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
	return want;
}

static enum route_match_kind match_path(const char *want, const char *path, struct arena *a)
{
	struct path_template w = path_split(want, a), has = path_split(path, a);
	struct path_match fit;

	if (!path_fit(&w, &has, &fit) || fit.level || fit.weak)
		return ROUTE_MATCH_NONE;
	bool all_text = (size_t)fit.literals == has.literals && w.literals == has.literals;
	if (all_text && !fit.rest)
		return ROUTE_MATCH_TEMPLATE;
	return ROUTE_MATCH_PATH;
}

enum route_match_kind route_query_match(
    const struct route_query *w, const struct fact *f, struct arena *a)
{
	if (w->method && strcmp(w->method, f->method) && strcmp(f->method, "ANY"))
		return ROUTE_MATCH_NONE;
	if (!w->path || !strcmp(w->path, f->path))
		return ROUTE_MATCH_TEMPLATE;
	if (!strcmp(f->kind, "http") && *w->path == '/') {
		enum route_match_kind how = match_path(w->path, f->path, a);
		if (how != ROUTE_MATCH_NONE)
			return how;
	}
	if (strstr(f->path, w->path))
		return ROUTE_MATCH_TEXT;
	return ROUTE_MATCH_NONE;
}
