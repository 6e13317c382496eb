/* What `atoll doctor` finds in what a coordinator says of its repositories, certificates and secrets, word for word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/commands/commands.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/version.h"
#include "proto/record/json.h"
#include "tests/private_folder.h"

/* Parts of answers; ' stands for ". */
#define FINE                                                                                       \
	"'name':'api','repo_uri':'h.example/a/api','status':'ready','health':'healthy','files':3,'symbols':9"
#define STATUS(more) "{'version':'" ATOLL_VERSION "','http':'http://h:1'" more "}"
#define REPO(more) STATUS(",'repos':[{" FINE more "}]")
#define GOOD "ok|coordinator|version " ATOLL_VERSION " at http://h:1|\n"
#define ANALYZE "run `atoll repo analyze api --wait`"

/* clang-format off */
static const struct { const char *what, *status, *findings; } cases[] = {
	{ "another version", "{'version':'0.0.1','http':'http://h:1','repos':[{" FINE "}]}",
		"warning|coordinator|version 0.0.1, but this program is version " ATOLL_VERSION "|restart it with the programs of one version\n"
		"ok|repository api|3 files, 9 symbols|\n" },
	{ "no repositories", STATUS(""), GOOD "warning|repositories|none|`atoll repo add PATH` adds one\n" },
	{ "a good one", REPO(""), GOOD "ok|repository api|3 files, 9 symbols|\n" },
	{ "one with files over a limit", REPO(",'freshness':{'gaps':[{'cause':'too-large','number':2}]}"),
		GOOD "ok|repository api|3 files, 9 symbols; lacks 2 paths (too-large: larger than --file-limit)|\n" },
	{ "one that is being indexed", STATUS(",'repos':[{'name':'api','repo_uri':'h.example/a/api','status':'building','health':'healthy','done':3,'total':7}]"),
		GOOD "warning|repository api|building, 3 of 7 files|wait until it is indexed\n" },
	{ "one whose job failed", REPO(",'indexing':{'status':'pending','last_error':'DB_ERROR: broken'},'atoll_yaml':'line 3'"),
		GOOD "warning|repository api|its last job failed: DB_ERROR: broken|fix the cause, then " ANALYZE "; see `atoll jobs list`\n" },
	{ "one whose job did not", REPO(",'indexing':{'status':'ready'}"), GOOD "ok|repository api|3 files, 9 symbols|\n" },
	{ "one with a bad file", REPO(",'atoll_yaml':'line 3','vectors_reason':'no key'"),
		GOOD "warning|repository api|line 3|the file is ignored until it is correct\n" },
	{ "one without vectors", REPO(",'vectors_reason':'no key','freshness':{'behind':2}"),
		GOOD "warning|repository api|searches find it only by words: no key|the vectors are retried automatically\n" },
	{ "one that is behind", REPO(",'source':'/src/api','freshness':{'behind':2}"),
		GOOD "warning|repository api|its index is 2 commits behind|the index follows HEAD: merge, or check out the default branch\n" },
	{ "a remote one", REPO(",'source':'https://h.example/a/api','freshness':{'behind':-1}"),
		GOOD "warning|repository api|it is unknown how many commits its index is behind|" ANALYZE "\n" },
	{ "one of unknown source", REPO(",'freshness':{'behind':1}"), GOOD "warning|repository api|its index is 1 commits behind|" ANALYZE "\n" },
	{ "one that is at its head", REPO(",'freshness':{'behind':0}"), GOOD "ok|repository api|3 files, 9 symbols|\n" },
	{ "one that is down", STATUS(",'repos':[{'name':'api','repo_uri':'h.example/a/api','status':'ready','health':'down','since':'12:00','reason':'refused'}]"),
		GOOD "failed|repository api|its shard is down since 12:00: refused|`atoll up` restarts it; its log is in DATA/logs; "
		"`atoll repo remove api` removes it\n" },
	{ "one that failed and is down", STATUS(",'repos':[{'name':'api','repo_uri':'h.example/a/api','status':'failed','health':'down'}]"),
		GOOD "failed|repository api|its shard is down|`atoll up` restarts it; its log is in DATA/logs; `atoll repo remove api` removes it\n" },
	{ "one that is not well", STATUS(",'repos':[{'name':'api','repo_uri':'h.example/a/api','status':'ready','health':'degraded'}]"),
		GOOD "warning|repository api|its shard is degraded|it recovers when the cause is fixed; its log is in DATA/logs\n" },
	{ "one that failed", STATUS(",'repos':[{'name':'api','repo_uri':'h.example/a/api','status':'failed','health':'degraded','reason':'SHA-256'}]"),
		GOOD "failed|repository api|SHA-256|fix the cause, then " ANALYZE "\n" },
	{ "one that failed without a reason", STATUS(",'repos':[{'name':'api','repo_uri':'h.example/a/api','status':'failed','health':'healthy'}]"),
		GOOD "failed|repository api|the index could not be built|fix the cause, then " ANALYZE "\n" },
	{ "two under one name", REPO(",'conflict':'other content'"),
		GOOD "warning|repository api|conflict: other content|update or stop one of the clones; two different repositories need two names\n"
		"ok|repository api|3 files, 9 symbols|\n" },
	{ "one that lacks files and history", REPO(",'freshness':{'behind':2,'gaps':[{'cause':'missing','number':1},{'cause':'shallow','number':1}]}"),
		GOOD "warning|repository api|its index lacks 1 path (missing: the repository does not have the object)|"
		"`git fsck` lists such objects; copy them from another clone, or clone again; then " ANALYZE "\n"
		"warning|repository api|its index lacks the history before 1 commit (shallow: the clone is shallow)|"
		"`git fetch --unshallow` gets the whole history; then " ANALYZE "\n" },
	{ "one that lacks files and is degraded for it",
		STATUS(",'repos':[{'name':'api','repo_uri':'h.example/a/api','status':'ready','health':'degraded','reason':'its index lacks 1 path','freshness':{'gaps':[{'cause':'corrupt','number':1}]}}]"),
		GOOD "warning|repository api|its index lacks 1 path (corrupt: the object is damaged)|`git fsck` lists such objects; clone again; then " ANALYZE "\n" },
	{ "one that lacks files and is degraded otherwise",
		STATUS(",'repos':[{'name':'api','repo_uri':'h.example/a/api','status':'ready','health':'degraded','reason':'slow','freshness':{'gaps':[{'cause':'corrupt','number':1}]}}]"),
		GOOD "warning|repository api|its index lacks 1 path (corrupt: the object is damaged)|`git fsck` lists such objects; clone again; then " ANALYZE "\n"
		"warning|repository api|its shard is degraded: slow|it recovers when the cause is fixed; its log is in DATA/logs\n" },
	{ "declarations", REPO("") "\b,'groups':[{'name':'shop'}]}", GOOD "ok|repository api|3 files, 9 symbols|\n"
		"warning|group shop|h.example/a/api atoll.yaml:3: it leads nowhere|\n" },
	{ "certificates", REPO("") "\b,'certificates':[{'file':'tls-ca','until':'2027-01-02T00:00:00Z','days':30},{'file':'tls-cert','until':'2026-12-01T00:00:00Z','days':29},"
		"{'file':'http-cert','until':'2026-11-01T00:00:00Z','days':-1},{'file':'other','until':'2026-11-28T00:00:00Z','days':0}]}",
		GOOD "ok|certificate tls-ca|valid until 2027-01-02|\n"
		"warning|certificate tls-cert|expires on 2026-12-01|renew it with `atoll certs issue DIR NAME --renew`; see deploy/README.md, also for a CA\n"
		"failed|certificate http-cert|expired on 2026-11-01|renew it with `atoll certs issue DIR NAME --renew`; see deploy/README.md, also for a CA\n"
		"warning|certificate other|expires on 2026-11-28|renew it with `atoll certs issue DIR NAME --renew`; see deploy/README.md, also for a CA\n"
		"ok|repository api|3 files, 9 symbols|\n" },
	{ "secrets", REPO("") "\b,'secrets':[{'program':'coordinator','secret':'key','from':'ATOLL_KEY'},{'program':'shard','secret':'key','from':'key-file','shards':1,'repo':'api'},"
		"{'program':'shard','secret':'key','from':'ATOLL_KEY','shards':3,'repo':'web','fault':'it is empty'}]}",
		GOOD "ok|coordinator's key|from ATOLL_KEY|\n"
		"ok|shard's key|from key-file, for the shard of api|\n"
		"warning|shard's key|from ATOLL_KEY, for 3 shards, for example that of web|it is empty\n"
		"ok|repository api|3 files, 9 symbols|\n" },
	{ "a sandbox", STATUS(",'repos':[{'name':'bare','repo_uri':'h.example/a/bare','status':'ready','health':'healthy','sandbox_lacks':'seccomp'},"
		"{'name':'sand','repo_uri':'h.example/a/sand','status':'ready','health':'healthy'},"
		"{'name':'worse','repo_uri':'h.example/a/worse','status':'ready','health':'healthy','sandbox_lacks':'all'}]"),
		GOOD "ok|repository bare|0 files, 0 symbols|\nok|repository sand|0 files, 0 symbols|\nok|repository worse|0 files, 0 symbols|\n"
		"ok|sandbox|landlock of h.example/a/sand|\n"
		"warning|sandbox|2 of 3 repositories are parsed without the full sandbox: seccomp, for example bare|deploy/README.md lists what it needs; "
		"with ATOLL_SANDBOX=require such a shard does not index\n" },
};
/* clang-format on */

