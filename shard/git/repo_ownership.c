#include "shard/git/repo_ownership.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/process/directory.h"
#include "proto/process/options.h"
#include "shard/git/repo_internal.h"

enum {
	ALTERNATES_DEEP = 5, /* of alternates of alternates, as git has it */
	ALTERNATES_MOST = 100,
	ALTERNATES_BYTES = 64 << 10,
	LINK_BYTES = 4096, /* of a .git file or a commondir file */
};

static const struct string_list none;
static const struct string_list *named = &none;
static const char *mirror;

void repo_safe_directories(const struct string_list *l)
{
	named = l;
}

void repo_safe_mirror(const char *path)
{
	mirror = path;
}

/* ---- where its parts are ---- */

static const char *real_path(const char *path, struct arena *a)
{
	char real[PATH_MAX];

	if (realpath(path, real))
		return arena_str(a, real);
	return NULL;
}

static const char *below(const char *folder, const char *path, struct arena *a)
{
	if (*path == '/')
		return path;
	return arena_printf(a, "%s/%s", folder, path);
}

/* A small file, without the line's end; NULL: it is none.  More than `most` bytes are no small
 * file. */
static char *read_small(const char *path, size_t most, struct arena *a)
{
	struct stat st;
	char *text = NULL;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || (size_t)st.st_size > most)
		return NULL;
	FILE *f = fopen(path, "re");
	if (!f)
		return NULL;
	text = arena_many(a, most + 1, char);
	text[fread(text, 1, most, f)] = 0;
	fclose(f);
	for (size_t n = strlen(text); n && strchr("\r\n", text[n - 1]); n--)
		text[n - 1] = 0;
	return text;
}

