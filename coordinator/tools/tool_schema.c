/* repo_schema: the names in proto/record/kinds.def, if the repository exists. */
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/members/members.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/buf.h"

static struct kind_row kinds[] = {
#define KIND(name, callable, doc) { #name, doc },
#include "proto/record/kinds.def"
};

static struct kind_row edges[] = {
#define EDGE(name, stored, doc) { #name, doc },
#include "proto/record/kinds.def"
};

static struct kind_row contracts[] = {
#define CONTRACT(name, doc) { #name, doc },
#include "proto/record/kinds.def"
};

void tool_repo_schema(struct call *c)
{
	const struct repo_in *in = c->in;
	struct repo_schema_out *out = c->out;
	const struct member *m = resolve_repo(c, in->repo, in->repo_uri);

	if (m) {
		out->repo_uri = m->repo_uri;
		out->kinds.v = kinds;
		out->kinds.n = LEN(kinds);
		out->edges.v = edges;
		out->edges.n = LEN(edges);
		out->contracts.v = contracts;
		out->contracts.n = LEN(contracts);
	}
	call_end(c);
}
