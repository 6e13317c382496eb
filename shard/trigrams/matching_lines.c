#include "shard/trigrams/matching_lines.h"

#include <string.h>

#include "proto/base/minmax.h"
#include "proto/pattern/pattern.h"

static const char MARK[] = "\xef\xbb\xbf";

static size_t line_end(const struct matching_lines *l, size_t at)
{
	const char *end = memchr(l->text + at, '\n', l->n - at);

	if (!end)
		return l->n;
	return (size_t)(end - l->text);
}

size_t text_mark(const char *text, size_t n)
{
	size_t mark = sizeof MARK - 1;

	if (n < mark || memcmp(text, MARK, mark))
		return 0;
	return mark;
}

void matching_lines_begin(
    struct matching_lines *l, struct pattern_matcher *m, const char *text, size_t n, bool multiline)
{
	*l = (struct matching_lines){ .m = m, .text = text, .n = n, .multiline = multiline, .line = 1 };
	l->end = line_end(l, 0);
}

static void next_line(struct matching_lines *l)
{
	l->at = l->end + 1;
	l->end = line_end(l, l->at);
	l->line++;
}

/* Go to the line that byte `to` is in. */
static void advance(struct matching_lines *l, size_t to)
{
	uint64_t lines = 0;

	if (to <= l->end)
		return;
	for (size_t i = l->end; i < to; i++)
		lines += l->text[i] == '\n';
	const char *newline = memrchr(l->text, '\n', to);
	l->at = (size_t)(newline - l->text) + 1;
	l->end = line_end(l, l->at);
	l->line += lines;
}

/* Whether there is a line at a byte: what follows the last newline is none if it is empty. */
static bool has_line(const struct matching_lines *l, size_t at)
{
	return at < l->n || (at == l->n && l->n && l->text[l->n - 1] != '\n');
}

static int report(struct matching_lines *l, size_t match, size_t length, struct matching_line *out)
{
	*out = (struct matching_line){ .line = l->line,
		.text = l->text + l->at,
		.n = l->end - l->at,
		.match = match,
		.length = length };
	l->told = l->line;
	return 1;
}

/* The next line of the last match; false if it ends in this one. */
static bool continue_match(struct matching_lines *l)
{
	if (l->end + 1 >= l->until || !has_line(l, l->end + 1))
		return false;
	next_line(l);
	return true;
}

/* Where the search goes on after a match. */
static void set_next(struct matching_lines *l, size_t start, size_t end)
{
	if (!l->multiline)
		l->from = l->end + 1;
	else
		l->from = end > start ? end : end + 1;
}

int matching_lines_next(struct matching_lines *l, struct matching_line *out)
{
	size_t start, end;

	if (l->within) {
		l->within = continue_match(l);
		if (l->within)
			return report(l, 0, MIN(l->until, l->end) - l->at, out);
	}
	while (l->from <= l->n) {
		int rc = pattern_next(l->m, l->text, l->n, l->from, &start, &end);
		if (rc <= 0)
			return rc;
		if (!has_line(l, start))
			return 0;
		advance(l, start);
		set_next(l, start, end);
		l->until = end;
		l->within = l->multiline;
		if (l->line > l->told)
			return report(l, start - l->at, MIN(end, l->end) - start, out);
		if (l->within && continue_match(l))
			return report(l, 0, MIN(l->until, l->end) - l->at, out);
	}
	return 0;
}
