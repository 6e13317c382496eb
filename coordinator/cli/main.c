#include "coordinator/cli/commands/commands.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coordinator/cli/base/short_options.h"
#include "coordinator/cli/base/terminal_text.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/log.h"
#include "proto/base/version.h"
#include "proto/process/embedded.h"
#include "proto/process/suggest.h"

static const struct opt all_options[] = {
#define OPT(type, name, arg, def, env, help) \
	{ OPT_##type, #name, arg, def, env, help, offsetof(struct cli_options, name) },
#include "coordinator/cli/base/options.def"
};

/* The number of words of the command line that name this command, or 0 if it is another one. */
static int words_used(const struct command *c, int argc, char **argv)
{
	const char *w = c->words;
	int n = 0;

	while (*w) {
		size_t k = strcspn(w, " ");
		if (n + 1 >= argc || strlen(argv[n + 1]) != k || strncmp(argv[n + 1], w, k))
			return 0;
		n++;
		w += k + (w[k] == ' ');
	}
	return n;
}

/* Whether `name` is one of `words`, which are separated by single spaces. */
static bool is_among(const char *words, const char *name)
{
	size_t n = strlen(name);

	for (const char *w = words; *w;) {
		size_t k = strcspn(w, " ");
		if (k == n && !strncmp(w, name, n))
			return true;
		w += k;
		if (*w)
			w++;
	}
	return false;
}

/* Every command accepts these three. */
static bool is_common_option(const char *name)
{
	return !strcmp(name, "url") || !strcmp(name, "ca") || !strcmp(name, "token");
}

/* Copy the options that the command accepts to `rows`; their number. */
static size_t accepted(const struct command *c, struct opt *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < LEN(all_options); i++) {
		const char *name = all_options[i].name;
		if (is_common_option(name) || is_among(c->options, name))
			rows[n++] = all_options[i];
	}
	return n;
}

/* Whether the command's first word is `first`, which has `n` bytes. */
static bool begins_with_word(const struct command *c, const char *first, size_t n)
{
	if (strncmp(c->words, first, n))
		return false;
	return !c->words[n] || c->words[n] == ' ';
}

/* List all commands, or only those whose first word is `first`. */
static void list_commands(FILE *f, const char *first)
{
	size_t n = 0;

	if (first)
		n = strlen(first);
	for (const struct command *c = commands; c->words; c++) {
		char left[64];
		if (n && !begins_with_word(c, first, n))
			continue;
		snprintf(left, sizeof left, "atoll %s %s", c->words, c->args);
		fprintf(f, "  %-36s %s\n", left, c->summary);
	}
}

static int usage(FILE *f)
{
	fprintf(f, "atoll %s: questions about code in many git repositories\n\n", ATOLL_VERSION);
	list_commands(f, NULL);
	fprintf(f,
	    "\n`atoll COMMAND --help` lists a command's options; `atoll help query` explains the queries\n"
	    "of `atoll grep --query`.  ATOLL_URL is the coordinator's address, ATOLL_TOKEN the token for\n"
	    "it.  Exit codes: 0 success; 1 the coordinator is not reachable or the command failed;"
	    " 2 usage\n"
	    "error; 3 the tool returned an error.\n");
	if (f == stdout)
		return EXIT_OK;
	return EXIT_USAGE;
}

static bool is_help(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h");
}

/* Whether the command has more words and the first of them is `word`. */
static bool is_subcommand_of(const struct command *c, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(c->words, word, n) && c->words[n] == ' ';
}

/* `atoll group` without a second word, with --help, or with a second word that does not exist. */
static int list_subcommands(const char *word, const char *second, struct arena *a)
{
	if (second && is_help(second)) {
		printf("usage:\n");
		list_commands(stdout, word);
		return EXIT_OK;
	}
	if (second) {
		const char *names[32], *typed = arena_printf(a, "%s %s", word, second);
		size_t n = 0;
		for (const struct command *c = commands; c->words && n < LEN(names); c++)
			if (is_subcommand_of(c, word))
				names[n++] = c->words;
		say(stderr, "atoll: unknown command `%s`%s\n", typed,
		    suggest_phrase(suggest_names(typed, names, n, a), a));
	}
	fprintf(stderr, "usage:\n");
	list_commands(stderr, word);
	return EXIT_USAGE;
}

/* The command line names no command. */
static int unknown(const char *word, const char *second, struct arena *a)
{
	const char *names[128];		/* first words and whole commands, since either may be mistyped */
	const char *last = "";
	size_t n = 0;

	for (const struct command *c = commands; c->words && n + 1 < LEN(names); c++) {
		if (is_subcommand_of(c, word))
			return list_subcommands(word, second, a);
		const char *first = arena_strn(a, c->words, strcspn(c->words, " "));
		if (strcmp(last, first))
			names[n++] = first;
		if (strcmp(c->words, first))
			names[n++] = c->words;
		last = first;
	}
	say(stderr, "atoll: unknown command `%s`%s\nRun `atoll --help` to list the commands.\n", word,
	    suggest_phrase(suggest_names(word, names, n, a), a));
	return EXIT_USAGE;
}

/* Check that --url is an HTTP address.  An empty ATOLL_URL counts as unset. */
static int check_url(struct cli *cli)
{
	for (size_t i = 0; i < LEN(all_options) && !*cli->o.url; i++)
		if (!strcmp(all_options[i].name, "url"))
			cli->o.url = all_options[i].def;
	if (!strncmp(cli->o.url, "http://", 7) || !strncmp(cli->o.url, "https://", 8))
		return 0;
	return err_set(&cli->e, ERR_INVALID_INPUT,
	    "--url (ATOLL_URL): `%s` does not begin with http:// or https://", cli->o.url);
}

