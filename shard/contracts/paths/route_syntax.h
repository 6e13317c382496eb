#ifndef SHARD_CONTRACTS_PATHS_ROUTE_SYNTAX_H
#define SHARD_CONTRACTS_PATHS_ROUTE_SYNTAX_H
/* Paths that frameworks write in a syntax that `url_path` does not read, and names of handlers. */

struct arena;

/* The path in a form that url_path reads, in the arena; of an unknown style, the text itself. */
const char *route_syntax_convert(const char *style, const char *text, struct arena *);

/*
 * Rails: `"admin/users#show"`, or `:users` and an action, is `UsersController.show`; NULL if the
 * text names no handler.
 */
const char *rails_handler(const char *text, const char *action, struct arena *);

/*
 * The function `action` of a file of code that a string names: "./users/one.tsx" is
 * ./users/one.loader; NULL if it names none.
 */
const char *file_handler(const char *text, const char *action, struct arena *);

/*
 * PHP: the method that `[C::class, 'show']`, `'C@show'`, `C::class . ':show'` or, with an action,
 * `C::class` mean, as C.show; NULL: it is none of these.
 */
const char *class_handler(const char *text, const char *action, struct arena *);

/*
 * ASP.NET: `[controller]` and `[action]` are the class and the method that `symbol` names, other
 * tokens holes.
 */
const char *route_syntax_expand_tokens(const char *text, const char *symbol, struct arena *);
#endif
