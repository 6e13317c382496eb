#ifndef COORDINATOR_SEARCH_LLM_H
#define COORDINATOR_SEARCH_LLM_H
/* The language model behind ask_code: any OpenAI-compatible POST /v1/chat/completions. */

#include <stdbool.h>

#include "proto/embed/openai_api.h"

struct arena;
struct coordinator;
struct err;
struct fetch_response;
struct coordinator_config;

struct llm {
	struct openai api;
	const char *model;		/* NULL if none is configured */
};

/*
 * Configure the model from the options --llm-*.  Strings live in `a`.  0, or -1 with INVALID_INPUT
 * naming the option.
 */
int llm_open(struct llm *, const struct coordinator_config *, struct arena *a, struct err *e);

/*
 * The model's answer, in `a`; `*cut` tells whether it ended at the token limit.  Blocks at most
 * until `deadline_ms` (of clock_ms), or until `stop` is set (NULL = never).  Returns NULL with
 * RATE_LIMITED (HTTP 429) or UNAVAILABLE, naming the endpoint without its secrets.
 */
const char *llm_answer(const struct llm *, const char *system, const char *user,
    int64_t deadline_ms, atomic_bool *stop, bool *cut, struct arena *a, struct err *e);

/*
 * The text of a chat completion, a JSON object or a stream of server-sent events; in `a`, with
 * `*cut` as above.  Returns NULL and sets *why if there is no text, an error is reported, or the
 * stream ends early.
 */
const char *llm_text(const struct fetch_response *, bool *cut, const char **why, struct arena *a);
#endif
