#ifndef TESTS_FAKE_HTTP_H
#define TESTS_FAKE_HTTP_H
/*
 * A small HTTP server in the test's process, in place of a coordinator or another service: each
 * connection is one request, which a function of the test answers.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/base/buf.h"

struct fake_request {
	char line[600]; /* `POST /path` */
	const char *head, *body; /* the header lines; the body */
};

/* Appends the whole reply, from `HTTP/1.1`; nothing: the connection is closed without one. */
typedef void fake_handler(const struct fake_request *, struct buf *reply);

static struct {
	int listener, port;
	pthread_t thread;
	fake_handler *handler;
	atomic_int open; /* connections in progress */
} fake;

/* The value of a header, in one of eight static buffers; "" if there is none. */
static inline const char *fake_header(const struct fake_request *r, const char *name)
{
	static _Thread_local char value[8][600];
	static _Thread_local int next;
	size_t n = strlen(name);
	char *v = value[next++ % 8];

	*v = 0;
	for (const char *p = r->head; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
		if (!strncasecmp(p, name, n) && p[n] == ':')
			sscanf(p + n + 1, " %599[^\r\n]", v);
	return v;
}

/* Reads until `n` bytes are there; false at the end of the input. */
static inline int fake_read(int fd, struct buf *in, size_t n)
{
	char chunk[8192];

	while (in->n < n) {
		ssize_t got = read(fd, chunk, sizeof chunk);
		if (got <= 0)
			return 0;
		buf_put(in, chunk, (size_t)got);
	}
	return 1;
}

static inline void *fake_answer(void *arg)
{
	int fd = (int)(intptr_t)arg;
	struct buf in = { 0 }, out = { 0 };
	struct fake_request r = { .head = "" };
	char *end = NULL;

	/* the first byte of TLS is 22, which this server does not speak */
	while (!end && fake_read(fd, &in, in.n + 1) && *in.p != 22)
		end = strstr(in.p, "\r\n\r\n");
	if (end) {
		size_t head = (size_t)(end - in.p) + 4;
		r.head = in.p;
		size_t body = strtoul(fake_header(&r, "Content-Length"), NULL, 10);
		if (!strcasecmp(fake_header(&r, "Expect"), "100-continue"))
			dprintf(fd, "HTTP/1.1 100 Continue\r\n\r\n");
		fake_read(fd, &in, head + body);
		in.p[head - 1] = 0;
		r.head = in.p;
		r.body = in.p + head;
		snprintf(r.line, sizeof r.line, "%.*s", (int)(strcspn(r.head, "\r") - 9), r.head);
		fake.handler(&r, &out);
		for (size_t at = 0; at < out.n;) {
			ssize_t n = send(fd, out.p + at, out.n - at, MSG_NOSIGNAL);
			if (n <= 0)
				break;
			at += (size_t)n;
		}
	}
	close(fd);
	buf_free(&in);
	buf_free(&out);
	fake.open--;
	return NULL;
}

static inline void *fake_accept(void *arg)
{
	for (int fd; (fd = accept(fake.listener, NULL, NULL)) >= 0;) {
		pthread_t t;
		fake.open++;
		if (!pthread_create(&t, NULL, fake_answer, (void *)(intptr_t)fd))
			pthread_detach(t);
	}
	return arg;
}

/* Starts the server on a free port of the loopback.  0 or -1. */
static inline int fake_start(fake_handler *handler)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof at;

	fake.handler = handler;
	fake.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(fake.listener, (struct sockaddr *)&at, n) || listen(fake.listener, 64) ||
	    getsockname(fake.listener, (struct sockaddr *)&at, &n))
		return -1;
	fake.port = ntohs(at.sin_port);
	return pthread_create(&fake.thread, NULL, fake_accept, NULL);
}

static inline void fake_stop(void)
{
	shutdown(fake.listener, SHUT_RDWR);
	pthread_join(fake.thread, NULL);
	close(fake.listener);
	while (fake.open)
		usleep(1000);
}

/* A reply with a JSON body. */
static inline void fake_json(struct buf *reply, int status, const char *body)
{
	buf_printf(reply,
	    "HTTP/1.1 %d x\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
	    "Connection: close\r\n\r\n%s",
	    status, strlen(body), body);
}
#endif
