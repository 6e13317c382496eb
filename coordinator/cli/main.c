#include "coordinator/cli/commands/commands.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coordinator/cli/base/terminal_text.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/log.h"
#include "proto/base/version.h"
#include "proto/process/suggest.h"

static const struct opt all_options[] = {
#define OPT(type, name, arg, def, env, help) \
	{ OPT_##type, #name, arg, def, env, help, offsetof(struct cli_options, name) },
#include "coordinator/cli/base/options.def"
};

/* How many words of the command line name this command; 0 when it is another. */
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

static bool names(const char *words, const char *name)
{
	size_t n = strlen(name);

	for (const char *w = words; *w; w += strcspn(w, " "), w += *w == ' ')
		if (strcspn(w, " ") == n && !strncmp(w, name, n))
			return true;
	return false;
}

/* The rows that the command accepts. */
static size_t accepted(const struct command *c, struct opt *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < LEN(all_options); i++) {
		const char *name = all_options[i].name;
		if (!strcmp(name, "url") || !strcmp(name, "ca") || !strcmp(name, "token") ||
		    names(c->options, name))
			rows[n++] = all_options[i];
	}
	return n;
}

/* All commands, or those that begin with `first`. */
static void list_commands(FILE *f, const char *first)
{
	size_t n = 0;

	if (first)
		n = strlen(first);
	for (const struct command *c = commands; c->words; c++) {
		char left[64];
		if (n && (strncmp(c->words, first, n) || (c->words[n] && c->words[n] != ' ')))
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
	    "\n`atoll COMMAND --help` lists a command's options.  ATOLL_URL and ATOLL_TOKEN say which\n"
	    "coordinator is asked.  Exit codes: 0 ok, 1 not reachable or not done, 2 usage, 3 the tool's answer is an error.\n");
	if (f == stdout)
		return EXIT_OK;
	return EXIT_USAGE;
}

static bool is_help(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h");
}

/* The words that may follow one like `group`: one is missing, is asked for, or is none. */
static int family(const char *word, const char *second, struct arena *a)
{
	bool help = second && is_help(second);
	FILE *f = help ? stdout : stderr;

	if (second && !help) {
		const char *names[32], *typed = arena_printf(a, "%s %s", word, second);
		size_t n = 0, k = strlen(word);
		for (const struct command *c = commands; c->words && n < LEN(names); c++)
			if (!strncmp(c->words, word, k) && c->words[k] == ' ')
				names[n++] = c->words;
		const char *near = suggest_names(typed, names, n, a);
		say(f, "atoll: no command `%s`%s%s\n", typed, *near ? "; near it: " : "", near);
	}
	fprintf(f, "usage:\n");
	list_commands(f, word);
	return help ? EXIT_OK : EXIT_USAGE;
}

static int unknown(const char *word, const char *second, struct arena *a)
{
	/* first words, and whole commands of which somebody may know the second */
	const char *names[128];
	size_t n = 0;
	bool group = false;

	for (const struct command *c = commands; c->words; c++) {
		group |= !strncmp(c->words, word, strlen(word)) && c->words[strlen(word)] == ' ';
		const char *first = arena_strn(a, c->words, strcspn(c->words, " "));
		if (n + 1 < LEN(names) && (c == commands || strncmp(c[-1].words, first, strlen(first))))
			names[n++] = first;
		if (n < LEN(names) && strcmp(c->words, first))
			names[n++] = c->words;
	}
	if (group)
		return family(word, second, a);
	const char *near = suggest_names(word, names, n, a);
	say(stderr, "atoll: no command `%s`%s%s; `atoll --help` lists them\n", word,
	    *near ? "; near it: " : "", near);
	return EXIT_USAGE;
}

/* That a coordinator can be asked at --url; an empty ATOLL_URL is as good as none. */
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

static int run(const struct command *c, int used, int argc, char **argv, struct cli *cli)
{
	struct opt rows[LEN(all_options)];
	size_t n = accepted(c, rows);
	const char *head = arena_printf(
	    cli->a, "usage: atoll %s%s%s\n%s", c->words, *c->args ? " " : "", c->args, c->summary);

	for (size_t i = 0; i < LEN(all_options); i++)	/* defaults also of those it does not accept */
		if (all_options[i].type == OPT_str)
			*(opt_str *)((char *)&cli->o + all_options[i].off) = all_options[i].def;
	int rc = options_parse(
	    rows, n, &cli->o, head, argc - used, argv + used, &cli->args, cli->a, &cli->e);
	if (rc > 0 && c->run == cmd_call && is_help(argv[argc - 1]))
		tool_list();
	if (!rc)
		rc = check_url(cli);
	if (rc < 0)
		err_hint(&cli->e, "atoll %s --help lists its options.", c->words);
	if (rc) {
		if (rc > 0)
			return EXIT_OK;
		return EXIT_USAGE;
	}
	if ((int)cli->args.n < c->fewest || (int)cli->args.n > c->most) {
		fprintf(stderr, "%s\n", head);
		return EXIT_USAGE;
	}
	return c->run(cli);
}

/*
 * Whether standard output took all: a full disk must not pass for an export.  Who reads no
 * further, as `head`, has what it wanted.
 */
static bool all_written(void)
{
	struct stat st;

	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return true;
	if (!errno)	/* it was so before,
	    and libc has forgotten why: one byte more of what is broken anyhow says it */ {
		if (write(STDOUT_FILENO, "\n", 1) >= 0)
			errno = 0;
	}
	if (errno == EPIPE ||
	    (!fstat(STDOUT_FILENO, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))))
		return true;
	fprintf(stderr, "atoll: standard output: %s\n",
	    errno ? strerror(errno) : "it could not be written");
	return false;
}

int main(int argc, char **argv)
{
	const struct command *found = NULL;
	struct cli cli = { 0 };
	static char help[] = "--help";
	int used = 0;

	umask(077);	/* whatever it makes is this user's alone */
	signal(SIGPIPE, SIG_IGN);
	log_init("atoll", LOG_WARN);
	if (argc < 2 || is_help(argv[1]) || (argc == 2 && !strcmp(argv[1], "help")))
		return usage(argc < 2 ? stderr : stdout);
	if (!strcmp(argv[1], "help")) {		/* `help up` is `up --help` */
		memmove(argv + 1, argv + 2, (size_t)(argc - 2) * sizeof *argv);
		argv[argc - 1] = help;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "version"))
		return printf("atoll %s\n", ATOLL_VERSION), EXIT_OK;
	for (const struct command *c = commands; c->words && !found; c++)
		if ((used = words_used(c, argc, argv)))
			found = c;
	if (found && found->run == cmd_call && argc == 4 && is_help(argv[3]) && *argv[2] != '-') {
		if (tool_help(argv[2]))
			return EXIT_USAGE;
		return EXIT_OK;
	}
	cli.a = arena_new();
	int rc = found ? run(found, used, argc, argv, &cli) :
	                 unknown(argv[1], argc > 2 ? argv[2] : NULL, cli.a);
	if (cli.e.code)
		say(stderr, *cli.e.hint ? "atoll: %s\n%s\n" : "atoll: %s%s\n", cli.e.msg, cli.e.hint);
	arena_free(cli.a);
	if (all_written() || rc)
		return rc;
	return EXIT_UNAVAILABLE;
}
