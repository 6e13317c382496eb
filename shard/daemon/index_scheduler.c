#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "shard/base/options.h"
#include "shard/daemon/crash_backoff.h"
#include "shard/daemon/head_watch.h"
#include "shard/daemon/shard_internal.h"
#include "shard/git/repo.h"
#include "shard/index/index_snapshot.h"
#include "shard/ingest/quarantine.h"

/* Keeping the index current: when to ingest, and what becomes of it. */

enum {
	/* ms until a failed ingest is tried again, doubled each time */
	BACK_OFF_MS = 250, BACK_OFF_MAX_MS = 60000,
	/* in a row, until it is given up; without a file to blame */
	CRASHES = 20, BLAMELESS_CRASHES = 3,
	SNAPSHOT_IDLE_MS = 300000,			/* how long a snapshot stays that nobody reads */
	/* how long the previous generation stays for readers that open it */
	PREVIOUS_INDEX_MS = 20000,
	/* of the times to look, one is taken where nothing happens unseen */
	WATCHED_POLL_DIVISOR = 150,
	/* of the shard in the midst of an ingest, which may have other reasons than the repository */
	KILLS_FREE = 10,
	/* that crashes make it wait, whatever the clock was set to */
	BACKOFF_MAX_MS = 4500000,
	/* until a repository is looked for again that is not in its place */
	REPO_MISSING_RETRY_MS = 1000,
};

/* Commits that an index of `commit` is behind of what was last seen; -1: unknown. */
static int64_t behind_of(struct shard *s, const char *commit)
{
	struct repo *r = *s->tips && !s->remote_unreachable ? repo_open(s->src.place, NULL) : NULL;
	int64_t behind = -1;

	if (r)
		behind = repo_behind(r, s->tips, commit);
	repo_close(r);
	return behind;
}

void index_scheduler_load(struct shard *s, bool check)
{
	struct index_info info;
	struct err e = { 0 };
	int rc = store_current(s->src.data, &info, &e);

	if (!rc && strcmp(info.repo_uri, s->src.repo_uri))
		rc = err_set(&e, ERR_SCHEMA_MISMATCH, "the index is of %.100s", info.repo_uri);
	if (!rc && check)
		rc = store_check(s->src.data, info.file, &e);
	if (rc && e.code != ERR_NO_INDEX)
		log_error("index.unusable", "file=%s code=%s message=%s", info.file, err_name(e.code),
		    log_quote(e.msg));
	if (e.code == ERR_DB_ERROR)
		store_set_aside(s->src.data, info.file);
	/* before anybody sees the index */
	int64_t behind = -1;
	if (!rc)
		behind = behind_of(s, info.commit);
	pthread_mutex_lock(&s->lock);
	s->st.behind = behind;
	if (*s->st.info.file && strcmp(s->st.info.file, info.file))
		memcpy(s->before, s->st.info.file, sizeof s->before);
	s->st.changes++;
	s->st.info = rc ? (struct index_info){ 0 } : info;
	vector_scheduler_reset(s);
	if (rc && e.code != ERR_NO_INDEX)
		s->st.code = e.code;
	else
		s->st.code = ERR_NONE;
	snprintf(s->st.message, sizeof s->st.message, "%s", rc ? e.msg : "");
	s->st.wanted |= rc != 0;
	s->st.force |= s->st.code != ERR_NONE;
	pthread_mutex_unlock(&s->lock);
	/* an index that is bad each time is no reason to spin */
	if (s->st.code)
		s->not_before = clock_ms() + BACK_OFF_MS;
	else
		s->not_before = 0;
}

/* Compare what is indexed with what could be. */
static void compare(struct shard *s)
{
	char pair[sizeof s->compared];
	struct shard_status st;

	shard_state(s, &st);
	snprintf(
	    pair, sizeof pair, "%s%s%s", s->tips, st.info.commit, s->remote_unreachable ? "?" : "");
	if (!*st.info.file || !strcmp(pair, s->compared))
		return;
	memcpy(s->compared, pair, sizeof pair);
	int64_t behind = behind_of(s, st.info.commit);
	pthread_mutex_lock(&s->lock);
	s->st.behind = behind;
	pthread_mutex_unlock(&s->lock);
}

static void forget_repo(struct shard *s)
{
	head_watch_free(s->watch);
	repo_close(s->repo);
	s->watch = NULL;
	s->repo = NULL;
}

