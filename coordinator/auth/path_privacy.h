#ifndef COORDINATOR_AUTH_PATH_PRIVACY_H
#define COORDINATOR_AUTH_PATH_PRIVACY_H
/*
 * Hides absolute paths in answers.  Only callers that see everything and may write see them; for
 * others such a path is reduced to its last part, after `…/`.
 */

#include <stdbool.h>

struct arena;
struct caller;
struct record;

bool paths_visible(const struct caller *);

/*
 * Hide the paths in all fields of a record, and of the records in it, that have a rule like
 * MAY_PATHS.  New strings live in `a`.
 */
void paths_redact_record(const struct record *, void *, struct arena *a);

/* The same for one text; returns the text itself if it contains no path. */
const char *paths_redact(const char *text, struct arena *a);
#endif
