#ifndef TESTS_CERTIFICATES_H
#define TESTS_CERTIFICATES_H
/* A temporary folder with certificates: valid ones (ca, host, guest) and ones that must be refused (other, foreign, expired). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/net/certificates.h"
#include "proto/wire/wire.h"

static char dir[] = "/tmp/atoll-test-tls-XXXXXX";
static struct arena *a;

static inline const char *in_dir(const char *name)
{
	return arena_printf(a, "%s/%s", dir, name);
}

static inline void assert_ok(int rc, const struct err *e)
{
	if (rc)
		fail_msg("%s", e->msg);
}

static inline void make_ca(const char *name)
{
	struct err e = { 0 };

	assert_ok(certs_create_ca(in_dir(arena_printf(a, "%s.pem", name)), in_dir(arena_printf(a, "%s.key", name)), 10, &e), &e);
}

static inline void issue(const char *ca, const char *name, int days, bool renew)
{
	const char *const names[] = { name, "127.0.0.1" };
	struct err e = { 0 };

	assert_ok(certs_issue(in_dir(arena_printf(a, "%s.pem", ca)), in_dir(arena_printf(a, "%s.key", ca)), in_dir(arena_printf(a, "%s.pem", name)),
	    in_dir(arena_printf(a, "%s.key", name)), names, 2, days, renew, &e), &e);
}

static inline struct wire_trust trust(const char *ca, const char *name)
{
	return (struct wire_trust){ in_dir(arena_printf(a, "%s.pem", ca)), in_dir(arena_printf(a, "%s.pem", name)),
		in_dir(arena_printf(a, "%s.key", name)), "sesame", NULL };
}

static inline int certificates_open(void **state)
{
	(void)state;
	a = arena_new();
	if (!mkdtemp(dir))
		return -1;
	make_ca("ca");
	make_ca("other");
	issue("ca", "host", 5, false);
	issue("ca", "guest", 5, false);
	issue("other", "foreign", 5, false);
	issue("ca", "expired", -1, false);
	return 0;
}

static inline int certificates_close(void **state)
{
	(void)state;
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}
#endif
