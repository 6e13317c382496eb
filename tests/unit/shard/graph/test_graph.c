/*
 * tests/golden/LANGUAGE/CASE/expected.edges: the edges between all other files of the folder, which are its sources.
 * ACCEPT=1 rewrites them; the diff is the review.  GOLDEN=DIR takes another folder.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include <ctype.h>
#include <dirent.h>

#include "shard/ingest/file_filter.h"
#include "proto/base/map.h"
#include "shard/program/dependency_key.h"
#include "shard/program/file_interface.h"
#include "tests/golden_cases.h"
#include "tests/graph_index.h"
#include "tests/generated_sources.h"
#include "tests/sanitized.h"

enum { MOST_FILES = 200, LARGEST = 1 << 18 };

/* A golden case, or a repository that is made up: its files in order of path. */
struct tree {
	struct source {
		char path[700], *text;
		size_t n;
	} v[MOST_FILES];
	size_t n;
};

static struct parser *parser;
static int cases, indexes;	/* an index is resolved by one, two or three threads */

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct source *)a)->path, ((const struct source *)b)->path);
}

static void tree_add(struct tree *t, const char *root, const char *path)
{
	char whole[2400];
	struct source *s = &t->v[t->n++];

	assert_true(t->n < MOST_FILES);
	snprintf(s->path, sizeof s->path, "%s", path);
	snprintf(whole, sizeof whole, "%s/%s", root, path);
	FILE *in = fopen(whole, "rb");
	assert_non_null(in);
	assert_non_null(s->text = calloc(1, LARGEST));
	s->n = fread(s->text, 1, LARGEST - 1, in);
	fclose(in);
}

static void tree_read(struct tree *t, const char *root, const char *below)
{
	char dir[2400], path[600];

	snprintf(dir, sizeof dir, "%s/%s", root, below);
	DIR *d = opendir(dir);
	assert_non_null(d);
	for (struct dirent *x; (x = readdir(d));) {
		snprintf(path, sizeof path, "%.290s%s%.290s", below, *below ? "/" : "", x->d_name);
		if (*x->d_name == '.' || !strncmp(x->d_name, "expected", 8))
			continue;
		if (x->d_type == DT_DIR)
			tree_read(t, root, path);
		else
			tree_add(t, root, path);
	}
	closedir(d);
}

static void tree_free(struct tree *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->v[i].text);
	t->n = 0;
}

/* All files into a fresh index, resolved; its edges as text. */
static char *edges_text(struct tree *t)
{
	char file[] = "/tmp/atoll-graph.XXXXXX", *out = NULL;
	struct arena *a = arena_new();
	struct err e = { 0 };
	size_t n;

	close(mkstemp(file));
	struct db *db = graph_open(file, &e);
	qsort(t->v, t->n, sizeof *t->v, by_path);
	if (db)
		db_exec(db, "begin", &e);	/* as the ingest: one transaction */
	for (size_t i = 0; db && i < t->n && !e.code; i++) {
		const struct lang *lang;
		struct facts f;
		char blob[24];
		graph_facts(parser, t->v[i].path, t->v[i].text, t->v[i].n, a, &f, &lang);
		snprintf(blob, sizeof blob, "b%zu", i);
		if (!lang)
			continue;
		graph_put(db, (int64_t)i + 1, t->v[i].path, lang_name(lang), blob, filter_is_test(t->v[i].path), &f, graph_ids(&f, (int64_t)i + 1, a), a,
		    &e);
	}
	FILE *mem = open_memstream(&out, &n);
	if (!db || e.code || graph_resolve(db, ++indexes % 3 + 1, &e) || db_exec(db, "commit", &e) || graph_print(db, mem, &e))
		fail_msg("%s", e.msg);
	fclose(mem);
	db_close(db);
	unlink(file);
	arena_free(a);
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
	static struct tree t;
	char path[2400], *want = calloc(1, LARGEST);

	assert_non_null(want);
	tree_read(&t, dir, "");
	char *got = edges_text(&t);
	snprintf(path, sizeof path, "%s/expected.edges", dir);
	if (getenv("ACCEPT")) {
		FILE *out = fopen(path, "w");
		assert_non_null(out);
		fputs(got, out);
		fclose(out);
	}
	FILE *in = fopen(path, "rb");
	assert_non_null(in);
	want[fread(want, 1, LARGEST - 1, in)] = 0;
	fclose(in);
	int differs = strcmp(want, got) != 0;
	if (differs) {
		print_error("%s:\n", path);
		show_difference(want, got);
	}
	free(want);
	free(got);
	tree_free(&t);
	return differs;
}

