#include "proto/net/sse.h"

#include <stdio.h>
#include <string.h>

enum { EVENT_MAX = 64 << 20 };

/* A line is whole: a field of the event, a comment, or the event's end. */
static void end_line(struct sse_parser *e)
{
	const char *s = "";

	if (e->line.p)
		s = e->line.p;
	if (!*s)
		memcpy(e->id, e->pending_id, sizeof e->id);
	if (!*s && e->data.n) {
		e->event(e->arg, e->data.p);
		e->data.n = 0;
	} else if (!strncmp(s, "id:", 3)) {
		s += 3 + (s[3] == ' ');
		snprintf(
		    e->pending_id, sizeof e->pending_id, "%s", strlen(s) < sizeof e->pending_id ? s : "");
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
	for (const char *end = p + n; p < end;) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t k = (size_t)((stop ? stop : end) - p);
		if (e->line.n + k > EVENT_MAX || e->data.n > EVENT_MAX)
			return -1;
		buf_put(&e->line, p, k);
		p += k + 1;
		if (!stop)
			break;
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
