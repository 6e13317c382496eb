#include "shard/daemon/shard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/log.h"
#include "proto/base/optional_text.h"
#include "proto/net/crypto.h"
#include "proto/process/sd_notify.h"
#include "proto/record/record.h"
#include "proto/wire/protocol_features.h"
#include "proto/wire/wire.h"
#include "shard/base/options.h"
#include "shard/daemon/announcer.h"
#include "shard/daemon/head_watch.h"
#include "shard/daemon/secret_origins.h"
#include "shard/daemon/shard_internal.h"
#include "shard/daemon/watchdog.h"
#include "shard/git/git_token.h"
#include "shard/server/rpc_server.h"

enum { WATCHED_SLEEP_MAX_MS = 60000, SLEEP_MAX_MS = 300000, DRAIN_MS = 300 };


/* ---- state, from any thread ---- */

const struct options *shard_options(const struct shard *s)
{
	return s->o;
}

const struct repo_source *shard_source(const struct shard *s)
{
	return &s->src;
}

int64_t shard_started_ms(const struct shard *s)
{
	return s->started;
}

struct secrets *shard_secrets(const struct shard *s)
{
	return s->secrets;
}

uint64_t shard_process_number(const struct shard *s)
{
	return s->process;
}

void shard_state(struct shard *s, struct shard_status *out)
{
	pthread_mutex_lock(&s->lock);
	*out = s->st;
	pthread_mutex_unlock(&s->lock);
}

/* NULL before it listens: first requests may arrive while it is starting. */
static struct rpc_server *server(struct shard *s)
{
	pthread_mutex_lock(&s->lock);
	struct rpc_server *r = s->rpc;
	pthread_mutex_unlock(&s->lock);
	return r;
}

static const char *endpoint(struct shard *s)
{
	struct rpc_server *rpc = server(s);

	if (*s->o->advertise)
		return s->o->advertise;
	if (!rpc)
		return "";
	return rpc_server_url(rpc);
}

void shard_hello(struct shard *s, struct hello *h, struct arena *a)
{
	struct shard_status *st = arena_one(a, struct shard_status);

	shard_state(s, st);
	*h = (struct hello){
		.protocol = WIRE_VERSION,
		.lowest = WIRE_LOWEST,
		.features = features_supported(),
		.version = s->place.version,
		.repo_uri = s->src.repo_uri,
		.name = s->src.name,
		.source = s->src.shown,
		.replica = s->place.replica,
		.host = s->place.host,
		.endpoint = endpoint(s),
		.default_branch = text_or_null(st->info.branch),
		.status = shard_state_status(st),
		.commit = text_or_null(st->info.commit),
		.generation = (uint64_t)st->info.generation,
	};
}

static void wake(struct shard *s)
{
	if (write(s->wake, &(uint64_t){ 1 }, sizeof(uint64_t)) < 0) {
		/* the counter is full, so it wakes anyway */
	}
}

uint64_t shard_request_ingest(struct shard *s, bool force, const char *job)
{
	bool has_job = job && *job;

	pthread_mutex_lock(&s->lock);
	s->st.wanted = true;
	s->st.force |= force;
	s->st.now |= force || has_job;
	if (has_job)
		snprintf(s->st.wanted_job, sizeof s->st.wanted_job, "%s", job);
	uint64_t number = s->st.begun + 1;
	pthread_mutex_unlock(&s->lock);
	wake(s);
	return number;
}

void shard_request_vectors(struct shard *s)
{
	pthread_mutex_lock(&s->lock);
	s->st.embed = true;
	pthread_mutex_unlock(&s->lock);
	wake(s);
}

/* Cancels the ingest of this job, whether it runs or waits. HEAD is indexed again when it moves. */
static bool stop_ingest(struct shard *s, const char *job)
{
	pthread_mutex_lock(&s->lock);
	bool waits = s->st.wanted && !strcmp(s->st.wanted_job, job);
	bool runs = s->st.running && !strcmp(s->st.running_job, job);
	if (waits) {
		s->st.wanted = s->st.force = false;
		*s->st.wanted_job = 0;
		s->st.changes++;
	}
	s->st.stop |= runs;
	pthread_mutex_unlock(&s->lock);
	if (runs)
		wake(s);
	return waits || runs;
}

struct rpc_load shard_load(struct shard *s)
{
	struct rpc_server *r = server(s);

	if (r)
		return rpc_load(r);
	return (struct rpc_load){ 0 };
}

