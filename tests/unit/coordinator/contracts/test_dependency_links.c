/* Who depends on whose packages, and which documents refer to whom: from facts of manifests to links. */
#include "tests/contract_rows.h"

#include "coordinator/contracts/links/dependency_links.h"

static struct package package(const char *side, const char *ecosystem, const char *name, const char *range, const char *scope)
{
	line++;
	return (struct package){ .side = side, .ecosystem = ecosystem, .name = name, .range = range, .scope = scope,
		.file = !strcmp(side, "mentions") ? "README.md" : "manifest", .line = line, .count = 1 };
}

#define PUBLISH(eco, name)       package("publishes", eco, name, "1.0", NULL)
#define PRIVATE(eco, name)       package("publishes", eco, name, "1.0", "private")
#define DEPEND(eco, name, range) package("depends", eco, name, range, "runtime")
#define MENTION(eco, name)       package("mentions", eco, name, NULL, NULL)

static struct package from(const char *source, const char *path, struct package p)
{
	p.source = source;
	p.path = path;
	return p;
}

static struct match_member with(const char *uri, const char *name, const struct package *v, size_t n)
{
	struct match_member m = member(uri, name, NULL, 0);
	struct contracts_res *r = (struct contracts_res *)m.facts;

	r->packages.v = arena_many(a, n + 1, struct package);
	memcpy(r->packages.v, v, n * sizeof *v);
	r->packages.n = n;
	return m;
}

#define REPO(name, ...) with("github.com/acme/" name, "acme/" name, (struct package[]){ { 0 }, __VA_ARGS__ } + 1, \
	LEN(((struct package[]){ { 0 }, __VA_ARGS__ })) - 1)

/* `web>ui 1.00 npm @acme/ui ^3` for each link of files; with `whole` those of repositories, too. */
static const char *shown(const struct match_member *m, size_t n, bool whole)
{
	struct match_result none = { 0 };
	struct buf b = { 0 };
	size_t nlinks;
	struct link *v = repo_links_build(&none, m, n, a, &nlinks);

	for (size_t i = 0; i < nlinks; i++)
		if (whole || v[i].source_doc_path) {
			buf_printf(&b, "%s>%s %.2f ", strrchr(v[i].source_repo_uri, '/') + 1, strrchr(v[i].target_repo_uri, '/') + 1, v[i].confidence);
			buf_printf(&b, !v[i].source_doc_path ? "%s " : "", v[i].relation);
			buf_printf(&b, v[i].count ? "%s x%llu\n" : "%s\n", v[i].evidence, (unsigned long long)v[i].count);
		}
	const char *s = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

#define LINKS(want, ...) assert_string_equal(shown((struct match_member[]){ __VA_ARGS__ }, \
	LEN(((struct match_member[]){ __VA_ARGS__ })), false), want)

static void by_name_in_the_same_ecosystem(void **state)
{
	(void)state;
	LINKS("web>ui 1.00 npm @acme/ui ^3\n", REPO("ui", PUBLISH("npm", "@acme/ui"), PUBLISH("pypi", "common")),
	    REPO("web", DEPEND("npm", "@acme/ui", "^3"), DEPEND("npm", "common", "1"), DEPEND("npm", "express", "4")));
	LINKS("api>lib 1.00 pypi acme.common\n", REPO("lib", PUBLISH("pypi", "Acme_Common")), REPO("api", DEPEND("pypi", "acme.common", NULL)));
	LINKS("api>lib 1.00 nuget ACME.common [2,3)\n", REPO("lib", PUBLISH("nuget", "Acme.Common")),
	    REPO("api", DEPEND("nuget", "ACME.common", "[2,3)")));
	LINKS("", REPO("lib", PUBLISH("maven", "com.acme:Common")), REPO("api", DEPEND("maven", "com.acme:common", "1")));
	LINKS("api>lib 1.00 cargo acme_core 1\n", REPO("lib", PUBLISH("cargo", "acme-core")), REPO("api", DEPEND("cargo", "acme_core", "1")));
}

static void its_own_packages_come_first(void **state)
{
	(void)state;
	LINKS("", REPO("a", PUBLISH("npm", "ui")), REPO("b", PUBLISH("npm", "ui"), DEPEND("npm", "ui", "1")));
	LINKS("", REPO("a", PUBLISH("npm", "ui"), DEPEND("npm", "ui", "1")));
	LINKS("", REPO("a", PRIVATE("npm", "ui")), REPO("b", DEPEND("npm", "ui", "1")));
}

