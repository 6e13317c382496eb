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
#include "proto/base/minmax.h"
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
#include "proto/db/db.h"
#include "shard/index/index_gaps.h"
#include "shard/index/index_store.h"
#include "shard/interfaces/interface_cache.h"
#include "shard/index/scip_sources.h"
#include "shard/settings/settings.h"
#include "shard/git/repo_source.h"

/*
 * The memory limit for all facts of one file: beyond it the file ends the ingest and is
 * quarantined.
 */
enum { FILE_MEMORY_MAX = 256 << 20, FILE_MEMORY_PER_BYTE = 128 };

/*
 * The size limit for the delta base of a file's object, in bytes; git makes no delta against an
 * object that is more than 32 times as large.
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
	n = MIN(n, (int)sizeof line - 2);
	for (int i = 0; i < n; i++)
		if (line[i] == '\n')
			line[i] = ' ';
	line[n++] = '\n';
	if (write(INGEST_FD, line, (size_t)n) < 0)
		_exit(1);	/* the parent is gone */
}

/* Reads the text of a file.  Returns NULL, or the reason why it cannot be read. */
static const char *read_text(struct repo *repo, const struct planned_file *p, struct buf *out)
{
	size_t limit = MAX(p->file.size * DELTA_BASE_RATIO, DELTA_BASE_BYTES_MIN);
	size_t before = repo_set_alloc_limit(limit);
	const char *cause = NULL;

	if (repo_blob_text(repo, p->file.blob, out, NULL)) {
		cause = repo_blob_fault(repo, p->file.blob);
		if (!cause)		/* it has just been repaired; the next ingest reads it */
			cause = "missing";
	}
	repo_set_alloc_limit(before);
	if (cause && !strcmp(cause, "unpack-limit"))
		return "git: more than 64 MB, and 40 bytes a byte, to unpack";
	return cause;
}

/* Reads the text of a file and detects its language.  Returns NULL, or the reason to skip it. */
static const char *read_file(struct repo *repo, const struct planned_file *p,
    const struct lang **lang, struct parsed_file *out)
{
	const char *reason = read_text(repo, p, &out->text);

	if (reason) {
		buf_free(&out->text);
		return reason;
	}
	reason = filter_skip_content(out->text.p, out->text.n);
	if (reason)
		return reason;
	*lang = lang_detect(p->file.path, out->text.p, out->text.n);
	if (!*lang)
		return "unknown type";
	return NULL;
}

/* Makes all facts of a file. */
static void read_facts(const struct ingest *in, const struct planned_file *p, struct parser *parser,
    const struct lang *lang, bool hold, struct parsed_file *out)
{
	const char *path = p->file.path, *text = out->text.p;
	int timeout = (int)in->o->file_timeout_ms;
	struct facts *f = &out->facts;
	size_t n = out->text.n;

	if (hold)
		parse_retain_open(parser, lang, text, n, timeout, out->a, f, &out->retained);
	else
		parse(parser, lang, text, n, timeout, out->a, f);
	if (settings_match_path(path))
		f->settings.n = settings_read(path, text, n, out->a, &f->settings.v);
	if (!p->file.test)
		gateways_read(path, text, n, out->a, f);
	atoll_yaml_read(path, text, n, out->a, f);
	if (manifests_match_path(in->manifests, path))
		f->packages.n = manifests_read(in->manifests, path, text, n, out->a, &f->packages.v);
	else
		f->packages.n = document_urls_read(path, text, n, out->a, &f->packages.v);
}

static void report_truncation(const char *path, struct parsed_file *p)
{
	const char *limit = arena_truncation_reason(p->a);

	if (!limit)
		return;
	log_warn("ingest.file_truncated", "path=%s limit=%s", log_quote(path), log_quote(limit));
	if (!p->facts.limit)
		p->facts.limit = limit;
}

/* The time limit of a file that is left out: it is not worth as much as others. */
enum { LEFT_OUT_MS = 3000 };

/* Reads the names of a file that is left out, or skips it for the reason for which it is left out. */
static void read_names(const struct ingest *in, const struct planned_file *p, struct repo *repo,
    struct parser *parser, struct parsed_file *out)
{
	struct facts *f = &out->facts;
	const struct lang *lang;

