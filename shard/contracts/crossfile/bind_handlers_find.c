#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "shard/contracts/crossfile/bind_handlers_internal.h"
#include "shard/storage/symbol_store.h"

enum { MAX_CANDIDATES_PER_NAME = 400, MAX_HANDLER_CANDIDATES = 200000, MOST_WORDS = 24 };

bool bind_handlers_position(
    struct handler_binder *x, const struct sym *s, struct definition_position *out)
{
	struct stmt *q = db_prep(x->db,
	    "select s.start_line, s.end_line, s.signature, f.generated"
	    " from symbols s join files f on f.id = s.file where s.id = ?",
	    x->e);
	bool found = false;

	if (!q || db_bind(q, "i", symbol_id(x->w->files[s->file].id, (int64_t)s->number)))
		return false;
	while (db_step(q, x->e) == 1) {
		*out = (struct definition_position){ .line = (uint32_t)db_int(q, 0),
			.end_line = (uint32_t)db_int(q, 1),
			.signature = arena_str(x->a, db_str(q, 2)),
			.generated = db_int(q, 3) != 0 };
		found = true;
	}
	return found;
}

/* ---- names ---- */

/*
 * The length of the word at `name`: letters and digits up to the next capital behind a small one.
 */
static size_t word_length(const char *name)
{
	size_t n = 0;

	while (isalnum((unsigned char)name[n])) {
		bool begins = isupper((unsigned char)name[n]);
		if (n && begins && !isupper((unsigned char)name[n - 1]))
			break;
		n++;
	}
	return n;
}

/* Split a name at its signs, and where a capital begins a word; how many words. */
static size_t words_of(struct handler_binder *x, const char *name, const char *out[MOST_WORDS])
{
	size_t n = 0;

	while (*name && n < MOST_WORDS) {
		while (*name && !isalnum((unsigned char)*name))
			name++;
		size_t len = word_length(name);
		if (len)
			out[n++] = arena_strn(x->a, name, len);
		name += len;
	}
	return n;
}

enum spelling { CAMEL, PASCAL, SNAKE, SPELLINGS };

/* One word of a name; `first`: it is the first one. */
static void spell_word(struct buf *b, const char *word, bool first, enum spelling how)
{
	for (const char *c = word; *c; c++) {
		int letter = (unsigned char)*c;
		bool lower = how == SNAKE || (how == CAMEL && first && c == word);
		if (lower)
			letter = tolower(letter);
		else if (c == word)
			letter = toupper(letter);
		buf_byte(b, (char)letter);
	}
}

static const char *spell_name(
    struct handler_binder *x, const char *const *word, size_t n, enum spelling how)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (how == SNAKE && i)
			buf_byte(&b, '_');
		spell_word(&b, word[i], !i, how);
	}
	const char *out = arena_strn(x->a, b.p, b.n);
	buf_free(&b);
	return out;
}

/*
 * The name that generators give to the function of an operation without id: getPetsId or petsIdGet.
 * Its label is `GET /pets/{id}`.
 */
static const char *generated_handler_name(
    struct handler_binder *x, const struct operation *o, bool verb_last)
{
	const char *path = NULL;
	char *verb = arena_str(x->a, o->method);

	if (o->label)
		path = strchr(o->label, '/');
	if (!path)
		return "";
	for (char *c = verb; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (verb_last)
		return arena_printf(x->a, "%s/%s", path, verb);
	return arena_printf(x->a, "%s/%s", verb, path);
}

/* ---- candidates ---- */

static void candidate_add(struct bound_operation *a, const struct sym *s)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i] == s)
			return;
	a->v = grow(a->v, &a->cap, a->n + 1, sizeof *a->v);
	a->v[a->n++] = s;
}

