#include "shard/parse/parser.h"

#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "shard/base/text_lines.h"
#include "shard/contracts/contracts.h"
#include "shard/contracts/grpc/grpc.h"
#include "shard/contracts/specs/markup_requests.h"
#include "shard/contracts/specs/operations.h"
#include "shard/definitions/ctags/ctags_definitions.h"
#include "shard/definitions/definitions.h"
#include "shard/definitions/doc_types.h"
#include "shard/definitions/markdown_sections.h"
#include "shard/definitions/references.h"
#include "shard/definitions/retained_tree.h"
#include "shard/definitions/search_documents.h"
#include "shard/definitions/yaml_names.h"
#include "shard/definitions/yaml_symbols.h"
#include "shard/facts/facts.h"
#include "shard/manifests/module_names.h"
#include "shard/parse/tree_parse.h"
#include "shard/syntax/comment.h"
#include "shard/syntax/languages.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/parse_budget.h"
#include "shard/syntax/script_blocks.h"
#include "shard/syntax/syntax_tree.h"

/* Added by deploy/tree-sitter.patch: delete a tree and reuse its memory for the next one. */
void ts_parser_recycle(TSParser *, TSTree *);

enum {	/* of processor time; generous limits */
	RETAINED_PARSE_MS = 10000,
	SECOND_PARSE_MS = 1000
};

struct parser {
	TSParser *ts;
	struct rules **rules;		/* by language; NULL: text, or not needed yet */
	struct contracts **contracts;
	bool *broken;			/* by language: its data files are broken, which was logged */
	struct ctags_definitions *tags;
	struct script_blocks *blocks;
	struct markup *markup;
	struct yaml_symbol_rules *keys;
	struct found_definitions found;
	struct node_list seen;
	struct references *uses;
	/* where to store the tree in progress if its facts depend on other files, or NULL */
	struct retained_tree *open;
};

static int load(struct parser *p, size_t i, struct err *e)
{
	const TSLanguage *grammar = langs[i].grammar();
	uint32_t abi = ts_language_abi_version(grammar);

	if (abi < TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION || abi > TREE_SITTER_LANGUAGE_VERSION)
		return err_set(e, ERR_INTERNAL, "the grammar of %s has ABI %u; this program reads %d to %d",
		    langs[i].name, abi, TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION,
		    TREE_SITTER_LANGUAGE_VERSION);
	p->rules[i] = rules_new(langs[i].folder, grammar, e);
	if (!p->rules[i])
		return -1;
	p->contracts[i] = contracts_new(p->rules[i], e);
	return p->contracts[i] ? 0 : -1;
}

/* Load the rules of a language when a file needs them.  False if its data files are broken. */
static bool load_once(struct parser *p, size_t i)
{
	struct err e = { 0 };

	if (!p->contracts[i] && !p->broken[i] && load(p, i, &e)) {
		p->broken[i] = true;
		log_error("parse.rules_invalid", "language=%s message=%s", langs[i].name, log_quote(e.msg));
	}
	return !p->broken[i];
}

struct parser *parser_new(struct err *e)
{
	struct parser *p = xcalloc(1, sizeof *p);

	parse_budget_init();
	p->rules = xcalloc(nlangs, sizeof *p->rules);
	p->contracts = xcalloc(nlangs, sizeof *p->contracts);
	p->broken = xcalloc(nlangs, sizeof *p->broken);
	p->ts = ts_parser_new();
	if (!p->ts)
		die("out of memory: tree-sitter");
	p->uses = references_new();
	p->tags = ctags_definitions_new(e);
	if (p->tags)
		p->blocks = script_blocks_new(e);
	if (p->blocks)
		p->markup = markup_new(e);
	if (p->markup)
		p->keys = yaml_symbols_new(e);
	if (p->keys)
		return p;
	parser_free(p);
	return NULL;
}

void parser_free(struct parser *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < nlangs; i++) {
		contracts_free(p->contracts[i]);
		rules_free(p->rules[i]);
	}
	ctags_definitions_free(p->tags);
	script_blocks_free(p->blocks);
	markup_free(p->markup);
	yaml_symbols_free(p->keys);
	ts_parser_delete(p->ts);
	references_free(p->uses);
	free(p->contracts);
	free(p->broken);
	free(p->rules);
	free(p->found.v);
	free(p->found.minors.v);
	free(p->seen.v);
	free(p);
}

