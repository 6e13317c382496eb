#include "coordinator/cli/output/show_internal.h"

#include <stdio.h>
#include <string.h>

#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/repo_names.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"
#include "proto/record/gaps.h"

const char *show_prefixed(const char *prefix, const char *text, struct arena *a)
{
	if (!text || !*text)
		return "";
	return arena_printf(a, "%s%s", prefix, text);
}

const char *show_number(uint64_t n, struct arena *a)
{
	return arena_printf(a, "%llu", (unsigned long long)n);
}

const char *show_index_state(const char *status, uint64_t done, uint64_t total, struct arena *a)
{
	if (!status || !total || !strcmp(status, "ready"))
		return text_or_empty(status);
	return arena_printf(
	    a, "%s %llu/%llu", status, (unsigned long long)done, (unsigned long long)total);
}

const char *show_remark(const char *conflict, const char *reason, const struct index_state *s,
    const char *atoll_yaml, struct arena *a)
{
	bool job_failed = s && s->last_error;

	if (conflict)
		reason = conflict;
	if (!reason || !*reason)
		reason = job_failed ? s->last_error : atoll_yaml;
	if (!job_failed)
		return reason;
	return arena_printf(a, "%s%s", reason, show_prefixed("; next attempt at ", s->next_run, a));
}

const char *show_gaps(const char *remark, const struct freshness *f, struct arena *a)
{
	static const enum gap_effect effects[] = { GAP_FILES, GAP_HISTORY, GAP_LIMIT };
	const char *text = NULL;

	if (remark && *remark)
		return remark;
	for (size_t i = 0; i < LEN(effects); i++) {
		const char *gaps = gaps_describe(f, effects[i], a);
		if (gaps)
			text = arena_printf(a, "%s%s", text ? arena_printf(a, "%s; ", text) : "lacks ", gaps);
	}
	return text;
}

/*
 * Whether the note is about what the index of the member lacks, or what of it was not read.  The
 * rest is about vectors, and shown as such.
 */
static bool is_about_texts(const struct member_note *n)
{
	const char *code = text_or_empty(n->code);

	return !strcmp(code, "PARTIAL") || !strcmp(code, "LIMIT") || !strncmp(code, "PHRASE_", 7);
}

static bool has_notes_to_show(const struct coverage *c)
{
	for (size_t i = 0; i < c->notes.n; i++)
		if (is_about_texts(&c->notes.v[i]))
			return true;
	return false;
}

static void show_notes(const struct coverage *c, const struct repo_names *names)
{
	for (size_t i = 0; i < c->notes.n; i++)
		if (is_about_texts(&c->notes.v[i]))
			say(stdout, "  %s: %s\n", repo_names_get(names, c->notes.v[i].repo_uri),
			    text_or_empty(c->notes.v[i].message));
}

void show_coverage(const struct coverage *c, bool complete, const struct repo_names *names)
{
	if (!c || (complete && !c->stale.n && !has_notes_to_show(c)))
		return;
	if (c->failed.n)
		say(stdout, "\nincomplete: %zu of %llu members did not answer\n", c->failed.n,
		    (unsigned long long)c->members);
	else if (c->partial.n)
		say(stdout, "\nincomplete: parts of the repositories cannot be read\n");
	else if (!complete)
		say(stdout, "\nincomplete\n");
	else
		say(stdout, "\n");
	for (size_t i = 0; i < c->failed.n; i++)
		say(stdout, "  %s: %s: %s\n", repo_names_get(names, c->failed.v[i].repo_uri),
		    text_or_empty(c->failed.v[i].code), text_or_empty(c->failed.v[i].message));
	show_notes(c, names);
	for (size_t i = 0; i < c->stale.n; i++) {
		const char *name = repo_names_get(names, c->stale.v[i].repo_uri);
		if (c->stale.v[i].behind < 0)
			say(stdout, "  %s: behind by an unknown number of commits\n", name);
		else
			say(stdout, "  %s: %lld commits behind\n", name, (long long)c->stale.v[i].behind);
	}
}

void show_more(const char *cursor)
{
	if (cursor && *cursor)
		say(stdout, "\nmore: --cursor %s\n", cursor);
}
