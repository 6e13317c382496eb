#ifndef COORDINATOR_CLI_OUTPUT_CYCLONEDX_H
#define COORDINATOR_CLI_OUTPUT_CYCLONEDX_H
/* Software bills of materials as CycloneDX 1.6 JSON, from the inventory of packages.  Pure. */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct package_row;

/* A repository or group, and all that its manifests declare. */
struct bill_of_materials {
	const char *subject; /* repo_uri of the repository, or name of the group */
	const char *name; /* for people */
	bool is_group;
	const char *const *repositories; /* repo_uris, whose manifests were read */
	size_t nrepositories;
	const struct package_row *packages; /* a package may have several rows */
	size_t npackages;
	bool complete; /* the manifests of all members are current */
	const char *uuid, *time; /* of this document: 36 characters; RFC 3339 */
};

/*
 * The document.  A component is a package at one version (or at unknown ones: the manifest allows
 * several), with the places that declare it; in that of a group, repositories are components, too.
 */
const char *cyclonedx_json(const struct bill_of_materials *, struct arena *);
#endif
