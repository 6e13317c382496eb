#ifndef SHARD_RPC_H
#define SHARD_RPC_H
/*
 * Requests: one row of proto/schema.def, one function rpc_<name> here.  health, hello and cancel are answered at once
 * on the thread that received them; the others wait in a bounded queue for a reader.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "proto/msg.h"
#include "shard/rank.h"
#include "shard/store.h"
#include "shard/vectors.h"

struct arena;
struct db;
struct err;
struct repo;
struct rpc_server;
struct shard;
struct wire_request;
struct wire_trust;

/* What a request reads with: one generation throughout.  One thread at a time has it. */
struct reader {
	struct db *db;			/* NULL: the RPC needs no index, or there is none */
	struct index_info info;		/* of what is read */
	struct ranking ranking;	/* use reader_ranking */
	void *ranking_mem;
	struct scores *scores;	/* of the last question, cleared: their memory */
	int64_t ranked;			/* generation that it is of */
	struct vectors *vectors;	/* use reader_vectors */
	struct vectors_mark vectors_mark;
	struct repo *repo;		/* use reader_repo */
	const char *place;		/* of that */
	struct shard *shard;
	struct rpc_server *server;
};

/* The reader's own handle of the repository, opened when first needed; NULL with `e`. */
struct repo *reader_repo(struct reader *, struct err *e);

/* Lengths and priors of the documents, read when first needed; NULL with `e`. */
struct ranking *reader_ranking(struct reader *, struct err *e);

/* The vectors as they are now, of whichever index and embedder; NULL: none, and `e` says whether that is an error. */
struct vectors *reader_vectors(struct reader *, struct err *e);

/* Listen on `url`.  NULL with `e`. */
struct rpc_server *rpc_serve(struct shard *, const char *url, const struct wire_trust *, int readers, int queue,
    struct err *e);

/* The address as bound. */
const char *rpc_url(const struct rpc_server *);

/* Requests that wait for a reader; so far: not begun as nobody waited for them any more, and without room in the queue. */
struct rpc_load {
	uint64_t queued, shed, refused;
};
struct rpc_load rpc_load(struct rpc_server *);

/* Stop the request called `id`, if it runs or waits. */
bool rpc_stop(struct rpc_server *, const char *id);

/* Give back what idle readers hold, when nobody asked for a while; when to call again (monotonic ms). */
int64_t rpc_rest(struct rpc_server *);

/* Wait at most `ms` until no request is in hand. */
void rpc_drain(struct rpc_server *, int64_t ms);

/* One function per row. */
#define RPC(name, req, res, writes, doc) \
	int rpc_##name(struct shard *, struct reader *, const struct req *, struct res *, struct arena *, struct err *);
#include "proto/schema.def"
#endif