bool shard_cancel(struct shard *s, const char *req)
{
	struct rpc_server *r = server(s);
	bool cancelled = false;

	/* First the request, so that one that waits cannot start an ingest after stop_ingest. */
	if (r)
		cancelled = rpc_server_cancel(r, req);
	bool stopped = stop_ingest(s, req);
	return cancelled || stopped;
}

void shard_report_bad_index(struct shard *s, const char *file, const char *message)
{
	bool served = false;

	pthread_mutex_lock(&s->lock);
	if (*file && !strcmp(s->st.info.file, file)) {
		served = true;
		memcpy(s->broken, s->st.info.file, sizeof s->broken);
		s->st.info = (struct index_info){ 0 };
		s->st.code = ERR_DB_ERROR;
		snprintf(s->st.message, sizeof s->st.message, "%s", message);
		s->st.wanted = s->st.force = true;
		s->st.changes++;
	}
	pthread_mutex_unlock(&s->lock);
	if (served)
		log_error("index.unusable", "file=%s message=%s", file, log_quote(message));
	wake(s);
}

/* ---- start and end ---- */

static int block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigset_t block = set;
	head_watch_add_signals(&block);
	pthread_sigmask(SIG_BLOCK, &block, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static uint64_t new_process(void)
{
	char hex[13];	/* 48 bits survive JSON */

	crypto_random_hex(hex, sizeof hex / 2);
	return strtoull(hex, NULL, 16) + 1;
}

/*
 * Finds the repository. A refused or unreadable one is no reason to exit: health returns the
 * reason, and it is tried again until it can be read. An existing index is served meanwhile,
 * except that of a refused one.
 */
static int find_source(struct shard *s, struct err *e)
{
	if (!repo_source_resolve(&s->src, s->o, s->a, e))
		return 0;
	if (s->o->once || !(s->src.refused || s->src.unreadable))
		return -1;
	log_error(s->src.refused ? "repository.refused" : "repository.unreadable",
	    "repo=%s message=%s hint=%s", log_quote(s->src.name), log_quote(e->msg),
	    log_quote(e->hint));
	s->st.code = e->code;
	memcpy(s->st.message, e->msg, sizeof s->st.message);
	s->st.wanted = true;
	*e = (struct err){ 0 };
	return 0;
}

static void log_git_token_error(const struct shard *s)
{
	const char *fault = git_token_config_error(s->o, s->a);

	if (fault)
		log_warn("git.token_invalid", "message=%s", log_quote(fault));
}

static int listen_and_announce(struct shard *s, const struct rpc_handlers *handlers, struct err *e)
{
	const struct options *o = s->o;
	const struct rpc_host host = { .shard = s,
		.place = s->src.place,
		.data = s->src.data,
		.embeds = strcmp(o->embedder, "none") != 0,
		.state = shard_state,
		.suspect = shard_report_bad_index };
	struct rpc_server *r = rpc_server_start(
	    &host, handlers, s->place.listen, &s->place.trust, (int)o->readers, (int)o->queue, e);

	if (!r)
		return -1;
	pthread_mutex_lock(&s->lock);
	s->rpc = r;
	pthread_mutex_unlock(&s->lock);
	s->place.bound = true;
	s->announcer = announcer_new(s, &o->coordinator, &s->place.trust, s->wake, e);
	if (!s->announcer)
		return -1;
	return 0;
}

struct shard *shard_open(
    const struct options *o, const struct rpc_handlers *handlers, struct err *e)
{
	struct shard *s = xcalloc(1, sizeof *s);

	s->o = o;
	s->sleep_max_ms = SLEEP_MAX_MS;
	s->a = arena_new();
	s->started = clock_ms();
	s->process = new_process();
	s->signals = block_signals();
	s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	s->st.behind = -1;
	pthread_mutex_init(&s->lock, NULL);
	s->secrets = secret_origins_of(o, s->a);
	log_git_token_error(s);
	if (find_source(s, e) || instance_open(&s->place, o, &s->src, s->a, e)) {
		shard_close(s);
		return NULL;
	}
	if (!s->src.refused) {
		index_scheduler_load(s, true);
		index_scheduler_resume(s);
		store_sweep(s->src.data, text_or_null(s->st.info.file), NULL);
	}
	s->st.wanted |= s->src.url != NULL;
	if (o->once)
		return s;
	if (listen_and_announce(s, handlers, e)) {
		shard_close(s);
		return NULL;
	}
	log_info("shard.ready", "repo=%s repo_uri=%s source=%s url=%s generation=%lld data=%s",
	    log_quote(s->src.name), s->src.repo_uri, log_quote(s->src.shown), rpc_server_url(s->rpc),
	    (long long)s->st.info.generation, log_quote(s->src.data));
	return s;
}

static bool asked_to_end(struct shard *s)
{
	struct signalfd_siginfo info;

	return read(s->signals, &info, sizeof info) == sizeof info;
}

/* The descriptor to poll for the child's reports; -1 if it does not run, which poll ignores. */
static int poll_fd(const struct child *c)
{
	if (c->pid)
		return c->fd;
	return -1;
}

static void wait_until(struct shard *s, int64_t until)
{
	struct pollfd p[] = {
		{ s->signals, POLLIN, 0 },
		{ s->wake, POLLIN, 0 },
		{ poll_fd(&s->child), POLLIN, 0 },
		{ poll_fd(&s->embedding), POLLIN, 0 },
		{ head_watch_fd(s->watch), POLLIN, 0 },
	};
	int64_t ms = until - clock_ms();
	uint64_t n;

	poll(p, LEN(p), (int)MIN(MAX(ms, 0), s->sleep_max_ms));
	if (read(s->wake, &n, sizeof n) < 0) {
		/* something else woke it */
	}
}

static int64_t housekeeping(struct shard *s)
{
	int64_t next = index_housekeeping(s);
	struct shard_status st;

	shard_state(s, &st);
	s->next_announce = announcer_tick(s->announcer, st.changes);
	s->next_rest = rpc_release_idle_readers(s->rpc);
	return least(next, least(s->next_announce, s->next_rest));
}

void shard_serve(struct shard *s)
{
	atomic_store(&s->loop_turned_ms, clock_ms());
	struct sd_notifier *notify = shard_watchdog_start(s);
	if (notify)
		s->sleep_max_ms = WATCHED_SLEEP_MAX_MS;
	else
		s->sleep_max_ms = SLEEP_MAX_MS;
	index_scheduler_check_head(s);
	while (!asked_to_end(s)) {
		struct err e = { 0 };
		atomic_store(&s->loop_turned_ms, clock_ms());
		if (s->child.pid)
			index_scheduler_read_child(s, &e);
		index_scheduler_stop(s);
		/* Before housekeeping, which announces what this changes. */
		int64_t vectors_due = vector_scheduler_tick(s);
		int64_t housekeeping_due = housekeeping(s);
		int64_t ingest_due = index_scheduler_tick(s, &e);
		wait_until(s, least(ingest_due, least(housekeeping_due, vectors_due)));
	}
	log_info("shard.stop", "repo=%s", log_quote(s->src.name));
	notify_stopping(notify);
	index_scheduler_close(s);
	rpc_server_drain(s->rpc, DRAIN_MS);
	instance_close(&s->place);
	_exit(0);	/* nng_close may hang (nng #1543) */
}

/* Runs until an ingest has ended, and shows its progress. */
static enum child_outcome ingest_once(struct shard *s, struct progress *p, struct err *e)
{
	enum child_outcome end = CHILD_RUNS;

	while (end == CHILD_RUNS) {
		if (asked_to_end(s)) {
			err_set(e, ERR_UNAVAILABLE, "stopped by a signal");
			return CHILD_FAILED;
		}
		*e = (struct err){ 0 };
		int64_t next = index_scheduler_tick(s, e);
		if (e->code)
			return CHILD_FAILED;
		wait_until(s, next);
		if (s->child.pid)
			end = index_scheduler_read_child(s, e);
		bool parsing = s->st.amount.total && !strcmp(s->st.phase, "parse");
		if (end == CHILD_RUNS && parsing) {
			progress_update(p, "", s->src.name, "indexing", s->st.amount);
			progress_draw(p);
		}
	}
	return end;
}

int shard_run_once(struct shard *s, struct err *e)
{
	struct progress *p = progress_new();

	s->st.wanted = s->st.now = true;
	s->st.force |= s->o->force;
	enum child_outcome end = ingest_once(s, p, e);
	progress_free(p);
	if (end != CHILD_PUBLISHED && end != CHILD_UNCHANGED)
		return -1;
	*e = (struct err){ 0 };
	store_sweep(s->src.data, s->st.info.file, NULL);
	instance_print_index(&s->st.info, &s->src, end == CHILD_PUBLISHED, s->o->json);
	return 0;
}

void shard_close(struct shard *s)
{
	if (!s)
		return;
	index_scheduler_close(s);
	instance_close(&s->place);
	close(s->signals);
	close(s->wake);
	arena_free(s->a);
	free(s);
}
