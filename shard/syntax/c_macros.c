#include "shard/syntax/c_macros.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/syntax/node_rules.h"

enum {
	OPEN = 64,
	MIN_MACRO_NAME = 3,
	MAX_MACROS = 16,	/* before one declaration */
	MAX_LOOKAHEAD = 1000	/* bytes that are read beyond a word */
};

struct macro_span {
	size_t from, to;
};

struct macro_scanner {
	const char *text;
	size_t n, at;
	const struct rules *rules;
	struct arena *arena;
	char *out;			/* the copy; NULL while nothing is blanked */
	/* the last token and the one before it; a sign is one byte; empty if there is none */
	struct macro_span prev, before;
	struct macro_span open[OPEN];		/* the words before the open parentheses */
	size_t nopen;
	struct macro_span called;		/* the word before the last closed parentheses */
	size_t unclosed[2];		/* no ' and no " before these offsets is closed on its line */
};

static bool word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static char at(const struct macro_scanner *s, size_t i)
{
	if (i < s->n)
		return s->text[i];
	return '\0';
}

static size_t word_end(const struct macro_scanner *s, size_t i)
{
	while (i < s->n && word_byte(s->text[i]))
		i++;
	return i;
}

static size_t skip_space(const struct macro_scanner *s, size_t i, bool lines)
{
	while (i < s->n && isspace((unsigned char)s->text[i]) && (lines || s->text[i] != '\n'))
		i++;
	return i;
}

/* The end of a comment that begins at `i`, or `i`. */
static size_t skip_comment(const struct macro_scanner *s, size_t i)
{
	const char *text = s->text + i, *end;

	if (at(s, i) == '/' && at(s, i + 1) == '/') {
		end = memchr(text, '\n', s->n - i);
		if (end)
			return (size_t)(end - s->text);
		return s->n;
	}
	if (at(s, i) == '/' && at(s, i + 1) == '*') {
		end = memmem(text + 2, s->n - i - 2, "*/", 2);
		if (end)
			return (size_t)(end - s->text) + 2;
		return s->n;
	}
	return i;
}

/*
 * The end of a string or character that begins at `i`, or the next byte if it is not closed on its
 * line.  A quote that a failed search has passed is not searched from again: it would fail, too.
 */
static size_t skip_quoted(struct macro_scanner *s, size_t i)
{
	size_t *unclosed = &s->unclosed[s->text[i] == '"'], k;

	if (i < *unclosed)
		return i + 1;
	for (k = i + 1; k < s->n && s->text[k] != '\n'; k++)
		if (s->text[k] == '\\')
			k++;
		else if (s->text[k] == s->text[i])
			return k + 1;
	*unclosed = k;
	return i + 1;
}

static size_t skip_text(struct macro_scanner *s, size_t i)
{
	if (at(s, i) == '"' || at(s, i) == '\'')
		return skip_quoted(s, i);
	return skip_comment(s, i);
}

/* White space and comments. */
static size_t skip_blank(const struct macro_scanner *s, size_t i)
{
	for (;;) {
		i = skip_space(s, i, true);
		if (i >= s->n)
			return s->n;
		size_t end = i;
		if (s->text[i] == '/')
			end = skip_comment(s, i);
		if (end == i)
			return i;
		i = end;
	}
}

/* The end of balanced parentheses that begin at `i`, or `i`. */
static size_t skip_parentheses(const struct macro_scanner *s, size_t i)
{
	size_t depth = 0;

	for (size_t k = i; k < s->n && k < i + MAX_LOOKAHEAD && at(s, i) == '('; k++) {
		depth += s->text[k] == '(';
		depth -= s->text[k] == ')';
		if (!depth)
			return k + 1;
		if (s->text[k] == ';' || s->text[k] == '{')
			return i;
	}
	return i;
}

/* The rest of a directive, with the lines that continue it. */
static size_t skip_directive(const struct macro_scanner *s, size_t i)
{
	while (i < s->n && s->text[i] != '\n')
		i += s->text[i] == '\\' ? 2 : 1;
	return MIN(i, s->n);
}