static void test_golden_edges(void **state)
{
	const char *dir = getenv("GOLDEN") ? getenv("GOLDEN") : "tests/golden";

	(void)state;
	assert_int_equal(golden_cases(dir, "expected.edges", compare, &cases), 0);
	assert_true(cases > 0);
}

/* ---- edits ---- */

enum { EDITS = SANITIZED ? 40 : 200, KEPT = 64 };

/* A file of the index that is edited: its row, and what it offered. */
struct known {
	char path[700];
	int64_t id, *ids;
	struct facts facts;
	struct arena *a;
	struct map *offers;
	const struct lang *lang;
	char *text;
};

/* An index that follows the edits of a tree. */
struct edited {
	struct db *db;
	struct known v[KEPT];
	size_t n;
	int64_t last_file, last_symbol;	/* number of the last new id in any file */
	int64_t keys[20000];
	size_t nkeys;
	struct err e;
};

static void known_free(struct known *k)
{
	map_free(k->offers);
	arena_free(k->a);
	free(k->text);
}

/* Keys that only one of the two has, or whose hashes differ. */
static void changed_keys(struct edited *x, const struct map *old, const struct map *new)
{
	for (size_t i = 0; old && i < map_len(old); i++) {
		const uint64_t *was = map_val(old, i), *is = new ? map_get(new, map_key(old, i)) : NULL;
		if (!is || *is != *was)
			x->keys[x->nkeys++] = dependency_key(map_key(old, i));
	}
	assert_true(x->nkeys < LEN(x->keys) - 1000);
}

/* The ids of a file's definitions: as before, where one of that name, kind and ordinal was there. */
static void put_symbols(struct edited *x, const struct known *old, struct known *k)
{
	bool used[2000] = { false };
	int64_t ids[2000];

	assert_true(k->facts.definitions.n < LEN(ids) && (!old || old->facts.definitions.n < LEN(used)));
	for (size_t i = 0; i < k->facts.definitions.n; i++) {
		const struct definition *d = &k->facts.definitions.v[i];
		ids[i] = 0;
		for (size_t o = 0; old && o < old->facts.definitions.n && !ids[i]; o++) {
			const struct definition *was = &old->facts.definitions.v[o];
			if (!used[o] && !strcmp(was->qualified, d->qualified) && !strcmp(was->kind, d->kind)) {
				used[o] = true;
				ids[i] = old->ids[o];
			}
		}
		ids[i] = ids[i] ? ids[i] : symbol_id(k->id, ++x->last_symbol);
	}
	k->ids = arena_many(k->a, k->facts.definitions.n + 1, int64_t);
	memcpy(k->ids, ids, k->facts.definitions.n * sizeof *ids);
}

/* Take a file away (NULL text), put one in, or put it in anew.  Its id when it is there now. */
static int64_t edit(struct edited *x, const char *path, const char *text)
{
	struct known *old = NULL, fresh = { .a = arena_new() };

	for (size_t i = 0; i < x->n; i++)
		if (!strcmp(x->v[i].path, path))
			old = &x->v[i];
	if (old) {
		db_run(x->db, &x->e, "delete from files where id = ?", "i", old->id);
		symbols_put(x->db, old->id, SYMBOLS_MAJOR, &(struct stored_symbols){ 0 }, NULL, &x->e);
		db_run(x->db, &x->e, "delete from facts where file = ?", "i", old->id);
		edges_delete(x->db, old->id, &x->e);
	}
	if (text) {
		snprintf(fresh.path, sizeof fresh.path, "%s", path);
		assert_non_null(fresh.text = strdup(text));
		graph_facts(parser, path, fresh.text, strlen(text), fresh.a, &fresh.facts, &fresh.lang);
		fresh.id = old ? old->id : ++x->last_file;
		fresh.offers = file_interface_keys(path, lang_name(fresh.lang), &fresh.facts, fresh.a);
		put_symbols(x, old, &fresh);
		graph_put(x->db, fresh.id, path, lang_name(fresh.lang), "", filter_is_test(path), &fresh.facts, fresh.ids, fresh.a,
		    &x->e);
	}
	changed_keys(x, old ? old->offers : NULL, fresh.offers);
	changed_keys(x, fresh.offers, old ? old->offers : NULL);
	if (old)
		known_free(old);
	else
		old = &x->v[x->n++];
	*old = fresh;
	if (!text) {
		arena_free(fresh.a);
		*old = x->v[--x->n];
	}
	assert_true(x->n < KEPT);
	if (x->e.code)
		fail_msg("%s", x->e.msg);
	return fresh.id;
}

