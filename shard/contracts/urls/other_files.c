#include "shard/contracts/urls/other_files.h"

static const struct other_files *ask(const struct join *j)
{
	return ((const struct join_head *)(const void *)j)->ask;
}

struct reading *join_read(struct join *j, struct file *f)
{
	return j ? ask(j)->read(j, f) : NULL;
}

int join_name(struct join *j, struct reading *r, TSNode at, const char *chain, const struct sym **sym, struct file **file)
{
	return j ? ask(j)->name(j, r, at, chain, sym, file) : 0;
}

struct term join_constant(struct join *j, struct reading *r, const char *name)
{
	return j ? ask(j)->constant(j, r, name) : (struct term){ 0 };
}

bool join_lacks(struct join *j, struct reading *r, const char *type, const char *method)
{
	return j && ask(j)->lacks(j, r, type, method);
}

struct file *join_module(struct join *j, struct reading *r, const char *module)
{
	return j ? ask(j)->module(j, r, module) : NULL;
}

struct file *join_path(struct join *j, struct reading *r, const char *path)
{
	return j ? ask(j)->path(j, r, path) : NULL;
}

size_t join_callers(struct join *j, struct reading *r, int definition, struct term *out, size_t max)
{
	return j ? ask(j)->callers(j, r, definition, out, max) : 0;
}

const char *join_setting(struct join *j, const struct reading *r, const char *key, bool here, const char **path, uint32_t *line)
{
	return j ? ask(j)->setting(j, r, key, here, path, line) : NULL;
}

bool join_base(struct join *j, struct reading *r, int type, size_t i, struct reading **in, int *base)
{
	return j && ask(j)->base(j, r, type, i, in, base);
}

size_t join_derived(struct join *j, struct reading *r, int type, struct of_type *out, size_t max)
{
	return j ? ask(j)->derived(j, r, type, out, max) : 0;
}

int join_type(struct join *j, struct reading *r, TSNode at, const char *chain, struct reading **in)
{
	return j ? ask(j)->type(j, r, at, chain, in) : -1;
}

size_t join_mounts(struct join *j, const struct identity *x, const struct framework *fw, struct join_mount *out, size_t max)
{
	return j ? ask(j)->mounts(j, x, fw, out, max) : 0;
}

size_t join_named(struct join *j, const char *name, const struct framework *fw, struct join_mount *out, size_t max)
{
	return j ? ask(j)->named(j, name, fw, out, max) : 0;
}

bool join_binds(struct join *j, const struct framework *fw)
{
	return j && ask(j)->binds(j, fw);
}

size_t join_globals(struct join *j, const struct reading *from, const struct framework *fw, const char *name, struct join_mount *out,
    size_t max)
{
	return j ? ask(j)->globals(j, from, fw, name, out, max) : 0;
}
