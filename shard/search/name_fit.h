#ifndef SHARD_SEARCH_NAME_FIT_H
#define SHARD_SEARCH_NAME_FIT_H
/* How well the name of a definition fits a name that was asked for. Pure. */

#include <stdbool.h>

struct arena;

/* What a comparison needs to know about a definition. */
struct named_definition {
	const char *name, *qualified, *kind;
	const char *path, *language;	/* of its file */
	bool test, generated;
	bool minor;		/* a minor name (facts.h) */
	bool left_out;		/* its file is left out, and only its names are known */
};

/*
 * The fits, from worst to best. Of a name with several parts (`Client.GetUser`, `pkg::fn`, `A#b`)
 * the last one is the definition's own name; those before it must be the names around it: its
 * parents, then its file and folders.
 */
enum name_fit {
	NAME_UNLIKE,
	NAME_BEGINS_SIMILAR,	/* its name begins so, except for case and separators */
	NAME_BEGINS,		/* its name begins like the one asked for */
	NAME_ELSEWHERE,		/* its own name is the last part, but it stands somewhere else */
	NAME_SIMILAR,		/* except for case and separators */
	NAME_FOLDED,		/* except for case, or a mark at the end (`save!`) */
	NAME_WRITTEN,
	NAME_FITS
};

enum name_fit name_fit(const char *asked, const struct named_definition *, struct arena *);

/*
 * The score of a definition whose name is a word of a longer question: evidence beside other words,
 * at most 3.
 */
double name_score_in_text(enum name_fit, const struct named_definition *);

/*
 * The score of a definition whose name is the whole question (proto/record/hit_scores.h). A better
 * fit has a higher score, whatever the definition is. Of equal fits the repository's own code comes
 * before scripts of pages, examples and copies, tests, generated code, and files that are left out;
 * of these a type before functions, values, fields and constructors of its name, and minor names,
 * of which variables and fields mean least.
 */
double name_score_asked(enum name_fit, const struct named_definition *);

/* The highest score that name_score_asked gives a minor name. */
double name_score_minor_max(void);
#endif
