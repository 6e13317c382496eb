#include "coordinator/cli/base/terminal_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/plain_text.h"
#include "proto/process/suggest.h"

const char *term_escape(const char *s, struct arena *a)
{
	struct buf b = { 0 };

	plain_put(&b, s, strlen(s), "");
	const char *text = "";
	if (b.n)
		text = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return text;
}

void term_print_json(const char *json)
{
	struct buf b = { 0 };

	plain_put_json(&b, json);
	buf_byte(&b, '\n');
	fwrite(b.p, 1, b.n, stdout);
	buf_free(&b);
}

/* The length of a conversion: `%`, flags, width, precision, length and letter. */
static size_t conversion(const char *at)
{
	size_t n = 1 + strspn(at + 1, "-+ #0123456789.*lhzjt");

	return n + (at[n] != 0);
}

/* The bytes that `spec` shows of the string: its precision, or all. */
static size_t bytes_shown(const char *spec, int precision, const char *s)
{
	const char *dot = strchr(spec, '.');

	if (!dot)
		return strlen(s);
	if (dot[1] != '*')
		precision = atoi(dot + 1);
	if (precision < 0)
		return strlen(s);
	return strnlen(s, (size_t)precision);
}

/* A string.  The precision counts its bytes; the width counts the bytes after escaping. */
static void put_string(struct buf *out, const char *spec, int precision, const char *s)
{
	struct buf b = { 0 };
	int width = atoi(spec + 1);

	if (!s)
		s = "(null)";
	plain_put(&b, s, bytes_shown(spec, precision, s), "\t");
	buf_str(&b, "");
	buf_printf(out, "%*s", width, b.p);
	buf_free(&b);
}

/* A number or a character.  The compiler has checked the arguments against the format of `say`. */
static void put_number(struct buf *out, const char *spec, va_list *ap)
{
	char letter = spec[strlen(spec) - 1], text[400] = "";

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (strchr("feg", letter))
		snprintf(text, sizeof text, spec, va_arg(*ap, double));
	else if (strstr(spec, "ll"))
		snprintf(text, sizeof text, spec, va_arg(*ap, long long));
	else if (strpbrk(spec, "lzjt"))
		snprintf(text, sizeof text, spec, va_arg(*ap, long));
	else
		snprintf(text, sizeof text, spec, va_arg(*ap, int));
#pragma GCC diagnostic pop
	buf_str(out, text);
}

static void put(struct buf *out, const char *fmt, va_list *ap)
{
	char spec[32];

	for (size_t n; *fmt; fmt += n) {
		n = strcspn(fmt, "%");
		buf_put(out, fmt, n);
		if (!fmt[n])
			return;
		fmt += n;
		n = conversion(fmt);
		snprintf(spec, sizeof spec, "%.*s", (int)n, fmt);
		int precision = 0;
		if (strchr(spec, '*'))
			precision = va_arg(*ap, int);
		if (fmt[n - 1] == '%')
			buf_byte(out, '%');
		else if (fmt[n - 1] == 's')
			put_string(out, spec, precision, va_arg(*ap, const char *));
		else
			put_number(out, spec, ap);
	}
}

void say(FILE *f, const char *fmt, ...)
{
	struct buf out = { 0 };
	va_list ap;

	va_start(ap, fmt);
	put(&out, fmt, &ap);
	va_end(ap);
	if (out.n)
		fwrite(out.p, 1, out.n, f);
	buf_free(&out);
}
