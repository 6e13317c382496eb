#ifndef COORDINATOR_LLM_H
#define COORDINATOR_LLM_H
/* The language model behind ask_code: any OpenAI-compatible POST /chat/completions. */

struct call;
struct err;

/*
 * The model's answer to a question from numbered evidence; in the call's arena.  Blocks until the call's deadline.
 * NULL with RATE_LIMITED (HTTP 429) or UNAVAILABLE, naming the endpoint without its secrets.
 */
const char *llm_answer(struct call *, const char *question, const char *evidence, struct err *);
#endif
