#include "coordinator/cli/up/runtime_paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/net/crypto.h"
#include "proto/process/directory.h"

enum { SOCKET_NAME_MAX = 50, SOCKET_PATH_MAX = 107 };	/* bytes of its file name and of its path */

/* Create a private folder if necessary, and check that it is writable. */
static int make_folder(const char *path, struct err *e)
{
	if (directory_create_private(path, "--data", e))
		return -1;
	if (!access(path, W_OK | X_OK))
		return 0;
	err_set(e, ERR_INVALID_INPUT, "cannot write to the folder %s: %s", path, strerror(errno));
	return err_hint(e, "Name another one with --data DIR.");
}

/* The data folder before links are resolved. */
static const char *data_dir_name(const char *option, struct arena *a)
{
	const char *base = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (option && *option)
		return option;
	if (base && *base == '/')
		return arena_printf(a, "%s/atoll", base);
	if (!home)
		home = "/tmp";
	return arena_printf(a, "%s/.local/share/atoll", home);
}

const char *runtime_data_dir(const char *option, struct arena *a)
{
	char real[PATH_MAX];

	option = data_dir_name(option, a);
	if (realpath(option, real))
		return arena_str(a, real);
	if (*option == '/' || !getcwd(real, sizeof real))
		return arena_str(a, option);
	return arena_printf(a, "%s/%s", real, option);
}

/* Whether sockets fit into this folder, and we may write to it. */
static bool is_usable(const char *base)
{
	if (!base || *base != '/' || access(base, W_OK))
		return false;
	return strlen(base) + strlen("/atoll-12345678/") + SOCKET_NAME_MAX <= SOCKET_PATH_MAX;
}

const char *runtime_run_dir(const char *data, struct arena *a)
{
	const char *base = getenv("XDG_RUNTIME_DIR");
	char hex[SHA256_HEX];

	crypto_sha256(data, strlen(data), hex);
	if (is_usable(base))
		return arena_printf(a, "%s/atoll-%.8s", base, hex);
	return arena_printf(a, "/tmp/atoll-%ld-%.8s", (long)getuid(), hex);
}

/* The lock is held by the process whose id is in the file. */
static int already_running(int lock, const char *data, struct err *e)
{
	char pid[32] = "";

	if (read(lock, pid, sizeof pid - 1) < 0)
		*pid = 0;
	pid[strcspn(pid, "\n")] = 0;
	err_set(e, ERR_INVALID_INPUT, "another `atoll up` (process %s) runs on %s", pid, data);
	return err_hint(e,
	    "Add repositories to it with `atoll repo add PATH`, or start another with --data DIR.");
}

static int take_lock(struct runtime_paths *p, struct arena *a, struct err *e)
{
	p->lock = open(arena_printf(a, "%s/up.lock", p->data), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (p->lock < 0)
		return err_set(e, ERR_INTERNAL, "%s/up.lock: %s", p->data, strerror(errno));
	if (flock(p->lock, LOCK_EX | LOCK_NB)) {
		already_running(p->lock, p->data, e);
		close(p->lock);
		p->lock = -1;	/* so that runtime_paths_close leaves its folders alone */
		return -1;
	}
	if (ftruncate(p->lock, 0) || dprintf(p->lock, "%ld\n", (long)getpid()) < 0)
		return err_set(e, ERR_INTERNAL, "%s/up.lock: %s", p->data, strerror(errno));
	return 0;
}

/* Create a cluster key unless there is one. */
static int make_key(const char *path, struct err *e)
{
	char key[65];
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 && errno == EEXIST)
		return 0;
	if (fd < 0)
		return err_set(e, ERR_INTERNAL, "%s: %s", path, strerror(errno));
	crypto_random_hex(key, 32);
	int bad = dprintf(fd, "%s\n", key) != 65;
	bad |= close(fd);
	if (bad)
		return err_set(e, ERR_INTERNAL, "%s: cannot be written", path);
	return 0;
}

/* Create one file for each processor: so many ingests may run at once. */
static int make_slots(const char *folder, struct arena *a, struct err *e)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (directory_create_exclusive(folder, e))
		return -1;
	for (long i = 0; i < MAX(n, 1); i++) {
		int fd = open(arena_printf(a, "%s/%ld", folder, i), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0)
			return err_set(e, ERR_INTERNAL, "%s: %s", folder, strerror(errno));
		close(fd);
	}
	return 0;
}

static void remove_files(const char *folder)
{
	DIR *d = directory_open(folder);
	struct dirent *f;

	if (!d)
		return;
	while ((f = readdir(d)))
		unlinkat(dirfd(d), f->d_name, 0);
	closedir(d);
}

int runtime_paths_open(struct runtime_paths *p, const char *option, struct arena *a, struct err *e)
{
	*p = (struct runtime_paths){ .data = runtime_data_dir(option, a), .lock = -1 };
	if (make_folder(data_dir_name(option, a), e))
		return -1;
	p->data = runtime_data_dir(p->data, a);	/* resolves its links, now that it exists */
	p->logs = arena_printf(a, "%s/logs", p->data);
	p->key = arena_printf(a, "%s/cluster.key", p->data);
	p->run = runtime_run_dir(p->data, a);
	p->slots = arena_printf(a, "%s/slots", p->run);
	p->ready = arena_printf(a, "%s/ready", p->run);
	directory_restrict_files(p->data, "*.key");
	directory_restrict_files(p->data, "*.lock");
	directory_restrict_files(p->logs, "*");
	if (make_folder(p->logs, e) || take_lock(p, a, e))
		return -1;
	if (make_key(p->key, e) || directory_create_exclusive(p->run, e))
		return -1;
	remove_files(p->run);
	return make_slots(p->slots, a, e);
}

bool runtime_serves_url(const char *data, const char *url, struct arena *a)
{
	char at[512] = "";
	FILE *f = fopen(arena_printf(a, "%s/ready", runtime_run_dir(data, a)), "re");

	if (!f)
		return false;
	if (!fgets(at, sizeof at, f))
		*at = 0;
	fclose(f);
	const char *its = strrchr(at, ':'), *asked = strrchr(url, ':');
	return its && asked && atoi(its + 1) == atoi(asked + 1);
}

void runtime_paths_close(struct runtime_paths *p)
{
	if (p->lock < 0)
		return;
	remove_files(p->slots);
	rmdir(p->slots);
	remove_files(p->run);
	rmdir(p->run);
	close(p->lock);
}
