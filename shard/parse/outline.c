#include "shard/parse/outline.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/sanitized.h"
#include "shard/definitions/ctags/ctags_process.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/parse/parser.h"
#include "shard/sandbox/sandbox.h"

/*
 * The protocol.  A text is the uint32_t length and the bytes of its path, then the same for its
 * content.  An answer is the uint32_t length and the bytes of facts_codec.h, or NONE for a text
 * without a language.  Both ends are the same program on the same machine.
 */
enum { MEMORY_MB = 1024, CPU_SECONDS = 20, FILE_MS = 1000 };
#define NONE UINT32_MAX

static void put_sized(struct buf *b, const void *p, size_t n)
{
	uint32_t size = (uint32_t)n;

	buf_put(b, &size, sizeof size);
	buf_put(b, p, n);
}

/* The next sized run of bytes; *n is NONE for an answer without facts.  NULL at the end. */
static const char *take_sized(const char **at, const char *end, uint32_t *n)
{
	if ((size_t)(end - *at) < sizeof *n)
		return NULL;
	memcpy(n, *at, sizeof *n);
	*at += sizeof *n;
	const char *p = *at;
	if (*n == NONE)
		return p;
	if (*n > (size_t)(end - *at))
		return NULL;
	*at += *n;
	return p;
}

/* ---- the child ---- */

static void set_limits(void)
{
	struct rlimit memory = { (rlim_t)MEMORY_MB << 20, (rlim_t)MEMORY_MB << 20 },
	              cpu = { CPU_SECONDS, CPU_SECONDS }, core = { 0, 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &core);
	setrlimit(RLIMIT_CPU, &cpu);
	if (!SANITIZED)
		setrlimit(RLIMIT_AS, &memory);
}

/* The child needs no files of its own. */
static int enter_sandbox(const char *mode, struct arena *a, struct err *e)
{
	struct sandbox box = { .mode = mode, .a = a };

	close_range(3, ~0u, 0);
	ctags_allow(&box);
	return sandbox_enter(&box, e);
}

static int write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t k = write(fd, p, n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return -1;
		p += k;
		n -= (size_t)k;
	}
	return 0;
}

static int read_all(int fd, struct buf *out)
{
	char chunk[65536];

	for (;;) {
		ssize_t k = read(fd, chunk, sizeof chunk);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return k ? -1 : 0;
		buf_put(out, chunk, (size_t)k);
	}
}

static int write_answer(struct parser *parser, const char *path, const char *text, uint32_t n)
{
	const struct lang *lang = lang_detect(path, text, n);
	struct arena *a = arena_new();
	struct buf bytes = { 0 }, out = { 0 };
	struct facts facts = { 0 };
	uint32_t none = NONE;

	if (lang) {
		parse(parser, lang, text, n, FILE_MS, a, &facts);
		facts_encode(&facts, &bytes);
		put_sized(&out, bytes.p, bytes.n);
	} else {
		buf_put(&out, &none, sizeof none);
	}
	int rc = write_all(1, out.p, out.n);
	buf_free(&bytes);
	buf_free(&out);
	arena_free(a);
	return rc;
}

/* Answer all texts, up to one that is incomplete. */
static int answer_all(struct parser *parser, const struct buf *in, struct arena *a)
{
	const char *at = in->p, *end = in->p + in->n;
	int rc = 0;

	while (!rc && at < end) {
		uint32_t npath, ntext;
		const char *path = take_sized(&at, end, &npath);
		if (!path || npath == NONE)
			break;
		const char *text = take_sized(&at, end, &ntext);
		if (!text || ntext == NONE)
			break;
		rc = write_answer(parser, arena_strn(a, path, npath), text, ntext);
	}
	return rc;
}

