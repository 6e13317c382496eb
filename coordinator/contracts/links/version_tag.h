#ifndef COORDINATOR_CONTRACTS_LINKS_VERSION_TAG_H
#define COORDINATOR_CONTRACTS_LINKS_VERSION_TAG_H
/* The tag of a repository that is a version of a package. */

#include "proto/record/record.h"

/*
 * The tag that is `version` of the package: `1.2.3`, `v1.2.3`, `release-1.2.3`, or behind the
 * package's name or last part of it, as in `core@1.2.3`, `core-v1.2.3` and `sdk/core/v1.2.3`, which
 * is preferred.  NULL if there is none.  Pure.
 */
const char *version_tag_find(const t_strs *tags, const char *package, const char *version);
#endif
