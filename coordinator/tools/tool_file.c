/* open_file: lines of a file at the indexed commit. */
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/members/members.h"
#include "coordinator/search/search_evidence.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/optional_text.h"
#include "proto/process/suggest.h"
#include "proto/text/repo_uri.h"

enum { CONTENT_MAX = 64 << 10 };

/* Whether a path is absolute (on Unix or Windows) or has a part `..`; backslashes separate, too. */
static bool escapes(const char *path)
{
	if (strchr("/\\", *path) || (path[0] && path[1] == ':'))
		return true;
	while (path) {
		if (!strncmp(path, "..", 2) && (!path[2] || strchr("/\\", path[2])))
			return true;
		path = strpbrk(path, "/\\");
		if (path)
			path++;
	}
	return false;
}

/* Whether a path leads out of the repository, even if it is percent-encoded several times. */
static bool leads_out(const char *path, struct arena *a)
{
	for (int i = 0; i < 4; i++) {
		if (escapes(path))
			return true;
		path = uri_decode(path, strlen(path), a);
	}
	return false;
}

static int check(struct call *c)
{
	const struct open_file_in *in = c->in;

	if (!text_is_set(in->repo) && !text_is_set(in->repo_uri)) {
		err_set(&c->e, ERR_INVALID_INPUT,
		    "`repo_uri` or `repo` is missing: open_file always needs one");
		return err_hint(&c->e, "Call list_repos to see the repositories.");
	}
	if (!*in->path || leads_out(in->path, c->a)) {
		err_set(&c->e, ERR_INVALID_INPUT, "`path`: `%.100s` is not a path inside the repository",
		    in->path);
		return err_hint(&c->e, "Give a path relative to the repository's root, without `..`.");
	}
	if (in->endLine && in->endLine < in->startLine)
		return err_set(&c->e, ERR_INVALID_INPUT, "`endLine` %llu is before `startLine` %llu",
		    (unsigned long long)in->endLine, (unsigned long long)in->startLine);
	return 0;
}

static void with_file(struct call *c, struct fanout *f)
{
	struct open_file_out *out = c->out;
	const struct fanout_reply *k = &f->v[0];
	const struct file_res *r = k->res;

	if (k->e.code) {
		evidence_fail(c, k);
	} else {
		*out = (struct open_file_out){
			.repo = resolve_handle(c, k->member),
			.repo_uri = k->member->repo_uri,
			.path = r->path,
			.startLine = r->start_line,
			.endLine = r->end_line,
			.totalLines = r->total_lines,
			.content = r->content,
			.truncated = r->truncated,
			.nextByte = r->next_byte,
			.freshness = (struct freshness *)k->stamp,
		};
	}
	call_end(c);
}

/* ---- a path that does not exist: suggest files with similar paths ---- */

static void with_near(struct call *c, struct fanout *f)
{
	const struct open_file_in *in = c->in;
	const struct search_res *r = f->v[0].res;
	const char **paths = arena_many(c->a, r->hits.n, const char *);

	for (size_t i = 0; i < r->hits.n; i++)
		paths[i] = r->hits.v[i].path;
	const char *near = suggest_names(in->path, paths, r->hits.n, c->a);
	if (*near)
		err_hint(&c->e, "Near it: %.150s.", near);
	else
		err_hint(&c->e, "`query` with granularity=file finds paths.");
	call_end(c);
}

static void with_first(struct call *c, struct fanout *f)
{
	const struct open_file_in *in = c->in;
	struct search_req *q = arena_one(c->a, struct search_req);
	const char *slash = strrchr(in->path, '/');
	const char *name = in->path;
	if (f->v[0].e.code != ERR_NOT_FOUND) {
		with_file(c, f);
		return;
	}
	c->e = f->v[0].e;
	if (slash)
		name = slash + 1;
	*q = (struct search_req){ .query = name, .limit = 20, .granularity = "file" };
	fanout(c, &f->v[0].member, 1, RPC_search, q, NULL, (int)c->o->search_deadline_ms, with_near);
}

void tool_open_file(struct call *c)
{
	const struct open_file_in *in = c->in;
	struct file_req *q = arena_one(c->a, struct file_req);
	struct member **m = arena_one(c->a, struct member *);

	if (!check(c))
		*m = resolve_repo(c, in->repo, in->repo_uri);
	if (!*m) {
		call_end(c);
		return;
	}
	*q = (struct file_req){ in->path, in->startLine, in->endLine, CONTENT_MAX, in->startByte };
	fanout(c, m, 1, RPC_file, q, NULL, (int)c->o->search_deadline_ms, with_first);
}
