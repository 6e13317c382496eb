#ifndef SHARD_CONTRACTS_URLS_DATAFLOW_H
#define SHARD_CONTRACTS_URLS_DATAFLOW_H
/*
 * The files that contracts are read from, and where the values of their expressions come from.
 * While a file is parsed, it is the only one.  Once all files are known, names lead to other files,
 * which are then read again, and parameters lead to the arguments of callers (other_files.h).
 */

#include "shard/contracts/frameworks/framework.h"
#include "shard/definitions/retained_tree.h"

struct contracts;
struct source_file;
struct crossfile;
struct sym;
struct url_steps;
struct expr_rule;

/* One match of a framework's query. */
struct framework_match {
	TSNode node[NROLES];
	/* properties of the pattern (lang/ROUTES.md); NULL where it does not set them */
	const char *method;
	const char *fallback;	/* the method if no match of the site has one */
	const char *style;	/* how the path is written (route_syntax.h) */
	const char *anyone;	/* the object need not be bound; "foreign": its type is of a library */
	const char *absolute;	/* a path without a scheme is that of a file */
	const char *open;	/* unknown options may contain any method */
	const char *bare;	/* a site without a path has the empty path */
	const char *prefix;	/* comes before the path or the prefix, or is the prefix */
	const char *append;	/* comes after the path or the prefix */
	const char *word;	/* the path is the node's own text */
	const char *setting;	/* the path is this setting's value; @ in it stands for the text */
	const char *otherwise;	/* without that setting, the path is the text */
	const char *action;	/* the controller's method (Rails); a node is one site for each */
	const char *answers;	/* the routes of the handler's class are routes of the site */
	const char *keys[NROLES];	/* members of @options with a role that are not in the file */
	const char *replaces;	/* the prefix replaces the one that the object was created with */
	const char *module;	/* the bound expression is a module; its member of this name is meant */
	const char *global;	/* the prefix is for all of the framework */
	const char *derived;	/* in an interface or abstract class, the site is of derived types */
	const char *called;	/* scopes around calls of the site's function count, too */
	const char *changes;	/* inside an interceptor: the new `url` or `base` of each request */
	const char *only;	/* a global prefix counts only if there is no other */
	const char *composed;	/* the site is what the annotation type at @class says */
	const char *methods;	/* a member of objects of the type at @scope has its methods */
	const char *template;	/* ... and one its path */
	const char *continues;	/* the path comes behind the site's other path */
	const char *mounted;	/* the object answers only where another one mounts it */
	const char *invokes;	/* a bound object or class is called by the method of this name */
	const char *sure;	/* without a known method the site has no fact */
	const char *passed;	/* the object is a function value: of these methods; "": of any verb */
	const char *counts;	/* the type at @scope has the sites of its bases */
	const char *typed;	/* what is bound is a type; all its objects are the framework's */
};

/* All matches of a framework in a file. */
struct framework_matches {
	const struct framework *fw;
	struct framework_match *v;
	size_t n, cap;
	bool global;		/* there may be matches for all of the framework in another file */
	bool intercepts;	/* its clients may have functions that change requests */
	bool binds;		/* some matches tell what the framework's objects are ... */
	bool types;		/* ... and some that those of a type are */
	struct framework_matches *next;
};

struct contract_file {
	struct syntax_tree *t;
	const struct found_definitions *found;
	const struct facts *facts;	/* while it is parsed, only definitions and contracts */
	struct contracts *frameworks;
	struct source_file *file;	/* NULL: it is being parsed, and knows no other file */
	struct framework_matches *spots;
	struct retained_tree retained;	/* of a file that was read again */
	struct buf *text;
	struct known_delegates *delegates;	/* derived_types.c */
	unsigned asked;			/* the value of crossfile.owners when it was last used */
};

/* A type, by its index in the file. */
struct type_ref {
	struct contract_file *in;	/* NULL: none */
	int type;
};

/* A call through which parameters of a function have values. */
struct call_frame;

/* An expression somewhere. */
struct expression {
	struct contract_file *in;
	TSNode n;
	const struct call_frame *given;	/* the calls that give parameters their values; or NULL */
};

struct call_frame {
	struct contract_file *in;	/* the function ... */
	TSNode function;	/* ... whose node this is */
	struct expression call;
	struct type_ref self;	/* the type of the object that it is called on, if known */
	bool passes;	/* it calls a function that the call gives it, at whose place that is */
	/* it is called for each element of a list, and this is the one; or NULL */
	const struct expression *element;
};

