#include "shard/definitions/declaration_head.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/syntax/comment.h"
#include "shard/syntax/node_rules.h"

enum { MAX_SIGNATURE = 300, MAX_CHILDREN = 300 };

static bool is_skipped(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	return r && (r->marks & (MARK_ANNOTATION | MARK_COMMENT));
}

/* The first child from `from` on that is not skipped; null if there is none. */
static TSNode first_unskipped_child(const struct syntax_tree *t, TSNode n, uint32_t from)
{
	uint32_t children = ts_node_child_count(n), count = MIN(children, MAX_CHILDREN);

	for (uint32_t i = from; i < count; i++) {
		TSNode child = ts_node_child(n, i);
		if (!is_skipped(t, child))
			return child;
	}
	return (TSNode){ 0 };
}

/* Annotations come before a declaration, or among other modifiers in its first child. */
uint32_t head_start(const struct syntax_tree *t, TSNode n)
{
	TSNode first = first_unskipped_child(t, n, 0), within;

	if (ts_node_is_null(first))
		return node_start_byte(n);
	if (!ts_node_child_count(first))
		return node_start_byte(first);
	within = first_unskipped_child(t, first, 0);
	if (ts_node_is_null(within))
		within = first_unskipped_child(t, n, 1);
	if (ts_node_is_null(within))
		return node_start_byte(first);
	return node_start_byte(within);
}

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether the bytes contain `word` as a whole word. */
static bool has_word(const char *text, size_t n, const char *word, size_t len)
{
	const char *end = text + n, *s = memmem(text, n, word, len);

	while (s) {
		bool before = s > text && is_word_byte(s[-1]);
		bool after = s + len < end && is_word_byte(s[len]);
		if (!before && !after)
			return true;
		s++;
		s = memmem(s, (size_t)(end - s), word, len);
	}
	return false;
}

bool head_has_words(const char *text, size_t n, const char *words)
{
	const char *s = words;

	while (*s) {
		size_t len = strcspn(s, ",");
		if (!has_word(text, n, s, len))
			return false;
		s += len;
		s += *s == ',';
	}
	return true;
}

static bool ends_with_arrow(const struct buf *b)
{
	return b->n > 1 && !memcmp(b->p + b->n - 2, "=>", 2);
}

/* Cut the bytes that only open a body. */
static void trim_end(struct buf *b)
{
	while (b->n && (strchr(" {:;=\\", b->p[b->n - 1]) || ends_with_arrow(b)))
		b->n--;
}

/* Cut a word at the end. */
static void cut_end(struct buf *b, const char *word)
{
	size_t n = strlen(word);

	if (b->n <= n || memcmp(b->p + b->n - n, word, n) || !strchr(" ;)", b->p[b->n - n - 1]))
		return;
	b->n -= n;
	trim_end(b);
}

/*
 * Move to the next node that is not below the current one.  `past`: the siblings of the current
 * node do not matter.  False at the end of the tree.
 */
static bool goto_next(TSTreeCursor *c, bool past)
{
	for (;;) {
		if (!past && ts_tree_cursor_goto_next_sibling(c))
			return true;
		if (!ts_tree_cursor_goto_parent(c))
			return false;
		past = false;
	}
}

/* Overwrite the comments of `whole` in `out`, a copy of the text between `from` and `to`. */
static void blank_comments(
    const struct syntax_tree *t, TSNode whole, uint32_t from, uint32_t to, char *out)
{
	TSTreeCursor c = ts_tree_cursor_new(whole);
	bool more = true;

	while (more) {
		TSNode n = ts_tree_cursor_current_node(&c);
		const struct node_rule *r = rules_of(t->rules, n);
		uint32_t at = MAX(node_start_byte(n), from), end = MIN(node_end_byte(n), to);
		if (at < end && r && r->marks & MARK_COMMENT)
			memset(out + (at - from), ' ', end - at);
		else if (at < end && ts_tree_cursor_goto_first_child(&c))
			continue;
		more = goto_next(&c, node_start_byte(n) >= to);
	}
	ts_tree_cursor_delete(&c);
}

const char *head_without_comments(
    const struct syntax_tree *t, TSNode whole, uint32_t from, uint32_t to)
{
	const char *head = t->text + from;
	size_t n = to - from;

	if (!memchr(head, '#', n) && !memmem(head, n, "//", 2) && !memmem(head, n, "/*", 2))
		return head;
	char *out = arena_strn(t->arena, head, n);
	blank_comments(t, whole, from, to, out);
	return out;
}

