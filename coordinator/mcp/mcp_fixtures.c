#include "coordinator/mcp/mcp_fixtures.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/calls/context.h"
#include "coordinator/mcp/mcp_input_requests.h"
#include "coordinator/mcp/mcp_request.h"
#include "coordinator/mcp/mcp_stream.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/optional_text.h"
#include "proto/base/thread_pool.h"

enum { STEP_MS = 50 };

/* ---- the tools ---- */

static void say(struct input_round *r, const char *text)
{
	buf_str(&r->members, "\"content\":[{\"type\":\"text\",\"text\":");
	json_quote(&r->members, text);
	buf_str(&r->members, "}]");
}

static const char *argument(const struct input_round *r, const char *key)
{
	return text_or_empty(json_text_at(r->args, key, r->t->a));
}

/* The text at `first`.`second` of the answer to `key`, or NULL. */
static const char *answer_text(
    const struct input_round *r, const char *key, const char *first, const char *second)
{
	const char *raw = input_round_answer(r, key);

	if (!raw)
		return NULL;
	return json_text_at(json_member(raw, first, r->t->a), second, r->t->a);
}

static void simple_text(struct input_round *r)
{
	say(r, "It was called.");
}

static void always_fails(struct input_round *r)
{
	say(r, "This tool intentionally returns an error for testing");
	buf_str(&r->members, ",\"isError\":true");
}

static void with_progress(struct input_round *r)
{
	struct mcp_request *t = r->t;

	for (int at = 0; t->progress && at <= 100; at += 50) {
		mcp_request_notify(t, "notifications/progress",
		    arena_printf(
		        t->a, "{\"progressToken\":%s,\"progress\":%d,\"total\":100}", t->progress, at));
		clock_sleep(STEP_MS);
	}
	say(r, "All steps are done.");
}

static void with_logging(struct input_round *r)
{
	static const char *const messages[] = { "Tool execution started", "Tool processing data",
		"Tool execution completed" };

	for (size_t i = 0; !r->t->modern && i < LEN(messages); i++) {
		mcp_request_notify(r->t, "notifications/message",
		    arena_printf(r->t->a, "{\"level\":\"info\",\"data\":\"%s\"}", messages[i]));
		clock_sleep(STEP_MS);
	}
	say(r, "It has logged.");
}

static void hangs_up(struct input_round *r)
{
	if (r->t->session)
		stream_pause(r->t->ctx);
	clock_sleep(2 * STEP_MS);
	say(r, "The client is back.");
}

static const char *sample(const struct input_round *r, const char *prompt)
{
	struct buf b = { 0 };

	buf_str(&b, "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":");
	json_quote(&b, prompt);
	buf_str(&b, "}}],\"maxTokens\":100}");
	const char *params = arena_str(r->t->a, b.p);
	buf_free(&b);
	return params;
}

static const char *elicit(
    const struct input_round *r, const char *message, const char *properties, const char *required)
{
	struct buf b = { 0 };

	buf_str(&b, r->t->modern ? "{\"mode\":\"form\",\"message\":" : "{\"message\":");
	json_quote(&b, message);
	buf_printf(&b, ",\"requestedSchema\":{\"type\":\"object\",\"properties\":{%s}%s%s}}",
	    properties, *required ? ",\"required\":" : "", required);
	const char *params = arena_str(r->t->a, b.p);
	buf_free(&b);
	return params;
}

#define STRING(name) "\"" name "\":{\"type\":\"string\"}"

static void sampling(struct input_round *r)
{
	const char *text = answer_text(r, "answer", "content", "text");

	if (input_round_answer(r, "answer"))
		say(r, arena_printf(r->t->a, "LLM response: %s", text_or_empty(text)));
	else
		input_round_ask(r, "answer", "sampling/createMessage", sample(r, argument(r, "prompt")));
}

/* Ask for a form, then show what was filled in. */
static void form(struct input_round *r, const char *params)
{
	const char *answer = input_round_answer(r, "answer");

	if (answer)
		say(r, arena_printf(r->t->a, "User response: %s", answer));
	else
		input_round_ask(r, "answer", "elicitation/create", params);
}

static void elicitation(struct input_round *r)
{
	form(r,
	    elicit(r, argument(r, "message"), STRING("username") "," STRING("email"),
	        "[\"username\",\"email\"]"));
}

static void defaults(struct input_round *r)
{
	static const char properties[] =
	    "\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},"
	    "\"age\":{\"type\":\"integer\",\"default\":30},"
	    "\"score\":{\"type\":\"number\",\"default\":95.5},"
	    "\"status\":{\"type\":\"string\",\"enum\":[\"active\",\"inactive\",\"pending\"],"
	    "\"default\":\"active\"},"
	    "\"verified\":{\"type\":\"boolean\",\"default\":true}";

	form(r, elicit(r, "Are these correct?", properties, ""));
}

#define TITLED \
	"{\"const\":\"value1\",\"title\":\"First\"},{\"const\":\"value2\",\"title\":\"Second\"}," \
	"{\"const\":\"value3\",\"title\":\"Third\"}"
#define OPTIONS "[\"option1\",\"option2\",\"option3\"]"

static void enums(struct input_round *r)
{
	static const char properties[] =
	    "\"untitledSingle\":{\"type\":\"string\",\"enum\":" OPTIONS "},"
	    "\"titledSingle\":{\"type\":\"string\",\"oneOf\":[" TITLED "]},"
	    "\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\",\"opt3\"],"
	    "\"enumNames\":[\"First\",\"Second\",\"Third\"]},"
	    "\"untitledMulti\":{\"type\":\"array\",\"items\":"
	    "{\"type\":\"string\",\"enum\":" OPTIONS "}},"
	    "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":[" TITLED "]}}";

	form(r, elicit(r, "Which of these?", properties, ""));
}

