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
static const char *text_of(const struct making *m, const char *path)
{
	const char *commits = m->told ? told_of(m->told, path) : NULL, *tests = tested_of(m->tested, path);

	return !m->told ? NULL : !tests ? commits : !commits ? tests : arena_printf(m->told_texts, "%s\n%s", commits, tests);
}

int told_files_read(struct making *m, struct err *e)
{
	size_t cap = 0;

	if (!(m->tested = tested_read(m->db, e)))
		return -1;
	m->told_texts = arena_new();
	struct stmt *s = db_prep(m->db, "select id, path from files order by id", e);
	int rc = s ? 0 : -1;
	while (!rc && (rc = db_step(s, e)) == 1) {
		size_t id = (size_t)db_int(s, 0);
		m->files = grow(m->files, &cap, id + 1, sizeof *m->files);
		memset(m->files + m->nfiles, 0, (id + 1 - m->nfiles) * sizeof *m->files);
		m->nfiles = id + 1;
		m->files[id] = (struct told_file){ .doc = { .file = (int64_t)id }, .path = arena_str(m->told_texts, db_str(s, 1)) };
		rc = 0;
	}
	return rc;
}

void told_files_text(struct making *m)
{
	struct err why = { 0 };

	m->told = told_read(m->dir, m->repo, m->info.commit, &why);
	if (!m->told)
		log_warn("vectors.told", "commit=%.12s message=%s", m->info.commit, log_quote(why.msg));
	for (size_t i = 0; i < m->nfiles; i++) {
		struct told_file *f = &m->files[i];
		f->text = f->path ? text_of(m, f->path) : NULL;
		f->doc.hash = f->text ? text_id(f->path, 0, 0, f->text) : 0;
	}
}

bool told_files_met(struct making *m, uint64_t id, uint64_t hash)
{
	size_t file = id & ~(uint64_t)VECTORS_TOLD;

	if (!file || file >= m->nfiles)
		return false;
	m->files[file].old = hash != 0;
	return m->files[file].doc.done = hash && hash == m->files[file].doc.hash;
}

void told_files_end(struct making *m)
{
	int8_t *nothing = arena_many(m->a, m->dim, int8_t);

	if (!m->w)
		return;
	for (size_t i = 1; m->told && i < m->nfiles; i++)
		if (m->files[i].old && !m->files[i].text)
			vectors_put(m->w, (uint32_t)(VECTORS_TOLD | i), 0, nothing, 0);
	vectors_put(m->w, VECTORS_TOLD, told_mark(m->info.commit), nothing, 0);
}