void index_scheduler_check_head(struct shard *s)
{
	char head[REPO_OID_SIZE] = "";

	if (head_watch_is_moved(s->watch))
		forget_repo(s);
	if (!s->repo && (s->repo = repo_open(s->src.place, NULL)) && s->o->poll_ms > 0)
		s->watch = head_watch_new(s->repo, s->src.place);
	bool away = !s->repo && !s->src.url;	/* one whose HEAD has no commit is in its place */
	if (s->repo && repo_head(s->repo, head, NULL)) {
		forget_repo(s);		/* it may have been replaced: open it anew next time */
		*head = 0;
	}
	*s->tips = 0;
	if (s->repo)
		repo_tips(s->repo, s->tips);
	pthread_mutex_lock(&s->lock);
	memcpy(s->st.head, head, sizeof head);
	s->st.away = away;
	bool moved = *head && !s->src.url && strcmp(head, s->st.info.commit) && strcmp(head, s->tried);
	if (moved) {
		memcpy(s->tried, head, sizeof head);
		s->st.wanted = true;
		s->not_before = 0;
		s->crashes = s->unblamed_crashes = s->failures = 0;
	}
	pthread_mutex_unlock(&s->lock);
	compare(s);
}

/* ---- the child ---- */

/* What is not here is fetched by a child of its own, ahead of the one that parses. */
static bool must_fetch(const struct shard *s)
{
	struct index_info info;

	return s->src.url ||
	    (s->o->copy_index && !s->forced && store_current(s->src.data, &info, NULL));
}

static int start_child(struct shard *s, enum child_kind kind, struct err *e)
{
	if (kind == CHILD_INGEST)
		crash_backoff_begin(s->src.data);
	/* after a crash one thread, so that the note names the culprit alone */
	return child_start(
	    &s->child, kind, s->o, s->forced, s->crashes ? 1 : (int)s->o->ingest_threads, e);
}

static int start(struct shard *s, struct err *e)
{
	pthread_mutex_lock(&s->lock);
	s->forced = s->st.force;
	s->st.wanted = s->st.force = false;
	s->st.running = true;
	s->st.stop = false;
	s->st.begun++;
	memcpy(s->st.running_job, s->st.wanted_job, sizeof s->st.running_job);
	*s->st.wanted_job = 0;
	s->taken = s->copied = false;
	s->st.changes += !*s->st.info.file;
	pthread_mutex_unlock(&s->lock);
	return start_child(s, must_fetch(s) ? CHILD_FETCH : CHILD_INGEST, e);
}

static void set_failed(struct shard *s, const struct err *e, bool again, bool final)
{
	pthread_mutex_lock(&s->lock);
	s->st.running = false;
	s->st.wanted |= again;
	if (again && !*s->st.wanted_job)
		memcpy(s->st.wanted_job, s->st.running_job, sizeof s->st.wanted_job);
	s->st.changes++;
	if (final) {
		s->st.ended = s->st.begun;
		s->st.code = e->code;
		snprintf(s->st.message, sizeof s->st.message, "%s", e->msg);
	}
	pthread_mutex_unlock(&s->lock);
}

static int64_t back_off(int times)
{
	int64_t ms = BACK_OFF_MS;

	while (--times > 0 && ms < BACK_OFF_MAX_MS)
		ms *= 2;
	return MIN(ms, BACK_OFF_MAX_MS);
}

/* The commit that an ingest meets; "" when that cannot be told. */
static void head_of(struct shard *s, char head[REPO_OID_SIZE])
{
	struct repo *r = repo_open(s->src.place, NULL);

	if (!r || repo_head(r, head, NULL))
		*head = 0;
	repo_close(r);
}

static void failed(struct shard *s, const struct err *e)
{
	crash_backoff_end(s->src.data, false);
	log_error("ingest.failed", "repo=%s code=%s message=%s", log_quote(s->src.name),
	    err_name(e->code), log_quote(e->msg));
	s->not_before = clock_ms() + back_off(++s->failures + 2);
	s->remote_unreachable = s->src.url &&
	    (e->code == ERR_UNAVAILABLE || e->code == ERR_INVALID_INPUT);
	compare(s);
	/* a mirror that is too large will not be smaller soon */
	set_failed(s, e, !s->src.url || e->code != ERR_INVALID_INPUT, true);
	if (e->code == ERR_DB_ERROR) {	/* the index cannot be changed: a whole one may do */
		pthread_mutex_lock(&s->lock);
		s->st.force = true;
		pthread_mutex_unlock(&s->lock);
	}
}

/*
 * What its crashes at this commit mean: it waits, however often this process is started, until a
 * time, a new commit, or who asks.
 */
