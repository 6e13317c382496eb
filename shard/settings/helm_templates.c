#include "shard/settings/helm_templates.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

bool helm_is_template(const char *path, const char *text, size_t n)
{
	return (strstr(path, "/templates/") || !strncmp(path, "templates/", 10)) &&
	    memmem(text, n, "{{", 2);
}

static size_t name_length(const char *s, const char *end)
{
	size_t n = 0;

	while (s + n < end && (isalnum((unsigned char)s[n]) || s[n] == '.' || s[n] == '_'))
		n++;
	return n;
}

/* What an expression is in a setting: the one value that it takes, and what it is by default. */
static void put_expression(struct buf *out, const char *s, const char *end)
{
	static const char VALUES[] = ".Values.";
	const char *at = memmem(s, (size_t)(end - s), VALUES, strlen(VALUES));
	const char *other = at ? memmem(at + 1, (size_t)(end - at - 1), VALUES, strlen(VALUES)) : NULL;
	const char *word = memmem(s, (size_t)(end - s), "default \"", 9),
	           *close = word ? memchr(word + 9, '"', (size_t)(end - word - 9)) : NULL;

	if (!at || other || memmem(s, (size_t)(end - s), "printf", 6)) {
		buf_str(out, "${-}");
		return;
	}
	buf_str(out, "${");
	buf_put(out, at + 1, name_length(at + 1, end));
	if (close) {
		buf_byte(out, ':');
		buf_put(out, word + 9, (size_t)(close - word - 9));
	}
	buf_byte(out, '}');
}

static void put_line(struct buf *out, const char *s, const char *end)
{
	const char *first = s;

	while (first < end && (*first == ' ' || *first == '-'))
		first++;
	if (end - first >= 2 && !strncmp(first, "{{", 2))
		return;
	for (const char *open; (open = memmem(s, (size_t)(end - s), "{{", 2));) {
		const char *close = memmem(open, (size_t)(end - open), "}}", 2);
		if (!close)
			break;
		buf_put(out, s, (size_t)(open - s));
		put_expression(out, open + 2, close);
		s = close + 2;
	}
	buf_put(out, s, (size_t)(end - s));
}

const char *helm_to_yaml(const char *text, size_t n, struct arena *a, size_t *out_n)
{
	struct buf out = { 0 };
	const char *end = text + n;

	for (const char *s = text, *stop; s < end; s = stop + 1) {
		stop = memchr(s, '\n', (size_t)(end - s));
		if (!stop)
			stop = end;
		put_line(&out, s, stop);
		buf_byte(&out, '\n');
	}
	const char *copy = arena_strn(a, out.p ? out.p : "", out.n);
	*out_n = out.n;
	buf_free(&out);
	return copy;
}
