#include "proto/base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
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
		    e, ERR_INVALID_INPUT, "--log-level `%s`: use debug, info, warn or error", name);
	return 0;
}

void log_set_request(const char *req)
{
	if (req)
		snprintf(request, sizeof request, "%s", req);
	else
		*request = 0;
}

/* Whether a log value needs no quotes: it is not empty and holds no blank, quote or control. */
static bool is_plain_value(const char *s)
{
	if (!*s)
		return false;
	for (; *s; s++) {
		bool special = *s == '"' || *s == '\\' || *s == 0x7f;
		if (*s <= ' ' || special)
			return false;
	}
	return true;
}

/* Writes the character at `s` to `p`, escaped if it must be.  Returns the bytes written. */
static size_t quote_char(char *p, const char *s, size_t n, const char *escape)
{
	if (*escape) {
		memcpy(p, escape, strlen(escape));
		return strlen(escape);
	}
	if (*s == '"' || *s == '\\') {
		p[0] = '\\';
		p[1] = *s;
		return 2;
	}
	memcpy(p, s, n);
	return n;
}

const char *log_quote(const char *s)
{
	static _Thread_local char slots[8][512];
	static _Thread_local unsigned next;
	char *out = slots[next++ % 8], *end = out + sizeof slots[0] - PLAIN_ESCAPE - 2;
	char escape[PLAIN_ESCAPE], *p = out;

	if (!s)
		s = "";
	if (is_plain_value(s) && strlen(s) < sizeof slots[0])
		return s;
	*p++ = '"';
	while (*s && p < end) {
		size_t n = plain_next_char(s, strlen(s), escape);
		p += quote_char(p, s, n, escape);
		s += n;
	}
	*p++ = '"';
	*p = 0;
	return out;
}

static void put(const char *line, size_t n)
{
	if (write(STDERR_FILENO, line, n) < 0) {
		/* there is nowhere else to report it */
	}
}

/*
 * Writes a line of `n` bytes, and room for the newline at line[n].  Escapes whatever in the event's
 * arguments could end the line or control a terminal.
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
	const char *label = "";
	if (*request)
		label = " req=";
	n += (size_t)snprintf(
	    line + n, sizeof line - n, " %s %s %s%s%s ", names[level], program, event, label, request);
	va_start(ap, fmt);
	int m = vsnprintf(line + n, sizeof line - n - 1, fmt, ap);
	va_end(ap);
	if (m > 0)
		n = MIN(n + (size_t)m, sizeof line - 2);
	put_line(line, n);
}
