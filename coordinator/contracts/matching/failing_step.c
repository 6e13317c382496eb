#include "coordinator/contracts/matching/failing_step.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/declarations.h"
#include "coordinator/contracts/matching/declared_link.h"
#include "coordinator/contracts/matching/failing_step_text.h"
#include "coordinator/contracts/matching/match_gateway.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"

const char *link_step_name(enum link_step step)
{
	static const char *const names[] = {
#define LINK_STEP(id, name, doc) name,
#include "coordinator/contracts/matching/link_steps.def"
	};

	return names[step];
}

/* ---- what differs ---- */

enum difference {
	DIFFERS_HOST = 1,
	DIFFERS_UNKNOWN = 2, /* holes of the call */
	DIFFERS_PREFIX = 4,
	DIFFERS_METHOD = 8,
	DIFFERS_PATH = 16,
};

/* What distances mean besides the difference of the paths. */
enum {
	DISTANCE_METHOD = 4,
	DISTANCE_UNKNOWN_PATH = 12, /* of a call whose path is unknown */
	DISTANCE_NOTHING_SHARED = 15,
	DISTANCE_EVERYWHERE = 9, /* of a route such as /health, which nobody means */
	DISTANCE_GATEWAY = 8, /* that a call to a gateway is compared with what that does not forward */
};

static bool is_http(const struct fact *f)
{
	return match_text_equal(f->kind, "http");
}

/* Whether something that the call's address or path is made of could not be followed. */
static bool is_computed(const struct fact *f)
{
	return f->gap || f->reason;
}

/* Whether nothing of the path is known. */
static bool is_path_unknown(const struct explained_call *call)
{
	bool only_address = call->site->path.based && !call->path.n;

	return is_computed(call->fact) && (only_address || path_has_no_text(&call->path));
}

static bool fits_exactly(const struct explained_call *call, const struct near_route *r)
{
	struct path_match f;

	if (is_path_unknown(call))
		return false;
	if (!is_http(call->fact))
		return !strcmp(call->path.text, r->seen->text);
	return path_fit(&call->path, r->seen, &f) && !f.level && !f.shift;
}

struct explained_call explained_call(
    const struct match_trials *t, size_t member, const struct fact *f, struct arena *a)
{
	struct explained_call call = { .member = member, .fact = f };
	const char *path = f->path, *hole = NULL;

	call.site = match_site(match_trials_context(t), member, f);
	if (call.site->path.based)
		hole = strchr(path, '}');
	if (hole)
		path = hole + 1;
	call.path = path_split(path, a);
	call.path.bare = path_without_format(&call.path, a);
	return call;
}

/* ---- gateways ---- */

static bool has_member(const struct host_names *h, size_t member)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->members[i] == member)
			return true;
	return false;
}

static int by_target(const void *a, const void *b)
{
	const struct gateway_rule *x = a, *y = b;

	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	return (x->fact > y->fact) - (x->fact < y->fact);
}

struct gateway_rules gateway_rules_find(const struct match_context *w, struct arena *a)
{
	struct gateway_rules g = { 0 };
	size_t cap = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct contracts_res *r = w->m[i].facts;
		for (size_t k = 0; r && k < r->facts.n; k++) {
			const struct fact *f = &r->facts.v[k];
			struct host_names h;
			if (!match_text_equal(f->side, "forwards") || !match_text_equal(f->kind, "http") ||
			    !f->path || !f->host)
				continue;
			if (host_index_find(w->hosts, f->host, &h, a) != HOST_MEMBER &&
			    !host_index_find_hint(w->hosts, f, &h, a))
				continue;
			for (size_t t = 0; t < h.n; t++) {
				g.v = grow(g.v, &cap, g.n + 1, sizeof *g.v);
				g.v[g.n++] = (struct gateway_rule){ i, h.members[t], f };
			}
		}
	}
	struct gateway_rule *v = arena_many(a, g.n, struct gateway_rule);
	if (g.n) {
		memcpy(v, g.v, g.n * sizeof *v);
		qsort(v, g.n, sizeof *v, by_target);
	}
	free(g.v);
	g.v = v;
	return g;
}

