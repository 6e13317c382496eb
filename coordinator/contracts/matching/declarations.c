#include "coordinator/contracts/matching/declarations.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"

enum { LOCAL_SUFFIX = 7 };

struct declaration {
	const struct fact *fact;
	size_t member; /* whose calls it is about */
	bool denies;
	const char *to; /* as written */
	struct host_names names; /* the members that `to` names */
	struct path_template path;
	bool every_path;
	/* whether it is about any call in code; whether a link leads to a route */
	bool found, reached;
	const struct declaration *against; /* the `not` that contradicts this link, or NULL */
};

struct declaration_list {
	struct declaration *v;
	size_t n;
};

/* What is declared about one call. */
struct call_declarations {
	const struct match_context *w;
	struct declaration *link;
	const struct declaration **denials;
	size_t ndenials;
};

struct declarations {
	struct declaration_list *of; /* by member, as the facts of each are ordered */
	struct call_declarations none;
};

/* ---- reading ---- */

bool declarations_name_repository(const char *repo_uri, const char *name, const char *wanted)
{
	const char *slash = strrchr(name, '/'), *last = name;

	if (slash)
		last = slash + 1;
	if (!strcmp(name, wanted) || !strcmp(repo_uri, wanted) || !strcmp(last, wanted))
		return true;
	/* the name of a local one is that of its folder, a dash, and what tells it from others */
	size_t n = strlen(wanted);
	return !strncmp(repo_uri, "local:", 6) && strlen(last) == n + LOCAL_SUFFIX && last[n] == '-' &&
	    !strncmp(last, wanted, n);
}

/*
 * The members that have this name as repositories, or else as services; unless it must be exact,
 * those whose names resemble it.
 */
static struct host_names members_called(const struct match_context *w, const char *to, bool exact)
{
	struct host_names h = { 0 };
	size_t *v = arena_many(w->a, w->n, size_t);

	h.name = to;
	for (size_t i = 0; i < w->n; i++)
		if (declarations_name_repository(w->m[i].repo_uri, w->m[i].name, to))
			v[h.n++] = i;
	h.members = v;
	if (h.n)
		return h;
	host_index_find(w->hosts, to, &h, w->a);
	if (h.loose && exact)
		h.n = 0;
	h.name = to;
	h.loose = false;
	return h;
}

static bool is_written_by_people(const struct fact *f)
{
	return match_text_equal(f->framework, "atoll.yaml") ||
	    match_text_equal(f->framework, "routing");
}

static bool is_declaration(const struct fact *f)
{
	bool usable = f->path && f->method && f->file && f->host && is_written_by_people(f);

	return usable &&
	    (match_text_equal(f->side, "consumes") || match_text_equal(f->side, DECLARED_NOT));
}

static struct declaration declaration_of(
    const struct match_context *w, size_t member, const struct fact *f)
{
	bool denies = match_text_equal(f->side, DECLARED_NOT);

	return (struct declaration){
		.fact = f,
		.member = member,
		.denies = denies,
		.to = f->host,
		.names = members_called(w, f->host, denies),
		.path = path_split(f->path, w->a),
		.every_path = !strcmp(f->path, "/{*}"),
	};
}

static struct declaration_list declarations_of(const struct match_context *w, size_t member)
{
	const struct contracts_res *r = w->m[member].facts;
	struct declaration_list l = { 0 };
	size_t n = 0;

	for (size_t i = 0; r && i < r->facts.n; i++)
		n += is_declaration(&r->facts.v[i]);
	if (!n)
		return l;
	l.v = arena_many(w->a, n, struct declaration);
	for (size_t i = 0; i < r->facts.n; i++)
		if (is_declaration(&r->facts.v[i]))
			l.v[l.n++] = declaration_of(w, member, &r->facts.v[i]);
	return l;
}

bool declarations_has(const struct match_context *w, size_t member)
{
	return w->declarations->of[member].n > 0;
}

