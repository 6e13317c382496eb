/* The builtin model against its test vectors and a slow implementation of model/SPEC.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/buf.h"
#include "proto/base/cpu_features.h"
#include "proto/base/err.h"
#include "proto/embed/embedder.h"
#include "proto/embed/embedding_model.h"
#include "proto/embed/subword_tokens.h"
#include "proto/net/crypto.h"

enum { DIM = 256 };
static const double near_enough = 2e-5;

static const char *bytes;
static size_t nbytes;

static const struct {
	const char *text, *words;
} splits[] = {
	{ "getURLs(XMLHttpRequest2)", "get urls xml http request" },
	{ "", "" },
	{ "a b c 1 2 _ 3", "" },
	{ "snake_case_name CONSTANT_NAME", "snake case name constant name" },
	{ "sha256sum utf8 x86_64 3d", "sha 256 sum utf 86 64" },
	{ "IDs IDsAre URLsX As ASs ABs1 ABsx", "ids ids are urls as ass abs bsx" },
	{ "HTTPServer2 HTTPSServer aB aBC abC ABc", "http server https server bc ab bc" },
	{ "na\xc3\xafve \xff\xfe zz\x80yy a\0b", "na ve zz yy" },
	{ "abcdefghijklmnopqrstuvwxyzabcdefghijklmnop", "abcdefghijklmnopqrstuvwxyzabcdef" },
	{ "12345678901234567890123456789012345", "12345678901234567890123456789012" },
	{ "parse->the*HTTP,request\theaders\n", "parse the http request headers" },
};

static void words_are_split(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(splits); i++) {
		struct subtokens s = { (const unsigned char *)splits[i].text,
			(const unsigned char *)splits[i].text + strlen(splits[i].text) };
		char word[SUBTOKEN_MAX], got[400] = "";
		for (size_t n; (n = subtokens_next(&s, word));)
			sprintf(got + strlen(got), "%s%.*s", *got ? " " : "", (int)n, word);
		assert_string_equal(got, splits[i].words);
	}
}

/* ---- the slow implementation: complete tables, doubles, linear search ---- */

static uint32_t u32(size_t offset)
{
	uint32_t x;

	memcpy(&x, bytes + offset, 4);
	return x;
}

static float f32(size_t offset)
{
	float x;

	memcpy(&x, bytes + offset, 4);
	return x;
}

static long word_row(const char *word, size_t n)
{
	for (uint32_t i = 0; i < u32(20); i++) {
		uint32_t start = u32(u32(56) + 4 * i), end = u32(u32(56) + 4 * i + 4);
		if (end - start == n && !memcmp(bytes + u32(60) + start, word, n))
			return i;
	}
	return -1;
}

static void plain_word(double *counts, const char *word, size_t n, double weight)
{
	char s[64];
	long row = word_row(word, n);
	int grams = 0;

	if (row >= 0) {
		counts[row] += weight;
		return;
	}
	int len = sprintf(s, "<%.*s>", (int)n, word);
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < len; i++)
			for (int k = 3; k <= 5 && i + k <= len; k++) {
				uint32_t h = 2166136261u;
				for (int j = i; j < i + k; j++)
					h = (h ^ (unsigned char)s[j]) * 16777619u;
				if (pass)
					counts[u32(20) + h % u32(24)] += weight / grams;
				else
					grams++;
			}
}

/* Splits exactly as the page describes, on a copy of each run. */
static void plain(const char *text, size_t n, double *v)
{
	double *counts = calloc(u32(20) + u32(24), sizeof *counts), sum = 0;
	size_t seen = 0;

	memset(v, 0, DIM * sizeof *v);
	for (size_t i = 0, end; i < n; i = end) {
		char run[4096] = "", piece[4096];
		for (end = i; end < n &&
		     strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", text[end]) &&
		     text[end];
		     end++)
			run[end - i] = text[end];
		size_t len = end - i, from = 0;
		for (size_t k = 1; k <= len; k++) {
			char p = run[k - 1], c = run[k], next = k < len ? run[k + 1] : 0,
			     then = next ? run[k + 2] : 0;
			bool digit = (p <= '9') != (c <= '9'), hump = p >= 'a' && c >= 'A' && c <= 'Z';
			bool last = p >= 'A' && p <= 'Z' && c >= 'A' && c <= 'Z' && next >= 'a' &&
			    (next != 's' || then >= 'a');
			if (k < len && !digit && !hump && !last)
				continue;
			size_t m = k - from < 32 ? k - from : 32;
			for (size_t j = 0; j < m; j++)
				piece[j] = (char)(run[from + j] >= 'A' && run[from + j] <= 'Z' ?
				        run[from + j] + 32 :
				        run[from + j]);
			if (k - from > 1)
				plain_word(counts, piece, m, seen++ < u32(68) ? f32(72) : 1);
			from = k;
		}
		end += !len;
	}
	for (uint32_t r = 0; r < u32(20) + u32(24); r++)
		for (int j = 0; counts[r] > 0 && j < DIM; j++)
			v[j] += (counts[r] <= 1 ? counts[r] : pow(counts[r], f32(44))) * f32(u32(48) + 4 * r) *
			    (signed char)bytes[u32(52) + r * DIM + (size_t)j];
	for (int j = 0; j < DIM; j++)
		sum += v[j] * v[j];
	for (int j = 0; sum > 0 && j < DIM; j++)
		v[j] /= sqrt(sum);
	free(counts);
}

