/* The folders and addresses of `atoll up`: repositories on the command line, the data folder, the runtime folder, ports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/up/codebase_root.h"
#include "coordinator/cli/up/host_join.h"
#include "coordinator/cli/up/repo_argument.h"
#include "coordinator/cli/up/runtime_paths.h"
#include "coordinator/cli/up/shard_folders.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"

static struct arena *a;
static char folder[] = "/tmp/atoll-up.XXXXXX";

static const char *in_folder(const char *name)
{
	return arena_printf(a, "%s/%s", folder, name);
}

static void sh(const char *script)
{
	const char *line = arena_printf(a, "cd %s && (%s) >/dev/null 2>&1", folder, script);

	if (system(line))
		fail_msg("`%s` fails", line);
}

static const char *contents(const char *name)
{
	static char text[4096];
	FILE *f = fopen(in_folder(name), "r");

	if (!f)
		return "none";
	text[fread(text, 1, sizeof text - 1, f)] = 0;
	fclose(f);
	return text;
}

/* ---- repositories ---- */

#define COMMIT "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x"

static void make_repositories(void)
{
	sh("mkdir repos && cd repos && git init -q one && cd one && " COMMIT
	   " && mkdir -p sub/deep && cd .. && git init -q empty && mkdir plain .hidden"
	   " && git clone -q --bare one bare.git && ln -s one link && cp -R one .dotted && cp -R one unborn && rm unborn/.git/refs/heads/* &&"
	   " cp -R one damaged && rm damaged/.git/HEAD && cp -R one lost && git -C lost checkout -q --detach && rm -r lost/.git/objects/?? &&"
	   " mkdir two-parts && touch two-parts/HEAD two-parts/refs && mkdir one-part && touch one-part/HEAD &&"
	   " git -C one worktree add -q ../tree && cp -R one twisted && git -C twisted config core.worktree ../../one");
}

static void what_a_repository_is(void **state)
{
	/* clang-format off */
	static const struct { const char *typed, *source, *fault; } rows[] = {
		{ "https://u:p@h/x", "https://h/x", NULL }, { "git@h:x/y", "git@h:x/y", NULL }, { "h:x", "h:x", NULL },
		{ "@/repos/one", "@/repos/one", NULL }, { "@/repos/one/sub/deep", "@/repos/one", NULL }, { "@/repos/one/.git", "@/repos/one", NULL },
		{ "@/repos/one/.git/refs", "@/repos/one", NULL }, { "@/repos/link", "@/repos/one", NULL },
		{ "@/repos/bare.git", "@/repos/bare.git", NULL }, { "@/repos/bare.git/refs", "@/repos/bare.git", NULL },
		{ "@/repos/tree", "@/repos/tree", NULL }, { "@/repos/twisted", "@/repos/twisted", NULL },
		{ "@/repos/damaged", "@/repos/damaged", NULL }, { "@/repos/lost", "@/repos/lost", NULL }, { "@/repos/two-parts", "@/repos/two-parts", NULL },
		{ "@/repos/one-part", NULL, "@/repos/one-part: not a git repository" },
		{ "@/repos/plain", NULL, "@/repos/plain: not a git repository" },
		{ "@/repos/empty", NULL, "@/repos/empty: the repository has no commit yet" },
		{ "@/repos/unborn", NULL, "@/repos/unborn: the repository has no commit yet" },
		{ "@/none", NULL, "@/none: no such folder" }, { "", NULL, "(empty): no such folder" },
		{ "github.com/a/b", NULL, "github.com/a/b: no such folder; if it is a remote, write https://github.com/a/b" },
		{ "github.com", NULL, "github.com: no such folder" }, { "github/a", NULL, "github/a: no such folder" },
		{ "./x.y/z", NULL, "./x.y/z: no such folder" }, { "../x", NULL, "../x: no such folder" }, { "a./x", NULL, "a./x: no such folder" },
		{ ".a/x", NULL, ".a/x: no such folder" },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		struct err e = { 0 };
		const char *typed = rows[i].typed, *want = rows[i].source ? rows[i].source : rows[i].fault;
		if (*typed == '@')
			typed = in_folder(typed + 2);
		if (*want == '@')
			want = in_folder(want + 2);
		const char *source = source_resolve(typed, a, &e);
		assert_string_equal(source ? source : e.msg, want);
		assert_int_equal(e.code, rows[i].source ? ERR_NONE : ERR_NOT_FOUND);
	}
	assert_null(source_resolve("/no/such", a, NULL));
	assert_int_equal(chdir(folder), 0);
	assert_false(source_is_url("repos/x:y"));
	assert_true(source_is_url("x:y"));
	sh("mkdir x:y");
	assert_false(source_is_url("x:y")); /* it exists */
	assert_int_equal(chdir("/"), 0);
}

