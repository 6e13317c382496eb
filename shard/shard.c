#include "shard/shard.h"

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
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/msg.h"
#include "proto/wire.h"
#include "shard/announce.h"
#include "shard/child.h"
#include "shard/options.h"
#include "shard/place.h"
#include "shard/quarantine.h"
#include "shard/rpc.h"

enum {
	BACK_OFF = 250, LONGEST_BACK_OFF = 60000,	/* ms until a failed ingest is tried again, doubled each time */
	CRASHES = 20, BLAMELESS_CRASHES = 3,		/* in a row, until it is given up; without a file to blame */
	KEEP_MS = 20000,				/* how long the previous generation stays for readers that open it */
	DRAIN_MS = 300,
};

struct shard {
	const struct options *o;
	struct arena *a;
	struct source src;
	struct place place;
	int signals, wake;
	int64_t started;
	struct rpc_server *rpc;
	struct announcer *announcer;

	pthread_mutex_t lock;		/* guards st and broken */
	struct state st;
	char broken[64];		/* an index to set aside */

	/* the main thread's own */
	struct child child;
	struct repo *watch;		/* for HEAD */
	char tips[REPO_TIPS];		/* of the watched repository */
	char compared[REPO_TIPS + REPO_OID];	/* tips and commit that st.behind is of */
	char tried[REPO_OID];		/* head that an ingest was started for last */
	int crashes, blameless, failures;
	int64_t not_before, next_poll, next_announce, next_rest, next_sweep;
};

/* ---- state, from any thread ---- */

const struct options *shard_options(const struct shard *s)
{
	return s->o;
}

const struct source *shard_source(const struct shard *s)
{
	return &s->src;
}

int64_t shard_started(const struct shard *s)
{
	return s->started;
}

void shard_state(struct shard *s, struct state *out)
{
	pthread_mutex_lock(&s->lock);
	*out = s->st;
	pthread_mutex_unlock(&s->lock);
}

const char *shard_status(const struct state *st)
{
	if (*st->info.file)
		return "ready";
	if (st->running)
		return "building";
	return st->code && st->code != ERR_DB_ERROR && st->code != ERR_SCHEMA_MISMATCH ? "failed" :
	    st->wanted ? "building" : "pending";
}

/* NULL before it listens: its first requests may come while it starts to. */
static struct rpc_server *server(struct shard *s)
{
	pthread_mutex_lock(&s->lock);
	struct rpc_server *r = s->rpc;
	pthread_mutex_unlock(&s->lock);
	return r;
}

void shard_hello(struct shard *s, struct hello *h, struct arena *a)
{
	struct state *st = arena_one(a, struct state);
	struct rpc_server *rpc = server(s);

	shard_state(s, st);
	*h = (struct hello){
		.protocol = WIRE_VERSION, .version = s->place.version, .repo_uri = s->src.repo_uri, .name = s->src.name,
		.source = s->src.shown, .replica = s->place.replica, .host = s->place.host,
		.endpoint = *s->o->advertise ? s->o->advertise : rpc ? rpc_url(rpc) : "",
		.default_branch = *st->info.branch ? st->info.branch : NULL, .status = shard_status(st),
		.commit = *st->info.commit ? st->info.commit : NULL, .generation = (uint64_t)st->info.generation,
	};
}

static void wake(struct shard *s)
{
	if (write(s->wake, &(uint64_t){ 1 }, sizeof(uint64_t)) < 0) {
		/* full: it wakes all the same */
	}
}

void shard_want(struct shard *s, bool force)
{
	pthread_mutex_lock(&s->lock);
	s->st.wanted = true;
	s->st.force |= force;
	pthread_mutex_unlock(&s->lock);
	wake(s);
}

uint64_t shard_queued(struct shard *s)
{
	struct rpc_server *r = server(s);

	return r ? rpc_queued(r) : 0;
}

bool shard_cancel(struct shard *s, const char *req)
{
	struct rpc_server *r = server(s);

	return r && rpc_stop(r, req);
}

void shard_suspect(struct shard *s, const char *file, const char *message)
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

/* ---- the index ---- */

