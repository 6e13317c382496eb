#include "coordinator/cli/base/short_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

static const struct short_option {
	const char *command;
	char letter;
	bool has_value;
	const char *name;
} options[] = {
	{ "grep", 'C', true, "--context" },
	{ "grep", 'F', false, "--fixed-strings" },
	{ "grep", 'Q', true, "--query" },
	{ "grep", 'S', false, "--smart-case" },
	{ "grep", 'U', false, "--multiline" },
	{ "grep", 'c', false, "--count" },
	{ "grep", 'g', true, "--glob" },
	{ "grep", 'i', false, "--ignore-case" },
	{ "grep", 'l', false, "--files-with-matches" },
	{ "grep", 'n', false, "--line-number" },
	{ "grep", 's', false, "--case-sensitive" },
	{ "grep", 'w', false, "--word-regexp" },
};

static const struct short_option *find(const char *command, char letter)
{
	for (size_t i = 0; i < LEN(options); i++)
		if (options[i].letter == letter && !strcmp(options[i].command, command))
			return &options[i];
	return NULL;
}

/* Whether a word is `-` and letters that the command knows, the last of them perhaps with a value. */
static bool is_short(const char *command, const char *word)
{
	if (*word != '-' || !word[1] || word[1] == '-')
		return false;
	for (const char *s = word + 1; *s; s++) {
		const struct short_option *o = find(command, *s);
		if (!o)
			return false;
		if (o->has_value)
			return true;
	}
	return true;
}

char **short_options_expand(const char *command, int *argc, char **argv, struct arena *a)
{
	size_t room = 1;
	int n = 0;

	for (int i = 0; i < *argc; i++)
		room += strlen(argv[i]) + 1;
	char **out = arena_many(a, room, char *);
	bool options_end = false;
	for (int i = 0; i < *argc; i++) {
		options_end |= !strcmp(argv[i], "--");
		if (options_end || !is_short(command, argv[i])) {
			out[n++] = argv[i];
			continue;
		}
		for (const char *s = argv[i] + 1; *s; s++) {
			const struct short_option *o = find(command, *s);
			out[n++] = arena_str(a, o->name);
			if (!o->has_value)
				continue;
			if (s[1])
				out[n++] = arena_str(a, s + 1);
			break;
		}
	}
	*argc = n;
	return out;
}
