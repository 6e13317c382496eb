#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "shard/base/options.h"
#include "shard/contracts/crossfile/crossfile.h"
#include "shard/git/repo.h"
#include "shard/index/delta_writer.h"
#include "shard/index/index_writer.h"
#include "shard/index/scip_sources.h"
#include "shard/ingest/ingest_internal.h"
#include "shard/ingest/ingest_plan.h"
#include "shard/trigrams/text_build.h"

/* Brings the published index to another commit: only what differs between the two is read. */

enum {
	/* a full build if more files changed than this, and more than one in FULL_BUILD_FILE_SHARE */
	FULL_BUILD_CHANGES_MIN = 200,
	FULL_BUILD_FILE_SHARE = 3,
	/* or if more documents than this are dead, and more than are alive */
	FULL_BUILD_DEAD_DOCS_MIN = 5000,
	REPORT_MS = 100
};

struct incremental_build {
	struct ingest *in;
	struct repo *repo;
	struct delta_writer *u;
	struct plan_rules *rules;
	struct parser *parser;		/* facts may point into it */
	bool lost;
};

/* One side of a change. */
struct change_side {
	struct planned_file plan;
	const char *reason;		/* why it is skipped; NULL if it is not */
	struct parsed_file p;
};

static void side_free(struct change_side *s)
{
	arena_free(s->p.a);
	buf_free(&s->p.text);
}

static int read_side(
    struct incremental_build *r, const struct tree_entry *x, struct change_side *out, struct err *e)
{
	if (x->is == ENTRY_NONE)
		return 0;
	out->reason = plan_check_entry(
	    x, r->rules, (uint64_t)r->in->o->file_limit, &r->in->quarantine, &out->plan);
	if (out->reason)
		return 0;
	if (!r->parser)
		r->parser = parser_new(e);
	if (!r->parser)
		return -1;
	out->p.a = arena_new();
	ingest_parse(r->in, 0, &out->plan, r->repo, r->parser, false, &out->p);
	out->reason = out->p.skip;
	out->plan.file.language = out->p.language;
	return 0;
}

static int write_change(struct incremental_build *r, const struct tree_change *c, bool indexed,
    struct change_side *old, struct change_side *new, struct err *e)
{
	struct file_delta f = { NULL, NULL, &old->p.facts, &new->p.facts };
	const struct indexed_file *names = NULL;

	if (indexed && (old->reason || old->plan.left_out)) {
		/* its bytes gave facts once, and do not now */
		r->lost = true;
		return -1;
	}
	if (indexed)
		f.old = &old->plan.file;
	if (c->new.is != ENTRY_NONE && !new->reason) {
		if (new->plan.left_out)
			names = &new->plan.file;
		else
			f.new = &new->plan.file;
	}
	if (delta_writer_put_left_out(r->u, c->new.path, names, &new->p.facts, e))
		return -1;
	if ((f.old || f.new) && delta_writer_put_file(r->u, &f, &r->lost, e))
		return -1;
	const char *remark = new->reason;
	if (!remark)
		remark = ingest_skip_reason(&new->p);
	if (!remark && c->old.is == ENTRY_NONE)
		return 0;
	return delta_writer_set_skip(r->u, c->new.path, remark, c->new.size, e);
}

/* Whether only the mode or the way of storing changed, which does not matter here. */
static bool same_file(const struct tree_change *c)
{
	return c->old.is == ENTRY_FILE && c->new.is == ENTRY_FILE && !strcmp(c->old.blob, c->new.blob);
}

static int apply(struct incremental_build *r, const struct tree_change *c, struct err *e)
{
	struct change_side old = { 0 }, new = { 0 };
	char blob[REPO_OID_SIZE];
	int rc = 0;

	if (same_file(c))
		return 0;
	int indexed = delta_writer_find_file(r->u, c->old.path, blob, sizeof blob, e);
	if (indexed < 0)
		return -1;
	if (indexed && strcmp(blob, c->old.blob)) {
		r->lost = true;
		return -1;
	}
	if (indexed)
		rc = read_side(r, &c->old, &old, e);
	if (!rc)
		rc = read_side(r, &c->new, &new, e);
	if (!rc)
		rc = write_change(r, c, indexed, &old, &new, e);
	side_free(&old);
	side_free(&new);
	return rc;
}

