#include "coordinator/cli/base/program_environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/process/embedded.h"
#include "proto/process/environment.h"

/* Whose options' variables: lines of the Makefile's making. */
static const char *const files[] = {
	[PROGRAM_COORDINATOR] = "variables/coordinator.txt",
	[PROGRAM_SHARD] = "variables/shard.txt",
	[PROGRAM_MIRROR] = "variables/shard.txt",
};

/*
 * A secret that a program takes only along with another option: this must have the value, or any
 * where that is NULL.
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

/* Whether it is a word of the text; words end at one of `ends`. */
static bool is_word(const char *name, const char *text, const char *ends)
{
	size_t n = strlen(name);

	for (const char *p = text ? text : ""; *p; p += strspn(p, ends)) {
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

static bool is_needed(const char *name, const char *file)
{
	bool limited = false;

	for (size_t i = 0; i < LEN(needs); i++) {
		if (strcmp(needs[i].name, name) != 0)
			continue;
		const char *v = NULL;
		if (is_option(needs[i].option, file))
			v = getenv(needs[i].option);
		if (v && *v && (!needs[i].value || !strcmp(v, needs[i].value)))
			return true;
		limited = true;
	}
	return !limited;
}

/* What a shard's git needs: of its programs, and what the operator names for it. */
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