/* Whether the call may reach the gateway: it names it, or nobody. */
static bool may_pass(const struct explained_call *call, const struct gateway_rule *rule)
{
	const struct call_site *s = call->site;

	if (s->host_class == HOST_MEMBER)
		return has_member(&s->host, rule->gateway);
	return !s->hint.n || has_member(&s->hint, rule->gateway);
}

/* ---- distances ---- */

static int distance_of(const struct explained_call *call, const struct near_route *r)
{
	bool same_text = r->path.shared || (r->fits && !r->path.cost);
	int distance = r->path.cost;

	if (is_path_unknown(call))
		distance = DISTANCE_UNKNOWN_PATH;
	else if (!same_text)
		distance += DISTANCE_NOTHING_SHARED;
	if (is_http(call->fact) && !match_methods(call->fact->method, r->provider->fact->method))
		distance += DISTANCE_METHOD;
	if (r->provider->everywhere && !r->fits)
		distance += DISTANCE_EVERYWHERE;
	return distance;
}

static struct near_route measure(const struct explained_call *call, const struct provider *p,
    const struct gateway_rule *rule, const struct path_template *seen)
{
	struct near_route r = { .provider = p,
		.rule = rule,
		.seen = seen,
		.path = path_difference(&call->path, seen, is_computed(call->fact)) };

	r.fits = fits_exactly(call, &r);
	r.distance = distance_of(call, &r);
	return r;
}

/* The path of a route in front of a gateway, or NULL. */
static const struct path_template *path_before(
    const struct gateway_rule *rule, const struct provider *p, struct arena *a)
{
	const struct fact *f = rule->fact;
	const char *path = gateway_rewrite_path(text_or(f->to, f->path), f->path, p->fact->path, a);

	if (!path)
		return NULL;
	struct path_template *t = arena_one(a, struct path_template);
	*t = path_split(path, a);
	return t;
}

/* Whether the host, or else the variable with the address, names somebody else, or nobody. */
static bool is_host_other(const struct explained_call *call, const struct near_route *r)
{
	const struct call_site *s = call->site;
	const struct provider *p = r->provider;
	size_t meant = p->member;

	if (match_text_equal(call->fact->kind, "topic"))
		return call->fact->host && p->fact->host && strcmp(call->fact->host, p->fact->host);
	if (r->rule)
		meant = r->rule->gateway;
	if (s->host_class == HOST_MEMBER)
		return !has_member(&s->host, meant);
	if (s->hint.n)
		return !has_member(&s->hint, meant);
	return s->host_class == HOST_EXTERNAL || s->host_class == HOST_UNREGISTERED;
}

bool near_route_measure(const struct explained_call *call, const struct provider *p,
    const struct gateway_rules *g, struct arena *a, struct near_route *out)
{
	if (strcmp(call->fact->kind, p->fact->kind))
		return false;
	*out = measure(call, p, NULL, &p->path);
	if (!is_http(call->fact) || (!out->distance && !is_host_other(call, out)))
		return true;
	for (size_t i = 0; i < g->n; i++) {
		const struct path_template *seen = NULL;
		if (g->v[i].target == p->member && may_pass(call, &g->v[i]))
			seen = path_before(&g->v[i], p, a);
		if (!seen)
			continue;
		struct near_route r = measure(call, p, &g->v[i], seen);
		int more = 0;
		if (!out->rule && is_host_other(call, out) && !is_host_other(call, &r))
			more = DISTANCE_GATEWAY;
		if (r.distance < out->distance + more)
			*out = r;
	}
	return true;
}

static int path_differences(const struct explained_call *call, const struct near_route *r)
{
	if (r->fits)
		return 0;
	if (is_path_unknown(call))
		return DIFFERS_UNKNOWN;
	if (!r->path.segment)
		return DIFFERS_PREFIX;
	if (r->path.unknown)
		return DIFFERS_UNKNOWN;
	return DIFFERS_PATH;
}

