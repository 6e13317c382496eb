/*
 * tests/golden/LANGUAGE/CASE/expected.uses: what the code of the repository `app` uses of the other
 * folders of the case, each of which is a repository.  ACCEPT=1 rewrites them; the diff is the
 * review.  GOLDEN=DIR takes another folder.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>

#include "shard/graph/file_edges.h"
#include "shard/ingest/file_filter.h"
#include "shard/interfaces/interface_cache.h"
#include "shard/interfaces/package_interfaces.h"
#include "shard/manifests/manifests.h"
#include "shard/uses/external_files.h"
#include "shard/uses/use_finder.h"
#include "tests/golden_cases.h"
#include "tests/graph_index.h"
#include "tests/private_folder.h"

enum { MOST_FILES = 100, MOST_REPOSITORIES = 8, LARGEST = 1 << 16 };

static struct parser *parser;
static struct manifests *manifests;
static int cases;

/* A repository of a case, with an index of its files. */
struct repository {
	char root[2200], index[40];
	struct db *db;
	char *paths[MOST_FILES];
	int64_t n;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_files(struct repository *r, const char *below)
{
	char dir[2400], path[600];

	snprintf(dir, sizeof dir, "%s/%s", r->root, below);
	DIR *d = opendir(dir);
	assert_non_null(d);
	for (struct dirent *x; (x = readdir(d));) {
		if (*x->d_name == '.')
			continue;
		snprintf(path, sizeof path, "%.290s%s%.290s", below, *below ? "/" : "", x->d_name);
		if (x->d_type == DT_DIR) {
			list_files(r, path);
			continue;
		}
		assert_true(r->n < MOST_FILES);
		r->paths[r->n++] = strdup(path);
	}
	closedir(d);
}

static char *read_file(const char *root, const char *path, size_t *n, struct arena *a)
{
	char *text = arena_get(a, LARGEST, 1);
	FILE *in = fopen(arena_printf(a, "%s/%s", root, path), "rb");

	assert_non_null(in);
	*n = fread(text, 1, LARGEST - 1, in);
	text[*n] = 0;
	fclose(in);
	return text;
}

static void put_packages(
    struct db *db, int64_t id, const char *path, const char *text, size_t n, struct arena *a)
{
	struct package *v;
	struct buf bytes = { 0 };
	struct err e = { 0 };
	size_t count = 0;

	if (manifests_match_path(manifests, path))
		count = manifests_read(manifests, path, text, n, a, &v);
	for (size_t i = 0; i < count; i++) {
		bytes.n = 0;
		codec_put(&rec_package, &v[i], &bytes);
		if (db_run(db, &e, "insert into packages values (?, ?)", "ib", id, bytes.p, bytes.n))
			fail_msg("%s", e.msg);
	}
	buf_free(&bytes);
}

static void put_file(struct repository *r, int64_t id, const char *path, struct arena *a)
{
	const struct lang *lang;
	struct err e = { 0 };
	struct facts f;
	size_t n;
	char *text = read_file(r->root, path, &n, a);

	graph_facts(parser, path, text, n, a, &f, &lang);
	if (!lang)
		return;
	if (graph_put(r->db, id, path, lang_name(lang), "", filter_is_test(path), &f,
	        graph_ids(&f, id, a), a, &e))
		fail_msg("%s", e.msg);
	put_packages(r->db, id, path, text, n, a);
}

static void open_repository(struct repository *r, const char *dir, const char *name)
{
	struct arena *a = arena_new();
	struct err e = { 0 };

	*r = (struct repository){ .n = 0 };
	snprintf(r->root, sizeof r->root, "%.1900s/%.200s", dir, name);
	strcpy(r->index, "/tmp/atoll-uses.XXXXXX");
	close(mkstemp(r->index));
	r->db = graph_open(r->index, &e);
	if (!r->db)
		fail_msg("%s", e.msg);
	list_files(r, "");
	qsort(r->paths, (size_t)r->n, sizeof *r->paths, by_text);
	for (int64_t i = 0; i < r->n; i++) {
		put_file(r, i + 1, r->paths[i], a);
		free(r->paths[i]);
	}
	arena_free(a);
}

static void close_repository(struct repository *r)
{
	db_close(r->db);
	unlink(r->index);
}

static void read_interfaces(
    struct repository *r, const char *name, struct external_repository *out, struct arena *a)
{
	struct interface_ref *v;
	struct err e = { 0 };
	struct db *cache = interface_cache_open(private_folder(), r->db, name, &e);
	struct bytes packed;
	size_t n;

