#define PCRE2_CODE_UNIT_WIDTH 8
#include "shard/syntax/tree_query.h"

#include <ctype.h>
#include <pcre2.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "shard/syntax/parse_budget.h"
#include "shard/syntax/tree_nodes.h"

enum { MAX_SUBJECT = 4096, MATCH_STEPS = 20000, MAX_STATES = 4096, MAX_MATCHES = 5000,
	MAX_LOOKED_AT = 200000, NODES_A_CHECK = 100 };

/* Added by deploy/tree-sitter.patch: the symbols with which the patterns of a query begin. */
bool ts_query_roots(const TSQuery *, bool *roots);

enum predicate_test { TEST_EQ, TEST_MATCH, TEST_ANY };

struct predicate {
	enum predicate_test test;
	bool negate;
	uint32_t capture;
	bool to_capture;	/* TEST_EQ with a second capture */
	uint32_t other;
	const char **words;
	size_t nwords;
	pcre2_code *regex;
	struct predicate *next;
};

struct property {
	const char *key, *value;
	struct property *next;
};

struct query_pattern {
	struct predicate *predicates;
	struct property *properties;
};

struct query {
	TSQuery *ts;
	TSQueryCursor *cursor;
	struct arena *arena;
	struct query_pattern *patterns;
	uint32_t npatterns;
	/* by symbol: whether a pattern begins with such a node; NULL if that is unknown */
	bool *roots;
	uint32_t nroots;
	pcre2_match_data *match;
	pcre2_match_context *limits;
};

static const char *string_at(const struct query *q, uint32_t id)
{
	uint32_t n;

	return ts_query_string_value_for_id(q->ts, id, &n);
}

static int regex_new(struct predicate *p, struct err *e)
{
	int code;
	size_t at;
	char why[100];

	p->regex = pcre2_compile(
	    (PCRE2_SPTR)p->words[0], PCRE2_ZERO_TERMINATED, PCRE2_NO_UTF_CHECK, &code, &at, NULL);
	if (p->regex)
		return 0;
	pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof why);
	return err_set(e, ERR_INTERNAL, "pattern `%s`: %s at byte %zu", p->words[0], why, at);
}

static const struct { const char *name; enum predicate_test test; bool negate; } tests[] = {
	{ "eq?", TEST_EQ, false },         { "not-eq?", TEST_EQ, true },
	{ "match?", TEST_MATCH, false },   { "not-match?", TEST_MATCH, true },
	{ "any-of?", TEST_ANY, false },    { "not-any-of?", TEST_ANY, true },
};

/* #set! KEY [VALUE] */
static void property_add(
    struct query *q, struct query_pattern *to, const TSQueryPredicateStep *step, uint32_t n)
{
	struct property *p = arena_one(q->arena, struct property);

	p->key = string_at(q, step[1].value_id);
	p->value = "";
	if (n > 2)
		p->value = string_at(q, step[2].value_id);
	p->next = to->properties;
	to->properties = p;
}

/* One predicate: step[0] is its name, the rest are its arguments. */
static int predicate_add(struct query *q, struct query_pattern *to,
    const TSQueryPredicateStep *step, uint32_t n, struct err *e)
{
	const char *name = string_at(q, step[0].value_id);

	if (!strcmp(name, "set!") && n >= 2) {
		property_add(q, to, step, n);
		return 0;
	}
	for (size_t i = 0; i < LEN(tests); i++) {
		if (strcmp(name, tests[i].name) || n < 3 || step[1].type != TSQueryPredicateStepTypeCapture)
			continue;
		struct predicate *p = arena_one(q->arena, struct predicate);
		*p = (struct predicate){ .test = tests[i].test, .negate = tests[i].negate,
			.capture = step[1].value_id, .next = to->predicates };
		to->predicates = p;
		p->words = arena_many(q->arena, n, const char *);
		p->to_capture = step[2].type == TSQueryPredicateStepTypeCapture;
		p->other = step[2].value_id;
		for (uint32_t k = 2; k < n && !p->to_capture; k++)
			p->words[p->nwords++] = string_at(q, step[k].value_id);
		if (p->test == TEST_MATCH)
			return regex_new(p, e);
		return 0;
	}
	return err_set(e, ERR_INTERNAL, "no such predicate, or wrong arguments: #%s", name);
}

