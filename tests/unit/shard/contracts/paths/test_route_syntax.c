/* The syntaxes in which frameworks write paths and names of handlers, each rule by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/paths/route_syntax.h"

struct row {
	const char *text, *path;
};

static void check(const char *style, const struct row *v, size_t n)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < n; i++) {
		const char *got = route_syntax_convert(style, v[i].text, a);
		if (strcmp(got, v[i].path))
			fail_msg("%s: %s is %s, not %s", style, v[i].text, got, v[i].path);
	}
	arena_free(a);
}

#define ARE(style, ...)                                                                            \
	check(style, (const struct row[]){ __VA_ARGS__ }, LEN(((const struct row[]){ __VA_ARGS__ })))

static void slashes_and_what_is_below(void **state)
{
	(void)state;
	ARE("loose", { "a", "/a" }, { "/a", "/a" }, { "", "" });
	ARE("below", { "/api/*", "/api" }, { "/*", "" }, { "/api", "/api" }, { "*", "" },
	    { "/a*", "/a" }, { "/", "/" }, { "", "" });
	ARE("prefix", { "/a", "/a*" }, { "", "*" });
	ARE("of nobody", { "a*", "a*" });
}

static void expressions(void **state)
{
	(void)state;
	ARE("regex", { "^users/$", "/users/" }, { "^/users$", "/users" }, { "", "" },
	    { "a\\.b\\-c", "/a.b-c" }, { "\\d+/x", "/{}/x" }, { "a\\w*\\Z", "/a{}" },
	    { "\\Aa\\b", "/a" }, { "a/?", "/a" }, { "ab*c", "/ac" }, { "ab+c", "/abc" },
	    { "a\\.?b", "/ab" }, { "a\\.*b", "/ab" }, { "a{2,3}b", "/ab" }, { "a{b", "/a{b" });
}

static void groups_of_expressions(void **state)
{
	(void)state;
	ARE("regex", { "a/(?P<id>\\d+)/b", "/a/{}/b" }, { "a/(.*)", "/a/{rest...}" },
	    { "a/(?P<p>.+)$", "/a/{rest...}" }, { "a/(b)?c", "/a/c" }, { "a/(b)*c", "/a/c" },
	    { "a/(b)+c", "/a/{}c" }, { "a(?:/b)c", "/a/bc" }, { "a(?:/b|/c)d", "/a{}d" },
	    { "a(?:/b)?d", "/ad" }, { "((a)(b))c", "/{}c" }, { "(\\))c", "/{}c" }, { "([)])c", "/{}c" },
	    { "(a", "/{}" });
}

static void classes_and_dots_of_expressions(void **state)
{
	(void)state;
	ARE("regex", { "[a-z]+/x", "/{}/x" }, { "[a-z]?x", "/x" }, { "[a-z]*x", "/x" }, { "[a", "/{}" },
	    { "a/.*", "/a/{rest...}" }, { "a/.*$", "/a/{rest...}" }, { "a/.+/b", "/a/{}/b" },
	    { "a.b", "/a{}b" }, { "a.", "/a{rest...}" });
}

static void paths_of_rails(void **state)
{
	(void)state;
	ARE("rails", { "users/:id", "/users/:id" }, { "/users(.:format)", "/users" },
	    { "a(/b(/c))d", "/ad" }, { "files/*path_1/x", "/files/{rest...}/x" }, { "a(*rest)", "/a" },
	    { "", "" });
}

static void paths_of_jaxrs(void **state)
{
	(void)state;
	ARE("jaxrs", { "a", "/a" }, { "/a/{id}", "/a/{id}" }, { "a/{p:.*}", "/a/{rest...}" },
	    { "a/{p: .*}", "/a/{rest...}" }, { "a/{p:.*}//", "/a/{rest...}" },
	    { "a/{p:.+}", "/a/{p:.+}" }, { "a/", "/a/" }, { "{p:.*}", "/{rest...}" }, { "/", "/" },
	    { "", "" }, { ":.*}", "/:.*}" }, { "x:.*}", "/x:.*}" });
}

static void names_of_types_in_the_plural(void **state)
{
	(void)state;
	ARE("plural", { "CustomerOrder", "/customerOrders" }, { "City", "/cities" }, { "Day", "/days" },
	    { "Bus", "/buses" }, { "Box", "/boxes" }, { "Quiz", "/quizes" }, { "Branch", "/branches" },
	    { "Dish", "/dishes" }, { "Path", "/paths" }, { "Y", "/ys" }, { "S", "/ss" }, { "", "/s" });
}

static void paths_of_rocket_and_laravel(void **state)
{
	(void)state;
	ARE("rocket", { "/a/<id>/b?<q>", "/a/{}/b" }, { "/a/<p..>", "/a/{rest...}" },
	    { "/a/<p..>/x", "/a/{rest...}" }, { "/a/<id", "/a/<id" }, { "/a/<..>", "/a/{rest...}" },
	    { "/a/<.>", "/a/{}" }, { "", "" });
	ARE("dotted", { "photos.comments", "/photos/{}/comments" }, { "/a", "/a" }, { "", "" });
	ARE("brackets", { "/a[/{id}]", "/a/{id?}" }, { "a", "/a" }, { "[/a]", "" },
	    { "/a/{id:[0-9]+}/b", "/a/{id:[0-9]+}/b" }, { "/a[/b[/c]]/d", "/a/d" }, { "", "" });
}

static void annotations_in_comments(void **state)
{
	(void)state;
	ARE("docroute", { "/** @Route(\"/users/{id}\", methods={\"GET\"}) */", "/users/{id}" },
	    { "@Route(path=\"/users\")", "/users" },
	    { "@Route(name=\"x\", path = \"users\")", "/users" }, { "@Rest\\Get(\"/a\")", "/a" },
	    { "@Get(\"/a\") @Route(\"/b\")", "/a" }, { "@Route(\n *   \"/a\"\n * )", "/a" },
	    { "Route(\"/a\")", "" }, { "xRoute(\"/a\")", "" }, { "@Route(name=\"x\") path=\"/b\"", "" },
	    { "nothing", "" }, { "@Delete(\"/a\")", "/a" }, { "@Patch(\"/a\")", "/a" });
}

