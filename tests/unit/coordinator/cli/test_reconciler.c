/*
 * What `atoll up` makes of what a coordinator says, which is a small server here: which programs it runs, with which arguments,
 * what it asks and what it prints, as reconciler.txt beside this file has it (with RECORD set, the test prints that text as it is
 * now; @ stands for the folder and the address, PORT for a port).  The supervisor is replaced by one that writes down what is wanted of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <sys/stat.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/up/reconciler_internal.h"
#include "coordinator/cli/up/runtime_paths.h"
#include "coordinator/cli/up/supervisor.h"
#include "proto/base/arena.h"
#include "proto/record/json.h"
#include "tests/fake_http.h"

static struct arena *arena;
static char folder[] = "/tmp/atoll-rec.XXXXXX";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buf told; /* what was asked and wanted, a line each */
static const char *answers, *again; /* those that are left; what follows then, or NULL */
static int failures, start_failures; /* of each shard that runs, and of the coordinator */
static int join_port; /* a free one, for the shards of --join */
static atomic_bool stopping, repeating;
static const char *wanted[16];
static int n_wanted;

/* ---- the supervisor ---- */

void supervisor_want(
    struct supervisor *s, const char *name, const char *const *argv, const char *const *env)
{
	(void)s;
	pthread_mutex_lock(&lock);
	buf_printf(&told, "run %s:", name);
	for (; *argv; argv++)
		buf_printf(&told, " %s", *argv);
	buf_str(&told, "\n");
	pthread_mutex_unlock(&lock);
	assert_non_null(env);
	for (int i = 0; i < n_wanted; i++)
		if (!strcmp(wanted[i], name))
			return;
	wanted[n_wanted++] = arena_str(arena, name);
}

void supervisor_unwant(struct supervisor *s, const char *name)
{
	int k = 0;

	(void)s;
	buf_printf(&told, "stop %s\n", name);
	for (int i = 0; i < n_wanted; i++)
		if (strcmp(wanted[i], name) != 0)
			wanted[k++] = wanted[i];
	n_wanted = k;
}

const char *supervisor_wanted(struct supervisor *s, int i, struct arena *a)
{
	(void)s, (void)a;
	return i < n_wanted ? wanted[i] : NULL;
}

void supervisor_report_exits(struct supervisor *s, const char *name, bool on)
{
	(void)s;
	buf_printf(&told, "report %s %d\n", name, on);
}

int supervisor_failures(struct supervisor *s, const char *name)
{
	(void)s;
	for (int i = 0; i < n_wanted; i++)
		if (!strcmp(wanted[i], name))
			return strcmp(name, COORDINATOR_LABEL) ? failures : start_failures;
	return -1;
}

void supervisor_stop(struct supervisor *s)
{
	(void)s;
	stopping = true;
}

bool supervisor_stopping(struct supervisor *s)
{
	(void)s;
	return stopping;
}

/* ---- the coordinator: lines `tool status body` in the order in which it is asked; `stop` ends the run ---- */

static void coordinator(const struct fake_request *r, struct buf *reply)
{
	const char *tool = strrchr(r->line, '/') + 1;
	char name[40], status[8];
	int n = 0;

	pthread_mutex_lock(&lock);
	repeating |= again && !*answers;
	if (!repeating ||
	    !strcmp(tool, "group_sync")) /* how often it is polled again depends on the machine */
		buf_printf(&told, "%s %s\n", tool, r->body);
	if (repeating && !*answers)
		answers = strcmp(tool, "group_sync") ?
		    again :
		    "group_sync 200 {\"contracts_written\":7,\"complete\":true}\nstop";
	if (sscanf(answers, "%39s %7s %n", name, status, &n) == 2 && !strcmp(name, tool)) {
		size_t k = strcspn(answers + n, "\n");
		if (*status != '-')
			fake_json(reply, atoi(status), arena_strn(arena, answers + n, k));
		answers += n + k + 1;
	} else {
		stopping = true;
	}
	stopping |= !strncmp(answers, "stop", 4);
	pthread_mutex_unlock(&lock);
}

