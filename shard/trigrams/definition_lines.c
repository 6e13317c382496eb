#include "shard/trigrams/definition_lines.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/pattern/pattern.h"

enum { NAME_LINES = 10 }; /* the name stands in one of the first lines of a definition */

/* ---- in the index ---- */

static void add(struct map *found, struct stmt *s, struct arena *a)
{
	struct definition *d = arena_one(a, struct definition);
	void **first = map_at(found, db_str(s, 0));

	*d = (struct definition){ .name = db_copy_text(s, 1, a),
		.line = (size_t)db_int(s, 2),
		.end_line = (size_t)db_int(s, 3),
		.next = *first };
	*first = d;
}

struct map *named_definitions_find(
    struct db *db, struct pattern_matcher *m, size_t *left, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select f.path, s.name, s.start_line, s.end_line from files f join symbols s on s.file = f.id"
	    " where s.kind <> 'section'",
	    e);
	struct map *found = map_new();
	size_t start, end;
	int rc = -1, match = PATTERN_NONE;

	while (s && match != PATTERN_STOPPED && (rc = db_step(s, e)) == 1) {
		const char *name = db_str(s, 1);
		match = pattern_next(m, name, strlen(name), 0, &start, &end);
		if (match != PATTERN_FOUND)
			continue;
		if (!*left) {
			err_set(e, ERR_INVALID_INPUT,
			    "query: its sym: filters find too many definitions; write narrower expressions");
			break;
		}
		add(found, s, a);
		--*left;
	}
	if (!rc)
		return found;
	map_free(found);
	return NULL;
}

/* ---- in a text ---- */

/* Where each line begins, and how many there are. */
struct text_places {
	const char *text;
	size_t n, *starts, lines;
};

static struct text_places find_places(const char *text, size_t n, struct arena *a)
{
	struct text_places p = { .text = text, .n = n };
	size_t newlines = 0;

	for (size_t i = 0; i < n; i++)
		newlines += text[i] == '\n';
	p.starts = arena_many(a, newlines + 2, size_t);
	for (size_t at = 0; at < n;) {
		const char *newline = memchr(text + at, '\n', n - at);
		p.starts[p.lines++] = at;
		at = newline ? (size_t)(newline - text) + 1 : n;
	}
	p.starts[p.lines] = n;
	return p;
}

/* Line `line` without its newline. */
static struct matching_line line_at(const struct text_places *p, size_t line)
{
	size_t from = p->starts[line - 1], to = p->starts[line];

	if (to > from && p->text[to - 1] == '\n')
		to--;
	return (struct matching_line){ .line = line, .text = p->text + from, .n = to - from };
}

/* The line of a definition: the first with its name, else the one where it begins. */
static struct matching_line line_of(const struct text_places *p, const struct definition *d)
{
	size_t last = MIN(MIN(d->end_line, d->line + NAME_LINES), p->lines);

	for (size_t line = d->line; *d->name && line <= last; line++) {
		struct matching_line x = line_at(p, line);
		const char *name = memmem(x.text, x.n, d->name, strlen(d->name));
		if (!name)
			continue;
		x.match = (size_t)(name - x.text);
		x.length = strlen(d->name);
		return x;
	}
	return line_at(p, d->line);
}

static int by_place(const void *a, const void *b)
{
	const struct matching_line *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->match > y->match) - (x->match < y->match);
}

static void keep_one_a_line(struct line_list *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (!n || l->v[n - 1].line != l->v[i].line)
			l->v[n++] = l->v[i];
	l->n = n;
}

struct line_list definition_lines(
    const struct definition *first, const char *text, size_t n, struct arena *a)
{
	struct text_places p = find_places(text, n, a);
	struct line_list out = { 0 };
	size_t most = 0;

	for (const struct definition *d = first; d; d = d->next)
		most++;
	out.v = arena_many(a, most + 1, struct matching_line);
	for (const struct definition *d = first; d; d = d->next)
		if (d->line && d->line <= p.lines)
			out.v[out.n++] = line_of(&p, d);
	if (out.n)
		qsort(out.v, out.n, sizeof *out.v, by_place);
	keep_one_a_line(&out);
	return out;
}
