/* Summaries of files as rows of their own: vector_builder_internal.h. */
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

/* The summary of a file; NULL if it is empty, or if the subjects of commits could not be read. */
static const char *text_of(const struct vector_builder *m, const char *path)
{
	if (!m->commit_subjects)
		return NULL;
	const char *commits = commit_subjects_get(m->commit_subjects, path);
	const char *tests = test_names_of(m->test_names, path);
	if (!tests)
		return commits;
	if (!commits)
		return tests;
	return arena_printf(m->summary_arena, "%s\n%s", commits, tests);
}

int file_summaries_load(struct vector_builder *m, struct err *e)
{
	size_t cap = 0;
	int rc;

	m->test_names = test_names_read(m->db, e);
	if (!m->test_names)
		return -1;
	m->summary_arena = arena_new();
	struct stmt *s = db_prep(m->db, "select id, path from files order by id", e);
	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		size_t id = (size_t)db_int(s, 0);
		m->files = grow(m->files, &cap, id + 1, sizeof *m->files);
		memset(m->files + m->nfiles, 0, (id + 1 - m->nfiles) * sizeof *m->files);
		m->nfiles = id + 1;
		m->files[id] = (struct file_summary){ .doc = { .file = (int64_t)id },
			.path = arena_str(m->summary_arena, db_str(s, 1)) };
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
		f->text = NULL;
		f->doc.hash = 0;
		if (f->path)
			f->text = text_of(m, f->path);
		if (f->text)
			f->doc.hash = text_id(f->path, 0, 0, f->text);
	}
}

bool file_summaries_match_row(struct vector_builder *m, uint64_t id, uint64_t hash)
{
	size_t file = id & ~(uint64_t)VECTORS_FILE_ROW;

	if (!file || file >= m->nfiles)
		return false;
	bool current = hash && hash == m->files[file].doc.hash;
	m->files[file].old = hash != 0;
	m->files[file].doc.done = current;
	return current;
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
