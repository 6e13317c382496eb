#include "shard/watch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/repo.h"

enum {
	MOST = 300,		/* folders; beyond, polling sees the rest */
	EVENTS = IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR
};

struct watch {
	int fd;
	int tops[2];		/* the repository's own folder and the one it shares with worktrees */
	char *refs;
	size_t n;
};

static int add(struct watch *w, const char *dir)
{
	int wd = w->n < MOST ? inotify_add_watch(w->fd, dir, EVENTS) : -1;

	w->n += wd >= 0;
	return wd;
}

/* A folder and those in it; one that is watched already stays so. */
static void add_below(struct watch *w, const char *dir, int depth)
{
	DIR *d = depth < 16 && add(w, dir) >= 0 ? opendir(dir) : NULL;

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

struct watch *watch_new(struct repo *repo)
{
	struct watch *w = calloc(1, sizeof *w);
	struct arena *a = arena_new();

	if (!w)
		abort();
	w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	const char *shared = repo_folder(repo, true, a);
	w->refs = strdup(arena_printf(a, "%s/refs", shared));
	w->tops[0] = w->fd < 0 ? -1 : add(w, repo_folder(repo, false, a));
	w->tops[1] = w->fd < 0 ? -1 : add(w, shared);
	arena_free(a);
	if (w->tops[0] < 0 || w->tops[1] < 0) {
		watch_free(w);
		return NULL;
	}
	add_below(w, w->refs, 0);
	return w;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	free(w->refs);
	free(w);
}

int watch_fd(const struct watch *w)
{
	return w ? w->fd : -1;
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

bool watch_read(struct watch *w)
{
	_Alignas(struct inotify_event) char events[16384];
	bool hit = false, folders = false;
	ssize_t n;

	while (w && (n = read(w->fd, events, sizeof events)) > 0)
		for (char *p = events; p < events + n;) {
			const struct inotify_event *x = (const void *)p;
			hit |= matters(w, x);
			folders |= (x->mask & IN_ISDIR) != 0 || (x->mask & IN_Q_OVERFLOW) != 0;
			p += sizeof *x + x->len;
		}
	if (hit && folders) {
		w->n = 2;
		add_below(w, w->refs, 0);
	}
	return hit;
}
