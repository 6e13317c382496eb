#include "shard/manifests/manifests_internal.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"
#include "proto/text/repo_uri.h"
#include "shard/formats/value_tree.h"
#include "shard/manifests/manifests.h"

enum { MAX_TEXT_BYTES = 300 };

static bool starts(const char *s, const char *with)
{
	return s && !strncmp(s, with, strlen(with));
}

/* ---- sources of packages ---- */

/* Whether a text is `owner/name`. */
static bool is_short(const char *s)
{
	static const char letters[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
	const char *slash = strchr(s, '/');

	if (!slash || slash == s || !slash[1] || strchr(slash + 1, '/'))
		return false;
	return *s != '.' && *s != '@' && !s[strspn(s, letters)];
}

const char *manifests_repo_uri(const char *text, struct arena *a)
{
	static const struct { const char *prefix, *host; } hosts[] = {
		{ "github:", "github.com" }, { "gitlab:", "gitlab.com" }, { "bitbucket:", "bitbucket.org" },
	};
	if (starts(text, "git+"))
		text += 4;
	char *clean = arena_strn(a, text, strcspn(text, "#?"));
	char *slash = strrchr(clean, '/');
	if (slash)
		slash[strcspn(slash, "@")] = 0;	/* pip's URL@revision */
	for (size_t i = 0; i < LEN(hosts); i++)
		if (starts(clean, hosts[i].prefix))
			return arena_printf(a, "%s/%s", hosts[i].host, clean + strlen(hosts[i].prefix));
	if (is_short(clean))
		return arena_printf(a, "github.com/%s", clean);
	return uri_of_remote(clean, a);
}

/*
 * ---- ecosystems ----
 *
 * How each ecosystem writes ranges and names.  False if the row is not a package of others.
 */

/* `npm:NAME@RANGE`: another package under this name. */
static void normalize_npm_alias(struct manifest_reader *r, struct package *p, const char *alias)
{
	const char *at = strrchr(alias, '@');

	p->range = NULL;
	if (!at || at == alias) {	/* no range; @SCOPE/NAME has a sign, too */
		p->name = arena_str(r->a, alias);
		return;
	}
	p->name = arena_strn(r->a, alias, (size_t)(at - alias));
	p->range = at + 1;
}

static bool is_npm_path(const char *range)
{
	return starts(range, "file:") || starts(range, "link:") || starts(range, "portal:");
}

/* The range may also be an alias, a path, a git URL or an archive. */
static bool normalize_npm(struct manifest_reader *r, struct package *p)
{
	const char *range = text_or_empty(p->range);

	if (starts(range, "workspace:"))
		return false;
	if (starts(range, "npm:")) {
		normalize_npm_alias(r, p, range + 4);
	} else if (is_npm_path(range)) {
		p->path = strchr(range, ':') + 1;
	} else if (strchr(range, '/') || starts(range, "github:")) {
		p->source = range;
	}
	return true;
}

static bool normalize_pypi(struct manifest_reader *r, struct package *p)
{
	(void)r;
	return strcasecmp(p->name, "python") != 0;
}

/* PHP itself and its extensions have no vendor. */
static bool normalize_composer(struct manifest_reader *r, struct package *p)
{
	(void)r;
	return strchr(p->name, '/') != NULL;
}

static bool normalize_maven(struct manifest_reader *r, struct package *p)
{
	if (!strcmp(p->side, "depends") && *p->name == ':')	/* a plugin's group has a default */
		p->name = arena_printf(r->a, "org.apache.maven.plugins%s", p->name);
	return true;
}

static const struct {
	const char *ecosystem;
	bool (*normalize)(struct manifest_reader *, struct package *);
} ecosystems[] = {
	{ "npm", normalize_npm },
	{ "pypi", normalize_pypi },
	{ "composer", normalize_composer },
	{ "maven", normalize_maven },
};

static bool has_blank(const char *s)
{
	while (*s && !isspace((unsigned char)*s))
		s++;
	return *s;
}

static bool is_valid_name(const char *name)
{
	if (!name || !*name)
		return false;
	return strlen(name) <= MAX_TEXT_BYTES && !has_blank(name);
}

/* Whether a row has the fields that its side needs. */
static bool is_complete(const struct package *p)
{
	static const char *const named[] = { "publishes", "depends", "inherits", "replaces",
		"bundles" };

	for (size_t i = 0; i < LEN(named); i++)
		if (!strcmp(p->side, named[i]))
			return is_valid_name(p->name);
	if (!p->key && !p->name)
		return false;
	return p->range || strcmp(p->side, "sets");
}

/* Brings a row into the form that all ecosystems share.  False if it is to be left out. */
static bool normalize(struct manifest_reader *r, struct package *p)
{
	if (!strcmp(p->side, "locks"))
		return lock_row_complete(r, p) && (!p->name || is_valid_name(p->name));
	if (!is_complete(p))
		return false;
	for (size_t i = 0; p->name && i < LEN(ecosystems); i++)
		if (!strcmp(ecosystems[i].ecosystem, r->ecosystem))
			return ecosystems[i].normalize(r, p);
	return true;
}

void manifest_add_package(struct manifest_reader *r, struct package p)
{
	if (!normalize(r, &p))
		return;
	if (p.source)
		p.source = manifests_repo_uri(p.source, r->a);
	if (p.range && strlen(p.range) > MAX_TEXT_BYTES)
		p.range = NULL;
	r->v = grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
	r->v[r->n++] = p;
}

/* ---- forms ---- */

static size_t python_name(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || (s[n] && strchr("._-", s[n])))
		n++;
	return n;
}

