/* Facts to bytes and back: every field, the same bytes each time, every cut, hostile bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/err.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"

static struct definition definitions[] = {
	{ .name = "Repo", .qualified = "Repo", .kind = "class", .start_line = 3, .end_line = 90, .start_byte = 40,
	    .end_byte = 4000, .parent = -1, .exported = true },
	{ .name = "find", .qualified = "Repo.find", .kind = "method", .type = "List<User>", .start_line = 5, .end_line = 9,
	    .start_byte = 90, .end_byte = 200, .parent = 0, .test = true },
	{ .name = "odd", .qualified = "Repo::odd", .kind = "method", .value = "self.x()", .start_line = 4, .end_line = 4,
	    .start_byte = 0, .end_byte = UINT32_MAX, .parent = 0 },
	{ .name = "deep", .qualified = "Repo::odd.deep", .kind = "function", .parent = 2 },
};
static struct import imports[] = {
	{ .module = "..models", .name = "User", .alias = "U", .definition = -1, .line = 1, .again = true },
	{ .module = "stdio.h", .definition = 3, .line = 7, .include = true },
};
static struct reference references[] = {
	{ .name = "find", .receiver = "self.repo", .kind = REF_CALL, .definition = 1, .arguments = 2, .line = 8 },
	{ .name = "User", .kind = REF_TYPE, .definition = -1, .arguments = -1, .line = 2 },
};
static struct base_type bases[] = { { .type = "Base<User>", .definition = 0, .line = 3, .relation = BASE_EITHER },
	{ .type = "Show", .owner = "User", .definition = -1, .line = 4, .relation = BASE_IMPLEMENTS },
};
static struct local locals[] = {
	{ .name = "self.repo", .value = "Repo!", .definition = 1, .line = 6 },
	{ .name = "x", .type = "Map<String,User>", .definition = -1, .line = 70000, .parameter = true },
};

static struct facts all(void)
{
	struct facts f = { .package = "com.example" };

	f.definitions.v = definitions, f.definitions.n = LEN(definitions);
	f.imports.v = imports, f.imports.n = LEN(imports);
	f.references.v = references, f.references.n = LEN(references);
	f.bases.v = bases, f.bases.n = LEN(bases);
	f.locals.v = locals, f.locals.n = LEN(locals);
	return f;
}

static void same(const char *got, const char *want)
{
	if (!want)
		assert_null(got);
	else
		assert_string_equal(got, want);
}

static void round_trip(void **state)
{
	struct arena *a = arena_new();
	struct facts in = all(), f;
	struct buf b = { 0 }, again = { 0 };
	struct err e = { 0 };

	(void)state;
	facts_encode(&in, &b);
	assert_int_equal(facts_decode(b.p, b.n, a, &f, &e), 0);
	assert_string_equal(f.package, "com.example");
	assert_int_equal(f.definitions.n, LEN(definitions));
	for (size_t i = 0; i < f.definitions.n; i++) {
		const struct definition *d = &f.definitions.v[i], *w = &definitions[i];
		same(d->name, w->name), same(d->qualified, w->qualified), same(d->kind, w->kind), same(d->type, w->type);
		same(d->value, w->value);
		assert_true(d->start_line == w->start_line && d->end_line == w->end_line && d->start_byte == w->start_byte &&
		    d->end_byte == w->end_byte && d->parent == w->parent && d->exported == w->exported && d->test == w->test);
	}
	for (size_t i = 0; i < f.imports.n; i++) {
		const struct import *m = &f.imports.v[i], *w = &imports[i];
		same(m->module, w->module), same(m->name, w->name), same(m->alias, w->alias);
		assert_true(m->definition == w->definition && m->line == w->line && m->again == w->again &&
		    m->include == w->include);
	}
	for (size_t i = 0; i < f.references.n; i++) {
		const struct reference *r = &f.references.v[i], *w = &references[i];
		same(r->name, w->name), same(r->receiver, w->receiver);
		assert_true(r->kind == w->kind && r->definition == w->definition && r->arguments == w->arguments &&
		    r->line == w->line);
	}
	assert_string_equal(f.bases.v[0].type, "Base<User>");
	assert_int_equal(f.bases.v[0].relation, BASE_EITHER);
	assert_null(f.bases.v[0].owner);
	assert_string_equal(f.bases.v[1].owner, "User");
	for (size_t i = 0; i < f.locals.n; i++) {
		const struct local *l = &f.locals.v[i], *w = &locals[i];
		same(l->name, w->name), same(l->type, w->type), same(l->value, w->value);
		assert_true(l->definition == w->definition && l->line == w->line && l->parameter == w->parameter);
	}
	facts_encode(&f, &again);
	assert_int_equal(again.n, b.n);
	assert_memory_equal(again.p, b.p, b.n);
	buf_free(&b);
	buf_free(&again);
	arena_free(a);
}

static void nothing(void **state)
{
	struct arena *a = arena_new();
	struct facts in = { 0 }, f;
	struct buf b = { 0 };

	(void)state;
	facts_encode(&in, &b);
	assert_true(b.n < 32);
	assert_int_equal(facts_decode(b.p, b.n, a, &f, NULL), 0);
	assert_null(f.package);
	assert_int_equal(f.definitions.n + f.imports.n + f.references.n + f.bases.n + f.locals.n, 0);
	buf_free(&b);
	arena_free(a);
}

/* What was decoded from hostile bytes is safe to use: strings end within them, indices name definitions. */
static void walk(const struct facts *f)
{
	size_t n = f->package ? strlen(f->package) : 0;

	for (size_t i = 0; i < f->definitions.n; i++) {
		n += strlen(f->definitions.v[i].qualified) + strlen(f->definitions.v[i].kind);
		assert_true(f->definitions.v[i].parent < (int)i);
	}
	for (size_t i = 0; i < f->references.n; i++) {
		n += strlen(f->references.v[i].name);
		assert_true(f->references.v[i].definition < (int)f->definitions.n && f->references.v[i].kind < REF_KINDS);
	}
	for (size_t i = 0; i < f->locals.n; i++)
		assert_true(f->locals.v[i].definition >= -1 && f->locals.v[i].definition < (int)f->definitions.n);
	assert_true(n < 1 << 20);
}

