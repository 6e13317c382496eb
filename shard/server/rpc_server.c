#include "shard/server/rpc_server.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/deflate.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/base/thread_pool.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "proto/wire/wire.h"
#include "shard/index/index_gaps.h"
#include "shard/server/shard_state.h"

enum {
	MORE_SLOTS = 24,	/* requests beyond those that wait or run: health is always answered */
	QUEUE_MAX = 65536,
	READERS_MAX = 8,
	IDLE_MS = 3000		/* idle time after which readers release what they hold */
};

struct rpc_job {
	struct rpc_server *server;
	struct wire_request *r;
	enum rpc_id id;
	atomic_int cancelled;
	bool queued;
	bool here;		/* it runs on the thread that received it */
	struct rpc_job *next, **at;
};

struct rpc_server {
	struct rpc_host host;
	const struct rpc_handlers *handlers;
	struct wire_server *wire;
	struct pool *pool;
	pthread_mutex_t lock;		/* guards what follows */
	struct rpc_job *jobs;		/* queued or running */
	uint64_t queued, shed, refused;
	struct index_reader *readers;
	bool *busy;
	size_t nreaders;
	bool here;			/* a job runs on the thread that received it */
	int64_t last_ms;		/* when a reader was last used */
	bool rested;			/* readers hold nothing */
};

/* ---- what each RPC needs ---- */

/* ANY_INDEX: a missing or broken index is fine */
enum index_need { WITH_INDEX, ANY_INDEX, WITHOUT_INDEX, AT_ONCE };

/*
 * These take a few milliseconds at most, unless there are filters or phrases, and people wait for
 * them.
 */
static const bool quick[NRPCS] = { [RPC_search] = true, [RPC_stats] = true, [RPC_snippet] = true };

static const enum index_need index_needs[NRPCS] = {
	[RPC_hello] = AT_ONCE, [RPC_health] = AT_ONCE, [RPC_cancel] = AT_ONCE,
	[RPC_status] = ANY_INDEX, [RPC_sync] = WITHOUT_INDEX, [RPC_knows] = WITHOUT_INDEX,
};

/* ---- the shard ---- */

static void state_of(struct rpc_server *s, struct shard_status *out)
{
	s->host.state(s->host.shard, out);
}

static void suspect(struct rpc_server *s, const char *file, const char *message)
{
	s->host.suspect(s->host.shard, file, message);
}

/* ---- readers ---- */

/*
 * Takes a free reader. There is one more than threads of the pool, so one is free for each of them
 * and for the job that runs here.
 */
static struct index_reader *acquire_reader(struct rpc_server *s)
{
	struct index_reader *r = NULL;

	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->nreaders && !r; i++)
		if (!s->busy[i]) {
			s->busy[i] = true;
			r = &s->readers[i];
		}
	pthread_mutex_unlock(&s->lock);
	return r;
}

static void release_reader(struct rpc_server *s, struct index_reader *r, bool here)
{
	pthread_mutex_lock(&s->lock);
	s->here &= !here;
	s->busy[r - s->readers] = false;
	s->last_ms = clock_ms();
	s->rested = false;
	pthread_mutex_unlock(&s->lock);
}

/* Why there is no index, without folders of this machine. */
static const char *no_index_reason(const struct shard_status *st, const char *place)
{
	if (st->code == ERR_FORBIDDEN)
		return READER_REFUSED;
	if (st->code && strstr(st->message, place))	/* libgit2 names the file that it cannot read */
		return READER_UNREADABLE;
	if (st->code)
		return st->message;
	return "the first index of this repository is not complete yet";
}

static int set_no_index(const struct shard_status *st, const char *place, struct err *e)
{
	enum err_code code = ERR_NO_INDEX;

	if (st->code == ERR_DB_ERROR || st->code == ERR_SCHEMA_MISMATCH)
		code = st->code;
	err_set(e, code, "%s", no_index_reason(st, place));
	if (st->code == ERR_FORBIDDEN)
		err_hint(
		    e, "Building it again does not help: the operator must admit the repository first.");
	return -1;
}

