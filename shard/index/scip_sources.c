#include "shard/index/scip_sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "proto/net/crypto.h"
#include "shard/git/repo.h"
#include "shard/graph/scip/scip.h"
#include "shard/graph/scip/scip_overlay.h"
#include "shard/index/index_rows.h"

static const char EXTENSION[] = ".scip";

bool scip_sources_is_path(const char *path)
{
	size_t n = strlen(path), x = sizeof EXTENSION - 1;

	return n > x && path[n - x - 1] != '/' && !strcmp(path + n - x, EXTENSION);
}

/* Reads the given file, but not much more than an index may have. */
static int read_given(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "rbe");
	char chunk[1 << 16];

	if (!f)
		return -1;
	while (out->n <= SCIP_MAX_BYTES) {
		size_t n = fread(chunk, 1, sizeof chunk, f);
		if (!n)
			break;
		buf_put(out, chunk, n);
	}
	bool failed = ferror(f);
	fclose(f);
	if (failed)
		return -1;
	return 0;
}

void scip_sources_fingerprint(const char *given, struct buf *out)
{
	struct buf bytes = { 0 };
	char hex[SHA256_HEX];

	if (!*given)
		return;
	buf_str(&bytes, "");	/* never NULL */
	if (read_given(given, &bytes)) {
		buf_str(out, " scip unreadable");
	} else {
		crypto_sha256(bytes.p, bytes.n, hex);
		buf_printf(out, " scip %s", hex);
	}
	buf_free(&bytes);
}

/* Ends the work on an index. A broken one is not a failure: it is recorded as skipped. */
static int finish(struct db *db, const char *path, size_t size, const struct scip_overlay_counts *n,
    int rc, struct err *e)
{
	if (!rc) {
		log_info("scip.applied",
		    "path=%s files=%lld stale=%lld raised=%lld added=%lld contradicted=%lld",
		    log_quote(path), (long long)n->files, (long long)n->stale, (long long)n->raised,
		    (long long)n->added, (long long)n->contradicted);
		return 0;
	}
	if (e->code != ERR_INVALID_INPUT)
		return -1;
	log_warn("scip.broken", "path=%s message=%s", log_quote(path), log_quote(e->msg));
	*e = (struct err){ 0 };
	struct arena *a = arena_new();
	rc = rows_put_skipped(db, path, "broken SCIP index", size, a, e);
	arena_free(a);
	return rc;
}

static int apply(struct db *db, struct repo *repo, const char *path, const char *folder,
    const struct buf *bytes, const int64_t *files, size_t nfiles, struct err *e)
{
	struct scip_overlay_counts n = { 0 };
	struct scip *s = scip_open(bytes->p, bytes->n, e);
	int rc = -1;

	if (s)
		rc = scip_overlay_apply(db, repo, s, folder, files, nfiles, &n, e);
	scip_close(s);
	return finish(db, path, bytes->n, &n, rc, e);
}

static int apply_given(
    struct db *db, const struct scip_sources *s, const int64_t *files, size_t nfiles, struct err *e)
{
	struct buf bytes = { 0 };
	int rc;

	if (!*s->given)
		return 0;
	buf_str(&bytes, "");	/* never NULL */
	if (read_given(s->given, &bytes)) {
		err_set(e, ERR_INVALID_INPUT, "the file of option --scip cannot be read");
		rc = finish(db, s->given, 0, NULL, -1, e);
	} else {
		rc = apply(db, s->repo, s->given, "", &bytes, files, nfiles, e);
	}
	buf_free(&bytes);
	return rc;
}

static int apply_own(struct db *db, const struct scip_sources *s, const char *path,
    const char *blob, const int64_t *files, size_t nfiles, struct err *e)
{
	struct arena *a = arena_new();
	const char *slash = strrchr(path, '/'), *folder = "";
	struct buf bytes = { 0 };
	int rc = 0;

	if (slash)
		folder = arena_strn(a, path, (size_t)(slash - path) + 1);
	buf_str(&bytes, "");	/* never NULL */
	if (!repo_blob(s->repo, blob, &bytes, NULL))
		rc = apply(db, s->repo, path, folder, &bytes, files, nfiles, e);
	buf_free(&bytes);
	arena_free(a);
	return rc;
}

static int apply_each_own(
    struct db *db, const struct scip_sources *s, const int64_t *files, size_t nfiles, struct err *e)
{
	struct arena *a = arena_new();
	struct { const char *path, *blob; } *v = NULL;
	size_t n = 0, cap = 0;
	struct stmt *q = db_prep(db, "select path, blob from scips order by path", e);
	int rc = -1;

	while (q && (rc = db_step(q, e)) == 1) {
		v = grow(v, &cap, n + 1, sizeof *v);
		v[n].path = arena_str(a, db_str(q, 0));
		v[n++].blob = arena_str(a, db_str(q, 1));
	}
	for (size_t i = 0; !rc && i < n; i++)
		rc = apply_own(db, s, v[i].path, v[i].blob, files, nfiles, e);
	free(v);
	arena_free(a);
	return rc;
}

int scip_sources_apply(
    struct db *db, const struct scip_sources *s, const int64_t *files, size_t nfiles, struct err *e)
{
	if (!s)
		return 0;
	if (apply_each_own(db, s, files, nfiles, e))
		return -1;
	return apply_given(db, s, files, nfiles, e);
}
