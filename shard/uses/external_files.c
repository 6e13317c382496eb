#include "shard/uses/external_files.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/program/program.h"

/*
 * The last folder is one from which modules count in every language that has such folders
 * (`roots` of modules.tab).
 */
#define FOLDER ".dependencies/%d/lib/"

enum { FOLDERS = 3 };	/* in FOLDER */

static int add_file(
    struct program *w, int origin, const struct interface_file *x, struct arena *a, struct err *e)
{
	struct facts f = { 0 };

	if (x->facts.n && facts_decode_plain(x->facts.p, x->facts.n, a, &f, e))
		return err_set(e, ERR_INVALID_INPUT, "the interface of %s is damaged", x->path);
	program_add_file(w,
	    &(struct source_file_info){
	        .id = -1,
	        .path = arena_printf(a, FOLDER "%s", origin, x->path),
	        .language = x->language,
	        .package = x->package,
	        .origin = origin,
	    },
	    &f);
	return 0;
}

int external_files_add(
    struct program *w, const struct external_repository *v, size_t n, struct err *e)
{
	struct arena *a = arena_new();
	int rc = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < v[i].ninterfaces; k++)
			for (size_t f = 0; !rc && f < v[i].interfaces[k].files.n; f++) {
				rc = add_file(w, (int)i + 1, &v[i].interfaces[k].files.v[f], a, e);
				arena_reset(a);
			}
	arena_free(a);
	return rc;
}

const char *external_path(const struct source_file *f)
{
	const char *path = f->path;

	for (int i = 0; i < FOLDERS; i++)
		path = strchr(path, '/') + 1;
	return path;
}
