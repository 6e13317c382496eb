#include "shard/git/unified_diff.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

struct diff_text_line {
	const char *p;
	size_t n;	/* without its end */
};

/* A path in the text, without quotes and without the part after a tab. */
struct diff_path {
	struct diff_text_line text;
	bool quoted, none;	/* none: /dev/null */
};

struct diff_normalizer {
	struct buf out;
	uint64_t old, now;	/* lines of each side that are left in the hunk */
	bool has_git_header;		/* this file began with a `diff --git` line */
	bool plain;		/* paths have no prefix (diff.noprefix) */
};

static struct diff_text_line line_at(const char *p)
{
	return (struct diff_text_line){ p, strcspn(p, "\n") };
}

static const char *after(struct diff_text_line l)
{
	return l.p + l.n + (l.p[l.n] == '\n');
}

static bool begins(struct diff_text_line l, const char *with)
{
	return l.n >= strlen(with) && !memcmp(l.p, with, strlen(with));
}

static bool same(struct diff_text_line a, struct diff_text_line b)
{
	return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

static struct diff_path name_of(struct diff_text_line l, size_t skip)
{
	struct diff_path x = { .text = { l.p + skip, l.n - skip } };
	const char *tab = memchr(x.text.p, '\t', x.text.n);

	if (tab)
		x.text.n = (size_t)(tab - x.text.p);
	while (x.text.n && x.text.p[x.text.n - 1] == '\r')
		x.text.n--;
	x.none = x.text.n == 9 && !memcmp(x.text.p, "/dev/null", 9);
	x.quoted = x.text.n > 1 && *x.text.p == '"' && x.text.p[x.text.n - 1] == '"';
	if (x.quoted)
		x.text = (struct diff_text_line){ x.text.p + 1, x.text.n - 2 };
	return x;
}

/* The path without its first part; the whole path if it has only one. */
static struct diff_text_line without_first(struct diff_text_line l)
{
	const char *slash = memchr(l.p, '/', l.n);

	if (!slash)
		return l;
	return (struct diff_text_line){ slash + 1, l.n - (size_t)(slash + 1 - l.p) };
}

static void put_line(struct buf *b, struct diff_text_line l)
{
	buf_put(b, l.p, l.n);
	buf_byte(b, '\n');
}

static void put_name(struct buf *b, const char *side, const struct diff_path *x)
{
	const char *quote = x->quoted ? "\"" : "";

	if (x->none) {
		buf_str(b, "/dev/null");
		return;
	}
	buf_str(b, quote);
	buf_str(b, side);
	buf_put(b, x->text.p, x->text.n);
	buf_str(b, quote);
}

/*
 * The one path that a `diff --git` line names twice.  Equal paths mean that they have no prefixes.
 */
static bool repeated_path(struct diff_text_line l, struct diff_path *x)
{
	static const char git[] = "diff --git ";

	if (!begins(l, git))
		return false;
	struct diff_text_line rest = { l.p + strlen(git), l.n - strlen(git) };
	while (rest.n && rest.p[rest.n - 1] == '\r')
		rest.n--;
	if (rest.n < 3 || rest.n % 2 == 0)
		return false;
	size_t half = rest.n / 2;
	struct diff_text_line a = { rest.p, half }, b = { rest.p + half + 1, half };
	if (rest.p[half] != ' ' || !same(a, b))
		return false;
	*x = name_of(a, 0);
	return true;
}

static bool is_plain(const char *text)
{
	struct diff_path x;

	for (struct diff_text_line l = line_at(text); *l.p; l = line_at(after(l)))
		if (repeated_path(l, &x))
			return true;
	return false;
}

static void put_names(struct buf *b, const struct diff_path *old, const struct diff_path *now)
{
	buf_str(b, "diff --git ");
	put_name(b, "a/", old);
	buf_byte(b, ' ');
	put_name(b, "b/", now);
	buf_byte(b, '\n');
}

/* Whether the line is `KEY PATH`. */
static bool read_path(struct diff_text_line l, const char *key, struct diff_path *x)
{
	if (!begins(l, key))
		return false;
	*x = name_of(l, strlen(key));
	return true;
}

/*
 * A `diff --git` line without prefixes: of a file that has one name, or two that the lines below it
 * contain.
 */
static void begin_plain(struct diff_normalizer *r, struct diff_text_line l)
{
	struct diff_path x, old = { .none = true }, now = { .none = true };

	if (repeated_path(l, &x)) {
		put_names(&r->out, &x, &x);
		return;
	}
	struct diff_text_line k = line_at(after(l));
	for (; *k.p && !begins(k, "diff ") && !begins(k, "@@"); k = line_at(after(k))) {
		if (!read_path(k, "rename from ", &old))
			read_path(k, "copy from ", &old);
		if (!read_path(k, "rename to ", &now))
			read_path(k, "copy to ", &now);
	}
	if (old.none || now.none)
		put_line(&r->out, l);
	else
		put_names(&r->out, &old, &now);
}

/*
 * Whether the paths have prefixes: a/ or b/ for a single path, any first part that differs for
 * two.
 */
static bool has_prefix(const struct diff_path *old, const struct diff_path *now)
{
	const struct diff_path *one = now->none ? old : now;

	if (old->none || now->none)
		return begins(one->text, "a/") || begins(one->text, "b/");
	if (same(old->text, now->text))
		return false;
	return same(without_first(old->text), without_first(now->text));
}

/* Write the `diff --git` line of a file that has none. */
static void begin_bare(struct diff_normalizer *r, struct diff_path *old, struct diff_path *now)
{
	struct diff_path *one = now->none ? old : now;

	if (has_prefix(old, now))
		one->text = without_first(one->text);
	while (one->text.n && *one->text.p == '/')
		one->text = (struct diff_text_line){ one->text.p + 1, one->text.n - 1 };
	put_names(&r->out, one, one);
	if (old->none)
		buf_str(&r->out, "new file mode 100644\n");
	else if (now->none)
		buf_str(&r->out, "deleted file mode 100644\n");
	else
		*old = *now;
}

/* The lines `--- OLD` and `+++ NEW`. */
static void put_sides(
    struct diff_normalizer *r, struct diff_text_line minus, struct diff_text_line plus)
{
	struct diff_path old = name_of(minus, 4), now = name_of(plus, 4);

	if (r->has_git_header && !r->plain) {
		put_line(&r->out, minus);
		put_line(&r->out, plus);
	} else {
		if (!r->has_git_header)
			begin_bare(r, &old, &now);
		buf_str(&r->out, "--- ");
		put_name(&r->out, "a/", &old);
		buf_str(&r->out, "\n+++ ");
		put_name(&r->out, "b/", &now);
		buf_byte(&r->out, '\n');
	}
	r->has_git_header = false;
}

/* How many lines a side of a hunk has: `-5,2`, `+7`. */
static uint64_t count_of(struct diff_text_line l, char sign)
{
	const char *p = memchr(l.p, sign, l.n);
	char *end;

	if (!p)
		return 0;
	strtoull(p + 1, &end, 10);
	if (*end == ',')
		return strtoull(end + 1, NULL, 10);
	return 1;
}

static void copy_hunk_line(struct diff_normalizer *r, struct diff_text_line l)
{
	char c = l.n ? *l.p : ' ';

	r->old -= r->old && (c == ' ' || c == '-');
	r->now -= r->now && (c == ' ' || c == '+');
	put_line(&r->out, l);
}

/* Copy or replace a line outside of hunks; returns the line that follows. */
static struct diff_text_line copy_header_line(struct diff_normalizer *r, struct diff_text_line l)
{
	struct diff_text_line next = line_at(after(l));

	if (begins(l, "--- ") && begins(next, "+++ ")) {
		put_sides(r, l, next);
		return line_at(after(next));
	}
	if (begins(l, "@@ -")) {
		r->old = count_of(l, '-');
		r->now = count_of(l, '+');
	}
	r->has_git_header |= begins(l, "diff --git ");
	if (r->plain && begins(l, "diff --git "))
		begin_plain(r, l);
	else
		put_line(&r->out, l);
	return next;
}

const char *unified_diff_normalize(const char *text, struct arena *a)
{
	struct diff_normalizer r = { .plain = is_plain(text) };

	for (struct diff_text_line l = line_at(text); *l.p; ) {
		if (!r.old && !r.now) {
			l = copy_header_line(&r, l);
			continue;
		}
		copy_hunk_line(&r, l);
		l = line_at(after(l));
	}
	/* mails of `git format-patch` end so; without it libgit2 rejects a last file without hunks */
	buf_str(&r.out, "-- \n");
	const char *out = arena_strn(a, r.out.p, r.out.n);
	buf_free(&r.out);
	return out;
}
