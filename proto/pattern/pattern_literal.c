#include "proto/pattern/pattern_literal.h"

#include <string.h>

#include "proto/base/minmax.h"
#include "proto/pattern/utf8.h"

enum { ENOUGH = 3, MANY_BYTES = 128, FIRST_WINDOW = 256 };

/* The most frequent bytes of source code, the most frequent first. */
static const char
    frequent[] = " etnarisolcdpumf\n_hg\tbyv,.()x;\"w/=k-'0A:T1>SCE{}*$RI<NL2DPF[]jOM";

/* A literal under construction. */
struct run {
	struct literal now, best, start;
	bool at_start; /* nothing before `now` reads a character */
	bool other; /* something else than characters was there, so no literal is the whole match */
};

static void end_run(struct run *run)
{
	if (run->at_start)
		run->start = run->now;
	run->at_start = false;
	if (run->now.n > run->best.n)
		run->best = run->now;
	run->now.n = 0;
}

static void add_bytes(struct run *run, const char *bytes, size_t n, char fold)
{
	if (run->now.n + n > LITERAL_MAX) {
		run->other = true;
		end_run(run);
	}
	memcpy(run->now.bytes + run->now.n, bytes, n);
	memset(run->now.fold + run->now.n, fold, n);
	run->now.n += n;
}

/* Whether the set is an ASCII letter, small and capital. */
static bool is_letter_pair(const struct charset *set, char *letter)
{
	uint32_t capital = set->n == 2 ? set->ranges[0].first : 0;

	*letter = (char)(capital | FOLDED);
	return capital >= 'A' && capital <= 'Z' && set->ranges[0].last == capital &&
	    set->ranges[1].first == (capital | FOLDED) && set->ranges[1].last == (capital | FOLDED);
}

/* Add the set if it is one character, or one and its capital. */
static bool add_set_bytes(struct run *run, const struct charset *set)
{
	char bytes[UTF8_MAX];
	uint32_t c;

	if (charset_is_one(set, &c)) {
		add_bytes(run, bytes, utf8_encode(c, bytes), 0);
		return true;
	}
	if (!is_letter_pair(set, bytes))
		return false;
	add_bytes(run, bytes, 1, FOLDED);
	return true;
}

static void add_node(struct run *run, const struct node *node)
{
	if (node->kind == NODE_EMPTY || (node->kind == NODE_SET && add_set_bytes(run, node->set)))
		return;
	if (node->kind == NODE_SEQUENCE) {
		for (size_t i = 0; i < node->nparts; i++)
			add_node(run, node->parts[i]);
		return;
	}
	run->other = true;
	if (node->kind == NODE_PLACE)
		return;
	if (node->kind == NODE_REPEAT && node->min > 0)
		add_node(run, node->parts[0]); /* the first time */
	end_run(run);
}

static size_t rarity(char c)
{
	const char *at = strchr(frequent, c);

	if (!at || !c)
		return sizeof frequent;
	return (size_t)(at - frequent);
}

static void choose_rarest(struct literal *l)
{
	for (size_t i = 1; i < l->n; i++)
		if (rarity(l->bytes[i]) > rarity(l->bytes[l->rarest]))
			l->rarest = i;
}

void literal_find(struct literal *l, const struct node *tree, bool within_lines)
{
	struct run run = { .at_start = true };

	add_node(&run, tree);
	end_run(&run);
	*l = run.best;
	if (!within_lines || run.start.n >= MIN(run.best.n, (size_t)ENOUGH)) {
		*l = run.start;
		l->begins = true;
	}
	l->whole = l->n && l->begins && !run.other;
	if (!l->begins && l->n < 2)
		l->n = 0; /* most lines have it */
	choose_rarest(l);
}

/*
 * The first place of either byte, or `end`.  Looks no further ahead than about twice as far as it
 * is.
 */
static const char *either_byte(const char *at, const char *end, char x, char y)
{
	for (size_t window = FIRST_WINDOW; at < end; window *= 2) {
		size_t n = MIN(window, (size_t)(end - at));
		const char *found = memchr(at, x, n);
		if (found)
			n = (size_t)(found - at);
		const char *other = memchr(at, y, n);
		if (other || found)
			return other ? other : found;
		at += n;
	}
	return end;
}

static const char *next_rarest(const struct literal *l, const char *at, const char *end)
{
	char c = l->bytes[l->rarest];

	if (l->fold[l->rarest])
		return either_byte(at, end, c, (char)(c ^ FOLDED));
	const char *found = memchr(at, c, (size_t)(end - at));
	return found ? found : end;
}

static bool is_here(const struct literal *l, const char *text)
{
	for (size_t i = 0; i < l->n; i++)
		if ((text[i] | l->fold[i]) != l->bytes[i])
			return false;
	return true;
}

const char *literal_search(const struct literal *l, const char *text, size_t n)
{
	if (n < l->n)
		return NULL;
	const char *at = text + l->rarest, *end = text + n - (l->n - 1 - l->rarest);
	while (at < end) {
		at = next_rarest(l, at, end);
		if (at < end && is_here(l, at - l->rarest))
			return at - l->rarest;
		at++;
	}
	return NULL;
}

/* ---- first bytes ---- */

static unsigned char lead_byte(uint32_t c)
{
	char bytes[UTF8_MAX];

	utf8_encode(c, bytes);
	return (unsigned char)bytes[0];
}

static void add_set(struct first_bytes *f, const struct charset *set)
{
	for (size_t i = 0; i < set->n; i++)
		for (unsigned b = lead_byte(set->ranges[i].first); b <= lead_byte(set->ranges[i].last); b++)
			f->has[b] = true;
}

/* Add the bytes with which a match of the node begins.  Whether the match may be empty. */
static bool add_first(struct first_bytes *f, const struct node *node)
{
	bool empty = false;

	switch (node->kind) {
	case NODE_EMPTY:
	case NODE_PLACE: return true;
	case NODE_SET: add_set(f, node->set); return false;
	case NODE_REPEAT: return add_first(f, node->parts[0]) || !node->min;
	case NODE_SEQUENCE:
		for (size_t i = 0; i < node->nparts; i++)
			if (!add_first(f, node->parts[i]))
				return false;
		return true;
	case NODE_CHOICE:
		for (size_t i = 0; i < node->nparts; i++)
			empty |= add_first(f, node->parts[i]);
		return empty;
	}
	return true;
}

void first_bytes_find(struct first_bytes *f, const struct node *tree)
{
	*f = (struct first_bytes){ 0 };
	bool empty = add_first(f, tree);
	for (size_t b = 0; b < BYTE_VALUES; b++) {
		f->n += f->has[b];
		if (f->has[b])
			f->only = (unsigned char)b;
	}
	f->known = !empty && f->n > 0 && f->n < MANY_BYTES;
}

const char *first_bytes_search(const struct first_bytes *f, const char *text, const char *end)
{
	if (f->n == 1) {
		const char *found = memchr(text, f->only, (size_t)(end - text));
		return found ? found : end;
	}
	while (text < end && !f->has[(unsigned char)*text])
		text++;
	return text;
}
