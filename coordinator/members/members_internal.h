#ifndef COORDINATOR_MEMBERS_MEMBERS_INTERNAL_H
#define COORDINATOR_MEMBERS_MEMBERS_INTERNAL_H
/*
 * What members.c (who is there), announcements.c (announcements), connections.c (connections),
 * health_probes.c (health), index_status.c (indexes) and secret_origins.c share; nobody else
 * includes it.
 */

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

/* NEW: not compared with those that answer.  APART: it keeps other content than they. */
enum replica_consistency { REPLICA_UNCHECKED, REPLICA_CONSISTENT, REPLICA_CONFLICTING };

/* What a shard said of itself and its index when it answered last; index_status.c. */
struct index_status {
	uint64_t number;		/* no two answers, of any shard, have the same; 0: it never answered */
	uint64_t generation, queued, shed, refused;
	int64_t behind;
	uint32_t index;			/* members_index_id; 0: not known, or there is none */
	char commit[COMMIT], status[WORD], phase[WORD], vectors[WORD];
	struct progress_amount amount;		/* of the running ingest */
	char *vectors_error;		/* why there are not more vectors; NULL */
	/* what confines its parsers, what of that is missing; NULL */
	char *sandbox, *sandbox_missing;
	struct buf stamp;		/* msgpack of freshness; empty: there never was an index */
};

/* One shard of a repository. */
struct replica {
	struct member *m;
	struct members *all;
	char *name, *url, *host;	/* host: NULL when it is not known */
	struct wire_peer *peer;		/* NULL: could not be dialled, or stopped */
	int refs;			/* threads that are about to ask the peer */
	bool retired;			/* another one took its place: freed when nothing uses it */
	bool answered;			/* at least once in this process */
	bool probing;
	bool again;			/* probing: it had news meanwhile, which the answer may be from before */
	int64_t probe_until;		/* probing: when its answer is due, monotonic */
	/* probes in a row without an answer, those before it was dialled anew too */
	int failures;
	int64_t dialled;		/* monotonic */
	bool named;			/* by --shard: it does not announce itself, so it is dialled for ever */
	struct liveness live;
	int64_t next_probe;		/* monotonic; 0: at once */
	int64_t down_since;		/* monotonic; counts while health is DOWN */
	int64_t since;			/* real: in this state of health */
	enum health health;
	char reason[REASON];
	int slow;			/* answers to probes in a row that took long */
	char note[REASON];		/* why it is not simply healthy, by its own last answer */
	struct latency_histogram times;
	uint32_t features;		/* that it named: protocol_features.h */
	struct index_status reported;
	struct buf secrets;		/* msgpack of where it has its own from; empty: it did not tell */
	bool features_known;			/* it has said what it can do */
	/* it has announced itself here, and so tells of a new index at once; others wait for a probe */
	bool announces;
	enum replica_consistency consistency;
	char conflict_reason[REASON];
	/* commits, its own and that of the one that answers */
	char compared[COMMIT], compared_to[COMMIT];
	bool comparing;
	int64_t compare_after;		/* monotonic */
	uint32_t bit;			/* which it is among the shards of its member */
	struct latency latency;
	uint32_t index;			/* that it answered from last (members_index_id); 0: none is known */
	uint64_t generation;		/* of that: its own numbers */
	int64_t behind;			/* -1: unknown */
	char indexed_at[CLOCK_ISO];
	struct replica *next;		/* in the order of arrival, or among the retired */
};

struct member_state {
	char *default_branch, *visibility, *source;
	struct replica *replicas;
	/* what their answers took, once there are several; or NULL */
	struct latency_history *past;
	char served[COMMIT];		/* commit that was answered from last */
	bool gone;			/* removed */
	/* members_index_status; at first as it is in the registry */
	struct index_status reported;
	struct buf counts;		/* msgpack of status_res */
	struct counted {		/* what these are of */
		uint64_t generation;
		uint32_t index;
		char vectors[WORD];	/* how far they were when it was asked */
	} counted;
	bool counting;			/* a `status` request is under way */
	uint64_t sketched;		/* generation of the sketch in stats */
	bool sketching;			/* one is asked for */
	int64_t sketch_asked, sketch_after;	/* when; and no other one before, monotonic */
	bool dirty;			/* not yet in the registry */
	bool unsaved;			/* nor is what its shard has announced */
};

/* A shard that was named by --shard, until it has said who it is. */
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
	struct wire_request *r;		/* to be answered; NULL for a named shard */
};

