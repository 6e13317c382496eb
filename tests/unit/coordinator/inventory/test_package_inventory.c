/* Package URLs, exact versions, and the inventory of packages: from manifests of members to rows and pages. */
#include "tests/contract_rows.h"

#include "coordinator/inventory/exact_version.h"
#include "coordinator/inventory/package_inventory.h"
#include "coordinator/inventory/package_url.h"
#include "coordinator/records/records.h"

static void package_urls(void **state)
{
	static const struct {
		const char *ecosystem, *name, *version, *url;
	} cases[] = {
		{ "npm", "lodash", "4.17.21", "pkg:npm/lodash@4.17.21" },
		{ "npm", "@acme/ui", NULL, "pkg:npm/%40acme/ui" },
		{ "npm", "@acme/ui", "1.0.0-rc.1+build", "pkg:npm/%40acme/ui@1.0.0-rc.1%2Bbuild" },
		{ "npm", "JSONStream", NULL, "pkg:npm/JSONStream" },
		{ "pypi", "Acme__Base.x", "1.5", "pkg:pypi/acme-base-x@1.5" },
		{ "go", "github.com/Acme/Kit/v2", "v2.1.0+incompatible",
		    "pkg:golang/github.com/acme/kit/v2@v2.1.0%2Bincompatible" },
		{ "maven", "org.acme:core-lib", "1.2", "pkg:maven/org.acme/core-lib@1.2" },
		{ "cargo", "acme_core", "1.0.0", "pkg:cargo/acme_core@1.0.0" },
		{ "nuget", "Acme.Common", "2.0", "pkg:nuget/Acme.Common@2.0" },
		{ "rubygems", "rack", "", "pkg:gem/rack" },
		{ "composer", "Acme/Tool", "1.0", "pkg:composer/acme/tool@1.0" },
		{ "npm", "odd name\xc3\xa9?", NULL, "pkg:npm/odd%20name%C3%A9%3F" },
		{ "maven", "org.acme:core", "${revision}", "pkg:maven/org.acme/core" },
		{ "pypi", "x", "1!2.0", "pkg:pypi/x@1%212.0" },
		/* no packages */
		{ "composer", "php", "8.1", NULL },
		{ "composer", "ext-json", NULL, NULL },
		{ "pypi", "python", NULL, NULL },
		{ "maven", "core", NULL, NULL },
		{ "maven", ":core", NULL, NULL },
		{ "maven", "${group}:core", NULL, NULL },
		{ "url", "github.com/acme", NULL, NULL },
		{ "npm", "", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *got = package_url(cases[i].ecosystem, cases[i].name, cases[i].version, a);
		if (cases[i].url)
			assert_string_equal(got ? got : "none", cases[i].url);
		else
			assert_null(got);
	}
}

static void exact_versions(void **state)
{
	static const struct {
		const char *ecosystem, *file, *range, *version;
	} cases[] = {
		{ "npm", "package.json", "1.2.3", "1.2.3" },
		{ "npm", "package.json", "=1.2.3", "1.2.3" },
		{ "npm", "package.json", "1.2.3-rc.1", "1.2.3-rc.1" },
		{ "npm", "package.json", "v1.2.3", NULL },
		{ "npm", "package.json", "^1.2.3", NULL },
		{ "npm", "package.json", "1.2", NULL },
		{ "npm", "package.json", "1.2.x", NULL },
		{ "npm", "package.json", "1.2.3 || 2.0.0", NULL },
		{ "npm", "package.json", "latest", NULL },
		{ "npm", "package.json", "*", NULL },
		{ "npm", "package.json", "github:acme/kit#v1", NULL },
		{ "pypi", "requirements.txt", "==1.4", "1.4" },
		{ "pypi", "requirements.txt", "=== 1.4", "1.4" },
		{ "pypi", "requirements.txt", "==1.*", NULL },
		{ "pypi", "requirements.txt", "==1.4,!=1.5", NULL },
		{ "pypi", "requirements.txt", ">=1.4", NULL },
		{ "pypi", "pyproject.toml", "1.4", NULL },
		{ "go", "go.mod", "v0.1.0", "v0.1.0" },
		{ "go", "go.mod", "v0.0.0-20240101000000-abcdef012345",
		    "v0.0.0-20240101000000-abcdef012345" },
		{ "maven", "pom.xml", "1.2", "1.2" },
		{ "maven", "pom.xml", "Hoxton.SR3", "Hoxton.SR3" },
		{ "maven", "pom.xml", "[1.2]", "1.2" },
		{ "maven", "pom.xml", "[1.2,2.0)", NULL },
		{ "maven", "pom.xml", "${version.of}", NULL },
		{ "maven", "build.gradle", "1.+", NULL },
		{ "maven", "build.gradle", "latest.release", NULL },
		{ "maven", "pom.xml", "RELEASE", NULL },
		{ "cargo", "Cargo.toml", "=1.2.3", "1.2.3" },
		{ "cargo", "Cargo.toml", "1.2.3", NULL },
		{ "cargo", "Cargo.toml", "=1.2", NULL },
		{ "nuget", "a/App.csproj", "1.2.3", NULL },
		{ "nuget", "a/App.csproj", "[1.2.3]", "1.2.3" },
		{ "nuget", "a/packages.config", "1.2.3", "1.2.3" },
		{ "rubygems", "Gemfile", "= 7.1", "7.1" },
		{ "rubygems", "Gemfile", "7.1.0", "7.1.0" },
		{ "rubygems", "Gemfile", "~> 7.1", NULL },
		{ "composer", "composer.json", "v1.0.2", "v1.0.2" },
		{ "composer", "composer.json", "1.0.*", NULL },
		{ "composer", "composer.json", "1.x-dev", NULL },
		{ "composer", "composer.json", "dev-main", NULL },
		{ "url", NULL, "1.0.0", NULL },
		{ "npm", NULL, NULL, NULL },
		{ "npm", NULL, "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *got = exact_version(cases[i].ecosystem, cases[i].file, cases[i].range, a);
		if (cases[i].version)
			assert_string_equal(got ? got : cases[i].range, cases[i].version);
		else if (got)
			fail_msg("%s %s is exact: %s", cases[i].ecosystem, cases[i].range, got);
	}
}

/* ---- the inventory ---- */

static struct package package(
    const char *side, const char *ecosystem, const char *name, const char *range)
{
	line++;
	return (struct package){ .side = side,
		.ecosystem = ecosystem,
		.name = name,
		.range = range,
		.scope = "runtime",
		.file = "manifest",
		.line = line };
}

#define PUBLISH(eco, name, version) package("publishes", eco, name, version)
#define DEPEND(eco, name, range) package("depends", eco, name, range)

static struct package scoped(const char *scope, struct package p)
{
	p.scope = scope;
	return p;
}

static struct package pinned(const char *version, struct package p)
{
	p.pinned = version;
	return p;
}

static struct package from(const char *source, struct package p)
{
	p.source = source;
	return p;
}

static struct match_member with(
    const char *uri, const char *name, const struct package *v, size_t n)
{
	struct match_member m = member(uri, name, NULL, 0);
	struct contracts_res *r = (struct contracts_res *)m.facts;

	r->packages.v = arena_many(a, n + 1, struct package);
	memcpy(r->packages.v, v, n * sizeof *v);
	r->packages.n = n;
	return m;
}

#define REPO(name, ...)                                                                            \
	with("h/acme/" name, "acme/" name, (struct package[]){ { 0 }, __VA_ARGS__ } + 1,               \
	    LEN(((struct package[]){ { 0 }, __VA_ARGS__ })) - 1)

static struct match_member using(struct match_member m, const char *repo_uri, uint64_t uses)
{
	struct contracts_res *r = (struct contracts_res *)m.facts;

	r->uses.v = arena_one(a, struct use_total);
	*r->uses.v = (struct use_total){ repo_uri, uses, 1 };
	r->uses.n = 1;
	return m;
}

static const char *last(const char *repo_uri)
{
	return strrchr(repo_uri, '/') + 1;
}

static void put_declaration(struct buf *b, const struct package_declaration *d)
{
	buf_printf(b, "  %s %s", last(d->repo_uri), d->range ? d->range : "-");
	if (d->version)
		buf_printf(b, d->pinned ? " pinned %s" : " =%s", d->version);
	if (strcmp(d->scope, "runtime"))
		buf_printf(b, " (%s)", d->scope);
	for (size_t i = 0; i < d->publishers.n; i++)
		buf_printf(b, " <%s", last(d->publishers.v[i]));
	if (d->uses)
		buf_printf(b, " x%llu", (unsigned long long)d->uses);
	buf_str(b, "\n");
}

/* `npm ui 2/3 <lib@1.0` (repositories/ranges, publishers), then its declarations. */
static const char *rows_text(const struct package_row *v, size_t n)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < n; i++) {
		buf_printf(&b, "%s %s %llu/%llu", v[i].ecosystem, v[i].name,
		    (unsigned long long)v[i].repositories, (unsigned long long)v[i].ranges);
		for (size_t k = 0; k < v[i].publishers.n; k++)
			buf_printf(
			    &b, " <%s@%s", last(v[i].publishers.v[k].repo_uri), v[i].publishers.v[k].version);
		buf_str(&b, "\n");
		for (size_t k = 0; k < v[i].declarations.n; k++)
			put_declaration(&b, &v[i].declarations.v[k]);
	}
	const char *s = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

static struct package_inventory last_inventory;

static const char *listed(const struct match_member *m, size_t n, struct inventory_filter f)
{
	package_inventory_build(m, n, &f, a, &last_inventory);
	return rows_text(last_inventory.v, last_inventory.n);
}

#define LISTS(filter, want, ...)                                                                   \
	assert_string_equal(                                                                           \
	    listed((struct match_member[]){ __VA_ARGS__ },                                             \
	        LEN(((struct match_member[]){ __VA_ARGS__ })), (struct inventory_filter)filter),       \
	    want)
#define ALL                                                                                        \
	{                                                                                              \
		0                                                                                          \
	}

static void packages_of_several_members(void **state)
{
	(void)state;
	LISTS(ALL,
	    "npm express 1/1\n  web 4.18.2 =4.18.2\n"
	    "npm ui 1/1 <ui@1.0\n  web ^1 <ui\n",
	    REPO("ui", PUBLISH("npm", "ui", "1.0")),
	    REPO("web", DEPEND("npm", "ui", "^1"), DEPEND("npm", "express", "4.18.2")));
	assert_int_equal(last_inventory.places, 2);
	assert_int_equal(last_inventory.external, 1);
	/* one package for all spellings; ranges that differ are counted */
	LISTS(ALL, "pypi Acme_Base 3/2\n  a ==1.4 =1.4\n  b ==1.4 =1.4\n  c >=1 (dev)\n",
	    REPO("c", scoped("dev", DEPEND("pypi", "acme-base", ">=1"))),
	    REPO("a", DEPEND("pypi", "acme.base", "==1.4")),
	    REPO("b", DEPEND("pypi", "Acme_Base", "==1.4")));
	/* what a lock file chose comes before what the manifest allows; from git it is another package */
	LISTS(ALL, "npm ui 3/2\n  a ^1 pinned 1.2.3\n  b 1.0.0 pinned 1.2.0\n  c ^1\n",
	    REPO("a", pinned("1.2.3", DEPEND("npm", "ui", "^1"))),
	    REPO("b", pinned("1.2.0", DEPEND("npm", "ui", "1.0.0"))),
	    REPO("c", from("h/other/ui", pinned("1.2.3", DEPEND("npm", "ui", "^1")))));
	/* the same name in two ecosystems */
	LISTS(ALL, "cargo common 1/1\n  a 1\nnpm common 1/1\n  a 1\n",
	    REPO("a", DEPEND("npm", "common", "1"), DEPEND("cargo", "common", "1")));
	/* what is no package: documents that mention one, projects of the same repository */
	LISTS(ALL, "",
	    REPO("a", package("mentions", "npm", "ui", NULL),
	        package("depends", "url", "h.example/x", NULL),
	        scoped("project", DEPEND("nuget", "Core", NULL)), DEPEND("npm", NULL, "1")));
}

static void publishers(void **state)
{
	(void)state;
	/* several are candidates; the uses of one publisher's definitions are counted, of candidates not */
	LISTS(ALL, "npm ui 1/1 <a@1 <b@2\n  web ^1 <a <b\n", REPO("b", PUBLISH("npm", "ui", "2")),
	    using(REPO("web", DEPEND("npm", "ui", "^1")), "h/acme/a", 7),
	    REPO("a", PUBLISH("npm", "ui", "1")));
	LISTS(ALL, "npm ui 1/1 <a@1\n  web ^1 <a x7\n",
	    using(REPO("web", DEPEND("npm", "ui", "^1")), "h/acme/a", 7),
	    REPO("a", PUBLISH("npm", "ui", "1")));
	/* a package of the repository itself is not external */
	LISTS(ALL, "npm ui 1/1 <a@1\n  a ^1 <a\n",
	    REPO("a", PUBLISH("npm", "ui", "1"), DEPEND("npm", "ui", "^1")));
	assert_int_equal(last_inventory.external, 0);
	/* a private package is nobody's by name; a fork is not the member that it is named like */
	LISTS(ALL, "npm ui 1/1 <a@1\n  web 1\n",
	    REPO("a", scoped("private", PUBLISH("npm", "ui", "1"))),
	    REPO("web", DEPEND("npm", "ui", "1")));
	LISTS(ALL, "npm ui 1/1 <a@1\n  web 1.0.0\n", REPO("a", PUBLISH("npm", "ui", "1")),
	    REPO("web", from("h.example/other/fork", DEPEND("npm", "ui", "1.0.0"))));
	/* nor is a fork of one's own package one's own */
	LISTS(ALL, "npm ui 1/1 <a@1\n  a 2.x\n",
	    REPO("a", PUBLISH("npm", "ui", "1"),
	        from("h.example/other/fork", DEPEND("npm", "ui", "2.x"))));
	assert_int_equal(last_inventory.external, 1);
	/* a module below the required path */
	LISTS(ALL,
	    "go h.example/sdk 1/1\n  tea v0.1.0 =v0.1.0 <sdk\ngo h.example/sdk/x 0/0 <sdk@(null)\n",
	    REPO("sdk", PUBLISH("go", "h.example/sdk/x", NULL)),
	    REPO("tea", DEPEND("go", "h.example/sdk", "v0.1.0")));
}

static void filters(void **state)
{
	const struct match_member m[] = {
		REPO("lib", PUBLISH("npm", "Ui-Kit", "1"), DEPEND("cargo", "serde", "1")),
		REPO("web", DEPEND("npm", "Ui-Kit", "^1"), DEPEND("npm", "express", "4"),
		    DEPEND("cargo", "serde", "=1.0.1")),
	};

	(void)state;
#define FILTERED(want, ...)                                                                        \
	assert_string_equal(listed(m, LEN(m), (struct inventory_filter){ __VA_ARGS__ }), want)
	FILTERED(
	    "npm Ui-Kit 1/1 <lib@1\n  web ^1 <lib\nnpm express 1/1\n  web 4\n", .ecosystem = "npm");
	FILTERED("npm Ui-Kit 1/1 <lib@1\n  web ^1 <lib\n", .name = "KIT");
	FILTERED("cargo serde 2/2\n  lib 1\n  web =1.0.1 =1.0.1\nnpm express 1/1\n  web 4\n",
	    .external = true);
	FILTERED("cargo serde 1/1\n  lib 1\nnpm Ui-Kit 0/0 <lib@1\n", .repo_uri = "h/acme/lib");
	FILTERED("cargo serde 1/1\n  lib 1\n", .repo_uri = "h/acme/lib", .external = true);
	FILTERED("", .repo_uri = "h/acme/none");
	FILTERED("", .name = "none");
}

/* The same rows, whatever the order of the members. */
static void order_does_not_matter(void **state)
{
	struct match_member m[] = {
		REPO("a", PUBLISH("npm", "ui", "1"), DEPEND("npm", "x", "1")),
		REPO("b", DEPEND("npm", "ui", "1"), DEPEND("pypi", "A_b", "==1")),
		REPO("c", DEPEND("npm", "x", "2"), DEPEND("pypi", "a-b", "==1")),
	};
	const char *before = listed(m, LEN(m), (struct inventory_filter){ 0 });

	(void)state;
	for (size_t i = 0; i < LEN(m) - 1; i++) {
		struct match_member first = m[i];
		m[i] = m[i + 1];
		m[i + 1] = first;
		assert_string_equal(listed(m, LEN(m), (struct inventory_filter){ 0 }), before);
	}
}

static void pages(void **state)
{
	const struct match_member m[] = {
		REPO("a", PUBLISH("npm", "alone", "1"), DEPEND("npm", "x", "1"), DEPEND("npm", "y", "1"),
		    DEPEND("npm", "x", "2")),
		REPO("b", DEPEND("npm", "x", "1"), DEPEND("npm", "y", "3")),
	};
	static const char *const want[] = {
		"npm alone 0/0 <a@1\nnpm x 2/2\n  a 1\n",
		"npm x 2/2\n  a 2\n  b 1\n",
		"npm y 2/2\n  a 1\n  b 3\n",
		"",
	};
	struct package_row *v;
	size_t n;

	(void)state;
	listed(m, LEN(m), (struct inventory_filter){ 0 });
	assert_int_equal(last_inventory.places, 6);
	for (size_t i = 0; i < LEN(want); i++) {
		package_inventory_page(&last_inventory, i * 2, 2, a, &v, &n);
		assert_string_equal(rows_text(v, n), want[i]);
	}
	package_inventory_page(&last_inventory, 5, 100, a, &v, &n);
	assert_string_equal(rows_text(v, n), "npm y 2/2\n  b 3\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(package_urls),
		cmocka_unit_test(exact_versions),
		cmocka_unit_test(packages_of_several_members),
		cmocka_unit_test(publishers),
		cmocka_unit_test(filters),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(pages),
	};

	a = arena_new();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(a);
	return rc;
}
