#include "shard/index/index_reader.h"

#include <stdlib.h>
#include <unistd.h>

#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "shard/git/repo.h"
#include "shard/index/document_prior.h"

int64_t index_reader_until(const struct index_reader *r, int percent)
{
	if (!r->deadline_ms)
		return 0;
	return r->began_ms + (r->deadline_ms - r->began_ms) * percent / 100;
}

/* Replaces the error of repo_open by one without folders of this machine. */
static void hide_path(struct err *e)
{
	if (!e)
		return;
	if (e->code == ERR_FORBIDDEN)
		err_set(e, e->code, READER_REFUSED);
	else if (e->code == ERR_NOT_FOUND)
		err_set(e, e->code, READER_REPO_MISSING);
	else
		err_set(e, ERR_UNAVAILABLE, READER_UNREADABLE);
	err_hint(e, "What is indexed can still be found, but texts cannot be shown.");
}

struct repo *index_reader_repo(struct index_reader *r, struct err *e)
{
	if (r->repo && !access(r->place, F_OK))
		return r->repo;
	repo_close(r->repo);	/* it was moved away, so its objects cannot be read */
	r->repo = repo_open(r->place, e);
	if (!r->repo)
		hide_path(e);
	return r->repo;
}

static void free_ranking(struct index_reader *r)
{
	free(r->ranking_mem);
	free(r->name_priors);
	r->ranking_mem = r->name_priors = NULL;
}

struct ranking *index_reader_ranking(struct index_reader *r, struct err *e)
{
	if (r->ranking_mem && r->ranked == r->info.generation)
		return &r->ranking;
	free_ranking(r);
	r->ranked = r->info.generation;
	if (!store_read_ranking(r->db, &r->ranking, &r->ranking_mem, e)) {
		r->ranking.generation = r->ranked;
		return &r->ranking;
	}
	free_ranking(r);
	return NULL;
}

const uint8_t *index_reader_name_priors(struct index_reader *r)
{
	size_t n = r->ranking.n;

	if (r->name_priors)
		return r->name_priors;
	r->name_priors = xcalloc(n + 1, sizeof *r->name_priors);
	for (size_t i = 0; i < n; i++)
		r->name_priors[i] = (uint8_t)document_prior_for_names(r->ranking.priors[i]);
	return r->name_priors;
}

struct vectors *index_reader_vectors(struct index_reader *r, struct err *e)
{
	if (r->vectors && vectors_is_current(r->vectors, r->data))
		return r->vectors;
	vectors_close(r->vectors);
	r->vectors = vectors_open(r->data, &r->vectors_mark, e);
	return r->vectors;
}

void index_reader_reset(struct index_reader *r)
{
	db_close(r->db);
	free_ranking(r);
	vectors_close(r->vectors);
	bm25_scores_free(r->scores);
	r->scores = NULL;
	r->vectors = NULL;
	r->db = NULL;
	r->info = (struct index_info){ 0 };
}

void index_reader_close(struct index_reader *r)
{
	index_reader_reset(r);
	repo_close(r->repo);
	r->repo = NULL;
}
