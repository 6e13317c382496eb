#ifndef COORDINATOR_MEMBERS_MEMBERS_H
#define COORDINATOR_MEMBERS_MEMBERS_H
/*
 * Every registered repository with its live shards, their health and last known state.  Shards
 * announce themselves or are listed by --shard.  One thread of this module processes the
 * announcements, probes health every --probe-interval-ms and saves changes.  Members are never
 * freed while the process runs.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/process/progress.h"
#include "proto/record/record.h"

struct arena;
struct caller;
struct err;
struct members;
struct coordinator_config;
struct registry;
struct replica;
struct shared_changes;
struct stats;
struct wire_peer;
struct wire_trust;

enum health { HEALTHY, DEGRADED, DOWN };

struct member {
	const char *repo_uri, *name;	/* constant */
	const char *collection;
	struct member_state *state;	/* of members.c */
};

/* Everything that is passed here must outlive the members. */
struct members_options {
	const struct coordinator_config *o;
	const struct wire_trust *trust;
	const char *host;		/* this machine */
	struct registry *registry;
	struct stats *stats;

	/* A shard of the repository has announced itself; is reachable again.  Any thread. */
	void (*shard_spoke)(void *arg, const char *repo_uri);
	void (*shard_reachable)(void *arg, const char *repo_uri);
	void *arg;
};

/* Load the members, dial their shards, and listen on each --listen.  NULL with `e`. */
struct members *members_open(const struct members_options *in, struct err *e);

/* The URLs of the listeners, with the real ports.  Lives as long as the members. */
t_strs members_urls(const struct members *);

/* Wait until each known shard has answered or failed its first probe, at most timeout_ms. */
void members_wait_probed(struct members *, int timeout_ms);

/* Fail the pending requests and stop the thread.  Later calls find every member down. */
void members_stop(struct members *);	/* NULL is fine */
void members_free(struct members *);	/* after members_stop; NULL is fine */

/* The members that `caller` may see, sorted by name and repo_uri. */
struct member **members_all(struct members *, const struct caller *, struct arena *, size_t *n);

/* The member with exactly this repo_uri that `caller` may see, or NULL. */
struct member *members_get(struct members *, const struct caller *, const char *repo_uri);

/* The current state of a member.  Pointers lead into the arena; NULL = none or unknown. */
struct member_view {
	const char *default_branch, *visibility, *source;
	const char *host;			/* machine of its shard */
	enum health health;
	int64_t since;				/* start of this health, real time; 0 = never announced */
	const char *reason;			/* why it is not healthy or not ready */
	const char *conflict;			/* a shard with different content; why it gets no requests */
	const char *status;			/* pending | building | ready | failed */
	uint64_t generation;
	const char *phase;			/* of a running ingest */
	const char *vectors;			/* none | building | complete */
	const char *vectors_error;		/* why there are not more vectors */
	const char *sandbox;			/* what confines the parsers of its shard */
	const char *sandbox_missing;		/* what the sandbox lacks */
	struct progress_amount amount;		/* of a running ingest */
	const struct freshness *stamp;		/* of the last published index */
	struct status_res counts;		/* last known; zeroed if there are none */
	bool counted;				/* the counts belong to the served generation, as far as known */
	bool counting;				/* the counts are being requested */
};
void members_view(struct members *, const struct member *, struct member_view *, struct arena *);

/* Whether the member's index lacks something of its repository (proto/record/gaps.def). */
bool members_lacks_something(struct members *, const struct member *);

/*
 * A shard of the member has answered `health`, with this stamp or NULL.  If it is the only one, that
 * is what members_view shows from now on, as after a probe.
 */
void members_take_health(struct members *, const struct member *, const struct health_res *,
    const struct freshness *);

/*
 * A histogram of the latency of requests to a shard since it was first dialled: how many took up
 * to each of members_latency_bounds seconds, not cumulative.
 */
enum { MEMBERS_LATENCY_BUCKETS = 6 };
extern const double members_latency_bounds[MEMBERS_LATENCY_BUCKETS];
struct latency_histogram {
	uint64_t n[MEMBERS_LATENCY_BUCKETS], failed;	/* failed: those without an answer */
	double seconds;
};

/* The current state of one shard.  Pointers lead into the arena; NULL = none or unknown. */
struct shard_view {
	const char *name, *host;
	enum health health;
	const char *reason;			/* why it is not healthy */
	int64_t since;				/* start of this health, real time */
	const char *commit;			/* the indexed commit */
	uint64_t generation, queued;		/* queued: requests that wait in the shard */
	/* since the shard's start: requests dropped after their deadline; for lack of room */
	uint64_t shed, refused;
	int64_t behind;				/* commits; -1 = unknown */
	double suspicion;			/* phi */
	unsigned in_flight;			/* requests of this coordinator without an answer yet */
	bool open;				/* its circuit is open: it gets no requests */
	bool answered;				/* at least once since the coordinator's start */
	bool apart;				/* it has different content under this name, and gets no requests */
	struct latency_histogram times;
};
struct shard_view *members_shards(
    struct members *, const struct member *, size_t *n, struct arena *);

