/*
 * Any bytes as a request over a real socket to a coordinator without repositories.  The first line is `METHOD PATH`, then
 * headers as they are, an empty line, and the body; how it is framed and that the connection ends is said here, so that
 * there is always an answer.  `$S` in a header is a session, `$T` the token, which is there unless the input has one.  Who may not
 * talk to it must not be answered, what comes is HTTP, and JSON where it says so.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/record/json.h"
#include "tests/fuzz/fuzz_coordinator.h"

enum { PATIENCE_MS = 60000, HEAD_MAX = 24 << 10 };

#define SECRET "atoll_0123456789abcdef0123456789abcdef01234567"
static char session[33];

/* ---- the wire ---- */

/* Each time from another address of loopback: ports of closed connections are not free for a minute. */
static int dial(void)
{
	static uint32_t from;
	struct sockaddr_in own = { .sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK + ++from % 0xfffff) },
	    in = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(strrchr(co->http_url, ':') + 1)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&own, sizeof own) || (connect(fd, (struct sockaddr *)&in, sizeof in) && errno != EINTR))
		abort();
	return fd;
}

/* Up to the end, or the beginning of a stream; nothing within PATIENCE_MS is a finding. */
static void talk(struct buf *request, struct buf *answer)
{
	int fd = dial();
	size_t sent = 0;

	while (!answer->p || !strstr(answer->p, "text/event-stream")) {
		char piece[16 << 10];
		struct pollfd p = { fd, (short)(POLLIN | (sent < request->n ? POLLOUT : 0)), 0 };
		int ready = poll(&p, 1, PATIENCE_MS);
		if (ready < 0 && errno == EINTR)	/* libFuzzer's clock */
			continue;
		if (ready < 1) {
			fprintf(stderr, "nothing for %d ms: %zu of %zu bytes sent, %zu came: %s\n", PATIENCE_MS, sent, request->n, answer->n,
			    answer->p ? answer->p : "");
			abort();
		}
		if (p.revents & POLLOUT) {
			ssize_t n = send(fd, request->p + sent, request->n - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
			sent = n < 0 ? request->n : sent + (size_t)n;
		}
		if (!(p.revents & (POLLIN | POLLHUP | POLLERR)))
			continue;
		ssize_t n = recv(fd, piece, sizeof piece, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		buf_put(answer, piece, (size_t)n);
	}
	close(fd);
}

static void begin_session(void)
{
	static const char initialize[] =
	    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"}}";
	struct buf q = { 0 }, r = { 0 };

	buf_printf(&q, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " SECRET "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
	    strlen(initialize), initialize);
	talk(&q, &r);
	const char *at = strcasestr(r.p, "Mcp-Session-Id: ");
	if (!at)
		abort();
	snprintf(session, sizeof session, "%.32s", at + 16);
	buf_free(&q);
	buf_free(&r);
}

/* ---- a request out of the input ---- */

static bool is(const char *line, size_t n, const char *name)
{
	return n > strlen(name) && !strncasecmp(line, name, strlen(name)) &&
	    (line[strlen(name)] == ':' || isspace((unsigned char)line[strlen(name)]));
}

static bool is_framing(const char *line, size_t n)
{
	return is(line, n, "Content-Length") || is(line, n, "Transfer-Encoding") || is(line, n, "Connection") ||
	    is(line, n, "Proxy-Connection") || isspace((unsigned char)*line);
}

/* Written again without the server's code: scheme, the three names of loopback, a port. */
static bool is_ours(const char *s, size_t n, bool origin)
{
	char name[300], *end;

	while (n && isblank((unsigned char)*s))
		s++, n--;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	if (n >= sizeof name)
		return false;
	snprintf(name, sizeof name, "%.*s", (int)n, s);
	char *host = name;
	if (origin) {
		if (strncasecmp(host, "http://", 7) && strncasecmp(host, "https://", 8))
			return false;
		host = strstr(host, "//") + 2;
	}
	if ((end = strrchr(host, ':')) && end != host && strspn(end + 1, "0123456789") == strlen(end + 1) && (*host != '[' || end[-1] == ']'))
		*end = 0;
	if (*host == '[' && host[strlen(host) - 1] == ']') {
		struct in6_addr v6;
		host[strlen(host) - 1] = 0;
		return inet_pton(AF_INET6, host + 1, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
	}
	return !strcasecmp(host, "localhost") || (!strncmp(host, "127.", 4) && strspn(host, "0123456789.") == strlen(host));
}

/* What an Authorization header says behind its name; written again as is_ours. */
static bool is_right(const char *s, size_t n)
{
	while (n && isblank((unsigned char)*s))
		s++, n--;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	if (n < 7 || strncasecmp(s, "Bearer ", 7))
		return false;
	for (s += 7, n -= 7; n && *s == ' '; n--)
		s++;
	return (n == strlen(SECRET) && !strncmp(s, SECRET, n)) || (n == 2 && !strncmp(s, "$T", 2));
}

static void add_header(const char *line, size_t n, struct buf *q)
{
	const char *s = memmem(line, n, "$S", 2), *t = memmem(line, n, "$T", 2);

	s = s ? s : t;
	buf_put(q, line, s ? (size_t)(s - line) : n);
	if (s) {
		buf_str(q, s == t ? SECRET : session);
		buf_put(q, s + 2, n - (size_t)(s - line) - 2);
	}
	buf_str(q, "\r\n");
}

/* False: it is none.  `evil`: some Host or Origin is not of this machine, or a token is not ours and would have to be. */
static bool make(const char *p, size_t n, struct buf *q, bool *evil)
{
	const char *end = p + n, *line = p, *eol = memchr(p, '\n', n), *space = eol ? memchr(p, ' ', (size_t)(eol - p)) : NULL;
	bool host = false, token = false;

	if (!space || space == p || space + 1 == eol)
		return false;
	for (const char *s = p; s < eol; s++)
		if (*s <= ' ' ? s != space : *s == 0x7f)
			return false;
	buf_put(q, p, (size_t)(eol - p));
	buf_str(q, " HTTP/1.1\r\n");
	for (line = eol + 1; line < end && *line != '\n'; line = eol + 1) {
		if (!(eol = memchr(line, '\n', (size_t)(end - line))))
			eol = end;
		size_t len = (size_t)(eol - line);
		if (is_framing(line, len) || memchr(line, 0, len) || memchr(line, '\r', len) || !memchr(line, ':', len) || *line == ':')
			continue;
		const char *value = (const char *)memchr(line, ':', len) + 1;
		if (is(line, len, "Host") || is(line, len, "Origin"))
			*evil |= !is_ours(value, (size_t)(eol - value), toupper(*line) == 'O');
		if (is(line, len, "Authorization") && (!strncmp(space, " /mcp", 5) || !strncmp(space, " /api", 5) || !strncmp(space, " /metrics", 9)))
			*evil |= !is_right(value, (size_t)(eol - value));
		token |= is(line, len, "Authorization");
		host |= is(line, len, "Host") && line[4] == ':';
		add_header(line, len, q);
		if (eol == end)
			break;
	}
	if (!host)
		buf_str(q, "Host: localhost\r\n");
	if (!token)
		buf_str(q, "Authorization: Bearer " SECRET "\r\n");
	const char *body = line < end && *line == '\n' ? line + 1 : end;
	if (q->n > HEAD_MAX)
		return false;
	buf_printf(q, "Connection: close\r\nContent-Length: %zu\r\n\r\n", (size_t)(end - body));
	buf_put(q, body, (size_t)(end - body));
	return true;
}

/* ---- what came ---- */

static void check(const char *method, const char *r, bool evil)
{
	int status = 0;
	const char *head = strstr(r, "\r\n\r\n"), *json = strcasestr(r, "Content-Type: application/json");

	if (!strncmp(r, "HTTP/1.1 100 Continue\r\n\r\n", 25)) {
		check(method, r + 25, evil);
		return;
	}
	if (!head || sscanf(r, "HTTP/1.1 %d ", &status) != 1 || status < 200 || (status >= 500 && status != 503 && status != 505 && status != 501))
		abort();
	if (evil && status < 400)
		abort();
	const char *cors = strcasestr(r, "\r\nAccess-Control-Allow");
	if (cors && cors < head)
		abort();
	if (json && json < head && strncmp(method, "HEAD ", 5) && json_is(head + 4) != JSON_IS_OBJECT)
		abort();
	if (status >= 400 && json && json < head && strncmp(method, "HEAD ", 5) && !strstr(head, "\"error\":{"))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct buf q = { 0 }, r = { 0 };
	bool evil = false;

	if (!co) {
		serve("127.0.0.1:0", SECRET);
		begin_session();
	}
	if (make((const char *)p, n, &q, &evil)) {
		talk(&q, &r);
		buf_byte(&q, 0);
		if (r.p)
			check(q.p, r.p, evil);
	}
	if (strstr(q.p ? q.p : "", session) && !strncmp(q.p, "DELETE ", 7))
		begin_session();
	buf_free(&q);
	buf_free(&r);
	return 0;
}
