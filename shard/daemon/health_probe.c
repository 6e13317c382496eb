#include <stdio.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/record/record.h"
#include "proto/wire/wire.h"
#include "shard/base/options.h"
#include "shard/base/replica_identity.h"
#include "shard/daemon/shard.h"

enum { CALL_TIMEOUT_MS = 3000 };

static int ask_health(const struct options *o, struct health_res *h, struct arena *a, struct err *e)
{
	static const struct nothing ask;
	struct wire_trust trust;

	if (identity_trust(&trust, o, a, e))
		return -1;
	struct wire_peer *peer = wire_dial(o->probe, &trust, e);
	if (!peer)
		return -1;
	int rc = wire_call(peer, "health", &rec_nothing, &ask, "probe", CALL_TIMEOUT_MS,
	    &rec_health_res, h, NULL, a, e);
	wire_peer_free(peer);
	return rc;
}

static void print_health(const struct health_res *h)
{
	printf("%s commit=%s generation=%llu", h->status, h->commit ? h->commit : "-",
	    (unsigned long long)h->generation);
	if (h->message)
		printf(" message=%s", h->message);
	printf("\n");
}

int shard_probe(const struct options *o, struct err *e)
{
	struct arena *a = arena_new();
	struct health_res h = { 0 };
	int rc = ask_health(o, &h, a, e);

	if (!rc)
		print_health(&h);
	else
		printf("down %s\n", e->msg);
	fflush(stdout);
	arena_free(a);
	if (rc)
		return rc;
	if (h.generation)
		return 0;
	return err_set(e, ERR_NO_INDEX, "the shard serves no index yet");
}
