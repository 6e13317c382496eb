#include "shard/sandbox/syscalls.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/sanitized.h"

/* System calls that libseccomp may not know yet have the same number on all current machines. */
struct syscall_row {
	const char *name;
	int number;		/* 0: libseccomp knows the name, or the machine has no such call */
};

static const struct syscall_row never[] = {
	/* other processes */
	{ "process_vm_readv", 0 }, { "process_vm_writev", 0 }, { "kcmp", 0 }, { "pidfd_open", 434 },
	{ "pidfd_getfd", 438 }, { "process_madvise", 440 }, { "process_mrelease", 448 },
	{ "move_pages", 0 }, { "migrate_pages", 0 },
	/* file systems and namespaces */
	{ "mount", 0 }, { "umount", 0 }, { "umount2", 0 }, { "pivot_root", 0 }, { "chroot", 0 },
	{ "setns", 0 }, { "unshare", 0 }, { "open_tree", 428 }, { "move_mount", 429 },
	{ "fsopen", 430 }, { "fsconfig", 431 }, { "fsmount", 432 }, { "fspick", 433 },
	{ "mount_setattr", 442 }, { "open_tree_attr", 467 }, { "name_to_handle_at", 0 },
	{ "open_by_handle_at", 0 }, { "fanotify_init", 0 }, { "quotactl", 0 }, { "quotactl_fd", 443 },
	{ "swapon", 0 }, { "swapoff", 0 }, { "acct", 0 },
	/* the kernel and the machine */
	{ "bpf", 0 }, { "perf_event_open", 0 }, { "userfaultfd", 0 }, { "io_uring_setup", 425 },
	{ "io_uring_enter", 426 }, { "io_uring_register", 427 }, { "init_module", 0 },
	{ "finit_module", 0 }, { "create_module", 0 }, { "delete_module", 0 }, { "kexec_load", 0 },
	{ "kexec_file_load", 0 }, { "reboot", 0 }, { "syslog", 0 }, { "lookup_dcookie", 0 },
	{ "personality", 0 }, { "iopl", 0 }, { "ioperm", 0 }, { "modify_ldt", 0 }, { "vm86", 0 },
	{ "vm86old", 0 }, { "uselib", 0 }, { "nfsservctl", 0 }, { "settimeofday", 0 },
	{ "clock_settime", 0 }, { "clock_settime64", 0 }, { "clock_adjtime", 0 },
	{ "clock_adjtime64", 0 }, { "adjtimex", 0 }, { "stime", 0 }, { "sethostname", 0 },
	{ "setdomainname", 0 }, { "vhangup", 0 },
};

static const struct syscall_row network[] = {
	{ "socket", 0 }, { "connect", 0 }, { "bind", 0 }, { "listen", 0 }, { "accept", 0 },
	{ "accept4", 0 },
};

static const struct syscall_row programs[] = {
	{ "execve", 0 }, { "fork", 0 }, { "vfork", 0 },
};

/* Landlock does not check calls that change a file without opening it. */
static const struct syscall_row files[] = {
	{ "chmod", 0 }, { "fchmodat", 0 }, { "fchmodat2", 452 }, { "chown", 0 }, { "lchown", 0 },
	{ "fchownat", 0 }, { "setxattr", 0 }, { "lsetxattr", 0 }, { "removexattr", 0 },
	{ "lremovexattr", 0 }, { "setxattrat", 463 }, { "removexattrat", 466 }, { "file_setattr", 469 },
	{ "utime", 0 }, { "utimes", 0 }, { "futimesat", 0 }, { "utimensat", 0 },
	{ "utimensat_time64", 0 }, { "memfd_create", 0 }, { "execveat", 0 }, { "setsid", 0 },
	{ "setpgid", 0 }, { "sched_setscheduler", 0 }, { "sched_setattr", 0 }, { "add_key", 0 },
	{ "request_key", 0 }, { "keyctl", 0 }, { "shmget", 0 }, { "shmat", 0 }, { "shmctl", 0 },
	{ "semget", 0 }, { "msgget", 0 }, { "mq_open", 0 }, { "mq_unlink", 0 },
};

