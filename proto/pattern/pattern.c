#include "proto/pattern/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/pattern/automaton.h"
#include "proto/pattern/gram_tree.h"
#include "proto/pattern/pattern_literal.h"
#include "proto/pattern/utf8.h"

enum { BYTES_A_BLOCK = 65536, WORK_A_CHECK = 65536 };

struct pattern {
	struct arena *arena;
	const struct node *tree;
	bool within_lines;
	struct alphabet alphabet;
	struct program search, back;
	struct literal literal;
	struct first_bytes first;
	const struct gram_query *grams;
};

struct pattern_matcher {
	const struct pattern *pattern;
	struct automaton *search, *back; /* back: NULL until a match is found */
	uint16_t *letters; /* of the first plane; NULL until a text needs it */
	uint64_t work; /* since `stop` was last asked: bytes and steps */
	bool (*stop)(void *);
	void *arg;
};

/* ---- the pattern ---- */

static int make_programs(struct pattern *p, struct err *e)
{
	struct set_table *sets = set_table_new(p->arena);
	const struct node *tree = tree_factored(p->tree, p->arena);
	int rc = program_make(&p->search, tree, PROGRAM_SEARCH, sets, p->arena, e);

	if (!rc)
		rc = program_make(&p->back, tree, PROGRAM_BACK, sets, p->arena, e);
	if (!rc)
		rc = alphabet_make(&p->alphabet, sets, p->arena, e);
	set_table_free(sets);
	return rc;
}

static const struct node *between_words(struct arena *a, const struct node *tree)
{
	const struct node *begin = node_pair(a, NODE_SEQUENCE, node_place(a, PLACE_BEFORE_WORD), tree);

	return node_pair(a, NODE_SEQUENCE, begin, node_place(a, PLACE_AFTER_WORD));
}

struct pattern *pattern_new(
    const char *text, size_t n, const struct pattern_options *options, struct err *e)
{
	struct pattern *p = xcalloc(1, sizeof *p);

	p->arena = arena_new();
	p->within_lines = !options->multiline;
	p->tree = pattern_parse(text, n, options, p->arena, e);
	if (p->tree && options->word)
		p->tree = between_words(p->arena, p->tree);
	if (!p->tree || make_programs(p, e)) {
		pattern_free(p);
		return NULL;
	}
	literal_find(&p->literal, p->tree, p->within_lines);
	first_bytes_find(&p->first, p->tree);
	p->grams = gram_tree_make(p->tree, p->arena);
	return p;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	arena_free(p->arena);
	free(p);
}

const struct gram_query *pattern_grams(const struct pattern *p)
{
	return p->grams;
}

/* ---- the matcher ---- */

struct pattern_matcher *pattern_matcher_new(
    const struct pattern *p, bool (*stop)(void *), void *arg)
{
	struct pattern_matcher *m = xcalloc(1, sizeof *m);

	m->pattern = p;
	m->stop = stop;
	m->arg = arg;
	m->search = automaton_new(&p->search, PROGRAM_SEARCH, &p->alphabet);
	return m;
}

void pattern_matcher_free(struct pattern_matcher *m)
{
	if (!m)
		return;
	automaton_free(m->search);
	automaton_free(m->back);
	free(m->letters);
	free(m);
}

/* Count work; true if `stop` says so, which is asked after some of it. */
static bool spend(struct pattern_matcher *m, uint64_t work)
{
	m->work += work;
	if (m->work < WORK_A_CHECK)
		return false;
	m->work = 0;
	return m->stop && m->stop(m->arg);
}

enum { FIRST_PLANE = 0x10000 };

static uint32_t letter_of(struct pattern_matcher *m, uint32_t c)
{
	const struct alphabet *alphabet = &m->pattern->alphabet;
	size_t i = 0;

	if (c >= FIRST_PLANE)
		return alphabet_letter(alphabet, c);
	if (!m->letters) {
		m->letters = xmalloc(FIRST_PLANE * sizeof *m->letters);
		for (uint32_t k = 0; k < FIRST_PLANE; k++) {
			while (i + 1 < alphabet->nstarts && alphabet->starts[i + 1] <= k)
				i++;
			m->letters[k] = alphabet->letters[i];
		}
	}
	return m->letters[c];
}

/* A text, and the part of it that a search may read. */
struct subject {
	const char *text;
	size_t n;
};

