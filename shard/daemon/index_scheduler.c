#include <stdio.h>
#include <string.h>

#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "shard/base/options.h"
#include "shard/daemon/crash_backoff.h"
#include "shard/daemon/head_watch.h"
#include "shard/daemon/shard_internal.h"
#include "shard/git/repo.h"
#include "shard/ingest/mirror_repair.h"
#include "shard/ingest/quarantine.h"

/* Keeps the index current: decides when to ingest, and handles the outcome. */

enum {
	BACK_OFF_MS = 250,		/* pause after a failed ingest, doubled each time */
	BACK_OFF_MAX_MS = 60000,
	CRASHES = 20,			/* in a row, until the ingest is given up */
	BLAMELESS_CRASHES = 3,		/* the same, without a file to blame */
	KILLS_FREE = 10,		/* ends of the shard during an ingest that cause no pause */
	BACKOFF_MAX_MS = 4500000,	/* the longest pause after crashes, whatever the clock was set to */
};

/*
 * Whether the last seen tips are still those of the source, as far as anybody can know: a remote has
 * to be looked at all the time.
 */
static bool follows_source(const struct shard *s)
{
	if (s->remote_unreachable)
		return false;
	return !s->src.url || (s->o->remote_poll_ms > 0 && *s->tips_seen_at);
}

/* The commits that an index of `commit` is behind the tips of the source; -1 = unknown. */
static int64_t behind_of(struct shard *s, const char *commit)
{
	if (!*s->tips || !follows_source(s))
		return -1;
	struct repo *r = repo_open(s->src.place, NULL);
	if (!r)
		return -1;
	int64_t behind = repo_behind(r, s->tips, commit);
	repo_close(r);
	return behind;
}

/* With the lock. */
static void set_behind(struct shard *s, int64_t behind)
{
	s->st.behind = behind;
	*s->st.checked_at = 0;
	if (behind < 0)
		memcpy(s->st.checked_at, s->tips_seen_at, sizeof s->st.checked_at);
}

/* Opens the published index, and checks it.  `info` is filled as far as it can be read. */
static int check_index(struct shard *s, struct index_info *info, bool check_pages, struct err *e)
{
	if (store_current(s->src.data, info, e))
		return -1;
	if (strcmp(info->repo_uri, s->src.repo_uri))
		return err_set(e, ERR_SCHEMA_MISMATCH, "the index is of repository %.100s", info->repo_uri);
	if (check_pages)
		return store_check(s->src.data, info->file, e);
	return 0;
}

void index_scheduler_load(struct shard *s, bool check)
{
	struct index_info info;
	struct err e = { 0 };
	int rc = check_index(s, &info, check, &e);
	bool unusable = rc && e.code != ERR_NO_INDEX;
	int64_t behind = -1;

	if (unusable)
		log_error("index.unusable", "file=%s code=%s message=%s", info.file, err_name(e.code),
		    log_quote(e.msg));
	if (e.code == ERR_DB_ERROR)
		store_set_aside(s->src.data, info.file);
	if (!rc)	/* before anybody sees the index */
		behind = behind_of(s, info.commit);
	pthread_mutex_lock(&s->lock);
	set_behind(s, behind);
	if (*s->st.info.file && strcmp(s->st.info.file, info.file))
		memcpy(s->before, s->st.info.file, sizeof s->before);
	s->st.changes++;
	s->st.info = info;
	if (rc)
		s->st.info = (struct index_info){ 0 };
	vector_scheduler_reset(s);
	s->st.code = ERR_NONE;
	if (unusable)
		s->st.code = e.code;
	snprintf(s->st.message, sizeof s->st.message, "%s", e.msg);
	s->st.wanted |= rc != 0 || info.outdated;
	s->st.force |= unusable;
	pthread_mutex_unlock(&s->lock);
	s->not_before = 0;
	if (unusable)	/* an index that is bad every time must not make it spin */
		s->not_before = clock_ms() + BACK_OFF_MS;
}

/* Updates the number of commits that the index is behind. */
static void compare(struct shard *s)
{
	char pair[sizeof s->compared];
	struct shard_status st;

	shard_state(s, &st);
	const char *mark = s->tips_seen_at;
	if (follows_source(s))
		mark = "";
	snprintf(pair, sizeof pair, "%s%s%s", s->tips, st.info.commit, mark);
	if (!*st.info.file || !strcmp(pair, s->compared))
		return;
	memcpy(s->compared, pair, sizeof pair);
	int64_t behind = behind_of(s, st.info.commit);
	pthread_mutex_lock(&s->lock);
	set_behind(s, behind);
	pthread_mutex_unlock(&s->lock);
}

static void forget_repo(struct shard *s)
{
	head_watch_free(s->watch);
	repo_close(s->repo);
	s->watch = NULL;
	s->repo = NULL;
}

