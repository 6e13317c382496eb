#ifndef COORDINATOR_HTTP_MEDIA_TYPES_H
#define COORDINATOR_HTTP_MEDIA_TYPES_H
/* Media types as headers name them: what a client takes, and what it sends. */

#include <stdbool.h>

/*
 * Whether an Accept header takes `type`, "major/minor": of the ranges that fit, the most special
 * one decides.  NULL takes all.
 */
bool media_accepts_type(const char *accept, const char *type);

/*
 * Whether a Content-Type header is JSON: application/json, or any type that ends in +json.  NULL
 * is not.
 */
bool media_is_json(const char *content_type);

/* Whether an Accept-Encoding header names this coding ("gzip") and wants it.  NULL names none. */
bool media_accepts_encoding(const char *accept, const char *coding);
#endif