	if (!cache || package_interfaces_list(r->db, cache, a, &v, &n, &e))
		fail_msg("%s", e.msg);
	struct interface *unpacked = arena_many(a, n + 1, struct interface);
	for (size_t i = 0; i < n; i++)
		if (package_interface_pack(r->db, cache, v[i].hash, a, &packed, &e) ||
		    interface_unpack(packed, v[i].hash, a, &unpacked[out->ninterfaces++], &e))
			fail_msg("%s", e.msg);
	db_close(cache);
	unlink(arena_printf(a, "%s/interfaces.db", private_folder()));
	out->repo_uri = arena_str(a, name);
	out->interfaces = unpacked;
}

/* The names of the folders of a case except `app`, in order. */
static size_t list_libraries(const char *dir, char **out)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	assert_non_null(d);
	for (struct dirent *x; (x = readdir(d));) {
		if (*x->d_name == '.' || x->d_type != DT_DIR || !strcmp(x->d_name, "app"))
			continue;
		assert_true(n < MOST_REPOSITORIES);
		out[n++] = strdup(x->d_name);
	}
	closedir(d);
	qsort(out, n, sizeof *out, by_text);
	return n;
}

static char *uses_text(const char *dir, struct arena *a)
{
	char *names[MOST_REPOSITORIES], *out = NULL;
	size_t n = list_libraries(dir, names), size;
	struct external_repository libraries[MOST_REPOSITORIES] = { 0 };
	struct found_uses uses = { 0 };
	struct repository r;
	struct err e = { 0 };
	FILE *mem = open_memstream(&out, &size);

	for (size_t i = 0; i < n; i++) {
		open_repository(&r, dir, names[i]);
		read_interfaces(&r, names[i], &libraries[i], a);
		close_repository(&r);
		free(names[i]);
	}
	open_repository(&r, dir, "app");
	if (graph_resolve(r.db, 1, &e) || uses_find(r.db, libraries, n, a, &uses, &e))
		fail_msg("%s", e.msg);
	for (size_t i = 0; i < uses.n; i++) {
		const struct found_use *x = &uses.v[i];
		fprintf(mem, "%s:%u %s %s:%s#%s %d %s\n", x->path, x->line, x->kind,
		    libraries[x->repository].repo_uri, x->target_path, x->symbol, x->confidence, x->reason);
	}
	fclose(mem);
	found_uses_free(&uses);
	close_repository(&r);
	return out;
}

/* The first line that differs, with its number. */
static void show_difference(const char *want, const char *got)
{
	for (int line = 1; *want || *got; line++) {
		size_t w = strcspn(want, "\n"), g = strcspn(got, "\n");
		if (w != g || memcmp(want, got, w)) {
			print_error("line %d\n- %.*s\n+ %.*s\n", line, (int)w, want, (int)g, got);
			return;
		}
		want += w + (want[w] == '\n');
		got += g + (got[g] == '\n');
	}
}

static int compare(const char *dir)
{
	struct arena *a = arena_new();
	char *got = uses_text(dir, a);
	size_t n;

	if (getenv("ACCEPT")) {
		FILE *out = fopen(arena_printf(a, "%s/expected.uses", dir), "w");
		assert_non_null(out);
		fputs(got, out);
		fclose(out);
	}
	const char *want = read_file(dir, "expected.uses", &n, a);
	int differs = strcmp(want, got) != 0;
	if (differs) {
		print_error("%s:\n", dir);
		show_difference(want, got);
	}
	free(got);
	arena_free(a);
	return differs;
}

/* ---- one repository that holds all of them ---- */

/* The uses as `path:line target_path#symbol` and a newline each. */
static char *short_uses(const char *text, struct arena *a)
{
	char *out = arena_get(a, strlen(text) + 2, 1), *to = out;

	*to++ = '\n';
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		char place[600], kind[40], target[900];
		assert_int_equal(sscanf(line, "%599s %39s %899s", place, kind, target), 3);
		char *colon = strchr(target, ':');
		*colon = '/';
		to += sprintf(to, "%s %s\n", place, target);
	}
	return out;
}

