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
	    "select s.start_line, s.end_line, s.signature, f.generated from symbols s join files f on f.id = s.file"
	    " where s.id = ?",
	    x->e);
	bool found = false;

	if (!q || db_bind(q, "i", symbol_id(x->w->files[s->file].id, (int64_t)s->number)))
		return false;
	while (db_step(q, x->e) == 1) {
		*out = (struct definition_position){ (uint32_t)db_int(q, 0), (uint32_t)db_int(q, 1), arena_str(x->a, db_str(q, 2)), db_int(q, 3) != 0 };
		found = true;
	}
	return found;
}

/* ---- names ---- */

/* Parts a name at what is no letter or digit, and where a capital begins a word; how many. */
static size_t words_of(struct handler_binder *x, const char *name, const char *out[MOST_WORDS])
{
	size_t n = 0;

	while (*name && n < MOST_WORDS) {
		size_t len = 0;
		while (*name && !isalnum((unsigned char)*name))
			name++;
		while (isalnum((unsigned char)name[len]) &&
		    !(len && isupper((unsigned char)name[len]) && !isupper((unsigned char)name[len - 1])))
			len++;
		if (len)
			out[n++] = arena_strn(x->a, name, len);
		name += len;
	}
	return n;
}

enum spelling { CAMEL, PASCAL, SNAKE, SPELLINGS };

static const char *spell_name(
    struct handler_binder *x, const char *const *word, size_t n, enum spelling how)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (how == SNAKE && i)
			buf_byte(&b, '_');
		for (const char *c = word[i]; *c; c++) {
			int letter = (unsigned char)*c;
			if (how == SNAKE)
				letter = tolower(letter);
			else if (c == word[i]) {
				if (how == CAMEL && !i)
					letter = tolower(letter);
				else
					letter = toupper(letter);
			}
			buf_byte(&b, (char)letter);
		}
	}
	const char *out = arena_strn(x->a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return out;
}

/*
 * What generators call a function whose operation has no id: getPetsId, petsIdGet.  Its label is
 * `GET /pets/{id}`.
 */
static const char *generated_handler_name(
    struct handler_binder *x, const struct operation *o, bool verb_last)
{
	const char *path = o->label ? strchr(o->label, '/') : NULL;
	char *verb = arena_str(x->a, o->method);

	for (char *c = verb; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (!path)
		return "";
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

/* Whether the lines of a definition ask for something over HTTP: a client's method. */
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

/* A function of that name that a row of the table takes for a handler. */
static void by_name(struct handler_binder *x, struct bound_operation *a, const char *name)
{
	int looked = 0;

	for (const struct sym *s = *name ? program_find_name(x->w, name) : NULL;
	     s && looked < MAX_CANDIDATES_PER_NAME && x->definitions_examined < MAX_HANDLER_CANDIDATES;
	     s = s->next, looked++, x->definitions_examined++) {
		struct definition_position at;
		if (!kind_is_callable(s->kind) || s->test || x->w->files[s->file].test || of_interface(s))
			continue;
		if (bind_handlers_position(x, s, &at) && !at.generated &&
		    bind_handlers_rule_matches(x, s, &at) &&
		    !makes_http_request(x, x->w->files[s->file].id, &at))
			candidate_add(a, s);
	}
}

static void by_id(struct handler_binder *x, struct bound_operation *a)
{
	const char *word[MOST_WORDS];
	bool named = a->o.name && *a->o.name;

	for (int form = 0; form < (named ? 1 : 2); form++) {
		size_t n = words_of(x, named ? a->o.name : generated_handler_name(x, &a->o, form), word);
		if (named)
			by_name(x, a, a->o.name);
		for (int i = 0; i < SPELLINGS; i++)
			by_name(x, a, spell_name(x, word, n, i));
		if (named && n)
			by_name(x, a, arena_printf(x->a, "%sAsync", spell_name(x, word, n, PASCAL)));
	}
}

/* The path of a file without its extension. */
static char *stem_of(struct handler_binder *x, const struct source_file *f)
{
	size_t n = strlen(f->path);
	const char *dot = strrchr(f->path, '.');

	return arena_strn(x->a, f->path, dot && !strchr(dot, '/') ? (size_t)(dot - f->path) : n);
}

/* The same with dots; `index`: without the name of an index. */
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

/* A reference with dots in place of its other signs, without what leads to this folder. */
static const char *dotted(struct handler_binder *x, const char *owner, const char *name)
{
	char *s = arena_printf(x->a, "%s%s%s", owner ? owner : "", owner && *owner ? "." : "", name),
	     *out = s;

	while (!strncmp(out, "./", 2) || !strncmp(out, "../", 3))
		out = strchr(out, '/') + 1;
	for (char *c = out; *c; c++)
		if (*c == '/' || *c == ':' || *c == '#' || *c == '\\')
			*c = '.';
	for (char *two; (two = strstr(out, ".."));)
		memmove(two, two + 1, strlen(two));
	return out;
}

/* What is named by module (and type) and function. */
static void by_module(
    struct handler_binder *x, struct bound_operation *a, const char *ref, bool sure)
{
	const char *last = ref;

	if (strrchr(ref, '.'))
		last = strrchr(ref, '.') + 1;
	for (const struct sym *s = *last ? program_find_name(x->w, last) : NULL; s; s = s->next) {
		const struct source_file *f = &x->w->files[s->file];
		struct definition_position at;
		if (s->test || f->test || !f->dialect || of_interface(s) || kind_is_type(s->kind) ||
		    (!ends(arena_printf(x->a, "%s.%s", module_of(x, f, false), s->qualified), ref) &&
		    !ends(arena_printf(x->a, "%s.%s", module_of(x, f, true), s->qualified), ref)))
			continue;
		if (bind_handlers_position(x, s, &at) && !at.generated &&
		    (sure || bind_handlers_rule_matches(x, s, &at)))
			candidate_add(a, s);
	}
}

/* `app.users.search`, or a controller and its function; else by the id alone. */
static void openapi_candidates(struct handler_binder *x, struct bound_operation *a)
{
	const char *name = a->o.name;
	size_t dots = 0;

	for (const char *c = name ? name : ""; *c; c++)
		dots += *c == '.';
	if (a->o.owner && name)
		by_module(x, a, dotted(x, a->o.owner, name), true);
	else if (dots)
		by_module(x, a, name, dots > 1);
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

/* ---- functions of a cloud ---- */

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
			while (b.n && b.p[--b.n] != '/')
				;
		} else if (n && !(n == 1 && *path == '.')) {
			if (b.n)
				buf_byte(&b, '/');
			buf_put(&b, path, n);
		}
		path += n + (path[n] == '/');
	}
	const char *out = arena_strn(x->a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return out;
}

static bool ends_path(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);