static void tools_changed(struct input_round *r)
{
	mcp_notify(r->t->co->mcp, MCP_TOOLS_CHANGED, NULL, NULL);
	say(r, "All listeners are notified.");
}

static void prompts_changed(struct input_round *r)
{
	mcp_notify(r->t->co->mcp, MCP_PROMPTS_CHANGED, NULL, NULL);
	say(r, "All listeners are notified.");
}

/* ---- tools that ask the client ---- */

static void want_name(struct input_round *r)
{
	input_round_ask(r, "user_name", "elicitation/create",
	    elicit(r, "What is your name?", STRING("name"), "[\"name\"]"));
}

static void ask_name(struct input_round *r)
{
	const char *name = answer_text(r, "user_name", "content", "name");

	if (name)
		say(r, arena_printf(r->t->a, "Hello, %s!", name));
	else
		want_name(r);
}

static void ask_capital(struct input_round *r)
{
	if (input_round_answer(r, "capital_question"))
		say(r, "Thank you.");
	else
		input_round_ask(r, "capital_question", "sampling/createMessage",
		    sample(r, "What is the capital of France?"));
}

static void ask_roots(struct input_round *r)
{
	if (input_round_answer(r, "client_roots"))
		say(r, "Thank you.");
	else
		input_round_ask(r, "client_roots", "roots/list", "{}");
}

static void ask_with_state(struct input_round *r)
{
	r->next_state = "asked";
	if (r->state && input_round_answer(r, "confirm"))
		say(r, "state-ok");
	else
		input_round_ask(r, "confirm", "elicitation/create",
		    elicit(r, "Is that so?", "\"ok\":{\"type\":\"boolean\"}", "[\"ok\"]"));
}

static void ask_three(struct input_round *r)
{
	r->next_state = "asked";
	if (input_round_answer(r, "user_name") && input_round_answer(r, "greeting") &&
	    input_round_answer(r, "client_roots")) {
		say(r, "Thank you for all three.");
		return;
	}
	want_name(r);
	input_round_ask(r, "greeting", "sampling/createMessage", sample(r, "Greet me."));
	input_round_ask(r, "client_roots", "roots/list", "{}");
}

static void ask_twice(struct input_round *r)
{
	if (r->state && !strcmp(r->state, "second") && input_round_answer(r, "step2")) {
		say(r, "Thank you twice.");
	} else if (r->state && input_round_answer(r, "step1")) {
		r->next_state = "second";
		input_round_ask(r, "step2", "elicitation/create",
		    elicit(r, "What is your favourite colour?", STRING("color"), "[\"color\"]"));
	} else {
		r->next_state = "first";
		input_round_ask(r, "step1", "elicitation/create",
		    elicit(r, "What is your name?", STRING("name"), "[\"name\"]"));
	}
}

