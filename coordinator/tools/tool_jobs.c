/* Jobs: enqueueing, listing, cancelling. */
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/base/optional_text.h"
#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/jobs/jobs.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/job_table.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/minmax.h"

static const char *iso(int64_t ms, struct arena *a)
{
	char *out = arena_get(a, CLOCK_ISO, 1);

	if (!ms)
		return NULL;
	clock_iso_at(ms, out);
	return out;
}

static void row(struct call *c, struct job *j, struct job_row *r)
{
	struct arena *a = c->a;

	jobs_add_progress(c->co->jobs, j, a);
	*r = (struct job_row){
		.id = j->id,
		.kind = j->kind,
		.key = j->key,
		.repo_uri = j->repo_uri,
		.group = j->group,
		.state = j->state,
		.cancelled = j->cancelled,
		.reason = j->reason,
		.phase = j->phase,
		.done = j->done,
		.total = j->total,
		.tries = (uint64_t)j->tries,
		.waits = (uint64_t)j->waits,
		.lost = (uint64_t)j->lost,
		.created_at = iso(j->created_ms, a),
		.started_at = iso(j->started_ms, a),
		.ended_at = iso(j->ended_ms, a),
		.generation = j->generation,
		.note = j->note,
		.code = j->code,
		.message = j->message,
	};
	/* a limited caller sees no names but its own */
	if (c->caller->everything || !strcmp(c->caller->name, j->caller))
		r->caller = j->caller;
	if (!strcmp(j->state, "queued"))
		r->next_run = iso(j->due_ms, a);
}

/* ---- enqueueing ---- */

static int enqueue(struct call *c, const struct member *m, const struct job_kind *k,
    const char *reason, bool force, struct job *j, bool *fresh)
{
	struct job_request w = {
		.kind = k, .of = m->repo_uri, .reason = reason, .caller = c->caller->name, .force = force
	};

	return jobs_enqueue(c->co->jobs, &w, j, fresh, c->a, &c->e);
}

static int kind_of(struct call *c, const char *name, const struct job_kind **k)
{
	const char *names = "";

	*k = job_kind(name);
	if (*k && (*k)->of == REPO)
		return 0;
	for (const struct job_kind *i = job_kinds; i->name; i++)
		if (i->of == REPO)
			names = arena_printf(c->a, "%s%s%s", names, *names ? ", " : "", i->name);
	return err_set(&c->e, ERR_INVALID_INPUT, "`kind`: `%.40s` is none of %s", name, names);
}

static int request_job(struct call *c)
{
	const struct jobs_in *in = c->in;
	struct jobs_out *out = c->out;
	const struct job_kind *k;
	struct member *m;
	struct job j;
	bool fresh;

	if (kind_of(c, in->kind, &k))
		return -1;
	m = resolve_repo(c, in->repo, in->repo_uri);
	if (!m)
		return -1;
	out->reason = "asked";
	if (!strcmp(k->name, "build"))
		out->reason = jobs_build_reason(c->co->jobs, m, in->force, c->a, &c->e);
	if (c->e.code)
		return -1;
	if (!out->reason) {
		out->reason = "fresh";
		return 0;
	}
	if (enqueue(c, m, k, out->reason, in->force, &j, &fresh))
		return -1;
	out->enqueued = fresh;
	if (!fresh)
		out->reason = j.state;
	out->job = arena_one(c->a, struct job_row);
	row(c, &j, out->job);
	return 0;
}

void tool_jobs(struct call *c)
{
	request_job(c);
	call_end(c);
}

/* Whether a job that was enqueued before is a build that runs. */
static bool is_running_build(const struct job *j)
{
	return !strcmp(j->kind, "build") && !strcmp(j->state, "running");
}

/* Bring the index to the head now, whatever the rules about its age are. */
static int analyze(struct call *c)
{
	const struct repo_analyze_in *in = c->in;
	struct repo_analyze_out *out = c->out;
	struct member *m = resolve_repo(c, in->repo, in->repo_uri);
	const struct job_kind *kind = job_kind("update");
	struct member_view v;
	struct job j;
	bool fresh;

	if (!m)
		return -1;
	const char *why = jobs_build_reason(c->co->jobs, m, in->force, c->a, &c->e);
	if (c->e.code)
		return -1;
	if (why)
		kind = job_kind("build");
	members_view(c->members, m, &v, c->a);
	out->reason = text_or(why, "asked");
	if (enqueue(c, m, kind, out->reason, in->force, &j, &fresh))
		return -1;
	/* a running build may have begun before the head moved: let an update follow it */
	if (!fresh && is_running_build(&j) &&
	    enqueue(c, m, job_kind("update"), "asked", false, &j, &fresh))
		return -1;
	out->repo_uri = m->repo_uri;
	out->name = m->name;
	out->started = fresh;
	if (v.stamp)
		out->generation = v.stamp->generation;
	out->job = j.id;
	return 0;
}

