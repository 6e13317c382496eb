#ifndef TESTS_SHARED_REGISTRY_H
#define TESTS_SHARED_REGISTRY_H
/* A registry in an etcd of the test's process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/registry/groups.h"
#include "coordinator/registry/replication_internal.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "tests/etcd_store.h"

enum { WAIT_MS = 60000, LEASE_MS = 600000 };

#define IDENTITY "/t/registry"
#define LEADER "/t/leaders/schedule"

static struct arena *a;
static struct err e;
static struct registry *r;
static struct replication_options options;
static char dir[64];

static inline int begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	a = arena_new();
	e = (struct err){ 0 };
	r = NULL;
	strcpy(dir, "/tmp/atoll-replication.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	store_start();
	options = (struct replication_options){
		.etcd = { .url = arena_printf(a, "etcd://127.0.0.1:%d/t", store.f.port),
		    .ca = "",
		    .cert = "",
		    .key = "" },
		.lease_ms = LEASE_MS,
		.host = "here",
		.http = "http://here:1",
	};
	return 0;
}

static inline int end(void **state)
{
	(void)state;
	registry_close(r);
	store_stop();
	const char *cmd = arena_printf(a, "rm -rf %s", dir);
	int rc = system(cmd);
	arena_free(a);
	return rc;
}

static inline int share(void)
{
	r = registry_open(dir, &e);
	assert_non_null(r);
	return registry_replicate(r, &options, &e);
}

static inline void shared(void)
{
	assert_int_equal(share(), 0);
	fake_etcd_await_watch(&store.f, 1);
}

/* Ends this coordinator, as when it is started again. */
static inline void leave(void)
{
	registry_close(r);
	r = NULL;
	e = (struct err){ 0 };
}

static inline const char *text(const char *sql)
{
	struct stmt *s = db_prep_once(registry_read_begin(r), sql, &e);
	const char *out = "";

	assert_non_null(s);
	while (db_step(s, &e) == 1)
		out = arena_printf(a, "%s%s%s", out, *out ? " " : "", db_str(s, 0));
	db_finalize(s);
	registry_read_end(r, 0);
	return out;
}

static inline void becomes(const char *sql, const char *want)
{
	for (int64_t until = clock_ms() + WAIT_MS; clock_ms() < until; clock_sleep(3))
		if (!strcmp(text(sql), want))
			return;
	assert_string_equal(text(sql), want);
}

static inline struct registry_sync_state sync_state(void)
{
	struct registry_sync_state s;

	registry_sync_state(r, &s, a);
	return s;
}

static inline void state_becomes(const char *want)
{
	for (int64_t until = clock_ms() + WAIT_MS;
	     clock_ms() < until && strcmp(sync_state().state, want); clock_sleep(3))
		;
	assert_string_equal(sync_state().state, want);
}

#define GROUPS "select name from groups order by name"
#endif