/* Begins to read the published generation of the open index. */
static int begin_generation(struct index_reader *r, const struct shard_status *st, struct err *e)
{
	int64_t generation = 0;

	if (db_read_begin(r->db, e) || store_generation(r->db, &generation, e))
		return -1;
	r->info = st->info;	/* the right file, and mostly the right generation */
	if (generation == r->info.generation)
		return 0;
	return store_read_info(r->db, &r->info, e);
}

/* Begins to read the index that `st` names, at its present generation. */
static int prepare_reader(struct index_reader *r, const struct shard_status *st, struct err *e)
{
	if (!*st->info.file)
		return set_no_index(st, r->place, e);
	if (r->db && strcmp(r->info.file, st->info.file))
		index_reader_reset(r);
	if (!r->vectors_mark.bytes)	/* no reader verifies the whole file again */
		r->vectors_mark = st->vectors.verified;
	if (!r->db)
		r->db = store_open(r->data, st->info.file, e);
	if (!r->db)
		return -1;
	if (!begin_generation(r, st, e))
		return 0;
	index_reader_reset(r);
	return -1;
}

static bool is_any_busy(const struct rpc_server *s)
{
	for (size_t i = 0; i < s->nreaders; i++)
		if (s->busy[i])
			return true;
	return false;
}

int64_t rpc_release_idle_readers(struct rpc_server *s)
{
	int64_t now = clock_ms();
	bool trim = false;

	pthread_mutex_lock(&s->lock);
	int64_t due = s->last_ms + IDLE_MS;
	if (!s->rested && now >= due && !is_any_busy(s)) {
		s->rested = true;
		trim = true;
		for (size_t i = 0; i < s->nreaders; i++)
			index_reader_close(&s->readers[i]);
	}
	if (s->rested)
		due = INT64_MAX;
	else if (due <= now)
		due = now + IDLE_MS;
	pthread_mutex_unlock(&s->lock);
	if (trim)
		malloc_trim(0);
	return due;
}

/* ---- requests ---- */

static void stamp_of(const struct shard_status *st, struct freshness *f, struct arena *a)
{
	*f = (struct freshness){
		.repo_uri = st->info.repo_uri,
		.commit = st->info.commit,
		.generation = (uint64_t)st->info.generation,
		.graph_hash = st->info.graph_hash,
		.indexed_at = st->info.indexed_at,
		.behind = st->behind,
		.checked_at = text_or_null(st->checked_at),
	};
	index_gaps_put(&st->info, f, a);
}

/*
 * Begins to read what the RPC needs. `st` receives the metadata of the index that is read, for the
 * stamp.
 */
static int begin_read(
    struct rpc_job *j, struct index_reader *r, struct shard_status *st, struct err *e)
{
	struct err own = { 0 };

	if (index_needs[j->id] >= WITHOUT_INDEX)
		return 0;
	if (index_needs[j->id] == ANY_INDEX && !*st->info.file)
		index_reader_reset(r);
	else if (!prepare_reader(r, st, &own)) {
		st->info = r->info;
	} else if (index_needs[j->id] == WITH_INDEX) {
		*e = own;
		return -1;
	} else if (own.code == ERR_DB_ERROR) {
		suspect(j->server, st->info.file, own.msg);
		state_of(j->server, st);
	}
	return 0;
}

static void count(struct rpc_server *s, uint64_t *n)
{
	pthread_mutex_lock(&s->lock);
	++*n;
	pthread_mutex_unlock(&s->lock);
}

