/*
 * Bills of materials: from rows of the inventory to CycloneDX, word for word.
 * 27-packages-inventory checks whole ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/cli/base/records.h"
#include "coordinator/cli/output/cyclonedx.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/version.h"
#include "proto/record/json.h"

#define UUID "3e671687-395b-41f5-a30f-a58921a69b79"
#define WEB "h.example/acme/web"
#define UI "h.example/acme/ui"

static struct arena *a;

/* A row with declarations, which live as long as the test. */
#define ROW(eco, title, url, ...)                                                                  \
	{                                                                                              \
		.ecosystem = eco, .name = title, .purl = url, .declarations = {                            \
			.v = (struct package_declaration[]){ __VA_ARGS__ },                                    \
			.n = LEN(((struct package_declaration[]){ __VA_ARGS__ })),                             \
		}                                                                                          \
	}

static struct bill_of_materials bill_of(
    const char *subject, bool group, const struct package_row *v, size_t n)
{
	static const char *const members[] = { UI, WEB };

	return (struct bill_of_materials){ .subject = subject,
		.name = "shown",
		.is_group = group,
		.repositories = members,
		.nrepositories = LEN(members),
		.packages = v,
		.npackages = n,
		.complete = true,
		.uuid = UUID,
		.time = "2026-11-28T00:00:00.000Z" };
}

static const char *part_of(const struct bill_of_materials *bill, const char *key)
{
	return json_member(cyclonedx_json(bill, a), key, a);
}

static t_strs one(const char *s)
{
	const char **v = arena_one(a, const char *);

	*v = s;
	return (t_strs){ v, 1 };
}

static void an_empty_one(void **state)
{
	struct bill_of_materials bill = bill_of(WEB, false, NULL, 0);

	(void)state;
	assert_string_equal(cyclonedx_json(&bill, a),
	    "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.6\",\"serialNumber\":\"urn:uuid:" UUID
	    "\",\"version\":1,"
	    "\"metadata\":{\"timestamp\":\"2026-11-28T00:00:00.000Z\",\"lifecycles\":[{\"phase\":\"pre-build\"}],"
	    "\"tools\":{\"components\":[{\"type\":\"application\",\"name\":\"atoll\",\"version\":\"" ATOLL_VERSION
	    "\"}]},"
	    "\"component\":{\"type\":\"application\",\"bom-ref\":\"" WEB "\",\"name\":\"shown\"},"
	    "\"properties\":[{\"name\":\"atoll:complete\",\"value\":\"true\"}]},\"components\":[],"
	    "\"dependencies\":[{\"ref\":\"" WEB "\",\"dependsOn\":[]}],"
	    "\"compositions\":[{\"aggregate\":\"incomplete\",\"dependencies\":[\"" WEB "\"]}]}");
}

/* One component for each exact version, and one for all that have none; the strongest scope counts. */
static void versions_are_components(void **state)
{
	const struct package_row v[] = {
		ROW("npm", "@acme/x", "pkg:npm/%40acme/x",
		    { .repo_uri = WEB, .file = "a.json", .line = 1, .range = "^1", .scope = "dev" },
		    { .repo_uri = WEB, .file = "b.json", .line = 2, .range = "^2", .scope = "peer" },
		    { .repo_uri = WEB,
		        .file = "c.json",
		        .line = 3,
		        .range = "1.0.0",
		        .version = "1.0.0",
		        .purl = "pkg:npm/%40acme/x@1.0.0",
		        .scope = "runtime" }),
	};
	struct bill_of_materials bill = bill_of(WEB, false, v, LEN(v));

	(void)state;
	assert_string_equal(json_item(part_of(&bill, "components"), 0, a),
	    "{\"type\":\"library\",\"bom-ref\":\"pkg:npm/%40acme/x\",\"group\":\"@acme\",\"name\":\"x\",\"scope\":\"optional\","
	    "\"purl\":\"pkg:npm/%40acme/x\",\"evidence\":{\"occurrences\":["
	    "{\"location\":\"a.json\",\"line\":1,\"additionalContext\":\"" WEB "\"},"
	    "{\"location\":\"b.json\",\"line\":2,\"additionalContext\":\"" WEB "\"}]},"
	    "\"properties\":[{\"name\":\"atoll:ecosystem\",\"value\":\"npm\"},{\"name\":\"atoll:range\",\"value\":\"^1\"},"
	    "{\"name\":\"atoll:range\",\"value\":\"^2\"},{\"name\":\"atoll:scope\",\"value\":\"dev\"},"
	    "{\"name\":\"atoll:scope\",\"value\":\"peer\"}]}");
	assert_string_equal(
	    json_text_at(json_item(part_of(&bill, "components"), 1, a), "version", a), "1.0.0");
	assert_string_equal(
	    json_text_at(json_item(part_of(&bill, "components"), 1, a), "scope", a), "required");
	assert_string_equal(part_of(&bill, "dependencies"),
	    "[{\"ref\":\"" WEB
	    "\",\"dependsOn\":[\"pkg:npm/%40acme/x\",\"pkg:npm/%40acme/x@1.0.0\"]}]");
}