/* Whether the lines of a definition make an HTTP request, as a client's method does. */
static bool makes_http_request(
    const struct handler_binder *x, int64_t file, const struct definition_position *at)
{
	for (size_t i = 0; i < x->ncode; i++) {
		const struct fact *f = &x->code[i].fact;
		if (x->code[i].file == file && !strcmp(f->side, "consumes") && !strcmp(f->kind, "http") &&
		    f->line >= at->line && f->line <= at->end_line)
			return true;
	}
	return false;
}

static bool of_interface(const struct sym *s)
{
	return s->owner == KIND_interface || s->owner == KIND_trait;
}

/* Whether a rule of the table accepts the function as a handler. */
static bool is_handler(struct handler_binder *x, const struct sym *s)
{
	const struct source_file *f = &x->w->files[s->file];
	struct definition_position at;

	if (!kind_is_callable(s->kind) || s->test || f->test || of_interface(s))
		return false;
	if (!bind_handlers_position(x, s, &at) || at.generated)
		return false;
	return bind_handlers_rule_matches(x, s, &at) && !makes_http_request(x, f->id, &at);
}

/* Add the handlers of that name. */
static void by_name(struct handler_binder *x, struct bound_operation *a, const char *name)
{
	int examined = 0;

	if (!*name)
		return;
	for (const struct sym *s = program_find_name(x->w, name); s; s = s->next) {
		if (examined++ == MAX_CANDIDATES_PER_NAME ||
		    x->definitions_examined >= MAX_HANDLER_CANDIDATES)
			return;
		x->definitions_examined++;
		if (is_handler(x, s))
			candidate_add(a, s);
	}
}

static void by_spellings(struct handler_binder *x, struct bound_operation *a, const char *name)
{
	const char *word[MOST_WORDS];
	size_t n = words_of(x, name, word);

	for (int i = 0; i < SPELLINGS; i++)
		by_name(x, a, spell_name(x, word, n, i));
}

static void by_id(struct handler_binder *x, struct bound_operation *a)
{
	const char *name = a->o.name, *word[MOST_WORDS];

	if (!name || !*name) {
		by_spellings(x, a, generated_handler_name(x, &a->o, false));
		by_spellings(x, a, generated_handler_name(x, &a->o, true));
		return;
	}
	by_name(x, a, name);
	by_spellings(x, a, name);
	size_t n = words_of(x, name, word);
	if (n)
		by_name(x, a, arena_printf(x->a, "%sAsync", spell_name(x, word, n, PASCAL)));
}

/* The path of a file without its extension. */
static char *stem_of(struct handler_binder *x, const struct source_file *f)
{
	size_t n = strlen(f->path);
	const char *dot = strrchr(f->path, '.');

	if (dot && !strchr(dot, '/'))
		n = (size_t)(dot - f->path);
	return arena_strn(x->a, f->path, n);
}

/* The same with dots in place of slashes; `index`: without the name of an index file. */
static const char *module_of(struct handler_binder *x, const struct source_file *f, bool index)
{
	char *s = stem_of(x, f), *slash = strrchr(s, '/');

	if (index && slash && (!strcmp(slash, "/__init__") || !strcmp(slash, "/index")))
		*slash = 0;
	for (char *c = s; *c; c++) {
		if (*c == '/')
			*c = '.';
	}
	return s;
}

/* Whether the text is `end`, or ends with it after a dot, whatever the case. */
static bool ends(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcasecmp(text + n - m, end) && (n == m || text[n - m - 1] == '.');
}

/* A reference with dots in place of its other signs, without the path to this folder. */
static const char *dotted(struct handler_binder *x, const char *owner, const char *name)
{
	char *out = arena_str(x->a, name);

	if (owner && *owner)
		out = arena_printf(x->a, "%s.%s", owner, name);
	while (!strncmp(out, "./", 2) || !strncmp(out, "../", 3))
		out = strchr(out, '/') + 1;
	for (char *c = out; *c; c++)
		if (strchr("/:#\\", *c))
			*c = '.';
	for (char *two = strstr(out, ".."); two; two = strstr(out, ".."))
		memmove(two, two + 1, strlen(two));
	return out;
}

