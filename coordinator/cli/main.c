#include "coordinator/cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/log.h"
#include "proto/base/version.h"

static const struct opt all_options[] = {
#define OPT(type, name, arg, def, env, help) \
	{ OPT_##type, #name, arg, def, env, help, offsetof(struct cli_options, name) },
#include "coordinator/cli/options.def"
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
		if (!strcmp(name, "url") || !strcmp(name, "ca") || !strcmp(name, "token") || names(c->options, name))
			rows[n++] = all_options[i];
	}
	return n;
}

/* All commands, or those that begin with `first`. */
static void list_commands(FILE *f, const char *first)
{
	size_t n = first ? strlen(first) : 0;

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
	fprintf(f, "\n`atoll COMMAND --help` lists a command's options.  ATOLL_URL and ATOLL_TOKEN say which\n"
	    "coordinator is asked.  Exit codes: 0 ok, 1 not reachable, 2 usage, 3 the tool's answer is an error.\n");
	return f == stdout ? EXIT_OK : EXIT_USAGE;
}

static int unknown(const char *word)
{
	bool group = false;

	for (const struct command *c = commands; c->words; c++)
		group |= !strncmp(c->words, word, strlen(word)) && c->words[strlen(word)] == ' ';
	if (!group) {
		fprintf(stderr, "atoll: no command `%s`; `atoll --help` lists them\n", word);
		return EXIT_USAGE;
	}
	fprintf(stderr, "usage:\n");
	list_commands(stderr, word);
	return EXIT_USAGE;
}

static int run(const struct command *c, int used, int argc, char **argv, struct cli *cli)
{
	struct opt rows[LEN(all_options)];
	size_t n = accepted(c, rows);
	const char *head = arena_printf(cli->a, "usage: atoll %s %s%s%s", c->words, c->args,
	    *c->args ? "\n" : "", c->summary);

	for (size_t i = 0; i < LEN(all_options); i++)	/* defaults also of those it does not accept */
		if (all_options[i].type == OPT_str)
			*(opt_str *)((char *)&cli->o + all_options[i].off) = all_options[i].def;
	int rc = options_parse(rows, n, &cli->o, head, argc - used, argv + used, &cli->args, cli->a, &cli->e);
	if (rc > 0 && c->run == cmd_call && !strcmp(argv[argc - 1], "--help"))
		tool_list();
	if (rc)
		return rc > 0 ? EXIT_OK : EXIT_USAGE;
	if ((int)cli->args.n < c->fewest || (int)cli->args.n > c->most) {
		fprintf(stderr, "%s\n", head);
		return EXIT_USAGE;
	}
	return c->run(cli);
}

int main(int argc, char **argv)
{
	const struct command *found = NULL;
	struct cli cli = { 0 };
	int used = 0;

	signal(SIGPIPE, SIG_IGN);
	log_init("atoll", LOG_WARN);
	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))
		return usage(argc < 2 ? stderr : stdout);
	if (!strcmp(argv[1], "--version"))
		return printf("atoll %s\n", ATOLL_VERSION), EXIT_OK;
	for (const struct command *c = commands; c->words && !found; c++)
		if ((used = words_used(c, argc, argv)))
			found = c;
	if (!found)
		return unknown(argv[1]);
	if (found->run == cmd_call && argc == 4 && !strcmp(argv[3], "--help") && !tool_help(argv[2]))
		return EXIT_OK;
	cli.a = arena_new();
	int rc = run(found, used, argc, argv, &cli);
	if (cli.e.code)
		fprintf(stderr, "atoll: %s%s%s\n", cli.e.msg, *cli.e.hint ? "\n" : "", cli.e.hint);
	arena_free(cli.a);
	return rc;
}
