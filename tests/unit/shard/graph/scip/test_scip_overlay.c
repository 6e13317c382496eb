/*
 * What a SCIP index changes in the edges of a small program: the lines that go and those that come, and how many of each kind, in
 * tests/answers/scip_overlay.txt.  ACCEPT=1 rewrites them; the diff is the review.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/base/buf.h"
#include "shard/git/repo.h"
#include "shard/graph/scip/scip.h"
#include "shard/graph/scip/scip_overlay.h"
#include "tests/graph_index.h"

enum { FILES = 8 };

static char dir[] = "/tmp/atoll-scip.XXXXXX";
static struct arena *a;
static struct repo *repo;

struct source {
	const char *path, *text;
};

/* ---- a SCIP index in protobuf's format ---- */

static void put_varint(struct buf *b, uint64_t n)
{
	for (; n > 127; n >>= 7)
		buf_byte(b, (unsigned char)(n | 128));
	buf_byte(b, (unsigned char)n);
}

static void put_number(struct buf *b, int field, uint64_t n)
{
	put_varint(b, (uint64_t)field << 3);
	put_varint(b, n);
}

static void put_bytes(struct buf *b, int field, const void *p, size_t n)
{
	put_varint(b, (uint64_t)field << 3 | 2);
	put_varint(b, n);
	buf_put(b, p, n);
}

/* Appends a message and frees it. */
static void put_message(struct buf *b, int field, struct buf *message)
{
	put_bytes(b, field, message->p, message->n);
	buf_free(message);
}

static const char *line_of(const char *text, unsigned line)
{
	while (--line)
		text = strchr(text, '\n') + 1;
	return text;
}

/* `LINE WORD NTH ROLE SYMBOL`: the nth such word on the line; `d` is a definition, `r` a reference. */
static void put_occurrence(struct buf *doc, const char *text, const char *row)
{
	struct buf o = { 0 }, range = { 0 };
	char word[40], role;
	unsigned line, nth;
	int used;

	assert_int_equal(sscanf(row, "%u %39s %u %c %n", &line, word, &nth, &role, &used), 4);
	const char *begin = line_of(text, line), *at = begin - 1;
	while (nth--)
		at = strstr(at + 1, word);
	assert_non_null(at);
	put_varint(&range, line - 1);
	put_varint(&range, (uint64_t)(at - begin));
	put_varint(&range, (uint64_t)(at - begin) + strlen(word));
	put_bytes(&o, 1, range.p, range.n);
	put_bytes(&o, 2, row + used, strlen(row + used));
	if (role == 'd')
		put_number(&o, 3, 1);
	put_message(doc, 2, &o);
	buf_free(&range);
}

/* `> SYMBOL`, then `BASE`: the symbol implements the base. */
static void put_relation(struct buf *doc, const char *symbol, const char *base)
{
	struct buf s = { 0 }, r = { 0 };

	put_bytes(&s, 1, symbol, strlen(symbol));
	put_bytes(&r, 1, base, strlen(base));
	put_number(&r, 3, 1);
	put_message(&s, 4, &r);
	put_message(doc, 3, &s);
}

struct indexed_file {
	const char *path;
	const char *rows[24]; /* occurrences, or a relation in two rows */
};

static void put_document(
    struct buf *index, const struct indexed_file *d, const struct source *files, const char *folder)
{
	struct buf doc = { 0 };
	const char *text = "", *below = arena_printf(a, "%s%s", folder, d->path);

	for (size_t i = 0; i < FILES && files[i].path; i++)
		if (!strcmp(files[i].path, below) || !strcmp(files[i].path, d->path))
			text = files[i].text;
	put_bytes(&doc, 1, d->path, strlen(d->path));
	for (size_t i = 0; d->rows[i]; i++) {
		if (*d->rows[i] == '>') {
			put_relation(&doc, d->rows[i] + 2, d->rows[i + 1]);
			i++;
		} else {
			put_occurrence(&doc, text, d->rows[i]);
		}
	}
	put_number(&doc, 6, 1); /* columns are bytes */
	put_message(index, 2, &doc);
}

/* ---- the edges ---- */

static void write_blob(const struct source *f, char *oid)
{
	const char *path = arena_printf(a, "%s/text", dir);
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	fputs(f->text, out);
	fclose(out);
	FILE *in = popen(arena_printf(a, "git -C %s hash-object -w text", dir), "r");
	assert_non_null(in);
	assert_int_equal(fread(oid, 1, REPO_OID_SIZE - 1, in), REPO_OID_SIZE - 1);
	pclose(in);
}

static struct db *index_of(const struct source *files)
{
	struct err e = { 0 };
	struct parser *p = parser_new(&e);
	struct db *db = graph_open(":memory:", &e);

