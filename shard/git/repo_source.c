#include "shard/git/repo_source.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/net/egress.h"
#include "proto/process/directory.h"
#include "proto/text/repo_uri.h"
#include "shard/base/options.h"
#include "shard/git/address_pins.h"
#include "shard/git/git_process.h"
#include "shard/git/repo.h"
#include "shard/git/repo_ownership.h"

static bool is_url(const char *repo, struct arena *a)
{
	struct stat st;

	if (strstr(repo, "://"))
		return true;
	return stat(repo, &st) && uri_of_remote(repo, a);
}

static bool is_http(const char *url)
{
	return !strncasecmp(url, "http://", 7) || !strncasecmp(url, "https://", 8);
}

/* The user info of an http URL, `user:secret`, or NULL.  *clean: any URL without its secrets. */
static const char *credentials(const char *url, const char **clean, struct arena *a)
{
	const char *from = strstr(url, "://"), *at = NULL;

	*clean = url;
	if (!from)
		return NULL;
	from += 3;
	for (const char *c = from; *c && !strchr("/?#", *c); c++)
		if (*c == '@')
			at = c;
	if (!at)
		return NULL;
	int scheme = (int)(from - url);
	if (is_http(url)) {
		*clean = arena_printf(a, "%.*s%s", scheme, url, at + 1);
		return arena_strn(a, from, (size_t)(at - from));
	}
	/* ssh://user:secret@host: git needs the user; the secret is dropped */
	const char *colon = memchr(from, ':', (size_t)(at - from));
	if (colon)
		*clean = arena_printf(a, "%.*s%s", (int)(colon - url), url, at);
	return NULL;
}

static const char *data_root(const struct options *o, struct arena *a)
{
	const char *home = getenv("HOME");

	if (*o->data)
		return o->data;
	if (!home)
		home = "/var/lib";
	return arena_printf(a, "%s/.local/share/atoll", home);
}

/* Create the folder of all repositories and ours in it; only this user may read them. */
static int create_data_dirs(
    const struct repo_source *s, const struct options *o, struct arena *a, struct err *e)
{
	if (directory_create_private(data_root(o, a), "--data", e) ||
	    directory_create_private(s->data, "--data", e))
		return -1;
	directory_restrict_files(s->data, "*");
	return 0;
}

/*
 * A repository that is refused or unreadable is identified as well, so that its shard can report
 * the reason.
 */
static int source_from_path(struct repo_source *s, const char *path, struct arena *a, struct err *e)
{
	struct err why = { 0 };
	struct repo *r = repo_open(path, &why);
	struct repo_layout layout;
	const char *remote, *place;

	if (r) {
		remote = repo_remote(r, a);
		place = repo_root_path(r, a);
	} else {
		if (e)
			*e = why;
		if (repo_layout(path, &layout, a))
			return -1;
		remote = repo_remote_unopened(path, a);
		place = repo_root_path_unopened(path, a);
		s->refused = why.code == ERR_FORBIDDEN;
		s->unreadable = !s->refused;
	}
	if (remote)
		s->repo_uri = uri_of_remote(remote, a);
	if (!s->repo_uri)
		s->repo_uri = uri_of_path(place, a);
	s->name = uri_display_name(s->repo_uri, place, a);
	s->place = s->shown = place;
	repo_close(r);
	return 0;
}

static void source_from_url(struct repo_source *s, const char *url, struct arena *a)
{
	credentials(url, &s->url, a);
	s->shown = s->url;
	s->repo_uri = uri_of_remote(s->url, a);
	if (s->repo_uri) {
		s->name = uri_display_name(s->repo_uri, NULL, a);
		return;
	}
	const char *path = url;
	if (!strncasecmp(url, "file://", 7))
		path = url + 7;
	s->repo_uri = uri_of_path(path, a);
	s->name = uri_display_name(s->repo_uri, path, a);
}

/* Move a mirror from where older versions had it. */
static void move_old_mirror(const struct repo_source *s, struct arena *a)
{
	const char *old = arena_printf(a, "%s/mirror.git", s->data);
	struct stat st;

	if (!stat(s->place, &st) || lstat(old, &st) || !S_ISDIR(st.st_mode))
		return;
	if (rename(old, s->place))
		log_warn(
		    "mirror.move_failed", "from=%s message=%s", log_quote(old), log_quote(strerror(errno)));
}

/*
 * The mirror is beside the folder of the index, not in it.  A parser that a hostile file has taken
 * over can write into the index's folder, and git obeys the configuration of a repository.
 */
static int find_mirror(struct repo_source *s, struct arena *a, struct err *e)
{
	s->mirrors = arena_printf(a, "%s.mirror", s->data);
	s->place = arena_printf(a, "%s/mirror.git", s->mirrors);
	repo_safe_mirror(s->place);
	if (directory_create_private(s->mirrors, "--data", e))
		return -1;
	directory_restrict_files(s->mirrors, "*");
	move_old_mirror(s, a);
	return 0;
}

const char *repo_source_redact(const char *repo, struct arena *a)
{
	const char *clean = repo;

	if (is_url(repo, a))
		credentials(repo, &clean, a);
	return clean;
}