static void names_of_topics_and_queues(void **state)
{
	(void)state;
	ARE("nats", { "a.>", "a.#" }, { "a.b", "a.b" }, { ">", "#" }, { ">a", ">a" }, { "", "" });
	ARE("aws", { "https://sqs.x.com/123/orders", "orders" }, { "arn:aws:sqs:x:1:orders", "orders" },
	    { "orders", "orders" }, { "", "" }, { "a/", "" });
	ARE("expression", { "a.*", "^a.*" }, { "^a", "^a" }, { "", "" });
	ARE("expression-whole", { "a|b", "^(?:a|b)$" }, { "", "" });
	ARE("expression-within", { "a", "^.*a" }, { "^a", "^a" }, { "", "" });
	ARE("holes", { "a.#{id}.b", "a.{}.b" }, { "${x}", "{}" }, { "$x{y}", "$x{y}" },
	    { "#{a", "#{a" }, { "{a}", "{a}" });
}

static void names_of_fields(void **state)
{
	(void)state;
	ARE("camel", { "user_orders", "userOrders" }, { "_user", "_user" }, { "user_", "user_" },
	    { "a__b", "aB" }, { "user", "user" });
	ARE("resolver", { "resolve_user_orders", "userOrders" }, { "user_orders", "userOrders" },
	    { "resolved_a", "resolvedA" });
	ARE("lower", { "Users", "users" }, { "U", "u" }, { "", "" });
	ARE("getter", { "GetUsersAsync", "users" }, { "getUsers", "users" }, { "getaway", "getaway" },
	    { "Users", "users" }, { "get", "get" }, { "Async", "async" }, { "UAsync", "u" },
	    { "setUsers", "setUsers" }, { "", "" });
}

static void tokens_of_aspnet(void **state)
{
	static const struct {
		const char *text, *symbol, *path;
	} v[] = {
		{ "api/[controller]", "Shop.UsersController.List", "api/users" },
		{ "[controller]/[action]", "UsersController.ListAsync", "users/list" },
		{ "[controller]", "Users.List", "users" },
		{ "[controller]", "Controller.List", "controller" },
		{ "[action]", "Async", "async" },
		{ "[controller]", "List", "list" },
		{ "[area]/x", "Shop.UsersController.List", "{}/x" },
		{ "[controllers]", "UsersController.List", "{}" },
		{ "[controller]/[action]", NULL, "{}/{}" },
		{ "a[b", "X.Y", "a[b" },
		{ "", "X.Y", "" },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(v); i++)
		assert_string_equal(route_syntax_expand_tokens(v[i].text, v[i].symbol, a), v[i].path);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slashes_and_what_is_below),
		cmocka_unit_test(expressions),
		cmocka_unit_test(groups_of_expressions),
		cmocka_unit_test(classes_and_dots_of_expressions),
		cmocka_unit_test(paths_of_rails),
		cmocka_unit_test(paths_of_jaxrs),
		cmocka_unit_test(names_of_types_in_the_plural),
		cmocka_unit_test(paths_of_rocket_and_laravel),
		cmocka_unit_test(annotations_in_comments),
		cmocka_unit_test(names_of_topics_and_queues),
		cmocka_unit_test(names_of_fields),
		cmocka_unit_test(tokens_of_aspnet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
