#include "shard/daemon/crash_backoff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/net/crypto.h"

enum { PATH_LONGEST = 4200, PAUSE_MIN_MS = 500, PAUSE_MAX_MS = 3600000, DOUBLED = 13 };

static void build_path(char out[PATH_LONGEST], const char *dir, const char *name)
{
	snprintf(out, PATH_LONGEST, "%s/%s", dir, name);
}

void crash_backoff_read(const char *dir, struct crash_backoff *out)
{
	char path[PATH_LONGEST];
	int running = 0;
	long long until = 0;

	*out = (struct crash_backoff){ 0 };
	build_path(path, dir, "crashes");
	FILE *f = fopen(path, "re");
	if (!f)
		return;
	int fields = fscanf(f, "%d %d %lld %40s", &out->times, &running, &until, out->commit);
	if (fields != 4 || out->times < 0)
		*out = (struct crash_backoff){ 0 };
	else if (fgetc(f) != '\n' || !fgets(out->cause, sizeof out->cause, f))
		*out->cause = 0;
	fclose(f);
	out->cause[strcspn(out->cause, "\n")] = 0;
	if (!strcmp(out->commit, "-"))
		*out->commit = 0;
	if (out->times)
		out->until = until;
	out->running = running;
}

static void write_file(const char *dir, const struct crash_backoff *s)
{
	char from[PATH_LONGEST], to[PATH_LONGEST];

	build_path(from, dir, "crashes.tmp");
	build_path(to, dir, "crashes");
	FILE *f = fopen(from, "we");
	if (!f)
		return;
	const char *commit = *s->commit ? s->commit : "-";
	fprintf(f, "%d %d %lld %s\n%s\n", s->times, s->running, (long long)s->until, commit, s->cause);
	if (fclose(f) || rename(from, to))
		log_warn("ingest.crash_record_failed", "dir=%s", log_quote(dir));
}

void crash_backoff_begin(const char *dir)
{
	struct crash_backoff s;

	crash_backoff_read(dir, &s);
	s.running = true;
	write_file(dir, &s);
}

void crash_backoff_end(const char *dir, bool well)
{
	char path[PATH_LONGEST];
	struct crash_backoff s;

	crash_backoff_read(dir, &s);
	s.running = false;
	build_path(path, dir, "crashes");
	if (well || !s.times)
		unlink(path);
	else
		write_file(dir, &s);
}

/* Varied by up to a fifth, so that the shards of a machine do not all run at once. */
static int64_t pause_ms(int times)
{
	int64_t ms = 0;
	char hex[5];

	if (times > 0)
		ms = (int64_t)PAUSE_MIN_MS << MIN(times, DOUBLED);
	ms = MIN(ms, PAUSE_MAX_MS);
	crypto_random_hex(hex, 2);
	return ms - ms / 5 + (int64_t)(strtoul(hex, NULL, 16) % 1000) * (ms * 2 / 5) / 1000;
}

void crash_backoff_record(
    const char *dir, const char *commit, const char *cause, int free, struct crash_backoff *out)
{
	crash_backoff_read(dir, out);
	if (strcmp(out->commit, commit))
		out->times = 0;
	out->times++;
	out->running = false;
	out->until = clock_real_ms() + pause_ms(out->times - free);
	snprintf(out->commit, sizeof out->commit, "%s", commit);
	snprintf(out->cause, sizeof out->cause, "%s", cause);
	for (char *c = out->cause; *c; c++) {
		if (*c == '\n')
			*c = ' ';
	}
	write_file(dir, out);
}
