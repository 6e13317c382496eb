#include "shard/search/excerpt.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/base/text_lines.h"

#define CUT "…"

/* lines looked at; bytes in front of a cut line's word */
enum { TERMS = 64, LINES = 6000, CUTS = 2 * (sizeof CUT - 1) + 1, LEAD = 80 };

struct excerpt_state {
	const struct excerpt_request *of;
	struct line_offsets l;
	size_t from, to;		/* what may be shown */
	size_t longest;			/* line that is not cut */
	const struct terms *t;
	uint64_t *bits;			/* which terms are in line from + i */
	double weight[TERMS];
};

/* ---- lines ---- */

static const char *line_at(const struct excerpt_state *p, size_t i)
{
	return p->of->text + p->l.v[i - 1];
}

static size_t length(const struct excerpt_state *p, size_t i)
{
	return p->l.v[i] - p->l.v[i - 1];
}

/* What the line takes of an excerpt. */
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
	const struct terms *t;
	uint64_t bits;
	size_t first;		/* byte of the first that is there */
};

/* Whether a token is a term, or begins as one that ends with `*`. */
static bool is_term(const char *term, const struct token *t)
{
	size_t n = strlen(term);

	if (n && term[n - 1] == '*')
		return t->n >= n - 1 && !strncmp(term, t->text, n - 1);
	return n == t->n && !memcmp(term, t->text, n);
}

static int cover(void *arg, const struct token *t)
{
	struct term_cover *c = arg;

	for (size_t i = 0; i < c->t->n && i < TERMS; i++)
		if (is_term(c->t->v[i].text, t)) {
			if (!c->bits && t->start <= c->first)
				c->first = t->start;
			c->bits |= (uint64_t)1 << i;
		}
	return 0;
}

static struct term_cover cover_line(const struct excerpt_state *p, size_t i)
{
	struct term_cover c = { p->t, 0, SIZE_MAX };

	tokens_each(line_at(p, i), length(p, i), true, cover, &c);
	return c;
}

/* What is in few of the lines tells more. */
static void set_term_weights(struct excerpt_state *p)
{
	size_t n = p->to - p->from + 1;

	for (size_t k = 0; k < p->t->n && k < TERMS; k++) {
		size_t in = 0;
		for (size_t i = 0; i < n; i++)
			in += p->bits[i] >> k & 1;
		if (in)
			p->weight[k] = log(1 + (double)n / (double)in);
		else
			p->weight[k] = 0;
	}
}

static void find_terms(struct excerpt_state *p, struct arena *a)
{
	if (p->of->line > p->from + LINES / 2 && p->of->line <= p->to)
		p->from = p->of->line - LINES / 2;
	if (p->to - p->from >= LINES)
		p->to = p->from + LINES - 1;
	p->bits = arena_many(a, p->to - p->from + 1, uint64_t);
	for (size_t i = p->from; i <= p->to; i++)
		p->bits[i - p->from] = cover_line(p, i).bits;
	set_term_weights(p);
}

/* ---- the best lines ---- */

/* A term counts when it is there, and a little more when it is there again. */
static double worth(const struct excerpt_state *p, const unsigned *times)
{
	double sum = 0;

	for (size_t k = 0; k < p->t->n && k < TERMS; k++)
		if (times[k])
			sum += p->weight[k] * (1 + 0.1 * (times[k] > 4 ? 3 : times[k] - 1));
	return sum;
}

static void tally(const struct excerpt_state *p, size_t line, int by, unsigned *times)
{
	for (uint64_t b = p->bits[line - p->from]; b; b &= b - 1)
		times[__builtin_ctzll(b)] += (unsigned)by;
}

/*
 * The lines around which the excerpt is made: of the best window, from its first line with a term
 * to its last.  0: none.
 */
static size_t best(const struct excerpt_state *p, size_t *last)
{
	unsigned times[TERMS] = { 0 };
	double most = 0;
	size_t first = 0, end = p->from - 1;

	for (size_t i = p->from; i <= p->to && end < p->to; i++) {
		size_t to = last_fitting_line(p, i, p->of->max);
		while (end < to)
			tally(p, ++end, 1, times);
		/* the beginning says what the whole is */
		double w = worth(p, times) * (i == p->from ? 1.1 : 1);
		if (w > most * 1.0001) {
			most = w;
			first = i;
			*last = to;
		}
		tally(p, i, -1, times);
	}
	while (first && !p->bits[first - p->from])
		first++;
	while (first && !p->bits[*last - p->from])
		--*last;
	return first;
}

/* ---- lines around them ---- */

/*
 * Up to `max` bytes in front of line `i`, from the line behind an empty one on, where there is
 * one.
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
 * Better to end before an empty line than in the middle of what follows it, when that costs
 * little.
 */
static size_t tail(const struct excerpt_state *p, size_t start, size_t keep, size_t last)
{
	size_t floor = keep;

	if (keep <= start + (last - start) * 3 / 4)
		floor = start + (last - start) * 3 / 4;
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
	size_t keep = p->of->line, first = keep >= p->from && keep <= p->to ? keep : best(p, &keep);

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

/* ---- as text ---- */

/* A piece of the line around its first term, with its line end. */
static void put_cut_line(const struct excerpt_state *p, size_t i, struct buf *out)
{
	const char *s = line_at(p, i);
	size_t n = length(p, i), max = p->longest - CUTS, first = cover_line(p, i).first;
	size_t from = 0;

	if (first != SIZE_MAX && first > LEAD)
		from = first - LEAD;
	if (from + max > n)
		from = n - max;
	while (from && ((unsigned char)s[from] & 0xc0) == 0x80)
		from--;
	size_t piece = from + max >= n ? n - from : text_utf8_prefix(s + from, max);
	buf_str(out, from ? CUT : "");
	buf_put(out, s + from, piece);
	if (from + piece < n)
		buf_str(out, s[n - 1] == '\n' ? CUT "\n" : CUT);
}

static const char *text_of(const struct excerpt_state *p, size_t from, size_t to, struct arena *a)
{
	size_t start = p->l.v[from - 1];
	struct buf b = { 0 };

	for (size_t i = from; i <= to; i++)
		if (length(p, i) > p->longest)
			put_cut_line(p, i, &b);
		else
			buf_put(&b, line_at(p, i), length(p, i));
	const char *text = b.n == p->l.v[to] - start ? text_utf8(p->of->text + start, b.n, a) :
	                                               text_utf8(b.p, b.n, a);
	buf_free(&b);
	return text;
}

struct excerpt excerpt_choose(
    const struct excerpt_request *of, const struct terms *t, struct arena *a)
{
	struct excerpt_state p = {
		.of = of, .l = text_lines(of->n ? of->text : "", of->n, of->to, a), .t = t
	};

	p.longest = MIN(of->max, EXCERPT_LINE);
	p.from = of->from ? of->from : 1;
	p.to = MIN(of->to, p.l.n);
	if (p.from > p.to)
		return (struct excerpt){ "", of->from, of->to };
	size_t from = p.from, to = p.to;
	if (last_fitting_line(&p, from, of->max) < to) {
		find_terms(&p, a);
		from = p.from;
		settle(&p, &from, &to);
	}
	return (struct excerpt){ text_of(&p, from, to, a), from, to };
}
