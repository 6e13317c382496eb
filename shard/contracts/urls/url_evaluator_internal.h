#ifndef SHARD_CONTRACTS_URLS_URL_EVALUATOR_INTERNAL_H
#define SHARD_CONTRACTS_URLS_URL_EVALUATOR_INTERNAL_H
/*
 * The parts of urls: literals, joined ones and choices (urls), names and settings (urls_names),
 * calls and elements (urls_calls).
 */

#include "shard/contracts/urls/dataflow.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/syntax/node_rules.h"

#define IDENTIFIER "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

enum { LONGEST = 2000, MAX_ARGS = 16 };

/* An expression whose text is put together. */
struct eval {
	struct dataflow_context *ask;
	struct buf *out;
	int depth;
};

/* Whether a value is made by a node other than `t` itself. */
static inline bool origin_is_elsewhere(const struct origin *o, struct expression t)
{
	if (o->what != ORIGIN_NODE)
		return false;
	return o->at.in != t.in || !ts_node_eq(o->at.n, t.n);
}

/* ---- url_evaluator.c ---- */

/* Append a hole. */
void eval_unknown(struct eval *v);

/* Whether something is known of what is from `from` on. */
bool eval_known(const struct buf *b, size_t from);

/* The text of a term at the end of `out`. */
void eval_into(struct eval *v, struct expression t, struct buf *out);

/* Another node that is seen from the same place. */
struct expression expression_at(struct expression t, TSNode n);

/* A template with the arguments in its placeholders: {} or {name} (`brace`), else %s. */
void eval_format(struct eval *v, struct expression template, struct expression t, const TSNode *arg,
    size_t n, bool brace);

/* Any expression. */
void eval(struct eval *v, struct expression t);

/* ---- url_evaluator_names.c ---- */

/* The text with the values of its placeholders, ${key}, ${key:default}, ${key:-default}. */
const char *eval_placeholders(
    struct dataflow_context *a, const struct contract_file *in, const char *text, int depth);

/* The first string in double quotes behind `word` in [s, end), without its quotes; NULL if none. */
char *quoted_string_after(struct eval *v, const char *s, const char *end, const char *word);

/* Append the value of a setting, else the fallback (NULL: none); false if there is neither. */
bool eval_setting(
    struct eval *v, const struct contract_file *in, const char *key, const char *fallback);

/* A parameter that a setter gives to a field of its name, which settings fill. */
bool eval_setter_parameter(struct eval *v, const struct origin *o);

/* What no expression says: what callers agree on, or settings; false: nothing does. */
bool eval_from_context(struct eval *v, const struct origin *o);

/* What a dotted name means that is no node of its own. */
void eval_chain(struct eval *v, struct expression t, const char *chain);

/* A name or member. */
void eval_name(struct eval *v, struct expression t);

/* ---- url_evaluator_options.c ---- */

/*
 * The keys that lead to the part of a configuration that an expression is, with dots between;
 * NULL: it is none.
 */
const char *config_section_path(struct eval *v, struct expression t);

/* A member of an object that settings fill; false: it is none, or nothing is set. */
bool eval_option(struct eval *v, struct expression t);

/* ---- url_evaluator_tokens.c ---- */

/* A macro that is called with tokens; false: it is none. */
bool eval_macro(struct eval *v, struct expression t);

/* ---- url_evaluator_calls.c ---- */

/* The arguments of a call: a field, or what stands right behind what is called (Kotlin). */
TSNode arguments_of(const struct syntax_tree *t, TSNode call);

/* The text of a call before its arguments, without white space. */
void call_callee(const struct syntax_tree *t, TSNode call, TSNode arguments, char *out, size_t cap);

/* What a call of that name does, or NULL. */
const struct call_rule *call_rule_of(const struct rules *r, const char *name);

/* The text of an expression. */
const char *eval_string(struct eval *v, struct expression t);

/* `url.URL{Scheme: "http", Host: h, Path: p}` */
void eval_parts(struct eval *v, struct expression t);

/* A call that makes a string, or whose function says what it returns. */
void eval_call(struct eval *v, struct expression t);

/* environ["KEY"] */
bool eval_index(struct eval *v, struct expression t);

#endif
