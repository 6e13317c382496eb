/* atoll call TOOL [JSON]: call any tool and print its JSON. */
#include <stdio.h>
#include <string.h>

#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/text_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/process/suggest.h"
#include "proto/record/json.h"

static const struct tool_row {
	const char *name;
	const struct record *in, *out;
	const char *title, *doc;
} tools[] = {
#define TOOL(name, in, out, where, hints, title, doc) { #name, &rec_##in, &rec_##out, title, doc },
#include "coordinator/records/tools.def"
	{ NULL, NULL, NULL, NULL, NULL },
};

static bool is_tool_name(const char *s)
{
	return !s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_")];
}

int cmd_call(struct cli *cli)
{
	const char *tool = cli->args.v[0], *args = "{}", *body;
	struct api_client c = client_from_options(cli);

	if (cli->args.n > 1)
		args = cli->args.v[1];
	if (json_is(args) != JSON_IS_OBJECT) {
		err_set(&cli->e, ERR_INVALID_INPUT, "the arguments are not a JSON object: %.100s", args);
		err_hint(&cli->e, "Run `atoll call %s --help` to list them.", tool);
		return EXIT_USAGE;
	}
	if (!is_tool_name(tool)) {
		err_set(&cli->e, ERR_INVALID_INPUT, "unknown tool `%s`", tool);
		err_hint(&cli->e, "Run `atoll call --help` to list the tools.");
		return EXIT_USAGE;
	}
	enum answer got = client_call(&c, tool, args, 0, &body, cli->a, &cli->e);
	if (got == ANSWER_NONE)
		return EXIT_UNAVAILABLE;
	term_print_json(body);
	if (got == ANSWER_OK)
		return EXIT_OK;
	return EXIT_TOOL;
}

static const char *type_name(const struct field *f)
{
	static const char *const names[] = {
		[T_str] = "text", [T_json] = "JSON", [T_u64] = "number", [T_i64] = "number",
		    [T_f64] = "number",
		[T_flag] = "true|false", [T_bytes] = "bytes", [T_strs] = "list of text", [T_sub] = "object",
		[T_list] = "list of objects",
	};

	if (f->rule.oneof)
		return f->rule.oneof;
	return names[f->type];
}

static void list_fields(
    struct text_table *t, const struct record *r, const char *before, struct arena *a)
{
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		const char *note = "";
		if (f->rule.must)
			note = "required";
		else if (f->rule.def)
			note = arena_printf(a, "default %s", f->rule.def);
		text_table_row(
		    t, 4, arena_printf(a, "  %s%s", before, f->name), type_name(f), note, f->doc);
		if (f->type == T_sub)
			list_fields(t, f->of, arena_printf(a, "%s%s.", before, f->name), a);
	}
}

void tool_list(void)
{
	struct text_table *t = text_table_new();

	printf("\ntools:\n");
	for (const struct tool_row *r = tools; r->name; r++)
		text_table_row(t, 2, r->name, r->title);
	text_table_print(t, stdout);
}

static int unknown_tool(const char *typed)
{
	const char *names[LEN(tools)];
	struct arena *a = arena_new();
	size_t n = 0;

	for (const struct tool_row *r = tools; r->name; r++)
		names[n++] = r->name;
	say(stderr, "atoll: unknown tool `%s`%s\nRun `atoll call --help` to list the tools.\n", typed,
	    suggest_phrase(suggest_names(typed, names, n, a), a));
	arena_free(a);
	return -1;
}

int tool_help(const char *tool)
{
	for (const struct tool_row *r = tools; r->name; r++) {
		if (strcmp(r->name, tool))
			continue;
		struct arena *a = arena_new();
		struct text_table *t = text_table_new();
		printf("usage: atoll call %s [JSON]\n%s\n\narguments:\n", r->name, r->doc);
		if (!r->in->nfields)
			printf("  none\n");
		list_fields(t, r->in, "", a);
		text_table_print(t, stdout);
		arena_free(a);
		return 0;
	}
	return unknown_tool(tool);
}