/*
 * Whether the edge is a sure one from `app` to a definition of another folder.  A type implements
 * an interface by its methods alone only within a repository, and code outside of packages is seen
 * only there (Java).
 */
static bool leaves_app(const struct edge *x)
{
	if (!x->target || !strncmp(x->file->path, "app/", 4) || x->confidence < 50)
		return false;
	if (x->file->dialect->packaged && !(x->file->package && *x->file->package))
		return false;
	return x->kind != EDGE_TESTS && x->kind != EDGE_IMPLEMENTS && x->kind != EDGE_OVERRIDES;
}

/* Whether the line has the last part of a name: what an alias means is no use of it there. */
static bool line_names(
    const struct repository *r, const char *path, uint32_t line, const char *name, struct arena *a)
{
	size_t n;
	const char *text = read_file(r->root, path, &n, a), *dot = strrchr(name, '.');

	for (; line > 1; line--)
		text += strcspn(text, "\n") + 1;
	return strstr(arena_strn(a, text, strcspn(text, "\n")), dot ? dot + 1 : name) != NULL;
}

static const char *name_of(struct name_resolver *l, const struct edge *x)
{
	const struct sym *up = x->target->kind == KIND_constructor ? sym_parent(l, x->target) : NULL;

	return up ? up->qualified : x->target->qualified;
}

/* How many edges of a file of the whole repository are no uses of the federation. */
static int missing_in_file(struct repository *r, struct name_resolver *l, struct source_file *f,
    const char *uses, struct arena *a)
{
	struct stmt *s = db_prep(r->db, "select facts from facts where file = ?", NULL);
	struct edge_list edges = { 0 };
	struct facts x;
	size_t n;
	int missing = 0;

	assert_false(db_bind(s, "i", f->id));
	assert_int_equal(db_step(s, NULL), 1);
	const void *bytes = db_blob(s, 0, &n);
	assert_false(facts_decode(bytes, n, l->a, &x, NULL));
	db_step(s, NULL);
	resolver_begin(l, f, &x);
	file_edges_find_each(l, &edges);
	for (size_t i = 0; i < edges.n; i++) {
		const struct edge *y = &edges.v[i];
		if (!leaves_app(y) || !line_names(r, f->path, y->line, name_of(l, y), a))
			continue;
		const char *line = arena_printf(
		    a, "\n%s:%u %s#%s\n", f->path + 4, y->line, y->file->path, name_of(l, y));
		if (!strstr(uses, line)) {
			print_error("not over repositories:%s", line);
			missing++;
		}
	}
	free(edges.v);
	return missing;
}

/* What one repository connects that holds them all, the federation of them connects as well. */
static int compare_with_whole(const char *dir)
{
	struct arena *a = arena_new();
	char *text = uses_text(dir, a);
	const char *uses = short_uses(text, a);
	struct repository r;
	struct err e = { 0 };
	int missing = 0;

	open_repository(&r, dir, ".");
	struct program *w = program_open(r.db, &e);
	struct name_resolver l = { .w = w, .a = arena_new() };
	for (size_t i = 0; i < w->nfiles; i++)
		if (w->files[i].dialect && !strncmp(w->files[i].path, "app/", 4))
			missing += missing_in_file(&r, &l, &w->files[i], uses, a);
	if (missing)
		print_error("%s\n", dir);
	resolver_release(&l);
	arena_free(l.a);
	program_free(w);
	close_repository(&r);
	free(text);
	arena_free(a);
	return missing;
}

static void a_federation_connects_what_one_repository_does(void **state)
{
	int n = 0;

	(void)state;
	assert_int_equal(golden_cases("tests/golden", "expected.uses", compare_with_whole, &n), 0);
	assert_true(n > 0);
}

static void test_golden_uses(void **state)
{
	const char *dir = getenv("GOLDEN") ? getenv("GOLDEN") : "tests/golden";

	(void)state;
	assert_int_equal(golden_cases(dir, "expected.uses", compare, &cases), 0);
	assert_true(cases > 0);
}

static int setup(void **state)
{
	struct err e = { 0 };

	(void)state;
	parser = parser_new(&e);
	manifests = manifests_new(&e);
	return parser && manifests ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	parser_free(parser);
	manifests_free(manifests);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_golden_uses),
		cmocka_unit_test(a_federation_connects_what_one_repository_does) };

	return cmocka_run_group_tests(tests, setup, teardown);
}
