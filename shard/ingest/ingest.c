#include "shard/ingest/ingest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/net/crypto.h"
#include "proto/base/err.h"
#include "proto/process/directory.h"
#include "proto/base/log.h"
#include "proto/base/sanitized.h"
#include "shard/manifests/document_urls.h"
#include "shard/definitions/ctags/ctags_process.h"
#include "shard/ingest/file_filter.h"
#include "shard/contracts/gateways/gateways.h"
#include "shard/contracts/specs/atoll_yaml.h"
#include "shard/ingest/ingest_internal.h"
#include "shard/manifests/manifests.h"
#include "shard/base/options.h"
#include "shard/parse/parser.h"
#include "shard/ingest/ingest_plan.h"
#include "shard/ingest/quarantine.h"
#include "shard/git/repo.h"
#include "shard/git/repo_ownership.h"
#include "shard/index/scip_sources.h"
#include "shard/settings/settings.h"
#include "shard/git/repo_source.h"

/*
 * What a file's readers may make together, whatever they are; beyond, the file ends the ingest and
 * is quarantined.
 */
enum { FILE_MEMORY_MAX = 256 << 20, FILE_MEMORY_PER_BYTE = 128 };

/*
 * What a file may be a difference to, in bytes; git makes none to what is more than 32 times as
 * large.
 */
enum { DELTA_BASE_BYTES_MIN = 64 << 20, DELTA_BASE_RATIO = 40 };

void ingest_report(const char *fmt, ...)
{
	char line[400];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(line, sizeof line - 1, fmt, ap);
	va_end(ap);
	if (n < 0 || fcntl(INGEST_FD, F_GETFD) < 0)
		return;
	if (n >= (int)sizeof line - 2)
		n = (int)sizeof line - 2;
	for (int i = 0; i < n; i++)
		if (line[i] == '\n')
			line[i] = ' ';
	line[n++] = '\n';
	if (write(INGEST_FD, line, (size_t)n) < 0)
		_exit(1);	/* the parent is gone */
}

/* The text of a file; why it cannot be had, or NULL. */
static const char *unreadable(struct repo *repo, const struct planned_file *p, struct buf *out)
{
	struct err e = { 0 };
	size_t before = repo_set_alloc_limit(p->file.size * DELTA_BASE_RATIO > DELTA_BASE_BYTES_MIN ?
	        p->file.size * DELTA_BASE_RATIO :
	        DELTA_BASE_BYTES_MIN);
	int rc = repo_blob_text(repo, p->file.blob, out, &e);

	repo_set_alloc_limit(before);
	if (!rc)
		return NULL;
	if (e.code == ERR_INVALID_INPUT)
		return "git: more than 64 MB, and 40 bytes a byte, to unpack";
	return "missing";
}

void ingest_parse(const struct ingest *in, int slot, const struct planned_file *p,
    struct repo *repo, struct parser *parser, bool hold, struct parsed_file *out)
{
	const struct lang *lang = NULL;

	quarantine_note(in->notes, slot, p->file.blob, p->file.path);
	arena_set_limit(out->a, FILE_MEMORY_MAX + p->file.size * FILE_MEMORY_PER_BYTE);
	if ((out->skip = unreadable(repo, p, &out->text)))
		buf_free(&out->text);
	else if (!(out->skip = filter_skip_content(out->text.p, out->text.n)) &&
	    !(lang = lang_detect(p->file.path, out->text.p, out->text.n)))
		out->skip = "unknown type";
	if (!out->skip) {
		out->language = lang_name(lang);
		if (hold)
			parse_retain_open(parser, lang, out->text.p, out->text.n, (int)in->o->file_timeout_ms,
			    out->a, &out->facts, &out->retained);
		else
			parse(parser, lang, out->text.p, out->text.n, (int)in->o->file_timeout_ms, out->a,
			    &out->facts);
		if (settings_match_path(p->file.path))
			out->facts.settings.n = settings_read(
			    p->file.path, out->text.p, out->text.n, out->a, &out->facts.settings.v);
		if (!p->file.test)
			gateways_read(p->file.path, out->text.p, out->text.n, out->a, &out->facts);
		atoll_yaml_read(p->file.path, out->text.p, out->text.n, out->a, &out->facts);
		if (manifests_match_path(in->manifests, p->file.path))
			out->facts.packages.n = manifests_read(in->manifests, p->file.path, out->text.p,
			    out->text.n, out->a, &out->facts.packages.v);
		else
			out->facts.packages.n = document_urls_read(
			    p->file.path, out->text.p, out->text.n, out->a, &out->facts.packages.v);
	}
	arena_set_limit(out->a, 0);
	if (arena_truncation_reason(out->a)) {
		log_warn("ingest.file_truncated", "path=%s limit=%s", log_quote(p->file.path),
		    log_quote(arena_truncation_reason(out->a)));
		if (!out->facts.limit)
			out->facts.limit = arena_truncation_reason(out->a);
	}
	quarantine_note(in->notes, slot, NULL, NULL);
}