void tool_repo_analyze(struct call *c)
{
	analyze(c);
	call_end(c);
}

/* ---- listing ---- */

/* Jobs of groups, or of everything, would reveal repositories that a limited caller may not see. */
static bool may_see_job(const struct caller *c, const struct job *j)
{
	return c->everything || (j->repo_uri && caller_sees(c, j->repo_uri));
}

int view_jobs(struct call *c, const char *state, size_t max, struct job_row **rows, size_t *nrows,
    uint64_t *all)
{
	struct job *v;
	size_t n;

	*nrows = *all = 0;
	if (job_find_all(c->registry, state, NULL, NULL, &v, &n, c->a, &c->e))
		return -1;
	*rows = arena_many(c->a, MIN(n, max), struct job_row);
	for (size_t i = 0; i < n; i++) {
		if (!may_see_job(c->caller, &v[i]))
			continue;
		if (*nrows < max)
			row(c, &v[i], &(*rows)[(*nrows)++]);
		++*all;
	}
	return 0;
}

static int list(struct call *c)
{
	const struct job_list_in *in = c->in;
	struct job_list_out *out = c->out;
	const char *repo_uri = NULL;
	struct job *v;
	size_t n, from, k = 0;

	if (text_is_set(in->repo) || text_is_set(in->repo_uri)) {
		const struct member *m = resolve_repo(c, in->repo, in->repo_uri);
		if (!m)
			return -1;
		repo_uri = m->repo_uri;
	}
	const char *fingerprint = cursor_fingerprint(c->tool->in, in, NULL, c->a);
	if (cursor_read(in->cursor, fingerprint, &from, &c->e))
		return -1;
	if (job_find_all(c->registry, in->state, in->kind, repo_uri, &v, &n, c->a, &c->e))
		return -1;
	out->jobs.v = arena_many(c->a, in->limit, struct job_row);
	for (size_t i = 0; i < n; i++) {
		if (!may_see_job(c->caller, &v[i]))
			continue;
		if (k >= from && out->jobs.n < in->limit)
			row(c, &v[i], &out->jobs.v[out->jobs.n++]);
		k++;
	}
	out->total = k;
	if (from + out->jobs.n < k)
		out->next_cursor = cursor_make(fingerprint, from + out->jobs.n, 0, c->a);
	return 0;
}

void tool_job_list(struct call *c)
{
	list(c);
	call_end(c);
}

/* Get a job; one that the caller may not see does not exist for it. */
static int get(struct call *c, const char *id, struct job *j)
{
	if (job_get(c->registry, id, j, c->a, &c->e))
		return -1;
	if (may_see_job(c->caller, j))
		return 0;
	err_set(&c->e, ERR_NOT_FOUND, "no job `%.40s`", id);
	return err_hint(&c->e, "`atoll jobs list` shows the jobs.");
}

static int put_log(struct call *c, struct job_row *out)
{
	struct job_log_entry *v;
	size_t n;

	if (job_log(c->registry, out->id, &v, &n, c->a, &c->e))
		return -1;
	out->log.v = arena_many(c->a, n, struct job_event);
	out->log.n = n;
	for (size_t i = 0; i < n; i++)
		out->log.v[i] = (struct job_event){ iso(v[i].at_ms, c->a), v[i].state, v[i].phase,
			v[i].done, v[i].total, v[i].code, v[i].message };
	return 0;
}

void tool_job_show(struct call *c)
{
	const struct job_in *in = c->in;
	struct job j;

	if (!get(c, in->id, &j)) {
		row(c, &j, c->out);
		put_log(c, c->out);
	}
	call_end(c);
}

void tool_job_cancel(struct call *c)
{
	const struct job_in *in = c->in;
	struct job j;

	if (!get(c, in->id, &j) && !jobs_cancel(c->co->jobs, in->id, &c->e) && !get(c, in->id, &j))
		row(c, &j, c->out);
	call_end(c);
}
