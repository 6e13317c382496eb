#include "proto/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/log.h"

static const struct {
	const char *name;
	int http;
	const char *text, *hint;
} codes[ERR_COUNT] = {
	[ERR_NONE] = { "", 200, "", "" },
#define ERR(name, http, text, hint) [ERR_##name] = { #name, http, text, hint },
#include "proto/base/err.def"
};

int err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return -1;
	e->code = code;
	e->retry_after_ms = 0;
	va_start(ap, fmt);
	vsnprintf(e->msg, sizeof e->msg, fmt, ap);
	va_end(ap);
	snprintf(e->hint, sizeof e->hint, "%s", codes[code].hint);
	return -1;
}

int err_add(struct err *e, const char *fmt, ...)
{
	char head[200], tail[sizeof e->msg];
	va_list ap;

	if (!e)
		return -1;
	va_start(ap, fmt);
	vsnprintf(head, sizeof head, fmt, ap);
	va_end(ap);
	memcpy(tail, e->msg, sizeof tail);
	snprintf(e->msg, sizeof e->msg, "%.*s: %.*s", 120, head, (int)sizeof tail - 124, tail);
	return -1;
}

int err_hint(struct err *e, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return -1;
	va_start(ap, fmt);
	vsnprintf(e->hint, sizeof e->hint, fmt, ap);
	va_end(ap);
	return -1;
}

const char *err_name(enum err_code code)
{
	if (code >= ERR_COUNT)
		code = ERR_INTERNAL;
	return codes[code].name;
}

int err_http(enum err_code code)
{
	if (code >= ERR_COUNT)
		code = ERR_INTERNAL;
	return codes[code].http;
}

enum err_code err_code(const char *name)
{
	for (int i = 0; i < ERR_COUNT; i++)
		if (name && !strcmp(codes[i].name, name))
			return (enum err_code)i;
	return ERR_INTERNAL;
}

int err_exit(const struct err *e)
{
	if (!e->code)
		return 0;
	log_error("exit", "code=%s message=%s hint=%s", err_name(e->code), log_quote(e->msg),
	    log_quote(e->hint));
	return 1;
}