static int differences(const struct explained_call *call, const struct near_route *r)
{
	int all = path_differences(call, r);

	if (is_host_other(call, r))
		all |= DIFFERS_HOST;
	if (is_http(call->fact) && !match_methods(call->fact->method, r->provider->fact->method))
		all |= DIFFERS_METHOD;
	return all;
}

/* ---- one thing changed ---- */

struct trial {
	struct match_trials *t;
	const struct explained_call *call;
	const struct near_route *route;
	struct arena *a;
};

const char *member_host_name(const struct match_context *w, size_t member, struct arena *a)
{
	const struct match_member *m = &w->m[member];
	const char *slash = strrchr(m->name, '/'), *last = m->name;

	if (slash)
		last = slash + 1;
	size_t len = strlen(last), all = m->facts ? m->facts->names.n : 0;
	for (size_t i = 0; i <= all + 1; i++) {
		const char *name = last;
		struct host_names h;
		if (!i && !strncmp(m->repo_uri, "local:", 6) && len > 7 && last[len - 7] == '-')
			name = arena_strn(a, last, len - 7); /* the folder's name */
		else if (i > 1)
			name = m->facts->names.v[i - 2];
		bool plain = *name && *name != ':' && !strpbrk(name, " /{}*");
		if (plain && host_index_find(w->hosts, name, &h, a) == HOST_MEMBER && h.n == 1 &&
		    h.members[0] == member && !h.loose)
			return name;
	}
	return NULL;
}

/* Whether the call, if it were this one, had a link to the route, or one with the same path. */
static bool joins(const struct trial *x, const struct fact *now)
{
	const struct match_result *got = match_trial(x->t, x->call->member, x->call->fact, now);
	const struct provider *p = x->route->provider;
	const char *to = match_trials_context(x->t)->m[p->member].repo_uri;

	for (size_t i = 0; i < got->contracts.n; i++) {
		const struct end *e = got->contracts.v[i].producer;
		if (!strcmp(e->repo_uri, to) && !strcmp(e->path, p->fact->path))
			return true;
	}
	return false;
}

static bool joins_with_host(const struct trial *x)
{
	struct fact now = *x->call->fact;
	const struct provider *p = x->route->provider;
	size_t meant = x->route->rule ? x->route->rule->gateway : p->member;

	if (match_text_equal(now.kind, "topic"))
		now.host = p->fact->host;
	else
		now.host = member_host_name(match_trials_context(x->t), meant, x->a);
	now.raw = NULL;
	now.steps.n = 0;
	return (now.host || match_text_equal(now.kind, "topic")) && joins(x, &now);
}

static bool joins_with_method(const struct trial *x)
{
	struct fact now = *x->call->fact;

	now.method = x->route->provider->fact->method;
	return joins(x, &now);
}

/* The call's leading segments in front of the route's path. */
static const char *behind_leading(const struct trial *x, const char *path)
{
	const char *leading = "";

	for (int i = 0; i < x->route->path.shift; i++)
		leading = arena_printf(x->a, "%s/%s", leading, x->call->path.seg[i]);
	return arena_printf(x->a, "%s%s%s", leading, *path == '/' ? "" : "/", path);
}

static bool joins_with_path(const struct trial *x)
{
	struct fact now = *x->call->fact;

	now.path = declared_path(x->route->provider, x->a);
	if (x->route->rule)
		now.path = x->route->seen->text;
	if (joins(x, &now))
		return true;
	if (!is_http(x->call->fact) || x->route->path.shift <= 0)
		return false;
	now.path = behind_leading(x, now.path);
	return joins(x, &now);
}

/* ---- the step ---- */

