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
	const char *model;		/* NULL: none is configured */
};

/*
 * From the options --llm-*; strings live in `a`.  0, or -1 with INVALID_INPUT that names the
 * option.
 */
int llm_open(struct llm *, const struct coordinator_config *, struct arena *a, struct err *e);

/*
 * The model's answer, in `a`; `*cut`: it ran into its limit of tokens.  Blocks until `deadline_ms`
 * (of clock_ms) at the latest, or `stop` is set (NULL: never).  NULL with RATE_LIMITED (HTTP 429)
 * or UNAVAILABLE, naming the endpoint without its secrets.
 */
const char *llm_answer(const struct llm *, const char *system, const char *user,
    int64_t deadline_ms, atomic_bool *stop, bool *cut, struct arena *a, struct err *e);

/*
 * The text of a chat completion, one JSON object or a stream of server-sent events; in `a`; `*cut`
 * as above.  NULL, with *why, when it has none, reports an error, or breaks off.
 */
const char *llm_text(const struct fetch_response *, bool *cut, const char **why, struct arena *a);
#endif
