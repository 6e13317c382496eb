/*
 * Tools and their whole answers over three shards, whose answers answers.txt beside this file gives, too:
 *
 *   shard N RPC ANSWER    from now on shard N answers the RPC so, in JSON; !CODE text: with this error
 *   forget                all shards answer as in the beginning
 *   reader TOOL ARGUMENTS a call of somebody who may only read
 *   TOOL ARGUMENTS        a call; {next} stands for the cursor that the last answer had
 *   ? N RPC REQUEST       what shard N was asked
 *   < ...                 the answer
 *
 * Times, durations and the like are cut.  With RECORD set, the test prints the text as it is now.
 */
#include <ctype.h>

#include "coordinator/members/members.h"
#include "tests/tool_calls.h"

enum { SHARDS = 3, ANSWERS = 64 };

static struct shard {
	int id;
	const char *uri, *url;
	struct wire_server *server;
} shards[SHARDS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	int shard;
	enum rpc_id rpc;
	const char *answer;
} answers[ANSWERS];
static size_t n_answers;
static struct buf asked[SHARDS]; /* what each was asked since the last call */
static struct buf out;
static const char *next_cursor = "";

/* ---- the shards ---- */

static bool is_probe(const char *rpc)
{
	static const char *const probes[] = { "hello", "health", "status", "sketch", "cancel" };

	for (size_t i = 0; i < LEN(probes); i++)
		if (!strcmp(rpc, probes[i]))
			return true;
	return false;
}

/* Shard 2 is older than exact search. */
static const char *features_of(const struct shard *s)
{
	return s->id == 2 ? "" : "\"file_map\",\"exports\",\"grep\",\"grep_query\"";
}

static const char *default_answer(const struct shard *s, enum rpc_id rpc, struct arena *own)
{
	switch (rpc) {
	case RPC_hello:
		return arena_printf(own,
		    "{\"protocol\":%d,\"version\":\"0\",\"repo_uri\":\"%s\",\"name\":\"%s\",\"replica\":\"r\",\"endpoint\":\"%s\","
		    "\"default_branch\":\"main\",\"status\":\"ready\",\"features\":[%s]}",
		    WIRE_VERSION, s->uri, strchr(s->uri, '/') + 1, s->url, features_of(s));
	case RPC_health: return "{\"status\":\"ready\",\"commit\":\"c0ffee\",\"generation\":1}";
	case RPC_status: return "{\"status\":\"ready\",\"files\":7,\"symbols\":70}";
	case RPC_stats: return "{\"documents\":100,\"words\":5000}";
	default: return "!NOT_FOUND nothing is there";
	}
}

static const char *answer_of(const struct shard *s, enum rpc_id rpc, struct arena *own)
{
	for (size_t i = n_answers; i--;)
		if (answers[i].shard == s->id && answers[i].rpc == rpc)
			return answers[i].answer;
	return default_answer(s, rpc, own);
}

static void note(const struct shard *s, enum rpc_id rpc, const struct wire_request *r)
{
	struct buf b = { 0 };
	struct err e = { 0 };
	void *req = arena_get(r->a, 1, rpcs[rpc].req->size);

	if (codec_get(rpcs[rpc].req, req, r->body.p, r->body.n, r->a, &e))
		abort();
	json_put(rpcs[rpc].req, req, &b);
	buf_printf(&asked[s->id], "? %d %s %.*s\n", s->id, rpcs[rpc].name, (int)b.n, b.p);
	buf_free(&b);
}

