/* ask_code: an answer from evidence; by a language model where one is configured, else a list of what was found. */
#include <string.h>

#include "coordinator/coordinator.h"
#include "coordinator/evidence.h"
#include "coordinator/filters.h"
#include "coordinator/llm.h"
#include "coordinator/members.h"
#include "coordinator/pick.h"
#include "coordinator/search.h"
#include "coordinator/views.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/log.h"
#include "proto/base/pool.h"

enum { CONTEXT_MAX = 24 << 10, LISTED = 8, FIRST_LINE = 100 };

/* The numbered evidence that fits a prompt; how many pieces. */
static size_t put_evidence(const struct ask_code_out *out, struct buf *b)
{
	size_t i = 0;

	for (; i < out->evidences.n && b->n < CONTEXT_MAX; i++) {
		const struct evidence *v = &out->evidences.v[i];
		buf_printf(b, "[%zu] %s %s:%llu-%llu\n%s\n\n", i + 1, v->repo, v->path, (unsigned long long)v->startLine,
		    (unsigned long long)v->endLine, v->snippet);
	}
	return i;
}

static void finish(struct call *c)
{
	struct ask_code_out *out = c->out;

	out->meta->elapsedMs = view_took(c);
	call_end(c);
}

/* ---- with a model ---- */

static void ask_model(void *arg)
{
	struct call *c = arg;
	const struct ask_code_in *in = c->in;
	struct ask_code_out *out = c->out;
	struct buf b = { 0 };

	log_req(c->req);
	size_t used = put_evidence(out, &b);
	const char *answer = llm_answer(c, in->query, b.p, &c->e);
	buf_free(&b);
	out->answer = answer;
	out->meta->llmModel = c->co->o.llm_model;
	out->meta->contextsUsed = used;
	finish(c);
	log_req(NULL);
}

/* ---- without ---- */

/* The line of a snippet that says what it is: the first that is not empty. */
static const char *first_line(const char *s, struct arena *a)
{
	s += strspn(s, " \t\r\n");
	size_t n = strcspn(s, "\r\n");
	return arena_strn(a, s, n < FIRST_LINE ? n : FIRST_LINE);
}

static void list_evidence(struct call *c)
{
	const struct ask_code_in *in = c->in;
	struct ask_code_out *out = c->out;
	struct buf b = { 0 };
	size_t n = out->evidences.n < LISTED ? out->evidences.n : LISTED;

	if (n)
		buf_printf(&b, "No language model is configured, so this is what fits \"%.200s\" best:\n", in->query);
	else
		buf_printf(&b, "Nothing was found for \"%.200s\".", in->query);
	for (size_t i = 0; i < n; i++) {
		const struct evidence *v = &out->evidences.v[i];
		buf_printf(&b, "[%zu] %s%s%s:%llu in %s: %s\n", i + 1, v->symbol ? v->symbol : "", v->symbol ? ", " : "", v->path,
		    (unsigned long long)v->startLine, v->repo, first_line(v->snippet, c->a));
	}
	out->answer = arena_strn(c->a, b.p, b.n);
	out->meta->contextsUsed = n;
	buf_free(&b);
	finish(c);
}

/* ---- evidence ---- */

static void with_evidence(struct call *c, struct search *s)
{
	const struct ask_code_in *in = c->in;
	struct ask_code_out *out = c->out;
	const struct asked *k = &s->found->v[0];

	if (s->nmembers == 1 && k->e.code) {
		evidence_fail(c, k);
		call_end(c);
		return;
	}
	evidence_list(c, s, &out->evidences.v, &out->evidences.n);
	out->meta = arena_one(c->a, struct ask_code_meta);
	*out->meta = (struct ask_code_meta){
		.scope = evidence_scope(c, s, in->scope ? in->scope->type : "repo"), .topK = in->topK,
		.minScore = in->minScore, .collection = evidence_collection(c, s),
		.totalMatches = s->total,
	};
	out->without_vectors = s->without;
	out->coverage = s->coverage;
	out->complete = s->complete;
	if (!*c->co->o.llm_url || !s->n) {
		list_evidence(c);
	} else if (pool_run(c->co->slow, ask_model, c)) {
		err_set(&c->e, ERR_RATE_LIMITED, "too many questions wait for the language model");
		call_end(c);
	}
}

void tool_ask_code(struct call *c)
{
	const struct ask_code_in *in = c->in;
	struct search *s = arena_one(c->a, struct search);
	struct picked p;
	const char *type;

	if (search_check(c, in->query, NULL) || filter_score(c, in->minScore) || pick_scope(c, in->scope, in->repo, in->repo_uri, &p, &type)) {
		call_end(c);
		return;
	}
	s->members = p.v;
	s->nmembers = p.n;
	s->req = (struct search_req){ .query = in->query };
	s->limit = in->topK;
	s->min_relevance = in->minScore;
	s->texts = true;
	s->then = with_evidence;
	search_run(c, s);
}