/* Whether the job is no longer worth starting. */
static int check_abandoned(struct rpc_job *j, struct err *e)
{
	if (clock_ms() <= j->r->deadline_ms && !j->cancelled)
		return 0;
	count(j->server, &j->server->shed);
	if (j->cancelled)
		return err_set(e, ERR_UNAVAILABLE, "cancelled");
	err_set(e, ERR_UNAVAILABLE, "the deadline passed while the request waited for a reader");
	return err_hint(e, "The shard is busy: ask again later, or with fewer calls at once.");
}

static int run(
    struct rpc_job *j, struct index_reader *r, struct shard_status *st, void *res, struct err *e)
{
	const struct rpc *rpc = &rpcs[j->id];
	struct wire_request *q = j->r;
	void *req = arena_get(q->a, 1, rpc->req->size + 1);

	if (check_abandoned(j, e))
		return -1;
	if (codec_get_request(rpc->req, req, q->body.p, q->body.n, q->a, e))
		return -1;
	if (begin_read(j, r, st, e))
		return -1;
	bool reads = r && r->db;
	if (reads) {
		r->began_ms = clock_ms();
		r->deadline_ms = q->deadline_ms;
		db_set_interrupt(r->db, &j->cancelled, q->deadline_ms);
	}
	int rc = j->server->handlers->v[j->id](j->server->host.shard, r, req, res, q->a, e);
	if (reads) {
		db_set_interrupt(r->db, NULL, 0);
		db_read_end(r->db);
	}
	if (rc && j->cancelled)
		err_set(e, ERR_UNAVAILABLE, "cancelled");
	return rc;
}

static void enlist(struct rpc_job *j, bool queued)
{
	struct rpc_server *s = j->server;

	pthread_mutex_lock(&s->lock);
	j->queued = queued;
	s->queued += queued;
	j->next = s->jobs;
	j->at = &s->jobs;
	if (j->next)
		j->next->at = &j->next;
	s->jobs = j;
	pthread_mutex_unlock(&s->lock);
}

static void begin(struct rpc_job *j)
{
	pthread_mutex_lock(&j->server->lock);
	j->server->queued -= j->queued;
	j->queued = false;
	pthread_mutex_unlock(&j->server->lock);
}

static void delist(struct rpc_job *j)
{
	pthread_mutex_lock(&j->server->lock);
	j->server->queued -= j->queued;
	*j->at = j->next;
	if (j->next)
		j->next->at = j->at;
	pthread_mutex_unlock(&j->server->lock);
}

/* Runs the job on this thread, and answers it. */
static void answer(struct rpc_job *j, struct index_reader *r)
{
	struct rpc_server *s = j->server;
	struct shard_status *st = arena_one(j->r->a, struct shard_status);
	void *res = arena_get(j->r->a, 1, rpcs[j->id].res->size + 1);
	struct freshness stamp;
	struct err e = { 0 };
	int64_t start = clock_us();

	log_set_request(j->r->req);
	state_of(s, st);
	if (!run(j, r, st, res, &e))
		e.code = ERR_NONE;
	else if (e.code == ERR_DB_ERROR)
		suspect(s, st->info.file, e.msg);
	stamp_of(st, &stamp, j->r->a);
	log_debug("rpc", "name=%s code=%s us=%lld", rpcs[j->id].name, e.code ? err_name(e.code) : "-",
	    (long long)(clock_us() - start));
	delist(j);
	if (r)	/* before the answer: its receiver may send the next request at once */
		release_reader(s, r, j->here);
	wire_answer(j->r, rpcs[j->id].res, res, *st->info.file ? &stamp : NULL, &e);
	deflate_release();
	log_set_request(NULL);
}

/*
 * Whether the job runs on the nng thread that received it, one at a time: waking a thread of the
 * pool costs more than most quick jobs do.
 */
static bool may_run_here(struct rpc_job *j)
{
	struct rpc_server *s = j->server;

	if (!quick[j->id])
		return false;
	pthread_mutex_lock(&s->lock);
	bool free_now = !s->here;
	s->here = true;
	pthread_mutex_unlock(&s->lock);
	j->here = free_now;
	return free_now;
}

