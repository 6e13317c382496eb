#include "coordinator/cli/up/reconciler_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/up/log_tail.h"
#include "coordinator/cli/up/mcp_clients.h"
#include "coordinator/cli/up/repo_argument.h"
#include "coordinator/cli/up/runtime_paths.h"
#include "coordinator/cli/up/shard_folders.h"
#include "coordinator/cli/up/supervisor.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/net/crypto.h"
#include "proto/process/embedded.h"
#include "proto/process/progress.h"

enum {
	START_MS = 30000,	/* for the coordinator to answer */
	POLL_MS = 1000,		/* between two looks; four times as often while something is indexed */
	ASK_MS = 5000,		/* for one answer */
	PRUNE_MS = 3600000,	/* between two looks for data of nobody */
	RETRY_MS = 15000,	/* after contracts that could not be built from every member */
	STARTS_MAX = 3,		/* starts of a shard that never announced itself */
};

/* What one look at the coordinator tells. */
struct observed_state {
	struct source_list_out want;
	struct status_out is;
	bool settled;		/* every repository is ready, or has failed */
	char state[SHA256_HEX];	/* of all indexes */
};

static char *first_line(const char *path, struct arena *a)
{
	char line[512] = "";
	FILE *r = fopen(path, "r");

	if (!r || !fgets(line, sizeof line, r))
		*line = 0;
	if (r)
		fclose(r);
	line[strcspn(line, "\r\n")] = 0;
	return arena_str(a, line);
}

static void print_start_failure(const char *log, struct arena *a)
{
	const char *line = log_tail_last_line(log, a), *message = log_tail_value(line, "message", a),
	           *hint = log_tail_value(line, "hint", a);

	say(stderr, "atoll: the coordinator does not start: %s\n", *message ? message : line);
	if (*hint)
		say(stderr, "%s\n", hint);
	say(stderr, "Its log: %s\n", log);
}

/* Until the coordinator has written where it answers. */
static int await_coordinator(struct reconciler *f, struct arena *keep)
{
	int64_t end = clock_ms() + START_MS;
	struct arena *a = arena_new();
	const char *at = "";

	supervisor_report_exits(f->programs, COORDINATOR_LABEL, false);	/* complain() says why */
	while (!*at && !supervisor_stopping(f->programs) && clock_ms() < end &&
	    supervisor_failures(f->programs, COORDINATOR_LABEL) < 2) {
		clock_sleep(20);
		arena_reset(a);
		at = first_line(f->site->ready, a);
	}
	if (*at) {
		f->client.url = arena_str(keep, at);
		/* the same port at the next start */
		reconciler_run_coordinator(f, strstr(f->client.url, "://") + 3, keep);
		supervisor_report_exits(f->programs, COORDINATOR_LABEL, true);
	} else if (!supervisor_stopping(f->programs)) {
		if (f->o->verbose)
			fprintf(stderr, "atoll: the coordinator does not start; above it says why\n");
		else
			print_start_failure(arena_printf(a, "%s/%s.log", f->site->logs, COORDINATOR_LABEL), a);
		f->rc = EXIT_UNAVAILABLE;
	}
	bool answers = *at != 0;
	arena_free(a);
	return answers ? 0 : -1;
}

/*
 * Ask the coordinator of --join once where it wants shards.  ERROR: it says no, or what it says
 * will not do.
 */
static enum answer ask_coordinator(struct reconciler *f, struct arena *keep, struct err *e)
{
	struct arena *a = arena_new();
	struct status_out is = { 0 };
	enum answer got = client_get(&f->client, "status", "{}", ASK_MS, &rec_status_out, &is, a, e);

	if (got == ANSWER_OK &&
	    host_join_resolve(&f->join, f->o, f->client.url, &is, f->site->data, keep, e))
		got = ANSWER_ERROR;
	arena_free(a);
	return got;
}

/* Until it has said so, however long that takes; it may be told no. */
static int find_coordinator(struct reconciler *f, struct arena *keep)
{
	bool told = false;

	while (!supervisor_stopping(f->programs)) {
		struct err e = { 0 };
		enum answer got = ask_coordinator(f, keep, &e);
		if (got == ANSWER_OK)
			return 0;
		if (got == ANSWER_ERROR) {
			say(stderr, *e.hint ? "atoll: %s: %s\n%s\n" : "atoll: %s: %s\n%s", f->client.url, e.msg,
			    e.hint);
			f->rc = EXIT_UNAVAILABLE;
			return -1;
		}
		if (!told)
			say(stderr, "atoll: waiting for %s: %s\n", f->client.url, e.msg);
		told = true;
		clock_sleep(POLL_MS);
	}
	return -1;
}

