/* The registry itself: how it is, and moving it. */
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/registry/replication.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"

enum { LINES = 500 };

void tool_registry_status(struct call *c)
{
	struct registry_status_out *out = c->out;
	struct registry_sync_state now;
	struct registry_peer *v;
	size_t n;

	registry_sync_state(c->registry, &now, c->a);
	out->kind = now.kind;
	out->at = now.at;
	out->state = now.state;
	out->message = now.message;
	out->since_s = (uint64_t)(now.since_ms / 1000);
	out->revision = (uint64_t)now.revision;
	out->id = now.self;
	out->leader = now.leader;
	if (!registry_peers(c->registry, &v, &n, c->a, &c->e)) {
		out->coordinators.v = arena_many(c->a, n, struct coordinator_row);
		for (; out->coordinators.n < n; out->coordinators.n++) {
			const struct registry_peer *p = &v[out->coordinators.n];
			out->coordinators.v[out->coordinators.n] = (struct coordinator_row){ p->id, p->host,
				p->http, p->started_at, now.leader && !strcmp(p->id, now.leader) };
		}
	}
	call_end(c);
}

void tool_registry_export(struct call *c)
{
	const struct registry_export_in *in = c->in;
	struct registry_export_out *out = c->out;

	registry_export(c->registry, in->after, LINES, &out->rows, &out->next, c->a, &c->e);
	call_end(c);
}

void tool_registry_import(struct call *c)
{
	const struct registry_import_in *in = c->in;
	struct registry_import_out *out = c->out;

	const char *importer = NULL;

	if (!c->caller->is_operator)
		importer = c->caller->name;
	if (!registry_import(
	        c->registry, importer, &in->rows, &out->written, &out->left_out, c->a, &c->e))
		c->co->reload(c->co);
	call_end(c);
}
