#ifndef TESTS_MEMBERS_CLOCK_H
#define TESTS_MEMBERS_CLOCK_H
/* The time and the connections that a source file of coordinator/members sees, when it is included behind this. */
#include <stdbool.h>
#include <stdint.h>

#include "coordinator/members/members_internal.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/wire/wire.h"

static int64_t now_ms;
static bool connected; /* all of them */
static int dialled, closed; /* how many were opened and closed */
static bool cannot_dial;

static inline int64_t test_clock(void)
{
	return now_ms;
}

static inline bool test_connected(struct wire_peer *p)
{
	(void)p;
	return connected;
}

static inline struct wire_peer *test_dial(
    const char *url, const struct wire_trust *trust, struct err *e)
{
	static char somewhere;

	(void)url, (void)trust;
	if (cannot_dial) {
		err_set(e, ERR_INVALID_INPUT, "no such address");
		return NULL;
	}
	dialled++;
	return (struct wire_peer *)&somewhere;
}

static inline void test_close(struct wire_peer *p)
{
	closed += p != NULL;
}

static inline void test_on_connect(struct wire_peer *p, void (*call)(void *), void *arg)
{
	(void)p, (void)call, (void)arg;
}

static inline int64_t test_clock_us(void)
{
	return now_ms * 1000;
}

#define clock_ms test_clock
#define clock_us test_clock_us
#define wire_dial test_dial
#define wire_peer_free test_close
#define wire_on_connect test_on_connect
#define wire_connected test_connected
#endif
