#include "shard/syntax/line_ends.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/syntax/node_rules.h"

/* Behind the string that begins at `i`. */
static size_t string_end(const char *s, size_t n, size_t i)
{
	for (i++; i < n && s[i] != '"' && s[i] != '\n'; i++)
		i += s[i] == '\\';
	return i < n ? i + 1 : n;
}

/*
 * Behind the annotation whose sign is at `i`: its name and arguments; 0: it has no arguments, or
 * they do not end.
 */
static size_t annotation_end(const char *s, size_t n, size_t i)
{
	size_t depth = 0;

	for (i++; i < n && (isalnum((unsigned char)s[i]) || s[i] == '_' || s[i] == '.'); )
		i++;
	if (i == n || s[i] != '(')
		return 0;
	while (i < n) {
		if (s[i] == '"') {
			i = string_end(s, n, i);
			continue;
		}
		depth += s[i] == '(';
		depth -= s[i] == ')';
		i++;
		if (!depth)
			return i;
	}
	return 0;
}

static bool begins(const struct word_set *carry, const char *s, size_t n, size_t i)
{
	for (size_t k = 0; k < carry->n; k++) {
		size_t len = strlen(carry->v[k]);
		if (n - i > len && !memcmp(s + i, carry->v[k], len) && isupper((unsigned char)s[i + len]))
			return true;
	}
	return false;
}

struct excluded_ranges {
	struct excluded_range *v;
	size_t n, cap;
};

static void put(struct excluded_ranges *f, size_t from, size_t to)
{
	f->v = grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n++] = (struct excluded_range){ (uint32_t)from, (uint32_t)to };
}

static void find_annotations(
    const struct rules *r, const char *s, size_t n, struct excluded_ranges *f)
{
	for (size_t i = 0; r->carry.n && i < n; ) {
		size_t end = begins(&r->carry, s, n, i) ? annotation_end(s, n, i) : 0;
		size_t eol = end;
		while (end && eol < n && strchr(" \t\r", s[eol]) && s[eol])
			eol++;
		if (end && eol + 1 < n && s[eol] == '\n' &&
		    (isalpha((unsigned char)s[eol + 1]) || begins(&r->carry, s, n, eol + 1)))
			put(f, end, eol + 1);
		const char *next = memchr(s + (end ? end : i), '\n', n - (end ? end : i));
		if (next)
			i = (size_t)(next - s) + 1;
		else
			i = n;
	}
}

/* ---- heads of classes ---- */

enum line_part { PART_OTHER, PART_HEAD, PART_MODIFIERS, PART_JOINED };

static size_t word_end(const char *s, size_t n, size_t i)
{
	while (i < n && (isalnum((unsigned char)s[i]) || s[i] == '_'))
		i++;
	return i;
}

/* Behind the annotation or word that begins at `i`, or `i`. */
static size_t modifier_end(const char *s, size_t n, size_t i)
{
	size_t to;

	if (s[i] != '@')
		return word_end(s, n, i);
	to = annotation_end(s, n, i);
	for (to = to ? to : i + 1;
	     to < n && (isalnum((unsigned char)s[to]) || s[to] == '_' || s[to] == '.' || s[to] == ':');)
		to++;
	return to;
}

/* What a line is: modifiers and annotations alone, or what follows them. */
static enum line_part part_of(const struct rules *r, const char *s, size_t n)
{
	for (size_t i = 0, to;; i = to) {
		while (i < n && isspace((unsigned char)s[i]))
			i++;
		if (i == n) {
			if (n)
				return PART_MODIFIERS;
			return PART_OTHER;
		}
		to = modifier_end(s, n, i);
		if (to == i)
			return PART_OTHER;
		if (word_set_has(&r->join, s + i, to - i)) {
			if (memchr(s + to, '(', n - to))
				return PART_JOINED;
			return PART_OTHER;
		}
		if (to - i == 5 && !memcmp(s + i, "class", 5))
			break;
	}
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	if (isalnum((unsigned char)s[n - 1]) || s[n - 1] == '_' || s[n - 1] == '>')
		return PART_HEAD;
	return PART_OTHER;
}

static void find_joined(const struct rules *r, const char *s, size_t n, struct excluded_ranges *f)
{
	size_t sure = f->n;	/* of what is there so many are followed by the word */

	for (size_t i = 0, to; r->join.n && i < n; i = to + 1) {
		const char *eol = memchr(s + i, '\n', n - i);
		to = eol ? (size_t)(eol - s) : n;
		enum line_part part = part_of(r, s + i, to - i);
		bool on = part == PART_MODIFIERS && f->n > sure;
		if (part == PART_JOINED)
			sure = f->n;
		if (!on)
			f->n = sure;
		if (eol && (on || part == PART_HEAD))
			put(f, to + 1, to + 1);
	}
	f->n = sure;
}

static int by_place(const void *a, const void *b)
{
	const struct excluded_range *x = a, *y = b;

	return (x->to > y->to) - (x->to < y->to);
}

size_t line_ends_find(
    const struct rules *r, const char *s, size_t n, struct arena *a, struct excluded_range **out)
{
	struct excluded_ranges f = { 0 };
	size_t k = 0;

	find_annotations(r, s, n, &f);
	find_joined(r, s, n, &f);
	if (f.n)
		qsort(f.v, f.n, sizeof *f.v, by_place);
	*out = arena_many(a, f.n, struct excluded_range);
	for (size_t i = 0; i < f.n; i++)	/* the same end of a line once */
		if (!k || (*out)[k - 1].to != f.v[i].to)
			(*out)[k++] = f.v[i];
		else if (f.v[i].from == f.v[i].to)
			(*out)[k - 1] = f.v[i];
	free(f.v);
	return k;
}
