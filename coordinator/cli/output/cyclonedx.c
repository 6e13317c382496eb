#include "coordinator/cli/output/cyclonedx.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/cli/base/records.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
#include "proto/base/version.h"
#include "proto/record/json.h"

/* A package at one version, and who declares it. */
struct component {
	const char *ref;
	const struct package_row *row;
	const struct package_declaration **v;
	size_t n, cap;
};

struct document {
	const struct bill_of_materials *bill;
	struct arena *a;
	struct map *components; /* ref -> component, in the order of the inventory */
	struct buf b;
};

/* ---- JSON ---- */

/* A comma, unless a value begins here anyway. */
static void separate(struct buf *b)
{
	if (b->n && !strchr("{[:", b->p[b->n - 1]))
		buf_byte(b, ',');
}

static void open_value(struct buf *b, const char *key, char bracket)
{
	separate(b);
	if (key) {
		json_quote(b, key);
		buf_byte(b, ':');
	}
	buf_byte(b, bracket);
}

static void put_text(struct buf *b, const char *key, const char *value)
{
	if (!text_is_set(value))
		return;
	separate(b);
	if (key) {
		json_quote(b, key);
		buf_byte(b, ':');
	}
	json_quote(b, value);
}

static void put_number(struct buf *b, const char *key, uint64_t value)
{
	separate(b);
	json_quote(b, key);
	buf_byte(b, ':');
	buf_u64(b, value);
}

static void put_property(struct buf *b, const char *name, const char *value)
{
	if (!text_is_set(value))
		return;
	open_value(b, NULL, '{');
	put_text(b, "name", name);
	put_text(b, "value", value);
	buf_byte(b, '}');
}

/* ---- components ---- */

/* What tells a component from others, within the document. */
static const char *ref_of(
    const struct package_row *r, const struct package_declaration *d, struct arena *a)
{
	const char *name = r->purl;

	if (!name)
		name = arena_printf(a, "atoll:%s/%s", r->ecosystem, r->name);
	if (text_is_set(d->source))
		return arena_printf(a, "%s from %s", name, d->source);
	if (text_is_set(d->purl))
		return d->purl;
	return name;
}

/* Whether the repository itself publishes what it declares here. */
static bool is_own(const struct package_declaration *d)
{
	return d->publishers.n == 1 && !strcmp(d->publishers.v[0], text_or_empty(d->repo_uri));
}

static void add_declaration(
    struct document *w, const struct package_row *r, const struct package_declaration *d)
{
	void **at = map_at(w->components, ref_of(r, d, w->a));
	struct component *x = *at;

	if (!x) {
		x = *at = arena_one(w->a, struct component);
		x->ref = ref_of(r, d, w->a);
		x->row = r;
	}
	x->v = grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
	x->v[x->n++] = d;
}

static void collect(struct document *w)
{
	for (size_t i = 0; i < w->bill->npackages; i++) {
		const struct package_row *r = &w->bill->packages[i];
		for (size_t k = 0; k < r->declarations.n; k++)
			if (!is_own(&r->declarations.v[k]))
				add_declaration(w, r, &r->declarations.v[k]);
	}
}

static const struct component *component_at(const struct document *w, size_t i)
{
	return map_val(w->components, i);
}

/* ---- one component ---- */

/* The ecosystems whose names have a group in front: @acme/ui, org.acme:core, acme/tool. */
static const struct {
	const char *ecosystem;
	char first; /* the character that such a name begins with; 0: any */
	char divider;
} grouped[] = {
	{ "npm", '@', '/' },
	{ "maven", 0, ':' },
	{ "composer", 0, '/' },
};

static const char *divider_of(const struct package_row *r)
{
	for (size_t i = 0; i < LEN(grouped); i++) {
		if (strcmp(grouped[i].ecosystem, r->ecosystem))
			continue;
		if (!grouped[i].first || *r->name == grouped[i].first)
			return strchr(r->name, grouped[i].divider);
	}
	return NULL;
}