static void several_publishers_are_ambiguous(void **state)
{
	(void)state;
	LINKS("web>a 0.50 npm ui 1, one of 2 that publish it\nweb>b 0.50 npm ui 1, one of 2 that publish it\n",
	    REPO("a", PUBLISH("npm", "ui"), PUBLISH("npm", "ui")), REPO("b", PUBLISH("npm", "ui")), REPO("web", DEPEND("npm", "ui", "1")));
#define UI(name) REPO(name, PUBLISH("npm", "ui"))
	LINKS("", UI("a"), UI("b"), UI("c"), UI("d"), UI("e"), UI("f"), UI("g"), UI("h"), UI("i"), REPO("web", DEPEND("npm", "ui", "1")));
}

static void the_manifest_names_the_repository(void **state)
{
	(void)state;
	LINKS("web>b 1.00 npm ui v1, from github.com/Acme/b\n", REPO("a", PUBLISH("npm", "ui")), REPO("b", PRIVATE("npm", "ui")),
	    REPO("web", from("github.com/Acme/b", NULL, DEPEND("npm", "ui", "v1"))));
	LINKS("web>b 1.00 npm thing, from github.com/acme/b\n", REPO("b"),
	    REPO("web", from("github.com/acme/b", NULL, DEPEND("npm", "thing", NULL))));
	/* a fork of it is not it: only a hint */
	LINKS("web>ui 0.50 npm ui, from ui\n", REPO("ui", PUBLISH("npm", "ui")),
	    REPO("web", from("github.com/other/ui", NULL, DEPEND("npm", "ui", NULL))));
	LINKS("", REPO("kit", PUBLISH("npm", "ui")), REPO("web", from("github.com/other/ui", NULL, DEPEND("npm", "ui", NULL))));
	LINKS("web>ui 1.00 npm ui file:../ui/lib, from ../ui/lib\n", REPO("ui", PRIVATE("npm", "ui")), REPO("x", PUBLISH("npm", "ui")),
	    REPO("web", from(NULL, "../ui/lib", DEPEND("npm", "ui", "file:../ui/lib"))));
}

static void modules_of_go_name_their_repository(void **state)
{
	(void)state;
	LINKS("web>lib 1.00 go github.com/acme/lib/v2/sub v2.1.0, from github.com/acme/lib/v2/sub\n", REPO("lib"),
	    REPO("web", DEPEND("go", "github.com/acme/lib/v2/sub", "v2.1.0")));
	LINKS("web>lib 1.00 go github.com/acme/lib v1, from github.com/acme/lib\n", REPO("lib", PUBLISH("go", "github.com/acme/lib")),
	    REPO("fork", PUBLISH("go", "github.com/acme/lib")), REPO("web", DEPEND("go", "github.com/acme/lib", "v1")));
	LINKS("web>far 1.00 go example.org/far v1\n", REPO("far", PUBLISH("go", "example.org/far")),
	    REPO("web", DEPEND("go", "example.org/far", "v1")));
	LINKS("", REPO("lib"), REPO("web", DEPEND("go", "github.com/acme/library", "v1")));
}

static void documents_refer_once(void **state)
{
	(void)state;
	LINKS("web>users 1.00 github.com/acme/users, github.com/acme/users/wiki, npm users-client x3\n",
	    REPO("users", PUBLISH("npm", "users-client")),
	    REPO("web", MENTION("url", "github.com/acme/users"), MENTION("url", "github.com/acme/users/wiki"), MENTION("npm", "users-client"),
	    MENTION("url", "github.com/acme/usersx"), MENTION("url", "github.com/acme"), MENTION("url", "github.com/acme/web")));
	LINKS("web>users 0.90 users:8080/health x1\n", REPO("users"),
	    REPO("web", MENTION("url", "users:8080/health"), MENTION("url", "users.com/x")));
	LINKS("", REPO("a", PUBLISH("npm", "ui")), REPO("b", PUBLISH("npm", "ui")), REPO("web", MENTION("npm", "ui")));
}

static struct package page(const char *url)
{
	struct package p = MENTION("url", arena_strn(a, url, strcspn(url, "?#")));

	p.path = url;
	return p;
}

