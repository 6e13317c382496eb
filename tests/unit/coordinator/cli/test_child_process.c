/* Programs that `atoll` starts: how they run, what they see of the environment, when they are started again and how they end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/cli/base/child_process.h"
#include "coordinator/cli/base/program_environment.h"
#include "coordinator/cli/up/supervisor.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"

enum { WAIT_MS = 60000 };

static struct arena *a;
static char folder[] = "/tmp/atoll-child.XXXXXX";
static const char *const none[] = { NULL };

#define SH(script) ((const char *const[]){ "/bin/sh", "-c", script, NULL })

static const char *in_folder(const char *name)
{
	return arena_printf(a, "%s/%s", folder, name);
}

/* What a file holds, or NULL. */
static const char *contents(const char *path)
{
	static char text[8192];
	FILE *f = fopen(path, "r");

	if (!f)
		return NULL;
	text[fread(text, 1, sizeof text - 1, f)] = 0;
	fclose(f);
	return text;
}

/* What the function writes to standard error. */
static const char *said_by(void (*f)(void *), void *arg)
{
	const char *path = in_folder("said");
	int kept = dup(2);

	fflush(stderr);
	assert_non_null(freopen(path, "w", stderr));
	f(arg);
	fflush(stderr);
	dup2(kept, 2);
	close(kept);
	return arena_str(a, contents(path));
}

/* ---- one program ---- */

static void output_of_a_program(void **state)
{
	static const struct {
		const char *script, *output;
	} rows[] = {
		{ "echo one; echo two", "one" },
		{ "printf x", "x" },
		{ "true", "" },
		{ "printf '\\n'", "" },
		{ "echo one; exit 1", NULL },
		{ "kill -9 $$", NULL },
		{ "echo loud >&2; echo quiet", "quiet" },
		{ "cat; echo end", "end" }, /* the input is empty */
		{ "readlink /proc/self/fd/2", "/dev/null" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		const char *got = child_output(SH(rows[i].script), a);
		if (rows[i].output)
			assert_string_equal(got, rows[i].output);
		else
			assert_null(got);
	}
	assert_null(child_output((const char *const[]){ "/no/such", NULL }, a));
	assert_string_equal(child_git(SH("echo $GIT_DIR-$ATOLL_X"), a), "-");
	assert_string_equal(child_program("no-such-program", a), "no-such-program");
	char self[4096] = "";
	assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	assert_string_equal(child_program(strrchr(self, '/') + 1, a), self); /* beside this program */
}

static void a_program_with_input(void **state)
{
	char large[60000];
	const char *const env[] = { "A=1", "B=2 3", NULL };

	(void)state;
	assert_string_equal(child_communicate(SH("cat; echo; echo $A-$B-$HOME"), env, "in\nput", a),
	    "in\nput\n1-2 3-\n");
	memset(large, 'x', sizeof large - 1);
	large[sizeof large - 1] = 0;
	assert_string_equal(child_communicate(SH("cat"), none, large, a), large);
	assert_null(child_communicate(SH("cat; exit 3"), none, "x", a));
}

/* The signals that a child may have are those of a new process, whatever the parent blocks or ignores; a shell would set some itself. */
static void signals_of_a_program(void **state)
{
	static const char *const grep[] = { "grep", "-E", "Sig(Blk|Ign)", "/proc/self/status", NULL };
	const unsigned long long of_libc = 3ULL << 31; /* 32 and 33, which no program can change */
	unsigned long long blocked, ignored;
	sigset_t set, old;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &old);
	const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	const char *said = child_communicate(grep, env, "", a);
	assert_int_equal(sscanf(said, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2);
	assert_int_equal(blocked, 0);
	assert_int_equal(ignored & ~of_libc, 0);
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGPIPE, SIG_DFL);
}

