#include "shard/vectors/vector_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "shard/vectors/vector_scan.h"

enum { PATH = 4096, ALIGN = 64, LANES = 4 };
/* the segments that a file may have, and the rows for which it may have one more */
enum { SEGMENTS_MAX = 64, ROWS_PER_SEGMENT = 512 };

static const char name[] = "vectors.bin", name_tmp[] = "vectors.bin.tmp";

/*
 * The head of the file, as it is on disk; the head of a segment follows. Sizes are multiples of
 * ALIGN.
 */
struct file_head {
	char magic[8];
	struct vectors_head own;
	char pad[76];
	uint64_t sum;
};

struct segment_head {
	uint64_t magic, n, bytes, sum;	/* bytes: the size of what follows */
	char pad[ALIGN - 32];
};

_Static_assert(sizeof(struct file_head) % ALIGN == 0 && sizeof(struct segment_head) == ALIGN,
    "heads are aligned");

static const char file_magic[8] = { 'A', 'T', 'V', 'E', 'C', 'T', '0', '3' };
enum { SEGMENT_MAGIC = 0x53454731 };

struct vectors_writer {
	int fd;
	bool fresh;			/* it is not in place yet */
	char dir[PATH];
	size_t dim;
	uint64_t at, last;		/* end of the file, checksum of its last segment */
	struct buf rows, scales, hashes, docs, fronts, backs, steps;
};

static size_t padded(size_t n)
{
	return (n + ALIGN - 1) / ALIGN * ALIGN;
}

/* FNV-1a by words, four at a time; n is a multiple of ALIGN. */
static uint64_t checksum(uint64_t seed, const void *p, size_t n)
{
	uint64_t h[LANES];

	for (size_t k = 0; k < LANES; k++)
		h[k] = (14695981039346656037u ^ seed) + k;
	for (size_t i = 0; i < n; i += sizeof h) {
		uint64_t w[LANES];
		memcpy(w, (const char *)p + i, sizeof w);
		for (size_t k = 0; k < LANES; k++)
			h[k] = ((h[k] ^ w[k]) * 1099511628211u) ^ h[k] >> 29;
	}
	for (size_t k = 1; k < LANES; k++)
		h[0] = (h[0] ^ h[k]) * 1099511628211u ^ h[0] >> 31;
	return h[0];
}

static uint64_t head_sum(struct file_head h)
{
	h.sum = 0;
	return checksum(0, &h, sizeof h);
}

/* The offsets of the parts of a segment of n rows after its head, and their total size. */
struct segment_layout {
	size_t rows, scales, hashes, docs, fronts, backs, steps, size;
};

static struct segment_layout segment_layout_of(size_t n, size_t dim)
{
	struct segment_layout p = { 0 };

	p.scales = padded(n * dim);
	p.hashes = p.scales + padded(n * sizeof(float));
	p.docs = p.hashes + padded(n * sizeof(uint64_t));
	p.fronts = p.docs + padded(n * sizeof(uint32_t));
	p.backs = p.fronts + padded(n * scan_front_size(dim));
	p.steps = p.backs + padded(n * scan_back_size(dim));
	p.size = p.steps + padded(n * sizeof(float));
	return p;
}

/* ---- reading ---- */

/*
 * Reads the segment at `at`; false if there is none. If `trusted`, its checksum was verified
 * before.
 */
static bool read_segment(struct vectors *f, uint64_t at, bool trusted, struct vectors_segment *out,
    struct segment_head *h)
{
	const char *base = f->map;

	if (at + sizeof *h > f->mapped)
		return false;
	memcpy(h, base + at, sizeof *h);
	if (h->magic != SEGMENT_MAGIC || h->bytes > f->mapped - at - sizeof *h)
		return false;
	if (!h->n || h->n > UINT32_MAX)
		return false;
	struct segment_layout p = segment_layout_of(h->n, f->head.dim);
	if (p.size != h->bytes)
		return false;
	const char *body = base + at + sizeof *h;
	if (!trusted && checksum(f->last ^ h->n, body, p.size) != h->sum)
		return false;
	*out = (struct vectors_segment){
		.rows = (const int8_t *)(body + p.rows),
		.scales = (const float *)(const void *)(body + p.scales),
		.hashes = (const uint64_t *)(const void *)(body + p.hashes),
		.docs = (const uint32_t *)(const void *)(body + p.docs),
		.fronts = (const uint8_t *)(body + p.fronts),
		.backs = (const uint8_t *)(body + p.backs),
		.steps = (const float *)(const void *)(body + p.steps),
		.n = h->n,
	};
	return true;
}

/* Reads all segments. Returns whether the end of the part that `mark` describes was found. */
static bool read_segments(struct vectors *f, const struct vectors_checkpoint *mark)
{
	struct vectors_segment s;
	struct segment_head h;
	bool found = f->bytes == mark->bytes;
	size_t cap = 0;

	while (read_segment(f, f->bytes, f->bytes < mark->bytes, &s, &h)) {
		f->v = grow(f->v, &cap, f->n + 1, sizeof *f->v);
		s.first = f->rows;
		f->v[f->n++] = s;
		f->rows += s.n;
		f->bytes += sizeof h + h.bytes;
		f->last = h.sum;
		if (f->bytes == mark->bytes && f->last == mark->sum)
			found = true;
	}
	return found;
}

