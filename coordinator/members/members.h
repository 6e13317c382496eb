#ifndef COORDINATOR_MEMBERS_MEMBERS_H
#define COORDINATOR_MEMBERS_MEMBERS_H
/*
 * Who is there: every registered repository with its live shards, their health and last known
 * state. Shards announce themselves or are listed by --shard; one thread of this module takes the
 * announcements, probes health every --probe-interval-ms and saves what changed.  Members are
 * never freed while the process runs.
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
	const char *repo_uri, *name;	/* never change */
	const char *collection;
	struct member_state *state;	/* of members.c */
};

/* What they work with; it outlives them. */
struct members_options {
	const struct coordinator_config *o;
	const struct wire_trust *trust;
	const char *host;		/* this machine */
	struct registry *registry;
	struct stats *stats;

	/* A shard of the repository has said something; is reached again.  Any thread. */
	void (*shard_spoke)(void *arg, const char *repo_uri);
	void (*shard_reachable)(void *arg, const char *repo_uri);
	void *arg;
};

/*
 * Load what the registry knows, dial it, listen on each --listen.  `in` is copied.  NULL with `e`.
 */
struct members *members_open(const struct members_options *in, struct err *e);

/* Where shards announce themselves, with the real ports; lives as long as the members. */
t_strs members_urls(const struct members *);

/*
 * Wait until each shard that is known of has answered, or failed to, for the first time; at most
 * so long.
 */
void members_wait_probed(struct members *, int timeout_ms);

/* Fail what is under way and stop the thread; calls made afterwards find every member down. */
void members_stop(struct members *);	/* NULL is fine */
void members_free(struct members *);	/* after members_stop; NULL is fine */

/* The members that `caller` may see, by name and repo_uri. */
struct member **members_all(struct members *, const struct caller *, struct arena *, size_t *n);

/* The member with exactly this repo_uri that `caller` may see, or NULL. */
struct member *members_get(struct members *, const struct caller *, const char *repo_uri);

/* A member as it is now; what it points to lives in the arena. */
struct member_view {
	const char *default_branch, *visibility, *source;
	const char *host;			/* machine of its shard; NULL: unknown */
	enum health health;
	int64_t since;				/* real time: in this health; 0: nobody has announced it */
	const char *reason;			/* why it is not healthy or not ready; NULL */
	/* of its shards: which keeps other content, and why it is not asked; NULL */
	const char *conflict;
	const char *status;			/* pending | building | ready | failed */
	uint64_t generation;
	const char *phase;			/* of a running ingest; NULL */
	const char *vectors;			/* none | building | complete */
	const char *vectors_error;			/* why there are not more; NULL */
	const char *sandbox;			/* what confines the parsers of its shard; NULL: unknown */
	const char *sandbox_missing;			/* what of that is missing; NULL */
	struct progress_amount amount;			/* of it */
	const struct freshness *stamp;		/* NULL: no index was ever published */
	struct status_res counts;		/* last known; zeroed when never */
	bool counted;				/* they are of the generation that is served, as far as known */
	bool counting;				/* they are asked for at this moment */
};
void members_view(struct members *, const struct member *, struct member_view *, struct arena *);

/*
 * What requests to a shard took since it was dialled first: how many up to each of
 * members_latency_bounds seconds, not cumulative.
 */
enum { MEMBERS_LATENCY_BUCKETS = 6 };
extern const double members_latency_bounds[MEMBERS_LATENCY_BUCKETS];
struct latency_histogram {
	uint64_t n[MEMBERS_LATENCY_BUCKETS], failed;	/* failed: of them without an answer */
	double seconds;
};

/* One shard of a member as it is now; what it points to lives in the arena. */
struct shard_view {
	const char *name, *host;		/* host: NULL when it is not known */
	enum health health;
	const char *reason;			/* why it is not healthy; NULL */
	int64_t since;				/* real time: in this health */
	const char *commit;			/* indexed; NULL: nothing is, or it never answered */
	uint64_t generation, queued;		/* queued: requests that wait in it */
	/* since its start: not begun as nobody waited any more, no room */
	uint64_t shed, refused;
	int64_t behind;				/* commits; -1: unknown */
	double suspicion;			/* phi */
	unsigned in_flight;			/* requests that this coordinator waits for */
	bool open;				/* its circuit: it is given no requests */
	bool answered;				/* at least once since the coordinator's start */
	bool apart;				/* it keeps other content under this name, and is not asked */
	struct latency_histogram times;
};
struct shard_view *members_shards(
    struct members *, const struct member *, size_t *n, struct arena *);