static void put_name(struct document *w, const struct package_row *r)
{
	const char *divider = divider_of(r);

	if (!divider || !divider[1]) {
		put_text(&w->b, "name", r->name);
		return;
	}
	put_text(&w->b, "group", arena_strn(w->a, r->name, (size_t)(divider - r->name)));
	put_text(&w->b, "name", divider + 1);
}

/* What a scope means for the finished program, the weakest first. */
static const char *const strengths[] = { "excluded", "optional", "required" };
static const struct {
	const char *scope;
	size_t strength;
} scopes[] = {
	{ "dev", 0 },
	{ "test", 0 },
	{ "build", 0 },
	{ "parent", 0 },
	{ "optional", 1 },
	{ "peer", 1 },
	{ "provided", 1 },
};

static size_t strength_of(const char *scope)
{
	for (size_t i = 0; i < LEN(scopes); i++)
		if (texts_equal(scopes[i].scope, scope))
			return scopes[i].strength;
	return LEN(strengths) - 1;
}

static const char *scope_of(const struct component *x)
{
	size_t most = 0;

	for (size_t i = 0; i < x->n; i++)
		if (strength_of(x->v[i]->scope) > most)
			most = strength_of(x->v[i]->scope);
	return strengths[most];
}

static void put_occurrences(struct document *w, const struct component *x)
{
	struct buf *b = &w->b;

	open_value(b, "evidence", '{');
	open_value(b, "occurrences", '[');
	for (size_t i = 0; i < x->n; i++) {
		open_value(b, NULL, '{');
		put_text(b, "location", x->v[i]->file);
		put_number(b, "line", x->v[i]->line);
		put_text(b, "additionalContext", x->v[i]->repo_uri);
		buf_byte(b, '}');
	}
	buf_str(b, "]}");
}

/* The texts of some field of all declarations, each once. */
struct distinct {
	const char **v;
	size_t n;
};

static void add_distinct(struct distinct *d, const char *s)
{
	if (!text_is_set(s))
		return;
	for (size_t i = 0; i < d->n; i++)
		if (!strcmp(d->v[i], s))
			return;
	d->v[d->n++] = s;
}

static void put_distinct(struct document *w, const char *name, const struct distinct *d)
{
	for (size_t i = 0; i < d->n; i++)
		put_property(&w->b, name, d->v[i]);
}

static size_t count_publishers(const struct component *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n; i++)
		n += x->v[i]->publishers.n;
	return n;
}

static struct distinct publishers_of(const struct document *w, const struct component *x)
{
	struct distinct d = { arena_many(w->a, count_publishers(x) + 1, const char *), 0 };

	for (size_t i = 0; i < x->n; i++)
		for (size_t k = 0; k < x->v[i]->publishers.n; k++)
			add_distinct(&d, x->v[i]->publishers.v[k]);
	return d;
}

static void put_properties(struct document *w, const struct component *x)
{
	struct distinct ranges = { arena_many(w->a, x->n + 1, const char *), 0 };
	struct distinct kinds = { arena_many(w->a, x->n + 1, const char *), 0 };
	const struct distinct publishers = publishers_of(w, x);

	for (size_t i = 0; i < x->n; i++) {
		add_distinct(&ranges, x->v[i]->range);
		add_distinct(&kinds, x->v[i]->scope);
	}
	open_value(&w->b, "properties", '[');
	put_property(&w->b, "atoll:ecosystem", x->row->ecosystem);
	put_distinct(w, "atoll:range", &ranges);
	put_distinct(w, "atoll:scope", &kinds);
	put_distinct(w, "atoll:publisher", &publishers);
	buf_byte(&w->b, ']');
}

static void put_source(struct document *w, const char *source)
{
	struct buf *b = &w->b;

	if (!text_is_set(source))
		return;
	open_value(b, "externalReferences", '[');
	open_value(b, NULL, '{');
	put_text(b, "type", "vcs");
	put_text(b, "url", arena_printf(w->a, "https://%s", source));
	buf_str(b, "}]");
}

