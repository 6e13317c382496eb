#include "shard/base/text_markers.h"

#include <string.h>

#include "proto/base/buf.h"

static bool has(const char *text, size_t n, const char *word)
{
	return memmem(text, n, word, strlen(word));
}

static bool has_any(const struct text_markers *v, const char *text, size_t n)
{
	if (!has(text, n, v->part))
		return false;
	for (size_t k = 0; k < LEN(v->all) && v->all[k]; k++)
		if (has(text, n, v->all[k]))
			return true;
	return false;
}

bool text_markers_find(const struct text_markers *v, size_t nv, const char *text, size_t n)
{
	for (size_t i = 0; i < nv; i++)
		if (has_any(&v[i], text, n))
			return true;
	return false;
}