int ingest_read_text(void *repo, const char *path, const char *blob, struct buf *out)
{
	(void)path;
	if (repo_blob_text(repo, blob, out, NULL) || filter_skip_content(out->p, out->n))
		return -1;
	return 0;
}

const char *ingest_skip_reason(const struct parsed_file *p)
{
	if (p->skip)
		return p->skip;
	if (p->facts.limit)
		return p->facts.limit;
	if (p->facts.text_only)
		return "definitions: no ctags";
	return NULL;
}

void ingest_set_limits(const struct options *o)
{
	rlim_t bytes = (rlim_t)o->ingest_memory_mb << 20, seconds = (rlim_t)o->ingest_seconds * 2;
	struct rlimit memory = { bytes, bytes }, cpu = { seconds, seconds + 10 }, core = { 0, 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fcntl(INGEST_FD, F_SETFD, FD_CLOEXEC);
	close_range(INGEST_FD + 1, ~0u, 0);	/* whatever the parent had open */
	mallopt(M_ARENA_MAX, 2);
	setrlimit(RLIMIT_CORE, &core);
	if (o->ingest_memory_mb > 0 && !SANITIZED)
		setrlimit(RLIMIT_AS, &memory);
	if (o->ingest_seconds > 0)
		setrlimit(RLIMIT_CPU, &cpu);
}

static bool lock_any(const char *dir, size_t *slots)
{
	DIR *d = directory_open(dir);
	bool got = false;

	*slots = 0;
	for (struct dirent *x; d && !got && (x = readdir(d));) {
		int fd = -1;
		if (*x->d_name != '.')
			fd = openat(dirfd(d), x->d_name, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		++*slots;
		got = !flock(fd, LOCK_EX | LOCK_NB);
		if (!got)
			close(fd);	/* a locked one stays open until the process ends */
	}
	if (d)
		closedir(d);
	return got;
}

void ingest_acquire_slot(const struct options *o)
{
	size_t slots;

	if (!*o->ingest_slots)
		return;
	ingest_report("wait 0 0");
	while (!lock_any(o->ingest_slots, &slots)) {
		if (!slots) {
			log_warn("ingest.slots_missing", "dir=%s message=%s", log_quote(o->ingest_slots),
			    log_quote("it holds no files, so nothing bounds the ingests of this host"));
			return;
		}
		ingest_report("wait 0 0");
		clock_sleep(50 + clock_us() % 100);
	}
}

static void allow_read(void *sandbox, const char *path)
{
	sandbox_allow(sandbox, path, LANDLOCK_READ);
}

struct sandbox ingest_sandbox(
    const struct options *o, const struct repo_source *s, struct repo *repo, struct arena *a)
{
	struct sandbox box = { .mode = o->sandbox, .a = a };

	sandbox_allow(&box, s->data, LANDLOCK_READ | LANDLOCK_WRITE);
	if (repo)
		repo_each_storage_path(repo, allow_read, &box, a);
	return box;
}

int ingest_enter_sandbox(const struct ingest *in, struct repo *repo, struct arena *a, struct err *e)
{
	struct sandbox box = ingest_sandbox(in->o, &in->src, repo, a);

	if (*in->o->scip)
		sandbox_allow(&box, in->o->scip, LANDLOCK_READ);
	ctags_allow(&box);
	repo_safe_preload();
	repo_isolate_config();
	return sandbox_enter(&box, e);
}

void ingest_settings_hash(const struct ingest *in, char out[SHA256_HEX])
{
	struct buf b = { 0 };

	buf_printf(&b, "%lld %lld", (long long)in->o->file_limit, (long long)in->o->file_timeout_ms);
	scip_sources_fingerprint(in->o->scip, &b);
	for (size_t i = 0; i < in->quarantine.n; i++)
		if (in->quarantine.v[i].strikes >= QUARANTINE_STRIKES)
			buf_printf(&b, " %s", in->quarantine.v[i].blob);
	crypto_sha256(b.p, b.n, out);
	buf_free(&b);
}

static int write_full_index(struct ingest *in, struct repo *repo, const char *commit,
    const char *settings, struct index_info *info, struct arena *a, struct err *e)
{
	const char *branch = repo_branch(repo, a);

	*info = (struct index_info){ .generation = store_next_generation(in->src.data) };
	snprintf(info->file, sizeof info->file, "index-%lld.db", (long long)info->generation);
	snprintf(info->commit, sizeof info->commit, "%s", commit);
	snprintf(info->repo_uri, sizeof info->repo_uri, "%s", in->src.repo_uri);
	snprintf(info->branch, sizeof info->branch, "%s", branch ? branch : "");
	snprintf(info->settings, sizeof info->settings, "%s", settings);
	ingest_report("parse 0 0");
	errno = 0;
	if (nice(10) < 0 && errno)	/* it takes long; somebody waits for what renew does */
		log_debug("ingest.nice_failed", "error=%s", strerror(errno));
	return full_build_run(in, repo, info, a, e);
}

static void log_done(const struct ingest *in, const struct index_info *i, const char *how)
{
	log_info("ingest.done",
	    "repo=%s commit=%.12s generation=%lld files=%lld symbols=%lld documents=%lld "
	    "contracts=%lld bytes=%lld ms=%lld how=%s",
	    log_quote(in->src.name), i->commit, (long long)i->generation, (long long)i->files,
	    (long long)i->symbols, (long long)i->documents, (long long)i->contracts,
	    (long long)i->bytes, (long long)i->ingest_ms, log_quote(how));
}

/* Make the published index one of `commit`.  1: it is already. */
static int index_commit(
    struct ingest *in, struct repo *repo, const char *commit, struct arena *a, struct err *e)
{
	struct index_info info;
	char settings[SHA256_HEX];
	const char *why = "none to begin with";
	int rc = 0;

	if (in->o->force)
		why = "forced";
	in->quarantine = quarantine_read(in->src.data, a);
	ingest_settings_hash(in, settings);
	if (!in->o->force && !store_current(in->src.data, &info, NULL) &&
	    !strcmp(info.repo_uri, in->src.repo_uri)) {
		bool same = !strcmp(info.settings, settings);
		if (same && !strcmp(info.commit, commit))
			return 1;
		why = "other settings";
		if (same)
			rc = incremental_build_run(in, repo, &info, commit, &why, a, e);
	}
	if (!rc)
		rc = write_full_index(in, repo, commit, settings, &info, a, e);
	else if (rc > 0) {
		why = "renewed";
		rc = 0;
	}
	if (!rc)
		log_done(in, &info, why);
	return rc;
}

static int index_head(struct ingest *in, struct arena *a, struct err *e)
{
	char commit[REPO_OID_SIZE];

	ingest_acquire_slot(in->o);
	struct repo *repo = repo_open(in->src.place, e);
	int rc = -1;
	if (repo)
		rc = ingest_enter_sandbox(in, repo, a, e);
	if (!rc && !(in->manifests = manifests_new(e)))
		rc = -1;
	if (!rc) {
		in->notes = quarantine_open_notes(in->src.data);
		rc = repo_head(repo, commit, e);
	}
	if (!rc)
		rc = index_commit(in, repo, commit, a, e);
	repo_close(repo);
	if (rc >= 0)
		ingest_report(rc ? "unchanged" : "published");
	return rc < 0 ? -1 : 0;
}

int ingest_run(const struct options *o, struct err *e)
{
	struct ingest in = { .o = o, .notes = -1 };
	struct arena *a = arena_new();

	ingest_set_limits(o);
	int rc = repo_source_resolve(&in.src, o, a, e);
	if (!rc)
		rc = index_head(&in, a, e);
	if (rc && strstr(e->msg, "out of memory"))
		die(e->msg);	/* the file in progress is to blame, not the disk */
	if (rc)
		ingest_report("error %s %s", err_name(e->code), e->msg);
	manifests_free(in.manifests);
	arena_free(a);
	return rc ? 1 : 0;
}
