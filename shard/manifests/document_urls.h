#ifndef SHARD_MANIFESTS_DOCUMENT_URLS_H
#define SHARD_MANIFESTS_DOCUMENT_URLS_H
/*
 * URLs in documents - Markdown, other prose, OpenAPI - that may be of another repository, of its
 * package, or of its service.
 */

#include <stddef.h>

struct arena;
struct package;

/*
 * What a document mentions, in `a`, without `file`, each thing once with the first line and how
 * often; how many.  Pages of packages are the package; everything else is `url`: host and path, as
 * repo_uris are written, or the host alone of a service.
 */
size_t document_urls_read(
    const char *path, const char *text, size_t n, struct arena *a, struct package **out);
#endif