static int apply_all(
    struct incremental_build *r, const struct tree_changes *c, struct arena *a, struct err *e)
{
	struct rule_file *files;
	size_t n;
	int64_t reported = 0;
	int rc = delta_writer_rule_files(r->u, &files, &n, a, e);

	if (rc)
		return rc;
	r->rules = plan_rules(r->repo, files, n, a);
	for (size_t i = 0; !rc && i < c->n; i++) {
		rc = apply(r, &c->v[i], e);
		if (clock_ms() - reported >= REPORT_MS) {
			ingest_report("parse %zu %zu", i + 1, c->n);
			reported = clock_ms();
		}
	}
	return rc;
}

static int publish(struct incremental_build *r, struct index_info *now, const char *to,
    int64_t started, struct arena *a, struct err *e)
{
	const struct text_source texts = { ingest_read_text, r->repo, &r->parser, r->parser != NULL,
		NULL };
	const struct scip_sources scips = { r->repo, r->in->o->scip };
	struct index_info info = *now;
	const char *branch = repo_branch(r->repo, a);

	if (!branch)
		branch = "";
	snprintf(info.commit, sizeof info.commit, "%s", to);
	snprintf(info.branch, sizeof info.branch, "%s", branch);
	info.shallow = repo_shallow_ends(r->repo);
	info.generation = store_next_generation(r->in->src.data);
	info.ingest_ms = clock_ms() - started;
	if (delta_writer_publish(r->u, &info, &texts, &scips, e))
		return -1;
	*now = info;
	ingest_report("published");
	delta_writer_checkpoint(r->u);
	return 0;
}

/* Why the changes call for a full build, or NULL. */
static const char *full_build_reason(const struct tree_changes *c, const struct index_info *now)
{
	for (size_t i = 0; i < c->n; i++) {
		if (same_file(&c->v[i]))
			continue;
		if (plan_is_rule_file(c->v[i].new.path))
			return "the rules of what is indexed changed";
		if (scip_sources_is_path(c->v[i].new.path))
			return "a SCIP index changed";
	}
	if (c->n > FULL_BUILD_CHANGES_MIN && c->n > (size_t)now->files / FULL_BUILD_FILE_SHARE)
		return "most of it changed";
	return NULL;
}

static int update_index(struct incremental_build *r, struct index_info *now, const char *to,
    const struct tree_changes *c, const char **why, struct arena *a, struct err *e)
{
	int64_t started = clock_ms();

	r->u = delta_writer_new(r->in->src.data, now, e);
	if (!r->u)
		return -1;
	int64_t dead = delta_writer_dead_docs(r->u);
	if (dead > FULL_BUILD_DEAD_DOCS_MIN && dead > now->documents) {
		*why = "most of what it holds is gone";
		return 0;
	}
	if (delta_writer_missing_files(r->u, e)) {
		*why = "objects were missing, or a limit left out some";
		return 0;
	}
	const struct text_limits limits = { (uint64_t)r->in->o->text_limit, 1 };
	int rc = apply_all(r, c, a, e);
	if (!rc)
		rc = text_update_run(delta_writer_db(r->u), r->repo, c, &limits, e);
	if (r->lost) {
		*why = "the indexed texts cannot be had again";
		*e = (struct err){ 0 };
		return 0;
	}
	if (rc || publish(r, now, to, started, a, e))
		return -1;
	return 1;
}

int incremental_build_run(struct ingest *in, struct repo *repo, struct index_info *now,
    const char *to, const char **why, struct arena *a, struct err *e)
{
	struct incremental_build r = { .in = in, .repo = repo };
	struct tree_changes c = { 0 };
	int rc = 0;

	if (repo_changes(repo, now->commit, to, a, &c, NULL))
		*why = "the indexed commit cannot be read any more";
	else
		*why = full_build_reason(&c, now);
	if (!*why)
		rc = update_index(&r, now, to, &c, why, a, e);
	delta_writer_free(r.u);
	parser_free(r.parser);
	free(c.v);
	return rc;
}
