#ifndef SHARD_SETTINGS_SETTINGS_H
#define SHARD_SETTINGS_SETTINGS_H
/*
 * Settings of a repository: the values of keys and environment variables in its configuration files
 * that can be part of a URL: .env, .properties, application.yml, appsettings.json, environments of
 * compose and Kubernetes, Dockerfile.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct setting {
	const char *key;	/* as written; nested ones joined by dots */
	const char *value;	/* may contain placeholders, ${NAME:default}; never a password in a URL */
	/*
	 * the service whose environment it is: its name in compose or Kubernetes, or the name of a
	 * configuration file for one program; NULL if there is none
	 */
	const char *service;
	uint32_t line;
};

/* Whether a file with that path may have settings. */
bool settings_match_path(const char *path);

/*
 * Stores the settings of a file in order in *out, in `a`, and returns their number.  A broken file
 * has the settings before the error.  Values that cannot be part of a URL are left out, and so are
 * keys that name a password, token or secret.
 */
size_t settings_read(
    const char *path, const char *text, size_t n, struct arena *a, struct setting **out);

/*
 * Call `each` with all values of each document of a YAML, JSON or properties file, unfiltered, for
 * callers that know their meaning.  The array is valid only during the call; strings live in `a`.
 */
void settings_each_document(const char *path, const char *text, size_t n, struct arena *,
    void (*each)(void *, const struct setting *, size_t n), void *);

/*
 * The normal form of a key, in the arena.  It is the same for clients.users-url, clients.usersUrl,
 * CLIENTS_USERS_URL and Clients__UsersUrl.
 */
const char *settings_key(const char *key, struct arena *);
#endif
