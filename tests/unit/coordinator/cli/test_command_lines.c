/*
 * Whole command lines of the program `atoll`, as the transcript command_lines.txt beside this file
 * has them: what each asks the coordinator, what that answers, what is printed and the exit code.
 *
 *   % COMMAND   the shell runs it before, in the folder DIR
 *   $ atoll …   the command line; '…' holds words with blanks
 *   $1 atoll …  the same, and only the first line of what is printed is kept
 *   < 200 {…}   the coordinator's next answer; without one it closes the connection
 *   > POST …    what it was asked: the line, the body (a long one is cut) and the token
 *   text        standard output
 *   ! text      standard error
 *   = 0         the exit code
 *
 * URL, DIR, VERSION, TIME and DAY29 (in 29 days) stand for what differs.
 * With RECORD set, the test prints the transcript as it is now.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
/* cmocka wants the above */
#include <cmocka.h>

#include <ctype.h>

#include "proto/base/clock.h"
#include "tests/fake_http.h"

int atoll_main(int argc, char **argv);
#define main atoll_main
#include "coordinator/cli/main.c"
#undef main

static const char transcript[] = "tests/unit/coordinator/cli/command_lines.txt";

static struct arena *arena;
static char folder[] = "/tmp/atoll-lines.XXXXXX", url[64], day[2][CLOCK_ISO];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buf asked; /* what the coordinator was asked */
static const char *answers[64];
static size_t n_answers, next_answer;

static void coordinator(const struct fake_request *r, struct buf *reply)
{
	const char *token = fake_header(r, "Authorization"), *next = NULL;

	pthread_mutex_lock(&lock);
	buf_printf(&asked, "> %s %.200s", r->line, r->body);
	if (strlen(r->body) > 200)
		buf_printf(&asked, "… %zu bytes", strlen(r->body));
	buf_printf(&asked, "%s%s\n", *token ? " " : "", token);
	if (next_answer < n_answers)
		next = answers[next_answer++];
	pthread_mutex_unlock(&lock);
	if (next)
		fake_json(reply, atoi(next), strchr(next, ' ') + 1);
}

/* Whether a time of day begins here: `T10:11:12.000Z`. */
static bool is_time(const char *p)
{
	static const char form[] = "T00:00:00.000Z";

	for (size_t i = 0; form[i]; i++)
		if (form[i] == '0' ? !isdigit((unsigned char)p[i]) : p[i] != form[i])
			return false;
	return true;
}

/* The length of what differs in each run, and its name in the transcript; or 0. */
static size_t varies(const char *p, const char **name)
{
	const struct {
		const char *text, *name;
	} names[] = { { url, "URL" }, { folder, "DIR" }, { "atoll " ATOLL_VERSION, "atoll VERSION" },
		{ day[0], "DAY29" }, { day[1], "DAY400" }, { "28 days", "29 days" },
		{ "399 days", "400 days" } };

	for (size_t i = 0; i < LEN(names); i++) {
		*name = names[i].name;
		if (!strncmp(p, names[i].text, strlen(names[i].text)))
			return strlen(names[i].text);
	}
	if (!strncmp(p, "Atoll CA ", 9) && strspn(p + 9, "0123456789abcdef") == 6) {
		*name = "Atoll CA NUMBER";
		return 9 + 6;
	}
	*name = "TIME";
	return is_time(p) ? sizeof "T00:00:00.000Z" - 1 : 0;
}

/* Appends a text, each line after `before`; only its first line if it is `brief`. */
static void put_lines(struct buf *out, const char *before, const char *text, bool brief)
{
	const char *name;
	bool begins = true;

	for (const char *p = text; *p && !(brief && begins && p > text);) {
		if (begins)
			buf_str(out, before);
		size_t n = varies(p, &name);
		begins = *p == '\n';
		if (n)
			buf_str(out, name);
		else
			buf_byte(out, *p);
		p += n ? n : 1;
	}
	if (!begins)
		buf_str(out, "\\\n");
}

static void put_file(struct buf *out, const char *before, FILE *f, bool brief)
{
	static char text[1 << 16];

	rewind(f);
	text[fread(text, 1, sizeof text - 1, f)] = 0;
	put_lines(out, before, text, brief);
	fclose(f);
}

/* A text of the transcript with the folder and the address in it. */
static const char *filled(const char *text)
{
	const char *dir = strstr(text, "DIR"), *at = strstr(text, "URL");

	if (dir)
		return filled(arena_printf(arena, "%.*s%s%s", (int)(dir - text), text, folder, dir + 3));
	if (at)
		return filled(arena_printf(arena, "%.*s%s%s", (int)(at - text), text, url, at + 3));
	return text;
}

