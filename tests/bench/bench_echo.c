/*
 * bench_echo: the floor of a request: libmicrohttpd as coordinator/http/http_server.c configures it, jansson for the body, and nothing
 * else.  POST /BYTES with JSON is answered with the same JSON, made as long as that by a member more.
 * Prints its port, serves until its standard input ends.
 */
#include <arpa/inet.h>
#include <jansson.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "proto/base/buf.h"

enum { THREADS = 2, CONNECTIONS = 512, IDLE_S = 60, HEADERS_MAX = 32 << 10 };

static enum MHD_Result answer(struct MHD_Connection *c, const struct buf *in, size_t want)
{
	json_t *j = json_loadb(in->p ? in->p : "", in->n, JSON_REJECT_DUPLICATES, NULL);
	char *text = j ? json_dumps(j, JSON_COMPACT) : NULL;
	size_t n = text ? strlen(text) : 0, size = n + 10 > want ? n + 10 : want;

	json_decref(j);
	if (!text || !(text = realloc(text, size)))
		return MHD_NO;
	memcpy(text + n - 1, ",\"fill\":\"", 9);		/* in place of the last brace */
	memset(text + n + 8, 'x', size - n - 10);
	memcpy(text + size - 2, "\"}", 2);
	struct MHD_Response *r = MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);
	MHD_add_response_header(r, "Content-Type", "application/json");
	enum MHD_Result rc = MHD_queue_response(c, 200, r);
	MHD_destroy_response(r);
	return rc;
}

static enum MHD_Result on_request(void *arg, struct MHD_Connection *c, const char *url, const char *method,
    const char *version, const char *upload, size_t *n, void **ctx)
{
	struct buf *in = *ctx;

	(void)arg;
	(void)method;
	(void)version;
	if (!in)
		return (*ctx = calloc(1, sizeof *in)) ? MHD_YES : MHD_NO;
	if (!*n)
		return answer(c, in, strtoul(url + 1, NULL, 10));
	buf_put(in, upload, *n);
	*n = 0;
	return MHD_YES;
}

static void on_completed(void *arg, struct MHD_Connection *c, void **ctx, enum MHD_RequestTerminationCode code)
{
	(void)arg;
	(void)c;
	(void)code;
	if (*ctx)
		buf_free(*ctx);
	free(*ctx);
}

int main(void)
{
	struct sockaddr_in on = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct MHD_Daemon *d = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
	    on_request, NULL, MHD_OPTION_SOCK_ADDR, &on, MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS,
	    MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS_MAX, MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL,
	    MHD_OPTION_END);

	if (!d)
		return fprintf(stderr, "bench_echo: it does not start\n"), 1;
	printf("%d\n", MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT)->port);
	fflush(stdout);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	for (char c; read(STDIN_FILENO, &c, 1) > 0;)
		;
	MHD_stop_daemon(d);
	return 0;
}
