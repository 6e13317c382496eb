#include <malloc.h>
#include <string.h>
#include <sys/stat.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/net/egress.h"
#include "proto/process/process_limits.h"
#include "proto/text/repo_uri.h"
#include "shard/base/options.h"
#include "shard/daemon/shard.h"
#include "shard/embedding/vector_builder.h"
#include "shard/git/repo.h"
#include "shard/git/repo_ownership.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/ingest/fetch_process.h"
#include "shard/ingest/ingest.h"
#include "shard/parse/outline.h"
#include "shard/sandbox/sandbox.h"

static const struct opt rows[] = {
#define OPT(type, name, arg, def, env, help) \
	{ OPT_##type, #name, arg, def, env, help, offsetof(struct options, name) },
#include "shard/base/options.def"
};

static const char usage[] =
    "atoll-shard --repo PATH|URL [--data DIR] [--listen URL] [--coordinator URL]...   serve one repository\n"
    "atoll-shard --repo PATH|URL [--data DIR] --once [--json]                         index it, print counts, exit\n"
    "atoll-shard --probe URL                                                          exit 0 when an index is served";

/* Hides credentials in URLs of the command line from other users who list processes. */
static void hide_secrets(int argc, char **argv, struct arena *a)
{
	for (int i = 1; i < argc; i++) {
		size_t n = strlen(argv[i]);
		strncpy(argv[i], uri_redact(argv[i], a), n);
	}
}

static int serve(const struct options *o, struct err *e)
{
	/* threads that answer now and then would each keep a heap of their own */
	mallopt(M_ARENA_MAX, 1);
	struct shard *s = shard_open(o, &rpc_handlers, e);
	int rc = 0;

	if (!s)
		return 1;
	if (o->once)
		rc = shard_run_once(s, e);
	else
		shard_serve(s);
	shard_close(s);
	return rc != 0;
}

static int run(const struct options *o, struct err *e)
{
	if (*o->probe)
		return shard_probe(o, e) != 0;
	if (o->outline)
		return outline_child_main(o->sandbox, e);
	egress_init(&EGRESS_POLICY(o));
	repo_init();
	repo_safe_directories(&o->safe_directory);
	if (o->fetch)
		return fetch_process_run(o, e);
	if (o->ingest && o->ingest_vectors)
		return vector_builder_run(o, e);
	if (o->ingest)
		return ingest_run(o, e);
	return serve(o, e);
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	struct err e = { 0 };
	struct string_list args = { 0 };
	struct arena *a = arena_new();
	int rc = options_parse(rows, LEN(rows), &o, usage, argc, argv, &args, a, &e);

	umask(077);	/* its files are for this user only */
	limits_raise_files();
	hide_secrets(argc, argv, a);
	log_init("shard", log_level(o.log_level));
	if (!rc && args.n)
		rc = err_set(&e, ERR_INVALID_INPUT,
		    "unknown argument `%s`: name the repository with --repo", args.v[0]);
	if (!rc)
		rc = log_check_level(o.log_level, &e);
	if (!rc)
		rc = sandbox_check_mode(o.sandbox, &e);
	if (!rc)
		rc = run(&o, &e);
	else
		rc = rc > 0 ? 0 : 2;
	if (!o.ingest && !o.fetch)
		err_exit(&e);
	arena_free(a);
	return rc;
}
