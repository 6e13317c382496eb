#include "shard/git/unified_diff.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

struct line {
	const char *p;
	size_t n;	/* without its end */
};

/* A path as it stands there, without quotes and what follows a tab. */
struct name {
	struct line text;
	bool quoted, none;	/* none: /dev/null */
};

struct reading {
	struct buf out;
	uint64_t old, now;	/* lines that the hunk still has of each side */
	bool headed;		/* a `diff --git` line has begun this file */
	bool plain;		/* paths have no prefix */
};

static struct line line_at(const char *p)
{
	return (struct line){ p, strcspn(p, "\n") };
}

static const char *behind(struct line l)
{
	return l.p + l.n + (l.p[l.n] == '\n');
}

static bool begins(struct line l, const char *with)
{
	return l.n >= strlen(with) && !memcmp(l.p, with, strlen(with));
}

static bool same(struct line a, struct line b)
{
	return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

static struct name name_of(struct line l, size_t skip)
{
	struct name x = { .text = { l.p + skip, l.n - skip } };
	const char *tab = memchr(x.text.p, '\t', x.text.n);

	x.text.n = tab ? (size_t)(tab - x.text.p) : x.text.n;
	while (x.text.n && x.text.p[x.text.n - 1] == '\r')
		x.text.n--;
	x.none = x.text.n == 9 && !memcmp(x.text.p, "/dev/null", 9);
	x.quoted = x.text.n > 1 && *x.text.p == '"' && x.text.p[x.text.n - 1] == '"';
	if (x.quoted)
		x.text = (struct line){ x.text.p + 1, x.text.n - 2 };
	return x;
}

/* What is behind the first part of a path; all of it where there is one part. */
static struct line without_first(struct line l)
{
	const char *slash = memchr(l.p, '/', l.n);

	return slash ? (struct line){ slash + 1, l.n - (size_t)(slash + 1 - l.p) } : l;
}

static void put_line(struct buf *b, struct line l)
{
	buf_put(b, l.p, l.n);
	buf_byte(b, '\n');
}

static void put_name(struct buf *b, const char *side, const struct name *x)
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

/* The two halves of what a `diff --git` line names, when they are the same: then paths have no prefix. */
static bool halves(struct line l, struct name *x)
{
	static const char git[] = "diff --git ";
	struct line rest = { l.p + sizeof git - 1, begins(l, git) ? l.n - (sizeof git - 1) : 0 }, a, b;

	while (rest.n && rest.p[rest.n - 1] == '\r')
		rest.n--;
	a = (struct line){ rest.p, rest.n / 2 };
	b = (struct line){ rest.p + rest.n / 2 + 1, rest.n / 2 };
	if (rest.n < 3 || rest.n % 2 == 0 || rest.p[a.n] != ' ' || !same(a, b))
		return false;
	*x = name_of(a, 0);
	return true;
}

static bool is_plain(const char *text)
{
	struct name x;

	for (struct line l = line_at(text); *l.p; l = line_at(behind(l)))
		if (halves(l, &x))
			return true;
	return false;
}

static void put_names(struct buf *b, const struct name *old, const struct name *now)
{
	buf_str(b, "diff --git ");
	put_name(b, "a/", old);
	buf_byte(b, ' ');
	put_name(b, "b/", now);
	buf_byte(b, '\n');
}

/* A `diff --git` line without prefixes, of a file that has one name, or two that the lines below say. */
static void begin_plain(struct reading *r, struct line l)
{
	struct name x, old = { .none = true }, now = { .none = true };

	if (halves(l, &x)) {
		put_names(&r->out, &x, &x);
		return;
	}
	for (struct line k = line_at(behind(l)); *k.p && !begins(k, "diff ") && !begins(k, "@@"); k = line_at(behind(k))) {
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
static void begin_bare(struct reading *r, struct name *old, struct name *now)
{
	struct line was = without_first(old->text), is = without_first(now->text);
	struct name *one = now->none ? old : now;
	bool prefixed = old->none || now->none ? begins(one->text, "a/") || begins(one->text, "b/")
	    : !same(old->text, now->text) && same(was, is);

	if (prefixed)
		one->text = without_first(one->text);
	while (one->text.n && *one->text.p == '/')
		one->text = (struct line){ one->text.p + 1, one->text.n - 1 };
	put_names(&r->out, one, one);
	if (old->none)
		buf_str(&r->out, "new file mode 100644\n");
	else if (now->none)
		buf_str(&r->out, "deleted file mode 100644\n");
	else
		*old = *now;
}

/* The lines `--- OLD` and `+++ NEW`. */
static void put_sides(struct reading *r, struct line minus, struct line plus)
{
	struct name old = name_of(minus, 4), now = name_of(plus, 4);

	if (r->headed && !r->plain) {
		put_line(&r->out, minus);
		put_line(&r->out, plus);
	} else {
		if (!r->headed)
			begin_bare(r, &old, &now);
		buf_str(&r->out, "--- ");
		put_name(&r->out, "a/", &old);
		buf_str(&r->out, "\n+++ ");
		put_name(&r->out, "b/", &now);
		buf_byte(&r->out, '\n');
	}
	r->headed = false;
}

/* How many lines a side of a hunk has: `-5,2`, `+7`. */
static uint64_t count_of(struct line l, char sign)
{
	const char *p = memchr(l.p, sign, l.n);
	char *end;

	if (!p)
		return 0;
	strtoull(p + 1, &end, 10);
	return *end == ',' ? strtoull(end + 1, NULL, 10) : 1;
}

static void pass_hunk(struct reading *r, struct line l)
{
	char c = l.n ? *l.p : ' ';

	r->old -= r->old && (c == ' ' || c == '-');
	r->now -= r->now && (c == ' ' || c == '+');
	put_line(&r->out, l);
}

/* What stands outside of hunks; the line that follows it. */
static struct line pass_head(struct reading *r, struct line l)
{
	struct line next = line_at(behind(l));

	if (begins(l, "--- ") && begins(next, "+++ ")) {
		put_sides(r, l, next);
		return line_at(behind(next));
	}
	if (begins(l, "@@ -")) {
		r->old = count_of(l, '-');
		r->now = count_of(l, '+');
	}
	r->headed |= begins(l, "diff --git ");
	if (r->plain && begins(l, "diff --git "))
		begin_plain(r, l);
	else
		put_line(&r->out, l);
	return next;
}

const char *patch_git(const char *text, struct arena *a)
{
	struct reading r = { .plain = is_plain(text) };

	for (struct line l = line_at(text); *l.p; ) {
		if (!r.old && !r.now) {
			l = pass_head(&r, l);
			continue;
		}
		pass_hunk(&r, l);
		l = line_at(behind(l));
	}
	buf_str(&r.out, "-- \n");	/* as mails of `git format-patch` end: without it a last file that has no hunks is refused */
	const char *out = arena_strn(a, r.out.p, r.out.n);
	buf_free(&r.out);
	return out;
}
