/* The JSON API and the page's files: what each request is answered, without an HTTP server. */
#include "tests/http_answers.h"

#include "proto/process/embedded.h"

static const struct embedded *find_file(const char *name);

#define embedded_find find_file
#include "coordinator/api/page_files.c"
#undef embedded_find
#include "coordinator/api/rest_api.c"

#include "tests/federation.h"

static struct exchange x;

/* Makes a request and waits for the answer. */
static void ask_endpoint(void (*endpoint)(struct exchange *), const struct caller *caller,
    const char *rest, const char *body)
{
	x = (struct exchange){ .co = co,
		.caller = caller,
		.path = "/the/path",
		.rest = rest,
		.body = body,
		.n = strlen(body),
		.a = a };
	endpoint(&x);
	http_out_await();
}

static void failed_with(int status, enum err_code code, const char *msg, const char *hint)
{
	assert_int_equal(http_out.status, status);
	assert_int_equal(http_out.e.code, code);
	assert_string_equal(http_out.e.msg, msg);
	assert_string_equal(http_out.e.hint, hint);
}

static void answered(int status, const char *json)
{
	assert_int_equal(http_out.status, status);
	assert_int_equal(http_out.e.code, 0);
	assert_string_equal(http_out.type, "application/json");
	assert_string_equal(http_out.header, "");
	assert_string_equal(http_out.body.p, json);
}

/* ---- tools ---- */

static void a_tool_is_called(void **state)
{
	(void)state;
	ask_endpoint(api_call, &caller_local, "group_list", "");
	answered(200, arena_str(a, ask("group_list", NULL)));
	ask_endpoint(api_call, &caller_local, "group_list", "{\"x\":1}");
	assert_int_equal(http_out.status, 400);
	assert_contains(http_out.body.p, "{\"error\":{\"code\":\"INVALID_INPUT\"");
	assert_string_equal(http_out.header, "");
	ask_endpoint(api_call, &caller_local, "repo", "{\"repo\":\"nowhere\"}");
	assert_int_equal(http_out.status, 404);
}

static void what_is_no_call(void **state)
{
	(void)state;
	ask_endpoint(api_call, &caller_local, "group_lst", "{}");
	failed_with(404, ERR_NOT_FOUND,
	    arena_printf(a, "no tool `group_lst`%s", tool_suggest("group_lst", NULL, a)),
	    "`atoll call --help` and GET /api/v1/tools list the tools.");
	x.rest = "group_list";
	x.n = 4;
	x.body = "{}";
	api_call(&x);
	http_out_await();
	failed_with(
	    400, ERR_INVALID_INPUT, "the body is not JSON: it contains a NUL byte", http_out.e.hint);
	http_in.headers[0] = (struct http_header){ "Not-Json", "" };
	ask_endpoint(api_call, &caller_local, "group_list", "{}");
	http_in.headers[0] = (struct http_header){ 0 };
	failed_with(415, ERR_INVALID_INPUT, "not JSON", http_out.e.hint);
}

/* A caller that asks too often is told when to ask again. */
static void too_many_calls(void **state)
{
	struct coordinator_config o = co->o;
	struct limits *usual = co->limits;
	static const struct caller hasty = { .name = "hasty", .everything = true };

	(void)state;
	o.calls_per_second = 1;
	o.calls_burst = 3;
	o.limit_local = true;
	co->limits = limits_new(&o);
	for (int i = 0; i < 3; i++) {
		ask_endpoint(api_call, &hasty, "group_list", "{}");
		assert_int_equal(http_out.status, 200);
		assert_string_equal(http_out.header, "");
	}
	ask_endpoint(api_call, &hasty, "group_list", "{}");
	assert_int_equal(http_out.status, 429);
	assert_string_equal(http_out.header, "Retry-After: 1");
	assert_contains(http_out.body.p, "\"code\":\"RATE_LIMITED\"");
	limits_free(co->limits);
	co->limits = usual;
}

static void the_graph_of_a_group(void **state)
{
	(void)state;
	http_in.query[0] = (struct http_header){ "group", "no \"group\"" };
	ask_endpoint(api_graph, &caller_local, "", "");
	assert_int_equal(http_out.status, 404);
	assert_contains(http_out.body.p, "no \\\"group\\\"");
	http_in.query[0] = (struct http_header){ 0 };
	ask_endpoint(api_graph, &caller_local, "", "");
	assert_int_equal(http_out.status, 404);
	assert_contains(http_out.body.p, "default");
	http_in.query[0] = (struct http_header){ "group", "all" };
	ask_endpoint(api_graph, &caller_local, "", "");
	assert_int_equal(http_out.status, 200);
	assert_contains(http_out.body.p, "\"group\":\"all\"");
	http_in.query[0] = (struct http_header){ 0 };
}

