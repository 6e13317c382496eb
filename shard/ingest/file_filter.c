#include "shard/ingest/file_filter.h"

#include <fnmatch.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"

struct filter_rule {
	const char *pattern;	/* for the names of its folders (FOLDER) or its own name (FILE_) */
	enum { FOLDER, FILE_ } of;
	const char *reason;
};

/* clang-format off */
static const struct filter_rule skips[] = {
	{ "node_modules",     FOLDER, "node_modules" },
	{ "bower_components", FOLDER, "node_modules" },
	{ "dist",             FOLDER, "dist" },
	{ "vendor",           FOLDER, "vendor" },
	{ "__pycache__",      FOLDER, "__pycache__" },
	{ ".*",               FOLDER, FILTER_HIDDEN },
	{ "*.min.js",         FILE_,  "minified" },
	{ "*.min.mjs",        FILE_,  "minified" },
	{ "*.min.css",        FILE_,  "minified" },
	{ "package-lock.json", FILE_, FILTER_LOCK },
	{ "npm-shrinkwrap.json", FILE_, FILTER_LOCK },
	{ "yarn.lock",        FILE_,  FILTER_LOCK },
	{ "pnpm-lock.yaml",   FILE_,  FILTER_LOCK },
	{ "Cargo.lock",       FILE_,  FILTER_LOCK },
	{ "poetry.lock",      FILE_,  FILTER_LOCK },
	{ "pdm.lock",         FILE_,  FILTER_LOCK },
	{ "uv.lock",          FILE_,  FILTER_LOCK },
	{ "Pipfile.lock",     FILE_,  FILTER_LOCK },
	{ "composer.lock",    FILE_,  FILTER_LOCK },
	{ "Gemfile.lock",     FILE_,  FILTER_LOCK },
	{ "packages.lock.json", FILE_, FILTER_LOCK },
	{ "gradle.lockfile",  FILE_,  FILTER_LOCK },
	{ "buildscript-gradle.lockfile", FILE_, FILTER_LOCK },
};
/* clang-format on */

static const struct filter_rule tests[] = {
	{ "test",        FOLDER, "" },
	{ "tests",       FOLDER, "" },
	{ "testdata",    FOLDER, "" },
	{ "test-*",      FOLDER, "" },
	{ "*-tests",     FOLDER, "" },
	{ "__tests__",   FOLDER, "" },
	{ "__mocks__",   FOLDER, "" },
	{ "mocks",       FOLDER, "" },
	{ "spec",        FOLDER, "" },
	{ "e2e",         FOLDER, "" },
	{ "cypress",     FOLDER, "" },
	{ "*_test.*",    FILE_,  "" },
	{ "test_*.*",    FILE_,  "" },
	{ "*.test.*",    FILE_,  "" },
	{ "*.spec.*",    FILE_,  "" },
	{ "*_spec.rb",   FILE_,  "" },
	{ "conftest.py", FILE_,  "" },
	{ "test[a-z]*.c", FILE_, "" },
	{ "*Test.java",  FILE_,  "" },
	{ "*Tests.java", FILE_,  "" },
	{ "*IT.java",    FILE_,  "" },
	{ "*Test.kt",    FILE_,  "" },
	{ "*Tests.cs",   FILE_,  "" },
};

static const struct filter_rule generated[] = {
	{ "genproto",              FOLDER, "" },
	{ "*_pb2.py",              FILE_,  "" },
	{ "*_pb2.pyi",             FILE_,  "" },
	{ "*_pb2_grpc.py",         FILE_,  "" },
	{ "*.pb.go",               FILE_,  "" },
	{ "*.pb.gw.go",            FILE_,  "" },
	{ "*.pb.cc",               FILE_,  "" },
	{ "*.pb.h",                FILE_,  "" },
	{ "*_pb.js",               FILE_,  "" },
	{ "*_pb.ts",               FILE_,  "" },
	{ "*_pb.d.ts",             FILE_,  "" },
	{ "*_grpc_pb.js",          FILE_,  "" },
	{ "zz_generated*",         FILE_,  "" },
	{ "*.generated.*",         FILE_,  "" },
	{ "*.g.dart",              FILE_,  "" },
};

static bool folder_is(const char *pattern, const char *path)
{
	char name[256];

	for (;;) {
		const char *slash = strchr(path, '/');
		if (!slash)
			return false;
		size_t n = (size_t)(slash - path);
		if (n < sizeof name) {
			memcpy(name, path, n);
			name[n] = 0;
			if (!fnmatch(pattern, name, 0))
				return true;
		}
		path = slash + 1;
	}
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash)
		return slash + 1;
	return path;
}

/* Most patterns begin with another letter than the name, and fnmatch is slow. */
static bool file_is(const char *pattern, const char *name)
{
	bool begins_so = *pattern == '*' || *pattern == *name;

	return begins_so && !fnmatch(pattern, name, 0);
}

static const struct filter_rule *find(const struct filter_rule *rows, size_t n, const char *path)
{
	const char *file = file_name(path);

	for (size_t i = 0; i < n; i++) {
		const struct filter_rule *r = &rows[i];
		bool matches;
		if (r->of == FOLDER)
			matches = folder_is(r->pattern, path);
		else
			matches = file_is(r->pattern, file);
		if (matches)
			return r;
	}
	return NULL;
}

const char *filter_skip_path(const char *path)
{
	const struct filter_rule *r = find(skips, LEN(skips), path);

	if (r)
		return r->reason;
	return NULL;
}

bool filter_is_lock(const char *path)
{
	const char *file = file_name(path), *reason = NULL;

	for (size_t i = 0; i < LEN(skips) && !reason; i++)
		if (skips[i].of == FILE_ && file_is(skips[i].pattern, file))
			reason = filter_skip_path(path);	/* its folder may be another reason */
	return reason && !strcmp(reason, FILTER_LOCK);
}

bool filter_is_test(const char *path)
{
	return find(tests, LEN(tests), path) != NULL;
}

bool filter_is_generated(const char *path)
{
	return find(generated, LEN(generated), path) != NULL;
}

const char *filter_skip_content(const char *p, size_t n)
{
	static const char lfs[] = "version https://git-lfs.github.com/spec/";

	if (!n)
		return "empty";
	if (memchr(p, 0, MIN(n, 8192)))
		return "binary";
	if (n < 1024 && n > sizeof lfs && !memcmp(p, lfs, sizeof lfs - 1))
		return "lfs-pointer";
	return NULL;
}

bool filter_is_minified(const char *p, size_t n)
{
	enum { LINE_BYTES = 250 };	/* on average */
	const char *end = p + n, *at = p;
	size_t lines = 1;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
		lines++;
		at++;
	}
	return n / lines > LINE_BYTES;
}
