#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "shard/base/options.h"
#include "shard/daemon/shard.h"
#include "shard/git/repo.h"
#include "shard/handlers/call_counts.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/index/index_gaps.h"
#include "shard/ingest/quarantine.h"
#include "shard/sandbox/sandbox.h"

enum { LONGEST_ID = 63 };	/* maximum bytes of the id of a request or job */

int rpc_hello(struct shard *s, struct index_reader *r, const struct nothing *q, struct hello *out,
    struct arena *a, struct err *e)
{
	(void)r, (void)q, (void)e;
	shard_hello(s, out, a);
	return 0;
}

/* The progress of the running ingest; all zero if none runs. */
static struct progress_amount amount_of(const struct shard_status *st)
{
	if (st->running)
		return st->amount;
	return (struct progress_amount){ 0 };
}

/* The phase of the running ingest; NULL if none runs. */
static const char *phase_of(const struct shard_status *st)
{
	if (st->running)
		return st->phase;
	return NULL;
}

/*
 * The code of what is wrong with the index, or else that there is no repository to index and read
 * texts from; NULL if nothing is wrong.
 */
static const char *fault_of(const struct shard_status *st, const char **message)
{
	*message = NULL;
	if (st->code) {
		*message = st->message;
		return err_name(st->code);
	}
	if (st->away) {
		*message = READER_REPO_MISSING;
		return err_name(ERR_NOT_FOUND);
	}
	return NULL;
}

int rpc_health(struct shard *s, struct index_reader *r, const struct nothing *q,
    struct health_res *out, struct arena *a, struct err *e)
{
	struct shard_status *st = arena_one(a, struct shard_status);
	struct rpc_load load = shard_load(s);
	const char *mode = shard_options(s)->sandbox;

	(void)r, (void)q, (void)e;
	shard_state(s, st);
	struct progress_amount amount = amount_of(st);
	*out = (struct health_res){
		.status = shard_state_status(st),
		.commit = st->info.commit,
		.generation = (uint64_t)st->info.generation,
		.phase = phase_of(st),
		.done = amount.done,
		.total = amount.total,
		.bytes_done = amount.bytes,
		.bytes_total = amount.total_bytes,
		.uptime_ms = (uint64_t)(clock_ms() - shard_started_ms(s)),
		.queued = load.queued,
		.shed = load.shed,
		.refused = load.refused,
		.vectors = shard_state_vectors(st),
		.vectors_done = st->vectors.done,
		.vectors_total = st->vectors.total,
		.vectors_reason = st->vectors_reason,
		.process = shard_process_number(s),
		.ended = st->ended,
		.embeds = st->embeds,
		.secrets = shard_secrets(s),
		.sandbox = sandbox_describe(mode, a),
		.sandbox_lacks = sandbox_lacks(mode, a),
	};
	out->code = fault_of(st, &out->message);
	return 0;
}

int rpc_cancel(struct shard *s, struct index_reader *r, const struct cancel_req *q,
    struct cancel_res *out, struct arena *a, struct err *e)
{
	(void)r, (void)a;
	if (!*q->req)
		return err_set(e, ERR_INVALID_INPUT, "req: empty; give the id of the request to stop");
	if (strlen(q->req) > LONGEST_ID)
		return err_set(e, ERR_INVALID_INPUT, "req: %zu bytes, but an id has at most %d",
		    strlen(q->req), LONGEST_ID);
	out->found = shard_cancel(s, q->req);
	log_info("rpc.cancel", "target=%s found=%d", log_quote(q->req), out->found);
	return 0;
}

int rpc_sync(struct shard *s, struct index_reader *r, const struct sync_req *q,
    struct sync_res *out, struct arena *a, struct err *e)
{
	struct shard_status *st = arena_one(a, struct shard_status);
	char *head = arena_get(a, REPO_OID_SIZE, 1);

	shard_state(s, st);
	out->generation = (uint64_t)st->info.generation;
	out->process = shard_process_number(s);
	if (q->vectors) {
		shard_request_vectors(s);
		out->started = true;
		return 0;
	}
	if (!shard_source(s)->url) {	/* the head of a URL is unknown before the fetch */
		struct repo *repo = index_reader_repo(r, e);
		if (!repo || repo_head(repo, head, e))
			return -1;
		out->head = head;
		bool current = !strcmp(head, st->info.commit) && !index_gaps_may_heal(&st->info);
		bool completed = st->info.shallow && !repo_shallow_ends(repo);
		if (!q->force && current && !completed)
			return 0;	/* even while the child that published it cleans up */
	}
	out->started = true;
	out->ingest = shard_request_ingest(s, q->force, q->job);
	return 0;
}