	return n >= m && !strcmp(path + n - m, end) && (n == m || path[n - m - 1] == '/');
}

/*
 * A function `name` at the top of the file that is `stem`; if there is none, of one whose path
 * ends like it.
 */
static void by_file(struct handler_binder *x, struct bound_operation *a, const char *stem,
    const char *part, const char *name)
{
	for (int loose = 0; loose < 2 && !a->n; loose++)
		for (const struct sym *s = program_find_name(x->w, name); s; s = s->next) {
			const struct source_file *f = &x->w->files[s->file];
			if (f->test || s->test || !f->dialect || strchr(s->qualified, '.'))
				continue;
			if (loose ? ends_path(stem_of(x, f), part) : !strcmp(stem_of(x, f), stem))
				candidate_add(a, s);
		}
}

/* main of a program whose folder is `dir`, or is called so. */
static void by_program(
    struct handler_binder *x, struct bound_operation *a, const char *dir, const char *word)
{
	for (int loose = 0; loose < 2 && !a->n; loose++)
		for (const struct sym *s = program_find_name(x->w, "main"); s; s = s->next) {
			const struct source_file *f = &x->w->files[s->file];
			if (!f->test && !s->test && s->kind == KIND_function &&
			    (loose ? *word && ends_path(f->dir, word) : !strcmp(f->dir, dir)))
				candidate_add(a, s);
		}
}

/* Of several those in the folder of the code, if there are such. */
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

static void function_candidates(struct handler_binder *x, struct bound_operation *a)
{
	const char *handler = a->o.name ? a->o.name : "", *dot = strrchr(handler, '.'),
	           *slash = strrchr(handler, '/');
	const char *folder = bind_handlers_resolve_path(x, a->path, a->o.owner ? a->o.owner : "");

	/* Java, C#: the last two names are the type and the method */
	if (strstr(handler, "::")) {
		const char *ref = dotted(x, NULL, handler), *at = strrchr(ref, '.'),
		           *assembly = strchr(ref, '.');
		while (at && at > ref && at[-1] != '.')
			at--;
		if (assembly && at && assembly < at)
			by_module(x, a, assembly + 1, true);
		if (!a->n)
			by_module(x, a, at ? at : ref, true);
	} else if (dot && !(slash && dot < slash)) {
		const char *part = arena_strn(x->a, handler, (size_t)(dot - handler));
		const char *path = bind_handlers_resolve_path(x, "x", part), *inner = strchr(path, '/');
		by_file(x, a, bind_handlers_resolve_path(x, arena_printf(x->a, "%s/x", folder), part), path,
		    dot + 1);
		if (!a->n && inner)		/* dist/users.get is made of src/users.ts */
			by_file(x, a, "", inner + 1, dot + 1);
		if (!a->n)			/* com.example.Handler */
			by_module(x, a, arena_printf(x->a, "%s.handleRequest", dot + 1), true);
	} else if (*handler) {
		by_program(x, a, folder, slash ? slash + 1 : handler);
	}
	keep_below(x, a, folder);
}

/* What a template calls the function that a document says: that of the template nearest to it. */
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
 * Where the gateway of a service is started that others implement:
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

/* ---- who of several ---- */

/* The type, or the file, that a function is in. */
static const char *container(
    struct handler_binder *x, const struct bound_operation *a, const struct sym *s)
{
	const char *dot = strrchr(s->qualified, '.');

	return arena_printf(x->a, "%lld %u %.*s", (long long)a->file, s->file,
	    dot ? (int)(dot - s->qualified) : 0, s->qualified);
}

/* The one whose container answers most of the document, nearest to it, first in order. */
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
