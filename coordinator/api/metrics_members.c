/* /metrics of repositories and their shards, with a row for each. */
#include <stdlib.h>
#include <string.h>

#include "coordinator/api/metrics_internal.h"
#include "coordinator/calls/context.h"
#include "coordinator/http/http_server.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/gaps.h"

struct metric_row {
	const struct member *m;
	struct member_view of;			/* of repositories */
	const struct shard_view *shard;		/* of shards */
};

struct metric_rows {
	struct metric_row *v;
	size_t n;
};

/* A metric with one number per row; `has` is NULL if every row has one. */
struct metric_family {
	const char *name, *help;
	double (*value)(const struct metric_row *);
	bool (*has)(const struct metric_row *);
};

static double generation(const struct metric_row *r) { return (double)r->of.generation; }
static double behind(const struct metric_row *r) { return (double)r->of.stamp->behind; }
static bool knows_behind(const struct metric_row *r)
{
	return r->of.stamp && r->of.stamp->behind >= 0;
}

static bool is_indexed(const struct metric_row *r) { return r->of.stamp != NULL; }

/* Paths that cannot be read, for whatever cause. */
static double unreadable(const struct metric_row *r)
{
	uint64_t paths = 0;

	for (size_t i = 0; i < r->of.stamp->gaps.n; i++) {
		const struct gap *g = &r->of.stamp->gaps.v[i];
		if (gap_kind(g->cause)->effect == GAP_FILES)
			paths += g->number;
	}
	return (double)paths;
}

static const struct metric_family of_repositories[] = {
	{ "atoll_repository_generation", "Generation of the served index; 0: none.", generation,
	    NULL },
	{ "atoll_repository_behind_commits",
	    "Commits from the indexed one to the head, where known.", behind, knows_behind },
	{ "atoll_repository_unreadable_paths",
	    "Paths of the indexed commit that cannot be read; its answers are incomplete.", unreadable,
	    is_indexed },
};

static double shard_generation(const struct metric_row *r) { return (double)r->shard->generation; }
static double shard_behind(const struct metric_row *r) { return (double)r->shard->behind; }
static bool shard_knows_behind(const struct metric_row *r) { return r->shard->behind >= 0; }
static double queued(const struct metric_row *r) { return (double)r->shard->queued; }
static double shed(const struct metric_row *r) { return (double)r->shard->shed; }
static double refused(const struct metric_row *r) { return (double)r->shard->refused; }
static bool answered(const struct metric_row *r) { return r->shard->answered; }
static double in_flight(const struct metric_row *r) { return r->shard->in_flight; }
static double suspicion(const struct metric_row *r) { return r->shard->suspicion; }
static double is_open(const struct metric_row *r) { return r->shard->open; }
static double apart(const struct metric_row *r) { return r->shard->apart; }
static double since(const struct metric_row *r) { return (double)r->shard->since / 1000; }

static const struct metric_family of_shards[] = {
	{ "atoll_shard_generation", "Generation of the index that the shard serves; 0: none.",
	    shard_generation, answered },
	{ "atoll_shard_behind_commits", "Commits from its indexed one to the head, where known.",
	    shard_behind, shard_knows_behind },
	{ "atoll_shard_queue_length", "Requests that waited for a reader at the last probe.",
	    queued, answered },
	{ "atoll_shard_in_flight_requests",
	    "Requests of this coordinator that it has not answered yet.", in_flight, NULL },
	{ "atoll_shard_shed_total",
	    "Requests dropped since its start: their deadline had passed or their client had gone.",
	    shed, answered },
	{ "atoll_shard_refused_total", "Requests refused since its start: its queue was full.",
	    refused, answered },
	{ "atoll_shard_suspicion_phi",
	    "How unlikely its silence is, as a power of ten; from 8 on it counts as down.", suspicion,
	    NULL },
	{ "atoll_shard_circuit_open", "1: it does not answer requests, so it gets only trials.",
	    is_open, NULL },
	{ "atoll_shard_conflict",
	    "1: it has different content under its repository's name, so it gets no requests.", apart,
	    NULL },
	{ "atoll_shard_health_changed_timestamp_seconds", "When its health last changed.", since,
	    NULL },
};