	assert_non_null(p);
	assert_non_null(db);
	for (size_t i = 0; i < FILES && files[i].path; i++) {
		const struct lang *lang;
		struct facts f;
		char oid[REPO_OID_SIZE] = "";
		write_blob(&files[i], oid);
		graph_facts(p, files[i].path, files[i].text, strlen(files[i].text), a, &f, &lang);
		bool test = strstr(files[i].path, "test") != NULL;
		assert_int_equal(graph_put(db, (int64_t)i + 1, files[i].path, lang_name(lang), oid, test,
		                     &f, graph_ids(&f, (int64_t)i + 1, a), a, &e),
		    0);
	}
	assert_int_equal(graph_resolve(db, 1, &e), 0);
	parser_free(p);
	return db;
}

static char *edges_of(struct db *db)
{
	struct err e = { 0 };
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	assert_int_equal(graph_print(db, out, &e), 0);
	fclose(out);
	char *copy = arena_str(a, text);
	free(text);
	return copy;
}

/* The lines of `x` that are not in `y`, each behind the sign. */
static void put_missing(struct buf *out, char sign, const char *x, const char *y)
{
	for (const char *p = x; *p; p = strchr(p, '\n') + 1) {
		size_t n = strcspn(p, "\n") + 1;
		if (!strstr(arena_printf(a, "\n%s", y), arena_printf(a, "\n%.*s", (int)n, p)))
			buf_printf(out, "%c%.*s", sign, (int)n, p);
	}
}

/* What the index changes; `only`: in this file. */
static const char *changed(const struct source *files, const struct indexed_file *docs,
    size_t ndocs, const char *folder, int64_t only)
{
	struct buf index = { 0 }, metadata = { 0 }, tool = { 0 }, out = { 0 };
	struct scip_overlay_counts n;
	struct err e = { 0 };

	put_bytes(&tool, 1, "tool", 4);
	put_message(&metadata, 2, &tool);
	put_message(&index, 1, &metadata);
	for (size_t i = 0; i < ndocs; i++)
		put_document(&index, &docs[i], files, folder);
	struct scip *s = scip_open(index.p, index.n, &e);
	assert_non_null(s);
	struct db *db = index_of(files);
	const char *before = edges_of(db);
	assert_int_equal(db_exec(db, "begin", &e), 0);
	if (scip_overlay_apply(db, repo, s, folder, only ? &only : NULL, only != 0, &n, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(db_exec(db, "commit", &e), 0);
	const char *after = edges_of(db);
	put_missing(&out, '-', before, after);
	put_missing(&out, '+', after, before);
	buf_printf(&out, "files=%d stale=%d raised=%d added=%d contradicted=%d\n", (int)n.files,
	    (int)n.stale, (int)n.raised, (int)n.added, (int)n.contradicted);
	const char *text = arena_str(a, out.p);
	db_close(db);
	scip_close(s);
	buf_free(&index);
	buf_free(&out);
	return text;
}

#define P "s p pkg 1 "

/* clang-format off */
static const struct source program[FILES] = {
	{ "shop/cart.py",
	    "class Cart:\n    def add(self, item):\n        return item\n\n    def total(self):\n        return self.add(0)\n\n\n"
	    "class Basket(Cart):\n    def __init__(self, owner):\n        self.owner = owner\n\n    def add(self, item):\n        return None\n" },
	{ "shop/use.py",
	    "from shop.cart import Basket\n\n\ndef fill(cart):\n    cart.add(1)\n    cart.add(2)\n    return make(cart)\n\n\n"
	    "def make(x):\n    basket = Basket(x)\n    basket.total()\n    f = fill\n    return basket, f\n" },
	{ "shop/other.py", "def total():\n    return 1\n\n\ndef add(a, b):\n    return total() + a + b\n" },
	{ "tests/test_use.py", "from shop.use import fill\n\n\ndef test_fill():\n    assert fill(None)\n" },
};
/* clang-format on */

/* clang-format off */
#define CART { "shop/cart.py", { "1 Cart 1 d " P "cart/Cart#", "2 add 1 d " P "cart/Cart#add().", "5 total 1 d " P "cart/Cart#total().", \
	"6 add 1 r " P "cart/Cart#add().", "9 Basket 1 d " P "cart/Basket#", "9 Cart 1 r " P "cart/Cart#", \
	"10 __init__ 1 d " P "cart/Basket#__init__().", "13 add 1 d " P "cart/Basket#add().", \
	"> " P "cart/Basket#add().", P "cart/Cart#add()." } }
/* clang-format on */
#define USE(...)                                                                                   \
	{                                                                                              \
		"shop/use.py",                                                                             \
		{                                                                                          \
			"4 fill 1 d " P "use/fill().", "10 make 1 d " P "use/make().", __VA_ARGS__             \
		}                                                                                          \
	}