int outline_child_main(const char *sandbox, struct err *e)
{
	struct arena *a = arena_new();
	struct buf in = { 0 };
	struct parser *parser = NULL;
	int rc = -1;

	set_limits();
	if (!enter_sandbox(sandbox, a, e) && !read_all(0, &in))
		parser = parser_new(e);
	if (parser)
		rc = answer_all(parser, &in, a);
	parser_free(parser);
	buf_free(&in);
	arena_free(a);
	return rc ? 1 : 0;
}

/* ---- the parent ---- */

/* All texts are in an anonymous file, so that neither process waits for the other. */
static int write_texts(const struct outline_text *v, size_t n)
{
	struct buf b = { 0 };
	int fd = memfd_create("outline", MFD_CLOEXEC);

	for (size_t i = 0; i < n; i++) {
		put_sized(&b, v[i].path, strlen(v[i].path));
		put_sized(&b, v[i].p, v[i].n);
	}
	if (fd >= 0 && (write_all(fd, b.p, b.n) || lseek(fd, 0, SEEK_SET))) {
		close(fd);
		fd = -1;
	}
	buf_free(&b);
	return fd;
}

static int spawn(pid_t *pid, const char *sandbox, int in, int out)
{
	const char *argv[] = { "atoll-shard", "--outline", "--sandbox", sandbox, NULL };
	char *env[] = { NULL, NULL };
	const char *asan = getenv("ASAN_OPTIONS");
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	struct buf set = { 0 };

	if (asan) {
		buf_printf(&set, "ASAN_OPTIONS=%s", asan);
		env[0] = set.p;
	}
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, 0);
	posix_spawn_file_actions_adddup2(&files, out, 1);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	int rc = posix_spawn(pid, "/proc/self/exe", &files, &attr, (char **)argv, env);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	buf_free(&set);
	return rc;
}

/* Read the child's output until it ends (true) or the deadline passes. */
static bool read_until_deadline(int fd, int64_t deadline_ms, struct buf *out)
{
	char chunk[65536];

	for (;;) {
		int64_t left = deadline_ms - clock_ms();
		struct pollfd p = { .fd = fd, .events = POLLIN };
		if (left <= 0 || (poll(&p, 1, (int)left) < 0 && errno != EINTR))
			return false;
		ssize_t k = -1;
		if (p.revents)
			k = read(fd, chunk, sizeof chunk);
		if (k > 0)
			buf_put(out, chunk, (size_t)k);
		else if (!k)
			return true;
	}
}

/* Decode the answers; returns how many are complete. */
static size_t decode(struct outline_text *v, size_t n, const struct buf *output, struct arena *a)
{
	const char *at = arena_strn(a, output->p, output->n), *end = at + output->n;
	size_t i = 0;

	for (; i < n; i++) {
		uint32_t size;
		const char *p = take_sized(&at, end, &size);
		if (!p)
			break;
		struct facts *f = arena_one(a, struct facts);
		if (size != NONE && !facts_decode(p, size, a, f, NULL))
			v[i].facts = f;
	}
	return i;
}

int outline_parse(struct outline_text *v, size_t n, const char *sandbox, int timeout_ms,
    struct arena *a, struct err *e)
{
	struct buf output = { 0 };
	int fds[2];
	pid_t pid = 0;

	if (!n)
		return 0;
	int in = write_texts(v, n);
	if (in < 0 || pipe2(fds, O_CLOEXEC)) {
		if (in >= 0)
			close(in);
		return err_set(
		    e, ERR_UNAVAILABLE, "the texts cannot be sent to the parser: %s", strerror(errno));
	}
	int rc = spawn(&pid, sandbox, in, fds[1]);
	close(in);
	close(fds[1]);
	if (!rc) {
		if (!read_until_deadline(fds[0], clock_ms() + timeout_ms, &output))
			kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	close(fds[0]);
	size_t done = decode(v, n, &output, a);
	buf_free(&output);
	if (rc || done < n)
		return err_set(
		    e, ERR_UNAVAILABLE, "%zu of %zu texts could not be parsed in time", n - done, n);
	return 0;
}