static void work(void *arg)
{
	struct rpc_job *j = arg;

	begin(j);
	answer(j, acquire_reader(j->server));
}

static void refuse(struct wire_request *r, enum err_code code, const char *what)
{
	struct err e = { 0 };

	err_set(&e, code, "%s", what);
	wire_answer(r, &rec_nothing, NULL, NULL, &e);
}

static void on_request(void *ctx, struct wire_request *r)
{
	struct rpc_server *s = ctx;
	enum rpc_id id = rpc_id(r->rpc);

	if (id == NRPCS) {
		const char *name = text_or_empty(r->rpc);
		refuse(r, ERR_INVALID_INPUT, arena_printf(r->a, "this shard has no RPC `%.60s`", name));
		return;
	}
	struct rpc_job *j = arena_one(r->a, struct rpc_job);
	j->server = s;
	j->r = r;
	j->id = id;
	bool here = may_run_here(j);
	enlist(j, index_needs[id] != AT_ONCE && !here);
	if (index_needs[id] == AT_ONCE)
		answer(j, NULL);
	else if (here)
		answer(j, acquire_reader(s));
	else if (pool_run_for(s->pool, r->caller, work, j)) {
		delist(j);
		count(s, &s->refused);
		refuse(r, ERR_RATE_LIMITED, "too many requests are waiting for a reader");
	}
}

bool rpc_server_cancel(struct rpc_server *s, const char *id)
{
	bool found = false;

	pthread_mutex_lock(&s->lock);
	for (struct rpc_job *j = s->jobs; j; j = j->next)
		if (j->id != RPC_cancel && *j->r->req && !strcmp(j->r->req, id)) {
			j->cancelled = 1;
			found = true;
		}
	pthread_mutex_unlock(&s->lock);
	return found;
}

struct rpc_load rpc_load(struct rpc_server *s)
{
	pthread_mutex_lock(&s->lock);
	struct rpc_load now = { s->queued, s->shed, s->refused };
	pthread_mutex_unlock(&s->lock);
	return now;
}

void rpc_server_drain(struct rpc_server *s, int64_t ms)
{
	int64_t end = clock_ms() + ms;

	while (clock_ms() < end) {
		pthread_mutex_lock(&s->lock);
		bool empty = !s->jobs;
		pthread_mutex_unlock(&s->lock);
		if (empty)
			return;
		clock_sleep(5);
	}
}

const char *rpc_server_url(const struct rpc_server *s)
{
	return wire_url(s->wire);
}

static void open_readers(struct rpc_server *s, int readers)
{
	if (readers < 1)
		readers = 1;
	s->nreaders = (size_t)MIN(readers, READERS_MAX) + 1;
	s->readers = xcalloc(s->nreaders, sizeof *s->readers);
	s->busy = xcalloc(s->nreaders, sizeof *s->busy);
	for (size_t i = 0; i < s->nreaders; i++)
		s->readers[i] = (struct index_reader){
			.place = s->host.place, .data = s->host.data, .embeds = s->host.embeds
		};
}

struct rpc_server *rpc_server_start(const struct rpc_host *host,
    const struct rpc_handlers *handlers, const char *url, const struct wire_trust *trust,
    int readers, int queue, struct err *e)
{
	struct rpc_server *s = xcalloc(1, sizeof *s);

	s->host = *host;
	s->handlers = handlers;
	open_readers(s, readers);
	pthread_mutex_init(&s->lock, NULL);
	queue = MIN(MAX(queue, 1), QUEUE_MAX);
	s->pool = pool_new(s->nreaders - 1, (size_t)queue);
	s->wire = wire_listen(url, trust, queue + (int)s->nreaders + MORE_SLOTS, on_request, s, e);
	if (s->wire)
		return s;
	pool_free(s->pool);
	free(s->readers);
	free(s->busy);
	free(s);
	return NULL;
}