/* A runtime is a platform without a URL, what git has is not the registry's package, one's own package is no dependency. */
static void what_is_no_package_of_a_registry(void **state)
{
	const struct package_row v[] = {
		ROW("composer", "php", NULL,
		    { .repo_uri = WEB, .file = "composer.json", .line = 1, .range = ">=8" }),
		ROW("npm", "kit", "pkg:npm/kit",
		    { .repo_uri = WEB,
		        .file = "package.json",
		        .line = 2,
		        .source = "h.example/other/kit" }),
		ROW("npm", "web", "pkg:npm/web",
		    { .repo_uri = WEB, .file = "package.json", .line = 3, .publishers = one(WEB) }),
	};
	struct bill_of_materials bill = bill_of(WEB, false, v, LEN(v));

	(void)state;
	const char *php = json_item(part_of(&bill, "components"), 0, a),
	           *kit = json_item(part_of(&bill, "components"), 1, a);
	assert_string_equal(json_text_at(php, "type", a), "platform");
	assert_string_equal(json_text_at(php, "bom-ref", a), "atoll:composer/php");
	assert_null(json_member(php, "purl", a));
	assert_string_equal(json_text_at(kit, "bom-ref", a), "pkg:npm/kit from h.example/other/kit");
	assert_null(json_member(kit, "purl", a));
	assert_string_equal(json_member(kit, "externalReferences", a),
	    "[{\"type\":\"vcs\",\"url\":\"https://h.example/other/kit\"}]");
	assert_null(json_item(part_of(&bill, "components"), 2, a));
}

/* In that of a group, repositories are components, and a package leads to the repository that publishes it. */
static void of_a_group(void **state)
{
	struct package_row v[] = {
		ROW("npm", "ui", "pkg:npm/ui",
		    { .repo_uri = WEB, .file = "package.json", .line = 2, .publishers = one(UI) }),
		ROW("npm", "ui", "pkg:npm/ui",
		    { .repo_uri = WEB, .file = "more.json", .line = 2, .publishers = one(UI) }),
	};
	struct package_publisher by = {
		.repo_uri = UI, .version = "3.1.0", .purl = "pkg:npm/ui@3.1.0"
	};
	struct bill_of_materials bill = bill_of("shop", true, v, LEN(v));

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		v[i].publishers.v = &by;
		v[i].publishers.n = 1;
	}
	assert_string_equal(json_item(part_of(&bill, "components"), 0, a),
	    "{\"type\":\"application\",\"bom-ref\":\"" UI "\",\"name\":\"" UI
	    "\",\"version\":\"3.1.0\",\"purl\":\"pkg:npm/ui@3.1.0\"}");
	assert_null(json_item(part_of(&bill, "components"), 3, a));
	assert_string_equal(part_of(&bill, "dependencies"),
	    "[{\"ref\":\"group:shop\",\"dependsOn\":[\"" UI "\",\"" WEB "\"]},{\"ref\":\"" UI
	    "\",\"dependsOn\":[]},"
	    "{\"ref\":\"" WEB
	    "\",\"dependsOn\":[\"pkg:npm/ui\"]},{\"ref\":\"pkg:npm/ui\",\"dependsOn\":[\"" UI "\"]}]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_one),
		cmocka_unit_test(versions_are_components),
		cmocka_unit_test(what_is_no_package_of_a_registry),
		cmocka_unit_test(of_a_group),
	};

	a = arena_new();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(a);
	return rc;
}