/* Opens and watches the repository, unless it is open and still in its place. */
static void open_repo(struct shard *s)
{
	if (head_watch_is_moved(s->watch))
		forget_repo(s);
	if (!s->repo) {
		s->repo = repo_open(s->src.place, NULL);
		if (s->repo && s->o->poll_ms > 0)
			s->watch = head_watch_new(s->repo, s->src.place);
	}
}

/* With the lock: whether HEAD is a commit that was neither indexed nor tried. */
static bool is_new_head(const struct shard *s, const char *head)
{
	if (!*head || s->src.url)
		return false;
	return strcmp(head, s->st.info.commit) && strcmp(head, s->tried);
}

void index_scheduler_check_head(struct shard *s)
{
	char head[REPO_OID_SIZE] = "";

	open_repo(s);
	bool away = !s->repo && !s->src.url;	/* a repository whose HEAD has no commit is there */
	if (s->repo && repo_head(s->repo, head, NULL)) {
		forget_repo(s);		/* it may have been replaced: open it again next time */
		*head = 0;
	}
	*s->tips = 0;
	if (s->repo) {
		repo_tips(s->repo, s->tips);
		if (!s->src.url)
			clock_iso(s->tips_seen_at);
	}
	pthread_mutex_lock(&s->lock);
	memcpy(s->st.head, head, sizeof head);
	s->st.away = away;
	if (is_new_head(s, head)) {
		memcpy(s->tried, head, sizeof head);
		s->st.wanted = true;
		s->not_before = 0;
		s->crashes = s->unblamed_crashes = s->failures = 0;
	}
	pthread_mutex_unlock(&s->lock);
	compare(s);
}

/* ---- the child ---- */

/* Whether a child must fetch or copy something before the child that parses. */
static bool must_fetch(const struct shard *s)
{
	struct index_info info;

	if (s->src.url)
		return true;
	if (!s->o->copy_index || s->forced)
		return false;
	return store_current(s->src.data, &info, NULL) != 0;
}

