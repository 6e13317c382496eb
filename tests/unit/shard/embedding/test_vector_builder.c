/* The child that makes vectors: which texts it embeds, what it keeps of an older file, what it reports, and failures of an API. */
#include "tests/indexed_repository.h"

#include <pthread.h>

#include "proto/base/clock.h"
#include "shard/index/bm25.h"
#include "shard/vectors/vector_file.h"
#include "tests/fake_http.h"

enum { DIM = 4 };

static const char *place_of(const char *name)
{
	return arena_printf(a, "%s/%s", dir, name);
}

static const char *contents(const char *path)
{
	char text[4096];
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	size_t n = fread(text, 1, sizeof text, f);
	fclose(f);
	return arena_strn(a, text, n);
}

/* ---- the repository ---- */

static void write_pool(const char *body)
{
	FILE *f = fopen(place_of("repo/pool.py"), "w");

	assert_non_null(f);
	fprintf(f,
	    "class Pool:\n    \"\"\"Connections that wait.\"\"\"\n\n    def take(self):\n        %s\n\n"
	    "    def give(self, connection):\n        self.free.append(connection)\n        return len(self.free)\n",
	    body);
	fclose(f);
}

static void make(void)
{
	run("git init -q -b main .");
	write_pool("return self.free.pop()");
	run("printf 'from pool import Pool\\n\\n\\ndef test_waits_for_a_connection():\\n    assert Pool().take()\\n' >test_pool.py");
	run("printf 'def size(path):\\n    \"\"\"Bytes of a file.\"\"\"\\n    return path.stat().st_size\\n' >sizes.py");
	run("git add -A");
	commit_staged(1, "ann@x.example", "pool: connections wait their turn");
}

/* ---- the file of vectors ---- */

/* What `vectors.bin` has: the name of the index, segments, rows; those of documents and of files' summaries. */
struct found {
	char index[64];
	size_t segments, rows, documents, summaries, marks; /* marks: of the commit */
};

static struct found found(void)
{
	struct err e = { 0 };
	struct vectors *v = vectors_open(s.src.data, NULL, &e);
	struct found f = { 0 };

	if (!v)
		fail_msg("%s", e.msg);
	snprintf(f.index, sizeof f.index, "%s", v->head.index);
	f.segments = v->n;
	f.rows = v->rows;
	for (size_t i = 0; i < v->n; i++)
		for (size_t k = 0; k < v->v[i].n; k++) {
			uint32_t id = v->v[i].docs[k];
			f.documents += !(id & VECTORS_FILE_ROW);
			f.summaries += id > VECTORS_FILE_ROW;
			f.marks += id == VECTORS_FILE_ROW;
		}
	vectors_close(v);
	return f;
}

static struct vector_status status(void)
{
	struct vectors_checkpoint checked = { 0 };
	struct vector_status v;
	struct index_info now;
	struct err e = { 0 };

	assert_int_equal(store_current(s.src.data, &now, &e), 0);
	vector_status_read(&o, s.src.data, &now, &checked, &v);
	return v;
}

static const char *index_name(void)
{
	struct index_info now;
	struct err e = { 0 };

	assert_int_equal(store_current(s.src.data, &now, &e), 0);
	return arena_str(a, now.file);
}

static void index_now(bool force)
{
	o.force = force;
	in_child(ingest_run);
}

/* Makes vectors; what the child reports. */
static const char *reported(void)
{
	int rc = child_status(vector_builder_run);
	const char *text = contents(place_of("reported"));

	assert_int_equal(rc != 0, !strncmp(text, "error ", 6) || strstr(text, "\nerror ") != NULL);
	return text;
}

static int begin(void **state)
{
	(void)state;
	open_repository(NULL, make, NULL, 0);
	index_now(false);
	return 0;
}

/* ---- tests ---- */

static void all_at_first(void **state)
{
	(void)state;
	assert_int_equal(status().done, 0);
	assert_int_equal(status().total, 6);
	assert_string_equal(status().fingerprint, "");
	assert_string_equal(reported(), "vectors 0 6\nvectors 6 6\npublished\n");
	struct found f = found();
	assert_string_equal(f.index, index_name());
	assert_int_equal(f.segments, 1);
	assert_int_equal(f.documents, 6);
	assert_int_equal(f.summaries, 1);
	assert_int_equal(f.marks, 1);
	struct vector_status v = status();
	assert_int_equal(v.done, 6);
	assert_int_equal(v.total, 6);
	assert_true(v.files_done);
	assert_string_equal(v.fingerprint, embedder_fingerprint(embedder));
	struct stat file;
	assert_int_equal(stat(arena_printf(a, "%s/vectors.bin", s.src.data), &file), 0);
	assert_int_equal(v.bytes, file.st_size);
	assert_int_equal(v.verified.bytes, v.bytes);
	assert_string_equal(reported(), "vectors 6 6\nvectors 6 6\nunchanged\n");
}

