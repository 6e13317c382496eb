#include "shard/daemon/watchdog.h"

#include <stdio.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/process/sd_notify.h"
#include "proto/record/record.h"
#include "proto/wire/wire.h"
#include "shard/daemon/shard_internal.h"
#include "shard/server/rpc_server.h"

enum { CALL_TIMEOUT_MS = 2000, LOOP_STALL_MS = 90000 };	/* the loop turns once a minute at least */

/*
 * Asks over the public address, so that a removed socket or an expired certificate is noticed, too.
 */
static bool answers(struct shard *s)
{
	static const struct nothing ask;
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct health_res h;
	struct wire_peer *peer = wire_dial(rpc_server_url(s->rpc), &s->place.trust, &e);
	bool ok = false;

	if (peer)
		ok = !wire_call(peer, "health", &rec_nothing, &ask, "", CALL_TIMEOUT_MS, &rec_health_res,
		    &h, NULL, a, &e);
	wire_peer_free(peer);
	arena_free(a);
	if (!ok)
		log_error("watchdog.check_failed", "what=rpc message=%s", log_quote(e.msg));
	return ok;
}

static bool is_healthy(void *arg)
{
	struct shard *s = arg;
	bool turns = clock_ms() - atomic_load(&s->loop_turned_ms) < LOOP_STALL_MS;

	if (!turns)
		log_error("watchdog.check_failed", "what=loop");
	return answers(s) && turns;
}

static void status(void *arg, char *out, size_t n)
{
	struct shard *s = arg;
	struct shard_status st;
	struct buf b = { 0 };

	shard_state(s, &st);
	buf_printf(&b, "%s: %s, generation %lld", s->src.name, shard_state_status(&st),
	    (long long)st.info.generation);
	if (st.running)
		buf_printf(&b, ", indexing: %s", st.phase);
	if (st.code)
		buf_printf(&b, ", %.60s", st.message);
	snprintf(out, n, "%s", b.p);
	buf_free(&b);
}

struct sd_notifier *shard_watchdog_start(struct shard *s)
{
	return notify_open(is_healthy, status, s);
}