/* Take what CURRENT names into the state; what is damaged is set aside. */
static void load(struct shard *s, bool check)
{
	struct index_info info;
	struct err e = { 0 };
	int rc = store_current(s->src.data, &info, &e);

	if (!rc && strcmp(info.repo_uri, s->src.repo_uri))
		rc = err_set(&e, ERR_SCHEMA_MISMATCH, "the index is of %.100s", info.repo_uri);
	if (!rc && check)
		rc = store_check(s->src.data, info.file, &e);
	if (rc && e.code != ERR_NO_INDEX)
		log_error("index.unusable", "file=%s code=%s message=%s", info.file, err_name(e.code), log_quote(e.msg));
	if (e.code == ERR_DB_ERROR)
		store_set_aside(s->src.data, info.file);
	pthread_mutex_lock(&s->lock);
	s->st.changes++;
	s->st.info = rc ? (struct index_info){ 0 } : info;
	s->st.code = rc && e.code != ERR_NO_INDEX ? e.code : ERR_NONE;
	snprintf(s->st.message, sizeof s->st.message, "%s", rc ? e.msg : "");
	s->st.wanted |= rc != 0;
	s->st.force |= s->st.code != ERR_NONE;
	pthread_mutex_unlock(&s->lock);
	s->not_before = s->st.code ? clock_ms() + BACK_OFF : 0;	/* an index that is bad each time is no reason to spin */
}

/* Compare what is indexed with what could be. */
static void compare(struct shard *s)
{
	char pair[sizeof s->compared];
	struct state st;
	int64_t behind = -1;

	shard_state(s, &st);
	snprintf(pair, sizeof pair, "%s%s", s->tips, st.info.commit);
	if (!*st.info.file || !strcmp(pair, s->compared))
		return;
	memcpy(s->compared, pair, sizeof pair);
	struct repo *r = *s->tips ? repo_open(s->src.place, NULL) : NULL;
	if (r)
		behind = repo_behind(r, s->tips, st.info.commit);
	repo_close(r);
	pthread_mutex_lock(&s->lock);
	s->st.behind = behind;
	pthread_mutex_unlock(&s->lock);
}

static void look_at_head(struct shard *s)
{
	char head[REPO_OID] = "";

	if (!s->watch)
		s->watch = repo_open(s->src.place, NULL);
	if (s->watch && repo_head(s->watch, head, NULL)) {
		repo_close(s->watch);	/* the repository may have been replaced: open it anew next time */
		s->watch = NULL;
		*head = 0;
	}
	*s->tips = 0;
	if (s->watch)
		repo_tips(s->watch, s->tips);
	pthread_mutex_lock(&s->lock);
	memcpy(s->st.head, head, sizeof head);
	bool moved = *head && !s->src.url && strcmp(head, s->st.info.commit) && strcmp(head, s->tried);
	if (moved) {
		memcpy(s->tried, head, sizeof head);
		s->st.wanted = true;
		s->not_before = 0;
	}
	pthread_mutex_unlock(&s->lock);
	compare(s);
}

/* ---- the child ---- */

static int start(struct shard *s, struct err *e)
{
	pthread_mutex_lock(&s->lock);
	bool force = s->st.force;
	s->st.wanted = s->st.force = false;
	s->st.running = true;
	s->st.changes += !*s->st.info.file;
	pthread_mutex_unlock(&s->lock);
	/* after a crash one thread, so that the note names the culprit alone */
	return child_start(&s->child, s->o, force, s->crashes ? 1 : (int)s->o->ingest_threads, e);
}

static void set_failed(struct shard *s, const struct err *e, bool again, bool final)
{
	pthread_mutex_lock(&s->lock);
	s->st.running = false;
	s->st.wanted |= again;
	s->st.changes++;
	if (final) {
		s->st.code = e->code;
		snprintf(s->st.message, sizeof s->st.message, "%s", e->msg);
	}
	pthread_mutex_unlock(&s->lock);
}

static int64_t back_off(int times)
{
	int64_t ms = BACK_OFF;

	while (--times > 0 && ms < LONGEST_BACK_OFF)
		ms *= 2;
	return ms < LONGEST_BACK_OFF ? ms : LONGEST_BACK_OFF;
}

