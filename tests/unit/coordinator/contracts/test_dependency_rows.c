/* Links of packages and documents with all of their fields: where they are from, where they lead, and why; test_dependency_links has whom. */
#include "proto/base/optional_text.h"
#include "tests/contract_rows.h"

#include "coordinator/contracts/links/dependency_links.h"

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

#define FOLDER(uri, name, ...)                                                                     \
	with(uri, name, (struct package[]){ { 0 }, __VA_ARGS__ } + 1,                                  \
	    LEN(((struct package[]){ { 0 }, __VA_ARGS__ })) - 1)
#define REPO(name, ...) FOLDER("github.com/acme/" name, "acme/" name, __VA_ARGS__)

static const char *place(const char *file, uint64_t on)
{
	return file ? arena_printf(a, "%s:%llu", file, (unsigned long long)on) : "-";
}

/* A line for each link: "SOURCE FILE:LINE > TARGET FILE:LINE CONFIDENCE xCOUNT [EVIDENCE] {PACKAGE|ECOSYSTEM|RANGE|SCOPE}" */
static const char *lines_of(const struct link_list *all)
{
	const char *s = "";

	for (size_t i = 0; i < all->n; i++) {
		const struct link *x = &all->v[i];
		s = arena_printf(a, "%s%s %s > %s %s %.3f", s, strrchr(x->source_repo_uri, '/') + 1,
		    place(x->source_doc_path, x->source_line), strrchr(x->target_repo_uri, '/') + 1,
		    place(x->target_doc_path, x->target_line), x->confidence);
		if (x->count)
			s = arena_printf(a, "%s x%llu", s, (unsigned long long)x->count);
		s = arena_printf(a, "%s [%s]", s, x->evidence);
		if (x->package)
			s = arena_printf(a, "%s {%s|%s|%s|%s}", s, x->package, x->ecosystem,
			    text_or_empty(x->range), text_or_empty(x->scope));
		s = arena_printf(a, "%s\n", s);
	}
	return s;
}

static const char *packages(const struct match_member *m, size_t n)
{
	struct link_list all = { 0 };

	dependency_links_packages(m, n, a, &all);
	for (size_t i = 0; i < all.n; i++)
		assert_string_equal(all.v[i].relation, "depends_on_package");
	const char *s = lines_of(&all);
	free(all.v);
	return s;
}

static const char *documents(const struct match_member *m, size_t n)
{
	struct link_list all = { 0 };

	dependency_links_documents(m, n, a, &all);
	for (size_t i = 0; i < all.n; i++)
		assert_string_equal(all.v[i].relation, "references_doc");
	const char *s = lines_of(&all);
	free(all.v);
	return s;
}

#define LINKS(f, want, ...)                                                                        \
	assert_string_equal(                                                                           \
	    f((struct match_member[]){ __VA_ARGS__ }, LEN(((struct match_member[]){ __VA_ARGS__ }))),  \
	    want)
#define P(...)                                                                                     \
	(struct package)                                                                               \
	{                                                                                              \
		__VA_ARGS__                                                                                \
	}
#define PUBLISHES(e, n, f, l)                                                                      \
	P(.side = "publishes", .ecosystem = e, .name = n, .file = f, .line = l)
#define DEPENDS(e, n, ...)                                                                         \
	P(.side = "depends", .ecosystem = e, .name = n, .file = "m", .line = 7, __VA_ARGS__)
#define MENTIONS(e, n, f, l, c)                                                                    \
	P(.side = "mentions", .ecosystem = e, .name = n, .file = f, .line = l, .count = c)

/* ---- packages ---- */

