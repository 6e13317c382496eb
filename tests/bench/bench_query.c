/*
 * Latency of a tool over one kept-alive HTTP connection, one request at a time.
 *   bench_query URL TOOL FILE      FILE: one JSON object of arguments a line; each is sent once
 * Prints "query_us COUNT p50 p99 incomplete failed".
 */
#include <curl/curl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"

static size_t keep(char *p, size_t size, size_t n, void *arg)
{
	buf_put(arg, p, size * n);
	return size * n;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static char line[65536], url[512];
	int64_t *us = NULL;
	size_t n = 0, cap = 0, incomplete = 0, failed = 0;
	struct buf body = { 0 };
	FILE *f = argc == 4 ? fopen(argv[3], "r") : NULL;

	if (!f)
		return fprintf(stderr, "usage: bench_query URL TOOL FILE\n"), 2;
	snprintf(url, sizeof url, "%s/api/v1/%s", argv[1], argv[2]);
	CURL *c = curl_easy_init();
	struct curl_slist *h = curl_slist_append(NULL, "Content-Type: application/json");
	curl_easy_setopt(c, CURLOPT_URL, url);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, h);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, keep);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, &body);
	curl_easy_setopt(c, CURLOPT_TCP_NODELAY, 1L);
	while (fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		long status = 0;
		body.n = 0;
		curl_easy_setopt(c, CURLOPT_POSTFIELDS, line);
		int64_t t = clock_us();
		CURLcode rc = curl_easy_perform(c);
		t = clock_us() - t;
		curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
		failed += rc || status != 200;
		incomplete += !rc && body.p && !strstr(body.p, "\"complete\":true");
		us = grow(us, &cap, n + 1, sizeof *us);
		us[n++] = t;
	}
	if (!n)
		return fprintf(stderr, "%s: no queries\n", argv[3]), 2;
	qsort(us, n, sizeof *us, by_value);
	printf("query_us %zu %lld %lld %zu %zu\n", n, (long long)us[n / 2], (long long)us[n * 99 / 100], incomplete, failed);
	curl_slist_free_all(h);
	curl_easy_cleanup(c);
	fclose(f);
	buf_free(&body);
	free(us);
	return failed != 0;
}