int parser_check(struct parser *p, struct err *e)
{
	for (size_t i = 0; i < nlangs; i++) {
		if (langs[i].grammar && !p->contracts[i] && load(p, i, e))
			return -1;
		if (p->contracts[i] && contracts_check(p->contracts[i], e))
			return -1;
	}
	return 0;
}

/* Whether the tree has an error in the first `n` bytes: not only in what macros expand to. */
static bool has_error_before(TSNode root, size_t n)
{
	for (uint32_t i = 0, count = ts_node_child_count(root); i < count; i++) {
		TSNode k = ts_node_child(root, i);
		if (node_start_byte(k) >= n)
			return false;
		if (ts_node_has_error(k))
			return true;
	}
	return false;
}

/* An empty list for the nodes of the next tree; frees the memory after a large tree. */
static struct node_list *node_list_begin(struct parser *p)
{
	enum { MANY = 100000 };

	if (p->seen.cap > MANY) {
		free(p->seen.v);
		p->seen = (struct node_list){ 0 };
	}
	p->seen.n = 0;
	return &p->seen;
}

static void retain_open_tree(struct parser *p, const struct syntax_tree *t, TSTree *ts)
{
	struct retained_tree *k = p->open;

	k->ts = ts;
	k->tree = *t;
	k->tree.seen = NULL;
	k->tree.effort = arena_one(t->arena, struct parse_budget);
	parse_budget_begin(k->tree.effort, t->n, RETAINED_PARSE_MS);
}

/* ---- what a language's own grammar cannot read ---- */

/* The types of Flow are written like those of TypeScript. */
static const struct second_grammar {
	const char *language, *second;
} second_grammars[] = {
	{ "javascript", "tsx" },
};

/* The language whose grammar reads what that of the language may not; or the language itself. */
static size_t second_grammar_of(size_t i)
{
	for (size_t k = 0; k < LEN(second_grammars); k++)
		if (!strcmp(second_grammars[k].language, langs[i].name))
			return lang_index(second_grammars[k].second);
	return i;
}

/* Parse with a budget of its own: a tree that is only tried must not cost the file what it has. */
static TSTree *parse_apart(struct parser *p, struct syntax_tree *t)
{
	struct parse_budget *whole = t->effort, own;
	uint64_t aside = parse_budget_pause();

	parse_budget_begin(&own, t->n, SECOND_PARSE_MS);
	t->effort = &own;
	TSTree *ts = tree_parse(&p->ts, t);
	t->effort = whole;
	parse_budget_resume(whole, aside);
	return ts;
}

/*
 * Parse a text with errors by the second grammar. If that leaves fewer of them, its tree and rules
 * replace the first ones. Returns the language whose grammar it is.
 */
static size_t parse_again(struct parser *p, size_t i, struct syntax_tree *t, TSTree **ts)
{
	size_t other = second_grammar_of(i);
	struct syntax_tree again = *t;

	if (other == i || !ts_node_has_error(ts_tree_root_node(*ts)) || !load_once(p, other))
		return i;
	again.rules = p->rules[other];
	if (!ts_parser_set_language(p->ts, again.rules->grammar))
		return i;
	TSTree *second = parse_apart(p, &again);
	if (!second)
		return i;
	if (tree_broken_bytes(second) >= tree_broken_bytes(*ts)) {
		ts_parser_recycle(p->ts, second);
		return i;
	}
	ts_parser_recycle(p->ts, *ts);
	*ts = second;
	*t = again;
	return other;
}

/*
 * Find definitions and contracts; for a tree that goes to `keep`, the caller finds contracts later.
 * Returns whether there is a tree.
 */