/* clang-format off */
static const struct source page[FILES] = {
	{ "web/store.ts",
	    "export interface Store {\n  get(key: string): number;\n}\n\n"
	    "export class Memory implements Store {\n  #size = 0;\n  constructor(readonly name: string) {}\n"
	    "  get(key: string): number {\n    return this.#size;\n  }\n}\n\n"
	    "export class Small extends Memory {}\n\nexport function get(key: string) {\n  return 1;\n}\n\n"
	    "export default function open<T>(name: string): Memory {\n  return new Memory(name);\n}\n" },
	{ "web/app.ts",
	    "import start, { Memory as Shop, Small, get } from \"./store\";\n\n"
	    "export function run(store: any) {\n  const shop = new Shop(\"a\");\n  const s\xc3\xa4 = store.get(\"b\"); store.get(\"c\");\n"
	    "  const table = {\n    get(key) {\n      return key;\n    },\n  };\n"
	    "  start<Map<string, number>>(\"x\");\n  const f = get;\n  store?.get(get(\"d\"));\n  return new Small(\"z\");\n}\n\n"
	    "class Panel {\n  size = 0;\n  constructor() {\n    this.count = get(\"e\");\n  }\n"
	    "  @watched(get)\n  draw() {\n    const draw = () => draw();\n    return get(\"f\") + get(\"g\");\n  }\n}\n" },
	{ "web/app.test.ts", "import { run } from \"./app\";\n\ntest(\"runs\", () => {\n  run({});\n});\n" },
};
/* clang-format on */

/* clang-format off */
#define STORE { "web/store.ts", { "1 Store 1 d " P "store/Store#", "2 get 1 d " P "store/Store#get().", "5 Memory 1 d " P "store/Memory#", \
	"5 Store 1 r " P "store/Store#", "6 #size 1 d " P "store/Memory#`#size`.", "7 constructor 1 d " P "store/Memory#`<constructor>`().", \
	"8 get 1 d " P "store/Memory#get().", "9 #size 1 r " P "store/Memory#`#size`.", "13 Small 1 d " P "store/Small#", \
	"15 get 1 d " P "store/get().", "19 open 1 d " P "store/open().", "> " P "store/Memory#get().", P "store/Store#get().", \
	"> " P "store/Memory#", P "store/Store#" } }
/* clang-format on */

