#ifndef PROTO_EMBED_EMBEDDING_MODEL_H
#define PROTO_EMBED_EMBEDDING_MODEL_H
/* The static embedding of code-embed.bin: its file and its inference, as model/SPEC.md says. */

#include <stddef.h>
#include <stdint.h>

struct err;
struct model;

/*
 * The file carried in the program, in pages that processes share; linked only into what calls
 * this.
 */
const void *model_builtin(size_t *n);

/*
 * A model over `n` bytes, borrowed and 4-aligned, whose header and sections are checked;
 * thread-safe from then on. Takes 128 KB for finding words.  NULL with INTERNAL.
 */
struct model *model_open(const void *bytes, size_t n, struct err *);
void model_free(struct model *);	/* NULL is fine */

size_t model_dim(const struct model *);

/* What a thread counts in; usable for one text after another. */
struct model_counts;
struct model_counts *model_counts_new(const struct model *);
void model_counts_free(struct model_counts *);

/*
 * The unit vector of a text, `dim` floats; zeros when it has no word.  How many subtokens it has.
 */
size_t model_embed(
    const struct model *, struct model_counts *, const char *text, size_t n, float *out);

/* The same of a question, each word of which counts as much as it tells (word_weights.h). */
size_t model_embed_question(
    const struct model *, struct model_counts *, const char *text, size_t n, float *out);

/* v / |v|; zeros stay. */
void vector_normalize(float *v, size_t dim);

/* ---- the sum of weighted rows, in several ways ---- */

struct weighted_row {
	uint32_t row;
	float weight;
};

/* out[j] = the sum of weight * rows[row * dim + j]; dim is a multiple of 64. */
typedef void model_sum_fn(
    const int8_t *rows, size_t dim, const struct weighted_row *, size_t n, float *out);

/* All that are compiled in, best first; the last needs nothing. */
extern const struct model_sum_kernel {
	const char *name;
	unsigned needs;		/* of cpu_features() */
	model_sum_fn *sum;
} model_sum_kernels[];
#endif
