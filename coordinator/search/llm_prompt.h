#ifndef COORDINATOR_SEARCH_LLM_PROMPT_H
#define COORDINATOR_SEARCH_LLM_PROMPT_H
/* What a language model is told about a question, and which evidence its answer names.  Pure. */

#include <stddef.h>

#include "coordinator/records/records.h"

struct arena;

struct llm_prompt {
	const char *system, *user;
	size_t used;		/* the first so many pieces of the evidence are in it */
};

/*
 * The question with the evidence that fits `tokens` (three bytes each), best first, the last piece
 * cut at a line if need be. A piece has its number, repository and path, a line its number.  The
 * evidence stands between lines that hold a mark made of the hash of everything said, so that no
 * text in a repository can hold it; the same question and evidence give the same prompt.
 */
void llm_prompt_build(struct llm_prompt *, const char *question, const struct evidence *, size_t n,
    size_t tokens, struct arena *);

/* The bytes of source that each of n pieces may have so that all of them fit. */
size_t llm_prompt_piece_bytes(size_t tokens, size_t n);

/* Set `cited` of the pieces that the answer names as [1] or [1, 3] outside of code. */
void llm_prompt_mark_cited(const char *answer, struct evidence *, size_t n);
#endif
