/* What texts of GraphQL say of root types. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/graphql/graphql.h"
#include "shard/contracts/specs/operations.h"

static struct arena *a;

/* One line for each: LINE KIND PATH [(operation, directives or type)] [...fragment]. */
static const char *says(const char *text, int whole)
{
	struct operation *v;
	struct buf b = { 0 };
	size_t n = graphql_read(text, strlen(text), whole, a, &v);

	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "%u %s %s%s%s%s%s%s\n", v[i].line, v[i].kind, v[i].path, v[i].name ? " (" : "", v[i].name ? v[i].name : "",
		    v[i].name ? ")" : "", v[i].resource ? " ..." : "", v[i].resource ? v[i].resource : "");
	const char *s = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

static void operations(void **state)
{
	(void)state;
	assert_string_equal(says("query A($id: ID! = 1, $in: In = {a: [{b: \"}\"}]}) @live {\n mine: user(id: $id) @include(if: $x) { id posts { id } }\n ...P\n"
	    " ... on Query { me { id } } ... @skip(if: true) { you } __typename cart @client }", 1),
	    "2 select Query.user (A)\n3 spread Query (A) ...P\n4 select Query.me (A)\n4 select Query.you (A)\n");
	assert_string_equal(says("# note\nmutation { add(text: \"\"\"a \"quoted\" }\n text\"\"\") { id } }\nsubscription S { added { id } }", 1),
	    "2 select Mutation.add\n4 select Subscription.added (S)\n");
	assert_string_equal(says("{ users { id } }", 1), "1 select Query.users\n");
	assert_string_equal(says("fragment P on Query { users { id } }\nfragment Q on User { id }", 1), "1 part users ...P\n");
}

static void holes(void **state)
{
	(void)state;
	assert_string_equal(says("query A { users { ...${NAME} id } }\n${PARTS}", 1), "1 select Query.users (A)\n");
	assert_string_equal(says("query {{ user(id: {id}) {{ name }} }}", 1), "1 select Query.user\n");
	assert_string_equal(says("query A { user(id: \"%s\", n: %d) { id } }", 1), "1 select Query.user (A)\n");
	assert_string_equal(says("query A { #{FIELDS} user { id } }", 1), "1 select Query.user (A)\n");
}

static void schemas(void **state)
{
	(void)state;
	assert_string_equal(says("\"\"\"doc\"\"\" type Query implements A & B @key(fields: \"id\") {\n \"one\" user(id: ID! = \"a\"): User! @auth(role: ADMIN)\n"
	    " users: [[User!]!]! _service: S }\ntype User { id: ID }", 1), "2 schema Query.user ( auth )\n3 schema Query.users\n");
	assert_string_equal(says("schema { query: Root mutation: Change }\ntype Root { a: Int }\nextend type Change { b: Int }\ntype Other { c: Int }", 1),
	    "1 root Query (Root)\n1 root Mutation (Change)\n2 schema Root.a\n3 schema Change.b\n");
	assert_string_equal(says("union U = | A | B\nscalar Date @specifiedBy(url: \"x\")\ndirective @d(a: Int) repeatable on FIELD | QUERY\n"
	    "enum E { A @x B }\ninput I { a: Int = 1, b: [Int] = [1] }\ninterface N { id: ID }\nextend type Query @x\ntype Query { a: Int }", 1), "8 schema Query.a\n");
}

/* A text that is not wholly GraphQL is none; of a file counts what comes before the mistake.  Nothing nests without end. */
static void others(void **state)
{
	struct buf deep = { 0 };

	(void)state;
	assert_string_equal(says("query the users { id } please", 1), "");
	assert_string_equal(says("type Query = select", 1), "");
	assert_string_equal(says("query A { users { id }", 1), "");
	assert_string_equal(says("query A { users(id: \"x) { id } }", 1), "");
	assert_string_equal(says("", 1), "");
	assert_string_equal(says("type Query { a: Int }\ntype {", 0), "1 schema Query.a\n");
	for (size_t i = 0; i < 100000; i++)
		buf_str(&deep, "{a");
	buf_byte(&deep, 0);
	assert_string_equal(says(deep.p, 1), "");
	deep.n = 0;
	buf_str(&deep, "type Query { a: ");
	for (size_t i = 0; i < 100000; i++)
		buf_str(&deep, "[");
	buf_byte(&deep, 0);
	assert_string_equal(says(deep.p, 1), "");
	buf_free(&deep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations),
		cmocka_unit_test(holes),
		cmocka_unit_test(schemas),
		cmocka_unit_test(others),
	};

	a = arena_new();
	int bad = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(a);
	return bad;
}
