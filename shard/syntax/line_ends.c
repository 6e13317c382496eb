#include "shard/syntax/line_ends.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/syntax/node_rules.h"

/* The end of the string that begins at `i`. */
static size_t string_end(const char *s, size_t n, size_t i)
{
	for (i++; i < n && s[i] != '"' && s[i] != '\n'; i++)
		i += s[i] == '\\';
	return MIN(i + 1, n);
}

/*
 * An annotation whose arguments do not end is searched to the end of the file.  After this many of
 * them the rest of the file is left as it is, so that the search stays linear.
 */
enum { UNENDED_MAX = 64 };

/*
 * The end of the annotation whose sign is at `i`, with its arguments; 0 if it has no arguments, or
 * if they do not end, which is counted in `unended`.
 */
static size_t annotation_end(const char *s, size_t n, size_t i, size_t *unended)
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
	++*unended;
	return 0;
}

/* Whether an annotation begins at `i`: one of the signs and a capital. */
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

/* Exclude the end of line after an annotation if a declaration or another annotation follows. */
static void put_annotation(
    const struct rules *r, const char *s, size_t n, size_t end, struct excluded_ranges *f)
{
	size_t eol = end;

	while (eol < n && (s[eol] == ' ' || s[eol] == '\t' || s[eol] == '\r'))
		eol++;
	if (eol + 1 >= n || s[eol] != '\n')
		return;
	if (isalpha((unsigned char)s[eol + 1]) || begins(&r->carry, s, n, eol + 1))
		put(f, end, eol + 1);
}

static void find_annotations(
    const struct rules *r, const char *s, size_t n, struct excluded_ranges *f)
{
	size_t unended = 0;

	for (size_t i = 0; r->carry.n && i < n && unended < UNENDED_MAX;) {
		size_t end = 0;
		if (begins(&r->carry, s, n, i))
			end = annotation_end(s, n, i, &unended);
		if (end) {
			put_annotation(r, s, n, end, f);
			i = end;
		}
		const char *newline = memchr(s + i, '\n', n - i);
		if (!newline)
			return;
		i = (size_t)(newline - s) + 1;
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

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':';
}

/* The end of the annotation or word that begins at `i`, or `i`. */
static size_t modifier_end(const char *s, size_t n, size_t i)
{
	if (s[i] != '@')
		return word_end(s, n, i);
	size_t unended = 0, to = annotation_end(s, n, i, &unended);
	if (!to)
		to = i + 1;
	while (to < n && is_name_char(s[to]))
		to++;
	return to;
}

/* Whether a line is only modifiers and annotations, or what follows them. */
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

/*
 * Join the head of a class with a line below that has a word of `join`.  The ends of lines between
 * them are added while reading, and dropped again if another line comes first.
 */
static void find_joined(const struct rules *r, const char *s, size_t n, struct excluded_ranges *f)
{
	size_t confirmed = f->n;	/* so many ranges are followed by the word */

	for (size_t i = 0, to; r->join.n && i < n; i = to + 1) {
		const char *newline = memchr(s + i, '\n', n - i);
		to = newline ? (size_t)(newline - s) : n;
		enum line_part part = part_of(r, s + i, to - i);
		bool continues = part == PART_MODIFIERS && f->n > confirmed;
		if (part == PART_JOINED)
			confirmed = f->n;
		if (!continues)
			f->n = confirmed;
		if (newline && (continues || part == PART_HEAD))
			put(f, to + 1, to + 1);
	}
	f->n = confirmed;
}

/* Whether a name follows that begins with the word `next`, behind blanks. */
static bool is_followed_by(const char *s, size_t n, size_t i, const char *next)
{
	size_t len = strlen(next);

	while (i < n && (s[i] == ' ' || s[i] == '\t'))
		i++;
	return n - i > len && !memcmp(s + i, next, len) && !is_name_char(s[i + len]);
}

/* Whether the word at `from` stands before the word `next`. */
static bool is_omitted(const char *s, size_t n, size_t from, size_t to, const char *next)
{
	if (from && is_name_char(s[from - 1]))
		return false;
	return to < n && isblank((unsigned char)s[to]) && is_followed_by(s, n, to, next);
}

const char *line_ends_omit(const struct rules *r, const char *s, size_t n, struct arena *a)
{
	const struct word_set *words = &r->omit;
	char *out = NULL;

	for (size_t k = 0; k + 1 < words->n; k += 2) {
		size_t len = strlen(words->v[k]);
		const char *at = memmem(s, n, words->v[k], len);
		while (at) {
			size_t from = (size_t)(at - s), to = from + len;
			if (is_omitted(s, n, from, to, words->v[k + 1])) {
				if (!out)
					out = memcpy(arena_many(a, n + 1, char), s, n);
				memset(out + from, ' ', len);
			}
			at = memmem(s + to, n - to, words->v[k], len);
		}
	}
	return out ? out : s;
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
	/* each end of line once, as a blank if possible */
	for (size_t i = 0; i < f.n && k < EXCLUDED_MAX; i++) {
		if (!k || (*out)[k - 1].to != f.v[i].to)
			(*out)[k++] = f.v[i];
		else if (f.v[i].from == f.v[i].to)
			(*out)[k - 1] = f.v[i];
	}
	free(f.v);
	return k;
}