static void ask_by_capability(struct input_round *r)
{
	if (input_round_answer(r, "greeting") || input_round_answer(r, "user_name")) {
		say(r, "Thank you.");
		return;
	}
	want_name(r);
	input_round_ask(r, "greeting", "sampling/createMessage", sample(r, "Greet me."));
}

/* ---- the list of tools ---- */

static const struct fixture {
	const char *name, *doc, *schema, *content;
	void (*run)(struct input_round *);
} fixtures[] = {
#define CONST_TOOL(name, doc, result) { #name, doc, NO_ARGUMENTS, result, NULL },
#define ROUND_TOOL(name, doc, schema, run) { #name, doc, schema, NULL, run },
#include "coordinator/mcp/mcp_fixtures.def"
};

static const struct fixture *fixture_get(const struct mcp_request *t, const char *name)
{
	for (size_t i = 0; mcp_conformance_enabled(t) && i < LEN(fixtures); i++)
		if (!strcmp(fixtures[i].name, name))
			return &fixtures[i];
	return NULL;
}

void fixture_tools(const struct mcp_request *t, struct buf *out)
{
	for (size_t i = 0; mcp_conformance_enabled(t) && i < LEN(fixtures); i++)
		buf_printf(out, ",{\"name\":\"%s\",\"description\":\"%s\",\"inputSchema\":%s}",
		    fixtures[i].name, fixtures[i].doc, fixtures[i].schema);
}

/* A call that the HTTP thread gives to a thread that may block. */
struct fixture_job {
	struct mcp_request *t;
	const struct fixture *f;
	const char *args;
};

static void run(void *arg)
{
	struct fixture_job *j = arg;

	input_rounds_run(j->t, j->f->name, j->args, j->f->run);
}

bool fixture_call(struct mcp_request *t, const char *name, const char *args)
{
	const struct fixture *f = fixture_get(t, name);
	struct buf b = { 0 };

	if (!f)
		return false;
	if (!strcmp(name, "test_missing_capability") && t->modern && !(t->can & CAN_SAMPLE)) {
		mcp_request_fail(t, 400, NO_CAPABILITY, "{\"requiredCapabilities\":{\"sampling\":{}}}",
		    "%s needs a client with the capability `sampling`", name);
	} else if (f->run) {
		struct fixture_job *j = arena_one(t->a, struct fixture_job);
		*j = (struct fixture_job){ t, f, arena_str(t->a, args) };
		if (pool_run(t->co->slow, run, j))
			mcp_request_fail(t, 503, INTERNAL, NULL, "too many requests at once");
	} else {
		mcp_result_open(t, &b);
		buf_printf(&b, "\"content\":[%s]", f->content);
		mcp_result_send(t, &b);
	}
	return true;
}

/* ---- headers that repeat arguments ---- */

static bool is_same_number(const char *header, const char *value)
{
	char *end;
	double number = strtod(header, &end);

	return *header && !*end && number == strtod(value, NULL);
}

/* Whether the header (or NULL) equals the argument (JSON or NULL); numbers compare by value. */
static bool is_same(const char *header, const char *value, struct arena *a)
{
	bool absent = !value || !strcmp(value, "null");

	if (!header || absent)
		return !header && absent;
	if (json_is(value) == JSON_IS_NUMBER)
		return is_same_number(header, value);
	const char *text = json_text(value, a);
	if (text)
		return !strcmp(header, text);
	return !strcmp(header, value);
}

int fixture_check_headers(struct mcp_request *t, const struct mcp_input *in)
{
	static const struct {
		const char *argument, *header;
	} marked[] = { { "region", "Mcp-Param-Region" }, { "level", "Mcp-Param-Level" } };
	const char *name = text_or_empty(json_text(t->p.name, t->a));
	const char *args = "{}";

	if (t->p.arguments && json_is(t->p.arguments) == JSON_IS_OBJECT)
		args = t->p.arguments;
	if (strcmp(name, "test_x_mcp_header") || !fixture_get(t, name))
		return 0;
	for (size_t i = 0; i < LEN(marked); i++) {
		const char *h = mcp_header(in, marked[i].header, t->a);
		bool bad = !h && in->header && in->header(in->from, marked[i].header);
		if (bad || !is_same(h, json_member(args, marked[i].argument, t->a), t->a))
			return mcp_request_fail(t, 400, HEADER_MISMATCH, NULL,
			    "header %s differs from the argument `%s`", marked[i].header, marked[i].argument);
	}
	return 0;
}

