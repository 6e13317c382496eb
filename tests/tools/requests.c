/*
 * requests URL COUNT [SEED] [CONNECTIONS]: sends COUNT HTTP requests with random changes of fields, headers and bytes to the coordinator
 * at URL: each tool by its own path and over MCP, with arguments generated from tools.def, and the other paths of routes.def.  Most have
 * correct framing and are pipelined over kept-alive connections: each must be answered.  One in thirty also has changed headers, over a
 * connection that ends afterwards: it must be answered if it is complete.  Sends ATOLL_TOKEN.  Prints the seed.  Exits 0, or 1 with the
 * request that got status 500, no answer, or an answer that is not HTTP.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "coordinator/calls/call.h"
#include "proto/record/json.h"
#include "tests/mutate.h"

enum { PATIENCE_MS = 120000, BATCH = 16, CONNECTIONS = 4, CODES = 600, WILD = 3, WILD_MS = 20 };

static struct sockaddr_in there;
static const char *token;
static atomic_bool ended;

/* ---- what is asked ---- */

static const char *const paths[] = {
	"GET /healthz",
	"GET /readyz",
	"GET /metrics",
	"GET /api/v1/tools",
	"GET /api/v1/graph?group=all",
	"GET /",
	"GET /graph",
	"GET /search",
	"GET /assets/x",
	"POST /webhooks/github",
	"POST /webhooks/gitlab",
	"DELETE /mcp",
	"OPTIONS /mcp",
	"HEAD /healthz",
	"PUT /mcp",
	"GET /.well-known/oauth-protected-resource",
	"POST /register",
	"GET /api/v1/list_repos",
};
static const char *const methods[] = { "ping", "tools/list", "resources/list",
	"resources/templates/list", "prompts/list", "resources/read", "prompts/get",
	"completion/complete", "initialize", "logging/setLevel", "notifications/initialized",
	"nonsense" };

/* Those that would close the door, or open it. */
static bool is_left_out(const struct tool *t)
{
	return !strncmp(t->name, "token_", 6) || !strcmp(t->name, "registry_import");
}

static const struct tool *any_tool(uint64_t *s)
{
	size_t n = 0;

	while (tools[n].name)
		n++;
	for (;;) {
		const struct tool *t = &tools[random_below(s, n)];
		bool heavy = !strcmp(t->name, "registry_export") || (t->hints & WRITES);
		if (!is_left_out(t) && (!heavy || !random_below(s, 20)))
			return t;
	}
}

static void put_word(uint64_t *s, struct buf *b, const struct field *f)
{
	static const char *const words[] = { "users", "load_users", "src/users.py", "all", "a",
		"python", "method", "HEAD", "*", "", "../../etc/passwd", "\xc3\xa9", "\\", "\"", "%00",
		"a:b", "ready" };
	const char *one = f->rule.oneof ? f->rule.oneof : NULL;
	char first[64];

	if (random_below(s, 8) && (!strcmp(f->name, "repo") || !strcmp(f->name, "group"))) {
		buf_str(b, *f->name == 'r' ? "\"a\"" : "\"all\"");
		return;
	}
	if (one && random_below(s, 8))
		snprintf(first, sizeof first, "%.*s", (int)strcspn(one, "|"), one);
	json_quote(b, one && random_below(s, 8) ? first : words[random_below(s, LEN(words))]);
}

static void put_arguments(uint64_t *s, struct buf *b, const struct record *r);

static void put_argument(uint64_t *s, struct buf *b, const struct field *f)
{
	static const char *const odd[] = { "null", "-1", "1e400", "18446744073709551616", "true", "[]",
		"{}", "\"x\"", "0.5", "[[[[[[[[]]]]]]]]", "[null]" };

	if (random_below(s, 10) == 0) {
		buf_str(b, odd[random_below(s, LEN(odd))]);
		return;
	}
	switch (f->type) {
	case T_str: put_word(s, b, f); break;
	case T_u64:
	case T_i64: buf_u64(b, random_below(s, 40)); break;
	case T_f64: buf_str(b, "0.5"); break;
	case T_flag: buf_str(b, random_below(s, 2) ? "true" : "false"); break;
	case T_strs:
	case T_list:
	case T_bytes: {
		buf_byte(b, '[');
		for (size_t i = 0, n = random_below(s, 3); i < n; i++) {
			buf_str(b, i ? "," : "");
			if (f->type == T_list)
				put_arguments(s, b, f->of);
			else
				put_word(s, b, f);
		}
		buf_byte(b, ']');
		break;
	}
	case T_sub: put_arguments(s, b, f->of); break;
	case T_json: buf_str(b, "{\"a\":[1]}"); break;
	}
}