static int add_sources(struct reconciler *f, struct arena *a)
{
	struct err e = { 0 };
	struct source_row row;
	int added = 0;

	for (size_t i = 0; i < f->sources.n; i++) {
		struct buf b = { 0 };
		args_str(&b, "source", f->sources.v[i]);
		args_groups(&b, &f->o->group);
		if (f->joins)
			args_str(&b, "host", f->host);
		row = (struct source_row){ 0 };
		if (client_get(
		        &f->client, "repo_add", args_end(&b, a), ASK_MS, &rec_source_row, &row, a, &e))
			say(stderr, *e.hint ? "atoll: %s: %s\n%s\n" : "atoll: %s: %s%s\n", f->sources.v[i],
			    e.msg, e.hint);
		else
			added++;
	}
	return added;
}

/* ---- what shall run ---- */

/*
 * Whether this machine is among those that shall run it; without a name that is where the
 * coordinator was started.
 */
static bool is_for_this_host(const struct reconciler *f, const struct source_row *r)
{
	const char *p = "";

	if (r->host)
		p = r->host;
	for (bool more = r->source; more; p += more) {
		size_t n = strcspn(p, ",");
		if ((!n && !f->joins) || (n && n == strlen(f->host) && !strncmp(p, f->host, n)))
			return true;
		p += n;
		more = *p;
	}
	return false;
}

/* Whether a token named it, and not the operator of this machine by the command line. */
static bool is_from_token(const struct reconciler *f, const struct source_row *r)
{
	for (size_t i = 0; i < f->sources.n; i++)
		if (!strcmp(f->sources.v[i], r->source))
			return false;
	return r->added_by && *r->added_by;
}

static void apply(struct reconciler *f, const struct source_list_out *want, struct arena *a)
{
	for (size_t i = 0; i < want->sources.n; i++) {
		const char *source = want->sources.v[i].source;
		if (!is_for_this_host(f, &want->sources.v[i]))
			continue;
		const char *label = source_label(source, a);
		if (supervisor_failures(f->programs, label) < 0)
			reconciler_run_shard(f, label, source, is_from_token(f, &want->sources.v[i]), a);
	}
	const char *name;
	for (int i = 0; (name = supervisor_wanted(f->programs, i, a)); i++) {
		bool listed = !strcmp(name, COORDINATOR_LABEL);
		for (size_t j = 0; j < want->sources.n && !listed; j++)
			listed = is_for_this_host(f, &want->sources.v[j]) &&
			    !strcmp(name, source_label(want->sources.v[j].source, a));
		if (listed)
			continue;
		say(stderr, "%s: removed\n", name);
		supervisor_unwant(f->programs, name);
		if (f->join.address)
			host_join_release_port(&f->join, name);
		i--;
	}
}

/* ---- how it is ---- */

static const struct repo_row *row_of(const struct status_out *is, const char *uri)
{
	for (size_t i = 0; uri && i < is->repos.n; i++)
		if (is->repos.v[i].repo_uri && !strcmp(is->repos.v[i].repo_uri, uri))
			return &is->repos.v[i];
	return NULL;
}

static void put_state(struct progress *p, const char *label, const char *name, const char *state,
    struct progress_amount now, struct arena *a)
{
	progress_update(p, label, term_escape(name, a), term_escape(state, a), now);
}