static void set_back(struct shard *s, const struct crash_backoff *b, struct err *e)
{
	int64_t left = b->until - clock_real_ms();
	char at[CLOCK_ISO];

	if (left < 0)
		left = 0;
	else if (left > BACKOFF_MAX_MS)
		left = BACKOFF_MAX_MS;
	else
		left = left;
	s->not_before = clock_ms() + left;
	clock_iso_in(left / 1000, at);
	err_set(e, ERR_INTERNAL,
	    "%.120s; crash %d at commit %.7s, next try %s, sooner by a commit or `atoll repo analyze`",
	    b->cause, b->times, b->commit, at);
}

/*
 * A crash of which nobody of this process knows: it, or the machine, ended in the midst of an
 * ingest.
 */
void index_scheduler_resume(struct shard *s)
{
	struct crash_backoff b;
	struct err e = { 0 };

	crash_backoff_read(s->src.data, &b);
	if (b.running) {
		char head[REPO_OID_SIZE] = "";
		head_of(s, head);
		crash_backoff_record(s->src.data, head,
		    "the shard ended in the midst of an ingest, as without memory", KILLS_FREE, &b);
	}
	if (!b.times || b.until <= clock_real_ms())
		return;
	set_back(s, &b, &e);
	memcpy(s->tried, b.commit, sizeof s->tried);
	log_warn("ingest.backoff", "repo=%s message=%s", log_quote(s->src.name), log_quote(e.msg));
	if (b.times < BLAMELESS_CRASHES)
		s->crashes = 0;
	else
		s->crashes = b.times;
	set_failed(s, &e, true, b.times >= BLAMELESS_CRASHES);
}

/*
 * A dead child: blame the files it noted and try again, a bounded number of times.  Whether it is
 * given up.
 */
static bool crashed(struct shard *s, const struct err *e)
{
	char head[REPO_OID_SIZE] = "";
	struct crash_backoff b;
	struct err why = *e;

	head_of(s, head);
	if (quarantine_strike(s->src.data))
		s->unblamed_crashes = 0;
	else
		s->unblamed_crashes = s->unblamed_crashes + 1;
	crash_backoff_record(s->src.data, head, e->msg, 0, &b);
	log_error("ingest.crashed", "repo=%s times=%d message=%s", log_quote(s->src.name), b.times,
	    log_quote(e->msg));
	if (++s->crashes > CRASHES || s->unblamed_crashes >= BLAMELESS_CRASHES) {
		failed(s, e);
		set_back(s, &b, &why);
		set_failed(s, &why, true, true);
		return true;
	}
	s->not_before = clock_ms() + back_off(s->crashes > 4 ? 4 : s->crashes);
	set_failed(s, e, true, false);
	return false;
}

/*
 * With the lock: an ingest, which has found the repository in its place, also when that was looked
 * for last before it was back.
 */
static void ended_well(struct shard *s)
{
	s->st.ended = s->st.begun;
	s->st.away = false;
}

static void succeeded(struct shard *s, bool published)
{
	struct shard_status old, now;

	s->crashes = s->unblamed_crashes = s->failures = 0;
	s->remote_unreachable = false;
	s->not_before = 0;
	shard_state(s, &old);
	crash_backoff_end(s->src.data, true);
	/* also when there was nothing to do: what is published holds the file */
	quarantine_forgive(s->src.data);
	if ((published && !s->taken) || !*old.info.file)
		index_scheduler_load(s, false);
	if (published) {
		shard_state(s, &now);
		store_seal(s->src.data, now.info.file);
		store_sweep(s->src.data, now.info.file, s->before);
		s->next_sweep = clock_ms() + PREVIOUS_INDEX_MS;
	}
	pthread_mutex_lock(&s->lock);
	s->st.running = false;
	ended_well(s);
	if (*s->st.info.file)
		s->st.code = ERR_NONE;
	s->st.changes++;
	pthread_mutex_unlock(&s->lock);
	index_scheduler_check_head(s);
}

/* What was wanted has been fetched: parse it. */
static enum child_outcome fetched(struct shard *s, enum child_outcome end, struct err *e)
{
	s->copied = end == CHILD_PUBLISHED;
	if (start_child(s, CHILD_INGEST, e))
		return CHILD_FAILED;
	return CHILD_RUNS;
}

static enum child_outcome hear(struct shard *s, struct err *e)
{
	bool fetches = s->child.kind == CHILD_FETCH;
	enum child_outcome end = child_read(&s->child, e);

	if (fetches && (end == CHILD_PUBLISHED || end == CHILD_UNCHANGED))
		return fetched(s, end, e);
	if (end == CHILD_UNCHANGED && s->copied)
		return CHILD_PUBLISHED;
	return end;
}

