#include "coordinator/base/options.h"

#include <stddef.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"

static const struct opt rows[] = {
#define OPT(type, name, arg, def, env, help) \
	{ OPT_##type, #name, arg, def, env, help, offsetof(struct coordinator_config, name) },
#include "coordinator/base/options.def"
};

static const char usage[] =
    "atoll-coordinator: knows the repositories of a federation, queries their shards,"
    " and serves MCP over HTTP.";

int coordinator_options(
    struct coordinator_config *o, int argc, char **argv, struct arena *a, struct err *e)
{
	struct string_list words = { 0 };
	int rc = options_parse(rows, LEN(rows), o, usage, argc, argv, &words, a, e);

	if (rc)
		return rc;
	if (words.n)
		return err_set(
		    e, ERR_INVALID_INPUT, "`%.100s` is not an option; --help lists them", words.v[0]);
	return log_check_level(o->log_level, e);
}

struct secret_origin *coordinator_secrets(
    const struct coordinator_config *o, struct arena *a, size_t *n)
{
	return options_list_secrets(rows, LEN(rows), o, n, a);
}