static void all_fields(void **state)
{
	(void)state;
	LINKS(packages,
	    "web m:7 > ui package.json:2 1.000 [npm ui ^3 (dev) as other] {ui|npm|^3|dev}\n"
	    "web m:7 > ui package.json:2 1.000 [npm ui] {ui|npm||runtime}\n"
	    "web m:7 > ui package.json:2 1.000 [npm ui] {ui|npm||}\n",
	    REPO("ui", PUBLISHES("npm", "ui", "package.json", 2)),
	    REPO("web", DEPENDS("npm", "ui", .range = "^3", .scope = "dev", .key = "other"),
	        DEPENDS("npm", "ui", .range = "", .scope = "runtime"),
	        DEPENDS("npm", "ui", .range = NULL),
	        P(.side = "depends", .ecosystem = "npm", .file = "m"),
	        P(.side = "mentions", .ecosystem = "npm", .name = "ui")));
}

static void names_of_ecosystems(void **state)
{
	static const struct {
		const char *eco, *published, *wanted;
		bool equal;
	} v[] = {
		{ "pypi", "A.-_b", "a-b", true },
		{ "pypi", "ab", "a-b", false },
		{ "pypi", "-a", "a", false },
		{ "cargo", "a__b", "a-b", true },
		{ "cargo", "A-b", "a-b", false },
		{ "cargo", "a.b", "a-b", false },
		{ "nuget", "A.B", "a.b", true },
		{ "nuget", "a-b", "a.b", false },
		{ "composer", "Acme/Ui", "acme/ui", true },
		{ "npm", "Ui", "ui", false },
		{ "npm", "ui", "ui", true },
		{ "npm", "u--i", "u-i", false },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		struct match_member m[] = { REPO("lib", PUBLISHES(v[i].eco, v[i].published, "f", 1)),
			REPO("web", DEPENDS(v[i].eco, v[i].wanted, .key = NULL)) };
		if ((*packages(m, 2) != 0) != v[i].equal)
			fail_msg("row %zu", i);
	}
	LINKS(packages, "", REPO("lib", PUBLISHES("npm", "ui", "f", 1)),
	    REPO("web", DEPENDS("pypi", "ui", .key = NULL)));
}

/* The place that is shown: of a package that is not private, the first one. */
static void where_it_is_published(void **state)
{
	(void)state;
	LINKS(packages, "web m:7 > ui b:1 1.000 [npm ui] {ui|npm||}\n",
	    REPO("ui", PUBLISHES("npm", "ui", "c", 1), PUBLISHES("npm", "ui", "b", 2),
	        PUBLISHES("npm", "ui", "b", 1), PUBLISHES("npm", "ui", "b", 3),
	        P(.side = "publishes", .ecosystem = "npm", .name = "ui", .scope = "private",
	            .file = "a", .line = 1)),
	    REPO("web", DEPENDS("npm", "ui", .key = NULL)));
	LINKS(packages, "web m:7 > ui z:1 1.000 [npm ui] {ui|npm||}\n",
	    REPO("ui",
	        P(.side = "publishes", .ecosystem = "npm", .name = "ui", .scope = "private",
	            .file = "a", .line = 1),
	        PUBLISHES("npm", "ui", "z", 1),
	        P(.side = "publishes", .ecosystem = "npm", .file = "a")),
	    REPO("web", DEPENDS("npm", "ui", .key = NULL)));
}

#define UI(name) REPO(name, PUBLISHES("npm", "ui", "f", 1))
#define EIGHTH(name) "web m:7 > " name " f:1 0.125 [npm ui, one of 8 that publish it] {ui|npm||}\n"

static void as_many_publishers_as_mean_something(void **state)
{
	(void)state;
	LINKS(packages,
	    EIGHTH("a") EIGHTH("b") EIGHTH("c") EIGHTH("d") EIGHTH("e") EIGHTH("f") EIGHTH("g")
	        EIGHTH("h"),
	    UI("a"), UI("b"), UI("c"), UI("d"), UI("e"), UI("f"), UI("g"), UI("h"),
	    REPO("web", DEPENDS("npm", "ui", .key = NULL)));
	LINKS(packages, "", UI("a"), UI("b"), UI("c"), UI("d"), UI("e"), UI("f"), UI("g"), UI("h"),
	    UI("i"), REPO("web", DEPENDS("npm", "ui", .key = NULL)));
}

