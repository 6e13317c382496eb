#include "shard/trigrams/file_query.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/pattern/grams.h"
#include "proto/pattern/pattern.h"
#include "shard/trigrams/definition_lines.h"

enum { MAX_DEFINITIONS = 1000000 }; /* that all sym: find together: some 100 MB */

/* Their order makes ALL the smallest and ONE the largest of the parts. */
enum truth { NO, MAYBE, YES };

struct atom {
	const struct query_node *node;
	struct pattern *pattern; /* NULL: a language */
	struct pattern_matcher *matcher; /* NULL until it is needed */
	struct map *definitions; /* of SYM, by path */
	/* In the file that is searched: */
	bool begun, shown;
	int state; /* of `line`: 1 it is there, 0 there is none, -1 stopped */
	struct matching_lines lines;
	struct line_list defined; /* of SYM: those left */
	struct matching_line line;
};

struct file_query {
	const struct search_query *query;
	struct query_options options;
	struct atom *atoms;
	size_t natoms;
	bool (*stop)(void *);
	void *arg;
	bool stopped;
	struct searched_file file;
	bool reads; /* the text is there; else path and language are all that is known */
	bool any_language;
	uint64_t told; /* the last line that was reported */
	struct line_span *spans; /* of a line; NULL until they are asked for */
	struct arena *a, *scratch; /* scratch: of the file */
};

/* ---- a query ---- */

static int prepare_atom(void *arg, const struct query_node *node)
{
	struct file_query *f = ((void **)arg)[0];
	struct err *e = ((void **)arg)[1];
	struct atom *atom = &f->atoms[node->atom];

	atom->node = node;
	f->natoms = MAX(f->natoms, node->atom + 1);
	if (node->kind == QUERY_LANG)
		return 0;
	if (node->kind == QUERY_REPO)
		return err_set(e, ERR_INVALID_INPUT,
		    "query: column %zu: repo: is decided by the coordinator; leave it out", node->column);
	atom->pattern = query_atom_pattern(f->query, node, &f->options, e);
	return atom->pattern ? 0 : -1;
}

struct file_query *file_query_new(const struct search_query *q, const struct query_options *options,
    bool (*stop)(void *), void *arg, struct err *e)
{
	struct file_query *f = xcalloc(1, sizeof *f);

	*f = (struct file_query){ .query = q, .options = *options, .stop = stop, .arg = arg };
	f->a = arena_new();
	f->scratch = arena_new();
	f->atoms = arena_many(f->a, q->natoms + 1, struct atom);
	if (!search_query_each(q, prepare_atom, (void *[]){ f, e }))
		return f;
	file_query_free(f);
	return NULL;
}

void file_query_free(struct file_query *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->query->natoms; i++) {
		pattern_matcher_free(f->atoms[i].matcher);
		pattern_free(f->atoms[i].pattern);
		map_free(f->atoms[i].definitions);
	}
	arena_free(f->a);
	arena_free(f->scratch);
	free(f);
}

static struct pattern_matcher *matcher(struct file_query *f, struct atom *atom)
{
	if (!atom->matcher)
		atom->matcher = pattern_matcher_new(atom->pattern, f->stop, f->arg);
	return atom->matcher;
}

int file_query_find_definitions(struct file_query *f, struct db *db, struct err *e)
{
	size_t left = MAX_DEFINITIONS;

	for (size_t i = 0; i < f->natoms; i++) {
		struct atom *atom = &f->atoms[i];
		if (!atom->node || atom->node->kind != QUERY_SYM)
			continue;
		atom->definitions = named_definitions_find(db, matcher(f, atom), &left, f->a, e);
		if (!atom->definitions)
			return e->code ? -1 : 1;
	}
	return 0;
}

/* ---- trigrams ---- */

