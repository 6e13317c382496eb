/*
 * atoll grep PATTERN, or --query QUERY: every match, printed as ripgrep prints it and with its exit
 * codes, so that editors can use it in its place: 0 there is a match, 1 there is none, 2 any error.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/commands/commands.h"
#include "coordinator/cli/output/local_clones.h"
#include "coordinator/cli/output/show_grep.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"

enum { MATCHED, NOT_MATCHED, FAILED, PAGE = 1000 };

/* Whether a pattern has a capital letter that is no part of an escape such as \W. */
static bool has_capital(const char *pattern)
{
	for (const char *s = pattern; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (isupper((unsigned char)*s))
			return true;
	}
	return false;
}

static bool ignores_case(const struct cli *cli)
{
	if (cli->o.case_sensitive)
		return false;
	return cli->o.ignore_case || !has_capital(cli->args.v[0]);
}

static const char *mode(const struct cli *cli)
{
	if (cli->o.count)
		return "count";
	return cli->o.files_with_matches ? "files" : "lines";
}

static const char *arguments(struct cli *cli, const char *cursor, long long limit)
{
	const struct cli_options *o = &cli->o;
	struct buf b = { 0 };

	if (cli->args.n) {
		args_str(&b, "pattern", cli->args.v[0]);
		args_flag(&b, "ignore_case", ignores_case(cli));
	}
	args_str(&b, "query", o->query);
	args_flag(&b, "fixed_strings", o->fixed_strings);
	args_flag(&b, "word", o->word_regexp);
	args_flag(&b, "multiline", o->multiline);
	args_strs(&b, "glob", o->glob.v, o->glob.n);
	args_strs(&b, "languages", o->languages.v, o->languages.n);
	args_str(&b, "path_prefix", o->path_prefix);
	args_str(&b, "output_mode", mode(cli));
	args_num(&b, "context", o->context);
	args_str(&b, "group", o->group.n ? o->group.v[0] : "default");
	args_strs(&b, "repos", o->repos.v, o->repos.n);
	args_num(&b, "limit", limit);
	args_str(&b, "cursor", cursor);
	return args_end(&b, cli->a);
}

/* Say on standard error what the answer lacks. */
static void report_lack(const struct grep_out *out)
{
	const struct coverage *cov = out->coverage;

	for (size_t i = 0; cov && i < cov->failed.n; i++)
		say(stderr, "atoll: %s: %s\n", cov->failed.v[i].repo_uri, cov->failed.v[i].message);
	for (size_t i = 0; cov && i < cov->notes.n; i++)
		say(stderr, "atoll: %s: %s\n", cov->notes.v[i].repo_uri, cov->notes.v[i].message);
}

static enum grep_style style(const struct cli *cli)
{
	if (cli->o.json)
		return GREP_JSON;
	return isatty(STDOUT_FILENO) ? GREP_TERMINAL : GREP_LINES;
}

/* How many rows the next page may have. */
static long long page_rows(const struct cli *cli, const struct grep_printer *p)
{
	if (!cli->o.limit)
		return PAGE;
	return MIN((long long)PAGE, cli->o.limit - (long long)p->rows);
}

static int print_pages(struct cli *cli, struct grep_printer *p, struct grep_out *last)
{
	struct api_client c = client_from_options(cli);
	const char *cursor = cli->o.cursor;

	do {
		*last = (struct grep_out){ 0 };
		const char *args = arguments(cli, cursor, page_rows(cli, p));
		if (client_get(&c, "grep", args, 0, &rec_grep_out, last, cli->a, &cli->e) != ANSWER_OK)
			return -1;
		show_grep_page(p, last);
		cursor = last->next_cursor;
	} while (cursor && page_rows(cli, p) > 0);
	show_grep_end(p);
	return 0;
}

static int check(struct cli *cli)
{
	bool query = *cli->o.query;

	if (cli->o.limit < 0)
		return err_set(&cli->e, ERR_INVALID_INPUT, "--limit: %lld; give a number from 1 on",
		    (long long)cli->o.limit);
	if (!cli->args.n && !query)
		return err_set(&cli->e, ERR_INVALID_INPUT,
		    "give a PATTERN, or --query QUERY: `atoll help query` explains queries");
	if (cli->args.n && query)
		return err_set(&cli->e, ERR_INVALID_INPUT,
		    "--query: it stands instead of the pattern `%.80s`; give one of the two",
		    cli->args.v[0]);
	if (query && (cli->o.ignore_case || cli->o.case_sensitive))
		return err_set(&cli->e, ERR_INVALID_INPUT,
		    "--query: write case:no or case:yes in the query instead of -i or -s");
	return 0;
}

/* What --count prints: lines, or files if the query asks for no lines. */
static unsigned long long counted(const struct grep_out *out)
{
	return out->total ? out->total : out->files_total;
}

int cmd_grep(struct cli *cli)
{
	struct grep_printer p = { .style = style(cli), .column = cli->o.column };
	const struct api_client client = client_from_options(cli);
	struct grep_out last;

	if (check(cli))
		return FAILED;
	struct local_clones *clones = NULL;
	if (cli->o.open)
		clones = local_clones_read(&client, cli->a);
	p.clones = clones;
	int rc = print_pages(cli, &p, &last);
	local_clones_free(clones);
	if (rc)
		return FAILED;
	if (cli->o.count)
		printf("%llu\n", counted(&last));
	if (!last.complete) {
		report_lack(&last);
		return FAILED;
	}
	return last.files_total ? MATCHED : NOT_MATCHED;
}
