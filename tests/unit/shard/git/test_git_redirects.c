/* A remote that redirects: followed on its own server, else told, and never contacted. */
#include "tests/indexed_repository.h"

#include <pthread.h>

#include "shard/git/git_process.h"
#include "tests/fake_http.h"

#define OID "0123456789012345678901234567890123456789"

static struct err e;
static const char *target; /* where /old leads; NULL: a redirect that names none */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buf asked; /* paths, a line each */

static void remote(const struct fake_request *r, struct buf *reply)
{
	static const char refs[] = OID "\trefs/heads/main\n";

	pthread_mutex_lock(&lock);
	buf_printf(&asked, "%s\n", r->line);
	if (strstr(r->line, "/new.git/info/refs"))
		buf_printf(reply,
		    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s",
		    strlen(refs), refs);
	else if (strstr(r->line, "/new.git/HEAD"))
		buf_str(reply,
		    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 21\r\nConnection: close\r\n\r\nref: refs/heads/main\n");
	else if (strstr(r->line, "/old.git/"))
		buf_printf(reply,
		    "HTTP/1.1 301 Moved\r\n%s%s%sContent-Length: 0\r\nConnection: close\r\n\r\n",
		    target ? "Location: " : "", target ? target : "", target ? "\r\n" : "");
	else
		fake_json(reply, 404, "{}");
	pthread_mutex_unlock(&lock);
}

static int begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	a = arena_new();
	e = (struct err){ 0 };
	char *none[] = { "atoll-shard" };
	struct string_list rest = { 0 };
	if (options_parse(rows, LEN(rows), &o, "", 1, none, &rest, a, &e))
		return -1;
	return fake_start(remote);
}

static int end(void **state)
{
	(void)state;
	fake_stop();
	buf_free(&asked);
	arena_free(a);
	return 0;
}

static const char *at(const char *path)
{
	return arena_printf(a, "http://127.0.0.1:%d%s", fake.port, path);
}

static bool was_asked(const char *path)
{
	pthread_mutex_lock(&lock);
	bool found = asked.p && strstr(asked.p, path);
	pthread_mutex_unlock(&lock);
	return found;
}

/* What `git ls-remote URL` says. */
static int list_refs(const char *url, const char **out)
{
	const struct git_command g = { .url = url, .shown = "the/remote", .o = &o };
	const char *argv[] = { "git", "ls-remote", "--", url, NULL };
	struct buf b = { 0 };

	buf_str(&b, "");
	int rc = git_run(&g, argv, &b, a, &e);
	*out = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return rc;
}

static void a_repository_that_moved(void **state)
{
	const char *out;

	(void)state;
	target = at("/new.git/info/refs?service=git-upload-pack");
	if (list_refs(at("/old.git"), &out))
		fail_msg("%s", e.msg);
	assert_non_null(strstr(out, OID "\trefs/heads/main\n"));
	assert_true(was_asked("/new.git/info/refs"));
	target = "/new.git/info/refs?service=git-upload-pack"; /* without a server */
	assert_int_equal(list_refs(at("/old.git"), &out), 0);
	assert_non_null(strstr(out, OID));
}

static void refused(const char *to, const char *shown)
{
	const char *out;

	target = to;
	e = (struct err){ 0 };
	assert_int_equal(list_refs(at("/old.git"), &out), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	if (!to)
		assert_string_equal(e.msg, "the/remote redirects without naming a target");
	else
		assert_string_equal(e.msg,
		    arena_printf(a,
		        "the/remote redirects to %s, which was not contacted; if that is the right repository, use it as the URL",
		        shown));
}

static void redirects_that_are_not_followed(void **state)
{
	(void)state;
	refused("http://localhost:1/new.git/info/refs", "http://localhost:1/new.git");
	refused("https://example.com/new.git/info/refs?service=git-upload-pack",
	    "https://example.com/new.git");
	refused(at("/new.git"), at("/new.git"));
	refused(at("/new.git?x=/other"), at("/new.git"));
	refused(
	    arena_printf(a, "http://u:p@127.0.0.1:%d/new.git/info/refs", fake.port), at("/new.git"));
	refused(NULL, NULL);
	assert_false(was_asked("/new.git"));
}

/* A remote that leads to itself is asked a few times only. */
static void a_circle(void **state)
{
	const char *out;

	(void)state;
	target = at("/old.git/info/refs?service=git-upload-pack");
	assert_int_equal(list_refs(at("/old.git"), &out), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_non_null(strstr(e.msg, "the/remote redirects to "));
	int n = 0;
	for (const char *at_line = asked.p; (at_line = strstr(at_line, "/old.git/info/refs"));
	     at_line++)
		n++;
	assert_int_equal(n, 8); /* each time once more, to see where it leads */
}

static void no_redirect(void **state)
{
	const char *out;

	(void)state;
	assert_int_equal(list_refs(at("/nowhere.git"), &out), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_null(strstr(e.msg, "redirect"));
	assert_int_equal(list_refs(at("/new.git"), &out), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_repository_that_moved),
		TEST(redirects_that_are_not_followed),
		TEST(a_circle),
		TEST(no_redirect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
