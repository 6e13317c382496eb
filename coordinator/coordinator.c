#include "coordinator/coordinator.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "coordinator/api/http_routes.h"
#include "coordinator/api/live_events.h"
#include "coordinator/api/webhooks.h"
#include "coordinator/auth/caller.h"
#include "coordinator/auth/rate_limits.h"
#include "coordinator/auth/tokens.h"
#include "coordinator/base/ticker.h"
#include "coordinator/base/timers.h"
#include "coordinator/calls/admission_control.h"
#include "coordinator/cluster_events.h"
#include "coordinator/contracts/auto_sync.h"
#include "coordinator/contracts/group_sync.h"
#include "coordinator/contracts/operator_routing.h"
#include "coordinator/contracts/recent_matches.h"
#include "coordinator/contracts/scoped_tables.h"
#include "coordinator/jobs/jobs.h"
#include "coordinator/mcp/mcp.h"
#include "coordinator/members/members.h"
#include "coordinator/members/term_statistics.h"
#include "coordinator/registry/registry.h"
#include "coordinator/search/llm.h"
#include "coordinator/search/meaning_threshold.h"
#include "coordinator/watchdog.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/thread_pool.h"
#include "proto/embed/embedder.h"
#include "proto/net/crypto.h"
#include "proto/process/directory.h"

enum {
	QUEUE = 1024,
	SLOW_THREADS = 2,
	SLOW_QUEUE = 32,
	EMBEDDING_THREADS = 4,
	EMBEDDING_QUEUE = 256,
	DRAIN_MS = 1000,	/* for running requests at a shutdown */
	EXIT_MS = 2500,		/* for the whole shutdown */
	MEET_MS = 2000,		/* for the first answers of shards after a start */
};

static int check(const struct coordinator_config *o, struct err *e)
{
	const struct { const char *flag; int64_t v, lo, hi; } limits[] = {
		{ "--workers", o->workers, 1, 256 },
		{ "--ready-share", o->ready_share, 0, 100 },
		{ "--probe-interval-ms", o->probe_interval_ms, 50, 600000 },
		{ "--search-deadline-ms", o->search_deadline_ms, 10, 60000 },
		{ "--contracts-deadline-ms", o->contracts_deadline_ms, 10, 60000 },
		{ "--sync-delay-ms", o->sync_delay_ms, 0, 600000 },
		{ "--push-delay-ms", o->push_delay_ms, 0, 600000 },
		{ "--jobs", o->jobs, 1, 1000 },
		{ "--jobs-per-host", o->jobs_per_host, 1, 1000 },
		{ "--job-tries", o->job_tries, 1, 1000 },
		{ "--job-backoff-ms", o->job_backoff_ms, 10, 600000 },
		{ "--job-lease-ms", o->job_lease_ms, 300, 600000 },
		{ "--index-max-age", o->index_max_age, 0, 10000000 },
		{ "--calls-at-once", o->calls_at_once, 0, 100000 },
		{ "--calls-per-second", o->calls_per_second, 0, 100000 },
		{ "--calls-burst", o->calls_burst, 1, 100000 },
		{ "--asked-at-once", o->asked_at_once, 0, 10000000 },
		{ "--streams", o->streams, 0, 100000 },
		{ "--sessions", o->sessions, 1, 100000 },
		{ "--session-idle-s", o->session_idle_s, 1, 31536000 },
		{ "--connections-per-address", o->connections_per_address, 0, 100000 },
		{ "--idle-timeout-ms", o->idle_timeout_ms, 100, 3600000 },
		{ "--head-timeout-ms", o->head_timeout_ms, 100, 3600000 },
		{ "--request-timeout-ms", o->request_timeout_ms, 100, 3600000 },
		{ "--answer-timeout-ms", o->answer_timeout_ms, 100, 3600000 },
		{ "--llm-timeout", o->llm_timeout, 10, 59000 },
		{ "--llm-context", o->llm_context, 100, 1000000 },
	};

	for (size_t i = 0; i < LEN(limits); i++)
		if (limits[i].v < limits[i].lo || limits[i].v > limits[i].hi)
			return err_set(e, ERR_INVALID_INPUT, "%s: %lld is not between %lld and %lld",
			    limits[i].flag, (long long)limits[i].v, (long long)limits[i].lo,
			    (long long)limits[i].hi);
	return tool_check_offer(o->tools, e);
}