/* ---- which calls a declaration is about ---- */

static bool fits_whole(const struct path_template *call, const struct path_template *pattern)
{
	struct path_match f;

	return path_fit(call, pattern, &f) && !f.level && !f.shift && !f.weak;
}

static bool path_is(const struct path_template *call, const struct path_template *pattern)
{
	struct path_match f;

	if (call->open && !pattern->open)
		return false;
	if (fits_whole(call, pattern))
		return true;
	return call->based && path_fit_after(call, 1, pattern, &f) && !f.weak;
}

/* Whether a method and path that a declaration names are those of a call. */
static bool is_request(const struct declaration *d, const char *method, const char *kind,
    const struct path_template *path)
{
	bool any_method = !strcmp(d->fact->method, "ANY");

	if (d->every_path && any_method)
		return true;
	if (!match_text_equal(kind, "http"))
		return false;
	if (!any_method && strcmp(d->fact->method, method))
		return false;
	return d->every_path || path_is(path, &d->path);
}

/* Whether a name with dots, or one without them, goes on with this character. */
static bool continues_name(char c, bool dotted)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || (c == '.' && dotted);
}

/* Whether the text has the name of a variable, a setting or a host. */
static bool has_name(const char *text, const char *name)
{
	size_t n = strlen(name);
	bool dotted = strchr(name, '.') != NULL;

	for (const char *p = text; *p; p++) {
		if (strncasecmp(p, name, n))
			continue;
		bool begins = p == text || !continues_name(p[-1], dotted);
		if (begins && !continues_name(p[n], dotted))
			return true;
	}
	return false;
}

/* Whether the call's address has this name: its host, or the variable or setting with its URL. */
static bool has_address(const struct fact *call, const char *address)
{
	if (has_name(text_or_empty(call->host), address) || has_name(text_or_empty(call->raw), address))
		return true;
	for (size_t i = 0; i < call->steps.n; i++)
		if (has_name(text_or_empty(call->steps.v[i].text), address))
			return true;
	return false;
}

/* Whether a link is about calls in this place: its own file or function, if it names one. */
static bool is_from(const struct fact *call, const char *from)
{
	const char *slash = strrchr(call->file, '/'), *name = call->file;

	if (!text_is_set(from))
		return true;
	if (slash)
		name = slash + 1;
	return match_text_equal(call->symbol, from) || !strcmp(call->file, from) || !strcmp(name, from);
}

static bool is_about(const struct declaration *d, const struct call_site *s)
{
	const struct fact *call = s->fact;

	if (d->fact == call)
		return true;
	if (!is_request(d, call->method, call->kind, &s->path))
		return false;
	if (d->denies)
		return !text_is_set(d->fact->at) || has_address(call, d->fact->at);
	return match_text_equal(call->kind, "http") && !is_written_by_people(call) &&
	    is_from(call, d->fact->symbol);
}

/* ---- applying ---- */

static bool names_same(const struct declaration *a, const struct declaration *b)
{
	for (size_t i = 0; i < a->names.n; i++)
		for (size_t k = 0; k < b->names.n; k++)
			if (a->names.members[i] == b->names.members[k])
				return true;
	return false;
}

/* Set the `not` that contradicts each link. */
static void compare(struct declaration_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->n && !l->v[i].denies; k++) {
			const struct fact *call = l->v[i].fact;
			const struct declaration *d = &l->v[k];
			if (!d->denies || text_is_set(d->fact->at) || !names_same(&l->v[i], d))
				continue;
			if (is_request(d, call->method, call->kind, &l->v[i].path))
				l->v[i].against = d;
		}
}

struct declarations *declarations_new(const struct match_context *w)
{
	struct declarations *all = arena_one(w->a, struct declarations);

	all->none.w = w;
	all->of = arena_many(w->a, w->n, struct declaration_list);
	for (size_t i = 0; i < w->n; i++) {
		all->of[i] = declarations_of(w, i);
		compare(&all->of[i]);
	}
	return all;
}

