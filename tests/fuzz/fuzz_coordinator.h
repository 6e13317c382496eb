#ifndef TESTS_FUZZ_FUZZ_COORDINATOR_H
#define TESTS_FUZZ_FUZZ_COORDINATOR_H
/* A coordinator without repositories that runs as long as the fuzzer. */
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "coordinator/coordinator.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static char dir[] = "/tmp/atoll-fuzz.XXXXXX";
static struct coordinator *co;
static struct arena *options_arena;

static int drop(const char *path, const struct stat *st, int kind, struct FTW *f)
{
	(void)st;
	(void)kind;
	(void)f;
	return remove(path);
}

static void finish(void)
{
	coordinator_close(co);
	arena_free(options_arena);
	nftw(dir, drop, 8, FTW_DEPTH | FTW_PHYS);
}

/* Start it.  `http`: the address to serve, or "".  `secret`: a token that every request then needs, or NULL. */
static void serve(const char *http, const char *secret)
{
	struct coordinator_config o = { 0 };
	struct err e = { 0 };
	char listen[64], address[64], token[64], option[96];

	log_init("fuzz", LOG_ERROR);
	options_arena = arena_new();
	if (!mkdtemp(dir))
		abort();
	snprintf(listen, sizeof listen, "ipc://%s/m.sock", dir);
	snprintf(address, sizeof address, "--http=%s", http);
	snprintf(token, sizeof token, "%s/token", dir);
	snprintf(option, sizeof option, "--bootstrap-token-file=%s", token);
	FILE *f = fopen(token, "w");
	if (!f || fputs(secret ? secret : "", f) < 0 || fclose(f) || chmod(token, 0600))
		abort();
	char *argv[] = { "fuzz", "--data", dir, address, "--listen", listen, "--tools=all", option, NULL };
	if (coordinator_options(&o, secret ? 8 : 7, argv, options_arena, &e) || !(co = coordinator_open(&o, &e))) {
		fprintf(stderr, "%s\n", e.msg);
		abort();
	}
	atexit(finish);
}
#endif
