#include "shard/watch.h"

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
#include "shard/repo.h"

enum {
	MOST = 300,		/* folders; beyond, polling sees the rest */
	EVENTS = IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR,
	SIGNALS = DN_CREATE | DN_MODIFY | DN_RENAME | DN_DELETE | DN_MULTISHOT
};

struct watch {
	int fd;			/* of inotify, or of signals */
	bool signals;
	bool partly;		/* not all folders could be watched */
	bool local;
	int tops[2];		/* the repository's own folder and the one it shares with worktrees */
	char *paths[2];
	ino_t nodes[2];
	char *refs;
	int folders[MOST];	/* with signals: each is held open */
	size_t n;
};

/* Where no other machine writes: statfs(2). */
static const unsigned long local_systems[] = {
	0xef53 /* ext */, 0x58465342 /* xfs */, 0x9123683e /* btrfs */, 0x01021994 /* tmpfs */, 0xf2f52010 /* f2fs */, 0x2fc12fc1 /* zfs */,
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

void watch_signals(sigset_t *set)
{
	sigaddset(set, one_signal());
	sigaddset(set, SIGIO);		/* comes instead when too many wait */
}

static int add_signal(struct watch *w, const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && !fcntl(fd, F_SETSIG, one_signal()) && !fcntl(fd, F_NOTIFY, SIGNALS))
		return w->folders[w->n] = fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int add(struct watch *w, const char *dir)
{
	int wd = w->n >= MOST ? -1 : w->signals ? add_signal(w, dir) : inotify_add_watch(w->fd, dir, EVENTS);

	w->n += wd >= 0;
	w->partly |= wd < 0 && (w->n >= MOST || errno != ENOENT);
	return wd;
}

/* A folder and those in it; one that is watched already stays so. */
static void add_below(struct watch *w, const char *dir, int depth)
{
	DIR *d = depth < 16 && add(w, dir) >= 0 ? opendir(dir) : NULL;

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
static void watch_refs(struct watch *w)
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
	watch_signals(&set);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static ino_t node_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_ino;
}

static bool open_tops(struct watch *w)
{
	w->fd = w->signals ? open_signals() : inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	for (int i = 0; i < 2; i++)
		if (w->fd < 0 || (w->tops[i] = add(w, w->paths[i])) < 0)
			return false;
	return true;
}

static void close_all(struct watch *w)
{
	for (; w->signals && w->n; w->n--)
		close(w->folders[w->n - 1]);
	if (w->fd >= 0)
		close(w->fd);
	w->n = 0;
}

struct watch *watch_new(struct repo *repo)
{
	struct watch *w = calloc(1, sizeof *w);
	struct arena *a = arena_new();

	if (!w)
		abort();
	for (int i = 0; i < 2; i++) {
		w->paths[i] = strdup(repo_folder(repo, i == 1, a));
		w->nodes[i] = node_of(w->paths[i]);
	}
	w->refs = strdup(arena_printf(a, "%s/refs", w->paths[1]));
	w->local = is_local(w->paths[0]) && is_local(w->paths[1]);
	arena_free(a);
	bool ok = open_tops(w);
	if (!ok) {
		close_all(w);
		w->signals = true;
		ok = open_tops(w);
	}
	if (!ok) {
		watch_free(w);
		return NULL;
	}
	watch_refs(w);
	return w;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	close_all(w);
	for (int i = 0; i < 2; i++)
		free(w->paths[i]);
	free(w->refs);
	free(w);
}

int watch_fd(const struct watch *w)
{
	return w ? w->fd : -1;
}

bool watch_is_elsewhere(const struct watch *w)
{
	return w && (node_of(w->paths[0]) != w->nodes[0] || node_of(w->paths[1]) != w->nodes[1]);
}

bool watch_sees_all(const struct watch *w)
{
	return w && w->local && !w->partly;
}

/* Of what is in the top folders little matters; of refs all but the locks that git renames. */
static bool matters(const struct watch *w, const struct inotify_event *x)
{
	static const char *const names[] = { "HEAD", "packed-refs", "refs" };
	size_t n = x->len ? strlen(x->name) : 0;

	if (x->mask & IN_Q_OVERFLOW)
		return true;
	if (x->wd != w->tops[0] && x->wd != w->tops[1])
		return n < 5 || strcmp(x->name + n - 5, ".lock");
	for (size_t i = 0; i < LEN(names); i++)
		if (n && !strcmp(x->name, names[i]))
			return true;
	return false;
}

/* Which folder it was is known, which file is not: there is something to look at each time. */
static bool read_signals(struct watch *w)
{
	struct signalfd_siginfo x;
	bool hit = false, folders = false;

	while (read(w->fd, &x, sizeof x) == sizeof x) {
		hit = true;
		folders |= (x.ssi_fd != w->tops[0] && x.ssi_fd != w->tops[1]) || x.ssi_signo == SIGIO;
	}
	if (folders)
		watch_refs(w);
	return hit;
}

static bool read_events(struct watch *w)
{
	_Alignas(struct inotify_event) char events[16384];
	bool hit = false, folders = false;
	ssize_t n;

	while ((n = read(w->fd, events, sizeof events)) > 0)
		for (char *p = events; p < events + n;) {
			const struct inotify_event *x = (const void *)p;
			hit |= matters(w, x);
			folders |= (x->mask & IN_ISDIR) != 0 || (x->mask & IN_Q_OVERFLOW) != 0;
			p += sizeof *x + x->len;
		}
	if (hit && folders)
		watch_refs(w);
	return hit;
}

bool watch_read(struct watch *w)
{
	return w && (w->signals ? read_signals(w) : read_events(w));
}
