/* prompts/list and prompts/get: mcp_prompts.def. */
#include <string.h>

#include "coordinator/mcp/mcp_fixtures.h"
#include "coordinator/mcp/mcp_request.h"
#include "proto/base/arena.h"
#include "proto/base/optional_text.h"

static const struct prompt {
	const char *name, *title, *doc, *text;
} prompts[] = {
#define PROMPT(name, title, doc, text) { #name, title, doc, text },
#include "coordinator/mcp/mcp_prompts.def"
};

static const struct {
	const char *prompt, *name;
	bool required;
	const char *doc;
} arguments[] = {
#define ARGUMENT(prompt, name, required, doc) { #prompt, #name, required, doc },
#include "coordinator/mcp/mcp_prompts.def"
};

static void put_prompt(const struct prompt *p, struct buf *out)
{
	const char *sep = "";

	buf_printf(out, "{\"name\":\"%s\",\"title\":\"%s\",\"description\":\"%s\",\"arguments\":[",
	    p->name, p->title, p->doc);
	for (size_t i = 0; i < LEN(arguments); i++)
		if (!strcmp(arguments[i].prompt, p->name)) {
			buf_printf(out, "%s{\"name\":\"%s\",\"description\":\"%s\",\"required\":%s}", sep,
			    arguments[i].name, arguments[i].doc, arguments[i].required ? "true" : "false");
			sep = ",";
		}
	buf_str(out, "]}");
}

void mcp_list_prompts(struct mcp_request *t)
{
	struct buf b = { 0 };
	size_t from;

	if (mcp_page_begin(t, 0, &from))
		return;
	mcp_result_open(t, &b);
	buf_str(&b, "\"prompts\":[");
	for (size_t i = 0; i < LEN(prompts); i++) {
		buf_str(&b, i ? "," : "");
		put_prompt(&prompts[i], &b);
	}
	fixture_prompts(t, &b);
	buf_byte(&b, ']');
	mcp_result_put_cache(t, &b);
	mcp_result_send(t, &b);
}

/* ---- filling in ---- */

/* Append a line of the text with the arguments that it names; nothing if one of them is missing. */
static void put_line(struct mcp_request *t, const char *args, const char *line, struct buf *out)
{
	size_t before = out->n;

	for (;;) {
		const char *open = strchr(line, '{');
		if (!open)
			break;
		const char *close = strchr(open, '}');
		if (!close)
			break;
		const char *name = arena_strn(t->a, open + 1, (size_t)(close - open) - 1);
		const char *value = json_text_at(args, name, t->a);
		if (!value || !*value) {
			out->n = before;
			return;
		}
		buf_put(out, line, (size_t)(open - line));
		buf_str(out, value);
		line = close + 1;
	}
	buf_str(out, line);
	buf_byte(out, '\n');
}

static void fill_in(
    struct mcp_request *t, const struct prompt *p, const char *args, struct buf *out)
{
	for (const char *line = p->text; *line;) {
		size_t n = strcspn(line, "\n");
		put_line(t, args, arena_strn(t->a, line, n), out);
		line += n;
		if (*line)
			line++;
	}
	if (out->n)
		out->p[--out->n] = 0;	/* the last line has no line break */
}

/* Check that the required arguments are there and all are strings.  0, or -1 after refusing. */
static int check(struct mcp_request *t, const struct prompt *p, const char *args)
{
	for (size_t i = 0; i < LEN(arguments); i++) {
		if (strcmp(arguments[i].prompt, p->name))
			continue;
		const char *raw = json_member(args, arguments[i].name, t->a), *fault = NULL;
		if (raw && !json_text(raw, t->a))
			fault = "not a string";
		else if (!raw && arguments[i].required)
			fault = "missing";
		if (fault)
			return mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
			    "prompt `%s`: argument `%s` (%s) is %s", p->name, arguments[i].name,
			    arguments[i].doc, fault);
	}
	return 0;
}

static const struct prompt *find_prompt(const char *name)
{
	for (size_t i = 0; i < LEN(prompts); i++)
		if (!strcmp(prompts[i].name, name))
			return &prompts[i];
	return NULL;
}

void mcp_get_prompt(struct mcp_request *t)
{
	const char *name = text_or_empty(json_text(t->p.name, t->a)), *args = "{}";
	const struct prompt *p = find_prompt(name);
	struct buf text = { 0 }, b = { 0 };

	if (t->p.arguments && json_is(t->p.arguments) == JSON_IS_OBJECT)
		args = t->p.arguments;
	if (!p) {
		if (!fixture_prompt(t, name, args))
			mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
			    "unknown prompt `%.100s`; prompts/list lists all of them", name);
		return;
	}
	if (check(t, p, args))
		return;
	fill_in(t, p, args, &text);
	mcp_result_open(t, &b);
	buf_printf(&b, "\"description\":\"%s\",\"messages\":[{\"role\":\"user\",", p->doc);
	buf_str(&b, "\"content\":{\"type\":\"text\",\"text\":");
	json_quote(&b, text.p);
	buf_str(&b, "}}]");
	buf_free(&text);
	mcp_result_send(t, &b);
}
