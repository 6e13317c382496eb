#ifndef SHARD_SETTINGS_SETTINGS_H
#define SHARD_SETTINGS_SETTINGS_H
/*
 * Settings of a repository: what its configuration files give to names and environment variables,
 * as far as it can be part of a URL: .env, .properties, application.yml, appsettings.json, compose
 * and Kubernetes environments, Dockerfile.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct setting {
	const char *key;	/* as written; nested ones joined by dots */
	const char *value;	/* may hold placeholders, ${NAME:default}; never a password in a URL */
	/*
	 * whose environment it is: the name in compose or Kubernetes, or that of a file for one
	 * program; NULL: of no one
	 */
	const char *service;
	uint32_t line;
};

/* Whether a file of that name may have settings. */
bool settings_match_path(const char *path);

/*
 * The settings of a file in its order, in `a`; how many.  A file that is broken has those before
 * the fault.  Values that cannot be part of a URL are left out, and whatever the key calls a
 * password, token or secret.
 */
size_t settings_read(
    const char *path, const char *text, size_t n, struct arena *a, struct setting **out);

/*
 * Call `each` with all that each document of a YAML, JSON or properties file says, unfiltered: for
 * who knows what it means.  The array is its own only during the call; strings live in `a`.
 */
void settings_each_document(const char *path, const char *text, size_t n, struct arena *,
    void (*each)(void *, const struct setting *, size_t n), void *);

/*
 * The form in which keys are the same: clients.users-url, clients.usersUrl, CLIENTS_USERS_URL and
 * Clients__UsersUrl.
 */
const char *settings_key(const char *key, struct arena *);
#endif
