#include "shard/search/excerpt.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/base/text_lines.h"
#include "shard/search/phrase_match.h"

#define CUT "…"

/*
 * maximum terms; lines that are compared with each other, and lines that are read until some of
 * them have a term; bytes of two cuts; bytes before the first term of a cut line
 */
enum {
	TERMS = 64,
	LINES = 6000,
	LINES_READ = 10 * LINES,
	CUTS = 2 * (sizeof CUT - 1) + 1,
	LEAD = 80
};

struct excerpt_state {
	const struct excerpt_request *of;
	struct line_offsets l; /* of the lines of the request, from `start` on */
	size_t start; /* offset of the first of them */
	size_t from, to;		/* the lines to choose from */
	size_t longest;			/* bytes of a line that is not cut */
	size_t first, last;		/* the lines that are shown whatever the others are; 0 = any */
	size_t quoted;			/* offset of the phrase in the text; SIZE_MAX = none */
	struct asked_term {
		const char *text;
		size_t n;
		bool prefix;		/* `text*` was asked; `n` is without the `*` */
	} terms[TERMS];
	size_t nterms;
	uint64_t *bits;			/* bits[i]: which terms are in line from + i */
	double weight[TERMS];
};

/* ---- lines ---- */

/* Where a line of the request begins; behind the last one, the end of the lines. */
static size_t offset(const struct excerpt_state *p, size_t i)
{
	return p->start + p->l.v[i - MAX(p->of->from, 1)];
}

static const char *line_at(const struct excerpt_state *p, size_t i)
{
	return p->of->text + offset(p, i);
}

static size_t length(const struct excerpt_state *p, size_t i)
{
	return offset(p, i + 1) - offset(p, i);
}

/* The bytes that a line takes in an excerpt. */
static size_t size(const struct excerpt_state *p, size_t i)
{
	size_t n = length(p, i);

	return MIN(p->longest, n);
}

static bool is_blank(const struct excerpt_state *p, size_t i)
{
	const char *s = line_at(p, i);

	for (size_t k = 0; k < length(p, i); k++)
		if (!strchr(" \t\r\n\f\v", s[k]))
			return false;
	return true;
}

/* The last line of an excerpt that begins with line `i`. */
static size_t last_fitting_line(const struct excerpt_state *p, size_t i, size_t max)
{
	size_t n = size(p, i);

	while (i < p->to && n + size(p, i + 1) <= max)
		n += size(p, ++i);
	return i;
}

/* ---- terms ---- */

struct term_cover {
	const struct asked_term *terms;
	size_t nterms;
	bool only_first;	/* stop there */
	uint64_t bits;
	size_t first;		/* offset of the first term */
};

/* Whether a token is the term, or has it as prefix if it ends with `*`. */
static bool is_term(const struct asked_term *asked, const struct token *t)
{
	if (t->n < asked->n || (t->n > asked->n && !asked->prefix))
		return false;
	return !memcmp(asked->text, t->text, asked->n);
}

static int cover(void *arg, const struct token *t)
{
	struct term_cover *c = arg;

	for (size_t i = 0; i < c->nterms; i++)
		if (is_term(&c->terms[i], t)) {
			if (!c->bits && t->start <= c->first)
				c->first = t->start;
			c->bits |= (uint64_t)1 << i;
		}
	return c->only_first && c->bits;
}

/* Every token of every line is compared with all terms, so their lengths are found once. */
static void set_terms(struct excerpt_state *p, const struct terms *t)
{
	for (size_t i = 0; i < t->n && i < TERMS; i++) {
		const char *text = t->v[i].text;
		size_t n = strlen(text);
		bool prefix = n && text[n - 1] == '*';
		p->terms[p->nterms++] = (struct asked_term){ text, prefix ? n - 1 : n, prefix };
	}
}

static struct term_cover cover_line(const struct excerpt_state *p, size_t i)
{
	struct term_cover c = { p->terms, p->nterms, false, 0, SIZE_MAX };

	tokens_each(line_at(p, i), length(p, i), true, cover, &c);
	return c;
}

/* The offset of the first term of a line, which may be very long; SIZE_MAX if there is none. */
static size_t first_term(const struct excerpt_state *p, size_t i)
{
	struct term_cover c = { p->terms, p->nterms, true, 0, SIZE_MAX };

	tokens_each(line_at(p, i), length(p, i), true, cover, &c);
	return c.first;
}

/* Terms that are in few lines weigh more. */
static void set_term_weights(struct excerpt_state *p)
{
	size_t n = p->to - p->from + 1;

	for (size_t k = 0; k < p->nterms; k++) {
		size_t in = 0;
		for (size_t i = 0; i < n; i++)
			in += p->bits[i] >> k & 1;
		p->weight[k] = 0;
		if (in)
			p->weight[k] = log(1 + (double)n / (double)in);
	}
}

