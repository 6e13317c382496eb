#include "shard/contracts/crossfile/crossfile_internal.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/db/db.h"
#include "shard/settings/settings.h"

/* ---- settings ---- */

static size_t common_prefix_length(const char *a, const char *b)
{
	size_t n = 0, last = 0;

	for (; a[n] && a[n] == b[n]; n++)
		if (a[n] == '/')
			last = n + 1;
	return last;
}

/* Whether a folder's name, up to its slash, equals a name except for case and signs: Basket.API. */
static bool same_folder(const char *s, const char *name)
{
	for (;; s++, name++) {
		while (*s != '/' && !isalnum((unsigned char)*s))
			s++;
		while (*name && !isalnum((unsigned char)*name))
			name++;
		if (*s == '/' || !*name)
			return *s == '/' && !*name;
		if (tolower((unsigned char)*s) != tolower((unsigned char)*name))
			return false;
	}
}

/* Whether one of the path's folders has the name. */
static bool has_folder(const char *path, const char *name)
{
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(path, '/')) {
		if (same_folder(path, name))
			return true;
		path = slash + 1;
	}
	return false;
}

/* Whether a value has a blank for people to fill in: db.[PROJECT_ID].internal, <host>. */
static bool has_placeholder(const char *value)
{
	const char *open = strpbrk(value, "[<");
	size_t n;

	if (!open)
		return false;
	if (*open == '<') {
		n = strcspn(open + 1, ">");
		return n && open[n + 1] == '>';
	}
	n = strspn(open + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
	return n && open[n + 1] == ']';
}

/*
 * How well a file of settings fits a place: the nearest file is best, and examples are worse.
 * `its`: the file is for the program at that place.
 */
static int nearness(const char *file, bool its, const char *place)
{
	static const char *const last[] = { "test", "example", "sample", "template", ".dist" };
	int n = (int)common_prefix_length(file, place) * 4;

	if (its)
		n += 4000;
	for (size_t i = 0; i < LEN(last); i++)
		if (strstr(file, last[i]))
			n -= 2;
	return n;
}

/*
 * Whether settings of a file apply to a place: those of resources are for the module around them.
 */
static bool settings_apply_to(const char *file, const char *place)
{
	const char *slash = strrchr(file, '/'), *resources = strstr(file, "src/main/resources/");
	size_t n = 0;

	if (resources)
		n = (size_t)(resources - file);
	else if (slash)
		n = (size_t)(slash - file) + 1;
	return !strncmp(file, place, n);
}

/* One row with a value of a setting. */
struct setting_candidate {
	const char *value, *service, *path;
	uint32_t line;
};

static size_t setting_candidates(
    struct crossfile *j, const char *key, struct arena *a, struct setting_candidate **out)
{
	struct stmt *s = db_prep(j->db,
	    "select s.value, s.service, s.line, f.path from settings s join files f on f.id = s.file"
	    " where s.key = ? order by f.path, s.line, s.value",
	    j->e);
	struct setting_candidate *v = NULL;
	size_t n = 0, cap = 0;

	if (!s || db_bind(s, "S", key))
		return 0;
	while (db_step(s, j->e) == 1) {
		v = grow(v, &cap, n + 1, sizeof *v);
		v[n] = (struct setting_candidate){ .value = arena_str(a, db_str(s, 0)),
			.path = arena_str(a, db_str(s, 3)),
			.line = (uint32_t)db_int(s, 2) };
		if (!db_null(s, 1))
			v[n].service = arena_str(a, db_str(s, 1));
		n++;
	}
	*out = arena_many(a, n, struct setting_candidate);
	if (n)
		memcpy(*out, v, n * sizeof *v);
	free(v);
	return n;
}

static const char program_name[] = "spring.application.name";

/*
 * Whether the file belongs to the program that a setting is for: one of its folders, or its
 * program, has that name.
 */
static bool setting_applies_to(
    struct crossfile *j, const struct contract_file *r, const char *key, const char *service)
{
	const char *path, *own;
	uint32_t line;

	if (!service)
		return false;
	if (has_folder(r->file->path, service))
		return true;
	if (!strcmp(key, program_name))
		return false;
	own = other_files_setting(j, r, program_name, true, &path, &line);
	return own && !strcmp(own, service);
}

const char *crossfile_setting(struct crossfile *j, const struct contract_file *r, const char *key,
    bool here, const char **path, uint32_t *line)
{
	const char *same = settings_key(key, j->look.a), *value = NULL;
	int best = INT_MIN;
	struct setting_candidate *v = NULL;

	resolver_record_key(&j->look, key_hash("g:", same, NULL));
	crossfile_lock(j);
	size_t n = 0;
	if (r->file)
		n = setting_candidates(j, same, r->t->arena, &v);
	crossfile_unlock(j);
	for (size_t i = 0; i < n; i++) {
		bool its = setting_applies_to(j, r, key, v[i].service);
		int near = nearness(v[i].path, its, r->file->path);
		if (has_placeholder(v[i].value))
			near -= 8000;
		if (near <= best)
			continue;
		if (here && !its && !settings_apply_to(v[i].path, r->file->path))
			continue;
		best = near;
		value = v[i].value;
		*path = v[i].path;
		*line = v[i].line;
	}
	return value;
}

/* ---- objects that other files mount or change ---- */

const char *crossfile_object_key(const struct framework_object *x, struct arena *a)
{
	if (x->at && x->self.in)
		return arena_printf(a, "%s#%u#%s#%s", x->in->file->path, x->at - 1, x->self.in->file->path,
		    x->self.in->found->v[x->self.type].def.qualified);
	if (x->at)
		return arena_printf(a, "%s#%u", x->in->file->path, x->at - 1);
	return arena_printf(a, "%s#%s", x->in->file->path, x->name);
}

enum { MOST_MOUNTS = 64 };

struct mount_row {
	int64_t file;
	uint32_t at;
};

static size_t mounts_read(
    struct crossfile *j, const char *child, const char *framework, struct mount_row v[MOST_MOUNTS])
{
	size_t n = 0;
	struct stmt *s = db_prep(j->db,
	    "select m.file, m.at from mounts m join files f on f.id = m.file"
	    " where m.child = ? and m.framework = ? order by f.path, m.at limit 64",
	    j->e);

	if (!s || db_bind(s, "SS", child, framework))
		return 0;
	while (db_step(s, j->e) == 1)
		v[n++] = (struct mount_row){ db_int(s, 0), (uint32_t)db_int(s, 1) };
	return n;
}

static size_t mounts_find(struct crossfile *j, const char *child, const struct framework *fw,
    struct object_mount *out, size_t max)
{
	const char *framework = arena_printf(j->look.a, "%s.%s", fw->name, fw->side);
	struct mount_row v[MOST_MOUNTS];
	size_t found = 0;

	crossfile_lock(j);
	size_t n = mounts_read(j, child, framework, v);
	crossfile_unlock(j);
	for (size_t i = 0; i < n && found < max; i++) {
		struct source_file *f = crossfile_file_by_id(j, v[i].file);
		struct contract_file *r = NULL;
		if (f)
			r = other_files_read(j, f);
		if (r)
			out[found++] = (struct object_mount){ r, v[i].at };
	}
	return found;
}

size_t crossfile_mounts(struct crossfile *j, const struct framework_object *x,
    const struct framework *fw, struct object_mount *out, size_t max)
{
	if (!x->in->file)
		return 0;
	resolver_record_key(&j->look, key_hash("w:", x->in->file->path, NULL));
	size_t n = mounts_find(j, crossfile_object_key(x, j->look.a), fw, out, max);
	struct framework_object any = *x;
	any.self.in = NULL; /* what is done with the objects of all types */
	if (x->self.in)
		n += mounts_find(j, crossfile_object_key(&any, j->look.a), fw, out + n, max - n);
	return n;
}

size_t crossfile_mounts_by_name(struct crossfile *j, const char *name, const struct framework *fw,
    struct object_mount *out, size_t max)
{
	const char *child = arena_printf(j->look.a, "=%s", name);

	resolver_record_key(&j->look, key_hash("w:", child, NULL));
	return mounts_find(j, child, fw, out, max);
}

bool crossfile_uses_framework(struct crossfile *j, const struct framework *fw, const char *what)
{
	const char *name = arena_printf(j->look.a, " %s.%s%s ", fw->name, fw->side, what);
	bool any = strstr(j->binds, name);

	if (!any)
		resolver_record_key(&j->look, key_hash("r:", name, NULL));
	return any;
}

/* Whether a file belongs to a module of Maven or Gradle and another does not. */
static bool other_module(const char *path, const char *other)
{
	const char *inside = strstr(path, "src/main/");

	return inside && strncmp(path, other, (size_t)(inside - path));
}

/*
 * Insert a mount into `out`, in order of nearness to a file; of equal ones, the first stays first.
 */
static void insert_by_nearness(
    struct object_mount *out, size_t *n, size_t max, const struct object_mount *m, const char *path)
{
	size_t near = common_prefix_length(m->in->file->path, path), at = *n;

	for (; at && common_prefix_length(out[at - 1].in->file->path, path) < near; at--)
		if (at < max)
			out[at] = out[at - 1];
	if (at < max)
		out[at] = *m;
	if (*n < max)
		++*n;
}

size_t crossfile_globals(struct crossfile *j, const struct contract_file *from,
    const struct framework *fw, const char *name, struct object_mount *out, size_t max)
{
	struct object_mount v[32];
	const char *child = "", *path = from->file->path;
	size_t n = 0;

	if (*name) {
		child = arena_printf(j->look.a, "=%s", name);
		resolver_record_key(&j->look, key_hash("w:", child, NULL));
	} else {
		resolver_record_key(&j->look, key_hash("w:", NULL));
	}
	size_t all = mounts_find(j, child, fw, v, LEN(v));
	for (size_t i = 0; i < all; i++)
		if (!v[i].in->file->test && !other_module(v[i].in->file->path, path))
			insert_by_nearness(out, &n, max, &v[i], path);
	return n;
}
