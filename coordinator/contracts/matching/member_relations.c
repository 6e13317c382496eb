#include "coordinator/contracts/matching/member_relations.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "coordinator/contracts/matching/service_name.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"

enum {
	WORD_MIN = 4, /* letters of a word that two names may share */
	INNER_WORD_MIN = 5, /* letters of a name within another name */
	SHARERS_MIN = 8, /* a word that more members share tells nothing, unless … */
	SHARERS_PERCENT = 20, /* … they are fewer than this of all */
	OWNER_PERCENT = 60, /* an owner of more members than this tells nothing */
	PUBLISHERS_MAX = 3, /* a package that more members publish tells nothing */
};

/* Words of repositories' names that tell nothing about what they are for. */
static const char *const common_words[] = { "android", "backend", "cli", "clients", "cloud",
	"common", "core", "demo", "docs", "dotnet", "engine", "example", "examples", "frontend",
	"golang", "java", "javascript", "kotlin", "library", "main", "microservices", "mobile",
	"monorepo", "node", "nodejs", "platform", "plugin", "portal", "project", "public", "python",
	"react", "repo", "ruby", "rust", "sample", "samples", "scripts", "source", "spring", "swift",
	"system", "template", "test", "tests", "tools", "typescript", "utils", "website" };

struct related_member {
	const char *owner; /* what stands in front of the name */
	struct name_words words;
	char core[NAME_CORE]; /* the words that are not common, joined; may be empty */
	bool owner_tells;
};

struct member_relations {
	const struct match_member *m;
	struct related_member *of;
	size_t n;
	struct arena *a;
	struct map *sharers; /* count of members by word */
	struct map *pairs; /* struct member_pair by "x y" */
};

struct member_pair {
	enum relation relation;
	const char *why;
	bool compared; /* owners and names were compared */
};

static bool is_common(const char *word)
{
	for (size_t i = 0; i < LEN(common_words); i++)
		if (!strcmp(common_words[i], word))
			return true;
	return false;
}

static const char *last_segment(const char *uri)
{
	const char *slash = strrchr(uri, '/');

	if (slash)
		return slash + 1;
	return uri;
}

static void read_name(struct related_member *r, const struct match_member *m, struct arena *a)
{
	const char *name = last_segment(m->repo_uri);
	size_t len = 0;

	r->owner = arena_strn(a, m->repo_uri, (size_t)(name - m->repo_uri));
	name_words(last_segment(m->name), &r->words);
	for (size_t i = 0; i < r->words.n; i++) {
		size_t n = strlen(r->words.v[i]);
		if (is_common(r->words.v[i]) || len + n >= sizeof r->core)
			continue;
		memcpy(r->core + len, r->words.v[i], n + 1);
		len += n;
	}
}

static size_t count_of(const struct map *counts, const char *key)
{
	return (size_t)map_get(counts, key);
}

static void count(struct map *counts, const char *key)
{
	void **at = map_at(counts, key);

	*at = (void *)((size_t)*at + 1);
}

static void read_names(struct member_relations *r)
{
	struct map *owners = map_new();

	for (size_t i = 0; i < r->n; i++) {
		struct related_member *m = &r->of[i];
		read_name(m, &r->m[i], r->a);
		count(owners, m->owner);
		for (size_t k = 0; k < m->words.n; k++)
			count(r->sharers, m->words.v[k]);
	}
	for (size_t i = 0; i < r->n; i++)
		r->of[i].owner_tells = count_of(owners, r->of[i].owner) * 100 <= r->n * OWNER_PERCENT;
	map_free(owners);
}

/* ---- packages and mentions ---- */

static struct member_pair *pair_of(struct member_relations *r, size_t x, size_t y)
{
	char key[48];

	snprintf(key, sizeof key, "%zu %zu", MIN(x, y), MAX(x, y));
	struct member_pair **at = (struct member_pair **)map_at(r->pairs, key);
	if (!*at)
		*at = arena_one(r->a, struct member_pair);
	return *at;
}

/* Note that packages or mentions relate two members.  The first reason stays. */
static void relate(struct member_relations *r, size_t x, size_t y, const char *why)
{
	struct member_pair *p = pair_of(r, x, y);

	if (p->why)
		return;
	p->relation = RELATION_POSSIBLE;
	p->why = why;
}

struct package_publishers {
	size_t v[PUBLISHERS_MAX], n;
};

