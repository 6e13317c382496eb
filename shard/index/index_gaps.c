#include "shard/index/index_gaps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/plain_text.h"
#include "proto/db/db.h"
#include "proto/record/gaps.h"
#include "proto/record/record.h"
#include "shard/index/index_store.h"

/* Reasons for skipping a file that have another name as a cause; others are the cause itself. */
static const struct { const char *reason, *cause; } causes[] = {
	{ "folders: more than 200 levels", "too-deep" },
	{ "folders: ", "too-many-entries" },
	{ "path: ", "path-too-long" },
	{ "git: ", "unpack-limit" },
	{ "too large", "too-large" },
};

/* The cause that belongs to a reason; NULL if the file is left out on purpose. */
static const char *cause_of(const char *reason)
{
	for (size_t i = 0; i < LEN(causes); i++)
		if (!strncmp(reason, causes[i].reason, strlen(causes[i].reason)))
			return causes[i].cause;
	for (const struct gap_kind *k = gap_kinds; k->cause; k++)
		if (!strcmp(reason, k->cause))
			return k->cause;
	return NULL;
}

/* A line is `CAUSE NUMBER EXAMPLE`; the example is cut, and has no control characters. */
enum { EXAMPLE_BYTES = 120, CAUSES = 24 };

struct gap_counts {
	struct { const char *cause; int64_t number; char example[EXAMPLE_BYTES]; } v[CAUSES];
	size_t n;
};

static void copy_example(char out[EXAMPLE_BYTES], const char *path)
{
	size_t left = strlen(path), n = 0;

	while (left) {
		char escape[PLAIN_ESCAPE];
		size_t k = plain_next_char(path, left, escape);
		size_t bytes = *escape ? strlen(escape) : k;
		if (n + bytes >= EXAMPLE_BYTES)
			break;
		memcpy(out + n, *escape ? escape : path, bytes);
		n += bytes;
		path += k;
		left -= k;
	}
	out[n] = 0;
}

static void count(struct gap_counts *c, const char *cause, int64_t files, const char *example)
{
	size_t i = 0;

	while (i < c->n && strcmp(c->v[i].cause, cause))
		i++;
	if (i == CAUSES)
		return;
	if (i == c->n) {
		c->n++;
		c->v[i].cause = cause;
		c->v[i].number = 0;
		copy_example(c->v[i].example, example);
	}
	c->v[i].number += files;
}

int index_gaps_count(struct db *db, struct index_info *info, struct err *e)
{
	struct stmt *s = db_prep(db, "select reason, files, example from skips order by reason", e);
	struct gap_counts c = { .n = 0 };
	size_t n = 0;
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		const char *cause = cause_of(db_str(s, 0));
		if (cause)
			count(&c, cause, db_int(s, 1), db_str(s, 2));
	}
	*info->gaps = 0;
	for (size_t i = 0; !rc && i < c.n; i++) {
		int k = snprintf(info->gaps + n, sizeof info->gaps - n, "%s %lld %s\n", c.v[i].cause,
		    (long long)c.v[i].number, c.v[i].example);
		if (k < 0 || (size_t)k >= sizeof info->gaps - n) {
			info->gaps[n] = 0;
			break;
		}
		n += (size_t)k;
	}
	return rc;
}

static bool read_line(char *line, struct gap *out)
{
	char *number = strchr(line, ' '), *example;

	if (!number)
		return false;
	*number++ = 0;
	*out = (struct gap){ .cause = line, .number = strtoull(number, &example, 10) };
	if (*example == ' ' && example[1])
		out->example = example + 1;
	return true;
}

void index_gaps_put(const struct index_info *info, struct freshness *f, struct arena *a)
{
	char *text, *line;

	f->gaps.n = 0;
	if (!*info->gaps && !info->shallow)
		return;
	f->gaps.v = arena_many(a, CAUSES + 1, struct gap);
	text = arena_str(a, info->gaps);
	while (f->gaps.n < CAUSES && (line = strsep(&text, "\n")))
		f->gaps.n += read_line(line, &f->gaps.v[f->gaps.n]);
	if (info->shallow)
		f->gaps.v[f->gaps.n++] = (struct gap){ "shallow", (uint64_t)info->shallow, NULL };
}

enum { SAMPLES = 200 };

int index_gaps_sample(
    const char *dir, const struct index_info *info, struct strs *paths, struct arena *a)
{
	struct db *db = store_open(dir, info->file, NULL);
	struct stmt *s = NULL;

	paths->v = arena_many(a, SAMPLES, const char *);
	if (db)
		s = db_prep(db,
		    "select path from skipped where reason in ('missing', 'partial-clone', 'corrupt')"
		    " order by random() limit 200",
		    NULL);
	while (s && paths->n < SAMPLES && db_step(s, NULL) == 1)
		paths->v[paths->n++] = arena_str(a, db_str(s, 0));
	db_close(db);
	return s ? 0 : -1;
}

bool index_gaps_have(const struct index_info *info, const char *cause)
{
	size_t n = strlen(cause);

	for (const char *line = info->gaps; *line; line += *line == '\n') {
		if (!strncmp(line, cause, n) && line[n] == ' ')
			return true;
		line += strcspn(line, "\n");
	}
	return false;
}

bool index_gaps_may_heal(const struct index_info *info)
{
	return index_gaps_have(info, "missing") || index_gaps_have(info, "partial-clone") ||
	    index_gaps_have(info, "corrupt");
}
