/*
 * bench_vectors DIR: the builtin embedder over the functions of the Python files below DIR, and the scan over their vectors
 * repeated to 100,000 rows.  Prints lines for `make bench`; all times are processor time of one thread, the best of several
 * rounds.  Recall: queries are what the functions' comments say first; exact is float against float.
 */
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/base/buf.h"
#include "proto/base/cpu_features.h"
#include "proto/base/err.h"
#include "proto/embed/embedder.h"
#include "proto/embed/subword_tokens.h"
#include "shard/vectors/vector_scan.h"

enum { ROWS = 100000, TOP = 10, ROUNDS = 15, BATCH = 256, MOST = 40000 };

static struct {
	struct embed_text *v;
	size_t n, cap, bytes;
} texts;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void say(const char *what, const char *value)
{
	printf("%-58s %s\n", what, value);
}

/* ---- the functions of a tree ---- */

static const char *next_def(const char *p)
{
	while ((p = strstr(p, "def "))) {
		const char *line = p;
		while (line[-1] == ' ')
			line--;
		if (line[-1] == '\n')
			return line;
		p += 4;
	}
	return NULL;
}

static void add_functions(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *s = malloc(1 << 20);
	size_t n = f && s ? fread(s + 1, 1, (1 << 20) - 2, f) : 0;

	if (f)
		fclose(f);
	*s = '\n', s[n + 1] = 0;
	for (const char *p = next_def(s + 1), *end; p && texts.n < MOST; p = end) {
		end = next_def(strstr(p, "def ") + 4);
		struct embed_text t = { p, end ? (size_t)(end - p) : strlen(p) };
		texts.v = grow(texts.v, &texts.cap, texts.n + 1, sizeof t);
		texts.v[texts.n++] = t;
		texts.bytes += t.n;
	}
}

static void read_tree(char *dir)
{
	char *const dirs[] = { dir, NULL };
	FTS *tree = fts_open(dirs, FTS_PHYSICAL, NULL);

	for (FTSENT *f; tree && texts.n < MOST && (f = fts_read(tree));)
		if (f->fts_info == FTS_F && f->fts_namelen > 3 && !strcmp(f->fts_name + f->fts_namelen - 3, ".py"))
			add_functions(f->fts_path);
	if (tree)
		fts_close(tree);
}

static size_t subtokens(void)
{
	char word[SUBTOKEN_MAX];
	size_t n = 0;

	for (size_t i = 0; i < texts.n; i++) {
		const unsigned char *p = (const unsigned char *)texts.v[i].p;
		for (struct subtokens s = { p, p + texts.v[i].n }; subtokens_next(&s, word);)
			n++;
	}
	return n;
}

/* ---- embedding ---- */

static float *embed_all(struct embedder *m)
{
	float *out = malloc(texts.n * embedder_dim(m) * sizeof *out);
	char line[100];
	double best = 1e9, split = now();
	size_t words = subtokens();

	split = now() - split;
	for (int round = 0; round < 5; round++) {
		double t = now();
		for (size_t i = 0; i < texts.n; i += BATCH)
			embedder_embed(m, EMBED_DOCUMENT, texts.v + i, texts.n - i < BATCH ? texts.n - i : BATCH, 0,
			    out + i * embedder_dim(m), NULL);
		t = now() - t;
		best = t < best ? t : best;
	}
	snprintf(line, sizeof line, "%.1f; splitting alone %.1f (%zu functions of %zu subtokens)", (double)words / best / 1e6,
	    (double)words / split / 1e6, texts.n, words / texts.n);
	say("builtin embedder, M subtokens/s", line);
	return out;
}

/* ---- scanning ---- */

static void bench_scan(const struct scan_rows *r, const char *of, const float *query)
{
	struct scan_hit hit[TOP];
	double floor = 1e9;
	char what[80], line[100];

	for (int round = 0; round < ROUNDS; round++) {
		double t = now();
		if (memchr(r->v->rows, 0x80, r->v->n * r->dim))
			abort();
		t = now() - t;
		floor = t < floor ? t : floor;
	}
	for (const struct scan_kernel *way = scan_kernels; ; way++) {
		double best = 1e9;
		for (int round = 0; (way->needs & cpu_features()) == way->needs && round < ROUNDS; round++) {
			double t = now();
			scan_best_with(way, r, query, NULL, TOP, hit);
			t = now() - t;
			best = t < best ? t : best;
		}
		snprintf(what, sizeof what, "scan of %zu vectors x %zu, %s, %s, ms", r->v->n, r->dim, of, way->name);
		snprintf(line, sizeof line, "%.2f; %.1f x memchr over the rows (%.2f)", best * 1e3, best / floor, floor * 1e3);
		if (best < 1e9)
			say(what, line);
		if (!way->needs)
			break;
	}
}