static void the_repositories_in_a_folder(void **state)
{
	/* "one" stands where "link" leads to it, and only there */
	static const char *const names[] = { "bare.git", "damaged", "one", "lost", "tree", "twisted",
		"two-parts" };
	struct string_list found;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(sources_in_folder(in_folder("repos"), &found, a, &e), 0);
	assert_int_equal(found.n, LEN(names));
	for (size_t i = 0; i < found.n; i++)
		assert_string_equal(found.v[i], in_folder(arena_printf(a, "repos/%s", names[i])));
	assert_int_equal(sources_in_folder(in_folder("none"), &found, a, &e), -1);
	assert_string_equal(e.msg,
	    arena_printf(
	        a, "--codebase-root (CODEBASE_ROOT) %s/none: No such file or directory", folder));
	assert_string_equal(e.hint, "Name the folder that contains your repositories.");
}

static void names_of_sources(void **state)
{
	static const struct {
		const char *source, *label;
	} rows[] = {
		{ "/src/api", "api-79949073" },
		{ "/src/api/", "api-819f235e" },
		{ "https://h/w.git", "w-acf8f6c6" },
		{ "git@h:x.git", "x-2f38c430" },
		{ ".git", ".git-4d0a4dff" },
		{ "/", "repo-8a5edab2" },
		{ "a/b c+d_e.f", "b-c-d_e.f-c86e6c3a" },
		{ "/x/abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwx-ee53e905" },
		{ "/a/x.git/", "x-b5816ccd" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++)
		assert_string_equal(source_label(rows[i].source, a), rows[i].label);
}

static void repositories_that_appear(void **state)
{
	const struct string_list known = { (const char *[]){ in_folder("root/old") }, 1 };
	struct string_list more;
	struct codebase_root *r = codebase_root_new(in_folder("root"), &known);

	(void)state;
	codebase_root_appeared(r, &more, a);
	assert_int_equal(more.n, 0); /* there is no such folder */
	sh("mkdir root && cd root && cp -R ../repos/one old && mkdir plain && cp -R ../repos/one .hidden && cp -R ../repos/one/sub . && git init -q empty");
	codebase_root_appeared(r, &more, a);
	assert_int_equal(more.n, 0);
	sh("cd root && cp -R ../repos/one new && ln -s new same && cp -R ../repos/one b");
	codebase_root_appeared(r, &more, a);
	assert_int_equal(more.n, 2);
	assert_string_equal(more.v[0], in_folder("root/b"));
	assert_string_equal(more.v[1], in_folder("root/new"));
	codebase_root_appeared(r, &more, a);
	assert_int_equal(more.n, 0);
	codebase_root_forget(r, in_folder("root/new"));
	sh("cd root/empty && " COMMIT);
	codebase_root_appeared(r, &more, a);
	assert_int_equal(more.n, 0); /* both are tried again only after some seconds */
	codebase_root_free(r);
	codebase_root_free(NULL);
	r = codebase_root_new(in_folder("root"), &known);
	codebase_root_appeared(r, &more, a);
	assert_int_equal(more.n, 3);
	codebase_root_free(r);
}

/* ---- data ---- */

static void folders_of_shards(void **state)
{
	struct repo_row rows[] = { { .name = "x" }, { .collection = (char *)"repo_0000000000000001" } };
	const struct status_out status = { .repos = { rows, 2 } };
	struct err e = { 0 };
	size_t n;

	(void)state;
	sh("mkdir data && cd data && for i in 1 2 3 4; do mkdir -p repo_000000000000000$i/v; done && head -c 5000 /dev/zero >repo_0000000000000002/v/f &&"
	   " mkdir repo_0000000000000002.mirror && head -c 9000 /dev/zero >repo_0000000000000002.mirror/p && touch repo_0000000000000003/lock repo_0000000000000004/lock"
	   " && touch -d '3 days ago' repo_0000000000000002/v/f && touch -d '2 days ago' repo_0000000000000002.mirror/p && touch -d '5 days ago' repo_0000000000000001"
	   " && mkdir repo_000000000000000 repo_00000000000000001 repo_000000000000000g rep__0000000000000001 other && touch repo_x");
	int lock = open(in_folder("data/repo_0000000000000003/lock"), O_RDWR | O_CLOEXEC);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	const struct shard_folder *v = shard_folders_list(in_folder("data"), &status, &n, a);
	assert_int_equal(n, 4);
	for (size_t i = 0; i < n; i++) {
		const char *name = arena_printf(a, "repo_000000000000000%zu", i + 1);
		assert_string_equal(v[i].name, name);
		assert_string_equal(v[i].path, in_folder(arena_printf(a, "data/%s", name)));
		assert_int_equal(v[i].known, i == 0);
		assert_int_equal(v[i].served, i == 2);
	}
	assert_int_equal(v[1].bytes, 8192 + 12288);
	assert_int_equal(v[0].bytes, 0);
	assert_in_range(v[0].idle_s, 5 * 86400, 5 * 86400 + 600); /* of the folder, as it is empty */
	assert_in_range(v[1].idle_s, 2 * 86400, 2 * 86400 + 600); /* of what was written last */
	assert_in_range(v[2].idle_s, 0, 600);
	assert_false(shard_folders_list(in_folder("data"), NULL, &n, a)[0].known);
	assert_null(shard_folders_list(in_folder("nowhere"), NULL, &n, a));
	assert_int_equal(n, 0);

	assert_int_equal(shard_folder_delete(in_folder("data"), "repo_0000000000000003", 250, &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_string_equal(
	    e.msg, arena_printf(a, "%s/data/repo_0000000000000003 is in use by a shard", folder));
	assert_string_equal(e.hint, "Stop that shard, then delete the folder with `rm -r`.");
	assert_int_equal(shard_folder_delete(in_folder("data"), "repo_0000000000000009", 0, &e), -1);
	assert_int_equal(e.code, ERR_NOT_FOUND);
	assert_string_equal(e.hint, "Run this on the machine of its shard, with its --data DIR.");
	assert_int_equal(shard_folders_prune(in_folder("data"), &status, 2 * 86400 + 700, a), 0);
	assert_int_equal(shard_folders_prune(in_folder("data"), &status, 86400, a), 8192 + 12288);
	sh("cd data && test ! -e repo_0000000000000002 && test ! -e repo_0000000000000002.mirror && test -d repo_0000000000000001 && test -d repo_0000000000000004");
	assert_int_equal(
	    shard_folders_prune(in_folder("data"), &status, -1, a), 0); /* those that nobody serves */
	sh("cd data && test ! -e repo_0000000000000004 && test -d repo_0000000000000003 && test -d repo_0000000000000001");
	close(lock);
	assert_int_equal(shard_folder_delete(in_folder("data"), "repo_0000000000000003", 0, &e), 0);
	sh("cd data && test ! -e repo_0000000000000003");
}

static void the_data_folder(void **state)
{
	(void)state;
	sh("mkdir -p home data2 && ln -s data2 linked");
	assert_string_equal(runtime_data_dir(in_folder("linked"), a), in_folder("data2"));
	assert_string_equal(runtime_data_dir("/no/such", a), "/no/such");
	assert_int_equal(chdir(folder), 0);
	assert_string_equal(runtime_data_dir("no/such", a), in_folder("no/such"));
	assert_int_equal(chdir("/"), 0);
	setenv("HOME", in_folder("home"), 1);
	setenv("XDG_DATA_HOME", in_folder("xdg"), 1);
	assert_string_equal(runtime_data_dir("", a), in_folder("xdg/atoll"));
	assert_string_equal(runtime_data_dir(NULL, a), in_folder("xdg/atoll"));
	setenv("XDG_DATA_HOME", "relative", 1);
	assert_string_equal(runtime_data_dir("", a), in_folder("home/.local/share/atoll"));
	unsetenv("XDG_DATA_HOME");
	assert_string_equal(runtime_data_dir("", a), in_folder("home/.local/share/atoll"));
	unsetenv("HOME");
	assert_string_equal(runtime_data_dir("", a), "/tmp/.local/share/atoll");

	setenv("XDG_RUNTIME_DIR", folder, 1);
	assert_string_equal(runtime_run_dir("/data", a), in_folder("atoll-bd47413b"));
	char deep[64];
	snprintf(deep, sizeof deep, "%s/", folder);
	while (strlen(deep) < 107 - 50 - 16)
		strcat(deep, "d");
	assert_int_equal(mkdir(deep, 0700), 0);
	setenv("XDG_RUNTIME_DIR", deep, 1);
	assert_string_equal(runtime_run_dir("/data", a), arena_printf(a, "%s/atoll-bd47413b", deep));
	strcat(deep, "d");
	assert_int_equal(mkdir(deep, 0700), 0);
	setenv("XDG_RUNTIME_DIR", deep, 1); /* one byte too long for the path of a socket */
	const char *other = arena_printf(a, "/tmp/atoll-%d-bd47413b", (int)getuid());
	assert_string_equal(runtime_run_dir("/data", a), other);
	setenv("XDG_RUNTIME_DIR", "relative", 1);
	assert_string_equal(runtime_run_dir("/data", a), other);
	setenv("XDG_RUNTIME_DIR", "/no/such", 1);
	assert_string_equal(runtime_run_dir("/data", a), other);
	unsetenv("XDG_RUNTIME_DIR");
	assert_string_equal(runtime_run_dir("/data", a), other);
	setenv("XDG_RUNTIME_DIR", folder, 1);
}

static int mode(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (int)(st.st_mode & 0777);
}

static void a_data_folder_is_of_one_up(void **state)
{
	struct runtime_paths one, two;
	struct err e = { 0 };

	(void)state;
	sh("mkdir -m 700 up && touch up/x.key up/y.lock up/z && chmod 644 up/*");
	assert_int_equal(runtime_paths_open(&one, in_folder("up"), a, &e), 0);
	assert_string_equal(one.data, in_folder("up"));
	assert_string_equal(one.logs, in_folder("up/logs"));
	assert_string_equal(one.key, in_folder("up/cluster.key"));
	assert_string_equal(one.run, runtime_run_dir(one.data, a));
	assert_string_equal(one.slots, arena_printf(a, "%s/slots", one.run));
	assert_string_equal(one.ready, arena_printf(a, "%s/ready", one.run));
	assert_int_equal(mode(one.key), 0600);
	assert_int_equal(mode(one.logs), 0700);
	assert_int_equal(mode(in_folder("up/x.key")), 0600);
	assert_int_equal(mode(in_folder("up/y.lock")), 0600);
	assert_int_equal(mode(in_folder("up/z")), 0644);
	assert_int_equal(mode(arena_printf(a, "%s/0", one.slots)), 0600);
	assert_int_equal(
	    mode(arena_printf(a, "%s/%ld", one.slots, sysconf(_SC_NPROCESSORS_ONLN) - 1)), 0600);
	assert_int_equal(mode(arena_printf(a, "%s/%ld", one.slots, sysconf(_SC_NPROCESSORS_ONLN))), -1);
	const char *key = arena_str(a, contents("up/cluster.key"));
	assert_int_equal(strlen(key), 65);
	assert_int_equal(strspn(key, "0123456789abcdef"), 64);
	assert_string_equal(contents("up/up.lock"), arena_printf(a, "%d\n", (int)getpid()));

	assert_int_equal(runtime_paths_open(&two, in_folder("up"), a, &e), -1);
	assert_string_equal(e.msg,
	    arena_printf(a, "another `atoll up` (process %d) runs on %s/up", (int)getpid(), folder));
	assert_string_equal(e.hint,
	    "Add repositories to it with `atoll repo add PATH`, or start another with --data DIR.");
	runtime_paths_close(&two); /* leaves those of the first one */
	assert_int_equal(mode(one.slots), 0700);

	assert_false(runtime_serves_url(one.data, "http://h:7700", a));
	sh(arena_printf(a, "echo http://127.0.0.1:7700 >%s", one.ready));
	assert_true(runtime_serves_url(one.data, "http://other:7700", a));
	assert_false(runtime_serves_url(one.data, "http://other:7701", a));
	assert_false(runtime_serves_url(one.data, "", a));
	sh(arena_printf(a, ": >%s", one.ready));
	assert_false(runtime_serves_url(one.data, "http://other:7700", a));
	runtime_paths_close(&one);
	assert_int_equal(mode(one.run), -1);
	assert_int_equal(runtime_paths_open(&one, in_folder("up"), a, &e), 0);
	assert_string_equal(contents("up/cluster.key"), key); /* it stays */
	assert_int_equal(mode(one.ready), -1);
	runtime_paths_close(&one);
	assert_int_equal(runtime_paths_open(&one, "/dev/null/x", a, &e), -1);
	assert_int_equal(one.lock, -1);
}

/* ---- hosts ---- */

static int resolve(struct host_join *j, struct cli_options *o, const char *url,
    const char *membership, struct err *e)
{
	const struct status_out is = { .memberships = { (const char *[]){ "ipc:///c", membership },
		                               membership ? 2 : 1 } };

	*e = (struct err){ 0 };
	return host_join_resolve(j, o, url, &is, "/data", a, e);
}

static void where_shards_announce_themselves(void **state)
{
	struct cli_options tls = { .tls_ca = "ca",
		.tls_cert = "c",
		.tls_key = "k",
		.cluster_key_file = "f",
		.advertise = "me",
		.ports = 7710 };
	/* clang-format off */
	static const struct { const char *url, *membership, *coordinator; } rows[] = {
		{ "http://localhost:7700/x", NULL, "ipc:///c" }, { "http://127.9.0.1:7700", "tcp://127.0.0.1:1", "ipc:///c" },
		{ "http://[::1]:7700", NULL, "ipc:///c" }, { "https://h.example:7700", "tls+tcp://10.0.0.1:7701", "tls+tcp://10.0.0.1:7701" },
		{ "https://h.example:7700", "tls+tcp://0.0.0.0:7701", "tls+tcp://h.example:7701" },
		{ "https://h.example", "tls+tcp://[::]:7701", "tls+tcp://h.example:7701" },
		{ "https://[fe80::1]:7700/", "tls+tcp://*:7701", "tls+tcp://[fe80::1]:7701" },
		{ "http://localhost:7700", "tls+tcp://:7701", "tls+tcp://localhost:7701" },
		{ "http://h.example:7700", NULL, NULL }, { "http://128.0.0.1", "tcp://x:1", NULL },
	};
	/* clang-format on */
	struct host_join j;
	struct err e;

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		int rc = resolve(&j, &tls, rows[i].url, rows[i].membership, &e);
		assert_int_equal(rc, rows[i].coordinator ? 0 : -1);
		if (rc) {
			assert_string_equal(e.msg,
			    arena_printf(a, "the coordinator at %s listens only for shards of its own machine",
			        rows[i].url));
			continue;
		}
		assert_int_equal(j.coordinators.n, 1);
		assert_string_equal(j.coordinators.v[0], rows[i].coordinator);
		assert_string_equal(j.ports, "/data/ports");
		bool is_tls = *rows[i].coordinator == 't';
		assert_int_equal(j.address != NULL, is_tls);
		if (is_tls) {
			assert_string_equal(j.address, "0.0.0.0");
			assert_string_equal(j.advertise, "me");
			assert_int_equal(j.first, 7710);
		}
	}
	struct cli_options given = tls;
	given.coordinator = (struct string_list){
		(const char *[]){ "tls+tcp://127.0.0.1:1", "tls+tcp://b:2" }, 2
	};
	given.advertise = "";
	assert_int_equal(resolve(&j, &given, "http://h.example", NULL, &e), 0);
	assert_int_equal(j.coordinators.n, 2);
	assert_string_equal(j.address, "127.0.0.1"); /* of the connection to the first one */
	assert_null(j.advertise);
	given.coordinator.v[0] = "tls+tcp://[::1]:1";
	if (!resolve(&j, &given, "http://h.example", NULL, &e))
		assert_string_equal(j.address, "[::1]");
	given.coordinator.v[0] = "tls+tcp://256.0.0.1.invalid:1";
	assert_int_equal(resolve(&j, &given, "http://h.example", NULL, &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
}

static void what_tls_needs(void **state)
{
	static const char there[] = "tls+tcp://10.0.0.1:7701";
	struct cli_options good = { .tls_ca = "ca",
		.tls_cert = "c",
		.tls_key = "k",
		.cluster_key_file = "f",
		.advertise = "me",
		.ports = 1 };
	static const char *const flags[] = { "--tls-ca", "--tls-cert", "--tls-key",
		"--cluster-key-file" };
	struct host_join j;
	struct err e;

	(void)state;
	unsetenv("ATOLL_CLUSTER_KEY");
	for (size_t i = 0; i < LEN(flags); i++) {
		struct cli_options o = good;
		opt_str *all[] = { &o.tls_ca, &o.tls_cert, &o.tls_key, &o.cluster_key_file };
		*all[i] = "";
		assert_int_equal(resolve(&j, &o, "http://h", there, &e), -1);
		assert_string_equal(e.msg,
		    arena_printf(a,
		        "%s is missing: shards and coordinators on different hosts authenticate with certificates and the cluster key",
		        flags[i]));
	}
	struct cli_options o = good;
	o.cluster_key_file = "";
	setenv("ATOLL_CLUSTER_KEY", "secret", 1);
	assert_int_equal(resolve(&j, &o, "http://h", there, &e), 0);
	unsetenv("ATOLL_CLUSTER_KEY");
	o = good;
	o.advertise = "tls+tcp://me:1";
	assert_int_equal(resolve(&j, &o, "http://h", there, &e), -1);
	assert_string_equal(e.msg,
	    "--advertise: `tls+tcp://me:1` is a URL; give a name or an address only, because each shard has its own port");
	static const struct {
		int port;
		bool good;
	} ports[] = { { 0, false }, { 1, true }, { 65535, true }, { 65536, false } };
	for (size_t i = 0; i < LEN(ports); i++) {
		o = good;
		o.ports = ports[i].port;
		assert_int_equal(resolve(&j, &o, "http://h", there, &e), ports[i].good ? 0 : -1);
		if (!ports[i].good)
			assert_string_equal(
			    e.msg, arena_printf(a, "--ports: %d is not between 1 and 65535", ports[i].port));
	}
}

static void ports_are_kept(void **state)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t n = sizeof at;
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	assert_false(bind(s, (struct sockaddr *)&at, n) || listen(s, 1) ||
	    getsockname(s, (struct sockaddr *)&at, &n));
	int busy = ntohs(at.sin_port);
	struct host_join j = { .ports = in_folder("ports"), .first = busy };
	int one = host_join_port(&j, "one"), two = host_join_port(&j, "two");
	assert_true(one > busy); /* another program listens there */
	assert_true(two > one);
	assert_int_equal(host_join_port(&j, "one"), one);
	assert_string_equal(contents("ports"), arena_printf(a, "one %d\ntwo %d\n", one, two));
	host_join_release_port(&j, "one");
	assert_string_equal(contents("ports"), arena_printf(a, "two %d\n", two));
	assert_int_equal(host_join_port(&j, "three"), one);
	for (int i = 0; i < 70; i++)
		assert_true(host_join_port(&j, arena_printf(a, "n%d", i)) > 0);
	assert_int_equal(host_join_port(&j, "two"), two);
	assert_int_equal(host_join_port(&j, "n69"), host_join_port(&j, "n69"));
	struct host_join last = { .ports = in_folder("ports2"), .first = 65535 },
	                 nowhere = { .ports = "/no/such/ports", .first = busy };
	int highest = host_join_port(&last, "a");
	assert_true(highest == 65535 || highest == -1); /* another program may use it */
	assert_int_equal(host_join_port(&last, "b"), -1); /* none is left */
	assert_int_equal(host_join_port(&nowhere, "a"), -1);
	close(s);
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	unsetenv("GIT_DIR");
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	if (!mkdtemp(folder))
		return -1;
	make_repositories();
	return 0;
}

static int teardown(void **state)
{
	const char *remove = arena_printf(a, "rm -rf %s*", folder);

	(void)state;
	if (system(remove))
		return -1;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_repository_is),
		cmocka_unit_test(the_repositories_in_a_folder),
		cmocka_unit_test(names_of_sources),
		cmocka_unit_test(repositories_that_appear),
		cmocka_unit_test(folders_of_shards),
		cmocka_unit_test(the_data_folder),
		cmocka_unit_test(a_data_folder_is_of_one_up),
		cmocka_unit_test(where_shards_announce_themselves),
		cmocka_unit_test(what_tls_needs),
		cmocka_unit_test(ports_are_kept),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