const struct fact *declarations_denial(const struct call_site *s, size_t member)
{
	for (size_t i = 0; i < s->declared->ndenials; i++) {
		const struct host_names *h = &s->declared->denials[i]->names;
		for (size_t k = 0; k < h->n; k++)
			if (h->members[k] == member)
				return s->declared->denials[i]->fact;
	}
	return NULL;
}

bool declarations_deny(const struct call_site *s, size_t member)
{
	return declarations_denial(s, member) != NULL;
}

bool declarations_link(const struct call_site *s)
{
	return s->declared->link != NULL;
}

bool declarations_found(const struct call_site *s)
{
	if (!declarations_link(s))
		return false;
	const struct declaration *d = s->declared->link;
	return d->fact == s->fact && d->found;
}

static void drop(const struct call_site *s, struct host_names *h)
{
	size_t *left = arena_many(s->declared->w->a, h->n, size_t), n = 0;

	for (size_t i = 0; i < h->n; i++)
		if (!declarations_deny(s, h->members[i]))
			left[n++] = h->members[i];
	h->members = left;
	h->n = n;
}

void declarations_drop(struct call_site *s)
{
	if (!s->declared->ndenials)
		return;
	drop(s, &s->host);
	drop(s, &s->hint);
	if (s->host_class == HOST_MEMBER && !s->host.n)
		s->host_class = HOST_UNREGISTERED;
}

/* The address of a linked call is known: a hole in front of its path is no part of it. */
static void leave_base(struct call_site *s, const struct declaration *d)
{
	const char *hole = strchr(s->fact->path, '}');

	if (!s->path.based || !hole || fits_whole(&s->path, &d->path))
		return;
	s->path = path_split(hole + 1, s->declared->w->a);
}

static void follow_link(struct call_site *s, struct declaration *d)
{
	s->declared->link = d;
	if (d->fact != s->fact)
		d->found = true;
	if (!d->names.n)
		return;
	s->host_class = HOST_MEMBER;
	s->host = d->names;
	s->hint = (struct host_names){ 0 };
	leave_base(s, d);
}

void declarations_apply(const struct match_context *w, struct call_site *s)
{
	const struct declaration_list *l = &w->declarations->of[s->member];

	s->declared = &w->declarations->none;
	if (!l->n)
		return;
	s->declared = arena_one(w->a, struct call_declarations);
	s->declared->w = w;
	s->declared->denials = arena_many(w->a, l->n, const struct declaration *);
	for (size_t i = 0; i < l->n; i++) {
		struct declaration *d = &l->v[i];
		if (!is_about(d, s))
			continue;
		if (!d->denies && !d->against) {
			follow_link(s, d);
			continue;
		}
		d->found = d->found || d->fact != s->fact;
		if (d->denies)
			s->declared->denials[s->declared->ndenials++] = d;
	}
	declarations_drop(s);
}

/* ---- certainty ---- */

/* Whether the call certainly gets to the first gateway on the way. */
static bool enters(const struct call_site *s, const struct forward_hop *first)
{
	if (first->member == s->member)
		return true;
	for (size_t i = 0; i < s->host.n; i++)
		if (s->host.members[i] == first->member)
			return true;
	return s->host.name && first->fact->at && has_name(first->fact->at, s->host.name);
}

static bool is_forwarded_for_sure(const struct call_site *s, const struct match_target *t)
{
	const struct forward_hop *v = t->via;

	if (t->loose || !v)
		return false;
	for (;; v = v->next) {
		if (!is_written_by_people(v->fact))
			return false;
		if (!v->next)
			return enters(s, v);
	}
}

/* Whether the member's atoll.yaml, or the operator, declares the name by which it is called. */
static bool has_declared_name(const struct call_site *s, const struct match_target *t)
{
	const struct contracts_res *r = s->declared->w->m[t->p->member].facts;
	const char *name = s->hint.name;

	if (s->host_class == HOST_MEMBER)
		name = s->host.name;
	for (size_t i = 0; r && name && i < r->declared.n; i++)
		if (!strcasecmp(r->declared.v[i], name))
			return true;
	return false;
}