static char last_byte(const struct buf *b)
{
	if (!b->n)
		return '\0';
	return b->p[b->n - 1];
}

/* Append a byte of a signature; runs of white space become one blank, none inside parentheses. */
static void put_signature_byte(struct buf *b, char c)
{
	char last = last_byte(b);

	if (isspace((unsigned char)c) || !c) {
		if (last && last != ' ' && last != '(')
			buf_byte(b, ' ');
		return;
	}
	if (c == ')' && last == ' ')
		b->n--;
	buf_byte(b, c);
}

const char *head_signature(const struct syntax_tree *t, const char *text, size_t n)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < n && b.n < MAX_SIGNATURE; i++)
		put_signature_byte(&b, text[i]);
	if (b.n == MAX_SIGNATURE)
		b.n = text_utf8_truncate(b.p, b.n);
	trim_end(&b);
	for (size_t i = 0; i < t->rules->closing.n; i++)
		cut_end(&b, t->rules->closing.v[i]);
	const char *s = arena_strn(t->arena, b.p, b.n);
	buf_free(&b);
	return s;
}

static bool name_byte(const struct rules *r, unsigned char c, bool dotted)
{
	if (isalnum(c) || c == '_' || c == '$' || c == '#' || c >= 0x80 || (dotted && c == '.'))
		return true;
	for (size_t i = 0; i < r->letters.n; i++)
		if (c && strchr(r->letters.v[i], c))
			return true;
	return false;
}

static bool begins(const char *s, const struct word_set *w, size_t *n)
{
	for (size_t i = 0; i < w->n; i++)
		if (!strncmp(s, w->v[i], strlen(w->v[i]))) {
			*n = strlen(w->v[i]);
			return true;
		}
	return false;
}

/* Shorten `module.exports.x` to `x`, and `X.prototype.y` to `X.y`; NULL if it is not a name. */
static const char *dotted_name(const struct syntax_tree *t, const char *name, bool *exported)
{
	const struct rules *r = t->rules;
	size_t n;

	while (begins(name, &r->cut, &n)) {
		name += n;
		*exported = true;
	}
	if (!*name || begins(name, &r->refuse, &n))
		return NULL;
	for (size_t i = 0; i < r->inner.n; i++) {
		const char *at = strstr(name, r->inner.v[i]);
		if (at)
			name = arena_printf(
			    t->arena, "%.*s.%s", (int)(at - name), name, at + strlen(r->inner.v[i]));
	}
	return name;
}

const char *head_name(const struct syntax_tree *t, TSNode n, bool dotted, bool *exported)
{
	uint32_t from = node_start_byte(n), to = node_end_byte(n);
	const char *s = t->text;
	bool any = to - from > 2 && s[from] == '`';	/* backticks allow any printable byte */
	bool quoted = to - from >= 2 && (any || s[from] == '"' || s[from] == '\'');

	if (quoted) {
		from++;
		to--;
	}
	if (from == to || to - from > MAX_NAME_BYTES || isdigit((unsigned char)s[from]))
		return NULL;
	for (uint32_t i = from; i < to; i++) {
		unsigned char c = (unsigned char)s[i];
		bool allowed = any ? c >= ' ' : name_byte(t->rules, c, dotted || quoted);
		if (!allowed)
			return NULL;
	}
	const char *name = arena_strn(t->arena, s + from, to - from);
	if (dotted)
		return dotted_name(t, name, exported);
	return name;
}

static bool word_byte(unsigned char c)
{
	return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

/* The length of a list of template arguments; 0 if there is none. */
static size_t angle_length(const char *s, size_t n)
{
	int depth = 0;

	if (!n || *s != '<')
		return 0;
	for (size_t i = 0; i < n; i++) {
		depth += (s[i] == '<') - (s[i] == '>');
		if (!depth)
			return i + 1;
	}
	return 0;
}

/*
 * Append the last part of a name, an operator: `==`, `operator bool`, `operator()`.  White space
 * is dropped, except after the word `operator` (8 bytes) of a conversion.
 */
static void put_operator(struct buf *b, const char *s, size_t n)
{
	bool word = word_byte((unsigned char)*s);

	for (size_t i = 0; i < n; i++) {
		bool conversion = word && i > 9 && isspace((unsigned char)s[8]);
		bool separates = word && i == 8 && i + 1 < n && word_byte((unsigned char)s[9]);
		if (s[i] == '(' && conversion)
			break;
		if (!isspace((unsigned char)s[i]) || separates)
			buf_byte(b, s[i]);
	}
	while (b->n && b->p[b->n - 1] == ' ')
		b->n--;
}

static bool is_operator(const char *s, size_t n)
{
	if (n > 8 && !memcmp(s, "operator", 8))
		return !word_byte((unsigned char)s[8]);
	return !word_byte((unsigned char)*s) && *s != '~';
}

/* The length of a separator between the parts of a name; 0 if there is none. */
static size_t separator_length(const char *s, size_t n)
{
	if (n > 1 && s[0] == ':' && s[1] == ':')
		return 2;
	return *s == '\\' || *s == '.';
}

static size_t blank_length(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && isspace((unsigned char)s[i]))
		i++;
	return i;
}

