#include "shard/ingest/quarantine.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/log.h"

enum { NOTE_BYTES = 512 };	/* bytes of a thread's note */
enum { ENTRIES_MAX = 1000 };	/* in the quarantine */

static FILE *file(const char *dir, const char *name, const char *mode)
{
	char path[4200];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return fopen(path, mode);
}

struct quarantine quarantine_read(const char *dir, struct arena *a)
{
	struct quarantine q = { arena_many(a, ENTRIES_MAX, struct quarantine_entry), 0 };
	FILE *f = file(dir, "quarantine", "re");
	char line[NOTE_BYTES + 80], blob[64];
	int strikes, at;

	while (f && q.n < ENTRIES_MAX && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%d %63s %n", &strikes, blob, &at) == 2)
			q.v[q.n++] = (struct quarantine_entry){ arena_str(a, blob), arena_str(a, line + at),
				strikes };
	}
	if (f)
		fclose(f);
	return q;
}

static void write_all(const char *dir, const struct quarantine *q, int least)
{
	char from[4200], to[4200];
	FILE *f = file(dir, "quarantine.tmp", "we");

	if (!f)
		return;
	for (size_t i = 0; i < q->n; i++)
		if (q->v[i].strikes >= least)
			fprintf(f, "%d %s %s\n", q->v[i].strikes, q->v[i].blob, q->v[i].path);
	fclose(f);
	snprintf(from, sizeof from, "%s/quarantine.tmp", dir);
	snprintf(to, sizeof to, "%s/quarantine", dir);
	rename(from, to);
}

static struct quarantine_entry *find(const struct quarantine *q, const char *blob)
{
	for (size_t i = 0; i < q->n; i++)
		if (!strcmp(q->v[i].blob, blob))
			return &q->v[i];
	return NULL;
}

bool quarantine_has(const struct quarantine *q, const char *blob)
{
	const struct quarantine_entry *s = find(q, blob);

	return s && s->strikes >= QUARANTINE_STRIKES;
}

int quarantine_open_notes(const char *dir)
{
	char path[4200];

	snprintf(path, sizeof path, "%s/in-progress", dir);
	return open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

void quarantine_note(int notes, int slot, const char *blob, const char *path)
{
	char note[NOTE_BYTES] = "";

	if (notes < 0)
		return;
	if (blob)
		snprintf(note, sizeof note, "%s %s", blob, path);
	for (char *c = note; *c; c++)
		if (*c == '\n')
			*c = '?';
	if (pwrite(notes, note, sizeof note, (off_t)slot * NOTE_BYTES) < 0)
		log_warn("quarantine.write_failed", "path=%s", log_quote(path));
}

/* The entry of a blob, which is added if there is room; NULL if there is none. */
static struct quarantine_entry *find_or_add(
    struct quarantine *q, const char *blob, const char *path, struct arena *a)
{
	struct quarantine_entry *s = find(q, blob);

	if (s || q->n == ENTRIES_MAX)
		return s;
	s = &q->v[q->n++];
	*s = (struct quarantine_entry){ arena_str(a, blob), arena_str(a, path), 0 };
	return s;
}

/* Gives the file of a note a strike; false if the note names none. */
static bool strike_note(struct quarantine *q, char *note, struct arena *a)
{
	char *space = strchr(note, ' ');

	if (!space)
		return false;
	*space = 0;
	struct quarantine_entry *s = find_or_add(q, note, space + 1, a);
	if (!s)
		return false;
	s->strikes++;
	log_warn(
	    "quarantine.strike", "path=%s blob=%s strikes=%d", log_quote(s->path), s->blob, s->strikes);
	return true;
}

size_t quarantine_strike(const char *dir)
{
	struct arena *a = arena_new();
	struct quarantine q = quarantine_read(dir, a);
	FILE *f = file(dir, "in-progress", "re");
	char note[NOTE_BYTES];
	size_t n = 0;

	while (f && fread(note, sizeof note, 1, f) == 1) {
		note[NOTE_BYTES - 1] = 0;
		n += strike_note(&q, note, a);
	}
	if (f)
		fclose(f);
	if (n)
		write_all(dir, &q, 1);
	int notes = quarantine_open_notes(dir);	/* truncates */
	if (notes >= 0)
		close(notes);
	arena_free(a);
	return n;
}

void quarantine_forgive(const char *dir)
{
	struct arena *a = arena_new();
	struct quarantine q = quarantine_read(dir, a);

	if (q.n)
		write_all(dir, &q, QUARANTINE_STRIKES);
	arena_free(a);
}
