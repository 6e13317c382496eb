/*
 * The coordinator over HTTP, as bytes on a connection: requests.txt beside this file.
 *
 *   > GET /path         a request line; HTTP/1.1 and a Host follow, unless it says otherwise
 *   | Name: value       a header
 *   = body              its body, with its Content-Length (`=N ` another length); `\0` is a NUL
 *   < ...               the status, the headers and the body of the answer, but for what differs in each run
 *
 * TOKEN is the token that the last answer with a secret had.  With RECORD set, the test prints the text as it is now.
 */
#include <arpa/inet.h>
#include <strings.h>
#include <sys/socket.h>

#include "tests/tool_calls.h"

static struct buf out;
static int port;
static const char *secret = "";

/* Sends the bytes; what comes until the connection ends. */
static const char *talk(const char *bytes, size_t n)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct timeval most = { BUSY_MS / 1000, 0 };
	struct buf b = { 0 };
	char chunk[8192];
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
	assert_int_equal(send(fd, bytes, n, MSG_NOSIGNAL), n);
	for (ssize_t got; (got = recv(fd, chunk, sizeof chunk, 0)) > 0;)
		buf_put(&b, chunk, (size_t)got);
	close(fd);
	buf_str(&b, "");
	const char *text = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return text;
}

/* Replaces each `what` in the text. */
static const char *replaced(const char *text, const char *what, const char *with)
{
	struct buf b = { 0 };
	size_t n = strlen(what);

	buf_str(&b, "");
	while (*text) {
		bool is = n && !strncmp(text, what, n);
		if (is)
			buf_str(&b, with);
		else
			buf_byte(&b, *text);
		text += is ? n : 1;
	}
	const char *s = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return s;
}

static void put_answer(const char *answer)
{
	const char *body = strstr(answer, "\r\n\r\n"), *found = strstr(answer, "\"secret\":\"");

	if (found)
		secret = arena_strn(a, found + 10, strcspn(found + 10, "\""));
	if (!body) {
		buf_printf(&out, "< %s\n", *answer ? answer : "nothing");
		return;
	}
	for (const char *p = answer; p < body + 2; p += strcspn(p, "\n") + 1) {
		static const char *const left_out[] = {
			"Date:", "Content-Length:", "Connection:", "ETag:", "Content-Security-Policy:"
		};
		size_t i = 0, n = strcspn(p, "\r\n");
		while (i < LEN(left_out) && strncmp(p, left_out[i], strlen(left_out[i])))
			i++;
		const char *line = arena_strn(a, p, n);
		if (!strncmp(line, "Mcp-Session-Id: ", 16))
			line = "Mcp-Session-Id: …";
		if (i == LEN(left_out))
			buf_printf(&out, "< %s\n", line);
	}
	const char *text = replaced(
	               replaced(body + 4, secret, "SECRET"), arena_printf(a, ":%d", port), ":PORT"),
	           *at = strstr(text, "created_at\":\"20");
	if (at)
		text = arena_printf(
		    a, "%.*s…%s", (int)(at + 13 - text), text, at + 13 + strcspn(at + 13, "\""));
	size_t n = strlen(text);
	if (n > 700) /* pages and lists, which have tests of their own */
		buf_printf(&out, "< %.60s…\n", replaced(arena_strn(a, text, 60), "\n", " "));
	else if (n)
		buf_printf(&out, "< %s\n", replaced(replaced(text, "\r", ""), "\n", "\n< "));
}

/* A request that is being put together. */
static struct {
	struct buf bytes;
	bool has_host, begun, is_old;
} asked;

static void begin_request(const char *line)
{
	const char *version = strstr(line, " HTTP/");

	asked.bytes.n = 0;
	asked.begun = true;
	asked.is_old = version && !strcmp(version, " HTTP/1.0");
	asked.has_host = asked.is_old;
	buf_printf(&asked.bytes, "%s%s\r\n", line, version ? "" : " HTTP/1.1");
}

