#include "proto/net/sse.h"

#include <stdio.h>
#include <string.h>

enum { EVENT_MAX = 64 << 20 };

static void end_event(struct sse_parser *e)
{
	memcpy(e->id, e->pending_id, sizeof e->id);
	if (!e->data.n)
		return;
	e->event(e->arg, e->data.p);
	e->data.n = 0;
}

/* An id that is too long counts as none. */
static void set_id(struct sse_parser *e, const char *id)
{
	if (strlen(id) >= sizeof e->pending_id)
		id = "";
	snprintf(e->pending_id, sizeof e->pending_id, "%s", id);
}

/* Handles a complete line: a field of the event, a comment, or the event's end. */
static void end_line(struct sse_parser *e)
{
	const char *s = "";

	if (e->line.p)
		s = e->line.p;
	if (!*s) {
		end_event(e);
	} else if (!strncmp(s, "id:", 3)) {
		set_id(e, s + 3 + (s[3] == ' '));
	} else if (!strncmp(s, "data:", 5)) {
		s += 5;
		if (e->data.n)
			buf_byte(&e->data, '\n');
		buf_str(&e->data, s + (*s == ' '));
	}
	e->line.n = 0;
	if (e->line.p)
		*e->line.p = 0;
}

int sse_parser_feed(struct sse_parser *e, const char *p, size_t n)
{
	while (n) {
		const char *newline = memchr(p, '\n', n);
		size_t k = n;
		if (newline)
			k = (size_t)(newline - p);
		if (e->line.n + k > EVENT_MAX || e->data.n > EVENT_MAX)
			return -1;
		buf_put(&e->line, p, k);
		if (!newline)
			break;
		p += k + 1;
		n -= k + 1;
		if (e->line.n && e->line.p[e->line.n - 1] == '\r')
			e->line.p[--e->line.n] = 0;
		end_line(e);
	}
	return 0;
}

void sse_parser_free(struct sse_parser *e)
{
	buf_free(&e->line);
	buf_free(&e->data);
}
