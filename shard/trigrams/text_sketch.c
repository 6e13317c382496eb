#include "shard/trigrams/text_sketch.h"

#include <stdint.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/pattern/gram_sketch.h"
#include "shard/trigrams/gram_lists.h"
#include "shard/trigrams/text_rows.h"

enum { GRAMS = 1 << 24, LISTS_MAX = 64 << 20 };

/* A bit for each trigram. */
struct seen_grams {
	uint8_t *bits;
	size_t n;
};

static void see(void *arg, uint32_t gram)
{
	struct seen_grams *s = arg;
	uint8_t bit = (uint8_t)(1 << gram % 8);

	if (gram >= GRAMS)
		return;
	s->n += !(s->bits[gram / 8] & bit);
	s->bits[gram / 8] |= bit;
}

static int see_lists(struct db *db, struct seen_grams *seen, struct err *e)
{
	struct stmt *s = db_prep(db, "select first, data from grams", e);
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1) {
		size_t n;
		const void *block = db_blob(s, 1, &n);
		if (!gram_block_each(block, n, (uint32_t)db_int(s, 0), see, seen))
			return err_set(e, ERR_DB_ERROR, "a list of trigrams is damaged");
	}
	return rc;
}

static void see_text(void *arg, int64_t id, const uint32_t *grams, size_t n)
{
	(void)id;
	for (size_t i = 0; i < n; i++)
		see(arg, grams[i]);
}

static struct bytes pack(const struct seen_grams *seen, struct arena *a)
{
	size_t size = gram_sketch_size(seen->n);
	uint8_t *sketch = arena_get(a, size, 1);

	for (uint32_t gram = 0; gram < GRAMS; gram++)
		if (seen->bits[gram / 8] >> gram % 8 & 1)
			gram_sketch_add(sketch, size, gram);
	return (struct bytes){ sketch, size };
}

int text_sketch_make(struct db *db, struct arena *a, struct bytes *out, struct err *e)
{
	*out = (struct bytes){ 0 };
	if (!text_rows_exist(db))
		return 0;
	int64_t bytes = db_number(db, "select sum(length(data)) from grams", e);
	if (e->code)
		return -1;
	if (bytes > LISTS_MAX)
		return 0;
	struct seen_grams seen = { .bits = xcalloc(GRAMS / 8, 1) };
	int rc = see_lists(db, &seen, e);
	if (!rc)
		rc = text_rows_each_fresh(db, see_text, &seen, e);
	if (!rc)
		*out = pack(&seen, a);
	free(seen.bits);
	return rc;
}