static char *text_of_db(struct db *db)
{
	char *out = NULL;
	size_t n;
	struct err e = { 0 };
	FILE *mem = open_memstream(&out, &n);

	if (graph_print(db, mem, &e))
		fail_msg("%s", e.msg);
	fclose(mem);
	return out;
}

/* The same files in an index of their own. */
static char *text_of_fresh(const struct edited *x)
{
	static struct tree t;

	for (t.n = 0; t.n < x->n; t.n++) {
		snprintf(t.v[t.n].path, sizeof t.v[t.n].path, "%s", x->v[t.n].path);
		t.v[t.n].text = x->v[t.n].text;
		t.v[t.n].n = strlen(x->v[t.n].text);
	}
	return edges_text(&t);
}

static void made_up_path(char *path, size_t size, const struct generated_language *l, uint64_t *seed)
{
	static const char *const stems[] = { "m0", "m1", "m2", "__init__", "index" };

	snprintf(path, size, "d%u/%s.%s", random_number(seed, 3), stems[random_number(seed, 5)], l->extension);
	if (!random_number(seed, 6))
		snprintf(path, size, "lib.%s", l->extension);
}

/* One letter of a type, or one digit, becomes another; nothing else changes. */
static void change_letter(char *text, uint64_t *seed)
{
	size_t n = strlen(text);

	for (unsigned at = n ? random_number(seed, (unsigned)n) : 0, tries = 0; tries < n; tries++, at = (at + 1) % (unsigned)n)
		if (text[at] >= 'A' && text[at] <= 'E' && !isalpha((unsigned char)text[at + 1])) {
			text[at] = (char)('A' + random_number(seed, 5));
			return;
		}
}

static const struct known *known_at(const struct edited *x, const char *path)
{
	for (size_t i = 0; i < x->n; i++)
		if (!strcmp(x->v[i].path, path))
			return &x->v[i];
	return NULL;
}

static void random_edits(const struct generated_language *l, uint64_t seed)
{
	struct edited *x = calloc(1, sizeof *x);
	char file[] = "/tmp/atoll-graph.XXXXXX", path[80];
	size_t edges = 0;

	assert_non_null(x);
	close(mkstemp(file));
	assert_non_null(x->db = graph_open(file, &x->e));
	edit(x, "go.mod", "module example.com/r\n");
	for (int i = 0; i < EDITS; i++) {
		int64_t ids[2], *touched = NULL;
		size_t n = 0, ntouched;
		x->nkeys = 0;
		db_exec(x->db, "begin", &x->e);
		for (unsigned k = 1 + random_number(&seed, 2); k; k--) {
			char *text = NULL;
			size_t size;
			FILE *mem = open_memstream(&text, &size);
			made_up_path(path, sizeof path, l, &seed);
			const struct known *now = known_at(x, path);
			bool little = now && random_number(&seed, 3);
			if (little)
				fputs(now->text, mem);
			else
				generate_file(mem, l, &seed);
			fclose(mem);
			if (little)
				change_letter(text, &seed);
			int64_t id = edit(x, path, random_number(&seed, 6) ? text : NULL);
			if (id)
				ids[n++] = id;
			free(text);
		}
		if (resolve_affected(x->db, ids, n, x->keys, x->nkeys, NULL, NULL, &touched, &ntouched, &x->e) ||
		    db_exec(x->db, "commit", &x->e))
			fail_msg("%s", x->e.msg);
		free(touched);
		char *some = text_of_db(x->db), *all = text_of_fresh(x);
		edges += strlen(all);
		if (strcmp(some, all)) {
			show_difference(all, some);
			fail_msg("%s, edit %d: not what a fresh index has", l->name, i);
		}
		free(some);
		free(all);
	}
	print_message("%s: %zu bytes of edges\n", l->name, edges);
	assert_true(edges > 0);
	while (x->n)
		known_free(&x->v[--x->n]);
	db_close(x->db);
	unlink(file);
	free(x);
}