/* Whether a requirement is a URL, and not a name that a URL follows. */
static bool is_python_url(const char *s)
{
	size_t n = python_name(s);

	return n && strstr(s, "://") && s[n] != ' ' && s[n] != '@' && s[n] != '[';
}

/* git+URL#egg=name; without `egg` the name is that of the repository. */
static void add_python_url(struct manifest_reader *r, const char *url, struct package p)
{
	const char *egg = strstr(url, "#egg="), *uri = manifests_repo_uri(url, r->a), *slash = NULL;

	if (uri)
		slash = strrchr(uri, '/');
	p.source = url;
	p.name = NULL;
	if (egg)
		p.name = arena_strn(r->a, egg + 5, python_name(egg + 5));
	else if (slash)
		p.name = slash + 1;
	manifest_add_package(r, p);
}

/* name[extra] >=1,<2 ; marker   name @ URL   git+URL#egg=name */
static void form_pep508(struct manifest_reader *r, const struct manifest_rule *rule,
    const struct value_node *x, struct package p)
{
	const char *s = p.name;

	(void)rule, (void)x;
	if (!s)
		return;
	if (is_python_url(s)) {
		add_python_url(r, s, p);
		return;
	}
	size_t n = python_name(s);
	p.name = arena_strn(r->a, s, n);
	s += n;
	while (isspace((unsigned char)*s))
		s++;
	if (*s == '[') {
		s += strcspn(s, "]");
		s += *s == ']';
	}
	while (isspace((unsigned char)*s) || *s == '(')
		s++;
	if (*s == '@') {
		do
			s++;
		while (isspace((unsigned char)*s));
		p.source = arena_strn(r->a, s, strcspn(s, " ;"));
	} else if (*s && strchr("<>=!~", *s)) {
		size_t end = strcspn(s, ";)");
		while (end && isspace((unsigned char)s[end - 1]))
			end--;
		p.range = arena_strn(r->a, s, end);
	} else if (*s && *s != ';') {
		return;		/* a path, or not a requirement */
	}
	manifest_add_package(r, p);
}

