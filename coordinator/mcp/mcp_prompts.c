/* prompts/list and prompts/get: mcp_prompts.def. */
#include <string.h>

#include "coordinator/mcp/mcp_fixtures.h"
#include "coordinator/mcp/mcp_request.h"
#include "proto/base/arena.h"

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

static const char *value_of(
    const struct mcp_request *t, const char *args, const char *name, size_t n)
{
	const char *text = json_text_at(args, arena_strn(t->a, name, n), t->a);

	return text && *text ? text : NULL;
}

/* One line of the text with the arguments that it names; nothing when one is not given. */
static void put_line(
    const struct mcp_request *t, const char *args, const char *line, size_t n, struct buf *out)
{
	size_t before = out->n;
	const char *end = line + n;

	while (line < end) {
		const char *open = memchr(line, '{', (size_t)(end - line)),
		           *close = open ? memchr(open, '}', (size_t)(end - open)) : NULL;
		if (!close) {
			buf_put(out, line, (size_t)(end - line));
			break;
		}
		const char *value = value_of(t, args, open + 1, (size_t)(close - open) - 1);
		if (!value) {
			out->n = before;
			return;
		}
		buf_put(out, line, (size_t)(open - line));
		buf_str(out, value);
		line = close + 1;
	}
	buf_byte(out, '\n');
}

static void fill_in(
    const struct mcp_request *t, const struct prompt *p, const char *args, struct buf *out)
{
	for (const char *line = p->text; *line;) {
		size_t n = strcspn(line, "\n");
		put_line(t, args, line, n, out);
		line += n + (line[n] == '\n');
	}
	if (out->n)
		out->p[--out->n] = 0;	/* the last line ends without a break */
}

/* Whether all arguments that must be are there, and are texts.  0, or -1 after refusing. */
static int check(struct mcp_request *t, const struct prompt *p, const char *args)
{
	for (size_t i = 0; i < LEN(arguments); i++) {
		if (strcmp(arguments[i].prompt, p->name))
			continue;
		const char *raw = json_member(args, arguments[i].name, t->a);
		if (raw ? !json_text(raw, t->a) : arguments[i].required)
			return mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
			    "prompt `%s`: argument `%s` (%s) is %s", p->name, arguments[i].name,
			    arguments[i].doc, raw ? "no string" : "missing");
	}
	return 0;
}

void mcp_get_prompt(struct mcp_request *t)
{
	const char *name = t->p.name ? json_text(t->p.name, t->a) : NULL;
	const char *args = "{}";
	const struct prompt *p = NULL;
	struct buf text = { 0 }, b = { 0 };

	if (t->p.arguments && json_is(t->p.arguments) == JSON_IS_OBJECT)
		args = t->p.arguments;
	for (size_t i = 0; name && i < LEN(prompts); i++)
		if (!strcmp(prompts[i].name, name))
			p = &prompts[i];
	if (!p) {
		if (!name || !fixture_prompt(t, name, args))
			mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
			    "unknown prompt `%.100s`; prompts/list has all of them", name ? name : "");
		return;
	}
	if (check(t, p, args))
		return;
	fill_in(t, p, args, &text);
	mcp_result_open(t, &b);
	buf_printf(&b,
	    "\"description\":\"%s\",\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":",
	    p->doc);
	json_quote(&b, text.p);
	buf_str(&b, "}}]");
	buf_free(&text);
	mcp_result_send(t, &b);
}
