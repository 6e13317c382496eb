#include "coordinator/cluster_events.h"

#include <string.h>

#include "coordinator/auth/tokens.h"
#include "coordinator/calls/context.h"
#include "coordinator/jobs/jobs.h"
#include "coordinator/mcp/mcp.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/registry.h"
#include "coordinator/registry/replication.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"

/* A tool that only reads the file may also read the copy of a shared registry. */
static bool may_read_copy(const struct coordinator_config *o)
{
	return !strcmp(o->offline, "registry_export");
}

static int read_password(struct coordinator *co, struct err *e)
{
	const char *file = co->o.registry_password_file;

	if (!*file)
		return 0;
	co->o.registry_password = options_read_secret("registry-password-file", file, co->a, e);
	return co->o.registry_password ? 0 : -1;
}

int cluster_events_open(struct coordinator *co, struct err *e)
{
	const struct coordinator_config *o = &co->o;

	if (!*o->registry) {
		if (may_read_copy(o))
			return 0;
		return registry_check_standalone(co->registry, e);
	}
	if (read_password(co, e))
		return -1;
	const struct replication_options x = {
		.etcd = { o->registry, o->registry_ca, o->registry_cert, o->registry_key, o->registry_user,
		    o->registry_password },
		.lease_ms = o->job_lease_ms,
		.host = co->host,
		.http = o->http,
	};
	return registry_replicate(co->registry, &x, e);
}

/* All coordinators sign the states of MCP clients with one key, so any of them accepts them. */
static void load_state_key(struct coordinator *co)
{
	struct err e = { 0 };
	char key[65];

	if (registry_secret(co->registry, "states", key, &e))
		log_warn("registry.secret_failed", "message=%s", log_quote(e.msg));
	else
		mcp_set_state_key(co->mcp, key);
}

static bool has(const struct shared_changes *n, int table)
{
	return n->tables >> table & 1;
}

static void on_news(void *ctx, const struct shared_changes *n)
{
	struct coordinator *co = ctx;

	if (has(n, SHARED_repos) || has(n, SHARED_endpoints) || has(n, SHARED_sources))
		members_changed(co->members, n);
	if (has(n, SHARED_tokens))
		tokens_reload(co->tokens);
	if (has(n, SHARED_secrets) || has(n, SHARED_coordinators))	/* or it failed at the start */
		load_state_key(co);
	if (has(n, SHARED_jobs) || has(n, SHARED_coordinators))
		jobs_changed(co->jobs);
}

void cluster_events_reload(struct coordinator *co)
{
	on_news(co, &(struct shared_changes){ .tables = ~(uint64_t)0 });
}

void cluster_events_start(struct coordinator *co)
{
	load_state_key(co);
	if (!registry_is_shared(co->registry))
		return;
	registry_set_listener(co->registry, on_news, co);
	cluster_events_reload(co);	/* the changes before there was a listener */
}

void cluster_events_stop(struct coordinator *co)
{
	registry_set_listener(co->registry, NULL, NULL);
}
