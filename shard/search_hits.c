#include "shard/search_own.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/db.h"
#include "proto/base/map.h"
#include "shard/phrase.h"
#include "shard/repo.h"
#include "shard/rpc.h"
#include "shard/text.h"

enum { CHECKED = 2000 };	/* documents that are looked at for a phrase */

const char *search_column(const struct search *w, struct stmt *s, int col)
{
	return db_null(s, col) ? NULL : arena_str(w->a, db_str(s, col));
}

const char *search_bars(const struct strs *words, struct arena *a)
{
	const char *s = words->n ? "|" : NULL;

	for (size_t i = 0; i < words->n; i++)
		s = arena_printf(a, "%s%s|", s, words->v[i]);
	return s;
}

const char *search_prefix(const struct search *w)
{
	return w->q->path_prefix && *w->q->path_prefix ? w->q->path_prefix : NULL;
}

void search_set_text(struct search *w, struct spot *x)
{
	const struct hit *h = &x->hit;
	struct text **at = (struct text **)map_at(w->texts, arena_printf(w->a, "%s %llu-%llu %s", h->blob,
	    (unsigned long long)h->start_line, (unsigned long long)h->end_line, h->qualified ? h->qualified : ""));
	x->text = *at = *at ? *at : arena_one(w->a, struct text);
}

void search_place(struct search *w, struct stmt *s, const char *path, struct spot *x)
{
	x->doc = db_int(s, 10);
	x->hash = (uint64_t)db_int(s, 11);
	x->hit = (struct hit){
		.path = path, .blob = search_column(w, s, 1), .language = search_column(w, s, 2),
		.symbol = search_column(w, s, 3), .qualified = search_column(w, s, 4), .kind = search_column(w, s, 5),
		.signature = search_column(w, s, 6), .start_line = (uint64_t)db_int(s, 7), .end_line = (uint64_t)db_int(s, 8),
		.test = db_int(s, 9),
	};
	search_set_text(w, x);
}

bool search_is_new(const struct hit *h, unsigned count)
{
	struct text *t = ((const struct spot *)h)->text;
	bool new = t->met != count;

	t->met = count;
	return new;
}

struct hit *search_hit(struct search *w, struct stmt *s)
{
	const char *path = arena_str(w->a, db_str(s, 0));
	void **at = map_at(w->found, w->files ? path :
	    arena_printf(w->a, "%s:%lld:%s", path, (long long)db_int(s, 7), db_str(s, 4)));

	if (*at)
		return *at;
	struct spot *x = arena_one(w->a, struct spot);
	search_place(w, s, path, x);
	return *at = &x->hit;
}

bool search_before(struct stmt *s, const struct hit *h)
{
	uint64_t start = (uint64_t)db_int(s, 7), end = (uint64_t)db_int(s, 8);

	if (start != h->start_line)
		return start < h->start_line;
	return end != h->end_line ? end < h->end_line : strcmp(db_str(s, 4), h->qualified ? h->qualified : "") < 0;
}

/* ---- what may be a hit ---- */

/* Whether the document's own text, or one of its lines of the head, holds the phrase. */
static bool says(const struct phrase *p, struct stmt *s, const char *body, size_t nbody)
{
	for (int col = 0; col < 4; col++)
		if (phrase_in(p, db_str(s, col), strlen(db_str(s, col))))
			return true;
	return phrase_in(p, body, nbody);
}

/* Whether a document holds every phrase.  Its text is in git. */
static bool says_all(struct search *w, int64_t doc)
{
	struct stmt *s = db_prep(w->db, "select s.qualified, s.signature, s.doc, f.path, f.blob, d.start_line, d.end_line"
	    " from docs d join files f on f.id = d.file left join symbols s on s.id = d.symbol where d.id = ?", w->e);
	bool found = false;

	if (!s || w->checked++ > CHECKED || db_bind(s, "i", doc))
		return false;
	while (db_step(s, w->e) == 1) {
		struct repo *repo = reader_repo(w->r, w->e);
		struct buf text = { 0 };
		if (repo && !repo_text(repo, db_str(s, 4), &text, NULL)) {
			struct arena *a = arena_new();
			size_t from = (size_t)db_int(s, 5), to = (size_t)db_int(s, 6);
			struct lines l = text_lines(text.p, text.n, to, a);
			to = to < l.n ? to : l.n;
			found = from && from <= to;
			for (size_t i = 0; found && i < w->ask.nphrases; i++)
				found = says(&w->ask.phrases[i], s, text.p + l.v[from - 1], l.v[to] - l.v[from - 1]);
			arena_free(a);
		}
		buf_free(&text);
	}
	return found;
}

bool search_passes(struct search *w, int64_t doc)
{
	struct stmt *s = db_prep(w->db, "select 1 from docs d join files f on f.id = d.file"
	    " left join symbols s on s.id = d.symbol where d.id = ?1" FILTERS, w->e);
	bool found = false;

	if (!s || db_bind(s, "isss", doc, search_bars(&w->q->kinds, w->a), search_bars(&w->q->languages, w->a), search_prefix(w)))
		return false;
	while (db_step(s, w->e) == 1)
		found = true;
	return found;
}

bool search_keeps(struct search *w, int64_t doc)
{
	const struct search_req *q = w->q;
	bool filtered = q->kinds.n || q->languages.n || search_prefix(w);

	return (!filtered || search_passes(w, doc)) && (!w->ask.nphrases || says_all(w, doc));
}

double search_score(struct search *w, int64_t doc)
{
	double its = scores_get(w->scores, doc);

	return its > 0 && w->ask.nphrases && !says_all(w, doc) ? 0 : its;
}

int search_by_place(const char *path, const char *x_path, uint64_t start, uint64_t x_start, uint64_t end, uint64_t x_end,
    const char *qualified, const char *x_qualified)
{
	int rc = strcmp(path, x_path);

	rc = rc ? rc : (start > x_start) - (start < x_start);
	rc = rc ? rc : (end > x_end) - (end < x_end);
	return rc ? rc : strcmp(qualified ? qualified : "", x_qualified ? x_qualified : "");
}