static void finish_request(const char *body, size_t n, size_t length)
{
	if (!asked.has_host)
		buf_printf(&asked.bytes, "Host: 127.0.0.1:%d\r\n", port);
	buf_str(&asked.bytes, "Connection: close\r\n");
	if (body)
		buf_printf(&asked.bytes, "Content-Length: %zu\r\n", length);
	buf_str(&asked.bytes, "\r\n");
	if (n)
		buf_put(&asked.bytes, body, n);
	put_answer(talk(asked.bytes.p, asked.bytes.n));
	asked.begun = false;
}

static void add_header(const char *line)
{
	if (!strncasecmp(line, "no host", 7)) {
		asked.has_host = true;
		return;
	}
	asked.has_host |= !strncasecmp(line, "Host:", 5);
	buf_printf(&asked.bytes, "%s\r\n",
	    replaced(replaced(line, "TOKEN", secret), "PORT", arena_printf(a, "%d", port)));
}

static void send_body(char *line)
{
	char *end = strchr(line, ' '), *body = end + 1, *nul = strstr(body, "\\0");
	size_t n = strlen(body), length = line[1] == ' ' ? n : strtoul(line + 1, NULL, 10);

	if (nul) {
		memmove(nul + 1, nul + 2, strlen(nul + 2) + 1);
		*nul = 0;
		length = --n;
	}
	finish_request(body, n, length);
}

static void requests_and_answers(void **state)
{
	struct buf all = { 0 };
	char chunk[4096];
	FILE *f = fopen("tests/unit/coordinator/http/requests.txt", "r");

	(void)state;
	assert_non_null(f);
	for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
		buf_put(&all, chunk, n);
	fclose(f);
	for (const char *p = all.p; *p; p += strcspn(p, "\n") + 1) {
		size_t n = strcspn(p, "\n");
		char *line = arena_strn(a, p, n);
		const char *next = p + n + 1;
		if (!n || *p == '<')
			continue;
		buf_printf(&out, "%s\n", line);
		if (*line == '>')
			begin_request(line + 2);
		else if (*line == '|')
			add_header(line + 2);
		else if (*line == '=')
			send_body(line);
		else if (*line == '$')
			ask(arena_strn(a, line + 2, strcspn(line + 2, " ")), strchr(line + 2, ' ') + 1);
		if (asked.begun && *next != '|' && *next != '=')
			finish_request(NULL, 0, 0);
	}
	if (getenv("RECORD"))
		fwrite(out.p, 1, out.n, stdout);
	else if (strcmp(out.p, all.p)) {
		size_t at = 0;
		while (out.p[at] == all.p[at])
			at++;
		while (at && all.p[at - 1] != '>')
			at--;
		fail_msg("wants: %.900s\nis:    %.900s", all.p + at, out.p + at);
	}
	buf_free(&all);
}

static int open_all(void **state)
{
	struct coordinator_config o = { 0 };
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR + 1);
	a = arena_new();
	strcpy(dir, "/tmp/atoll-http.XXXXXX");
	assert_non_null(mkdtemp(dir));
	char *argv[] = { "atoll-coordinator", "--data", dir, "--http", "127.0.0.1:0", "--listen",
		arena_printf(a, "ipc://%s/members", dir), "--probe-interval-ms", "600000", "--allow-host",
		"good.example", NULL };
	if (coordinator_options(&o, 11, argv, a, &e) || !(co = coordinator_open(&o, &e)))
		fail_msg("%s", e.msg);
	port = atoi(strrchr(co->http_url, ':') + 1);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	coordinator_close(co);
	if (system(arena_printf(a, "rm -rf %s", dir)))
		return -1;
	buf_free(&out);
	buf_free(&asked.bytes);
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(requests_and_answers) };

	return cmocka_run_group_tests(tests, open_all, close_all);
}