static bool read_tree(struct parser *p, size_t i, struct syntax_tree *t, struct retained_tree *keep,
    struct facts *out)
{
	if (t->n > UINT32_MAX / 2 || !load_once(p, i) ||
	    !ts_parser_set_language(p->ts, p->rules[i]->grammar))
		return false;
	t->rules = p->rules[i];
	size_t own = t->n;
	TSTree *ts = tree_parse(&p->ts, t);
	if (!ts)
		return false;
	i = parse_again(p, i, t, &ts);
	t->root = ts_tree_root_node(ts);
	out->has_errors = ts_node_has_error(t->root) && (t->n == own || has_error_before(t->root, own));
	if (!keep && contracts_detect(p->contracts[i], t))
		t->seen = node_list_begin(p);
	definitions_find(t, &p->found, p->uses);
	if (t->depth > TREE_MAX_DEPTH)
		out->limit = "nesting";
	if (keep) {
		keep->ts = ts;
		keep->frameworks = p->contracts[i];
		return true;
	}
	contracts_find(p->contracts[i], t, &p->found, out, p->open ? &p->open->spots : NULL);
	if (p->open && (out->open.sites || out->open.links || out->open.makes))
		retain_open_tree(p, t, ts);	/* parser_adopt sets its frameworks */
	else
		ts_parser_recycle(p->ts, ts);
	return true;
}

/* The contracts of a script in an attribute. */
static void read_attribute(struct parser *p, size_t i, const struct syntax_tree *page,
    const struct script_block *b, struct facts *out)
{
	struct line_counter counter = { .text = page->text };
	struct syntax_tree t = { .text = page->text,
		.n = page->n,
		.arena = page->arena,
		.effort = page->effort,
		.rules = p->rules[i] };
	TSRange range = tree_range_at(&counter, b->from, b->to);
	struct found_definitions none = { 0 };
	struct facts more = { 0 };

	if (!ts_parser_set_language(p->ts, t.rules->grammar) ||
	    !ts_parser_set_included_ranges(p->ts, &range, 1))
		return;
	TSTree *ts = tree_parse(&p->ts, &t);
	if (!ts)
		return;
	t.root = ts_tree_root_node(ts);
	contracts_detect(p->contracts[i], &t);
	contracts_find(p->contracts[i], &t, &none, &more, NULL);
	facts_merge_contracts(out, more.contracts.v, more.contracts.n, t.arena);
	ts_parser_recycle(p->ts, ts);
}

/* The contracts in the markup around blocks. */
static void read_markup(struct parser *p, size_t i, const struct syntax_tree *t, struct facts *out)
{
	struct script_block *script;
	size_t n = markup_find(p->markup, t->text, t->n, t->arena, out, &script);

	for (size_t k = 0; k < n && load_once(p, i); k++)
		read_attribute(p, i, t, &script[k], out);
	ts_parser_set_included_ranges(p->ts, NULL, 0);
}

/*
 * Like read_tree, for a file in which only blocks are in a programming language.  One grammar reads
 * all blocks.
 */
static bool read_blocks(struct parser *p, size_t i, struct syntax_tree *t,
    struct retained_tree *keep, struct facts *out)
{
	struct line_counter counter = { .text = t->text };
	struct script_block *block;
	size_t lang = i;
	bool found = false;

	if (t->n > UINT32_MAX / 2)
		return false;
	size_t n = script_blocks_find(p->blocks, i, t->text, t->n, t->arena, &block);
	TSRange *range = arena_many(t->arena, n, TSRange);
	for (size_t k = 0; k < n; k++) {
		range[k] = tree_range_at(&counter, block[k].from, block[k].to);
		if (block[k].lang != i)
			lang = block[k].lang;
	}
	if (n && ts_parser_set_included_ranges(p->ts, range, (uint32_t)n))
		found = read_tree(p, lang, t, keep, out);
	ts_parser_set_included_ranges(p->ts, NULL, 0);
	read_markup(p, i, t, out);
	out->has_errors |= n && !found;
	return found;
}

/* Definitions by ctags, for the languages that it reads. */
static bool read_tags(
    struct parser *p, size_t i, struct syntax_tree *t, int timeout_ms, struct facts *out)
{
	if (!ctags_definitions_supports(p->tags, i))
		return false;
	if (!ctags_definitions_find(
	        p->tags, i, t->text, t->n, timeout_ms, t->arena, &p->found, &out->package))
		return p->found.n;
	out->text_only = ctags_definitions_missing(p->tags);
	out->has_errors = !out->text_only;
	return false;
}

/* Fill p->found with the definitions.  False if the file is only text. */
static bool find(struct parser *p, size_t i, struct syntax_tree *t, int timeout_ms,
    struct retained_tree *keep, struct facts *out)
{
	bool found;