static void failed(struct shard *s, const struct err *e)
{
	log_error("ingest.failed", "repo=%s code=%s message=%s", log_quote(s->src.name), err_name(e->code),
	    log_quote(e->msg));
	s->not_before = clock_ms() + back_off(++s->failures + 2);
	set_failed(s, e, true, true);
}

/* A dead child: blame the files it noted and try again, a bounded number of times.  Whether it is given up. */
static bool crashed(struct shard *s, const struct err *e)
{
	s->blameless = quarantine_strike(s->src.data) ? 0 : s->blameless + 1;
	log_error("ingest.crashed", "repo=%s times=%d message=%s", log_quote(s->src.name), s->crashes + 1,
	    log_quote(e->msg));
	if (++s->crashes > CRASHES || s->blameless >= BLAMELESS_CRASHES) {
		failed(s, e);
		return true;
	}
	s->not_before = clock_ms() + back_off(s->crashes > 4 ? 4 : s->crashes);
	set_failed(s, e, true, false);
	return false;
}

static void succeeded(struct shard *s, bool published)
{
	struct state old, now;

	s->crashes = s->blameless = s->failures = 0;
	s->not_before = 0;
	shard_state(s, &old);
	if (published || !*old.info.file) {
		quarantine_forgive(s->src.data);
		load(s, false);
		shard_state(s, &now);
		store_sweep(s->src.data, now.info.file, old.info.file);
		s->next_sweep = clock_ms() + KEEP_MS;
	}
	pthread_mutex_lock(&s->lock);
	s->st.running = false;
	if (*s->st.info.file)
		s->st.code = ERR_NONE;
	s->st.changes++;
	pthread_mutex_unlock(&s->lock);
	look_at_head(s);
}

/* Hear the child.  What became of it. */
static enum child_end supervise(struct shard *s, struct err *e)
{
	enum child_end end = child_read(&s->child, e);

	pthread_mutex_lock(&s->lock);
	memcpy(s->st.phase, s->child.phase, sizeof s->st.phase);
	s->st.done = s->child.done;
	s->st.total = s->child.total;
	pthread_mutex_unlock(&s->lock);
	if (end == CHILD_PUBLISHED || end == CHILD_UNCHANGED)
		succeeded(s, end == CHILD_PUBLISHED);
	else if (end == CHILD_FAILED)
		failed(s, e);
	else if (end == CHILD_CRASHED && !crashed(s, e))
		end = CHILD_RUNS;
	return end;
}

static void set_aside(struct shard *s)
{
	char file[sizeof s->broken];

	pthread_mutex_lock(&s->lock);
	memcpy(file, s->broken, sizeof file);
	*s->broken = 0;
	pthread_mutex_unlock(&s->lock);
	if (*file)
		store_set_aside(s->src.data, file);
}

/* Start an ingest when one is wanted and may run; when to look again. */
static int64_t ingest_tick(struct shard *s, struct err *e)
{
	if (s->child.pid)
		return clock_ms() + 1000;	/* for its time limit; what it says wakes the loop */
	pthread_mutex_lock(&s->lock);
	bool wanted = s->st.wanted;
	pthread_mutex_unlock(&s->lock);
	if (!wanted || clock_ms() < s->not_before)
		return wanted ? s->not_before : INT64_MAX;
	if (start(s, e))
		failed(s, e);
	return clock_ms() + 1000;
}

/* ---- start and end ---- */

static int block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

struct shard *shard_open(const struct options *o, struct err *e)
{
	struct shard *s = calloc(1, sizeof *s);

