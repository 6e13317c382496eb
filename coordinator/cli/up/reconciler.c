#include "coordinator/cli/up/reconciler_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/up/codebase_root.h"
#include "coordinator/cli/up/log_tail.h"
#include "coordinator/cli/up/repo_argument.h"
#include "coordinator/cli/up/runtime_paths.h"
#include "coordinator/cli/up/shard_folders.h"
#include "coordinator/cli/up/supervisor.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/optional_text.h"
#include "proto/net/crypto.h"
#include "proto/process/progress.h"

enum {
	START_MS = 30000,	/* timeout of the coordinator's start */
	TIMEOUT_MS = 5000,	/* of one call */
	PRUNE_MS = 3600000,	/* between two searches for unregistered data */
	RETRY_POLLS = 15,	/* until contracts that a member is missing in are built again */
	STARTS_MAX = 3,		/* starts of a shard before it is reported as failed */
};

/* ---- the coordinator ---- */

static const char *first_line(const char *path, struct arena *a)
{
	char line[512] = "";
	FILE *r = fopen(path, "re");

	if (!r)
		return "";
	if (!fgets(line, sizeof line, r))
		*line = 0;
	fclose(r);
	line[strcspn(line, "\r\n")] = 0;
	return arena_str(a, line);
}

/* Why a program ended, as the last line of its log says it. */
struct last_words {
	const char *log, *message, *hint;
};

static struct last_words last_words_of(
    const struct reconciler *f, const char *label, struct arena *a)
{
	const char *log = arena_printf(a, "%s/%s.log", f->site->logs, label);
	const char *line = log_tail_last_line(log, a), *message = log_tail_value(line, "message", a);

	if (!*message)		/* not a line of ours: it crashed */
		message = line;
	return (struct last_words){ log, message, log_tail_value(line, "hint", a) };
}

static void print_start_failure(const struct reconciler *f, struct arena *a)
{
	if (f->o->verbose) {
		fprintf(stderr, "atoll: the coordinator does not start; its messages above say why\n");
		return;
	}
	const struct last_words last = last_words_of(f, COORDINATOR_LABEL, a);
	say(stderr, "atoll: the coordinator does not start: %s\n", last.message);
	if (*last.hint)
		say(stderr, "%s\n", last.hint);
	say(stderr, "Its log: %s\n", last.log);
}

/* Whether the coordinator may still become ready. */
static bool is_starting(const struct reconciler *f, int64_t deadline)
{
	if (supervisor_stopping(f->programs) || clock_ms() >= deadline)
		return false;
	return supervisor_failures(f->programs, COORDINATOR_LABEL) < 2;
}

/* Wait until the coordinator has written its address.  0 or -1. */
static int await_coordinator(struct reconciler *f, struct arena *keep)
{
	int64_t deadline = clock_ms() + START_MS;
	struct arena *a = arena_new();
	const char *at = "";
	int rc = -1;

	supervisor_report_exits(f->programs, COORDINATOR_LABEL, false);
	while (!*at && is_starting(f, deadline)) {
		clock_sleep(20);
		arena_reset(a);
		at = first_line(f->site->ready, a);
	}
	if (*at) {
		f->client.url = arena_str(keep, at);
		/* a restart uses the same port */
		reconciler_run_coordinator(f, strstr(f->client.url, "://") + 3, keep);
		supervisor_report_exits(f->programs, COORDINATOR_LABEL, true);
		rc = 0;
	} else if (!supervisor_stopping(f->programs)) {
		print_start_failure(f, a);
		f->rc = EXIT_UNAVAILABLE;
	}
	arena_free(a);
	return rc;
}

/*
 * Ask the coordinator of --join once for the address to announce shards to.  ANSWER_ERROR if it
 * refuses or the address cannot be used.
 */
static enum answer ask_coordinator(struct reconciler *f, struct arena *keep, struct err *e)
{
	struct arena *a = arena_new();
	struct status_out is = { 0 };
	enum answer got = client_get(
	    &f->client, "status", "{}", TIMEOUT_MS, &rec_status_out, &is, a, e);

	if (got == ANSWER_OK &&
	    host_join_resolve(&f->join, f->o, f->client.url, &is, f->site->data, keep, e))
		got = ANSWER_ERROR;
	arena_free(a);
	return got;
}

static void print_error(const char *subject, const struct err *e)
{
	say(stderr, "atoll: %s: %s\n", subject, e->msg);
	if (*e->hint)
		say(stderr, "%s\n", e->hint);
}

