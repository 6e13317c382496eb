#ifndef TESTS_SCHEDULED_SHARD_H
#define TESTS_SCHEDULED_SHARD_H
/*
 * A shard whose children are the test's own program: the file `play` in the data folder says what the next one does, and `started`
 * how each was started.  main calls play_child first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/process/options.h"
#include "shard/base/options.h"
#include "shard/daemon/crash_backoff.h"
#include "shard/daemon/shard_internal.h"
#include "shard/git/repo.h"
#include "shard/index/index_writer.h"
#include "shard/ingest/ingest.h"
#include "shard/ingest/quarantine.h"

#define URI "h.example/o/r"

static const struct opt rows[] = {
#define OPT(type, name, arg, def, env, help)                                                       \
	{ OPT_##type, #name, arg, def, env, help, offsetof(struct options, name) },
#include "shard/base/options.def"
};

static char dir[64];
static struct arena *a;
static struct options o;
static struct shard s;

/* ---- the child ---- */

static inline void publish(const char *data, const char *uri)
{
	struct index_info info = { .generation = store_next_generation(data), .commit = "c0ffee" };
	struct err e = { 0 };

	snprintf(info.repo_uri, sizeof info.repo_uri, "%s", uri);
	snprintf(info.file, sizeof info.file, "index-%d.db", (int)info.generation);
	struct index_writer *w = index_writer_new(data, &info, &e);
	if (!w || index_writer_add_skip(w, "a.png", "binary", 10, &e) ||
	    index_writer_publish(w, &info, NULL, NULL, 1, &e))
		abort();
	index_writer_free(w);
}

static inline int play(const char *flag)
{
	const char *data = getenv("ATOLL_DATA");
	char path[200], line[200] = "";

	snprintf(path, sizeof path, "%s/started", data);
	FILE *f = fopen(path, "a");
	fprintf(
	    f, "%s force=%s threads=%s\n", flag, getenv("ATOLL_FORCE"), getenv("ATOLL_INGEST_THREADS"));
	fclose(f);
	snprintf(path, sizeof path, "%s/play", data);
	f = fopen(path, "r");
	line[fread(line, 1, sizeof line - 1, f)] = 0;
	fclose(f);
	if (!strcmp(line, "crash"))
		raise(SIGKILL);
	if (!strcmp(line, "publish"))
		publish(data, URI);
	dprintf(INGEST_FD, "parse 3 4\n%s%s\n", line, strcmp(line, "publish") ? "" : "ed");
	return !strncmp(line, "error", 5);
}

/* ---- the shard ---- */

static inline char *path_of(const char *name)
{
	return arena_printf(a, "%s/%s", dir, name);
}

static inline bool there(const char *name)
{
	return !access(path_of(name), F_OK);
}

static inline void will(const char *what)
{
	FILE *f = fopen(path_of("play"), "w");

	fputs(what, f);
	fclose(f);
}

/* How the last child was started. */
static inline const char *started(void)
{
	static char line[200];
	FILE *f = fopen(path_of("started"), "r");

	*line = 0;
	while (f && fgets(line, sizeof line, f))
		line[strcspn(line, "\n")] = 0;
	if (f)
		fclose(f);
	return line;
}

static inline int begin(void **state)
{
	char *argv[] = { "atoll-shard", "--repo", "/nowhere", "--data", dir, "--poll-ms=0",
		"--ingest-threads=4", NULL };
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR + 1);
	strcpy(dir, "/tmp/atoll-scheduler.XXXXXX");
	assert_non_null(mkdtemp(dir));
	a = arena_new();
	o = (struct options){ 0 };
	if (options_parse(
	        rows, LEN(rows), &o, "", LEN(argv) - 1, argv, &(struct string_list){ 0 }, a, &e))
		fail_msg("%s", e.msg);
	s = (struct shard){ .o = &o, .a = a };
	s.src = (struct repo_source){ .repo_uri = URI,
		.name = "r",
		.collection = "r",
		.shown = "r",
		.place = "/nowhere",
		.data = dir };
	pthread_mutex_init(&s.lock, NULL);
	return 0;
}

static inline int end(void **state)
{
	(void)state;
	index_scheduler_close(&s);
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

/* Starts an ingest as soon as it may begin, and waits for its end. */
static inline enum child_outcome ingest(struct err *e)
{
	enum child_outcome end = CHILD_RUNS;

	*e = (struct err){ 0 };
	s.not_before = 0;
	index_scheduler_tick(&s, e);
	assert_true(s.child.pid > 0);
	assert_false(s.st.wanted);
	while (end == CHILD_RUNS && s.child.pid) {
		clock_sleep(2);
		end = index_scheduler_read_child(&s, e);
	}
	return end;
}

static inline enum child_outcome ingest_as(const char *what, struct err *e)
{
	will(what);
	s.st.wanted = true;
	return ingest(e);
}

/* The exit status of a child; -1 if this process is the test. */
static inline int play_child(int argc, char **argv)
{
	if (argc > 1 && argv[1][0] == '-')
		return play(argv[1]);
	return -1;
}
#endif
