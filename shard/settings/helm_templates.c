#include "shard/settings/helm_templates.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

bool helm_is_template(const char *path, const char *text, size_t n)
{
	if (!strstr(path, "/templates/") && strncmp(path, "templates/", 10))
		return false;
	return memmem(text, n, "{{", 2);
}

static size_t name_length(const char *s, const char *end)
{
	size_t n = 0;

	while (s + n < end && (isalnum((unsigned char)s[n]) || s[n] == '.' || s[n] == '_'))
		n++;
	return n;
}

static const char *find(const char *s, const char *end, const char *what)
{
	return memmem(s, (size_t)(end - s), what, strlen(what));
}

/* The only value of the chart that an expression uses, or NULL. */
static const char *only_value(const char *s, const char *end)
{
	static const char values[] = ".Values.";
	const char *at = find(s, end, values);

	if (!at || find(at + 1, end, values) || find(s, end, "printf"))
		return NULL;
	return at + 1;
}

/* Append `:DEFAULT` if the expression has `default "DEFAULT"`. */
static void put_default(struct buf *out, const char *s, const char *end)
{
	static const char before[] = "default \"";
	const char *value = find(s, end, before);

	if (!value)
		return;
	value += strlen(before);
	const char *close = memchr(value, '"', (size_t)(end - value));
	if (!close)
		return;
	buf_byte(out, ':');
	buf_put(out, value, (size_t)(close - value));
}

/* Append the placeholder for an expression. */
static void put_expression(struct buf *out, const char *s, const char *end)
{
	const char *value = only_value(s, end);

	if (!value) {
		buf_str(out, "${-}");
		return;
	}
	buf_str(out, "${");
	buf_put(out, value, name_length(value, end));
	put_default(out, s, end);
	buf_byte(out, '}');
}

static void put_line(struct buf *out, const char *s, const char *end)
{
	const char *first = s;

	while (first < end && (*first == ' ' || *first == '-'))
		first++;
	if (end - first >= 2 && !strncmp(first, "{{", 2))
		return;
	for (;;) {
		const char *open = find(s, end, "{{"), *close = NULL;
		if (open)
			close = find(open, end, "}}");
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
	const char *s = text, *end = text + n;

	while (s < end) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));
		if (!stop)
			stop = end;
		put_line(&out, s, stop);
		buf_byte(&out, '\n');
		s = stop + 1;
	}
	const char *copy = arena_strn(a, out.p, out.n);
	*out_n = out.n;
	buf_free(&out);
	return copy;
}
