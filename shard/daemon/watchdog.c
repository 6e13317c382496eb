#include "shard/daemon/watchdog.h"

#include <stdio.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/process/sd_notify.h"
#include "proto/record/record.h"
#include "proto/wire/wire.h"
#include "shard/daemon/shard_internal.h"
#include "shard/server/rpc_server.h"

enum { PATIENCE_MS = 2000, TURN_MS = 90000 };	/* the loop turns once a minute at least */

/* As whoever has its address would: a socket that was removed, or a certificate that is no longer good, is found out too. */
static bool answers(struct shard *s)
{
	static const struct nothing ask;
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct health_res h;
	struct wire_peer *peer = wire_dial(rpc_url(s->rpc), &s->place.trust, &e);
	bool ok = peer && !wire_call(peer, "health", &rec_nothing, &ask, "", PATIENCE_MS, &rec_health_res, &h, NULL, a, &e);

	wire_peer_free(peer);
	arena_free(a);
	if (!ok)
		log_error("alive.not", "what=rpc message=%s", log_quote(e.msg));
	return ok;
}

static bool alive(void *arg)
{
	struct shard *s = arg;
	bool turns = clock_ms() - atomic_load(&s->turned) < TURN_MS;

	if (!turns)
		log_error("alive.not", "what=loop");
	return answers(s) && turns;
}

static void status(void *arg, char *out, size_t n)
{
	struct shard *s = arg;
	struct state st;

	shard_state(s, &st);
	snprintf(out, n, "%s: %s, generation %lld%s%s%s%.60s", s->src.name, state_status(&st), (long long)st.info.generation,
	    st.running ? ", indexing: " : "", st.running ? st.phase : "", st.code ? ", " : "", st.code ? st.message : "");
}

struct notify *alive_open(struct shard *s)
{
	return notify_open(alive, status, s);
}