/* Checks that the file with the cluster key, if one is given, can be read. */
static int read_key(struct coordinator *co, struct err *e)
{
	co->trust = (struct wire_trust){ co->o.tls_ca, co->o.tls_cert, co->o.tls_key, co->o.cluster_key,
		co->o.cluster_key_file };
	if (!*co->o.cluster_key_file)
		return 0;
	if (options_read_secret("cluster-key-file", co->o.cluster_key_file, co->a, e))
		return 0;
	return -1;
}

/* A socket in a folder that only this user may enter; NULL if the machine has no place for that. */
static const char *private_socket(struct coordinator *co)
{
	struct err e = { 0 };
	const char *dir = directory_create_runtime(co->a, &e);

	if (e.code) {
		log_warn(
		    "listen.none", "message=%s hint=%s", log_quote(e.msg), log_quote("Give --listen URL."));
		return NULL;
	}
	const char *url = arena_printf(co->a, "ipc://%s/coordinator.ipc", dir);
	log_info("listen.default", "url=%s hint=%s", log_quote(url),
	    log_quote("Give shards this address as --coordinator; a port (tcp://127.0.0.1:7701)"
	              " needs a --cluster-key-file at both ends."));
	return url;
}

/* Without --listen, shards announce themselves at a port, or without a cluster key at a socket. */
static void choose_listen(struct coordinator *co)
{
	const char *url = "tcp://127.0.0.1:7701";

	if (co->o.listen.n || *co->o.offline)
		return;
	if (!*co->o.cluster_key && !*co->o.cluster_key_file)
		url = private_socket(co);
	if (!url)
		return;
	co->o.listen.v = arena_many(co->a, 1, const char *);
	co->o.listen.v[0] = url;
	co->o.listen.n = 1;
}

static const char *data_dir(struct coordinator *co)
{
	const char *xdg = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (*co->o.data)
		return co->o.data;
	if (xdg && *xdg == '/')
		return arena_printf(co->a, "%s/atoll", xdg);
	if (!home || !*home)
		home = ".";
	return arena_printf(co->a, "%s/.local/share/atoll", home);
}

static int write_ready(const struct coordinator *co, struct err *e)
{
	char tmp[4200];

	if (!*co->o.ready_file)
		return 0;
	snprintf(tmp, sizeof tmp, "%.4100s.tmp", co->o.ready_file);
	FILE *f = fopen(tmp, "w");
	bool ok = f && fprintf(f, "%s\n", co->http_url) > 0;
	if (f && fclose(f))
		ok = false;
	if (!ok || rename(tmp, co->o.ready_file))
		return err_set(
		    e, ERR_INVALID_INPUT, "--ready-file %s: %s", co->o.ready_file, strerror(errno));
	return 0;
}

static sigset_t stop_signals(void)
{
	sigset_t s;

	sigemptyset(&s);
	sigaddset(&s, SIGTERM);
	sigaddset(&s, SIGINT);
	return s;
}

static int open_embedder(struct coordinator *co, struct err *e)
{
	struct embedder_options x = EMBEDDER_OPTIONS(&co->o);

	co->embedding = pool_new(EMBEDDING_THREADS, EMBEDDING_QUEUE);
	co->embedder = embedder_open(&x, e);
	if (!co->embedder)
		return -1;
	co->meaning_threshold = meaning_threshold_new(co->embedder);
	return 0;
}

/* ---- periodic work, each on a separate thread ---- */

static void tick_resync(void *co)
{
	auto_sync_tick(((struct coordinator *)co)->auto_sync);
}

static void tick_tokens(void *co)
{
	tokens_tick(((struct coordinator *)co)->tokens);
}

static void tick_mcp(void *co)
{
	mcp_poll_changes(co);
}

static int start_tickers(struct coordinator *co, struct err *e)
{
	static void (*const ticks[TICKERS])(void *) = { tick_resync, tick_tokens, tick_mcp };

	for (size_t i = 0; i < TICKERS; i++) {
		co->tickers[i] = ticker_new(co->o.probe_interval_ms, ticks[i], co);
		if (!co->tickers[i])
			return err_set(e, ERR_INTERNAL, "cannot start a thread for periodic work");
	}
	return 0;
}

static void stop_tickers(struct coordinator *co)
{
	for (size_t i = 0; i < TICKERS; i++) {
		ticker_free(co->tickers[i]);
		co->tickers[i] = NULL;
	}
}

static void on_shard_spoke(void *co, const char *repo_uri)
{
	jobs_shard_spoke(((struct coordinator *)co)->jobs, repo_uri);
}

static void on_shard_reachable(void *co, const char *repo_uri)
{
	jobs_shard_reachable(((struct coordinator *)co)->jobs, repo_uri);
}

