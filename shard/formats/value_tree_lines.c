#include "shard/formats/value_tree.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* Manifests of lines: INI, go.mod, pip's requirements. */

struct line_reader {
	const char *next, *end;
	const char *s;		/* the line at hand, without blanks around it */
	size_t n, number;
	bool indented;
};

static bool next_line(struct line_reader *l)
{
	if (l->next >= l->end)
		return false;
	const char *nl = memchr(l->next, '\n', (size_t)(l->end - l->next)), *stop = nl ? nl : l->end;
	l->s = l->next;
	l->next = stop + 1;
	l->number++;
	l->indented = l->s < stop && (*l->s == ' ' || *l->s == '\t');
	while (l->s < stop && isspace((unsigned char)*l->s))
		l->s++;
	while (stop > l->s && isspace((unsigned char)stop[-1]))
		stop--;
	l->n = (size_t)(stop - l->s);
	return true;
}

/* The bytes before a mark that begins a comment: at the beginning, or behind a blank. */
static size_t before_comment(const char *s, size_t n, const char *mark)
{
	size_t m = strlen(mark);

	for (size_t i = 0; i + m <= n; i++)
		if (!memcmp(s + i, mark, m) && (!i || isspace((unsigned char)s[i - 1]))) {
			while (i && isspace((unsigned char)s[i - 1]))
				i--;
			return i;
		}
	return n;
}

static size_t trimmed(const char *s, size_t n)
{
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return n;
}

void value_tree_read_ini(struct value_tree *t, const char *text, size_t n)
{
	struct line_reader l = { .next = text, .end = text + n };
	struct value_node *section = t->root, *x = NULL;

	while (section && next_line(&l)) {
		if (!l.n || *l.s == '#' || *l.s == ';' || *l.s == '!')
			continue;
		if (*l.s == '[' && l.s[l.n - 1] == ']') {
			section = value_tree_add(
			    t, t->root, arena_strn(t->a, l.s + 1, l.n - 2), NULL, l.number);
			x = NULL;
			continue;
		}
		if (l.indented && x) {		/* it goes on; the first line of several is one of them too */
			size_t m = before_comment(l.s, l.n, "#");
			value_tree_add(t, x, NULL, arena_strn(t->a, l.s, m), l.number);
			continue;
		}
		size_t k = 0;
		while (k < l.n && l.s[k] != '=' && l.s[k] != ':')
			k++;
		size_t v = k + (k < l.n);
		while (v < l.n && isspace((unsigned char)l.s[v]))
			v++;
		x = value_tree_add(t, section, arena_strn(t->a, l.s, trimmed(l.s, k)),
		    arena_strn(t->a, l.s + v, l.n - v), l.number);
		if (x && *x->value)
			value_tree_add(t, x, NULL, x->value, l.number);
	}
}

/* ---- go.mod ---- */

/* The next word of the line, without quotes; "" at its end. */
static const char *word(struct value_tree *t, const char **s, const char *end)
{
	const char *from;

	while (*s < end && isspace((unsigned char)**s))
		++*s;
	from = *s;
	while (*s < end && !isspace((unsigned char)**s))
		++*s;
	size_t n = (size_t)(*s - from);
	if (n > 1 && (*from == '"' || *from == '`') && from[n - 1] == *from)
		from++, n -= 2;
	return arena_strn(t->a, from, n);
}

/* What a directive says: `require a v1`, `replace a [v1] => b [v2]`, `module a`. */
static void directive(
    struct value_tree *t, const char *what, const struct line_reader *l, const char *s)
{
	const char *end = l->s + before_comment(l->s, l->n, "//"), *comment = end;
	const char *name = word(t, &s, end);
	struct value_node *x = NULL;

	if (*name)
		x = value_tree_add(t, t->root, what, name, l->number);
	if (!x || !strcmp(what, "module"))
		return;
	const char *version = word(t, &s, end);
	if (strcmp(what, "replace")) {
		value_tree_add(t, x, "version", version, l->number);
		if (memmem(comment, l->n - (size_t)(comment - l->s), "indirect", 8))
			value_tree_add(t, x, "indirect", "true", l->number);
		return;
	}
	if (strcmp(version, "=>"))	/* only this version of it */
		word(t, &s, end);
	value_tree_add(t, x, "with", word(t, &s, end), l->number);
	value_tree_add(t, x, "version", word(t, &s, end), l->number);
}

void value_tree_read_gomod(struct value_tree *t, const char *text, size_t n)
{
	struct line_reader l = { .next = text, .end = text + n };
	const char *block = NULL;

	while (next_line(&l)) {
		const char *s = l.s, *end = s + before_comment(l.s, l.n, "//");
		if (s == end)
			continue;
		if (*s == ')')
			block = NULL;
		else if (block)
			directive(t, block, &l, s);
		else {
			const char *what = word(t, &s, end);
			if (end[-1] == '(') {
				if (strcmp(what, "require("))
					block = what;
				else
					block = "require";
			} else
				directive(t, what, &l, s);
		}
	}
}

/* ---- requirements.txt ---- */

/*
 * Whether the line is an option of pip; `-e` and `--editable` stand before something that is
 * meant.
 */
static bool is_option(const char **s, size_t *n)
{
	static const char *const editable[] = { "-e", "--editable" };

	if (**s != '-')
		return false;
	for (size_t i = 0; i < LEN(editable); i++) {
		size_t m = strlen(editable[i]);
		if (*n > m && !strncmp(*s, editable[i], m) && strchr(" \t=", (*s)[m])) {
			*s += m + 1;
			*n -= m + 1;
			return false;
		}
	}
	return true;
}

void value_tree_read_requirements(struct value_tree *t, const char *text, size_t n)
{
	struct line_reader l = { .next = text, .end = text + n };
	bool on = false;

	while (next_line(&l)) {
		const char *s = l.s;
		size_t m = before_comment(s, l.n, "#");
		bool goes_on = m && s[m - 1] == '\\';
		m = trimmed(s, m - goes_on);
		if (m && !on && !is_option(&s, &m)) {	/* what follows are hashes */
			const char *option = memmem(s, m, " --", 3);
			while (m && isspace((unsigned char)*s))
				s++, m--;
			value_tree_add(t, t->root, NULL,
			    arena_strn(t->a, s, option ? trimmed(s, (size_t)(option - s)) : m), l.number);
		}
		on = goes_on;
	}
}
