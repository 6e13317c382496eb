/*
 * Any bytes as the facts of a file of another repository's package: they are checked, and code of
 * three languages is resolved against them.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "shard/interfaces/package_interfaces.h"
#include "shard/uses/external_files.h"
#include "shard/uses/use_finder.h"
#include "tests/graph_index.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const struct { const char *path, *text; } consumer[] = {
	{ "app.py", "from kit import Client, helper\nimport kit\n\nclass Own(Client):\n    def run(self):\n        return self.get().text() + kit.LIMIT\n\n"
	    "def main():\n    c = Client()\n    helper(c.get().text())\n" },
	{ "main.go", "package main\n\nimport \"x.example/kit\"\n\ntype own struct{ kit.Client }\n\nfunc main() {\n\tc := kit.New()\n\tc.Get().Text()\n\t"
	    "_ = kit.Limit\n\town{}.Get()\n}\n" },
	{ "app.ts", "import { Client, helper } from 'kit'\nimport all from 'kit'\n\nclass Own extends Client {\n  run() { return this.get().text() }\n}\n"
	    "helper(new Client().get().text())\nall(new Own().get())\n" },
};

static struct db *consumer_index(void)
{
	char path[] = "/tmp/atoll-fuzz.XXXXXX";
	struct err e = { 0 };
	struct parser *parser = parser_new(&e);
	struct arena *a = arena_new();

	close(mkstemp(path));
	struct db *db = graph_open(path, &e);
	for (size_t i = 0; db && i < LEN(consumer); i++) {
		const struct lang *lang;
		struct facts f;
		int64_t id = (int64_t)i + 1;
		const char *file = consumer[i].path, *text = consumer[i].text;
		graph_facts(parser, file, text, strlen(text), a, &f, &lang);
		graph_put(db, id, file, lang_name(lang), "", false, &f, graph_ids(&f, id, a), a, &e);
	}
	if (!db || graph_resolve(db, 1, &e))
		abort();
	unlink(path);
	parser_free(parser);
	arena_free(a);
	return db;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct db *db;
	struct interface_file files[] = {
		{ .path = "kit/__init__.py", .language = "python", .facts = { p, n } },
		{ .path = "go.mod", .language = "gomod", .package = "x.example/kit" },
		{ .path = "kit.go", .language = "go", .facts = { p, n } },
		{ .path = "package.json", .language = "json", .package = "kit" },
		{ .path = "index.ts", .language = "typescript", .facts = { p, n } },
	};
	struct interface x = { .files = { files, LEN(files) } };
	struct external_repository library = { "lib", &x, 1 };
	struct found_uses uses = { 0 };
	struct arena *a = arena_new();
	struct err e = { 0 };

	if (!db)
		db = consumer_index();
	if (!interface_check(&x, &e) && uses_find(db, &library, 1, a, &uses, &e))
		__builtin_trap();	/* what was accepted is resolved */
	found_uses_free(&uses);
	arena_free(a);
	return 0;
}