static const struct gram_query *grams(struct file_query *f, const struct query_node *node)
{
	static const struct gram_query any = { .kind = GRAM_QUERY_ANY };
	bool all = node->kind == QUERY_ALL;

	if (node->kind == QUERY_TEXT)
		return pattern_grams(f->atoms[node->atom].pattern);
	if (!all && node->kind != QUERY_ONE)
		return &any;
	const struct gram_query **parts = arena_many(f->a, node->nparts, const struct gram_query *);
	struct gram_query *q = arena_one(f->a, struct gram_query);
	*q = (struct gram_query){ .kind = all ? GRAM_QUERY_ALL : GRAM_QUERY_ONE, .parts = parts };
	for (size_t i = 0; i < node->nparts; i++) {
		const struct gram_query *part = grams(f, node->parts[i]);
		if (part->kind != GRAM_QUERY_ANY)
			parts[q->nparts++] = part;
		else if (!all)
			return &any;
	}
	return q->nparts ? q : &any;
}

const struct gram_query *file_query_grams(struct file_query *f)
{
	return grams(f, f->query->root);
}

/* ---- truth ---- */

static enum truth truth_of(bool holds)
{
	return holds ? YES : NO;
}

static enum truth path_truth(struct file_query *f, struct atom *atom)
{
	const char *path = f->file.path;
	size_t start, end;
	int rc = pattern_next(matcher(f, atom), path, strlen(path), 0, &start, &end);

	f->stopped |= rc == PATTERN_STOPPED;
	return truth_of(rc == PATTERN_FOUND);
}

static enum truth language_truth(const struct file_query *f, const struct atom *atom)
{
	if (f->any_language)
		return MAYBE;
	return truth_of(f->file.language && !strcmp(f->file.language, atom->node->text));
}

static void advance(struct atom *atom)
{
	if (atom->node->kind == QUERY_TEXT) {
		atom->state = matching_lines_next(&atom->lines, &atom->line);
		return;
	}
	atom->state = atom->defined.n > 0;
	if (!atom->state)
		return;
	atom->line = *atom->defined.v++;
	atom->defined.n--;
}

static enum truth text_truth(struct file_query *f, struct atom *atom)
{
	if (!f->reads)
		return MAYBE;
	if (!atom->begun) {
		atom->begun = true;
		matching_lines_begin(
		    &atom->lines, matcher(f, atom), f->file.text, f->file.n, f->options.multiline);
		advance(atom);
		f->stopped |= atom->state < 0;
	}
	return truth_of(atom->state > 0);
}

static enum truth truth(struct file_query *, const struct query_node *);

static enum truth all_truth(struct file_query *f, const struct query_node *node)
{
	enum truth least = YES;

	for (size_t i = 0; i < node->nparts && least != NO && !f->stopped; i++)
		least = MIN(least, truth(f, node->parts[i]));
	return least;
}

static enum truth one_truth(struct file_query *f, const struct query_node *node)
{
	enum truth most = NO;

	for (size_t i = 0; i < node->nparts && most != YES && !f->stopped; i++)
		most = MAX(most, truth(f, node->parts[i]));
	return most;
}

static enum truth truth(struct file_query *f, const struct query_node *node)
{
	struct atom *atom = &f->atoms[node->atom];

	switch (node->kind) {
	case QUERY_ALL: return all_truth(f, node);
	case QUERY_ONE: return one_truth(f, node);
	case QUERY_NOT: return YES - truth(f, node->parts[0]);
	case QUERY_TEXT: return text_truth(f, atom);
	case QUERY_FILE: return path_truth(f, atom);
	case QUERY_LANG: return language_truth(f, atom);
	case QUERY_SYM: return truth_of(map_get(atom->definitions, f->file.path));
	case QUERY_TRUE: return YES;
	case QUERY_REPO: /* file_query_new refuses it */
	case QUERY_FALSE: break;
	}
	return NO;
}

static void forget_file(struct file_query *f)
{
	arena_reset(f->scratch);
	f->told = 0;
	for (size_t i = 0; i < f->natoms; i++)
		f->atoms[i].begun = f->atoms[i].shown = false;
}

bool file_query_may_match(
    struct file_query *f, const char *path, const char *language, bool any_language)
{
	f->file = (struct searched_file){ .path = path, .language = language };
	f->reads = false;
	f->any_language = any_language;
	return truth(f, f->query->root) != NO;
}

/* ---- lines ---- */

static void show(struct file_query *f, struct atom *atom)
{
	atom->shown = true;
	if (atom->node->kind == QUERY_TEXT)
		return;
	atom->defined = definition_lines(
	    map_get(atom->definitions, f->file.path), f->file.text, f->file.n, f->scratch);
	advance(atom);
}

