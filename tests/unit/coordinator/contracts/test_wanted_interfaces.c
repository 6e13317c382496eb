/* Which packages of others each member may use: by manifests, by what these require in turn, by
 * imports, and by headers. */
#include "tests/contract_rows.h"

#include "coordinator/contracts/links/wanted_interfaces.h"

static struct contracts_res *facts(void)
{
	return arena_one(a, struct contracts_res);
}

static void add_package(
    struct contracts_res *r, const char *side, const char *ecosystem, const char *name)
{
	struct package *v = arena_many(a, r->packages.n + 1, struct package);

	if (r->packages.n)
		memcpy(v, r->packages.v, r->packages.n * sizeof *v);
	v[r->packages.n++] = (struct package){ .side = side,
		.ecosystem = ecosystem,
		.name = name,
		.file = "manifest",
		.line = r->packages.n };
	r->packages.v = v;
}

static struct contracts_res *publish(
    struct contracts_res *r, const char *ecosystem, const char *name, const char *hash)
{
	struct interface_ref *v = arena_many(a, r->interfaces.n + 1, struct interface_ref);

	if (r->interfaces.n)
		memcpy(v, r->interfaces.v, r->interfaces.n * sizeof *v);
	v[r->interfaces.n++] = (struct interface_ref){
		.ecosystem = ecosystem, .name = name, .hash = hash, .files = 1
	};
	r->interfaces.v = v;
	if (name)
		add_package(r, "publishes", ecosystem, name);
	return r;
}

static struct contracts_res *need(struct contracts_res *r, const char *ecosystem, const char *name)
{
	add_package(r, "depends", ecosystem, name);
	return r;
}

static struct match_member of(const char *name, struct contracts_res *r)
{
	return (struct match_member){ arena_printf(a, "h.example/acme/%s", name),
		arena_printf(a, "acme/%s", name), r };
}

/* `REPO:HASH` of what each member may use, members separated by `|`. */
static const char *wanted(const struct match_member *m, size_t n)
{
	struct wanted_list *v = wanted_interfaces_find(m, n, a);
	struct buf b = { 0 };

	buf_str(&b, "");
	for (size_t i = 0; i < n; i++) {
		buf_str(&b, i ? "|" : "");
		for (size_t k = 0; k < v[i].n; k++)
			buf_printf(
			    &b, "%s%s:%s", k ? " " : "", strrchr(v[i].v[k].repo_uri, '/') + 1, v[i].v[k].hash);
	}
	const char *s = arena_str(a, b.p);
	buf_free(&b);
	return s;
}

#define WANTED(want, ...)                                                                          \
	assert_string_equal(wanted((struct match_member[]){ __VA_ARGS__ },                             \
	                        LEN(((struct match_member[]){ __VA_ARGS__ }))),                        \
	    want)

static void requirements(void **state)
{
	(void)state;
	WANTED("base:2 lib:1|base:2||", of("app", need(facts(), "npm", "lib")),
	    of("lib", need(publish(facts(), "npm", "lib", "1"), "npm", "base")),
	    of("base", publish(facts(), "npm", "base", "2")),
	    of("other", publish(facts(), "npm", "other", "9")));
	WANTED("b:2|a:1",
	    of("a", need(publish(facts(), "go", "x.example/a", "1"), "go", "x.example/b")),
	    of("b",
	        need(publish(facts(), "go", "x.example/b", "2"), "go", "x.example/a"))); /* a cycle */
	WANTED("lib:1|",
	    of("app", need(facts(), "npm", "lib")), /* not its packages of other ecosystems */
	    of("lib", publish(publish(facts(), "npm", "lib", "1"), "pypi", "lib", "2")));
	WANTED("lib:1 lib:2|",
	    of("app", need(facts(), "npm", "lib")), /* what stands beside it: its types may be shown */
	    of("lib", publish(publish(facts(), "npm", "lib", "1"), "npm", "lib-types", "2")));
	WANTED("fork:2 lib:1||", of("app", need(facts(), "pypi", "lib")),	/* both are candidates */
	    of("lib", publish(facts(), "pypi", "Lib", "1")),
	    of("fork", publish(facts(), "pypi", "lib", "2")));
	WANTED("sdk:1|", of("tea", need(facts(), "go", "code.example/sdk")),
	    of("sdk", publish(facts(), "go", "code.example/sdk/gitea", "1")));
}

static struct contracts_res *with_headers(
    struct contracts_res *r, const char *hash, const char *const *v, size_t n)
{
	publish(r, "c", NULL, hash);
	r->interfaces.v[r->interfaces.n - 1].headers = (struct strs){ arena_many(a, n, const char *),
		n };
	memcpy(r->interfaces.v[r->interfaces.n - 1].headers.v, v, n * sizeof *v);
	return r;
}

#define HEADERS(hash, ...)                                                                         \
	with_headers(facts(), hash, (const char *const[]){ __VA_ARGS__ },                              \
	    LEN(((const char *const[]){ __VA_ARGS__ })))

static struct contracts_res *including(const char *path)
{
	struct contracts_res *r = facts();

	r->includes.v = arena_one(a, const char *);
	*r->includes.v = path;
	r->includes.n = 1;
	return r;
}

