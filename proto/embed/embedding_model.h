#ifndef PROTO_EMBED_EMBEDDING_MODEL_H
#define PROTO_EMBED_EMBEDDING_MODEL_H
/* The static embedding of code-embed.bin: its file and its inference, as in model/SPEC.md. */

#include <stddef.h>
#include <stdint.h>

struct err;
struct model;

/*
 * The model file in the program, in pages that processes share.  It is linked only into programs
 * that call this.
 */
const void *model_builtin(size_t *n);

/*
 * Open a model of `n` bytes, borrowed and 4-aligned, after checking header and sections.  It is
 * thread-safe and takes 128 KB for its hash table of words.  NULL with INTERNAL.
 */
struct model *model_open(const void *bytes, size_t n, struct err *);
void model_free(struct model *);	/* NULL is fine */

size_t model_dim(const struct model *);

/* Scratch memory for one thread, reusable for one text after another. */
struct model_counts;
struct model_counts *model_counts_new(const struct model *);
void model_counts_free(struct model_counts *);

/*
 * Write the unit vector of a text, `dim` floats, to `out`; zeros if it has no word.  Returns the
 * number of its subtokens.
 */
size_t model_embed(
    const struct model *, struct model_counts *, const char *text, size_t n, float *out);

/* The same for a question, whose words are weighted (word_weights.h). */
size_t model_embed_question(
    const struct model *, struct model_counts *, const char *text, size_t n, float *out);

/* Scale v to length 1.  The zero vector stays. */
void vector_normalize(float *v, size_t dim);

/* ---- the sum of weighted rows, for each kind of processor ---- */

struct weighted_row {
	uint32_t row;
	float weight;
};

/* out[j] = the sum of weight * rows[row * dim + j]; dim is a multiple of 64. */
typedef void model_sum_fn(
    const int8_t *rows, size_t dim, const struct weighted_row *, size_t n, float *out);

/* All kernels of this build, fastest first; the last runs on every processor. */
extern const struct model_sum_kernel {
	const char *name;
	unsigned needs;		/* of cpu_features() */
	model_sum_fn *sum;
} model_sum_kernels[];
#endif
