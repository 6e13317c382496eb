#include "shard/base/relative_path.h"

#include <string.h>

#include "proto/base/arena.h"

const char *relative_path(struct arena *a, const char *dir, const char *path)
{
	char *out = arena_get(a, strlen(dir) + strlen(path) + 2, 1), *end = out + strlen(dir);

	strcpy(out, dir);
	while (*path) {
		size_t n = strcspn(path, "/");
		if (n == 2 && !strncmp(path, "..", 2)) {
			if (end == out)
				return NULL;
			do
				end--;
			while (end > out && *end != '/');
		} else if (n && !(n == 1 && *path == '.')) {
			if (end > out)
				*end++ = '/';
			memcpy(end, path, n);
			end += n;
		}
		*end = 0;
		path += n + (path[n] == '/');
	}
	return out;
}
