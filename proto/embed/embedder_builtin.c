#include "proto/embed/embedder_internal.h"

#include <stdio.h>

#include "proto/embed/embedding_model.h"

static int builtin_open(struct embedder *m, const struct embedder_options *o, struct err *e)
{
	size_t n;
	const void *bytes = model_builtin(&n);

	(void)o;
	m->impl = model_open(bytes, n, e);
	if (!m->impl)
		return -1;
	m->dim = model_dim(m->impl);
	snprintf(m->fingerprint, sizeof m->fingerprint, "builtin:code-embed:%zu:1", model_dim(m->impl));
	return 0;
}

static int builtin_texts(struct embedder *m, enum embed_side side, const struct embed_text *v,
    size_t n, int deadline_ms, float *out, struct err *e)
{
	struct model_counts *c = model_counts_new(m->impl);

	(void)deadline_ms, (void)e;
	for (size_t i = 0; i < n; i++) {
		float *vector = out + i * m->dim;
		if (side == EMBED_QUERY)
			model_embed_question(m->impl, c, v[i].p, v[i].n, vector);
		else
			model_embed(m->impl, c, v[i].p, v[i].n, vector);
	}
	model_counts_free(c);
	return 0;
}

static void builtin_close(struct embedder *m)
{
	model_free(m->impl);
}

const struct embedder_kind embedder_builtin = { "builtin", builtin_open, builtin_texts,
	builtin_close };