static int open_members(struct coordinator *co, struct err *e)
{
	const struct members_options in = {
		.o = &co->o,
		.trust = &co->trust,
		.host = co->host,
		.registry = co->registry,
		.stats = co->stats,
		.shard_spoke = on_shard_spoke,
		.shard_reachable = on_shard_reachable,
		.arg = co,
	};

	co->members = members_open(&in, e);
	if (!co->members)
		return -1;
	co->membership_urls = members_urls(co->members);
	if (co->membership_urls.n)
		snprintf(co->membership_url, sizeof co->membership_url, "%s", co->membership_urls.v[0]);
	return 0;
}

static void on_left(struct coordinator *co, const void *asker)
{
	call_abandon(co, asker);
	mcp_reader_gone(co->mcp, asker);
}

static int open_http(struct coordinator *co, struct err *e)
{
	const struct http_setup in = {
		.o = &co->o,
		.limits = co->limits,
		.tokens = co->tokens,
		.routes = http_routes,
		.nroutes = http_nroutes,
		.co = co,
		.url = co->http_url,
		.url_size = sizeof co->http_url,
		.on_reader_gone = on_left,
	};

	co->http = http_open(&in, e);
	return co->http ? 0 : -1;
}

/* Ends the sessions and streams of a caller whose token is no longer valid. */
static void forget(void *co, const struct caller *caller)
{
	mcp_end_caller(((struct coordinator *)co)->mcp, caller);
}

/* Reads what the options name, so that a mistake is found before anything is started. */
static int read_options(struct coordinator *co, struct err *e)
{
	struct operator_routing routing;

	if (check(&co->o, e))
		return -1;
	if (operator_routing_read(co->o.routing, co->a, &routing, e))
		return -1;
	if (read_key(co, e))
		return -1;
	if (llm_open(co->llm, &co->o, co->a, e))
		return -1;
	choose_listen(co);
	return webhooks_open(co, e);
}

static int open_registry(struct coordinator *co, struct err *e)
{
	co->registry = registry_open(data_dir(co), e);
	if (!co->registry)
		return -1;
	if (cluster_events_open(co, e))
		return -1;
	co->scoped_tables = scoped_tables_cache_new(e);
	return co->scoped_tables ? 0 : -1;
}

static void make_parts(struct coordinator *co)
{
	co->pool = pool_new((size_t)co->o.workers, QUEUE);
	co->limits = limits_new(&co->o);
	co->timers = timers_new();
	co->admission = admission_new((size_t)co->o.asked_at_once);
	hedges_init(&co->hedges);
	co->slow = pool_new(SLOW_THREADS, SLOW_QUEUE);
	co->stats = stats_new();
	co->group_syncs = group_sync_queue_new();
	co->recent_matches = recent_matches_new();
	co->mcp = mcp_new(&co->o);
	co->live = live_events_new(co);
	co->auto_sync = auto_sync_new(co);
	co->jobs = jobs_new(co);
}

static int start(struct coordinator *co, struct err *e)
{
	if (read_options(co, e))
		return -1;
	if (open_registry(co, e))
		return -1;
	make_parts(co);
	if (open_embedder(co, e))
		return -1;
	co->tokens = tokens_open(co->registry, &co->o, forget, co, e);
	if (!co->tokens)
		return -1;
	if (open_members(co, e))
		return -1;
	if (*co->o.http)	/* so that the first answers after a restart are complete */
		members_wait_probed(co->members, MEET_MS);
	if (*co->o.http && open_http(co, e))
		return -1;
	cluster_events_start(co);
	if (jobs_start(co->jobs, e))
		return -1;
	if (start_tickers(co, e))
		return -1;
	if (write_ready(co, e))
		return -1;
	if (!*co->o.offline)
		watchdog_start(co);
	return 0;
}

static const char *host_name(const struct coordinator_config *o, struct arena *a)
{
	char name[256] = "";

	if (*o->host)
		return arena_str(a, o->host);
	gethostname(name, sizeof name - 1);
	return arena_str(a, name);
}

struct coordinator *coordinator_open(const struct coordinator_config *o, struct err *e)
{
	struct coordinator *co = xcalloc(1, sizeof *co);
	sigset_t stop = stop_signals();

	signal(SIGPIPE, SIG_IGN);
	/* Block them before the first thread starts: coordinator_serve waits for them. */
	pthread_sigmask(SIG_BLOCK, &stop, NULL);
	co->o = *o;
	if (*o->offline) {
		co->o.http = "";
		co->o.listen.n = co->o.shard.n = 0;
	}
	co->a = arena_new();
	co->host = host_name(o, co->a);
	co->llm = arena_one(co->a, struct llm);
	co->started_ms = clock_ms();
	co->reload = cluster_events_reload;
	pthread_mutex_init(&co->calls.lock, NULL);
	crypto_random_hex(co->calls.prefix, 4);
	if (start(co, e)) {
		coordinator_close(co);
		return NULL;
	}
	log_info("coordinator.ready", "http=%s membership=%s", co->http_url, co->membership_url);
	return co;
}

