#include "coordinator/contracts/matching/failing_step_text.h"

#include <stdint.h>
#include <string.h>

#include "coordinator/contracts/matching/declarations.h"
#include "coordinator/contracts/matching/member_relations.h"
#include "coordinator/contracts/matching/service_name.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"

/* What is written about one failure. */
struct telling {
	const struct match_context *w;
	const struct explained_call *call;
	const struct near_route *route;
	struct arena *a;
};

static const char *server_name(const struct telling *t)
{
	return t->w->m[t->route->provider->member].name;
}

/* ---- computed-url ---- */

/* What could not be followed, by the word in `fact.why`. */
static const struct {
	const char *why, *text;
} gaps[] = {
	{ "caller", "is a parameter of a function without a known caller" },
	{ "argument", "is a parameter for which the callers pass different values" },
	{ "name", "is a name without a known definition" },
	{ "value", "has no known value" },
	{ "call", "is what a call returns" },
	{ "setting", "is a setting that is not set" },
	{ "expression", "is an expression that cannot be computed" },
	{ "limit", "needs more steps than the limits allow" },
};

static const char *gap_text(const char *why)
{
	for (size_t i = 0; i < LEN(gaps); i++)
		if (match_text_equal(why, gaps[i].why))
			return gaps[i].text;
	return "is not known";
}

static const char *computed_text(const struct telling *t, struct step_failure *out)
{
	const struct fact *f = t->call->fact;
	const char *what = "the path of the call is computed";
	const char *file = text_or(f->gap_file, f->file);
	uint64_t line = f->line;

	if (t->route->fits)
		what = "the path fits, but the address of the call is computed";
	if (f->gap && f->gap_line)
		line = f->gap_line;
	if (!f->gap)
		file = f->file;
	out->at = arena_printf(t->a, "%s:%llu", file, (unsigned long long)line);
	if (f->gap)
		return arena_printf(t->a, "%s: `%s` %s", what, f->gap, gap_text(f->why));
	if (f->raw)
		return arena_printf(t->a, "%s: `%s`", what, f->raw);
	return what;
}

/* ---- declared-not ---- */

static const char *declared_text(const struct telling *t, struct step_failure *out)
{
	const struct fact *f = declarations_denial(t->call->site, t->route->provider->member);

	/* the operator's file is not for everybody's eyes */
	if (match_text_equal(f->framework, "routing"))
		return arena_printf(
		    t->a, "the operator's file declares that the call does not go to %s", server_name(t));
	out->at = arena_printf(t->a, "%s:%llu", f->file, (unsigned long long)f->line);
	return arena_printf(
	    t->a, "`not` in atoll.yaml declares that the call does not go to %s", server_name(t));
}

/* ---- host ---- */

/* The first name of an address in the text that has a word of its own and is no member's. */
static const char *unknown_name_in(const struct match_context *w, const char *text, struct arena *a)
{
	static const char
	    letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

	for (size_t i = 0; text[i];) {
		size_t n = strspn(text + i, letters);
		struct host_names h;
		struct name_words words;
		char core[NAME_CORE];
		if (n && n < sizeof core) {
			const char *word = arena_strn(a, text + i, n);
			name_words(word, &words);
			if (words.address && name_core(&words, 0, core) &&
			    !host_index_find_segment(w->hosts, word, &h))
				return word;
		}
		i += n + !n;
	}
	return NULL;
}

const char *unknown_variable(
    const struct match_context *w, const struct fact *call, struct arena *a)
{
	const char *found = NULL;

	if (call->raw)
		found = unknown_name_in(w, call->raw, a);
	for (size_t i = 0; i < call->steps.n && !found; i++)
		if (call->steps.v[i].text)
			found = unknown_name_in(w, call->steps.v[i].text, a);
	return found;
}

static const char *members_text(const struct telling *t, const struct host_names *h)
{
	const char *s = "";

	for (size_t i = 0; i < h->n && i < 3; i++)
		s = arena_printf(t->a, "%s%s%s", s, *s ? " and " : "", t->w->m[h->members[i]].name);
	if (h->n > 3)
		return arena_printf(t->a, "%s and %zu more", s, h->n - 3);
	return s;
}

