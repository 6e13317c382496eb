#include "coordinator/cli/base/program_environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/process/embedded.h"
#include "proto/process/environment.h"

/* Lists of the variables of each program's options; the Makefile makes them. */
static const char *const files[] = {
	[PROGRAM_COORDINATOR] = "variables/coordinator.txt",
	[PROGRAM_SHARD] = "variables/shard.txt",
	[PROGRAM_MIRROR] = "variables/shard.txt",
};

/*
 * Secrets that a program uses only if another option is set: to `value`, or to anything if that is
 * NULL.
 */
static const struct { const char *name, *option, *value; } needs[] = {
	{ "ATOLL_EMBED_KEY", "ATOLL_EMBEDDER", "http" },
	{ "OPENAI_API_KEY", "ATOLL_EMBEDDER", "http" },
	{ "ATOLL_LLM_KEY", "ATOLL_LLM_URL", NULL },
	{ "OPENAI_API_KEY", "ATOLL_LLM_URL", NULL },
};

static const char *const of_remotes[] = { "ATOLL_GIT_TOKEN*", "ATOLL_GITHUB_TOKEN",
	"GITHUB_TOKEN" };

static bool is_among(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = strcspn(names[i], "*");
		if (!strncmp(name, names[i], k) && (names[i][k] || !name[k]))
			return true;
	}
	return false;
}

/* Whether `name` is a word of the text, whose words are separated by characters of `ends`. */
static bool is_word(const char *name, const char *text, const char *ends)
{
	size_t n = strlen(name);

	for (const char *p = text; p && *p; p += strspn(p, ends)) {
		size_t k = strcspn(p, ends);
		if (k == n && !strncmp(p, name, n))
			return true;
		p += k;
	}
	return false;
}

static bool is_option(const char *name, const char *file)
{
	return is_word(name, embedded_contents(file), " \n");
}

/* Whether the option is one of the program's and is set to `value`, or to anything if NULL. */
static bool is_set(const char *option, const char *value, const char *file)
{
	if (!is_option(option, file))
		return false;
	const char *v = getenv(option);
	if (!v || !*v)
		return false;
	return !value || !strcmp(v, value);
}

static bool is_needed(const char *name, const char *file)
{
	bool limited = false;

	for (size_t i = 0; i < LEN(needs); i++) {
		if (strcmp(needs[i].name, name) != 0)
			continue;
		if (is_set(needs[i].option, needs[i].value, file))
			return true;
		limited = true;
	}
	return !limited;
}

/* Whether a shard's git needs it, or the operator names it in ATOLL_GIT_ENVIRONMENT. */
static bool is_for_git(const char *entry, const char *name, enum program_kind kind)
{
	if (environment_allows(ENVIRONMENT_GIT, entry))
		return true;
	return kind == PROGRAM_MIRROR && is_word(name, getenv("ATOLL_GIT_ENVIRONMENT"), ",");
}

static bool is_passed(const char *entry, enum program_kind kind, struct arena *a)
{
	const char *name = arena_strn(a, entry, strcspn(entry, "="));

	if (environment_allows(ENVIRONMENT_PROGRAM, entry))
		return true;
	if (kind != PROGRAM_COORDINATOR && is_for_git(entry, name, kind))
		return true;
	if (kind == PROGRAM_SHARD && is_among(name, of_remotes, LEN(of_remotes)))
		return false;
	return is_option(name, files[kind]) && is_needed(name, files[kind]);
}

const char *const *program_environment(enum program_kind kind, struct arena *a)
{
	size_t n = 0, all = 0;

	while (environ[all])
		all++;
	const char **v = arena_many(a, all + 1, const char *);
	for (size_t i = 0; i < all; i++)
		if (is_passed(environ[i], kind, a))
			v[n++] = environ[i];
	v[n] = NULL;
	return v;
}