/* Give every text option its default, since commands also read options that they do not accept. */
static void set_defaults(struct cli_options *o)
{
	for (size_t i = 0; i < LEN(all_options); i++)
		if (all_options[i].type == OPT_str)
			*(opt_str *)((char *)o + all_options[i].off) = all_options[i].def;
}

static int run(const struct command *c, int used, int argc, char **argv, struct cli *cli)
{
	struct opt rows[LEN(all_options)];
	size_t n = accepted(c, rows);
	const char *words = c->words;

	if (*c->args)
		words = arena_printf(cli->a, "%s %s", words, c->args);
	const char *head = arena_printf(cli->a, "usage: atoll %s\n%s", words, c->summary);
	set_defaults(&cli->o);
	int left = argc - used;
	char **typed = short_options_expand(c->words, &left, argv + used, cli->a);
	int rc = options_parse(rows, n, &cli->o, head, left, typed, &cli->args, cli->a, &cli->e);
	if (rc > 0) {		/* it printed the help */
		if (c->run == cmd_call && is_help(argv[argc - 1]))
			tool_list();
		return EXIT_OK;
	}
	if (!rc)
		rc = check_url(cli);
	if (rc < 0) {
		err_hint(&cli->e, "Run atoll %s --help to list the options.", c->words);
		return EXIT_USAGE;
	}
	if ((int)cli->args.n < c->fewest || (int)cli->args.n > c->most) {
		fprintf(stderr, "%s\n", head);
		return EXIT_USAGE;
	}
	return c->run(cli);
}

static bool is_pipe(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/*
 * Whether everything reached standard output: an export to a full disk must fail.  A reader that
 * closed its pipe early, as `head` does, is no error.
 */
static bool all_written(void)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return true;
	/* An earlier write failed and libc has dropped its errno: another write returns it again. */
	if (!errno && write(STDOUT_FILENO, "\n", 1) >= 0)
		errno = 0;
	const char *why = "it could not be written";
	if (errno)
		why = strerror(errno);
	if (errno == EPIPE || is_pipe(STDOUT_FILENO))
		return true;
	fprintf(stderr, "atoll: standard output: %s\n", why);
	return false;
}

/* The command that the command line names, with the number of its words, or NULL. */
static const struct command *find_command(int argc, char **argv, int *used)
{
	for (const struct command *c = commands; c->words; c++) {
		*used = words_used(c, argc, argv);
		if (*used)
			return c;
	}
	return NULL;
}

/* `atoll help query` prints a text about no command.  False if there is none of that name. */
static bool print_topic(const char *name)
{
	static const struct {
		const char *name, *file;
	} topics[] = {
		{ "query", "coordinator/cli/data/query.txt" },
	};

	for (size_t i = 0; i < LEN(topics); i++) {
		if (strcmp(topics[i].name, name))
			continue;
		fputs(embedded_contents(topics[i].file), stdout);
		return true;
	}
	return false;
}

/* `atoll call TOOL --help` */
static bool asks_tool_help(const struct command *c, int argc, char **argv)
{
	return c && c->run == cmd_call && argc == 4 && is_help(argv[3]) && *argv[2] != '-';
}

/* Whether a word follows `help`, perhaps with --help behind it. */
static bool asks_topic(int argc, char **argv)
{
	if (argc < 3 || strcmp(argv[1], "help"))
		return false;
	return argc == 3 || (argc == 4 && is_help(argv[3]));
}

/* Run the command, and print its error if it sets one.  The exit code. */
static int run_command(int argc, char **argv)
{
	struct cli cli = { .a = arena_new() };
	int used = 0, rc;
	const struct command *found = find_command(argc, argv, &used);

	if (found)
		rc = run(found, used, argc, argv, &cli);
	else
		rc = unknown(argv[1], argc > 2 ? argv[2] : NULL, cli.a);
	if (cli.e.code)
		say(stderr, *cli.e.hint ? "atoll: %s\n%s\n" : "atoll: %s%s\n", cli.e.msg, cli.e.hint);
	arena_free(cli.a);
	return rc;
}

int main(int argc, char **argv)
{
	static char help[] = "--help";
	int used = 0;

	umask(077);	/* only this user may read what it creates */
	signal(SIGPIPE, SIG_IGN);
	log_init("atoll", LOG_WARN);
	if (argc < 2)
		return usage(stderr);
	if (is_help(argv[1]) || (argc == 2 && !strcmp(argv[1], "help")))
		return usage(stdout);
	if (asks_topic(argc, argv) && print_topic(argv[2]))
		return all_written() ? EXIT_OK : EXIT_UNAVAILABLE;
	if (!strcmp(argv[1], "help")) {		/* `help up` is `up --help` */
		memmove(argv + 1, argv + 2, (size_t)(argc - 2) * sizeof *argv);
		argv[argc - 1] = help;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "version")) {
		printf("atoll %s\n", ATOLL_VERSION);
		return EXIT_OK;
	}
	if (asks_tool_help(find_command(argc, argv, &used), argc, argv)) {
		if (tool_help(argv[2]))
			return EXIT_USAGE;
		return EXIT_OK;
	}
	int rc = run_command(argc, argv);
	if (all_written() || rc)
		return rc;
	return EXIT_UNAVAILABLE;
}