/* Whether the bytes of one node lie within those of another of the same tree. */
static inline bool node_within(TSNode inner, TSNode outer)
{
	return node_start_byte(outer) <= node_start_byte(inner) &&
	    node_end_byte(inner) <= node_end_byte(outer);
}

/*
 * The first expression of a text that could not be followed, and why: the code that
 * proto/record/schema.def explains (fact.why); NULL: there is none.
 */
struct value_gap {
	const char *why;
	struct expression at;
};

/* The context of the evaluation for one site; all results live in `a`. */
struct dataflow_context {
	struct crossfile *join;		/* NULL: this file only */
	struct arena *a;
	struct url_steps *steps;
	int budget;			/* nodes that may still be visited: names may form cycles */
	int depth, agreement_depth;
	int passings; /* how many searches for what constructors are given contain this one */
	int walks;			/* how many more parents of objects may be visited */
	struct contract_file *home;	/* the site's file */
	/* what matches bind, found before (framework_objects.c) */
	struct remembered_objects *remembered;
	TSNode around;			/* the site, or the call from which it is seen */
	struct value_gap gap;		/* of the text that is evaluated */
	bool unknown;			/* another file or a caller may know something that is unknown here */
	bool placed; /* something was used that differs between sites: home, around ... */
	bool placed_by_call; /* ... and that is around */
	bool unmounted;			/* an object of the site is mounted nowhere, though it must be ... */
	bool unserved;			/* ... as it only describes a route */
	bool calls;	/* texts are URLs of calls, not routes or names */
	bool objects;			/* an object is looked for, which is one in all views */
	bool as_declared;	/* ... and what callers give for parameters does not count */
	TSNode each;			/* a function that is called for each element of a list, ... */
	struct expression element;	/* ... and the current element */
	struct expression loop;	/* the loop that the value depends on; in: NULL: none ... */
	struct expression loop_element;	/* ... and the element in this view */
	bool defaults, defaulted;	/* use defaults of parameters; one would have been used */
	struct type_ref self;		/* the object's type if known (derived_types.h) */
	struct expression table;	/* an entry, used last, of a table given to a base's constructor */
	bool by_object;		/* a value differs between the objects of the type that has it */
	bool deciding;			/* a condition is evaluated, in which others stay unknown */
	bool decided;			/* the calls at hand decided a condition (known_conditions.h) */
	bool own;			/* a member was used that derived types may override */
	bool owned;	/* an object was used of which derived types have their own */
	struct known_views **views;	/* framework_mounts.c */
	struct known_prefixes **prefixes; /* framework_mounts.c */
	struct known_origin **known;	/* value_origin.c */
	int choice, choices;		/* which value of branches to use; the maximum number of values */
};

enum origin_kind {
	ORIGIN_UNKNOWN,
	ORIGIN_NODE,		/* an expression other than a name: `at` */
	ORIGIN_PARAMETER,	/* of the function `function` in at.in, without a known argument */
	ORIGIN_DEFINITION,	/* a function, a type, or a field without value: `definition` of at.in */
	ORIGIN_MODULE		/* the file at.in */
};

struct origin {
	enum origin_kind what;
	struct expression at;
	TSNode function;
	int definition;
	const char *name;	/* the last name that was followed; or NULL */
	struct type_ref self;	/* the value is of an object of this type, each of which has its own */
	bool slashed;		/* statements see to it that the text ends with a slash */
};

/* ---- dataflow.c, origin*.c ---- */

/* Note in the first context what a search in the second one noted about the values that it met. */
void dataflow_note(struct dataflow_context *, const struct dataflow_context *searched);

/* Where an expression's value is created: follows names, members, parentheses and calls. */
struct origin origin_of(struct dataflow_context *, struct expression);

/*
 * The values that a call of a function of this repository may return, into `out`, `max` at most.
 * Returns how many.
 */
size_t origin_return_values(
    struct dataflow_context *, struct expression call, struct expression *out, size_t max);

/*
 * What a name or a member of the own object is given, one step back: its value, or the argument of
 * the call at hand; else a null node.  `*parameter`: it is a parameter without a known argument.
 */
struct expression origin_step(struct dataflow_context *, struct expression, bool *parameter);