/* Words of a compiler or system: __init. */
static bool is_reserved(const struct macro_scanner *s, size_t from, size_t to)
{
	return to - from > 2 && s->text[from] == '_' && s->text[from + 1] == '_';
}

/* Words in capitals, and those of a compiler or system. */
static bool looks_like_macro(const struct macro_scanner *s, size_t from, size_t to)
{
	bool letter = false;

	if (is_reserved(s, from, to))
		return true;
	for (size_t i = from; i < to; i++) {
		if (islower((unsigned char)s->text[i]))
			return false;
		letter |= isupper((unsigned char)s->text[i]) != 0;
	}
	return letter && to - from >= MIN_MACRO_NAME;
}

static bool is_word(const struct macro_scanner *s, struct macro_span w)
{
	return w.to > w.from && word_byte(s->text[w.from]);
}

static bool among(const struct macro_scanner *s, struct macro_span w, const struct word_set *words)
{
	return is_word(s, w) && word_set_has(words, s->text + w.from, w.to - w.from);
}

static bool begins_word(const struct macro_scanner *s, size_t i)
{
	return word_byte(at(s, i)) && !isdigit((unsigned char)at(s, i));
}

/* Whether the name at `i` ends the head of a type: `class MACRO Name {`. */
static bool names_type(const struct macro_scanner *s, size_t i)
{
	size_t next = skip_blank(s, word_end(s, i));

	if (!begins_word(s, i))
		return false;
	if (next + 5 < s->n && !memcmp(s->text + next, "final", 5))
		return true;
	if (at(s, next) == ':')
		return at(s, next + 1) != ':';
	return at(s, next) == '{' || at(s, next) == '<';
}

/* The end of type arguments that begin at `i`, or `i`. */
static size_t skip_type_arguments(const struct macro_scanner *s, size_t i)
{
	size_t depth = 0;

	if (at(s, i) != '<')
		return i;
	for (size_t k = i; k < s->n && k < i + MAX_LOOKAHEAD; k++) {
		if (strchr(";{}()", s->text[k]))
			return i;
		depth += s->text[k] == '<';
		depth -= s->text[k] == '>';
		if (!depth)
			return k + 1;
	}
	return i;
}

/* Whether a type and a name follow, so that the word before them is neither. */
static bool type_and_name(const struct macro_scanner *s, size_t i)
{
	size_t end = word_end(s, i);

	if (!begins_word(s, i))
		return false;
	while (at(s, end) == ':' && at(s, end + 1) == ':' && word_end(s, end + 2) > end + 2)
		end = word_end(s, end + 2);
	end = skip_type_arguments(s, end);
	size_t next = end;
	while (isspace((unsigned char)at(s, next)) || at(s, next) == '*' || at(s, next) == '&')
		next++;
	return next > end && begins_word(s, next);
}

/* Whether a declaration can begin here. */
static bool begins_declaration(const struct macro_scanner *s)
{
	if (s->prev.to == s->prev.from || strchr(";{}:>", s->text[s->prev.from]))
		return true;
	return among(s, s->prev, &s->rules->before_types);
}

/* Whether nothing else is on the word's line, and a word or directive follows. */
static bool stands_alone(const struct macro_scanner *s, size_t from, size_t to)
{
	size_t next = skip_blank(s, to);

	while (from && (s->text[from - 1] == ' ' || s->text[from - 1] == '\t'))
		from--;
	if (from && s->text[from - 1] != '\n')
		return false;
	if (memchr(s->text + to, '\n', next - to) == NULL && next < s->n)
		return false;
	return next == s->n || word_byte(s->text[next]) || s->text[next] == '#';
}

static bool is_one_of(const struct macro_scanner *s, struct macro_span w, const char *words)
{
	char word[16] = "";

	if (!is_word(s, w) || w.to - w.from >= sizeof word)
		return false;
	memcpy(word, s->text + w.from, w.to - w.from);
	return type_in_list(word, words);
}

