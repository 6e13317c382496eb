#include "shard/git/folder.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/minmax.h"

/* ---- one entry ---- */

/* Unlike the rest of a mode, its permissions mean nothing here. */
enum { MODE_TYPE = 0170000, MODE_FOLDER = 0040000, MODE_FILE = 0100000, MODE_LINK = 0120000,
	MODE_SUBMODULE = 0160000, MODE_DIGITS = 7 };

static bool read_type(const char *digits, size_t n, enum folder_entry_type *out)
{
	static const struct { int mode; enum folder_entry_type type; } types[] = {
		{ MODE_FOLDER, FOLDER_FOLDER },
		{ MODE_FILE, FOLDER_FILE },
		{ MODE_LINK, FOLDER_SYMLINK },
		{ MODE_SUBMODULE, FOLDER_SUBMODULE },
	};
	int mode = 0;

	if (!n || n > MODE_DIGITS)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (digits[i] < '0' || digits[i] > '7')
			return false;
		mode = mode * 8 + (digits[i] - '0');
	}
	for (size_t i = 0; i < LEN(types); i++)
		if ((mode & MODE_TYPE) == types[i].mode) {
			*out = types[i].type;
			return true;
		}
	return false;
}

/* Names that git refuses to check out: they are no path of this folder. */
static bool is_bad_name(const char *name)
{
	return !*name || !strcmp(name, ".") || !strcmp(name, "..") || !strcasecmp(name, ".git") ||
	    strchr(name, '/');
}

static void put_fault(struct folder *f, const char *name, const char *cause)
{
	f->faults = grow(f->faults, &f->faults_cap, f->nfaults + 1, sizeof *f->faults);
	f->faults[f->nfaults++] = (struct folder_fault){ name, cause };
}

/* Reads the entry at `p`.  Returns what follows it, or NULL if the object breaks off. */
static const char *read_entry(struct folder *f, const char *p, const char *end)
{
	const char *blank = memchr(p, ' ', (size_t)(end - p));
	const char *name = blank ? blank + 1 : end;
	const char *nul = memchr(name, 0, (size_t)(end - name));
	struct folder_entry x = { .name = name };

	if (!nul || end - nul - 1 < GIT_OID_RAWSZ)
		return NULL;
	git_oid_fromraw(&x.id, (const unsigned char *)nul + 1);
	if (is_bad_name(name)) {
		put_fault(f, name, "bad-name");
	} else if (!read_type(p, (size_t)(blank - p), &x.type)) {
		put_fault(f, name, "bad-mode");
	} else {
		f->v = grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
		f->v[f->n++] = x;
	}
	return nul + 1 + GIT_OID_RAWSZ;
}

/* ---- all entries ---- */

/* The character at `i` of an entry's name, which ends with a slash if the entry is a folder. */
static unsigned char name_char(const struct folder_entry *x, size_t i)
{
	if (!x->name[i] && x->type == FOLDER_FOLDER)
		return '/';
	return (unsigned char)x->name[i];
}

int folder_entry_compare(const struct folder_entry *x, const struct folder_entry *y)
{
	size_t n = MIN(strlen(x->name), strlen(y->name));
	int rc = memcmp(x->name, y->name, n);

	if (rc)
		return rc;
	unsigned char a = name_char(x, n), b = name_char(y, n);
	return (a > b) - (a < b);
}

/* Entries of one name stay in the order of the object, so the first of them counts. */
static int by_path(const void *a, const void *b)
{
	const struct folder_entry *x = a, *y = b;
	int rc = folder_entry_compare(x, y);

	if (rc)
		return rc;
	return (x->name > y->name) - (x->name < y->name);
}

/* A file of this name, which may be far from the folder of the same name. */
static const struct folder_entry *find_file(const struct folder *f, const char *name)
{
	const struct folder_entry key = { .name = name };
	size_t from = 0, to = f->n;

	while (from < to) {
		size_t middle = (from + to) / 2;
		int rc = folder_entry_compare(&f->v[middle], &key);
		if (!rc)
			return &f->v[middle];
		if (rc < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}

static bool is_duplicate(const struct folder *f, size_t i)
{
	const struct folder_entry *x = &f->v[i];

	if (i && !folder_entry_compare(x, x - 1))
		return true;
	return x->type == FOLDER_FOLDER && find_file(f, x->name);
}

static void sort(struct folder *f)
{
	size_t i = 1;

	while (i < f->n && folder_entry_compare(&f->v[i - 1], &f->v[i]) < 0)
		i++;
	if (i < f->n)
		qsort(f->v, f->n, sizeof *f->v, by_path);
}

static void drop_duplicates(struct folder *f)
{
	bool *twice = xcalloc(f->n + 1, sizeof *twice);
	size_t kept = 0;

	for (size_t i = 0; i < f->n; i++)
		twice[i] = is_duplicate(f, i);
	for (size_t i = 0; i < f->n; i++) {
		if (twice[i])
			put_fault(f, f->v[i].name, "duplicate-entry");
		else
			f->v[kept++] = f->v[i];
	}
	f->n = kept;
	free(twice);
}

const char *folder_read(struct repo *r, const git_oid *id, struct folder *out)
{
	*out = (struct folder){ 0 };
	int rc = git_odb_read(&out->object, r->odb, id);
	if (rc)
		return object_fault(r, rc);
	if (git_odb_object_type(out->object) != GIT_OBJECT_TREE)
		return "wrong-type";
	size_t size = git_odb_object_size(out->object);
	const char *p = git_odb_object_data(out->object), *end = p + size;
	while (p && p < end)
		p = read_entry(out, p, end);
	if (!p)
		put_fault(out, NULL, "malformed-folder");
	sort(out);
	drop_duplicates(out);
	return NULL;
}

void folder_free(struct folder *f)
{
	git_odb_object_free(f->object);
	free(f->v);
	free(f->faults);
	*f = (struct folder){ 0 };
}

/* ---- paths ---- */

/* The entry with the first `n` bytes of `name`, or one of type FOLDER_NONE. */
static struct folder_entry find_name(const struct folder *f, const char *name, size_t n)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strncmp(f->v[i].name, name, n) && !f->v[i].name[n])
			return (struct folder_entry){ .id = f->v[i].id, .type = f->v[i].type };
	return (struct folder_entry){ .type = FOLDER_NONE };
}

const char *folder_find(
    struct repo *r, const git_oid *root, const char *path, struct folder_entry *out)
{
	*out = (struct folder_entry){ .id = *root, .type = FOLDER_FOLDER };
	for (;;) {
		size_t n = strcspn(path, "/");
		struct folder f;
		const char *fault = folder_read(r, &out->id, &f);
		if (!fault)
			*out = find_name(&f, path, n);
		folder_free(&f);
		path += n;
		if (fault || !*path)
			return fault;
		if (out->type != FOLDER_FOLDER)
			break;
		path++;
	}
	out->type = FOLDER_NONE;
	return NULL;
}
