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

/* The tools that only read the file may read a copy, too. */
static bool reads_copies(const struct options *o)
{
	return !strcmp(o->offline, "registry_export");
}

int joint_open(struct coordinator *co, struct err *e)
{
	const struct options *o = &co->o;
	if (!*o->registry)
		return reads_copies(o) ? 0 : registry_alone(co->registry, e);
	if (*o->registry_password_file && !(co->o.registry_password = options_secret("registry-password-file", o->registry_password_file,
	    co->a, e)))
		return -1;
	const struct sharing_options x = {
		.etcd = { o->registry, o->registry_ca, o->registry_cert, o->registry_key, o->registry_user, o->registry_password },
		.lease_ms = o->job_lease_ms, .host = co->host, .http = o->http,
	};
	return registry_share(co->registry, &x, e);
}

/* Clients may come to any coordinator with the states that they carry. */
static void take_key(struct coordinator *co)
{
	struct err e = { 0 };
	char key[65];

	if (registry_secret(co->registry, "states", key, &e))
		log_warn("registry.secret", "message=%s", log_quote(e.msg));
	else
		mcp_key(co->mcp, key);
}

static bool has(const struct shared_news *n, int table)
{
	return n->tables >> table & 1;
}

static void on_news(void *ctx, const struct shared_news *n)
{
	struct coordinator *co = ctx;

	if (has(n, SHARED_repos) || has(n, SHARED_endpoints) || has(n, SHARED_sources))
		members_changed(co->members, n);
	if (has(n, SHARED_tokens))
		tokens_changed(co->tokens);
	if (has(n, SHARED_secrets) || has(n, SHARED_coordinators))	/* or it could not be made at the start */
		take_key(co);
	if (has(n, SHARED_jobs) || has(n, SHARED_coordinators))
		jobs_changed(co->jobs);
}

void joint_look(struct coordinator *co)
{
	on_news(co, &(struct shared_news){ .tables = ~(uint64_t)0 });
}

void joint_begin(struct coordinator *co)
{
	take_key(co);
	if (!registry_is_shared(co->registry))
		return;
	registry_listen(co->registry, on_news, co);
	joint_look(co);		/* what came before */
}

void joint_end(struct coordinator *co)
{
	registry_listen(co->registry, NULL, NULL);
}
