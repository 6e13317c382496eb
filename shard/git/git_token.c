#include "shard/git/git_token.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/log.h"
#include "proto/text/url_host.h"
#include "shard/base/options.h"

/* GITHUB_TOKEN goes only to these hosts, because many machines set it for other purposes. */
static const char *const github[] = { "github.com", "api.github.com", "*.ghe.com" };

static bool is_among(const struct url_host *h, const char *const *hosts, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++)
		if (url_host_matches(h, hosts[i], a))
			return true;
	return false;
}

/* The second word of the first line whose first word matches the host. */
static const char *token_of_file(const char *path, const struct url_host *h, struct arena *a)
{
	FILE *f = fopen(path, "re");
	char line[1024], name[512], token[512];
	const char *found = NULL;

	if (!f) {
		log_error(
		    "git.tokens_file_unreadable", "file=%s message=%s", path, log_quote(strerror(errno)));
		return NULL;
	}
	while (!found && fgets(line, sizeof line, f))
		if (sscanf(line, "%511s %511s", name, token) == 2 && url_host_matches(h, name, a))
			found = arena_str(a, token);
	fclose(f);
	return found;
}

/* Whether a token may be sent there: the connection is encrypted, or does not leave the machine. */
static bool is_private_connection(const struct url_host *h)
{
	if (!strcmp(h->scheme, "https"))
		return true;
	return !strcmp(h->scheme, "http") && url_host_is_loopback(h);
}

const char *git_token(const char *url, const struct options *o, struct arena *a)
{
	struct url_host h;
	const char *token;

	if (url_host_parse(url, &h, a) || !is_private_connection(&h))
		return NULL;
	if (*o->git_tokens_file) {
		token = token_of_file(o->git_tokens_file, &h, a);
		if (token)
			return token;
	}
	if (*o->git_token && is_among(&h, o->git_token_hosts.v, o->git_token_hosts.n, a))
		return o->git_token;
	if (*o->github_token && is_among(&h, github, LEN(github), a))
		return o->github_token;
	return NULL;
}

bool git_token_is_github(const char *url, struct arena *a)
{
	struct url_host h;

	return !url_host_parse(url, &h, a) && is_among(&h, github, LEN(github), a);
}

const char *git_token_config_error(const struct options *o, struct arena *a)
{
	const struct string_list *hosts = &o->git_token_hosts;

	if (*o->git_token && !hosts->n)
		return "ATOLL_GIT_TOKEN is not used: set ATOLL_GIT_TOKEN_HOSTS to its hosts, "
		    "such as git.example.com,*.example.org";
	for (size_t i = 0; i < hosts->n; i++)
		if (!url_host_pattern_valid(hosts->v[i], a))
			return arena_printf(a, "ATOLL_GIT_TOKEN_HOSTS: `%s` is not a host: write "
			    "git.example.com, git.example.com:8443 or *.example.org", hosts->v[i]);
	if (!*o->git_token && hosts->n)
		return "ATOLL_GIT_TOKEN_HOSTS is set without a token: set ATOLL_GIT_TOKEN; "
		    "GITHUB_TOKEN is only for GitHub";
	return NULL;
}
