#include "shard/formats/value_tree.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/*
 * Code as far as it is literal.  A statement is `name = value`, `name: value`, `name value, value`
 * or `name(value, …) { … }`; a value is a text, a word, a list, a call.  Arguments are children
 * without names, or with those of keywords; what a block or a list holds, too.  Of everything else
 * only the blocks are seen.
 */

enum code_token { END, NAME, TEXT, LINE, OTHER };	/* OTHER: one character */

struct code_reader {
	struct value_tree *t;
	const char *s, *end;
	size_t line;
	enum code_token is;		/* of the token at hand: */
	const char *text;	/* of a name or text */
	char sign;
	size_t at;		/* its line */
	int depth;
};

static bool among(const char *w, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(w, list[i]))
			return true;
	return false;
}

static bool begins(const struct code_reader *r, const char *what)
{
	size_t n = strlen(what);

	return (size_t)(r->end - r->s) >= n && !memcmp(r->s, what, n);
}

static void skip_bytes(struct code_reader *r, size_t n)
{
	for (; n && r->s < r->end; n--, r->s++)
		r->line += *r->s == '\n';
}

static void skip_to(struct code_reader *r, const char *what)
{
	while (r->s < r->end && !begins(r, what))
		skip_bytes(r, 1);
}

static void skip(struct code_reader *r)
{
	for (;;) {
		if (r->s < r->end && (*r->s == ' ' || *r->s == '\t' || *r->s == '\r' || *r->s == ';'))
			r->s++;
		else if (begins(r, "\\\n"))
			skip_bytes(r, 2);
		else if (begins(r, "//") || begins(r, "#"))
			while (r->s < r->end && *r->s != '\n')
				r->s++;
		else if (begins(r, "/*")) {
			skip_bytes(r, 2);
			skip_to(r, "*/");
			skip_bytes(r, 2);
		} else
			return;
	}
}

static void read_text(struct code_reader *r)
{
	const char mark[4] = { *r->s, *r->s, *r->s, 0 }, *close = begins(r, mark) ? mark : mark + 2;
	struct buf b = { 0 };

	skip_bytes(r, strlen(close));
	while (r->s < r->end && !begins(r, close) && !(*r->s == '\n' && !close[1])) {
		if (*r->s == '\\' && r->s + 1 < r->end)
			skip_bytes(r, 1);
		buf_byte(&b, *r->s);
		skip_bytes(r, 1);
	}
	if (begins(r, close))
		skip_bytes(r, strlen(close));
	r->text = arena_strn(r->t->a, b.p ? b.p : "", b.n);
	buf_free(&b);
}

static bool of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '?' || c == '!';
}

/*
 * A name with all its dots: spec.name, libs.spring.boot, Gem::Specification.new; a symbol, :test.
 */
static void read_name(struct code_reader *r)
{
	const char *from = r->s;

	while (r->s < r->end &&
	    (of_name(*r->s) ||
	        (r->s + 1 < r->end && ((*r->s == '.' && of_name(r->s[1])) || begins(r, "::")))))
		r->s += begins(r, "::") ? 2 : 1;
	r->text = arena_strn(r->t->a, from, (size_t)(r->s - from));
}

static void next(struct code_reader *r)
{
	skip(r);
	r->at = r->line;
	r->text = NULL;
	if (r->s < r->end)
		r->sign = *r->s;
	else
		r->sign = 0;
	if (r->s == r->end) {
		r->is = END;
	} else if (*r->s == '\n') {
		r->is = LINE;
		skip_bytes(r, 1);
	} else if (*r->s == '"' || *r->s == '\'') {
		r->is = TEXT;
		read_text(r);
	} else if (of_name(*r->s) ||
	    (*r->s == ':' && r->s + 1 < r->end && isalpha((unsigned char)r->s[1]))) {
		r->is = NAME;
		r->s += *r->s == ':';
		read_name(r);
		if (strlen(r->text) < 3 && strspn(r->text, "rfbuRFBU") == strlen(r->text) &&
		    r->s < r->end && (*r->s == '"' || *r->s == '\'')) {
			r->is = TEXT;	/* of Python, with a prefix */
			read_text(r);
		}
	} else {
		r->is = OTHER;
		r->s++;
	}
}

static bool is(const struct code_reader *r, char sign)
{
	return r->is == OTHER && r->sign == sign;
}

static void skip_lines(struct code_reader *r)
{
	while (r->is == LINE)
		next(r);
}

static const char *last_part(const char *name)
{
	const char *dot = strrchr(name, '.');

	if (dot && dot[1])
		return dot + 1;
	return name;
}

static void statements(struct code_reader *, struct value_node *in, const char *close);
static void value(struct code_reader *, struct value_node *in, const char *name);

