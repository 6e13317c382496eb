#include "shard/formats/value_tree.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/*
 * Reads literal code.  A statement is `name = value`, `name: value`, `name value, value` or
 * `name(value, …) { … }`; a value is a text, a word, a list or a call.  Arguments are children
 * without names, or named by their keywords; so are the contents of blocks and lists.  Of all other
 * code only the blocks are read.
 */

enum code_token { END, NAME, TEXT, LINE, OTHER };	/* OTHER: one character */

struct code_reader {
	struct value_tree *t;
	const char *s, *end;
	size_t line;
	enum code_token is;		/* the current token */
	const char *text;	/* of a name or text */
	char sign;		/* first character of the token */
	size_t at;		/* line of the token */
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
	const char three[4] = { *r->s, *r->s, *r->s, 0 };
	bool lines = begins(r, three);
	const char *close = lines ? three : three + 2;
	struct buf b = { 0 };

	skip_bytes(r, strlen(close));
	while (r->s < r->end && !begins(r, close)) {
		if (*r->s == '\n' && !lines)
			break;
		if (*r->s == '\\' && r->s + 1 < r->end)
			skip_bytes(r, 1);
		buf_byte(&b, *r->s);
		skip_bytes(r, 1);
	}
	if (begins(r, close))
		skip_bytes(r, strlen(close));
	r->text = arena_strn(r->t->a, b.p, b.n);
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

	while (r->s < r->end) {
		bool dot = *r->s == '.' && r->s + 1 < r->end && of_name(r->s[1]);
		if (begins(r, "::"))
			r->s += 2;
		else if (dot || of_name(*r->s))
			r->s++;
		else
			break;
	}
	r->text = arena_strn(r->t->a, from, (size_t)(r->s - from));
}

static bool at_quote(const struct code_reader *r)
{
	return r->s < r->end && (*r->s == '"' || *r->s == '\'');
}

/* Whether a name is the prefix of a text in Python: r, f, rb. */
static bool is_text_prefix(const char *name)
{
	return strlen(name) < 3 && strspn(name, "rfbuRFBU") == strlen(name);
}

/* Whether a name begins here, or a symbol of Ruby such as :test. */
static bool at_name(const struct code_reader *r)
{
	if (of_name(*r->s))
		return true;
	return *r->s == ':' && r->s + 1 < r->end && isalpha((unsigned char)r->s[1]);
}

static void next(struct code_reader *r)
{
	skip(r);
	r->at = r->line;
	r->text = NULL;
	r->sign = 0;
	if (r->s == r->end) {
		r->is = END;
		return;
	}
	r->sign = *r->s;
	if (*r->s == '\n') {
		r->is = LINE;
		skip_bytes(r, 1);
	} else if (at_quote(r)) {
		r->is = TEXT;
		read_text(r);
	} else if (at_name(r)) {
		r->is = NAME;
		r->s += *r->s == ':';
		read_name(r);
		if (is_text_prefix(r->text) && at_quote(r)) {
			r->is = TEXT;
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

/* Whether values that no bracket encloses end here. */
static bool ends_open_values(const struct code_reader *r)
{
	if (r->is == NAME)
		return !strcmp(r->text, "do");
	return r->is == LINE || is(r, '{') || is(r, '}') || is(r, ')');
}

/* Values separated by commas up to `close`, which is taken; 0: up to the end of the line. */
static void values(struct code_reader *r, struct value_node *in, char close)
{
	while (r->is != END) {
		if (close)
			skip_lines(r);
		bool done = close ? is(r, close) : ends_open_values(r);
		if (done)
			break;
		const char *before = r->s;
		value(r, in, NULL);
		if (is(r, ',')) {
			next(r);
			skip_lines(r);
		} else if (r->s == before) {	/* not a value */
			next(r);
		} else if (!close) {
			break;
		}
	}
	if (close && is(r, close))
		next(r);
}

/* An optional block: { … } or do |x| … end. */
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

static char closing_bracket(char open)
{
	switch (open) {
	case '[': return ']';
	case '{': return '}';
	default: return ')';
	}
}

/*
 * Add a text, word, call or list as a child.  In `key: value` and `key => value` the key is its
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
		values(r, x, closing_bracket(sign));
	} else if (is(r, '(')) {
		if (!name)
			name = last_part(text);
		struct value_node *x = value_tree_add(r->t, in, name, NULL, line);
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

static bool at_assignment(const struct code_reader *r)
{
	return is(r, '=') || is(r, '+') || is(r, '|') || is(r, ':');
}

/* A statement that begins with a name.  Returns whether another one may begin right after it. */
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
	if (at_assignment(r)) {
		while (at_assignment(r))
			next(r);
		value(r, in, last_part(name));
		return false;
	}
	if (among(name, opens, LEN(opens)))
		return false;
	struct value_node *x = value_tree_add(r->t, in, last_part(name), NULL, line);
	if (!x)
		return false;
	if (is(r, '<')) {	/* type arguments: create<MavenPublication>("x") */
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

/* A block of Ruby that is not an argument; the statements in it are read. */
static bool opens_block(const struct code_reader *r)
{
	static const char *const words[] = { "if", "unless", "case", "begin", "while", "class",
		"module", "def" };

	return r->is == NAME && among(r->text, words, LEN(words));
}

static bool closes(const struct code_reader *r, const char *close)
{
	if (!close)
		return false;
	if (r->is == NAME)
		return !strcmp(r->text, close);
	return is(r, *close);
}

/* The bracket that closes a block of statements that opens here, or NULL. */
static const char *opened_by(const struct code_reader *r)
{
	if (is(r, '{'))
		return "}";
	if (is(r, '('))
		return ")";
	return NULL;
}

/* Statements up to `close` ("}", ")" or "end"), or up to the end of the file if it is NULL. */
static void statements(struct code_reader *r, struct value_node *in, const char *close)
{
	bool first = true;	/* the token is the first of a statement */

	r->depth++;
	while (r->is != END && r->depth <= VALUE_TREE_MAX_DEPTH && !closes(r, close)) {
		const char *open = opened_by(r);
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
