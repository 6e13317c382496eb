/*
 * Records which blocks of a program ran, for `make mutants`: the compiler (-fsanitize-coverage=trace-pc) calls
 * __sanitizer_cov_trace_pc at the beginning of each block, and one bit for the address of that call is set in a file that is
 * mapped into memory.  So nothing has to be written at exit: what a killed, forked or sandboxed process did is in the file.
 *
 * $COVERAGE_MAPS names the folder of these files; without it nothing is recorded.  Atoll gives its children only few variables,
 * among them XDG_RUNTIME_DIR, which each test has for itself: a link in that folder leads the children to the files.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern const char __executable_start[], etext[]; /* set by the linker */

static unsigned char *ran;

void __sanitizer_cov_trace_pc(void);

#define NOT_INSTRUMENTED                                                                           \
	__attribute__((no_sanitize_address, no_sanitize_undefined, no_sanitize_coverage))

NOT_INSTRUMENTED void __sanitizer_cov_trace_pc(void)
{
	if (!ran)
		return;
	uintptr_t at = (uintptr_t)__builtin_return_address(0) - (uintptr_t)__executable_start;
	ran[at / 8] |= (unsigned char)(1U << at % 8);
}

/* The folder in `maps`, or false. */
NOT_INSTRUMENTED static int find_folder(char maps[PATH_MAX])
{
	const char *given = getenv("COVERAGE_MAPS"), *run = getenv("XDG_RUNTIME_DIR");
	char link[PATH_MAX];

	snprintf(link, sizeof link, "%s/.coverage-maps", run ? run : "/nowhere");
	if (given) {
		(void)!symlink(given, link);
		snprintf(maps, PATH_MAX, "%s", given);
		return 1;
	}
	ssize_t n = readlink(link, maps, PATH_MAX - 1);
	if (n > 0)
		maps[n] = '\0';
	return n > 0;
}

NOT_INSTRUMENTED __attribute__((constructor)) static void map_file(void)
{
	char maps[PATH_MAX], program[PATH_MAX], path[2 * PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);

	if (n < 0 || !find_folder(maps))
		return;
	program[n] = '\0';
	snprintf(path, sizeof path, "%s/%s.ran", maps, strrchr(program, '/') + 1);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	size_t size = (size_t)(etext - __executable_start) / 8 + 1;
	if (ftruncate(fd, (off_t)size) == 0) {
		void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		ran = p == MAP_FAILED ? NULL : p;
	}
	close(fd);
}
