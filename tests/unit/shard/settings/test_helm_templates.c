/* Templates of charts as YAML: which files are some, and what their expressions become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/settings/helm_templates.h"

static void becomes(const char *template, const char *yaml)
{
	struct arena *a = arena_new();
	size_t n = 0;
	const char *got = helm_to_yaml(template, strlen(template), a, &n);

	assert_string_equal(got, yaml);
	assert_int_equal(n, strlen(yaml));
	arena_free(a);
}

static bool is_template(const char *path, const char *text)
{
	return helm_is_template(path, text, strlen(text));
}

static void which_files_are_templates(void **state)
{
	(void)state;
	assert_true(is_template("chart/templates/a.yaml", "a: {{ .x }}"));
	assert_true(is_template("templates/a.yaml", "{{"));
	assert_false(is_template("templates/a.yaml", "a: { { } }"));
	assert_false(is_template("templates/a.yaml", ""));
	assert_false(is_template("chart/a.yaml", "a: {{ .x }}"));
	assert_false(is_template("mytemplates/a.yaml", "a: {{ .x }}"));
	assert_false(is_template("templates.yaml", "a: {{ .x }}"));
}

static void values_of_the_chart(void **state)
{
	(void)state;
	becomes("a: {{ .Values.b.c }}\n", "a: ${Values.b.c}\n");
	becomes("a: {{ .Values.b_1-x }}", "a: ${Values.b_1}\n");
	becomes("a: {{.Values.b}}x{{ .Values.c | quote }}\n", "a: ${Values.b}x${Values.c}\n");
	becomes("a: {{ default \"x y\" .Values.b }}\n", "a: ${Values.b:x y}\n");
	becomes("a: {{ .Values.b | default \"\" }}!\n", "a: ${Values.b:}!\n");
	becomes("a: {{ .Values.b | default \"x }}\n", "a: ${Values.b}\n");
	becomes("a: {{ .Values.b | default 7 }}\n", "a: ${Values.b}\n");
	becomes("a: {{ $.Values.b }}\n", "a: ${Values.b}\n");
}

static void expressions_that_are_not_one_value(void **state)
{
	(void)state;
	becomes("a: {{ .Release.Name }}-b\n", "a: ${-}-b\n");
	becomes("a: {{ printf \"%s\" .Values.b }}\n", "a: ${-}\n");
	becomes("a: {{ or .Values.b .Values.c }}\n", "a: ${-}\n");
	becomes("a: {{ default \"x\" .Release.Name }}\n", "a: ${-}\n");
	becomes("a: {{}}\n", "a: ${-}\n");
	/* none at all */
	becomes("a: {{ .Values.b\n", "a: {{ .Values.b\n");
	becomes("a: }} {{ .Values.b }}\n", "a: }} ${Values.b}\n");
	becomes("a: { b: c }\n", "a: { b: c }\n");
}

/* Lines keep their numbers. */
static void lines_of_control_are_empty(void **state)
{
	(void)state;
	becomes("{{ if .Values.b }}\na: 1\n  {{- end }}\n- {{ .Values.c }}\n", "\na: 1\n\n\n");
	becomes("{ a: 1 }\n{{", "{ a: 1 }\n\n");
	becomes("a: 1\n\nb: 2", "a: 1\n\nb: 2\n");
	becomes("", "");
	becomes("\n", "\n");
	becomes("{", "{\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(which_files_are_templates),
		cmocka_unit_test(values_of_the_chart),
		cmocka_unit_test(expressions_that_are_not_one_value),
		cmocka_unit_test(lines_of_control_are_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
