#include "shard/uses/use_candidates.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/int_map.h"
#include "shard/base/kinds.h"
#include "shard/program/module_paths.h"
#include "shard/program/program.h"
#include "shard/program/resolver.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/file_dependencies.h"

enum { STEPS = 2 };	/* along edges: a function of ours returns a type of theirs */

struct candidate_keys {
	int32_t *v;
	size_t n, cap;
};

static void add_key(struct candidate_keys *k, const char *begin, const char *name)
{
	k->v = grow(k->v, &k->cap, k->n + 1, sizeof *k->v);
	k->v[k->n++] = (int32_t)key_hash(begin, name, NULL);
}

/* The package, and its beginnings. */
static void add_package(struct candidate_keys *k, const char *package, struct arena *a)
{
	char *part = arena_str(a, package);

	for (size_t n = strlen(part); n; n--) {
		if (part[n] && part[n] != '.' && part[n] != '/')
			continue;
		part[n] = 0;
		add_key(k, "k:", part);
	}
}

/* The full names of types and of what is at the top of the file. */
static void add_names(struct candidate_keys *k, const struct source_file *f, struct arena *a)
{
	for (size_t i = 0; f->symbols && i < f->symbols->n; i++) {
		const struct sym *s = &f->symbols->v[i];
		const char *full = s->qualified;
		if (s->parent >= 0 && !kind_is_type(s->kind) && s->kind != KIND_module)
			continue;
		if (f->package && *f->package)
			full = arena_join_dotted(a, f->package, s->qualified);
		add_key(k, "q:", full);
	}
}

static void add_file(struct candidate_keys *k, const struct source_file *f, struct arena *a)
{
	struct module_paths p;

	module_paths_of(f->path, f->dialect, a, &p);
	for (size_t i = 0; i < p.nwords; i++)
		add_key(k, "s:", p.words[i]);
	if (f->package)
		add_package(k, f->package, a);
	add_names(k, f, a);
}

/* ---- files ---- */

static void add_candidate(void *arg, int64_t file)
{
	*int_map_at(arg, (uint64_t)file) = arg;
}

/* Add the files with edges into candidates. */
static int add_dependents(struct program *w, struct int_map *files, struct arena *a, struct err *e)
{
	struct {
		int64_t *v;
		size_t n, cap;
	} more = { 0 };
	int rc = 0;

	for (size_t i = 0; i < w->nfiles && !rc; i++) {
		int64_t *users;
		size_t n = 0;
		if (w->files[i].origin || !int_map_get(files, (uint64_t)w->files[i].id))
			continue;
		rc = edges_incoming_files(w->db, w->files[i].id, a, &users, &n, e);
		for (size_t k = 0; k < n; k++) {
			more.v = grow(more.v, &more.cap, more.n + 1, sizeof *more.v);
			more.v[more.n++] = users[k];
		}
	}
	for (size_t i = 0; i < more.n; i++)
		add_candidate(files, more.v[i]);
	free(more.v);
	return rc;
}

struct int_map *use_candidates_find(struct program *w, struct arena *a, struct err *e)
{
	struct int_map *files = int_map_new();
	struct candidate_keys keys = { 0 };
	int rc = 0;

	for (size_t i = 0; i < w->nfiles; i++)
		if (w->files[i].origin)
			add_file(&keys, &w->files[i], a);
	if (keys.n)
		rc = dependencies_find_files(
		    w->db, DEPENDENCY_EDGES, keys.v, keys.n, add_candidate, files, e);
	for (int i = 0; i < STEPS && !rc; i++)
		rc = add_dependents(w, files, a, e);
	free(keys.v);
	if (!rc)
		return files;
	int_map_free(files);
	return NULL;
}