	out->skip = p->left_out;
	if ((p->lang && !parser_finds_names(parser, p->lang)) || read_file(repo, p, &lang, out))
		return;
	if (!lang_defines_names(lang) || !parser_finds_names(parser, lang))
		return;
	if (filter_is_minified(out->text.p, out->text.n))
		return;
	int ms = (int)in->o->file_timeout_ms;
	if (!ms || ms > LEFT_OUT_MS)
		ms = LEFT_OUT_MS;
	parse_names(parser, lang, out->text.p, out->text.n, ms, out->a, f);
	if (!f->definitions.n && !f->minors.n)
		return;
	out->skip = NULL;
	out->language = lang_name(lang);
	out->remark = arena_printf(out->a, "%s, names only", p->left_out);
}

/* Reads the packages of a lock file. */
static void read_lock(const struct ingest *in, const struct planned_file *p, struct repo *repo,
    struct parsed_file *out)
{
	struct facts *f = &out->facts;

	out->skip = read_text(repo, p, &out->text);
	if (!out->skip)
		out->skip = filter_skip_content(out->text.p, out->text.n);
	if (out->skip)
		return;
	f->packages.n = manifests_read(
	    in->manifests, p->file.path, out->text.p, out->text.n, out->a, &f->packages.v);
	out->language = p->left_out;
	if (!arena_truncation_reason(out->a))
		out->remark = FILTER_LOCK ", packages only";
}

static void read_all(const struct ingest *in, const struct planned_file *p, struct repo *repo,
    struct parser *parser, bool hold, struct parsed_file *out)
{
	const struct lang *lang = NULL;

	out->skip = read_file(repo, p, &lang, out);
	if (out->skip)
		return;
	out->language = lang_name(lang);
	read_facts(in, p, parser, lang, hold, out);
}

void ingest_parse(const struct ingest *in, int slot, const struct planned_file *p,
    struct repo *repo, struct parser *parser, bool hold, struct parsed_file *out)
{
	quarantine_note(in->notes, slot, p->file.blob, p->file.path);
	arena_set_limit(out->a, FILE_MEMORY_MAX + p->file.size * FILE_MEMORY_PER_BYTE);
	if (p->is_lock)
		read_lock(in, p, repo, out);
	else if (p->left_out)
		read_names(in, p, repo, parser, out);
	else
		read_all(in, p, repo, parser, hold, out);
	arena_set_limit(out->a, 0);
	report_truncation(p->file.path, out);
	quarantine_note(in->notes, slot, NULL, NULL);
}

int ingest_read_text(void *repo, const char *path, const char *blob, struct buf *out)
{
	(void)path;
	if (repo_blob_text(repo, blob, out, NULL))
		return -1;
	if (filter_skip_content(out->p, out->n))
		return -1;
	return 0;
}

