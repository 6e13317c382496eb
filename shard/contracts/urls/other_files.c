#include "shard/contracts/urls/other_files.h"

#include "shard/base/example_path.h"
#include "shard/program/program.h"

static const struct other_files *ask(const struct crossfile *j)
{
	return ((const struct other_files_base *)(const void *)j)->ask;
}

struct arena *other_files_arena(struct crossfile *j, const struct contract_file *in)
{
	if (j)
		return ((const struct other_files_base *)(const void *)j)->a;
	return in->t->arena;
}

bool other_files_step(struct crossfile *j)
{
	struct other_files_base *base = (struct other_files_base *)(void *)j;

	return !j || --base->steps > 0;
}

struct contract_file *other_files_read(struct crossfile *j, struct source_file *f)
{
	if (j)
		return ask(j)->read(j, f);
	return NULL;
}

int other_files_resolve_name(struct crossfile *j, struct contract_file *r, TSNode at,
    const char *chain, const struct sym **sym, struct source_file **file)
{
	if (j)
		return ask(j)->name(j, r, at, chain, sym, file);
	return 0;
}

struct expression other_files_constant(
    struct crossfile *j, struct contract_file *r, const char *name)
{
	if (j)
		return ask(j)->constant(j, r, name);
	return (struct expression){ 0 };
}

bool other_files_lack_method(
    struct crossfile *j, struct contract_file *r, const char *type, const char *method)
{
	return j && ask(j)->lacks(j, r, type, method);
}

struct source_file *other_files_module(
    struct crossfile *j, struct contract_file *r, const char *module)
{
	if (j)
		return ask(j)->module(j, r, module);
	return NULL;
}

struct source_file *other_files_by_path(
    struct crossfile *j, struct contract_file *r, const char *path)
{
	if (j)
		return ask(j)->path(j, r, path);
	return NULL;
}

/* Drop the calls in examples: they only show how to use the code, others use it with other values. */
static size_t drop_examples(const struct contract_file *r, struct expression *v, size_t n)
{
	size_t kept = 0;

	if (path_is_example(r->file->path))
		return n;
	for (size_t i = 0; i < n; i++)
		if (!path_is_example(v[i].in->file->path))
			v[kept++] = v[i];
	return kept;
}

size_t other_files_callers(struct crossfile *j, struct contract_file *r, int definition,
    struct expression *out, size_t max)
{
	if (!j)
		return 0;
	return drop_examples(r, out, ask(j)->callers(j, r, definition, out, max));
}

size_t other_files_anonymous_callers(struct crossfile *j, struct contract_file *r, TSNode function,
    struct expression *out, size_t max)
{
	return ask(j)->anonymous(j, r, function, out, max);
}

const char *other_files_setting(struct crossfile *j, const struct contract_file *r, const char *key,
    bool here, const char **path, uint32_t *line)
{
	if (j)
		return ask(j)->setting(j, r, key, here, path, line);
	return NULL;
}

bool other_files_base_type(struct crossfile *j, struct contract_file *r, int type, size_t i,
    struct contract_file **in, int *base)
{
	return j && ask(j)->base(j, r, type, i, in, base);
}

size_t other_files_derived_types(
    struct crossfile *j, struct contract_file *r, int type, struct type_ref *out, size_t max)
{
	if (j)
		return ask(j)->derived(j, r, type, out, max);
	return 0;
}

int other_files_object_type(struct crossfile *j, struct contract_file *r, TSNode at,
    const char *chain, struct contract_file **in)
{
	if (j)
		return ask(j)->type(j, r, at, chain, in);
	return -1;
}

size_t other_files_mounts(struct crossfile *j, const struct framework_object *x,
    const struct framework *fw, struct object_mount *out, size_t max)
{
	if (j)
		return ask(j)->mounts(j, x, fw, out, max);
	return 0;
}

size_t other_files_mounts_by_name(struct crossfile *j, const char *name, const struct framework *fw,
    struct object_mount *out, size_t max)
{
	if (j)
		return ask(j)->named(j, name, fw, out, max);
	return 0;
}

bool other_files_use_framework(struct crossfile *j, const struct framework *fw, const char *what)
{
	return j && ask(j)->binds(j, fw, what);
}

size_t other_files_globals(struct crossfile *j, const struct contract_file *from,
    const struct framework *fw, const char *name, struct object_mount *out, size_t max)
{
	if (j)
		return ask(j)->globals(j, from, fw, name, out, max);
	return 0;
}
