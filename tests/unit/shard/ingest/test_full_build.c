/* A full build whose threads cannot begin: when the repository goes away under them, it ends, and says why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
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

#include "proto/base/err.h"
#include "shard/git/repo.h"

static int openable;	/* how many threads still find the repository */
static atomic_int opened;

static struct repo *open_while_there(const char *place, struct err *e)
{
	if (atomic_fetch_add(&opened, 1) < openable)
		return repo_open(place, e);
	err_set(e, ERR_UNAVAILABLE, "the repository has gone");
	return NULL;
}

/* The program's own full_build.o is then not linked. */
#define repo_open open_while_there
#include "shard/ingest/full_build.c"
#undef repo_open

#include "proto/base/log.h"
#include "proto/process/options.h"
#include "shard/base/options.h"
#include "shard/ingest/ingest.h"

enum { THREADS = 3, LIMIT_S = 100 };

static const struct opt rows[] = {
#define OPT(type, name, arg, def, env, help)                                                       \
	{ OPT_##type, #name, arg, def, env, help, offsetof(struct options, name) },
#include "shard/base/options.def"
};

static char dir[] = "/tmp/atoll-build.XXXXXX";
static struct arena *a;

/* Indexes in a process of its own, as a shard does; its exit status. */
static int build_with(int threads_that_find_it, const char *said)
{
	const char *place = arena_printf(a, "%s/repo", dir),
	           *data = arena_printf(a, "%s/data%d", dir, threads_that_find_it);
	char *arguments[] = { "atoll-shard", "--repo", (char *)place, "--data", (char *)data,
		"--ingest-threads", arena_printf(a, "%d", THREADS), "--sandbox", "off", "--embedder",
		"off" };
	struct options o = { 0 };
	struct string_list rest = { 0 };
	struct repo_source source;
	struct err e = { 0 };
	int status = 0;

	if (options_parse(rows, LEN(rows), &o, "", LEN(arguments), arguments, &rest, a, &e))
		fail_msg("%s", e.msg);
	if (repo_source_resolve(&source, &o, a, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(mkdir(data, 0700) && errno != EEXIST, 0);
	assert_int_equal(mkdir(source.data, 0700) && errno != EEXIST, 0);
	pid_t child = fork();
	if (!child) {
		alarm(LIMIT_S);
		openable = threads_that_find_it;
		dup2(open("/dev/null", O_WRONLY), INGEST_FD);
		int rc = ingest_run(&o, &e);
		if (rc && !strstr(e.msg, said))
			fprintf(stderr, "%s\n", e.msg);
		_exit(rc ? 1 + !strstr(e.msg, said) : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void the_repository_is_there(void **state)
{
	(void)state;
	assert_int_equal(build_with(THREADS, ""), 0);
}

static void it_goes_before_all_threads_or_some(void **state)
{
	(void)state;
	for (int find = 0; find < THREADS; find++) {
		int status = build_with(find, "the repository has gone");
		assert_true(WIFEXITED(status));
		if (find)	/* the threads that found it may have done everything before the others look */
			assert_in_range(WEXITSTATUS(status), 0, 1);
		else
			assert_int_equal(WEXITSTATUS(status), 1);
	}
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	log_init("test", LOG_ERROR);
	repo_init();
	if (!mkdtemp(dir))
		return -1;
	return system(arena_printf(a,
	    "mkdir %s/repo && cd %s/repo && git init -q . && for i in 1 2 3 4 5 6 7 8 9; do echo \"int f$i;\" >f$i.c; done && git add . && "
	    "git -c user.name=t -c user.email=t@t commit -qm one",
	    dir, dir));
}

static int teardown(void **state)
{
	(void)state;
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_repository_is_there),
		cmocka_unit_test(it_goes_before_all_threads_or_some),
	};

	return cmocka_run_group_tests_name("full_build", tests, setup, teardown);
}
