#ifndef TESTS_FAKE_ETCD_H
#define TESTS_FAKE_ETCD_H
/*
 * etcd as a thread of the test: a function answers each request, and the requests are kept.  A watch stays open until the next one, and
 * the test writes to it.
 */
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"

struct etcd_request {
	const char *path; /* below /v3/ */
	const char *pass; /* Authorization, or "" */
	const char *body; /* with its base64 decoded and in single quotes */
};

struct fake_etcd {
	int fd, port;
	pthread_t thread;
	/* appends the body of an answer and returns its status; 0 drops the connection, -1 keeps it open as the watch */
	int (*answer)(void *ctx, const struct etcd_request *, struct buf *out);
	void (*_Atomic opened)(void *ctx); /* NULL, or called when a watch is open */
	void *ctx;
	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t wake;
	int watch; /* -1: none */
	int watches; /* how many there were */
	struct buf asked; /* a line "PATH [PASS] BODY" for each request */
};

/* Appends `text` up to `end`, with keys and values as they are before base64. */
static inline void fake_etcd_decode(struct buf *out, const char *text)
{
	static const char *const names[] = { "\"key\":\"", "\"value\":\"", "\"range_end\":\"" };

	while (*text) {
		const char *name = NULL;
		for (size_t i = 0; i < LEN(names) && !name; i++)
			if (!strncmp(text, names[i], strlen(names[i])))
				name = names[i];
		if (!name) {
			buf_byte(out, *text++);
			continue;
		}
		text += strlen(name);
		size_t n = strcspn(text, "\"");
		buf_printf(out, "%.*s'", (int)strlen(name) - 1, name);
		if (buf_unbase64(out, text, n))
			buf_str(out, "(no base64)");
		buf_byte(out, '\'');
		text += n + (text[n] == '"');
	}
}

/* The value of a header, up to the end of its line; its length is 0 if there is none. */
static inline int fake_etcd_header(const char *request, const char *name, const char **value)
{
	const char *at = strcasestr(request, name);

	*value = at ? at + strlen(name) : "";
	return at ? (int)strcspn(*value, "\r") : 0;
}

/* Reads a whole request; false if the connection ended before. */
static inline bool fake_etcd_read(int s, struct buf *b)
{
	char piece[4096];
	const char *body, *length;

	for (;;) {
		ssize_t k = read(s, piece, sizeof piece);
		if (k <= 0)
			return false;
		buf_put(b, piece, (size_t)k);
		body = strstr(b->p, "\r\n\r\n");
		if (!body)
			continue;
		int n = fake_etcd_header(b->p, "\r\nContent-Length: ", &length);
		if (b->n >= (size_t)(body + 4 - b->p) + (n ? strtoul(length, NULL, 10) : 0))
			return true;
	}
}

static inline void fake_etcd_send(int s, const char *text, size_t n)
{
	ssize_t sent = send(s, text, n, MSG_NOSIGNAL); /* the client may have gone */
	(void)sent;
}

static inline void fake_etcd_keep_watch(struct fake_etcd *f, int s)
{
	static const char head[] = "HTTP/1.1 200 X\r\nConnection: close\r\n\r\n";

	fake_etcd_send(s, head, strlen(head));
	pthread_mutex_lock(&f->lock);
	if (f->watch >= 0)
		close(f->watch);
	f->watch = s;
	f->watches++;
	pthread_cond_broadcast(&f->wake);
	pthread_mutex_unlock(&f->lock);
	if (f->opened)
		f->opened(f->ctx);
}

static inline void fake_etcd_answer_one(struct fake_etcd *f, int s)
{
	struct buf request = { 0 }, out = { 0 }, path = { 0 }, pass = { 0 }, body = { 0 };
	const char *value;
	int status = 0;

	if (fake_etcd_read(s, &request)) {
		const char *at = strstr(request.p, "/v3/");
		at = at ? at + 4 : "?";
		buf_put(&path, at, strcspn(at, " "));
		int n = fake_etcd_header(request.p, "\r\nAuthorization: ", &value);
		buf_printf(&pass, "%.*s", n, value);
		buf_str(&body, "");
		fake_etcd_decode(&body, strstr(request.p, "\r\n\r\n") + 4);
		pthread_mutex_lock(&f->lock);
		buf_printf(&f->asked, "%s [%s] %s\n", path.p, pass.p, body.p);
		pthread_mutex_unlock(&f->lock);
		buf_str(&out, "");
		status = f->answer(f->ctx, &(struct etcd_request){ path.p, pass.p, body.p }, &out);
	}
	if (status > 0) {
		buf_str(&request, "");
		request.n = 0;
		buf_printf(&request, "HTTP/1.1 %d X\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s",
		    status, out.n, out.p);
		fake_etcd_send(s, request.p, request.n);
	}
	if (status < 0)
		fake_etcd_keep_watch(f, s);
	else
		close(s);
	buf_free(&request);
	buf_free(&out);
	buf_free(&path);
	buf_free(&pass);
	buf_free(&body);
}

static inline void *fake_etcd_run(void *arg)
{
	struct fake_etcd *f = arg;
	int s;

	while ((s = accept(f->fd, NULL, NULL)) >= 0)
		fake_etcd_answer_one(f, s);
	return NULL;
}

static inline void fake_etcd_start(struct fake_etcd *f,
    int (*answer)(void *, const struct etcd_request *, struct buf *), void *ctx)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof at;

	*f = (struct fake_etcd){
		.fd = socket(AF_INET, SOCK_STREAM, 0), .answer = answer, .ctx = ctx, .watch = -1
	};
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->wake, NULL);
	buf_str(&f->asked, "");
	assert_true(f->fd >= 0);
	assert_int_equal(bind(f->fd, (struct sockaddr *)&at, sizeof at), 0);
	assert_int_equal(listen(f->fd, 8), 0);
	assert_int_equal(getsockname(f->fd, (struct sockaddr *)&at, &len), 0);
	f->port = ntohs(at.sin_port);
	assert_int_equal(pthread_create(&f->thread, NULL, fake_etcd_run, f), 0);
}

/* No request is answered after this; what was asked stays readable until fake_etcd_free. */
static inline void fake_etcd_stop(struct fake_etcd *f)
{
	shutdown(f->fd, SHUT_RDWR);
	pthread_join(f->thread, NULL);
	close(f->fd);
	if (f->watch >= 0)
		close(f->watch);
	f->watch = -1;
}

static inline void fake_etcd_free(struct fake_etcd *f)
{
	buf_free(&f->asked);
	pthread_cond_destroy(&f->wake);
	pthread_mutex_destroy(&f->lock);
}

/* Waits until there were `n` watches. */
static inline void fake_etcd_await_watch(struct fake_etcd *f, int n)
{
	pthread_mutex_lock(&f->lock);
	while (f->watches < n)
		pthread_cond_wait(&f->wake, &f->lock);
	pthread_mutex_unlock(&f->lock);
}

/* Writes to the watch that is open; NULL ends it. */
static inline void fake_etcd_push(struct fake_etcd *f, const char *text)
{
	pthread_mutex_lock(&f->lock);
	if (text && f->watch >= 0)
		fake_etcd_send(f->watch, text, strlen(text));
	if (!text && f->watch >= 0) {
		close(f->watch);
		f->watch = -1;
	}
	pthread_mutex_unlock(&f->lock);
}
#endif