static int start_child(struct shard *s, enum child_kind kind, struct err *e)
{
	int threads = (int)s->o->ingest_threads;

	if (kind == CHILD_INGEST)
		crash_backoff_begin(s->src.data);
	if (s->crashes)		/* one thread, so that the note names the culprit alone */
		threads = 1;
	return child_start(&s->child, kind, s->o, s->forced, threads, NULL, e);
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

/* Ends the ingest.  `again`: it is still wanted; `final`: `e` is its result. */
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

/* The commit of HEAD; "" if it cannot be read. */
static void head_of(struct shard *s, char head[REPO_OID_SIZE])
{
	struct repo *r = repo_open(s->src.place, NULL);

	if (!r || repo_head(r, head, NULL))
		*head = 0;
	repo_close(r);
}

static void failed(struct shard *s, const struct err *e)
{
	bool fetch_failed = e->code == ERR_UNAVAILABLE || e->code == ERR_INVALID_INPUT;
	/* a mirror that is too large will not be smaller soon */
	bool hopeless = s->src.url && e->code == ERR_INVALID_INPUT;

	crash_backoff_end(s->src.data, false);
	log_error("ingest.failed", "repo=%s code=%s message=%s", log_quote(s->src.name),
	    err_name(e->code), log_quote(e->msg));
	s->not_before = clock_ms() + back_off(++s->failures + 2);
	s->remote_unreachable = s->src.url && fetch_failed;
	compare(s);
	set_failed(s, e, !hopeless, true);
	if (e->code == ERR_DB_ERROR) {	/* the index cannot be changed, but maybe rebuilt */
		pthread_mutex_lock(&s->lock);
		s->st.force = true;
		pthread_mutex_unlock(&s->lock);
	}
}

/*
 * Pauses ingests after crashes at this commit, however often this process is restarted, until a
 * time, a new commit, or a request.
 */
static void set_back(struct shard *s, const struct crash_backoff *b, struct err *e)
{
	int64_t left = b->until - clock_real_ms();
	char at[CLOCK_ISO];

	left = MIN(MAX(left, 0), BACKOFF_MAX_MS);
	s->not_before = clock_ms() + left;
	clock_iso_in(left / 1000, at);
	err_set(e, ERR_INTERNAL,
	    "%.120s; crash %d at commit %.7s, next try %s, sooner by a commit or `atoll repo analyze`",
	    b->cause, b->times, b->commit, at);
}

/*
 * Also records a crash that this process has not seen: the shard, or the machine, ended during an
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
		    "the shard ended during an ingest, for example for lack of memory", KILLS_FREE, &b);
	}
	if (!b.times || b.until <= clock_real_ms())
		return;
	set_back(s, &b, &e);
	memcpy(s->tried, b.commit, sizeof s->tried);
	log_warn("ingest.backoff", "repo=%s message=%s", log_quote(s->src.name), log_quote(e.msg));
	bool blameless = b.times >= BLAMELESS_CRASHES;
	s->crashes = 0;
	if (blameless)
		s->crashes = b.times;
	set_failed(s, &e, true, blameless);
}

/*
 * The child died: blames the files that it noted and tries again, a limited number of times.
 * Returns whether the ingest is given up.
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
		s->unblamed_crashes++;
	crash_backoff_record(s->src.data, head, e->msg, 0, &b);
	log_error("ingest.crashed", "repo=%s times=%d message=%s", log_quote(s->src.name), b.times,
	    log_quote(e->msg));
	if (++s->crashes > CRASHES || s->unblamed_crashes >= BLAMELESS_CRASHES) {
		failed(s, e);
		set_back(s, &b, &why);
		set_failed(s, &why, true, true);
		return true;
	}
	s->not_before = clock_ms() + back_off(MIN(s->crashes, 4));
	set_failed(s, e, true, false);
	return false;
}

/*
 * With the lock: an ingest succeeded. It has found the repository in its place, which may have been
 * missing at the last check.
 */
static void ended_well(struct shard *s)
{
	s->st.ended = s->st.begun;
	s->st.away = false;
}

/* When a mirror of which something cannot be read is to be fetched again; 0: not at all. */
static void schedule_repair(struct shard *s)
{
	struct shard_status st;

	s->next_repair = 0;
	if (!s->src.url)
		return;
	shard_state(s, &st);
	int64_t wait = mirror_repair_wait_ms(s->src.data, &st.info);
	if (wait >= 0)
		s->next_repair = MAX(clock_ms() + wait, s->repairs_from);
}

static void succeeded(struct shard *s, bool published)
{
	struct shard_status old, now;

	s->crashes = s->unblamed_crashes = s->failures = 0;
	s->remote_unreachable = false;
	s->not_before = 0;
	shard_state(s, &old);
	crash_backoff_end(s->src.data, true);
	/* also if nothing changed: the published index contains the file */
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
	schedule_repair(s);
	index_scheduler_check_head(s);
}

/* The fetch is complete: starts the child that parses. */
static enum child_outcome fetched(struct shard *s, enum child_outcome end, struct err *e)
{
	s->copied = end == CHILD_PUBLISHED;
	if (s->src.url) {
		clock_iso(s->tips_seen_at);
		s->remote_unreachable = false;
	}
	if (start_child(s, CHILD_INGEST, e))
		return CHILD_FAILED;
	return CHILD_RUNS;
}

static enum child_outcome read_child(struct shard *s, struct err *e)
{
	bool fetches = s->child.kind == CHILD_FETCH;
	enum child_outcome end = child_read(&s->child, e);
	bool succeeds = end == CHILD_PUBLISHED || end == CHILD_UNCHANGED;

	if (fetches && succeeds)
		return fetched(s, end, e);
	if (end == CHILD_UNCHANGED && s->copied)
		return CHILD_PUBLISHED;
	return end;
}

/* Serves the index that the child has published while it still cleans up. */
static void take_published(struct shard *s)
{
	if (s->child.kind != CHILD_INGEST || !s->child.published || s->taken)
		return;
	index_scheduler_load(s, false);
	s->taken = true;
	pthread_mutex_lock(&s->lock);
	ended_well(s);
	pthread_mutex_unlock(&s->lock);
}

enum child_outcome index_scheduler_read_child(struct shard *s, struct err *e)
{
	enum child_outcome end = read_child(s, e);

	pthread_mutex_lock(&s->lock);
	memcpy(s->st.phase, s->child.phase, sizeof s->st.phase);
	s->st.amount = s->child.amount;
	pthread_mutex_unlock(&s->lock);
	switch (end) {
	case CHILD_RUNS: take_published(s); break;
	case CHILD_PUBLISHED: succeeded(s, true); break;
	case CHILD_UNCHANGED: succeeded(s, false); break;
	case CHILD_FAILED: failed(s, e); break;
	case CHILD_CRASHED:
		if (!crashed(s, e))
			return CHILD_RUNS;
		break;
	}
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
		return clock_ms() + 1000;	/* for its time limit; its reports wake the loop */
	pthread_mutex_lock(&s->lock);
	bool wanted = s->st.wanted;
	if (s->st.now)
		s->not_before = 0;
	s->st.now = false;
	pthread_mutex_unlock(&s->lock);
	if (!wanted)
		return INT64_MAX;
	if (clock_ms() < s->not_before)
		return s->not_before;
	if (start(s, e))
		failed(s, e);
	return clock_ms() + 1000;
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
