#include "shard/graph/scip/scip_overlay_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"

/* ---- what the SCIP index defines ---- */

/* The document's file: below the folder of the index, else from the root. */
static struct overlay_file *doc_of(struct scip_overlay *p, const char *folder, const char *path)
{
	const char *below = arena_printf(p->a, "%s%s", folder, path);
	struct overlay_file *d = map_get(p->docs, below);
	bool first = d || !map_get(p->docs, path);
	void **at = map_at(p->docs, first ? below : path);

	if (!*at) {
		*at = arena_one(p->a, struct overlay_file);
		((struct overlay_file *)*at)->path = below;
	}
	d = *at;
	if (*folder) {
		if (first)
			d->other = arena_str(p->a, path);
		else
			d->other = below;
	}
	return d;
}

static void add_definitions(
    struct scip_overlay *p, struct overlay_file *d, const struct scip_document *x)
{
	for (size_t i = 0; i < x->occurrences.n; i++) {
		const struct scip_occurrence *o = &x->occurrences.v[i];
		if (!o->definition || scip_is_local(o->symbol))
			continue;
		*map_at(p->packages, arena_strn(p->a, o->symbol, scip_package_length(o->symbol))) = p;
		d->places.v = grow(d->places.v, &d->places.cap, d->places.n + 1, sizeof *d->places.v);
		d->places.v[d->places.n++] = (struct scip_definition){
			.symbol = arena_str(p->a, o->symbol),
			.line = o->line,
			.start = o->start,
			.end = o->end,
			.doc = d,
		};
	}
}

static int read_documents(struct scip_overlay *p, const char *folder, struct err *e)
{
	struct arena *a = arena_new();
	struct scip_document x;
	int rc = 0;

	for (size_t i = 0; !rc && i < scip_document_count(p->scip); i++) {
		arena_reset(a);
		rc = scip_document(p->scip, i, a, &x, e);
		if (rc)
			break;
		struct overlay_file *d = doc_of(p, folder, x.path);
		d->column = x.column;
		d->parts.v = grow(d->parts.v, &d->parts.cap, d->parts.n + 1, sizeof *d->parts.v);
		d->parts.v[d->parts.n++] = i;
		add_definitions(p, d, &x);
	}
	arena_free(a);
	return rc;
}

/* Chain the places of each symbol, once no array of places grows any more. */
static void chain_symbols(struct scip_overlay *p)
{
	for (size_t i = 0; i < map_len(p->docs); i++) {
		struct overlay_file *d = map_val(p->docs, i);
		for (size_t k = 0; k < d->places.n; k++) {
			void **at = map_at(p->symbols, d->places.v[k].symbol);
			d->places.v[k].next = *at;
			*at = &d->places.v[k];
		}
	}
}

static int read_files(struct scip_overlay *p, struct err *e)
{
	struct stmt *s = db_prep(p->db, "select path, id, blob, test from files order by path", e);
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1) {
		struct overlay_file *d = arena_one(p->a, struct overlay_file);
		*map_at(p->docs, db_str(s, 0)) = d;
		d->path = arena_str(p->a, db_str(s, 0));
		d->file = db_int(s, 1);
		snprintf(d->blob, sizeof d->blob, "%s", db_str(s, 2));
		d->test = db_int(s, 3);
	}
	return rc;
}

int scip_overlay_begin(struct scip_overlay *p, struct db *db, struct repo *repo,
    const struct scip *scip, const char *folder, struct err *e)
{
	*p = (struct scip_overlay){
		.db = db,
		.repo = repo,
		.scip = scip,
		.a = arena_new(),
		.docs = map_new(),
		.symbols = map_new(),
		.packages = map_new(),
	};
	snprintf(p->reason, sizeof p->reason, "scip:%s", scip_tool(scip));
	if (read_files(p, e) || read_documents(p, folder, e))
		return -1;
	chain_symbols(p);
	return 0;
}

void scip_overlay_end(struct scip_overlay *p)
{
	for (size_t i = 0; i < map_len(p->docs); i++) {
		struct overlay_file *d = map_val(p->docs, i);
		free(d->parts.v);
		free(d->places.v);
	}
	map_free(p->docs);
	map_free(p->symbols);
	map_free(p->packages);
	arena_free(p->a);
}

/* ---- texts ---- */

/* The length of a character of UTF-8 by its first byte. */
static size_t utf8_length(unsigned char c)
{
	if (c < 0xc0)
		return 1;
	if (c < 0xe0)
		return 2;
	if (c < 0xf0)
		return 3;
	return 4;
}

/* How many bytes the first `units` of a column unit take, at most `n`. */
static size_t bytes_of(const char *s, size_t n, uint32_t units, enum scip_column column)
{
	size_t i = 0;

	if (column == SCIP_UTF8)
		return MIN(units, n);
	while (i < n && units) {
		size_t len = utf8_length((unsigned char)s[i]);
		uint32_t width = 1;
		if (len == 4 && column == SCIP_UTF16)
			width = 2;
		if (width > units)
			break;
		units -= width;
		i += len;
	}
	return MIN(i, n);
}

bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

