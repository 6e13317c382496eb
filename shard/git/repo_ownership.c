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
#include "proto/base/optional_text.h"
#include "proto/process/directory.h"
#include "proto/process/options.h"
#include "shard/git/linkless_folders.h"
#include "shard/git/repo_internal.h"

enum {
	MAX_ALTERNATE_DEPTH = 5, /* git follows alternates of alternates to this depth */
	MAX_ALTERNATES = 100,
	MAX_ALTERNATES_BYTES = 64 << 10,
	MAX_LINK_BYTES = 4096, /* of a .git file or a commondir file */
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

/* ---- the parts of a repository ---- */

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

/* The text of a regular file of at most `max_bytes`, without the newline at its end; else NULL. */
static char *read_small(const char *path, size_t max_bytes, struct arena *a)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || (size_t)st.st_size > max_bytes)
		return NULL;
	FILE *f = fopen(path, "re");
	if (!f)
		return NULL;
	char *text = arena_many(a, max_bytes + 1, char);
	text[fread(text, 1, max_bytes, f)] = 0;
	fclose(f);
	for (size_t n = strlen(text); n && strchr("\r\n", text[n - 1]); n--)
		text[n - 1] = 0;
	return text;
}

/* The folder that a .git file names. */
static const char *link_target(const char *link, const char *folder, struct arena *a)
{
	static const char word[] = "gitdir:";
	const char *text = read_small(link, MAX_LINK_BYTES, a);

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

static bool is_git_dir(const char *folder, struct arena *a)
{
	if (is_folder(arena_printf(a, "%s/objects", folder)))
		return true;
	return !access(arena_printf(a, "%s/commondir", folder), F_OK);
}

/* Without the slash of the root folder, to append `/NAME` to it. */
static const char *without_root(const char *folder)
{
	if (!strcmp(folder, "/"))
		return "";
	return folder;
}

int repo_layout(const char *path, struct repo_layout *l, struct arena *a)
{
	struct stat st;
	const char *top = real_path(path, a);

	*l = (struct repo_layout){ 0 };
	if (!top)
		return -1;
	const char *inner = arena_printf(a, "%s/.git", without_root(top));
	if (!stat(inner, &st)) {
		l->work = top;
		if (S_ISREG(st.st_mode)) {
			l->link = inner;
			l->dir = link_target(inner, top, a);
		} else {
			l->dir = real_path(inner, a);
		}
	} else if (is_git_dir(top, a)) {
		l->dir = top;
	}
	if (!l->dir)
		return -1;
	l->common = l->dir;
	const char *common = read_small(arena_printf(a, "%s/commondir", l->dir), MAX_LINK_BYTES, a);
	if (common)
		l->common = real_path(below(l->dir, common, a), a);
	return l->common ? 0 : -1;
}

/* ---- safe directories ---- */

struct safe_directories {
	struct arena *a;
	bool all;
	const char **v; /* without symbolic links; `DIR/` means everything below DIR */
	size_t n, cap;
};

static void add_safe_directory(struct safe_directories *x, const char *value)
{
	const char *home = getenv("HOME");
	size_t n = strlen(value);

	if (!n) {	/* as in git: an empty value clears the list */
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
	if (inside)
		value = arena_strn(x->a, value, n - 2);
	const char *real = real_path(value, x->a);
	if (!real)
		return;
	if (inside)
		real = arena_printf(x->a, "%s/", without_root(real));
	x->v = grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
	x->v[x->n++] = real;
}

/*
 * Only the settings of the system and of the user count, never those of a repository, because its
 * owner writes them.
 */
static void add_config(git_config *config, const char *path, git_config_level_t level)
{
	if (path && *path && !access(path, R_OK))
		git_config_add_file_ondisk(config, path, level, NULL, 0);
}

static void add_found_config(
    git_config *config, int (*find)(git_buf *), git_config_level_t level)
{
	git_buf found = GIT_BUF_INIT;

	if (!find(&found))
		add_config(config, found.ptr, level);
	git_buf_dispose(&found);
}

/* A boolean of git's environment; unset and empty are false. */
static bool environment_flag(const char *name)
{
	const char *value = getenv(name);

	if (!value || !*value)
		return false;
	return strcmp(value, "0") && strcmp(value, "false");
}

static git_config *protected_config(void)
{
	const char *system = getenv("GIT_CONFIG_SYSTEM"), *global = getenv("GIT_CONFIG_GLOBAL");
	bool use_system = !environment_flag("GIT_CONFIG_NOSYSTEM");
	git_config *config = NULL;

	if (git_config_new(&config))
		return NULL;
	if (use_system && system)
		add_config(config, system, GIT_CONFIG_LEVEL_SYSTEM);
	else if (use_system)
		add_found_config(config, git_config_find_system, GIT_CONFIG_LEVEL_SYSTEM);
	if (global) {
		add_config(config, global, GIT_CONFIG_LEVEL_GLOBAL);
		return config;
	}
	add_found_config(config, git_config_find_xdg, GIT_CONFIG_LEVEL_XDG);
	add_found_config(config, git_config_find_global, GIT_CONFIG_LEVEL_GLOBAL);
	return config;
}

static void read_safe_directories(struct safe_directories *x)
{
	git_config *config = protected_config();
	git_config_iterator *it = NULL;
	git_config_entry *entry;

	if (config && git_config_iterator_new(&it, config))
		it = NULL;
	while (it && !git_config_next(&entry, it)) {
		if (!strcmp(entry->name, "safe.directory"))
			add_safe_directory(x, text_or_empty(entry->value));
	}
	git_config_iterator_free(it);
	git_config_free(config);
	for (size_t i = 0; i < named->n; i++)
		add_safe_directory(x, named->v[i]);
}

static bool is_safe_directory(const struct safe_directories *x, const char *path)
{
	for (size_t i = 0; i < x->n; i++) {
		size_t n = strlen(x->v[i]);
		bool is_below = x->v[i][n - 1] == '/' && !strncmp(path, x->v[i], n);
		if (is_below || !strcmp(x->v[i], path))
			return true;
	}
	return false;
}

/* ---- ownership ---- */

struct ownership_check {
	struct arena *a;
	struct safe_directories names;
	bool names_read; /* they are read only when something belongs to another user */
	bool is_own_mirror; /* the repository is a mirror that we cloned */
	const char *path; /* as the caller passed it */
	size_t alternates; /* that were checked so far */
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

/* As in git: for root, the user who called sudo counts as well. */
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
	preloaded_directories.a = arena_new();	/* lives as long as the process */
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

/*
 * Check a part that the repository borrows: `of` owns the part, `owner` the repository.  The part
 * may be named itself, or one of the two folders above it, because the user names a repository and
 * not its folder of objects.
 */
static int check_borrowed(
    struct ownership_check *x, const char *what, const char *path, uid_t of, uid_t owner)
{
	char *up = arena_str(x->a, path);

	if (x->is_own_mirror) {
		err_set(x->e, ERR_FORBIDDEN,
		    "%.60s: %s leads to %.90s; a mirror must not borrow from other folders", x->path, what,
		    path);
		return err_hint(x->e, "Delete the mirror; the shard clones it again.");
	}
	if (of == owner || (is_ours(of) && is_ours(owner)))
		return 0;
	for (int i = 0; i < 3 && *up; i++) {
		if (is_safe_directory(get_safe_directories(x), up))
			return 0;
		*strrchr(up, '/') = 0;
	}
	err_set(x->e, ERR_FORBIDDEN,
	    "%.60s: %s leads to %.60s, which belongs to %.40s; to allow it, add it to "
	    "ATOLL_SAFE_DIRECTORY",
	    x->path, what, path, user_name(of, x->a));
	return err_hint(x->e,
	    "If its owner agrees, allow it with `--safe-directory %.100s` (ATOLL_SAFE_DIRECTORY).",
	    path);
}

/* Check where a path leads; a path that does not exist is fine. */
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

static bool is_folder_entry(const struct dirent *d, const char *path)
{
	if (d->d_type != DT_UNKNOWN)
		return d->d_type == DT_DIR;
	return is_folder(path);
}

/* Check the symbolic links in a folder.  Sets *linkless if it has none. */
static int check_folder_links(
    struct ownership_check *x, const char *folder, uid_t owner, bool *linkless)
{
	DIR *d = directory_open(folder);
	int rc = 0;

	*linkless = d != NULL;
	while (d && !rc) {
		const struct dirent *entry = readdir(d);
		if (!entry)
			break;
		const char *path = below(folder, entry->d_name, x->a);
		if (!is_link(entry, path))
			continue;
		*linkless = false;
		rc = check_target(x, arena_printf(x->a, "its link `%.30s`", entry->d_name), path, owner);
	}
	if (d)
		closedir(d);
	return rc;
}

/* The same for a folder of loose objects, which may have many entries. */
static int check_object_links(struct ownership_check *x, const char *folder, uid_t owner)
{
	struct stat st;
	bool linkless, exists = !stat(folder, &st);

	if (exists && linkless_folder_is_known(&st))
		return 0;
	int rc = check_folder_links(x, folder, owner, &linkless);
	if (exists && linkless)
		linkless_folder_note(&st);
	return rc;
}

/* Check the symbolic links in a folder and in the folders in it. */
static int check_links(struct ownership_check *x, const char *folder, uid_t owner, bool below_it)
{
	bool linkless;
	int rc = check_folder_links(x, folder, owner, &linkless);
	DIR *d = NULL;

	if (below_it && !rc)
		d = directory_open(folder);
	while (d && !rc) {
		const struct dirent *entry = readdir(d);
		if (!entry)
			break;
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		const char *path = below(folder, entry->d_name, x->a);
		if (!is_link(entry, path) && is_folder_entry(entry, path))
			rc = check_object_links(x, path, owner);
	}
	if (d)
		closedir(d);
	return rc;
}

static int check_objects(struct ownership_check *x, const char *objects, uid_t owner, int depth);

/*
 * Check one line of the file.  git resolves it from the folder of objects, and libgit2 resolves
 * some lines from the process's working directory, so both places are checked.
 */
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
	char *text = read_small(path, MAX_ALTERNATES_BYTES, x->a), *line;
	if (!text || depth >= MAX_ALTERNATE_DEPTH)
		return err_set(x->e, ERR_FORBIDDEN, "%.100s: alternates are too %s: %.80s", x->path,
		    text ? "deep" : "large", path);
	while ((line = strsep(&text, "\n"))) {
		line[strcspn(line, "\r")] = 0;
		if (!*line || *line == '#')
			continue;
		x->alternates++;
		if (*line == '"' || x->alternates > MAX_ALTERNATES)
			return err_set(x->e, ERR_FORBIDDEN,
			    "%.100s: alternates are quoted, or too many: %.80s", x->path, path);
		if (check_alternate(x, objects, line, owner, depth))
			return -1;
	}
	return 0;
}

/* Also check the links of single objects, in 256 folders. */
static int check_objects(struct ownership_check *x, const char *objects, uid_t owner, int depth)
{
	if (check_links(x, objects, owner, true))
		return -1;
	return check_alternates(x, objects, owner, depth);
}

/* The repository belongs to another user and is not named. */
static int fail_foreign_owner(struct ownership_check *x, const char *path, uid_t of)
{
	err_set(x->e, ERR_FORBIDDEN,
	    "%.90s belongs to %.40s, but the shard runs as %.40s; to allow it, add it to "
	    "ATOLL_SAFE_DIRECTORY",
	    path, user_name(of, x->a), user_name(geteuid(), x->a));
	return err_hint(x->e,
	    "Allow it with `--safe-directory %.100s` (ATOLL_SAFE_DIRECTORY, or git's safe.directory).",
	    path);
}

/*
 * Like git's ensure_valid_ownership: working tree, .git file and git directory must each be ours,
 * or the repository must be named.  Sets *owner, to whom everything that it borrows must belong.
 */
static int check_owner(struct ownership_check *x, const struct repo_layout *l, uid_t *owner)
{
	const char *top = l->work ? l->work : l->dir;
	const char *link = l->link ? l->link : top;
	const char *const parts[] = { top, link, l->dir };
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
	bool has_common = l->common != l->dir;
	uid_t owner = geteuid();

	if (check_owner(x, l, &owner))
		return -1;
	if (l->work && check_target(x, "its .git", l->dir, owner))
		return -1;
	if (has_common && check_target(x, "its common directory", l->common, owner))
		return -1;
	if (check_links(x, l->dir, owner, false))
		return -1;
	if (has_common && check_links(x, l->common, owner, false))
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
