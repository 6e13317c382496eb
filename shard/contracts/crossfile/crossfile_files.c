#include "shard/contracts/crossfile/crossfile_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/db/db.h"
#include "shard/contracts/crossfile/tree_cache.h"
#include "shard/parse/parser.h"
#include "shard/program/name_resolution.h"

enum { MOST_STEPS = 500 };

/* ---- files ---- */

static int by_id(const void *a, const void *b)
{
	const struct file *x = *(struct file *const *)a, *y = *(struct file *const *)b;

	return (x->id > y->id) - (x->id < y->id);
}

struct file *join_by_id(const struct join *j, int64_t id)
{
	size_t lo = 0, hi = j->w->nfiles;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (j->by_id[mid]->id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < j->w->nfiles && j->by_id[lo]->id == id ? j->by_id[lo] : NULL;
}

struct file *join_by_path(const struct join *j, const char *path)
{
	size_t lo = 0, hi = j->w->nfiles;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int c = strcmp(j->w->files[mid].path, path);
		if (!c)
			return &j->w->files[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

static void reading_free(struct reading *r)
{
	if (!r)
		return;
	struct arena *a = r->kept.tree.arena;
	spots_free(r->spots);
	kept_free(&r->kept);
	buf_free(r->text);
	arena_free(a);
}

void join_forget(struct join *j)
{
	for (unsigned age = 64, last = 0; j->bytes > j->most && !last; last = !age, age /= 4)
		for (size_t i = 0; i < j->w->nfiles; i++) {
			struct reading *r = j->reading[i];
			if (!r || j->owners - r->asked < age)
				continue;
			j->bytes -= r->text->n;
			reading_free(r);
			j->reading[i] = NULL;
		}
}

void join_end(struct join *j)
{
	for (size_t i = 0; j->reading && i < j->w->nfiles; i++)
		reading_free(j->reading[i]);
	look_fini(&j->look);
	parser_free(j->own);
	free(j->by_id);
	free(j->reading);
}

static const struct other_files ask = {
	.read = joined_read,
	.name = joined_name,
	.constant = joined_constant,
	.lacks = joined_lacks,
	.module = joined_module,
	.path = joined_path,
	.callers = joined_callers,
	.setting = joined_setting,
	.base = joined_base,
	.derived = joined_derived,
	.type = joined_type,
	.mounts = joined_mounts,
	.named = joined_named,
	.binds = joined_binds,
	.globals = joined_globals,
};

int join_begin(struct join *j, struct join_work *w, const struct texts *texts, size_t number, struct err *e)
{
	*j = (struct join){ .head.ask = &ask, .db = w->db, .lock = &w->lock, .texts = texts, .e = e, .w = w->w, .binds = w->binds, .look.w = w->w };
	j->parser = number < texts->nparsers ? texts->parser[number] : (j->own = parser_new(e));
	if (!j->parser)
		return -1;
	j->by_id = calloc(j->w->nfiles + 1, sizeof *j->by_id);
	j->reading = calloc(j->w->nfiles + 1, sizeof *j->reading);
	if (!j->by_id || !j->reading)
		abort();
	for (size_t i = 0; i < j->w->nfiles; i++)
		j->by_id[i] = &j->w->files[i];
	qsort(j->by_id, j->w->nfiles, sizeof *j->by_id, by_id);
	return 0;
}

/* The text of a file; false: it cannot be had. */
static bool text_get(struct join *j, const struct file *f, struct buf *out)
{
	char blob[80] = "";
	struct stmt *s = db_prep(j->db, "select blob from files where id = ?", j->e);

	if (!s || db_bind(s, "i", f->id))
		return false;
	while (db_step(s, j->e) == 1)
		snprintf(blob, sizeof blob, "%s", db_str(s, 0));
	return *blob && !j->texts->get(j->texts->arg, f->path, blob, out);
}

/* The file, if its tree is in hand since it was parsed. */
static struct reading *read_held(struct join *j, const struct file *f)
{
	struct held_file h;

	if (!j->texts->held || !held_take(j->texts->held, f->path, &h))
		return NULL;
	const struct lang *l = lang_of(f->path, h.text.p, h.text.n);
	if (!l || !parser_adopt(j->parser, l, &h.kept)) {
		held_file_free(&h);
		return NULL;
	}
	struct reading *r = arena_one(h.a, struct reading);
	r->text = arena_one(h.a, struct buf);
	*r->text = h.text;
	r->kept = h.kept;
	r->spots = h.kept.spots;
	r->kept.spots = NULL;
	return r;
}

static struct reading *parse_again(struct join *j, const struct file *f)
{
	struct arena *a = arena_new();
	struct reading *r = arena_one(a, struct reading);

	r->text = arena_one(a, struct buf);
	join_lock(j);
	bool have = text_get(j, f, r->text);
	join_unlock(j);
	const struct lang *l = have ? lang_of(f->path, r->text->p, r->text->n) : NULL;
	if (!l || !parse_keep(j->parser, l, r->text->p, r->text->n, a, &r->kept)) {
		buf_free(r->text);
		arena_free(a);
		return NULL;
	}
	return r;
}

static struct reading *read_again(struct join *j, struct file *f)
{
	struct reading *r = read_held(j, f);

	if (!r && !(r = parse_again(j, f)))
		return NULL;
	r->t = &r->kept.tree;
	r->found = &r->kept.found;
	r->facts = &r->kept.facts;
	r->frameworks = r->kept.frameworks;
	r->file = f;
	j->bytes += r->text->n;
	return r;
}

struct reading *joined_read(struct join *j, struct file *f)
{
	look_note(&j->look, key_hash("b:", f->path, NULL));
	if (!j->reading[f->place])
		j->reading[f->place] = read_again(j, f);
	if (j->reading[f->place])
		j->reading[f->place]->asked = j->owners;
	return j->reading[f->place];
}

/* ---- names ---- */

struct look *join_look(struct join *j)
{
	j->look.steps = MOST_STEPS;
	j->look.depth = 0;
	j->look.cut = false;
	return &j->look;
}

int joined_name(struct join *j, struct reading *r, TSNode at, const char *chain, const struct sym **sym, struct file **file)
{
	int d = reading_definition(r, node_from(at), false);
	struct value v = { 0 };

	if (r->file->dialect && j->look.file->dialect)
		v = typing_expression(join_look(j), r->file, d, node_line(at), chain);
	if (v.what == IN_FILE && v.file) {
		*file = v.file;
		return 2;
	}
	if (v.what != SYMBOLS || !v.n)
		return 0;
	*sym = world_whole(j->w, v.v[0]);
	*file = file_of(&j->look, *sym);
	return 1;
}

struct term joined_constant(struct join *j, struct reading *r, const char *name)
{
	const struct sym *v[8], *one = NULL;
	struct term none = { 0 };
	size_t n = j && r->file && *name && j->look.file->dialect ? look_named(join_look(j), name, v, LEN(v)) : 0, held = 0;

	for (size_t i = 0; i < n && n <= LEN(v); i++)
		if (kind_holder(v[i]->kind) && !v[i]->test && held++ == 0)
			one = world_whole(j->w, v[i]);
	struct reading *in = held == 1 ? join_read(j, file_of(&j->look, one)) : NULL;
	if (!in || one->index < 0 || (size_t)one->index >= in->found->n)
		return none;
	const struct definition *d = &in->found->v[one->index].def;
	const struct binding *b = reading_binding(in->t, d->name, strlen(d->name), d->start_byte, d);
	return b ? (struct term){ in, b->value, NULL } : none;
}

bool joined_lacks(struct join *j, struct reading *r, const char *type, const char *method)
{
	const struct sym *v[8];
	size_t n = j && r->file && j->look.file->dialect ? look_named(join_look(j), type, v, LEN(v)) : 0;
	bool found = false;

	for (size_t i = 0; i < n && n <= LEN(v); i++) {
		if ((!kind_type(v[i]->kind) && v[i]->kind != KIND_module) || v[i]->test)
			continue;
		struct reading *in = join_read(j, file_of(&j->look, v[i]));
		const char *member = arena_printf(j->look.a, "%s.%s", type, method);
		size_t len = strlen(member);
		found = true;
		for (size_t k = 0; in && k < in->found->n; k++) {
			const char *name = in->found->v[k].def.qualified;
			size_t have = strlen(name);
			if (have >= len && !strcmp(name + have - len, member))
				return false;
		}
	}
	return found;
}

struct file *joined_module(struct join *j, struct reading *r, const char *module)
{
	struct value v = { 0 };

	if (r->file->dialect && j->look.file->dialect)
		v = module_find(join_look(j), r->file, arena_str(j->look.a, module), false);
	return v.what == IN_FILE ? v.file : NULL;
}

struct file *joined_path(struct join *j, struct reading *r, const char *path)
{
	struct value v = { 0 };

	path += !strncmp(path, "{}", 2) ? 2 : 0;	/* __DIR__ */
	path += *path == '/';
	if (*path && j && r->file && r->file->dialect && j->look.file->dialect)
		v = module_find(join_look(j), r->file, arena_str(j->look.a, path), true);
	return v.what == IN_FILE ? v.file : NULL;
}
