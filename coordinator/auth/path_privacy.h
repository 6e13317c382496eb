#ifndef COORDINATOR_AUTH_PATH_PRIVACY_H
#define COORDINATOR_AUTH_PATH_PRIVACY_H
/*
 * Paths of machines in answers.  Who sees everything and may change something is told where things
 * are; whoever is limited, or may only read, has no use for it: of such a path nothing is left but
 * its last part, behind `…/`.
 */

#include <stdbool.h>

struct arena;
struct caller;
struct record;

bool paths_visible(const struct caller *);

/*
 * Without paths: in all that a record, or what it holds, has in fields with a rule like MAY_PATHS.
 * What changes is put in `a`.
 */
void paths_redact_record(const struct record *, void *, struct arena *a);

/* The same of one text; itself, when it has none. */
const char *paths_redact(const char *text, struct arena *a);
#endif