/* Wait, without a limit, until the coordinator of --join answers.  0, or -1 if it refuses. */
static int find_coordinator(struct reconciler *f, struct arena *keep)
{
	bool reported = false;

	while (!supervisor_stopping(f->programs)) {
		struct err e = { 0 };
		enum answer got = ask_coordinator(f, keep, &e);
		if (got == ANSWER_OK)
			return 0;
		if (got == ANSWER_ERROR) {
			print_error(f->client.url, &e);
			f->rc = EXIT_UNAVAILABLE;
			return -1;
		}
		if (!reported)
			say(stderr, "atoll: waiting for %s: %s\n", f->client.url, e.msg);
		reported = true;
		clock_sleep(f->poll_ms);
	}
	return -1;
}

/* Register a source; report a failure. */
static enum answer add_source(struct reconciler *f, const char *source, struct arena *a)
{
	struct source_row row = { 0 };
	struct buf b = { 0 };
	struct err e = { 0 };

	args_str(&b, "source", source);
	args_groups(&b, &f->o->group);
	if (f->joins)
		args_str(&b, "host", f->host);
	enum answer got = client_get(
	    &f->client, "repo_add", args_end(&b, a), TIMEOUT_MS, &rec_source_row, &row, a, &e);
	if (got != ANSWER_OK)
		print_error(source, &e);
	return got;
}

/* Register the sources.  The number of them that the coordinator accepted. */
static int add_sources(struct reconciler *f, struct arena *a)
{
	int added = 0;

	for (size_t i = 0; i < f->sources.n; i++)
		if (add_source(f, f->sources.v[i], a) == ANSWER_OK)
			added++;
	return added;
}

/* Register the repositories that were put into the folder of --codebase-root. */
static void add_appeared(struct reconciler *f, struct arena *keep)
{
	struct string_list more, all;
	struct arena *a = arena_new();

	codebase_root_appeared(f->root, &more, a);
	if (more.n) {
		all.v = arena_many(keep, f->sources.n + more.n, const char *);
		all.n = f->sources.n;
		if (all.n)
			memcpy(all.v, f->sources.v, all.n * sizeof *all.v);
		for (size_t i = 0; i < more.n; i++) {
			enum answer got = add_source(f, more.v[i], a);
			if (got == ANSWER_OK)
				all.v[all.n++] = arena_str(keep, more.v[i]);
			else if (got != ANSWER_ERROR)	/* it was not reached */
				codebase_root_forget(f->root, more.v[i]);
		}
		f->sources = all;
	}
	arena_free(a);
}

/* ---- the programs that should run ---- */

/* Whether the name of `n` bytes is this host; no name means the coordinator's own machine. */
static bool is_this_host(const struct reconciler *f, const char *name, size_t n)
{
	if (!n)
		return !f->joins;
	return n == strlen(f->host) && !strncmp(name, f->host, n);
}

bool reconciler_is_for_this_host(const struct reconciler *f, const struct source_row *r)
{
	const char *p = text_or_empty(r->host);

	if (!r->source)
		return false;
	for (;;) {
		size_t n = strcspn(p, ",");
		if (is_this_host(f, p, n))
			return true;
		p += n;
		if (!*p)
			return false;
		p++;
	}
}

/* Whether a token added it, and not the command line of this `atoll up`. */
static bool is_from_token(const struct reconciler *f, const struct source_row *r)
{
	for (size_t i = 0; i < f->sources.n; i++)
		if (!strcmp(f->sources.v[i], r->source))
			return false;
	return r->added_by && *r->added_by;
}

/* Whether the coordinator, or a source for this machine, has this label. */
static bool is_listed(const struct reconciler *f, const struct source_list_out *want,
    const char *label, struct arena *a)
{
	if (!strcmp(label, COORDINATOR_LABEL))
		return true;
	for (size_t i = 0; i < want->sources.n; i++) {
		const struct source_row *r = &want->sources.v[i];
		if (reconciler_is_for_this_host(f, r) && !strcmp(label, source_label(r->source, a)))
			return true;
	}
	return false;
}

/* Start the shards of new sources, and stop those of sources that are gone. */
static void apply(struct reconciler *f, const struct source_list_out *want, struct arena *a)
{
	for (size_t i = 0; i < want->sources.n; i++) {
		const struct source_row *r = &want->sources.v[i];
		if (!reconciler_is_for_this_host(f, r))
			continue;
		const char *label = source_label(r->source, a);
		if (supervisor_failures(f->programs, label) < 0)
			reconciler_run_shard(f, label, r->source, is_from_token(f, r), a);
	}
	for (int i = 0;;) {
		const char *label = supervisor_wanted(f->programs, i, a);
		if (!label)
			break;
		if (is_listed(f, want, label, a)) {
			i++;
			continue;
		}
		say(stderr, "%s: removed\n", label);
		supervisor_unwant(f->programs, label);
		if (f->join.address)
			host_join_release_port(&f->join, label);
	}
}

/* ---- progress ---- */

const struct repo_row *observed_repo(const struct status_out *is, const char *uri)
{
	for (size_t i = 0; uri && i < is->repos.n; i++)
		if (is->repos.v[i].repo_uri && !strcmp(is->repos.v[i].repo_uri, uri))
			return &is->repos.v[i];
	return NULL;
}

