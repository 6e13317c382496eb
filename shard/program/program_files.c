/* The files of a program, and by what they are found: program.h. */
#include "shard/program/program_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "shard/program/module_paths.h"
#include "shard/program/resolver.h"

static void describe(struct program *w, struct source_file *f, struct arena *a)
{
	struct module_paths l;

	module_paths_of(f->path, f->dialect, a, &l);
	f->dir = program_intern(w, l.dir);
	f->stem = program_intern(w, l.stem);
	f->package = program_intern(w, module_paths_package(f->path, f->package, f->dialect, a));
	f->scope_key = key_hash("i:", f->path, NULL);
	f->member_key = key_begin("m:", f->path, "#", NULL);
	f->type_key = key_begin("t:", f->path, "#", NULL);
}

void program_describe_files(struct program *w)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < w->nfiles; i++) {
		describe(w, &w->files[i], a);
		arena_reset(a);
	}
	arena_free(a);
}

/* ---- lists ---- */

static void list_add(struct program *w, struct map *m, const char *key, struct source_file *f)
{
	void **at = map_at(m, key);
	struct file_list *l = *at;

	if (!l) {
		l = arena_one(w->a, struct file_list);
		*at = l;
	}
	if (l->n && l->v[l->n - 1] == f)
		return;
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = f;
}

static void list_by_path(struct program *w, struct map *m, struct source_file *f, struct arena *a)
{
	struct module_paths l;

	module_paths_of(f->path, f->dialect, a, &l);
	for (size_t i = 0; i < l.npaths; i++)
		list_add(w, m, l.paths[i], f);
}

static void list_by_stem(struct program *w, struct map *m, struct source_file *f, struct arena *a)
{
	struct module_paths l;

	module_paths_of(f->path, f->dialect, a, &l);
	for (size_t i = 0; i < l.nwords; i++)
		list_add(w, m, l.words[i], f);
}

static void list_by_dir(struct program *w, struct map *m, struct source_file *f, struct arena *a)
{
	(void)a;
	list_add(w, m, f->dir, f);
}

/* List a file under its package and the beginnings of that. */
static void list_by_package(
    struct program *w, struct map *m, struct source_file *f, struct arena *a)
{
	if (!f->package)
		return;
	if (!*f->package)
		list_add(w, m, "", f);	/* the root of a crate that is the whole repository */
	char *part = arena_str(a, f->package);
	for (size_t n = strlen(part); n; n--) {
		if (part[n] && part[n] != '.' && part[n] != '/')
			continue;
		part[n] = 0;
		list_add(w, m, part, f);
	}
}

static void (*const list_file[FILE_LISTS])(
    struct program *, struct map *, struct source_file *, struct arena *) = {
	[FILES_BY_PATH] = list_by_path,
	[FILES_BY_STEM] = list_by_stem,
	[FILES_BY_DIR] = list_by_dir,
	[FILES_BY_PACKAGE] = list_by_package,
};

static void make_list(struct program *w, enum file_list_key by)
{
	struct arena *a = arena_new();

	w->lists[by] = map_new();
	for (size_t i = 0; i < w->nfiles; i++) {
		list_file[by](w, w->lists[by], &w->files[i], a);
		arena_reset(a);
	}
	arena_free(a);
}

void program_make_lists(struct program *w)
{
	for (int i = 0; i < FILE_LISTS; i++)
		make_list(w, (enum file_list_key)i);
}

void program_free_lists(struct program *w)
{
	for (int k = 0; k < FILE_LISTS; k++) {
		for (size_t i = 0; w->lists[k] && i < map_len(w->lists[k]); i++)
			free(((struct file_list *)map_val(w->lists[k], i))->v);
		map_free(w->lists[k]);
	}
}

const struct file_list *program_files_by(struct program *w, enum file_list_key by, const char *key)
{
	static const struct file_list none;

	if (!w->lists[by])
		make_list(w, by);
	const struct file_list *l = map_get(w->lists[by], key);
	if (!l)
		return &none;
	return l;
}
