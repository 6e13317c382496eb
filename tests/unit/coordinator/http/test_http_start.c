/* How the HTTP server starts: over TLS with a certificate and its key, and what is said of files that are none. */
#include "tests/certificates.h"

#include <sys/socket.h>

#include "coordinator/coordinator.h"
#include "proto/base/buf.h"
#include "proto/base/log.h"

static int begin(void **state)
{
	log_init("test", LOG_ERROR + 1);
	return certificates_open(state);
}

/* A coordinator with these files; NULL with `e`. */
static struct coordinator *opened(
    const char *http, const char *cert, const char *key, struct err *e)
{
	struct coordinator_config o = { 0 };
	char *argv[] = { "atoll-coordinator", "--data", arena_printf(a, "%s/data", dir), "--http",
		arena_str(a, http), "--listen", arena_printf(a, "ipc://%s/members", dir), "--http-cert",
		arena_str(a, cert), "--http-key", arena_str(a, key) };

	if (coordinator_options(&o, LEN(argv), argv, a, e))
		return NULL;
	return coordinator_open(&o, e);
}

/* Sockets of this process that wait for connections. */
static int listening(void)
{
	int n = 0;

	for (int fd = 3; fd < 1000; fd++) {
		int is = 0;
		socklen_t size = sizeof is;
		n += !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &is, &size) && is;
	}
	return n;
}

static void refused(const char *cert, const char *key, const char *msg)
{
	struct err e = { 0 };

	assert_null(opened("127.0.0.1:0", cert, key, &e));
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_string_equal(e.msg, msg);
	assert_int_equal(listening(), 0);
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(in_dir(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void files_of_tls(void **state)
{
	const char *cert = in_dir("host.pem"), *key = in_dir("host.key"), *none = in_dir("none"),
	           *empty = in_dir("empty"), *text = in_dir("text");

	(void)state;
	write_file("empty", "");
	write_file("text", "this is no certificate\n");
	refused(none, key, arena_printf(a, "--http-cert %s: No such file or directory", none));
	refused(cert, none, arena_printf(a, "--http-key %s: No such file or directory", none));
	refused(empty, key, arena_printf(a, "--http-cert %s: it is empty", empty));
	refused(cert, empty, arena_printf(a, "--http-key %s: it is empty", empty));
	refused(dir, key, arena_printf(a, "--http-cert %s: Is a directory", dir));
	refused(text, key, "--http-cert, --http-key: not a certificate and its key in PEM format");
	refused(cert, text, "--http-cert, --http-key: not a certificate and its key in PEM format");
}

static void with_and_without_tls(void **state)
{
	struct err e = { 0 };

	(void)state;
	struct coordinator *co = opened("127.0.0.1:0", in_dir("host.pem"), in_dir("host.key"), &e);
	if (!co)
		fail_msg("%s", e.msg);
	assert_memory_equal(co->http_url, "https://127.0.0.1:", 18);
	int port = atoi(strrchr(co->http_url, ':') + 1);
	assert_true(port > 0);
	coordinator_close(co);
	co = opened(arena_printf(a, "127.0.0.1:%d", port), "", "", &e);
	if (!co)
		fail_msg("%s", e.msg);
	assert_string_equal(co->http_url, arena_printf(a, "http://127.0.0.1:%d", port));
	coordinator_close(co);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_tls),
		cmocka_unit_test(with_and_without_tls),
	};

	return cmocka_run_group_tests(tests, begin, certificates_close);
}
