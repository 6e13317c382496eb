#include "shard/graph/edge_scan.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/int_map.h"
#include "proto/base/minmax.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "shard/storage/edge_store.h"

bool walk_limit_reached(struct walk_limit *l)
{
	if (!l)
		return false;
	if (l->files && l->read == l->files)
		return true;
	l->read++;
	return l->until_ms && clock_ms() >= l->until_ms;
}

/* ---- the files ---- */

struct file_ids {
	int64_t *v;
	size_t n, cap;
};

static void file_ids_add(struct file_ids *l, const int64_t *v, size_t n)
{
	if (!n)
		return;
	l->v = grow(l->v, &l->cap, l->n + n, sizeof *l->v);
	memcpy(l->v + l->n, v, n * sizeof *v);
	l->n += n;
}

static void file_ids_sort_unique(struct file_ids *l)
{
	size_t k = 0;

	if (!l->n)
		return;
	qsort(l->v, l->n, sizeof *l->v, compare_int64);
	for (size_t i = 0; i < l->n; i++)
		if (!k || l->v[k - 1] != l->v[i])
			l->v[k++] = l->v[i];
	l->n = k;
}

/* The files of the subjects of which edges in one direction are wanted. */
static void subject_files(const struct edge_scan *s, bool incoming, struct file_ids *out)
{
	for (size_t i = 0; i < s->nsubjects; i++) {
		unsigned kinds = incoming ? s->subjects[i].in : s->subjects[i].out;
		if (kinds)
			file_ids_add(out, &s->subjects[i].node.file, 1);
	}
	file_ids_sort_unique(out);
}

static int add_incoming(struct edge_scan *s, struct file_ids *out, struct err *e)
{
	struct arena *scratch = arena_new();
	struct file_ids targets = { 0 };
	int rc = 0;

	subject_files(s, true, &targets);
	for (size_t i = 0; !rc && i < targets.n; i++) {
		int64_t *files;
		size_t n;
		if (s->limit && s->limit->until_ms && clock_ms() >= s->limit->until_ms) {
			s->stopped = true;
			break;
		}
		arena_reset(scratch);
		rc = edges_incoming_files(s->db, targets.v[i], scratch, &files, &n, e);
		if (!rc)
			file_ids_add(out, files, n);
	}
	free(targets.v);
	arena_free(scratch);
	return rc;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct scanned_file *)a)->path, ((const struct scanned_file *)b)->path);
}

static int name_files(struct edge_scan *s, const struct file_ids *l, struct arena *a, struct err *e)
{
	s->files = arena_many(a, l->n + 1, struct scanned_file);
	for (size_t i = 0; i < l->n; i++) {
		struct stmt *q = db_prep(s->db, "select path from files where id = ?", e);
		int rc;
		if (!q || db_bind(q, "i", l->v[i]))
			return -1;
		while ((rc = db_step(q, e)) == 1)
			s->files[s->nfiles++] = (struct scanned_file){ .id = l->v[i],
				.path = arena_str(a, db_str(q, 0)) };
		if (rc < 0)
			return -1;
	}
	if (s->nfiles)
		qsort(s->files, s->nfiles, sizeof *s->files, by_path);
	return 0;
}

/* ---- the subjects ---- */

static void index_subjects(struct edge_scan *s)
{
	s->places = int_map_new();
	for (size_t i = 0; i < s->nsubjects; i++) {
		const struct scan_subject *x = &s->subjects[i];
		void **at = int_map_at(s->places, graph_node_key(x->node));
		if (!*at)
			*at = (void *)(i + 1);
		s->in |= x->in;
		s->out |= x->out;
	}
}

/* The index of the node among the subjects, or nsubjects. */
static size_t subject_of(const struct edge_scan *s, int64_t file, int64_t symbol)
{
	const struct graph_node node = { file, symbol };
	size_t place = (size_t)int_map_get(s->places, graph_node_key(node));

	if (place)
		return place - 1;
	return s->nsubjects;
}

int edge_scan_open(struct edge_scan *s, struct arena *a, struct err *e)
{
	struct file_ids files = { 0 };

	index_subjects(s);
	subject_files(s, false, &files);
	int rc = add_incoming(s, &files, e);
	if (!rc && !s->stopped) {
		file_ids_sort_unique(&files);
		rc = name_files(s, &files, a, e);
	}
	free(files.v);
	return rc;
}

void edge_scan_close(struct edge_scan *s)
{
	int_map_free(s->places);
	s->places = NULL;
}

/* ---- the edges ---- */

static void add(struct edge_scan *s, const struct stored_edge *x, struct neighbour found,
    struct neighbours *out, struct arena *a)
{
	if (x->confidence < s->min) {
		out->weak++;
		return;
	}
	found.kind = x->kind;
	found.r.relation = graph_kind_name(x->kind);
	found.r.confidence = x->confidence / 100.0;
	found.r.reason = arena_str(a, x->reason);
	found.r.at_line = x->line;
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = found;
}

static void match_edge(struct edge_scan *s, struct scanned_file *file, const struct stored_edge *x,
    struct neighbours *out, struct arena *a)
{
	unsigned bit = 1u << x->kind;
	size_t to = s->nsubjects, from = s->nsubjects;

	if (bit & (s->in | s->touching))
		to = subject_of(s, x->target_file, x->target);
	if (bit & s->out)
		from = subject_of(s, file->id, x->source);
	if (to < s->nsubjects && bit & s->touching)
		file->touches = true;
	if (to < s->nsubjects && bit & s->subjects[to].in)
		add(s, x,
		    (struct neighbour){ .node = { file->id, x->source }, .subject = to, .incoming = true },
		    out, a);
	if (from < s->nsubjects && bit & s->subjects[from].out)
		add(s, x, (struct neighbour){ .node = { x->target_file, x->target }, .subject = from }, out,
		    a);
}

static int read_file(struct edge_scan *s, struct scanned_file *file, struct arena *scratch,
    struct neighbours *out, struct arena *a, struct err *e)
{
	struct stored_edges edges;

	arena_reset(scratch);
	if (edges_read(s->db, file->id, scratch, &edges, e))
		return -1;
	for (size_t i = 0; i < edges.n; i++)
		if (edges.v[i].kind < GRAPH_KINDS)
			match_edge(s, file, &edges.v[i], out, a);
	return 0;
}

int edge_scan_next(struct edge_scan *s, struct neighbours *out, struct arena *a, struct err *e)
{
	struct arena *scratch = arena_new();
	size_t end = s->at + MIN(s->nfiles - s->at, EDGE_SCAN_FILES), before = out->n;
	uint64_t weak = out->weak;
	int rc = 0;

	for (size_t i = s->at; !rc && i < end; i++) {
		s->stopped = walk_limit_reached(s->limit);
		if (s->stopped || s->full)
			break;
		rc = read_file(s, &s->files[i], scratch, out, a, e);
		s->full = s->most && out->n - before > s->most;
	}
	arena_free(scratch);
	if (s->stopped) {
		out->n = before;
		out->weak = weak;
		return rc;
	}
	s->at = end;
	if (!rc && !s->full && s->at < s->nfiles)
		return 1;
	return rc;
}