int repo_source_resolve(
    struct repo_source *s, const struct options *o, struct arena *a, struct err *e)
{
	*s = (struct repo_source){ 0 };
	if (!*o->repo)
		return err_set(e, ERR_INVALID_INPUT,
		    "--repo is missing: set it to the path or URL of a git repository");
	struct egress_target parts;
	if (is_url(o->repo, a) && egress_parse(o->repo, &parts, a, e))
		return -1;
	s->refused = o->from_token && egress_check_source(egress_policy_of(true), o->repo, a, e);
	if (s->refused && e->code != ERR_FORBIDDEN)
		return -1;
	if (s->refused || is_url(o->repo, a))
		source_from_url(s, o->repo, a);
	else if (source_from_path(s, o->repo, a, e))
		return -1;
	s->collection = uri_directory_name(s->repo_uri, a);
	s->data = arena_printf(a, "%s/%s", data_root(o, a), s->collection);
	if (s->refused || s->unreadable) {
		create_data_dirs(s, o, a, NULL);
		return -1;	/* `e` has the reason */
	}
	if (create_data_dirs(s, o, a, e))
		return -1;
	if (s->url)
		return find_mirror(s, a, e);
	return 0;
}

/* Run git until it exits; its standard output goes to `out`. */
static int git(const struct repo_source *s, const struct options *o, const char **argv,
    const char *limited_dir, struct buf *out, struct arena *a, struct err *e)
{
	const char *clean;
	struct address_pins pins;
	struct git_command g = { .url = s->url,
		.shown = s->shown,
		.user = credentials(o->repo, &clean, a),
		.o = o,
		.limited_dir = limited_dir,
		.pins = &pins };

	if (address_pins_resolve(&pins, s->url, o->from_token, a, e))
		return -1;
	return git_run(&g, argv, out, a, e);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	remove(path);
	return 0;
}

static void clear(const char *folder)
{
	nftw(folder, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

/* Puts a new clone in the place of the mirror, which need not exist. */
static int replace_mirror(
    const struct repo_source *s, const char *tmp, struct arena *a, struct err *e)
{
	const char *old = arena_printf(a, "%s/mirror.old", s->mirrors);

	clear(old);
	bool moved = !rename(s->place, old);
	if (rename(tmp, s->place)) {
		int why = errno;
		if (moved && rename(old, s->place))
			log_warn(
			    "mirror.lost", "dir=%s message=%s", log_quote(old), log_quote(strerror(errno)));
		return err_set(e, ERR_INTERNAL, "rename %s: %s", tmp, strerror(why));
	}
	clear(old);
	return 0;
}

static int clone(
    const struct repo_source *s, const struct options *o, struct arena *a, struct err *e)
{
	const char *tmp = arena_printf(a, "%s/mirror.tmp", s->mirrors);
	const char *argv[] = { "git", "clone", "--quiet", "--bare", "--no-hardlinks",
		o->shallow ? "--depth=1" : "--no-local", "--", s->url, tmp, NULL };
	struct buf out = { 0 };

	clear(tmp);
	int rc = git(s, o, argv, tmp, &out, a, e);
	if (!rc)
		rc = replace_mirror(s, tmp, a, e);
	if (rc)
		clear(tmp);
	buf_free(&out);
	return rc;
}

/* Point HEAD at the remote's default branch, which may have been renamed since the clone. */
static void follow_head(const struct repo_source *s, const struct options *o, struct arena *a)
{
	const char *ask[] = { "git", "ls-remote", "--symref", "--", s->url, "HEAD", NULL };
	struct buf out = { 0 };
	struct err e = { 0 };
	char branch[500];
	int rc = git(s, o, ask, NULL, &out, a, &e);

	if (!rc && out.p && sscanf(out.p, "ref: %499s HEAD", branch) == 1) {
		const char *set[] = { "git", "--git-dir", s->place, "symbolic-ref", "HEAD", branch, NULL };
		git(s, o, set, NULL, &out, a, &e);
	}
	buf_free(&out);
}

const char *repo_source_service_name(const struct repo_source *s, struct arena *a)
{
	static const char suffix[] = "-123456";	/* names of local repositories end like this */
	const char *last = s->name, *slash = strrchr(s->name, '/');

	if (slash)
		last = slash + 1;
	size_t n = strlen(last);
	if (!strncmp(s->repo_uri, "local:", 6) && n > strlen(suffix))
		n -= strlen(suffix);
	return arena_strn(a, last, n);
}

/* `again`: get all objects, even those that the mirror seems to have. */
static int fetch(const struct repo_source *s, const struct options *o, bool again, struct arena *a,
    struct err *e)
{
	const char *argv[] = { "git", "--git-dir", s->place, "fetch", "--quiet", "--prune", "--force",
		"--no-auto-gc", o->shallow ? "--depth=1" : "--no-tags",
		again ? "--refetch" : "--no-recurse-submodules", "--", s->url, "+refs/heads/*:refs/heads/*",
		NULL };
	struct buf out = { 0 };
	int rc = git(s, o, argv, s->place, &out, a, e);

	buf_free(&out);
	return rc;
}

int repo_source_fetch(
    const struct repo_source *s, const struct options *o, struct arena *a, struct err *e)
{
	struct stat st;

	if (!s->url)
		return 0;
	if (git_check_url(s->url, o, a, e))
		return -1;
	if (!strncasecmp(s->url, "file://", 7) && repo_check_ownership(s->url + 7, e))
		return -1;	/* git checks its owner, but not what it borrows */
	if (stat(s->place, &st)) {
		if (git_check_remote_size(s->url, s->repo_uri, o, a, e))
			return -1;
		return clone(s, o, a, e);
	}
	int rc = fetch(s, o, false, a, e);
	if (!rc)
		follow_head(s, o, a);
	return rc;
}

int repo_source_repair(const struct repo_source *s, const struct options *o, bool damaged,
    struct arena *a, struct err *e)
{
	if (git_check_url(s->url, o, a, e))
		return -1;
	if (damaged)		/* a damaged pack would hide the same objects in a new one */
		return clone(s, o, a, e);
	return fetch(s, o, true, a, e);
}