static const struct {
	enum difference difference;
	enum link_step step;
	bool (*joins)(const struct trial *);
} repairs[] = {
	{ DIFFERS_HOST, STEP_HOST, joins_with_host },
	{ DIFFERS_UNKNOWN, STEP_COMPUTED_URL, joins_with_path },
	{ DIFFERS_PREFIX, STEP_PREFIX, joins_with_path },
	{ DIFFERS_PATH, STEP_PATH, joins_with_path },
	{ DIFFERS_METHOD, STEP_METHOD, joins_with_method },
};

/*
 * Of several differences, the one without which the two were joined; else the first.  A single one
 * needs no trial.
 */
static enum link_step decisive(const struct trial *x, int all)
{
	enum link_step first = STEP_EVIDENCE;

	for (size_t i = 0; i < LEN(repairs); i++) {
		if (!(all & repairs[i].difference))
			continue;
		if (all == (int)repairs[i].difference || repairs[i].joins(x))
			return repairs[i].step;
		if (first == STEP_EVIDENCE)
			first = repairs[i].step;
	}
	return first;
}

/* Whether several repositories, the route's among them, serve the call equally well. */
static bool is_one_of_several(const struct trial *x)
{
	const struct unresolved *row = x->call->row;
	const char *to = match_trials_context(x->t)->m[x->route->provider->member].repo_uri;
	bool here = false, elsewhere = false;

	for (size_t i = 0; row && i < row->candidates.n; i++) {
		bool same = !strcmp(row->candidates.v[i].repo_uri, to);
		here |= same;
		elsewhere |= !same;
	}
	return here && elsewhere;
}

/* Whether the method is unknown and several of this repository fit. */
static bool has_several_methods(const struct trial *x)
{
	const struct unresolved *row = x->call->row;

	return row && row->candidates.n > 1 && match_text_equal(x->call->fact->method, "ANY");
}

static bool is_host_computed(const struct explained_call *call)
{
	const struct fact *f = call->fact;
	bool open = !text_is_set(f->host) || strstr(f->host, "{}");

	return open && is_computed(f);
}

/* Whether the call names an address that is no member's. */
static bool has_unknown_address(const struct trial *x)
{
	const struct call_site *s = x->call->site;

	if (s->host_class == HOST_MEMBER || s->hint.n)
		return false;
	return unknown_variable(match_trials_context(x->t), x->call->fact, x->a) != NULL;
}

/* The step if neither host nor method nor path differs. */
static enum link_step step_of_fit(const struct trial *x)
{
	const struct explained_call *call = x->call;
	bool named = call->site->host_class == HOST_MEMBER || call->site->hint.n;

	if (!named && is_host_computed(call))
		return STEP_COMPUTED_URL;
	if (call->link)
		return STEP_OTHER;
	if (has_several_methods(x))
		return STEP_METHOD;
	if (match_text_equal(call->fact->kind, "topic"))
		return STEP_HOST;
	if (has_unknown_address(x))
		return STEP_HOST;
	if (is_one_of_several(x))
		return STEP_OTHER;
	return STEP_EVIDENCE;
}

/* Whether the call goes elsewhere although it does not name that place. */
static bool is_drawn_elsewhere(const struct explained_call *call, int all)
{
	if (!call->link || call->site->host_class == HOST_MEMBER || call->site->hint.n)
		return false;
	return all == DIFFERS_HOST || all == DIFFERS_PREFIX;
}

static enum link_step find_step(const struct trial *x)
{
	int all = differences(x->call, x->route);

	if (declarations_deny(x->call->site, x->route->provider->member))
		return STEP_DECLARED_NOT;
	if (!all)
		return step_of_fit(x);
	if (is_drawn_elsewhere(x->call, all))
		return STEP_OTHER;
	return decisive(x, all);
}

void failing_step(struct match_trials *t, const struct explained_call *call,
    const struct near_route *route, struct arena *a, struct step_failure *out)
{
	const struct trial x = { t, call, route, a };

	*out = (struct step_failure){ .step = find_step(&x) };
	failing_step_text(match_trials_context(t), call, route, a, out);
	declare_link(t, call, route, a, out);
}
