#include "coordinator/cli/environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/embedded.h"

/* Of any program; a star at the end stands for any rest. */
static const char *const neutral[] = {
	"PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_*", "TZ", "TZDIR", "TMPDIR", "XDG_*",
	"http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID",
	"LD_LIBRARY_PATH", "LD_PRELOAD", "MALLOC_*", "GLIBC_TUNABLES",
	"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS",
};

/* Of those that run git, or ask for one thing of it. */
static const char *const of_git[] = { "GIT_*", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "KRB5*", "DBUS_SESSION_BUS_ADDRESS" };

/* Whose options' variables: lines of the Makefile's making. */
static const char *const files[] = {
	[FOR_COORDINATOR] = "variables/coordinator.txt", [FOR_SHARD] = "variables/shard.txt", [FOR_MIRROR] = "variables/shard.txt",
};

/* A secret that a program takes only along with another option: this must have the value, or any where that is NULL. */
static const struct { const char *name, *option, *value; } needs[] = {
	{ "ATOLL_EMBED_KEY", "ATOLL_EMBEDDER", "http" },
	{ "OPENAI_API_KEY", "ATOLL_EMBEDDER", "http" },
	{ "ATOLL_LLM_KEY", "ATOLL_LLM_URL", NULL },
	{ "OPENAI_API_KEY", "ATOLL_LLM_URL", NULL },
};

static const char *const of_remotes[] = { "ATOLL_GIT_TOKEN*", "GITHUB_TOKEN" };

static bool is_among(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = strcspn(names[i], "*");
		if (!strncmp(name, names[i], k) && (names[i][k] || !name[k]))
			return true;
	}
	return false;
}

/* Whether it is a word of the file. */
static bool is_option(const char *name, const char *file)
{
	const char *text = file ? embedded_get(file) : NULL;
	size_t n = strlen(name);

	for (const char *p = text ? text : ""; *p; p += strspn(p, " \n")) {
		size_t k = strcspn(p, " \n");
		if (k == n && !strncmp(p, name, n))
			return true;
		p += k;
	}
	return false;
}

static bool is_needed(const char *name, const char *file)
{
	bool limited = false;

	for (size_t i = 0; i < LEN(needs); i++) {
		if (strcmp(needs[i].name, name) != 0)
			continue;
		const char *v = is_option(needs[i].option, file) ? getenv(needs[i].option) : NULL;
		if (v && *v && (!needs[i].value || !strcmp(v, needs[i].value)))
			return true;
		limited = true;
	}
	return !limited;
}

static bool is_let_through(const char *name, enum environment_for who)
{
	const char *file = who == FOR_GIT ? NULL : files[who];

	if (is_among(name, neutral, LEN(neutral)))
		return true;
	if (who != FOR_COORDINATOR && is_among(name, of_git, LEN(of_git)))
		return true;
	if (who == FOR_SHARD && is_among(name, of_remotes, LEN(of_remotes)))
		return false;
	return is_option(name, file) && is_needed(name, file);
}

const char *const *environment_for(enum environment_for who, struct arena *a)
{
	size_t n = 0, all = 0;

	while (environ[all])
		all++;
	const char **v = arena_many(a, all + 1, const char *);
	for (size_t i = 0; i < all; i++)
		if (is_let_through(arena_strn(a, environ[i], strcspn(environ[i], "=")), who))
			v[n++] = environ[i];
	v[n] = NULL;
	return v;
}
