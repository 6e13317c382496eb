#include "shard/daemon/head_watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/process/directory.h"
#include "shard/git/repo.h"

enum {
	FOLDERS_MAX = 300,		/* changes in further folders are found by polling */
	EVENTS = IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR,
	/* for the top folders and their parents, which others may replace */
	MOVED_EVENTS = IN_MOVE_SELF | IN_DELETE_SELF,
	ABOVE_MAX = 64,			/* parents that are watched */
	DEPTH_MAX = 16,			/* of folders below refs */
	SIGNALS = DN_CREATE | DN_MODIFY | DN_RENAME | DN_DELETE | DN_MULTISHOT,
	SIGNALS_ABOVE = DN_RENAME | DN_DELETE | DN_MULTISHOT
};

enum { OWN, SHARED, PLACE, PATHS };

struct head_watch {
	int fd;			/* of inotify, or of signals */
	bool signals;
	bool partly;		/* not all folders could be watched */
	bool local;
	bool left;		/* a parent was moved, or the repository was removed */
	int tops[2];		/* watches of its own folder and of the one shared with worktrees */
	char *paths[PATHS];	/* these two, and the path it was opened by, maybe over a symlink */
	ino_t nodes[PATHS];
	int above[ABOVE_MAX];	/* with signals: open parents */
	size_t n_above;
	char *refs;
	int folders[FOLDERS_MAX];	/* inotify watches; with signals, open folders */
	size_t n;
};

/* File systems to which no other machine writes: statfs(2). */
static const unsigned long local_systems[] = {
	0xef53 /* ext */, 0x58465342 /* xfs */, 0x9123683e /* btrfs */, 0x01021994 /* tmpfs */,
	0xf2f52010 /* f2fs */, 0x2fc12fc1 /* zfs */, 0xca451a4e /* bcachefs */,
};

static bool is_local(const char *dir)
{
	struct statfs f;

	if (statfs(dir, &f))
		return false;
	for (size_t i = 0; i < LEN(local_systems); i++)
		if ((unsigned long)f.f_type == local_systems[i])
			return true;
	return false;
}

static int one_signal(void)
{
	return SIGRTMIN;
}

void head_watch_add_signals(sigset_t *set)
{
	sigaddset(set, one_signal());
	sigaddset(set, SIGIO);		/* sent instead when the queue of signals is full */
}

/* Opens a folder for signals about its changes; -1 if that is impossible. */
static int open_signal(const char *dir, long what)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (!fcntl(fd, F_SETSIG, one_signal()) && !fcntl(fd, F_NOTIFY, what))
		return fd;
	close(fd);
	return -1;
}

static int watch_folder(const struct head_watch *w, const char *dir)
{
	if (w->signals)
		return open_signal(dir, SIGNALS);
	if (w->n < 2)	/* a top folder */
		return inotify_add_watch(w->fd, dir, EVENTS | MOVED_EVENTS);
	return inotify_add_watch(w->fd, dir, EVENTS);
}

static int add(struct head_watch *w, const char *dir)
{
	if (w->n >= FOLDERS_MAX) {
		w->partly = true;
		return -1;
	}
	int wd = watch_folder(w, dir);
	if (wd >= 0)
		w->folders[w->n++] = wd;
	else if (errno != ENOENT)
		w->partly = true;
	return wd;
}

static void add_parent_signal(struct head_watch *w, const char *dir)
{
	int fd = open_signal(dir, SIGNALS_ABOVE);

	if (fd >= 0)
		w->above[w->n_above++] = fd;
}

/*
 * Watches the parents of a path, to notice when one of them is moved.  Unreadable ones are left to
 * polling.
 */
static void add_above(struct head_watch *w, const char *place)
{
	char *path = realpath(place, NULL);

	while (path && *path && w->n_above < ABOVE_MAX) {
		if (!w->signals)
			inotify_add_watch(w->fd, path, MOVED_EVENTS | IN_ONLYDIR | IN_MASK_ADD);
		*strrchr(path, '/') = 0;
		if (w->signals)
			add_parent_signal(w, *path ? path : "/");
	}
	free(path);
}

static bool is_in(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return !strncmp(path, dir, n) && (!path[n] || path[n] == '/');
}

static void watch_above(struct head_watch *w)
{
	for (int i = 0; i < PATHS; i++) {
		bool known = false;
		for (int k = 0; k < i; k++)
			known |= is_in(w->paths[k], w->paths[i]);
		if (!known)
			add_above(w, w->paths[i]);
	}
}

/* Watches a folder and those below it; a folder that is already watched stays so. */
static void add_below(struct head_watch *w, const char *dir, int depth)
{
	if (depth >= DEPTH_MAX) {
		w->partly = true;
		return;
	}
	if (add(w, dir) < 0)
		return;
	DIR *d = directory_open(dir);
	if (!d)
		return;
	struct dirent *x;
	while ((x = readdir(d))) {
		char path[4096];
		if (*x->d_name == '.' || x->d_type != DT_DIR)
			continue;
		if (snprintf(path, sizeof path, "%s/%s", dir, x->d_name) < (int)sizeof path)
			add_below(w, path, depth + 1);
	}
	closedir(d);
}