	p->found.n = p->found.minors.n = 0;
	switch (langs[i].read) {
	case READ_TREE:
		found = read_tree(p, i, t, keep, out);
		out->has_errors |= !found;
		return found;
	case READ_BLOCKS: return read_blocks(p, i, t, keep, out);
	case READ_SECTIONS:
		markdown_sections_find(t->text, t->n, t->arena, &p->found);
		return p->found.n;
	case READ_KEYS:
		yaml_symbols_find(p->keys, t->text, t->n, t->arena, &p->found);
		if (!strcmp(langs[i].name, "yaml"))
			yaml_names_find(t->text, t->n, t->arena, &p->found);
		return p->found.n;
	case READ_TEXT:
	case READ_SETTINGS: break;
	}
	return read_tags(p, i, t, timeout_ms, out);
}

/* Append the locals that frameworks define to those that the walk found. */
static void locals_append(struct facts *out, const struct local *more, size_t n, struct arena *a)
{
	if (!n || out->locals.v == more)
		return;
	struct local *v = arena_many(a, out->locals.n + n, struct local);
	if (out->locals.n)
		memcpy(v, out->locals.v, out->locals.n * sizeof *v);
	memcpy(v + out->locals.n, more, n * sizeof *v);
	out->locals.v = v;
	out->locals.n += n;
}

static void retain_definitions(const struct parser *p, struct arena *a, struct retained_tree *out)
{
	out->found.n = out->found.cap = p->found.n;
	out->found.v = arena_many(a, p->found.n, struct found_definition);
	if (p->found.n)
		memcpy(out->found.v, p->found.v, p->found.n * sizeof *p->found.v);
}

/* How many of the definitions are in the first `bytes` bytes; the others are of macros. */
static size_t written_definitions(const struct found_definitions *l, size_t bytes)
{
	size_t n = l->n;

	while (n && l->v[n - 1].def.start_byte >= bytes)
		n--;
	return n;
}

/*
 * Keep each minor name of the first `bytes` bytes once, and none that is also the name of a
 * definition.
 */
static void put_minors(const struct parser *p, size_t bytes, struct arena *a, struct facts *out)
{
	size_t n = p->found.minors.n;
	struct map *names;

	if (!n)
		return;
	names = map_new();
	out->minors.v = arena_many(a, n, struct minor_name);
	for (size_t i = 0; i < p->found.n; i++)
		*map_at(names, p->found.v[i].def.name) = out;
	for (size_t i = 0; i < n; i++) {
		if (p->found.minors.v[i].start_byte >= bytes)
			break;
		void **met = map_at(names, p->found.minors.v[i].name);
		if (!*met)
			out->minors.v[out->minors.n++] = p->found.minors.v[i];
		*met = out;
	}
	map_free(names);
}

/* `bytes`: of the file; what macros expand to has the lines of their use, and no text. */
static void put_definitions(
    struct parser *p, size_t i, size_t bytes, struct arena *a, struct facts *out)
{
	put_minors(p, bytes, a, out);
	out->definitions.n = p->found.n;
	out->definitions.v = arena_many(a, p->found.n, struct definition);
	for (size_t k = 0; k < p->found.n; k++) {
		out->definitions.v[k] = p->found.v[k].def;
		if (p->rules[i])
			doc_types_define(p->rules[i], &out->definitions.v[k], a);
	}
	for (size_t k = written_definitions(&p->found, bytes); k < p->found.n; k++)
		out->definitions.v[k].start_byte = out->definitions.v[k].end_byte = (uint32_t)bytes;
	struct local *of_frameworks = out->locals.v;
	size_t n = out->locals.n;
	if (langs[i].grammar)
		references_end(p->uses, out);
	if (p->open)
		p->open->facts = (struct facts){ .definitions = { out->definitions.v, out->definitions.n },
			.imports = { out->imports.v, out->imports.n },
			.references = { out->references.v, out->references.n },
			.bases = { out->bases.v, out->bases.n },
			.locals = { out->locals.v, out->locals.n },
			.package = out->package };
	locals_append(out, of_frameworks, n, a);
}