#define LIST(...)                                                                                  \
	{                                                                                              \
		(const char *[]){ __VA_ARGS__ }, sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)  \
	}
#define READY                                                                                      \
	"{\"repos\":[{\"name\":\"api\",\"repo_uri\":\"h/api\",\"status\":\"ready\",\"health\":\"healthy\",\"files\":3,\"symbols\":4}]"
#define ONE "source_list 200 {\"sources\":[{\"source\":\"/src/api\",\"repo_uri\":\"h/api\"}]}\n"
#define MINE                                                                                       \
	"source_list 200 {\"sources\":[{\"source\":\"/src/api\",\"repo_uri\":\"h/api\",\"host\":\"me\"}]}\n"

/* ---- runs ---- */

struct run {
	const char *what;
	struct cli_options o;
	const char *answers, *host;
	struct string_list sources;
	bool joins,
	    again; /* `again`: the last two answers are repeated until contracts are built once more */
	const char *ready; /* the coordinator's file with its address; NULL: it holds it */
	const char *log; /* the coordinator's log, or NULL */
	int failures, start_failures;
	int rc; /* the exit code, filled in */
	const char *told, *out, *err;
};

static const char *in_folder(const char *name)
{
	return arena_printf(arena, "%s/%s", folder, name);
}

/* The text with @ in place of the folder and of the address. */
static const char *named(const char *text)
{
	const char *at = arena_printf(arena, "127.0.0.1:%d", fake.port),
	           *port = arena_printf(arena, ":%d", join_port);
	struct buf b = { 0 };

	buf_str(&b, "");
	while (*text) {
		const char *name = "";
		if (!strncmp(text, folder, strlen(folder)))
			name = folder;
		else if (!strncmp(text, at, strlen(at)))
			name = at;
		else if (!strncmp(text, port, strlen(port)))
			name = port;
		if (name == port)
			buf_str(&b, ":PORT");
		else if (*name)
			buf_byte(&b, '@');
		else
			buf_byte(&b, *text++);
		text += strlen(name);
	}
	const char *s = arena_strn(arena, b.p, b.n);
	buf_free(&b);
	return s;
}