/* What to show of one repository. */
struct shown_state {
	const char *text;		/* NULL = leave it as it is */
	struct progress_amount amount;
	bool settled;			/* it is ready, or has failed */
};

static struct shown_state failed(const char *why, struct arena *a)
{
	return (struct shown_state){ .text = arena_printf(a, "failed: %s", why), .settled = true };
}

/* The shard does not run, or has not announced itself. */
static struct shown_state state_of_down(
    const struct reconciler *f, const char *label, struct arena *a)
{
	if (supervisor_failures(f->programs, label) < STARTS_MAX)
		return (struct shown_state){ .text = "starting" };
	const struct last_words last = last_words_of(f, label, a);
	return failed(arena_printf(a, "its shard does not stay up: %s%s%s; its log: %s", last.message,
	                  *last.hint ? "; " : "", last.hint, last.log),
	    a);
}

static struct shown_state state_of_running(const struct repo_row *r, struct arena *a)
{
	if (!strcmp(r->status, "ready")) {
		if (r->phase && !strcmp(r->phase, "count"))
			return (struct shown_state){ 0 };
		const char *text = arena_printf(a, "ready, %llu files, %llu symbols",
		    (unsigned long long)r->files, (unsigned long long)r->symbols);
		return (struct shown_state){ .text = text, .settled = true };
	}
	if (!strcmp(r->status, "failed"))
		return failed(text_or(r->reason, "no reason given"), a);
	/* for example an index that cannot be written; it is retried */
	if (!r->total && r->indexing && r->indexing->last_error)
		return failed(r->indexing->last_error, a);
	return (struct shown_state){
		.text = r->total ? "indexing" : r->status,
		.amount = { r->done, r->total, r->bytes_done, r->bytes_total },
	};
}

/* Show one repository.  Whether it is ready, or has failed. */
static bool show(struct reconciler *f, struct progress *p, const struct source_row *s,
    const struct repo_row *r, struct arena *a)
{
	const char *label = source_label(s->source, a), *name = label;
	struct shown_state now;

	if (r)
		name = r->name;
	if (!r || !strcmp(r->health, "down"))
		now = state_of_down(f, label, a);
	else
		now = state_of_running(r, a);
	if (now.text)
		progress_update(p, label, term_escape(name, a), term_escape(now.text, a), now.amount);
	return now.settled;
}

static void fingerprint(struct observed_state *v)
{
	struct buf b = { 0 };

	buf_str(&b, "");
	for (size_t i = 0; i < v->is.repos.n; i++) {
		const struct repo_row *r = &v->is.repos.v[i];
		const char *hash = "";
		if (r->freshness)
			hash = r->freshness->graph_hash;
		buf_printf(&b, "%s %s\n", r->repo_uri, hash);
		for (size_t j = 0; j < r->groups.n; j++)
			buf_printf(&b, " %s\n", r->groups.v[j]);
	}
	crypto_sha256(b.p, b.n, v->state);
	buf_free(&b);
}

/* Ask the coordinator for its state, run what it lists, and show the progress.  0 or -1. */
static int poll_once(
    struct reconciler *f, struct progress *p, struct observed_state *v, struct arena *a)
{
	if (client_get(
	        &f->client, "source_list", "{}", TIMEOUT_MS, &rec_source_list_out, &v->want, a, NULL))
		return -1;
	apply(f, &v->want, a);
	if (client_get(&f->client, "status", "{}", TIMEOUT_MS, &rec_status_out, &v->is, a, NULL))
		return -1;
	v->settled = true;
	for (size_t i = 0; i < v->want.sources.n; i++) {
		const struct source_row *s = &v->want.sources.v[i];
		if (reconciler_is_for_this_host(f, s))
			v->settled &= show(f, p, s, observed_repo(&v->is, s->repo_uri), a);
	}
	progress_draw(p);
	fingerprint(v);
	return 0;
}

/* ---- unregistered data ---- */

/*
 * The repositories whose data may be on this machine: those with a source for this machine, and
 * those without a source, whose shards run outside of `atoll up`.
 */
static struct status_out repos_with_data_here(
    const struct reconciler *f, const struct observed_state *v, struct arena *a)
{
	struct status_out kept = v->is;

	kept.repos.v = arena_many(a, v->is.repos.n, struct repo_row);
	kept.repos.n = 0;
	for (size_t i = 0; i < v->is.repos.n; i++) {
		bool sourced = false, here = false;
		for (size_t k = 0; k < v->want.sources.n; k++) {
			bool same = !strcmp(v->want.sources.v[k].repo_uri, v->is.repos.v[i].repo_uri);
			sourced |= same;
			here |= same && reconciler_is_for_this_host(f, &v->want.sources.v[k]);
		}
		if (!sourced || here)
			kept.repos.v[kept.repos.n++] = v->is.repos.v[i];
	}
	return kept;
}