static float dot(const float *a, const float *b, size_t dim)
{
	double sum = 0;

	for (size_t i = 0; i < dim; i++)
		sum += (double)a[i] * b[i];
	return (float)sum;
}

static int descending(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* How many of the hits are at least as near as the exact TOPth. */
static size_t found(const float *v, const float *query, size_t dim, const struct scan_hit *hit)
{
	float *all = malloc(texts.n * sizeof *all);
	size_t good = 0;

	for (size_t i = 0; i < texts.n; i++)
		all[i] = dot(v + i * dim, query, dim);
	qsort(all, texts.n, sizeof *all, descending);
	for (size_t i = 0; i < TOP; i++)
		good += dot(v + hit[i].row * dim, query, dim) >= all[TOP - 1];
	free(all);
	return good;
}

static void recall(struct embedder *m, const float *v, const struct scan_rows *r, const char *of)
{
	size_t dim = embedder_dim(m), asked = 0, good = 0;
	float *query = malloc(dim * sizeof *query);
	struct scan_hit hit[TOP];
	char line[100];

	for (size_t i = 0; i < texts.n && asked < 500; i++) {
		const char *doc = strstr(texts.v[i].p, "\"\"\"");
		if (!doc || doc > texts.v[i].p + texts.v[i].n || strcspn(doc + 3, "\n") < 20 || i % 7)
			continue;
		embedder_embed(m, EMBED_QUERY, &(struct embed_text){ doc + 3, strcspn(doc + 3, "\n") }, 1, 0, query, NULL);
		scan_best(r, query, NULL, TOP, hit);
		good += found(v, query, dim, hit);
		asked++;
	}
	snprintf(line, sizeof line, "%.4f (%zu queries, %zu rows)", (double)good / (double)(asked ? asked * TOP : 1), asked, texts.n);
	say(of, line);
	free(query);
}

int main(int argc, char **argv)
{
	struct embedder *m = embedder_open(&(struct embedder_options){ .kind = "builtin" }, NULL);

	if (argc != 2)
		return fprintf(stderr, "bench_vectors DIR\n"), 2;
	read_tree(argv[1]);
	if (!texts.n)
		return say("vectors", "no Python functions"), 0;
	size_t dim = embedder_dim(m);
	float *v = embed_all(m), *scale = malloc((ROWS + MOST) * sizeof *scale), *step = malloc((ROWS + MOST) * sizeof *step);
	int8_t *row = aligned_alloc(64, (ROWS + MOST) * dim);
	uint8_t *front = aligned_alloc(64, (ROWS + MOST) * scan_front_size(dim)), *back = aligned_alloc(64, (ROWS + MOST) * scan_back_size(dim));
	for (size_t i = 0; i < ROWS || i < texts.n; i++) {
		scan_quantise(v + i % texts.n * dim, dim, row + i * dim, &scale[i]);
		scan_code(row + i * dim, scale[i], dim, front + i * scan_front_size(dim), back + i * scan_back_size(dim), &step[i]);
	}
	struct scan_segment part[] = { { .rows = row, .scales = scale, .n = ROWS }, { row, scale, front, back, step, ROWS } };
	struct scan_rows r = { .v = &part[0], .parts = 1, .dim = dim }, coded = { .v = &part[1], .parts = 1, .dim = dim };
	bench_scan(&r, "rows", v + texts.n / 2 * dim);
	bench_scan(&coded, "codes", v + texts.n / 2 * dim);
	part[0].n = part[1].n = texts.n;
	recall(m, v, &r, "recall@10 of the scan of rows against floats");
	recall(m, v, &coded, "recall@10 of the scan of codes against floats");
	embedder_free(m);
	return 0;
}