static struct embedder *builtin(void)
{
	struct embedder *m = embedder_open(&(struct embedder_options){ .kind = "builtin" }, NULL);

	assert_non_null(m);
	assert_int_equal(embedder_dim(m), DIM);
	assert_string_equal(embedder_fingerprint(m), "builtin:code-embed:256:1");
	return m;
}

static void same_as_plain(struct embedder *m, const char *text, size_t n)
{
	float v[DIM];
	double w[DIM];

	plain(text, n, w);
	assert_int_equal(
	    embedder_embed(m, EMBED_DOCUMENT, &(struct embed_text){ text, n }, 1, 1000, v, NULL), 0);
	for (int j = 0; j < DIM; j++)
		if (fabs(v[j] - w[j]) > near_enough)
			fail_msg("[%d] %f, not %f: %.60s", j, v[j], w[j], text);
}

/* Edge cases of the page: no words, long words, words that differ only in case, all bytes. */
static void odd_texts_are_as_the_plain_reading_says(void **state)
{
	struct embedder *m = builtin();
	char all[256 * 3], noise[2000];
	uint32_t x = 1;

	(void)state;
	for (size_t i = 0; i < LEN(splits); i++)
		same_as_plain(m, splits[i].text, strlen(splits[i].text));
	for (int i = 0; i < 256; i++)
		all[3 * i] = 'q', all[3 * i + 1] = (char)i, all[3 * i + 2] = 'z';
	same_as_plain(m, all, sizeof all);
	for (int round = 0; round < 20; round++) {
		for (size_t i = 0; i < sizeof noise; i++) {
			x = x * 1103515245 + 12345;
			noise[i] = "aabcdeeinorstxzABCDSSTX0189__  .\xe4"[(x >> 16) % 33];
		}
		same_as_plain(m, noise, sizeof noise);
	}
	embedder_free(m);
}

/* ---- test-vectors.txt ---- */

static const char *const texts[] = {
	"parse the HTTP request headers",
	"func ParseHeaders(r *http.Request) (map[string]string, error) { return readHeaderMap(r.Body) }",
	"def open_db_connection(self, dsn, timeout=30): return self.pool.acquire(dsn, timeout)",
	"where do we connect to the database?",
	"getURLs(XMLHttpRequest2 zqxvkwj) // sha256 na\xc3\xafve a b c",
};

static void the_test_vectors_hold(void **state)
{
	struct embedder *m = builtin();
	struct embed_text v[LEN(texts)];
	float out[LEN(texts)][DIM], want;
	char line[400];
	int checked = 0, i, k;
	FILE *f = fopen("proto/embed/model/test-vectors.txt", "r");

	(void)state;
	assert_non_null(f);
	for (size_t t = 0; t < LEN(texts); t++)
		v[t] = (struct embed_text){ texts[t], strlen(texts[t]) };
	assert_int_equal(embedder_embed(m, EMBED_DOCUMENT, v, LEN(texts), 1000, *out, NULL), 0);
	for (int t = -1; fgets(line, sizeof line, f);) {
		double sum = 0;
		if (sscanf(line, "cos(T%d,T%d) = %f", &i, &k, &want) == 3) {
			for (int j = 0; j < DIM; j++)
				sum += (double)out[i - 1][j] * out[k - 1][j];
			assert_true(fabs(sum - want) < near_enough);
			checked++;
		} else if (*line == 'T') {
			t = atoi(line + 1) - 1;
		} else {
			char *p = line;
			for (int j = 0; j < 8; j++, checked++)
				assert_true(fabs(strtod(p, &p) - out[t][j]) < near_enough);
		}
	}
	assert_int_equal(checked, 5 * 8 + 10);
	fclose(f);
	embedder_free(m);
}

