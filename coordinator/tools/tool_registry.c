/* The registry: its state, export and import. */
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
		out->coordinators.n = n;
		for (size_t i = 0; i < n; i++) {
			bool leads = now.leader && !strcmp(v[i].id, now.leader);
			out->coordinators.v[i] = (struct coordinator_row){ v[i].id, v[i].host, v[i].http,
				v[i].started_at, leads };
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