static const char *topic_host_text(const struct telling *t)
{
	const struct fact *f = t->call->fact, *r = t->route->provider->fact;

	if (f->host && r->host && strcmp(f->host, r->host))
		return arena_printf(
		    t->a, "the message goes through `%s`, the subscription is to `%s`", f->host, r->host);
	return arena_printf(t->a, "the name fits, but the message is sent with %s and received with %s",
	    f->framework, r->framework);
}

static const char *host_text(const struct telling *t)
{
	const struct call_site *s = t->call->site;

	if (match_text_equal(t->call->fact->kind, "topic"))
		return topic_host_text(t);
	if (s->host_class == HOST_MEMBER)
		return arena_printf(t->a, "the host `%s` names %s, not %s", s->host.name,
		    members_text(t, &s->host), server_name(t));
	if (s->hint.n)
		return arena_printf(
		    t->a, "`%s` names %s, not %s", s->hint.name, members_text(t, &s->hint), server_name(t));
	if (s->host_class == HOST_EXTERNAL)
		return arena_printf(
		    t->a, "the host `%s` is outside the group: no repository has that name", s->host.name);
	if (s->host_class == HOST_UNREGISTERED)
		return arena_printf(t->a, "no repository of the group has the name `%s`", s->host.name);
	return arena_printf(t->a, "no repository of the group has the name in `%s`",
	    text_or_empty(unknown_variable(t->w, t->call->fact, t->a)));
}

/* ---- prefix, method, path ---- */

static const char *segments_text(const struct path_template *p, size_t n, struct arena *a)
{
	const char *s = "";

	for (size_t i = 0; i < n && i < p->n; i++)
		s = arena_printf(a, "%s/%s", s, p->seg[i]);
	return s;
}

/* By which gateway the path is compared. */
static const char *behind_text(const struct telling *t)
{
	const struct gateway_rule *rule = t->route->rule;

	if (!rule)
		return "";
	return arena_printf(t->a, "; %s forwards `%s`", t->w->m[rule->gateway].name, rule->fact->path);
}

static const char *prefix_text(const struct telling *t)
{
	const struct path_difference *d = &t->route->path;

	if (d->shift > 0)
		return arena_printf(t->a, "the path fits only without `%s` at its beginning%s",
		    segments_text(&t->call->path, (size_t)d->shift, t->a), behind_text(t));
	return arena_printf(t->a, "the path fits only with `%s` in front of it%s",
	    segments_text(t->route->seen, (size_t)-d->shift, t->a), behind_text(t));
}

static const char *method_text(const struct telling *t)
{
	const char *call = t->call->fact->method, *route = t->route->provider->fact->method;

	if (!strcmp(call, "ANY"))
		return arena_printf(t->a,
		    "the path fits several routes of %s, and the method of the call"
		    " is not known",
		    server_name(t));
	return arena_printf(t->a, "the path fits, but the call is %s and the route is %s", call, route);
}

static const char *path_text(const struct telling *t)
{
	const struct path_difference *d = &t->route->path;

	if (!d->called)
		return arena_printf(t->a, "the route goes on with `%s` where the path of the call ends%s",
		    text_or_empty(d->served), behind_text(t));
	if (!d->served)
		return arena_printf(t->a, "the path of the call goes on with `%s` where the route ends%s",
		    d->called, behind_text(t));
	return arena_printf(t->a, "segment %d of the path is `%s`, that of the nearest route `%s`%s",
	    d->segment, d->called, d->served, behind_text(t));
}

/* ---- other, evidence ---- */