static void the_tools(void **state)
{
	size_t n = 0, offered = 0;

	(void)state;
	ask_endpoint(api_tools, &caller_local, "", "");
	assert_int_equal(http_out.status, 200);
	assert_string_equal(http_out.type, "application/json");
	const char *list = get(http_out.body.p, "tools");
	for (const struct tool *t = tools; t->name; t++, n++) {
		const char *one = json_item(list, n, a);
		assert_non_null(one);
		assert_string_equal(json_text(get(one, "name"), a), t->name);
		assert_string_equal(get(one, "mcp"), tool_offered(t, co->o.tools) ? "true" : "false");
		offered += tool_offered(t, co->o.tools);
	}
	assert_null(json_item(list, n, a));
	assert_true(offered > 0 && offered < n);
}

/* ---- health ---- */

static const char *const few[] = { "h.example/shop/svc3", "h.example/shop/svc4" };
static const struct caller guest = { .name = "guest", .repo_uris = few, .n = 2 };
static const struct caller stranger = { .name = "stranger" };

static void is_ready(const struct caller *caller, const char *want)
{
	ask_endpoint(api_readyz, caller, "", "");
	answered(200, want);
}

static void is_not_ready(const struct caller *caller, const char *msg, const char *hint)
{
	ask_endpoint(api_readyz, caller, "", "");
	failed_with(503, ERR_UNAVAILABLE, msg, hint);
}

static void who_is_told_that_it_is_ready(void **state)
{
	(void)state;
	ask_endpoint(api_healthz, &caller_nobody, "", "");
	answered(200, "{\"status\":\"ok\"}");
	is_ready(&caller_local, "{\"status\":\"ready\",\"repositories\":12}");
	is_ready(&guest, "{\"status\":\"ready\",\"repositories\":2}");
	is_ready(&caller_nobody, "{\"status\":\"ready\"}");
	is_not_ready(
	    &stranger, "no repository is known yet", "Start a shard, or run `atoll repo add PATH`.");
}

#define WHY "`atoll status` shows why each is down, and since when."

static void shards_that_are_down(void **state)
{
	(void)state;
	set_mode(&fakes[3], NO_HEALTH);
	wait_health(fakes[3].uri, "down");
	is_ready(&caller_local, "{\"status\":\"ready\",\"repositories\":12}");
	co->o.ready_share = 91; /* 11 of 12 are 91.7 % */
	is_ready(&caller_local, "{\"status\":\"ready\",\"repositories\":12}");
	co->o.ready_share = 92;
	is_not_ready(
	    &caller_local, "11 of 12 repositories have a shard that answers, --ready-share is 92", WHY);
	is_not_ready(&caller_nobody, "too few repositories have a shard that answers", WHY);
	is_not_ready(&guest, "1 of 2 repositories have a shard that answers, --ready-share is 92", WHY);
	co->o.ready_share = 50;
	is_ready(&guest, "{\"status\":\"ready\",\"repositories\":2}");
	co->o.ready_share = 0;
	set_mode(&fakes[3], ANSWERS);
	wait_health(fakes[3].uri, "healthy");
}

static void a_repository_without_an_index(void **state)
{
	struct announce_res res;
	struct err e;
	struct hello h = { .protocol = WIRE_VERSION,
		.version = "0",
		.repo_uri = "h.example/shop/new",
		.name = "shop/new",
		.replica = "r1",
		.endpoint = arena_printf(a, "ipc://%s/none", dir),
		.default_branch = "main",
		.status = "building" };

	(void)state;
	assert_int_equal(announce(&h, &res, &e), 0);
	assert_true(is_listed("shop/new"));
	ask_endpoint(api_readyz, &caller_local, "", "");
	assert_int_equal(http_out.status, 503);
	assert_contains(http_out.e.msg, "h.example/shop/new has no index yet: ");
	assert_string_equal(http_out.e.hint, "`atoll status` shows the progress.");
	is_not_ready(
	    &caller_nobody, "a repository has no index yet", "`atoll status` shows the progress.");
	is_ready(&guest, "{\"status\":\"ready\",\"repositories\":2}");
}

/* ---- files ---- */

#define FILE_OF(name, text)                                                                        \
	{                                                                                              \
		name, text, text + sizeof text - 1                                                         \
	}

static const char page[] = "<!doctype html>", page_zipped[] = "zipped", script[] = "x = 1;",
                  other[] = "other";
static const struct embedded files[] = {
	FILE_OF("web/site/index.html", page),
	FILE_OF("web/site/index.html.gz", page_zipped),
	FILE_OF("web/site/assets/a.js", script),
	FILE_OF("web/site/assets/a.bin", other),
	FILE_OF("elsewhere/a.js", other),
};