/* Words of a question are weighted (word_weights.h); those of a document are not. */
static void questions_weigh_their_words(void **state)
{
	static const struct embed_text v[] = { { "zxq qvw", 7 }, { "specify the checksum", 20 },
		{ "checksum", 8 } };
	struct embedder *m = builtin();
	float doc[LEN(v)][DIM], asked[LEN(v)][DIM];
	double as_document = 0, as_question = 0;

	(void)state;
	assert_int_equal(embedder_embed(m, EMBED_DOCUMENT, v, LEN(v), 1000, *doc, NULL), 0);
	assert_int_equal(embedder_embed(m, EMBED_QUERY, v, LEN(v), 1000, *asked, NULL), 0);
	assert_memory_equal(doc[0], asked[0], sizeof doc[0]);	/* words that nothing is known of */
	for (int j = 0; j < DIM; j++) {
		as_document += (double)doc[1][j] * doc[2][j];
		as_question += (double)asked[1][j] * doc[2][j];
	}
	assert_true(as_question != as_document && as_question > 0);
	embedder_free(m);
}

/* ---- the file ---- */

static void the_model_is_the_one_of_its_page(void **state)
{
	char hex[SHA256_HEX], own[SHA256_HEX];

	(void)state;
	crypto_sha256(bytes, nbytes, hex);
	assert_string_equal(hex, "57547c9b8808fc63de19e32ad641fe86fb1a9c56d40b8003bac396dd58671da5");
	crypto_sha256(bytes + 128, nbytes - 128, hex);
	for (int i = 0; i < 32; i++)
		sprintf(own + 2 * i, "%02x", (unsigned char)bytes[96 + i]);
	assert_string_equal(hex, own);
	assert_int_equal((uintptr_t)bytes % 64, 0);
}

static void a_file_that_is_not_whole_is_refused(void **state)
{
	static const struct {
		size_t at;
		uint32_t value;
	} damage[] = { { 0, 0 }, { 8, 2 }, { 12, 64 }, { 16, 0 }, { 16, 100 }, { 20, 65535 }, { 24, 0 },
		{ 24, 60000 }, { 28, 0 }, { 32, 2 }, { 36, 64 }, { 40, 1 }, { 48, 0 }, { 48, 130 },
		{ 48, 8080000 }, { 52, 0xfffffff0 }, { 56, 7900000 }, { 60, 8080416 }, { 64, 8080411 },
		{ 76, 128 } };
	char *copy = malloc(nbytes);

	(void)state;
	for (size_t i = 0; i < LEN(damage); i++) {
		struct err e = { 0 };
		memcpy(copy, bytes, nbytes);
		memcpy(copy + damage[i].at, &damage[i].value, 4);
		assert_null(model_open(copy, nbytes, &e));
		assert_int_equal(e.code, ERR_INTERNAL);
	}
	memcpy(copy, bytes, nbytes);
	memset(copy + u32(56) + 400, 0xff, 4);
	assert_null(model_open(copy, nbytes, NULL));
	assert_null(model_open(bytes, nbytes - 1, NULL));
	assert_null(model_open(bytes, 100, NULL));
	free(copy);
}

static void every_processor_sums_alike(void **state)
{
	struct weighted_row part[300];
	float plain_sum[DIM], v[DIM];
	const struct model_sum_kernel *last = model_sum_kernels;

	(void)state;
	for (uint32_t i = 0; i < LEN(part); i++)
		part[i] = (struct weighted_row){ i * 97, (float)i / 7 - 20 };
	while (last->needs)
		last++;
	last->sum((const int8_t *)bytes + u32(52), DIM, part, LEN(part), plain_sum);
	for (const struct model_sum_kernel *s = model_sum_kernels; s < last; s++) {
		if ((s->needs & cpu_features()) != s->needs)
			continue;
		s->sum((const int8_t *)bytes + u32(52), DIM, part, LEN(part), v);
		for (int j = 0; j < DIM; j++)
			assert_true(fabsf(v[j] - plain_sum[j]) < 0.5f);	/* sums of some 100,000 */
	}
}

/* ---- kinds ---- */

static void a_kind_is_known_by_name(void **state)
{
	struct err e = { 0 };
	struct embedder *none = embedder_open(&(struct embedder_options){ .kind = "none" }, NULL);
	float v;

	(void)state;
	assert_int_equal(embedder_dim(none), 0);
	assert_string_equal(embedder_fingerprint(none), "");
	assert_int_equal(
	    embedder_embed(none, EMBED_QUERY, &(struct embed_text){ "a", 1 }, 1, 1, &v, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	embedder_free(none);
	assert_null(embedder_open(&(struct embedder_options){ .kind = "word2vec" }, &e));
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_non_null(strstr(e.msg, "--embedder"));
}

int main(void)
{
	bytes = model_builtin(&nbytes);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_split),
		cmocka_unit_test(the_model_is_the_one_of_its_page),
		cmocka_unit_test(the_test_vectors_hold), cmocka_unit_test(questions_weigh_their_words),
		cmocka_unit_test(odd_texts_are_as_the_plain_reading_says),
		cmocka_unit_test(every_processor_sums_alike),
		cmocka_unit_test(a_file_that_is_not_whole_is_refused),
		cmocka_unit_test(a_kind_is_known_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
