#include "shard/graph/scip/scip.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "shard/graph/scip/scip.pb-c.h"

enum { DEFINITION = 1, PLACE = 4, LINES = 1 << 30, COLUMNS = 1 << 24 };

struct scip {
	struct arena *a;
	ScipPb__Index *index;
	const char *tool;
};

/* ---- protobuf-c takes its memory from an arena, with a bound ---- */

static void *take(void *arena, size_t n)
{
	if (n > SCIP_MAX_BYTES || arena_used(arena) > SCIP_MAX_BYTES)
		return NULL;
	return arena_get(arena, MAX(n, 1), 1);
}

static void leave(void *arena, void *p)
{
	(void)arena;
	(void)p;
}

static ProtobufCAllocator from(struct arena *a)
{
	return (ProtobufCAllocator){ take, leave, a };
}

/* ---- the index ---- */

static const char *clean_tool(const char *name, struct arena *a)
{
	char *s = arena_strn(a, name, strnlen(name, 60));

	for (char *p = s; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("-_.", *p))
			*p = '-';
	return s;
}

struct scip *scip_open(const void *bytes, size_t n, struct err *e)
{
	struct arena *a = arena_new();
	struct scip *s = arena_one(a, struct scip);
	ProtobufCAllocator memory = from(a);

	s->a = a;
	if (n > SCIP_MAX_BYTES)
		s->index = NULL;
	else
		s->index = scip_pb__index__unpack(&memory, n, bytes);
	if (!s->index || !s->index->n_documents) {
		err_set(e, ERR_INVALID_INPUT, "no SCIP index of at most %d MB with documents",
		    SCIP_MAX_BYTES >> 20);
		arena_free(a);
		return NULL;
	}
	const ScipPb__Metadata *m = s->index->metadata;
	if (m && m->tool_info && *m->tool_info->name)
		s->tool = clean_tool(m->tool_info->name, a);
	else
		s->tool = "unknown";
	return s;
}

void scip_close(struct scip *s)
{
	if (s)
		arena_free(s->a);
}

const char *scip_tool(const struct scip *s)
{
	return s->tool;
}

size_t scip_document_count(const struct scip *s)
{
	return s->index->n_documents;
}

/* ---- a document ---- */

/* Whether a range is on one line: [line, start, end] or [line, start, line, end], from 0. */
static bool is_one_line(const ScipPb__Occurrence *o)
{
	if (o->n_range == PLACE)
		return o->range[2] == o->range[0];
	return o->n_range == PLACE - 1;
}

/* Read an occurrence; false if it cannot be that of a name. */
static bool place(const ScipPb__Occurrence *o, struct scip_occurrence *out)
{
	const int32_t *r = o->range;

	if (!*o->symbol || !is_one_line(o))
		return false;
	int32_t line = r[0], start = r[1], end = r[o->n_range - 1];
	if (line < 0 || line >= LINES)
		return false;
	if (start < 0 || end <= start || end > COLUMNS)
		return false;
	*out = (struct scip_occurrence){
		.symbol = o->symbol,
		.line = (uint32_t)line + 1,
		.start = (uint32_t)start,
		.end = (uint32_t)end,
		.definition = o->symbol_roles & DEFINITION,
	};
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct scip_occurrence *x = a, *y = b;

	if (x->line != y->line)
		return (x->line > y->line) - (x->line < y->line);
	if (x->start != y->start)
		return (x->start > y->start) - (x->start < y->start);
	if (x->end != y->end)
		return (x->end > y->end) - (x->end < y->end);
	return strcmp(x->symbol, y->symbol);
}

static void take_occurrences(const ScipPb__Document *d, struct arena *a, struct scip_document *out)
{
	out->occurrences.v = arena_many(a, d->n_occurrences + 1, struct scip_occurrence);
	for (size_t i = 0; i < d->n_occurrences; i++)
		out->occurrences.n += place(d->occurrences[i], &out->occurrences.v[out->occurrences.n]);
	qsort(out->occurrences.v, out->occurrences.n, sizeof *out->occurrences.v, by_place);
}