static void test_edits_give_what_a_fresh_index_has(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(generated_languages); i++)
		random_edits(&generated_languages[i], i + 1);
}

/* ---- contracts that several files make together ---- */

static void resolve_edit(struct edited *x, const char *path, const char *text, const char *what)
{
	int64_t *touched = NULL, id;
	size_t n;

	x->nkeys = 0;
	id = edit(x, path, text);
	if (resolve_affected(x->db, &id, id != 0, x->keys, x->nkeys, NULL, NULL, &touched, &n, &x->e))
		fail_msg("%s", x->e.msg);
	free(touched);
	char *some = text_of_db(x->db), *all = text_of_fresh(x);
	if (strcmp(some, all)) {
		show_difference(all, some);
		fail_msg("%s %s: not what a fresh index has", path, what);
	}
	free(some);
	free(all);
}

/* Each file of a folder comes, goes, comes again, and the packages of its services change. */
static void each_file_edited(const char *dir)
{
	struct edited *x = calloc(1, sizeof *x);
	char file[] = "/tmp/atoll-graph.XXXXXX";
	static struct tree t;

	assert_non_null(x);
	tree_read(&t, dir, "");
	assert_true(t.n > 1);
	close(mkstemp(file));
	assert_non_null(x->db = graph_open(file, &x->e));
	for (size_t i = 0; i < t.n; i++)
		resolve_edit(x, t.v[i].path, t.v[i].text, "comes");
	for (size_t i = 0; i < t.n; i++) {
		char *package = strstr(t.v[i].text, "\npackage ");
		resolve_edit(x, t.v[i].path, NULL, "goes");
		resolve_edit(x, t.v[i].path, t.v[i].text, "is back");
		if (package && strstr(t.v[i].path, ".proto")) {
			package[9] = 'z';
			resolve_edit(x, t.v[i].path, t.v[i].text, "has another package");
		}
	}
	while (x->n)
		known_free(&x->v[--x->n]);
	tree_free(&t);
	db_close(x->db);
	unlink(file);
	free(x);
}

static void test_edits_of_services(void **state)
{
	static const char *const languages[] = { "csharp", "go", "java", "javascript", "kotlin", "python", "typescript" };

	(void)state;
	for (size_t i = 0; i < LEN(languages); i++) {
		char dir[100];
		snprintf(dir, sizeof dir, "tests/golden/%s/grpc", languages[i]);
		each_file_edited(dir);
	}
}

static int setup(void **state)
{
	struct err e = { 0 };

	(void)state;
	parser = parser_new(&e);
	return parser ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	parser_free(parser);
	return 0;
}

/* An index that lost a table: an error, and nothing is resolved. */
static void test_lost_tables(void **state)
{
	static const char *const tables[] = { "files", "edges" };

	(void)state;
	for (size_t i = 0; i < LEN(tables); i++) {
		struct err e = { 0 };
		struct db *db = db_open(":memory:", DB_CREATE, &e);
		int64_t *touched = NULL, file = 1;
		size_t n = 0;
		char drop[60];
		snprintf(drop, sizeof drop, "drop table %s", tables[i]);
		assert_int_equal(db_exec(db, embedded_contents("shard/index/schema.sql"), &e), 0);
		assert_int_equal(db_exec(db, drop, &e), 0);
		assert_int_equal(resolve_affected(db, &file, 1, NULL, 0, NULL, NULL, &touched, &n, &e), -1);
		assert_int_equal(e.code, ERR_DB_ERROR);
		free(touched);
		db_close(db);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_edges),
		cmocka_unit_test(test_edits_give_what_a_fresh_index_has),
		cmocka_unit_test(test_edits_of_services),
		cmocka_unit_test(test_lost_tables),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
