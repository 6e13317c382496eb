#include "shard/sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"

/* Rights of kernels that are newer than the headers may be. */
#define FS_TRUNCATE	(UINT64_C(1) << 14)
#define FS_IOCTL_DEV	(UINT64_C(1) << 15)
#define NET_TCP		(UINT64_C(3))		/* to bind, to connect */
#define SCOPE_ABSTRACT	(UINT64_C(1) << 0)	/* no abstract socket of a process outside */
#define SCOPE_SIGNAL	(UINT64_C(1) << 1)	/* no signal to a process outside */

/*
 * The current struct landlock_ruleset_attr.  An older kernel accepts it if the fields that it does
 * not know are 0.
 */
struct ruleset {
	uint64_t files, network, scopes;
};

#define READS	(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITES	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | \
    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REFER | FS_TRUNCATE)
#define FOLDERS	(LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
    LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_FIFO)
#define DEVICES	(LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK)
#define OTHERS	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_SOCK | FS_IOCTL_DEV)
#define FILE_RIGHTS (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | \
    LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE)

static const struct {
	int version;		/* of Landlock, that introduced the rights */
	uint64_t files;
} newer[] = {
	{ 2, LANDLOCK_ACCESS_FS_REFER }, { 3, FS_TRUNCATE }, { 5, FS_IOCTL_DEV },
};

int landlock_version(void)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	if (version > 0)
		return (int)version;
	return 0;
}

/* The rights without those that the kernel does not know. */
static uint64_t known(uint64_t files)
{
	int version = landlock_version();

	for (size_t i = 0; i < LEN(newer); i++)
		if (version < newer[i].version)
			files &= ~newer[i].files;
	return files;
}

int landlock_begin(struct landlock *l, const struct landlock_scope *s, struct err *e)
{
	int version = landlock_version();
	struct ruleset r = { .files = WRITES | FOLDERS | DEVICES };

	if (!s->writes_only)
		r.files |= READS | OTHERS;
	r.files = known(r.files);
	if (version >= 4 && !s->network)
		r.network = NET_TCP;
	if (version >= 6)
		r.scopes = SCOPE_SIGNAL;
	if (version >= 6 && !s->network)
		r.scopes |= SCOPE_ABSTRACT;
	l->files = r.files;
	l->fd = (int)syscall(SYS_landlock_create_ruleset, &r, sizeof r, 0);
	if (l->fd < 0)
		return err_set(e, ERR_INTERNAL, "landlock_create_ruleset: %s", strerror(errno));
	return 0;
}

static uint64_t rights(unsigned what)
{
	uint64_t files = 0;

	if (what & LANDLOCK_READ)
		files |= READS;
	if (what & LANDLOCK_WRITE)
		files |= WRITES;
	if (what & LANDLOCK_FOLDERS)
		files |= FOLDERS;
	if (what & LANDLOCK_EXECUTE)
		files |= LANDLOCK_ACCESS_FS_EXECUTE;
	return files;
}

int landlock_allow(const struct landlock *l, const char *path, unsigned what, struct err *e)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = rights(what) & l->files };
	struct stat st;
	int rc = 0;

	rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return 0;
	if (!fstat(rule.parent_fd, &st) && !S_ISDIR(st.st_mode))
		rule.allowed_access &= FILE_RIGHTS;
	if (rule.allowed_access)
		rc = (int)syscall(SYS_landlock_add_rule, l->fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	if (rc)
		rc = err_set(e, ERR_INTERNAL, "landlock_add_rule %s: %s", path, strerror(errno));
	close(rule.parent_fd);
	return rc;
}

int landlock_enforce(struct landlock *l, struct err *e)
{
	int rc = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);

	if (!rc)
		rc = (int)syscall(SYS_landlock_restrict_self, l->fd, 0);
	if (rc)
		err_set(e, ERR_INTERNAL, "landlock_restrict_self: %s", strerror(errno));
	close(l->fd);
	return rc;
}
