#include "proto/base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/plain_text.h"

static const char *program = "atoll";
static enum log_level lowest = LOG_INFO;
static _Thread_local char request[40];
static const char *const names[] = { "debug", "info", "warn", "error" };

void log_init(const char *name, enum log_level level)
{
	program = name;
	lowest = level;
}

static int level_of(const char *name)
{
	for (int i = 0; i < 4; i++)
		if (name && !strcmp(names[i], name))
			return i;
	return -1;
}

enum log_level log_level(const char *name)
{
	int i = level_of(name);

	if (i < 0)
		return LOG_INFO;
	return (enum log_level)i;
}

int log_check_level(const char *name, struct err *e)
{
	if (level_of(name) < 0)
		return err_set(
		    e, ERR_INVALID_INPUT, "--log-level: `%s` is none of debug, info, warn, error", name);
	return 0;
}

void log_set_request(const char *req)
{
	if (req)
		snprintf(request, sizeof request, "%s", req);
	else
		*request = 0;
}

const char *log_quote(const char *s)
{
	static _Thread_local char slots[8][512];
	static _Thread_local unsigned next;
	char *out = slots[next++ % 8], *p = out, *end = out + sizeof slots[0] - PLAIN_ESCAPE - 2,
	     escape[PLAIN_ESCAPE];
	bool plain = s && *s;

	for (const char *c = s; plain && *c; c++)
		plain = *c > ' ' && *c != '"' && *c != '\\' && *c != 0x7f;
	if (plain && strlen(s) < sizeof slots[0])
		return s;
	*p++ = '"';
	for (size_t k; s && *s && p < end; s += k) {
		k = plain_next_char(s, strlen(s), escape);
		if (*s == '"' || *s == '\\')
			*p++ = '\\';
		memcpy(p, *escape ? escape : s, *escape ? strlen(escape) : k);
		p += *escape ? strlen(escape) : k;
	}
	*p++ = '"';
	*p = 0;
	return out;
}

static void put(const char *line, size_t n)
{
	if (write(STDERR_FILENO, line, n) < 0) {
		/* nobody is listening; there is nowhere else to say so */
	}
}

/*
 * Nothing of it is obeyed by a terminal or ends the line, whatever the event's arguments hold.
 * line[n] is room for the line's end.
 */
static void put_line(char *line, size_t n)
{
	struct buf b = { 0 };

	if (plain_ascii_prefix(line, n) == n) {
		line[n] = '\n';
		put(line, n + 1);
		return;
	}
	plain_put(&b, line, n, "\t");
	buf_byte(&b, '\n');
	put(b.p, b.n);
	buf_free(&b);
}

void log_at(enum log_level level, const char *event, const char *fmt, ...)
{
	char line[2048];
	va_list ap;

	if (level < lowest)
		return;
	clock_iso(line);
	size_t n = CLOCK_ISO - 1;
	n += (size_t)snprintf(line + n, sizeof line - n, " %s %s %s%s%s ", names[level], program, event,
	    *request ? " req=" : "", request);
	va_start(ap, fmt);
	int m = vsnprintf(line + n, sizeof line - n - 1, fmt, ap);
	va_end(ap);
	if (m < 0)
		n = n;
	else if (n + (size_t)m < sizeof line - 1)
		n = n + (size_t)m;
	else
		n = sizeof line - 2;
	put_line(line, n);
}