static void on_request(void *ctx, struct wire_request *r)
{
	const struct shard *s = ctx;
	enum rpc_id rpc = rpc_id(r->rpc);
	struct freshness stamp = { s->uri, "c0ffee", 1, "hash", "2026-11-21T00:00:00Z", 0, { 0 },
		NULL };
	struct err e = { 0 };

	pthread_mutex_lock(&lock);
	if (!is_probe(r->rpc))
		note(s, rpc, r);
	const char *text = answer_of(s, rpc, r->a);
	void *res = arena_get(r->a, 1, rpcs[rpc].res->size);
	if (*text == '!') {
		size_t n = strcspn(text + 1, " ");
		err_set(&e, err_code(arena_strn(r->a, text + 1, n)), "%s", text + n + 2);
		wire_answer(r, NULL, NULL, NULL, &e);
	} else {
		if (json_get_lax(rpcs[rpc].res, res, text, r->a, &e))
			abort();
		wire_answer(r, rpcs[rpc].res, res, &stamp, NULL);
	}
	pthread_mutex_unlock(&lock);
}

/* ---- the transcript ---- */

/* What follows one of these differs in each run: digits, or a text up to its quote. */
static const struct {
	const char *key;
	bool text;
} cut[] = { { "\"took_ms\":", false }, { "\"uptime_ms\":", false }, { "\"elapsedMs\":", false },
	{ "\"since_s\":", false }, { "\"requests\":", false }, { "\"version\":\"", true },
	{ "\"vector\":\"", true }, { "\"id\":\"", true }, { "\"leader\":\"", true } };

/* The length of what is cut here; `p` is `n` bytes behind the beginning of the answer. */
static size_t cut_here(const char *p, size_t n, bool registry)
{
	for (size_t i = 0; i < LEN(cut); i++) {
		size_t k = strlen(cut[i].key);
		bool of_registry = i >= LEN(cut) - 2; /* other ids are the same in each run */
		if (n < k || strncmp(p - k, cut[i].key, k) || (of_registry && !registry))
			continue;
		return cut[i].text ? strcspn(p, "\"") : strspn(p, "0123456789");
	}
	return 0;
}

/* Whether a time of these days begins here: 2026-11-28T00:26:33.123Z, but not those of the shards' stamps. */
static size_t time_here(const char *p)
{
	size_t n = strspn(p, "0123456789-T:.");

	if (n < 19 || p[n] != 'Z' || p[4] != '-' || p[10] != 'T' ||
	    !strncmp(p, "2026-11-21T00:00:00Z", 20))
		return 0;
	return n + 1;
}

static void put_cut(const char *s)
{
	bool registry = strstr(s, "\"coordinators\":") != NULL;

	const char *key = strstr(s, "\"next_cursor\":\"");

	if (key)
		next_cursor = arena_strn(a, key + 15, strcspn(key + 15, "\""));
	for (size_t i = 0; s[i];) {
		size_t t = time_here(s + i), c = cut_here(s + i, i, registry);
		if (key && s + i == key + 15) {
			buf_str(&out, "NEXT");
			i += strlen(next_cursor);
		} else if (t) {
			buf_str(&out, "TIME");
			i += t;
		} else if (c) {
			buf_str(&out, "…");
			i += c;
		} else {
			buf_byte(&out, s[i++]);
		}
	}
	const char *at;
	while ((at = strstr(out.p, dir))) { /* the folder of this run */
		size_t n = strlen(dir);
		memmove(out.p + (at - out.p) + 3, at + n, strlen(at + n) + 1);
		memcpy(out.p + (at - out.p), "DIR", 3);
		out.n -= n - 3;
	}
}

static void set_answer(char *rest)
{
	char *rpc = strchr(rest, ' '), *answer = strchr(rpc + 1, ' ');

	*answer = 0;
	pthread_mutex_lock(&lock);
	assert_true(n_answers < ANSWERS);
	answers[n_answers].shard = atoi(rest);
	answers[n_answers].rpc = rpc_id(rpc + 1);
	answers[n_answers++].answer = arena_str(a, answer + 1);
	pthread_mutex_unlock(&lock);
}

static const struct caller reader = { .name = "reader", .everything = true, .read_only = true };

