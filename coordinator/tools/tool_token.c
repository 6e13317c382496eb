/* Administration of bearer tokens. */
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/tokens.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/groups.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"

/* Whether a text is a day such as 2027-01-31. */
static bool is_day(const char *s)
{
	static const char digits[] = "0123456789";

	if (strlen(s) != 10 || s[4] != '-' || s[7] != '-')
		return false;
	return strspn(s, digits) == 4 && strspn(s + 5, digits) == 2 && strspn(s + 8, digits) == 2;
}

/* `30d`, `12h`, `45m`: a time from now; `2027-01-31`: the beginning of that day, UTC. */
static const char *expiry(struct call *c, const char *s)
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = { { 'd', 86400 }, { 'h', 3600 }, { 'm', 60 } };
	char at[CLOCK_ISO], now[CLOCK_ISO], *end;
	long n = strtol(s, &end, 10);

	for (size_t i = 0; i < LEN(units); i++)
		if (n > 0 && n < 100000 && end[0] == units[i].unit && !end[1]) {
			clock_iso_in(n * units[i].seconds, at);
			return arena_str(c->a, at);
		}
	clock_iso(now);
	if (is_day(s) && strcmp(s, now) > 0)
		return arena_printf(c->a, "%sT00:00:00.000Z", s);
	err_set(&c->e, ERR_INVALID_INPUT,
	    "`expires`: `%.40s` is neither a time from now nor a future day", s);
	err_hint(&c->e, "Examples: 30d, 12h, 45m, 2027-01-31.");
	return NULL;
}

/* Set the limits of a token: names become repo_uris, and groups must exist. */
static int limit(struct call *c, const struct token_create_in *in, struct token_row *r)
{
	struct group_row g;

	r->groups = in->groups;
	r->repos = (t_strs){ arena_many(c->a, in->repos.n, const char *), in->repos.n };
	for (size_t i = 0; i < in->groups.n; i++)
		if (view_group(c, in->groups.v[i], &g))
			return -1;
	for (size_t i = 0; i < in->repos.n; i++) {
		struct member *m = resolve_repo(c, in->repos.v[i], NULL);
		if (!m)
			return -1;
		r->repos.v[i] = m->repo_uri;
	}
	return 0;
}

static bool is_limited(const struct token_create_in *in)
{
	bool some_repos = in->groups.n || in->repos.n || strcmp(in->visibility, "private");

	return some_repos || in->read_only;
}

/* A limited first token would lock everybody out, since it could not create another one. */
static int check_first(struct call *c, const struct token_create_in *in)
{
	if (tokens_exist(c->co->tokens) || *c->o->offline || !is_limited(in))
		return 0;
	err_set(&c->e, ERR_INVALID_INPUT,
	    "the first token must be without limits: from then on every request needs a token, and"
	    " only an unlimited one can create others");
	return err_hint(
	    &c->e, "Run `atoll token create --name admin` first, and set ATOLL_TOKEN to that token.");
}

static int create(struct call *c, const struct token_create_in *in, struct token_row *r)
{
	struct token_create_out *out = c->out;
	char *secret = arena_many(c->a, TOKEN_SIZE, char);

	if (check_first(c, in) || limit(c, in, r))
		return -1;
	if (in->expires) {
		r->expires_at = expiry(c, in->expires);
		if (!r->expires_at)
			return -1;
	}
	if (tokens_create(c->co->tokens, r, secret, &c->e))
		return -1;
	out->secret = secret;
	return 0;
}

void tool_token_create(struct call *c)
{
	const struct token_create_in *in = c->in;
	struct token_create_out *out = c->out;
	char now[CLOCK_ISO];

	clock_iso(now);
	out->token = arena_one(c->a, struct token_row);
	*out->token = (struct token_row){
		.name = in->name,
		.visibility = in->visibility,
		.read_only = in->read_only,
		.created_at = arena_str(c->a, now),
	};
	create(c, in, out->token);
	call_end(c);
}

void tool_token_list(struct call *c)
{
	struct token_list_out *out = c->out;

	tokens_rows(c->co->tokens, &out->tokens.v, &out->tokens.n, c->a);
	call_end(c);
}

void tool_token_revoke(struct call *c)
{
	const struct token_revoke_in *in = c->in;
	struct token_revoke_out *out = c->out;

	out->name = in->name;
	tokens_revoke(c->co->tokens, in->name, &c->e);
	call_end(c);
}
