#ifndef SHARD_SERVER_RPC_SERVER_H
#define SHARD_SERVER_RPC_SERVER_H
/*
 * The server of requests: each request goes to the handler of its row in proto/record/schema.def.
 * health, hello and cancel are answered at once on the thread that received them; the others wait
 * in a bounded queue for a reader.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "proto/record/record.h"
#include "shard/index/index_reader.h"

struct arena;
struct err;
struct rpc_server;
struct shard;
struct shard_status;
struct wire_request;
struct wire_trust;

/* The handler of each row of proto/record/schema.def. */
typedef int rpc_handler(struct shard *, struct index_reader *, const void *req, void *res,
    struct arena *, struct err *);
struct rpc_handlers {
	rpc_handler *v[NRPCS];
};

/* The shard that is served. */
struct rpc_host {
	struct shard *shard;		/* passed to handlers */
	const char *place, *data;	/* folder of its repository, of its index */
	bool embeds;			/* its texts are to have vectors */

	/* The present state, which also goes into the stamp of answers.  Called on any thread. */
	void (*state)(struct shard *, struct shard_status *out);

	/* Called when the index failed during a request. */
	void (*suspect)(struct shard *, const char *file, const char *message);
};

/*
 * Listens on `url`. `host` is copied; what it points to must outlive the server. Returns NULL with
 * `e`.
 */
struct rpc_server *rpc_server_start(const struct rpc_host *host, const struct rpc_handlers *,
    const char *url, const struct wire_trust *, int readers, int queue, struct err *e);

/* The address that the server is bound to. */
const char *rpc_server_url(const struct rpc_server *);

/*
 * The number of requests that wait for a reader; the totals of requests that were not started
 * because their deadline had passed, and that found the queue full.
 */
struct rpc_load {
	uint64_t queued, shed, refused;
};
struct rpc_load rpc_load(struct rpc_server *);

/* Cancels the requests with this id that run or wait. Returns whether there are any. */
bool rpc_server_cancel(struct rpc_server *, const char *id);

/*
 * Releases what idle readers hold, if there was no request for a while. Returns when to call it
 * again (monotonic ms).
 */
int64_t rpc_release_idle_readers(struct rpc_server *);

/* Waits until no request is in progress, at most `ms`. */
void rpc_server_drain(struct rpc_server *, int64_t ms);
#endif