/* Whether a definition is the one that a reference names, by its module and its own name. */
static bool has_module_name(struct handler_binder *x, const struct sym *s, const char *ref)
{
	const struct source_file *f = &x->w->files[s->file];

	return ends(arena_printf(x->a, "%s.%s", module_of(x, f, false), s->qualified), ref) ||
	    ends(arena_printf(x->a, "%s.%s", module_of(x, f, true), s->qualified), ref);
}

/* Add what a reference names by module (and type) and function. */
static void by_module(
    struct handler_binder *x, struct bound_operation *a, const char *ref, bool sure)
{
	const char *dot = strrchr(ref, '.'), *last = ref;

	if (dot)
		last = dot + 1;
	if (!*last)
		return;
	for (const struct sym *s = program_find_name(x->w, last); s; s = s->next) {
		const struct source_file *f = &x->w->files[s->file];
		struct definition_position at;
		if (s->test || f->test || !f->dialect || of_interface(s) || kind_is_type(s->kind))
			continue;
		if (!has_module_name(x, s, ref))
			continue;
		if (!bind_handlers_position(x, s, &at) || at.generated)
			continue;
		if (sure || bind_handlers_rule_matches(x, s, &at))
			candidate_add(a, s);
	}
}

/* `app.users.search`, or a controller and its function; else the id alone. */
static void openapi_candidates(struct handler_binder *x, struct bound_operation *a)
{
	const char *name = a->o.name, *dot = NULL;

	if (name)
		dot = strchr(name, '.');
	if (a->o.owner && name)
		by_module(x, a, dotted(x, a->o.owner, name), true);
	else if (dot)
		by_module(x, a, name, strchr(dot + 1, '.') != NULL);
	if (!a->n)
		by_id(x, a);
}

/* How many folders two paths have in common. */
static size_t common_folder_count(const char *a, const char *b)
{
	size_t n = 0;

	for (; *a && *a == *b; a++, b++)
		n += *a == '/';
	return n;
}

/* ---- cloud functions ---- */

const char *bind_handlers_resolve_path(
    struct handler_binder *x, const char *document, const char *path)
{
	const char *slash = strrchr(document, '/');
	struct buf b = { 0 };

	if (slash)
		buf_put(&b, document, (size_t)(slash - document));
	while (*path) {
		size_t n = strcspn(path, "/");
		if (n == 2 && !memcmp(path, "..", 2)) {
			while (b.n && b.p[b.n - 1] != '/')
				b.n--;
			if (b.n)
				b.n--;
		} else if (n && !(n == 1 && *path == '.')) {
			if (b.n)
				buf_byte(&b, '/');
			buf_put(&b, path, n);
		}
		path += n + (path[n] == '/');
	}
	const char *out = arena_strn(x->a, b.p, b.n);
	buf_free(&b);
	return out;
}

static bool ends_path(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);

	return n >= m && !strcmp(path + n - m, end) && (n == m || path[n - m - 1] == '/');
}

/*
 * Add functions `name` at the top level of the file with the path `stem`; if there is none, of
 * files whose path ends with `part`.
 */
static void by_file(struct handler_binder *x, struct bound_operation *a, const char *stem,
    const char *part, const char *name)
{
	for (int loose = 0; loose < 2 && !a->n; loose++)
		for (const struct sym *s = program_find_name(x->w, name); s; s = s->next) {
			const struct source_file *f = &x->w->files[s->file];
			if (f->test || s->test || !f->dialect || strchr(s->qualified, '.'))
				continue;
			const char *its = stem_of(x, f);
			bool fits = !strcmp(its, stem);
			if (loose)
				fits = ends_path(its, part);
			if (fits)
				candidate_add(a, s);
		}
}