static bool after_sign(const struct macro_scanner *s, char sign)
{
	return s->prev.to > s->prev.from && s->text[s->prev.from] == sign;
}

/* Whether the parameters of a function have just closed: `void f() const`. */
static bool after_head(const struct macro_scanner *s)
{
	if (!after_sign(s, ')') && !is_one_of(s, s->prev, "const|override|final|noexcept"))
		return false;
	return is_word(s, s->called) && !is_one_of(s, s->called, "if|while|for|switch|catch");
}

/*
 * Whether a type and a name have just been read: `int x`.  What follows a word like `static` or
 * `struct` is a type, and then a name comes next, even if it looks like a macro.
 */
static bool after_name(const struct macro_scanner *s)
{
	bool sign = s->before.to > s->before.from && strchr(">*&", s->text[s->before.from]);

	if (!is_word(s, s->prev) || (!sign && !is_word(s, s->before)))
		return false;
	return !among(s, s->prev, &s->rules->no_types) && !among(s, s->before, &s->rules->no_types);
}

/*
 * Whether the macro follows a variable: `int x MACRO(y)`, `int x[3] __macro`.  A word in capitals
 * without arguments may be the variable itself.
 */
static bool follows_variable(const struct macro_scanner *s, struct macro_span w, size_t end)
{
	if (end == w.to && !is_reserved(s, w.from, w.to))
		return false;
	return after_name(s) || after_sign(s, ']');
}

/* Whether the word follows a complete declarator: `void f() MACRO;`, `int x MACRO(y);`. */
static bool ends_declaration(const struct macro_scanner *s, struct macro_span w, size_t end)
{
	size_t next = skip_blank(s, end);
	bool head = after_head(s);

	if (!head && !follows_variable(s, w, end))
		return false;
	if (at(s, next) == ':')
		return head && at(s, next + 1) != ':';
	if (at(s, next) == '=')
		return at(s, next + 1) != '=';
	if (at(s, next) == '{')	/* else it is the name of a function: `u32 __f(int x) {` */
		return head;
	return at(s, next) == ';';
}

/* Whether the word is between a type and a name: `int MACRO f(`, `char MACRO *p`. */
static bool splits_declaration(const struct macro_scanner *s, size_t to)
{
	size_t next = skip_space(s, to, true);
	bool sign = s->prev.to > s->prev.from && strchr("*&", s->text[s->prev.from]);
	bool name = word_byte(at(s, next));

	if (!name && (sign || at(s, next) != '*'))
		return false;
	if (!sign && (!is_word(s, s->prev) || among(s, s->prev, &s->rules->no_types)))
		return false;
	return !name || strchr("(=;[,)", at(s, skip_space(s, word_end(s, next), true)));
}

/* Whether other macros, if any, and then a type and a name follow, as before a declaration. */
static bool declaration_follows(const struct macro_scanner *s, size_t i)
{
	for (int macros = 0; macros < MAX_MACROS; macros++) {
		i = skip_blank(s, i);
		struct macro_span w = { i, word_end(s, i) };
		if (type_and_name(s, i) && !is_one_of(s, w, "else|return|case|new|throw|goto|delete"))
			return true;
		if (!looks_like_macro(s, w.from, w.to))
			return false;
		i = skip_parentheses(s, w.to);
	}
	return false;
}

/* Whether one word of a declaration has been read, which may be a macro, too: `asmlinkage`. */
static bool second_word(const struct macro_scanner *s)
{
	if (!is_word(s, s->prev) || among(s, s->prev, &s->rules->no_types))
		return false;
	return s->before.to == s->before.from || strchr(";{}", s->text[s->before.from]);
}