/* ---- prompts ---- */

static void context_prompt(struct input_round *r)
{
	const char *context = answer_text(r, "user_context", "content", "context");

	if (!context) {
		input_round_ask(r, "user_context", "elicitation/create",
		    elicit(r, "In which context?", STRING("context"), "[\"context\"]"));
		return;
	}
	buf_str(&r->members, "\"messages\":[{\"role\":\"user\",\"content\":");
	buf_str(&r->members, "{\"type\":\"text\",\"text\":");
	json_quote(&r->members, context);
	buf_str(&r->members, "}}]");
}

static void message(struct input_round *r, const char *content)
{
	buf_printf(&r->members, "%s{\"role\":\"user\",\"content\":%s}",
	    r->members.n ? "," : "\"messages\":[", content);
}

static void simple_prompt(struct input_round *r)
{
	message(r, TEXT("This is a simple prompt for testing."));
	buf_byte(&r->members, ']');
}

static void prompt_with_arguments(struct input_round *r)
{
	struct buf b = { 0 };

	buf_str(&b, "{\"type\":\"text\",\"text\":");
	json_quote(&b,
	    arena_printf(r->t->a, "Prompt with arguments: arg1='%s', arg2='%s'", argument(r, "arg1"),
	        argument(r, "arg2")));
	buf_byte(&b, '}');
	message(r, b.p);
	buf_byte(&r->members, ']');
	buf_free(&b);
}

static void prompt_with_resource(struct input_round *r)
{
	struct buf b = { 0 };

	buf_str(&b, "{\"type\":\"resource\",\"resource\":{\"mimeType\":\"text/plain\",");
	buf_str(&b, "\"text\":\"Embedded resource content for testing.\",\"uri\":");
	json_quote(&b, argument(r, "resourceUri"));
	buf_str(&b, "}}");
	message(r, b.p);
	message(r, TEXT("Please process the embedded resource above."));
	buf_byte(&r->members, ']');
	buf_free(&b);
}

static void prompt_with_image(struct input_round *r)
{
	message(r, IMAGE);
	message(r, TEXT("Please analyze the image above."));
	buf_byte(&r->members, ']');
}

static const struct fixture_prompt {
	const char *name, *doc, *arguments[3];
	void (*run)(struct input_round *);
} prompts[] = {
	{ "test_simple_prompt", "Contains one sentence.", { 0 }, simple_prompt },
	{ "test_prompt_with_arguments", "Repeats its arguments.", { "arg1", "arg2" },
	    prompt_with_arguments },
	{ "test_prompt_with_embedded_resource", "Contains a resource.", { "resourceUri" },
	    prompt_with_resource },
	{ "test_prompt_with_image", "Contains an image.", { 0 }, prompt_with_image },
	{ "test_input_required_result_prompt", "Asks the user first.", { 0 }, context_prompt },
};

void fixture_prompts(const struct mcp_request *t, struct buf *out)
{
	for (size_t i = 0; mcp_conformance_enabled(t) && i < LEN(prompts); i++) {
		buf_printf(out, ",{\"name\":\"%s\",\"description\":\"%s\",\"arguments\":[", prompts[i].name,
		    prompts[i].doc);
		for (size_t j = 0; prompts[i].arguments[j]; j++)
			buf_printf(out, "%s{\"name\":\"%s\",\"description\":\"any text\",\"required\":true}",
			    j ? "," : "", prompts[i].arguments[j]);
		buf_str(out, "]}");
	}
}

static void get_prompt(struct mcp_request *t, const struct fixture_prompt *p, const char *args)
{
	for (size_t i = 0; p->arguments[i]; i++)
		if (!json_member(args, p->arguments[i], t->a)) {
			mcp_request_fail(
			    t, 200, INVALID_PARAMS, NULL, "argument `%s` is missing", p->arguments[i]);
			return;
		}
	input_rounds_run(t, p->name, args, p->run);
}

bool fixture_prompt(struct mcp_request *t, const char *name, const char *args)
{
	for (size_t i = 0; mcp_conformance_enabled(t) && i < LEN(prompts); i++)
		if (!strcmp(prompts[i].name, name)) {
			get_prompt(t, &prompts[i], args);
			return true;
		}
	return false;
}
