#include "coordinator/calls/resolve_repo.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "coordinator/calls/context.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/groups.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/process/suggest.h"
#include "proto/text/repo_uri.h"

enum { CHOICES = 10, PREFIX_MIN = 12 };

static bool is_local(const struct member *m)
{
	return !strncmp(m->repo_uri, "local:", 6);
}

static int fill_choice(struct call *c, const struct member *m, struct choice *out)
{
	struct member_view view;
	t_strs groups = { 0 };

	members_view(c->members, m, &view, c->a);
	if (groups_of(c->registry, m->repo_uri, &groups, c->a, &c->e))
		return -1;
	*out = (struct choice){ .repo_uri = m->repo_uri, .default_branch = view.default_branch };
	if (groups.n)
		out->group = groups.v[0];
	if (is_local(m))
		out->name = m->name;
	return 0;
}

/* Fail with AMBIGUOUS_REPO and the repositories to choose from. */
static int ambiguous(struct call *c, struct member **v, size_t n, const char *why)
{
	size_t shown = MIN(n, CHOICES);

	c->problem.choices.v = arena_many(c->a, shown, struct choice);
	c->problem.choices.n = shown;
	c->problem.total_matches = n;
	for (size_t i = 0; i < shown; i++)
		if (fill_choice(c, v[i], &c->problem.choices.v[i]))
			return -1;
	return err_set(&c->e, ERR_AMBIGUOUS_REPO, "%s", why);
}

/* ---- suggestions ---- */

static const char *full_name(const struct member *m, struct arena *a)
{
	(void)a;
	return m->name;
}

static const char *own_uri(const struct member *m, struct arena *a)
{
	(void)a;
	return m->repo_uri;
}

/* The folder of a local repository, which is accepted as its name. */
static const char *short_name(const struct member *m, struct arena *a)
{
	const char *dash = strrchr(m->name, '-');

	if (!dash || !is_local(m))
		return m->name;
	return arena_strn(a, m->name, (size_t)(dash - m->name));
}

static int unknown(struct call *c, const char *typed, struct member **v, size_t n)
{
	const char *(*ways[])(const struct member *, struct arena *) = {
		full_name, full_name, short_name
	};
	const char **names = arena_many(c->a, n, const char *), *near = "";

	if (strpbrk(typed, ":."))
		ways[0] = own_uri;
	for (size_t w = 0; w < LEN(ways) && !*near; w++) {
		for (size_t i = 0; i < n; i++)
			names[i] = ways[w](v[i], c->a);
		near = suggest_names(typed, names, n, c->a);
	}
	err_set(&c->e, ERR_NOT_FOUND, "repository `%.100s` does not exist%s", uri_redact(typed, c->a),
	    suggest_phrase(near, c->a));
	return err_hint(&c->e,
	    "Call list_repos or run `atoll repo list` to see the repositories;"
	    " `atoll repo add PATH` adds one.");
}

/* ---- ways to match ---- */

static bool fits_uri(const struct member *m, const char *s)
{
	return !strcmp(m->repo_uri, s);
}

static bool fits_uri_folded(const struct member *m, const char *s)
{
	return !strcasecmp(m->repo_uri, s);
}

/* A prefix of a local repo_uri with at least PREFIX_MIN digits. */
static bool fits_prefix(const struct member *m, const char *s)
{
	size_t n = strlen(s);

	if (n < 6 + PREFIX_MIN || strncasecmp(s, "local:", 6))
		return false;
	return !strncasecmp(m->repo_uri, s, n);
}

static bool fits_name(const struct member *m, const char *s)
{
	return !strcmp(m->name, s);
}

static bool ends_with(
    const char *whole, const char *end, int (*compare)(const char *, const char *))
{
	size_t n = strlen(whole), k = strlen(end);

	if (!k || k > n || compare(whole + n - k, end))
		return false;
	return k == n || whole[n - k - 1] == '/';
}

static bool fits_end(const struct member *m, const char *s)
{
	return ends_with(m->name, s, strcmp) || ends_with(m->repo_uri, s, strcmp);
}

static bool fits_end_folded(const struct member *m, const char *s)
{
	return ends_with(m->name, s, strcasecmp) || ends_with(m->repo_uri, s, strcasecmp);
}

/* The folder of a local repository: its name without the digits. */
static bool fits_folder(const struct member *m, const char *s)
{
	size_t n = strlen(s);

	if (!is_local(m) || strncmp(m->name, s, n))
		return false;
	return m->name[n] == '-' && strlen(m->name + n) == strlen("-123456");
}

typedef bool fit(const struct member *, const char *);

