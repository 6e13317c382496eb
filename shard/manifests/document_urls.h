#ifndef SHARD_MANIFESTS_DOCUMENT_URLS_H
#define SHARD_MANIFESTS_DOCUMENT_URLS_H
/*
 * Finds URLs in documents (Markdown, other prose, OpenAPI) that may name another repository, its
 * package or its service.
 */

#include <stddef.h>

struct arena;
struct package;

/*
 * Stores what a document mentions in *out, in `a` and without `file`: each thing once, with its
 * first line and a count.  Returns their number.  A page of a package registry yields the package;
 * everything else has the ecosystem `url`: host and path, in the form of a repo_uri, or only the
 * host of a service.
 */
size_t document_urls_read(
    const char *path, const char *text, size_t n, struct arena *a, struct package **out);
#endif
