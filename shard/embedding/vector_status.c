#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/embed/embedder.h"
#include "proto/net/crypto.h"
#include "shard/base/options.h"
#include "shard/embedding/vector_builder.h"
#include "shard/git/commit_subjects.h"
#include "shard/index/bm25.h"
#include "shard/index/index_store.h"
#include "shard/vectors/vector_file.h"
#include "shard/vectors/vector_text.h"

/* Which vectors the options ask for, and how complete they are. */

struct embedder *vectors_embedder(const struct options *o, struct err *e)
{
	struct embedder_options x = EMBEDDER_OPTIONS(o);

	return embedder_open(&x, e);
}

void vectors_settings(const struct options *o, const struct embedder *x, char *out)
{
	struct buf b = { 0 };
	char hash[SHA256_HEX];
	bool http = !strcmp(o->embedder, "http");

	buf_printf(&b, "%d\n%s\n", VECTOR_TEXT_VERSION, o->embedder);
	if (http)
		buf_printf(&b, "%s\n%lld\n%s", o->embed_model, (long long)o->embed_dimension,
		    o->embed_document_prefix);
	else
		buf_str(&b, embedder_fingerprint(x));
	crypto_sha256(b.p, b.n, hash);
	snprintf(out, VECTORS_TEXT_SIZE, "%s", hash);
	buf_free(&b);
}

/* Whether the summaries of files include the subjects of commits up to this one. */
static bool has_commit_subjects(const struct vectors *f, const char *commit)
{
	uint64_t last = 0;

	for (size_t s = 0; s < f->n; s++)
		for (size_t i = 0; i < f->v[s].n; i++)
			if (f->v[s].docs[i] == VECTORS_FILE_ROW)
				last = f->v[s].hashes[i];
	return last == commit_subjects_fingerprint(commit);
}

/* Whether the row is of a live document that was not seen before; marks it as seen. */
static bool is_first_row(unsigned char *seen, const struct ranking *r, size_t id)
{
	unsigned char bit = (unsigned char)(1 << id % 8);

	if (id >= r->n || !r->lengths[id])
		return false;
	if (seen[id / 8] & bit)
		return false;
	seen[id / 8] |= bit;
	return true;
}

/* The number of live documents that have a vector. */
static uint64_t count_covered(const struct vectors *f, const struct ranking *r)
{
	unsigned char *seen = xcalloc(r->n / 8 + 1, 1);
	uint64_t n = 0;

	for (size_t s = 0; s < f->n; s++)
		for (size_t i = 0; i < f->v[s].n; i++)
			n += is_first_row(seen, r, f->v[s].docs[i]);
	free(seen);
	return n;
}

/* Completes the status from the open vectors of the index. */
static void read_status(const struct vectors *f, const char *dir, const struct index_info *info,
    struct vector_status *out)
{
	struct ranking ranking;
	void *mem = NULL;
	struct db *db = store_open(dir, info->file, NULL);

	if (db && !store_read_ranking(db, &ranking, &mem, NULL)) {
		out->done = count_covered(f, &ranking);
		out->total = (uint64_t)ranking.documents;
		out->files_done = has_commit_subjects(f, info->commit);
	}
	snprintf(out->fingerprint, sizeof out->fingerprint, "%s", f->head.fingerprint);
	out->bytes = f->bytes;
	db_close(db);
	free(mem);
}

void vector_status_read(const struct options *o, const char *dir, const struct index_info *info,
    struct vectors_checkpoint *checked, struct vector_status *out)
{
	struct embedder *x = vectors_embedder(o, NULL);
	char settings[VECTORS_TEXT_SIZE] = "";

	*out = (struct vector_status){ .total = (uint64_t)info->documents };
	if (!x)
		return;
	struct vectors *f = vectors_open(dir, checked, NULL);
	vectors_settings(o, x, settings);
	out->verified = *checked;
	if (f && !strcmp(f->head.settings, settings) && !strcmp(f->head.index, info->file))
		read_status(f, dir, info, out);
	vectors_close(f);
	embedder_free(x);
}
