/*
 * The floor of every group answer: one message to each of N processes and back, with plain nng.
 *   bench_fanout N ROUNDS                    over ipc: prints "floor_us N p50 p99"
 *   bench_fanout N ROUNDS CA CERT KEY PORT   over mutual TLS on loopback, from that port on
 *   bench_fanout --echo URL [CA CERT KEY]    is one of the N
 */
#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <nng/protocol/reqrep0/req.h>
#include <nng/supplemental/tls/tls.h>
#include <nng/transport/tls/tls.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/wire/wire.h"
#include "proto/wire/wire_internal.h"

enum { BYTES = 200, TIMEOUT = 60000 };	/* milliseconds: a thousand handshakes come first */

static char **tls;	/* CA, certificate, key, first port; NULL: ipc */

struct end {
	nng_socket s;
	nng_aio *aio;
	pid_t pid;
};

static void check(int rc, const char *what)
{
	if (rc) {
		fprintf(stderr, "%s: %s\n", what, nng_strerror(rc));
		exit(1);
	}
}

/* By OpenSSL as our own programs: 1,000 handshakes of mbed TLS, which Debian's nng has, take minutes. */
static nng_tls_config *config(nng_tls_mode mode, const char *url)
{
	struct err e = { 0 };
	nng_tls_config *c = wire_tls(mode, &(struct wire_trust){ tls[0], tls[1], tls[2], NULL, NULL }, url, &e);

	if (c)
		return c;
	fprintf(stderr, "%s\n", e.msg);
	exit(1);
}

static int echo(const char *url)
{
	nng_socket s;
	nng_listener l;
	nng_msg *m;

	check(nng_rep0_open(&s), "rep");
	check(nng_listener_create(&l, s, url), url);
	if (tls)
		check(nng_listener_set_ptr(l, NNG_OPT_TLS_CONFIG, config(NNG_TLS_MODE_SERVER, url)), url);
	check(nng_listener_start(l, 0), url);
	while (!nng_recvmsg(s, &m, 0))
		if (nng_sendmsg(s, m, 0))
			nng_msg_free(m);
	return 0;
}

static const char *url_of(int i, char *url, size_t size)
{
	if (tls)
		snprintf(url, size, "tls+tcp://127.0.0.1:%d", atoi(tls[3]) + i);
	else
		snprintf(url, size, "ipc:///tmp/atoll-bench-%d-%d", (int)getpid(), i);
	return url;
}

static void start(struct end *p, const char *self, int i)
{
	char url[96];

	url_of(i, url, sizeof url);
	if (!(p->pid = fork())) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		execl(self, self, "--echo", url, tls ? tls[0] : NULL, tls ? tls[1] : NULL, tls ? tls[2] : NULL, (char *)NULL);
		_exit(127);
	}
	clock_sleep(5);
}

static void dial(struct end *p, int i)
{
	char url[96];
	nng_dialer d;

	url_of(i, url, sizeof url);
	check(nng_req0_open(&p->s), "req");
	check(nng_socket_set_ms(p->s, NNG_OPT_RECONNMINT, 20), "option");
	check(nng_dialer_create(&d, p->s, url), url);
	if (tls)
		check(nng_dialer_set_ptr(d, NNG_OPT_TLS_CONFIG, config(NNG_TLS_MODE_CLIENT, url)), url);
	check(nng_dialer_start(d, NNG_FLAG_NONBLOCK), url);
	check(nng_aio_alloc(&p->aio, NULL, NULL), "aio");
	nng_aio_set_timeout(p->aio, TIMEOUT);
}

static void send_one(struct end *p)
{
	nng_msg *m;

	check(nng_msg_alloc(&m, BYTES), "message");
	nng_aio_set_msg(p->aio, m);
	nng_send_aio(p->s, p->aio);
}

static int64_t round_trip(struct end *v, int n)
{
	int64_t t = clock_us();

	for (int i = 0; i < n; i++)
		send_one(&v[i]);
	for (int i = 0; i < n; i++) {
		nng_aio_wait(v[i].aio);
		check(nng_aio_result(v[i].aio), "send");
		nng_recv_aio(v[i].s, v[i].aio);
	}
	for (int i = 0; i < n; i++) {
		nng_aio_wait(v[i].aio);
		check(nng_aio_result(v[i].aio), "receive");
		nng_msg_free(nng_aio_get_msg(v[i].aio));
	}
	return clock_us() - t;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	tls = argc >= 6 ? argv + 3 : NULL;
	if ((argc == 3 || argc == 6) && !strcmp(argv[1], "--echo"))
		return echo(argv[2]);
	if (argc != 3 && argc != 7)
		return fprintf(stderr, "usage: bench_fanout N ROUNDS [CA CERT KEY PORT]\n"), 2;
	int n = atoi(argv[1]), rounds = atoi(argv[2]);
	struct end *v = calloc((size_t)n, sizeof *v);
	int64_t *us = calloc((size_t)rounds, sizeof *us);
	if (!v || !us || n < 1 || rounds < 1)
		return 2;
	for (int i = 0; i < n; i++)
		start(&v[i], "/proc/self/exe", i);
	for (int i = 0; i < n; i++)
		dial(&v[i], i);
	for (int i = 0; i < 20; i++)
		round_trip(v, n);
	for (int i = 0; i < rounds; i++)
		us[i] = round_trip(v, n);
	qsort(us, (size_t)rounds, sizeof *us, by_value);
	printf("floor_us %d %lld %lld\n", n, (long long)us[rounds / 2], (long long)us[rounds * 99 / 100]);
	for (int i = 0; i < n; i++) {
		char path[96];
		kill(v[i].pid, SIGTERM);
		waitpid(v[i].pid, NULL, 0);
		snprintf(path, sizeof path, "/tmp/atoll-bench-%d-%d", (int)getpid(), i);
		unlink(path);
	}
	return 0;
}