/* From a copy of exactly its size, so that a sanitizer sees what is read behind it. */
static int decode_packed(const char *p, size_t n, struct arena *a)
{
	char *copy = malloc(n + !n);
	struct err e = { 0 };
	struct facts f;

	if (n)
		memcpy(copy, p, n);
	int rc = facts_decode(copy, n, a, &f, &e);
	if (rc)
		assert_int_equal(e.code, ERR_DB_ERROR);
	else
		walk(&f);
	free(copy);
	arena_reset(a);
	return rc;
}

/* The same of bytes that are whole, and say anything. */
static int decode(const char *p, size_t n, struct arena *a)
{
	struct buf b = { 0 };

	deflate_put(&b, DEFLATE_SMALL, p, n);
	int rc = decode_packed(b.p, b.n, a);
	buf_free(&b);
	return rc;
}

static void hostile(void **state)
{
	static const char claims[][16] = {
		"\x02\xff\xff\xff\xff\x0f\x00", "\x02\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x03\x00\x00",
		"\x02\x01\x01" "a\x00",
	};
	struct arena *a = arena_new();
	struct facts in = all();
	struct buf packed = { 0 }, b = { 0 };
	size_t size;

	(void)state;
	facts_encode(&in, &packed);
	for (size_t n = 0; n < packed.n; n++) {
		assert_int_equal(decode_packed(packed.p, n, a), -1);
		packed.p[n] ^= 0x41;
		decode_packed(packed.p, packed.n, a);
		packed.p[n] ^= 0x41;
	}
	void *whole = deflate_get(packed.p, packed.n, 1 << 20, a, &size);
	buf_put(&b, whole, size);
	for (size_t n = 0; n < b.n; n++)
		assert_int_equal(decode(b.p, n, a), -1);
	for (size_t i = 0; i < b.n; i++)
		for (int byte = 0; byte < 256; byte += i < 16 ? 1 : 17) {
			char was = b.p[i];
			b.p[i] = (char)byte;
			decode(b.p, b.n, a);
			b.p[i] = was;
		}
	for (size_t i = 0; i < LEN(claims); i++)
		assert_int_equal(decode(claims[i], 16, a), -1);
	srand(1);
	for (int i = 0; i < 20000; i++) {
		char noise[64];
		noise[0] = 2;
		for (size_t k = 1; k < sizeof noise; k++)
			noise[k] = (char)(rand() >> 7);
		decode(noise, sizeof noise, a);
	}
	buf_free(&packed);
	buf_free(&b);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip), cmocka_unit_test(nothing), cmocka_unit_test(hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