/* Whether the word stands before a pointer to a function: `(MACRO *name)(`. */
static bool is_calling_convention(const struct macro_scanner *s, size_t to)
{
	size_t star = skip_space(s, to, true);
	size_t name = skip_space(s, star + 1, true);

	if (!after_sign(s, '(') || at(s, star) != '*' || !begins_word(s, name))
		return false;
	size_t close = skip_space(s, word_end(s, name), true);
	return at(s, close) == ')' && at(s, skip_space(s, close + 1, true)) == '(';
}

/* The end of the macro that begins with the word; 0 if it is not a macro. */
static size_t macro_end(const struct macro_scanner *s, struct macro_span w)
{
	size_t end;

	if (!looks_like_macro(s, w.from, w.to))
		return 0;
	end = skip_parentheses(s, w.to);
	if (among(s, s->prev, &s->rules->before_names)) {
		if (names_type(s, skip_blank(s, end)))
			return end;
		return 0;
	}
	if (begins_declaration(s)) {
		if (stands_alone(s, w.from, w.to))
			return w.to;
		if (declaration_follows(s, end))
			return end;
		return 0;
	}
	if (ends_declaration(s, w, end))
		return end;
	if (second_word(s) && declaration_follows(s, end))
		return end;
	if (splits_declaration(s, w.to) || is_calling_convention(s, w.to))
		return w.to;
	return 0;
}

static void blank(struct macro_scanner *s, size_t from, size_t to)
{
	if (!s->out)
		s->out = memcpy(arena_many(s->arena, s->n + 1, char), s->text, s->n);
	for (size_t i = from; i < to; i++)
		if (s->out[i] != '\n')
			s->out[i] = ' ';
}

static void token(struct macro_scanner *s, size_t to)
{
	s->before = s->prev;
	s->prev = (struct macro_span){ s->at, to };
	s->at = to;
}

static void sign(struct macro_scanner *s)
{
	if (s->text[s->at] == '(' && s->nopen < OPEN) {
		s->open[s->nopen++] = s->prev;
	} else if (s->text[s->at] == ')') {
		s->called = (struct macro_span){ 0 };
		if (s->nopen)
			s->called = s->open[--s->nopen];
	} else if (strchr(";{}", s->text[s->at])) {
		s->nopen = 0;
	}
	token(s, s->at + 1);
}

/* A word: a macro is blanked, any other word is a token. */
static void word(struct macro_scanner *s, size_t to)
{
	size_t end = macro_end(s, (struct macro_span){ s->at, to });

	if (!end) {
		token(s, to);
		return;
	}
	blank(s, s->at, end);
	s->at = end;
}

static void step(struct macro_scanner *s)
{
	size_t text = skip_text(s, s->at), to = word_end(s, s->at);

	if (text > s->at) {
		if (s->text[s->at] == '/')
			s->at = text;
		else
			token(s, text);
	} else if (isspace((unsigned char)s->text[s->at])) {
		s->at++;
	} else if (s->text[s->at] == '#') {
		s->at = skip_directive(s, s->at);
		s->prev = s->before = (struct macro_span){ 0 };
	} else if (to == s->at) {
		sign(s);
	} else {
		word(s, to);
	}
}

/* Blank the directives of conditional compilation, so that the lines of all branches count. */
static void blank_directives(struct macro_scanner *s)
{
	size_t to;

	for (size_t line = 0; line < s->n; line = MIN(to + 1, s->n)) {
		size_t sign = skip_space(s, line, false), from = skip_space(s, sign + 1, false);
		to = skip_directive(s, sign);
		if (at(s, sign) != '#')
			continue;
		if (word_set_has(&s->rules->directives, s->text + from, word_end(s, from) - from))
			blank(s, sign, to);
	}
}

const char *c_macros_blank(const struct rules *r, const char *text, size_t n, struct arena *a)
{
	struct macro_scanner s = { .text = text, .n = n, .rules = r, .arena = a };

	while (r->before_names.n && s.at < s.n)
		step(&s);
	if (r->directives.n)
		blank_directives(&s);
	return s.out ? s.out : text;
}
