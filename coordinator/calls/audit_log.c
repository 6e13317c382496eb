#include "coordinator/calls/audit_log.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/members/members.h"

enum { TEXT = 500 };

static bool has(const struct audit_repos *t, const char *uri)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i] == uri)
			return true;
	return false;
}

void audit_add_repos(struct audit_repos *t, struct member *const *m, size_t n)
{
	size_t more = 0;

	for (size_t i = 0; i < n; i++) {
		if (has(t, m[i]->repo_uri))
			continue;
		if (t->n < AUDIT_REPOS)
			t->v[t->n++] = m[i]->repo_uri;
		else
			more++;
	}
	if (more > t->more)
		t->more = more;
}

/* Append to a list with commas; returns the new length. */
static size_t add_item(char text[TEXT], size_t at, const char *prefix, const char *item)
{
	const char *comma = "";

	if (at)
		comma = ",";
	return at + (size_t)snprintf(text + at, TEXT - at, "%s%s%s", comma, prefix, item);
}

/* `a,b,+3`; `-` if there are none. */
static void list(const struct audit_repos *t, char text[TEXT])
{
	size_t at = 0, more = 0;
	char number[24];

	if (t)
		more = t->more;
	for (size_t i = 0; t && i < t->n; i++) {
		if (at + strlen(t->v[i]) + 40 > TEXT)
			more++;
		else
			at = add_item(text, at, "", t->v[i]);
	}
	if (more) {
		snprintf(number, sizeof number, "%zu", more);
		at = add_item(text, at, "+", number);
	}
	if (!at)
		snprintf(text, TEXT, "-");
}

void audit(enum log_level level, const struct caller *caller, const char *via, const char *what,
    const struct audit_repos *t, const char *outcome, int64_t ms, uint64_t n)
{
	char repos[TEXT], times[32] = "";

	list(t, repos);
	if (n > 1)
		snprintf(times, sizeof times, " calls=%" PRIu64, n);
	log_at(level, "call", "caller=%s via=%s tool=%s repos=%s outcome=%s ms=%" PRId64 "%s",
	    log_quote(caller->name), via, what, log_quote(repos), outcome, ms, times);
}
