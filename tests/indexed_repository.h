/* A repository in a folder of its own and the index that a shard makes of it. */
#ifndef TESTS_INDEXED_REPOSITORY_H
#define TESTS_INDEXED_REPOSITORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "proto/embed/embedder.h"
#include "proto/process/options.h"
#include "shard/base/options.h"
#include "shard/daemon/shard_internal.h"
#include "shard/embedding/vector_builder.h"
#include "shard/git/repo.h"
#include "shard/index/index_reader.h"
#include "shard/index/index_store.h"
#include "shard/ingest/ingest.h"

/* clang-format off */
static const struct opt rows[] = {
#define OPT(type, name, arg, def, env, help)                                                       \
	{ OPT_##type, #name, arg, def, env, help, offsetof(struct options, name) },
#include "shard/base/options.def"
};
/* clang-format on */

static char dir[40];
static struct arena *a;
static struct options o;
static struct shard s;
static struct index_reader reader;
static struct embedder *embedder; /* that of the options */

static inline void run(const char *commands)
{
	const char *all = arena_printf(a, "cd %s/repo && { %s; } >/dev/null", dir, commands);

	assert_int_equal(system(all), 0);
}

/*
 * Does a part of the index in a process of its own, as a shard does; its exit status.  The file `reported` has what it reports.
 */
static inline int child_status(int (*work)(const struct options *, struct err *))
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		struct err e = { 0 };
		const char *reported = arena_printf(a, "%s/reported", dir);
		dup2(open(reported, O_WRONLY | O_CREAT | O_TRUNC, 0600), INGEST_FD);
		assert_int_equal(mkdir(s.src.data, 0700) && errno != EEXIST, 0);
		int rc = work(&o, &e);
		embedder_free(embedder);
		arena_free(a);
		exit(rc);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static inline void in_child(int (*work)(const struct options *, struct err *))
{
	if (child_status(work))
		fail_msg("what it reports is in %s/reported", dir);
}

/* Indexes the commit of HEAD. */
static inline void ingest(bool force)
{
	index_reader_close(&reader);
	o.force = force;
	in_child(ingest_run);
	if (embedder_dim(embedder))
		in_child(vector_builder_run);
}

/* Begins to read the published index. */
static inline void open_reader(void)
{
	struct err e = { 0 };
	struct index_info now;

	index_reader_close(&reader);
	reader = (struct index_reader){
		.place = s.src.place, .data = s.src.data, .embeds = embedder_dim(embedder) > 0
	};
	assert_int_equal(store_current(s.src.data, &now, &e), 0);
	reader.db = store_open(s.src.data, now.file, &e);
	assert_non_null(reader.db);
	reader.info = now;
	s.st.info = now;
}

/* A commit of what is staged, always with the same hash; the author's name is that of the address. */
static inline void commit_staged(int day, const char *email, const char *message)
{
	run(arena_printf(a,
	    "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE=2026-03-%02dT12:00:00Z"
	    " GIT_COMMITTER_DATE=2026-03-%02dT12:00:00Z; git -c user.name=%.*s -c user.email=%s commit -q -m '%s'",
	    day, day, (int)strcspn(email, "@"), email, email, message));
}

/* Makes the repository of a fixture, or of nothing (NULL), which `make` commits, and a shard with these options. */
static inline void open_repository(
    const char *fixture, void (*make)(void), const char *const *options, size_t n)
{
	char *arguments[40] = { "atoll-shard", "--repo", NULL, "--data", NULL, "--sandbox", "off" };
	size_t count = 7;
	struct string_list rest = { 0 };
	struct err e = { 0 };

	log_init("test", LOG_ERROR);
	strcpy(dir, "/tmp/atoll-answers.XXXXXX");
	assert_non_null(mkdtemp(dir));
	a = arena_new();
	const char *place = arena_printf(a, "%s/repo", dir);
	if (fixture)
		assert_int_equal(system(arena_printf(a, "cp -R %s %s", fixture, place)), 0);
	else
		assert_int_equal(mkdir(place, 0700), 0);
	make();
	arguments[2] = arena_str(a, place);
	arguments[4] = arena_printf(a, "%s/data", dir);
	for (size_t i = 0; i < n; i++)
		arguments[count++] = arena_str(a, options[i]);
	if (options_parse(rows, LEN(rows), &o, "", (int)count, arguments, &rest, a, &e))
		fail_msg("%s", e.msg);
	embedder = vectors_embedder(&o, &e);
	assert_non_null(embedder);
	s = (struct shard){ .o = &o, .a = a, .wake = -1 };
	pthread_mutex_init(&s.lock, NULL);
	if (repo_source_resolve(&s.src, &o, a, &e))
		fail_msg("%s", e.msg);
}

static inline int close_repository(void **state)
{
	(void)state;
	index_reader_close(&reader);
	embedder_free(embedder);
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}
#endif
