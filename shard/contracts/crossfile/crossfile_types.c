#include "shard/contracts/crossfile/crossfile_internal.h"

#include <stdio.h>

#include "proto/base/arena.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/program/name_resolution.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/symbol_store.h"

enum { SURE_BASE = 50 };

/* ---- types of which others are derived ---- */

/* The file of a symbol, read again, and the symbol's index there; -1: it cannot be read, or is no type. */
static int type_in(struct join *j, const struct sym *s, struct reading **in)
{
	s = world_whole(j->w, s);
	*in = kind_type(s->kind) ? join_read(j, file_of(&j->look, s)) : NULL;
	return *in && s->index >= 0 && (size_t)s->index < (*in)->found->n ? s->index : -1;
}

bool joined_base(struct join *j, struct reading *r, int type, size_t i, struct reading **in, int *base)
{
	const struct unit *u = r->file && r->file->dialect ? world_unit(j->w, r->file) : NULL;
	const struct base *b;
	struct value v = { 0 };

	*base = -1;
	if (!u || (size_t)type >= u->n || !j->look.file->dialect || !inherit_base(join_look(j), &u->v[type], i, &v, &b))
		return false;
	if (v.what == SYMBOLS && v.n && v.confidence >= SURE_BASE)
		*base = type_in(j, v.v[0], in);
	return true;
}

/* The definition of a file that an edge starts at, or -1. */
static int source_of(struct join *j, struct file *f, const struct stored_edge *e)
{
	const struct unit *u = world_unit(j->w, f);

	for (size_t i = 0; i < u->n; i++)
		if (u->v[i].number == symbol_number(e->source))
			return (int)i;
	return -1;
}

size_t joined_derived(struct join *j, struct reading *r, int type, struct of_type *out, size_t max)
{
	const struct unit *u = r->file ? world_unit(j->w, r->file) : NULL;
	struct stored_edges edges;
	size_t nfiles = 0, n = 0;
	char number[24];

	if (!u || type < 0 || (size_t)type >= u->n)
		return 0;
	int64_t id = symbol_id(r->file->id, u->v[type].number);
	snprintf(number, sizeof number, "%lld", (long long)id);
	look_note(&j->look, key_hash("c:", number, NULL));
	struct file **files = join_files_into(j, r->file, j->look.a, &nfiles);
	for (size_t i = 0; i < nfiles && n < max && !join_edges_from(j, files[i], j->look.a, &edges); i++)
		for (size_t k = 0; k < edges.n && n < max; k++) {
			const struct stored_edge *e = &edges.v[k];
			if ((e->kind != EDGE_EXTENDS && e->kind != EDGE_IMPLEMENTS) || e->target != id || e->confidence < SURE_BASE)
				continue;
			struct reading *in = join_read(j, files[i]);
			int source = in ? source_of(j, files[i], e) : -1;
			if (source >= 0 && (size_t)source < in->found->n)
				out[n++] = (struct of_type){ in, source };
		}
	return n;
}

int joined_type(struct join *j, struct reading *r, TSNode at, const char *chain, struct reading **in)
{
	int d = reading_definition(r, node_from(at), false);
	struct value v = { 0 };

	if (r->file && r->file->dialect && j->look.file->dialect)
		v = typing_object(join_look(j), typing_expression(join_look(j), r->file, d, node_line(at), chain));
	return v.what == OBJECT && v.n == 1 && v.confidence >= SURE_BASE ? type_in(j, v.v[0], in) : -1;
}
