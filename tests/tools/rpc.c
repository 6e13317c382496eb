/*
 * rpc [--stamp] [--loop FILE | --at-once N] URL NAME [JSON]: sends any RPC to a shard and prints the answer as JSON.
 * --stamp: prints the answer as {"stamp":…,"body":…}.  --loop: sends one request per line of FILE, prints each answer on a line, and
 * its time in microseconds on standard error.  --at-once: sends the same request N times concurrently and prints the count of each
 * outcome.  Exits 0 if answered, 3 if answered with an error (prints {"error":{code,message,hint}}), 1 without an answer, 2 on wrong
 * usage.  ATOLL_CLUSTER_KEY, ATOLL_TLS_CA, ATOLL_TLS_CERT, ATOLL_TLS_KEY work as for the programs.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/record/json.h"
#include "proto/record/record.h"
#include "proto/wire/wire.h"

enum { TIMEOUT_MS = 30000 };

static int usage(void)
{
	fprintf(stderr, "rpc [--stamp] [--loop FILE] URL NAME [JSON]\nRPCs:");
	for (int i = 0; i < NRPCS; i++)
		fprintf(stderr, " %s", rpcs[i].name);
	fprintf(stderr, "\n");
	return 2;
}

static int failed(const struct err *e)
{
	struct buf out = { 0 };

	buf_str(&out, "{\"error\":{\"code\":");
	json_quote(&out, err_name(e->code));
	buf_str(&out, ",\"message\":");
	json_quote(&out, e->msg);
	buf_str(&out, ",\"hint\":");
	json_quote(&out, e->hint);
	puts((buf_str(&out, "}}"), out.p));
	buf_free(&out);
	return e->code == ERR_UNAVAILABLE ? 1 : 3;
}

static void print(const struct rpc *rpc, const void *res, const struct freshness *stamp, bool with_stamp)
{
	struct buf out = { 0 };

	if (with_stamp) {
		buf_str(&out, "{\"stamp\":");
		if (stamp)
			json_put(&rec_freshness, stamp, &out);
		else
			buf_str(&out, "null");
		buf_str(&out, ",\"body\":");
	}
	json_put(rpc->res, res, &out);
	puts((buf_str(&out, with_stamp ? "}" : ""), out.p));
	buf_free(&out);
}

static int ask(struct wire_peer *peer, enum rpc_id id, const char *json, bool with_stamp)
{
	const struct rpc *rpc = &rpcs[id];
	struct arena *a = arena_new();
	void *req = arena_get(a, 1, rpc->req->size + 1), *res = arena_get(a, 1, rpc->res->size + 1);
	const struct freshness *stamp = NULL;
	const char *name = getenv("REQ");
	struct err e = { 0 };
	int rc = json_get(rpc->req, req, json, a, &e);

	if (!rc)
		rc = wire_call(peer, rpc->name, rpc->req, req, name ? name : "rpc", TIMEOUT_MS, rpc->res, res, &stamp, a, &e);
	if (rc)
		rc = failed(&e);
	else
		print(rpc, res, stamp, with_stamp);
	arena_free(a);
	return rc;
}

static int loop(struct wire_peer *peer, enum rpc_id id, const char *path, bool with_stamp)
{
	char *line = NULL;
	size_t cap = 0;
	FILE *f = fopen(path, "r");
	int worst = 0;

	if (!f)
		return usage();
	while (getline(&line, &cap, f) > 0) {
		line[strcspn(line, "\n")] = 0;
		int64_t start = clock_us();
		int rc = ask(peer, id, line, with_stamp);
		fprintf(stderr, "%lld\n", (long long)(clock_us() - start));
		worst = rc > worst ? rc : worst;
	}
	free(line);
	fclose(f);
	return worst;
}

struct outcomes {
	pthread_mutex_t lock;
	int n, of[ERR_COUNT];
};

static void on_outcome(void *arg, struct wire_reply *reply)
{
	struct outcomes *o = arg;
	struct arena *a = arena_new();
	const struct freshness *stamp;

	pthread_mutex_lock(&o->lock);
	o->of[wire_reply_peek(reply, &stamp, a)]++;
	o->n++;
	pthread_mutex_unlock(&o->lock);
	wire_reply_free(reply);
	arena_free(a);
}

static int at_once(struct wire_peer *peer, enum rpc_id id, const char *json, int n)
{
	struct outcomes o = { .lock = PTHREAD_MUTEX_INITIALIZER };
	const struct rpc *rpc = &rpcs[id];
	struct arena *a = arena_new();
	void *req = arena_get(a, 1, rpc->req->size + 1);
	struct err e = { 0 };
	int ended = 0;

	if (json_get(rpc->req, req, json, a, &e))
		return failed(&e), 2;
	for (int i = 0; i < n; i++)
		wire_call_async(peer, rpc->name, rpc->req, req, "rpc", TIMEOUT_MS, false, on_outcome, &o);
	while (ended < n) {
		clock_sleep(5);
		pthread_mutex_lock(&o.lock);
		ended = o.n;
		pthread_mutex_unlock(&o.lock);
	}
	for (int i = 0; i < ERR_COUNT; i++)
		if (o.of[i])
			printf("%s %d\n", i ? err_name((enum err_code)i) : "ok", o.of[i]);
	arena_free(a);
	return 0;
}

int main(int argc, char **argv)
{
	struct wire_trust trust = { getenv("ATOLL_TLS_CA"), getenv("ATOLL_TLS_CERT"), getenv("ATOLL_TLS_KEY"),
		getenv("ATOLL_CLUSTER_KEY"), getenv("ATOLL_CLUSTER_KEY_FILE") };
	const char *file = NULL;
	bool with_stamp = false;
	struct err e = { 0 };
	int i = 1, times = 0;

	log_init("rpc", LOG_WARN);
	for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
		if (!strcmp(argv[i], "--stamp"))
			with_stamp = true;
		else if (!strcmp(argv[i], "--at-once") && i + 1 < argc)
			times = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--loop") && i + 1 < argc)
			file = argv[++i];
		else
			return usage();
	}
	if (argc - i < 2 || argc - i > 3 || rpc_id(argv[i + 1]) == NRPCS)
		return usage();
	struct wire_peer *peer = wire_dial(argv[i], &trust, &e);
	if (!peer)
		return failed(&e), 2;
	enum rpc_id id = rpc_id(argv[i + 1]);
	int rc = times ? at_once(peer, id, argc - i == 3 ? argv[i + 2] : NULL, times) :
	    file ? loop(peer, id, file, with_stamp) : ask(peer, id, argc - i == 3 ? argv[i + 2] : NULL, with_stamp);
	fflush(stdout);
	_Exit(rc);	/* nng_close may hang (nng #1543) */
}
