/* The http embedder against a real API process: requests, answers and failures. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/embed/embedder.h"
#include "proto/embed/openai_api.h"
#include "proto/net/http_client.h"
#include "proto/record/json.h"
#include "tests/api_server.h"

enum { DIM = 64, PATIENCE_MS = 60000 };

static struct arena *a;

static struct embedder *embedder(const char *behaviour)
{
	struct embedder *m = embedder_open(&(struct embedder_options){ .kind = "http",
	                                       .url = api_url(behaviour),
	                                       .model = "tiny",
	                                       .key = "sesame",
	                                       .batch = 3,
	                                       .query_prefix = "query: ",
	                                       .document_prefix = "document: " },
	    NULL);

	assert_non_null(m);
	return m;
}

static const struct embed_text texts[] = {
	{ "load users", 10 },
	{ "", 0 },
	{ "save orders", 11 },
	{ " \n\t", 3 },
	{ "a\0b \xff\xfe", 6 },
	{ "parse \"json\"\n", 13 },
	{ "x", 1 },
};

static int ask(
    struct embedder *m, enum embed_side side, int deadline_ms, float out[][DIM], struct err *e)
{
	memset(out, 0x7f, LEN(texts) * sizeof *out);
	return embedder_embed(m, side, texts, LEN(texts), deadline_ms, *out, e);
}

/* Unit vectors, each in its own place; zeros for texts without content. */
static void expect_vectors(const char *behaviour)
{
	struct embedder *m = embedder(behaviour);
	struct err e = { 0 };
	float v[LEN(texts)][DIM];

	assert_int_equal(embedder_dim(m), 0);
	assert_string_equal(embedder_fingerprint(m), "");
	if (embedder_detect_dim(m, PATIENCE_MS, &e))
		fail_msg("%s: %s", behaviour, e.msg);
	assert_int_equal(embedder_dim(m), DIM);
	assert_string_equal(embedder_fingerprint(m), "http:tiny:64:1");
	if (ask(m, EMBED_DOCUMENT, PATIENCE_MS, v, &e))
		fail_msg("%s: %s", behaviour, e.msg);
	for (size_t i = 0; i < LEN(texts); i++) {
		float sum = 0, alone[DIM];
		for (int j = 0; j < DIM; j++)
			sum += v[i][j] * v[i][j];
		assert_true(fabsf(sum - (i == 1 || i == 3 ? 0 : 1)) < 1e-4f);
		assert_int_equal(
		    embedder_embed(m, EMBED_DOCUMENT, &texts[i], 1, PATIENCE_MS, alone, NULL), 0);
		assert_memory_equal(v[i], alone, sizeof alone);
	}
	embedder_free(m);
}

static void answers_are_taken(void **state)
{
	(void)state;
	expect_vectors("ok");
	expect_vectors("ok/v1");
	expect_vectors("ok/v1/embeddings");
	expect_vectors("base64");
	expect_vectors("unordered");
}

static void what_fails_for_the_moment_is_repeated(void **state)
{
	(void)state;
	expect_vectors("500-once.embed");
	int64_t began = clock_ms();
	expect_vectors("429-once.embed");
	assert_true(clock_ms() - began >= 1000);	/* Retry-After: 1 */
}

/* The last request of a path, as the API saw it. */
static const struct json *seen(const char *path, struct json **all)
{
	struct fetch_response r;

	assert_int_equal(fetch(&(struct fetch_request){ .url = api_url("seen") }, &r, a, NULL), 0);
	*all = json_read(r.body, NULL);
	for (size_t i = json_len(*all); i--;)
		if (!strcmp(json_str(json_key(json_nth(*all, i), "path")), path))
			return json_nth(*all, i);
	fail_msg("nobody asked %s", path);
	return NULL;
}