/* Add main of the program in the folder `dir`; if there is none, of folders named `word`. */
static void by_program(
    struct handler_binder *x, struct bound_operation *a, const char *dir, const char *word)
{
	for (int loose = 0; loose < 2 && !a->n; loose++)
		for (const struct sym *s = program_find_name(x->w, "main"); s; s = s->next) {
			const struct source_file *f = &x->w->files[s->file];
			if (f->test || s->test || s->kind != KIND_function)
				continue;
			bool fits = !strcmp(f->dir, dir);
			if (loose)
				fits = *word && ends_path(f->dir, word);
			if (fits)
				candidate_add(a, s);
		}
}

/* Keep only the candidates in the folder of the code, if there are any. */
static void keep_below(struct handler_binder *x, struct bound_operation *a, const char *folder)
{
	size_t n = 0, len = strlen(folder);

	for (size_t i = 0; i < a->n; i++) {
		const struct sym *s = a->v[i];
		const char *path = x->w->files[s->file].path;
		if (!strncmp(path, folder, len) && (!len || path[len] == '/')) {
			a->v[i] = a->v[n];
			a->v[n++] = s;
		}
	}
	if (n)
		a->n = n;
}

/* Java, C#: ASSEMBLY::NAMESPACE.TYPE::METHOD; the last two names are the type and the method. */
static void by_type_and_method(
    struct handler_binder *x, struct bound_operation *a, const char *handler)
{
	const char *ref = dotted(x, NULL, handler), *at = strrchr(ref, '.'),
	           *assembly = strchr(ref, '.');

	while (at && at > ref && at[-1] != '.')
		at--;
	if (assembly && at && assembly < at)
		by_module(x, a, assembly + 1, true);
	if (a->n)
		return;
	if (!at)
		at = ref;
	by_module(x, a, at, true);
}

/* FILE.FUNCTION, whose path is relative to the folder; `dot`: the last one of the handler. */
static void by_file_and_function(struct handler_binder *x, struct bound_operation *a,
    const char *folder, const char *handler, const char *dot)
{
	const char *part = arena_strn(x->a, handler, (size_t)(dot - handler));
	const char *path = bind_handlers_resolve_path(x, "x", part), *inner = strchr(path, '/');
	const char *stem = bind_handlers_resolve_path(x, arena_printf(x->a, "%s/x", folder), part);

	by_file(x, a, stem, path, dot + 1);
	if (!a->n && inner)		/* dist/users.get is made of src/users.ts */
		by_file(x, a, "", inner + 1, dot + 1);
	if (!a->n)			/* com.example.Handler */
		by_module(x, a, arena_printf(x->a, "%s.handleRequest", dot + 1), true);
}

static void function_candidates(struct handler_binder *x, struct bound_operation *a)
{
	const char *handler = "", *owner = "";

	if (a->o.name)
		handler = a->o.name;
	if (a->o.owner)
		owner = a->o.owner;
	const char *folder = bind_handlers_resolve_path(x, a->path, owner);
	const char *dot = strrchr(handler, '.'), *slash = strrchr(handler, '/'), *program = handler;
	if (slash)
		program = slash + 1;
	if (strstr(handler, "::"))
		by_type_and_method(x, a, handler);
	else if (dot && !(slash && dot < slash))
		by_file_and_function(x, a, folder, handler, dot);
	else if (*handler)
		by_program(x, a, folder, program);
	keep_below(x, a, folder);
}

/* The function of a template that a document names; of several templates, the nearest one's. */
static const struct bound_operation *resource_of(
    const struct handler_binder *x, const struct bound_operation *a)
{
	const struct bound_operation *best = NULL;

	for (size_t i = 0; a->o.resource && i < x->n; i++) {
		const struct bound_operation *f = &x->v[i];
		if (strcmp(f->o.kind, "function") || strcmp(f->o.label, a->o.resource))
			continue;
		if (!best ||
		    common_folder_count(a->path, f->path) > common_folder_count(a->path, best->path))
			best = f;
	}
	return best;
}

