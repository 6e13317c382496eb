/*
 * bench_http PORT CONNECTIONS SECONDS REQUEST [PID...]: load for a server on 127.0.0.1 over kept-alive connections, one
 * request at a time on each, from one thread.
 * REQUEST is a file with a whole HTTP request whose body holds `"id":1000`, which becomes another number on each connection.
 * Prints "http COUNT MICROSECONDS P50 P99 BYTES CLIENT SERVER...": the middle two and the last are microseconds too: a
 * request's, and of processor time in this program and in each process of the list.  BYTES: of an answer's body.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"

enum { FIRST_ID = 1000, MOST = 1000, SERVERS = 8, ANSWER = 256 << 10 };

struct connection {
	int fd;
	char *request;
	int64_t sent;
	char *answer;
	size_t n, want;			/* of the answer; want: 0 until its head is in */
};

static struct {
	size_t n, cap, body;
	int64_t *us;
} got;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static char *read_file(const char *path)
{
	struct buf b = { 0 };
	char piece[4096];
	FILE *f = fopen(path, "rb");

	if (!f)
		die(path);
	for (size_t n; (n = fread(piece, 1, sizeof piece, f));)
		buf_put(&b, piece, n);
	fclose(f);
	return b.p;
}

static void send_one(struct connection *c)
{
	size_t n = strlen(c->request);

	c->n = c->want = 0;
	c->sent = clock_us();
	if (write(c->fd, c->request, n) != (ssize_t)n)
		die("write");
}

static void begin(struct connection *c, int number, int port, const char *request)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = { htonl(INADDR_LOOPBACK) } };
	char id[16], *at;
	int on = 1;

	c->request = strdup(request);
	c->answer = malloc(ANSWER + 1);
	at = c->request ? strstr(c->request, "\"id\":1000") : NULL;
	if (!at || !c->answer) {
		fprintf(stderr, "bench_http: no \"id\":1000 in the request\n");
		exit(2);
	}
	snprintf(id, sizeof id, "%d", FIRST_ID + number);
	memcpy(at + 5, id, 4);
	c->fd = socket(AF_INET, SOCK_STREAM, 0);
	if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&to, sizeof to) ||
	    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on))
		die("connect");
}

/* How long the answer is with its head, once that is in. */
static void read_head(struct connection *c)
{
	const char *end = strstr(c->answer, "\r\n\r\n"), *length = end ? strcasestr(c->answer, "content-length:") : NULL;

	if (!end)
		return;
	if (strncmp(c->answer, "HTTP/1.1 200", 12) != 0 || !length || length > end) {
		fprintf(stderr, "bench_http: %.300s\n", c->answer);
		exit(1);
	}
	got.body = strtoul(length + 15, NULL, 10);
	c->want = (size_t)(end + 4 - c->answer) + got.body;
}

/* A call that fails says so at its end; what it costs is another question. */
static void check_end(const struct connection *c)
{
	static const char failed[] = "\"isError\":true}}";

	if (got.body >= sizeof failed && !strcmp(c->answer + c->want - (sizeof failed - 1), failed)) {
		fprintf(stderr, "bench_http: %.500s\n", c->answer);
		exit(1);
	}
}

/* Whether the answer is whole. */
static bool receive(struct connection *c)
{
	ssize_t k = read(c->fd, c->answer + c->n, ANSWER - c->n);

	if (k <= 0)
		die("read");
	c->n += (size_t)k;
	c->answer[c->n] = 0;
	if (!c->want)
		read_head(c);
	if (!c->want || c->n < c->want)
		return false;
	check_end(c);
	return true;
}

static void run(int poll, int64_t until, int open)
{
	struct epoll_event ready[64];

	while (open) {
		int k = epoll_wait(poll, ready, LEN(ready), -1);
		int64_t now = clock_us();
		for (int i = 0; i < k; i++) {
			struct connection *c = ready[i].data.ptr;
			if (!receive(c))
				continue;
			got.us = grow(got.us, &got.cap, got.n + 1, sizeof *got.us);
			got.us[got.n++] = now - c->sent;
			if (now < until)
				send_one(c);
			else
				open--;
		}
	}
}

/* Processor time of a process since it began, of all its threads. */
static int64_t used_us(pid_t pid)
{
	clockid_t id;
	struct timespec t;

	if (clock_getcpuclockid(pid, &id) || clock_gettime(id, &t))
		die("clock_getcpuclockid");
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static struct connection all[MOST];
	int64_t used[SERVERS + 1];
	int n = argc > 4 ? atoi(argv[2]) : 0, servers = argc - 5, poll = epoll_create1(0);

	if (n < 1 || n > MOST || servers > SERVERS)
		return fprintf(stderr, "usage: bench_http PORT CONNECTIONS SECONDS REQUEST [PID...]\n"), 2;
	char *request = read_file(argv[4]);
	for (int i = 0; i < n; i++) {
		begin(&all[i], i, atoi(argv[1]), request);
		struct epoll_event e = { .events = EPOLLIN, .data.ptr = &all[i] };
		if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &e))
			die("epoll_ctl");
	}
	for (int i = 0; i <= servers; i++)
		used[i] = used_us(i ? atoi(argv[4 + i]) : getpid());
	int64_t start = clock_us();
	for (int i = 0; i < n; i++)
		send_one(&all[i]);
	run(poll, start + (int64_t)(atof(argv[3]) * 1e6), n);
	int64_t took = clock_us() - start;
	for (int i = 0; i <= servers; i++)
		used[i] = used_us(i ? atoi(argv[4 + i]) : getpid()) - used[i];
	qsort(got.us, got.n, sizeof *got.us, by_value);
	printf("http %zu %lld %lld %lld %zu", got.n, (long long)took, (long long)got.us[got.n / 2],
	    (long long)got.us[got.n * 99 / 100], got.body);
	for (int i = 0; i <= servers; i++)
		printf(" %lld", (long long)used[i]);
	putchar('\n');
	return 0;
}