/* The folder that a .git file names. */
static const char *link_target(const char *link, const char *folder, struct arena *a)
{
	static const char word[] = "gitdir:";
	const char *text = read_small(link, LINK_BYTES, a);

	if (!text || strncmp(text, word, strlen(word)))
		return NULL;
	text += strlen(word);
	return real_path(below(folder, text + strspn(text, " \t"), a), a);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

int repo_layout(const char *path, struct repo_layout *l, struct arena *a)
{
	struct stat st;
	const char *top = real_path(path, a);

	*l = (struct repo_layout){ 0 };
	if (!top)
		return -1;
	const char *inner = arena_printf(a, "%s/.git", strcmp(top, "/") ? top : "");
	if (!stat(inner, &st)) {
		l->work = top;
		if (S_ISREG(st.st_mode))
			l->link = inner;
		else
			l->link = NULL;
		if (l->link)
			l->dir = link_target(inner, top, a);
		else
			l->dir = real_path(inner, a);
	} else if (is_folder(arena_printf(a, "%s/objects", top)) ||
		   !access(arena_printf(a, "%s/commondir", top), F_OK)) {
		l->dir = top;
	}
	if (!l->dir)
		return -1;
	const char *common = read_small(arena_printf(a, "%s/commondir", l->dir), LINK_BYTES, a);
	if (common)
		l->common = real_path(below(l->dir, common, a), a);
	else
		l->common = l->dir;
	return l->common ? 0 : -1;
}

/* ---- what is named ---- */

struct safe_directories {
	struct arena *a;
	bool all;
	const char **v; /* without symbolic links; `DIR/` means all below it */
	size_t n, cap;
};

static void name(struct safe_directories *x, const char *value)
{
	const char *home = getenv("HOME");
	size_t n = strlen(value);

	if (!n) {
		x->all = false;
		x->n = 0;
		return;
	}
	if (!strcmp(value, "*")) {
		x->all = true;
		return;
	}
	if (!strncmp(value, "~/", 2) && home)
		value = arena_printf(x->a, "%s/%s", home, value + 2);
	n = strlen(value);
	bool inside = n > 2 && !strcmp(value + n - 2, "/*");
	const char *real = real_path(inside ? arena_strn(x->a, value, n - 2) : value, x->a);
	if (!real)
		return;
	x->v = grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
	x->v[x->n++] = inside ? arena_printf(x->a, "%s/", strcmp(real, "/") ? real : "") : real;
}

/* Settings of the system and of the user; never those of a repository, which its owner writes. */
static void add_config(git_config *config, const char *path, git_config_level_t level)
{
	if (path && *path && !access(path, R_OK))
		git_config_add_file_ondisk(config, path, level, NULL, 0);
}

static git_config *protected_config(void)
{
	const char *system = getenv("GIT_CONFIG_SYSTEM"), *global = getenv("GIT_CONFIG_GLOBAL"),
		   *nothing = getenv("GIT_CONFIG_NOSYSTEM");
	git_buf found = GIT_BUF_INIT;
	git_config *config = NULL;

	if (git_config_new(&config))
		return NULL;
	bool wanted = !nothing || !*nothing || !strcmp(nothing, "0") || !strcmp(nothing, "false");
	if (!system && wanted && !git_config_find_system(&found))
		system = found.ptr;
	if (wanted)
		add_config(config, system, GIT_CONFIG_LEVEL_SYSTEM);
	git_buf_dispose(&found);
	if (global) {
		add_config(config, global, GIT_CONFIG_LEVEL_GLOBAL);
		return config;
	}
	add_config(config, !git_config_find_xdg(&found) ? found.ptr : NULL, GIT_CONFIG_LEVEL_XDG);
	git_buf_dispose(&found);
	add_config(
	    config, !git_config_find_global(&found) ? found.ptr : NULL, GIT_CONFIG_LEVEL_GLOBAL);
	git_buf_dispose(&found);
	return config;
}

static void read_safe_directories(struct safe_directories *x)
{
	git_config *config = protected_config();
	git_config_iterator *it = NULL;
	git_config_entry *entry;

	if (config && !git_config_iterator_new(&it, config))
		while (!git_config_next(&entry, it))
			if (!strcmp(entry->name, "safe.directory"))
				name(x, entry->value ? entry->value : "");
	git_config_iterator_free(it);
	git_config_free(config);
	for (size_t i = 0; i < named->n; i++)
		name(x, named->v[i]);
}

static bool is_safe_directory(const struct safe_directories *x, const char *path)
{
	for (size_t i = 0; i < x->n; i++) {
		size_t n = strlen(x->v[i]);
		if (!strcmp(x->v[i], path) || (x->v[i][n - 1] == '/' && !strncmp(path, x->v[i], n)))
			return true;
	}
	return false;
}

/* ---- whose it is ---- */

struct ownership_check {
	struct arena *a;
	struct safe_directories names;
	bool names_read;      /* names are known: they are read when somebody else owns something */
	bool is_own_mirror;         /* the mirror that we have made */
	const char *path; /* as it was given */
	size_t alternates;
	struct err *e;
};

static const char *user_name(uid_t id, struct arena *a)
{
	char text[1024];
	struct passwd p, *found = NULL;

	if (getpwuid_r(id, &p, text, sizeof text, &found) || !found)
		return arena_printf(a, "uid %u", (unsigned)id);
	return arena_printf(a, "`%s` (uid %u)", p.pw_name, (unsigned)id);
}

/* As git: root may also be who called sudo. */
static bool is_ours(uid_t id)
{
	const char *sudo = getenv("SUDO_UID");
	char *end;

	if (id == geteuid())
		return true;
	if (geteuid() || !sudo || !*sudo)
		return false;
	unsigned long was = strtoul(sudo, &end, 10);
	return !*end && was <= UINT_MAX && id == (uid_t)was;
}

static struct safe_directories preloaded_directories;

void repo_safe_preload(void)
{
	preloaded_directories.a = arena_new();	/* as long as the process */
	read_safe_directories(&preloaded_directories);
}

static const struct safe_directories *get_safe_directories(struct ownership_check *x)
{
	if (preloaded_directories.a)
		return &preloaded_directories;
	if (!x->names_read)
		read_safe_directories(&x->names);
	x->names_read = true;
	return &x->names;
}

/* A part that is of somebody else than its repository.  Also when a folder that holds it is named:
 * a repository is, not its objects. */
static int check_borrowed(
    struct ownership_check *x, const char *what, const char *path, uid_t of, uid_t owner)
{
	char *up = arena_str(x->a, path);

	if (!x->is_own_mirror && (of == owner || (is_ours(of) && is_ours(owner))))
		return 0;
	if (x->is_own_mirror) {
		err_set(x->e, ERR_FORBIDDEN, "%.60s: %s leads to %.90s: a mirror borrows nothing",
		    x->path, what, path);
		return err_hint(x->e, "Delete the mirror: it is cloned anew.");
	}
	for (int i = 0; i < 3 && *up; i++) {
		if (is_safe_directory(get_safe_directories(x), up))
			return 0;
		*strrchr(up, '/') = 0;
	}
	err_set(x->e, ERR_FORBIDDEN,
	    "%.60s: %s leads to %.60s, which belongs to %.40s; name that in ATOLL_SAFE_DIRECTORY",
	    x->path, what, path, user_name(of, x->a));
	return err_hint(x->e,
	    "`--safe-directory %.100s` (ATOLL_SAFE_DIRECTORY) admits it, if its owner agrees.", path);
}

/* What does not exist leads nowhere. */
static int check_target(struct ownership_check *x, const char *what, const char *path, uid_t owner)
{
	struct stat st;
	const char *real = real_path(path, x->a);

	if (real && !stat(real, &st))
		return check_borrowed(x, what, real, st.st_uid, owner);
	return 0;
}

static bool is_link(const struct dirent *d, const char *path)
{
	struct stat st;

	if (d->d_type != DT_UNKNOWN)
		return d->d_type == DT_LNK;
	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

/* Symbolic links among the entries of a folder; and of its folders, `deep` of them. */
static int check_links(struct ownership_check *x, const char *folder, uid_t owner, int deep)
{
	DIR *d = directory_open(folder);
	struct dirent *entry;
	int rc = 0;

	while (d && !rc && (entry = readdir(d))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		const char *path = arena_printf(x->a, "%s/%s", folder, entry->d_name);
		if (is_link(entry, path))
			rc = check_target(
			    x, arena_printf(x->a, "its link `%.30s`", entry->d_name), path, owner);
		else if (deep && (entry->d_type == DT_DIR ||
				     (entry->d_type == DT_UNKNOWN && is_folder(path))))
			rc = check_links(x, path, owner, deep - 1);
	}
	if (d)
		closedir(d);
	return rc;
}

static int check_objects(struct ownership_check *x, const char *objects, uid_t owner, int depth);

/* One line of the file.  git takes it from the folder of objects, libgit2 some from where the
 * process stands: both must do. */
static int check_alternate(
    struct ownership_check *x, const char *objects, const char *line, uid_t owner, int depth)
{
	const char *const places[] = { below(objects, line, x->a), line };
	struct stat st;

	for (size_t i = 0; i < LEN(places); i++) {
		const char *real = real_path(places[i], x->a);
		if (!real || stat(real, &st))
			continue;
		if (check_borrowed(x, "objects/info/alternates", real, st.st_uid, owner) ||
		    check_objects(x, real, st.st_uid, depth + 1))
			return -1;
	}
	return 0;
}

static int check_alternates(struct ownership_check *x, const char *objects, uid_t owner, int depth)
{
	const char *path = arena_printf(x->a, "%s/info/alternates", objects);
	struct stat st;

	if (stat(path, &st))
		return 0;
	char *text = read_small(path, ALTERNATES_BYTES, x->a), *line;
	if (!text || depth >= ALTERNATES_DEEP)
		return err_set(x->e, ERR_FORBIDDEN, "%.100s: alternates are too %s: %.80s", x->path,
		    text ? "deep" : "large", path);
	while ((line = strsep(&text, "\n"))) {
		line[strcspn(line, "\r")] = 0;
		if (!*line || *line == '#')
			continue;
		if (*line == '"' || ++x->alternates > ALTERNATES_MOST)
			return err_set(x->e, ERR_FORBIDDEN,
			    "%.100s: alternates are quoted, or too many: %.80s", x->path, path);
		if (check_alternate(x, objects, line, owner, depth))
			return -1;
	}
	return 0;
}

/* Links of single objects, too: a folder of 256 is read in a millisecond. */
static int check_objects(struct ownership_check *x, const char *objects, uid_t owner, int depth)
{
	if (check_links(x, objects, owner, 1))
		return -1;
	return check_alternates(x, objects, owner, depth);
}

/* Not ours, and not named. */
static int fail_foreign_owner(struct ownership_check *x, const char *path, uid_t of)
{
	err_set(x->e, ERR_FORBIDDEN,
	    "%.90s belongs to %.40s, and this runs as %.40s; ATOLL_SAFE_DIRECTORY names those that "
	    "may be read",
	    path, user_name(of, x->a), user_name(geteuid(), x->a));
	return err_hint(x->e,
	    "`--safe-directory %.100s` (ATOLL_SAFE_DIRECTORY, or git's safe.directory) admits it.",
	    path);
}

/* As git's ensure_valid_ownership: each of the three is ours, or the repository is named.  *owner:
 * whom what it borrows must belong to. */
static int check_owner(struct ownership_check *x, const struct repo_layout *l, uid_t *owner)
{
	const char *top = l->work ? l->work : l->dir;
	const char *const parts[] = { top, l->link ? l->link : top, l->dir };
	struct stat st;

	if (stat(top, &st))
		return 0;
	*owner = st.st_uid;
	if (x->is_own_mirror)
		return 0;
	for (size_t i = 0; i < LEN(parts); i++) {
		if (lstat(parts[i], &st) || is_ours(st.st_uid))
			continue;
		const struct safe_directories *names = get_safe_directories(x);
		if (names->all || is_safe_directory(names, top) || is_safe_directory(names, l->dir))
			return 0;
		return fail_foreign_owner(x, parts[i], st.st_uid);
	}
	return 0;
}

static int check(struct ownership_check *x, const struct repo_layout *l)
{
	uid_t owner = geteuid();

	if (check_owner(x, l, &owner))
		return -1;
	if ((l->work && check_target(x, "its .git", l->dir, owner)) ||
	    (l->common != l->dir && check_target(x, "its common directory", l->common, owner)) ||
	    check_links(x, l->dir, owner, 0) ||
	    (l->common != l->dir && check_links(x, l->common, owner, 0)))
		return -1;
	const char *objects = real_path(arena_printf(x->a, "%s/objects", l->common), x->a);
	if (objects)
		return check_objects(x, objects, owner, 0);
	return 0;
}

int repo_check_ownership(const char *path, struct err *e)
{
	struct ownership_check x = {
		.a = arena_new(), .path = path, .is_own_mirror = mirror && !strcmp(mirror, path), .e = e
	};
	struct repo_layout l;

	x.names.a = x.a;
	int rc = 0;
	if (!repo_layout(path, &l, x.a))
		rc = check(&x, &l);
	free(x.names.v);
	arena_free(x.a);
	return rc;
}
