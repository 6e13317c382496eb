#ifndef SHARD_CONTRACTS_URLS_DATAFLOW_H
#define SHARD_CONTRACTS_URLS_DATAFLOW_H
/*
 * Files that contracts are read from, and what expressions in them come from.  While a file is
 * parsed, it is the only one; when all are known, names lead to other files, which are then read
 * again, and parameters to what callers give (other_files.h).
 */

#include "shard/contracts/urls/framework.h"
#include "shard/contracts/urls/retained_tree.h"

struct contracts;
struct source_file;
struct crossfile;
struct sym;
struct url_steps;

/* One match of a framework's query. */
struct framework_match {
	TSNode node[NROLES];
	const char *method;	/* set by the pattern; NULL */
	const char *fallback;	/* method when no match of the same site has one; NULL */
	const char *style;	/* how the path is written; NULL: as it is */
	/* not NULL: the object need not be bound; "foreign": but be of another repository's type */
	const char *anyone;
	const char *absolute;	/* not NULL: without a scheme the path is that of a file */
	const char *open;	/* not NULL: options of which nothing is known may hold any method */
	const char *bare;	/* not NULL: a site without a path is one with the empty path */
	const char *prefix;	/* comes before the path or the prefix, or is the prefix; NULL */
	const char *append;	/* comes after the path or the prefix; NULL */
	const char *word;	/* not NULL: the path is the node's own text */
	/* the path is what a setting of that name says, @ in it the path as it is; NULL */
	const char *setting;
	const char *otherwise;	/* not NULL: without such a setting it is as it is */
	/* what its controller calls it (Rails); a node may be a site for each.  NULL */
	const char *action;
	/* not NULL: what the handler's class answers is what the site answers */
	const char *answers;
	/* members of @options that have a role, when they are not in the file; NULL */
	const char *keys[NROLES];
	/* not NULL: this prefix stands instead of the one that the object was made with */
	const char *replaces;
	const char *module;	/* not NULL: what is bound is a module, of which this name is meant */
	const char *global;	/* not NULL: the prefix is for all of the framework */
	/* not NULL: in an interface or an abstract class, types that are derived from it say it */
	const char *derived;
	/* not NULL: scopes around calls of the function that the site stands in count, too */
	const char *called;
	/* not NULL: inside an interceptor, what becomes of each request's `url`, or `base` */
	const char *changes;
	const char *counts;	/* not NULL: what the type at @scope is derived from says, it says */
};

/* All matches of a framework in a file. */
struct framework_matches {
	const struct framework *fw;
	struct framework_match *v;
	size_t n, cap;
	bool global;		/* another file may say something that is for all of the framework */
	bool intercepts;	/* its clients may have functions that change what they send */
	bool binds;		/* there are some that speak of what the framework's objects are */
	struct framework_matches *next;
};

struct contract_file {
	struct syntax_tree *t;
	const struct found_definitions *found;
	const struct facts *facts;	/* while it is parsed only what definitions and contracts say */
	struct contracts *frameworks;
	struct source_file *file;		/* NULL: it is being parsed, and knows no other */
	struct framework_matches *spots;
	struct retained_tree retained;		/* of one that was read again */
	struct buf *text;
	unsigned asked;			/* crossfile_internal.h: owners, when it was asked last */
};

/* A call through which parameters of a function have values. */
struct call_frame;

/* An expression somewhere. */
struct expression {
	struct contract_file *in;
	TSNode n;
	const struct call_frame *given;	/* NULL: parameters have none */
};

struct call_frame {
	struct contract_file *in;	/* the function ... */
	TSNode function;	/* ... whose node this is */
	struct expression call;
};

/* A type, by its index in the file. */
struct type_ref {
	struct contract_file *in;	/* NULL: none */
	int type;
};

/* Whether the bytes of one node lie within those of another of the same tree. */
static inline bool node_within(TSNode inner, TSNode outer)
{
	return node_start_byte(outer) <= node_start_byte(inner) &&
	    node_end_byte(inner) <= node_end_byte(outer);
}

/* What is asked for one site; everything found lives in `a`. */
struct dataflow_context {
	struct crossfile *join;	/* NULL: this file only */
	struct arena *a;
	struct url_steps *steps;
	/* nodes that may still be looked at: names can refer to each other without end */
	int budget;
	int depth, agreement_depth;
	int walks;		/* from an object to those that it is below: so many more */
	struct contract_file *home;	/* whose site it is */
	/* the function around the site, or around the call that it is seen from; null: none */
	TSNode around;
	bool unknown;		/* something was met that another file or a caller may know */
	TSNode each;		/* a function that is called for each element of a list, ... */
	struct expression element;	/* ... and the one at hand */
	bool defaults, defaulted;	/* parameters have their defaults; one would have */
	/*
	 * what the object is whose code is looked at, when it is known to be of a derived type
	 * (derived_types.h)
	 */
	struct type_ref self;
	/*
	 * a member, or what a constructor is given, was asked for that derived types may say otherwise
	 */
	bool own;
	/* of the values that branches give the first, second, ...; how many there are at most */
	int choice, choices;
};

