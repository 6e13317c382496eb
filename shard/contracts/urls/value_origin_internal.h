#ifndef SHARD_CONTRACTS_URLS_VALUE_ORIGIN_INTERNAL_H
#define SHARD_CONTRACTS_URLS_VALUE_ORIGIN_INTERNAL_H
/*
 * The parts of value_origin: names (value_origin), members (_members), bindings and definitions
 * (_definitions), exports of modules (_modules), calls and new objects (_calls).
 */

#include <string.h>

#include "shard/contracts/urls/dataflow.h"
#include "shard/syntax/node_rules.h"

enum { ORIGIN_DEEP = 24, LONGEST_NAME = 120, MAX_BRANCHES = 4 };

/* ---- value_origin_definitions.c ---- */

/* An unknown origin. */
extern const struct origin origin_unknown;

/* The origin of an expression that is its own value; `name` may be NULL. */
struct origin origin_at_node(
    struct contract_file *, TSNode, const struct call_frame *, const char *name);

/* The origin of a binding's value. */
struct origin origin_at_binding(struct dataflow_context *, struct contract_file *,
    const struct binding *, const struct call_frame *);

/* The origin of a definition's value, or the definition itself. */
struct origin origin_at_definition(struct dataflow_context *, struct contract_file *, int index);

/*
 * The value that constructors of its type assign to a field by its bare name, `_url = url;`, once;
 * or NULL.
 */
const struct binding *constructed_binding(
    const struct contract_file *, const struct definition *field);

/* ---- value_origin.c ---- */

/* The origin of a member that the object's own type overrides. */
struct origin origin_derived(
    struct dataflow_context *, struct expression, const char *name, size_t n);

/* The origin of an expression's value; a module stays one.  `name`: its last name, or NULL. */
struct origin origin_follow(struct dataflow_context *, struct expression, const char *name);

/*
 * One of the values that branches give to a variable, or NULL.  The caller evaluates once for each
 * (dataflow_context.choice).
 */
const struct binding *origin_choose(
    struct dataflow_context *, const struct binding *const *, size_t count);

/* The argument that a call at hand gives to the function's parameter, or a null node. */
struct expression origin_argument(
    struct dataflow_context *, struct expression, TSNode function, const char *name, size_t n);

/* A member of an object's origin; unknown: only the resolver can tell. */
struct origin origin_member_of(
    struct dataflow_context *, const struct origin *object, const char *name);

/* A member of the object that the code belongs to. */
struct origin origin_own_member(struct dataflow_context *, struct expression, const char *name);

/* ---- value_origin_members.c ---- */

/* Whether the node is what a call around it calls. */
bool origin_is_callee(struct expression);

/* The origin of a member, as the rule of its expression reads it. */
struct origin origin_at_member(
    struct dataflow_context *, struct expression, const struct expr_rule *);

/* ---- loop_elements.c ---- */

/* The element of a list for which a loop has the name; the elements are alternatives. */
struct origin origin_loop_element(
    struct dataflow_context *, struct expression, const char *name, size_t n);

/*
 * The element of a list whose number is the counter of a loop, ROUTES[i]; the elements are
 * alternatives.
 */
struct origin origin_counted_element(
    struct dataflow_context *, struct expression t, const struct expr_rule *);

/* ---- mapped_lists.c ---- */

/* A list whose elements a function or comprehension makes of those of another one. */
struct mapping {
	struct expression list;		/* the other one */
	struct expression of;		/* the call or comprehension */
	struct contract_file *in;
	TSNode function;	/* or the comprehension */
	TSNode made;		/* what it makes of an element */
};

/* How the list that an expression makes is mapped; false: it is no such list. */
bool mapping_of(struct expression, struct mapping *);

/* What is made of an element of the other list. */
struct expression mapped_element(
    struct dataflow_context *, const struct mapping *, struct expression element);

/* The last name of what a call calls, `map` of `routes.map(f)`; false: it has none. */
bool called_name(struct expression call, char out[LONGEST_NAME]);

/* ---- value_lists.c ---- */

/* The origin of a name that an assignment takes from a list, `url, body = prepare(path)`. */
struct origin origin_unpacked_element(
    struct dataflow_context *, struct expression, const char *name, size_t n);

/*
 * What has the elements of a call's result: the last argument of list(x), map(f, x); the object of
 * x.filter(f), m.items(); or a null node.
 */
TSNode list_converted(const struct syntax_tree *, TSNode call);

/* ---- collections.c ---- */

/* The elements of a list that a call makes of its arguments; how many. */
size_t collection_elements(struct expression list, struct expression *out, size_t max);

/* The keys and values of a map that a call makes of its arguments; how many. */
size_t collection_pairs(
    struct expression map, struct expression *key, struct expression *value, size_t max);

