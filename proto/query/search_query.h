#ifndef PROTO_QUERY_SEARCH_QUERY_H
#define PROTO_QUERY_SEARCH_QUERY_H
/*
 * The query language of exact search (QUERY.md): texts and filters, joined by and, or and not.
 * This module parses and prints queries and decides parts of them; it searches nothing.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct pattern;

enum {
	QUERY_MAX_BYTES = 16384,
	QUERY_MAX_DEPTH = 50, /* of parentheses and `not` */
	QUERY_MAX_ATOMS = 40 /* texts and filters */
};

enum query_kind {
	QUERY_ALL, /* all parts hold */
	QUERY_ONE, /* at least one part holds */
	QUERY_NOT, /* the part does not hold */
	QUERY_TEXT, /* these are atoms: the file contains it */
	QUERY_FILE, /* its path contains it */
	QUERY_REPO, /* the repository's name or repo_uri contains it */
	QUERY_LANG, /* it is in this language */
	QUERY_SYM, /* it defines a symbol whose name contains it */
	QUERY_TRUE, /* these two are made only by search_query_decide */
	QUERY_FALSE
};

/* ALL and ONE have at least two parts and none of their own kind; the part of NOT is no NOT. */
struct query_node {
	enum query_kind kind;
	const struct query_node *const *parts;
	size_t nparts;
	/* Of an atom: */
	const char *text; /* what is looked for; the language in small letters */
	bool regex; /* a regular expression, else a literal */
	size_t atom; /* its number, from 0, in the order of the query */
	size_t column, at; /* where its text begins in the query: characters from 1, bytes from 0 */
};

enum query_case {
	QUERY_CASE_AUTO, /* case matters for atoms with a capital letter */
	QUERY_CASE_YES,
	QUERY_CASE_NO
};

struct search_query {
	const char *source; /* what was parsed; NULL for a pattern */
	const struct query_node *root;
	enum query_case letter_case;
	size_t natoms;
};

/*
 * NULL with INVALID_INPUT: the message names `query`, the column, what is wrong and what to
 * write.  Everything is in `a`. Regular expressions are not compiled: query_atom_pattern does
 * that.
 */
const struct search_query *search_query_parse(const char *text, struct arena *a, struct err *);

/* The query of one text, for a search without a query. */
const struct search_query *search_query_of_pattern(
    const char *pattern, bool fixed, bool ignore_case, struct arena *a);

/* A text that parses to the same tree.  TRUE is printed as a filter that every file fulfils. */
const char *search_query_print(const struct search_query *, struct arena *a);

/*
 * Whether it asks for lines: a text or a definition that stands under no `not`.  Else only files
 * are asked for.
 */
bool search_query_has_lines(const struct search_query *);

/*
 * The query for files of which some atoms are known: `decide` returns 1 if the atom holds, 0 if
 * not, -1 if it is not known. Its root is TRUE or FALSE if nothing else is left.
 */
const struct search_query *search_query_decide(const struct search_query *,
    int (*decide)(void *arg, const struct query_node *atom), void *arg, struct arena *a);

/* Call `see` for each atom, in order, until it returns other than 0; that, or 0. */
int search_query_each(
    const struct search_query *, int (*see)(void *arg, const struct query_node *atom), void *arg);

/* Whether case does not matter for an atom. */
bool query_atom_ignores_case(const struct search_query *, const struct query_node *atom);

struct query_options {
	bool word, multiline; /* of texts, as in pattern.h */
};

/*
 * The pattern of an atom other than LANG.  NULL with INVALID_INPUT, which names `query` and the
 * column in it, or `pattern` for the query of a pattern.  The caller frees it.
 */
struct pattern *query_atom_pattern(const struct search_query *, const struct query_node *atom,
    const struct query_options *, struct err *);
#endif