enum origin_kind {
	ORIGIN_UNKNOWN,		/* nothing in this repository says it */
	ORIGIN_NODE,		/* an expression that is no name: `at` */
	ORIGIN_PARAMETER,	/* of the function `function` in at.in, that nobody gives here */
	ORIGIN_DEFINITION,	/* a function, type or what has no value: `definition` of at.in */
	ORIGIN_MODULE		/* the file that `at.in` is */
};

struct origin {
	enum origin_kind what;
	struct expression at;
	TSNode function;
	int definition;
	const char *name;	/* the last name on the way; NULL: none */
};

/* ---- dataflow.c, origin*.c ---- */

/*
 * Where an expression's value is made: names, members, parentheses and the results of functions
 * are followed.
 */
struct origin origin_of(struct dataflow_context *, struct expression);

/*
 * What a function of this repository may give back to a call of it: into `out`, `max` at most; how
 * many.
 */
size_t origin_return_values(
    struct dataflow_context *, struct expression call, struct expression *out, size_t max);

/* The same of a dotted name that is no node of its own, as it is seen from one. */
struct origin origin_chain(struct dataflow_context *, struct expression, const char *chain);

/* Whether the expression is a module that is taken in: require("x"). */
bool origin_is_require(const struct contract_file *, TSNode);

/* A member of an object that is written out, or a null node. */
struct expression origin_member(
    struct dataflow_context *, struct expression object, const char *name);

/* The innermost definition around a byte, by index, or -1; `callable`: that can be called. */
int enclosing_definition(const struct contract_file *, uint32_t at, bool callable);

/* The innermost function around a node that has parameters or a name; null: none. */
TSNode enclosing_function(const struct contract_file *, TSNode);

/* Whether a node is a function; the row that says so, where no field does, else NULL. */
bool is_function_node(const struct syntax_tree *, TSNode);
const struct def_rule *function_rule(const struct syntax_tree *, TSNode);

/* The smallest node that contains all of a definition. */
TSNode definition_node(const struct contract_file *, int definition);

/* The function's node of a definition; null if it has no parameters. */
TSNode definition_function_node(const struct contract_file *, int definition);

/* What a function returns: nodes into `out`, `max` at most. */
size_t function_return_values(
    const struct contract_file *, TSNode function, TSNode *out, size_t max);

/*
 * Dotted text of names and members, `self` for the object itself, () for calls; NULL: it is no
 * such chain.
 */
const char *node_dotted_name(const struct contract_file *, TSNode, struct arena *);

/*
 * `users.get` of `users::get` among tokens, of which no grammar makes one name; NULL: it stands
 * alone, or in a tree.
 */
const char *token_dotted_name(const struct contract_file *, TSNode, struct arena *);

/*
 * What a name is given in the innermost function around `at`, if it is once; `range`: of which the
 * value must be a part; NULL: any.
 */
const struct binding *find_local_binding(const struct syntax_tree *, const char *name, size_t n,
    uint32_t at, const struct definition *range);

/* ---- literals.c ---- */

/* Whether a node is an object, dictionary or array whose members stand in it. */
bool literal_is_object(TSNode);

/* What such an object has under a key, or a null node. */
struct expression literal_member(
    struct dataflow_context *, struct expression object, const char *name);

/*
 * Each key, and its value, of the object that an expression is: written out, merged, given back by
 * a function, or a module with what it exports.  `depth`: 0.
 */
void literal_each_member(struct dataflow_context *, struct expression object,
    void (*each)(void *, struct expression key, struct expression value), void *arg, int depth);

/* ---- reaching_values.c ---- */

/*
 * The values that a local variable of several may have where it is used: into `out`, `max` at
 * most; how many, 0: nothing is known.
 */
size_t reaching_values(const struct syntax_tree *, const char *name, size_t n, TSNode use,
    const struct binding **out, size_t max);

/* ---- parameters.c ---- */

/* What the parameter of a function that is called with one value is, or a null node. */
struct expression parameter_of_callback(struct dataflow_context *, const struct contract_file *,
    TSNode function, struct expression value, const char *name, size_t n);

/* Whether the function is called on its first parameter as if it were a method: C#'s `this`. */
bool is_extension_method(const struct contract_file *, TSNode function);

/* Whether it has a parameter of that name. */
bool function_has_parameter(
    const struct contract_file *, TSNode function, const char *name, size_t n);

/* How many arguments the function has names for; 0: the node is null. */
int parameter_count(const struct contract_file *, TSNode function);

/* The default of a parameter, or a null node. */
TSNode parameter_default_value(
    const struct contract_file *, TSNode function, const char *name, size_t n);

/* Whether the value stands among the function's parameters: as a default. */
bool is_parameter_default(const struct contract_file *, TSNode function, TSNode value);

/* What a call gives to the parameter, or its default, or a null node. */
struct expression parameter_argument(
    struct dataflow_context *, const struct call_frame *, const char *name, size_t n);

/* The innermost function around `n` that has a parameter of that name; null: none. */
TSNode function_of_parameter(const struct contract_file *, TSNode n, const char *name, size_t len);

/* What a method is called on; null: the call is of a function. */
TSNode call_receiver(const struct syntax_tree *, TSNode call);

/* The arguments of a call: nodes in order, comments aside; how many. */
size_t call_arguments(const struct syntax_tree *, TSNode call, TSNode *out, size_t max);

/* ---- spots ---- */

/* What the framework's queries find in the file. */
struct framework_matches *framework_find_matches(struct contract_file *, const struct framework *);
#endif