/* The key and the value of `key to value`, entry(key, value); false: it is something else. */
bool collection_pair(const struct syntax_tree *, TSNode, TSNode out[2]);

/* The value of a key in such a map, or a null node. */
struct expression collection_member(struct expression map, const char *key);

/* The constants of the enumeration whose list the expression is; how many. */
size_t enumeration_elements(
    struct dataflow_context *, struct expression list, struct expression *out, size_t max);

/* ---- constructed_fields.c ---- */

/* The number of a field among those of its type. */
size_t position_of_field(const struct contract_file *, int definition);

/* ---- instances.c ---- */

/*
 * The value of a member of an object that an expression or a constant of an enumeration makes:
 * `new Users().router`, `Endpoint.USERS.path`.  A method of it is its definition, with the object's
 * constructor in at.given.
 */
struct origin origin_instance_member(
    struct dataflow_context *, const struct origin *object, struct expression from, const char *name);

/* What a method of such an object returns. */
struct origin origin_instance_call(
    struct dataflow_context *, struct expression call, const struct expr_rule *);

/*
 * The value of a field of the object that a method is called on in the view at hand; unknown: the
 * name is no field of its type, or the object is unknown.
 */
struct origin origin_of_own_field(
    struct dataflow_context *, struct expression at, const char *name, size_t n);

/* The value of a member of the object that a call at hand made, which the code is of. */
struct origin origin_of_made(struct dataflow_context *, struct expression at, const char *name);

/* ---- value_origin_modules.c ---- */

/* What a module exports by default. */
struct origin origin_default_export(struct dataflow_context *, struct contract_file *);

/* What a module exports under the name; `depth`: how many modules re-export it. */
struct origin origin_exported(
    struct dataflow_context *, struct contract_file *, const char *name, int depth);

/* A member that is assigned to an object after its creation: `api = {}; api.get = ...`. */
struct origin origin_assigned_member(
    struct dataflow_context *, const struct origin *object, const char *name);

/* The origin of an imported name that is no definition: a member of the module's exports. */
struct origin origin_imported(struct dataflow_context *, struct contract_file *, const char *name);

/* What the resolver knows about a name or chain. */
struct origin origin_other_file(struct dataflow_context *, struct expression, const char *chain);

/* ---- object_fields.c ---- */

/*
 * The member of a field of the object itself into which its type merges another object; unknown:
 * the type does not.
 */
struct origin origin_merged_member(
    struct dataflow_context *, struct expression, TSNode field, const char *name);

/* ---- value_origin_calls.c ---- */

/* What a name that calls the function `o` means: the only value that it returns, else `o`. */
struct origin origin_called(struct dataflow_context *, struct expression, const struct origin *o);

/* The type that a node names, in `*in`, by index, or -1. */
int named_type(struct dataflow_context *, struct expression, struct contract_file **in);

/* The method of that name of a type, by index, or -1. */
int method_named(const struct contract_file *, int type, const char *name);

/* An object that is passed for a constructor's parameter, without a declared type. */
struct passed_object {
	struct type_ref of;		/* its type; of no file: it is unknown */
	struct expression at;	/* what makes it, or the word for the object around, `this` ... */
	bool self;		/* ... which this says */
};

/*
 * What all who make objects of the parameter's type, or of a derived one, pass for the parameter of
 * its constructor: new Users(this), Users(Transport(url)); if it is of one type.  (instances.c)
 */
struct passed_object origin_passed(struct dataflow_context *, const struct origin *parameter);

/* The constructor of a type, or a null node. */
TSNode constructor_of(const struct contract_file *in, int type);

/* The type that an expression makes an instance of, in `*in`, by index, or -1. */
int instantiated_type(
    struct dataflow_context *, struct expression made, struct contract_file **in);

/* The frames `inner`, and behind them `outer`, which may be their end already. */
const struct call_frame *frames_above(
    struct dataflow_context *, const struct call_frame *inner, const struct call_frame *outer);

/*
 * What a member of an object of that type means, whose code or value is at the origin: what a
 * property returns; a value made by the type's code is of this object alone.
 */
struct origin origin_of_object(
    struct dataflow_context *, struct origin, struct type_ref self, const struct call_frame *given);

/* A member of a type or another definition: what is assigned to it there. */
struct origin origin_definition_member(
    struct dataflow_context *, const struct origin *, const char *name);

/* A member of what a node makes: of an object literal, or of a new instance. */
struct origin origin_node_member(
    struct dataflow_context *, const struct origin *, const char *name);

/* The only value that a call of a function of this repository returns, else the call itself. */
struct origin origin_call(struct dataflow_context *, struct expression, const struct expr_rule *);

#endif
