#include "shard/contracts/graphql/graphql.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/facts/operation.h"

enum { DEEP = 60, MOST = 5000 };

enum token { END, NAME, SIGN, STRING, SPREAD, BAD };

struct graphql_reader {
	const char *text, *end, *at;
	uint32_t line;
	bool doubled;		/* {{ is {: the text is a template of its language */
	enum token kind;	/* the token at hand */
	const char *s;
	size_t n;
	uint32_t token_line;
	struct arena *a;
	struct operation *v;
	size_t nv, cap;
};

/* ---- tokens ---- */

static bool is_letter(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

/* Behind a hole that the language fills: ${…}, #{…}, and in a template {…}. */
static const char *hole_end(const char *s, const char *end)
{
	int depth = 0;

	for (; s < end; s++) {
		depth += *s == '{';
		if (*s == '}' && !--depth)
			return s + 1;
	}
	return end;
}

static bool is_hole(const struct graphql_reader *r)
{
	bool next = r->at + 1 < r->end;

	if (next && (*r->at == '$' || *r->at == '#') && r->at[1] == '{')
		return true;
	return r->doubled && *r->at == '{' && next && r->at[1] != '{';
}

static void skip_blank(struct graphql_reader *r)
{
	while (r->at < r->end) {
		const char *from = r->at;
		if (is_hole(r))
			r->at = hole_end(r->at + (*r->at != '{'), r->end);
		else if (*r->at == '#')
			while (r->at < r->end && *r->at != '\n')
				r->at++;
		else if (isspace((unsigned char)*r->at) || *r->at == ',' || (unsigned char)*r->at == 0xEF ||
		    (unsigned char)*r->at == 0xBB || (unsigned char)*r->at == 0xBF)
			r->at++;
		else if (*r->at == '%' && r->at + 1 < r->end && isalpha((unsigned char)r->at[1]))
			r->at += 2;
		else
			return;
		for (; from < r->at; from++)
			r->line += *from == '\n';
	}
}

/* A string or a block string; false: it has no end. */
static bool skip_string(struct graphql_reader *r)
{
	size_t quotes = 1;

	if (r->end - r->at >= 3 && !memcmp(r->at, "\"\"\"", 3))
		quotes = 3;
	for (r->at += quotes; r->at < r->end; r->at++) {
		if (*r->at == '\\' && r->at + 1 < r->end) {
			r->at++;
		} else if (*r->at == '"' &&
		    (quotes == 1 || (r->end - r->at >= 3 && !memcmp(r->at, "\"\"\"", 3)))) {
			r->at += quotes;
			return true;
		} else if (*r->at == '\n') {
			if (quotes == 1)
				return false;
			r->line++;
		}
	}
	return false;
}

static void next(struct graphql_reader *r)
{
	skip_blank(r);
	r->s = r->at;
	r->token_line = r->line;
	r->kind = SIGN;
	if (r->at == r->end) {
		r->kind = END;
	} else if (is_letter(*r->at)) {
		r->kind = NAME;
		while (r->at < r->end && (is_letter(*r->at) || isdigit((unsigned char)*r->at)))
			r->at++;
	} else if (*r->at == '"') {
		if (skip_string(r))
			r->kind = STRING;
		else
			r->kind = BAD;
	} else if (r->end - r->at >= 3 && !memcmp(r->at, "...", 3)) {
		r->kind = SPREAD;
		r->at += 3;
	} else if (strchr("{}()[]:=!|&@$", *r->at)) {
		r->at += r->doubled && strchr("{}", *r->at) && r->at + 1 < r->end && r->at[1] == *r->at ?
		    2 :
		    1;
	} else if (isdigit((unsigned char)*r->at) || *r->at == '-') {
		r->kind = STRING;	/* a value like others */
		while (r->at < r->end && (isalnum((unsigned char)*r->at) || strchr("+-.", *r->at)))
			r->at++;
	} else {
		r->kind = BAD;
	}
	r->n = (size_t)(r->at - r->s);
}

static bool is_sign(const struct graphql_reader *r, char c)
{
	return r->kind == SIGN && *r->s == c;
}

static bool is_word(const struct graphql_reader *r, const char *word)
{
	return r->kind == NAME && r->n == strlen(word) && !memcmp(r->s, word, r->n);
}

static bool take_sign(struct graphql_reader *r, char c)
{
	if (!is_sign(r, c))
		return false;
	next(r);
	return true;
}

static bool take_word(struct graphql_reader *r, const char *word)
{
	if (!is_word(r, word))
		return false;
	next(r);
	return true;
}

/* A name, in the arena; NULL: there is none. */
static const char *take_name(struct graphql_reader *r)
{
	const char *name = NULL;

	if (r->kind == NAME)
		name = arena_strn(r->a, r->s, r->n);
	if (name)
		next(r);
	return name;
}

/* How many brackets the token opens: 1, -1 or 0. */
static int bracket(const struct graphql_reader *r)
{
	if (r->kind != SIGN)
		return 0;
	if (strchr("{([", *r->s))
		return 1;
	return strchr("})]", *r->s) ? -1 : 0;
}

/* Skip what is in brackets; false: they do not close. */
static bool skip_brackets(struct graphql_reader *r)
{
	int depth = 0;

	do {
		if (r->kind == END || r->kind == BAD)
			return false;
		depth += bracket(r);
		next(r);
	} while (depth > 0);
	return depth == 0;
}

static bool skip_arguments(struct graphql_reader *r)
{
	return !is_sign(r, '(') || skip_brackets(r);
}

/* Read directives; append their names, with blanks around each, to `names` (may be NULL). */
static bool directives(struct graphql_reader *r, struct buf *names)
{
	while (take_sign(r, '@')) {
		if (r->kind != NAME)
			return false;
		if (names)
			buf_printf(names, "%s%.*s ", names->n ? "" : " ", (int)r->n, r->s);
		next(r);
		if (!skip_arguments(r))
			return false;
	}
	return true;
}

static const char *copy_token_text(struct graphql_reader *r, struct buf *b)
{
	const char *s = NULL;

	if (b->n)
		s = arena_strn(r->a, b->p, b->n);
	buf_free(b);
	return s;
}

static void put(struct graphql_reader *r, struct operation o)
{
	if (r->nv == MOST)
		return;
	o.form = "graphql";
	o.method = "GRAPHQL";
	r->v = grow(r->v, &r->cap, r->nv + 1, sizeof o);
	r->v[r->nv++] = o;
}

/* ---- operations ---- */

/*
 * What is being selected from: a root type, or a fragment on what may be one; what only the client
 * knows is nobody's.
 */
struct selection_parent {
	const char *root, *operation, *fragment;
};

static void select_field(struct graphql_reader *r, const struct selection_parent *f,
    const char *name, uint32_t line, const char *said)
{
	if (!f || !strncmp(name, "__", 2) || (said && strstr(said, " client ")))
		return;
	if (f->fragment)
		put(r, (struct operation){ .kind = "part", .path = name, .resource = f->fragment,
		    .line = line, .end_line = line });
	else
		put(r,
		    (struct operation){ .kind = "select",
		        .path = arena_printf(r->a, "%s.%s", f->root, name),
		        .name = f->operation,
		        .line = line,
		        .end_line = line });
}

static bool selections(struct graphql_reader *r, const struct selection_parent *f, int depth);

/* `alias: name(…) @directive { … }` */
static bool field(struct graphql_reader *r, const struct selection_parent *f, int depth)
{
	uint32_t line = r->token_line;
	struct buf said = { 0 };
	const char *name = take_name(r);

	if (take_sign(r, ':') && !(name = take_name(r)))
		return false;
	bool right = skip_arguments(r) && directives(r, &said);
	select_field(r, f, name, line, copy_token_text(r, &said));
	return right && (!is_sign(r, '{') || selections(r, NULL, depth + 1));
}

/*
 * Behind `...`: a fragment by name, or one that stands here; an empty hole is a fragment of
 * another text.
 */
static bool spread(struct graphql_reader *r, const struct selection_parent *f, int depth)
{
	uint32_t line = r->token_line;

	if (r->kind == NAME && !is_word(r, "on")) {
		const char *name = take_name(r);
		if (f && f->root)
			put(r, (struct operation){ .kind = "spread", .path = f->root, .name = f->operation,
			    .resource = name, .line = line, .end_line = line });
		return directives(r, NULL);
	}
	if (take_word(r, "on") && !take_name(r))
		return false;
	if (!directives(r, NULL))
		return false;
	if (is_sign(r, '{'))
		return selections(r, f, depth + 1);
	return is_sign(r, '}');
}

/* `{ … }`.  `f`: what its fields are selected from; NULL: below a root. */
static bool selections(struct graphql_reader *r, const struct selection_parent *f, int depth)
{
	if (depth > DEEP || !take_sign(r, '{'))
		return false;
	while (!is_sign(r, '}')) {
		bool right = false;
		if (r->kind == SPREAD) {
			next(r);
			right = spread(r, f, depth);
		} else if (r->kind == NAME) {
			right = field(r, f, depth);
		}
		if (!right)
			return false;
	}
	next(r);
	return true;
}

static const struct { const char *word, *type; } roots[] = {
	{ "query", "Query" }, { "mutation", "Mutation" }, { "subscription", "Subscription" },
};

/* Whether a type of that name may be a root: Query, RootQueryType. */
static bool may_be_root(const char *type)
{
	for (size_t i = 0; i < LEN(roots); i++)
		if (strcasestr(type, roots[i].word))
			return true;
	return false;
}

static bool operation(struct graphql_reader *r, const char *root)
{
	struct selection_parent f = { .root = root, .operation = take_name(r) };

	return skip_arguments(r) && directives(r, NULL) && selections(r, &f, 0);
}

static bool fragment(struct graphql_reader *r)
{
	struct selection_parent f = { .fragment = take_name(r) };

	if (!f.fragment || !skip_arguments(r) || !take_word(r, "on"))
		return false;
	const char *type = take_name(r);
	if (!type || !directives(r, NULL))
		return false;
	if (!may_be_root(type))
		return selections(r, NULL, 0);
	return selections(r, &f, 0);
}

/* ---- schemas ---- */

static bool type_reference(struct graphql_reader *r)
{
	int depth = 0;

	for (; take_sign(r, '['); depth++)
		;
	if (!take_name(r))
		return false;
	for (take_sign(r, '!'); depth; depth--, take_sign(r, '!'))
		if (!take_sign(r, ']'))
			return false;
	return true;
}

static bool value(struct graphql_reader *r)
{
	if (is_sign(r, '{') || is_sign(r, '['))
		return skip_brackets(r);
	take_sign(r, '$');
	bool is = r->kind == NAME || r->kind == STRING;
	next(r);
	return is;
}

/* `name(…): Type = value @directive` of a type; `type`: its fields are put. */
static bool member(struct graphql_reader *r, const char *type)
{
	struct buf said = { 0 };

	if (r->kind == STRING)
		next(r);
	uint32_t line = r->token_line;
	const char *name = take_name(r);
	bool right = name && skip_arguments(r) && take_sign(r, ':') && type_reference(r) &&
	    (!take_sign(r, '=') || value(r)) && directives(r, &said);
	const char *directive = copy_token_text(r, &said);
	if (right && type && *name != '_')
		put(r,
		    (struct operation){ .kind = "schema",
		        .path = arena_printf(r->a, "%s.%s", type, name),
		        .name = directive,
		        .line = line,
		        .end_line = line });
	return right;
}

static bool members(struct graphql_reader *r, const char *type)
{
	if (!take_sign(r, '{'))
		return true;	/* type Query @extends */
	while (!is_sign(r, '}'))
		if (!member(r, type))
			return false;
	next(r);
	return true;
}

/* type, interface or input, behind its word. */
static bool object(struct graphql_reader *r, bool is_type)
{
	const char *type = take_name(r);

	if (!type)
		return false;
	if (take_word(r, "implements"))
		while (r->kind == NAME || is_sign(r, '&'))
			next(r);
	if (!is_type)
		type = NULL;
	return directives(r, NULL) && members(r, type);
}

static bool schema(struct graphql_reader *r)
{
	if (!directives(r, NULL) || !take_sign(r, '{'))
		return false;
	while (r->kind == NAME) {
		uint32_t line = r->token_line;
		size_t i = 0;
		while (i < LEN(roots) && !is_word(r, roots[i].word))
			i++;
		next(r);
		const char *type = NULL;
		if (take_sign(r, ':'))
			type = take_name(r);
		if (i == LEN(roots) || !type)
			return false;
		put(r, (struct operation){ .kind = "root", .path = roots[i].type, .name = type,
		    .line = line, .end_line = line });
	}
	return take_sign(r, '}');
}

static bool enumeration(struct graphql_reader *r)
{
	if (!take_name(r) || !directives(r, NULL))
		return false;
	if (!take_sign(r, '{'))
		return true;
	while (!is_sign(r, '}')) {
		if (r->kind == STRING)
			next(r);
		if (!take_name(r) || !directives(r, NULL))
			return false;
	}
	next(r);
	return true;
}

/* union U = A | B, scalar S, directive @d(…) on A | B */
static bool skip_other_definition(struct graphql_reader *r)
{
	take_sign(r, '@');
	if (!take_name(r) || !skip_arguments(r) || !directives(r, NULL))
		return false;
	take_word(r, "repeatable");
	if (!take_sign(r, '=') && !take_word(r, "on"))
		return true;
	take_sign(r, '|');
	if (!take_name(r))
		return false;
	while (take_sign(r, '|'))
		if (!take_name(r))
			return false;
	return true;
}

/* ---- documents ---- */

static bool type_system(struct graphql_reader *r)
{
	if (r->kind == STRING)
		next(r);
	take_word(r, "extend");
	if (take_word(r, "type"))
		return object(r, true);
	if (take_word(r, "interface") || take_word(r, "input"))
		return object(r, false);
	if (take_word(r, "enum"))
		return enumeration(r);
	if (take_word(r, "schema"))
		return schema(r);
	if (take_word(r, "union") || take_word(r, "scalar") || take_word(r, "directive"))
		return skip_other_definition(r);
	return false;
}

static bool definition(struct graphql_reader *r)
{
	if (is_sign(r, '{'))
		return operation(r, "Query");
	if (take_word(r, "fragment"))
		return fragment(r);
	for (size_t i = 0; i < LEN(roots); i++)
		if (take_word(r, roots[i].word))
			return operation(r, roots[i].type);
	return type_system(r);
}

/* Fields of types that can be no root are nobody's business. */
static size_t keep(struct operation *v, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		const char *dot = strchr(v[i].path, '.');
		bool root = strcmp(v[i].kind, "schema") != 0;
		for (size_t j = 0; j < LEN(roots) && !root; j++) {
			const char *at = strcasestr(v[i].path, roots[j].word);
			root = at && at < dot;
		}
		for (size_t j = 0; j < n && !root; j++)
			root = !strcmp(v[j].kind, "root") && strlen(v[j].name) == (size_t)(dot - v[i].path) &&
			    !strncmp(v[j].name, v[i].path, (size_t)(dot - v[i].path));
		if (root)
			v[k++] = v[i];
	}
	return k;
}

size_t graphql_read(const char *text, size_t n, int whole, struct arena *a, struct operation **out)
{
	struct graphql_reader r = { .text = text, .at = text, .end = text + n, .line = 1,
	    .doubled = whole && memmem(text, n, "{{", 2), .a = a };
	bool right = true;

	for (next(&r); right && r.kind != END;)
		right = definition(&r);
	size_t kept = 0;
	if (!whole || right)
		kept = keep(r.v, r.nv);
	*out = arena_many(a, kept, struct operation);
	if (kept)
		memcpy(*out, r.v, kept * sizeof *r.v);
	free(r.v);
	return kept;
}
