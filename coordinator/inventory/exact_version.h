#ifndef COORDINATOR_INVENTORY_EXACT_VERSION_H
#define COORDINATOR_INVENTORY_EXACT_VERSION_H
/* Which one version a manifest asks for, if it allows no other. */

struct arena;

/*
 * The version that a range in a manifest of this name allows; NULL if it allows several, or none is
 * written.  By the rules of the ecosystem: `1.2.3` is exact for npm, but not for cargo, where it is
 * the least version.
 */
const char *exact_version(
    const char *ecosystem, const char *file, const char *range, struct arena *);
#endif