int rpc_knows(struct shard *s, struct index_reader *r, const struct knows_req *q,
    struct knows_res *out, struct arena *a, struct err *e)
{
	struct repo *repo = index_reader_repo(r, e);
	char oid[REPO_OID_SIZE];

	(void)s;
	if (!repo)
		return -1;
	out->commits.v = arena_many(a, q->commits.n, const char *);
	for (size_t i = 0; i < q->commits.n; i++) {
		const char *c = q->commits.v[i];
		size_t n = strlen(c);
		if (n != REPO_OID_SIZE - 1 || strspn(c, "0123456789abcdef") != n)
			return err_set(e, ERR_INVALID_INPUT, "commits: `%.80s` is not a full hash", c);
		if (!repo_revision(repo, c, oid, NULL))
			out->commits.v[out->commits.n++] = c;
	}
	return 0;
}

/* ---- status ---- */

struct tally_list {
	struct tally *v;
	size_t n;
};

static int tallies(
    struct db *db, const char *sql, struct tally_list *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, sql, e);
	size_t cap = 64;
	int rc;

	if (!s)
		return -1;
	out->v = arena_many(a, cap, struct tally);
	while ((rc = db_step(s, e)) == 1 && out->n < cap) {
		const char *example = NULL;
		if (!db_null(s, 3))
			example = arena_str(a, db_str(s, 3));
		out->v[out->n++] = (struct tally){ arena_str(a, db_str(s, 0)), (uint64_t)db_int(s, 1),
			(uint64_t)db_int(s, 2), example };
	}
	if (rc < 0)
		return -1;
	return 0;
}

static int read_tallies(struct db *db, struct status_res *out, struct arena *a, struct err *e)
{
	struct tally_list languages = { 0 }, skipped = { 0 };

	if (tallies(db,
	        "select language, count(*), sum(size), null from files group by 1 order by 2 desc, 1",
	        &languages, a, e))
		return -1;
	if (tallies(db, "select reason, files, bytes, example from skips order by 2 desc, 1", &skipped,
	        a, e))
		return -1;
	out->languages.v = languages.v;
	out->languages.n = languages.n;
	out->skipped.v = skipped.v;
	out->skipped.n = skipped.n;
	return 0;
}

static void put_index(
    struct shard *s, struct index_reader *r, struct status_res *out, struct arena *a)
{
	const struct index_info *i = &r->info;
	struct err e = { 0 };

	out->files = (uint64_t)i->files;
	out->bytes = (uint64_t)i->bytes;
	out->symbols = (uint64_t)i->symbols;
	out->documents = (uint64_t)i->documents;
	out->contracts = (uint64_t)i->contracts;
	out->ingest_ms = (uint64_t)i->ingest_ms;
	out->index_bytes = store_disk_bytes(shard_source(s)->data, i->file);
	int rc = read_tallies(r->db, out, a, &e);
	if (!rc)
		rc = call_counts_read(r->db, out, a, &e);
	if (rc && e.code == ERR_DB_ERROR)
		shard_report_bad_index(s, i->file, e.msg);
}

int rpc_status(struct shard *s, struct index_reader *r, const struct nothing *q,
    struct status_res *out, struct arena *a, struct err *e)
{
	struct shard_status *st = arena_one(a, struct shard_status);
	struct quarantine bad = quarantine_read(shard_source(s)->data, a);

	(void)q, (void)e;
	shard_state(s, st);
	struct progress_amount amount = amount_of(st);
	out->status = shard_state_status(st);
	out->head = st->head;
	out->vectors = shard_state_vectors(st);
	out->vectors_done = st->vectors.done;
	out->vectors_bytes = st->vectors.bytes;
	out->vectors_reason = st->vectors_reason;
	out->embedder = st->vectors.fingerprint;
	out->phase = phase_of(st);
	out->done = amount.done;
	out->total = amount.total;
	out->bytes_done = amount.bytes;
	out->bytes_total = amount.total_bytes;
	out->code = fault_of(st, &out->message);
	out->quarantined.v = arena_many(a, bad.n + 1, const char *);
	for (size_t i = 0; i < bad.n; i++)
		if (bad.v[i].strikes >= QUARANTINE_STRIKES)
			out->quarantined.v[out->quarantined.n++] = bad.v[i].path;
	if (r->db)
		put_index(s, r, out, a);
	return 0;
}
