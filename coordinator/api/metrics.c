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
	metrics_head(out, "atoll_requests_total", "counter", "Ended tool calls by tool and outcome.");
	for (size_t t = 0; t < METRICS_TOOLS; t++)
		for (int code = 0; code < ERR_COUNT; code++)
			if (m->tool[t].outcome[code])
				buf_printf(out, "atoll_requests_total{tool=\"%s\",outcome=\"%s\"} %llu\n",
				    tools[t].name, code ? err_name((enum err_code)code) : "ok",
				    (unsigned long long)m->tool[t].outcome[code]);
}

static void put_latency(struct metrics *m, struct buf *out)
{
	metrics_head(out, "atoll_request_seconds", "histogram", "Duration of tool calls.");
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
	metrics_head(out, "atoll_build_info", "gauge", "Version of the coordinator.");
	buf_printf(out, "atoll_build_info{version=\"%s\"} 1\n", ATOLL_VERSION);
	metrics_head(out, "atoll_uptime_seconds", "gauge", "Seconds since the start.");
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
	metrics_head(out, "atoll_members", "gauge", "Repositories by health of their shards.");
	for (enum health h = HEALTHY; h <= DOWN; h++)
		buf_printf(out, "atoll_members{health=\"%s\"} %zu\n", health_name(h), by_health[h]);
	metrics_head(out, "atoll_indexes", "gauge", "Repositories by state of their index.");
	for (size_t s = 0; s < LEN(statuses); s++)
		buf_printf(out, "atoll_indexes{status=\"%s\"} %zu\n", statuses[s], by_status[s]);
	metrics_head(
	    out, "atoll_disk_bytes", "gauge", "Disk space of the shards' data, without mirrors.");
	buf_printf(out,
	    "atoll_disk_bytes{what=\"index\"} %llu\natoll_disk_bytes{what=\"vectors\"} %llu\n",
	    (unsigned long long)index, (unsigned long long)vectors);
}

static void put_limits(struct limits *l, struct buf *out)
{
	struct limits_counts now = limits_counts(l);

	metrics_head(out, "atoll_refused_total", "counter", "Refused requests by reason.");
	for (enum limits_reason why = 0; why < LIMITS_REASONS; why++)
		buf_printf(out, "atoll_refused_total{why=\"%s\"} %llu\n", limits_label(why),
		    (unsigned long long)limits_refused(l, why));
	metrics_head(out, "atoll_limited", "gauge",
	    "Callers with limits, their running calls and open streams.");
	buf_printf(out,
	    "atoll_limited{what=\"callers\"} %llu\n"
	    "atoll_limited{what=\"calls\"} %llu\n"
	    "atoll_limited{what=\"streams\"} %llu\n",
	    (unsigned long long)now.callers, (unsigned long long)now.calls,
	    (unsigned long long)now.streams);
}

static void put_hedges(struct hedges *h, struct buf *out)
{
	const struct { const char *what; uint64_t n; } rows[] = {
		{ "asked", atomic_load(&h->asked) },
		{ "sent", atomic_load(&h->sent) },
		{ "won", atomic_load(&h->won) },
		{ "denied", atomic_load(&h->denied) },
	};

	metrics_head(out, "atoll_hedges_total", "counter",
	    "Requests to repositories with several shards: all; sent to a second shard"
	    " because the first was slow; answered first by it; not sent for lack of a token.");
	for (size_t i = 0; i < LEN(rows); i++)
		buf_printf(out, "atoll_hedges_total{what=\"%s\"} %llu\n", rows[i].what,
		    (unsigned long long)rows[i].n);
}

static void put_jobs(struct jobs *jobs, struct buf *out)
{
	struct jobs_counts now = jobs_counts(jobs);
	const struct { const char *outcome; uint64_t n; } ended[] = {
		{ "done", now.done },
		{ "failed", now.failed },
		{ "cancelled", now.cancelled },
		{ "again", now.again },
	};

	metrics_head(out, "atoll_jobs", "gauge", "Queued jobs, and jobs running here.");
	buf_printf(out, "atoll_jobs{state=\"queued\"} %llu\natoll_jobs{state=\"running\"} %llu\n",
	    (unsigned long long)now.queued, (unsigned long long)now.running);
	metrics_head(out, "atoll_jobs_ended_total", "counter",
	    "Ended runs of jobs by outcome; again: will be retried.");
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
	metrics_head(out, "atoll_registry_ready", "gauge", "Whether shared tables can be written.");
	buf_printf(
	    out, "atoll_registry_ready{kind=\"%s\"} %d\n", now.kind, !strcmp(now.state, "ready"));
	if (strcmp(now.kind, "etcd"))
		return;
	metrics_head(
	    out, "atoll_registry_revision", "gauge", "The last etcd revision that was applied here.");
	buf_printf(out, "atoll_registry_revision %lld\n", (long long)now.revision);
	metrics_head(
	    out, "atoll_registry_coordinators", "gauge", "Coordinators that share the registry.");
	buf_printf(out, "atoll_registry_coordinators %zu\n", n);
	metrics_head(out, "atoll_registry_leads", "gauge", "Whether this coordinator is the leader.");
	buf_printf(out, "atoll_registry_leads %d\n", now.leader && !strcmp(now.leader, now.self));
	metrics_head(out, "atoll_registry_commits_total", "counter",
	    "Transactions in etcd; conflict: another coordinator was first, retried.");
	buf_printf(out,
	    "atoll_registry_commits_total{outcome=\"done\"} %llu\n"
	    "atoll_registry_commits_total{outcome=\"conflict\"} %llu\n"
	    "atoll_registry_commits_total{outcome=\"failed\"} %llu\n",
	    (unsigned long long)now.commits, (unsigned long long)now.conflicts,
	    (unsigned long long)now.failures);
}

static void put_certificates(struct exchange *x, struct buf *out)
{
	size_t n;
	const struct certificate_expiry *v = certificates_expiring(&x->co->o, x->a, &n);

	metrics_head(out, "atoll_certificate_end_timestamp_seconds", "gauge",
	    "When the first certificate in a file of the coordinator expires.");
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
	if (x->caller->everything) { /* these reveal what others request, and hidden members */
		metrics_shards(x, &out);
		metrics_contracts(x, &out);
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
