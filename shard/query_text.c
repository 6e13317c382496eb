#include "shard/query_text.h"

#include <string.h>

#include "proto/base/buf.h"

static const char FIELD[] = "function:", BLANKS[] = " \t\n";

/* Behind a string, a comment or one sign. */
static const char *piece_end(const char *s)
{
	if (*s == ';')
		return s + strcspn(s, "\n");
	if (*s != '"')
		return s + 1;
	for (s++; *s && *s != '"'; s++)
		s += *s == '\\' && s[1];
	return s + (*s == '"');
}

/* Behind a node's pattern: what its brackets hold, or a word; and the captures that follow. */
static const char *pattern_end(const char *s)
{
	int depth = 0;

	for (; *s; s = piece_end(s)) {
		depth += (*s == '(' || *s == '[') - (*s == ')' || *s == ']');
		if (!depth)
			break;
	}
	s += strcspn(s, " \t\n)]");
	s += *s == ')' || *s == ']';
	for (const char *next = s + strspn(s, BLANKS); *next == '@'; next = s + strspn(s, BLANKS))
		s = next + strcspn(next, " \t\n)]");
	return s;
}

/* Append what lies between, on one line and without comments: so that errors name the right line. */
static void flat(struct buf *out, const char *s, const char *end)
{
	for (const char *next; s < end; s = next) {
		next = piece_end(s);
		if (*s == '\n')
			buf_byte(out, ' ');
		else if (*s != ';')
			buf_put(out, s, (size_t)(next - s));
	}
}

static void called(const char *s, const char *end, const char *type, struct buf *out)
{
	for (const char *next; s < end; s = next) {
		next = piece_end(s);
		if (strncmp(s, FIELD, sizeof FIELD - 1)) {
			buf_put(out, s, (size_t)(next - s));
			continue;
		}
		const char *from = s + sizeof FIELD - 1;
		from += strspn(from, BLANKS);
		next = pattern_end(from);
		buf_str(out, "function: [");
		called(from, next, type, out);
		buf_printf(out, " (%s ", type);
		flat(out, from, next);
		buf_str(out, ")]");
	}
}

void query_text_called(const char *text, const char *type, struct buf *out)
{
	called(text, text + strlen(text), type, out);
}
