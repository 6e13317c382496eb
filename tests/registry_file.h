#ifndef TESTS_REGISTRY_FILE_H
#define TESTS_REGISTRY_FILE_H
/* A registry in a folder of its own, its tables as SQL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "coordinator/registry/replication.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"

static char dir[64];
static struct registry *r;
static struct arena *a;
static struct err e;

static inline int begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	strcpy(dir, "/tmp/atoll-registry.XXXXXX");
	a = arena_new();
	e = (struct err){ 0 };
	if (!mkdtemp(dir))
		return -1;
	r = registry_open(dir, &e);
	return r ? 0 : -1;
}

static inline int end(void **state)
{
	(void)state;
	registry_close(r);
	const char *cmd = arena_printf(a, "rm -rf %s", dir);
	int rc = system(cmd);
	arena_free(a);
	return rc;
}

static inline void run(const char *sql)
{
	struct db *db = registry_begin(r, &e);

	assert_non_null(db);
	assert_int_equal(registry_end(r, db_exec(db, sql, &e), &e), 0);
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

static inline void fails_with(enum err_code code, const char *msg)
{
	assert_int_equal(e.code, code);
	assert_string_equal(e.msg, msg);
	e = (struct err){ 0 };
}
#endif