/* What is taken from a repository is not the package of that name in a registry: it has no URL. */
static const char *url_of(const struct component *x)
{
	const struct package_declaration *d = x->v[0];

	if (text_is_set(d->source))
		return NULL;
	if (text_is_set(d->purl))
		return d->purl;
	return x->row->purl;
}

static void put_component(struct document *w, const struct component *x)
{
	struct buf *b = &w->b;

	open_value(b, NULL, '{');
	put_text(b, "type", x->row->purl ? "library" : "platform");
	put_text(b, "bom-ref", x->ref);
	put_name(w, x->row);
	put_text(b, "version", x->v[0]->version);
	put_text(b, "scope", scope_of(x));
	put_text(b, "purl", url_of(x));
	put_source(w, x->v[0]->source);
	put_occurrences(w, x);
	put_properties(w, x);
	buf_byte(b, '}');
}

/* ---- repositories ---- */

/* What a repository publishes: of a package with several rows, the first counts. */
static const struct package_publisher **published_by(
    const struct document *w, const char *repo_uri, size_t *n)
{
	const struct bill_of_materials *bill = w->bill;
	const struct package_publisher **v = arena_many(
	    w->a, bill->npackages + 1, const struct package_publisher *);

	*n = 0;
	for (size_t i = 0; i < bill->npackages; i++) {
		const struct package_row *r = &bill->packages[i];
		bool again = i && texts_equal(r->name, r[-1].name) &&
		    texts_equal(r->ecosystem, r[-1].ecosystem);
		for (size_t k = 0; k < r->publishers.n && !again; k++) {
			if (strcmp(text_or_empty(r->publishers.v[k].repo_uri), repo_uri))
				continue;
			v[(*n)++] = &r->publishers.v[k];
			break;
		}
	}
	return v;
}

/* The members of a component that is a repository; of several packages none is the repository. */
static void put_repository(struct document *w, const char *repo_uri, const char *name)
{
	size_t n;
	const struct package_publisher **v = published_by(w, repo_uri, &n);
	struct buf *b = &w->b;

	put_text(b, "type", "application");
	put_text(b, "bom-ref", repo_uri);
	put_text(b, "name", name);
	if (n == 1) {
		put_text(b, "version", v[0]->version);
		put_text(b, "purl", v[0]->purl);
	}
	if (n < 2)
		return;
	open_value(b, "properties", '[');
	for (size_t i = 0; i < n; i++)
		put_property(b, "atoll:publishes", v[i]->purl);
	buf_byte(b, ']');
}

static const char *root_ref(const struct document *w)
{
	if (w->bill->is_group)
		return arena_printf(w->a, "group:%s", w->bill->subject);
	return w->bill->subject;
}

static void put_subject(struct document *w)
{
	struct buf *b = &w->b;

	open_value(b, "component", '{');
	if (w->bill->is_group) {
		put_text(b, "type", "application");
		put_text(b, "bom-ref", root_ref(w));
		put_text(b, "name", w->bill->name);
	} else {
		put_repository(w, w->bill->subject, w->bill->name);
	}
	buf_byte(b, '}');
}

/* ---- the document ---- */

static void put_metadata(struct document *w)
{
	struct buf *b = &w->b;

	open_value(b, "metadata", '{');
	put_text(b, "timestamp", w->bill->time);
	buf_str(b, ",\"lifecycles\":[{\"phase\":\"pre-build\"}]");
	open_value(b, "tools", '{');
	open_value(b, "components", '[');
	open_value(b, NULL, '{');
	put_text(b, "type", "application");
	put_text(b, "name", "atoll");
	put_text(b, "version", ATOLL_VERSION);
	buf_str(b, "}]}");
	put_subject(w);
	open_value(b, "properties", '[');
	put_property(b, "atoll:complete", w->bill->complete ? "true" : "false");
	buf_str(b, "]}");
}

