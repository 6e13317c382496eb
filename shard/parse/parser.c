#include "shard/parse/parser.h"

#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "shard/contracts/contracts.h"
#include "shard/contracts/grpc/grpc.h"
#include "shard/contracts/specs/markup_requests.h"
#include "shard/contracts/specs/operations.h"
#include "shard/contracts/urls/retained_tree.h"
#include "shard/definitions/ctags/ctags_definitions.h"
#include "shard/definitions/definitions.h"
#include "shard/definitions/markdown_sections.h"
#include "shard/definitions/references.h"
#include "shard/definitions/search_documents.h"
#include "shard/definitions/yaml_symbols.h"
#include "shard/facts/facts.h"
#include "shard/manifests/module_names.h"
#include "shard/syntax/c_macros.h"
#include "shard/syntax/comment.h"
#include "shard/syntax/languages.h"
#include "shard/syntax/line_ends.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/parse_budget.h"
#include "shard/syntax/script_blocks.h"
#include "shard/syntax/syntax_tree.h"

/* Of our own (deploy/tree-sitter.patch): delete a tree, whose memory is for the next one. */
void ts_parser_recycle(TSParser *, TSTree *);

enum { RETAINED_PARSE_MS = 10000 };	/* of processor time: only so that there are limits at all */

struct parser {
	TSParser *ts;
	struct rules **rules;		/* by language; NULL: text, or no file needed them yet */
	struct contracts **contracts;
	bool *broken;			/* its data files are, which was logged */
	struct ctags_definitions *tags;
	struct script_blocks *blocks;
	struct markup *markup;
	struct yaml_symbol_rules *keys;
	struct found_definitions found;
	struct node_list seen;
	struct references *uses;
	/* where the tree that is being read goes, if it is open; NULL: nowhere */
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
	if (!(p->rules[i] = rules_new(langs[i].folder, grammar, e)))
		return -1;
	p->contracts[i] = contracts_new(p->rules[i], e);
	return p->contracts[i] ? 0 : -1;
}

/*
 * Have the rules of a language, from the first file that needs them on; false: its data files are
 * broken.
 */
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
	struct parser *p = calloc(1, sizeof *p);

	parse_budget_init();
	if (!p || !(p->rules = calloc(nlangs, sizeof *p->rules)) ||
	    !(p->contracts = calloc(nlangs, sizeof *p->contracts)) ||
	    !(p->broken = calloc(nlangs, sizeof *p->broken)) || !(p->ts = ts_parser_new()))
		die("out of memory");
	p->uses = references_new();
	p->tags = ctags_definitions_new(e);
	if (p->tags)
		p->blocks = script_blocks_new(e);
	else
		p->blocks = NULL;
	if (p->blocks)
		p->markup = markup_new(e);
	else
		p->markup = NULL;
	if (p->markup)
		p->keys = yaml_symbols_new(e);
	else
		p->keys = NULL;
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

static const char *read_text(void *arg, uint32_t at, TSPoint point, uint32_t *n)
{
	const struct syntax_tree *t = arg;

	(void)point;
	if (at < t->n)
		*n = (uint32_t)t->n - at;
	else
		*n = 0;
	return *n ? t->text + at : "";
}

static bool spent(TSParseState *s)
{
	return parse_budget_spent(s->payload);
}

/* The point of a byte, counted on from `*line`, which begins at `*start`. */
static TSPoint point_at(const char *text, uint32_t at, uint32_t *line, uint32_t *start)
{
	for (const char *eol; (eol = memchr(text + *start, '\n', at - *start)); ++*line)
		*start = (uint32_t)(eol + 1 - text);
	return (TSPoint){ *line, at - *start };
}

/*
 * The ends of lines that the grammar must not see left out or, in known->text, made blanks;
 * whether there are any.
 */
static bool exclude_line_ends(
    struct parser *p, const struct syntax_tree *t, struct syntax_tree *known)
{
	struct excluded_range *left;
	size_t n = t->rules->carry.n || t->rules->join.n ?
	    line_ends_find(t->rules, t->text, t->n, t->arena, &left) :
	    0;
	TSRange *range = n ? arena_many(t->arena, n + 1, TSRange) : NULL;
	char *text = n ? memcpy(arena_many(t->arena, t->n + 1, char), known->text, t->n) : NULL;
	uint32_t line = 0, start = 0, from = 0;

