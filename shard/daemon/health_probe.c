#include <stdio.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/record/record.h"
#include "proto/wire/wire.h"
#include "shard/base/options.h"
#include "shard/base/replica_identity.h"
#include "shard/daemon/shard.h"

enum { CALL_TIMEOUT_MS = 3000 };

int shard_probe(const struct options *o, struct err *e)
{
	struct arena *a = arena_new();
	struct health_res h = { 0 };
	static const struct nothing ask;
	struct wire_trust trust;
	struct wire_peer *peer = NULL;
	int rc = identity_trust(&trust, o, a, e);

	if (!rc && !(peer = wire_dial(o->probe, &trust, e)))
		rc = -1;
	if (!rc)
		rc = wire_call(peer, "health", &rec_nothing, &ask, "probe", CALL_TIMEOUT_MS,
		    &rec_health_res, &h, NULL, a, e);
	if (!rc)
		printf("%s commit=%s generation=%llu%s%s\n", h.status, h.commit ? h.commit : "-",
		    (unsigned long long)h.generation, h.message ? " message=" : "",
		    h.message ? h.message : "");
	else
		printf("down %s\n", e->msg);
	fflush(stdout);
	wire_peer_free(peer);
	arena_free(a);
	if (rc)
		return rc;
	if (h.generation)
		return 0;
	return err_set(e, ERR_NO_INDEX, "it serves no index yet");
}