/* The letter at a place, and its length in bytes. */
static uint32_t letter_at(
    struct pattern_matcher *m, const struct subject *s, size_t at, size_t *size)
{
	uint32_t c;

	*size = utf8_decode(s->text + at, s->n - at, &c);
	if (*size)
		return letter_of(m, c);
	*size = 1;
	return LETTER_INVALID;
}

static uint32_t letter_before(
    struct pattern_matcher *m, const struct subject *s, size_t at, size_t *size)
{
	uint32_t c;

	*size = utf8_decode_back(s->text, at, &c);
	if (*size)
		return letter_of(m, c);
	*size = at > 0;
	return at ? LETTER_INVALID : LETTER_EDGE;
}

/* What is before a place; CONTEXT_OTHER if the pattern looks at no place. */
static enum context context_before(struct pattern_matcher *m, const struct subject *s, size_t at)
{
	size_t size;

	if (!m->pattern->search.has_places)
		return CONTEXT_OTHER;
	return m->pattern->alphabet.contexts[letter_before(m, s, at, &size)];
}

/* Where the next match may begin, at `at` or later; `limit` if nowhere before it. */
static size_t candidate(const struct pattern *p, const struct subject *s, size_t at, size_t limit)
{
	const char *found;

	if (p->literal.n && p->literal.begins) {
		found = literal_search(&p->literal, s->text + at, limit - at);
		return found ? (size_t)(found - s->text) : limit;
	}
	if (p->first.known)
		return (size_t)(first_bytes_search(&p->first, s->text + at, s->text + limit) - s->text);
	return at;
}

/* A search forward: where it is, and the last end of a match. */
struct forward {
	const struct subject *subject;
	size_t at, limit; /* up to `limit`, a character that begins before it is read */
	uint32_t state;
	bool found;
	size_t end;
};

enum progress { GO_ON, DONE, STOPPED };

static void restart(struct pattern_matcher *m, struct forward *f)
{
	size_t before = f->at;

	f->at = candidate(m->pattern, f->subject, f->at, f->limit);
	m->work += f->at - before;
	f->state = automaton_start(m->search, context_before(m, f->subject, f->at));
}

/* Follow a move that needs more than a look into the table.  `size` bytes were read. */
static enum progress follow(
    struct pattern_matcher *m, struct forward *f, uint32_t move, uint32_t letter, size_t size)
{
	if ((move & MOVE_STATE) == MOVE_UNKNOWN)
		move = automaton_move(m->search, f->state, letter);
	if (move & MOVE_MATCHED) {
		f->found = true;
		f->end = f->at;
	}
	f->state = move & MOVE_STATE;
	f->at += size;
	if (f->state == MOVE_DEAD)
		return DONE;
	if ((move & MOVE_SPECIAL) && !f->found)
		restart(m, f);
	if (spend(m, automaton_take_work(m->search)))
		return STOPPED;
	return GO_ON;
}

/* Read up to `until`, as fast as can be. */
static enum progress read_block(struct pattern_matcher *m, struct forward *f, size_t until)
{
	const uint16_t *ascii = m->pattern->alphabet.ascii;
	const char *text = f->subject->text;
	const uint32_t *table = automaton_table(m->search);
	size_t at = f->at, size;
	uint32_t state = f->state, letter;

	while (at < until) {
		unsigned char c = (unsigned char)text[at];
		size = 1;
		if (c < ASCII_CHARACTERS)
			letter = ascii[c];
		else
			letter = letter_at(m, f->subject, at, &size);
		uint32_t move = table[state + letter];
		if (move & ((uint32_t)MOVE_SPECIAL | MOVE_MATCHED)) {
			f->at = at;
			f->state = state;
			enum progress progress = follow(m, f, move, letter, size);
			if (progress != GO_ON)
				return progress;
			at = f->at;
			state = f->state;
			continue;
		}
		state = move;
		at += size;
	}
	f->at = at;
	f->state = state;
	return GO_ON;
}

/*
 * The end of the leftmost match that begins at `from` or later, if it ends before `limit` or at
 * the text's end.
 */
static int find_end(
    struct pattern_matcher *m, const struct subject *s, size_t from, size_t limit, size_t *end)
{
	struct forward f = { .subject = s, .at = from, .limit = limit };
	enum progress progress = GO_ON;