/* Finds the terms of the lines; whether there are any. */
static bool cover_lines(struct excerpt_state *p)
{
	uint64_t any = 0;

	for (size_t i = p->from; i <= p->to; i++) {
		p->bits[i - p->from] = cover_line(p, i).bits;
		any |= p->bits[i - p->from];
	}
	return any;
}

/* Chooses a part of the lines to look at: the one that must be shown, or else the first with terms. */
static void find_terms(struct excerpt_state *p, struct arena *a)
{
	const size_t from = p->from, to = p->to;

	if (p->first > from + LINES / 2)
		p->from = p->first - LINES / 2;
	p->to = MIN(to, p->from + LINES - 1);
	p->bits = arena_many(a, MIN((size_t)LINES, to - p->from + 1), uint64_t);
	bool any = cover_lines(p);
	while (!any && !p->first && p->to < MIN(to, from + LINES_READ)) {
		p->from = p->to + 1;
		p->to = MIN(to, p->from + LINES - 1);
		any = cover_lines(p);
	}
	if (!any && !p->first) {
		p->from = from;
		p->to = MIN(to, from + LINES - 1);
	}
	set_term_weights(p);
}

/* ---- lines that must be shown ---- */

/* The line of a byte of the text. */
static size_t line_of(const struct excerpt_state *p, size_t at)
{
	size_t low = p->from, high = p->to;

	while (low < high) {
		size_t middle = (low + high + 1) / 2;
		if (offset(p, middle) <= at)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Finds a text as it is written in the lines `from` to `to`. */
static bool find_text(const struct excerpt_state *p, const char *text, size_t from, size_t to,
    struct phrase_place *at)
{
	const char *s = line_at(p, from);
	size_t n = offset(p, to + 1) - offset(p, from);

	if (!text || !phrase_matches(text, s, n, at))
		return false;
	at->start += offset(p, from);
	at->end += offset(p, from);
	return true;
}

/* The lines with the phrase, or else the line that was asked for. */
static void find_lines_asked(struct excerpt_state *p)
{
	struct phrase_place at;

	p->quoted = SIZE_MAX;
	if (find_text(p, p->of->phrase, p->from, p->to, &at)) {
		p->quoted = at.start;
		p->first = line_of(p, at.start);
		p->last = line_of(p, at.end - 1);
		p->last = MIN(p->last, last_fitting_line(p, p->first, p->of->max));
	} else if (p->of->line >= p->from && p->of->line <= p->to) {
		p->first = p->last = p->of->line;
	}
}

/* ---- the best lines ---- */

/* The value of lines: each term counts, and a little more for up to three repetitions. */
static double worth(const struct excerpt_state *p, const unsigned *times)
{
	double sum = 0;

	for (size_t k = 0; k < p->nterms; k++) {
		if (!times[k])
			continue;
		unsigned again = MIN(times[k] - 1, 3);
		sum += p->weight[k] * (1 + 0.1 * again);
	}
	return sum;
}

static void tally(const struct excerpt_state *p, size_t line, int by, unsigned *times)
{
	for (uint64_t b = p->bits[line - p->from]; b; b &= b - 1)
		times[__builtin_ctzll(b)] += (unsigned)by;
}

/*
 * Finds the lines around which the excerpt is made: those of the best window, from its first line
 * with a term to its last.  Returns 0 if there are none.
 */
static size_t best(const struct excerpt_state *p, size_t *last)
{
	unsigned times[TERMS] = { 0 };
	double highest = 0;
	size_t first = 0, end = p->from - 1;

	for (size_t i = p->from; i <= p->to && end < p->to; i++) {
		size_t to = last_fitting_line(p, i, p->of->max);
		while (end < to)
			tally(p, ++end, 1, times);
		double value = worth(p, times);
		if (i == p->from)	/* the beginning tells what the whole is */
			value *= 1.1;
		if (value > highest * 1.0001) {
			highest = value;
			first = i;
			*last = to;
		}
		tally(p, i, -1, times);
	}
	if (!first)
		return 0;
	while (!p->bits[first - p->from])
		first++;
	while (!p->bits[*last - p->from])
		--*last;
	return first;
}

/* ---- lines around them ---- */

/*
 * The first of up to `max` bytes of lines before line `i`; if an empty line is among them, the line
 * after it.
 */
static size_t lead(const struct excerpt_state *p, size_t i, size_t max)
{
	size_t start = i, n = 0;

	while (start > p->from && n + size(p, start - 1) <= max)
		n += size(p, --start);
	for (size_t k = start; k < i && start > p->from; k++)
		if (is_blank(p, k))
			return k + 1;
	return start;
}

/*
 * Prefers to end before an empty line rather than within the next paragraph, if that costs little.
 */
static size_t tail(const struct excerpt_state *p, size_t start, size_t keep, size_t last)
{
	size_t floor = MAX(keep, start + (last - start) * 3 / 4);

	if (last < p->to)
		for (size_t i = last; i > floor; i--)
			if (is_blank(p, i)) {
				last = i - 1;
				break;
			}
	while (last > keep && is_blank(p, last))
		last--;
	return last;
}

static size_t sum(const struct excerpt_state *p, size_t from, size_t to)
{
	size_t n = 0;

	while (from <= to)
		n += size(p, from++);
	return n;
}

static void settle(const struct excerpt_state *p, size_t *from, size_t *to)
{
	size_t first = p->first, keep = p->last;

	if (!first)
		first = best(p, &keep);
	if (!first) {
		*to = tail(p, *from, *from, last_fitting_line(p, *from, p->of->max));
		return;
	}
	size_t spare = p->of->max - sum(p, first, keep), before = MIN(spare / 2, p->of->before);
	if (sum(p, p->from, first) <= spare / 2)
		*from = p->from;
	else
		*from = lead(p, first, before);
	*to = tail(p, *from, keep, last_fitting_line(p, *from, p->of->max));
}

/* Chooses the lines; if they lack the name that was asked for, again around its first line. */
static void choose_lines(struct excerpt_state *p, size_t *from, size_t *to)
{
	struct phrase_place at;
	size_t start = *from;

	settle(p, from, to);
	if (p->first || find_text(p, p->of->name, *from, *to, &at))
		return;
	if (!find_text(p, p->of->name, p->from, p->to, &at))
		return;
	p->first = p->last = line_of(p, at.start);
	*from = start;
	settle(p, from, to);
}

/* ---- as text ---- */

/* The offset in a line that is cut of what must be seen of it; SIZE_MAX for its beginning. */
static size_t offset_to_show(const struct excerpt_state *p, size_t i)
{
	size_t start = offset(p, i);

	if (p->quoted >= start && p->quoted < offset(p, i + 1))
		return p->quoted - start;
	return first_term(p, i);
}

/* Appends a piece of the line around the phrase or its first term, with its line end. */
static void put_cut_line(const struct excerpt_state *p, size_t i, struct buf *out)
{
	const char *s = line_at(p, i);
	size_t n = length(p, i), max = p->longest - CUTS, first = offset_to_show(p, i);
	size_t from = 0;

	if (first != SIZE_MAX && first > LEAD)
		from = first - LEAD;
	if (from + max > n)
		from = n - max;
	while (from && ((unsigned char)s[from] & 0xc0) == 0x80)
		from--;
	size_t piece = n - from;
	if (piece > max)
		piece = text_utf8_prefix(s + from, max);
	if (from)
		buf_str(out, CUT);
	buf_put(out, s + from, piece);
	if (from + piece == n)
		return;
	buf_str(out, CUT);
	if (s[n - 1] == '\n')
		buf_byte(out, '\n');
}

static const char *text_of(const struct excerpt_state *p, size_t from, size_t to, struct arena *a)
{
	size_t start = offset(p, from), n = offset(p, to + 1) - start;
	struct buf b = { 0 };

	for (size_t i = from; i <= to; i++)
		if (length(p, i) > p->longest)
			put_cut_line(p, i, &b);
		else
			buf_put(&b, line_at(p, i), length(p, i));
	const char *text;
	if (b.n == n)
		text = text_utf8(p->of->text + start, n, a);
	else
		text = text_utf8(b.p, b.n, a);
	buf_free(&b);
	return text;
}

struct excerpt excerpt_choose(
    const struct excerpt_request *of, const struct terms *t, struct arena *a)
{
	const char *text = of->n ? of->text : "";
	struct excerpt_state p = { .of = of, .from = MAX(of->from, 1) };

	if (p.from > of->to)
		return (struct excerpt){ "", of->from, of->to };
	p.start = text_line_start(text, of->n, p.from);
	p.l = text_lines(text + p.start, of->n - p.start, of->to - p.from + 1, a);
	if (!p.l.n)
		return (struct excerpt){ "", of->from, of->to };
	p.to = p.from + p.l.n - 1;
	set_terms(&p, t);
	p.longest = MIN(of->max, EXCERPT_LINE);
	size_t from = p.from, to = p.to;
	find_lines_asked(&p);
	if (last_fitting_line(&p, from, of->max) < to) {
		find_terms(&p, a);
		from = p.from;
		choose_lines(&p, &from, &to);
	}
	return (struct excerpt){ text_of(&p, from, to, a), from, to };
}
