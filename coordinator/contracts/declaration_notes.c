#include "coordinator/contracts/declaration_notes.h"

#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/call.h"
#include "coordinator/contracts/matching/declarations.h"
#include "coordinator/contracts/operator_routing.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/codec.h"

enum { NOTES_MAX = 100 };

/* The operator's table, which is about all groups. */
static const char operators[] = "routing";

/* Whether any repository of this coordinator has the name. */
static bool is_known(struct member *const *all, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (declarations_name_repository(all[i]->repo_uri, all[i]->name, name))
			return true;
	return false;
}

/* Whether the note says that a name is nobody's in this group, though it is in another one. */
static bool is_of_other_group(
    const struct declaration_note *note, struct member *const *all, size_t n)
{
	return note->unknown && !strcmp(note->clue.repo_uri, operators) &&
	    is_known(all, n, note->unknown);
}

static void add_routing(struct call *c, const struct operator_routing *r, struct member *const *all,
    size_t n, struct table_notes *out)
{
	for (size_t i = 0; i < r->ncalls && out->notes.n < NOTES_MAX; i++) {
		const struct fact *f = &r->calls[i].fact;
		if (is_known(all, n, r->calls[i].repository))
			continue;
		out->notes.v[out->notes.n++] = (struct clue){ .repo_uri = operators,
			.file = f->file,
			.line = f->line,
			.text = arena_printf(c->a,
			    "`from` names no repository: `%s`; use a name as `atoll status` shows it",
			    r->calls[i].repository) };
	}
}

struct bytes declaration_notes_encode(
    struct call *c, const struct match_result *m, const struct operator_routing *r)
{
	struct table_notes out = { .notes.v = arena_many(c->a, NOTES_MAX, struct clue) };
	struct buf b = { 0 };
	size_t n;
	struct member **all = members_all(c->members, &caller_local, c->a, &n);

	for (size_t i = 0; i < m->notes.n && out.notes.n < NOTES_MAX; i++)
		if (!is_of_other_group(&m->notes.v[i], all, n))
			out.notes.v[out.notes.n++] = m->notes.v[i].clue;
	add_routing(c, r, all, n, &out);
	codec_put(&rec_table_notes, &out, &b);
	struct bytes encoded = { arena_strn(c->a, b.p, b.n), b.n };
	buf_free(&b);
	return encoded;
}

int declaration_notes_read(struct call *c, struct bytes encoded, struct clue **v, size_t *n)
{
	struct table_notes in = { 0 };

	*v = NULL;
	*n = 0;
	if (!encoded.n)
		return 0;
	if (codec_get(&rec_table_notes, &in, encoded.p, encoded.n, c->a, &c->e))
		return -1;
	*v = in.notes.v;
	for (size_t i = 0; i < in.notes.n; i++)
		if (c->caller->everything || strcmp(in.notes.v[i].repo_uri, operators))
			in.notes.v[(*n)++] = in.notes.v[i];
	return 0;
}
