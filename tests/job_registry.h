#ifndef TESTS_JOB_REGISTRY_H
#define TESTS_JOB_REGISTRY_H
/* A temporary registry with jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/jobs/jobs.h"
#include "coordinator/registry/build_policy.h"
#include "coordinator/registry/job_table.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/text/repo_uri.h"

/* The registry applies a request at the clock time at which it gets its lock, so these times are far apart. */
enum { SOON = 50000, LEASE = 100000, NOW = 1000000 };

static struct registry *r;
static struct arena *a;
static struct err e;
static char dir[64];
static const struct job_lease_terms one = { "one", LEASE, 100, 100, false };

static inline int begin(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/atoll-jobs.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	a = arena_new();
	e = (struct err){ 0 };
	r = registry_open(dir, &e);
	return r ? 0 : -1;
}

static inline int end(void **state)
{
	char cmd[100];

	(void)state;
	registry_close(r);
	arena_free(a);
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd);
}

/* Enqueue a job for github.com/o/NAME. */
static inline struct job enqueue_at(const char *kind, const char *name, bool force, const char *head, int64_t at, bool *fresh)
{
	const char *uri = arena_printf(a, "github.com/o/%s", name);
	struct job j = { .repo_uri = uri, .reason = "asked", .caller = "test", .force = force, .head = head, .due_ms = at };

	j.lane = uri_directory_name(uri, a);
	j.key = arena_printf(a, "%s:%s", kind, j.lane);
	j.host = "here";
	assert_int_equal(job_enqueue(r, job_kind(kind), &j, fresh, at, a, &e), 0);
	return j;
}

static inline struct job enqueue(const char *kind, const char *name)
{
	bool fresh;

	return enqueue_at(kind, name, false, NULL, NOW, &fresh);
}

static inline const char *claim(const struct job_lease_terms *t, int64_t now)
{
	struct job j;
	int rc = job_claim(r, t, now, &j, a, &e);

	assert_true(rc >= 0);
	return rc ? j.id : "";
}

static inline int finish(const struct job_lease_terms *t, const char *id, const char *state, int64_t now, int64_t due)
{
	struct job j;

	assert_int_equal(job_get(r, id, &j, a, &e), 0);
	j.state = state;
	j.due_ms = due;
	return job_end(r, t, &j, now, &e);
}
#endif