/* clang-format off */
static const struct {
	const struct source *files;
	struct indexed_file docs[3];
	const char *folder;
	int64_t only;
} cases[] = {
	/* everything is known */
	{ .files = program, .docs = { CART, USE("1 Basket 1 r " P "cart/Basket#", "5 add 1 r " P "cart/Cart#add().", "6 add 1 r " P "cart/Cart#add().",
	    "7 make 1 r " P "use/make().", "11 Basket 1 r " P "cart/Basket#", "12 total 1 r " P "cart/Cart#total().",
	    "13 fill 1 r " P "use/fill().") } },
	/* only the second file; of the first one it only reads what it defines */
	{ .files = program, .docs = { CART, USE("7 make 1 r " P "use/make().") }, .only = 2 },
	/* of two uses only one is known: nothing is contradicted */
	{ .files = program, .docs = { CART, USE("5 add 1 r " P "cart/Basket#add().") }, .only = 2 },
	/* both mean another definition */
	{ .files = program, .docs = { CART, USE("5 add 1 r " P "cart/Basket#add().", "6 add 1 r " P "cart/Basket#add().") }, .only = 2 },
	/* both are of another package; a local */
	{ .files = program, .docs = { CART, USE("5 add 1 r s p set 2 set/add().", "6 add 1 r s p set 2 set/add().", "7 make 1 r local 1") }, .only = 2 },
	/* a symbol of this package that nobody defines says nothing */
	{ .files = program, .docs = { CART, USE("5 add 1 r " P "cart/Gone#add().", "6 add 1 r " P "cart/Gone#add().") }, .only = 2 },
	/* a definition of another name: the index saw another text */
	{ .files = program, .docs = { CART, { "shop/use.py", { "4 cart 1 d " P "use/fill()." } } } },
	/* half of the names fit, or less */
	{ .files = program, .docs = { { "shop/use.py", { "5 cart 1 r " P "use/fill().", "7 make 1 r " P "use/make()." } } } },
	{ .files = program, .docs = { { "shop/use.py", { "5 cart 1 r " P "use/fill().", "6 cart 1 r " P "use/fill().", "7 make 1 r " P "use/make()." } } } },
	/* paths are below the folder of the index, else from the root */
	{ .files = program, .docs = { { "use.py", { "4 fill 1 d " P "use/fill().", "13 fill 1 r " P "use/fill()." } } }, .folder = "shop/" },
	{ .files = program, .docs = { USE("13 fill 1 r " P "use/fill().") }, .folder = "shop/" },
	{ .files = program, .docs = { { "gone.py", { NULL } } } },
	/* a test calls what the edges did not know */
	{ .files = program, .docs = { USE("13 fill 1 r " P "use/fill()."), { "tests/test_use.py", { "1 fill 1 r " P "use/fill().", "5 fill 1 r " P "use/fill()." } } }, .only = 4 },
	/* a local function; a parameter of that name */
	{ .files = program, .docs = { USE("10 x 1 d local 1", "11 x 1 r local 1", "13 f 1 d local 2", "14 f 1 r local 2") }, .only = 2 },
	/* the name of a definition is no use of it */
	{ .files = program, .docs = { USE("10 make 1 r " P "use/make().", "4 fill 1 r " P "use/make().") }, .only = 2 },
	/* a page: relations, constructors, private names */
	{ .files = page, .docs = { STORE } },
	{ .files = page, .docs = { STORE, { "web/app.ts", { "1 start 1 r " P "store/open().", "1 Shop 1 r " P "store/Memory#", "1 Small 1 r " P "store/Small#",
	    "1 get 1 r " P "store/get().", "3 run 1 d " P "app/run().", "4 Shop 1 r " P "store/Memory#", "11 start 1 r " P "store/open().",
	    "12 get 1 r " P "store/get().", "13 get 2 r " P "store/get().", "14 Small 1 r " P "store/Small#" } } }, .only = 2 },
	/* methods of an unknown object: of one kind, then of two, and one call that is not known */
	{ .files = page, .docs = { STORE, { "web/app.ts", { "5 get 1 r " P "store/Store#get().", "5 get 2 r " P "store/Store#get().", "13 get 1 r " P "store/Store#get().",
	    "13 get 2 r " P "store/get()." } } }, .only = 2 },
	{ .files = page, .docs = { STORE, { "web/app.ts", { "5 get 1 r " P "store/Memory#get()." } } }, .only = 2 },
	/* a method's head, a decorator, a field that is made by a call */
	{ .files = page, .docs = { STORE, { "web/app.ts", { "7 get 1 r " P "store/Store#get().", "17 Panel 1 d " P "app/Panel#", "18 size 1 d " P "app/Panel#size.",
	    "20 get 1 r " P "store/get().", "22 get 1 r " P "store/get().", "23 draw 1 d " P "app/Panel#draw().", "24 draw 1 d local 3",
	    "24 draw 2 r local 3", "25 get 1 r " P "store/get().", "25 get 2 r " P "store/get()." } } }, .only = 2 },
	/* a call that no edge has: the new edge is of the test, too */
	{ .files = page, .docs = { { "web/app.ts", { "3 run 1 d " P "app/run()." } }, { "web/app.test.ts", { "1 run 1 r " P "app/run().", "4 run 1 r " P "app/run()." } } } },
	/* one symbol of two definitions: those in scope are meant */
	{ .files = page, .docs = { { "web/store.ts", { "2 get 1 d " P "store/get().", "8 get 1 d " P "store/get().", "15 get 1 d " P "store/get()." } },
	    { "web/app.ts", { "25 get 1 r " P "store/get()." } } } },
};
/* clang-format on */

static void put_case(struct buf *out, size_t i)
{
	size_t n = 0;

	while (n < LEN(cases[i].docs) && cases[i].docs[n].path)
		n++;
	buf_printf(out, "== %zu\n%s", i,
	    changed(cases[i].files, cases[i].docs, n, cases[i].folder ? cases[i].folder : "",
	        cases[i].only));
}

static void edges_change(void **state)
{
	static const char path[] = "tests/answers/scip_overlay.txt";
	struct buf out = { 0 };
	char want[65536] = "";

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		put_case(&out, i);
	FILE *f = fopen(path, getenv("ACCEPT") ? "w+" : "r");
	assert_non_null(f);
	if (getenv("ACCEPT")) {
		fputs(out.p, f);
		rewind(f);
	}
	assert_true(fread(want, 1, sizeof want - 1, f) > 0);
	fclose(f);
	assert_string_equal(out.p, want);
	buf_free(&out);
}

static int begin(void **state)
{
	struct err e = { 0 };

	(void)state;
	a = arena_new();
	repo_init();
	assert_non_null(mkdtemp(dir));
	assert_int_equal(system(arena_printf(a, "git init -q -b main %s", dir)), 0);
	repo = repo_open(dir, &e);
	assert_non_null(repo);
	return 0;
}

static int end(void **state)
{
	(void)state;
	repo_close(repo);
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_change),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
