#ifndef PROTO_TEXT_CALL_RULES_H
#define PROTO_TEXT_CALL_RULES_H
/*
 * Where calls go, and where they do not go, as people declare it in a repository's atoll.yaml and
 * in the coordinator's own file.
 */

#include <stddef.h>

#include "proto/record/record.h"
#include "proto/text/yaml_flat.h"

/*
 * The keys of the lists `links` and `not`, for flat_check.  `from` is a file or function of the
 * repository, or, if it must be there, the repository itself.
 */
#define CALL_RULES(repository)                                                                     \
	{ "links[].path", FLAT_PATH, true }, { "links[].to", FLAT_NAME, true },                        \
	    { "links[].method", FLAT_METHOD, false }, { "links[].from", FLAT_TEXT, repository },       \
	    { "not[].to", FLAT_TEXT, true }, { "not[].path", FLAT_PATH, false },                       \
	    { "not[].method", FLAT_METHOD, false }, { "not[].host", FLAT_NAME, false },                \
	{                                                                                              \
		"not[].from", FLAT_TEXT, repository                                                        \
	}

/*
 * Turn both lists, which flat_check has accepted, into facts of the sides `consumes` and `denies`
 * without a file, in the arena; `symbol` is what `from` says.  Returns their number.
 */
size_t call_rules_to_facts(
    const struct flat_entry *, size_t n, const char *framework, struct arena *, struct fact **out);
#endif
