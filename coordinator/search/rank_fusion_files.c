/* How the texts of a file raise and lower each other's scores in a weighted sum. */
#include "coordinator/search/rank_fusion_internal.h"

#include "proto/base/arena.h"
#include "proto/base/int_map.h"

/*
 * The best texts of a file raise each other's scores, because answers seldom stand alone.  Measured
 * like the weights of the lists (rank_fusion.c).
 */
enum { FILE_TEXTS = 3 };
static const double file_share[FILE_TEXTS] = { 1, 0.5, 0.25 };
static const double in_file = 0.15;	/* weight of these texts' cosines */
/* weight of `around`, and the value that counts as 1 */
static const double by_around = 0.3, full_around = 0.35;

/*
 * Another file helps a reader more than a fourth text of the same file, unless the text has the
 * name or the path that was asked for.
 */
enum { SAME_FILE_MAX = 3 };
static const double same_file_penalty = 0.5;

struct fusion_file {
	double near[FILE_TEXTS];	/* cosines of its best texts, the best first */
	const struct fusion_doc *last;	/* the last text that was counted */
	double share;			/* added to the score of each of its texts */
	size_t shown;			/* its texts that rank higher */
};

bool fuse_listed(const struct fusion_ref *r)
{
	for (int l = 0; l < LISTS; l++)
		if (r->score[l] > 0)
			return true;
	return false;
}

double fuse_max_score(struct fusion_doc *const *v, size_t n, enum fusion_list l)
{
	double best = 0;

	for (size_t i = 0; i < n; i++)
		best = fuse_larger(best, v[i]->known[l]);
	return best;
}

static void add_near(struct fusion_file *f, double near)
{
	for (int i = 0; i < FILE_TEXTS; i++)
		if (near > f->near[i]) {
			double less = f->near[i];
			f->near[i] = near;
			near = less;
		}
}

static struct fusion_file *file_at(
    struct int_map *files, const struct fusion_ref *r, struct arena *a)
{
	void **at = int_map_at(files, r->file ^ (uint64_t)(r->member + 1) << 40);

	if (!*at)
		*at = arena_one(a, struct fusion_file);
	return *at;
}

static void share_file(struct fusion_file *f, double full)
{
	f->share = 0;
	for (int k = 0; k < FILE_TEXTS; k++)
		f->share += in_file * file_share[k] * f->near[k] / full;
}

/* Count a text, once, for each file that has it. */
static void count_text(struct int_map *files, const struct fusion_doc *d, struct arena *a)
{
	for (const struct fusion_ref *r = d->refs; r; r = r->next) {
		if (!fuse_listed(r))
			continue;
		struct fusion_file *f = file_at(files, r, a);
		if (f->last != d)
			add_near(f, d->known[LIST_VECTOR]);
		f->last = d;
	}
}

/* Each text gets its file's share; a text with copies gets the largest share of their files. */
void fuse_add_file_scores(struct fusion_doc **v, size_t n, double full, struct arena *a)
{
	struct int_map *files = int_map_new();

	for (size_t i = 0; i < n; i++)
		count_text(files, v[i], a);
	for (size_t i = 0; i < int_map_len(files); i++)
		share_file(int_map_val(files, i), full);
	for (size_t i = 0; i < n; i++) {
		double share = 0;
		for (const struct fusion_ref *r = v[i]->refs; r; r = r->next)
			if (fuse_listed(r))
				share = fuse_larger(share, file_at(files, r, a)->share);
		v[i]->f.score += share;
	}
	int_map_free(files);
}

void fuse_add_around_scores(struct fusion_doc **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i]->f.score += by_around * v[i]->around / full_around;
}

/* Whether all files with this text have shown enough texts above it.  Counts this text as shown. */
static bool is_crowded(struct int_map *files, const struct fusion_doc *d, struct arena *a)
{
	bool crowded = true;

	for (const struct fusion_ref *r = d->refs; r; r = r->next) {
		if (!fuse_listed(r))
			continue;
		struct fusion_file *f = file_at(files, r, a);
		if (f->last == d)
			continue;
		if (f->shown < SAME_FILE_MAX)
			crowded = false;
		f->shown++;
		f->last = d;
	}
	return crowded;
}

void fuse_penalize_same_file(struct fusion_doc **v, size_t n, struct arena *a)
{
	struct int_map *files = int_map_new();

	for (size_t i = 0; i < n; i++) {
		bool crowded = is_crowded(files, v[i], a);
		if (crowded && v[i]->score[LIST_NAME] == 0 && v[i]->score[LIST_PATH] == 0)
			v[i]->f.score *= same_file_penalty;
	}
	int_map_free(files);
}