/* Show one repository; whether nothing more is to be expected of it. */
static bool show(struct reconciler *f, struct progress *p, const struct source_row *s,
    const struct repo_row *r, struct arena *a)
{
	const char *label = source_label(s->source, a), *name = r ? r->name : label;
	int failures = supervisor_failures(f->programs, label);

	if (failures >= STARTS_MAX && (!r || !strcmp(r->health, "down"))) {
		const char *log = arena_printf(a, "%s/%s.log", f->site->logs, label);
		const char *line = log_tail_last_line(log, a);
		put_state(p, label, name,
		    arena_printf(a, "failed: its shard does not stay up: %s; %s Its log: %s",
		        log_tail_value(line, "message", a), log_tail_value(line, "hint", a), log),
		    (struct progress_amount){ 0 }, a);
		return true;
	}
	if (!r || !strcmp(r->health, "down")) {
		put_state(p, label, name, "starting", (struct progress_amount){ 0 }, a);
		return false;
	}
	if (!strcmp(r->status, "ready")) {
		if (r->phase && !strcmp(r->phase, "count"))
			return false;
		put_state(p, label, name,
		    arena_printf(a, "ready, %llu files, %llu symbols", (unsigned long long)r->files,
		        (unsigned long long)r->symbols),
		    (struct progress_amount){ 0 }, a);
		return true;
	}
	if (!strcmp(r->status, "failed")) {
		put_state(p, label, name,
		    arena_printf(a, "failed: %s", r->reason ? r->reason : "no reason given"),
		    (struct progress_amount){ 0 }, a);
		return true;
	}
	/* an index that cannot be written, say: it is tried again */
	if (!r->total && r->indexing && r->indexing->last_error) {
		put_state(p, label, name, arena_printf(a, "failed: %s", r->indexing->last_error),
		    (struct progress_amount){ 0 }, a);
		return true;
	}
	put_state(p, label, name, r->total ? "indexing" : r->status,
	    (struct progress_amount){ r->done, r->total, r->bytes_done, r->bytes_total }, a);
	return false;
}

static void fingerprint(struct observed_state *v)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < v->is.repos.n; i++) {
		const struct repo_row *r = &v->is.repos.v[i];
		buf_printf(&b, "%s %s\n", r->repo_uri, r->freshness ? r->freshness->graph_hash : "");
		for (size_t j = 0; j < r->groups.n; j++)
			buf_printf(&b, " %s\n", r->groups.v[j]);
	}
	crypto_sha256(b.p ? b.p : "", b.n, v->state);
	buf_free(&b);
}

static int look(struct reconciler *f, struct progress *p, struct observed_state *v, struct arena *a)
{
	if (client_get(
	        &f->client, "source_list", "{}", ASK_MS, &rec_source_list_out, &v->want, a, NULL))
		return -1;
	apply(f, &v->want, a);
	if (client_get(&f->client, "status", "{}", ASK_MS, &rec_status_out, &v->is, a, NULL))
		return -1;
	v->settled = true;
	for (size_t i = 0; i < v->want.sources.n; i++) {
		const struct source_row *s = &v->want.sources.v[i];
		if (is_for_this_host(f, s))
			v->settled &= show(f, p, s, row_of(&v->is, s->repo_uri), a);
	}
	progress_draw(p);
	fingerprint(v);
	return 0;
}

/*
 * Those whose data may be here: of no source, as shards that others run, or of one that this
 * machine shall run.
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
			here |= same && is_for_this_host(f, &v->want.sources.v[k]);
		}
		if (!sourced || here)
			kept.repos.v[kept.repos.n++] = v->is.repos.v[i];
	}
	return kept;
}

/*
 * Now and then: what is left of repositories that are not registered any more, or not for this
 * machine.
 */
static void prune(struct reconciler *f, const struct observed_state *v, struct arena *a)
{
	if (f->o->keep_days < 0 || clock_ms() < f->prune_ms)
		return;
	for (size_t i = 0; i < v->want.sources.n; i++)
		if (!v->want.sources.v[i].repo_uri)	/* which data is its own is not known */
			return;
	f->prune_ms = clock_ms() + PRUNE_MS;
	const struct status_out kept = repos_with_data_here(f, v, a);
	uint64_t bytes = shard_folders_prune(f->site->data, &kept, f->o->keep_days * 86400, a);
	if (bytes)
		fprintf(stderr,
		    "atoll: deleted %llu MB of repositories that are not registered any more, or not for this machine\n",
		    (unsigned long long)bytes >> 20);
}

/* ---- contracts, and the words at the end of the start ---- */

/* Build the contracts of all groups, and count their rows.  -1: not from every member. */
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
	return bad ? -1 : 0;
}

/* What `atoll` wants to find this coordinator. */
static void put_at(struct buf *b, const struct reconciler *f)
{
	if (strcmp(f->client.url, f->o->url))
		buf_printf(b, " --url %s", f->client.url);
	if (*f->o->ca)
		buf_printf(b, " --ca %s", f->o->ca);
}

