/* Mutual TLS: accepted and refused peers, the logs of both ends, certificates that change. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka needs the headers above */
#include <cmocka.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/record/codec.h"
#include "tests/certificates.h"

static atomic_int heard;
static int console;

static void on_request(void *arg, struct wire_request *r)
{
	static char much[1 << 20];
	struct file_res res = { .path = "p", .blob = "b", .content = much };

	(void)arg;
	memset(much, 'x', sizeof much - 1);
	atomic_fetch_add(&heard, 1);
	wire_answer(r, &rec_file_res, &res, NULL, NULL);
}

static int ask(struct wire_peer *p, int ms, struct err *e)
{
	struct arena *mine = arena_new();
	struct file_req q = { .path = "secret.c" };
	struct file_res res;
	int rc = wire_call(p, "file", &rec_file_req, &q, "r1", ms, &rec_file_res, &res, NULL, mine, e);

	if (!rc)
		assert_int_equal(strlen(res.content), (1 << 20) - 1);
	arena_free(mine);
	return rc;
}

/* ---- what is logged ---- */

static void begin_log(void)
{
	int fd = open(in_dir("log"), O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);

	console = dup(2);
	dup2(fd, 2);
	close(fd);
}

static const char *log_now(void)
{
	static char text[1 << 16];
	FILE *f = fopen(in_dir("log"), "r");
	size_t n = fread(text, 1, sizeof text - 1, f);

	fclose(f);
	text[n] = 0;
	return text;
}

static void end_log(void)
{
	dup2(console, 2);
	close(console);
}

/* The number of such log lines about that peer; waits for the first. */
static int lines(const char *peer, const char *reason)
{
	int n = 0;

	for (int i = 0; i < 700 && !n; i++) {
		char *text = strdup(log_now()), *rest = text;
		for (char *line; (line = strsep(&rest, "\n"));)
			n += strstr(line, "wire.refused") && strstr(line, arena_printf(a, "peer=%s", peer)) &&
			    strstr(line, reason);
		free(text);
		if (!n)
			clock_sleep(30);
	}
	return n;
}

static void expect(const char *peer, const char *reason)
{
	if (lines(peer, reason))
		return;
	end_log();
	fail_msg("no line for %s, %s in:\n%s", peer, reason, log_now());
}

static const char *port_of(const char *url)
{
	return strrchr(url, ':') + 1;
}

/* ---- tests ---- */

static void questions_cross(void **state)
{
	struct err e = { 0 };
	struct wire_trust t = trust("ca", "host"), u = trust("ca", "guest");
	struct wire_server *w = wire_listen("tls+tcp://127.0.0.1:0", &t, 4, on_request, NULL, &e);

	(void)state;
	assert_ok(!w, &e);
	struct wire_peer *p = wire_dial(wire_url(w), &u, &e);
	for (int i = 0; i < 20; i++)
		assert_ok(ask(p, 60000, &e), &e);
	wire_peer_free(p);
	wire_server_free(w);
}

/* A listener, a dialer and the log of each; addresses differ because logs are limited per peer. */
static void strangers_are_refused_and_told_of(void **state)
{
	const struct { const char *ca, *name, *ca2, *name2, *listener, *dialer; } rows[] = {
		{ "ca", "host", "ca", "foreign", "(foreign, by Atoll CA", "unknown ca" },
		{ "ca", "host", "ca", "expired", "certificate has expired", "expired" },
		{ "ca", "host", "other", "guest", "unknown ca", "(host, by Atoll CA" },
		{ "ca", "expired", "ca", "guest", "expired", "certificate has expired" },
	};

	(void)state;
	atomic_store(&heard, 0);
	for (size_t i = 0; i < LEN(rows); i++) {
		struct err e = { 0 };
		struct wire_trust t = trust(rows[i].ca, rows[i].name),
		                  u = trust(rows[i].ca2, rows[i].name2);
		struct wire_server *w = wire_listen(
		    arena_printf(a, "tls+tcp://127.0.0.%zu:0", i + 2), &t, 4, on_request, NULL, &e);
		assert_ok(!w, &e);
		begin_log();
		struct wire_peer *p = wire_dial(wire_url(w), &u, &e);
		assert_int_equal(ask(p, 700, &e), -1);
		expect("127.0.0.1:", rows[i].listener);
		expect(arena_printf(a, "127.0.0.%zu:%s", i + 2, port_of(wire_url(w))), rows[i].dialer);
		assert_int_equal(
		    lines("127.0.0.1:", rows[i].listener), 1); /* it tried more often than that */
		end_log();
		assert_false(wire_connected(p));
		wire_peer_free(p);
		wire_server_free(w);
	}
	assert_int_equal(atomic_load(&heard), 0);
}

