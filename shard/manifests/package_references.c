#include "shard/manifests/manifests_internal.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/text/repo_uri.h"
#include "shard/formats/value_tree.h"
#include "shard/manifests/manifests.h"

enum { LONGEST = 300 };

static bool starts(const char *s, const char *with)
{
	return s && !strncmp(s, with, strlen(with));
}

/* ---- where a package is taken from ---- */

/* `owner/name` and nothing else. */
static bool is_short(const char *s)
{
	const char *slash = strchr(s, '/');

	return slash && slash > s && slash[1] && !strchr(slash + 1, '/') && *s != '.' && *s != '@' &&
	    s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")] == 0;
}

const char *manifests_repo_uri(const char *text, struct arena *a)
{
	static const struct { const char *prefix, *host; } hosts[] = {
		{ "github:", "github.com" }, { "gitlab:", "gitlab.com" }, { "bitbucket:", "bitbucket.org" },
	};
	const char *s = starts(text, "git+") ? text + 4 : text;
	char *clean = arena_strn(a, s, strcspn(s, "#?"));
	char *slash = strrchr(clean, '/'), *revision = slash ? strchr(slash, '@') : NULL;

	if (revision)
		*revision = 0;	/* pip's URL@revision */
	for (size_t i = 0; i < LEN(hosts); i++)
		if (starts(clean, hosts[i].prefix))
			return arena_printf(a, "%s/%s", hosts[i].host, clean + strlen(hosts[i].prefix));
	if (is_short(clean))
		return arena_printf(a, "github.com/%s", clean);
	return uri_of_remote(clean, a);
}

/* ---- what each ecosystem means by a range or name; false: it is no package of others ---- */

/* Aliases, paths, git and archives stand where the range is. */
static bool normalize_npm(struct manifest_reader *r, struct package *p)
{
	const char *range = p->range ? p->range : "";

	if (starts(range, "workspace:"))
		return false;
	if (starts(range, "npm:")) {
		const char *at = strrchr(range + 5, '@');
		p->name = arena_strn(r->a, range + 4, at ? (size_t)(at - range - 4) : strlen(range + 4));
		p->range = at ? at + 1 : NULL;
	} else if (starts(range, "file:") || starts(range, "link:") || starts(range, "portal:")) {
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

void manifest_add_package(struct manifest_reader *r, struct package p)
{
	static const char *const named[] = { "publishes", "depends", "inherits", "replaces",
		"bundles" };
	bool needs = false;

	for (size_t i = 0; i < LEN(named); i++)
		needs |= !strcmp(p.side, named[i]);
	if (needs ? !p.name || !*p.name || strlen(p.name) > LONGEST || has_blank(p.name) :
	            !p.key && !p.name)
		return;
	if (!strcmp(p.side, "sets") && !p.range)
		return;
	for (size_t i = 0; p.name && i < LEN(ecosystems); i++)
		if (!strcmp(ecosystems[i].ecosystem, r->ecosystem) && !ecosystems[i].normalize(r, &p))
			return;
	if (p.source)
		p.source = manifests_repo_uri(p.source, r->a);
	else
		p.source = NULL;
	if (p.range && strlen(p.range) > LONGEST)
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

/* name[extra] >=1,<2 ; marker   name @ URL   git+URL#egg=name */
static void form_pep508(struct manifest_reader *r, const struct manifest_rule *rule,
    const struct value_node *x, struct package p)
{
	const char *s = p.name, *egg = s ? strstr(s, "#egg=") : NULL;

	(void)rule, (void)x;
	if (!s)
		return;
	if (strstr(s, "://") && python_name(s) && s[python_name(s)] != ' ' &&
	    s[python_name(s)] != '@' && s[python_name(s)] != '[') {
		p.source = s;
		const char *uri = manifests_repo_uri(s, r->a), *last = uri ? strrchr(uri, '/') : NULL;
		if (egg)
			p.name = arena_strn(r->a, egg + 5, python_name(egg + 5));
		else if (last)
			p.name = last + 1;
		else
			p.name = NULL;
		manifest_add_package(r, p);
		return;
	}
	size_t n = python_name(s);
	p.name = arena_strn(r->a, s, n);
	s += n;
	while (isspace((unsigned char)*s))
		s++;
	if (*s == '[')
		s += strcspn(s, "]") + (strchr(s, ']') != NULL);
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
		return;		/* a path, or no requirement at all */
	}
	manifest_add_package(r, p);
}

/* group:name[:version[:classifier]][@type] */
static bool coordinates(struct manifest_reader *r, const char *s, struct package *p)
{
	const char *first = s ? strchr(s, ':') : NULL, *second = first ? strchr(first + 1, ':') : NULL;

	if (!first || first == s || !first[1])
		return false;
	p->name = arena_strn(r->a, s, second ? (size_t)(second - s) : strcspn(s, "@"));
	if (second)
		p->range = arena_strn(r->a, second + 1, strcspn(second + 1, ":@"));
	return true;
}

/* One argument of a dependency: a text, an entry of a catalog, or a call around one. */
static void gradle_argument(struct manifest_reader *r, const struct value_node *c, struct package p)
{
	static const char *const around[] = { "platform", "enforcedPlatform", "testFixtures",
		"create" };

	p.line = c->line;
	if (c->word && c->value && starts(c->value, "libs.")) {
		const char *s = c->value + 5, *get = strstr(s, ".get");
		bool bundle = starts(s, "bundles.");
		p.side = "takes";
		p.name = bundle ? s + 8 : NULL;
		if (bundle)
			p.key = NULL;
		else if (get && !get[4])
			p.key = arena_strn(r->a, s, (size_t)(get - s));
		else
			p.key = s;
		manifest_add_package(r, p);
	} else if (!c->word && !c->name && coordinates(r, c->value, &p)) {
		manifest_add_package(r, p);
	}
	for (size_t i = 0; c->name && i < LEN(around); i++)
		for (const struct value_node *d = strcmp(c->name, around[i]) ? NULL : c->child; d;
		     d = d->next)
			gradle_argument(r, d, p);
}

static void form_gav(struct manifest_reader *r, const struct manifest_rule *rule,
    const struct value_node *x, struct package p)
{
	bool call = rule->f.name && *rule->f.name == '%';
	const char *group = rule_field(r, x, rule->f.group ? rule->f.group : "group");

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
	for (const struct value_node *c = call ? x->child : NULL; c; c = c->next)
		gradle_argument(r, c, p);
}

/* ..\Other\Other.csproj: its name is the package's, unless it says another. */
static void form_project(struct manifest_reader *r, const struct manifest_rule *rule,
    const struct value_node *x, struct package p)
{
	char *path = NULL;

	if (p.name)
		path = arena_str(r->a, p.name);
	(void)rule, (void)x;
	if (!path)
		return;
	for (char *c = path; *c; c++) {
		if (*c == '\\')
			*c = '/';
	}
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
	           *dot = strrchr(name, '.');
	if (slash)
		p.path = arena_strn(r->a, path, (size_t)(slash - path));
	else
		p.path = "";
	p.name = arena_strn(r->a, name, dot ? (size_t)(dot - name) : strlen(name));
	manifest_add_package(r, p);
}

manifest_form *manifest_form_of(const char *name)
{
	static const struct { const char *name; manifest_form *form; } forms[] = {
		{ "pep508", form_pep508 }, { "gav", form_gav }, { "project", form_project },
	};

	for (size_t i = 0; i < LEN(forms); i++)
		if (!strcmp(forms[i].name, name))
			return forms[i].form;
	return NULL;
}