/*
 * Move the members that match to the front of `v`; `*k` is their number.  The first of `ways` that
 * matches any member decides.
 */
static void filter(struct member **v, size_t n, const char *s, fit *const *ways, size_t *k)
{
	for (*k = 0; *ways && !*k; ways++)
		for (size_t i = 0; i < n; i++)
			if ((*ways)(v[i], s)) {
				struct member *m = v[i];
				memmove(v + *k + 1, v + *k, (i - *k) * sizeof(struct member *));
				v[(*k)++] = m;
			}
}

/* The name of the folder that a member is read from; NULL if it is not read in place. */
static const char *folder_of(struct call *c, const struct member *m)
{
	struct member_view view;

	members_view(c->members, m, &view, c->a);
	if (!view.source || *view.source != '/')
		return NULL;
	size_t n = strlen(view.source);
	if (n > 5 && !strcmp(view.source + n - 5, "/.git"))
		n -= 5;
	const char *path = arena_strn(c->a, view.source, n);
	return strrchr(path, '/') + 1;
}

/* Keep the members that are read from a folder with this name: <CODEBASE_ROOT>/<repo>. */
static size_t filter_folders(struct call *c, struct member **v, size_t n, const char *typed)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		const char *folder = folder_of(c, v[i]);
		if (folder && !strcmp(folder, typed))
			v[k++] = v[i];
	}
	return k;
}

/* The members that are read from a folder with this name, in a new array. */
static size_t find_folders(
    struct call *c, struct member **v, size_t n, const char *typed, struct member ***out)
{
	*out = arena_many(c->a, n, struct member *);
	for (size_t i = 0; i < n; i++)
		(*out)[i] = v[i];
	return filter_folders(c, *out, n, typed);
}

/* ---- handles ---- */

/* How the caller named a repository. */
struct repo_handle {
	const struct member *member;
	const char *typed;
	struct repo_handle *next;
};

static void note_handle(struct call *c, const struct member *m, const char *typed)
{
	struct repo_handle *h = arena_one(c->a, struct repo_handle);

	*h = (struct repo_handle){ m, typed, c->handles };
	c->handles = h;
}

const char *resolve_handle(const struct call *c, const struct member *m)
{
	for (const struct repo_handle *h = c->handles; h; h = h->next)
		if (h->member == m)
			return h->typed;
	return m->name;
}

static struct member *resolve_typed(
    struct call *c, const char *typed, const char *canonical, fit *const *uris, fit *const *names)
{
	size_t n, k = 0;
	struct member **v = members_all(c->members, c->caller, c->a, &n), **in_folders;

	filter(v, n, canonical, uris, &k);
	bool has_uri = k > 0;
	if (!k && names)
		filter(v, n, typed, names, &k);
	if (!k && names && !strchr(typed, '/')) {
		k = find_folders(c, v, n, typed, &in_folders);
		if (k)
			v = in_folders;
	}
	if (k == 1) {
		call_audit_repos(c, v, 1);
		if (!has_uri)
			note_handle(c, v[0], typed);
		return v[0];
	}
	if (k)
		ambiguous(c, v, k,
		    arena_printf(c->a, "`%.100s` fits %zu repositories", uri_redact(typed, c->a), k));
	else
		unknown(c, typed, v, n);
	return NULL;
}

static fit *const by_uri[] = { fits_uri, fits_uri_folded, fits_prefix, NULL };
static fit *const by_name[] = { fits_name, fits_end, fits_end_folded, fits_folder, NULL };

struct member *resolve_repo_name(struct call *c, const char *name)
{
	return resolve_typed(c, name, uri_canonical(name, c->a), by_uri, by_name);
}

/* The only repository that there is. */
static struct member *resolve_only_repo(struct call *c)
{
	size_t n;
	struct member **v = members_all(c->members, c->caller, c->a, &n);

	if (n == 1) {
		call_audit_repos(c, v, 1);
		return v[0];
	}
	if (n) {
		ambiguous(c, v, n,
		    arena_printf(
		        c->a, "neither `repo_uri` nor `repo` is given and there are %zu repositories", n));
		return NULL;
	}
	err_set(&c->e, ERR_NO_INDEX, "there are no repositories yet");
	err_hint(&c->e, "Run `atoll repo add PATH`, or start with `atoll up PATH...`.");
	return NULL;
}

struct member *resolve_repo(struct call *c, const char *repo, const char *repo_uri)
{
	if (text_is_set(repo_uri))
		return resolve_typed(c, repo_uri, uri_canonical(repo_uri, c->a), by_uri, NULL);
	if (text_is_set(repo))
		return resolve_repo_name(c, repo);
	return resolve_only_repo(c);
}

