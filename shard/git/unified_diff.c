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

/* A path as it stands there, without quotes and what follows a tab. */
struct diff_path {
	struct diff_text_line text;
	bool quoted, none;	/* none: /dev/null */
};

struct diff_normalizer {
	struct buf out;
	uint64_t old, now;	/* lines that the hunk still has of each side */
	bool has_git_header;		/* a `diff --git` line has begun this file */
	bool plain;		/* paths have no prefix */
};

static struct diff_text_line line_at(const char *p)
{
	return (struct diff_text_line){ p, strcspn(p, "\n") };
}

static const char *behind(struct diff_text_line l)
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

/* What is behind the first part of a path; all of it where there is one part. */
static struct diff_text_line without_first(struct diff_text_line l)
{
	const char *slash = memchr(l.p, '/', l.n);

	return slash ? (struct diff_text_line){ slash + 1, l.n - (size_t)(slash + 1 - l.p) } : l;
}

static void put_line(struct buf *b, struct diff_text_line l)
{
	buf_put(b, l.p, l.n);
	buf_byte(b, '\n');
}

static void put_name(struct buf *b, const char *side, const struct diff_path *x)
{
	if (x->none) {
		buf_str(b, "/dev/null");
		return;
	}
	buf_str(b, x->quoted ? "\"" : "");
	buf_str(b, side);
	buf_put(b, x->text.p, x->text.n);
	buf_str(b, x->quoted ? "\"" : "");
}

/*
 * The two halves of what a `diff --git` line names, when they are the same: then paths have no
 * prefix.
 */
static bool halves(struct diff_text_line l, struct diff_path *x)
{
	static const char git[] = "diff --git ";
	struct diff_text_line rest = { l.p + sizeof git - 1,
		begins(l, git) ? l.n - (sizeof git - 1) : 0 },
	                      a, b;

	while (rest.n && rest.p[rest.n - 1] == '\r')
		rest.n--;
	a = (struct diff_text_line){ rest.p, rest.n / 2 };
	b = (struct diff_text_line){ rest.p + rest.n / 2 + 1, rest.n / 2 };
	if (rest.n < 3 || rest.n % 2 == 0 || rest.p[a.n] != ' ' || !same(a, b))
		return false;
	*x = name_of(a, 0);
	return true;
}

static bool is_plain(const char *text)
{
	struct diff_path x;

	for (struct diff_text_line l = line_at(text); *l.p; l = line_at(behind(l)))
		if (halves(l, &x))
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

/*
 * A `diff --git` line without prefixes, of a file that has one name, or two that the lines below
 * say.
 */
static void begin_plain(struct diff_normalizer *r, struct diff_text_line l)
{
	struct diff_path x, old = { .none = true }, now = { .none = true };

	if (halves(l, &x)) {
		put_names(&r->out, &x, &x);
		return;
	}
	for (struct diff_text_line k = line_at(behind(l));
	     *k.p && !begins(k, "diff ") && !begins(k, "@@"); k = line_at(behind(k))) {
		if (begins(k, "rename from ") || begins(k, "copy from "))
			old = name_of(k, *k.p == 'r' ? 12 : 10);
		if (begins(k, "rename to ") || begins(k, "copy to "))
			now = name_of(k, *k.p == 'r' ? 10 : 8);
	}
	if (old.none || now.none)
		put_line(&r->out, l);
	else
		put_names(&r->out, &old, &now);
}

/* The names of a file that no `diff --git` line has begun: begin it. */
static void begin_bare(struct diff_normalizer *r, struct diff_path *old, struct diff_path *now)
{
	struct diff_text_line was = without_first(old->text), is = without_first(now->text);
	struct diff_path *one = now->none ? old : now;
	bool prefixed = old->none || now->none ? begins(one->text, "a/") || begins(one->text, "b/")
	    : !same(old->text, now->text) && same(was, is);

	if (prefixed)
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

/* What stands outside of hunks; the line that follows it. */
static struct diff_text_line copy_header_line(struct diff_normalizer *r, struct diff_text_line l)
{
	struct diff_text_line next = line_at(behind(l));

	if (begins(l, "--- ") && begins(next, "+++ ")) {
		put_sides(r, l, next);
		return line_at(behind(next));
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
		l = line_at(behind(l));
	}
	/* as mails of `git format-patch` end: without it a last file that has no hunks is refused */
	buf_str(&r.out, "-- \n");
	const char *out = arena_strn(a, r.out.p, r.out.n);
	buf_free(&r.out);
	return out;
}
