#ifndef SHARD_CONTRACTS_URLS_URL_EVALUATOR_INTERNAL_H
#define SHARD_CONTRACTS_URLS_URL_EVALUATOR_INTERNAL_H
/*
 * The parts of the evaluator: any expression (url_evaluator), literals and formats (_text),
 * concatenations and conditionals (_operators), names and settings (_names), configuration objects
 * (_options), tokens of macros (_tokens), calls (_calls), what functions return (_results), elements
 * of maps (_elements), functions of texts (_strings), URLs that statements build (_built), composite
 * literals and steps of builders (_parts), and functions that change an object (_blocks).
 */

#include "shard/contracts/urls/dataflow.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/syntax/node_rules.h"

#define IDENTIFIER "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

enum { LONGEST = 2000, MAX_ARGS = 16, DEEP = 24 };

/* The evaluation of one expression: its text is appended to `out`. */
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

/* Note why an expression could not be followed, if it is the first one of the text. */
void eval_note_gap(struct eval *v, struct expression, const char *why);

/*
 * Of two slashes where parts of a text meet, one goes: a base that ends with a slash is never the
 * beginning of a host.
 */
void eval_join_slashes(struct eval *v, size_t at);

/* Append the next part of a text: where slashes of both meet, one stays. */
void eval_next(struct eval *v, struct expression t);

/* Whether the text from `from` on is more than a hole. */
bool eval_known(const struct buf *b, size_t from);

/* Append the text of an expression to `out`. */
void eval_into(struct eval *v, struct expression t, struct buf *out);

/* Another node in the same file and call. */
struct expression expression_at(struct expression t, TSNode n);

/* The last named child, or a null node. */
TSNode last_named_child(TSNode n);

/* Append the text of any expression. */
void eval(struct eval *v, struct expression t);

/* Whether statements change the variable that an expression is: send(&url), return url. */
bool eval_is_changed(struct expression);

/* ---- url_evaluator_text.c ---- */

/* Append the source text between two bytes; a string literal or template. */
void eval_source(struct eval *v, const struct syntax_tree *t, uint32_t from, uint32_t to);
void eval_text(struct eval *v, struct expression t);

/* Append a template with the arguments in its placeholders: {} or {name} (`brace`), else %s. */
void eval_format(struct eval *v, struct expression template, struct expression t, const TSNode *arg,
    size_t n, bool brace);

/* ---- url_evaluator_operators.c ---- */

/*
 * A URL whose first part is a name's value, a plain word, and goes on at `at` with a segment of its
 * own, `unset` + `users/1`: the word only stands for a base that is set at run time.
 */
void eval_forget_placeholder(struct eval *v, bool named, size_t at);

/* Append `a || b`, another operation of two values, and `c ? a : b`. */
void eval_either(struct eval *v, struct expression a, struct expression b);
void eval_join(struct eval *v, struct expression t);
void eval_choice(struct eval *v, struct expression t);

/* The value of a conditional whose turn it is (dataflow_context.choice). */
struct expression eval_chosen(struct dataflow_context *, struct expression);

/* Whether an expression says that there is no value: null, undefined, throw. */
bool eval_is_no_value(const struct syntax_tree *, TSNode);

/*
 * The value of an expression of several cases (`match x { A => a, B => b }`): that of the case which
 * the calls at hand decide, else of the one whose turn it is.  A null node: it has no cases.
 */
TSNode case_value(struct dataflow_context *, struct expression);

/* ---- url_evaluator_names.c ---- */

/* The text with the values of its placeholders, ${key}, ${key:default}, ${key:-default}. */
const char *eval_placeholders(
    struct dataflow_context *a, const struct contract_file *in, const char *text, int depth);

/* The first string in double quotes behind `word` in [s, end), without its quotes; NULL if none. */
char *quoted_string_after(struct eval *v, const char *s, const char *end, const char *word);

/* Append the value of a setting, else the fallback (NULL: none); false if there is neither. */
bool eval_setting(
    struct eval *v, const struct contract_file *in, const char *key, const char *fallback);

/* A setter's parameter, by the settings of the field with its name; false if there are none. */
bool eval_setter_parameter(struct eval *v, const struct origin *o);

/* A hole for a parameter of the function around the site, which callers fill; false: it is none. */
bool eval_parameter_of_site(struct eval *v, const struct origin *o);

/* A value from callers that agree, or from settings; false: there is none. */
bool eval_from_context(struct eval *v, const struct origin *o);

/* Whether a parameter's function contains the site, so that each caller makes a call of its own. */
bool eval_around_site(struct dataflow_context *, const struct origin *);

/* A dotted name that is not a node. */
void eval_chain(struct eval *v, struct expression t, const char *chain);

/* A name or member. */
void eval_name(struct eval *v, struct expression t);

/* ---- url_evaluator_strings.c ---- */

/* A call that makes a string, and its arguments. */
struct evaluated_call {
	struct expression call;
	TSNode arg[MAX_ARGS];
	size_t n;
	enum call_how how;
};

/* An argument of the call, or a null node; the object it is called on. */
struct expression evaluated_argument(const struct evaluated_call *m, size_t i);
struct expression evaluated_receiver(const struct evaluated_call *m);

/* Append the arguments with slashes between them, in sequence, or the first if it is a text. */
void eval_joined(struct eval *v, const struct evaluated_call *m);
void eval_concatenated(struct eval *v, const struct evaluated_call *m);
void eval_collected(struct eval *v, const struct evaluated_call *m);
void eval_separated(struct eval *v, const struct evaluated_call *m);
void eval_resolved_all(struct eval *v, const struct evaluated_call *m);

/* Append a text with a part replaced, a reference seen from its base, the elements of a list. */
void eval_replaced(
    struct eval *v, const struct call_rule *rule, const struct evaluated_call *m);
