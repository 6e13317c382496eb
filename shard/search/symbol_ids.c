#include "shard/search/symbol_ids.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/db/db.h"
#include "shard/search/name_store.h"

struct symbol_candidate symbol_candidate_of_row(struct stmt *s, struct arena *a)
{
	return (struct symbol_candidate){
		.y = symbol_of_row(s, a),
		.id = db_int(s, 11),
		.file = db_int(s, 12),
		.parent = db_int(s, 13),
	};
}

int symbol_ids_file(
    struct db *db, const char *path, struct symbol_candidate *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select id, path, lines, test from files where path = ?1"
	    " union all select id, path, lines, test from left_out where path = ?1",
	    e);
	int rc, found = 0;

	if (!s || db_bind(s, "s", path))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		const char *own = arena_str(a, db_str(s, 1)), *slash = strrchr(own, '/'), *name = own;
		if (slash)
			name = slash + 1;
		*out = (struct symbol_candidate){ .file = db_int(s, 0), .fit = SYMBOL_FIT_ID };
		out->y = (struct symbol){
			.id = own,
			.name = name,
			.qualified = own,
			.kind = "file",
			.path = own,
			.start_line = 1,
			.end_line = (uint64_t)MAX(db_int(s, 2), 1),
			.test = db_int(s, 3),
		};
		found = 1;
	}
	if (rc < 0)
		return -1;
	return found;
}

#define EXACT_SQL(names) \
	"select " SYMBOL_CANDIDATE_COLUMNS names " left join symbols p on p.id = s.parent" \
	" where s.file = ?1 and s.qualified = ?2 and s.kind = ifnull(?3, s.kind)" \
	" order by s.start_byte, s.kind, s.ordinal"

/* Appends what the file defines with exactly this qualified name, in source order. */
static int read_store(struct db *db, enum name_store store, int64_t file, const char *qualified,
    const char *kind, struct symbol_candidate *v, size_t max, size_t *n, struct arena *a,
    struct err *e)
{
	static const char *const sql[NAME_STORES] = {
		[NAMES_DEFINED] = EXACT_SQL(NAMES_DEFINED_SQL),
		[NAMES_MINOR] = EXACT_SQL(NAMES_MINOR_SQL),
		[NAMES_LEFT_OUT] = EXACT_SQL(NAMES_LEFT_OUT_SQL),
	};
	struct stmt *s = db_prep(db, sql[store], e);
	int rc;

	if (!s || db_bind(s, "iss", file, qualified, kind))
		return -1;
	while ((rc = db_step(s, e)) == 1 && *n < max) {
		v[*n] = symbol_candidate_of_row(s, a);
		v[(*n)++].fit = SYMBOL_FIT_ID;
	}
	return MIN(rc, 0);
}

static int read_exact(struct db *db, int64_t file, const char *qualified, const char *kind,
    struct symbol_candidate *v, size_t max, size_t *n, struct arena *a, struct err *e)
{
	int rc = 0;

	for (int store = 0; !rc && !*n && store < NAME_STORES; store++)
		rc = read_store(db, store, file, qualified, kind, v, max, n, a, e);
	return rc;
}

/* Whether the path is the one that the query asks for, or below it. */
static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(text_or_empty(folder));

	while (n && folder[n - 1] == '/')
		n--;
	return !n || (!strncmp(path, folder, n) && (!path[n] || path[n] == '/'));
}

int symbol_ids_find(struct db *db, const struct symbol_query *q, struct symbol_candidate *v,
    size_t max, size_t *n, struct arena *a, struct err *e)
{
	struct symbol_candidate file;
	int is_id = 0;

	for (const char *hash = strchr(q->symbol, '#'); hash && !*n; hash = strchr(hash + 1, '#')) {
		const char *head = arena_strn(a, q->symbol, (size_t)(hash - q->symbol));
		int rc = symbol_ids_file(db, head, &file, a, e);
		if (rc < 0)
			return -1;
		if (!rc)
			continue;
		is_id = 1;
		if (is_below(head, q->path) &&
		    read_exact(db, file.file, hash + 1, text_or_null(q->kind), v, max, n, a, e))
			return -1;
	}
	return is_id;
}