/* The origin of a dotted name that is not a node, as seen from a node. */
struct origin origin_chain(struct dataflow_context *, struct expression, const char *chain);

/* Whether the expression loads a module: require("x"). */
bool origin_is_require(const struct contract_file *, TSNode);

/* The node of the function that a call calls, unless it is a method of a new object; or null. */
TSNode origin_called_function(struct dataflow_context *, struct expression call,
    const struct expr_rule *of_call, struct origin *);

/* A member of an object literal, or a null node. */
struct expression origin_member(
    struct dataflow_context *, struct expression object, const char *name);

/* The innermost definition around a byte, by index, or -1; `callable`: only functions. */
int enclosing_definition(const struct contract_file *, uint32_t at, bool callable);

/* The innermost function around a node that has parameters or a name; null: none. */
TSNode enclosing_function(const struct contract_file *, TSNode);

/*
 * Whether a node is a function; the rule that makes it one where the grammar has no field, or NULL.
 */
bool is_function_node(const struct syntax_tree *, TSNode);
const struct def_rule *function_rule(const struct syntax_tree *, TSNode);

/* The smallest node that contains all of a definition. */
TSNode definition_node(const struct contract_file *, int definition);

/* The function's node of a definition; null if it has no parameters. */
TSNode definition_function_node(const struct contract_file *, int definition);

/* What a function returns: nodes into `out`, `max` at most. */
size_t function_return_values(
    const struct contract_file *, TSNode function, TSNode *out, size_t max);

/* Names and members with dots, `self` for the object itself, () for calls; NULL: it is another. */
const char *node_dotted_name(const struct contract_file *, TSNode, struct arena *);

/*
 * The dotted name of `users::get` in tokens that the grammar does not parse; NULL: it is a single
 * name, or is parsed.
 */
const char *token_dotted_name(const struct contract_file *, TSNode, struct arena *);

/*
 * The binding of a name in the innermost function around `at`; NULL if there is none, or several.
 * `range`: must contain the value; NULL: any.
 */
const struct binding *find_local_binding(const struct syntax_tree *, const char *name, size_t n,
    uint32_t at, const struct definition *range);

/* ---- constructed_fields.c ---- */

/*
 * The value that a field has where an instance of its type is written as a literal, with or without
 * the field's name.  Several such places are alternatives (choice).  A null node: there is none.
 */
struct expression constructed_field(
    struct dataflow_context *, struct contract_file *, int definition);

/* The value at a position of a literal that names no fields; or a null node. */
struct expression literal_member_at(struct expression object, size_t position);

/* The value of a field in a literal that names no fields; or a null node. */
struct expression positional_member(
    struct dataflow_context *, struct expression literal, const char *name);

/* ---- value_lists.c ---- */

/*
 * The elements of the list that an expression means, into `out`, `max` at most.  Returns how many;
 * 0: they are not known.
 */
size_t list_values(
    struct dataflow_context *, struct expression, struct expression *out, size_t max);

/* ---- loop_elements.c ---- */

/* The list that a loop around a name goes through and gives it of, and the loop; or a null node. */
struct expression list_of_name(struct contract_file *, TSNode name, TSNode *loop);

/* The elements of the list or map that a loop goes through, into `out`, `max` at most; how many. */
size_t elements_of_list(
    struct dataflow_context *, struct expression list, struct expression *out, size_t max);

/* ---- value_lists.c: elements ---- */

/* The element at a place of the list that an expression means, from 0; or a null node. */
struct expression list_element_at(struct dataflow_context *, struct expression list, size_t place);

/* The element of the list that has a number, written as a literal; or a null node. */
struct expression list_element(struct dataflow_context *, struct expression list, TSNode number);

/* The value of a member of an instance of a type, which the expression makes: new Users().router. */
struct origin origin_made_member(struct dataflow_context *, struct type_ref self,
    struct expression made, const char *name);

/*
 * The calls that give parameters of the constructors their values, from that of `base` out to the
 * expression that makes an instance of `self`.  `depth`: 0.
 */
const struct call_frame *constructor_frames(struct dataflow_context *, struct type_ref base,
    struct type_ref self, struct expression made, int depth);

/* ---- instances.c ---- */

/*
 * The expressions of the repository that make instances of a type itself, `new Users("/users")`,
 * into `out`, `max` at most; how many.
 */
size_t objects_of_type(
    struct dataflow_context *, struct type_ref, struct expression *out, size_t max);