static int predicates_read(struct query *q, uint32_t pattern, struct err *e)
{
	uint32_t n, from = 0;
	const TSQueryPredicateStep *steps = ts_query_predicates_for_pattern(q->ts, pattern, &n);

	for (uint32_t i = 0; i < n; i++)
		if (steps[i].type == TSQueryPredicateStepTypeDone) {
			if (predicate_add(q, &q->patterns[pattern], steps + from, i - from, e))
				return -1;
			from = i + 1;
		}
	return 0;
}

static int line_of(const char *text, uint32_t at)
{
	int line = 1;

	for (uint32_t i = 0; i < at && text[i]; i++)
		line += text[i] == '\n';
	return line;
}

static const char *query_error(TSQueryError t)
{
	static const char *const names[] = { "", "syntax", "no such node type", "no such field",
		"capture", "impossible pattern", "language" };

	if ((size_t)t < LEN(names))
		return names[t];
	return "error";
}

struct query *query_new(
    const TSLanguage *language, const char *file, const char *text, struct err *e)
{
	struct query *q = xcalloc(1, sizeof *q);
	uint32_t at = 0;
	TSQueryError type = TSQueryErrorNone;

	q->arena = arena_new();
	q->ts = ts_query_new(language, text, (uint32_t)strlen(text), &at, &type);
	if (!q->ts) {
		err_set(e, ERR_INTERNAL, "%s:%d: %s", file, line_of(text, at), query_error(type));
		query_free(q);
		return NULL;
	}
	q->cursor = ts_query_cursor_new();
	ts_query_cursor_set_match_limit(q->cursor, MAX_STATES);
	q->nroots = ts_language_symbol_count(language);
	q->roots = arena_many(q->arena, q->nroots, bool);
	if (!ts_query_roots(q->ts, q->roots))
		q->roots = NULL;
	ts_query_cursor_set_max_start_depth(q->cursor, q->roots ? 0 : UINT32_MAX);
	q->match = pcre2_match_data_create(1, NULL);
	q->limits = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(q->limits, MATCH_STEPS);
	q->npatterns = ts_query_pattern_count(q->ts);
	q->patterns = arena_many(q->arena, q->npatterns, struct query_pattern);
	for (uint32_t i = 0; i < q->npatterns; i++)
		if (predicates_read(q, i, e)) {
			err_add(e, "%s:%d", file, line_of(text, ts_query_start_byte_for_pattern(q->ts, i)));
			query_free(q);
			return NULL;
		}
	return q;
}

void query_free(struct query *q)
{
	if (!q)
		return;
	for (uint32_t i = 0; i < q->npatterns; i++)
		for (struct predicate *p = q->patterns[i].predicates; p; p = p->next)
			pcre2_code_free(p->regex);
	pcre2_match_data_free(q->match);
	pcre2_match_context_free(q->limits);
	if (q->cursor)
		ts_query_cursor_delete(q->cursor);
	if (q->ts)
		ts_query_delete(q->ts);
	arena_free(q->arena);
	free(q);
}

const char *query_capture(const struct query *q, uint32_t index)
{
	uint32_t n;

	if (index < ts_query_capture_count(q->ts))
		return ts_query_capture_name_for_id(q->ts, index, &n);
	return NULL;
}

const char *query_property(const struct query *q, uint32_t pattern, const char *key)
{
	for (const struct property *p = q->patterns[pattern].properties; p; p = p->next)
		if (!strcmp(p->key, key))
			return p->value;
	return NULL;
}

bool query_has_property(const struct query *q, const char *key)
{
	for (uint32_t i = 0; i < q->npatterns; i++)
		if (query_property(q, i, key))
			return true;
	return false;
}

/* Whether a chain of calls goes on with what follows white space: `.get`, `?.get`, `->get`. */
static bool goes_on(const char *s, const char *end)
{
	if (s < end && *s == '.')
		return true;
	return s + 1 < end && (!memcmp(s, "?.", 2) || !memcmp(s, "->", 2) || !memcmp(s, "::", 2));
}

/*
 * Write a chain of calls that is split over lines as if it stood in one, `axios.create` of
 * `axios\n\t.create`.  Returns its length.
 */
