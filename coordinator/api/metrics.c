#include <string.h>

#include "coordinator/calls/call_metrics.h"
#include "coordinator/auth/caller.h"
#include "coordinator/base/certificate_expiry.h"
#include "coordinator/calls/context.h"
#include "coordinator/api/http_routes.h"
#include "coordinator/jobs/jobs.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/replication.h"
#include "coordinator/api/metrics_internal.h"
#include "coordinator/calls/call.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/version.h"

static void put_requests(struct metrics *m, struct buf *out)
{
	buf_str(out, "# HELP atoll_requests_total Tool calls that have ended, by tool and outcome.\n"
	    "# TYPE atoll_requests_total counter\n");
	for (size_t t = 0; t < METRICS_TOOLS; t++)
		for (int code = 0; code < ERR_COUNT; code++)
			if (m->tool[t].outcome[code])
				buf_printf(out, "atoll_requests_total{tool=\"%s\",outcome=\"%s\"} %llu\n",
				    tools[t].name, code ? err_name((enum err_code)code) : "ok",
				    (unsigned long long)m->tool[t].outcome[code]);
}

static void put_latency(struct metrics *m, struct buf *out)
{
	buf_str(out,
	    "# HELP atoll_request_seconds Time of tool calls.\n# TYPE atoll_request_seconds histogram\n");
	for (size_t t = 0; t < METRICS_TOOLS; t++) {
		unsigned long long n = 0;
		const char *name = tools[t].name;
		for (size_t b = 0; b < METRICS_BUCKETS; b++)
			n += m->tool[t].bucket[b];
		if (!n)
			continue;
		n = 0;
		for (size_t b = 0; b < METRICS_BUCKETS; b++) {
			n += m->tool[t].bucket[b];
			buf_printf(out, "atoll_request_seconds_bucket{tool=\"%s\",le=\"", name);
			if (b + 1 < METRICS_BUCKETS)
				buf_printf(out, "%g\"} %llu\n", (double)metrics_limits_ms[b] / 1000, n);
			else
				buf_printf(out, "+Inf\"} %llu\n", n);
		}
		buf_printf(out, "atoll_request_seconds_sum{tool=\"%s\"} %.3f\n", name,
		    (double)m->tool[t].ms / 1000);
		buf_printf(out, "atoll_request_seconds_count{tool=\"%s\"} %llu\n", name, n);
	}
}

static void put_process(struct coordinator *co, struct buf *out)
{
	buf_str(out,
	    "# HELP atoll_build_info Version of the coordinator.\n# TYPE atoll_build_info gauge\n");
	buf_printf(out, "atoll_build_info{version=\"%s\"} 1\n", ATOLL_VERSION);
	buf_str(
	    out, "# HELP atoll_uptime_seconds Since the start.\n# TYPE atoll_uptime_seconds gauge\n");
	buf_printf(out, "atoll_uptime_seconds %.3f\n", (double)(clock_ms() - co->started_ms) / 1000);
}

/* How many members are in each state. */
static void put_members(struct exchange *x, struct buf *out)
{
	static const char *const statuses[] = { "pending", "building", "ready", "failed" };
	uint64_t index = 0, vectors = 0;
	size_t n, by_health[DOWN + 1] = { 0 }, by_status[LEN(statuses)] = { 0 };
	struct member **all = members_all(x->co->members, x->caller, x->a, &n);

	for (size_t i = 0; i < n; i++) {
		struct member_view v;
		members_view(x->co->members, all[i], &v, x->a);
		by_health[v.health]++;
		index += v.counts.index_bytes;
		vectors += v.counts.vectors_bytes;
		for (size_t s = 0; s < LEN(statuses); s++)
			by_status[s] += !strcmp(v.status, statuses[s]);
	}
	buf_str(out,
	    "# HELP atoll_members Repositories by health of their shards.\n# TYPE atoll_members gauge\n");
	for (enum health h = HEALTHY; h <= DOWN; h++)
		buf_printf(out, "atoll_members{health=\"%s\"} %zu\n", health_name(h), by_health[h]);
	buf_str(out,
	    "# HELP atoll_indexes Repositories by state of their index.\n# TYPE atoll_indexes gauge\n");
	for (size_t s = 0; s < LEN(statuses); s++)
		buf_printf(out, "atoll_indexes{status=\"%s\"} %zu\n", statuses[s], by_status[s]);
	buf_str(out,
	    "# HELP atoll_disk_bytes What shards keep on their disks, beside mirrors.\n# TYPE atoll_disk_bytes gauge\n");
	buf_printf(out,
	    "atoll_disk_bytes{what=\"index\"} %llu\natoll_disk_bytes{what=\"vectors\"} %llu\n",
	    (unsigned long long)index, (unsigned long long)vectors);
}

static void put_limits(struct limits *l, struct buf *out)
{
	struct limits_counts now = limits_counts(l);

	buf_str(out,
	    "# HELP atoll_refused_total Requests that were too much, by why.\n# TYPE atoll_refused_total counter\n");
	for (enum limits_reason why = 0; why < LIMITS_REASONS; why++)
		buf_printf(out, "atoll_refused_total{why=\"%s\"} %llu\n", limits_label(why),
		    (unsigned long long)limits_refused(l, why));
	buf_str(out,
	    "# HELP atoll_limited What callers with limits have at the moment.\n# TYPE atoll_limited gauge\n");
	buf_printf(out,
	    "atoll_limited{what=\"callers\"} %llu\natoll_limited{what=\"calls\"} %llu\natoll_limited{what=\"streams\"} %llu\n",
	    (unsigned long long)now.callers, (unsigned long long)now.calls,
	    (unsigned long long)now.streams);
}