/* Whether a name, or its arguments, end before `at`. */
static bool is_name_end(const char *s, size_t at)
{
	return word_byte((unsigned char)s[at - 1]) || s[at - 1] == '>';
}

/* A scoped name that is read from left to right. */
struct scoped_name {
	const char *s;
	size_t n;
	size_t part;		/* where the current part begins */
	struct buf out;
};

/* Skip white space at `i`.  White space between two words ends a type before the name. */
static size_t skip_blanks(struct scoped_name *x, size_t i)
{
	size_t next = i + blank_length(x->s + i, x->n - i);

	if (i == x->part)
		x->part = next;
	if (i && is_name_end(x->s, i) && next < x->n && word_byte((unsigned char)x->s[next])) {
		x->out.n = 0;
		x->part = next;
	}
	return next;
}

/* Read what is at `i`; returns where to continue. */
static size_t read_scoped(struct scoped_name *x, size_t i)
{
	const char *s = x->s + i;
	size_t left = x->n - i, separator = separator_length(s, left);

	if (separator) {
		x->part = i + separator;
		if (x->out.n)
			buf_byte(&x->out, '.');
		return i + separator;
	}
	if (isspace((unsigned char)*s))
		return skip_blanks(x, i);
	if (i == x->part && is_operator(s, left)) {
		put_operator(&x->out, s, left);
		return x->n;
	}
	size_t arguments = angle_length(s, left);
	if (arguments)
		return i + arguments;
	buf_byte(&x->out, *s);
	return i + 1;
}

const char *head_scoped_name(const struct syntax_tree *t, TSNode node)
{
	struct scoped_name x = { .s = t->text + node_start_byte(node), .n = node_len(node) };
	size_t at = 0;

	if (!x.n || x.n > MAX_NAME_BYTES)
		return NULL;
	if (x.n > 1 && strchr(":$@", *x.s) && word_byte((unsigned char)x.s[1])) {	/* a sigil */
		x.s++;
		x.n--;
	}
	while (at < x.n)
		at = read_scoped(&x, at);
	const char *name = NULL;
	if (x.out.n)
		name = arena_strn(t->arena, x.out.p, x.out.n);
	buf_free(&x.out);
	return name;
}

bool head_is_test(const struct rules *r, const char *name, const char *head, size_t n)
{
	size_t len;

	if (!r->tests.n && !r->test_words.n)
		return false;
	if (r->tests.n && !begins(name, &r->tests, &len))
		return false;
	for (size_t i = 0; i < r->test_words.n; i++)
		if (memmem(head, n, r->test_words.v[i], strlen(r->test_words.v[i])))
			return true;
	return !r->test_words.n;
}

bool head_is_test_type(const struct rules *r, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < r->test_types.n; i++) {
		size_t len = strlen(r->test_types.v[i]);
		if (n > len && !strcmp(name + n - len, r->test_types.v[i]))
			return true;
	}
	return false;
}

bool head_is_hidden(const struct rules *r, const char *name, const char *head, size_t n)
{
	for (size_t i = 0; i < r->hidden.n; i++)
		if (has_word(head, n, r->hidden.v[i], strlen(r->hidden.v[i])))
			return true;
	return *name == '#';
}

bool head_exports(const struct rules *r, const char *name, bool wrapped, const char *head, size_t n)
{
	switch (r->exported) {
	case EXPORT_UPPER: return isupper((unsigned char)*name);
	case EXPORT_PUBLIC: return has_word(head, n, "public", 6);
	case EXPORT_PUB: return has_word(head, n, "pub", 3);
	case EXPORT_WRAPPED: return wrapped;
	case EXPORT_PLAIN: return *name != '_' || !strncmp(name, "__", 2);
	case EXPORT_NOT_STATIC: return !has_word(head, n, "static", 6);
	case EXPORT_VISIBLE: return !head_is_hidden(r, name, head, n);
	case EXPORT_ALL: break;
	}
	return true;
}
