#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "shard/rpc.h"
#include "shard/symbol.h"

static const char *text(struct stmt *s, int col, struct arena *a)
{
	return db_null(s, col) ? NULL : arena_str(a, db_str(s, col));
}

/* How well a symbol is what was asked for; 0: not at all. */
static int fit(const char *asked, const char *id_path, const struct symbol *y)
{
	size_t n = strlen(asked), m = strlen(y->qualified);

	if (id_path)
		return !strcmp(id_path, y->path) && !strcmp(asked, y->qualified) ? 9 : 0;
	if (!strcmp(asked, y->qualified))
		return 8;
	if (!strcmp(asked, y->name))
		return 7;
	if (m > n && y->qualified[m - n - 1] == '.' && !strcmp(y->qualified + m - n, asked))
		return 6;
	if (!strcasecmp(asked, y->qualified) || !strcasecmp(asked, y->name))
		return 5;
	return strpbrk(asked, ".") ? 0 : 4;	/* load_users for loadUsers */
}

static struct symbol row(struct stmt *s, struct arena *a)
{
	struct symbol y = {
		.name = text(s, 0, a), .qualified = text(s, 1, a), .kind = text(s, 2, a), .signature = text(s, 3, a),
		.doc = text(s, 4, a), .path = text(s, 5, a), .start_line = (uint64_t)db_int(s, 6),
		.end_line = (uint64_t)db_int(s, 7), .parent = text(s, 8, a), .exported = db_int(s, 9), .test = db_int(s, 10),
	};

	y.id = arena_printf(a, "%s#%s", y.path, y.qualified);
	return y;
}

/* Class::method, Class#method and Class->method to the dots of qualified names. */
static const char *dotted(const char *s, struct arena *a)
{
	char *out = arena_str(a, s), *w = out;

	for (const char *r = out; *r;) {
		size_t n = !strncmp(r, "::", 2) || !strncmp(r, "->", 2) ? 2 : *r == '#' ? 1 : 0;
		*w++ = n ? '.' : *r;
		r += n ? n : 1;
	}
	*w = 0;
	if (w > out + 2 && !strcmp(w - 2, "()"))
		w[-2] = 0;
	return out;
}

struct found {
	struct symbol y;
	int fit;
};

static int by_fit(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->fit != y->fit)
		return y->fit - x->fit;
	if (x->y.test != y->y.test)
		return x->y.test - y->y.test;
	int rc = strcmp(x->y.path, y->y.path);
	return rc ? rc : (x->y.start_line > y->y.start_line) - (x->y.start_line < y->y.start_line);
}

enum { MOST = 2000 };	/* symbols of one name that are looked at */

int rpc_symbol(struct shard *shard, struct reader *r, const struct symbol_req *q, struct symbol_res *out,
    struct arena *a, struct err *e)
{
	const char *hash = strchr(q->symbol, '#'), *asked = q->symbol, *id_path = NULL;
	struct found *found = arena_many(a, MOST, struct found);
	size_t n = 0;
	int rc;

	(void)shard;
	if (hash && memchr(q->symbol, '.', (size_t)(hash - q->symbol))) {	/* a/file.py#Class.method */
		id_path = arena_strn(a, q->symbol, (size_t)(hash - q->symbol));
		asked = hash + 1;
	}
	asked = id_path ? asked : dotted(asked, a);
	if (!*asked)
		return err_set(e, ERR_INVALID_INPUT, "symbol: empty; give a name such as `load_users` or `Class.method`");
	struct stmt *s = db_prep(r->db, "select s.name, s.qualified, s.kind, s.signature, s.doc, f.path, s.start_line,"
	    " s.end_line, p.qualified, s.exported, s.test from symbols s join files f on f.id = s.file"
	    " left join symbols p on p.id = s.parent where s.key = ?1 and f.path = ifnull(?2, f.path)"
	    " and s.kind = ifnull(?3, s.kind) order by s.id limit 2000", e);
	if (!s)
		return -1;
	db_bind(s, "sss", symbol_key(symbol_last(asked), a), q->path && *q->path ? q->path : NULL,
	    q->kind && *q->kind ? q->kind : NULL);
	while ((rc = db_step(s, e)) == 1 && n < MOST) {
		found[n].y = row(s, a);
		n += (found[n].fit = fit(asked, id_path, &found[n].y)) > 0;
	}
	if (rc < 0)
		return -1;
	qsort(found, n, sizeof *found, by_fit);
	out->total = n;
	out->symbols.n = n < q->limit ? n : q->limit;
	out->symbols.v = arena_many(a, out->symbols.n + 1, struct symbol);
	for (size_t i = 0; i < out->symbols.n; i++)
		out->symbols.v[i] = found[i].y;
	return 0;
}