void parse(struct parser *p, const struct lang *l, const char *text, size_t n, int timeout_ms,
    struct arena *a, struct facts *out)
{
	size_t i = (size_t)(l - langs);
	struct parse_budget effort;
	struct syntax_tree t = { .text = text, .n = n, .arena = a, .effort = &effort };

	parse_budget_begin(&effort, n, timeout_ms);
	bool found = find(p, i, &t, timeout_ms, NULL, out);
	struct found_definitions written = p->found;

	written.n = written_definitions(&written, n);
	if (effort.limit)
		out->limit = effort.limit;
	out->generated = comment_says_generated(text, n);
	if (l->read != READ_SETTINGS)
		search_documents_split(text, n, found ? &written : NULL, a, out);
	if (!out->package && !langs[i].grammar)
		out->package = module_name_read(langs[i].name, text, n, a);
	if (!strcmp(langs[i].name, "json")) {
		module_aliases_read(text, n, a, out);
		module_entries_read(text, n, a, out);
	}
	if (!langs[i].grammar) {
		operations_find(langs[i].name, text, n, a, out);
		collections_find(langs[i].name, text, n, a, out);
		route_tables_find(langs[i].name, text, n, a, out);
	}
	if (!found) {	/* a file of text may have minor names */
		p->found.n = 0;
		put_minors(p, n, a, out);
		return;
	}
	put_definitions(p, i, n, a, out);
	grpc_find_generated_names(text, n, a, out);
	if (langs[i].grammar)
		generated_find(text, n, a, out);
}

bool parser_finds_names(const struct parser *p, const struct lang *l)
{
	return l->grammar || ctags_definitions_supports(p->tags, (size_t)(l - langs));
}

void parse_names(struct parser *p, const struct lang *l, const char *text, size_t n, int timeout_ms,
    struct arena *a, struct facts *out)
{
	size_t i = (size_t)(l - langs);
	struct parse_budget effort;
	struct syntax_tree t = { .text = text, .n = n, .arena = a, .effort = &effort };
	struct retained_tree no_contracts = { 0 };

	parse_budget_begin(&effort, n, timeout_ms);
	p->open = NULL;
	if (find(p, i, &t, timeout_ms, &no_contracts, out))
		put_definitions(p, i, n, a, out);
	retained_tree_free(&no_contracts);
	text_line_starts(text, (uint32_t)n, &out->lines, a);
}

bool parse_retain(struct parser *p, const struct lang *l, const char *text, size_t n,
    struct arena *a, struct retained_tree *out)
{
	size_t i = (size_t)(l - langs);

	*out = (struct retained_tree){ .tree = { .text = text, .n = n, .arena = a } };
	out->tree.effort = arena_one(a, struct parse_budget);
	parse_budget_begin(out->tree.effort, n, RETAINED_PARSE_MS);
	if (langs[i].read != READ_TREE && langs[i].read != READ_BLOCKS)
		return false;
	bool found = find(p, i, &out->tree, RETAINED_PARSE_MS, out, &out->facts);
	if (!found || !out->ts) {
		retained_tree_free(out);
		return false;
	}
	put_definitions(p, i, n, a, &out->facts);
	retain_definitions(p, a, out);
	return true;
}

void parse_retain_open(struct parser *p, const struct lang *l, const char *text, size_t n,
    int timeout_ms, struct arena *a, struct facts *facts, struct retained_tree *out)
{
	*out = (struct retained_tree){ 0 };
	if (l->read == READ_TREE)
		p->open = out;
	else
		p->open = NULL;
	parse(p, l, text, n, timeout_ms, a, facts);
	if (p->open && out->ts)
		retain_definitions(p, a, out);
	p->open = NULL;
}

bool parser_adopt(struct parser *p, const struct lang *l, struct retained_tree *k)
{
	size_t i = (size_t)(l - langs);

	if (l->read != READ_TREE)
		return false;
	if (ts_tree_language(k->ts) != l->grammar())
		i = second_grammar_of(i);
	if (!load_once(p, i))
		return false;
	k->tree.rules = p->rules[i];
	k->frameworks = p->contracts[i];
	return true;
}

void retained_tree_free(struct retained_tree *k)
{
	framework_matches_free(k->spots);
	k->spots = NULL;
	if (k->ts)
		ts_tree_delete(k->ts);
	k->ts = NULL;
}
