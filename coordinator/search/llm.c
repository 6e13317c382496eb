#include "coordinator/search/llm.h"

#include <stdbool.h>
#include <string.h>

#include "coordinator/base/options.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/optional_text.h"
#include "proto/net/http_client.h"
#include "proto/record/json.h"

enum { TRIES = 3 };

int llm_open(struct llm *l, const struct coordinator_config *o, struct arena *a, struct err *e)
{
	const char *key = o->llm_key;
	bool has_url = *o->llm_url, has_model = *o->llm_model;

	if (has_url != has_model)
		return err_set(e, ERR_INVALID_INPUT, "--llm-url and --llm-model go together");
	if (!has_url)
		return 0;
	if (openai_check("llm", o->llm_url, o->llm_key_file, &key, a, e))
		return -1;
	l->model = o->llm_model;
	l->api = (struct openai){ .what = "the language model",
		.url = openai_url(o->llm_url, "chat/completions", a),
		.key = key,
		.timeout_ms = (int)o->llm_timeout,
		.tries = TRIES };
	return 0;
}

/* ---- the question ---- */

static void put_message(struct buf *b, const char *role, const char *text)
{
	buf_printf(b, "{\"role\":\"%s\",\"content\":", role);
	json_quote(b, text);
	buf_byte(b, '}');
}

static int post(const struct llm *l, const char *system, const char *user, bool cold,
    int64_t deadline_ms, struct fetch_response *r, struct arena *a, struct err *e)
{
	struct buf b = { 0 };

	buf_str(&b, "{\"model\":");
	json_quote(&b, l->model);
	if (cold)
		buf_str(&b, ",\"temperature\":0");
	buf_str(&b, ",\"stream\":false,\"messages\":[");
	put_message(&b, "system", system);
	buf_byte(&b, ',');
	put_message(&b, "user", user);
	buf_str(&b, "]}");
	int rc = openai_post(&l->api, b.p, b.n, deadline_ms, r, a, e);
	buf_free(&b);
	return rc;
}

/* ---- the answer ---- */

/* Add a content: a text, or a list of parts of which only those of type text count. */
static void add_content(struct buf *out, const struct json *content)
{
	buf_str(out, text_or_empty(json_str(content)));
	for (size_t i = 0; i < json_len(content); i++)
		buf_str(out, text_or_empty(json_str(json_key(json_nth(content, i), "text"))));
}

/* Whether a choice is complete; sets `*cut` if it ended at the model's token limit. */
static bool is_finished(const struct json *choice, bool *cut)
{
	const char *reason = json_str(json_key(choice, "finish_reason"));

	*cut |= reason && !strcmp(reason, "length");
	return reason != NULL;
}

/* Add the text of a chunk of a stream; whether it is the last one. */
static bool add_chunk(struct buf *out, const char *data, bool *cut, const char **why)
{
	struct json *j = json_read(data, NULL);
	const struct json *choice = json_nth(json_key(j, "choices"), 0);

	if (!j)
		*why = "invalid JSON";
	else if (json_key(j, "error"))
		*why = "an error";
	add_content(out, json_key(json_key(choice, "delta"), "content"));
	bool finished = is_finished(choice, cut);
	json_free(j);
	return finished || *why;
}

/* Add the text of lines `data: CHUNK`, which end with `data: [DONE]`. */
static void add_stream(struct buf *out, const char *s, bool *cut, const char **why, struct arena *a)
{
	bool last = false;

	for (size_t n; *s && !*why; s += n + strspn(s + n, "\r\n")) {
		n = strcspn(s, "\r\n");
		if (strncmp(s, "data:", 5))
			continue;
		size_t skip = 5 + strspn(s + 5, " ");
		if (skip >= n)
			continue;
		const char *data = arena_strn(a, s + skip, n - skip);
		if (!strcmp(data, "[DONE]"))
			return;
		if (add_chunk(out, data, cut, why))
			last = true;
	}
	if (!last)
		*why = "an incomplete text";
}

static void add_object(struct buf *out, const char *body, bool *cut, const char **why)
{
	struct json *j = json_read(body, NULL);
	const struct json *choice = json_nth(json_key(j, "choices"), 0);

	if (!j)
		*why = "invalid JSON";
	add_content(out, json_key(json_key(choice, "message"), "content"));
	is_finished(choice, cut);
	json_free(j);
}

static bool is_stream(const struct fetch_response *r, const char *body)
{
	if (r->type && !strncmp(r->type, "text/event-stream", 17))
		return true;
	return !strncmp(body, "data:", 5);
}

static bool is_blank(const struct buf *b)
{
	return !b->n || strspn(b->p, " \t\r\n") == b->n;
}

const char *llm_text(const struct fetch_response *r, bool *cut, const char **why, struct arena *a)
{
	struct buf b = { 0 };
	const char *s = r->body + strspn(r->body, " \t\r\n");

	*why = NULL;
	*cut = false;
	if (is_stream(r, s))
		add_stream(&b, s, cut, why, a);
	else
		add_object(&b, s, cut, why);
	if (!*why && is_blank(&b))
		*why = "no text";
	const char *text = NULL;
	if (!*why)
		text = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return text;
}

const char *llm_answer(const struct llm *configured, const char *system, const char *user,
    int64_t deadline_ms, atomic_bool *stop, bool *cut, struct arena *a, struct err *e)
{
	struct llm l = *configured;
	struct fetch_response r;
	const char *why;

	l.api.stop = stop;
	int rc = post(&l, system, user, true, deadline_ms, &r, a, e);
	if (rc && r.status == 400) {	/* some models accept no temperature */
		*e = (struct err){ 0 };
		rc = post(&l, system, user, false, deadline_ms, &r, a, e);
	}
	if (rc)
		return NULL;
	const char *text = llm_text(&r, cut, &why, a);
	if (!text) {
		err_set(e, ERR_UNAVAILABLE, "%s at %.120s answered with %s", l.api.what,
		    fetch_display_url(l.api.url, a), why);
		err_hint(e,
		    "Ask again.  If it fails again, check that --llm-url is the base URL of an"
		    " OpenAI-compatible API.");
	}
	return text;
}
