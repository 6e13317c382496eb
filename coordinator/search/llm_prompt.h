#ifndef COORDINATOR_SEARCH_LLM_PROMPT_H
#define COORDINATOR_SEARCH_LLM_PROMPT_H
/* The prompt for a language model, and which evidence its answer cites.  Pure. */

#include <stddef.h>

#include "coordinator/records/records.h"

struct arena;

struct llm_prompt {
	const char *system, *user;
	size_t used;		/* number of pieces of evidence in it, from the first */
};

/*
 * Build a prompt from the question and the evidence that fits `tokens` (three bytes each), best
 * first; the last piece may be cut at a line.  Each piece has its number, repository and path, and
 * each line its number.  The evidence is enclosed by lines with a mark, a hash of all its text, so
 * that no text in a repository can contain the mark.  The same question and evidence give the same
 * prompt.
 */
void llm_prompt_build(struct llm_prompt *, const char *question, const struct evidence *, size_t n,
    size_t tokens, struct arena *);

/* The number of bytes of source that each of `n` pieces may have so that all of them fit. */
size_t llm_prompt_piece_bytes(size_t tokens, size_t n);

/* Set `cited` on the pieces that the answer cites as [1] or [1, 3] outside of code. */
void llm_prompt_mark_cited(const char *answer, struct evidence *, size_t n);
#endif