/* Watches the folders below refs as they are now, instead of all but the two top ones. */
static void watch_refs(struct head_watch *w)
{
	while (w->n > 2) {
		w->n--;
		if (w->signals)
			close(w->folders[w->n]);
	}
	w->partly = false;
	add_below(w, w->refs, 0);
}

static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	head_watch_add_signals(&set);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static ino_t inode_of(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return 0;
	return st.st_ino;
}

static bool open_roots(struct head_watch *w)
{
	if (w->signals)
		w->fd = open_signals();
	else
		w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (w->fd < 0)
		return false;
	for (int i = OWN; i <= SHARED; i++) {
		w->tops[i] = add(w, w->paths[i]);
		if (w->tops[i] < 0)
			return false;
	}
	watch_above(w);
	return true;
}

static void close_all(struct head_watch *w)
{
	for (; w->signals && w->n; w->n--)
		close(w->folders[w->n - 1]);
	while (w->n_above)
		close(w->above[--w->n_above]);
	if (w->fd >= 0)
		close(w->fd);
	w->n = 0;
}

struct head_watch *head_watch_new(struct repo *repo, const char *place)
{
	struct head_watch *w = xcalloc(1, sizeof *w);
	struct arena *a = arena_new();

	w->paths[OWN] = xstrdup(repo_git_dir(repo, false, a));
	w->paths[SHARED] = xstrdup(repo_git_dir(repo, true, a));
	w->paths[PLACE] = xstrdup(place);
	for (int i = 0; i < PATHS; i++)
		w->nodes[i] = inode_of(w->paths[i]);
	w->refs = xstrdup(arena_printf(a, "%s/refs", w->paths[SHARED]));
	w->local = is_local(w->paths[OWN]) && is_local(w->paths[SHARED]);
	arena_free(a);
	bool ok = open_roots(w);
	if (!ok) {
		close_all(w);
		w->signals = true;
		ok = open_roots(w);
	}
	if (!ok) {
		head_watch_free(w);
		return NULL;
	}
	watch_refs(w);
	return w;
}

void head_watch_free(struct head_watch *w)
{
	if (!w)
		return;
	close_all(w);
	for (int i = 0; i < PATHS; i++)
		free(w->paths[i]);
	free(w->refs);
	free(w);
}

int head_watch_fd(const struct head_watch *w)
{
	if (w)
		return w->fd;
	return -1;
}

bool head_watch_is_moved(const struct head_watch *w)
{
	if (!w)
		return false;
	for (int i = 0; i < PATHS; i++)
		if (inode_of(w->paths[i]) != w->nodes[i])
			return true;
	return w->left;
}

bool head_watch_is_complete(const struct head_watch *w)
{
	if (!w)
		return false;
	return w->local && !w->partly;
}

/* Of the files in the top folders few matter; in refs all do except the locks that git renames. */
static bool matters(const struct head_watch *w, const struct inotify_event *x)
{
	static const char *const names[] = { "HEAD", "packed-refs", "refs" };
	size_t n = 0;

	if (x->len)
		n = strlen(x->name);
	if (x->mask & (IN_Q_OVERFLOW | MOVED_EVENTS))
		return true;
	if (x->wd != w->tops[OWN] && x->wd != w->tops[SHARED])
		return n < 5 || strcmp(x->name + n - 5, ".lock");
	for (size_t i = 0; i < LEN(names); i++)
		if (n && !strcmp(x->name, names[i]))
			return true;
	return false;
}

static bool is_above(const struct head_watch *w, int fd)
{
	for (size_t i = 0; i < w->n_above; i++)
		if (w->above[i] == fd)
			return true;
	return false;
}

/* Signals tell which folder changed, but not which file: there is something to check each time. */
static bool read_signals(struct head_watch *w)
{
	struct signalfd_siginfo x;
	bool hit = false, folders = false;

	while (read(w->fd, &x, sizeof x) == sizeof x) {
		bool overflow = x.ssi_signo == SIGIO, above = is_above(w, x.ssi_fd);
		bool top = x.ssi_fd == w->tops[OWN] || x.ssi_fd == w->tops[SHARED];
		hit |= overflow || !above || head_watch_is_moved(w);
		folders |= overflow || (!top && !above);
	}
	if (folders)
		watch_refs(w);
	return hit;
}

static bool read_events(struct head_watch *w)
{
	_Alignas(struct inotify_event) char events[16384];
	bool hit = false, folders = false;

	for (;;) {
		ssize_t n = read(w->fd, events, sizeof events);
		if (n <= 0)
			break;
		const char *p = events;
		while (p < events + n) {
			const struct inotify_event *x = (const void *)p;
			hit |= matters(w, x);
			w->left |= (x->mask & MOVED_EVENTS) != 0;
			folders |= (x->mask & (IN_ISDIR | IN_Q_OVERFLOW)) != 0;
			p += sizeof *x + x->len;
		}
	}
	if (hit && folders)
		watch_refs(w);
	return hit;
}

bool head_watch_read(struct head_watch *w)
{
	if (!w)
		return false;
	if (w->signals)
		return read_signals(w);
	return read_events(w);
}