static int reach_at(uint32_t host, const char *url)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(port_of(url))) };
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	to.sin_addr.s_addr = htonl(host);
	assert_int_equal(connect(s, (struct sockaddr *)&to, sizeof to), 0);
	return s;
}

static int reach(const char *url)
{
	return reach_at(INADDR_LOOPBACK, url);
}

static void say(const char *url, const char *text, size_t n)
{
	int s = reach(url);

	assert_int_equal(send(s, text, n, MSG_NOSIGNAL), n);
	char answer[100];
	while (recv(s, answer, sizeof answer, 0) > 0)
		continue;
	close(s);
}

static void plain_text_is_refused_and_told_of(void **state)
{
	struct err e = { 0 };
	struct wire_trust t = trust("ca", "host"), none = { .key = "sesame" };
	struct wire_server *w = wire_listen("tls+tcp://127.0.0.1:0", &t, 4, on_request, NULL, &e);

	(void)state;
	assert_ok(!w, &e);
	begin_log();
	for (int i = 0; i < 5; i++)
		say(wire_url(w), "GET / HTTP/1.0\r\n\r\n", 18);
	expect("127.0.0.1:", "does not speak TLS");
	assert_int_equal(lines("127.0.0.1:", "does not speak TLS"), 1);
	struct wire_peer *p = wire_dial(strchr(wire_url(w), '+') + 1, &none, &e);
	assert_ok(!p, &e);
	assert_int_equal(ask(p, 500, &e), -1);
	expect(arena_printf(a, "127.0.0.1:%s", port_of(wire_url(w))),
	    "it speaks TLS, and this end does not");
	end_log();
	wire_peer_free(p);
	p = wire_dial(wire_url(w), &t, &e);
	assert_ok(ask(p, 60000, &e), &e);	/* it still listens */
	wire_peer_free(p);
	wire_server_free(w);
}

static void tls_to_a_plain_port_is_told_of(void **state)
{
	struct err e = { 0 };
	struct wire_trust t = trust("ca", "host"), none = { .key = "sesame" };
	struct wire_server *w = wire_listen("tcp://127.0.0.77:0", &none, 4, on_request, NULL, &e);

	(void)state;
	assert_ok(!w, &e);
	begin_log();
	struct wire_peer *p = wire_dial(arena_printf(a, "tls+%s", wire_url(w)), &t, &e);
	assert_int_equal(ask(p, 500, &e), -1);
	expect("127.0.0.1:", "it speaks TLS, and this end does not");
	expect(arena_printf(a, "127.0.0.77:%s", port_of(wire_url(w))), "does not speak TLS");
	end_log();
	wire_peer_free(p);
	wire_server_free(w);
}

/* Whether the peer disconnects; ignores what it sends. */
static bool is_left(int s, int ms)
{
	struct timeval patience = { ms / 1000, ms % 1000 * 1000 };
	char some[4096];
	ssize_t n;

	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	while ((n = recv(s, some, sizeof some, 0)) > 0)
		continue;
	close(s);
	return !n;
}

/* A peer that sends nothing after a connection must not hold it for ever. */
static void who_says_nothing_is_left(void **state)
{
	struct sockaddr_in here = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(0x7f00004f) }; /* 127.0.0.79 */
	struct err e = { 0 };
	struct wire_trust t = trust("ca", "host");
	struct wire_server *w = wire_listen("tls+tcp://127.0.0.78:0", &t, 4, on_request, NULL, &e);
	int silent = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	assert_ok(!w, &e);
	assert_int_equal(bind(silent, (struct sockaddr *)&here, sizeof here), 0);
	assert_int_equal(listen(silent, 4), 0);
	getsockname(silent, (struct sockaddr *)&here, &(socklen_t){ sizeof here });
	begin_log();
	struct wire_peer *p = wire_dial(
	    arena_printf(a, "tls+tcp://127.0.0.79:%d", ntohs(here.sin_port)), &t, &e);
	int dialled = accept(silent, NULL, NULL), mute = reach_at(0x7f00004e, wire_url(w));
	assert_true(is_left(dialled, 60000));
	assert_true(is_left(mute, 60000));
	dialled = accept(silent, NULL, NULL);	/* it tries again */
	expect("127.0.0.79:", "has not finished");
	expect("127.0.0.1:", "has not finished");
	end_log();
	close(dialled);
	close(silent);
	wire_peer_free(p);
	wire_server_free(w);
}