static size_t write_in_one_line(const char *s, size_t n, char *out)
{
	const char *end = s + n, *next;
	size_t len = 0;

	for (; s < end; s = next) {
		next = s;
		while (next < end && isspace((unsigned char)*next))
			next++;
		bool behind = len && out[len - 1] == '.';
		if (next > s && (behind || goes_on(next, end)))
			continue;
		if (next == s)
			next++;
		memcpy(out + len, s, (size_t)(next - s));
		len += (size_t)(next - s);
	}
	return len;
}

static bool regex_fits(struct query *q, const struct predicate *p, const char *text, size_t n)
{
	char line[MAX_SUBJECT];

	n = MIN(MAX_SUBJECT, n);
	if (memchr(text, '\n', n)) {
		n = write_in_one_line(text, n, line);
		text = line;
	}
	return pcre2_match(p->regex, (PCRE2_SPTR)text, n, 0, PCRE2_NO_UTF_CHECK, q->match,
		   q->limits) >= 0;
}

static bool node_test(struct query *q, const struct syntax_tree *t, const struct predicate *p,
    TSNode n, const TSQueryMatch *m)
{
	const char *text = t->text + node_start_byte(n);
	size_t len = node_len(n);

	if (p->test == TEST_MATCH)
		return regex_fits(q, p, text, len);
	for (uint16_t i = 0; p->to_capture && i < m->capture_count; i++)
		if (m->captures[i].index == p->other) {
			TSNode o = m->captures[i].node;
			return node_len(o) == len && !memcmp(t->text + node_start_byte(o), text, len);
		}
	for (size_t i = 0; i < p->nwords; i++)
		if (node_is(t, n, p->words[i]))
			return true;
	return false;
}

/* A predicate holds if it holds for every node of its capture. */
static bool holds(struct query *q, const struct syntax_tree *t, const TSQueryMatch *m)
{
	for (const struct predicate *p = q->patterns[m->pattern_index].predicates; p; p = p->next)
		for (uint16_t i = 0; i < m->capture_count; i++) {
			if (m->captures[i].index != p->capture)
				continue;
			if (node_test(q, t, p, m->captures[i].node, m) == p->negate)
				return false;
		}
	return true;
}

static bool spent(TSQueryCursorState *s)
{
	return parse_budget_spent(s->payload);
}

/* A query that is run on a tree. */
struct query_run {
	struct query *q;
	const struct syntax_tree *t;
	int (*each)(void *, const struct query *, const TSQueryMatch *);
	void *arg;
	int nodes, looked, held;
	bool done;
};

static void run_query_at(struct query_run *x, TSNode n)
{
	TSQueryCursorOptions options = { .payload = x->t->effort, .progress_callback = spent };
	TSQueryMatch m;

	ts_query_cursor_exec_with_options(x->q->cursor, x->q->ts, n, &options);
	while (!x->done && ts_query_cursor_next_match(x->q->cursor, &m)) {
		if (holds(x->q, x->t, &m)) {
			x->held++;
			x->done = x->each(x->arg, x->q, &m);
		}
		x->looked++;
		x->done |= x->looked == MAX_LOOKED_AT || x->held == MAX_MATCHES;
	}
}

/*
 * Run the query only at nodes with which a pattern can begin.  Most nodes are not, and a cursor
 * takes ten times as long to skip them.
 */
static void run_query_at_root(struct query_run *x, TSNode n, TSSymbol symbol)
{
	/* ERROR is not a symbol of the grammar, and no pattern begins with it */
	if (x->done || symbol >= x->q->nroots || !x->q->roots[symbol])
		return;
	x->nodes++;
	if (x->nodes % NODES_A_CHECK == 0)
		x->done = parse_budget_spent(x->t->effort);
	if (!x->done)
		run_query_at(x, n);
}

static void visit_query_node(void *arg, TSNode n, uint32_t depth)
{
	(void)depth;
	run_query_at_root(arg, n, ts_node_symbol(n));
}

void query_each(struct query *q, const struct syntax_tree *t,
    int (*each)(void *, const struct query *, const TSQueryMatch *), void *arg)
{
	struct query_run x = { .q = q, .t = t, .each = each, .arg = arg };

	if (!q->roots)
		run_query_at(&x, t->root);
	else if (t->seen)
		for (size_t i = 0; i < t->seen->n && !x.done; i++)
			run_query_at_root(&x, t->seen->v[i].n, t->seen->v[i].symbol);
	else
		nodes_each(t->root, visit_query_node, &x);
}