static bool read_head(struct vectors *f)
{
	struct file_head h;

	if (f->mapped < sizeof h)
		return false;
	memcpy(&h, f->map, sizeof h);
	if (memcmp(h.magic, file_magic, sizeof h.magic) || h.sum != head_sum(h))
		return false;
	if (!h.own.dim || h.own.dim > SCAN_DIM_MAX)
		return false;
	f->head = h.own;
	f->bytes = sizeof h;
	f->last = h.sum;
	return true;
}

static int map_open_file(
    struct vectors *f, int fd, const char *path, struct stat *st, struct err *e)
{
	if (fstat(fd, st))
		return err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	if (st->st_size < (off_t)sizeof(struct file_head))
		return err_set(e, ERR_NO_INDEX, "%s is too short", path);
	size_t n = (size_t)st->st_size;
	void *map = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	f->map = map;
	f->mapped = n;
	return 0;
}

static int map_file(struct vectors *f, const char *path, struct stat *st, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		enum err_code code = errno == ENOENT ? ERR_NO_INDEX : ERR_DB_ERROR;
		return err_set(e, code, "%s: %s", path, strerror(errno));
	}
	int rc = map_open_file(f, fd, path, st, e);
	close(fd);
	return rc;
}

static struct vectors *open_file(const char *path, struct vectors_checkpoint *mark, struct err *e)
{
	struct vectors *f = xcalloc(1, sizeof *f);
	struct stat st;

	if (map_file(f, path, &st, e)) {
		vectors_close(f);
		return NULL;
	}
	if (!read_head(f)) {
		vectors_close(f);
		err_set(e, ERR_NO_INDEX, "%s was not written by this version of the program", path);
		return NULL;
	}
	const struct vectors_checkpoint none = { 0 };
	f->device = st.st_dev;
	f->inode = st.st_ino;
	f->written = st.st_mtim;
	bool same = mark && mark->device == st.st_dev && mark->inode == st.st_ino;
	if (!same || !read_segments(f, mark)) {
		free(f->v);
		f->v = NULL;
		f->n = f->rows = 0;
		read_head(f);
		read_segments(f, &none);
	}
	if (mark)
		*mark = (struct vectors_checkpoint){ st.st_dev, st.st_ino, f->bytes, f->last };
	return f;
}

static const char checkpoint_variable[] = "ATOLL_VECTORS_VERIFIED";

void vectors_checkpoint_print(const struct vectors_checkpoint *c, char out[VECTORS_CHECKPOINT_TEXT])
{
	snprintf(out, VECTORS_CHECKPOINT_TEXT, "%s=%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64,
	    checkpoint_variable, c->device, c->inode, c->bytes, c->sum);
}

struct vectors_checkpoint vectors_checkpoint_inherited(void)
{
	static const char form[] = "%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64;
	const char *text = getenv(checkpoint_variable);
	struct vectors_checkpoint c;

	if (text && sscanf(text, form, &c.device, &c.inode, &c.bytes, &c.sum) == 4)
		return c;
	return (struct vectors_checkpoint){ 0 };
}

struct vectors *vectors_open(const char *dir, struct vectors_checkpoint *mark, struct err *e)
{
	char path[PATH];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return open_file(path, mark, e);
}

struct vectors *vectors_open_file(const char *path, struct err *e)
{
	return open_file(path, NULL, e);
}

void vectors_close(struct vectors *f)
{
	if (!f)
		return;
	if (f->map)
		munmap(f->map, f->mapped);
	free(f->v);
	free(f->index);
	arena_free(f->means);
	free(f);
}

const struct vectors_segment *vectors_segment_of(const struct vectors *f, size_t *row)
{
	size_t lo = 0, hi = f->n;

	while (hi - lo > 1) {
		size_t mid = (lo + hi) / 2;
		if (f->v[mid].first <= *row)
			lo = mid;
		else
			hi = mid;
	}
	*row -= f->v[lo].first;
	return &f->v[lo];
}

bool vectors_is_scattered(size_t rows, size_t segments)
{
	return segments > SEGMENTS_MAX + rows / ROWS_PER_SEGMENT;
}

bool vectors_is_current(const struct vectors *f, const char *dir)
{
	char path[PATH];
	struct stat st;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	if (stat(path, &st))
		return false;
	if (f->device != st.st_dev || f->inode != st.st_ino)
		return false;
	if (f->mapped != (size_t)st.st_size)
		return false;
	return f->written.tv_sec == st.st_mtim.tv_sec && f->written.tv_nsec == st.st_mtim.tv_nsec;
}

/* ---- writing ---- */

static int write_at(struct vectors_writer *w, const void *p, size_t n, struct err *e)
{
	size_t done = 0;

	while (done < n) {
		ssize_t k = pwrite(w->fd, (const char *)p + done, n - done, (off_t)(w->at + done));
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return err_set(e, ERR_DB_ERROR, "%s/%s: %s", w->dir, name, strerror(errno));
		done += (size_t)k;
	}
	w->at += n;
	return 0;
}