bool source_text_word(const struct scip_source_text *s, uint32_t line, uint32_t start, uint32_t end,
    size_t *from, size_t *to)
{
	if (line > s->lines.n)
		return false;
	size_t begin = s->lines.v[line - 1], n = s->lines.v[line] - begin;
	const char *t = s->text.p + begin;
	*from = begin + bytes_of(t, n, start, s->column);
	*to = begin + bytes_of(t, n, end, s->column);
	if (*from >= *to || (*to < s->text.n && in_word(s->text.p[*to])))
		return false;
	if (*from > begin && in_word(s->text.p[*from]) && in_word(s->text.p[*from - 1]))
		return false;
	for (size_t i = *from + (s->text.p[*from] == '#'); i < *to; i++)
		if (!in_word(s->text.p[i]))
			return false;
	return true;
}

bool same_word(const char *text, size_t n, const char *name)
{
	if (*name == '#' && n && *text != '#')
		name++;
	return strlen(name) == n && !memcmp(text, name, n);
}

int source_text_read(struct scip_overlay *p, const struct overlay_file *d, struct arena *a,
    struct scip_source_text *s)
{
	*s = (struct scip_source_text){ .column = d->column };
	if (repo_blob(p->repo, d->blob, &s->text, NULL))
		return -1;
	if (!s->text.p)
		buf_str(&s->text, "");
	s->lines = text_lines(s->text.p, s->text.n, SIZE_MAX, a);
	return 0;
}

/* ---- documents and what they define ---- */

/*
 * Whether each definition with a plain name is where the SCIP index expects it; otherwise the index
 * saw another text.
 */
static bool fits(const struct overlay_file *d, const struct scip_source_text *s, struct arena *a)
{
	size_t from, to;

	for (size_t i = 0; i < d->places.n; i++) {
		const struct scip_definition *x = &d->places.v[i];
		const char *name = scip_name(x->symbol, a);
		if (!name)
			continue;
		if (!source_text_word(s, x->line, x->start, x->end, &from, &to))
			return false;
		if (!same_word(s->text.p + from, to - from, name))
			return false;
	}
	return true;
}

static int read_nodes(struct scip_overlay *p, struct overlay_file *d, struct err *e)
{
	struct stmt *s = db_prep(p->db,
	    "select id, parent, name, qualified, kind, start_line, end_line, start_byte, end_byte, test"
	    " from symbols where file = ? order by start_byte, end_byte desc, qualified, kind, ordinal",
	    e);
	struct overlay_definition *v = NULL;
	size_t n = 0, cap = 0;
	int rc = -1;

	if (s)
		rc = db_bind(s, "i", d->file);
	while (!rc && (rc = db_step(s, e)) == 1) {
		v = grow(v, &cap, n + 1, sizeof *v);
		v[n++] = (struct overlay_definition){ db_int(s, 0), db_int(s, 1),
			arena_str(p->a, db_str(s, 2)), arena_str(p->a, db_str(s, 3)), kind_of(db_str(s, 4)),
			(uint32_t)db_int(s, 5), (uint32_t)db_int(s, 6), (uint32_t)db_int(s, 7),
			(uint32_t)db_int(s, 8), db_int(s, 9), d };
		rc = 0;
	}
	d->nodes.v = arena_many(p->a, n + 1, struct overlay_definition);
	if (n)
		memcpy(d->nodes.v, v, n * sizeof *v);
	d->nodes.n = n;
	free(v);
	return rc;
}

struct overlay_definition *overlay_file_enclosing(
    const struct overlay_file *d, size_t byte, const char *name, size_t nname)
{
	struct overlay_definition *found = NULL;

	for (size_t i = 0; i < d->nodes.n && d->nodes.v[i].start_byte <= byte; i++) {
		struct overlay_definition *x = &d->nodes.v[i];
		if (byte < x->end_byte && (!name || same_word(name, nname, x->name)))
			found = x;
	}
	return found;
}

struct overlay_definition *overlay_file_definition(const struct overlay_file *d, int64_t id)
{
	for (size_t i = 0; i < d->nodes.n; i++)
		if (d->nodes.v[i].id == id)
			return &d->nodes.v[i];
	return NULL;
}

static void find_nodes(struct overlay_file *d, const struct scip_source_text *s, struct arena *a)
{
	size_t from, to;

	for (size_t i = 0; i < d->places.n; i++) {
		struct scip_definition *x = &d->places.v[i];
		if (scip_name(x->symbol, a) && source_text_word(s, x->line, x->start, x->end, &from, &to))
			x->node = overlay_file_enclosing(d, from, s->text.p + from, to - from);
	}
}

int overlay_file_load(struct scip_overlay *p, struct overlay_file *d, struct err *e)
{
	struct scip_source_text s = { 0 };
	int rc = 0;

	if (d->loaded)
		return 0;
	d->loaded = true;
	struct arena *a = arena_new();
	d->fits = d->file && !source_text_read(p, d, a, &s) && fits(d, &s, a);
	if (d->fits) {
		rc = read_nodes(p, d, e);
		if (!rc)
			find_nodes(d, &s, a);
	}
	buf_free(&s.text);
	arena_free(a);
	return rc;
}
