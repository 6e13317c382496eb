#include "coordinator/contracts/matching/declared_link.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"

const char *declared_path(const struct provider *p, struct arena *a)
{
	const char *path = p->fact->path, *rest = strstr(path, "{*}");

	if (!rest || strcmp(p->fact->kind, "http"))
		return path;
	return arena_printf(a, "%.*s{}", (int)(rest - path), path);
}

/* The text as a YAML scalar that may stand in `{…}`. */
static const char *scalar(const char *s, struct arena *a)
{
	static const char
	    plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./";
	const char *quoted = "'";

	if (*s && strchr(plain, *s) && *s > '9' && !s[strspn(s, plain)])
		return s;
	for (; *s; s++)
		quoted = arena_printf(a, "%s%c%s", quoted, *s, *s == '\'' ? "'" : "");
	return arena_printf(a, "%s'", quoted);
}

/* Whether the call, if it were this one, or this one in addition, had a link to the route. */
static bool makes_link(struct match_trials *t, const struct explained_call *call,
    const struct provider *p, const struct fact *was, const struct fact *now)
{
	const struct match_result *got = match_trial(t, call->member, was, now);
	const char *to = match_trials_context(t)->m[p->member].repo_uri;

	for (size_t i = 0; i < got->contracts.n; i++) {
		const struct end *e = got->contracts.v[i].producer;
		if (!strcmp(e->repo_uri, to) && !strcmp(e->path, p->fact->path) &&
		    !strcmp(e->method, p->fact->method))
			return true;
	}
	return false;
}

static bool is_host_name(const char *s)
{
	static const char
	    letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-:";

	return text_is_set(s) && !s[strspn(s, letters)];
}

/* The host is one of the route's repository: then this call and all others reach it. */
static bool declare_host(struct match_trials *t, const struct explained_call *call,
    const struct provider *p, const char *name, struct arena *a, struct step_failure *out)
{
	const struct call_site *s = call->site;
	struct fact now = *call->fact;
	bool nobody = s->host_class == HOST_EXTERNAL || s->host_class == HOST_UNREGISTERED;

	if (out->step != STEP_HOST || !nobody || !is_host_name(s->host.name))
		return false;
	now.host = name;
	now.raw = NULL;
	now.steps.n = 0;
	if (!makes_link(t, call, p, call->fact, &now))
		return false;
	out->declaration = arena_printf(
	    a, "services: [{name: %s, hosts: [%s]}]", scalar(name, a), scalar(s->host.name, a));
	out->declared_in = match_trials_context(t)->m[p->member].repo_uri;
	return true;
}

static bool is_path(const char *s)
{
	return *s == '/' && !strpbrk(s, " \t\n?#");
}

static bool is_method(const char *s)
{
	static const char *const methods[] = { "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD",
		"OPTIONS", "ANY" };
	size_t i = 0;

	while (i < LEN(methods) && strcmp(methods[i], s))
		i++;
	return i < LEN(methods);
}

/* Whether a call is from the file or function that the line names. */
static bool is_from(const struct fact *call, const char *from)
{
	return !strcmp(call->file, from) || match_text_equal(call->symbol, from);
}

/* Whether the line would be about another call in code. */
static bool is_about_another(const struct match_context *w, const struct explained_call *call,
    const struct fact *now, struct arena *a)
{
	const struct path_template declared = path_split(now->path, a);
	size_t n;
	const struct fact **v = match_side(&w->m[call->member], "consumes", a, &n);

	for (size_t i = 0; i < n; i++) {
		struct path_match f;
		bool other = v[i] != call->fact && is_from(v[i], now->symbol);
		if (!other || strcmp(v[i]->method, now->method))
			continue;
		const struct path_template path = path_split(v[i]->path, a);
		if (path_fit(&path, &declared, &f) && !f.level && !f.weak)
			return true;
	}
	return false;
}

/* Name the file that the call is in, or its function if the file has another such call. */
static bool set_from(const struct match_context *w, const struct explained_call *call,
    struct fact *now, struct arena *a)
{
	const char *const froms[] = { call->fact->file, call->fact->symbol };

	for (size_t i = 0; i < LEN(froms); i++) {
		now->symbol = froms[i];
		if (text_is_set(now->symbol) && !is_about_another(w, call, now, a))
			return true;
	}
	return false;
}

void declare_link(struct match_trials *t, const struct explained_call *call,
    const struct near_route *route, struct arena *a, struct step_failure *out)
{
	const struct match_context *w = match_trials_context(t);
	const struct provider *p = route->provider;
	const char *name = member_host_name(w, p->member, a), *method = p->fact->method;

	if (!name || declare_host(t, call, p, name, a, out))
		return;
	if (!strcmp(method, "ANY"))
		method = call->fact->method;
	/* what the shard reads from the line */
	struct fact now = { .side = "consumes",
		.kind = "http",
		.method = method,
		.path = declared_path(p, a),
		.host = name,
		.framework = "atoll.yaml",
		.file = "atoll.yaml",
		.line = 1,
		.end_line = 1 };
	bool can_stand = match_text_equal(p->fact->kind, "http") && is_path(now.path) &&
	    is_method(method);
	if (!can_stand || !set_from(w, call, &now, a) || !makes_link(t, call, p, NULL, &now))
		return;
	out->declaration = arena_printf(a, "links: [{method: %s, path: %s, to: %s, from: %s}]", method,
	    scalar(now.path, a), scalar(name, a), scalar(now.symbol, a));
	out->declared_in = w->m[call->member].repo_uri;
}