void coordinator_serve(struct coordinator *co)
{
	sigset_t stop = stop_signals();
	int sig = 0;

	(void)co;
	while (sigwait(&stop, &sig))
		;
	log_info("coordinator.stop", "signal=%d", sig);
}

/* ---- running one tool offline ---- */

struct offline_call {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	struct call *done;
};

static void on_done(struct call *c)
{
	struct offline_call *w = c->ctx;

	pthread_mutex_lock(&w->lock);
	w->done = c;
	pthread_cond_signal(&w->cond);
	pthread_mutex_unlock(&w->lock);
}

int coordinator_offline(struct coordinator *co, struct err *e)
{
	struct offline_call w = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL };
	const struct tool *tool = tool_get(co->o.offline);
	struct buf args = { 0 }, answer = { 0 };
	char chunk[4096];
	size_t n;

	if (!tool)
		return err_set(e, ERR_INVALID_INPUT, "--offline: `%.60s` is not a tool", co->o.offline);
	buf_str(&args, "");
	while ((n = fread(chunk, 1, sizeof chunk, stdin)) > 0)
		buf_put(&args, chunk, n);
	call_start(co, tool, &caller_local, args.p,
	    &(struct call_client){ .done = on_done, .ctx = &w, .via = "offline" });
	pthread_mutex_lock(&w.lock);
	while (!w.done)
		pthread_cond_wait(&w.cond, &w.lock);
	pthread_mutex_unlock(&w.lock);
	call_json(w.done, &answer);
	printf("%s\n", answer.p);
	int rc = 0;
	if (fflush(stdout))
		rc = err_set(e, ERR_INTERNAL, "the answer cannot be written");
	call_free(w.done);
	buf_free(&args);
	buf_free(&answer);
	return rc;
}

/* ---- shutdown ---- */

struct shutdown_deadline {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	bool over;
};

/*
 * Ends the process if the shutdown takes too long, because a thread hangs in a library or waits for
 * a model.  Nothing is lost by that.
 */
static void *enforce_deadline(void *arg)
{
	struct shutdown_deadline *w = arg;
	struct timespec t;
	int rc = 0;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += EXIT_MS / 1000;
	t.tv_nsec += EXIT_MS % 1000 * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	pthread_mutex_lock(&w->lock);
	while (!w->over && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&w->cond, &w->lock, &t);
	bool over = w->over;
	pthread_mutex_unlock(&w->lock);
	if (over)
		return NULL;
	log_warn("coordinator.forced_exit", "after_ms=%d", EXIT_MS);
	_exit(0);
}

static void free_all(struct coordinator *co)
{
	watchdog_stop(co);
	http_drain(co->http, DRAIN_MS);		/* first, while members can still answer */
	jobs_stop(co->jobs);
	cluster_events_stop(co);
	stop_tickers(co);
	members_stop(co->members);
	admission_close(co->admission);
	live_events_stop(co->live);
	timers_free(co->timers);
	mcp_stop(co->mcp);
	http_close(co->http);
	pool_free(co->slow);
	pool_free(co->embedding);
	pool_free(co->pool);	/* its threads use what follows */
	meaning_threshold_free(co->meaning_threshold);
	embedder_free(co->embedder);
	members_free(co->members);
	jobs_free(co->jobs);
	stats_free(co->stats);
	auto_sync_free(co->auto_sync);
	group_sync_queue_free(co->group_syncs);
	recent_matches_free(co->recent_matches);
	scoped_tables_cache_free(co->scoped_tables);
	mcp_free(co->mcp);
	live_events_free(co->live);
	tokens_free(co->tokens);
	limits_free(co->limits);
	admission_free(co->admission);
	registry_close(co->registry);
	arena_free(co->a);
	free(co);
}

void coordinator_close(struct coordinator *co)
{
	struct shutdown_deadline w = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false };
	pthread_t t;

	if (!co)
		return;
	bool watched = !pthread_create(&t, NULL, enforce_deadline, &w);
	free_all(co);
	pthread_mutex_lock(&w.lock);
	w.over = true;
	pthread_cond_signal(&w.cond);
	pthread_mutex_unlock(&w.lock);
	if (watched)
		pthread_join(t, NULL);
}
