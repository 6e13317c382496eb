#include "shard/ingest/mirror_repair.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "shard/base/options.h"
#include "shard/git/repo_source.h"
#include "shard/index/index_gaps.h"
#include "shard/index/index_store.h"

enum { ATTEMPTS = 6, PAUSE_MS = 600000, PATH_LONGEST = 4200 };

struct repairs {
	int tries;
	int64_t next;		/* real time, ms */
};

static void build_path(char out[PATH_LONGEST], const char *dir, const char *name)
{
	snprintf(out, PATH_LONGEST, "%s/%s", dir, name);
}

static struct repairs read_repairs(const char *dir)
{
	struct repairs r = { 0 };
	char path[PATH_LONGEST];
	long long next;

	build_path(path, dir, "repairs");
	FILE *f = fopen(path, "re");
	if (!f)
		return r;
	if (fscanf(f, "%d %lld", &r.tries, &next) != 2 || r.tries < 0)
		r = (struct repairs){ 0 };
	else
		r.next = next;
	fclose(f);
	return r;
}

static int write_repairs(const char *dir, const struct repairs *r)
{
	char from[PATH_LONGEST], to[PATH_LONGEST];

	build_path(from, dir, "repairs.tmp");
	build_path(to, dir, "repairs");
	FILE *f = fopen(from, "we");
	if (f)
		fprintf(f, "%d %lld\n", r->tries, (long long)r->next);
	if (f && !fclose(f) && !rename(from, to))
		return 0;
	log_warn("mirror.repair_record_failed", "dir=%s", log_quote(dir));
	return -1;
}

static void forget(const char *dir)
{
	char path[PATH_LONGEST];

	build_path(path, dir, "repairs");
	unlink(path);
}

int64_t mirror_repair_wait_ms(const char *dir, const struct index_info *info)
{
	struct repairs r = read_repairs(dir);

	if (!index_gaps_may_heal(info)) {
		if (r.tries)
			forget(dir);
		return -1;
	}
	if (r.tries >= ATTEMPTS)
		return -1;
	/* a clock that was set back does not extend the pause */
	return MIN(MAX(r.next - clock_real_ms(), 0), (int64_t)PAUSE_MS << ATTEMPTS);
}

/* Notes the attempt before it is made, in case it ends the process. */
static int note_attempt(const char *dir)
{
	struct repairs r = read_repairs(dir);

	r.next = clock_real_ms() + ((int64_t)PAUSE_MS << MIN(r.tries, ATTEMPTS));
	r.tries++;
	return write_repairs(dir, &r);
}

void mirror_repair(const struct repo_source *s, const struct options *o, struct arena *a)
{
	struct index_info info;
	struct err e = { 0 };

	if (!s->url || store_current(s->data, &info, NULL))
		return;
	if (o->force)
		forget(s->data);
	if (mirror_repair_wait_ms(s->data, &info))
		return;
	if (note_attempt(s->data))	/* else nothing would limit the attempts */
		return;
	bool damaged = index_gaps_have(&info, "corrupt");
	const char *how = damaged ? "clone" : "refetch";
	int rc = repo_source_repair(s, o, damaged, a, &e);
	if (rc)
		log_warn("mirror.repair_failed", "repo=%s code=%s message=%s", log_quote(s->name),
		    err_name(e.code), log_quote(e.msg));
	else
		log_info("mirror.repaired", "repo=%s how=%s", log_quote(s->name), how);
}
