#include "shard/embedding/vector_copy.h"

#include <string.h>

#include "proto/base/err.h"
#include "proto/record/record.h"
#include "shard/git/repo_source.h"
#include "shard/index/snapshot_fetch.h"
#include "shard/vectors/vector_file.h"

struct vector_copy {
	const char *repo_uri, *settings, *fingerprint;
	int (*use)(void *, const struct vectors *, struct err *);
	void *ctx;
};

/* Whether vectors with these properties (NULL if unknown) can be used here. */
static int fits_head(
    const struct vector_copy *c, const char *settings, const char *fingerprint, struct err *e)
{
	if (!settings || strcmp(settings, c->settings))
		return err_set(
		    e, ERR_EMBEDDER_MISMATCH, "its vectors are of other texts or another embedder");
	if (!*c->fingerprint)
		return 0;
	if (!fingerprint)
		return err_set(e, ERR_EMBEDDER_MISMATCH, "it does not name the embedder of its vectors");
	if (strcmp(fingerprint, c->fingerprint))
		return err_set(e, ERR_EMBEDDER_MISMATCH, "its vectors are of %.80s, not of %.80s",
		    fingerprint, c->fingerprint);
	return 0;
}

static int fits(void *ctx, const struct snapshot_res *r, const struct freshness *f, struct err *e)
{
	const struct vector_copy *c = ctx;

	if (strcmp(f->repo_uri, c->repo_uri))
		return err_set(e, ERR_SCHEMA_MISMATCH, "it serves another repository");
	return fits_head(c, r->settings, r->fingerprint, e);
}

static int use(void *ctx, const char *path, struct err *e)
{
	const struct vector_copy *c = ctx;
	struct vectors *f = vectors_open_file(path, e);

	if (!f)
		return -1;
	int rc = fits_head(c, f->head.settings, f->head.fingerprint, e);
	if (!rc)
		rc = c->use(c->ctx, f, e);
	vectors_close(f);
	return rc;
}

int vector_copy_fetch(const struct options *o, const struct repo_source *src, const char *settings,
    const char *fingerprint, int (*take)(void *, const struct vectors *, struct err *), void *ctx,
    struct arena *a)
{
	struct vector_copy c = { src->repo_uri, settings, fingerprint, take, ctx };
	struct snapshot_fetch p = { .name = "copy-vectors", .rpc = "vectors", .dir = src->data,
	    .fits = fits, .use = use, .ctx = &c };

	return snapshot_fetch_from_peers(&p, o, src->repo_uri, a);
}
