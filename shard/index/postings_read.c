#include "shard/index/postings.h"

#include <stdbool.h>
#include <string.h>

#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/text/tokens.h"
#include "shard/base/varint.h"
#include "shard/index/postings_internal.h"

/*
 * The statement `one` for the rows of a term, or `many` for the rows of all terms that begin with
 * what precedes a `*`.
 */
static struct stmt *select_term_rows(
    struct db *db, const char *one, const char *many, const char *term, struct err *e)
{
	char from[TOKEN_MAX + 1], to[TOKEN_MAX + 1];
	size_t n = strlen(term);
	bool is_prefix = n > 1 && n <= TOKEN_MAX && term[n - 1] == '*';
	struct stmt *s = db_prep(db, is_prefix ? many : one, e);
	int rc;

	if (!s)
		return NULL;
	if (is_prefix) {
		memcpy(from, term, n - 1);
		from[n - 1] = 0;
		memcpy(to, from, n);
		to[n - 2]++;		/* the first text after all with this prefix */
		rc = db_bind(s, "ss", from, to);
	} else {
		rc = db_bind(s, "S", term);
	}
	if (rc)
		return NULL;
	return s;
}

int postings_count_documents(struct db *db, const char *term, uint64_t *out, struct err *e)
{
	struct stmt *s = select_term_rows(db, "select sum(docs) from postings where term = ?",
	    "select sum(docs) from postings where term >= ? and term < ?", term, e);
	int rc;

	*out = 0;
	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1)
		*out = (uint64_t)db_int(s, 0);
	return rc;
}

int postings_terms(struct db *db, bool (*each)(void *, const char *), void *arg, struct err *e)
{
	struct stmt *s = db_prep(db, "select term from postings", e);
	int rc = -1;
	bool more = true;

	while (s && more && (rc = db_step(s, e)) == 1)
		more = each(arg, db_str(s, 0));
	return more ? rc : 0;
}

int postings_terms_beginning(struct db *db, const char *prefix, size_t max,
    void (*each)(void *, const char *), void *arg, struct err *e)
{
	char to[TOKEN_MAX + 1];
	size_t n = strlen(prefix);
	int rc;

	if (!n || n > TOKEN_MAX)
		return 0;
	memcpy(to, prefix, n + 1);
	to[n - 1]++;
	struct stmt *s = db_prep(db,
	    "select distinct term from postings where term >= ? and term < ? order by term limit ?", e);
	if (!s || db_bind(s, "ssi", prefix, to, (int64_t)max))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		each(arg, db_str(s, 0));
	return rc;
}

typedef void posting_batch_fn(void *, const struct posting *, size_t);

/* Reads the next number, which is mostly one byte. */
static inline bool take(const uint8_t **at, const uint8_t *end, uint64_t *out)
{
	if (*at < end && **at < 128) {
		*out = *(*at)++;
		return true;
	}
	return varint_take(at, end, out);
}

/* Decodes a row; false if the bytes are not those of a row. */
static bool read_row(int64_t first, const uint8_t *p, size_t n, posting_batch_fn *each, void *arg)
{
	struct posting v[POSTINGS_ROW_BYTES];
	const uint8_t *end = p + n;
	uint64_t id = (uint64_t)first;
	size_t k = 0;

	while (p < end) {
		uint64_t difference, weight = POSTINGS_DEFAULT_WEIGHT;
		if (!take(&p, end, &difference))
			return false;
		if ((difference & 1) && !take(&p, end, &weight))
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
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		size_t n;
		const uint8_t *p = db_blob(s, 1, &n);
		if (!read_row(db_int(s, 0), p, n, each, arg))
			return err_set(e, ERR_DB_ERROR, "the index is damaged: the postings of a word");
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
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		struct row_check c = { .lengths = lengths, .n = n, .last = -1 };
		size_t size;
		const uint8_t *p = db_blob(s, 1, &size);
		bool readable = read_row(db_int(s, 0), p, size, count_live_docs, &c);
		bool correct = readable && !c.bad && c.docs == db_int(s, 2);
		if (!correct)
			return err_set(e, ERR_DB_ERROR,
			    "postings of `%s`: found %lld documents, but the row's count is %lld", db_str(s, 3),
			    (long long)c.docs, (long long)db_int(s, 2));
	}
	return rc;
}