static const char *other_text(const struct telling *t)
{
	const struct contract *link = t->call->link;
	const struct unresolved *row = t->call->row;
	const char *also = "";
	size_t n = 0;

	for (size_t i = 0; link && i < t->w->n; i++)
		if (!strcmp(t->w->m[i].repo_uri, link->producer->repo_uri))
			return arena_printf(t->a, "the call goes to %s instead (%.2f)%s%s", t->w->m[i].name,
			    link->confidence, link->evidence.n ? ": " : "",
			    link->evidence.n ? text_or_empty(link->evidence.v[0].text) : "");
	for (size_t i = 0; i < t->w->n; i++) {
		bool serves = false;
		for (size_t k = 0; row && k < row->candidates.n; k++)
			serves |= !strcmp(row->candidates.v[k].repo_uri, t->w->m[i].repo_uri);
		if (!serves || i == t->route->provider->member)
			continue;
		if (n++ < 3)
			also = arena_printf(t->a, "%s%s%s", also, *also ? ", " : "", t->w->m[i].name);
	}
	return arena_printf(
	    t->a, "other repositories serve it as well, and nothing tells which is meant: %s", also);
}

static const char *host_doubt(const struct telling *t)
{
	const struct call_site *s = t->call->site;

	if (s->host.n && !s->host.loose)
		return arena_printf(t->a, "the host is `%s`", s->host.name);
	if (s->host.n)
		return arena_printf(t->a, "the host `%s` only resembles its name", s->host.name);
	if (s->hint.n)
		return arena_printf(t->a, "`%s` only resembles its name", s->hint.name);
	if (text_is_set(t->call->fact->host))
		return arena_printf(t->a, "the host `%s` names nobody", t->call->fact->host);
	return "the host of the call is not known";
}

/* Whether the matcher took the route for possible, but not for likely. */
static bool is_candidate(const struct telling *t)
{
	const struct unresolved *row = t->call->row;
	const char *to = t->w->m[t->route->provider->member].repo_uri;

	for (size_t i = 0; row && i < row->candidates.n; i++)
		if (!strcmp(row->candidates.v[i].repo_uri, to))
			return true;
	return false;
}

/* What makes a possible route unlikely. */
static const char *weakness(const struct telling *t)
{
	const struct fact *route = t->route->provider->fact;

	if (match_text_equal(route->reason, "documented"))
		return "; only a document declares the route";
	if (route->partial)
		return "; the prefix of the route is not known";
	return "";
}

/* What the two repositories have to do with each other, and why that is not enough. */
static const char *relation_text(const struct telling *t)
{
	const char *why = NULL;
	enum relation r = member_relation(
	    t->w->relations, t->call->member, t->route->provider->member, &why);

	if (r == RELATION_EVIDENT)
		return arena_printf(t->a, "%s, but too little of the path agrees", text_or_empty(why));
	if (why)
		return arena_printf(t->a, "that %s is not enough", why);
	return "no name, owner or package joins the two repositories";
}

static const char *evidence_text(const struct telling *t)
{
	const struct call_site *s = t->call->site;
	bool named = s->host_class == HOST_MEMBER && !s->host.loose;

	if (is_candidate(t))
		return arena_printf(t->a, "method and path fit, but too little speaks for %s: %s; %s%s",
		    server_name(t), host_doubt(t), relation_text(t), weakness(t));
	if (named || t->call->member == t->route->provider->member)
		return "method and path fit, but too little of the path is known";
	return arena_printf(t->a,
	    "method and path fit, but nothing says that the call is for %s: %s; %s; and %s serves too few"
	    " of the other requests to this address",
	    server_name(t), host_doubt(t), relation_text(t), server_name(t));
}

void failing_step_text(const struct match_context *w, const struct explained_call *call,
    const struct near_route *route, struct arena *a, struct step_failure *out)
{
	const struct telling t = { w, call, route, a };

	switch (out->step) {
	case STEP_COMPUTED_URL: out->text = computed_text(&t, out); break;
	case STEP_HOST: out->text = host_text(&t); break;
	case STEP_PREFIX: out->text = prefix_text(&t); break;
	case STEP_METHOD: out->text = method_text(&t); break;
	case STEP_PATH: out->text = path_text(&t); break;
	case STEP_OTHER: out->text = other_text(&t); break;
	case STEP_EVIDENCE: out->text = evidence_text(&t); break;
	case STEP_DECLARED_NOT: out->text = declared_text(&t, out); break;
	case STEP_NOT_INDEXED:
	case STEP_NO_CALLS:
	case STEP_NO_ROUTES: break;
	}
}