/* When the thread of the members took its last turn, monotonic. */
int64_t members_last_turn_ms(struct members *);

/* Another number after each change of a member's health, index or shards. */
uint64_t members_version(struct members *);

/* The time between two probes of a shard, which grows with their number. */
int64_t members_probe_interval(struct members *);

/*
 * The generation that each member serves for certain: it is up, has one shard, and that tells of
 * every new index. Else 0.
 */
void members_known_generations(
    struct members *, struct member *const *, size_t n, uint64_t *generations);

/* "healthy", "degraded" or "down". */
const char *health_name(enum health);

/* Set by an administrator; the registry is written first. */
int members_visibility(struct members *, struct member *, const char *visibility, struct err *);

/* Forget a member.  Its shard is refused until it is added again (tombstones.h). */
int members_remove(struct members *, struct member *, struct err *);

/*
 * `host` runs a member no more, or a source that no shard has announced (NULL, source).  Its
 * shards are forgotten, and refused until they are wanted there again (tombstones.h).  `*stay`:
 * who still runs it.  NOT_FOUND: that host does not; INVALID_INPUT: nobody else does.
 */
int members_remove_host(struct members *, struct member *, const char *source, const char *host,
    t_strs *stay, struct arena *, struct err *);

/*
 * Others have changed what the registry has of repositories and endpoints; what they have removed
 * is named.  Any thread.
 */
void members_changed(struct members *, const struct shared_changes *);

/* ---- asking shards: replica_selection.c ---- */

struct route {
	struct replica *replica;
	struct wire_peer *peer;
	uint32_t bit;		/* which shard it is; it stays that while the shard is known */
	bool fail_fast;		/* it was connected before, so do not wait for a connection */
	bool several;		/* the member has other shards, too */
};

/* Which index a stamp is of: the same number for shards that hold the same, never 0. */
uint32_t members_index_id(const struct freshness *);

/*
 * Where to ask a member: a healthy shard before others, one that holds `index` (0: any) before
 * all; among those that are equally good and hold the same, the cheaper of two (load_balancing.h).
 * `tried` is a bit per shard to leave out and gets the bit of the one chosen.  0:
 * members_route_release follows as soon as the request was handed to the peer, and
 * members_record_reply when it has an answer or none; or -1, at once, when all are down.
 */
int members_route(struct members *, struct member *, uint32_t *tried, uint32_t index,
    struct route *, struct err *);

/*
 * A bit for each shard of a member that has said what it can do, and not this (a bit of
 * protocol_features.h).
 */
uint32_t members_lacking_feature(struct members *, const struct member *, uint32_t feature);

/* Whether one of these shards (bits) can be asked. */
bool members_any_usable(struct members *, const struct member *, uint32_t bits);

/*
 * members_route for what is begun at one shard and asked about again: its first healthy one,
 * whatever the others do.  No members_record_reply.
 */
int members_route_first(struct members *, struct member *, struct route *, struct err *);
void members_route_release(struct members *, struct route *);

/*
 * From the callback of a request to `r`: what became of it after `us`.  An answer may be a
 * failure; LATE: none by the deadline; LOST: there was no connection, or it ended.  `stamp` NULL:
 * no answer about an index.
 */
enum reply_outcome { REPLY_RECEIVED, REPLY_LATE, REPLY_LOST };
void members_record_reply(struct members *, struct replica *r, enum rpc_id, int64_t us,
    enum reply_outcome, const struct freshness *stamp);

/* While a request to `r` is under way: another one was quicker than `us`. */
void members_record_slower(struct members *, struct replica *r, enum rpc_id, int64_t us);

/* Microseconds within which 95 of 100 such questions were answered; 0: too few are known. */
int64_t members_p95_us(struct members *, const struct member *, enum rpc_id);

/*
 * The shard that members_route chose with this bit: 0, members_route_release follows; -1 when it
 * cannot be asked now.
 */
int members_route_bit(struct members *, struct member *, uint32_t bit, struct route *);

/* Whether members_route would find a further shard, one that holds `index` (0: any). */
bool members_can_route(struct members *, struct member *, uint32_t tried, uint32_t index);

/* Whether it has several shards, down or not. */
bool members_has_replicas(struct members *, const struct member *);

/*
 * The generation of a stamp; of a member with several shards, which count each for itself,
 * members_index_id.
 */
uint64_t members_index_number(struct members *, const struct member *, const struct freshness *);

/*
 * Ask all shards of a member but `bit` (0: none), without waiting for answers; `req`: id of the
 * request.
 */
void members_broadcast(struct members *, struct member *, uint32_t bit, enum rpc_id,
    const void *request, const char *req);
#endif
