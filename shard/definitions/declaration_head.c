#include "shard/definitions/declaration_head.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/syntax/comment.h"
#include "shard/syntax/node_rules.h"

enum { MAX_SIGNATURE = 300, MANY = 300 };

static bool skipped(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	return r && (r->marks & (MARK_ANNOTATION | MARK_COMMENT));
}

/* The first child that is not skipped, null when all are. */
static TSNode first_unskipped_child(const struct syntax_tree *t, TSNode n, uint32_t from)
{
	for (uint32_t i = from, count = ts_node_child_count(n); i < count && i < MANY; i++) {
		TSNode child = ts_node_child(n, i);
		if (!skipped(t, child))
			return child;
	}
	return (TSNode){ 0 };
}

/* Annotations stand before a declaration, or in its first child among other modifiers. */
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

/* Whether the bytes hold `word` between bytes that cannot be of it. */
static bool has_word(const char *text, size_t n, const char *word, size_t len)
{
	for (const char *s = text; (s = memmem(s, (size_t)(text + n - s), word, len)); s++) {
		bool before = s > text && (isalnum((unsigned char)s[-1]) || s[-1] == '_');
		bool after = s + len < text + n && (isalnum((unsigned char)s[len]) || s[len] == '_');
		if (!before && !after)
			return true;
	}
	return false;
}

bool head_has_words(const char *text, size_t n, const char *words)
{
	for (const char *s = words; *s; s += strcspn(s, ","), s += *s == ',')
		if (!has_word(text, n, s, strcspn(s, ",")))
			return false;
	return true;
}

/* Cut what only opens a body. */
static void trim_end(struct buf *b)
{
	while (b->n &&
	    (strchr(" {:;=\\", b->p[b->n - 1]) || (b->n > 1 && !memcmp(b->p + b->n - 2, "=>", 2))))
		b->n--;
}

/* Cut a last word. */
static void cut_end(struct buf *b, const char *word)
{
	size_t n = strlen(word);

	if (b->n <= n || memcmp(b->p + b->n - n, word, n) || !strchr(" ;)", b->p[b->n - n - 1]))
		return;
	b->n -= n;
	trim_end(b);
}

/*
 * Where the comments of `whole` are, put white space into `out`, a copy of what is between `from`
 * and `to`.
 */
static void blank_comments(
    const struct syntax_tree *t, TSNode whole, uint32_t from, uint32_t to, char *out)
{
	TSTreeCursor c = ts_tree_cursor_new(whole);

	for (bool more = true; more;) {
		TSNode n = ts_tree_cursor_current_node(&c);
		const struct node_rule *r = rules_of(t->rules, n);
		uint32_t at = node_start_byte(n) > from ? node_start_byte(n) : from,
		         end = node_end_byte(n) < to ? node_end_byte(n) : to;
		if (at < end && r && r->marks & MARK_COMMENT)
			memset(out + (at - from), ' ', end - at);
		else if (at < end && ts_tree_cursor_goto_first_child(&c))
			continue;
		bool past = node_start_byte(n) >= to;
		while (!(more = !past && ts_tree_cursor_goto_next_sibling(&c)) &&
		    ts_tree_cursor_goto_parent(&c))
			past = false;
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

const char *head_signature(const struct syntax_tree *t, const char *text, size_t n)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < n && b.n < MAX_SIGNATURE; i++)
		if (isspace((unsigned char)text[i]) || !text[i]) {
			if (b.n && b.p[b.n - 1] != ' ' && b.p[b.n - 1] != '(')
				buf_byte(&b, ' ');
		} else {
			if (text[i] == ')' && b.p && b.n && b.p[b.n - 1] == ' ')
				b.n--;
			buf_byte(&b, text[i]);
		}
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

/* A name like `module.exports.x` or `X.prototype.y` brought to `x` and `X.y`; NULL: not a name. */
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
	bool any = to - from > 2 && s[from] == '`';	/* between backticks a name holds what it likes */

	if (to - from >= 2 && (any || s[from] == '"' || s[from] == '\'')) {
		from++;
		to--;
	}
	if (from == to || to - from > MAX_NAME_BYTES || isdigit((unsigned char)s[from]))
		return NULL;
	for (uint32_t i = from; i < to; i++)
		if (any ? (unsigned char)s[i] < ' ' :
		          !name_byte(t->rules, (unsigned char)s[i], dotted || from > node_start_byte(n)))
			return NULL;
	const char *name = arena_strn(t->arena, s + from, to - from);
	if (dotted)
		return dotted_name(t, name, exported);
	return name;
}

static bool word_byte(unsigned char c)
{
	return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

/* Bytes of a list of template arguments, 0: there is none. */
static size_t angle_length(const char *s, size_t n)
{
	int depth = 0;

	for (size_t i = 0; i < n; i++) {
		depth += (s[i] == '<') - (s[i] == '>');
		if (!depth)
			return *s == '<' ? i + 1 : 0;
	}
	return 0;
}

/* Put the last part of a name, an operator of any kind: `==`, `operator bool`, `operator()`. */
static void put_operator(struct buf *b, const char *s, size_t n)
{
	bool word = word_byte((unsigned char)*s);

	for (size_t i = 0; i < n; i++) {
		bool cast = word && i > 9 && isspace((unsigned char)s[8]);
		if (s[i] == '(' && cast)
			break;
		if (!isspace((unsigned char)s[i]) || (cast && i == 8) ||
		    (word && i == 8 && word_byte((unsigned char)s[9])))
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

/* Bytes of a mark between the parts of a name. */
static size_t mark_length(const char *s, size_t n)
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

const char *head_scoped_name(const struct syntax_tree *t, TSNode node)
{
	const char *s = t->text + node_start_byte(node);
	size_t n = node_len(node);
	struct buf b = { 0 };

	if (!n || n > MAX_NAME_BYTES)
		return NULL;
	if (n > 1 && strchr(":$@", *s) && word_byte((unsigned char)s[1]))
		s++, n--;
	for (size_t i = 0, part = 0, skip; i < n; i += skip) {
		skip = 1;
		if (!isspace((unsigned char)s[i]) && i == part && is_operator(s + i, n - i) &&
		    !mark_length(s + i, n - i)) {
			put_operator(&b, s + i, n - i);
			break;
		}
		if ((skip = mark_length(s + i, n - i))) {
			part = i + skip;
			if (b.n)
				buf_byte(&b, '.');
		} else if (isspace((unsigned char)s[i])) {
			skip = blank_length(s + i, n - i);
			part += i == part ? skip : 0;
			/* what is before is a type */
			if (i && is_name_end(s, i) && i + skip < n && word_byte((unsigned char)s[i + skip])) {
				b.n = 0;
				part = i + skip;
			}
		} else if (!(skip = angle_length(s + i, n - i))) {
			skip = 1;
			buf_byte(&b, s[i]);
		}
	}
	const char *name = NULL;
	if (b.n)
		name = arena_strn(t->arena, b.p, b.n);
	buf_free(&b);
	return name;
}

bool head_is_test(const struct rules *r, const char *name, const char *head, size_t n)
{
	size_t len;

	if ((!r->tests.n && !r->test_words.n) || (r->tests.n && !begins(name, &r->tests, &len)))
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