/* Values with commas between, up to `close`, which is taken; 0: up to the end of the line. */
static void values(struct code_reader *r, struct value_node *in, char close)
{
	while (r->is != END) {
		if (close)
			skip_lines(r);
		if (close ? is(r, close) : r->is == LINE || is(r, '{') || is(r, '}') || is(r, ')'))
			break;
		if (r->is == NAME && !close && !strcmp(r->text, "do"))
			break;
		const char *before = r->s;
		value(r, in, NULL);
		if (is(r, ',')) {
			next(r);
			skip_lines(r);
		} else if (r->s == before) {	/* what is no value */
			next(r);
		} else if (!close) {
			break;
		}
	}
	if (close && is(r, close))
		next(r);
}

/* A block that may follow: { … } or do |x| … end. */
static void block(struct code_reader *r, struct value_node *in)
{
	if (is(r, '{')) {
		next(r);
		statements(r, in, "}");
	} else if (r->is == NAME && !strcmp(r->text, "do")) {
		next(r);
		statements(r, in, "end");
	}
}

/*
 * A text, word, call or list, as a child; with `key: value` and `key => value` the key is its
 * name.
 */
static void value(struct code_reader *r, struct value_node *in, const char *name)
{
	enum code_token kind = r->is;
	const char *text = r->text;
	size_t line = r->at;
	char sign = r->sign;

	if (kind == END || kind == LINE || r->depth > VALUE_TREE_MAX_DEPTH || !in)
		return;
	if (kind == OTHER && sign != '[' && sign != '{' && sign != '(')
		return;
	r->depth++;
	next(r);
	if (kind != OTHER && !name && (is(r, ':') || is(r, '='))) {
		bool arrow = is(r, '=');
		next(r);
		if (arrow && is(r, '>'))
			next(r);
		skip_lines(r);
		value(r, in, kind == TEXT ? text : last_part(text));
	} else if (kind == OTHER) {
		struct value_node *x = value_tree_add(r->t, in, name, NULL, line);
		values(r, x, sign == '[' ? ']' : sign == '{' ? '}' : ')');
	} else if (is(r, '(')) {
		struct value_node *x = value_tree_add(r->t, in, name ? name : last_part(text), NULL, line);
		next(r);
		values(r, x, ')');
		block(r, x);
	} else {
		struct value_node *x = value_tree_add(r->t, in, name, text, line);
		if (x)
			x->word = kind == NAME;
	}
	r->depth--;
}

/* One statement that begins with a name; whether another one may begin behind what was read. */
static bool statement(struct code_reader *r, struct value_node *in)
{
	static const char *const before[] = { "def", "val", "var", "final", "String", "let", "const",
		"public", "private", "import" };
	static const char *const opens[] = { "if", "unless", "case", "begin", "while", "class",
		"module", "for" };
	const char *name = r->text;
	size_t line = r->at;

	next(r);
	if (r->is == NAME && among(name, before, LEN(before)))
		return true;
	if (is(r, '=') || is(r, '+') || is(r, ':')) {
		while (is(r, '=') || is(r, '+') || is(r, '|') || is(r, ':'))
			next(r);
		value(r, in, last_part(name));
		return false;
	}
	if (among(name, opens, LEN(opens)))
		return false;
	struct value_node *x = value_tree_add(r->t, in, last_part(name), NULL, line);
	if (!x)
		return false;
	if (is(r, '<')) {	/* types: create<MavenPublication>("x") */
		while (r->is != LINE && r->is != END && !is(r, '>'))
			next(r);
		next(r);
	}
	if (is(r, '(')) {
		next(r);
		values(r, x, ')');
	} else if (r->is == TEXT || r->is == NAME || is(r, '[')) {
		values(r, x, 0);
	}
	block(r, x);
	return false;
}

/* A block of Ruby that is none of ours: what is in it is still seen. */
static bool opens_block(const struct code_reader *r)
{
	static const char *const words[] = { "if", "unless", "case", "begin", "while", "class",
		"module", "def" };

	return r->is == NAME && among(r->text, words, LEN(words));
}

static bool closes(const struct code_reader *r, const char *close)
{
	return close && ((r->is == NAME && !strcmp(r->text, close)) || is(r, *close));
}

/* Up to `close`: "}", ")", "end", or NULL: the end of the file. */
static void statements(struct code_reader *r, struct value_node *in, const char *close)
{
	bool first = true;	/* of a statement */

	r->depth++;
	while (r->is != END && r->depth <= VALUE_TREE_MAX_DEPTH && !closes(r, close)) {
		const char *open = is(r, '{') ? "}" : is(r, '(') ? ")" : NULL;
		if (first && close && *close == 'e' && opens_block(r)) {
			while (r->is != LINE && r->is != END)
				next(r);
			statements(r, in, "end");
		} else if (open) {
			next(r);
			statements(r, in, open);
		} else if (first && r->is == NAME) {
			first = statement(r, in);
			continue;
		} else if (first && r->is == TEXT) {
			value(r, in, NULL);
		} else {
			first = r->is == LINE;
			next(r);
			continue;
		}
		first = false;
	}
	if (r->is != END)
		next(r);
	r->depth--;
}

void value_tree_read_code(struct value_tree *t, const char *text, size_t n)
{
	struct code_reader r = { .t = t, .s = text, .end = text + n, .line = 1 };

	next(&r);
	while (r.is != END)
		statements(&r, t->root, NULL);
}
