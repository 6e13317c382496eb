#ifndef COORDINATOR_MEMBERS_MEMBERS_INTERNAL_H
#define COORDINATOR_MEMBERS_MEMBERS_INTERNAL_H
/* Shared by the files of this folder. */

#include <pthread.h>
#include <stdbool.h>

#include "coordinator/base/options.h"
#include "coordinator/members/liveness.h"
#include "coordinator/members/load_balancing.h"
#include "coordinator/members/members.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/process/progress.h"

struct map;
struct wire_request;

enum { REPLICAS_MAX = 32, REASON = 240, COMMIT = 72, WORD = 16 };

/*
 * Result of the comparison with the shards that answer.  CONFLICTING: it has different content
 * under the same name.
 */
enum replica_consistency { REPLICA_UNCHECKED, REPLICA_CONSISTENT, REPLICA_CONFLICTING };

/* What a shard last reported about itself and its index (index_status.c).  Strings may be NULL. */
struct index_status {
	uint64_t number;		/* unique among the reports of all shards; 0 = no report yet */
	uint64_t generation, queued, shed, refused;
	int64_t behind;
	uint32_t index;			/* members_index_id; 0 = unknown or none */
	bool gaps;			/* the stamp lists some */
	char commit[COMMIT], status[WORD], phase[WORD], vectors[WORD];
	struct progress_amount amount;	/* of the running ingest */
	char *vectors_error;		/* why there are not more vectors */
	char *sandbox, *sandbox_missing;	/* what confines its parsers; what the sandbox lacks */
	struct buf stamp;		/* msgpack of freshness; empty if there never was an index */
};

/* One shard of a repository.  Times are monotonic unless stated otherwise. */
struct replica {
	struct member *m;
	struct members *all;
	char *name, *url, *host;	/* host: NULL = unknown */
	struct wire_peer *peer;		/* NULL if it could not be dialled, or is stopped */
	int refs;			/* threads that are about to use the peer */
	bool retired;			/* replaced or removed; freed when nothing uses it */
	bool answered;			/* at least once in this process */
	bool probing;
	bool again;			/* probe again after the running probe, whose answer may be outdated */
	int64_t probe_until;		/* when the answer to the running probe is due */
	int failures;			/* unanswered probes in a row, including earlier connections */
	int64_t dialled;
	bool named;			/* by --shard: it does not announce itself, so it is always dialled */
	struct liveness live;
	int64_t next_probe;		/* 0 = at once */
	int64_t down_since;		/* valid while health is DOWN */
	int64_t since;			/* start of this health, real time */
	enum health health;
	char reason[REASON];
	int slow;			/* slow answers to probes in a row */
	char note[REASON];		/* why it is not fully healthy, according to its last answer */
	struct latency_histogram times;
	uint32_t features;		/* those that it has named (protocol_features.h) */
	struct index_status reported;
	struct buf secrets;		/* msgpack of the origins of its secrets; empty = not reported */
	bool features_known;
	bool announces;			/* it announces a new index to us at once; else a probe shows it */
	enum replica_consistency consistency;
	char conflict_reason[REASON];
	char compared[COMMIT], compared_to[COMMIT];	/* its commit; that of the reference */
	bool comparing;
	int64_t compare_after;
	uint32_t bit;			/* identifies it among the shards of its member */
	struct latency latency;
	uint32_t index;			/* that its last answer came from (members_index_id); 0 = unknown */
	uint64_t generation;		/* of that index, in the shard's own count */
	int64_t behind;			/* -1 = unknown */
	char indexed_at[CLOCK_ISO];
	struct replica *next;		/* in order of arrival, or in the list of retired ones */
};

struct member_state {
	char *default_branch, *visibility, *source;
	struct replica *replicas;
	struct latency_history *past;	/* NULL before the member has several shards */
	char served[COMMIT];		/* the commit that was served last */
	bool gone;			/* removed */
	struct index_status reported;	/* members_index_status; at first from the registry */
	struct buf counts;		/* msgpack of status_res */
	struct counted {		/* what the counts belong to */
		uint64_t generation;
		uint32_t index;
		char vectors[WORD];	/* state of the vectors when the counts were requested */
	} counted;
	bool counting;			/* a `status` request is pending */
	uint64_t sketched;		/* generation of the sketch in stats */
	bool sketching;			/* a `sketch` request is pending */
	int64_t sketch_asked, sketch_after;	/* last request; earliest next one, monotonic */
	bool dirty;			/* its state is not in the registry yet */
	bool unsaved;			/* nor is what its shard has announced */
};

/* A shard that was named by --shard, until its identity is known. */
struct configured_shard {
	struct members *all;
	const char *url;
	struct wire_peer *peer;
	bool asking, known;
};

/* An announcement on its way to the thread. */
struct pending_announcement {
	struct pending_announcement *next;
	struct hello h;
	struct arena *a;
	struct wire_request *r;		/* to be answered; NULL for a shard named by --shard */
};