const char *ingest_skip_reason(const struct parsed_file *p)
{
	if (p->skip)
		return p->skip;
	if (p->remark)
		return p->remark;
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

/* Locks one of the files in `dir`, and keeps it open until the process ends. */
static bool lock_any(const char *dir, size_t *slots)
{
	DIR *d = directory_open(dir);
	struct dirent *x;
	bool got = false;

	*slots = 0;
	if (!d)
		return false;
	while (!got && (x = readdir(d))) {
		if (*x->d_name == '.')
			continue;
		int fd = openat(dirfd(d), x->d_name, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		++*slots;
		got = !flock(fd, LOCK_EX | LOCK_NB);
		if (!got)
			close(fd);
	}
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
			    log_quote("the folder has no files, so nothing limits the ingests of this host"));
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

	buf_printf(&b, "%lld %lld %lld", (long long)in->o->file_limit,
	    (long long)in->o->file_timeout_ms, (long long)in->o->text_limit);
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

	if (!branch)
		branch = "";
	*info = (struct index_info){ .generation = store_next_generation(in->src.data) };
	snprintf(info->file, sizeof info->file, "index-%lld.db", (long long)info->generation);
	snprintf(info->commit, sizeof info->commit, "%s", commit);
	snprintf(info->repo_uri, sizeof info->repo_uri, "%s", in->src.repo_uri);
	snprintf(info->branch, sizeof info->branch, "%s", branch);
	snprintf(info->settings, sizeof info->settings, "%s", settings);
	info->shallow = repo_shallow_ends(repo);
	ingest_report("parse 0 0");
	errno = 0;
	if (nice(10) < 0 && errno)	/* it takes long, and incremental builds are waited for */
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

/* Whether an index of this repository is published. */
static bool has_index(const struct ingest *in, struct index_info *info)
{
	if (store_current(in->src.data, info, NULL))
		return false;
	return !strcmp(info->repo_uri, in->src.repo_uri);
}

/* Why the published index cannot be changed into one of these settings; NULL if it can. */
static const char *rebuild_reason(
    const struct ingest *in, struct index_info *info, const char *settings)
{
	if (in->o->force)
		return "forced";
	if (!has_index(in, info))
		return "none to begin with";
	if (info->outdated)
		return "made by an older program";
	if (strcmp(info->settings, settings))
		return "other settings";
	return NULL;
}

/* Whether files of the published index that could not be read can be read now. */
static bool can_heal(
    const struct ingest *in, struct repo *repo, const struct index_info *info, struct arena *a)
{
	struct strs paths = { 0 };

	if (!index_gaps_may_heal(info) || index_gaps_sample(in->src.data, info, &paths, a))
		return false;
	for (size_t i = 0; i < paths.n; i++)
		if (repo_is_readable(repo, info->commit, paths.v[i]))
			return true;
	return false;
}

/* Makes the published index one of `commit`.  Returns 1 if it is already. */
static int index_commit(
    struct ingest *in, struct repo *repo, const char *commit, struct arena *a, struct err *e)
{
	struct index_info info;
	char settings[SHA256_HEX];
	int rc = 0;

	in->quarantine = quarantine_read(in->src.data, a);
	ingest_settings_hash(in, settings);
	const char *why = rebuild_reason(in, &info, settings);
	if (!why && can_heal(in, repo, &info, a))
		why = "what could not be read before can be read now";
	if (!why && !strcmp(info.commit, commit)) {
		if (!info.shallow || repo_shallow_ends(repo))
			return 1;
		why = "the history was completed";
	}
	if (!why)
		rc = incremental_build_run(in, repo, &info, commit, &why, a, e);
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

/* Indexes the commit of HEAD.  Returns 1 if nothing had changed. */
static int index_opened(struct ingest *in, struct repo *repo, struct arena *a, struct err *e)
{
	char commit[REPO_OID_SIZE];

	if (ingest_enter_sandbox(in, repo, a, e))
		return -1;
	in->manifests = manifests_new(e);
	if (!in->manifests)
		return -1;
	in->notes = quarantine_open_notes(in->src.data);
	if (repo_head(repo, commit, e))
		return -1;
	return index_commit(in, repo, commit, a, e);
}

/*
 * Bring the interfaces up to date here, where memory ends with the process.  If that fails, the
 * serving process does it when somebody asks.
 */
static void refresh_interfaces(const struct ingest *in)
{
	struct index_info info;
	struct err e = { 0 };
	struct db *db = NULL;

	if (!store_current(in->src.data, &info, &e))
		db = store_open(in->src.data, info.file, &e);
	if (db)
		db_close(interface_cache_open(in->src.data, db, info.graph_hash, &e));
	db_close(db);
	if (e.code)
		log_warn("interfaces.failed", "message=%s", log_quote(e.msg));
}

static int index_head(struct ingest *in, struct arena *a, struct err *e)
{
	ingest_acquire_slot(in->o);
	repo_verify_objects();
	struct repo *repo = repo_open(in->src.place, e);
	if (!repo)
		return -1;
	int rc = index_opened(in, repo, a, e);
	repo_close(repo);
	if (rc < 0)
		return -1;
	ingest_report(rc ? "unchanged" : "published");
	refresh_interfaces(in);
	return 0;
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
		die(e->msg);	/* blames the file in progress, as the disk is not at fault */
	if (rc)
		ingest_report("error %s %s", err_name(e->code), e->msg);
	manifests_free(in.manifests);
	arena_free(a);
	return rc != 0;
}