/* group:name[:version[:classifier]][@type] */
static bool coordinates(struct manifest_reader *r, const char *s, struct package *p)
{
	const char *first = NULL;

	if (s)
		first = strchr(s, ':');
	if (!first || first == s || !first[1])
		return false;
	const char *second = strchr(first + 1, ':');
	if (!second) {
		p->name = arena_strn(r->a, s, strcspn(s, "@"));
		return true;
	}
	p->name = arena_strn(r->a, s, (size_t)(second - s));
	p->range = arena_strn(r->a, second + 1, strcspn(second + 1, ":@"));
	return true;
}

/* An entry of a catalog, `libs.NAME` or `libs.bundles.NAME`; `s` is after `libs.`. */
static void add_catalog_entry(struct manifest_reader *r, const char *s, struct package p)
{
	const char *get = strstr(s, ".get");

	p.side = "takes";
	p.name = NULL;
	p.key = NULL;
	if (starts(s, "bundles."))
		p.name = s + strlen("bundles.");
	else if (get && !get[4])
		p.key = arena_strn(r->a, s, (size_t)(get - s));
	else
		p.key = s;
	manifest_add_package(r, p);
}

/* Whether a call is only a wrapper around a dependency. */
static bool is_gradle_wrapper(const char *name)
{
	static const char *const wrappers[] = { "platform", "enforcedPlatform", "testFixtures",
		"create" };

	for (size_t i = 0; name && i < LEN(wrappers); i++)
		if (!strcmp(name, wrappers[i]))
			return true;
	return false;
}

/* One argument of a dependency: a text, an entry of a catalog, or a call around one. */
static void gradle_argument(struct manifest_reader *r, const struct value_node *c, struct package p)
{
	p.line = c->line;
	if (c->word && starts(c->value, "libs."))
		add_catalog_entry(r, c->value + strlen("libs."), p);
	else if (!c->word && !c->name && coordinates(r, c->value, &p))
		manifest_add_package(r, p);
	if (!is_gradle_wrapper(c->name))
		return;
	for (const struct value_node *d = c->child; d; d = d->next)
		gradle_argument(r, d, p);
}

static void form_gav(struct manifest_reader *r, const struct manifest_rule *rule,
    const struct value_node *x, struct package p)
{
	bool call = rule->f.name && *rule->f.name == '%';
	const char *group_field = rule->f.group ? rule->f.group : "group";
	const char *group = rule_field(r, x, group_field);

	if (call)
		p.name = rule_field(r, x, "name");
	if (p.name && group) {
		p.name = arena_printf(r->a, "%s:%s", group, p.name);
		if (!p.range)
			p.range = rule_field(r, x, "version");
		manifest_add_package(r, p);
	} else if (!call && coordinates(r, p.name, &p)) {
		manifest_add_package(r, p);
	}
	if (!call)
		return;
	for (const struct value_node *c = x->child; c; c = c->next)
		gradle_argument(r, c, p);
}

/* ..\Other\Other.csproj: the package has the name of the file. */
static void form_project(struct manifest_reader *r, const struct manifest_rule *rule,
    const struct value_node *x, struct package p)
{
	(void)rule, (void)x;
	if (!p.name)
		return;
	char *path = arena_str(r->a, p.name), *name = path;
	for (char *c = path; *c; c++) {
		if (*c == '\\')
			*c = '/';
	}
	char *slash = strrchr(path, '/');
	p.path = "";
	if (slash) {
		p.path = arena_strn(r->a, path, (size_t)(slash - path));
		name = slash + 1;
	}
	char *dot = strrchr(name, '.');
	if (dot)
		*dot = 0;
	p.name = name;
	manifest_add_package(r, p);
}

manifest_form *manifest_form_of(const char *name)
{
	static const struct { const char *name; manifest_form *form;
	} forms[] = {
		{ "pep508", form_pep508 },
		{ "gav", form_gav },
		{ "project", form_project },
		{ "installed", lock_form_installed },
		{ "descriptors", lock_form_descriptors },
		{ "pnpm", lock_form_pnpm },
		{ "ambiguous", lock_form_ambiguous },
	};

	for (size_t i = 0; i < LEN(forms); i++)
		if (!strcmp(forms[i].name, name))
			return forms[i].form;
	return NULL;
}