static void a_commit_embeds_what_changed(void **state)
{
	(void)state;
	reported();
	size_t before = found().rows;
	write_pool("return self.free.pop(0)");
	run("git add -A");
	commit_staged(2, "ann@x.example", "pool: the oldest first");
	index_now(false);
	assert_int_equal(status().done, 5);	/* all but the method */
	assert_false(status().files_done);
	assert_string_equal(reported(), "vectors 5 6\nvectors 6 6\npublished\n");
	struct found f = found();
	assert_int_equal(f.segments, 2);
	assert_int_equal(f.rows, before + 1 + 1 + 1);	/* a summary, and the mark */
	assert_int_equal(f.summaries, 2);
	assert_int_equal(f.marks, 2);
	assert_true(status().files_done);
}

static void only_the_summaries(void **state)
{
	(void)state;
	reported();
	run("git commit -q --allow-empty -m x --author 'a <a@b>'");
	index_now(false);
	assert_int_equal(status().done, 6);
	assert_false(status().files_done);
	assert_string_equal(reported(), "vectors 6 6\nvectors 6 6\nunchanged\n");
	assert_true(status().files_done);
	assert_int_equal(found().summaries, 1);
	assert_int_equal(found().marks, 2);
}

static void a_new_index_keeps_the_rows(void **state)
{
	(void)state;
	reported();
	const char *old = index_name();
	index_now(true);
	assert_string_not_equal(index_name(), old);
	assert_int_equal(status().done, 0);
	assert_string_equal(reported(), "vectors 6 6\nvectors 6 6\nunchanged\n");
	struct found f = found();
	assert_string_equal(f.index, index_name());
	assert_int_equal(f.documents, 6);
	assert_int_equal(f.summaries, 1);
	assert_int_equal(status().done, 6);
	assert_true(status().files_done);
}

static void damage_is_made_anew(void **state)
{
	(void)state;
	reported();
	const char *path = arena_printf(a, "%s/vectors.bin", s.src.data);
	struct stat file;
	assert_int_equal(stat(path, &file), 0);
	assert_int_equal(truncate(path, file.st_size - 1), 0);
	assert_int_equal(status().done, 0);
	assert_string_equal(reported(), "vectors 0 6\nvectors 6 6\npublished\n");
	assert_int_equal(found().documents, 6);
	assert_int_equal(truncate(path, 10), 0);
	assert_string_equal(reported(), "vectors 0 6\nvectors 6 6\npublished\n");
	assert_int_equal(unlink(path), 0);
	assert_string_equal(reported(), "vectors 0 6\nvectors 6 6\npublished\n");
	assert_int_equal(status().done, 6);
}

/* Rows that nobody uses, more than half, go. */
static void dead_rows_go(void **state)
{
	(void)state;
	reported();
	run("git rm -q pool.py test_pool.py && git add -A");
	commit_staged(2, "ann@x.example", "no pool");
	index_now(false);
	assert_int_equal(status().total, 1);
	assert_int_equal(status().done, 1);
	assert_string_equal(reported(), "vectors 1 1\nvectors 1 1\nunchanged\n");
	struct found f = found();
	assert_int_equal(f.segments, 1);
	assert_int_equal(f.documents, 1);
	assert_int_equal(f.marks, 1);
	assert_int_equal(status().done, 1);
	assert_true(status().files_done);
}

/* ---- an API ---- */

static struct {
	pthread_mutex_t lock;
	struct buf asked; /* the number of texts of each request */
	int dim, fails_from; /* which request is refused, from 0; negative: none */
	int n;
} api = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void put_vector(struct buf *b, int i)
{
	buf_printf(b, "%s{\"object\":\"embedding\",\"index\":%d,\"embedding\":[1", i ? "," : "", i);
	for (int k = 1; k < api.dim; k++)
		buf_printf(b, ",%d", (i + k) % 3);
	buf_str(b, "]}");
}

static void api_answer(const struct fake_request *r, struct buf *reply)
{
	struct buf b = { 0 };
	const char *input = strstr(r->body, "\"input\"");
	int n = 0;

	/* each text begins behind `["` or `","` */
	for (const char *p = input ? strchr(input, '[') : NULL; p; p = strstr(p + 1, "\",\""))
		n++;
	pthread_mutex_lock(&api.lock);
	buf_printf(&api.asked, "%d ", n);
	if (api.n++ == api.fails_from) {
		fake_json(reply, 403, "{}");
	} else {
		buf_str(&b, "{\"object\":\"list\",\"data\":[");
		for (int i = 0; i < n; i++)
			put_vector(&b, i);
		buf_str(&b, "]}");
		fake_json(reply, 200, b.p);
	}
	pthread_mutex_unlock(&api.lock);
	buf_free(&b);
}

