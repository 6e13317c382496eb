#include "proto/process/environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/base/die.h"

static const struct allow_rule {
	enum environment_recipient whom;
	const char *name;
} passes[] = {
#define PASS(whom, name, why) { ENVIRONMENT_##whom, name },
#include "proto/process/environment.def"
};

bool environment_name_matches(const char *name, const char *entry)
{
	size_t n = strlen(name);

	if (name[n - 1] == '*')
		return !strncmp(entry, name, n - 1);
	return !strncmp(entry, name, n) && entry[n] == '=';
}

bool environment_allows(enum environment_recipient whom, const char *entry)
{
	for (size_t i = 0; i < LEN(passes); i++)
		if (passes[i].whom == whom && environment_name_matches(passes[i].name, entry))
			return true;
	return false;
}

static char *entry_of(const char *name, const char *value)
{
	struct buf b = { 0 };

	buf_printf(&b, "%s=%s", name, value);
	return b.p;
}

static void add(struct environment *env, char *entry)
{
	env->v = grow(env->v, &env->cap, env->n + 2, sizeof *env->v);
	env->v[env->n++] = entry;
	env->v[env->n] = NULL;
}

static char **find(const struct environment *env, const char *name)
{
	for (size_t i = 0; i < env->n; i++)
		if (environment_name_matches(name, env->v[i]))
			return &env->v[i];
	return NULL;
}

struct environment environment_new(enum environment_recipient whom)
{
	struct environment env = { 0 };

	env.v = grow(NULL, &env.cap, 1, sizeof *env.v);
	*env.v = NULL;
	for (char **p = environ; *p; p++)
		if (environment_allows(whom, *p))
			add(&env, xstrdup(*p));
	return env;
}

void environment_free(struct environment *env)
{
	for (size_t i = 0; i < env->n; i++)
		free(env->v[i]);
	free(env->v);
	*env = (struct environment){ 0 };
}

const char *environment_get(const struct environment *env, const char *name)
{
	char **at = find(env, name);

	if (at)
		return *at + strlen(name) + 1;
	return NULL;
}

void environment_set(struct environment *env, const char *name, const char *value)
{
	char **at = find(env, name);

	if (!at) {
		add(env, entry_of(name, value));
		return;
	}
	free(*at);
	*at = entry_of(name, value);
}

void environment_default(struct environment *env, const char *name, const char *value)
{
	if (!find(env, name))
		environment_set(env, name, value);
}

void environment_inherit(struct environment *env, const char *name)
{
	const char *value = getenv(name);

	if (value)
		environment_set(env, name, value);
}
