#include "shard/base/example_path.h"

#include <string.h>

#include "proto/base/buf.h"

static const char *const folders[] = { "example", "examples", "sample", "samples", "demo", "demos",
	"playground", "playgrounds", "benchmark", "benchmarks" };

/* Folders below `src` are packages: com/example/demo is the code itself. */
bool path_is_example(const char *path)
{
	for (const char *slash; (slash = strchr(path, '/')); path = slash + 1) {
		size_t n = (size_t)(slash - path);
		if (n == 3 && !memcmp(path, "src", n))
			return false;
		for (size_t i = 0; i < LEN(folders); i++)
			if (strlen(folders[i]) == n && !memcmp(path, folders[i], n))
				return true;
	}
	return false;
}