bool declarations_make_sure(const struct call_site *s, const struct match_target *t)
{
	const struct path_match *f = &t->rank.fit;

	if (s->repos > 1 || f->level || f->shift)
		return false;
	if (declarations_link(s) && !t->via && t->rank.basis == MATCH_BY_NAME)
		return true;
	if (f->weak || f->rest || t->rank.documented || t->rank.partial)
		return false;
	if (t->rank.basis == MATCH_BY_GATEWAY)
		return is_forwarded_for_sure(s, t);
	return t->rank.basis == MATCH_BY_NAME && has_declared_name(s, t);
}

/* ---- evidence ---- */

/* Where a declaration is; the operator's are nobody's. */
static struct clue clue_at(
    const struct match_context *w, const struct declaration *d, const char *text)
{
	const char *repo_uri = w->m[d->member].repo_uri;

	if (match_text_equal(d->fact->framework, "routing"))
		repo_uri = "routing";
	return (struct clue){
		.repo_uri = repo_uri, .file = d->fact->file, .line = d->fact->line, .text = text
	};
}

size_t declarations_count(const struct call_site *s)
{
	return s->declared->ndenials + declarations_link(s);
}

size_t declarations_clues(const struct call_site *s, struct clue *out)
{
	const struct call_declarations *c = s->declared;
	size_t n = 0;

	if (c->link)
		out[n++] = clue_at(c->w, c->link,
		    arena_printf(c->w->a, "`links` declares that it goes to %s", c->link->to));
	for (size_t i = 0; i < c->ndenials; i++)
		out[n++] = clue_at(c->w, c->denials[i],
		    arena_printf(c->w->a, "`not` declares that it does not go to %s", c->denials[i]->to));
	return n;
}

/* ---- what is wrong with them ---- */

void declarations_note_targets(const struct call_site *s)
{
	if (declarations_link(s) && s->n)
		s->declared->link->reached = true;
}

/* What is wrong with a declaration whose name means somebody; NULL: nothing. */
static const char *fault_of(const struct match_context *w, const struct declaration *d)
{
	const char *method = d->fact->method, *path = d->fact->path;

	if (d->against)
		return arena_printf(w->a,
		    "`links` and `not` (%s:%llu) contradict each other: %s %s to %s; `not` counts: remove one",
		    d->against->fact->file, (unsigned long long)d->against->fact->line, method, path,
		    d->to);
	if (d->denies && !d->found)
		return arena_printf(w->a,
		    "`not` is about no call: this repository has none with %s %s%s%s; correct or remove it",
		    method, path, text_is_set(d->fact->at) ? " at " : "", text_or_empty(d->fact->at));
	if (!d->denies && !d->reached)
		return arena_printf(w->a,
		    "`links` leads nowhere: %s serves no %s %s; correct it, or declare the route in `routes`",
		    d->to, method, path);
	return NULL;
}

static void report(const struct match_context *w, const struct declaration *d)
{
	struct declaration_note note = { 0 };
	const char *fault = NULL;

	if (!d->names.n) {
		note.unknown = d->to;
		fault = arena_printf(w->a,
		    "`%s` names no repository of the group: `%s`; use a name as `atoll status` shows it",
		    d->denies ? "not" : "links", d->to);
	} else {
		fault = fault_of(w, d);
	}
	if (!fault)
		return;
	note.clue = clue_at(w, d, fault);
	w->out->notes.v = grow(w->out->notes.v, &w->out->notes.cap, w->out->notes.n + 1, sizeof note);
	w->out->notes.v[w->out->notes.n++] = note;
}

void declarations_report(const struct match_context *w)
{
	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; k < w->declarations->of[i].n; k++)
			report(w, &w->declarations->of[i].v[k]);
}
