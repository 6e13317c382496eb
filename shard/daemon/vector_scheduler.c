#include <stdio.h>
#include <string.h>

#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "shard/base/options.h"
#include "shard/daemon/shard_internal.h"

/*
 * Keeps the vectors of the published index up to date, in a child of its own: the index never waits
 * for them.
 */

/* pause after a failed run, doubled each time */
enum { BACK_OFF_MS = 500, BACK_OFF_MAX_MS = 60000 };

static bool wanted(const struct shard *s)
{
	return strcmp(s->o->embedder, "none") != 0;
}

void vector_scheduler_reset(struct shard *s)
{
	s->vectors_check_due = *s->st.info.file && wanted(s);
	s->st.vectors = (struct vector_status){ 0 };
	if (s->vectors_check_due)
		s->st.vectors.total = (uint64_t)s->st.info.documents;
}

static void set_state(struct shard *s, const struct vector_status *v)
{
	pthread_mutex_lock(&s->lock);
	struct shard_status before = s->st;
	s->st.vectors = *v;
	s->st.embedding = false;
	if (strcmp(before.vectors.fingerprint, v->fingerprint) ||
	    strcmp(shard_state_vectors(&before), shard_state_vectors(&s->st)))
		s->st.changes++;
	pthread_mutex_unlock(&s->lock);
}

static void set_reason(struct shard *s, const struct err *e)
{
	pthread_mutex_lock(&s->lock);
	if (e->code)
		snprintf(
		    s->st.vectors_reason, sizeof s->st.vectors_reason, "%s: %s", err_name(e->code), e->msg);
	else
		*s->st.vectors_reason = 0;
	pthread_mutex_unlock(&s->lock);
}

/* Reads the status of the served index's vectors. */
static void read_status(struct shard *s, struct vector_status *v)
{
	struct shard_status st;

	shard_state(s, &st);
	vector_status_read(s->o, s->src.data, &st.info, &s->vectors_mark, v);
	set_state(s, v);
}

static void failed(struct shard *s, const struct err *e)
{
	int64_t ms = BACK_OFF_MS;

	for (int i = 0; i < s->vectors_failures && ms < BACK_OFF_MAX_MS; i++)
		ms *= 2;
	s->vectors_failures++;
	s->vectors_check_due = true;
	s->vectors_not_before = clock_ms() + MIN(ms, BACK_OFF_MAX_MS);
	log_warn("vectors.failed", "repo=%s times=%d code=%s message=%s", log_quote(s->src.name),
	    s->vectors_failures, err_name(e->code), log_quote(e->msg));
	set_reason(s, e);
}

static void read_child(struct shard *s)
{
	struct err e = { 0 };
	enum child_outcome end = child_read(&s->embedding, &e);

	if (end == CHILD_RUNS) {
		struct progress_amount a = s->embedding.amount;
		pthread_mutex_lock(&s->lock);
		if (a.total && s->st.info.generation == s->vectors_of) {
			s->st.vectors.done = a.done;
			s->st.vectors.total = a.total;
		}
		pthread_mutex_unlock(&s->lock);
		return;
	}
	s->vectors_check_due = true;
	pthread_mutex_lock(&s->lock);
	s->st.embeds++;
	pthread_mutex_unlock(&s->lock);
	if (end == CHILD_FAILED || end == CHILD_CRASHED) {
		failed(s, &e);
		return;
	}
	s->vectors_failures = 0;
	s->vectors_not_before = 0;
	set_reason(s, &e);
}

static void start(struct shard *s, int64_t generation)
{
	struct err e = { 0 };
	char verified[VECTORS_CHECKPOINT_TEXT];

	s->vectors_of = generation;
	vectors_checkpoint_print(&s->vectors_mark, verified);
	if (child_start(
	        &s->embedding, CHILD_VECTORS, s->o, false, (int)s->o->ingest_threads, verified, &e)) {
		failed(s, &e);
		return;
	}
	pthread_mutex_lock(&s->lock);
	s->st.embedding = true;
	pthread_mutex_unlock(&s->lock);
}

/* Whether vectors are missing that a run could make: a successful run has made all it could. */
static bool missing(const struct shard *s, const struct vector_status *v, int64_t generation)
{
	bool incomplete = v->done < v->total || (v->total && !v->files_done);
	bool tried = generation == s->vectors_of && !s->vectors_failures;

	return incomplete && !tried;
}

/* Takes a request to make vectors now: earlier failures do not count. */
static void take_request(struct shard *s)
{
	pthread_mutex_lock(&s->lock);
	bool now = s->st.embed && !s->embedding.pid;
	s->st.embed &= !now;
	pthread_mutex_unlock(&s->lock);
	if (!now)
		return;
	s->vectors_check_due = wanted(s);
	s->vectors_not_before = 0;
	s->vectors_of = 0;
}

int64_t vector_scheduler_tick(struct shard *s)
{
	struct vector_status v;
	struct shard_status st;

	if (s->embedding.pid)
		read_child(s);
	take_request(s);
	if (s->embedding.pid || !s->vectors_check_due)
		return INT64_MAX;
	if (clock_ms() < s->vectors_not_before)
		return s->vectors_not_before;
	s->vectors_check_due = false;
	read_status(s, &v);
	shard_state(s, &st);
	if (*st.info.file && missing(s, &v, st.info.generation))
		start(s, st.info.generation);
	if (s->vectors_check_due)
		return s->vectors_not_before;
	return INT64_MAX;
}