static void repositories_and_places(void **state)
{
	(void)state;
	/* the longest repository that the source names; its own package of that name */
	LINKS(packages,
	    "web m:7 > b f:1 1.000 [npm ui, from github.com/ACME/b/sub] {ui|npm||}\n"
	    "web m:7 > a - 1.000 [npm x, from github.com/acme/a] {x|npm||}\n"
	    "web m:7 > a f:1 0.500 [npm ui, from a] {ui|npm||}\n",
	    UI("a"), UI("b"),
	    REPO("web", DEPENDS("npm", "ui", .source = "github.com/ACME/b/sub"),
	        DEPENDS("npm", "x", .source = "github.com/acme/a"),
	        DEPENDS("npm", "ui", .source = "github.com/acm/a"),
	        DEPENDS("npm", "ui", .source = "github.com/acme/web"),
	        DEPENDS("npm", "ui", .source = "github.com/acme"),
	        DEPENDS("npm", "ui", .source = "elsewhere")));
	/* a folder; two of them are none, and then the name decides */
	LINKS(packages,
	    "web m:7 > b f:1 1.000 [npm ui, from ../../B/lib] {ui|npm||}\n"
	    "web m:7 > a f:1 0.500 [npm ui, one of 2 that publish it] {ui|npm||}\n"
	    "web m:7 > b f:1 0.500 [npm ui, one of 2 that publish it] {ui|npm||}\n",
	    UI("a"), UI("b"),
	    REPO("web", DEPENDS("npm", "ui", .path = "../../B/lib"),
	        DEPENDS("npm", "ui", .path = "../a/b")));
	/* of a folder without a remote, the name without its digits */
	LINKS(packages, "web m:7 > kit-123456 f:1 1.000 [npm ui, from ../kit] {ui|npm||}\n",
	    FOLDER("local:x/kit-123456", "kit-123456", PUBLISHES("npm", "ui", "f", 1)),
	    FOLDER("github.com/acme/b", "other/kit-123456", PUBLISHES("npm", "ui", "f", 1)),
	    REPO("web", DEPENDS("npm", "ui", .path = "../kit")));
}

static void modules_of_go(void **state)
{
	(void)state;
	LINKS(packages,
	    "web m:7 > a f:1 1.000 [go github.com/acme/a/v2 v2, from github.com/acme/a/v2] {github.com/acme/a/v2|go|v2|}\n",
	    REPO("a", PUBLISHES("go", "github.com/acme/a/v2", "f", 1)),
	    REPO("web", DEPENDS("go", "github.com/acme/a/v2", .range = "v2"),
	        DEPENDS("npm", "github.com/acme/a/v2", .range = "v2"),
	        DEPENDS("go", "github.com/acme/web/x", .range = "v2")));
}

/* ---- documents ---- */