struct members {
	struct members_options in;
	pthread_mutex_t lock;		/* guards everything below, and all members and replicas */
	pthread_cond_t wake;
	struct map *by_uri;
	struct pending_announcement *inbox, **inbox_end;
	struct replica *retired;
	bool stopping, stopped;
	int64_t began;			/* monotonic */
	int64_t last_turn;			/* last turn of the thread, monotonic */
	int64_t interval;		/* between probes of a shard */
	size_t counted;			/* shards, since the last turn */
	bool all_quiet;			/* at the last turn nobody was silent, failing or unheard */
	bool wake_early;			/* somebody is not calm any more: the next turn may not wait */
	uint64_t reported;			/* the last answer's number */
	uint64_t dropped;		/* rises when a member or a shard is forgotten that the registry had */
	/*
	 * rises with each change of a health, an index or who is there; as it was when the registry
	 * was written
	 */
	uint64_t moved, saved;
	struct configured_shard *named;
	size_t nnamed;
	t_strs urls;			/* of these */
	struct wire_server **servers;	/* where shards announce themselves */
	size_t nservers;
	pthread_t thread;
	struct arena *a;		/* for what lives as long as the process; under the lock */
	uint64_t random;
};

/* With the lock held: the member of this uri, made when absent. */
struct member *members_get_or_add(struct members *, const char *repo_uri, const char *name);

/* With the lock held: a new shard of `m`, dialled, the last of its shards. */
struct replica *members_add_replica(
    struct members *, struct member *, const char *name, const char *url);

/* It is removed: nobody is shown it, its shards are forgotten. */
void members_drop(struct members *, struct member *);

/*
 * host_removal.c, with the lock held: forget the shards of that host, or of that name; NULL: of
 * none.
 */
void members_drop_replicas(
    struct members *, struct member *, const char *host, const char *replica);

/*
 * connections.c, with the lock held.  replica: the shard that says `hello`, dialled if it must be;
 * `*fresh` when it is new or has another address.  retire: take it from its list; it is freed once
 * nothing uses it.  tick, without the lock: free these, and leave alone who has been down for
 * long.
 */
struct replica *members_upsert_replica(
    struct members *, struct member *, const struct hello *, bool *fresh);
void members_retire(struct members *, struct replica **);
void connections_tick(struct members *);

/* Its peer must have been freed. */
void members_replica_free(struct replica *);

/* With the lock held: what the registry has of a member is another thing by now. */
void members_mark_dirty(struct members *, struct member_state *);

/* Replace a string that is freed at the end. */
void members_set_string(char **, const char *);

/*
 * With the lock held: whether it can be asked.  One that never answered is given the time of its
 * first probe to connect.
 */
bool members_usable(const struct replica *);

/*
 * With the lock held: the shard that speaks for its member, as long as it is there: the
 * healthiest, the first of these; or NULL.
 */
struct replica *members_primary_replica(const struct member_state *);

/*
 * index_status.c, with the lock held.  members_index_status: what the shard that speaks for a
 * member said last, whoever that is at this moment; what was shown before, as long as it has not
 * said anything.  note: it answers a probe.  generation: it announces its index. counted: whether
 * the counts are of the index that members_index_status has found.
 */
const struct index_status *members_index_status(const struct member *);
void index_status_update(struct replica *, const struct health_res *, const struct freshness *);
void index_status_set_generation(struct replica *, uint64_t generation);
bool index_status_has_counts(const struct member_state *);
void index_status_reset(struct index_status *);		/* as if nothing was ever said */

/*
 * replica_selection.c, with the lock held: note which index a shard serves; `sure`: it is what it
 * has now, not an answer that may have come late.
 */
void replica_set_index(struct replica *, const struct freshness *, bool sure);

/*
 * replica_conflicts.c: compare the shards of each repository that has several, where that was not
 * done.  With the lock held: whether one is a replica of those that answer, or nobody knows of
 * such; to look, not to ask.
 */
void replica_conflicts_tick(struct members *);
bool replica_may_answer(const struct replica *);

/*
 * announcements.c: open the membership addresses and start the thread; let it end.  The thread
 * calls into health_probes.c.
 */
int announcements_open(struct members *, struct err *);
void announcements_close(struct members *);

/*
 * health_probes.c: ask the health of one shard; judge all of them, and ask those whose turn it is;
 * write what changed to the registry.  `late_ms`: the time that the thread which calls was not
 * running, though it should have.  tick: how long until it is called again.
 */
void health_probe_reset(struct replica *);	/* a new one: nothing is known */
void health_probe_send(struct replica *);
int64_t health_probes_tick(struct members *, int64_t late_ms);
void members_save_dirty(struct members *);
#endif
