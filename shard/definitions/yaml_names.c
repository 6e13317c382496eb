#include "shard/definitions/yaml_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/definitions/definitions.h"

/* `MIN`: shorter words in capitals are rarely variables: OS, IN, NO */
enum { MIN_VARIABLE_BYTES = 4, MAX_MINOR_BYTES = 200 };

/* A line of the file, without the white space around it. */
struct yaml_line {
	const char *from, *to;
	uint32_t at, number;
};

static const char *skip_blanks(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return s;
}

static void add(const struct yaml_line *l, const char *name, size_t n, const char *kind,
    struct arena *a, struct found_definitions *out)
{
	if (!n || n > MAX_MINOR_BYTES)
		return;
	out->minors.v = grow(out->minors.v, &out->minors.cap, out->minors.n + 1, sizeof *out->minors.v);
	out->minors.v[out->minors.n++] = (struct minor_name){
		.name = arena_strn(a, name, n),
		.kind = kind,
		.start_line = l->number,
		.end_line = l->number,
		.start_byte = l->at,
		.end_byte = l->at + (uint32_t)(l->to - l->from),
	};
}

static const char *after_dash(const struct yaml_line *l)
{
	const char *s = l->from;

	while (s + 1 < l->to && *s == '-' && s[1] == ' ')
		s = skip_blanks(s + 1, l->to);
	return s;
}

/* The bytes of a name in capitals at `s`; 0 if there is none. */
static size_t variable_length(const char *s, const char *end)
{
	size_t n = 0;

	while (s + n < end &&
	    (isupper((unsigned char)s[n]) || isdigit((unsigned char)s[n]) || s[n] == '_'))
		n++;
	if (n < MIN_VARIABLE_BYTES || isdigit((unsigned char)*s))
		return 0;
	return n;
}

/* The text after a key, if the line begins with it. */
static const char *value_of(const char *s, const char *end, const char *key)
{
	size_t n = strlen(key);

	if ((size_t)(end - s) <= n || memcmp(s, key, n) != 0)
		return NULL;
	return skip_blanks(s + n, end);
}

static void find_variable(const struct yaml_line *l, struct arena *a, struct found_definitions *out)
{
	const char *s = after_dash(l), *named = value_of(s, l->to, "name:");
	bool item = s > l->from;

	if (item && named)
		s = named;
	while (s < l->to && (*s == '"' || *s == '\''))
		s++;
	size_t n = variable_length(s, l->to);
	const char *next = s + n;
	if (!n)
		return;
	while (next < l->to && (*next == '"' || *next == '\''))
		next++;
	bool ends = next == l->to, key = !ends && *next == ':', assigned = !ends && *next == '=';
	if (key || (item && assigned) || (named && ends))
		add(l, s, n, "variable", a, out);
}

/* An anchor stands before a value: after a key, in a list, or after another mark. */
static void find_anchor(const struct yaml_line *l, struct arena *a, struct found_definitions *out)
{
	const char *s = memchr(l->from, '&', (size_t)(l->to - l->from));

	if (!s || s + 1 == l->to)
		return;
	const char *before = s, *name = s + 1, *end = name;
	while (before > l->from && before[-1] == ' ')
		before--;
	bool separated = before < s && (before[-1] == ':' || before[-1] == '-');
	if (s > l->from && !separated)
		return;
	while (end < l->to && (isalnum((unsigned char)*end) || *end == '_' || *end == '-'))
		end++;
	if (end == l->to || isspace((unsigned char)*end))
		add(l, name, (size_t)(end - name), "variable", a, out);
}

/* The line that begins at a byte, without the white space around it. */
static struct yaml_line line_at(const char *text, size_t from, size_t to, uint32_t number)
{
	struct yaml_line l = { .to = text + to, .number = number };

	l.from = skip_blanks(text + from, l.to);
	l.at = (uint32_t)(l.from - text);
	while (l.to > l.from && isspace((unsigned char)l.to[-1]))
		l.to--;
	return l;
}

void yaml_names_find(const char *text, size_t n, struct arena *a, struct found_definitions *out)
{
	uint32_t number = 1;

	if (n > UINT32_MAX / 2)
		return;
	for (size_t at = 0, end; at < n; at = end + 1) {
		const char *newline = memchr(text + at, '\n', n - at);
		end = n;
		if (newline)
			end = (size_t)(newline - text);
		struct yaml_line l = line_at(text, at, end, number++);
		if (l.from == l.to || *l.from == '#')
			continue;
		find_anchor(&l, a, out);
		find_variable(&l, a, out);
	}
}
