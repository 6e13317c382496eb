/* repo_status: what the index of a repository contains and skips, as last reported by its shard. */
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/members/members.h"
#include "coordinator/tools/tool_table.h"
#include "proto/record/record.h"

void tool_repo_status(struct call *c)
{
	const struct repo_in *in = c->in;
	struct repo_status_out *out = c->out;
	const struct member *m = resolve_repo(c, in->repo, in->repo_uri);
	struct member_view v;

	if (m) {
		members_view(c->members, m, &v, c->a);
		out->repo_uri = m->repo_uri;
		out->name = m->name;
		out->status = v.status;
		out->health = health_name(v.health);
		out->reason = v.reason;
		out->vectors = v.vectors;
		out->vectors_reason = v.vectors_error;
		out->sandbox = v.sandbox;
		out->sandbox_lacks = v.sandbox_missing;
		out->files = v.counts.files;
		out->bytes = v.counts.bytes;
		out->symbols = v.counts.symbols;
		out->documents = v.counts.documents;
		out->index_bytes = v.counts.index_bytes;
		out->ingest_ms = v.counts.ingest_ms;
		out->languages.v = v.counts.languages.v;
		out->languages.n = v.counts.languages.n;
		out->skipped.v = v.counts.skipped.v;
		out->skipped.n = v.counts.skipped.n;
		out->calls.v = v.counts.calls.v;
		out->calls.n = v.counts.calls.n;
		out->quarantined = v.counts.quarantined;
		out->freshness = (struct freshness *)v.stamp;
	}
	call_end(c);
}
