/*
 * without_sandbox landlock|seccomp|both COMMAND...: run the command as if the kernel lacked this
 * part, or a container did not permit it.
 */
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static void refuse_syscall(scmp_filter_ctx f, const char *name)
{
	seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), seccomp_syscall_resolve_name(name), 0);
}

int main(int argc, char **argv)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);

	if (argc < 3 || !f) {
		fprintf(stderr, "without_sandbox landlock|seccomp|both COMMAND...\n");
		return 2;
	}
	if (strcmp(argv[1], "seccomp") != 0)
		refuse_syscall(f, "landlock_create_ruleset");
	if (strcmp(argv[1], "landlock") != 0) {
		refuse_syscall(f, "seccomp");
		seccomp_rule_add(f, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP));
	}
	if (seccomp_load(f)) {
		perror("seccomp");
		return 2;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