static void put_arguments(uint64_t *s, struct buf *b, const struct record *r)
{
	const char *sep = "{";

	for (size_t i = 0; i < r->nfields; i++)
		if ((r->fields[i].rule.must && random_below(s, 30)) || random_below(s, 3) == 0) {
			buf_str(b, sep);
			json_quote(b, r->fields[i].name);
			buf_byte(b, ':');
			put_argument(s, b, &r->fields[i]);
			sep = ",";
		}
	buf_str(b, *sep == '{' ? "{}" : "}");
}

/* Method and path into `line`, the body into `b`. */
static void put_call(uint64_t *s, struct buf *line, struct buf *b)
{
	const struct tool *t = any_tool(s);

	switch (random_below(s, 8)) {
	case 0: buf_str(line, paths[random_below(s, LEN(paths))]); return;
	case 1:
		buf_str(line, "POST /mcp");
		buf_printf(b,
		    "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"%s\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"uri\":\"atoll://groups\",\"name\":\"x\"}}",
		    random_below(s, 1000), methods[random_below(s, LEN(methods))]);
		return;
	case 2:
	case 3:
		buf_str(line, "POST /mcp");
		buf_printf(b,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":",
		    t->name);
		put_arguments(s, b, t->in);
		buf_str(b, "}}");
		return;
	default: buf_printf(line, "POST /api/v1/%s", t->name); put_arguments(s, b, t->in);
	}
}

static void put_odd(uint64_t *s, struct buf *b)
{
	static const char *const odd[] = { "{", "[", "\"", "\\u0000", "\\ud800", "\xff\xfe",
		"9999999999999999999999", "1e999", "null", "}}", "%2e%2e/", "%00", "?", "&", "\xed\xa0\x80",
		"{\"a\":", "\r\n", "\r\n\r\n", "Transfer-Encoding: chunked\r\n", "Content-Length: 4\r\n",
		"\t", ": " };
	size_t i = random_below(s, LEN(odd) + 1);

	if (i < LEN(odd))
		buf_str(b, odd[i]);
	else
		for (size_t k = random_below(s, 2000); k--;)
			buf_str(b, random_below(s, 2) ? "[" : "{\"a\":");
}

/* What would frame the request anew is put otherwise. */
static void tame(struct buf *b, bool path)
{
	for (size_t i = 0; i < b->n; i++)
		if ((unsigned char)b->p[i] < 0x20 || b->p[i] == 0x7f || (path && b->p[i] == ' ' && i > 7))
			b->p[i] = '_';
}

/* ---- connections ---- */

struct player {
	pthread_t thread;
	uint64_t seed;
	size_t count, answered, codes[CODES];
	int fd;
	bool head[BATCH]; /* of what is under way: no body comes with the answer */
	struct buf out, in, other, spent;
	size_t taken;
};

static int dial(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	for (int tries = 0; connect(fd, (struct sockaddr *)&there, sizeof there); tries++) {
		if (tries == 100)
			return close(fd), -1;
		usleep(20000);
	}
	return fd;
}

static int bad(const char *why, const struct buf *request)
{
	fprintf(stderr, "requests: %s\n%.*s\n", why, (int)(request->n < 6000 ? request->n : 6000),
	    request->p ? request->p : "");
	ended = true;
	return -1;
}

static void put_header(struct player *p, const char *name, const char *value)
{
	struct buf v = { 0 };

	buf_str(&v, value);
	if (random_below(&p->seed, 60) == 0)
		mutate_bytes(&p->seed, &v, &p->other, put_odd);
	tame(&v, false);
	buf_printf(&p->out, "%s: ", name);
	buf_put(&p->out, v.p, v.n);
	buf_str(&p->out, "\r\n");
	buf_free(&v);
}