static struct arena *a;
static const char *status, *sources;

static const char *quoted(const char *text)
{
	char *s = arena_str(a, text), *w = s;

	for (const char *p = s; *p; p++)
		if (*p == '\b')		/* takes back the bracket before it */
			w--;
		else
			*w++ = *p == '\'' ? '"' : *p;
	*w = '\0';
	return s;
}

/* ---- in place of the coordinator ---- */

struct api_client client_from_options(const struct cli *cli)
{
	(void)cli;
	return (struct api_client){ 0 };
}

enum answer client_get(const struct api_client *c, const char *tool, const char *args,
    int timeout_ms, const struct record *rec, void *out, struct arena *arena, struct err *e)
{
	const char *text = status;

	(void)c, (void)timeout_ms;
	if (!status) {
		err_set(e, ERR_UNAVAILABLE, "nobody answers");
		return ANSWER_NONE;
	}
	if (!strcmp(tool, "group_status"))
		text =
		    "{'declarations':[{'repo_uri':'h.example/a/api','file':'atoll.yaml','line':3,'text':'it leads nowhere'}]}";
	if (!strcmp(tool, "source_list"))
		text = sources;
	if (!strcmp(tool, "repo_status")) {
		struct json *j = json_read(args, NULL);
		const char *uri = json_str(json_key(j, "repo_uri"));
		text = arena_printf(a, "{'sandbox':'%s%s'}",
		    !strcmp(uri, "h.example/a/sand") ? "landlock of " : "", strstr(uri, "sand") ? uri : "");
		json_free(j);
	}
	return json_get_lax(rec, out, quoted(text), arena, e) ? ANSWER_NONE : ANSWER_OK;
}

