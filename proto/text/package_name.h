#ifndef PROTO_TEXT_PACKAGE_NAME_H
#define PROTO_TEXT_PACKAGE_NAME_H
/* Names of packages. */

struct arena;

/*
 * The name of a package as its ecosystem compares it, in the arena: `Acme_Base` of pypi is
 * `acme-base`.
 */
char *package_compared_name(const char *ecosystem, const char *name, struct arena *);
#endif