/* A request, framed well; whether its answer has no body. */
static bool put_request(struct player *p)
{
	uint64_t *s = &p->seed;
	struct buf line = { 0 }, body = { 0 };
	char length[40], bearer[200];

	put_call(s, &line, &body);
	if (random_below(s, 20) == 0)
		mutate_bytes(s, &line, &p->other, put_odd);
	for (size_t times = random_below(s, 5); times > 2 && body.n; times--)
		mutate_bytes(s, &body, &p->other, put_odd);
	tame(&line, true);
	buf_put(&p->out, line.p, line.n);
	buf_str(&p->out, " HTTP/1.1\r\n");
	put_header(p, "Host", "localhost");
	put_header(p, "Content-Type", "application/json");
	put_header(
	    p, "Accept", random_below(s, 3) ? "application/json" : "application/json, text/event-stream");
	if (random_below(s, 4) == 0)
		put_header(p, "MCP-Protocol-Version", random_below(s, 2) ? "2025-11-25" : "2026-07-28");
	if (random_below(s, 20) == 0)
		put_header(p, "Mcp-Session-Id", "0123456789abcdef0123456789abcdef");
	if (random_below(s, 20) == 0)
		put_header(p, "Origin", "http://localhost");
	if (token) {
		snprintf(bearer, sizeof bearer, "Bearer %s", token);
		put_header(p, "Authorization", bearer);
	}
	snprintf(length, sizeof length, "Content-Length: %zu\r\n\r\n", body.n);
	buf_str(&p->out, length);
	buf_put(&p->out, body.p, body.n);
	bool head = line.n >= 5 && !strncmp(line.p, "HEAD ", 5);
	buf_free(&line);
	buf_free(&p->other);
	p->other = body;
	return head;
}

/* Read more, having written what is left; 0: the other end has hung up; -1: it says nothing for `ms`. */
static int more(struct player *p, size_t *sent, int ms)
{
	char some[65536];

	for (;;) {
		struct pollfd f = { .fd = p->fd, .events = POLLIN | (*sent < p->out.n ? POLLOUT : 0) };
		if (poll(&f, 1, ms) < 1)
			return -1;
		if (f.revents & POLLOUT) {
			ssize_t n = send(
			    p->fd, p->out.p + *sent, p->out.n - *sent, MSG_NOSIGNAL | MSG_DONTWAIT);
			*sent = n < 0 ? p->out.n : *sent + (size_t)n;
		}
		if (!(f.revents & ~POLLOUT))
			continue;
		ssize_t n = recv(p->fd, some, sizeof some, 0);
		if (n <= 0)
			return 0;
		buf_put(&p->in, some, (size_t)n);
		return 1;
	}
}

/* Where the chunked body that begins at `s` ends; NULL: not yet. */
static const char *chunks_end(const char *s)
{
	for (;;) {
		char *digits;
		size_t n = strtoull(s, &digits, 16);
		const char *line = strstr(digits, "\r\n");
		if (!line || strlen(line + 2) < n + 2)
			return NULL;
		s = line + 2 + n + 2;
		if (!n)
			return s;
	}
}

struct answer {
	int code;
	bool stream, last; /* events without end; the connection ends behind it */
	size_t n; /* bytes; 0: there are more to come */
};

static const char *header(const char *head, const char *end, const char *name)
{
	for (const char *at = head; (at = strcasestr(at, name)) && at < end; at++)
		if (at[-1] == '\n')
			return at + strlen(name) + strspn(at + strlen(name), " ");
	return "";
}

static struct answer read_answer(const char *s, bool head)
{
	struct answer a = { 0 };
	const char *end = s ? strstr(s, "\r\n\r\n") : NULL;

	if (!end)
		return a;
	a.code = !strncmp(s, "HTTP/1.", 7) && isdigit((unsigned char)s[9]) ? atoi(s + 9) : -1;
	a.stream = !strncasecmp(header(s, end, "Content-Type:"), "text/event-stream", 17);
	a.last = !strncasecmp(header(s, end, "Connection:"), "close", 5);
	size_t length = strtoull(header(s, end, "Content-Length:"), NULL, 10);
	if (head || a.code == 204 || a.code == 304)
		length = 0;
	else if (!strncasecmp(header(s, end, "Transfer-Encoding:"), "chunked", 7)) {
		const char *last = chunks_end(end + 4);
		a.n = last ? (size_t)(last - s) : 0;
		return a;
	}
	a.n = strlen(end + 4) >= length ? (size_t)(end + 4 - s) + length : 0;
	return a;
}

static void hang_up(struct player *p)
{
	close(p->fd);
	p->fd = -1;
	p->in.n = p->taken = 0;
}

