#ifndef COORDINATOR_INVENTORY_PACKAGE_URL_H
#define COORDINATOR_INVENTORY_PACKAGE_URL_H
/* Package URLs (purl): `pkg:npm/%40acme/ui@3.1.0`. */

struct arena;

/*
 * The package URL of a package, with its version unless that is NULL or an expression.  NULL for
 * what is no package: an unknown ecosystem, a runtime (`php`, `ext-json`), or an expression.
 */
const char *package_url(
    const char *ecosystem, const char *name, const char *version, struct arena *);
#endif