void eval_resolved(
    struct eval *v, const struct call_rule *rule, const struct evaluated_call *m);
void eval_list(struct eval *v, const struct call_rule *rule, const struct evaluated_call *m);

/* A path, resolved against the base that comes as the second argument: new URL(path, base). */
void eval_with_base_url(struct eval *v, const struct evaluated_call *m);

/* The last argument, resolved against the one before it. */
void eval_seen_from(struct eval *v, const struct evaluated_call *m);

/* `String.join("/", a, b)`; `listOf(a, b).joinToString("/")`, whose list is where it is made. */
void eval_separated(struct eval *v, const struct evaluated_call *m);

/* ---- url_evaluator_built.c ---- */

/* Replace the path of the URL behind `from` by a new one, which may begin with the old one. */
void eval_put_path(struct eval *v, size_t from, const char *path);

/* The same with the path that a new object gets in its initializer: `new UriBuilder(b) { Path = p }`. */
void eval_initial_path(struct eval *v, struct expression made, size_t from);

/* What a statement does to a variable: a value put behind its own, or a chain of calls on it. */
struct variable_change {
	TSNode n;
	bool chain;
	bool maybe;		/* the statement need not run */
};

enum { MOST_CHANGES = 16 };

/*
 * What statements do to a local variable between its last certain value and its use, in order; how
 * many.
 */
size_t variable_changes(
    const struct contract_file *, TSNode use, struct variable_change out[MOST_CHANGES]);

/* What a call in a chain is called on; a null node: it is no call. */
TSNode chain_object(const struct syntax_tree *, TSNode call);

/* The rule for the method that a call calls, or NULL. */
const struct call_rule *method_rule(const struct syntax_tree *, TSNode call);

/* Append what statements have added to the object that a name means; its text is behind `from`. */
void eval_changes(struct eval *v, struct expression name, size_t from);

/* A member that means its object: `builder.Uri`; false: it is something else. */
bool eval_same_member(struct eval *v, struct expression t);

/* ---- url_evaluator_options.c ---- */

/* The path of the configuration section that an expression means, with dots; NULL: it is none. */
const char *config_section_path(struct eval *v, struct expression t);

/* A member of an object that settings fill; false: it is something else, or is not set. */
bool eval_option(struct eval *v, struct expression t);

/* ---- url_evaluator_tokens.c ---- */

/* A macro whose arguments are tokens; false: the call is something else. */
bool eval_macro(struct eval *v, struct expression t);

/* ---- url_evaluator_calls.c ---- */

/* The arguments of a call: a field, or the node right behind the callee (Kotlin). */
TSNode arguments_of(const struct syntax_tree *t, TSNode call);

/* The text of a call before its arguments, without white space; only its end if it is too long. */
void call_callee(const struct syntax_tree *t, TSNode call, TSNode arguments, char *out, size_t cap);

/* The rule for a call of that name, or NULL. */
const struct call_rule *call_rule_of(const struct rules *r, const char *name);

/* The object that a method is called on; if its member has no rule, the first part of the callee. */
TSNode called_object(const struct syntax_tree *t, TSNode call);

/* ---- url_evaluator_results.c ---- */

/* A function as a value: what it returns; false: that is unknown, or it is no function. */
bool eval_function(struct eval *v, const struct origin *o);

/* A call of a function that is not known to make strings: what it returns. */
void eval_result(struct eval *v, struct expression t);

/* ---- url_evaluator_parts.c ---- */

/* `url.URL{Scheme: "http", Host: h, Path: p}` */
void eval_parts(struct eval *v, struct expression t);

/* URI::HTTP.build(host: h, path: p); `new URL(base, path)` of two arguments, `new URL(text)` of one. */
void eval_url_of_parts(struct eval *v, const struct evaluated_call *m);

/* The URL that the method is called on, with another path. */
void eval_other_path(struct eval *v, const struct evaluated_call *m);

/* Append a step of a builder, what one adds, or only the host of the URL it is called on. */
void eval_step(struct eval *v, const struct evaluated_call *m);
void eval_bare(struct eval *v, const struct evaluated_call *m);
void eval_fallback(struct eval *v, const struct evaluated_call *m);
void eval_and(struct eval *v, const struct evaluated_call *m);
void eval_segment(struct eval *v, const struct evaluated_call *m);

/* Append a part of a path, behind one slash: two would begin a host. */
void eval_segment_text(struct eval *v, const char *text);

/* Append what a step of a builder adds. */
void eval_added(struct eval *v, enum call_how how, const char *text);

/* ---- url_evaluator_blocks.c ---- */

/*
 * A call whose last argument is a function that changes the object the call is of, without naming
 * it: `builder.apply { host = "users"; path("api") }`.
 */
void eval_block(struct eval *v, struct expression call);

/* The call whose object the node's calls without an object are of, or a null node. */
TSNode call_of_block_around(const struct syntax_tree *t, TSNode n);

/* The text of an expression. */
const char *eval_string(struct eval *v, struct expression t);

/* A call that makes a string, or of a function whose result is known. */
void eval_call(struct eval *v, struct expression t);

/* The value of the variable or setting that the first argument names, or the second argument. */
void eval_variable(
    struct eval *v, struct expression t, const char *section, const TSNode *arg, size_t n);

/* ---- url_evaluator_elements.c ---- */

/* Whether the rule is for a call that may take an element of a map: map.get(key). */
bool takes_element(const struct call_rule *rule);

/* The element of a map that a call takes by its key; false: it is unknown. */
bool eval_element_call(struct eval *v, const struct evaluated_call *m);

/* environ["KEY"] */
bool eval_index(struct eval *v, struct expression t);

#endif