/* Of the calls at hand, the one that made the object that the code is of; or NULL. */
const struct call_frame *frame_of_maker(struct dataflow_context *, const struct call_frame *given);

/* ---- literals.c ---- */

/* Whether a node is a literal of an object, dictionary or array. */
bool literal_is_object(TSNode);

/* The value of a key in such a literal, or a null node. */
struct expression literal_member(
    struct dataflow_context *, struct expression object, const char *name);

/* The value of a key in the objects that a call merges, the last first; or a null node. */
struct expression literal_merged_member(
    struct dataflow_context *, struct expression call, const char *name);

/*
 * Each key and value of the object that an expression means: a literal, merged objects, the result
 * of a function, or the exports of a module.  `depth`: 0.
 */
void literal_each_member(struct dataflow_context *, struct expression object,
    void (*each)(void *, struct expression key, struct expression value), void *arg, int depth);

/* The parameter that an object is or contains, so that callers may give it members; or another origin. */
struct origin literal_open_part(struct dataflow_context *, struct expression object);

/* Whether a caller may give the object members: it is a parameter, or contains one. */
bool literal_is_open(struct dataflow_context *, struct expression object);

/* ---- reaching_values.c ---- */

/*
 * The values that a local variable may have where it is used, into `out`, `max` at most.  Returns
 * how many; 0: unknown.
 */
size_t reaching_values(const struct syntax_tree *, const char *name, size_t n, TSNode use,
    const struct binding **out, size_t max);

/* Whether a value is appended to, or combined with, the old one: `x += y`. */
bool binding_combines(const struct syntax_tree *, const struct binding *);

/* The same of a parameter; `argument`: whether it may also have what a caller gives. */
size_t reaching_parameter_values(const struct syntax_tree *, const char *name, size_t n, TSNode use,
    const struct binding **out, size_t max, bool *argument);

/* Whether the value is empty or nothing, as variables are often initialised. */
bool means_empty(const struct syntax_tree *, TSNode value);

/* Whether an expression says that there is no value: null, undefined. */
bool means_nothing(const struct syntax_tree *, TSNode);

/*
 * What is put behind the last certain value of a local variable before its use, `x += y`, into
 * `out` in order; how many.  *from: where that value ends, or the variable's function begins; 0: it
 * is not local.
 */
size_t reaching_additions(const struct syntax_tree *, const char *name, size_t n, TSNode use,
    const struct binding **out, size_t max, uint32_t *from);

/* The same of a parameter of the function around its use. */
size_t parameter_additions(const struct contract_file *, TSNode use, const struct binding **out,
    size_t max, uint32_t *from);

/* The same of a variable of the file, which statements outside functions add to. */
size_t file_additions(
    const struct contract_file *, TSNode use, const struct binding **out, size_t max);

/* Whether `use` may be reached without the statement that contains a node. */
bool runs_conditionally(TSNode, TSNode use);

/* Whether one node runs when a condition holds, the other when it does not. */
bool are_opposite(TSNode, TSNode);

/*
 * The values that a member of the type, which only one of its functions assigns, may have after
 * that function, likewise; of several functions if one of them says that it has none yet.
 */
size_t reaching_member_values(const struct contract_file *, const char *name, size_t n,
    const struct definition *type, const struct binding **out, size_t max);

/* ---- object_changes.c ---- */

/*
 * The value that statements before its use give the member of the object that a name means, there
 * or where the calls at hand hand it over.  A null node: they give it none, or the object is no
 * name.  Several values are alternatives (dataflow_context.choice).
 */
struct expression changed_member(
    struct dataflow_context *, struct expression object, const char *name);

/* Whether statements before its use may give members to the object that a node names. */
bool object_is_changed(const struct syntax_tree *, TSNode);

/* ---- parameters.c ---- */

/* The parameter of a function that is called with one value, or a null node. */
struct expression parameter_of_callback(struct dataflow_context *, const struct contract_file *,
    TSNode function, struct expression value, const char *name, size_t n);

/* Whether the function is an extension method, called on its first parameter: C#'s `this`. */
bool is_extension_method(const struct contract_file *, TSNode function);

/* Whether it has a parameter of that name. */
bool function_has_parameter(
    const struct contract_file *, TSNode function, const char *name, size_t n);

