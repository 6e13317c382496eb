/* /metrics of this process, under the names that Prometheus' own clients give them. */
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "coordinator/api/metrics_internal.h"
#include "coordinator/calls/admission_control.h"
#include "coordinator/calls/context.h"
#include "coordinator/http/http_server.h"
#include "coordinator/members/members.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/minmax.h"
#include "proto/base/thread_pool.h"
#include "proto/process/directory.h"

static double processor_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	    (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static double resident_bytes(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long all = 0, resident = 0;
	int n = 0;

	if (f)
		n = fscanf(f, "%lu %lu", &all, &resident);
	if (f)
		fclose(f);
	if (n == 2)
		return (double)resident * (double)sysconf(_SC_PAGESIZE);
	return 0;
}

static double open_files(void)
{
	DIR *d = directory_open("/proc/self/fd");
	double n = -3;		/* `.`, `..`, and this folder */

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return MAX(n, 0);
}

void metrics_process(struct exchange *x, struct buf *out)
{
	struct coordinator *co = x->co;
	const struct admission_usage now = admission_usage_get(co->admission);
	const struct { const char *name, *type, *help; double value; } rows[] = {
		{ "process_cpu_seconds_total", "counter", "Processor time of the coordinator.",
		    processor_seconds() },
		{ "process_resident_memory_bytes", "gauge", "Resident memory of the coordinator.",
		    resident_bytes() },
		{ "process_open_fds", "gauge", "Open files of the coordinator.", open_files() },
		{ "process_start_time_seconds", "gauge", "Start time of the coordinator.",
		    (double)(clock_real_ms() - (clock_ms() - co->started_ms)) / 1000 },
		{ "atoll_queue_length", "gauge", "Steps of calls that wait for a worker.",
		    (double)pool_waiting(co->pool) },
		{ "atoll_asked_requests", "gauge",
		    "Pending requests to shards, limited by --asked-at-once.", (double)now.used },
		{ "atoll_turns_length", "gauge", "Requests to many shards that wait for their turn.",
		    (double)now.waiting },
		{ "atoll_probe_interval_seconds", "gauge",
		    "Time between two probes of a shard; longer with many shards.",
		    (double)members_probe_interval(co->members) / 1000 },
	};

	for (size_t i = 0; i < LEN(rows); i++) {
		metrics_head(out, rows[i].name, rows[i].type, rows[i].help);
		buf_printf(out, "%s %.15g\n", rows[i].name, rows[i].value);
	}
}