/* Answers are text: a NUL would end it, and is a finding. */
static int take_answers(struct player *p, size_t batch, size_t *sent)
{
	size_t done = 0;

	while (done < batch) {
		struct answer a = p->in.n > p->taken ? read_answer(p->in.p + p->taken, p->head[done]) :
		                                       (struct answer){ 0 };
		if (a.code < 0 || a.code == 500 || a.code >= CODES)
			return bad(p->in.p + p->taken, &p->out);
		if (!a.n && !(a.code && a.stream)) {
			int rc = more(p, sent, PATIENCE_MS);
			if (rc < 0)
				return bad("nothing is answered any more", &p->out);
			if (!rc)
				break; /* it hangs up on what it cannot frame: what follows is asked anew */
			continue;
		}
		p->codes[a.code]++;
		done++;
		p->taken += a.n;
		if (a.last || a.stream)
			break;
	}
	p->answered += done;
	p->count -= done < p->count ? done : p->count;
	if (done < batch)
		hang_up(p);
	return 0;
}

/* One whose head is changed, over a connection of its own. */
static int play_wild(struct player *p)
{
	int kept = p->fd;
	size_t sent = 0;

	p->out.n = 0;
	put_request(p);
	for (size_t times = random_below(&p->seed, 4) + 1; times--;)
		mutate_bytes(&p->seed, &p->out, &p->other, put_odd);
	struct buf in = p->in;
	p->in = (struct buf){ 0 };
	p->fd = dial();
	if (p->fd < 0)
		return bad("no connection", &p->out);
	while (sent < p->out.n) {
		ssize_t n = send(p->fd, p->out.p + sent, p->out.n - sent, MSG_NOSIGNAL);
		if (n <= 0)
			break;
		sent += (size_t)n;
	}
	sent = p->out.n;
	shutdown(p->fd, SHUT_WR);
	while (more(p, &sent, WILD_MS) > 0 && !strstr(p->in.p, "text/event-stream"))
		continue;
	if (p->in.n && (strncmp(p->in.p, "HTTP/1.", 7) != 0 || !strncmp(p->in.p + 8, " 500", 4)))
		return bad(p->in.p, &p->out);
	p->codes[p->in.n > 12 ? atoi(p->in.p + 9) % CODES : 0]++;
	close(p->fd);
	buf_free(&p->in);
	p->in = in;
	p->fd = kept;
	p->answered++;
	p->count--;
	return 0;
}

static int play_batch(struct player *p)
{
	size_t batch = p->count < BATCH ? p->count : BATCH, sent = 0;

	if (p->fd < 0 && (p->fd = dial()) < 0)
		return bad("no connection", &p->out);
	p->out.n = p->taken = p->in.n = 0;
	for (size_t i = 0; i < batch; i++)
		p->head[i] = put_request(p);
	return take_answers(p, batch, &sent);
}

static void *play(void *arg)
{
	struct player *p = arg;

	p->fd = -1;
	while (p->count && !ended)
		if (random_below(&p->seed, WILD) == 0 ? play_wild(p) : play_batch(p))
			break;
	return NULL;
}

int main(int argc, char **argv)
{
	size_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 0,
	       n = argc > 4 ? strtoull(argv[4], NULL, 10) : CONNECTIONS;
	struct player *players = calloc(n ? n : 1, sizeof *players);

	if (!count || !n || !players || !strrchr(argv[1], ':')) {
		fprintf(stderr, "requests URL COUNT [SEED] [CONNECTIONS]\n");
		return 2;
	}
	token = getenv("ATOLL_TOKEN");
	there = (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(strrchr(argv[1], ':') + 1)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	uint64_t seed = seed_of(argc > 3 && *argv[3] ? argv[3] : NULL);
	int64_t begun = clock_ms();
	for (size_t i = 0; i < n; i++) {
		players[i].seed = (seed + i) * 0x9e3779b97f4a7c15 | 1;
		players[i].count = count / n + (i < count % n);
		if (pthread_create(&players[i].thread, NULL, play, &players[i]))
			abort();
	}
	for (size_t i = 0; i < n; i++)
		pthread_join(players[i].thread, NULL);
	if (ended)
		_Exit(1);
	int64_t ms = clock_ms() - begun + 1;
	printf("%zu requests in %lld ms, %lld a second:", count, (long long)ms,
	    (long long)count * 1000 / (long long)ms);
	for (int c = 0; c < CODES; c++) {
		size_t of = 0;
		for (size_t i = 0; i < n; i++)
			of += players[i].codes[c];
		if (of)
			printf(" %d=%zu", c, of);
	}
	printf("\n");
	fflush(stdout);
	_Exit(0); /* what connections still hold goes with the process */
}
