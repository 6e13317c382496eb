/*
 * uses CONSUMER.db LIBRARY.db...: prints the uses of the libraries' definitions in the consumer's
 * code as JSON, one a line, in the form of ../shared/eval/symscore.py, and the packages of the
 * libraries on standard error.  Reads indexes of shards, without a federation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "shard/index/index_store.h"
#include "shard/interfaces/interface_cache.h"
#include "shard/interfaces/package_interfaces.h"
#include "shard/uses/external_files.h"
#include "shard/uses/use_finder.h"

static struct db *open_index(const char *path, struct index_info *info, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char dir[1000] = ".";

	if (slash)
		snprintf(dir, sizeof dir, "%.*s", (int)(slash - path), path);
	struct db *db = store_open(dir, slash ? slash + 1 : path, e);
	if (db && !store_read_info(db, info, e))
		return db;
	db_close(db);
	return NULL;
}

static int read_library(
    const char *path, struct external_repository *out, struct arena *a, struct err *e)
{
	struct index_info *info = arena_one(a, struct index_info);
	struct interface_ref *v;
	size_t n;
	clock_t t = clock();
	char data[] = "/tmp/atoll-uses.XXXXXX";
	struct db *db = open_index(path, info, e);

	if (!db || !mkdtemp(data))
		return -1;
	struct db *cache = interface_cache_open(data, db, info->graph_hash, e);
	if (!cache || package_interfaces_list(db, cache, a, &v, &n, e))
		return -1;
	struct interface *interfaces = arena_many(a, n + 1, struct interface);
	for (size_t i = 0; i < n; i++) {
		struct bytes packed;
		if (package_interface_pack(db, cache, v[i].hash, a, &packed, e))
			return -1;
		fprintf(stderr, "%s: %s %s %s in '%s': %llu files, %zu bytes of %lld, %.12s\n",
		    info->repo_uri, v[i].ecosystem, v[i].name ? v[i].name : "-",
		    v[i].version ? v[i].version : "-", v[i].folder, (unsigned long long)v[i].files,
		    packed.n, (long long)info->bytes, v[i].hash);
		if (interface_unpack(packed, v[i].hash, a, &interfaces[out->ninterfaces++], e))
			return -1;
	}
	fprintf(stderr, "%.1f ms\n", (double)(clock() - t) * 1e3 / CLOCKS_PER_SEC);
	out->repo_uri = info->repo_uri;
	out->interfaces = interfaces;
	db_close(cache);
	db_close(db);
	unlink(arena_printf(a, "%s/interfaces.db", data));
	rmdir(data);
	return 0;
}

static const char *repository(const char *uri)
{
	const char *slash = strchr(uri, '/');

	return slash ? slash + 1 : uri;
}

int main(int argc, char **argv)
{
	struct err e = { 0 };
	struct arena *a = arena_new();
	struct index_info info;
	struct external_repository *v = arena_many(a, (size_t)argc, struct external_repository);
	struct found_uses uses = { 0 };

	if (argc < 3)
		return 2;
	for (int i = 2; i < argc && !e.code; i++)
		read_library(argv[i], &v[i - 2], a, &e);
	struct db *db = e.code ? NULL : open_index(argv[1], &info, &e);
	clock_t t = clock();
	if (db && !uses_find(db, v, (size_t)argc - 2, a, &uses, &e))
		fprintf(
		    stderr, "%zu uses, %.1f ms\n", uses.n, (double)(clock() - t) * 1e3 / CLOCKS_PER_SEC);
	for (size_t i = 0; i < uses.n; i++) {
		const struct found_use *u = &uses.v[i];
		printf("{\"repo\":\"%s\",\"file\":\"%s\",\"line\":%u,"
		       "\"to_repo\":\"%s\",\"to_file\":\"%s\",\"to_symbol\":\"%s\","
		       "\"kind\":\"%s\",\"confidence\":%d,\"reason\":\"%s\",\"in\":\"%s\"}\n",
		    repository(info.repo_uri), u->path, u->line, repository(v[u->repository].repo_uri),
		    u->target_path, u->symbol, u->kind, u->confidence, u->reason, u->in ? u->in : "");
	}
	found_uses_free(&uses);
	db_close(db);
	arena_free(a);
	return err_exit(&e);
}