/* Show the texts and definitions of the parts that are true. */
static void show_true(struct file_query *f, const struct query_node *node)
{
	if (node->kind == QUERY_NOT || truth(f, node) != YES)
		return;
	if (node->kind == QUERY_TEXT || node->kind == QUERY_SYM)
		show(f, &f->atoms[node->atom]);
	for (size_t i = 0; i < node->nparts; i++)
		show_true(f, node->parts[i]);
}

int file_query_begin(struct file_query *f, const struct searched_file *file)
{
	forget_file(f);
	f->file = *file;
	f->reads = true;
	f->any_language = false;
	bool matches = truth(f, f->query->root) == YES;
	if (matches && !f->stopped)
		show_true(f, f->query->root);
	if (f->stopped)
		return -1;
	return matches;
}

/* The first match of a line is the leftmost, and of those the longest. */
static bool is_before(const struct matching_line *x, const struct matching_line *y)
{
	if (x->line != y->line)
		return x->line < y->line;
	if (x->match != y->match)
		return x->match < y->match;
	return x->length > y->length;
}

int file_query_next_line(struct file_query *f, struct matching_line *out)
{
	const struct matching_line *least = NULL;

	for (size_t i = 0; i < f->natoms; i++) {
		struct atom *atom = &f->atoms[i];
		if (!atom->shown)
			continue;
		if (atom->state == 1 && atom->line.line <= f->told)
			advance(atom);
		if (atom->state < 0)
			return -1;
		if (!atom->state)
			continue;
		const struct matching_line *x = &atom->line;
		if (!least || is_before(x, least))
			least = x;
	}
	if (!least)
		return 0;
	*out = *least;
	f->told = least->line;
	return 1;
}

/* ---- further matches of a line ---- */

struct spans {
	struct line_span *v;
	size_t n, max;
};

static void add_span(struct spans *s, size_t match, size_t length)
{
	if (s->n < s->max)
		s->v[s->n++] = (struct line_span){ match, length };
}

/* Add the matches of an atom that begin in its line, at most LINE_SPANS_MAX behind the first. */
static void add_spans(struct file_query *f, struct atom *atom, struct spans *s)
{
	const struct matching_line *x = &atom->line;
	size_t at = (size_t)(x->text - f->file.text), most = MIN(s->n + LINE_SPANS_MAX + 1, s->max);
	size_t from = at + x->match + MAX(x->length, 1), start, end;

	add_span(s, x->match, x->length);
	while (atom->node->kind == QUERY_TEXT && s->n < most && from < at + x->n) {
		if (pattern_next(atom->matcher, f->file.text, f->file.n, from, &start, &end) !=
		    PATTERN_FOUND)
			return;
		if (start >= at + x->n)
			return;
		add_span(s, start - at, MIN(end, at + x->n) - start);
		from = MAX(end, start + 1);
	}
}

/* Of those that begin at one place the longest comes first. */
static int by_match(const void *a, const void *b)
{
	const struct line_span *x = a, *y = b;

	if (x->match != y->match)
		return x->match < y->match ? -1 : 1;
	return (x->length < y->length) - (x->length > y->length);
}

size_t file_query_more(
    struct file_query *f, const struct matching_line *line, struct line_span v[LINE_SPANS_MAX])
{
	struct spans s = { .max = f->natoms * (LINE_SPANS_MAX + 1) };
	size_t n = 0, next = line->match + MAX(line->length, 1);

	if (!f->spans)
		f->spans = arena_many(f->a, s.max, struct line_span);
	s.v = f->spans;
	for (size_t i = 0; i < f->natoms; i++) {
		struct atom *atom = &f->atoms[i];
		if (atom->shown && atom->state == 1 && atom->line.line == line->line)
			add_spans(f, atom, &s);
	}
	qsort(s.v, s.n, sizeof *s.v, by_match);
	for (size_t i = 0; i < s.n && n < LINE_SPANS_MAX; i++) {
		if (s.v[i].match < next)
			continue;
		v[n++] = s.v[i];
		next = s.v[i].match + MAX(s.v[i].length, 1);
	}
	return n;
}
