/* Administration of repositories and of the sources that `atoll up` runs. */
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "coordinator/search/search_evidence.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/optional_text.h"
#include "proto/net/egress.h"
#include "proto/text/repo_uri.h"

static bool may_see_source(const struct caller *c, const struct source_row *s)
{
	return c->everything || (s->repo_uri && caller_sees(c, s->repo_uri));
}

void tool_source_list(struct call *c)
{
	struct source_list_out *out = c->out;
	struct source_row *v;
	size_t n, k = 0;

	if (!sources_all(c->registry, &v, &n, c->a, &c->e)) {
		for (size_t i = 0; i < n; i++)
			if (may_see_source(c->caller, &v[i]))
				v[k++] = v[i];
		out->sources.v = v;
		out->sources.n = k;
	}
	call_end(c);
}

/* The repository that already runs for a source, or NULL. */
static struct member *member_of_source(struct call *c, const char *source)
{
	size_t n;
	struct member **v = members_all(c->members, c->caller, c->a, &n);

	for (size_t i = 0; i < n; i++) {
		struct member_view view;
		members_view(c->members, v[i], &view, c->a);
		if (view.source && sources_same(view.source, source, c->a))
			return v[i];
	}
	return NULL;
}

/*
 * Whether the caller may add a source.  A host is resolved here only to answer early: what counts
 * is what the shard's machine resolves, each time.  If the caller names the machine of a path,
 * `atoll up` on that machine checks the path.
 */
static int check_source(struct call *c, const char *source)
{
	const struct egress_policy *rule = egress_policy_of(!c->caller->is_operator);
	const struct repo_add_in *in = c->in;
	struct egress_addresses found;
	struct egress_target parts;
	struct err e = { 0 };

	if (egress_parse(source, &parts, c->a, &c->e))
		return -1;
	if (*source != '/' && !uri_of_remote(source, c->a) && strcmp(parts.scheme, "file"))
		return err_set(&c->e, ERR_INVALID_INPUT,
		    "`source`: `%.100s` is neither an absolute path nor the URL of a repository",
		    uri_redact(source, c->a));
	if (*source == '/' && text_is_set(in->host))
		return 0;
	if (egress_check_source(rule, source, c->a, &c->e))
		return -1;
	if (!rule->token || !*parts.host)
		return 0;
	if (!egress_resolve(rule, &parts, &found, &e) || e.code != ERR_FORBIDDEN)
		return 0;
	c->e = e;
	return -1;
}

static int add(struct call *c)
{
	const struct repo_add_in *in = c->in;
	struct source_row *out = c->out;
	struct registry *r = c->registry;

	if (check_source(c, in->source))
		return -1;
	const char *host = text_or_null(in->host);
	if (host && registry_check_name("host", host, &c->e))
		return -1;
	*out = (struct source_row){
		.source = uri_redact(in->source, c->a), .groups = in->groups, .host = host
	};
	if (!c->caller->is_operator)
		out->added_by = c->caller->name;
	if (sources_put(r, out, &c->e))
		return -1;
	struct member *m = member_of_source(c, out->source);
	if (!m)
		return 0;
	call_audit_repos(c, &m, 1);
	out->repo_uri = m->repo_uri;
	if (sources_link_repo(r, out->source, m->repo_uri, &c->e))
		return -1;
	for (size_t i = 0; i < in->groups.n; i++)
		if (groups_add(r, in->groups.v[i], &m->repo_uri, 1, &c->e))
			return -1;
	return 0;
}

void tool_repo_add(struct call *c)
{
	add(c);
	call_end(c);
}

/* Remove a source that has no shard yet: it is found by what was typed. */
static int remove_source(struct call *c, const char *typed, const char *host)
{
	struct repo_remove_out *out = c->out;
	struct source_row *v;
	size_t n;
	struct err e = { 0 };

	if (!typed || sources_all(c->registry, &v, &n, c->a, &e))
		return -1;
	const char *source = uri_redact(typed, c->a);
	for (size_t i = 0; i < n; i++) {
		if (!sources_same(v[i].source, source, c->a))
			continue;
		c->e = (struct err){ 0 };
		*out = (struct repo_remove_out){ text_or_empty(v[i].repo_uri), v[i].source, "", { 0 } };
		if (host)
			return members_remove_host(
			    c->members, NULL, v[i].source, host, &out->hosts, c->a, &c->e);
		return sources_remove(c->registry, v[i].source, &c->e);
	}
	return -1;
}

/* 0, or -1 with INVALID_INPUT if no repository is named. */
static int check_named(struct call *c, const char *repo, const char *repo_uri)
{
	if (text_is_set(repo) || text_is_set(repo_uri))
		return 0;
	err_set(&c->e, ERR_INVALID_INPUT,
	    "`repo_uri` or `repo` is missing: a change needs the repository's name");
	return err_hint(&c->e, "Run `atoll repo list` to see the repositories.");
}

void tool_repo_remove(struct call *c)
{
	const struct repo_remove_in *in = c->in;
	struct repo_remove_out *out = c->out;
	const char *host = text_or_null(in->host);
	struct member *m = NULL;

	if (!check_named(c, in->repo, in->repo_uri))
		m = resolve_repo(c, in->repo, in->repo_uri);
	if (m) {
		*out = (struct repo_remove_out){ m->repo_uri, m->name, m->collection, { 0 } };
		if (host)
			members_remove_host(c->members, m, NULL, host, &out->hosts, c->a, &c->e);
		else
			members_remove(c->members, m, &c->e);
	} else if (c->e.code == ERR_NOT_FOUND) {
		const char *typed = in->repo;
		if (text_is_set(in->repo_uri))
			typed = in->repo_uri;
		remove_source(c, typed, host);
	}
	call_end(c);
}

void tool_repo_visibility(struct call *c)
{
	const struct repo_visibility_in *in = c->in;
	struct repo_out *out = c->out;
	struct member *m = NULL;

	if (!check_named(c, in->repo, in->repo_uri))
		m = resolve_repo(c, in->repo, in->repo_uri);
	if (m && !in->visibility)
		err_set(&c->e, ERR_INVALID_INPUT, "`visibility` is missing: public, internal or private");
	else if (m && !members_visibility(c->members, m, in->visibility, &c->e))
		*out = (struct repo_out){ m->repo_uri, m->name, m->collection };
	call_end(c);
}