struct members {
	struct members_options in;
	pthread_mutex_t lock;		/* guards everything below, and all members and replicas */
	pthread_cond_t wake;
	struct map *by_uri;
	struct pending_announcement *inbox, **inbox_end;
	struct replica *retired;
	bool stopping, stopped;
	int64_t began;			/* start of the process, monotonic */
	int64_t last_turn;		/* last turn of the thread, monotonic */
	int64_t interval;		/* between two probes of a shard */
	size_t counted;			/* shards, at the last turn */
	bool all_quiet;			/* at the last turn no shard was silent, failing or unanswered */
	bool wake_early;		/* something has changed: take the next turn early */
	uint64_t reported;		/* number of the last report */
	uint64_t dropped;		/* counts removed members and shards */
	uint64_t moved;			/* counts changes of health, index and shards */
	uint64_t saved;			/* `moved` when the registry was last written */
	struct configured_shard *named;
	size_t nnamed;
	t_strs urls;			/* of the servers */
	struct wire_server **servers;	/* where shards announce themselves */
	size_t nservers;
	pthread_t thread;
	struct arena *a;		/* for what lives as long as the process; under the lock */
	uint64_t random;
};

/* Call with the lock held.  The member with this repo_uri, created if it does not exist. */
struct member *members_get_or_add(struct members *, const char *repo_uri, const char *name);

/* Call with the lock held.  Add a shard at the end of the list of `m`, and dial it. */
struct replica *members_add_replica(
    struct members *, struct member *, const char *name, const char *url);

/* Hide a removed member, and drop its shards. */
void members_drop(struct members *, struct member *);

/*
 * host_removal.c.  Call with the lock held.  Drop the shards on this host or with this name; each
 * may be NULL.
 */
void members_drop_replicas(
    struct members *, struct member *, const char *host, const char *replica);

/*
 * connections.c.  Call with the lock held.  The shard that has announced itself, dialled if
 * necessary; `*fresh` is set if it is new or has a new address.
 */
struct replica *members_upsert_replica(
    struct members *, struct member *, const struct hello *, bool *fresh);

/* Call with the lock held.  Remove a shard from its list; it is freed when nothing uses it. */
void members_retire(struct members *, struct replica **);

/* Call without the lock.  Free retired shards, and stop dialling those that are down for long. */
void connections_tick(struct members *);

/* Free a shard whose peer has been freed. */
void members_replica_free(struct replica *);

/* Call with the lock held.  The registry no longer has the current state of the member. */
void members_mark_dirty(struct members *, struct member_state *);

/* Replace a string, which is freed; the new one, or NULL, is copied. */
void members_set_string(char **, const char *);

/* Copy a string into an array, truncating it if needed; NULL counts as empty. */
void members_copy_text(char *out, size_t size, const char *);

/*
 * Call with the lock held.  Whether the shard can get requests.  One that never answered may
 * connect until its first probe has failed.
 */
bool members_usable(const struct replica *);

/*
 * Call with the lock held.  The shard that speaks for its member: the first of the healthiest;
 * NULL if there is none.
 */
struct replica *members_primary_replica(const struct member_state *);

/*
 * index_status.c.  Call with the lock held.  The last report of the shard that speaks for a member
 * now; until it has reported, what was known before.
 */
const struct index_status *members_index_status(const struct member *);

/* Store the answer to a probe; store the generation that a shard has announced. */
void index_status_update(struct replica *, const struct health_res *, const struct freshness *);
void index_status_set_generation(struct replica *, uint64_t generation);

/* Whether the counts belong to the index that members_index_status returned. */
bool index_status_has_counts(const struct member_state *);

/* Free everything; the status is as before the first report. */
void index_status_reset(struct index_status *);

/*
 * replica_selection.c.  Call with the lock held.  Note the index that a shard serves.  Unless
 * `sure`, it is from an answer that may be outdated.
 */
void replica_set_index(struct replica *, const struct freshness *, bool sure);

/* replica_conflicts.c.  Compare the shards of repositories with several, where necessary. */
void replica_conflicts_tick(struct members *);

/*
 * Call with the lock held.  Whether a shard is consistent with those that answer, or there are
 * none.  Sends no requests.
 */
bool replica_may_answer(const struct replica *);

/*
 * announcements.c.  Open the membership addresses and start the thread, which calls into
 * health_probes.c; end the thread.
 */
int announcements_open(struct members *, struct err *);
void announcements_close(struct members *);

/* health_probes.c.  Reset the health of a new shard; send a probe. */
void health_probe_reset(struct replica *);
void health_probe_send(struct replica *);

/*
 * Judge all shards, and probe those that are due.  `late_ms` is the time for which this process
 * did not run although it should have.  Returns the milliseconds until the next call.
 */
int64_t health_probes_tick(struct members *, int64_t late_ms);

/* Write changed members to the registry. */
void members_save_dirty(struct members *);
#endif