static void headers(void **state)
{
	(void)state;
	WANTED("jansson:1|", of("app", including("jansson.h")),
	    of("jansson", HEADERS("1", "src/jansson.h", "src/util.h")));
	WANTED("|", of("app", including("util.h")),
	    of("jansson", HEADERS("1", "src/jansson.h", "src/util.h"))); /* anybody's */
	WANTED("libuv:1|", of("app", including("uv/unix.h")),
	    of("libuv", HEADERS("1", "include/uv.h", "include/uv/unix.h")));
	WANTED("|", of("app", including("unix.h")), of("libuv", HEADERS("1", "include/uv/linux.h")));
	WANTED("|", of("app", including("x/unix.h")), of("libuv", HEADERS("1", "include/uv/unix.h")));
}

static struct contracts_res *with_modules(struct contracts_res *r, const char *ecosystem,
    const char *name, const char *hash, const char *module)
{
	publish(r, ecosystem, name, hash);
	struct strs *modules = &r->interfaces.v[r->interfaces.n - 1].modules;
	modules->v = arena_one(a, const char *);
	*modules->v = module;
	modules->n = 1;
	return r;
}

static struct contracts_res *importing(struct contracts_res *r, const char *import)
{
	r->imports.v = arena_one(a, const char *);
	*r->imports.v = import;
	r->imports.n = 1;
	return r;
}

/* What build files call a library may be computed; what code imports is not. */
static void imported_packages(void **state)
{
	(void)state;
	WANTED("okio:1|", of("app", importing(facts(), "maven okio")),
	    of("okio", with_modules(facts(), "maven", ":okio", "1", "okio")));
	WANTED("http:1|", of("app", importing(facts(), "maven acme.http.Request.Builder")),
	    of("http", with_modules(facts(), "maven", ":http", "1", "acme.http")));
	WANTED("|", of("app", importing(facts(), "maven acme.http.tls")), /* another package */
	    of("http", with_modules(facts(), "maven", ":http", "1", "acme.http")));
	WANTED("http:2 io:1|io:1|", /* what it imports in turn: its types may be shown */
	    of("app", importing(facts(), "maven http")),
	    of("http", importing(with_modules(facts(), "maven", ":http", "2", "http"), "maven io")),
	    of("io", with_modules(facts(), "maven", ":io", "1", "io")));
	WANTED("fork:2 io:1||", of("app", importing(facts(), "maven io")), /* both are candidates */
	    of("io", with_modules(facts(), "maven", ":io", "1", "io")),
	    of("fork", with_modules(facts(), "maven", ":io", "2", "io")));
}

/* Many imports of one library leave room for the others. */
static void many_imports(void **state)
{
	struct contracts_res *app = facts(), *large = facts(), *small = facts();
	struct interface_ref *v = arena_many(a, 50, struct interface_ref);
	const char **imports = arena_many(a, 31, const char *);

	(void)state;
	large->interfaces.v = v;
	for (size_t i = 0; i < 30; i++) {
		const char **module = arena_one(a, const char *);
		*module = arena_printf(a, "large.m%zu", i);
		v[large->interfaces.n++] = (struct interface_ref){ .ecosystem = "maven",
			.name = arena_printf(a, ":m%zu", i),
			.hash = arena_printf(a, "h%zu", i),
			.files = 1,
			.modules = { module, 1 } };
		imports[app->imports.n++] = arena_printf(a, "maven large.m%zu", i);
	}
	with_modules(small, "maven", ":small", "s", "small");
	imports[app->imports.n++] = "maven small";
	app->imports.v = imports;
	struct match_member m[] = { of("app", app), of("large", large), of("small", small) };
	struct wanted_list *w = wanted_interfaces_find(m, LEN(m), a);
	assert_int_equal(w[0].n, 31);
}

/* Any library may add to a namespace of C#, so the manifests decide; if there are any. */
static void imported_namespaces(void **state)
{
	(void)state;
	WANTED("|", of("app", importing(facts(), "nuget Shared.Hosting")),
	    of("lib", with_modules(facts(), "nuget", "Acme.Lib", "1", "Shared.Hosting")));
	WANTED("lib:1|", of("app", importing(facts(), "nuget Shared.Hosting")),
	    of("lib", with_modules(facts(), "nuget", NULL, "1", "Shared.Hosting")));
	WANTED("|", of("app", importing(facts(), "maven Shared.Hosting")), /* another language */
	    of("lib", with_modules(facts(), "nuget", NULL, "1", "Shared.Hosting")));
}

static void what_cannot_be_read_is_not_wanted(void **state)
{
	struct contracts_res *lib = publish(facts(), "npm", "lib", "1");

	(void)state;
	lib->interfaces.v[0].problem = "its interface is larger than 16 MB";
	WANTED("|", of("app", need(facts(), "npm", "lib")), of("lib", lib));
	WANTED("", of("app", NULL));	/* its facts are not known */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requirements),
		cmocka_unit_test(headers),
		cmocka_unit_test(imported_packages),
		cmocka_unit_test(many_imports),
		cmocka_unit_test(imported_namespaces),
		cmocka_unit_test(what_cannot_be_read_is_not_wanted),
	};

	return cmocka_run_group_tests(tests, contract_rows_setup, contract_rows_teardown);
}