	restart(m, &f);
	while (progress == GO_ON && f.at < limit) {
		size_t before = f.at;
		progress = read_block(m, &f, MIN(limit, f.at + BYTES_A_BLOCK));
		if (spend(m, f.at - before))
			progress = STOPPED;
	}
	if (progress == STOPPED)
		return PATTERN_STOPPED;
	if (progress == GO_ON && limit == s->n)
		follow(m, &f, (uint32_t)MOVE_SPECIAL | MOVE_UNKNOWN, LETTER_EDGE, 0);
	*end = f.end;
	return f.found ? PATTERN_FOUND : PATTERN_NONE;
}

/* The first place, not before `from`, at which a match that ends at `end` begins. */
static int find_start(
    struct pattern_matcher *m, const struct subject *s, size_t from, size_t end, size_t *start)
{
	size_t at = end, size = 0;
	uint32_t behind = LETTER_EDGE, state;

	if (!m->back)
		m->back = automaton_new(&m->pattern->back, PROGRAM_BACK, &m->pattern->alphabet);
	if (end < s->n)
		behind = letter_at(m, s, end, &size);
	state = automaton_start(m->back, m->pattern->alphabet.contexts[behind]);
	*start = end;
	for (;;) {
		uint32_t letter = letter_before(m, s, at, &size);
		uint32_t move = automaton_table(m->back)[state + letter];
		if ((move & MOVE_STATE) == MOVE_UNKNOWN)
			move = automaton_move(m->back, state, letter);
		if (move & MOVE_MATCHED)
			*start = at;
		state = move & MOVE_STATE;
		if (state == MOVE_DEAD || at <= from || at < from + size)
			break;
		at -= size;
		if (spend(m, size + automaton_take_work(m->back)))
			return PATTERN_STOPPED;
	}
	return PATTERN_FOUND;
}

/* The end of the first match, looking only at lines that contain the literal. */
static int find_end_in_lines(
    struct pattern_matcher *m, const struct subject *s, size_t from, size_t *line, size_t *end)
{
	const char *text = s->text;

	while (from < s->n) {
		const char *hit = literal_search(&m->pattern->literal, text + from, s->n - from);
		if (spend(m, (hit ? (size_t)(hit - text) : s->n) - from))
			return PATTERN_STOPPED;
		if (!hit)
			return PATTERN_NONE;
		const char *before = memrchr(text + from, '\n', (size_t)(hit - text) - from);
		const char *behind = memchr(hit, '\n', s->n - (size_t)(hit - text));
		size_t next = behind ? (size_t)(behind - text) + 1 : s->n;
		*line = before ? (size_t)(before - text) + 1 : from;
		int rc = find_end(m, s, *line, next, end);
		if (rc != PATTERN_NONE)
			return rc;
		from = next;
	}
	return PATTERN_NONE;
}

static int find_literal(
    struct pattern_matcher *m, const struct subject *s, size_t from, size_t *start, size_t *end)
{
	const struct literal *l = &m->pattern->literal;
	const char *hit = literal_search(l, s->text + from, s->n - from);

	if (!hit)
		return spend(m, s->n - from) ? PATTERN_STOPPED : PATTERN_NONE;
	*start = (size_t)(hit - s->text);
	*end = *start + l->n;
	return spend(m, *end - from) ? PATTERN_STOPPED : PATTERN_FOUND;
}

/* Inside a character no match begins. */
static size_t at_character(const struct subject *s, size_t at)
{
	uint32_t c;

	for (size_t back = 1; back < UTF8_MAX && back <= at && at < s->n; back++) {
		size_t size = utf8_decode(s->text + at - back, s->n - at + back, &c);
		if (size > back)
			return at - back + size;
	}
	return at;
}

static bool behind_last_line(const struct subject *s, size_t at)
{
	return at == s->n && (!at || s->text[at - 1] == '\n');
}

int pattern_next(
    struct pattern_matcher *m, const char *text, size_t n, size_t from, size_t *start, size_t *end)
{
	const struct pattern *p = m->pattern;
	const struct subject s = { text, n };
	size_t first = at_character(&s, from);
	int rc;

	if (first > n)
		return PATTERN_NONE;
	if (p->literal.whole)
		return find_literal(m, &s, first, start, end);
	if (p->literal.n && !p->literal.begins)
		rc = find_end_in_lines(m, &s, first, &first, end);
	else
		rc = find_end(m, &s, first, n, end);
	if (rc == PATTERN_FOUND)
		rc = find_start(m, &s, first, *end, start);
	if (rc == PATTERN_FOUND && *start == *end && behind_last_line(&s, *end))
		return PATTERN_NONE;
	return rc;
}