static void call_tool(const struct caller *who, const char *line)
{
	const char *tool = arena_strn(a, line, strcspn(line, " ")),
	           *args = strchr(line, ' ') ? strchr(line, ' ') + 1 : "{}";
	const char *at = strstr(args, "{next}");

	if (at)
		args = arena_printf(a, "%.*s%s%s", (int)(at - args), args, next_cursor, at + 6);
	const char *answer = ask_as(who, tool, args);
	pthread_mutex_lock(&lock);
	for (int i = 0; i < SHARDS; i++) {
		if (asked[i].n)
			put_cut(asked[i].p);
		asked[i].n = 0;
	}
	pthread_mutex_unlock(&lock);
	buf_str(&out, "< ");
	put_cut(answer);
	buf_byte(&out, '\n');
}

static void forget_answers(void)
{
	pthread_mutex_lock(&lock);
	n_answers = 0;
	pthread_mutex_unlock(&lock);
}

static void tools_answer_as_the_transcript_says(void **state)
{
	struct buf all = { 0 };
	char chunk[4096];
	FILE *f = fopen("tests/unit/coordinator/tools/answers.txt", "r");

	(void)state;
	assert_non_null(f);
	for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
		buf_put(&all, chunk, n);
	fclose(f);
	for (const char *p = all.p; *p; p += strcspn(p, "\n") + 1) {
		size_t n = strcspn(p, "\n");
		if (!n || *p == '<' || *p == '?')
			continue;
		buf_put(&out, p, n + 1);
		char *line = arena_strn(a, p, n);
		if (!strncmp(line, "shard ", 6))
			set_answer(line + 6);
		else if (!strcmp(line, "forget"))
			forget_answers();
		else if (!strncmp(line, "reader ", 7))
			call_tool(&reader, line + 7);
		else if (*line != '#')
			call_tool(&caller_local, line);
	}
	if (getenv("RECORD"))
		fwrite(out.p, 1, out.n, stdout);
	else if (strcmp(out.p, all.p)) {
		size_t at = 0;
		while (out.p[at] == all.p[at])
			at++;
		while (at && all.p[at - 1] != '\n')
			at--;
		fail_msg("wants: %.900s\nis:    %.900s", all.p + at, out.p + at);
	}
	buf_free(&all);
}

static int open_all(void **state)
{
	static const char *const uris[SHARDS] = { "h.example/shop/web", "h.example/shop/api",
		"h.example/other/api" };
	struct coordinator_config o = { 0 };
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	a = arena_new();
	strcpy(dir, "/tmp/atoll-tools.XXXXXX");
	assert_non_null(mkdtemp(dir));
	char *argv[16] = { "atoll-coordinator", "--data", arena_printf(a, "%s/data", dir), "--http", "",
		"--listen", arena_printf(a, "ipc://%s/members", dir), "--probe-interval-ms=100" };
	int argc = 8;
	for (int i = 0; i < SHARDS; i++) {
		shards[i] = (struct shard){
			.id = i, .uri = uris[i], .url = arena_printf(a, "ipc://%s/s%d", dir, i)
		};
		shards[i].server = wire_listen(
		    shards[i].url, &(struct wire_trust){ 0 }, 8, on_request, &shards[i], &e);
		assert_non_null(shards[i].server);
		argv[argc++] = "--shard";
		argv[argc++] = arena_str(a, shards[i].url);
	}
	if (coordinator_options(&o, argc, argv, a, &e))
		fail_msg("%s", e.msg);
	o.search_deadline_ms = o.contracts_deadline_ms = BUSY_MS;
	o.sync_delay_ms = 0;
	o.index_max_age = 0;
	o.calls_per_second = 0;
	if (!(co = coordinator_open(&o, &e)))
		fail_msg("%s", e.msg);
	for (int i = 0; i < SHARDS; i++)
		wait_health(shards[i].uri, "healthy");
	is_no_longer_listed("\"phase\":\"count\"");
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	coordinator_close(co);
	for (int i = 0; i < SHARDS; i++) {
		wire_server_free(shards[i].server);
		buf_free(&asked[i]);
	}
	buf_free(&out);
	if (system(arena_printf(a, "rm -rf %s", dir)))
		return -1;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(tools_answer_as_the_transcript_says) };

	return cmocka_run_group_tests(tests, open_all, close_all);
}
