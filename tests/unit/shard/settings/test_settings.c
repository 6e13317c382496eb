/* What configuration files say of names that code asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/formats/yaml_tree.h"
#include "shard/settings/hcl.h"
#include "shard/settings/settings.h"

static const struct {
	const char *path, *text, *want;	/* want: KEY=VALUE@LINE[ of SERVICE], a line each */
} cases[] = {
	{ "web/.env", "# API_URL=http://no\nAPI_URL=http://users:8080/v1\nexport BASE = \"/api\" # why\nEMPTY=\nTEXT=\"a b\"\n",
	  "API_URL=http://users:8080/v1@2\nBASE=/api@3\n" },
	{ ".env.production", "X='http://a'\r\nY=${X:-http://b}\r\nDB_PASSWORD=hunter2\r\nSTRIPE_API_KEY=sk_1\r\n",
	  "X=http://a@1\nY=${X:-http://b}@2\n" },
	{ "a.env", "DB=postgres://me:secret@db:5432/x\n", "DB=postgres://db:5432/x@1\n" },
	{ "application.properties", "# c\nserver.servlet.context-path = /api\nusers.url: http://users\nlong = a \\\n b\nport 8080\n",
	  "server.servlet.context-path=/api@2\nusers.url=http://users@3\nport=8080@6\n" },
	{ "src/main/resources/application-dev.yml",
	  "server:\n  servlet:\n    context-path: /api\nusers: { url: 'http://users' }\nlist:\n  - http://a\n---\nb: ${USERS_URL:http://b}\n",
	  "server.servlet.context-path=/api@3\nusers.url=http://users@4\nlist[0]=http://a@6\nb=${USERS_URL:http://b}@8\n" },
	{ "appsettings.json", "{\n \"Services\": { \"Users\": \"http://users\", \"Secret\": \"x\" }\n}\n", "Services.Users=http://users@2\n" },
	{ "docker-compose.yml", "services:\n  web:\n    image: x\n    environment:\n      USERS: http://users:80\n"
	  "      NONE:\n  api:\n    build:\n      args: [BASE=/x]\n    environment:\n      - CART_ADDR=cart:7070\n      - HOME\n",
	  "USERS=http://users:80@5 of web\nCART_ADDR=cart:7070@11 of api\nBASE=/x@9 of api\ncompose.service=api@7 of api\n" },
	/* what is built here is this repository; what is elsewhere is not */
	{ "compose.yaml", "services:\n  web:\n    build: ./web\n    ports: ['8081:80', \"127.0.0.1:9000:90\", 7000]\n  users: {build: {context: ../users}}\n"
	  "  git: {build: 'https://example.com/x.git'}\n  db: {image: postgres, ports: ['5432:5432']}\n",
	  "compose.service=web@2 of web\ncompose.port=8081@4 of web\ncompose.port=9000@4 of web\n" },
	{ "k8s/web.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n"
	  "      - name: c\n        env:\n        - name: CART\n          value: \"cart:7070\"\n        - name: POD\n          valueFrom: {}\n"
	  "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\ndata: {A: http://a}\n---\napiVersion: v1\nkind: Secret\ndata: {B: http://b}\n",
	  "CART=cart:7070@12 of web\nA=http://a@19 of conf\n" },
	{ "ci.yml", "env: {A: http://a}\n", "" },
	{ "k8s/service.yaml", "apiVersion: v1\nkind: Service\nmetadata:\n  name: users-svc\nspec: {ports: [{port: 80}]}\n",
	  "kubernetes.service=users-svc@1 of users-svc\n" },
	{ "chart/values.yaml", "usersUrl: http://users\nenv:\n  CART_ADDR: cart:7070\n  Text: a b\nextraEnv:\n- name: ADS_URL\n  value: http://ads\n- name: x\n  value: http://x\n",
	  "Values.usersUrl=http://users@1\nValues.env.CART_ADDR=cart:7070@3\nValues.extraEnv[0].name=ADS_URL@6\nValues.extraEnv[0].value=http://ads@7\n"
	  "Values.extraEnv[1].name=x@8\nValues.extraEnv[1].value=http://x@9\nCART_ADDR=cart:7070@3\nADS_URL=http://ads@7\n" },
	/* keys without a dot: the root is a text, or a list of texts */
	{ "values.yaml", "http://users\n", "Values=http://users@1\n" },
	{ "chart/values-dev.yml", "- http://users\n- http://cart\n", "Values[0]=http://users@1\nValues[1]=http://cart@2\n" },
	{ "chart/templates/deployment.yaml", "{{- if .Values.on }}\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ include \"c.fullname\" . }}\n"
	  "  labels:\n    {{- include \"c.labels\" . | nindent 4 }}\nspec:\n  template:\n    spec:\n      containers:\n      - name: {{ .Chart.Name }}\n        env:\n"
	  "        - name: USERS_URL\n          value: {{ .Values.usersUrl | quote }}\n        - name: ADS\n          value: \"http://{{ .Values.ads.host | default \"ads\" }}:80\"\n"
	  "        - name: BOTH\n          value: {{ printf \"%s:%s\" .Values.a .Values.b }}\n{{- end }}\n",
	  "USERS_URL=${Values.usersUrl}@15\nADS=http://${Values.ads.host:ads}:80@17\nBOTH=${-}@19\n" },
	/* what is no chart's template is no YAML */
	{ "views/page.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  A: {{ .Values.a }}\n", "" },
	{ "overlays/dev/kustomization.yaml", "resources: [../base]\nconfigMapGenerator:\n- name: c\n  literals:\n  - USERS_URL=http://users\nimages: [{name: x, newTag: y}]\n",
	  "USERS_URL=http://users@5\n" },
	{ "Dockerfile", "FROM x\nENV A=http://a B=\"/b\"\nENV C http://c\nARG D=8080\nENV E=1 \\\n    F=/f\nRUN X=/no\n",
	  "A=http://a@2\nB=/b@2\nC=http://c@3\nD=8080@4\nE=1@5\nF=/f@6\n" },
	{ "application.yml", "a: http://a\nb: [\n", "" },
	{ "main.py", "A=http://a\n", "" },
};