static void the_request_is_as_documented(void **state)
{
	struct embedder *m = embedder("ok.asked");
	float v[LEN(texts)][DIM];
	struct json *all;

	(void)state;
	assert_int_equal(ask(m, EMBED_DOCUMENT, PATIENCE_MS, v, NULL), 0);
	const struct json *q = seen("/ok.asked/v1/embeddings", &all),
	                  *input = json_key(json_key(q, "body"), "input");
	assert_string_equal(json_str(json_key(q, "authorization")), "Bearer sesame");
	assert_string_equal(json_str(json_key(json_key(q, "body"), "model")), "tiny");
	assert_int_equal(json_len(input), 2);	/* five texts say something: three and two */
	assert_string_equal(json_str(json_nth(input, 0)), "document: parse \"json\"\n");
	json_free(all);
	assert_int_equal(embedder_embed(m, EMBED_QUERY, &texts[4], 1, PATIENCE_MS, *v, NULL), 0);
	q = seen("/ok.asked/v1/embeddings", &all);
	assert_string_equal(json_str(json_nth(json_key(json_key(q, "body"), "input"), 0)),
	    "query: a b \xef\xbf\xbd\xef\xbf\xbd");
	json_free(all);
	embedder_free(m);
}

static void the_connection_is_kept(void **state)
{
	struct embedder *m = embedder("ok.kept");
	float v[LEN(texts)][DIM];
	double port = 0, other;
	struct json *all;
	size_t asked = 0;

	(void)state;
	assert_int_equal(ask(m, EMBED_DOCUMENT, PATIENCE_MS, v, NULL), 0);
	seen("/ok.kept/v1/embeddings", &all);
	for (size_t i = 0; i < json_len(all); i++) {
		if (strcmp(json_str(json_key(json_nth(all, i), "path")), "/ok.kept/v1/embeddings"))
			continue;
		assert_true(json_num(json_key(json_nth(all, i), "from"), &other));
		assert_true(!asked++ || port == other);
		port = other;
	}
	assert_true(asked > 1);
	json_free(all);
	embedder_free(m);
}

/* A text that the API refuses as too long is cut until it is accepted; the others stay complete. */
static void a_long_text_is_cut(void **state)
{
	struct embedder *m = embedder("short");
	static char big[60000];
	float v[3][DIM], whole[DIM];

	(void)state;
	for (size_t i = 0; i < sizeof big; i += 5)
		memcpy(big + i, "na\xc3\xafve" + i % 2, 5);
	const struct embed_text three[] = { texts[0], { big, sizeof big }, texts[2] };
	assert_int_equal(embedder_embed(m, EMBED_DOCUMENT, three, 3, PATIENCE_MS, *v, NULL), 0);
	assert_int_equal(embedder_embed(m, EMBED_DOCUMENT, &texts[2], 1, PATIENCE_MS, whole, NULL), 0);
	assert_memory_equal(v[2], whole, sizeof whole);
	embedder_free(m);
}

static void expect_failure(
    const char *behaviour, int deadline_ms, enum err_code code, const char *what)
{
	struct embedder *m = embedder(behaviour);
	struct err e = { 0 };
	float v[LEN(texts)][DIM];
	int64_t began = clock_ms();

	assert_int_equal(ask(m, EMBED_QUERY, deadline_ms, v, &e), -1);
	if (e.code != code || !strstr(e.msg, what) || !strstr(e.msg, "http://127.0.0.1:"))
		fail_msg("%s: %s: %s", behaviour, err_name(e.code), e.msg);
	assert_null(strstr(e.msg, "sesame"));
	assert_true(clock_ms() - began < deadline_ms + PATIENCE_MS);
	embedder_free(m);
}

/* Waiting for longer than the deadline would be useless, so the failure tells how long to wait. */
static void the_api_says_when_to_come_again(void **state)
{
	struct embedder *m = embedder("429-long");
	struct err e = { 0 };
	float v[LEN(texts)][DIM];

	(void)state;
	assert_int_equal(ask(m, EMBED_QUERY, PATIENCE_MS, v, &e), -1);
	assert_int_equal(e.code, ERR_RATE_LIMITED);
	assert_int_equal(e.retry_after_ms, 300000);
	err_set(&e, ERR_RATE_LIMITED, "another");
	assert_int_equal(e.retry_after_ms, 0);
	embedder_free(m);
}