/* The name of the parameter with that number from 0; NULL if it has none. */
const char *parameter_name(
    const struct contract_file *, TSNode function, int index, struct arena *);

/* How many parameters the function has; 0 if the node is null. */
int parameter_count(const struct contract_file *, TSNode function);

/* The default of a parameter, or a null node. */
TSNode parameter_default_value(
    const struct contract_file *, TSNode function, const char *name, size_t n);

/* Whether callers have to pass a value: there is no default, and nothing says that it may be none. */
bool parameter_is_required(
    const struct contract_file *, TSNode function, const char *name, size_t n);

/* Whether the value is a default in the function's parameter list. */
bool is_parameter_default(const struct contract_file *, TSNode function, TSNode value);

/* The argument of a call for the parameter, else its default, or a null node. */
struct expression parameter_argument(
    struct dataflow_context *, const struct call_frame *, const char *name, size_t n);

/* The calls `inner`, which happen within the calls `outer`. */
const struct call_frame *call_frames_within(
    struct arena *, const struct call_frame *inner, const struct call_frame *outer);

/*
 * The element of a list that a call spreads, send(...this.params(o)), which is its argument of that
 * number; or a null node.
 */
struct expression element_of_spread(
    struct dataflow_context *, const struct call_frame *, int index);

/* Whether the name is a parameter with all other arguments, and one of the calls gives these. */
bool rest_is_given(const struct call_frame *given, struct expression name);

/*
 * The arguments that a call passes for a parameter with all other arguments, ...parts, into `out`,
 * `max` at most; returns how many.
 */
size_t rest_arguments(
    const struct call_frame *, struct expression name, struct expression *out, size_t max);

/*
 * Whether a pattern, { a, b: c = 1 }, gives the name a value: the member `key` (null: all) of the
 * object, or else `fallback` (or null).
 */
bool pattern_has_name(const struct contract_file *, TSNode pattern, const char *name, size_t n,
    TSNode *key, TSNode *fallback);

/* The object that a declaration around `at` takes the name from, with `key` as above; or null. */
TSNode unpacked_value(const struct contract_file *, TSNode at, const char *name, size_t n,
    TSNode *key, TSNode *fallback);

/* The name by which a function knows the object that it is called on (Go); or a null node. */
TSNode function_receiver_name(TSNode function);

/* The argument of a call that has the parameter as a member, ({ path }) => …; or a null node. */
struct expression parameter_object(
    struct dataflow_context *, const struct call_frame *, const char *name, size_t n);

/* Whether the name is a parameter that the object which a call passes does not have. */
bool parameter_is_absent(struct dataflow_context *, struct expression name);

/* The innermost function around `n` that has a parameter of that name; null: none. */
TSNode function_of_parameter(const struct contract_file *, TSNode n, const char *name, size_t len);

/* The member `a.b` of a call `a.b(...)`; a null node if the call is of something else. */
TSNode called_member(const struct syntax_tree *, TSNode call);

/* The object that a method is called on; null: the call is of a function. */
TSNode call_receiver(const struct syntax_tree *, TSNode call);

/* The same, also where the grammar has the object apart from the method's name. */
TSNode call_object(const struct syntax_tree *, TSNode call);

/* The arguments of a call, without comments, into `out`, `max` at most; returns how many. */
size_t call_arguments(const struct syntax_tree *, TSNode call, TSNode *out, size_t max);

/* ---- method_value.c ---- */

/*
 * A method of an object as a value: `send(requests.post, path)`, `getattr(session, verb)(url)`,
 * `client[verb](url)`.  What is called is known by its object and the name of its method.
 */
struct method_value {
	struct expression object;
	struct expression name; /* the method's name, or an expression for it */
	bool word; /* it is the name itself */
	bool parameter; /* not found: callers of a function around it know */
};

/* What an expression that is called means; false: it is no method of an object. */
bool method_value_of(struct dataflow_context *, struct expression callee, struct method_value *out);

/* ---- call_chains.c ---- */

/*
 * The call or instance that a chain of calls begins with, also by way of a local name: `Builder()`
 * of `Builder().url(x).post(y)`.  Null: it calls or makes none of `makers`, which `|` separates.
 */
TSNode chain_start(const struct syntax_tree *, TSNode, const char *makers);

/* ---- contracts_matches.c ---- */

/* What the framework's queries find in the file. */
struct framework_matches *framework_find_matches(struct contract_file *, const struct framework *);
#endif
