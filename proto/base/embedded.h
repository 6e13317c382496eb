#ifndef PROTO_BASE_EMBEDDED_H
#define PROTO_BASE_EMBEDDED_H
/* Data files carried in the program (queries, tables, SQL), found by their path in the source tree. */

#include <stddef.h>

/* `end` points at a NUL that is not part of the file. */
struct embedded {
	const char *name, *p, *end;
};

/* All of this program's files, sorted by name; the last has a NULL name.  Written by embed.sh at build time. */
extern const struct embedded embedded_files[];

/* The file called `name`, NUL-terminated, or NULL. */
const char *embedded_get(const char *name);
#endif