static void every_failure_has_its_name(void **state)
{
	(void)state;
	expect_failure("429", 1000, ERR_RATE_LIMITED, "429");
	expect_failure("500", 5000, ERR_UNAVAILABLE, "HTTP 500");
	expect_failure("ok/v1/nothing", PATIENCE_MS, ERR_UNAVAILABLE, "HTTP 404");
	expect_failure("slow", 300, ERR_UNAVAILABLE, "the embedding API");
	expect_failure("reset", 300, ERR_UNAVAILABLE, "the embedding API");
	expect_failure("truncated", 300, ERR_UNAVAILABLE, "the embedding API");
	expect_failure("malformed", PATIENCE_MS, ERR_UNAVAILABLE, "not a list of vectors");
	expect_failure("count", PATIENCE_MS, ERR_UNAVAILABLE, "number of vectors");
	expect_failure("numbers", PATIENCE_MS, ERR_UNAVAILABLE, "do not match");
	expect_failure("nan", PATIENCE_MS, ERR_UNAVAILABLE, "not a number");
	expect_failure("base64-nan", PATIENCE_MS, ERR_UNAVAILABLE, "not a number");
	expect_failure("other-dimension", PATIENCE_MS, ERR_EMBEDDER_MISMATCH, "65 numbers, not 64");
}

static void another_dimension_is_refused(void **state)
{
	struct embedder_options o = {
		.kind = "http", .url = api_url("wrong-dimension"), .model = "tiny", .dimension = DIM
	};
	struct embedder *m = embedder_open(&o, NULL);
	struct err e = { 0 };
	float v[DIM];

	(void)state;
	assert_int_equal(embedder_dim(m), DIM);
	assert_string_equal(embedder_fingerprint(m), "http:tiny:64:1");
	assert_int_equal(embedder_embed(m, EMBED_QUERY, texts, 1, PATIENCE_MS, v, &e), -1);
	assert_int_equal(e.code, ERR_EMBEDDER_MISMATCH);
	assert_non_null(strstr(e.msg, "65 numbers, not 64"));
	embedder_free(m);
}

