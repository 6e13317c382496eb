#include "coordinator/contracts/departed_links.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
#include "proto/record/codec.h"

enum { LISTED_MAX = 100, LOGGED_MAX = 20 };

/* ---- the old ones ---- */

static int read_old(
    struct registry *r, const char *name, struct arena *a, struct departed_links *d, struct err *e)
{
	const struct table_filter f = { .list = "contract", .crossing = true };
	struct tables_info t;
	struct table_page p;

	if (tables_get(r, name, &t, a, e))
		return -1;
	d->rules = t.origin.rules;
	if (!t.synced_at || t.origin.rules == MATCH_RULES)
		return 0;
	if (tables_page(r, name, &f, &p, a, e))
		return -1;
	d->old = arena_many(a, p.rows.n, struct contract);
	for (size_t i = 0; i < p.rows.n; i++)
		if (codec_get(
		        &rec_contract, &d->old[d->nold++], p.rows.v[i].row.p, p.rows.v[i].row.n, a, e))
			return -1;
	return 0;
}

void departed_links_read(
    struct registry *r, const char *name, struct arena *a, struct departed_links *d)
{
	struct err e = { 0 };

	*d = (struct departed_links){ 0 };
	if (!read_old(r, name, a, d, &e))
		return;
	log_warn("sync.departed", "group=%s message=%s", name, log_quote(e.msg));
	d->nold = 0;
}

/* ---- what became of them ---- */

/* A call: its line may have moved. */
static const char *call_key(const struct end *c, struct arena *a)
{
	return arena_printf(a, "%s\n%s\n%s\n%s", text_or_empty(c->repo_uri), text_or_empty(c->file),
	    text_or_empty(c->method), text_or_empty(c->path));
}

static const char *link_key(const struct contract *c, struct arena *a)
{
	return arena_printf(
	    a, "%s\n%s", call_key(c->consumer, a), text_or_empty(c->producer->repo_uri));
}

struct new_rows {
	struct map *links, *calls, *unresolved; /* contracts by link and call; unresolved by call */
};

static void put_first(struct map *m, const char *key, const void *row)
{
	void **at = map_at(m, key);

	if (!*at)
		*at = (void *)row;
}

static struct new_rows index_rows(const struct match_result *m, struct arena *a)
{
	struct new_rows x = { map_new(), map_new(), map_new() };

	for (size_t i = 0; i < m->contracts.n; i++) {
		put_first(x.links, link_key(&m->contracts.v[i], a), &m->contracts.v[i]);
		put_first(x.calls, call_key(m->contracts.v[i].consumer, a), &m->contracts.v[i]);
	}
	for (size_t i = 0; i < m->unresolved.n; i++)
		put_first(x.unresolved, call_key(m->unresolved.v[i].consumer, a), &m->unresolved.v[i]);
	return x;
}

static void free_rows(struct new_rows *x)
{
	map_free(x->links);
	map_free(x->calls);
	map_free(x->unresolved);
}

static bool is_candidate(const struct unresolved *u, const char *repo_uri)
{
	for (size_t i = 0; i < u->candidates.n; i++)
		if (texts_equal(u->candidates.v[i].repo_uri, repo_uri))
			return true;
	return false;
}

static struct departed_link departed(
    const struct new_rows *x, const struct contract *old, struct arena *a)
{
	const char *call = call_key(old->consumer, a);
	const struct unresolved *u = map_get(x->unresolved, call);
	const struct contract *other = map_get(x->calls, call);
	struct departed_link d = {
		.kind = old->kind,
		.consumer = old->consumer,
		.producer = old->producer,
		.was = old->confidence,
	};

	if (u) {
		d.reason = u->reason;
		d.missing = u->missing;
		if (is_candidate(u, old->producer->repo_uri))
			d.now = u->confidence;
	} else if (other) {
		d.reason = "elsewhere";
		d.missing = arena_printf(
		    a, "it goes to %s with confidence %.2f", other->producer->repo_uri, other->confidence);
	} else {
		d.reason = "unknown";
		d.missing = "the call is not found any more";
	}
	return d;
}

void departed_links_find(const struct match_result *m, struct arena *a, struct departed_links *d)
{
	if (!d->nold)
		return;
	struct new_rows x = index_rows(m, a);
	d->v = arena_many(a, LISTED_MAX, struct departed_link);
	for (size_t i = 0; i < d->nold; i++) {
		if (map_get(x.links, link_key(&d->old[i], a)))
			continue;
		if (d->n < LISTED_MAX)
			d->v[d->n++] = departed(&x, &d->old[i], a);
		d->total++;
	}
	free_rows(&x);
}

void departed_links_log(const char *group, const struct departed_links *d)
{
	if (!d->total)
		return;
	log_warn("sync.departed", "group=%s links=%llu rules=%llu before=%llu", group,
	    (unsigned long long)d->total, (unsigned long long)MATCH_RULES,
	    (unsigned long long)d->rules);
	for (size_t i = 0; i < d->n && i < LOGGED_MAX; i++) {
		const struct departed_link *x = &d->v[i];
		log_info("sync.departed_link",
		    "group=%s from=%s file=%s line=%llu to=%s method=%s path=%s was=%.2f now=%.2f reason=%s",
		    group, x->consumer->repo_uri, log_quote(x->consumer->file),
		    (unsigned long long)x->consumer->line, x->producer->repo_uri,
		    log_quote(x->consumer->method), log_quote(x->consumer->path), x->was, x->now,
		    x->reason);
	}
}