/* Add one rule unless *rc is an error.  A call that this machine does not have is ignored. */
static void refuse_if(
    scmp_filter_ctx f, const struct syscall_row *r, unsigned n, struct scmp_arg_cmp *when, int *rc)
{
	int number = seccomp_syscall_resolve_name(r->name);

	if (number == __NR_SCMP_ERROR && r->number)
		number = r->number;
	if (*rc || number == __NR_SCMP_ERROR)
		return;
	int got = seccomp_rule_add_array(f, SCMP_ACT_ERRNO(EPERM), number, n, when);
	if (got && got != -EEXIST && got != -EDOM && got != -EINVAL)
		*rc = got;
}

static void refuse(scmp_filter_ctx f, const struct syscall_row *v, size_t n, int *rc)
{
	for (size_t i = 0; i < n; i++)
		refuse_if(f, &v[i], 0, NULL, rc);
}

static void refuse_call(scmp_filter_ctx f, const char *name, struct scmp_arg_cmp when, int *rc)
{
	refuse_if(f, &(struct syscall_row){ name, 0 }, 1, &when, rc);
}

/*
 * The filter can check the flags of clone, which are in a register, but not those of clone3, which
 * are in memory.  So clone3 fails with ENOSYS, and libc falls back to clone.
 */
static void refuse_namespaces(scmp_filter_ctx f, int *rc)
{
	static const unsigned long flags[] = {
		CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET,
		    CLONE_NEWCGROUP,
	};

	for (size_t i = 0; i < LEN(flags); i++)
		refuse_call(f, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, flags[i], flags[i]), rc);
	if (!*rc)
		*rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

/*
 * ctags_process.c needs only a pair of stream sockets.  Datagram sockets are refused, because they
 * can send to any socket of the machine.
 */
static void refuse_sockets(scmp_filter_ctx f, int *rc)
{
	static const int types[] = {
		SOCK_DGRAM, SOCK_RAW, SOCK_RDM, SOCK_SEQPACKET, SOCK_DCCP, SOCK_PACKET,
	};

	refuse(f, network, LEN(network), rc);
	refuse_call(f, "socketpair", SCMP_A0(SCMP_CMP_NE, AF_UNIX), rc);
	for (size_t i = 0; i < LEN(types); i++)
		refuse_call(f, "socketpair", SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, (unsigned)types[i]), rc);
}

/* Threads stay allowed, and under a sanitizer processes, too: it searches for leaks in one. */
static void refuse_programs(scmp_filter_ctx f, int *rc)
{
	refuse(f, programs, LEN(programs), rc);
	if (!SANITIZED)
		refuse_call(f, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0), rc);
}

/* The process must die with its parent, stay in its group, and change only its own limits. */
static void refuse_escape(scmp_filter_ctx f, int *rc)
{
	refuse(f, files, LEN(files), rc);
	refuse_call(f, "prctl", SCMP_A0(SCMP_CMP_EQ, PR_SET_PDEATHSIG), rc);
	refuse_call(f, "prlimit64", SCMP_A0(SCMP_CMP_NE, 0), rc);
	refuse_call(f, "setpriority", SCMP_A0(SCMP_CMP_NE, PRIO_PROCESS), rc);
	refuse_call(f, "setpriority", SCMP_A1(SCMP_CMP_NE, 0), rc);
}

static int add_all(scmp_filter_ctx f, const struct syscall_policy *s)
{
	int rc = 0;

	refuse(f, never, LEN(never), &rc);
	refuse_namespaces(f, &rc);
	if (!SANITIZED)
		refuse_call(f, "ptrace", SCMP_A0(SCMP_CMP_GE, 0), &rc);
	refuse_call(f, "ioctl", SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, TIOCSTI), &rc);
	refuse_call(f, "ioctl", SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, TIOCLINUX), &rc);
	if (!s->network)
		refuse_sockets(f, &rc);
	if (!s->programs)
		refuse_programs(f, &rc);
	if (!s->files)
		refuse_escape(f, &rc);
	return rc;
}

bool syscalls_supported(void)
{
	const unsigned action = SCMP_ACT_ERRNO(0);

	return !syscall(SYS_seccomp, 2 /* SECCOMP_GET_ACTION_AVAIL */, 0, &action);
}

int syscalls_limit(const struct syscall_policy *s, struct err *e)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
	int rc = f ? 0 : -ENOMEM;

	if (!rc)
		rc = seccomp_attr_set(f, SCMP_FLTATR_CTL_TSYNC, 1);
	if (!rc)
		rc = add_all(f, s);
	if (!rc)
		rc = seccomp_load(f);
	seccomp_release(f);
	if (rc)
		return err_set(e, ERR_INTERNAL, "seccomp: %s", strerror(-rc));
	return 0;
}
