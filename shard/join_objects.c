#include "shard/join_own.h"

#include <limits.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/db.h"
#include "shard/settings.h"

/* ---- settings ---- */

static size_t common(const char *a, const char *b)
{
	size_t n = 0, last = 0;

	for (; a[n] && a[n] == b[n]; n++)
		if (a[n] == '/')
			last = n + 1;
	return last;
}

/* Whether one of the path's folders is called so. */
static bool has_folder(const char *path, const char *name)
{
	size_t n = strlen(name);

	for (const char *slash; (slash = strchr(path, '/')); path = slash + 1)
		if ((size_t)(slash - path) == n && !strncmp(path, name, n))
			return true;
	return false;
}

/* How well a file of settings, with a service's name or NULL, fits a place: what is nearest, and no example. */
static int nearness(const char *file, const char *service, const char *place)
{
	static const char *const last[] = { "test", "example", "sample", "template", ".dist" };
	int n = (int)common(file, place) * 4 + (service && has_folder(place, service) ? 4000 : 0);

	for (size_t i = 0; i < LEN(last); i++)
		n -= strstr(file, last[i]) ? 2 : 0;
	return n;
}

/* The folder that settings of a file are for: those of resources hold for the module around. */
static bool holds_for(const char *file, const char *place)
{
	static const char resources[] = "src/main/resources/";
	const char *slash = strrchr(file, '/'), *in = strstr(file, resources);
	size_t n = in ? (size_t)(in - file) : slash ? (size_t)(slash - file) + 1 : 0;

	return !strncmp(file, place, n);
}

const char *join_setting(struct join *j, const struct reading *r, const char *key, bool here, const char **path, uint32_t *line)
{
	const char *same = settings_key(key, j->look.a), *value = NULL;
	struct stmt *s = db_prep(j->db, "select s.value, s.service, s.line, f.path from settings s join files f on f.id = s.file"
	    " where s.key = ? order by f.path, s.line, s.value", j->e);
	int best = INT_MIN;

	look_note(&j->look, key_hash("g:", same, NULL));
	if (!s || !r->file || db_bind(s, "S", same))
		return NULL;
	while (db_step(s, j->e) == 1) {
		int near = nearness(db_str(s, 3), db_null(s, 1) ? NULL : db_str(s, 1), r->file->path);
		if (near <= best || (here && !holds_for(db_str(s, 3), r->file->path)))
			continue;
		best = near;
		value = arena_str(r->t->arena, db_str(s, 0));
		*path = arena_str(r->t->arena, db_str(s, 3));
		*line = (uint32_t)db_int(s, 2);
	}
	return value;
}

/* ---- objects that others speak of ---- */

const char *join_child(const struct identity *x, struct arena *a)
{
	return x->at ? arena_printf(a, "%s#%u", x->in->file->path, x->at - 1) : arena_printf(a, "%s#%s", x->in->file->path, x->name);
}

static size_t mounts_find(struct join *j, const char *child, const struct framework *fw, struct join_mount *out, size_t max)
{
	struct { int64_t file; uint32_t at; } v[64];
	size_t n = 0, found = 0;
	struct stmt *s = db_prep(j->db, "select m.file, m.at from mounts m join files f on f.id = m.file where m.child = ? and m.framework = ?"
	    " order by f.path, m.at limit 64", j->e);

	if (!s || db_bind(s, "SS", child, arena_printf(j->look.a, "%s.%s", fw->name, fw->side)))
		return 0;
	while (db_step(s, j->e) == 1) {
		v[n].file = db_int(s, 0);
		v[n++].at = (uint32_t)db_int(s, 1);
	}
	for (size_t i = 0; i < n && found < max; i++) {
		struct file *f = join_by_id(j, v[i].file);
		struct reading *r = f ? join_read(j, f) : NULL;
		if (r)
			out[found++] = (struct join_mount){ r, v[i].at };
	}
	return found;
}

size_t join_mounts(struct join *j, const struct identity *x, const struct framework *fw, struct join_mount *out, size_t max)
{
	if (!x->in->file)
		return 0;
	look_note(&j->look, key_hash("w:", x->in->file->path, NULL));
	return mounts_find(j, join_child(x, j->look.a), fw, out, max);
}

size_t join_named(struct join *j, const char *name, const struct framework *fw, struct join_mount *out, size_t max)
{
	const char *child = arena_printf(j->look.a, "=%s", name);

	look_note(&j->look, key_hash("w:", child, NULL));
	return mounts_find(j, child, fw, out, max);
}

/* Whether a file belongs to a module of Maven or Gradle and another does not. */
static bool other_module(const char *path, const char *other)
{
	const char *inside = strstr(path, "src/main/");

	return inside && strncmp(path, other, (size_t)(inside - path));
}

bool join_global(struct join *j, const struct reading *from, const struct framework *fw, const char *name, struct join_mount *out)
{
	struct join_mount v[32];
	size_t best = 0, n = 0;

	const char *child = *name ? arena_printf(j->look.a, "=%s", name) : "";
	look_note(&j->look, *name ? key_hash("w:", child, NULL) : key_hash("w:", NULL));
	for (size_t i = 0, all = mounts_find(j, child, fw, v, LEN(v)); i < all; i++)
		if (!other_module(v[i].in->file->path, from->file->path))
			v[n++] = v[i];
	for (size_t i = 1; i < n; i++)
		if (common(v[i].in->file->path, from->file->path) > common(v[best].in->file->path, from->file->path))
			best = i;
	if (n)
		*out = v[best];
	return n > 0;
}
