/* What commits and tests say of files, as rows of their own: vector_builder_internal.h. */
#include "shard/embedding/vector_builder_internal.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "proto/text/text_id.h"
#include "shard/embedding/test_names.h"
#include "shard/git/commit_subjects.h"

/* One text; NULL: neither says anything, or what commits say is not known. */
static const char *text_of(const struct vector_builder *m, const char *path)
{
	const char *commits = m->commit_subjects ? commit_subjects_get(m->commit_subjects, path) : NULL,
	           *tests = test_names_of(m->test_names, path);

	if (!m->commit_subjects)
		return NULL;
	if (!tests)
		return commits;
	if (!commits)
		return tests;
	return arena_printf(m->summary_arena, "%s\n%s", commits, tests);
}

int file_summaries_load(struct vector_builder *m, struct err *e)
{
	size_t cap = 0;

	if (!(m->test_names = test_names_read(m->db, e)))
		return -1;
	m->summary_arena = arena_new();
	struct stmt *s = db_prep(m->db, "select id, path from files order by id", e);
	int rc = s ? 0 : -1;
	while (!rc && (rc = db_step(s, e)) == 1) {
		size_t id = (size_t)db_int(s, 0);
		m->files = grow(m->files, &cap, id + 1, sizeof *m->files);
		memset(m->files + m->nfiles, 0, (id + 1 - m->nfiles) * sizeof *m->files);
		m->nfiles = id + 1;
		m->files[id] = (struct file_summary){ .doc = { .file = (int64_t)id },
			.path = arena_str(m->summary_arena, db_str(s, 1)) };
		rc = 0;
	}
	return rc;
}

void file_summaries_add_commits(struct vector_builder *m)
{
	struct err why = { 0 };

	m->commit_subjects = commit_subjects_read(m->dir, m->repo, m->info.commit, &why);
	if (!m->commit_subjects)
		log_warn("vectors.commit_subjects_failed", "commit=%.12s message=%s", m->info.commit,
		    log_quote(why.msg));
	for (size_t i = 0; i < m->nfiles; i++) {
		struct file_summary *f = &m->files[i];
		if (f->path)
			f->text = text_of(m, f->path);
		else
			f->text = NULL;
		if (f->text)
			f->doc.hash = text_id(f->path, 0, 0, f->text);
		else
			f->doc.hash = 0;
	}
}

bool file_summaries_match_row(struct vector_builder *m, uint64_t id, uint64_t hash)
{
	size_t file = id & ~(uint64_t)VECTORS_FILE_ROW;

	if (!file || file >= m->nfiles)
		return false;
	m->files[file].old = hash != 0;
	return m->files[file].doc.done = hash && hash == m->files[file].doc.hash;
}

void file_summaries_finish(struct vector_builder *m)
{
	int8_t *nothing = arena_many(m->a, m->dim, int8_t);

	if (!m->w)
		return;
	for (size_t i = 1; m->commit_subjects && i < m->nfiles; i++)
		if (m->files[i].old && !m->files[i].text)
			vectors_writer_put(m->w, (uint32_t)(VECTORS_FILE_ROW | i), 0, nothing, 0);
	vectors_writer_put(
	    m->w, VECTORS_FILE_ROW, commit_subjects_fingerprint(m->info.commit), nothing, 0);
}