static void print_end(const struct reconciler *f, bool tokens)
{
	static const char url_hole[] = "{url}", clients_hole[] = "{clients}", at_hole[] = "{at}";
	const char *url = f->client.url;
	struct buf b = { 0 };

	for (const char *p = embedded_contents(
	         tokens ? "coordinator/cli/data/up_token.txt" : "coordinator/cli/data/up.txt");
	     p && *p;) {
		if (!strncmp(p, url_hole, strlen(url_hole))) {
			buf_str(&b, url);
			p += strlen(url_hole);
		} else if (!strncmp(p, clients_hole, strlen(clients_hole))) {
			mcp_clients_put(&b, url, tokens);
			p += strlen(clients_hole);
		} else if (!strncmp(p, at_hole, strlen(at_hole))) {
			put_at(&b, f);
			p += strlen(at_hole);
		} else {
			buf_byte(&b, *p++);
		}
	}
	fwrite(b.p, 1, b.n, stdout);
	buf_free(&b);
	fflush(stdout);
}

/* What a further host has done. */
static void summary_of_host(struct reconciler *f, const struct observed_state *v, struct arena *a)
{
	size_t n = 0, ready = 0;

	for (size_t i = 0; i < v->want.sources.n; i++) {
		const struct repo_row *r = row_of(&v->is, v->want.sources.v[i].repo_uri);
		if (!is_for_this_host(f, &v->want.sources.v[i]))
			continue;
		n++;
		ready += r && !strcmp(r->status, "ready");
		if (f->join.address)
			say(stdout, "%s: tls+tcp://%s:%d\n", r ? r->name : v->want.sources.v[i].source,
			    f->join.advertise ? f->join.advertise : f->join.address,
			    host_join_port(&f->join, source_label(v->want.sources.v[i].source, a)));
	}
	say(stdout,
	    "\n%zu of %zu repositories of host %s ready, for the coordinator at %s; shards announce themselves to %s\n",
	    ready, n, f->host, f->client.url, f->join.coordinators.v[0]);
	if (!n)
		printf(
		    "Nothing to serve yet: `atoll repo add --host %s PATH|URL` adds a repository here.\n",
		    f->host);
	fflush(stdout);
}

static void summary(
    struct reconciler *f, const struct observed_state *v, unsigned long long contracts)
{
	unsigned long long files = 0, symbols = 0;
	size_t ready = 0;

	for (size_t i = 0; i < v->is.repos.n; i++) {
		files += v->is.repos.v[i].files;
		symbols += v->is.repos.v[i].symbols;
		ready += !strcmp(v->is.repos.v[i].status, "ready") &&
		    strcmp(v->is.repos.v[i].health, "down");
	}
	printf("\n%zu of %zu repositories ready: %llu files, %llu symbols, %llu contracts\n", ready,
	    v->is.repos.n, files, symbols, contracts);
	if (!v->want.sources.n)
		printf("Nothing to serve yet: `atoll repo add PATH` adds a repository.\n");
	print_end(f, v->is.tokens);
}

static void follow(struct reconciler *f)
{
	struct progress *p = progress_new();
	char synced[SHA256_HEX] = "";
	int64_t again = 0;	/* when a group could not be built */
	bool told = false;

	while (!supervisor_stopping(f->programs)) {
		struct arena *a = arena_new();
		struct observed_state v = { 0 };
		bool seen = !look(f, p, &v, a);
		if (seen && v.settled && (strcmp(synced, v.state) || (again && clock_ms() > again))) {
			unsigned long long contracts = 0;
			int rc = 0;
			if (!f->joins)
				rc = sync_groups(f, &v, &contracts, a);
			memcpy(synced, v.state, sizeof synced);
			if (rc)
				again = clock_ms() + RETRY_MS;
			else
				again = 0;
			if (!told && !supervisor_stopping(f->programs)) {
				progress_use_lines(p);
				if (f->joins)
					summary_of_host(f, &v, a);
				else
					summary(f, &v, contracts);
			}
			told = true;
		}
		if (seen && v.settled)
			prune(f, &v, a);
		arena_free(a);
		clock_sleep(seen && v.settled ? POLL_MS : POLL_MS / 4);
	}
	progress_free(p);
}

void *reconciler_run(void *arg)
{
	struct reconciler *f = arg;
	struct arena *a = arena_new();
	struct source_list_out known = { 0 };

	if (!f->joins)
		reconciler_run_coordinator(f, f->o->http, a);
	if (!(f->joins ? find_coordinator(f, a) : await_coordinator(f, a))) {
		bool any = add_sources(f, a) > 0 || !f->sources.n;
		if (!any &&
		    !client_get(
		        &f->client, "source_list", "{}", ASK_MS, &rec_source_list_out, &known, a, NULL))
			any = known.sources.n > 0;
		if (any || f->joins)
			follow(f);
		else
			f->rc = EXIT_UNAVAILABLE;
	}
	supervisor_stop(f->programs);
	arena_free(a);
	return NULL;
}
