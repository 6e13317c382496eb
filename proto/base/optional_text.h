#ifndef PROTO_BASE_OPTIONAL_TEXT_H
#define PROTO_BASE_OPTIONAL_TEXT_H
/* Texts that may be NULL, as optional fields of records are. */

#include <stdbool.h>
#include <string.h>

/* Whether there is a text and it is not empty. */
static inline bool text_is_set(const char *s)
{
	return s && *s;
}

static inline const char *text_or(const char *s, const char *otherwise)
{
	return s ? s : otherwise;
}

static inline const char *text_or_empty(const char *s)
{
	return text_or(s, "");
}

/* The text, or NULL if it is empty. */
static inline const char *text_or_null(const char *s)
{
	return text_is_set(s) ? s : NULL;
}

/* As strcmp; NULL equals the empty text. */
static inline int compare_texts(const char *a, const char *b)
{
	return strcmp(text_or_empty(a), text_or_empty(b));
}

/* Whether both are the same text, or both NULL. */
static inline bool texts_equal(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	return !strcmp(a, b);
}
#endif
