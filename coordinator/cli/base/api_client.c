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
#include "proto/base/optional_text.h"
#include "proto/net/http_client.h"
#include "proto/record/json.h"
#include "proto/text/repo_uri.h"

enum { TIMEOUT_MS = 600000 };

struct api_client client_from_options(const struct cli *cli)
{
	size_t n = strlen(cli->o.url);

	while (n && cli->o.url[n - 1] == '/')
		n--;
	return (struct api_client){ arena_strn(cli->a, cli->o.url, n), cli->o.token, cli->o.ca, NULL };
}

/*
 * Run a coordinator on the data folder for this one call.  If it does not start, it writes the
 * reason to standard error.
 */
static enum answer call_offline(const struct api_client *c, const char *tool, const char *args,
    const char **body, struct arena *a, struct err *e)
{
	const char *const argv[] = { child_program("atoll-coordinator", a), "--data", c->data,
		"--offline", tool, "--log-level", "error", NULL };

	*body = child_communicate(argv, program_environment(PROGRAM_COORDINATOR, a), args, a);
	if (!*body || json_is(*body) != JSON_IS_OBJECT) {
		err_set(e, ERR_UNAVAILABLE, "%s did not answer for --data %s", argv[0], c->data);
		err_hint(e, "If a coordinator already runs on that folder, omit --data to ask that one.");
		return ANSWER_NONE;
	}
	if (json_member(*body, "error", a))
		return ANSWER_ERROR;
	return ANSWER_OK;
}

static const char *const remedies[] = {
	[FETCH_OTHER] = "Start one with `atoll up PATH...`, or set ATOLL_URL.",
	[FETCH_DISTRUSTED] =
	    "Name the CA that signed its certificate with --ca FILE (ATOLL_CA).  The certificate must"
	    " be valid for this name or address.",
	[FETCH_WANTS_HTTPS] = "The server expects https://; change ATOLL_URL or --url.",
	[FETCH_WANTS_HTTP] = "The server expects http://; change ATOLL_URL or --url.",
};

/* Whether it is a coordinator's answer: the result of a tool, or an error envelope. */
static bool is_answer(const struct fetch_response *r, struct arena *a)
{
	if (json_is(r->body) != JSON_IS_OBJECT)
		return false;
	return r->status == 200 || json_member(r->body, "error", a);
}

enum answer client_call(const struct api_client *c, const char *tool, const char *args,
    int timeout_ms, const char **body, struct arena *a, struct err *e)
{
	const char *const headers[] = { "Content-Type: application/json", "Accept: application/json",
		NULL };
	struct fetch_request f = {
		.method = "POST", .url = arena_printf(a, "%s/api/v1/%s", c->url, tool), .headers = headers,
		.bearer = c->token, .ca = c->ca, .body = args, .nbody = strlen(args),
		.timeout_ms = timeout_ms,
	};
	struct fetch_response r;

	if (c->data)
		return call_offline(c, tool, args, body, a, e);
	if (!timeout_ms)
		f.timeout_ms = TIMEOUT_MS;
	if (fetch(&f, &r, a, e)) {
		err_hint(e, "%s", remedies[r.why]);
		return ANSWER_NONE;
	}
	if (!is_answer(&r, a)) {
		err_set(e, ERR_UNAVAILABLE, "%s returned status %d and is not a coordinator",
		    uri_redact(f.url, a), r.status);
		err_hint(e, "Check ATOLL_URL; `atoll doctor` shows what answers there.");
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
	err_set(e, err_code(p.error->code), "%s", text_or_empty(p.error->message));
	err_hint(e, "%s", text_or_empty(p.error->hint));
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

	if (groups->n)
		args_strs(b, "groups", groups->v, groups->n);
	else
		args_strs(b, "groups", without, LEN(without));
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