	for (size_t i = 0; i <= n && n; i++) {
		range[i].start_byte = from;
		range[i].start_point = point_at(t->text, from, &line, &start);
		if (i < n)
			range[i].end_byte = left[i].from;
		else
			range[i].end_byte = (uint32_t)t->n;
		range[i].end_point = point_at(t->text, range[i].end_byte, &line, &start);
		if (i < n)
			from = left[i].to;
		if (i < n && left[i].from == from)
			text[from - 1] = ' ';
	}
	if (n)
		known->text = text;
	return n && ts_parser_set_included_ranges(p->ts, range, (uint32_t)n + 1);
}

/* The text as a tree; NULL when that costs too much. */
static TSTree *parse_tree(struct parser *p, struct syntax_tree *t)
{
	struct syntax_tree known = *t;
	TSInput in = { .payload = &known, .read = read_text, .encoding = TSInputEncodingUTF8 };
	TSTree *ts;

	known.text = c_macros_blank(t->rules, t->text, t->n, t->arena);
	bool carried = exclude_line_ends(p, t, &known);
	ts = ts_parser_parse_with_options(p->ts, NULL, in,
	    (TSParseOptions){ .payload = t->effort, .progress_callback = spent });

	if (!ts) {	/* what it has grown is not for the files after this one */
		ts_parser_delete(p->ts);
		p->ts = ts_parser_new();
	} else if (carried) {
		ts_parser_set_included_ranges(p->ts, NULL, 0);
	}
	return ts;
}

/* The list of nodes of the next tree; that of a large one is not kept. */
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

/* Definitions and contracts (of a tree that is kept: later); whether there was a tree. */
static bool read_tree(struct parser *p, size_t i, struct syntax_tree *t, struct retained_tree *keep,
    struct facts *out)
{
	if (t->n > UINT32_MAX / 2 || !load_once(p, i) ||
	    !ts_parser_set_language(p->ts, p->rules[i]->grammar))
		return false;
	t->rules = p->rules[i];
	TSTree *ts = parse_tree(p, t);
	if (!ts)
		return false;
	t->root = ts_tree_root_node(ts);
	out->has_errors = ts_node_has_error(t->root);
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
		retain_open_tree(p, t, ts);	/* whose frameworks: parser_adopt */
	else
		ts_parser_recycle(p->ts, ts);
	return true;
}

/* The contracts of a script that stands in an attribute. */
static void read_attribute(struct parser *p, size_t i, const struct syntax_tree *page,
    const struct script_block *b, struct facts *out)
{
	uint32_t line = 0, start = 0;
	struct syntax_tree t = { .text = page->text,
		.n = page->n,
		.arena = page->arena,
		.effort = page->effort,
		.rules = p->rules[i] };
	TSRange range = { .start_byte = b->from, .end_byte = b->to };
	struct found_definitions none = { 0 };
	struct facts more = { 0 };
	TSTree *ts;

	range.start_point = point_at(t.text, b->from, &line, &start);
	range.end_point = point_at(t.text, b->to, &line, &start);
	if (!ts_parser_set_language(p->ts, t.rules->grammar) ||
	    !ts_parser_set_included_ranges(p->ts, &range, 1) || !(ts = parse_tree(p, &t)))
		return;
	t.root = ts_tree_root_node(ts);
	contracts_detect(p->contracts[i], &t);
	contracts_find(p->contracts[i], &t, &none, &more, NULL);
	facts_merge_contracts(out, more.contracts.v, more.contracts.n, t.arena);
	ts_parser_recycle(p->ts, ts);
}

/* What the markup around blocks says. */
static void read_markup(struct parser *p, size_t i, const struct syntax_tree *t, struct facts *out)
{
	struct script_block *script;
	size_t n = t->n > UINT32_MAX / 2 ?
	    0 :
	    markup_find(p->markup, t->text, t->n, t->arena, out, &script);

	for (size_t k = 0; k < n && load_once(p, i); k++)
		read_attribute(p, i, t, &script[k], out);
	ts_parser_set_included_ranges(p->ts, NULL, 0);
}