/* ---- what is found ---- */

static bool is_of_the_machine(const char *check)
{
	static const char *const names[] = { "git", "atoll-coordinator", "atoll-shard", "data folder",
		"disk space", "indexes and mirrors", "unregistered data", "socket folder" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(check, names[i]))
			return true;
	return false;
}

static int code;
static bool said_good, is_good;

/* The findings about what `is_wanted` says of their checks, a line each. */
static const char *findings_of(bool (*is_wanted)(const char *check))
{
	static char data[] = "/tmp";
	struct cli cli = { .a = a,
		.o = { .json = true, .data = data, .url = "", .token = "", .ca = "" } };
	FILE *f = tmpfile();
	char text[16384];
	struct buf b = { 0 };
	int old = dup(1);

	assert_non_null(f);
	fflush(stdout);
	dup2(fileno(f), 1);
	code = cmd_doctor(&cli);
	fflush(stdout);
	dup2(old, 1);
	close(old);
	rewind(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	struct json *j = json_read(text, NULL);
	const struct json *checks = json_key(j, "checks");
	assert_true(json_len(checks) > 5);
	said_good = strstr(text, "{\"ok\":true,") == text;
	is_good = !strstr(text, "\"state\":\"failed\"");	/* the machine may have faults, too */
	for (size_t i = 0; i < json_len(checks); i++) {
		const struct json *x = json_nth(checks, i);
		const char *how = json_str(json_key(x, "state"));
		if (strcmp(how, "ok") && strcmp(how, "warning") && strcmp(how, "failed"))
			fail_msg("%s is `%s`", json_str(json_key(x, "check")), how);
		if (is_wanted(json_str(json_key(x, "check"))))
			buf_printf(&b, "%s|%s|%s|%s\n", how, json_str(json_key(x, "check")),
			    json_str(json_key(x, "detail")), json_str(json_key(x, "remedy")));
	}
	json_free(j);
	const char *s = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

static bool is_of_the_coordinator(const char *check)
{
	return !is_of_the_machine(check);
}

static const char *findings(void)
{
	return findings_of(is_of_the_coordinator);
}

static void what_a_coordinator_says(void **state)
{
	(void)state;
	sources = "{'sources':[]}";
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		status = cases[i].status;
		const char *got = findings();
		if (strcmp(got, cases[i].findings))
			print_message("%s\n", cases[i].what);
		assert_string_equal(got, cases[i].findings);
		assert_int_equal(said_good, is_good);
		assert_int_equal(code, is_good ? EXIT_OK : EXIT_UNAVAILABLE);
	}
}

static void sources_without_a_shard(void **state)
{
	(void)state;
	status = REPO("");
	sources =
	    "{'sources':[{'source':'/src/api','repo_uri':'h.example/a/api'},{'source':'/src/web'}]}";
	assert_string_equal(findings(),
	    GOOD
	    "ok|repository api|3 files, 9 symbols|\n"
	    "warning|source /src/web|no shard has announced it yet|see the output of `atoll up` on its machine, and the log in DATA/logs there\n");
}

static void without_a_coordinator(void **state)
{
	(void)state;
	status = NULL;
	assert_string_equal(findings(),
	    "failed|coordinator|nobody answers|start one with `atoll up PATH...`, or set ATOLL_URL\n");
	assert_int_equal(code, EXIT_UNAVAILABLE);
	assert_false(said_good);
}

static bool is_program(const char *check)
{
	return !strncmp(check, "atoll-", 6) || !strcmp(check, "git");
}

/* Programs are looked for in $PATH, as none is beside this one. */
static void programs(void **state)
{
	static const char *const names[] = { "git", "atoll-coordinator", "atoll-shard" };
	const char *dir = private_folder(), *old = arena_str(a, getenv("PATH"));

	(void)state;
	status = STATUS("");
	setenv("PATH", arena_printf(a, "%s:%s", dir, old), 1);
	for (size_t i = 0; i < 3; i++) {
		FILE *f = fopen(arena_printf(a, "%s/%s", dir, names[i]), "w");
		assert_non_null(f);
		fprintf(f, "#!/bin/sh\n[ \"$*\" = --version ] && echo %s of the test\n", names[i]);
		fchmod(fileno(f), 0700);
		fclose(f);
	}
	const char *found = findings_of(is_program);
	for (size_t i = 0; i < 3; i++)
		unlink(arena_printf(a, "%s/%s", dir, names[i]));
	setenv("PATH", dir, 1);
	const char *missing = findings_of(is_program);
	setenv("PATH", old, 1);
	assert_string_equal(found,
	    "ok|atoll-coordinator|atoll-coordinator, atoll-coordinator of the test|\n"
	    "ok|atoll-shard|atoll-shard, atoll-shard of the test|\n"
	    "ok|git|git of the test|\n");
	assert_string_equal(missing,
	    "failed|atoll-coordinator|not found|put atoll, atoll-coordinator and atoll-shard into one folder\n"
	    "failed|atoll-shard|not found|put atoll, atoll-coordinator and atoll-shard into one folder\n"
	    "failed|git|not found|install git\n");
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	unsetenv("ATOLL_TOKEN");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(what_a_coordinator_says),
		CASE(sources_without_a_shard),
		CASE(without_a_coordinator),
		CASE(programs),
	};

	return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