enum child_outcome index_scheduler_read_child(struct shard *s, struct err *e)
{
	enum child_outcome end = hear(s, e);

	pthread_mutex_lock(&s->lock);
	memcpy(s->st.phase, s->child.phase, sizeof s->st.phase);
	s->st.amount = s->child.amount;
	pthread_mutex_unlock(&s->lock);
	/* it only tidies up now */
	if (end == CHILD_RUNS && s->child.kind == CHILD_INGEST && s->child.published && !s->taken) {
		index_scheduler_load(s, false);
		s->taken = true;
		pthread_mutex_lock(&s->lock);
		ended_well(s);
		pthread_mutex_unlock(&s->lock);
	}
	if (end == CHILD_PUBLISHED || end == CHILD_UNCHANGED)
		succeeded(s, end == CHILD_PUBLISHED);
	else if (end == CHILD_FAILED)
		failed(s, e);
	else if (end == CHILD_CRASHED && !crashed(s, e))
		end = CHILD_RUNS;
	return end;
}

void index_scheduler_stop(struct shard *s)
{
	pthread_mutex_lock(&s->lock);
	bool stop = s->st.stop && s->child.pid && !s->taken;
	s->st.stop = false;
	if (stop) {
		s->st.running = false;
		s->st.ended = s->st.begun;
		s->st.changes++;
	}
	pthread_mutex_unlock(&s->lock);
	if (!stop)
		return;
	child_kill(&s->child);
	crash_backoff_end(s->src.data, false);
	log_info("ingest.stopped", "repo=%s job=%s", log_quote(s->src.name), s->st.running_job);
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

int64_t index_scheduler_tick(struct shard *s, struct err *e)
{
	set_aside(s);
	if (s->child.pid)
		return clock_ms() + 1000;	/* for its time limit; what it says wakes the loop */
	pthread_mutex_lock(&s->lock);
	bool wanted = s->st.wanted;
	if (s->st.now)
		s->not_before = 0;
	s->st.now = false;
	pthread_mutex_unlock(&s->lock);
	if (!wanted || clock_ms() < s->not_before) {
		if (wanted)
			return s->not_before;
		return INT64_MAX;
	}
	if (start(s, e))
		failed(s, e);
	return clock_ms() + 1000;
}

/* Ask the remote for news, at times of our own: not all shards of a machine at once. */
static int64_t poll_remote(struct shard *s, int64_t now)
{
	int64_t every = s->o->remote_poll_ms;

	if (!s->src.url || every <= 0)
		return INT64_MAX;
	if (!s->next_remote)
		s->next_remote = now + every / 2 + getpid() % 97 * every / 194;
	if (now >= s->next_remote) {
		s->next_remote = now + every;
		pthread_mutex_lock(&s->lock);
		s->st.wanted = true;
		pthread_mutex_unlock(&s->lock);
	}
	return s->next_remote;
}

int64_t index_scheduler_housekeeping(struct shard *s)
{
	int64_t now = clock_ms();
	bool moved = head_watch_read(s->watch);

	if (s->o->poll_ms > 0 && (moved || now >= s->next_poll)) {
		index_scheduler_check_head(s);
		s->next_poll = now +
		    (s->repo ?
		            s->o->poll_ms * (head_watch_is_complete(s->watch) ? WATCHED_POLL_DIVISOR : 1) :
		            least(s->o->poll_ms, REPO_MISSING_RETRY_MS));
	}
	if (s->next_sweep && now >= s->next_sweep) {
		struct shard_status st;
		shard_state(s, &st);
		if (!s->child.pid)
			store_sweep(s->src.data, st.info.file, NULL);
		if (s->child.pid)
			s->next_sweep = now + PREVIOUS_INDEX_MS;
		else
			s->next_sweep = 0;
	}
	if (now >= s->next_snapshots) {
		snapshot_sweep(s->src.data, SNAPSHOT_IDLE_MS);
		s->next_snapshots = now + SNAPSHOT_IDLE_MS;
	}
	int64_t next = least(poll_remote(s, now), s->o->poll_ms > 0 ? s->next_poll : INT64_MAX);
	next = least(next, s->next_snapshots);
	if (s->next_sweep)
		return least(s->next_sweep, next);
	return next;
}

void index_scheduler_close(struct shard *s)
{
	if (s->child.pid) {
		child_kill(&s->child);
		crash_backoff_end(s->src.data, false);
	}
	child_kill(&s->embedding);
	forget_repo(s);
}
