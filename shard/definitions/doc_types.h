#ifndef SHARD_DEFINITIONS_DOC_TYPES_H
#define SHARD_DEFINITIONS_DOC_TYPES_H
/*
 * Types that only doc comments tell: `@param Request $r` (PHPDoc), `@returns {Router}` (JSDoc),
 * `@return [Agent]` (YARD).
 */

struct arena;
struct definition;
struct rules;

/*
 * The type of a parameter in the comment of its function, in `a`; NULL if it tells none.  By the
 * row doc-parameter of nodes.tab.  `doc` may be NULL.
 */
const char *doc_types_parameter(
    const struct rules *, const char *doc, const char *name, struct arena *a);

/*
 * Gives a field or callable without a type the one that its comment tells, in `a`; by the rows
 * doc-field and doc-result.
 */
void doc_types_define(const struct rules *, struct definition *, struct arena *a);
#endif
