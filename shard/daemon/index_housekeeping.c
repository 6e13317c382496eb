/* Periodic work for the index: polling HEAD and the remote, repairing a mirror, sweeping. */
#include <stdint.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "shard/base/options.h"
#include "shard/daemon/head_watch.h"
#include "shard/daemon/shard_internal.h"
#include "shard/index/index_snapshot.h"

enum {
	SNAPSHOT_IDLE_MS = 300000,	/* how long an unread snapshot is kept */
	WATCHED_POLL_DIVISOR = 150,	/* polls are rarer by this factor if all changes are watched */
	REPAIR_PAUSE_MS = 5000,	/* between repairs, even if attempts cannot be recorded */
	REPO_MISSING_RETRY_MS = 1000,	/* pause between searches for a missing repository */
};

/* Polls the remote, at times that differ between the shards of a machine. */
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

static int64_t repair_mirror(struct shard *s, int64_t now)
{
	if (!s->next_repair)
		return INT64_MAX;
	if (now < s->next_repair)
		return s->next_repair;
	s->next_repair = 0;
	s->repairs_from = now + REPAIR_PAUSE_MS;
	pthread_mutex_lock(&s->lock);
	s->st.wanted = true;
	pthread_mutex_unlock(&s->lock);
	return INT64_MAX;
}

/* The time between two checks of HEAD. */
static int64_t poll_interval(const struct shard *s)
{
	if (!s->repo)
		return least(s->o->poll_ms, REPO_MISSING_RETRY_MS);
	if (head_watch_is_complete(s->watch))
		return s->o->poll_ms * WATCHED_POLL_DIVISOR;
	return s->o->poll_ms;
}

static int64_t poll_head(struct shard *s, int64_t now)
{
	bool moved = head_watch_read(s->watch);

	if (s->o->poll_ms <= 0)
		return INT64_MAX;
	if (moved || now >= s->next_poll) {
		index_scheduler_check_head(s);
		s->next_poll = now + poll_interval(s);
	}
	return s->next_poll;
}

static int64_t sweep_indexes(struct shard *s, int64_t now)
{
	struct shard_status st;

	if (!s->next_sweep)
		return INT64_MAX;
	if (now < s->next_sweep)
		return s->next_sweep;
	if (s->child.pid) {
		s->next_sweep = now + PREVIOUS_INDEX_MS;
		return s->next_sweep;
	}
	shard_state(s, &st);
	store_sweep(s->src.data, st.info.file, NULL);
	s->next_sweep = 0;
	return INT64_MAX;
}

static int64_t sweep_snapshots(struct shard *s, int64_t now)
{
	if (now >= s->next_snapshots) {
		snapshot_sweep(s->src.data, SNAPSHOT_IDLE_MS);
		s->next_snapshots = now + SNAPSHOT_IDLE_MS;
	}
	return s->next_snapshots;
}

int64_t index_housekeeping(struct shard *s)
{
	int64_t now = clock_ms();
	int64_t next = poll_head(s, now);

	next = least(sweep_indexes(s, now), next);
	next = least(sweep_snapshots(s, now), next);
	next = least(repair_mirror(s, now), next);
	return least(poll_remote(s, now), next);
}
