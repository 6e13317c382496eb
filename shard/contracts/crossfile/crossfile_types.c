#include "shard/contracts/crossfile/crossfile_internal.h"

#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/program/name_resolution.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/symbol_store.h"

enum { SURE_BASE = 50 };

/* ---- types of which others are derived ---- */

/*
 * The file of a symbol, read again, and the symbol's index there; -1: it cannot be read, or is no
 * type.
 */
static int type_in(struct crossfile *j, const struct sym *s, struct contract_file **in)
{
	s = program_load_symbol(j->w, s);
	if (kind_is_type(s->kind))
		*in = other_files_read(j, sym_file(&j->look, s));
	else
		*in = NULL;
	if (*in && s->index >= 0 && (size_t)s->index < (*in)->found->n)
		return s->index;
	return -1;
}

bool crossfile_base_type(struct crossfile *j, struct contract_file *r, int type, size_t i,
    struct contract_file **in, int *base)
{
	const struct file_symbols *u = NULL;
	const struct base_type *b;
	struct resolved_value v = { 0 };

	if (r->file && r->file->dialect)
		u = program_file_symbols(j->w, r->file);
	*base = -1;
	if (!u || (size_t)type >= u->n || !j->look.file->dialect ||
	    !inherit_base(crossfile_resolver(j), &u->v[type], i, &v, &b))
		return false;
	if (v.what == RESOLVED_SYMBOLS && v.n && v.confidence >= SURE_BASE)
		*base = type_in(j, v.v[0], in);
	return true;
}

/* The definition of a file that an edge starts at, or -1. */
static int source_of(struct crossfile *j, struct source_file *f, const struct stored_edge *e)
{
	const struct file_symbols *u = program_file_symbols(j->w, f);

	for (size_t i = 0; i < u->n; i++)
		if (u->v[i].number == symbol_number(e->source))
			return (int)i;
	return -1;
}

/* The types that are derived from one: at most MOST_CACHED of them. */
enum { MOST_CACHED = 64 };
struct cached_derived {
	const struct source_file *file;
	int type;
	struct type_ref v[MOST_CACHED];
	size_t n;
	struct cached_derived *next;
};

/* Read them from the edges of the files that refer to the type's; `a` is for what is read. */
static size_t read_derived_types(struct crossfile *j, struct source_file *file, int64_t id,
    struct type_ref *out, struct arena *a)
{
	struct stored_edges edges;
	size_t nfiles = 0, n = 0, max = MOST_CACHED;
	struct source_file **files = crossfile_referring_files(j, file, a, &nfiles);

	for (size_t i = 0; i < nfiles && n < max && !crossfile_edges_from(j, files[i], a, &edges); i++)
		for (size_t k = 0; k < edges.n && n < max; k++) {
			const struct stored_edge *e = &edges.v[k];
			if ((e->kind != EDGE_EXTENDS && e->kind != EDGE_IMPLEMENTS) || e->target != id ||
			    e->confidence < SURE_BASE)
				continue;
			struct contract_file *in = other_files_read(j, files[i]);
			int source = -1;
			if (in)
				source = source_of(j, files[i], e);
			if (source >= 0 && (size_t)source < in->found->n)
				out[n++] = (struct type_ref){ in, source };
		}
	return n;
}

static struct cached_derived *derived_types(struct crossfile *j, struct source_file *file, int type)
{
	struct cached_derived *x = j->derived;
	char number[24];

	while (x && (x->file != file || x->type != type))
		x = x->next;
	if (x)
		return x;
	int64_t id = symbol_id(file->id, program_file_symbols(j->w, file)->v[type].number);
	snprintf(number, sizeof number, "%lld", (long long)id);
	resolver_record_key(&j->look, key_hash("c:", number, NULL));
	x = arena_one(j->look.a, struct cached_derived);
	x->file = file;
	x->type = type;
	struct arena *a = arena_new();
	x->n = read_derived_types(j, file, id, x->v, a);
	arena_free(a);
	x->next = j->derived;
	j->derived = x;
	return x;
}

size_t crossfile_derived_types(
    struct crossfile *j, struct contract_file *r, int type, struct type_ref *out, size_t max)
{
	const struct file_symbols *u = NULL;

	if (r->file)
		u = program_file_symbols(j->w, r->file);
	if (!u || type < 0 || (size_t)type >= u->n)
		return 0;
	const struct cached_derived *x = derived_types(j, r->file, type);
	size_t n = MIN(x->n, max);
	memcpy(out, x->v, n * sizeof *out);
	return n;
}

/* The type that a declaration names, without its arguments. */
static struct resolved_value declared_type(struct crossfile *j, const struct resolved_value *of)
{
	const char *name = arena_strn(j->look.a, of->text, strcspn(of->text, "<"));

	return infer_named_type(crossfile_resolver(j), of->file, of->definition, name);
}

int crossfile_object_type(struct crossfile *j, struct contract_file *r, TSNode at,
    const char *chain, struct contract_file **in)
{
	int d = enclosing_definition(r, node_start_byte(at), false);
	struct resolved_value v = { 0 };

	if (r->file && r->file->dialect && j->look.file->dialect)
		v = infer_instance(crossfile_resolver(j),
		    infer_expression(crossfile_resolver(j), r->file, d, node_line(at), chain));
	if (v.what == RESOLVED_TYPE_TEXT)
		v = declared_type(j, &v);
	bool known = v.what == RESOLVED_INSTANCE || v.what == RESOLVED_SYMBOLS;	/* or the type itself */
	if (known && v.n == 1 && v.confidence >= SURE_BASE)
		return type_in(j, v.v[0], in);
	return -1;
}
