#ifndef COORDINATOR_HTTP_MEDIA_TYPES_H
#define COORDINATOR_HTTP_MEDIA_TYPES_H
/* Media types in HTTP headers: what a client accepts and sends. */

#include <stdbool.h>

/*
 * Whether an Accept header includes `type`, "major/minor"; the most specific matching range
 * decides.  NULL accepts everything.
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