static void what_a_document_mentions(void **state)
{
	(void)state;
	/* at most three are shown; all are counted, and the surest counts */
	LINKS(documents,
	    "web a.md:1 > api - 1.000 x10 [api/x, github.com/acme/api, github.com/acme/api/b and 1 more]\n"
	    "web a.md:4 > users f:3 1.000 x2 [npm users]\n"
	    "web b.md:1 > api - 0.900 x5 [api:8080]\n",
	    REPO("api", P(.side = "depends", .ecosystem = "npm", .name = "none")),
	    REPO("users", PUBLISHES("npm", "users", "f", 3)),
	    REPO("web", MENTIONS("url", "github.com/acme/api/c", "a.md", 4, 4),
	        MENTIONS("url", "api/x", "a.md", 1, 1),
	        MENTIONS("url", "github.com/acme/api/b", "a.md", 3, 3),
	        MENTIONS("url", "github.com/acme/api", "a.md", 2, 2),
	        MENTIONS("npm", "users", "a.md", 4, 2), MENTIONS("url", "api:8080", "b.md", 1, 5),
	        MENTIONS("url", "github.com/acme/web", "b.md", 1, 1),
	        P(.side = "mentions", .ecosystem = "url", .name = "github.com/acme/api", .count = 1),
	        P(.side = "mentions", .ecosystem = "url", .file = "f")));
	LINKS(documents,
	    "web a.md:1 > api - 1.000 x3 [github.com/acme/api, github.com/acme/api/a, github.com/acme/api/b]\n",
	    REPO("api", P(.side = "depends")),
	    REPO("web", MENTIONS("url", "github.com/acme/api/b", "a.md", 1, 1),
	        MENTIONS("url", "github.com/acme/api/a", "a.md", 1, 1),
	        MENTIONS("url", "github.com/acme/api", "a.md", 1, 1)));
}

static void what_several_publish_is_no_mention(void **state)
{
	(void)state;
	LINKS(documents, "", UI("a"), UI("b"), REPO("web", MENTIONS("npm", "ui", "a.md", 1, 1)));
	LINKS(documents, "", UI("a"),
	    REPO("web", MENTIONS("npm", "uii", "a.md", 1, 1),
	        MENTIONS("url", "elsewhere/a", "a.md", 1, 1)));
}

static struct package page(const char *url, const char *path, uint64_t on)
{
	struct package p = MENTIONS("url", path, "a.md", on, 1);

	p.path = url;
	return p;
}

/* A branch with a slash is told from a folder by the files that are known. */
static void pages_of_files(void **state)
{
	struct match_member m[] = { REPO("api", PUBLISHES("npm", "api", "pkg/manifest", 3)),
		REPO("web", page("github.com/acme/api/blob/feature/x/src/a.c#L2", "github.com/acme/api", 1),
		    page("github.com/acme/api/blob/feature/x/src/a.c#L2", "github.com/acme/api", 2),
		    page("GITHUB.com/acme/API/blob/dev/src/a.c#L3", "github.com/acme/api", 3),
		    page("github.com/acme/api/blob/some/branch/pkg/manifest", "github.com/acme/api", 4),
		    page("github.com/acme/apis/blob/dev/x.c", "github.com/acme/api", 5)) };
	struct fact known = { .side = "provides",
		.kind = "http",
		.method = "GET",
		.path = "/p",
		.file = "src/a.c",
		.line = 1 };
	struct contracts_res *r = (struct contracts_res *)m[0].facts;

	(void)state;
	r->facts.v = &known;
	r->facts.n = 1;
	assert_string_equal(documents(m, 2),
	    "web a.md:5 > api - 1.000 x1 [github.com/acme/api]\n"
	    "web a.md:4 > api pkg/manifest:0 1.000 x1 [github.com/acme/api/blob/some/branch/pkg/manifest]\n"
	    "web a.md:1 > api src/a.c:2 1.000 x2 [github.com/acme/api/blob/feature/x/src/a.c#L2, github.com/acme/api/blob/feature/x/src/a.c#L2]\n"
	    "web a.md:3 > api src/a.c:3 1.000 x1 [GITHUB.com/acme/API/blob/dev/src/a.c#L3]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_fields),
		cmocka_unit_test(names_of_ecosystems),
		cmocka_unit_test(where_it_is_published),
		cmocka_unit_test(as_many_publishers_as_mean_something),
		cmocka_unit_test(repositories_and_places),
		cmocka_unit_test(modules_of_go),
		cmocka_unit_test(what_a_document_mentions),
		cmocka_unit_test(what_several_publish_is_no_mention),
		cmocka_unit_test(pages_of_files),
	};

	return cmocka_run_group_tests(tests, contract_rows_setup, contract_rows_teardown);
}