/* The numbers of texts of the requests since the last time. */
static const char *asked(void)
{
	pthread_mutex_lock(&api.lock);
	const char *text = arena_strn(a, api.asked.p ? api.asked.p : "", api.asked.n);
	api.asked.n = 0;
	api.n = 0;
	pthread_mutex_unlock(&api.lock);
	return text;
}

static int begin_api(void **state)
{
	char url[60];

	(void)state;
	api.dim = DIM;
	api.fails_from = -1;
	api.n = 0;
	if (fake_start(api_answer))
		return -1;
	snprintf(url, sizeof url, "http://127.0.0.1:%d", fake.port);
	const char *const options[] = { "--embedder", "http", "--embed-url", url, "--embed-model",
		"tiny", "--embed-batch", "3" };
	open_repository(NULL, make, options, LEN(options));
	index_now(false);
	return 0;
}

static int end_api(void **state)
{
	fake_stop();
	buf_free(&api.asked);
	return close_repository(state);
}

static void an_api_is_asked_in_parts(void **state)
{
	(void)state;
	assert_string_equal(
	    reported(), "vectors 0 6\nvectors 3 6\nvectors 6 6\nvectors 6 6\nvectors 6 6\npublished\n");
	assert_string_equal(asked(), "1 3 2 1 ");
	struct found f = found();
	assert_int_equal(f.documents, 6);
	assert_int_equal(f.summaries, 1);
	assert_string_equal(status().fingerprint, "http:tiny:4:1");
	assert_int_equal(status().done, 6);
}

static void what_an_api_answered_stays(void **state)
{
	(void)state;
	api.fails_from = 2;
	assert_string_equal(reported(),
	    arena_printf(a,
	        "vectors 0 6\nvectors 3 6\nvectors 3 6\nerror UNAVAILABLE the embedding API at"
	        " http://127.0.0.1:%d/v1/embeddings answered HTTP 403\n",
	        fake.port));
	asked();
	assert_int_equal(status().done, 3);
	api.fails_from = -1;
	assert_string_equal(
	    reported(), "vectors 3 6\nvectors 6 6\nvectors 6 6\nvectors 6 6\npublished\n");
	assert_string_equal(asked(), "1 2 1 ");
	assert_int_equal(status().done, 6);
}

/* Vectors of two dimensions cannot be compared: all are made again. */
static void an_api_with_another_dimension(void **state)
{
	(void)state;
	reported();
	write_pool("return None");
	run("git add -A");
	commit_staged(2, "ann@x.example", "none");
	index_now(false);
	api.dim = DIM + 1;
	const char *text = reported();
	assert_non_null(strstr(text,
	    "\nerror EMBEDDER_MISMATCH vectors of model `tiny` had dimension 4 and have 5 now; all are made again\n"));
	assert_int_equal(status().done, 0);
	reported();
	assert_int_equal(status().done, 6);
	assert_string_equal(status().fingerprint, "http:tiny:5:1");
}

static void settings_name_what_decides(void **state)
{
	struct options x = o;
	char first[VECTORS_TEXT_SIZE], other[VECTORS_TEXT_SIZE];

	(void)state;
	vectors_settings(&x, embedder, first);
	assert_int_equal(strlen(first), 64);
	x.embed_timeout++;
	x.embed_query_prefix = "query";
	vectors_settings(&x, embedder, other);
	assert_string_equal(first, other);
	x.embed_document_prefix = "document";
	vectors_settings(&x, embedder, other);
	assert_string_not_equal(first, other);
	x.embed_document_prefix = o.embed_document_prefix;
	x.embed_dimension = 7;
	vectors_settings(&x, embedder, other);
	assert_string_not_equal(first, other);
	x.embed_dimension = 0;
	x.embed_model = "tin";
	vectors_settings(&x, embedder, other);
	assert_string_not_equal(first, other);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, close_repository)
#define TEST_API(f) cmocka_unit_test_setup_teardown(f, begin_api, end_api)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_at_first),
		TEST(a_commit_embeds_what_changed),
		TEST(only_the_summaries),
		TEST(a_new_index_keeps_the_rows),
		TEST(damage_is_made_anew),
		TEST(dead_rows_go),
		TEST_API(an_api_is_asked_in_parts),
		TEST_API(what_an_api_answered_stays),
		TEST_API(an_api_with_another_dimension),
		TEST_API(settings_name_what_decides),
	};

	repo_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
