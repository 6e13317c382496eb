/*
 * Latency of a tool over kept-alive HTTP connections, one request at a time on each.
 *   bench_query URL TOOL FILE [CLIENTS]    FILE: one JSON object of arguments a line; each is sent once
 * Prints "query_us COUNT p50 p99 incomplete failed answered skipped": the last two are members of an answer, on average.
 */
#include <curl/curl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"

struct run {
	char url[512];
	char **line;
	int64_t *us;
	size_t n, next;			/* next: the line that nobody has taken */
	size_t incomplete, failed, answered, skipped;
	pthread_mutex_t lock;
};

static size_t keep(char *p, size_t size, size_t n, void *arg)
{
	buf_put(arg, p, size * n);
	return size * n;
}

static size_t number(const char *body, const char *key)
{
	const char *s = body ? strstr(body, key) : NULL;

	return s ? strtoul(s + strlen(key), NULL, 10) : 0;
}

/* Send the lines that are left, until there are none. */
static void *client(void *arg)
{
	struct run *r = arg;
	struct buf body = { 0 };
	CURL *c = curl_easy_init();
	struct curl_slist *h = curl_slist_append(NULL, "Content-Type: application/json");

	curl_easy_setopt(c, CURLOPT_URL, r->url);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, h);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, keep);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, &body);
	curl_easy_setopt(c, CURLOPT_TCP_NODELAY, 1L);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	pthread_mutex_lock(&r->lock);
	while (r->next < r->n) {
		size_t i = r->next++;
		long status = 0;
		pthread_mutex_unlock(&r->lock);
		body.n = 0;
		curl_easy_setopt(c, CURLOPT_POSTFIELDS, r->line[i]);
		int64_t t = clock_us();
		CURLcode rc = curl_easy_perform(c);
		r->us[i] = clock_us() - t;
		curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
		buf_byte(&body, 0);
		pthread_mutex_lock(&r->lock);
		r->failed += rc || status != 200;
		r->incomplete += !rc && !strstr(body.p, "\"complete\":true");
		r->answered += number(body.p, "\"answered\":");
		r->skipped += number(body.p, "\"skipped\":");
	}
	pthread_mutex_unlock(&r->lock);
	curl_slist_free_all(h);
	curl_easy_cleanup(c);
	buf_free(&body);
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void read_lines(struct run *r, FILE *f)
{
	static char line[65536];
	size_t cap = 0;

	while (fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		r->line = grow(r->line, &cap, r->n + 1, sizeof *r->line);
		if (!(r->line[r->n++] = strdup(line)))
			abort();
	}
}

enum { CLIENTS = 64 };

int main(int argc, char **argv)
{
	struct run r = { .lock = PTHREAD_MUTEX_INITIALIZER };
	int clients = argc == 5 ? atoi(argv[4]) : 1;
	FILE *f = argc == 4 || argc == 5 ? fopen(argv[3], "r") : NULL;
	pthread_t t[CLIENTS];

	if (!f || clients < 1 || clients > CLIENTS)
		return fprintf(stderr, "usage: bench_query URL TOOL FILE [CLIENTS]\n"), 2;
	snprintf(r.url, sizeof r.url, "%s/api/v1/%s", argv[1], argv[2]);
	read_lines(&r, f);
	fclose(f);
	if (!r.n || !(r.us = calloc(r.n, sizeof *r.us)))
		return fprintf(stderr, "%s: no queries\n", argv[3]), 2;
	curl_global_init(CURL_GLOBAL_DEFAULT);
	for (int i = 0; i < clients; i++)
		if (pthread_create(&t[i], NULL, client, &r))
			return perror("thread"), 2;
	for (int i = 0; i < clients; i++)
		pthread_join(t[i], NULL);
	qsort(r.us, r.n, sizeof *r.us, by_value);
	printf("query_us %zu %lld %lld %zu %zu %.1f %.1f\n", r.n, (long long)r.us[r.n / 2], (long long)r.us[r.n * 99 / 100],
	    r.incomplete, r.failed, (double)r.answered / (double)r.n, (double)r.skipped / (double)r.n);
	for (size_t i = 0; i < r.n; i++)
		free(r.line[i]);
	free(r.line);
	free(r.us);
	return r.failed != 0;
}
