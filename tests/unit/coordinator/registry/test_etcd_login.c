/* When the client logs in: etcd is a thread that gives prepared answers and keeps the paths it was asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>

#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "coordinator/registry/etcd/etcd_internal.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/net/http_client.h"

struct answer {
	int status;
	const char *body;
};

struct fake_etcd {
	int fd, port;
	pthread_t thread;
	const struct answer *answers;
	size_t n;
	char asked[1000];	/* the paths below /v3/, each with a blank behind it */
};

/* The length of a request with its body; SIZE_MAX while its head is incomplete. */
static size_t request_length(const char *s)
{
	const char *body = strstr(s, "\r\n\r\n"), *length = strcasestr(s, "\r\nContent-Length:");

	if (!body)
		return SIZE_MAX;
	return (size_t)(body + 4 - s) + (length ? strtoul(length + strlen("\r\nContent-Length:"), NULL, 10) : 0);
}

static void note_path(struct fake_etcd *f, const char *request)
{
	const char *path = strstr(request, "/v3/");
	size_t n = strlen(f->asked);

	if (path)
		snprintf(f->asked + n, sizeof f->asked - n, "%.*s ", (int)strcspn(path + 4, " "), path + 4);
}

static void answer_one(struct fake_etcd *f, const struct answer *a)
{
	char request[4000] = "", head[200];
	size_t n = 0;
	ssize_t k;
	int s = accept(f->fd, NULL, NULL);

	if (s < 0)	/* the test is over */
		return;
	while (n < request_length(request) && n + 1 < sizeof request && (k = read(s, request + n, sizeof request - 1 - n)) > 0)
		n += (size_t)k;
	note_path(f, request);
	int m = snprintf(head, sizeof head, "HTTP/1.1 %d X\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", a->status, strlen(a->body));
	if (write(s, head, (size_t)m) != m || write(s, a->body, strlen(a->body)) < 0)
		perror("write");
	close(s);
}

static void *answer_all(void *arg)
{
	struct fake_etcd *f = arg;

	for (size_t i = 0; i < f->n; i++)
		answer_one(f, &f->answers[i]);
	return NULL;
}

static void start(struct fake_etcd *f, const struct answer *answers, size_t n)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof at;

	*f = (struct fake_etcd){ .fd = socket(AF_INET, SOCK_STREAM, 0), .answers = answers, .n = n };
	assert_true(f->fd >= 0);
	assert_int_equal(bind(f->fd, (struct sockaddr *)&at, sizeof at), 0);
	assert_int_equal(listen(f->fd, 8), 0);
	assert_int_equal(getsockname(f->fd, (struct sockaddr *)&at, &len), 0);
	f->port = ntohs(at.sin_port);
	assert_int_equal(pthread_create(&f->thread, NULL, answer_all, f), 0);
}

static int call(struct etcd *c, struct arena *a, struct err *e)
{
	const struct etcd_call q = { .path = "kv/range", .body = "{}", .timeout_ms = ETCD_ANSWER_MS };
	struct fetch_response out;

	*e = (struct err){ 0 };
	return etcd_call(c, &q, &out, a, e);
}

/* A token that etcd rejects, and for which it gives no other one, is not used again. */
static void no_token(void **state)
{
	static const struct answer answers[] = {
		{ 200, "{\"token\":\"one\"}" }, { 200, "{}" },
		{ 401, "{\"message\":\"invalid auth token\"}" }, { 200, "{}" },
		{ 200, "{\"token\":\"two\"}" }, { 200, "{}" },
	};
	struct arena *a = arena_new();
	struct fake_etcd f;
	struct err e = { 0 };

	(void)state;
	start(&f, answers, LEN(answers));
	const struct etcd_options o = {
		.url = arena_printf(a, "etcd://127.0.0.1:%d/atoll", f.port), .ca = "", .cert = "", .key = "", .user = "u", .password = "p"
	};
	struct etcd *c = etcd_new(&o, &e);
	assert_non_null(c);
	assert_int_equal(call(c, a, &e), 0);
	assert_int_equal(call(c, a, &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	assert_int_equal(call(c, a, &e), 0);
	shutdown(f.fd, SHUT_RDWR);
	pthread_join(f.thread, NULL);
	assert_string_equal(f.asked, "auth/authenticate kv/range kv/range auth/authenticate auth/authenticate kv/range ");
	close(f.fd);
	etcd_free(c);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(no_token) };

	log_init("test", LOG_ERROR);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