static void put_hedges(struct hedges *h, struct buf *out)
{
	const struct { const char *what; uint64_t n;
	} rows[] = {
		{ "asked", atomic_load(&h->asked) },
		{ "sent", atomic_load(&h->sent) },
		{ "won", atomic_load(&h->won) },
		{ "denied", atomic_load(&h->denied) },
	};

	buf_str(out,
	    "# HELP atoll_hedges_total Questions to repositories with several shards; those sent to a second one as the first was slow;"
	    " second ones that answered first; not sent, as a twentieth had been.\n# TYPE atoll_hedges_total counter\n");
	for (size_t i = 0; i < LEN(rows); i++)
		buf_printf(out, "atoll_hedges_total{what=\"%s\"} %llu\n", rows[i].what,
		    (unsigned long long)rows[i].n);
}

static void put_jobs(struct jobs *jobs, struct buf *out)
{
	struct jobs_counts now = jobs_counts(jobs);
	const struct { const char *outcome; uint64_t n;
	} ended[] = {
		{ "done", now.done },
		{ "failed", now.failed },
		{ "cancelled", now.cancelled },
		{ "again", now.again },
	};

	buf_str(out, "# HELP atoll_jobs Jobs that wait, and that run here.\n# TYPE atoll_jobs gauge\n");
	buf_printf(out, "atoll_jobs{state=\"queued\"} %llu\natoll_jobs{state=\"running\"} %llu\n",
	    (unsigned long long)now.queued, (unsigned long long)now.running);
	buf_str(out,
	    "# HELP atoll_jobs_ended_total Runs of jobs that have ended, by outcome; again: to be tried once more.\n"
	    "# TYPE atoll_jobs_ended_total counter\n");
	for (size_t i = 0; i < LEN(ended); i++)
		buf_printf(out, "atoll_jobs_ended_total{outcome=\"%s\"} %llu\n", ended[i].outcome,
		    (unsigned long long)ended[i].n);
}

static void put_registry(struct exchange *x, struct buf *out)
{
	struct registry_sync_state now;
	struct registry_peer *v;
	size_t n = 0;

	registry_sync_state(x->co->registry, &now, x->a);
	registry_peers(x->co->registry, &v, &n, x->a, NULL);
	buf_str(out,
	    "# HELP atoll_registry_ready Whether what is shared can be written.\n# TYPE atoll_registry_ready gauge\n");
	buf_printf(
	    out, "atoll_registry_ready{kind=\"%s\"} %d\n", now.kind, !strcmp(now.state, "ready"));
	if (strcmp(now.kind, "etcd"))
		return;
	buf_str(out,
	    "# HELP atoll_registry_revision Of etcd, up to which all is known here.\n# TYPE atoll_registry_revision gauge\n");
	buf_printf(out, "atoll_registry_revision %lld\n", (long long)now.revision);
	buf_str(out,
	    "# HELP atoll_registry_coordinators Those that share the registry.\n# TYPE atoll_registry_coordinators gauge\n");
	buf_printf(out, "atoll_registry_coordinators %zu\n", n);
	buf_str(out,
	    "# HELP atoll_registry_leads Whether this one schedules.\n# TYPE atoll_registry_leads gauge\n");
	buf_printf(out, "atoll_registry_leads %d\n", now.leader && !strcmp(now.leader, now.self));
	buf_str(out,
	    "# HELP atoll_registry_commits_total Transactions in etcd; conflict: others were first, it is tried again.\n"
	    "# TYPE atoll_registry_commits_total counter\n");
	buf_printf(out,
	    "atoll_registry_commits_total{outcome=\"done\"} %llu\natoll_registry_commits_total{outcome=\"conflict\"} %llu\n"
	    "atoll_registry_commits_total{outcome=\"failed\"} %llu\n",
	    (unsigned long long)now.commits, (unsigned long long)now.conflicts,
	    (unsigned long long)now.failures);
}

static void put_certificates(struct exchange *x, struct buf *out)
{
	size_t n;
	const struct certificate_expiry *v = certificates_expiring(&x->co->o, x->a, &n);

	metrics_head(out, "atoll_certificate_end_timestamp_seconds", "gauge",
	    "When the first certificate of a file of the coordinator runs out.");
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "atoll_certificate_end_timestamp_seconds{file=\"%s\"} %lld\n", v[i].what,
		    (long long)v[i].until);
}

void metrics_get(struct exchange *x)
{
	struct buf out = { 0 };

	put_process(x->co, &out);
	put_members(x, &out);
	metrics_repositories(x, &out);
	if (x->caller->everything) {	/* what others ask is nobody's business */
		metrics_shards(x, &out);
		metrics_process(x, &out);
		put_requests(&x->co->metrics, &out);
		put_limits(x->co->limits, &out);
		put_jobs(x->co->jobs, &out);
		put_hedges(&x->co->hedges, &out);
		put_registry(x, &out);
		put_certificates(x, &out);
		put_latency(&x->co->metrics, &out);
	}
	http_answer(x, 200, "text/plain; version=0.0.4; charset=utf-8", &out, NULL);
}