static void plain_text_stays_on_the_machine(void **state)
{
	static const char *const bad[] = { "tcp://0.0.0.0:0", "tcp://10.1.2.3:7701",
		"tcp://host.example:7701", "tcp://*:7701", "tcp://:7701", "ws://127.0.0.1:1/" };
	static const char *const good[] = { "tcp://127.0.0.1:0", "tcp://localhost:0" };
	struct wire_trust none = { .key = "sesame" };
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(bad); i++) {
		assert_null(wire_listen(bad[i], &none, 1, on_request, NULL, &e));
		assert_int_equal(e.code, ERR_INVALID_INPUT);
		assert_non_null(strstr(e.hint, "tls+tcp://"));
		assert_null(wire_dial(bad[i], &none, &e));
	}
	for (size_t i = 0; i < LEN(good); i++) {
		struct wire_server *w = wire_listen(good[i], &none, 1, on_request, NULL, &e);
		assert_ok(!w, &e);
		wire_server_free(w);
	}
}

static void bad_files_are_named(void **state)
{
	const struct { struct wire_trust t; const char *what; } rows[] = {
		{ trust("nowhere", "host"), "nowhere.pem" }, { trust("ca", "nobody"), "nobody.pem" },
		{ { in_dir("ca.pem"), in_dir("host.pem"), in_dir("guest.key"), "sesame", NULL }, "guest.key" },
		{ { in_dir("host.key"), in_dir("host.pem"), in_dir("host.key"), "sesame", NULL }, "host.key" },
		{ { NULL, NULL, NULL, "sesame", NULL }, "--tls-ca" },
	};
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		assert_null(wire_listen("tls+tcp://127.0.0.1:0", &rows[i].t, 1, on_request, NULL, &e));
		assert_int_equal(e.code, ERR_INVALID_INPUT);
		if (!strstr(e.msg, rows[i].what))
			fail_msg("%s", e.msg);
	}
}

static void join(const char *to, const char *one, const char *two)
{
	char command[600];

	snprintf(command, sizeof command, "cat %s %s >%s && mv %s %s", in_dir(one), two ? in_dir(two) : "",
	    in_dir("tmp"), in_dir("tmp"), in_dir(to));
	assert_int_equal(system(command), 0);
}

/* A new CA is added beside the old one, which is removed when no peer uses its certificates. */
static void certificates_change_without_a_restart(void **state)
{
	struct err e = { 0 };

	(void)state;
	join("here.pem", "ca.pem", NULL);
	join("there.pem", "ca.pem", NULL);
	issue("ca", "left", 5, false);
	issue("ca", "right", 5, false);
	struct wire_trust t = trust("here", "left"), u = trust("there", "right");
	struct wire_server *w = wire_listen("tls+tcp://127.0.0.1:0", &t, 4, on_request, NULL, &e);
	assert_ok(!w, &e);
	struct wire_peer *stays = wire_dial(wire_url(w), &u, &e);
	for (int step = 0; step < 6; step++) {
		if (step == 1)
			join("here.pem", "ca.pem", "other.pem");
		else if (step == 2)
			join("there.pem", "ca.pem", "other.pem");
		else if (step == 3)
			issue("other", "left", 5, true);
		else if (step == 4)
			issue("other", "right", 5, true);
		else if (step == 5)
			join("here.pem", "other.pem", NULL), join("there.pem", "other.pem", NULL);
		clock_sleep(1150);
		struct wire_peer *p = wire_dial(wire_url(w), &u, &e);
		assert_ok(ask(p, 60000, &e), &e);
		assert_ok(ask(stays, 60000, &e), &e);
		wire_peer_free(p);
	}
	wire_peer_free(stays);
	u = trust("ca", "guest");	/* of the CA that is gone */
	struct wire_peer *late = wire_dial(wire_url(w), &u, &e);
	assert_int_equal(ask(late, 500, &e), -1);
	wire_peer_free(late);
	wire_server_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(questions_cross),
		cmocka_unit_test(strangers_are_refused_and_told_of),
		cmocka_unit_test(plain_text_is_refused_and_told_of),
		cmocka_unit_test(tls_to_a_plain_port_is_told_of),
		cmocka_unit_test(who_says_nothing_is_left),
		cmocka_unit_test(plain_text_stays_on_the_machine),
		cmocka_unit_test(bad_files_are_named),
		cmocka_unit_test(certificates_change_without_a_restart),
	};

	log_init("test", LOG_WARN);
	return cmocka_run_group_tests(tests, certificates_open, certificates_close);
}
