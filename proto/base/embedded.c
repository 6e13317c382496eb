#include "proto/base/embedded.h"

#include <string.h>

const char *embedded_get(const char *name)
{
	for (const struct embedded *f = embedded_files; f->name; f++)
		if (!strcmp(f->name, name))
			return f->p;
	return NULL;
}