static const char *package_key(const struct package *p, struct arena *a)
{
	char *key = arena_printf(a, "%s %s", p->ecosystem, p->name);

	for (char *c = key; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return key;
}

static bool is_side(const struct package *p, const char *side)
{
	return p->side && p->ecosystem && p->name && !strcmp(p->side, side);
}

static void add_publisher(
    struct map *publishers, size_t member, const struct package *p, struct arena *a)
{
	bool hidden = p->scope && !strcmp(p->scope, "private");

	if (!is_side(p, "publishes") || hidden)
		return;
	struct package_publishers **at = (struct package_publishers **)map_at(
	    publishers, package_key(p, a));
	if (!*at)
		*at = arena_one(a, struct package_publishers);
	if ((*at)->n && (*at)->v[MIN((*at)->n, PUBLISHERS_MAX) - 1] == member)
		return;
	if ((*at)->n < PUBLISHERS_MAX)
		(*at)->v[(*at)->n] = member;
	(*at)->n++;
}

static void relate_to_publishers(struct member_relations *r, const struct map *publishers,
    size_t member, const struct package *p)
{
	const struct package_publishers *who = map_get(publishers, package_key(p, r->a));

	if (!who || who->n > PUBLISHERS_MAX)
		return;
	for (size_t i = 0; i < who->n; i++)
		if (who->v[i] != member)
			relate(r, member, who->v[i],
			    arena_printf(r->a, "%s needs the package %s of %s", r->m[member].name, p->name,
			        r->m[who->v[i]].name));
}

/* The URL of a repository on a forge: its host, owner and name. */
static const char *repository_of(const char *url, struct arena *a)
{
	const char *end = url;

	for (int i = 0; i < 3 && *end; i++) {
		end += *end == '/';
		end += strcspn(end, "/#?");
	}
	char *uri = arena_strn(a, url, (size_t)(end - url));
	size_t n = strlen(uri);
	if (n > 4 && !strcmp(uri + n - 4, ".git"))
		uri[n - 4] = 0;
	for (char *c = uri; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return uri;
}

static void relate_to_url(
    struct member_relations *r, const struct map *repos, size_t member, const char *url)
{
	size_t to = 0;

	if (url)
		to = (size_t)map_get(repos, repository_of(url, r->a));
	if (to && to - 1 != member)
		relate(r, member, to - 1,
		    arena_printf(r->a, "%s mentions %s", r->m[member].name, r->m[to - 1].name));
}

static void read_packages(struct member_relations *r)
{
	struct map *publishers = map_new(), *repos = map_new();

	for (size_t i = 0; i < r->n; i++) {
		const struct contracts_res *f = r->m[i].facts;
		*map_at(repos, repository_of(r->m[i].repo_uri, r->a)) = (void *)(i + 1);
		for (size_t k = 0; f && k < f->packages.n; k++)
			add_publisher(publishers, i, &f->packages.v[k], r->a);
	}
	for (size_t i = 0; i < r->n; i++) {
		const struct contracts_res *f = r->m[i].facts;
		for (size_t k = 0; f && k < f->packages.n; k++) {
			const struct package *p = &f->packages.v[k];
			relate_to_url(r, repos, i, p->source);
			if (is_side(p, "depends"))
				relate_to_publishers(r, publishers, i, p);
			else if (is_side(p, "mentions"))
				relate_to_url(r, repos, i, p->name);
		}
	}
	map_free(publishers);
	map_free(repos);
}

struct member_relations *member_relations_new(
    const struct match_member *m, size_t n, struct arena *a)
{
	struct member_relations *r = arena_one(a, struct member_relations);

	*r = (struct member_relations){ .m = m,
		.n = n,
		.a = a,
		.sharers = map_new(),
		.pairs = map_new(),
		.of = arena_many(a, n, struct related_member) };
	read_names(r);
	read_packages(r);
	return r;
}

void member_relations_free(struct member_relations *r)
{
	if (!r)
		return;
	map_free(r->sharers);
	map_free(r->pairs);
}

/* ---- two members ---- */

/* Whether few enough members have the word that it joins those that do. */
static bool joins(const struct member_relations *r, const char *word)
{
	size_t n = count_of(r->sharers, word);

	if (strlen(word) < WORD_MIN || is_common(word))
		return false;
	return n <= SHARERS_MIN || n * 100 <= r->n * SHARERS_PERCENT;
}

/* A word that both names have, or NULL. */
static const char *shared_word(const struct member_relations *r, const struct related_member *x,
    const struct related_member *y)
{
	for (size_t i = 0; i < x->words.n; i++)
		for (size_t k = 0; k < y->words.n; k++)
			if (!strcmp(x->words.v[i], y->words.v[k]) && joins(r, x->words.v[i]))
				return x->words.v[i];
	return NULL;
}

/* The name that is within the other one, or NULL. */
static const char *inner_name(const struct related_member *x, const struct related_member *y)
{
	if (strlen(x->core) >= INNER_WORD_MIN && strstr(y->core, x->core))
		return x->core;
	if (strlen(y->core) >= INNER_WORD_MIN && strstr(x->core, y->core))
		return y->core;
	return NULL;
}

/* Compare the owners and names of two members. */
static void compare(struct member_relations *r, size_t x, size_t y, struct member_pair *p)
{
	const struct related_member *a = &r->of[x], *b = &r->of[y];
	bool same_owner = !strcmp(a->owner, b->owner);
	const char *word = shared_word(r, a, b), *why = NULL;

	if (!word)
		word = inner_name(a, b);
	if (same_owner && a->owner_tells)
		why = arena_printf(r->a, "%s and %s have the same owner", r->m[x].name, r->m[y].name);
	else if (word)
		why = arena_printf(
		    r->a, "the names of %s and %s share %s", r->m[x].name, r->m[y].name, word);
	if (why)
		*p = (struct member_pair){ RELATION_EVIDENT, why, true };
	else if (same_owner && !p->why)
		p->relation = RELATION_POSSIBLE;
	p->compared = true;
}

enum relation member_relation(struct member_relations *r, size_t x, size_t y, const char **why)
{
	struct member_pair *p = pair_of(r, x, y);

	if (!p->compared)
		compare(r, MIN(x, y), MAX(x, y), p);
	if (why)
		*why = p->why;
	return p->relation;
}