void metrics_head(struct buf *out, const char *name, const char *type, const char *help)
{
	buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void metrics_label(struct buf *out, const char *value)
{
	for (; value && *value; value++)
		switch (*value) {
		case '\n': buf_str(out, "\\n"); break;
		case '"': case '\\': buf_byte(out, '\\');	/* fallthrough */
		default: buf_byte(out, *value);
		}
}

static void put_labels(struct buf *out, const char *name, const struct metric_row *r)
{
	buf_printf(out, "%s{repo=\"", name);
	metrics_label(out, r->m->repo_uri);
	if (r->shard) {
		buf_str(out, "\",replica=\"");
		metrics_label(out, r->shard->name);
		buf_str(out, "\",host=\"");
		metrics_label(out, r->shard->host);
	}
	buf_byte(out, '"');
}

/* A row for each cause. */
static void put_gaps(struct buf *out, const struct metric_rows *rows)
{
	static const char name[] = "atoll_repository_gap_paths";

	metrics_head(out, name, "gauge", "Paths that the index lacks, by cause; for shallow: commits.");
	for (size_t i = 0; i < rows->n; i++) {
		const struct freshness *f = rows->v[i].of.stamp;
		for (size_t k = 0; f && k < f->gaps.n; k++) {
			put_labels(out, name, &rows->v[i]);
			buf_str(out, ",cause=\"");
			metrics_label(out, f->gaps.v[k].cause);
			buf_printf(out, "\"} %llu\n", (unsigned long long)f->gaps.v[k].number);
		}
	}
}

static enum health health_of(const struct metric_row *r)
{
	if (r->shard)
		return r->shard->health;
	return r->of.health;
}

static void put_health(
    struct buf *out, const char *name, const char *help, const struct metric_rows *rows)
{
	metrics_head(out, name, "gauge", help);
	for (size_t i = 0; i < rows->n; i++)
		for (enum health h = HEALTHY; h <= DOWN; h++) {
			const struct metric_row *r = &rows->v[i];
			put_labels(out, name, r);
			buf_printf(out, ",health=\"%s\"} %d\n", health_name(h), h == health_of(r));
		}
}

static void put_families(
    struct buf *out, const struct metric_family *f, size_t n, const struct metric_rows *rows)
{
	for (; n--; f++) {
		size_t len = strlen(f->name);
		bool counts = len > 6 && !strcmp(f->name + len - 6, "_total");
		metrics_head(out, f->name, counts ? "counter" : "gauge", f->help);
		for (size_t i = 0; i < rows->n; i++) {
			if (f->has && !f->has(&rows->v[i]))
				continue;
			put_labels(out, f->name, &rows->v[i]);
			buf_printf(out, "} %.15g\n", f->value(&rows->v[i]));
		}
	}
}

static void put_times(struct buf *out, const struct metric_rows *rows)
{
	static const char name[] = "atoll_shard_request_seconds",
	                  failed[] = "atoll_shard_requests_unanswered_total";

	metrics_head(out, name, "histogram",
	    "Duration of the coordinator's requests to the shard, including unanswered ones.");
	for (size_t i = 0; i < rows->n; i++) {
		const struct latency_histogram *t = &rows->v[i].shard->times;
		unsigned long long n = 0;
		for (size_t b = 0; b < MEMBERS_LATENCY_BUCKETS; b++) {
			n += t->n[b];
			put_labels(out, "atoll_shard_request_seconds_bucket", &rows->v[i]);
			if (b + 1 < MEMBERS_LATENCY_BUCKETS)
				buf_printf(out, ",le=\"%g\"} %llu\n", members_latency_bounds[b], n);
			else
				buf_printf(out, ",le=\"+Inf\"} %llu\n", n);
		}
		put_labels(out, "atoll_shard_request_seconds_sum", &rows->v[i]);
		buf_printf(out, "} %.6f\n", t->seconds);
		put_labels(out, "atoll_shard_request_seconds_count", &rows->v[i]);
		buf_printf(out, "} %llu\n", n);
	}
	metrics_head(out, failed, "counter", "Requests that were not answered.");
	for (size_t i = 0; i < rows->n; i++) {
		put_labels(out, failed, &rows->v[i]);
		buf_printf(out, "} %llu\n", (unsigned long long)rows->v[i].shard->times.failed);
	}
}

void metrics_repositories(struct exchange *x, struct buf *out)
{
	struct metric_rows rows = { 0 };
	struct member **all = members_all(x->co->members, x->caller, x->a, &rows.n);

	rows.v = arena_many(x->a, rows.n, struct metric_row);
	for (size_t i = 0; i < rows.n; i++) {
		rows.v[i].m = all[i];
		members_view(x->co->members, all[i], &rows.v[i].of, x->a);
	}
	put_health(out, "atoll_repository_health", "1 for the health of its best shard.", &rows);
	put_families(out, of_repositories, LEN(of_repositories), &rows);
	put_gaps(out, &rows);
}

void metrics_shards(struct exchange *x, struct buf *out)
{
	struct metric_rows rows = { 0 };
	size_t n, k, cap = 0;
	struct member **all = members_all(x->co->members, x->caller, x->a, &n);

	for (size_t i = 0; i < n; i++) {
		const struct shard_view *v = members_shards(x->co->members, all[i], &k, x->a);
		for (size_t j = 0; j < k; j++) {
			rows.v = grow(rows.v, &cap, rows.n + 1, sizeof *rows.v);
			rows.v[rows.n++] = (struct metric_row){ .m = all[i], .shard = &v[j] };
		}
	}
	put_health(out, "atoll_shard_health", "1 for the health of the shard.", &rows);
	put_families(out, of_shards, LEN(of_shards), &rows);
	put_times(out, &rows);
	free(rows.v);
}
