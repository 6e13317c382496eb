/* list_repos and status: the repositories and their state. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/auth/tokens.h"
#include "coordinator/base/certificate_expiry.h"
#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/members/members.h"
#include "coordinator/members/secret_origins.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/base/version.h"

static void view_secrets(struct call *c, struct status_out *out)
{
	size_t n;
	const struct secret_origin *own = coordinator_secrets(c->o, c->a, &n);

	out->secrets.v = secrets_in_use(c->members, c->caller, own, n, c->a, &out->secrets.n);
}

static int wanted(struct call *c, const char *group, const char *repo, const char *repo_uri,
    struct resolved_repos *p)
{
	if (text_is_set(repo) || text_is_set(repo_uri)) {
		p->v = arena_one(c->a, struct member *);
		p->n = 1;
		p->v[0] = resolve_repo(c, repo, repo_uri);
		if (!p->v[0])
			return -1;
		return 0;
	}
	if (text_is_set(group))
		return resolve_group(c, group, p);
	p->v = members_all(c->members, c->caller, c->a, &p->n);
	return 0;
}

/* Identifies the list that a cursor is for, by its repositories. */
static const char *list_of(struct call *c, const struct resolved_repos *p)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < p->n; i++)
		buf_printf(&b, "%s\n", p->v[i]->repo_uri);
	const char *list = cursor_fingerprint(c->tool->in, c->in, b.p, c->a);
	buf_free(&b);
	return list;
}

static int list_repos(struct call *c)
{
	const struct list_repos_in *in = c->in;
	struct list_repos_out *out = c->out;
	struct resolved_repos p;
	size_t from;

	if (wanted(c, in->group, in->repo, in->repo_uri, &p))
		return -1;
	const char *list = list_of(c, &p);
	if (cursor_read(in->cursor, list, &from, &c->e))
		return -1;
	from = MIN(from, p.n);
	out->total = p.n;
	out->repos.n = MIN(p.n - from, in->limit);
	out->repos.v = arena_many(c->a, out->repos.n, struct repo_row);
	for (size_t i = 0; i < out->repos.n; i++)
		if (view_repo(c, p.v[from + i], &out->repos.v[i]))
			return -1;
	if (from + out->repos.n < p.n)
		out->next_cursor = cursor_make(list, from + out->repos.n, 0, c->a);
	return 0;
}

void tool_list_repos(struct call *c)
{
	list_repos(c);
	call_end(c);
}

/* Days until a time, rounded down, so that it is negative once the time has passed. */
static int64_t days_until(int64_t until_s, int64_t now_s)
{
	if (until_s < now_s)
		return -1 - (now_s - until_s) / 86400;
	return (until_s - now_s) / 86400;
}

static void view_certificates(struct call *c, struct status_out *out)
{
	const struct certificate_expiry *v = certificates_expiring(c->o, c->a, &out->certificates.n);
	int64_t now = clock_real_ms() / 1000;

	out->certificates.v = arena_many(c->a, out->certificates.n, struct certificate_row);
	for (size_t i = 0; i < out->certificates.n; i++) {
		char *iso = arena_many(c->a, CLOCK_ISO, char);
		clock_iso_at(v[i].until * 1000, iso);
		out->certificates.v[i] = (struct certificate_row){ v[i].what, iso,
			days_until(v[i].until, now) };
	}
}

/* The rights that caller_may (call.c) checks. */
static void view_rights(struct call *c, struct status_out *out)
{
	out->rights.v = arena_many(c->a, 2, const char *);
	if (!c->caller->read_only)
		out->rights.v[out->rights.n++] = "write";
	if (!c->caller->read_only && c->caller->everything)
		out->rights.v[out->rights.n++] = "govern";
}

/* The folder of --data, absolute; NULL if it was not named or cannot be found. */
static const char *data_folder(struct call *c)
{
	char real[PATH_MAX];

	if (!*c->o->data || !realpath(c->o->data, real))
		return NULL;
	return arena_str(c->a, real);
}

static int status(struct call *c)
{
	struct status_out *out = c->out;
	struct resolved_repos p;

	out->version = ATOLL_VERSION;
	out->uptime_ms = (uint64_t)(clock_ms() - c->co->started_ms);
	out->http = c->co->http_url;
	out->membership = "";
	out->tokens = tokens_exist(c->co->tokens);
	view_rights(c, out);
	out->global_scope = resolve_may_use_all(c->co);
	/* limited callers must not learn about others' requests or hidden repositories */
	if (c->caller->everything) {
		out->membership = c->co->membership_url;
		out->memberships = c->co->membership_urls;
		view_certificates(c, out);
		view_secrets(c, out);
		out->data = data_folder(c);
		out->requests = atomic_load(&c->co->requests);
		out->failures = atomic_load(&c->co->failures);
	}
	if (wanted(c, NULL, NULL, NULL, &p))
		return -1;
	out->repos.n = p.n;
	out->repos.v = arena_many(c->a, p.n, struct repo_row);
	for (size_t i = 0; i < p.n; i++)
		if (view_repo(c, p.v[i], &out->repos.v[i]))
			return -1;
	return view_groups(c, &out->groups.v, &out->groups.n);
}

void tool_status(struct call *c)
{
	status(c);
	call_end(c);
}
