#include "shard/program/dependency_key.h"

#include <stdarg.h>
#include <stddef.h>

static uint32_t hash_more(uint32_t h, const char *s)	/* FNV-1a */
{
	while (*s)
		h = (h ^ (uint8_t)*s++) * 16777619u;
	return h;
}

static uint32_t never_zero(uint32_t h)
{
	return h + (h == 0);
}

static uint32_t begin(const char *part, va_list ap)
{
	uint32_t h = 2166136261u;

	for (; part; part = va_arg(ap, const char *))
		h = hash_more(h, part);
	return h;
}

uint32_t key_begin(const char *part, ...)
{
	va_list ap;

	va_start(ap, part);
	uint32_t h = begin(part, ap);
	va_end(ap);
	return h;
}

uint32_t key_end(uint32_t begun, const char *part)
{
	return never_zero(hash_more(begun, part));
}

uint32_t key_hash(const char *part, ...)
{
	va_list ap;

	va_start(ap, part);
	uint32_t h = begin(part, ap);
	va_end(ap);
	return never_zero(h);
}

int64_t dependency_key(const char *key)
{
	return (int32_t)key_hash(key, NULL);
}