	if (!s)
		abort();
	s->o = o;
	s->a = arena_new();
	s->started = clock_ms();
	s->signals = block_signals();
	s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	s->st.behind = -1;
	pthread_mutex_init(&s->lock, NULL);
	if (source_find(&s->src, o, s->a, e) || place_find(&s->place, o, &s->src, s->a, e)) {
		shard_close(s);
		return NULL;
	}
	load(s, true);
	store_sweep(s->src.data, *s->st.info.file ? s->st.info.file : NULL, NULL);
	s->st.wanted |= s->src.url != NULL;
	if (o->once)
		return s;
	struct rpc_server *r = rpc_serve(s, s->place.listen, &s->place.trust, (int)o->readers, (int)o->queue, e);
	pthread_mutex_lock(&s->lock);
	s->rpc = r;
	pthread_mutex_unlock(&s->lock);
	s->place.bound = s->rpc != NULL;
	if (s->rpc)
		s->announcer = announce_new(s, &o->coordinator, &s->place.trust, s->wake, e);
	if (!s->announcer) {
		shard_close(s);
		return NULL;
	}
	log_info("serve", "repo=%s repo_uri=%s source=%s url=%s generation=%lld data=%s", log_quote(s->src.name),
	    s->src.repo_uri, log_quote(s->src.shown), rpc_url(s->rpc), (long long)s->st.info.generation,
	    log_quote(s->src.data));
	return s;
}

static bool asked_to_end(struct shard *s)
{
	struct signalfd_siginfo info;

	return read(s->signals, &info, sizeof info) == sizeof info;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void wait_until(struct shard *s, int64_t until)
{
	struct pollfd p[] = {
		{ s->signals, POLLIN, 0 }, { s->wake, POLLIN, 0 }, { s->child.pid ? s->child.fd : -1, POLLIN, 0 },
	};
	int64_t ms = until - clock_ms();
	uint64_t n;

	poll(p, 3, ms < 0 ? 0 : ms > 60000 ? 60000 : (int)ms);
	if (read(s->wake, &n, sizeof n) < 0) {
		/* it was not that */
	}
}

static int64_t housekeeping(struct shard *s)
{
	int64_t now = clock_ms();
	struct state st;

	if (s->o->poll_ms > 0 && now >= s->next_poll) {
		look_at_head(s);
		s->next_poll = now + s->o->poll_ms;
	}
	if (s->next_sweep && now >= s->next_sweep) {
		shard_state(s, &st);
		if (!s->child.pid)
			store_sweep(s->src.data, st.info.file, NULL);
		s->next_sweep = s->child.pid ? now + KEEP_MS : 0;
	}
	shard_state(s, &st);
	s->next_announce = announce_tick(s->announcer, st.changes);
	s->next_rest = rpc_rest(s->rpc);
	return least(least(s->o->poll_ms > 0 ? s->next_poll : INT64_MAX, s->next_sweep ? s->next_sweep : INT64_MAX),
	    least(s->next_announce, s->next_rest));
}

void shard_serve(struct shard *s)
{
	look_at_head(s);
	while (!asked_to_end(s)) {
		struct err e = { 0 };
		if (s->child.pid)
			supervise(s, &e);
		set_aside(s);
		int64_t next = ingest_tick(s, &e);
		wait_until(s, least(next, housekeeping(s)));
	}
	log_info("stop", "repo=%s", log_quote(s->src.name));
	child_kill(&s->child);
	rpc_drain(s->rpc, DRAIN_MS);
	place_leave(&s->place);
	_exit(0);	/* nng_close may hang (nng #1543) */
}

int shard_once(struct shard *s, struct err *e)
{
	enum child_end end = CHILD_RUNS;

	s->st.wanted = true;
	s->st.force |= s->o->force;
	while (end == CHILD_RUNS) {
		if (asked_to_end(s))
			return err_set(e, ERR_UNAVAILABLE, "stopped by a signal");
		*e = (struct err){ 0 };
		int64_t next = ingest_tick(s, e);
		if (e->code)
			return -1;
		wait_until(s, next);
		if (s->child.pid)
			end = supervise(s, e);
	}
	if (end != CHILD_PUBLISHED && end != CHILD_UNCHANGED)
		return -1;
	*e = (struct err){ 0 };
	store_sweep(s->src.data, s->st.info.file, NULL);
	place_print(&s->st.info, &s->src, end == CHILD_PUBLISHED, s->o->json);
	return 0;
}

void shard_close(struct shard *s)
{
	if (!s)
		return;
	child_kill(&s->child);
	repo_close(s->watch);
	place_leave(&s->place);
	close(s->signals);
	close(s->wake);
	arena_free(s->a);
	free(s);
}