static void nobody_there_is_said_without_secrets(void **state)
{
	struct embedder_options o = { .kind = "http",
		.url = "http://alice:hunter2@127.0.0.1:1/v1?key=hunter2",
		.model = "tiny",
		.key = "hunter2" };
	struct embedder *m = embedder_open(&o, NULL);
	struct err e = { 0 };
	float v[DIM];

	(void)state;
	assert_int_equal(embedder_embed(m, EMBED_QUERY, texts, 1, 400, v, &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_non_null(strstr(e.msg, "http://127.0.0.1:1/v1/embeddings"));
	assert_null(strstr(e.msg, "hunter2"));
	embedder_free(m);
}

static void refuse(struct embedder_options o, const char *option)
{
	struct err e = { 0 };

	o.kind = "http";
	assert_null(embedder_open(&o, &e));
	if (e.code != ERR_INVALID_INPUT || !strstr(e.msg, option))
		fail_msg("%s: %s", option, e.msg);
}

struct user {
	struct embedder *m;
	pthread_t thread;
	float v[LEN(texts)][DIM];
	int rc;
};

static void *use(void *arg)
{
	struct user *u = arg;

	u->rc = embedder_detect_dim(u->m, PATIENCE_MS, NULL);
	u->rc = u->rc || strcmp(embedder_fingerprint(u->m), "http:tiny:64:1") ||
	    ask(u->m, EMBED_DOCUMENT, PATIENCE_MS, u->v, NULL);
	return NULL;
}

static void threads_share_one(void **state)
{
	static struct user users[6];
	struct embedder *m = embedder("ok");

	(void)state;
	for (size_t i = 0; i < LEN(users); i++) {
		users[i].m = m;
		assert_int_equal(pthread_create(&users[i].thread, NULL, use, &users[i]), 0);
	}
	for (size_t i = 0; i < LEN(users); i++) {
		pthread_join(users[i].thread, NULL);
		assert_int_equal(users[i].rc, 0);
		assert_memory_equal(users[i].v, users[0].v, sizeof users[i].v);
	}
	embedder_free(m);
}

static void options_are_checked(void **state)
{
	char path[] = "/tmp/atoll-test-key-XXXXXX";
	struct json *all;
	float v[DIM];
	int fd = mkstemp(path);

	(void)state;
	refuse((struct embedder_options){ .model = "m" }, "--embed-url");
	refuse((struct embedder_options){ .url = "ftp://x", .model = "m" }, "--embed-url");
	refuse((struct embedder_options){ .url = "http://x" }, "--embed-model");
	refuse(
	    (struct embedder_options){
	        .url = "http://x", .model = "m", .dimension = EMBED_DIM_MAX + 1 },
	    "--embed-dimension");
	refuse((struct embedder_options){ .url = "http://x", .model = "m", .batch = 1 << 20 },
	    "--embed-batch");
	refuse((struct embedder_options){ .url = "http://x", .model = "m", .key = "a\r\nHost: b" },
	    "--embed-url");
	refuse((struct embedder_options){ .url = "http://x", .model = "m", .key_file = "/nowhere" },
	    "--embed-key-file");
	refuse((struct embedder_options){ .url = "http://x", .model = "m", .key_file = path },
	    "--embed-key-file");
	assert_int_equal(write(fd, "open\nsecond\n", 12), 12);
	close(fd);
	struct embedder *m = embedder_open(&(struct embedder_options){ .kind = "http",
	                                       .url = api_url("ok.key"),
	                                       .model = "tiny",
	                                       .key = "sesame",
	                                       .key_file = path },
	    NULL);
	assert_int_equal(embedder_embed(m, EMBED_QUERY, texts, 1, PATIENCE_MS, v, NULL), 0);
	assert_string_equal(
	    json_str(json_key(seen("/ok.key/v1/embeddings", &all), "authorization")), "Bearer open");
	json_free(all);
	embedder_free(m);
	unlink(path);
}

static void addresses(void **state)
{
	static const char *const pairs[][2] = {
		{ "http://h", "http://h/v1/embeddings" },
		{ "http://h:1/", "http://h:1/v1/embeddings" },
		{ "http://h/v1", "http://h/v1/embeddings" },
		{ "http://h/v1//", "http://h/v1/embeddings" },
		{ "http://v1", "http://v1/v1/embeddings" },
		{ "https://h/api/v3", "https://h/api/v3/embeddings" },
		{ "https://h/v1beta/openai", "https://h/v1beta/openai/embeddings" },
		{ "http://h/proxy", "http://h/proxy/v1/embeddings" },
		{ "http://h/v1/embeddings", "http://h/v1/embeddings" },
		{ "http://h/v1?x=1", "http://h/v1/embeddings?x=1" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(pairs); i++)
		assert_string_equal(openai_url(pairs[i][0], "embeddings", a), pairs[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses),
		cmocka_unit_test(options_are_checked),
		cmocka_unit_test(the_request_is_as_documented),
		cmocka_unit_test(answers_are_taken),
		cmocka_unit_test(what_fails_for_the_moment_is_repeated),
		cmocka_unit_test(the_connection_is_kept),
		cmocka_unit_test(a_long_text_is_cut),
		cmocka_unit_test(threads_share_one),
		cmocka_unit_test(the_api_says_when_to_come_again),
		cmocka_unit_test(every_failure_has_its_name),
		cmocka_unit_test(another_dimension_is_refused),
		cmocka_unit_test(nobody_there_is_said_without_secrets),
	};

	if (api_start())
		return puts("Bail out! no Node for tests/api/server.mjs"), 1;
	a = arena_new();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(a);
	api_stop();
	return rc;
}