/*
 * Once an hour, delete the data of repositories that are not registered any more, or not for this
 * machine.
 */
static void prune(struct reconciler *f, const struct observed_state *v, struct arena *a)
{
	if (f->o->keep_days < 0 || clock_ms() < f->prune_ms)
		return;
	for (size_t i = 0; i < v->want.sources.n; i++)
		if (!v->want.sources.v[i].repo_uri)	/* its data is not known yet */
			return;
	f->prune_ms = clock_ms() + PRUNE_MS;
	const struct status_out kept = repos_with_data_here(f, v, a);
	uint64_t bytes = shard_folders_prune(f->site->data, &kept, f->o->keep_days * 86400, a);
	if (bytes)
		fprintf(stderr,
		    "atoll: deleted %llu MB of repositories no longer registered for this machine\n",
		    (unsigned long long)bytes >> 20);
}

/* ---- contracts ---- */

/* Build the contracts of all groups, and count their rows.  -1 if a member was missing. */
static int sync_groups(
    struct reconciler *f, const struct observed_state *v, unsigned long long *rows, struct arena *a)
{
	bool bad = false;

	for (size_t i = 0; i < v->is.groups.n && !supervisor_stopping(f->programs); i++) {
		struct group_sync_out out = { 0 };
		struct err e = { 0 };
		struct buf b = { 0 };
		if (!v->is.groups.v[i].members.n)
			continue;
		args_str(&b, "group", v->is.groups.v[i].name);
		if (client_get(&f->client, "group_sync", args_end(&b, a), 60000, &rec_group_sync_out, &out,
		        a, &e)) {
			say(stderr, "atoll: contracts of %s: %s\n", v->is.groups.v[i].name, e.msg);
			bad = true;
		}
		bad |= !out.complete;
		*rows += out.contracts_written;
	}
	if (bad)
		return -1;
	return 0;
}

/* What has been done for the states observed so far. */
struct sync_state {
	char synced[SHA256_HEX];	/* the state whose contracts are built */
	int64_t retry_at;		/* when to build them again, as a member was missing; 0 = never */
	bool summarized;
};

/* All repositories are ready or have failed: build contracts if an index has changed. */
static void sync_contracts(struct reconciler *f, struct progress *p, const struct observed_state *v,
    struct sync_state *s, struct arena *a)
{
	unsigned long long contracts = 0;
	bool retry = s->retry_at && clock_ms() > s->retry_at;

	if (!strcmp(s->synced, v->state) && !retry)
		return;
	s->retry_at = 0;
	if (!f->joins && sync_groups(f, v, &contracts, a))
		s->retry_at = clock_ms() + RETRY_POLLS * f->poll_ms;
	memcpy(s->synced, v->state, sizeof s->synced);
	if (!s->summarized && !supervisor_stopping(f->programs)) {
		progress_use_lines(p);
		if (f->joins)
			reconciler_print_host_summary(f, v, a);
		else
			reconciler_print_summary(f, v, contracts);
	}
	s->summarized = true;
}

static void follow(struct reconciler *f, struct arena *keep)
{
	struct progress *p = progress_new();
	struct sync_state s = { 0 };

	while (!supervisor_stopping(f->programs)) {
		if (f->root)
			add_appeared(f, keep);
		struct arena *a = arena_new();
		struct observed_state v = { 0 };
		int64_t pause = f->poll_ms / 4;	/* while something is indexed */
		if (!poll_once(f, p, &v, a) && v.settled) {
			sync_contracts(f, p, &v, &s, a);
			prune(f, &v, a);
			pause = f->poll_ms;
		}
		arena_free(a);
		clock_sleep(pause);
	}
	progress_free(p);
}

/* Whether there is something to run: a source that was added now or before, or none was given. */
static bool has_sources(struct reconciler *f, struct arena *a)
{
	struct source_list_out known = { 0 };

	if (add_sources(f, a) > 0 || !f->sources.n)
		return true;
	return !client_get(&f->client, "source_list", "{}", TIMEOUT_MS, &rec_source_list_out, &known, a,
	           NULL) &&
	    known.sources.n > 0;
}

void *reconciler_run(void *arg)
{
	struct reconciler *f = arg;
	struct arena *a = arena_new();
	int rc;

	if (f->joins) {
		rc = find_coordinator(f, a);
	} else {
		reconciler_run_coordinator(f, f->o->http, a);
		rc = await_coordinator(f, a);
	}
	if (!rc) {
		if (has_sources(f, a) || f->joins)
			follow(f, a);
		else
			f->rc = EXIT_UNAVAILABLE;
	}
	supervisor_stop(f->programs);
	arena_free(a);
	return NULL;
}
