#ifndef SHARD_SERVER_RPC_SERVER_H
#define SHARD_SERVER_RPC_SERVER_H
/*
 * The server of requests: each is given to the handler of its row in proto/record/schema.def.
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

/* What answers each row of proto/record/schema.def. */
typedef int rpc_handler(struct shard *, struct index_reader *, const void *req, void *res,
    struct arena *, struct err *);
struct rpc_handlers {
	rpc_handler *v[NRPCS];
};

/* Whose requests they are. */
struct rpc_host {
	struct shard *shard;		/* what handlers are given */
	const char *place, *data;	/* folder of its repository, of its index */
	bool embeds;			/* its texts shall have vectors */

	/* What it serves, and stamps answers with; any thread. */
	void (*state)(struct shard *, struct shard_status *out);

	/* Its index failed under a request. */
	void (*suspect)(struct shard *, const char *file, const char *message);
};

/* Listen on `url`; `host` is copied, what it points to must outlive the server.  NULL with `e`. */
struct rpc_server *rpc_server_start(const struct rpc_host *host, const struct rpc_handlers *,
    const char *url, const struct wire_trust *, int readers, int queue, struct err *e);

/* The address as bound. */
const char *rpc_server_url(const struct rpc_server *);

/*
 * Requests that wait for a reader; so far: not begun as nobody waited for them any more, and
 * without room in the queue.
 */
struct rpc_load {
	uint64_t queued, shed, refused;
};
struct rpc_load rpc_load(struct rpc_server *);

/* Stop the request called `id`, if it runs or waits. */
bool rpc_server_cancel(struct rpc_server *, const char *id);

/*
 * Give back what idle readers hold, when nobody asked for a while; when to call again (monotonic
 * ms).
 */
int64_t rpc_release_idle_readers(struct rpc_server *);

/* Wait at most `ms` until no request is in hand. */
void rpc_server_drain(struct rpc_server *, int64_t ms);
#endif