static const char *contents(const char *path)
{
	static char text[1 << 16];
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = 0;
	fclose(f);
	return text;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static struct runtime_paths paths(void)
{
	return (struct runtime_paths){ .data = in_folder("data"),
		.logs = in_folder("logs"),
		.key = in_folder("key"),
		.run = in_folder("run"),
		.slots = in_folder("slots"),
		.ready = in_folder("ready") };
}

/* What `atoll up` was called with. */
static struct cli_options options_of(const struct run *r)
{
	struct cli_options o = { .url = "http://127.0.0.1:7700",
		.ca = "",
		.tls_ca = "",
		.tls_cert = "",
		.tls_key = "",
		.cluster_key_file = "",
		.http = "127.0.0.1:7700",
		.advertise = "",
		.ports = 7710,
		.keep_days = -1 };

	o.group = r->o.group;
	o.listen = r->o.listen;
	o.safe_directory = r->o.safe_directory;
	o.copy_index = r->o.copy_index;
	o.verbose = r->o.verbose;
	if (r->o.tls_ca) {
		o.tls_ca = r->o.tls_ca;
		o.tls_cert = "cert";
		o.tls_key = "key";
		o.cluster_key_file = "ck";
	}
	if (r->o.advertise)
		o.advertise = r->o.advertise;
	if (r->o.ports)
		o.ports = join_port;
	if (r->o.keep_days)
		o.keep_days = r->o.keep_days;
	return o;
}

/* What the coordinator and the processes do in this run. */
static void set_scene(const struct run *r, const struct runtime_paths *site)
{
	unlink(site->ready);
	if (!r->ready)
		write_file(site->ready, arena_printf(arena, "http://127.0.0.1:%d\n", fake.port));
	answers = r->answers;
	again = NULL;
	if (r->again)
		again = ONE "status 200 " READY ",\"groups\":[{\"name\":\"g\",\"members\":[\"h/api\"]}]}\n";
	failures = r->failures;
	start_failures = r->start_failures;
	stopping = repeating = false;
	n_wanted = 0;
	told.n = 0;
}

/* Runs it with its output in files. */
static void run_apart(struct reconciler *f)
{
	int kept[2] = { dup(1), dup(2) };

	fflush(stdout);
	fflush(stderr);
	assert_non_null(freopen(in_folder("out"), "w", stdout));
	assert_non_null(freopen(in_folder("err"), "w", stderr));
	reconciler_run(f);
	fflush(stdout);
	fflush(stderr);
	for (int i = 0; i < 2; i++) {
		dup2(kept[i], i + 1);
		close(kept[i]);
	}
}

static void run(struct run *r)
{
	const struct runtime_paths site = paths();
	struct cli_options options = options_of(r);
	struct reconciler f = { .site = &site,
		.o = &options,
		.sources = r->sources,
		.joins = r->joins,
		.host = r->host ? r->host : "me",
		.poll_ms = 20,
		.client = { .token = "t", .ca = "" } };

	if (r->joins)
		f.client.url = arena_printf(arena, "http://127.0.0.1:%d", fake.port);
	set_scene(r, &site);
	run_apart(&f);
	r->rc = f.rc;
	r->told = named(arena_strn(arena, told.p ? told.p : "", told.n));
	r->out = named(contents(in_folder("out")));
	r->err = named(contents(in_folder("err")));
}

static struct run runs[] = {
	{ .what = "repositories are added, run and summarized",
	    .o = { .group = LIST("g"),
	        .listen = LIST("tls+tcp://x:1"),
	        .safe_directory = LIST("/d", "/e"),
	        .copy_index = true },
	    .sources = LIST("/src/api", "/src/bad", "https://h/w.git"),
	    .failures = 3,
	    .answers =
	        "repo_add 200 {\"source\":\"/src/api\"}\n"
	        "repo_add 400 {\"error\":{\"code\":\"INVALID_INPUT\",\"message\":\"no good\",\"hint\":\"Mend it.\"}}\n"
	        "repo_add 200 {\"source\":\"https://h/w.git\"}\n"
	        "source_list 200 {\"sources\":[{\"source\":\"/src/api\",\"repo_uri\":\"h/api\",\"added_by\":\"ci\"},{\"source\":\"https://h/w.git\",\"host\":\"x,\"},"
	        "{\"source\":\"/src/tok\",\"added_by\":\"ci\"},{\"source\":\"/src/own\",\"host\":\"x,me\",\"added_by\":\"\"},"
	        "{\"source\":\"/src/other\",\"host\":\"x,mee,m\"},{\"repo_uri\":\"h/none\"}]}\n"
	        "status 200 {\"repos\":[{\"name\":\"api\",\"repo_uri\":\"h/api\",\"status\":\"building\",\"health\":\"healthy\",\"done\":1,\"total\":4}]}\n"
	        "source_list 200 {\"sources\":[{\"source\":\"/src/api\",\"repo_uri\":\"h/api\"},{\"source\":\"/src/gone\",\"repo_uri\":\"h/gone\"}]}\n"
	        "status 200 {\"tokens\":true,\"repos\":[{\"name\":\"api\",\"repo_uri\":\"h/api\",\"status\":\"ready\",\"health\":\"healthy\",\"files\":3,\"symbols\":4},"
	        "{\"name\":\"gone\",\"repo_uri\":\"h/gone\",\"status\":\"failed\",\"health\":\"down\",\"files\":1,\"symbols\":1},"
	        "{\"name\":\"b\",\"repo_uri\":\"h/b\",\"status\":\"ready\",\"health\":\"down\"},{\"name\":\"c\",\"repo_uri\":\"h/c\",\"status\":\"pending\",\"health\":\"healthy\"}],"
	        "\"groups\":[{\"name\":\"g\",\"members\":[\"h/api\"]},{\"name\":\"none\",\"members\":[]},{\"name\":\"k\",\"members\":[\"h/b\"]}]}\n"
	        "group_sync 200 {\"contracts_written\":5,\"complete\":true}\n"
	        "group_sync 409 {\"error\":{\"code\":\"UNAVAILABLE\",\"message\":\"away\"}}\n"
	        "source_list 200 {\"sources\":[{\"source\":\"/src/api\",\"repo_uri\":\"h/api\"}]}\nstop" },
	{ .what = "states that end the waiting, and those that do not",
	    .answers =
	        "source_list 200 {\"sources\":[{\"source\":\"/s/a\",\"repo_uri\":\"h/a\"},{\"source\":\"/s/b\",\"repo_uri\":\"h/b\"},{\"source\":\"/s/c\",\"repo_uri\":\"h/c\"},{\"source\":\"/s/d\"}]}\n"
	        "status 200 {\"repos\":[{\"name\":\"a\",\"repo_uri\":\"h/a\",\"status\":\"failed\",\"health\":\"healthy\",\"reason\":\"bad disk\"},"
	        "{\"name\":\"b\",\"repo_uri\":\"h/b\",\"status\":\"failed\",\"health\":\"healthy\"},"
	        "{\"name\":\"c\",\"repo_uri\":\"h/c\",\"status\":\"building\",\"health\":\"healthy\",\"indexing\":{\"last_error\":\"DB_ERROR: broken\"}}]}\n"
	        "source_list 200 {\"sources\":[{\"source\":\"/s/a\",\"repo_uri\":\"h/a\"},{\"source\":\"/s/b\",\"repo_uri\":\"h/b\"}]}\n"
	        "status 200 {\"repos\":[{\"name\":\"a\",\"repo_uri\":\"h/a\",\"status\":\"ready\",\"health\":\"degraded\",\"phase\":\"count\"},"
	        "{\"name\":\"b\",\"repo_uri\":\"h/b\",\"status\":\"pending\",\"health\":\"healthy\"}],\"groups\":[{\"name\":\"g\",\"members\":[\"h/a\"]}]}\n"
	        "source_list 200 {\"sources\":[]}\n"
	        "status 200 {\"repos\":[],\"groups\":[{\"name\":\"g\",\"members\":[\"h/a\"]}]}\n"
	        "group_sync 200 {\"contracts_written\":5,\"complete\":false}\n"
	        "source_list 200 {\"sources\":[]}\nstatus 200 {\"repos\":[],\"groups\":[{\"name\":\"g\",\"members\":[\"h/a\"]}]}\n"
	        "source_list 500 {}\nsource_list 200 {\"sources\":[]}\nstatus 500 {}\nstop" },
	{ .what = "contracts that a member was missing in are built again later",
	    .answers = ONE "status 200 " READY
	                   ",\"groups\":[{\"name\":\"g\",\"members\":[\"h/api\"]}]}\n"
	                   "group_sync 200 {\"contracts_written\":5,\"complete\":false}\n",
	    .again = true },
	{ .what = "contracts are built again when an index or a group changes, not otherwise",
	    .answers = ONE
	    "status 200 " READY ",\"groups\":[{\"name\":\"g\",\"members\":[\"h/api\"]}]}\n"
	    "group_sync 200 {\"contracts_written\":5,\"complete\":true}\n" ONE "status 200 " READY
	    ",\"groups\":[{\"name\":\"g\",\"members\":[\"h/api\"]}]}\n" ONE
	    "status 200 {\"repos\":[{\"name\":\"api\",\"repo_uri\":\"h/api\",\"status\":\"ready\",\"health\":\"healthy\",\"freshness\":{\"graph_hash\":\"x\"}}],\"groups\":[{\"name\":\"g\",\"members\":[\"h/api\"]}]}\n"
	    "group_sync 200 {\"contracts_written\":6,\"complete\":true}\n" ONE
	    "status 200 {\"repos\":[{\"name\":\"api\",\"repo_uri\":\"h/api\",\"status\":\"ready\",\"health\":\"healthy\",\"groups\":[\"g\"],\"freshness\":{\"graph_hash\":\"x\"}}],\"groups\":[{\"name\":\"g\",\"members\":[\"h/api\"]}]}\n"
	    "group_sync 200 {\"contracts_written\":7,\"complete\":true}\nstop" },
	{ .what = "nothing to run", .answers = "", .sources = LIST("/src/x") },
	{ .what = "nothing new to run",
	    .sources = LIST("/src/x"),
	    .answers =
	        "repo_add 400 {\"error\":{\"code\":\"INVALID_INPUT\",\"message\":\"no good\",\"hint\":\"Mend it.\"}}\nsource_list 200 {\"sources\":[]}\n" },
	{ .what = "what was known before runs",
	    .sources = LIST("/src/x"),
	    .answers =
	        "repo_add 400 {\"error\":{\"code\":\"INVALID_INPUT\",\"message\":\"no good\",\"hint\":\"Mend it.\"}}\n" ONE
	            ONE "stop" },
	{ .what = "the coordinator does not start", .start_failures = 2, .ready = "", .answers = "" },
	{ .what = "it does not start, and its log says why",
	    .start_failures = 2,
	    .ready = "",
	    .answers = "",
	    .log =
	        "one\n2026 error coordinator stop code=X message=\"the port is taken\" hint=\"Take another.\"\n" },
	{ .what = "it does not start, and its log is not ours",
	    .start_failures = 5,
	    .ready = "",
	    .answers = "",
	    .log = "one\nSegmentation fault\n" },
	{ .what = "it does not start, with --verbose",
	    .start_failures = 2,
	    .ready = "",
	    .o = { .verbose = true },
	    .answers = "" },
	{ .what = "--join, to a coordinator on this machine",
	    .joins = true,
	    .sources = LIST("/src/api"),
	    .o = { .group = LIST("g", "k") },
	    .answers =
	        "status - x\nstatus 502 x\nstatus 200 {\"memberships\":[\"ipc:///run/c.sock\",\"ipc:///other\"]}\n"
	        "repo_add 200 {\"source\":\"/src/api\"}\n" MINE "status 200 " READY
	        ",\"groups\":[{\"name\":\"g\",\"members\":[\"h/api\"]}]}\n" MINE "stop" },
	{ .what = "--join, and nothing to serve",
	    .joins = true,
	    .answers = "status 200 {\"memberships\":[\"ipc:///run/c.sock\"]}\n" ONE "status 200 " READY
	               "}\n" ONE "stop" },
	{ .what = "--join, refused",
	    .joins = true,
	    .answers =
	        "status 403 {\"error\":{\"code\":\"FORBIDDEN\",\"message\":\"the token may not\",\"hint\":\"Ask.\"}}\n" },
	{ .what = "--join, to a coordinator that listens for nobody",
	    .joins = true,
	    .answers = "status 200 {\"memberships\":[]}\n" },
	{ .what = "--join over TLS, without certificates",
	    .joins = true,
	    .answers =
	        "status 200 {\"memberships\":[\"ipc:///run/c.sock\",\"tls+tcp://0.0.0.0:7701\"]}\n" },
	{ .what = "--join over TLS",
	    .joins = true,
	    .o = { .tls_ca = "ca", .advertise = "shards.example", .ports = 1 },
	    .answers =
	        "status 200 {\"memberships\":[\"ipc:///run/c.sock\",\"tls+tcp://0.0.0.0:7701\"]}\n" MINE
	        "status 200 " READY "}\nsource_list 200 {\"sources\":[]}\nstop" },
	{ .what = "data that nobody needs is deleted",
	    .o = { .keep_days = 1 },
	    .answers =
	        "source_list 200 {\"sources\":[{\"source\":\"/src/api\",\"repo_uri\":\"h/api\"},{\"source\":\"/o\",\"repo_uri\":\"h/o\",\"host\":\"x\"}]}\n"
	        "status 200 {\"repos\":[{\"name\":\"api\",\"repo_uri\":\"h/api\",\"status\":\"ready\",\"health\":\"healthy\",\"collection\":\"repo_aaaaaaaaaaaaaaaa\"},"
	        "{\"name\":\"o\",\"repo_uri\":\"h/o\",\"status\":\"ready\",\"health\":\"healthy\",\"collection\":\"repo_bbbbbbbbbbbbbbbb\"},"
	        "{\"name\":\"p\",\"repo_uri\":\"h/p\",\"status\":\"ready\",\"health\":\"healthy\",\"collection\":\"repo_cccccccccccccccc\"}]}\n" ONE
	        "stop" },
};

/* Folders of shards: of a repository that runs here, of one that runs elsewhere, of one without a source, of none, and a new one. */
static void make_data(void)
{
	const char *make = arena_printf(arena,
	    "cd %s/data && for i in a b c d e; do n=$i$i$i$i; mkdir repo_$n$n$n$n && "
	    "dd if=/dev/zero of=repo_$n$n$n$n/f bs=1M count=2 2>/dev/null && [ $i = e ] || touch -d '2 days ago' repo_$n$n$n$n/f; done",
	    folder);

	assert_int_equal(system(make), 0);
}

static bool exists(char c)
{
	char name[] = "data/repo_aaaaaaaaaaaaaaaa";

	memset(name + 10, c, 16);
	return !access(in_folder(name), F_OK);
}

/* The part of the text that stands under the title `== what`. */
static const char *expected(const char *what)
{
	const char *all = contents("tests/unit/coordinator/cli/reconciler.txt"),
	           *title = arena_printf(arena, "== %s\n", what);
	const char *at = strstr(all, title), *end = at ? strstr(at + 1, "\n== ") : NULL;

	if (!at)
		return "";
	if (!end)
		end = at + strlen(at) - 1;
	return arena_strn(arena, at, (size_t)(end + 1 - at));
}

static void what_is_asked_run_and_printed(void **state)
{
	(void)state;
	make_data();
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct run *r = &runs[i];
		unlink(in_folder("logs/coordinator.log"));
		unlink(in_folder("data/ports"));
		if (r->log)
			write_file(in_folder("logs/coordinator.log"), r->log);
		write_file(in_folder("logs/w-acf8f6c6.log"),
		    "2026 error shard stop message=\"bad disk\" hint=\"Buy one.\"\n");
		write_file(in_folder("logs/tok-73461f68.log"), "Segmentation fault\n");
		run(r);
		const char *got = arena_printf(arena,
		    "== %s\n%s-- exit code %d, standard output:\n%s-- standard error:\n%s", r->what,
		    r->told, r->rc, r->out, r->err);
		if (getenv("RECORD"))
			fputs(got, stdout);
		else
			assert_string_equal(got, expected(r->what));
	}
	assert_true(exists('a') && exists('c') && exists('e'));
	assert_false(exists('b') || exists('d'));
}

static int setup(void **state)
{
	(void)state;
	arena = arena_new();
	if (fake_start(coordinator))
		return -1;
	join_port = fake.port; /* another one, once it is in use */
	fake_stop();
	if (fake_start(coordinator) || !mkdtemp(folder))
		return -1;
	return mkdir(in_folder("logs"), 0700) || mkdir(in_folder("data"), 0700);
}

static int teardown(void **state)
{
	const char *remove = arena_printf(arena, "rm -rf %s", folder);

	(void)state;
	fake_stop();
	buf_free(&told);
	if (system(remove))
		return -1;
	arena_free(arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_asked_run_and_printed),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