static struct vectors_writer *writer(const char *dir, const char *file, int flags, struct err *e)
{
	struct vectors_writer *w = xcalloc(1, sizeof *w);
	char path[PATH + 20];

	snprintf(w->dir, sizeof w->dir, "%s", dir);
	snprintf(path, sizeof path, "%s/%s", dir, file);
	w->fd = open(path, O_RDWR | O_CLOEXEC | flags, 0600);
	if (w->fd >= 0)
		return w;
	err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	vectors_writer_close(w);
	return NULL;
}

struct vectors_writer *vectors_create(
    const char *dir, const struct vectors_head *head, struct err *e)
{
	struct vectors_writer *w = writer(dir, name_tmp, O_CREAT | O_TRUNC, e);
	struct file_head h;

	if (!w)
		return NULL;
	memset(&h, 0, sizeof h);
	memcpy(h.magic, file_magic, sizeof h.magic);
	h.own = *head;
	h.sum = head_sum(h);
	w->fresh = true;
	w->dim = head->dim;
	w->last = h.sum;
	if (!write_at(w, &h, sizeof h, e))
		return w;
	vectors_writer_close(w);
	return NULL;
}

struct vectors_writer *vectors_append(const char *dir, const struct vectors *f, struct err *e)
{
	struct vectors_writer *w = writer(dir, name, 0, e);

	if (!w)
		return NULL;
	w->dim = f->head.dim;
	w->at = f->bytes;
	w->last = f->last;
	return w;
}

void vectors_writer_put(
    struct vectors_writer *w, uint32_t doc, uint64_t hash, const int8_t *row, float scale)
{
	uint8_t front[SCAN_DIM_MAX / 4], back[SCAN_DIM_MAX / 4];
	float step;

	buf_put(&w->rows, row, w->dim);
	buf_put(&w->scales, &scale, sizeof scale);
	buf_put(&w->hashes, &hash, sizeof hash);
	buf_put(&w->docs, &doc, sizeof doc);
	scan_code(row, scale, w->dim, front, back, &step);
	buf_put(&w->fronts, front, scan_front_size(w->dim));
	buf_put(&w->backs, back, scan_back_size(w->dim));
	buf_put(&w->steps, &step, sizeof step);
}

size_t vectors_buffered_rows(const struct vectors_writer *w)
{
	return w->docs.n / sizeof(uint32_t);
}

static void put_padded(struct buf *out, struct buf *part)
{
	static const char zeros[ALIGN];

	buf_put(out, part->p, part->n);
	buf_put(out, zeros, padded(part->n) - part->n);
	part->n = 0;
}

int vectors_writer_flush(struct vectors_writer *w, struct err *e)
{
	struct segment_head h = { .magic = SEGMENT_MAGIC, .n = vectors_buffered_rows(w) };
	struct buf all = { 0 };

	if (!h.n)
		return 0;
	buf_put(&all, &h, sizeof h);
	put_padded(&all, &w->rows);
	put_padded(&all, &w->scales);
	put_padded(&all, &w->hashes);
	put_padded(&all, &w->docs);
	put_padded(&all, &w->fronts);
	put_padded(&all, &w->backs);
	put_padded(&all, &w->steps);
	h.bytes = all.n - sizeof h;
	h.sum = checksum(w->last ^ h.n, all.p + sizeof h, h.bytes);
	memcpy(all.p, &h, sizeof h);
	int rc = write_at(w, all.p, all.n, e);
	buf_free(&all);
	if (!rc && !w->fresh && fdatasync(w->fd))
		rc = err_set(e, ERR_DB_ERROR, "%s/%s: %s", w->dir, name, strerror(errno));
	w->last = h.sum;
	return rc;
}

int vectors_writer_publish(struct vectors_writer *w, struct err *e)
{
	char from[PATH + 20], to[PATH + 20];

	snprintf(from, sizeof from, "%s/%s", w->dir, name_tmp);
	snprintf(to, sizeof to, "%s/%s", w->dir, name);
	if (vectors_writer_flush(w, e))
		return -1;
	if (fsync(w->fd) || rename(from, to))
		return err_set(e, ERR_DB_ERROR, "%s: %s", to, strerror(errno));
	w->fresh = false;
	int dir = open(w->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = 0;
	if (dir < 0 || fsync(dir))
		rc = err_set(e, ERR_DB_ERROR, "%s: %s", w->dir, strerror(errno));
	if (dir >= 0)
		close(dir);
	return rc;
}

void vectors_writer_close(struct vectors_writer *w)
{
	char path[PATH + 20];

	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	snprintf(path, sizeof path, "%s/%s", w->dir, name_tmp);
	if (w->fresh)
		unlink(path);
	buf_free(&w->rows);
	buf_free(&w->scales);
	buf_free(&w->hashes);
	buf_free(&w->docs);
	buf_free(&w->fronts);
	buf_free(&w->backs);
	buf_free(&w->steps);
	free(w);
}

void vectors_remove(const char *dir)
{
	char path[PATH + 20];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	unlink(path);
}