/* The same for a file of which only blocks are in a language; one grammar reads them all. */
static bool read_blocks(struct parser *p, size_t i, struct syntax_tree *t,
    struct retained_tree *keep, struct facts *out)
{
	struct script_block *block;
	size_t n = t->n > UINT32_MAX / 2 ?
	    0 :
	    script_blocks_find(p->blocks, i, t->text, t->n, t->arena, &block),
	       lang = i;
	TSRange *range = arena_many(t->arena, n, TSRange);
	uint32_t line = 0, start = 0;

	for (size_t k = 0; k < n; k++) {
		range[k].start_byte = block[k].from;
		range[k].start_point = point_at(t->text, block[k].from, &line, &start);
		range[k].end_byte = block[k].to;
		range[k].end_point = point_at(t->text, block[k].to, &line, &start);
		if (block[k].lang != i)
			lang = block[k].lang;
	}
	bool found = n && ts_parser_set_included_ranges(p->ts, range, (uint32_t)n) &&
	    read_tree(p, lang, t, keep, out);
	ts_parser_set_included_ranges(p->ts, NULL, 0);
	read_markup(p, i, t, out);
	out->has_errors |= n && !found;
	return found;
}

/* Definitions by ctags, for a language that it is asked about. */
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

/* Fill p->found with what is defined; false: the file is text. */
static bool find(struct parser *p, size_t i, struct syntax_tree *t, int timeout_ms,
    struct retained_tree *keep, struct facts *out)
{
	bool found;

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
		return p->found.n;
	case READ_TEXT:
	case READ_SETTINGS: break;
	}
	return read_tags(p, i, t, timeout_ms, out);
}

/* What frameworks told of names, behind what the walk found. */
static void locals_append(struct facts *out, const struct local *told, size_t n, struct arena *a)
{
	struct local *v = NULL;

	if (n)
		v = arena_many(a, out->locals.n + n, struct local);
	if (!n || out->locals.v == told)
		return;
	if (out->locals.n)
		memcpy(v, out->locals.v, out->locals.n * sizeof *v);
	memcpy(v + out->locals.n, told, n * sizeof *v);
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

static void put_definitions(struct parser *p, size_t i, struct arena *a, struct facts *out)
{
	out->definitions.n = p->found.n;
	out->definitions.v = arena_many(a, p->found.n, struct definition);
	for (size_t k = 0; k < p->found.n; k++)
		out->definitions.v[k] = p->found.v[k].def;
	struct local *told = out->locals.v;
	size_t ntold = out->locals.n;
	if (langs[i].grammar)
		references_end(p->uses, out);
	if (p->open)
		p->open->facts = (struct facts){ .definitions = { out->definitions.v, out->definitions.n },
			.imports = { out->imports.v, out->imports.n },
			.references = { out->references.v, out->references.n },
			.bases = { out->bases.v, out->bases.n },
			.locals = { out->locals.v, out->locals.n },
			.package = out->package };
	locals_append(out, told, ntold, a);
}

void parse(struct parser *p, const struct lang *l, const char *text, size_t n, int timeout_ms,
    struct arena *a, struct facts *out)
{
	size_t i = (size_t)(l - langs);
	struct parse_budget effort;
	struct syntax_tree t = { .text = text, .n = n, .arena = a, .effort = &effort };

	parse_budget_begin(&effort, n, timeout_ms);
	bool found = find(p, i, &t, timeout_ms, NULL, out);

	if (effort.limit)
		out->limit = effort.limit;
	out->generated = comment_says_generated(text, n);
	if (l->read != READ_SETTINGS)
		search_documents_split(text, n, found ? &p->found : NULL, a, out);
	if (!out->package && !langs[i].grammar)
		out->package = module_name_read(langs[i].name, text, n, a);
	if (!strcmp(langs[i].name, "json"))
		module_aliases_read(text, n, a, out);
	if (!langs[i].grammar) {
		operations_find(langs[i].name, text, n, a, out);
		collections_find(langs[i].name, text, n, a, out);
	}
	if (!found)
		return;
	put_definitions(p, i, a, out);
	grpc_find_generated_names(text, n, a, out);
	if (langs[i].grammar)
		generated_find(text, n, a, out);
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
	if (!find(p, i, &out->tree, RETAINED_PARSE_MS, out, &out->facts) || !out->ts) {
		retained_tree_free(out);
		return false;
	}
	put_definitions(p, i, a, &out->facts);
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

	if (l->read != READ_TREE || !load_once(p, i))
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
