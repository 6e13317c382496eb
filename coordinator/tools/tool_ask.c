/* ask_code: evidence, and the answer of a language model if one is configured. */
#include "coordinator/calls/context.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/search/llm.h"
#include "coordinator/search/llm_prompt.h"
#include "coordinator/search/search.h"
#include "coordinator/search/search_evidence.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/base/thread_pool.h"
enum {
	TO_ANSWER_MS = 1000,		/* part of the call's time that the model does not get */
	PIECE_MIN = 1000, PIECE_MAX = 16 << 10,
};

static const char no_model[] =
    "No language model is configured, so there is only evidence and no answer. Start `atoll up`"
    " (the coordinator) with ATOLL_LLM_URL (--llm-url) and ATOLL_LLM_MODEL (--llm-model) of any"
    " OpenAI-compatible API, and its key in OPENAI_API_KEY or ATOLL_LLM_KEY_FILE.";
static const char no_evidence[] =
    "No evidence was found. Try other words, a wider scope or a lower minScore.";
static const char cut_short[] =
    "The answer was cut at the model's token limit: ask for less, or raise that limit.";

static void finish(struct call *c)
{
	struct ask_code_out *out = c->out;

	out->meta->elapsedMs = view_elapsed_ms(c);
	call_end(c);
}

/* Return the evidence without an answer, and the reason. */
static void without_answer(struct call *c, const struct err *e)
{
	struct ask_code_out *out = c->out;

	out->failure = arena_one(c->a, struct problem);
	*out->failure = (struct problem){
		.code = err_name(e->code),
		.message = arena_str(c->a, e->msg),
		.hint = arena_str(c->a, e->hint),
		.retry_after_ms = (uint64_t)e->retry_after_ms,
	};
	log_warn("ask.failed", "code=%s message=%s", err_name(e->code), log_quote(e->msg));
}

static void ask_model(void *arg)
{
	struct call *c = arg;
	const struct ask_code_in *in = c->in;
	struct ask_code_out *out = c->out;
	struct llm_prompt p;
	struct err e = { 0 };
	bool cut;

	log_set_request(c->req);
	llm_prompt_build(&p, in->query, c->state, out->evidences.n, (size_t)c->o->llm_context, c->a);
	out->meta->contextsUsed = p.used;
	out->answer = llm_answer(
	    c->co->llm, p.system, p.user, c->deadline_ms - TO_ANSWER_MS, &c->abandoned, &cut, c->a, &e);
	if (out->answer) {
		llm_prompt_mark_cited(out->answer, out->evidences.v, p.used);
		if (cut)
			out->hint = cut_short;
	} else {
		without_answer(c, &e);
	}
	finish(c);
	log_set_request(NULL);
}

/* The model reads more of each piece than the reply shows. */
static void with_pieces(struct call *c, struct federated_search *s)
{
	struct ask_code_out *out = c->out;
	size_t n = out->evidences.n;
	struct evidence *v = arena_many(c->a, n, struct evidence);
	struct err e = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct snippet *t = &s->snippets[i];
		v[i] = out->evidences.v[i];
		if (!text_is_set(t->text))
			continue;
		v[i].snippet = t->text;
		v[i].startLine = t->start_line;
		v[i].endLine = t->end_line;
	}
	c->state = v;
	if (!pool_run(c->co->slow, ask_model, c))
		return;
	err_set(&e, ERR_RATE_LIMITED, "too many questions are waiting for the language model");
	err_hint(&e, "Ask again in a moment.");
	without_answer(c, &e);
	finish(c);
}

static void answer(struct call *c, struct federated_search *s)
{
	struct ask_code_out *out = c->out;

	out->meta->llmModel = c->co->llm->model;
	if (out->evidences.n && c->co->llm->model) {
		size_t bytes = llm_prompt_piece_bytes((size_t)c->o->llm_context, out->evidences.n);
		bytes = MAX(bytes, PIECE_MIN);
		bytes = MIN(bytes, PIECE_MAX);
		search_refetch_snippets(c, s, bytes, with_pieces);
		return;
	}
	if (out->evidences.n)
		out->hint = no_model;
	else if (out->meta->llmModel)
		out->hint = no_evidence;
	else
		out->hint = arena_printf(c->a, "%s %s", no_evidence, no_model);
	finish(c);
}

static void with_evidence(struct call *c, struct federated_search *s)
{
	const struct ask_code_in *in = c->in;
	struct ask_code_out *out = c->out;
	const struct fanout_reply *k = &s->found->v[0];

	if (s->nmembers == 1 && k->e.code) {
		evidence_fail(c, k);
		call_end(c);
		return;
	}
	struct evidence *v = evidence_list(c, s);
	out->evidences.v = v;
	out->evidences.n = search_page_matches(s);
	out->similar.v = v + out->evidences.n;
	out->similar.n = s->n - out->evidences.n;
	out->meta = arena_one(c->a, struct ask_code_meta);
	*out->meta = (struct ask_code_meta){
		.scope = evidence_scope(c, s, in->scope),
		.topK = in->topK,
		.minScore = in->minScore,
		.droppedByMinScore = s->too_low,
		.collection = evidence_collection(c, s),
		.totalMatches = s->total,
	};
	out->without_vectors = s->no_vectors_reason;
	out->coverage = s->coverage;
	out->complete = s->complete;
	answer(c, s);
}

void tool_ask_code(struct call *c)
{
	const struct ask_code_in *in = c->in;
	struct federated_search *s = evidence_search(
	    c, in->scope, in->repo, in->repo_uri, in->query, in->minScore);

	if (!s) {
		call_end(c);
		return;
	}
	s->limit = in->topK;
	s->then = with_evidence;
	search_run(c, s);
}