/* The words of a command line in `argv`; their number. */
static int split_line(const char *line, char **argv)
{
	int argc = 0;

	for (const char *p = line; *p; p += strspn(p, " ")) {
		bool quoted = *p == '\'';
		size_t n = strcspn(p += quoted, quoted ? "'" : " ");
		argv[argc++] = arena_str(arena, filled(arena_strn(arena, p, n)));
		p += n + quoted;
	}
	argv[argc] = NULL;
	return argc;
}

/* The number of open pipes, which no command may leave behind. */
static int open_pipes(void)
{
	char path[64], target[64];
	int n = 0;

	for (int fd = 0; fd < 256; fd++) {
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		ssize_t k = readlink(path, target, sizeof target);
		n += k > 5 && !strncmp(target, "pipe:", 5);
	}
	return n;
}

/* Runs a command line and appends all that came of it. */
static void run_line(const char *line, struct buf *out, bool brief)
{
	FILE *files[] = { tmpfile(), tmpfile() };
	char *argv[64];
	int kept[2], argc = split_line(line, argv), pipes = open_pipes();

	fflush(stdout);
	fflush(stderr);
	for (int i = 0; i < 2; i++) {
		kept[i] = dup(i + 1);
		dup2(fileno(files[i]), i + 1);
	}
	int rc = atoll_main(argc, argv);
	fflush(stdout);
	fflush(stderr);
	for (int i = 0; i < 2; i++) {
		dup2(kept[i], i + 1);
		close(kept[i]);
	}
	if (open_pipes() != pipes)
		fail_msg("`%s` leaves a pipe open", line);
	if (asked.n)
		put_lines(out, "", asked.p, false);
	put_file(out, "", files[0], brief);
	put_file(out, "! ", files[1], brief);
	buf_printf(out, "= %d\n", rc);
	asked.n = n_answers = next_answer = 0;
}

static void shell(const char *command)
{
	const char *line = arena_printf(arena, "cd %s && (%s) >/dev/null 2>&1", folder, command);

	if (system(line))
		fail_msg("`%s` fails", line);
}

/* Does what a line of the transcript says, and appends it and what came of it. */
static void follow_line(const char *line, const char *rest, struct buf *out)
{
	if (!*line || !strchr("%$#", *line))
		return; /* that is what must come out */
	buf_printf(out, "%s\n", line);
	if (*line == '%')
		shell(line + 2);
	if (*line != '$')
		return;
	for (const char *p = rest; *p == '<'; p = strchr(p, '\n') + 1) {
		const char *answer = arena_strn(arena, p + 2, strcspn(p + 2, "\n"));
		buf_printf(out, "< %s\n", answer);
		answers[n_answers++] = filled(answer);
	}
	bool brief = line[1] == '1';
	run_line(line + 2 + brief, out, brief);
}

static void lines_do_what_the_transcript_says(void **state)
{
	struct buf all = { 0 }, out = { 0 };
	char chunk[4096];
	FILE *f = fopen(transcript, "r");

	(void)state;
	assert_non_null(f);
	for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
		buf_put(&all, chunk, n);
	fclose(f);
	for (char *p = all.p, *end; (end = strchr(p, '\n')); p = end + 1) {
		*end = 0;
		if (*p != '<')
			follow_line(p, end + 1, &out);
		*end = '\n';
	}
	if (getenv("RECORD"))
		fwrite(out.p, 1, out.n, stdout);
	else if (strcmp(all.p, out.p)) {
		size_t at = 0;
		while (all.p[at] == out.p[at])
			at++;
		while (at && all.p[at - 1] != '\n')
			at--;
		char *before = all.p;
		for (char *c = all.p; c < all.p + at; c++)
			if (*c == '$')
				before = c;
		fail_msg("%.300s\nwants: %.400s\nis:    %.400s", before, all.p + at, out.p + at);
	}
	buf_free(&all);
	buf_free(&out);
}

static int setup(void **state)
{
	(void)state;
	arena = arena_new();
	if (fake_start(coordinator) || !mkdtemp(folder))
		return -1;
	snprintf(url, sizeof url, "http://127.0.0.1:%d", fake.port);
	for (int i = 0; i < 2; i++) {
		clock_iso_in((i ? 400 : 29) * 86400, day[i]);
		day[i][strcspn(day[i], "T")] = 0;
	}
	setenv("ATOLL_URL", url, 1);
	setenv("PATH", arena_printf(arena, "%s/bin:%s", folder, getenv("PATH")), 1);
	setenv("HOME", folder, 1);
	setenv("XDG_DATA_HOME", folder, 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	unsetenv("ATOLL_TOKEN");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fake_stop();
	shell("rm -rf ./*");
	rmdir(folder);
	buf_free(&asked);
	arena_free(arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(lines_do_what_the_transcript_says) };

	return cmocka_run_group_tests(tests, setup, teardown);
}
