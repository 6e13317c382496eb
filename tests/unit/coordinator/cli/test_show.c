/* What the program `atoll` prints of the answer of each tool, word for word; the coordinator is in its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/output/show_results.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "tests/show_cases.h"

static struct arena *a;
static enum answer outcome;
static const char *body;
static int pages_asked;

/* ---- in place of the coordinator ---- */

struct api_client client_from_options(const struct cli *cli)
{
	(void)cli;
	return (struct api_client){ 0 };
}

enum answer client_call(const struct api_client *c, const char *tool, const char *args,
    int timeout_ms, const char **out, struct arena *arena, struct err *e)
{
	(void)c, (void)tool, (void)args, (void)timeout_ms, (void)arena;
	if (outcome == ANSWER_NONE)
		err_set(e, ERR_UNAVAILABLE, "nobody answers");
	*out = body;
	return outcome;
}

/* Two pages of repositories; the local one is on the second. */
enum answer client_get(const struct api_client *c, const char *tool, const char *args,
    int timeout_ms, const struct record *rec, void *out, struct arena *arena, struct err *e)
{
	static struct repo_row other = { .repo_uri = "github.com/acme/api", .name = "acme/api" },
	                       local = { .repo_uri = LIB, .name = "lib-012345" };
	struct list_repos_out *page = out;

	(void)c, (void)timeout_ms, (void)rec, (void)arena, (void)e;
	assert_string_equal(tool, "list_repos");
	*page = (struct list_repos_out){ 0 };
	page->repos.n = 1;
	if (!strcmp(args, "first")) {
		page->repos.v = &other;
		page->next_cursor = "second";
	} else {
		page->repos.v = &local;
	}
	pages_asked++;
	return ANSWER_OK;
}

void args_num(struct buf *b, const char *name, long long value)
{
	(void)b, (void)name, (void)value;
}

void args_str(struct buf *b, const char *name, const char *value)
{
	(void)name;
	buf_str(b, *value ? value : "first");
}

const char *args_end(struct buf *b, struct arena *arena)
{
	const char *s = arena_str(arena, b->p);

	buf_free(b);
	return s;
}

/* ---- what is printed ---- */

struct redirected {
	FILE *f;
	int fd, old;
};

static struct redirected redirect(FILE *stream, int fd)
{
	struct redirected r = { tmpfile(), fd, dup(fd) };

	assert_non_null(r.f);
	fflush(stream);
	dup2(fileno(r.f), fd);
	return r;
}

static const char *restored(struct redirected *r, FILE *stream)
{
	char text[8192];

	fflush(stream);
	dup2(r->old, r->fd);
	close(r->old);
	rewind(r->f);
	size_t n = fread(text, 1, sizeof text, r->f);
	fclose(r->f);
	return arena_strn(a, text, n);
}

static int code;
static const char *to_err;

static const char *printed(const char *as, const char *json, bool as_json)
{
	struct cli cli = { .a = a, .o = { .json = as_json } };
	struct api_client none = { 0 };
	char *s = arena_str(a, json);

	for (char *p = s; *p; p++)
		if (*p == '\'')
			*p = '"';
	body = s;
	struct redirected out = redirect(stdout, 1), err = redirect(stderr, 2);
	code = show_call_as(&cli, &none, "tool", as, "{}");
	to_err = restored(&err, stderr);
	return restored(&out, stdout);
}

static void answers_of_tools(void **state)
{
	(void)state;
	outcome = ANSWER_OK;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *got = printed(cases[i].tool, cases[i].answer, false);
		if (strcmp(got, cases[i].printed))
			print_message("%s\n", cases[i].what);
		assert_string_equal(got, cases[i].printed);
		assert_int_equal(code, EXIT_OK);
		if (!strcmp(cases[i].tool, "token_create"))
			assert_string_equal(to_err,
			    "Token `ci` for groups a, read-only.  It is not shown again; send it as ATOLL_TOKEN, or as"
			    " `Authorization: Bearer TOKEN`.\nFrom now on every request needs a token.\n");
		else
			assert_string_equal(to_err, "");
	}
}

static void names_are_asked_for_when_there_are_local_ones(void **state)
{
	(void)state;
	outcome = ANSWER_OK;
	pages_asked = 0;
	printed("repo_add", "{'source':'github.com/acme/api','groups':[]}", false);
	assert_int_equal(pages_asked, 0);
	printed("repo_visibility", "{'name':'x','repo_uri':'" GONE "'}", false);
	assert_int_equal(pages_asked, 2);
}

static void json_is_printed_as_it_is(void **state)
{
	(void)state;
	outcome = ANSWER_OK;
	assert_string_equal(printed("token_revoke", "{'name':'ci'}", true), "{\"name\":\"ci\"}\n");
	assert_int_equal(code, EXIT_OK);
	outcome = ANSWER_ERROR;
	assert_string_equal(printed("token_revoke", "{'error':{'code':'NOT_FOUND'}}", true),
	    "{\"error\":{\"code\":\"NOT_FOUND\"}}\n");
	assert_int_equal(code, EXIT_TOOL);
}

static void errors(void **state)
{
	(void)state;
	outcome = ANSWER_ERROR;
	assert_string_equal(
	    printed("status",
	        "{'error':{'code':'AMBIGUOUS_REPO','message':'2 fit','hint':'choose','choices':[{'repo_uri':'github.com/a/b'},{'repo_uri':'" GONE
	        "','name':'n'}]}}",
	        false),
	    "");
	assert_string_equal(
	    to_err, "Error (AMBIGUOUS_REPO): 2 fit\n  github.com/a/b\n  " GONE "  n\nHint: choose\n");
	assert_int_equal(code, EXIT_TOOL);
	assert_string_equal(printed("status", "not JSON", false), "");
	assert_string_equal(to_err, "");
	assert_int_equal(code, EXIT_TOOL);
	outcome = ANSWER_NONE;
	printed("status", "", false);
	assert_int_equal(code, EXIT_UNAVAILABLE);
	outcome = ANSWER_OK;
	printed("status", "not JSON", false);
	assert_int_equal(code, EXIT_UNAVAILABLE);
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
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
		CASE(answers_of_tools),
		CASE(names_are_asked_for_when_there_are_local_ones),
		CASE(json_is_printed_as_it_is),
		CASE(errors),
	};

	return cmocka_run_group_tests_name("show", tests, NULL, NULL);
}