/* Each file and line has a link of its own; a branch's name may have slashes. */
static void documents_refer_to_files(void **state)
{
	struct match_member m[] = { REPO("api", PUBLISH("npm", "api")),
		REPO("web", MENTION("url", "github.com/acme/api"), MENTION("npm", "api"), page("github.com/acme/api/blob/main/app/server.py#L5"),
		    page("GitHub.com/Acme/API/blob/v1.2/app/server.py#L5"), page("github.com/acme/api/blob/main/app/server.py#L9"),
		    page("github.com/acme/api/blob/release/1.x/app/client.py"), page("github.com/acme/api/raw/some/branch/manifest"),
		    page("github.com/acme/web/blob/main/own.py"), page("github.com/acme/far/blob/main/x.py")) };
	struct match_result none = { 0 };
	struct buf b = { 0 };
	size_t n;

	(void)state;
	((struct contracts_res *)m[0].facts)->branch = "release/1.x";
	struct link *v = repo_links_build(&none, m, 2, a, &n);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].relation, "references_doc"))
			buf_printf(&b, "%s:%llu x%llu\n", v[i].target_doc_path, (unsigned long long)v[i].target_line, (unsigned long long)v[i].count);
	buf_byte(&b, 0);
	assert_string_equal(b.p, arena_printf(a, "manifest:%llu x2\napp/server.py:5 x2\napp/server.py:9 x1\napp/client.py:0 x1\nmanifest:0 x1\n",
	    (unsigned long long)m[0].facts->packages.v[0].line));
	buf_free(&b);
}

static void whole_repositories_depend(void **state)
{
	struct match_member m[] = { REPO("ui", PUBLISH("npm", "ui"), PUBLISH("npm", "icons"), MENTION("url", "github.com/acme/web")),
		REPO("web", DEPEND("npm", "ui", "1"), DEPEND("npm", "icons", "2")) };

	(void)state;
	assert_string_equal(shown(m, 2, true), "ui>web 1.00 consumer_of npm icons 2\nui>web 1.00 github.com/acme/web x1\n"
	    "web>ui 1.00 depends_on npm icons 2\nweb>ui 1.00 npm ui 1\nweb>ui 1.00 npm icons 2\n");
}

static uint64_t seed = 7;

static size_t pick(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(seed >> 33) % n;
}

/* Members with a few names between them. */
static struct match_member random_member(size_t i)
{
	static const char *const ecosystems[] = { "npm", "go", "pypi" };
	struct package v[6];

	for (size_t k = 0; k < LEN(v); k++) {
		const char *name = arena_printf(a, "p%zu", pick(12)), *eco = ecosystems[pick(3)];
		v[k] = pick(3) ? DEPEND(eco, name, "1") : pick(4) ? PUBLISH(eco, name) : MENTION("url", arena_printf(a, "github.com/acme/r%zu", pick(9)));
	}
	return with(arena_printf(a, "github.com/acme/r%zu", i), arena_printf(a, "acme/r%zu", i), v, LEN(v));
}

static void order_and_strangers_never_matter(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		struct match_member m[9];
		size_t n = 2 + pick(6);
		for (size_t i = 0; i < n; i++)
			m[i] = random_member(i);
		const char *before = shown(m, n, true);
		m[n] = with("github.com/else/stranger", "else/stranger", (struct package[]){ PUBLISH("npm", "other"), DEPEND("npm", "more", "1") }, 2);
		assert_string_equal(shown(m, n + 1, true), before);
		for (size_t i = n; i > 1; i--) {
			size_t k = pick(i);
			struct match_member x = m[k];
			m[k] = m[i - 1];
			m[i - 1] = x;
		}
		for (size_t i = 0; i < n; i++) {
			struct contracts_res *r = (struct contracts_res *)m[i].facts;
			for (size_t k = r->packages.n; k > 1; k--) {
				size_t at = pick(k);
				struct package x = r->packages.v[at];
				r->packages.v[at] = r->packages.v[k - 1];
				r->packages.v[k - 1] = x;
			}
		}
		assert_string_equal(shown(m, n, true), before);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_name_in_the_same_ecosystem), cmocka_unit_test(its_own_packages_come_first),
		cmocka_unit_test(several_publishers_are_ambiguous), cmocka_unit_test(the_manifest_names_the_repository),
		cmocka_unit_test(modules_of_go_name_their_repository), cmocka_unit_test(documents_refer_once),
		cmocka_unit_test(documents_refer_to_files),
		cmocka_unit_test(whole_repositories_depend), cmocka_unit_test(order_and_strangers_never_matter),
	};

	return cmocka_run_group_tests(tests, contract_rows_setup, contract_rows_teardown);
}