/* ---- several ---- */

static int by_member(const void *x, const void *y)
{
	const struct member *a = *(struct member *const *)x, *b = *(struct member *const *)y;
	int c = strcmp(a->name, b->name);

	if (c)
		return c;
	return strcmp(a->repo_uri, b->repo_uri);
}

static void sort_unique_members(struct resolved_repos *p)
{
	size_t k = 0;

	qsort(p->v, p->n, sizeof(struct member *), by_member);
	for (size_t i = 0; i < p->n; i++)
		if (!i || p->v[i] != p->v[i - 1])
			p->v[k++] = p->v[i];
	p->n = k;
}

static int resolve_named_repos(struct call *c, const t_strs *names, struct resolved_repos *out)
{
	if (!names->n) {
		err_set(&c->e, ERR_INVALID_INPUT, "`scope.repos` is empty");
		return err_hint(&c->e, "Name at least one repository; call list_repos to see them.");
	}
	out->v = arena_many(c->a, names->n, struct member *);
	out->n = names->n;
	for (size_t i = 0; i < names->n; i++) {
		out->v[i] = resolve_repo_name(c, names->v[i]);
		if (!out->v[i])
			return -1;
	}
	sort_unique_members(out);
	return 0;
}

static int resolve_single(struct call *c, struct member *m, struct resolved_repos *out)
{
	if (!m)
		return -1;
	out->v = arena_one(c->a, struct member *);
	out->v[0] = m;
	out->n = 1;
	return 0;
}

bool resolve_may_use_all(const struct coordinator *co)
{
	return !strcmp(co->o.allow_global_scope, "true");
}

static int resolve_everything(struct call *c, struct resolved_repos *out)
{
	if (!resolve_may_use_all(c->co)) {
		err_set(&c->e, ERR_FORBIDDEN, "scope {type:\"all\"} is not permitted here");
		return err_hint(&c->e,
		    "Name repositories: scope {type:\"repos\", repos:[…]}; or start `atoll up` (the"
		    " coordinator) with ALLOW_GLOBAL_SCOPE=true.");
	}
	out->v = members_all(c->members, c->caller, c->a, &out->n);
	if (out->n || resolve_only_repo(c))
		return 0;
	return -1;
}

int resolve_scope(struct call *c, const struct scope *s, const char *repo, const char *repo_uri,
    struct resolved_repos *out)
{
	if (!s)
		return resolve_single(c, resolve_repo(c, repo, repo_uri), out);
	if (!text_is_set(s->type))
		return err_set(&c->e, ERR_INVALID_INPUT, "`scope.type` is missing: repo, repos or all");
	if (!strcmp(s->type, "all"))
		return resolve_everything(c, out);
	if (!strcmp(s->type, "repos"))
		return resolve_named_repos(c, &s->repos, out);
	if (!text_is_set(s->repo))
		return err_set(
		    &c->e, ERR_INVALID_INPUT, "`scope.repo` is missing: the repository to search");
	return resolve_single(c, resolve_repo_name(c, s->repo), out);
}

int resolve_group(struct call *c, const char *group, struct resolved_repos *out)
{
	struct group_row g;

	if (view_group(c, group, &g))
		return -1;
	out->v = arena_many(c->a, g.members.n, struct member *);
	out->n = 0;
	for (size_t i = 0; i < g.members.n; i++) {
		struct member *m = members_get(c->members, c->caller, g.members.v[i]);
		if (m)
			out->v[out->n++] = m;
	}
	sort_unique_members(out);
	return 0;
}

int resolve_group_members(struct call *c, const char *group, struct resolved_repos *out)
{
	if (resolve_group(c, group, out))
		return -1;
	if (out->n)
		return 0;
	err_set(&c->e, ERR_NO_INDEX, "group `%.80s` has no members", group);
	return err_hint(&c->e, "Run `atoll group add %.80s REPO...`.", group);
}

int resolve_named(struct call *c, const t_strs *repos, struct resolved_repos *p)
{
	bool *named = arena_many(c->a, p->n + 1, bool);
	size_t k = 0;

	for (size_t i = 0; i < repos->n; i++) {
		const struct member *m = resolve_repo_name(c, repos->v[i]);
		size_t at = 0;
		if (!m)
			return -1;
		while (at < p->n && p->v[at] != m)
			at++;
		if (at == p->n)
			return err_set(&c->e, ERR_NOT_FOUND, "`repos`: %s is not in the group", m->name);
		named[at] = true;
	}
	for (size_t i = 0; i < p->n && repos->n; i++)
		if (named[i])
			p->v[k++] = p->v[i];
	if (repos->n)
		p->n = k;
	return 0;
}