static void a_program_in_the_background(void **state)
{
	static const char show[] =
	    "echo \"$A\"; ps -o pgid= -p $$ | tr -d ' '; echo $$; readlink /proc/self/fd/0; echo loud >&2";
	const char *const env[] = { "A=b", "PATH=/usr/bin:/bin", NULL };
	struct err e = { 0 };
	int status;

	(void)state;
	for (int i = 0; i < 2; i++) {
		pid_t pid = child_launch(SH(show), env, in_folder("log"), &e);
		assert_true(pid > 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		const char *one = arena_printf(a, "b\n%d\n%d\n/dev/null\nloud\n", (int)pid, (int)pid);
		const char *all = contents(in_folder("log"));
		assert_string_equal(
		    all + (i ? strlen(all) - strlen(one) : 0), one); /* the log is appended to */
	}
	struct stat st;
	assert_int_equal(stat(in_folder("log"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(child_launch(SH("true"), env, in_folder("no/such"), &e), -1);
	assert_int_equal(e.code, ERR_INTERNAL);
	assert_string_equal(e.msg, arena_printf(a, "%s/no/such: No such file or directory", folder));
	pid_t pid = child_launch((const char *const[]){ "/no/such", NULL }, env, in_folder("none"), &e);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 127);
	assert_string_equal(contents(in_folder("none")), "/no/such: No such file or directory\n");
}

/* ---- what programs see ---- */

static bool sees(enum program_kind kind, const char *entry)
{
	for (const char *const *v = program_environment(kind, a); *v; v++)
		if (!strcmp(*v, entry))
			return true;
	return false;
}

static void programs_see_what_they_use(void **state)
{
	enum { C = 1, S = 2, M = 4 }; /* coordinator, shard, shard of a mirror */
	static const struct {
		const char *entry;
		int seen;
		const char *with;
	} rows[] = {
		{ "PATH=/x", C | S | M, NULL },
		{ "HOME=/h", C | S | M, NULL },
		{ "NOBODY=1", 0, NULL },
		{ "ATOLL_TOKEN=t", 0, NULL },
		{ "ATOLL_HTTP=h", C, NULL },
		{ "ATOLL_HTTPS=h", 0, NULL },
		{ "ATOLL_FILE_LIMIT=1", S | M, NULL },
		{ "ATOLL_GIT_TOKEN=g", M, NULL },
		{ "GITHUB_TOKEN=g", M, NULL },
		{ "ATOLL_GITHUB_TOKEN=g", M, NULL },
		{ "ATOLL_EMBED_KEY=k", 0, NULL },
		{ "ATOLL_EMBED_KEY=k", C | S | M, "ATOLL_EMBEDDER=http" },
		{ "ATOLL_EMBED_KEY=k", 0, "ATOLL_EMBEDDER=builtin" },
		{ "ATOLL_EMBED_KEY=k", 0, "ATOLL_EMBEDDER=" },
		{ "OPENAI_API_KEY=k", 0, NULL },
		{ "OPENAI_API_KEY=k", C | S | M, "ATOLL_EMBEDDER=http" },
		{ "OPENAI_API_KEY=k", C, "ATOLL_LLM_URL=http://h" },
		{ "ATOLL_LLM_KEY=k", C, "ATOLL_LLM_URL=x" },
		{ "ATOLL_LLM_KEY=k", 0, "ATOLL_LLM_URL=" },
		{ "ATOLL_LLM_KEY=k", 0, NULL },
		{ "MINE=1", M, "ATOLL_GIT_ENVIRONMENT=YOURS,MINE" },
		{ "MINE=1", 0, "ATOLL_GIT_ENVIRONMENT=MINES,MIN" },
		{ "GIT_SSH_COMMAND=ssh", S | M, NULL },
	};

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		char *entry = arena_str(a, rows[i].entry), *with = arena_str(a, rows[i].with);
		char *kept = arena_str(a, getenv("PATH"));
		clearenv();
		putenv(entry);
		if (with)
			putenv(with);
		for (int kind = 0; kind < 3; kind++)
			if (sees((enum program_kind)kind, entry) != (rows[i].seen >> kind & 1))
				fail_msg("%s with %s, program %d", rows[i].entry, with ? with : "nothing", kind);
		clearenv();
		setenv("PATH", kept, 1);
	}
	clearenv();
	setenv("ATOLL_TOKEN", "t", 1);
	assert_null(*program_environment(PROGRAM_SHARD, a));
	setenv("PATH", "/usr/bin:/bin", 1);
}

/* ---- programs that are kept running ---- */

static void *run_supervisor(void *s)
{
	supervisor_run(s);
	return NULL;
}

/* Waits until the file begins with the text. */
static void wait_for(const char *path, const char *text)
{
	for (int64_t end = clock_ms() + WAIT_MS; clock_ms() < end; clock_sleep(5)) {
		const char *now = contents(path);
		if (now && !strncmp(now, text, strlen(text)))
			return;
	}
	fail_msg("%s holds `%s`, not `%s`", path, contents(path), text);
}

static void wait_failures(struct supervisor *s, const char *name, int n)
{
	for (int64_t end = clock_ms() + WAIT_MS; supervisor_failures(s, name) < n && clock_ms() < end;)
		clock_sleep(5);
	assert_true(supervisor_failures(s, name) >= n);
}

static void restart(void *arg)
{
	struct supervisor *s = arg;
	pthread_t t;

	/* one that ends is started again at once, and then after a second */
	supervisor_want(s, "short", SH(arena_printf(a, "echo ran >>%s/short; exit 3", folder)), none);
	supervisor_want(s, "killed", SH("kill -9 $$"), none);
	supervisor_want(s, "quiet", SH("exit 1"), none);
	supervisor_report_exits(s, "quiet", false);
	supervisor_report_exits(s, "unknown", false);
	assert_int_equal(supervisor_failures(s, "short"), 0);
	assert_int_equal(supervisor_failures(s, "unknown"), -1);
	assert_int_equal(pthread_create(&t, NULL, run_supervisor, s), 0);
	wait_for(in_folder("short"), "ran\nran\n");
	wait_failures(s, "short", 2);
	wait_failures(s, "killed", 2);
	wait_failures(s, "quiet", 2);
	assert_false(supervisor_stopping(s));
	supervisor_stop(s);
	pthread_join(t, NULL);
	assert_true(supervisor_stopping(s));
	supervisor_end(s);
}

static void a_program_that_ends_is_started_again(void **state)
{
	struct supervisor *s = supervisor_new(folder);
	const char *said = said_by(restart, s);

	(void)state;
	supervisor_free(s);
	assert_non_null(strstr(said, "short: exited with status 3; restarted\n"));
	assert_non_null(strstr(said, "short: exited with status 3; restarting in 1 s\n"));
	assert_non_null(strstr(said, "killed: killed by signal 9; restarted\n"));
	assert_null(strstr(said, "quiet"));
}

static void change(void *arg)
{
	struct supervisor *s = arg;
	pthread_t t;
	const char *const env[] = { "A=1", NULL };
	const char *log = in_folder("one.log");

	supervisor_want(
	    s, "one", SH("echo $A; trap 'echo ended; exit' TERM; while :; do sleep 0.01; done"), env);
	supervisor_want(s, "two", SH("exec sleep 1000"), none);
	supervisor_want(s, "two", SH("exec sleep 1001"), none); /* still one program */
	supervisor_want(s, "three", SH("exec sleep 1000"), none);
	assert_string_equal(supervisor_wanted(s, 0, a), "one");
	assert_string_equal(supervisor_wanted(s, 1, a), "two");
	assert_string_equal(supervisor_wanted(s, 2, a), "three");
	assert_null(supervisor_wanted(s, 3, a));
	assert_int_equal(pthread_create(&t, NULL, run_supervisor, s), 0);
	wait_for(log, "1\n");
	supervisor_unwant(s, "one");
	supervisor_unwant(s, "unknown");
	wait_for(log, "1\nended\n");
	assert_int_equal(supervisor_failures(s, "one"), -1);
	bool first = !strcmp(supervisor_wanted(s, 0, a), "two");
	assert_string_equal(supervisor_wanted(s, first ? 1 : 0, a), "three");
	assert_string_equal(supervisor_wanted(s, first ? 0 : 1, a), "two");
	assert_null(supervisor_wanted(s, 2, a));
	kill(getpid(), SIGTERM); /* stops it, as Ctrl-C does */
	pthread_join(t, NULL);
	assert_true(supervisor_stopping(s));
	supervisor_end(s);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static void programs_come_and_go(void **state)
{
	struct supervisor *s = supervisor_new(folder);
	const char *log = in_folder("one.log");
	struct stat st;

	(void)state;
	assert_int_equal(close(creat(log, 0600)), 0);
	assert_int_equal(truncate(log, (16 << 20) + 1), 0); /* large enough to be renamed */
	assert_string_equal(said_by(change, s), "");
	assert_int_equal(stat(in_folder("one.log.1"), &st), 0);
	assert_int_equal(st.st_size, (16 << 20) + 1);
	supervisor_free(s);
}

static void hup(void *arg)
{
	pthread_t t;

	supervisor_want(arg, "none", (const char *const[]){ "/no/such", NULL }, none);
	assert_int_equal(truncate(in_folder("none.log"), (16 << 20) + 1), 0);
	assert_int_equal(pthread_create(&t, NULL, run_supervisor, arg), 0);
	wait_failures(arg, "none", 1);
	kill(getpid(), SIGHUP);
	pthread_join(t, NULL);
	supervisor_end(arg);
}

static void without_logs_all_goes_to_standard_error(void **state)
{
	struct supervisor *s = supervisor_new(NULL);
	struct stat st;

	(void)state;
	assert_int_equal(close(creat(in_folder("none.log"), 0600)), 0);
	const char *said = said_by(hup, s);
	assert_non_null(strstr(said, "/no/such: No such file or directory\n"));
	assert_non_null(strstr(said, "none: exited with status 127; restarted\n"));
	assert_int_equal(stat(in_folder("none.log.1"), &st), -1);
	supervisor_free(s);
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	if (!mkdtemp(folder) ||
	    !freopen("/proc/self/status", "r", stdin)) /* something that no child shall read */
		return -1;
	return 0;
}

static int teardown(void **state)
{
	const char *remove = arena_printf(a, "rm -rf %s", folder);

	(void)state;
	if (system(remove))
		return -1;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_of_a_program),
		cmocka_unit_test(a_program_with_input),
		cmocka_unit_test(signals_of_a_program),
		cmocka_unit_test(a_program_in_the_background),
		cmocka_unit_test(programs_see_what_they_use),
		cmocka_unit_test(a_program_that_ends_is_started_again),
		cmocka_unit_test(programs_come_and_go),
		cmocka_unit_test(without_logs_all_goes_to_standard_error),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