static void put_components(struct document *w)
{
	open_value(&w->b, "components", '[');
	for (size_t i = 0; i < w->bill->nrepositories && w->bill->is_group; i++) {
		open_value(&w->b, NULL, '{');
		put_repository(w, w->bill->repositories[i], w->bill->repositories[i]);
		buf_byte(&w->b, '}');
	}
	for (size_t i = 0; i < map_len(w->components); i++)
		put_component(w, component_at(w, i));
	buf_byte(&w->b, ']');
}

static bool is_declared_by(const struct component *x, const char *repo_uri)
{
	for (size_t i = 0; i < x->n; i++)
		if (!strcmp(text_or_empty(x->v[i]->repo_uri), repo_uri))
			return true;
	return false;
}

static void open_dependencies(struct document *w, const char *ref)
{
	open_value(&w->b, NULL, '{');
	put_text(&w->b, "ref", ref);
	open_value(&w->b, "dependsOn", '[');
}

static void put_dependencies_of(struct document *w, const char *repo_uri)
{
	open_dependencies(w, repo_uri);
	for (size_t i = 0; i < map_len(w->components); i++)
		if (is_declared_by(component_at(w, i), repo_uri))
			put_text(&w->b, NULL, component_at(w, i)->ref);
	buf_str(&w->b, "]}");
}

static bool is_repository(const struct document *w, const char *repo_uri)
{
	for (size_t i = 0; i < w->bill->nrepositories; i++)
		if (!strcmp(w->bill->repositories[i], repo_uri))
			return true;
	return false;
}

/* A package that one member publishes is made from that member's repository. */
static void put_origin(struct document *w, const struct component *x)
{
	const struct distinct publishers = publishers_of(w, x);

	if (publishers.n != 1 || !is_repository(w, publishers.v[0]))
		return;
	open_dependencies(w, x->ref);
	put_text(&w->b, NULL, publishers.v[0]);
	buf_str(&w->b, "]}");
}

static void put_group_dependencies(struct document *w)
{
	open_dependencies(w, root_ref(w));
	for (size_t i = 0; i < w->bill->nrepositories; i++)
		put_text(&w->b, NULL, w->bill->repositories[i]);
	buf_str(&w->b, "]}");
	for (size_t i = 0; i < w->bill->nrepositories; i++)
		put_dependencies_of(w, w->bill->repositories[i]);
	for (size_t i = 0; i < map_len(w->components); i++)
		put_origin(w, component_at(w, i));
}

static void put_dependencies(struct document *w)
{
	open_value(&w->b, "dependencies", '[');
	if (w->bill->is_group)
		put_group_dependencies(w);
	else
		put_dependencies_of(w, w->bill->subject);
	buf_byte(&w->b, ']');
}

/* Manifests name what is needed directly; what that needs is not known. */
static void put_compositions(struct document *w)
{
	open_value(&w->b, "compositions", '[');
	open_value(&w->b, NULL, '{');
	put_text(&w->b, "aggregate", "incomplete");
	open_value(&w->b, "dependencies", '[');
	put_text(&w->b, NULL, root_ref(w));
	buf_str(&w->b, "]}]");
}

const char *cyclonedx_json(const struct bill_of_materials *bill, struct arena *a)
{
	struct document w = { .bill = bill, .a = a, .components = map_new() };

	collect(&w);
	buf_str(&w.b, "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.6\"");
	put_text(&w.b, "serialNumber", arena_printf(a, "urn:uuid:%s", bill->uuid));
	put_number(&w.b, "version", 1);
	put_metadata(&w);
	put_components(&w);
	put_dependencies(&w);
	put_compositions(&w);
	buf_byte(&w.b, '}');
	for (size_t i = 0; i < map_len(w.components); i++)
		free(component_at(&w, i)->v);
	map_free(w.components);
	const char *text = arena_strn(a, w.b.p, w.b.n);
	buf_free(&w.b);
	return text;
}