static const struct embedded *find_file(const char *name)
{
	for (size_t i = 0; i < LEN(files); i++)
		if (!strcmp(files[i].name, name))
			return &files[i];
	return NULL;
}

static const char *file_header(const char *name)
{
	const char *value = http_in_find(http_out.headers, name);

	return value ? value : "none";
}

static void the_page(void **state)
{
	(void)state;
	ask_endpoint(page_view, &caller_local, "", "");
	assert_int_equal(http_out.status, 200);
	assert_string_equal(file_header("Content-Type"), "text/html; charset=utf-8");
	assert_string_equal(file_header("Cache-Control"), "no-cache");
	assert_string_equal(file_header("Vary"), "Accept-Encoding");
	assert_string_equal(file_header("Content-Encoding"), "none");
	assert_string_equal(file_header("X-Frame-Options"), "DENY");
	assert_string_equal(file_header("Permissions-Policy"),
	    "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
	assert_contains(
	    file_header("Content-Security-Policy"), "default-src 'none'; script-src 'self';");
	assert_string_equal(http_out.body.p, page);
	const char *etag = arena_str(a, file_header("ETag"));
	assert_int_equal(strlen(etag), 18);
	http_in.headers[0] = (struct http_header){ "If-None-Match", etag };
	ask_endpoint(page_view, &caller_local, "", "");
	assert_int_equal(http_out.status, 304);
	assert_int_equal(http_out.body.n, 0);
	assert_string_equal(file_header("ETag"), etag);
	static const struct {
		const char *known;
		int status;
	} v[] = { { "*", 304 }, { "\"other\"", 200 }, { "", 200 } };
	for (size_t i = 0; i < LEN(v); i++) {
		http_in.headers[0].value = v[i].known;
		ask_endpoint(page_view, &caller_local, "", "");
		assert_int_equal(http_out.status, v[i].status);
	}
	http_in.headers[0].value = arena_printf(a, "\"x\", W/%s", etag);
	ask_endpoint(page_view, &caller_local, "", "");
	assert_int_equal(http_out.status, 304);
	http_in.headers[0] = (struct http_header){ "Accept-Encoding", "br, gzip" };
	ask_endpoint(page_view, &caller_local, "", "");
	assert_string_equal(file_header("Content-Encoding"), "gzip");
	assert_string_equal(file_header("ETag"), arena_printf(a, "%.17s-gz\"", etag));
	assert_string_equal(http_out.body.p, page_zipped);
	http_in.headers[1] = (struct http_header){ "If-None-Match", etag };
	ask_endpoint(page_view, &caller_local, "", "");
	assert_int_equal(http_out.status, 200);
	http_in.headers[1] = (struct http_header){ 0 };
	ask_endpoint(page_asset, &caller_local, "a.js", ""); /* there is no compressed one */
	assert_int_equal(http_out.status, 200);
	assert_string_equal(file_header("Content-Type"), "text/javascript; charset=utf-8");
	assert_string_equal(file_header("Cache-Control"), "public, max-age=31536000, immutable");
	assert_string_equal(file_header("Content-Encoding"), "none");
	assert_string_equal(http_out.body.p, script);
	http_in.headers[0] = (struct http_header){ 0 };
}

static void no_file(void **state)
{
	static const char *const names[] = { "nothing.js", "a.bin", "", "../index.html", ".js",
		"index" };

	(void)state;
	for (size_t i = 0; i < LEN(names); i++) {
		ask_endpoint(page_asset, &caller_local, names[i], "");
		failed_with(404, ERR_NOT_FOUND, "nothing answers at /the/path",
		    "MCP answers at /mcp, tools at POST /api/v1/<tool>, the page at /.");
	}
}

static void types_of_files(void **state)
{
	(void)state;
	assert_string_equal(type_of("a.js"), "text/javascript; charset=utf-8");
	assert_string_equal(type_of("a.b.css"), "text/css; charset=utf-8");
	assert_string_equal(type_of("x.svg"), "image/svg+xml");
	assert_string_equal(type_of("x.txt"), "text/plain; charset=utf-8");
	assert_null(type_of(".txt"));
	assert_null(type_of("js"));
	assert_null(type_of("x.txt.gz"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tool_is_called),
		cmocka_unit_test(what_is_no_call),
		cmocka_unit_test(too_many_calls),
		cmocka_unit_test(the_graph_of_a_group),
		cmocka_unit_test(the_tools),
		cmocka_unit_test(who_is_told_that_it_is_ready),
		cmocka_unit_test(shards_that_are_down),
		cmocka_unit_test(a_repository_without_an_index),
		cmocka_unit_test(the_page),
		cmocka_unit_test(no_file),
		cmocka_unit_test(types_of_files),
	};
	int rc = cmocka_run_group_tests(tests, federation_open, federation_close);

	buf_free(&http_out.body);
	return rc;
}