/* ---- gRPC ---- */

/*
 * The call that starts the gateway of a service that another program implements:
 * RegisterCartHandlerFromEndpoint(…) of its generated code.
 */
static void gateway_find(struct handler_binder *x, struct bound_operation *a)
{
	static const char *const behind[] = { "HandlerFromEndpoint", "Handler", "HandlerServer",
		"HandlerClient", "HTTPServer" };
	const char *slash = strrchr(a->o.name, '/'), *from = slash;
	struct fact *call = arena_one(x->a, struct fact);

	while (from && from > a->o.name && from[-1] != '.')
		from--;
	for (size_t i = 0; from && i < LEN(behind) && !a->method; i++) {
		const char *name = arena_printf(
		    x->a, "Register%.*s%s", (int)(slash - from), from, behind[i]);
		for (const struct sym *s = program_find_name(x->w, name); s && !a->method; s = s->next)
			if (bind_handlers_first_call(x, s, call, &a->method_file))
				a->method = call;
	}
}

static void method_find(struct handler_binder *x, struct bound_operation *a)
{
	for (size_t i = 0; i < x->ncode && !a->method; i++) {
		const struct fact *f = &x->code[i].fact;
		if (!strcmp(f->kind, "grpc") && !strcmp(f->side, "provides") &&
		    !strcmp(f->path, a->o.name)) {
			a->method = f;
			a->method_file = x->code[i].file;
		}
	}
	if (!a->method)
		gateway_find(x, a);
}

/* ---- choosing one of several ---- */

/* A key for the type, or the file, that a function is in. */
static const char *container(
    struct handler_binder *x, const struct bound_operation *a, const struct sym *s)
{
	const char *dot = strrchr(s->qualified, '.');

	size_t n = 0;

	if (dot)
		n = (size_t)(dot - s->qualified);
	return arena_printf(x->a, "%lld %u %.*s", (long long)a->file, s->file, (int)n, s->qualified);
}

/*
 * Choose the candidate whose container has most of the document's handlers, then the nearest one.
 */
static void choose_handler(struct handler_binder *x, struct map *counts)
{
	for (size_t i = 0; i < x->n; i++) {
		struct bound_operation *a = &x->v[i];
		size_t most = 0, near = 0;
		for (size_t k = 0; k < a->n; k++) {
			size_t count = (size_t)(uintptr_t)map_get(counts, container(x, a, a->v[k]));
			size_t way = common_folder_count(a->path, x->w->files[a->v[k]->file].path);
			if (a->by && (count < most || (count == most && way <= near)))
				continue;
			a->by = a->v[k];
			most = count;
			near = way;
		}
	}
}

static void find(struct handler_binder *x, struct bound_operation *a)
{
	const struct bound_operation *function = resource_of(x, a);

	if (function) {
		struct bound_operation other = {
			.o = function->o, .file = function->file, .path = function->path
		};
		function_candidates(x, &other);
		a->v = other.v;
		a->n = other.n;
	} else if (!strcmp(a->o.form, "openapi")) {
		openapi_candidates(x, a);
	} else if (!strcmp(a->o.form, "openapi-server")) {
		by_id(x, a);
	} else if (!strcmp(a->o.form, "grpc-gateway")) {
		method_find(x, a);
	} else if (strcmp(a->o.form, "openapi-client")) {
		function_candidates(x, a);
	}
}

void bind_handlers_find(struct handler_binder *x)
{
	struct map *counts = map_new();

	for (size_t i = 0; i < x->n; i++) {
		struct bound_operation *a = &x->v[i];
		find(x, a);
		for (size_t k = 0; k < a->n; k++) {
			void **at = map_at(counts, container(x, a, a->v[k]));
			*at = (void *)((uintptr_t)*at + 1);
		}
	}
	choose_handler(x, counts);
	map_free(counts);
}
