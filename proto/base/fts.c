#include "proto/base/fts.h"

#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "proto/text/tokens.h"

struct feed {
	void *ctx;
	int (*emit)(void *, int, const char *, int, int, int);
	int rc;
};

static int feed(void *arg, const struct token *t)
{
	struct feed *f = arg;

	f->rc = f->emit(f->ctx, t->same_place ? FTS5_TOKEN_COLOCATED : 0, t->text, (int)t->n, (int)t->start,
	    (int)t->end);
	return f->rc;
}

static int code_create(void *ctx, const char **argv, int argc, Fts5Tokenizer **out)
{
	static int nothing;

	(void)ctx, (void)argv, (void)argc;
	*out = (Fts5Tokenizer *)&nothing;
	return SQLITE_OK;
}

static void code_delete(Fts5Tokenizer *t)
{
	(void)t;
}

/* In a query each word arrives already split by the caller, so the parts of compounds are left out. */
static int code_tokenize(Fts5Tokenizer *t, void *ctx, int flags, const char *text, int n,
    int (*emit)(void *, int, const char *, int, int, int))
{
	struct feed f = { ctx, emit, SQLITE_OK };

	(void)t;
	tokens_each(text, (size_t)n, !(flags & FTS5_TOKENIZE_QUERY), feed, &f);
	return f.rc;
}

double fts_idf(double documents, double all)
{
	return log(1 + (all - documents + 0.5) / (documents + 0.5));
}

/* FTS5's own bm25() reads each document's length from a table and merges all positions: five times slower. */
static void code_rank(const Fts5ExtensionApi *f, Fts5Context *row, sqlite3_context *out, int n, sqlite3_value **v)
{
	const double k1 = 1.2, b = 0.75;
	const struct fts_ranking *r = n == 1 ? sqlite3_value_pointer(v[0], FTS_POINTER) : NULL;
	int phrases = f->xPhraseCount(row);
	double score = 0;

	if (!r || phrases > FTS_PHRASES) {
		sqlite3_result_error(out, "code_rank wants a struct fts_ranking", -1);
		return;
	}
	sqlite3_int64 id = f->xRowid(row);
	bool known = id >= 0 && (size_t)id < r->n;
	double length = known ? r->lengths[id] : r->average;
	double norm = k1 * (1 - b + b * length / (r->average > 0 ? r->average : 1));
	for (int i = 0; i < phrases; i++) {
		Fts5PhraseIter at;
		double tf = 0;
		int col, off;
		if (f->xPhraseFirst(row, i, &at, &col, &off) != SQLITE_OK)
			continue;
		for (; col >= 0; f->xPhraseNext(row, &at, &col, &off))
			tf += col < FTS_FIELDS ? r->weights[col] : 1;
		score += r->idf[i] * tf * (k1 + 1) / (tf + norm);
	}
	sqlite3_result_double(out, known ? -score * r->priors[id] / 100 : -score);
}

/* The sum of the varints of a row of FTS5's docsize table: seven bits a byte, the highest first. */
static uint16_t total(const uint8_t *p, size_t n)
{
	uint64_t sum = 0, v = 0;

	for (size_t i = 0; i < n; i++) {
		v = v << 7 | (p[i] & 127);
		if (!(p[i] & 128)) {
			sum += v;
			v = 0;
		}
	}
	return sum < UINT16_MAX ? (uint16_t)sum : UINT16_MAX;
}

int fts_lengths(struct db *db, struct buf *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select id, sz from fts_docsize order by id", e);
	int rc = s ? 0 : -1;
	int64_t next = 0;

	while (s && (rc = db_step(s, e)) == 1) {
		static const uint16_t none = 0;
		size_t n;
		const void *p = db_blob(s, 1, &n);
		for (; next < db_int(s, 0); next++)
			buf_put(out, &none, sizeof none);
		uint16_t length = total(p, n);
		buf_put(out, &length, sizeof length);
		next++;
	}
	return rc;
}

static fts5_api *api(sqlite3 *h)
{
	fts5_api *found = NULL;
	sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(h, "select fts5(?1)", -1, &s, NULL) == SQLITE_OK) {
		sqlite3_bind_pointer(s, 1, &found, "fts5_api_ptr", NULL);
		sqlite3_step(s);
	}
	sqlite3_finalize(s);
	return found;
}

int fts_register(struct db *db, struct err *e)
{
	static fts5_tokenizer code = { code_create, code_delete, code_tokenize };
	fts5_api *f = api(db_handle(db));

	if (!f || f->xCreateTokenizer(f, "code", NULL, &code, NULL) != SQLITE_OK ||
	    f->xCreateFunction(f, "code_rank", NULL, code_rank, NULL) != SQLITE_OK)
		return err_set(e, ERR_DB_ERROR, "this SQLite has no FTS5");
	return 0;
}
