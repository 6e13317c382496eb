#include "coordinator/cli/base/api_client.h"

#include <stddef.h>
#include <string.h>

#include "coordinator/cli/base/child_process.h"
#include "coordinator/cli/base/program_environment.h"
#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/records.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/net/http_client.h"
#include "proto/record/json.h"
#include "proto/text/repo_uri.h"

struct api_client client_from_options(const struct cli *cli)
{
	size_t n = strlen(cli->o.url);

	while (n && cli->o.url[n - 1] == '/')
		n--;
	return (struct api_client){ arena_strn(cli->a, cli->o.url, n), cli->o.token, cli->o.ca, NULL };
}

/*
 * What a coordinator answers that is started for it; why it does not start stands on standard
 * error.
 */
static enum answer call_offline(const struct api_client *c, const char *tool, const char *args,
    const char **body, struct arena *a, struct err *e)
{
	const char *const argv[] = { child_program("atoll-coordinator", a), "--data", c->data,
		"--offline", tool, "--log-level", "error", NULL };

	*body = child_communicate(argv, program_environment(PROGRAM_COORDINATOR, a), args, a);
	if (!*body || json_is(*body) != JSON_IS_OBJECT) {
		err_set(e, ERR_UNAVAILABLE, "%s gave no answer on --data %s", argv[0], c->data);
		err_hint(e, "Where a coordinator runs on it, leave --data out and ask that one.");
		return ANSWER_NONE;
	}
	if (json_member(*body, "error", a))
		return ANSWER_ERROR;
	return ANSWER_OK;
}

static const char *const remedies[] = {
	[FETCH_OTHER] = "Start one with `atoll up PATH...`, or set ATOLL_URL.",
	[FETCH_DISTRUSTED] =
	    "--ca FILE (ATOLL_CA) names the CA that signed its certificate, which must be made for this name or address.",
	[FETCH_WANTS_HTTPS] = "Perhaps it is https:// that it wants, in ATOLL_URL or --url.",
	[FETCH_WANTS_HTTP] = "Perhaps it is http:// that it wants, in ATOLL_URL or --url.",
};

enum answer client_call(const struct api_client *c, const char *tool, const char *args,
    int timeout_ms, const char **body, struct arena *a, struct err *e)
{
	const char *const headers[] = { "Content-Type: application/json", "Accept: application/json",
		NULL };
	struct fetch_request f = {
		.method = "POST", .url = arena_printf(a, "%s/api/v1/%s", c->url, tool), .headers = headers,
		.bearer = c->token, .ca = c->ca, .body = args, .nbody = strlen(args),
		.timeout_ms = timeout_ms ? timeout_ms : 600000,
	};
	struct fetch_response r;

	if (c->data)
		return call_offline(c, tool, args, body, a, e);
	if (fetch(&f, &r, a, e)) {
		err_hint(e, "%s", remedies[r.why]);
		return ANSWER_NONE;
	}
	if (json_is(r.body) != JSON_IS_OBJECT ||
	    (r.status != 200 && !json_member(r.body, "error", a))) {
		err_set(e, ERR_UNAVAILABLE, "%s answered status %d, not like a coordinator",
		    uri_redact(f.url, a), r.status);
		err_hint(e, "Is ATOLL_URL right?  `atoll doctor` looks.");
		return ANSWER_NONE;
	}
	*body = r.body;
	if (r.status == 200)
		return ANSWER_OK;
	return ANSWER_ERROR;
}

enum answer client_get(const struct api_client *c, const char *tool, const char *args,
    int timeout_ms, const struct record *rec, void *out, struct arena *a, struct err *e)
{
	struct problem_answer p = { 0 };
	const char *body;
	enum answer got = client_call(c, tool, args, timeout_ms, &body, a, e);

	if (got == ANSWER_NONE)
		return got;
	if (got == ANSWER_OK) {
		if (json_get_lax(rec, out, body, a, e))
			return ANSWER_NONE;
		return ANSWER_OK;
	}
	if (json_get_lax(&rec_problem_answer, &p, body, a, e) || !p.error)
		return ANSWER_NONE;
	err_set(e, err_code(p.error->code), "%s", p.error->message ? p.error->message : "");
	err_hint(e, "%s", p.error->hint ? p.error->hint : "");
	return ANSWER_ERROR;
}

static void member(struct buf *b, const char *name)
{
	buf_byte(b, b->n ? ',' : '{');
	json_quote(b, name);
	buf_byte(b, ':');
}

void args_str(struct buf *b, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	member(b, name);
	json_quote(b, value);
}

void args_strs(struct buf *b, const char *name, const char *const *v, size_t n)
{
	if (!n)
		return;
	member(b, name);
	for (size_t i = 0; i < n; i++) {
		buf_byte(b, i ? ',' : '[');
		json_quote(b, v[i]);
	}
	buf_byte(b, ']');
}

void args_groups(struct buf *b, const struct string_list *groups)
{
	static const char *const without[] = { "default" };

	args_strs(b, "groups", groups->n ? groups->v : without, groups->n ? groups->n : 1);
}

void args_num(struct buf *b, const char *name, long long value)
{
	if (!value)
		return;
	member(b, name);
	buf_printf(b, "%lld", value);
}

void args_flag(struct buf *b, const char *name, bool value)
{
	if (!value)
		return;
	member(b, name);
	buf_str(b, "true");
}

const char *args_end(struct buf *b, struct arena *a)
{
	if (!b->n)
		buf_byte(b, '{');
	buf_byte(b, '}');
	const char *text = arena_strn(a, b->p, b->n);
	buf_free(b);
	return text;
}
