/* Which remotes git may talk to, and how redirects are handled. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/net/egress.h"
#include "proto/text/repo_uri.h"
#include "proto/text/url_host.h"
#include "shard/base/options.h"
#include "shard/git/git_process_internal.h"

enum { MAX_GIT_REDIRECTS = 3 };

/* ---- schemes ---- */

/* The protocol in git's terms, or NULL if it is not supported. */
static const char *protocol_of(const char *url, struct arena *a)
{
	struct egress_target s;

	if (egress_parse(url, &s, a, NULL))
		return NULL;
	return s.scheme;
}

static bool http_allowed(const char *url, const struct options *o, struct arena *a)
{
	struct url_host h;

	if (o->git_http)
		return true;
	return !url_host_parse(url, &h, a) && url_host_is_loopback(&h);
}

int git_check_url(const char *url, const struct options *o, struct arena *a, struct err *e)
{
	const char *protocol = protocol_of(url, a);

	if (!protocol)
		return err_set(e, ERR_INVALID_INPUT, "%s: this URL scheme is not supported; "
		    "use https://, ssh:// or git://", uri_redact(url, a));
	if (strcmp(protocol, "http") || http_allowed(url, o, a))
		return 0;
	return err_set(e, ERR_INVALID_INPUT,
	    "%s: http:// is allowed only for this machine; "
	    "use https://, or allow it with --git-http (ATOLL_GIT_HTTP=true)",
	    uri_redact(url, a));
}

const char *git_allowed_protocols(const char *url, const struct options *o, struct arena *a)
{
	const char *protocol = protocol_of(url, a), *more = "";

	if (protocol && !strcmp(protocol, "file"))
		more = ":file";
	else if (protocol && !strcmp(protocol, "http") && http_allowed(url, o, a))
		more = ":http";
	/* all three, because url.insteadOf in the operator's settings may replace one by another */
	return arena_printf(a, "https:ssh:git%s", more);
}

/* ---- redirects ---- */

static bool is_redirect(const struct buf *said)
{
	return said->p && strstr(said->p, "The requested URL returned error: 3");
}

/* The value of the last header Location in a trace of git, or NULL. */
static const char *location_of(const struct buf *said, struct arena *a)
{
	static const char mark[] = "<= Recv header: location: ";
	char *text = arena_strn(a, said->p, said->n), *line;
	const char *last = NULL;

	while ((line = strsep(&text, "\r\n"))) {
		const char *at = strcasestr(line, mark);
		if (at)
			last = at + strlen(mark);
	}
	return last;
}

/* `location` as an absolute URL; it may be a path on the server of `url`. */
static const char *absolute_location(const char *location, const char *url, struct arena *a)
{
	size_t scheme = (size_t)(strstr(url, "://") - url), host = strcspn(url + scheme + 3, "/?#");

	if (!strncmp(location, "//", 2))
		return arena_printf(a, "%.*s:%s", (int)scheme, url, location);
	if (*location == '/')
		return arena_printf(a, "%.*s%s", (int)(scheme + 3 + host), url, location);
	return location;
}

/* The target to which the server redirects requests for the repository; NULL if it names none. */
static const char *query_redirect_target(const struct git_command *g, struct arena *a)
{
	const char *argv[] = { "git", "ls-remote", "--", g->url, "HEAD", NULL };
	struct git_command traced = *g;
	struct buf out = { 0 }, said = { 0 };

	traced.traced = true;
	traced.limited_dir = NULL;
	git_run_once(&traced, argv, &out, &said, a, NULL);
	const char *location = location_of(&said, a);
	buf_free(&out);
	buf_free(&said);
	if (location)
		return absolute_location(location, g->url, a);
	return NULL;
}

/* The repository's URL, given the redirected URL of its list of refs. */
static const char *repository_of(const char *target, struct arena *a)
{
	const char *end = strstr(target, "/info/refs");

	if (!end)
		end = target + strcspn(target, "?#");
	return arena_strn(a, target, (size_t)(end - target));
}

/* Whether the target is a repository on the server of `url`, so that it may get our credentials. */
static bool is_same_server(const char *target, const char *url, struct arena *a)
{
	struct url_host from, to;
	const char *mark = strstr(target, "://");

	if (!mark || url_host_parse(url, &from, a) || url_host_parse(target, &to, a))
		return false;
	if (!url_host_equal(&from, &to) || !strstr(target, "/info/refs"))
		return false;
	if (memchr(mark, '@', 3 + strcspn(mark + 3, "/?#")))
		return false;		/* the target contains credentials */
	for (const char *c = target; *c; c++)
		if (!isgraph((unsigned char)*c))
			return false;
	return true;
}

static int fail_redirect(
    const struct git_command *g, const char *target, struct arena *a, struct err *e)
{
	if (!target)
		return err_set(e, ERR_UNAVAILABLE, "%s redirects without naming a target", g->shown);
	const char *shown = uri_redact(repository_of(target, a), a);
	return err_set(e, ERR_UNAVAILABLE, "%s redirects to %s, which was not contacted; "
	    "if that is the right repository, use it as the URL", g->shown, shown);
}

/* The command line with another URL. */
static const char **with_url(const char **argv, const char *old, const char *url, struct arena *a)
{
	size_t n = 0;

	while (argv[n])
		n++;
	const char **v = arena_many(a, n + 1, const char *);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(argv[i], old))
			v[i] = argv[i];
		else
			v[i] = url;
	}
	return v;
}

int git_run(
    const struct git_command *g, const char **argv, struct buf *out, struct arena *a, struct err *e)
{
	struct git_command now = *g;

	for (int redirects = 0;; redirects++) {
		struct err why = { 0 };
		struct buf said = { 0 };
		int rc = git_run_once(&now, argv, out, &said, a, &why);
		bool redirected = rc && is_redirect(&said);
		buf_free(&said);
		if (!redirected) {
			if (rc && e)
				*e = why;
			return rc;
		}
		const char *target = query_redirect_target(&now, a);
		if (!target || redirects == MAX_GIT_REDIRECTS || !is_same_server(target, g->url, a))
			return fail_redirect(g, target, a, e);
		const char *url = repository_of(target, a);
		log_info("git.redirected", "source=%s to=%s", log_quote(g->shown), log_quote(url));
		argv = with_url(argv, now.url, url, a);
		now.url = url;
		out->n = 0;
	}
}
