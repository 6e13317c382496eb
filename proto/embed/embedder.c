#include "proto/embed/embedder_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"

static const struct embedder_kind *const kinds[] = { &embedder_builtin, &embedder_http,
	&embedder_none };

static const struct embedder_kind *kind_of(const char *name)
{
	for (size_t i = 0; i < LEN(kinds); i++)
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
	return NULL;
}

struct embedder *embedder_open(const struct embedder_options *o, struct err *e)
{
	const struct embedder_kind *kind = kind_of(o->kind);

	if (!kind) {
		err_set(e, ERR_INVALID_INPUT, "--embedder %.40s: use builtin, http or none", o->kind);
		return NULL;
	}
	struct embedder *m = xcalloc(1, sizeof *m);
	m->kind = kind;
	if (kind->open(m, o, e)) {
		free(m);
		return NULL;
	}
	return m;
}

void embedder_free(struct embedder *m)
{
	if (m)
		m->kind->close(m);
	free(m);
}

size_t embedder_dim(const struct embedder *m)
{
	return m->dim;
}

const char *embedder_fingerprint(const struct embedder *m)
{
	if (m->dim)
		return m->fingerprint;
	return "";
}

int embedder_detect_dim(struct embedder *m, int deadline_ms, struct err *e)
{
	const struct embed_text text = { "dimension", 9 };
	float v[EMBED_DIM_MAX];

	if (m->dim || m->kind == &embedder_none)
		return 0;
	return embedder_embed(m, EMBED_DOCUMENT, &text, 1, deadline_ms, v, e);
}

int embedder_embed(struct embedder *m, enum embed_side side, const struct embed_text *v, size_t n,
    int deadline_ms, float *out, struct err *e)
{
	if (!m->dim && n > 1 && embedder_detect_dim(m, deadline_ms, e))
		return -1;
	return m->kind->texts(m, side, v, n, deadline_ms, out, e);
}

/* ---- none ---- */

static int none_open(struct embedder *m, const struct embedder_options *o, struct err *e)
{
	(void)m, (void)o, (void)e;
	return 0;
}

static int none_texts(struct embedder *m, enum embed_side side, const struct embed_text *v,
    size_t n, int deadline_ms, float *out, struct err *e)
{
	(void)m, (void)side, (void)v, (void)n, (void)deadline_ms, (void)out;
	return err_set(e, ERR_INVALID_INPUT, "--embedder none makes no vectors");
}

static void none_close(struct embedder *m)
{
	(void)m;
}

const struct embedder_kind embedder_none = { "none", none_open, none_texts, none_close };
