#include "shard/index/postings.h"

#include <stdbool.h>
#include <string.h>

#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/text/tokens.h"
#include "shard/base/varint.h"
#include "shard/index/postings_internal.h"

/*
 * The query `one` for the rows of a term, or `many` for those of all that begin with what stands
 * before a `*`.
 */
static struct stmt *select_term_rows(
    struct db *db, const char *one, const char *many, const char *term, struct err *e)
{
	char from[TOKEN_MAX + 1], to[TOKEN_MAX + 1];
	size_t n = strlen(term);
	bool begins = n > 1 && n <= TOKEN_MAX && term[n - 1] == '*';
	struct stmt *s = db_prep(db, begins ? many : one, e);

	if (!s || !begins) {
		if (s && !db_bind(s, "S", term))
			return s;
		return NULL;
	}
	memcpy(from, term, n - 1);
	from[n - 1] = 0;
	memcpy(to, from, n);
	to[n - 2]++;		/* what is next to all that begin so */
	if (db_bind(s, "ss", from, to))
		return NULL;
	return s;
}

int postings_count_documents(struct db *db, const char *term, uint64_t *out, struct err *e)
{
	struct stmt *s = select_term_rows(db, "select sum(docs) from postings where term = ?",
	    "select sum(docs) from postings where term >= ? and term < ?", term, e);
	int rc = s ? 0 : -1;

	*out = 0;
	while (!rc && (rc = db_step(s, e)) == 1) {
		*out = (uint64_t)db_int(s, 0);
		rc = 0;
	}
	return rc;
}

int postings_terms(struct db *db, void (*each)(void *, const char *), void *arg, struct err *e)
{
	struct stmt *s = db_prep(db, "select term from postings", e);
	int rc = s ? 0 : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		each(arg, db_str(s, 0));
		rc = 0;
	}
	return rc;
}

typedef void posting_batch_fn(void *, const struct posting *, size_t);

/* The next number, which mostly is one byte. */
static inline bool take(const uint8_t **at, const uint8_t *end, uint64_t *out)
{
	if (*at < end && **at < 128) {
		*out = *(*at)++;
		return true;
	}
	return varint_take(at, end, out);
}

/* Whether the bytes are a row's. */
static bool read_row(int64_t first, const uint8_t *p, size_t n, posting_batch_fn *each, void *arg)
{
	struct posting v[POSTINGS_ROW_BYTES];
	const uint8_t *end = p + n;
	uint64_t id = (uint64_t)first;
	size_t k = 0;

	while (p < end) {
		uint64_t difference, weight = POSTINGS_DEFAULT_WEIGHT;
		if (!take(&p, end, &difference) || ((difference & 1) && !take(&p, end, &weight)))
			return false;
		id += difference >> 1;
		if (id > UINT32_MAX || !weight || weight > UINT32_MAX)
			return false;
		v[k++] = (struct posting){ (uint32_t)id, (uint32_t)weight };
		if (k == POSTINGS_ROW_BYTES) {
			each(arg, v, k);
			k = 0;
		}
	}
	each(arg, v, k);
	return true;
}

int postings_each_batch(
    struct db *db, const char *term, posting_batch_fn *each, void *arg, struct err *e)
{
	struct stmt *s = select_term_rows(db,
	    "select first, data from postings where term = ? order by first",
	    "select first, data from postings where term >= ? and term < ? order by term, first", term,
	    e);
	int rc = s ? 0 : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		size_t n;
		const uint8_t *p = db_blob(s, 1, &n);
		if (read_row(db_int(s, 0), p, n, each, arg))
			rc = 0;
		else
			rc = err_set(e, ERR_DB_ERROR, "the index is damaged: postings of a word");
	}
	return rc;
}

struct each_adapter {
	void (*each)(void *, int64_t, double);
	void *arg;
};

static void call_each_posting(void *arg, const struct posting *v, size_t n)
{
	const struct each_adapter *o = arg;

	for (size_t i = 0; i < n; i++)
		o->each(o->arg, v[i].id, (double)v[i].weight / 2);
}

int postings_each(struct db *db, const char *term, void (*each)(void *, int64_t, double), void *arg,
    struct err *e)
{
	return postings_each_batch(db, term, call_each_posting, &(struct each_adapter){ each, arg }, e);
}

struct row_check {
	const uint16_t *lengths;
	size_t n;
	int64_t docs, last;
	bool bad;
};

static void count_live_docs(void *arg, const struct posting *v, size_t n)
{
	struct row_check *c = arg;

	for (size_t i = 0; i < n; i++) {
		c->bad |= v[i].id >= c->n || v[i].id <= c->last;
		c->docs += !c->bad && c->lengths[v[i].id] > 0;
		c->last = v[i].id;
	}
}

int postings_check(struct db *db, const uint16_t *lengths, size_t n, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select first, data, docs, term from postings order by term, first", e);
	int rc = s ? 0 : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		struct row_check c = { .lengths = lengths, .n = n, .last = -1 };
		size_t size;
		const uint8_t *p = db_blob(s, 1, &size);
		bool whole = read_row(db_int(s, 0), p, size, count_live_docs, &c);
		if (whole && !c.bad && c.docs == db_int(s, 2))
			rc = 0;
		else
			rc = err_set(e, ERR_DB_ERROR, "postings of `%s`: %lld documents, the row says %lld",
			    db_str(s, 3), (long long)c.docs, (long long)db_int(s, 2));
	}
	return rc;
}
