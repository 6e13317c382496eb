/* Minor names of YAML files: anchors, and environment variables in their three forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/definitions/definitions.h"
#include "shard/definitions/yaml_names.h"

/* What is found, as "NAME@LINE:TEXT OF THE LINE|" each. */
static void found(const char *text, const char *want)
{
	struct arena *a = arena_new();
	struct found_definitions out = { 0 };
	struct buf got = { 0 };

	yaml_names_find(text, strlen(text), a, &out);
	buf_str(&got, "");
	for (size_t i = 0; i < out.minors.n; i++) {
		const struct minor_name *m = &out.minors.v[i];
		assert_string_equal(m->kind, "variable");
		assert_int_equal(m->end_line, m->start_line);
		buf_printf(&got, "%s@%u:%.*s|", m->name, m->start_line, (int)(m->end_byte - m->start_byte),
		    text + m->start_byte);
	}
	assert_string_equal(got.p, want);
	buf_free(&got);
	free(out.minors.v);
	arena_free(a);
}

static void anchors(void **state)
{
	(void)state;
	found("a: &base\n  b: 1\n", "base@1:a: &base|");
	found("a:   &base-x_1   {}\n", "base-x_1@1:a:   &base-x_1   {}|");
	found("- &one 1\n", "one@1:- &one 1|");
	found("\n  &top\n", "top@2:&top|");
	found("a: b &c\n", "");
	found("a:&c\n", "");
	found("a: &\n", "");
	found("a: & b\n", "");
	found("a: &b!c\n", "");
	found("a: &b.c\n", "");
	found("# a: &b\n", "");
	found("a: x&y=1\n", "");
}

static void variables_as_keys(void **state)
{
	(void)state;
	found("DATABASE_URL: x\n", "DATABASE_URL@1:DATABASE_URL: x|");
	found("a:\n\tAPI2: 1", "API2@2:API2: 1|");
	found("\"PORT\": 1\n'HOST': 2\n", "PORT@1:\"PORT\": 1|HOST@2:'HOST': 2|");
	found("- PORT: 1\n- - HOST: 2\n", "PORT@1:- PORT: 1|HOST@2:- - HOST: 2|");
	found("OS2: 1\n", ""); /* too short */
	found("4PORT: 1\n", "");
	found("Port: 1\nPORTx: 1\n", "");
	found("PORT\n", "");
	found("PORT=1\n", "");
	found("#PORT: 1\n", "");
	found("  PORT: 1   \r\n", "PORT@1:PORT: 1|");
}

static void variables_as_items(void **state)
{
	(void)state;
	found("- API_TOKEN=x\n", "API_TOKEN@1:- API_TOKEN=x|");
	found("- \"API_TOKEN=x\"\n", "API_TOKEN@1:- \"API_TOKEN=x\"|");
	found("- API_TOKEN\n", "");
	found("-API_TOKEN=x\n", "");
	found("- \n-\n", "");
}

static void variables_that_are_named(void **state)
{
	(void)state;
	found("- name: API_TOKEN\n  value: X\n", "API_TOKEN@1:- name: API_TOKEN|");
	found("- name: 'API_TOKEN'\n", "API_TOKEN@1:- name: 'API_TOKEN'|");
	found("- name: API_TOKEN x\n", "");
	found("- name:\n", "");
	found("name: API_TOKEN\n", ""); /* not in a list */
	found("- named: API_TOKEN\n", "");
}

static void both_in_one_line(void **state)
{
	(void)state;
	found("PORT: &port 1\n", "port@1:PORT: &port 1|PORT@1:PORT: &port 1|");
}

static void names_have_a_longest_length(void **state)
{
	char text[300];

	(void)state;
	for (int n = 200; n <= 201; n++) {
		memset(text, 'A', sizeof text);
		strcpy(text + n, ": 1");
		char name[300], want[700];
		memcpy(name, text, (size_t)n);
		name[n] = 0;
		snprintf(want, sizeof want, "%s@1:%s|", name, text);
		found(text, n == 200 ? want : "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(anchors),
		cmocka_unit_test(variables_as_keys),
		cmocka_unit_test(variables_as_items),
		cmocka_unit_test(variables_that_are_named),
		cmocka_unit_test(both_in_one_line),
		cmocka_unit_test(names_have_a_longest_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
