#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"
#include "shard/formats/value_tree.h"
#include "shard/manifests/manifests_internal.h"

/* How lock files write packages and their versions. */

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/*
 * What may stand around a version: `==` before it; after one of `stops` the platform of a gem, or
 * Gradle's configurations.
 */
static const struct {
	const char *ecosystem, *before, *stops;
} around_versions[] = {
	{ "pypi", "==", "" },
	{ "rubygems", "", "-" },
	{ "maven", "", "=" },
};

static const char *bare_version(struct manifest_reader *r, const char *s)
{
	for (size_t i = 0; i < LEN(around_versions); i++) {
		if (strcmp(around_versions[i].ecosystem, r->ecosystem))
			continue;
		if (starts(s, around_versions[i].before))
			s += strlen(around_versions[i].before);
		return arena_strn(r->a, s, strcspn(s, around_versions[i].stops));
	}
	return s;
}

/* `npm:NAME@VERSION`: the package has another name here. */
static void resolve_alias(struct manifest_reader *r, struct package *p)
{
	const char *alias = p->range + strlen("npm:"), *at = strrchr(alias, '@');

	if (!at || at == alias)
		return;
	p->name = arena_strn(r->a, alias, (size_t)(at - alias));
	p->range = at + 1;
}

bool lock_row_complete(struct manifest_reader *r, struct package *p)
{
	if (p->path && !*p->path)
		p->path = ".";
	if (!p->name)
		return p->path != NULL;
	if (!p->range)
		return false;
	if (starts(p->range, "npm:"))
		resolve_alias(r, p);
	p->range = bare_version(r, p->range);
	/* a colon: a URL or a path */
	return *p->range && !strpbrk(p->range, ": ");
}

/* ---- npm ---- */

/* The first folder `node_modules/` of a path; NULL if there is none. */
static const char *installed_at(const char *path)
{
	static const char folder[] = "node_modules/";
	const char *at = path;

	while (at && !starts(at, folder)) {
		at = strchr(at, '/');
		if (at)
			at++;
	}
	return at;
}

/*
 * A folder of package-lock.json: one of the repository, or `FOLDER/node_modules/NAME`, which is the
 * copy of a package for the code in FOLDER.  Copies for other packages are left out.
 */
void lock_form_installed(struct manifest_reader *r, const struct manifest_rule *rule,
    const struct value_node *x, struct package p)
{
	const char *path = text_or_empty(x->name), *at = installed_at(path);

	(void)rule;
	if (!at) {
		p.name = NULL;
		p.path = path;
		manifest_add_package(r, p);
		return;
	}
	const char *name = at + strlen("node_modules/");
	if (installed_at(name))
		return;
	if (!p.name)
		p.name = name;
	if (at > path)
		p.path = arena_strn(r->a, path, (size_t)(at - path) - 1);
	manifest_add_package(r, p);
}

/* NAME@RANGE, NAME@npm:RANGE, ALIAS@npm:NAME@RANGE */
static void add_descriptor(struct manifest_reader *r, const char *s, struct package p)
{
	const char *at = NULL;

	if (*s)
		at = strchr(s + 1, '@');
	if (!at || starts(at + 1, "workspace:") || starts(at + 1, "patch:"))
		return;
	p.name = arena_strn(r->a, s, (size_t)(at - s));
	p.key = at + 1;
	if (starts(p.key, "npm:")) {
		p.key += strlen("npm:");
		at = strrchr(p.key, '@');
		if (at && at > p.key) {
			p.name = arena_strn(r->a, p.key, (size_t)(at - p.key));
			p.key = at + 1;
		}
	}
	manifest_add_package(r, p);
}

/* `"a@^1", "a@^1.2"` of yarn.lock: one row for each range. */
void lock_form_descriptors(struct manifest_reader *r, const struct manifest_rule *rule,
    const struct value_node *x, struct package p)
{
	const char *s = text_or_empty(x->name);

	(void)rule;
	while (*s) {
		const char *comma = strstr(s, ", "), *end = comma ? comma : s + strlen(s);
		const char *from = s + (*s == '"');
		size_t n = (size_t)(end - from);
		if (end > from && end[-1] == '"')
			n--;
		add_descriptor(r, arena_strn(r->a, from, n), p);
		s = comma ? comma + 2 : end;
	}
}

/*
 * The version of pnpm-lock.yaml without what is behind it: `1.2.3(react@18.2.0)`,
 * `1.2.3_react@18.2.0`.  The package may have another name: `/NAME/1.2.3`, `/NAME@1.2.3`,
 * `NAME@1.2.3`.
 */
void lock_form_pnpm(struct manifest_reader *r, const struct manifest_rule *rule,
    const struct value_node *x, struct package p)
{
	(void)rule, (void)x;
	if (!p.range)
		return;
	char *s = arena_strn(r->a, p.range, strcspn(p.range, "("));
	bool is_absolute = *s == '/';
	s += is_absolute;
	char *slash = strrchr(s, '/'), *version = s;
	char *at = strchr(slash ? slash : s, '@');
	if (is_absolute && slash && isdigit((unsigned char)slash[1])) {
		*slash = 0;
		p.name = s;
		version = slash + 1;
	} else if (at && at > s && !isdigit((unsigned char)*s)) {
		*at = 0;
		p.name = s;
		version = at + 1;
	}
	p.range = arena_strn(r->a, version, strcspn(version, "_"));
	if (isdigit((unsigned char)*version) && !strpbrk(p.range, "/@"))
		manifest_add_package(r, p);
}

/* ---- Cargo ---- */

/*
 * `NAME VERSION` or `{ name, version }` among what a package of the repository needs, which has no
 * source: the version says which one it is if the file has several.
 */
void lock_form_ambiguous(struct manifest_reader *r, const struct manifest_rule *rule,
    const struct value_node *x, struct package p)
{
	const struct value_node *needs = x->up->up;
	const struct value_node *source = value_tree_child(r->t, needs, "source");
	const struct value_node *name = value_tree_child(r->t, needs, "name");

	(void)rule;
	if (source && (source->value || value_tree_child(r->t, source, "registry")))
		return;
	if (name)
		p.scope = name->value;
	if (p.name && !p.range) {
		size_t n = strcspn(p.name, " ");
		const char *version = p.name + n + strspn(p.name + n, " ");
		p.range = arena_strn(r->a, version, strcspn(version, " "));
		p.name = arena_strn(r->a, p.name, n);
	}
	if (p.scope)
		manifest_add_package(r, p);
}
