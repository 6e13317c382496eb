/* Which connections are closed, and for what: each in a phase of its own, watched at the same time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "coordinator/http/http_timeouts.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"

enum { SHORT_MS = 300, LONG_MS = 600000, PATIENCE_MS = 60000 };

static atomic_int slow, full, gone;

static void count(void *n)
{
	atomic_fetch_add((atomic_int *)n, 1);
}

static void count_slow(void *arg)
{
	(void)arg;
	count(&slow);
}

static void count_full(void *arg)
{
	(void)arg;
	count(&full);
}

static void ignore(void *arg)
{
	(void)arg;
}

struct connection {
	int server, client;
	struct http_conn *c;
};

static struct connection connect_to(struct http_timeouts *p)
{
	struct connection k;
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	k.server = fd[0];
	k.client = fd[1];
	k.c = http_timeouts_add(p, k.server);
	return k;
}

static bool is_closed(const struct connection *k)
{
	char byte;

	return !recv(k->client, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
}

static void wait_closed(const struct connection *k, const char *what)
{
	int64_t until = clock_ms() + PATIENCE_MS;

	while (!is_closed(k) && clock_ms() < until)
		clock_sleep(10);
	if (!is_closed(k))
		fail_msg("%s is not closed", what);
}

static void disconnect(struct http_timeouts *p, struct connection *k)
{
	http_timeouts_remove(p, k->c);
	close(k->server);
	close(k->client);
}

/* What a connection does; the limits of a phase are short for those that are closed in it. */
enum { SHORT_ONES = 5 };
static const struct {
	const char *what;
	enum http_phase phase;
	bool unread;
} kinds[] = {
	{ "one that waits", WAITING, false },
	{ "one that sends headers slowly", HEADING, false },
	{ "one that sends a body slowly", RECEIVING, false },
	{ "one that reads an answer slowly", SENDING, false },
	{ "one that reads a stream slowly", WORKING, true },
	{ "one that is being answered", WORKING, false },
};

static struct http_timeout_rules rules(int64_t ms)
{
	return (struct http_timeout_rules){ .waiting_ms = ms,
		.receiving_ms = ms,
		.sending_ms = ms,
		.heading_ms = ms,
		.crowded_above = 100,
		.most = 100,
		.spare = 2,
		.on_keepalive = ignore,
		.on_slow = count_slow,
		.on_full = count_full };
}

static void connect_all(struct http_timeouts *p, struct connection *k)
{
	for (size_t i = 0; i < LEN(kinds); i++) {
		k[i] = connect_to(p);
		http_timeouts_set_phase(p, k[i].c, kinds[i].phase);
		http_timeouts_set_unread(k[i].c, kinds[i].unread);
	}
}

static void each_phase_has_its_limit(void **state)
{
	struct http_timeout_rules brief = rules(SHORT_MS), patient = rules(LONG_MS);
	struct http_timeouts *p = http_timeouts_new(&brief), *q = http_timeouts_new(&patient);
	struct connection short_ones[LEN(kinds)], long_ones[LEN(kinds)];

	(void)state;
	connect_all(p, short_ones);
	connect_all(q, long_ones);
	for (size_t i = 0; i < SHORT_ONES; i++)
		wait_closed(&short_ones[i], kinds[i].what);
	assert_false(is_closed(&short_ones[SHORT_ONES]));
	assert_int_equal(slow, SHORT_ONES - 1);	/* who waits for the next request is not slow */
	assert_int_equal(full, 0);
	for (size_t i = 0; i < LEN(kinds); i++) {
		assert_false(is_closed(&long_ones[i]));
		disconnect(p, &short_ones[i]);
		disconnect(q, &long_ones[i]);
	}
	http_timeouts_free(p);
	http_timeouts_free(q);
	http_timeouts_free(NULL);
}

/* A client that goes is told of while it is being answered, and closed before. */
static void clients_that_go(void **state)
{
	struct http_timeout_rules patient = rules(LONG_MS);
	struct http_timeouts *p = http_timeouts_new(&patient);
	struct connection works = connect_to(p), waits = connect_to(p), stays = connect_to(p);
	int64_t until = clock_ms() + PATIENCE_MS;

	(void)state;
	http_timeouts_set_phase(p, works.c, WORKING);
	http_timeouts_on_hangup(p, works.c, count, &gone);
	http_timeouts_set_phase(p, stays.c, WORKING);
	http_timeouts_on_hangup(p, stays.c, count, &gone);
	shutdown(works.client, SHUT_WR);
	shutdown(waits.client, SHUT_WR);
	while (!gone && clock_ms() < until)
		clock_sleep(10);
	wait_closed(&waits, "one whose client has gone");
	assert_int_equal(gone, 1);	/* once, and only of the one that went */
	assert_false(is_closed(&works));
	assert_false(is_closed(&stays));
	disconnect(p, &works);
	disconnect(p, &waits);
	disconnect(p, &stays);
	http_timeouts_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_phase_has_its_limit),
		cmocka_unit_test(clients_that_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
