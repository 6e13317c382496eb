#ifndef TESTS_MEMBERS_CLOCK_H
#define TESTS_MEMBERS_CLOCK_H
/* The time and the connections that a source file of coordinator/members sees, when it is included behind this. */
#include <stdbool.h>
#include <stdint.h>

#include "coordinator/members/members_internal.h"
#include "proto/base/clock.h"
#include "proto/wire/wire.h"

static int64_t now_ms;
static bool connected;

static inline int64_t test_clock(void)
{
	return now_ms;
}

static inline bool test_connected(struct wire_peer *p)
{
	(void)p;
	return connected;
}

#define clock_ms test_clock
#define wire_connected test_connected
#endif
