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
	FOLDERS_MAX = 300,		/* folders; beyond, polling sees the rest */
	EVENTS = IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR,
	/* of the folders at the top and those they are in: others may come in their place */
	MOVED_EVENTS = IN_MOVE_SELF | IN_DELETE_SELF,
	ABOVE_MAX = 64,		/* folders above that are watched */
	SIGNALS = DN_CREATE | DN_MODIFY | DN_RENAME | DN_DELETE | DN_MULTISHOT
};

enum { OWN, SHARED, PLACE, PATHS };

struct head_watch {
	int fd;			/* of inotify, or of signals */
	bool signals;
	bool partly;		/* not all folders could be watched */
	bool local;
	bool left;		/* a folder that it is in was moved, or it was removed */
	int tops[2];		/* the repository's own folder and the one it shares with worktrees */
	char *paths[PATHS];	/* these, and the one it was opened by: that may lead over a symlink */
	ino_t nodes[PATHS];
	int above[ABOVE_MAX];	/* with signals */
	size_t n_above;
	char *refs;
	int folders[FOLDERS_MAX];	/* watches; with signals, files that are held open */
	size_t n;
};

/* Where no other machine writes: statfs(2). */
static const unsigned long local_systems[] = {
	0xef53 /* ext */, 0x58465342 /* xfs */, 0x9123683e /* btrfs */, 0x01021994 /* tmpfs */,
	    0xf2f52010 /* f2fs */, 0x2fc12fc1 /* zfs */,
	0xca451a4e /* bcachefs */,
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
	sigaddset(set, SIGIO);		/* comes instead when too many wait */
}

static int open_signal(const char *dir, long what)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || (!fcntl(fd, F_SETSIG, one_signal()) && !fcntl(fd, F_NOTIFY, what)))
		return fd;
	close(fd);
	return -1;
}

static int add(struct head_watch *w, const char *dir)
{
	int wd = w->n >= FOLDERS_MAX ? -1 :
	    w->signals               ? open_signal(dir, SIGNALS) :
	                 inotify_add_watch(w->fd, dir, w->n < 2 ? EVENTS | MOVED_EVENTS : EVENTS);

	if (wd >= 0)
		w->folders[w->n++] = wd;
	w->partly |= wd < 0 && (w->n >= FOLDERS_MAX || errno != ENOENT);
	return wd;
}

/*
 * The folders that a path is in, so that it is told when one of them moves.  What may not be read
 * is left to polling.
 */
static void add_above(struct head_watch *w, const char *place)
{
	char *path = realpath(place, NULL);

	while (path && *path && w->n_above < ABOVE_MAX) {
		if (!w->signals)
			inotify_add_watch(w->fd, path, MOVED_EVENTS | IN_ONLYDIR | IN_MASK_ADD);
		*strrchr(path, '/') = 0;
		if (w->signals &&
		    (w->above[w->n_above] = open_signal(
		         *path ? path : "/", DN_RENAME | DN_DELETE | DN_MULTISHOT)) >= 0)
			w->n_above++;
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

/* A folder and those in it; one that is watched already stays so. */
static void add_below(struct head_watch *w, const char *dir, int depth)
{
	DIR *d = NULL;

	if (depth < 16 && add(w, dir) >= 0)
		d = directory_open(dir);
	w->partly |= depth >= 16;
	for (struct dirent *x; d && (x = readdir(d));) {
		char path[4096];
		if (*x->d_name == '.' || x->d_type != DT_DIR)
			continue;
		if (snprintf(path, sizeof path, "%s/%s", dir, x->d_name) < (int)sizeof path)
			add_below(w, path, depth + 1);
	}
	if (d)
		closedir(d);
}

/* All but the two at the top are watched as they are now. */
static void watch_refs(struct head_watch *w)
{
	while (w->n > 2)
		if (--w->n, w->signals)
			close(w->folders[w->n]);
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
	for (int i = OWN; i <= SHARED; i++)
		if (w->fd < 0 || (w->tops[i] = add(w, w->paths[i])) < 0)
			return false;
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

	for (int i = 0; i < PATHS; i++) {
		w->paths[i] = strdup(i == PLACE ? place : repo_git_dir(repo, i == SHARED, a));
		w->nodes[i] = inode_of(w->paths[i]);
	}
	w->refs = strdup(arena_printf(a, "%s/refs", w->paths[SHARED]));
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
	return w ? w->fd : -1;
}

bool head_watch_is_moved(const struct head_watch *w)
{
	bool left = w && w->left;

	for (int i = 0; w && i < PATHS; i++)
		left |= inode_of(w->paths[i]) != w->nodes[i];
	return left;
}

bool head_watch_is_complete(const struct head_watch *w)
{
	return w && w->local && !w->partly;
}

/* Of what is in the top folders little matters; of refs all but the locks that git renames. */
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

/* Which folder it was is known, which file is not: there is something to look at each time. */
static bool read_signals(struct head_watch *w)
{
	struct signalfd_siginfo x;
	bool hit = false, folders = false;

	while (read(w->fd, &x, sizeof x) == sizeof x) {
		hit |= x.ssi_signo == SIGIO || !is_above(w, x.ssi_fd) || head_watch_is_moved(w);
		folders |= x.ssi_signo == SIGIO ||
		    (x.ssi_fd != w->tops[OWN] && x.ssi_fd != w->tops[SHARED] && !is_above(w, x.ssi_fd));
	}
	if (folders)
		watch_refs(w);
	return hit;
}

static bool read_events(struct head_watch *w)
{
	_Alignas(struct inotify_event) char events[16384];
	bool hit = false, folders = false;
	ssize_t n;

	while ((n = read(w->fd, events, sizeof events)) > 0)
		for (char *p = events; p < events + n;) {
			const struct inotify_event *x = (const void *)p;
			hit |= matters(w, x);
			w->left |= (x->mask & MOVED_EVENTS) != 0;
			folders |= (x->mask & IN_ISDIR) != 0 || (x->mask & IN_Q_OVERFLOW) != 0;
			p += sizeof *x + x->len;
		}
	if (hit && folders)
		watch_refs(w);
	return hit;
}

bool head_watch_read(struct head_watch *w)
{
	return w && (w->signals ? read_signals(w) : read_events(w));
}
