#include "shard/base/kinds.h"

#include <string.h>

static const struct {
	const char *name;
	bool callable;
} kinds[] = {
#define KIND(name, callable, doc) { #name, callable },
#include "proto/record/kinds.def"
};

static const char *const edges[] = {
#define EDGE(name, stored, doc) #name,
#include "proto/record/kinds.def"
};

enum kind kind_of(const char *name)
{
	enum kind k = 0;

	while (k < KINDS && strcmp(kinds[k].name, name))
		k++;
	return k;
}

const char *kind_name(enum kind k)
{
	return kinds[k].name;
}

const char *edge_name(enum edge_kind k)
{
	return edges[k];
}

bool kind_is_callable(enum kind k)
{
	return k < KINDS && kinds[k].callable;
}

bool kind_is_type(enum kind k)
{
	switch (k) {
	case KIND_class:
	case KIND_interface:
	case KIND_trait:
	case KIND_struct:
	case KIND_enum:
	case KIND_type: return true;
	default: return false;
	}
}

bool kind_holds_value(enum kind k)
{
	return k == KIND_field || k == KIND_variable || k == KIND_constant;
}