static void files(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena *a = arena_new();
		struct setting *v;
		size_t n = settings_read(cases[i].path, cases[i].text, strlen(cases[i].text), a, &v);
		const char *got = "";
		for (size_t k = 0; k < n; k++)
			got = arena_printf(a, "%s%s=%s@%u%s%s\n", got, v[k].key, v[k].value, v[k].line,
			    v[k].service ? " of " : "", v[k].service ? v[k].service : "");
		if (strcmp(got, cases[i].want))
			fail_msg("%s:\n%sinstead of\n%s", cases[i].path, got, cases[i].want);
		assert_int_equal(settings_match_path(cases[i].path), strcmp(cases[i].path, "main.py") != 0);
		arena_free(a);
	}
}

static void keys_that_are_the_same(void **state)
{
	static const char *const same[] = { "clients.users-url", "clients.usersUrl", "CLIENTS_USERS_URL", "Clients__UsersUrl",
		"Clients:UsersUrl" };
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 1; i < LEN(same); i++)
		assert_string_equal(settings_key(same[i], a), settings_key(same[0], a));
	assert_string_not_equal(settings_key("clients.users", a), settings_key(same[0], a));
	arena_free(a);
}

/* For libyaml alone a million open brackets are half a day. */
static void a_file_of_brackets_ends(void **state)
{
	static const char *const paths[] = { "application.yml", "appsettings.json", "docker-compose.yml", "openapi.yaml" };

	(void)state;
	for (size_t i = 0; i < LEN(paths); i++) {
		struct arena *a = arena_new();
		struct buf b = { 0 };
		struct setting *v;
		for (int k = 0; k < 1000000; k++)
			buf_str(&b, "[");
		assert_int_equal(settings_read(paths[i], b.p, b.n, a, &v), 0);
		assert_null(yaml_read(b.p, b.n, a));
		buf_free(&b);
		arena_free(a);
	}
}

/* A backslash that is the last byte of the file escapes nothing behind it. */
static void hcl_keeps_to_its_bytes(void **state)
{
	static const char text[] = "a = \"b\\Z";
	struct arena *a = arena_new();
	struct setting *v;

	(void)state;
	assert_int_equal(hcl_read(text, sizeof text - 2, a, &v), 1);
	assert_string_equal(v[0].value, "\"b\\");
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(files), cmocka_unit_test(a_file_of_brackets_ends), cmocka_unit_test(keys_that_are_the_same),
		cmocka_unit_test(hcl_keeps_to_its_bytes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