static void take_relations(const ScipPb__Document *d, struct arena *a, struct scip_document *out)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_symbols; i++)
		n += d->symbols[i]->n_relationships;
	out->relations.v = arena_many(a, n + 1, struct scip_relation);
	for (size_t i = 0; i < d->n_symbols; i++) {
		const ScipPb__Symbol *s = d->symbols[i];
		for (size_t r = 0; r < s->n_relationships; r++) {
			const ScipPb__Relationship *x = s->relationships[r];
			if (x->is_implementation)
				out->relations.v[out->relations.n++] = (struct scip_relation){
					s->symbol, x->symbol
				};
		}
	}
}

int scip_document(
    const struct scip *s, size_t i, struct arena *a, struct scip_document *out, struct err *e)
{
	/*
	 * position_encoding: 1 UTF-8, 2 UTF-16, 3 UTF-32.  Indexers that do not set it count in UTF-16,
	 * as editors do.
	 */
	static const enum scip_column columns[] = { SCIP_UTF16, SCIP_UTF8, SCIP_UTF16, SCIP_UTF32 };
	ProtobufCBinaryData bytes = s->index->documents[i];
	ProtobufCAllocator memory = from(a);
	ScipPb__Document *d = scip_pb__document__unpack(&memory, bytes.len, bytes.data);

	*out = (struct scip_document){ 0 };
	if (!d)
		return err_set(
		    e, ERR_INVALID_INPUT, "document %zu of the SCIP index is broken or too large", i);
	out->path = d->relative_path;
	out->column = columns[0];
	if (d->position_encoding > 0 && d->position_encoding <= 3)
		out->column = columns[d->position_encoding];
	take_occurrences(d, a, out);
	take_relations(d, a, out);
	return 0;
}

/* ---- symbols ---- */

bool scip_is_local(const char *symbol)
{
	return !strncmp(symbol, "local ", 6);
}

/*
 * One past the field that begins at `s`.  A field ends with a space; two spaces stand for one that
 * belongs to the field.
 */
static const char *field_end(const char *s)
{
	for (; *s; s++) {
		if (*s != ' ')
			continue;
		if (s[1] != ' ')
			return s + 1;
		s++;
	}
	return s;
}

size_t scip_package_length(const char *symbol)
{
	const char *s = symbol;

	for (int i = 0; i < 4; i++)
		s = field_end(s);
	return (size_t)(s - symbol);
}

static bool is_word_byte(unsigned char c)
{
	return c >= 0x80 || isalnum(c) || c == '_' || c == '$';
}

static bool is_word(const char *s, size_t n)
{
	size_t i = n && s[0] == '#';	/* a private name of JavaScript */

	while (i < n && is_word_byte((unsigned char)s[i]))
		i++;
	return n && i == n;
}

/* Where the descriptor's suffix begins: `#`, `.`, or `(…).`; NULL for other kinds. */
static const char *suffix(const char *begin, const char *end)
{
	if (end == begin || (end[-1] != '#' && end[-1] != '.'))
		return NULL;
	end--;
	if (*end == '.' && end > begin && end[-1] == ')')
		while (end > begin && *end != '(')
			end--;
	if (end == begin)
		return NULL;
	return end;
}

/* Where the descriptor's name begins, if it ends before `end` and is not in backticks. */
static const char *plain_name(const char *begin, const char *end)
{
	while (end > begin && (isalnum((unsigned char)end[-1]) || strchr("_$+-", end[-1])))
		end--;
	return end;
}

const char *scip_name(const char *symbol, struct arena *a)
{
	if (scip_is_local(symbol))
		return NULL;
	const char *begin = symbol + scip_package_length(symbol),
	           *end = suffix(begin, begin + strlen(begin)), *s;
	if (!end)
		return NULL;
	if (end[-1] == '`') {
		end--;
		s = end;
		while (s > begin && s[-1] != '`')
			s--;
		if (!strncmp(s, "<constructor>`", 14))
			return "constructor";
	} else {
		s = plain_name(begin, end);
	}
	if (!is_word(s, (size_t)(end - s)))
		return NULL;
	return arena_strn(a, s, (size_t)(end - s));
}