/* When the thread of the members took its last turn, monotonic. */
int64_t members_last_turn_ms(struct members *);

/* A number that changes with each change of a member's health, index or shards. */
uint64_t members_version(struct members *);

/* The time between two probes of a shard, which grows with the number of shards. */
int64_t members_probe_interval(struct members *);

/*
 * The generation that each member serves for certain, because it has a single shard, which is up
 * and announces every new index; else 0.
 */
void members_known_generations(
    struct members *, struct member *const *, size_t n, uint64_t *generations);

/* "healthy", "degraded" or "down". */
const char *health_name(enum health);

/* Set the visibility of a member, first in the registry. */
int members_visibility(struct members *, struct member *, const char *visibility, struct err *);

/* Remove a member.  Its shard is refused until its source is added again (tombstones.h). */
int members_remove(struct members *, struct member *, struct err *);

/*
 * `host` no longer runs a member, or, if that is NULL, a source that no shard has announced.  Its
 * shards are dropped, and refused until the source is added there again (tombstones.h).  `*stay`
 * receives the hosts that still run it.  NOT_FOUND if the host does not run it; INVALID_INPUT if no
 * other host does.
 */
int members_remove_host(struct members *, struct member *, const char *source, const char *host,
    t_strs *stay, struct arena *, struct err *);

/* Other coordinators have changed the repositories and endpoints in the registry.  Any thread. */
void members_changed(struct members *, const struct shared_changes *);

/* ---- requests to shards: replica_selection.c ---- */

struct route {
	struct replica *replica;
	struct wire_peer *peer;
	uint32_t bit;		/* identifies the shard as long as it is known */
	bool fail_fast;		/* it was connected before, so do not wait for a connection */
	bool several;		/* the member has other shards, too */
};

/* Identifies the index of a stamp: equal for shards with equal indexes, never 0. */
uint32_t members_index_id(const struct freshness *);

/*
 * Choose the shard of a member for a request: first one that serves `index` (0: any), then a
 * healthy one; among equal ones the cheaper of two (load_balancing.h).  `tried` has a bit for each
 * shard to skip, and receives the bit of the chosen one.  After 0 call members_route_release as
 * soon as the request is handed to the peer, and members_record_reply when its outcome is known.
 * -1 without waiting if all shards are down.
 */
int members_route(struct members *, struct member *, uint32_t *tried, uint32_t index,
    struct route *, struct err *);

/*
 * The bits of the shards of a member that have named their features, but not this one (a bit of
 * protocol_features.h).
 */
uint32_t members_lacking_feature(struct members *, const struct member *, uint32_t feature);

/* Whether one of these shards (bits) can get requests. */
bool members_any_usable(struct members *, const struct member *, uint32_t bits);

/*
 * members_route for work that is started at one shard and polled there: always the first healthy
 * shard.  Do not call members_record_reply.
 */
int members_route_first(struct members *, struct member *, struct route *, struct err *);
void members_route_release(struct members *, struct route *);

/*
 * Record the outcome of a request to `r` after `us`.  RECEIVED: an answer, if only an error; LATE:
 * no answer by the deadline; LOST: there was no connection, or it ended.  `stamp` is NULL unless
 * the answer carries one.
 */
enum reply_outcome { REPLY_RECEIVED, REPLY_LATE, REPLY_LOST };
void members_record_reply(struct members *, struct replica *r, enum rpc_id, int64_t us,
    enum reply_outcome, const struct freshness *stamp);

/* Record that a pending request to `r` has taken `us` so far, longer than another shard needed. */
void members_record_slower(struct members *, struct replica *r, enum rpc_id, int64_t us);

/* The 95th percentile of such requests, in microseconds; 0 if there are too few samples. */
int64_t members_p95_us(struct members *, const struct member *, enum rpc_id);

/*
 * A route to the shard with this bit.  After 0 call members_route_release; -1 if the shard cannot
 * get requests now.
 */
int members_route_bit(struct members *, struct member *, uint32_t bit, struct route *);

/* Whether members_route would find another shard, which serves `index` (0: any). */
bool members_can_route(struct members *, struct member *, uint32_t tried, uint32_t index);

/* Whether the member has several shards, up or down. */
bool members_has_replicas(struct members *, const struct member *);

/*
 * The generation of a stamp; or members_index_id for a member with several shards, because each
 * counts its own generations.
 */
uint64_t members_index_number(struct members *, const struct member *, const struct freshness *);

/*
 * Send a request to all shards of a member except `bit` (0: none), ignoring their answers.  `req`
 * is the id of the request.
 */
void members_broadcast(struct members *, struct member *, uint32_t bit, enum rpc_id,
    const void *request, const char *req);
#endif
