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

/* What a file's readers may make together, whatever they are; beyond, the file ends the ingest and is quarantined. */
enum { MOST_MADE = 256 << 20, MADE_PER_BYTE = 128 };

/* What a file may be a difference to, in bytes; git makes none to what is more than 32 times as large. */
enum { SMALLEST_BASE = 64 << 20, BASES = 40 };

void ingest_tell(const char *fmt, ...)
{
	char line[400];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(line, sizeof line - 1, fmt, ap);
	va_end(ap);
	if (n < 0 || fcntl(INGEST_FD, F_GETFD) < 0)
		return;
	n = n < (int)sizeof line - 2 ? n : (int)sizeof line - 2;
	for (int i = 0; i < n; i++)
		if (line[i] == '\n')
			line[i] = ' ';
	line[n++] = '\n';
	if (write(INGEST_FD, line, (size_t)n) < 0)
		_exit(1);	/* the parent is gone */
}

/* The text of a file; why it cannot be had, or NULL. */
static const char *unreadable(struct repo *repo, const struct planned *p, struct buf *out)
{
	struct err e = { 0 };
	size_t before = repo_most(p->file.size * BASES > SMALLEST_BASE ? p->file.size * BASES : SMALLEST_BASE);
	int rc = repo_text(repo, p->file.blob, out, &e);

	repo_most(before);
	if (!rc)
		return NULL;
	return e.code == ERR_INVALID_INPUT ? "git: more than 64 MB, and 40 bytes a byte, to unpack" : "missing";
}

void ingest_parse(const struct ingest *in, int slot, const struct planned *p, struct repo *repo, struct parser *parser,
    bool hold, struct parsed *out)
{
	const struct lang *lang = NULL;

	quarantine_note(in->notes, slot, p->file.blob, p->file.path);
	arena_bound(out->a, MOST_MADE + p->file.size * MADE_PER_BYTE);
	if ((out->skip = unreadable(repo, p, &out->text)))
		buf_free(&out->text);
	else if (!(out->skip = filter_bytes(out->text.p, out->text.n)) &&
	    !(lang = lang_of(p->file.path, out->text.p, out->text.n)))
		out->skip = "unknown type";
	if (!out->skip) {
		out->language = lang_name(lang);
		if (hold)
			parse_open(parser, lang, out->text.p, out->text.n, (int)in->o->file_timeout_ms, out->a, &out->facts, &out->kept);
		else
			parse(parser, lang, out->text.p, out->text.n, (int)in->o->file_timeout_ms, out->a, &out->facts);
		if (settings_file(p->file.path))
			out->facts.settings.n = settings_read(p->file.path, out->text.p, out->text.n, out->a, &out->facts.settings.v);
		if (!p->file.test)
			gateways_read(p->file.path, out->text.p, out->text.n, out->a, &out->facts);
		manual_read(p->file.path, out->text.p, out->text.n, out->a, &out->facts);
		out->facts.packages.n = manifests_know(in->manifests, p->file.path) ?
		    manifests_read(in->manifests, p->file.path, out->text.p, out->text.n, out->a, &out->facts.packages.v) :
		    addresses_read(p->file.path, out->text.p, out->text.n, out->a, &out->facts.packages.v);
	}
	arena_bound(out->a, 0);
	if (arena_why_cut(out->a)) {
		log_warn("ingest.cut", "path=%s limit=%s", log_quote(p->file.path), log_quote(arena_why_cut(out->a)));
		out->facts.limit = out->facts.limit ? out->facts.limit : arena_why_cut(out->a);
	}
	quarantine_note(in->notes, slot, NULL, NULL);
}

int ingest_text(void *repo, const char *path, const char *blob, struct buf *out)
{
	(void)path;
	return repo_text(repo, blob, out, NULL) || filter_bytes(out->p, out->n) ? -1 : 0;
}

const char *ingest_remark(const struct parsed *p)
{
	return p->skip ? p->skip : p->facts.limit ? p->facts.limit : p->facts.text_only ? "definitions: no ctags" : NULL;
}

void ingest_limits(const struct options *o)
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
	DIR *d = folder_open(dir);
	bool got = false;

	*slots = 0;
	for (struct dirent *x; d && !got && (x = readdir(d));) {
		int fd = *x->d_name == '.' ? -1 : openat(dirfd(d), x->d_name, O_RDWR | O_CLOEXEC);
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

void ingest_slot(const struct options *o)
{
	size_t slots;

	if (!*o->ingest_slots)
		return;
	ingest_tell("wait 0 0");
	while (!lock_any(o->ingest_slots, &slots)) {
		if (!slots) {
			log_warn("ingest.slots", "dir=%s message=%s", log_quote(o->ingest_slots),
			    log_quote("it holds no files, so nothing bounds the ingests of this host"));
			return;
		}
		ingest_tell("wait 0 0");
		clock_sleep(50 + clock_us() % 100);
	}
}

static void allow_read(void *sandbox, const char *path)
{
	sandbox_allow(sandbox, path, LANDLOCK_READ);
}

struct sandbox ingest_sandbox(const struct options *o, const struct source *s, struct repo *repo, struct arena *a)
{
	struct sandbox box = { .mode = o->sandbox, .a = a };

	sandbox_allow(&box, s->data, LANDLOCK_READ | LANDLOCK_WRITE);
	if (repo)
		repo_folders(repo, allow_read, &box, a);
	return box;
}

int ingest_give_up(const struct ingest *in, struct repo *repo, struct arena *a, struct err *e)
{
	struct sandbox box = ingest_sandbox(in->o, &in->src, repo, a);

	if (*in->o->scip)
		sandbox_allow(&box, in->o->scip, LANDLOCK_READ);
	ctags_allow(&box);
	repo_safe_read_names();
	repo_own_config();
	return sandbox_enter(&box, e);
}

void ingest_settings(const struct ingest *in, char out[SHA256_HEX])
{
	struct buf b = { 0 };

	buf_printf(&b, "%lld %lld", (long long)in->o->file_limit, (long long)in->o->file_timeout_ms);
	scips_print(in->o->scip, &b);
	for (size_t i = 0; i < in->bad.n; i++)
		if (in->bad.v[i].strikes >= STRIKES)
			buf_printf(&b, " %s", in->bad.v[i].blob);
	crypto_sha256(b.p, b.n, out);
	buf_free(&b);
}

static int write_whole(struct ingest *in, struct repo *repo, const char *commit, const char *settings,
    struct index_info *info, struct arena *a, struct err *e)
{
	const char *branch = repo_branch(repo, a);

	*info = (struct index_info){ .generation = store_next(in->src.data) };
	snprintf(info->file, sizeof info->file, "index-%lld.db", (long long)info->generation);
	snprintf(info->commit, sizeof info->commit, "%s", commit);
	snprintf(info->repo_uri, sizeof info->repo_uri, "%s", in->src.repo_uri);
	snprintf(info->branch, sizeof info->branch, "%s", branch ? branch : "");
	snprintf(info->settings, sizeof info->settings, "%s", settings);
	ingest_tell("parse 0 0");
	errno = 0;
	if (nice(10) < 0 && errno)	/* it takes long; somebody waits for what renew does */
		log_debug("ingest.nice", "error=%s", strerror(errno));
	return whole_index(in, repo, info, a, e);
}

static void log_done(const struct ingest *in, const struct index_info *i, const char *how)
{
	log_info("ingest.done", "repo=%s commit=%.12s generation=%lld files=%lld symbols=%lld documents=%lld "
	    "contracts=%lld bytes=%lld ms=%lld how=%s", log_quote(in->src.name), i->commit, (long long)i->generation,
	    (long long)i->files, (long long)i->symbols, (long long)i->documents, (long long)i->contracts,
	    (long long)i->bytes, (long long)i->ingest_ms, log_quote(how));
}

/* Make the published index one of `commit`.  1: it is already. */
static int index_commit(struct ingest *in, struct repo *repo, const char *commit, struct arena *a, struct err *e)
{
	struct index_info info;
	char settings[SHA256_HEX];
	const char *why = in->o->force ? "forced" : "none to begin with";
	int rc = 0;

	in->bad = quarantine_read(in->src.data, a);
	ingest_settings(in, settings);
	if (!in->o->force && !store_current(in->src.data, &info, NULL) && !strcmp(info.repo_uri, in->src.repo_uri)) {
		bool same = !strcmp(info.settings, settings);
		if (same && !strcmp(info.commit, commit))
			return 1;
		why = "other settings";
		if (same)
			rc = renew_index(in, repo, &info, commit, &why, a, e);
	}
	if (!rc)
		rc = write_whole(in, repo, commit, settings, &info, a, e);
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
	char commit[REPO_OID];

	ingest_slot(in->o);
	struct repo *repo = repo_open(in->src.place, e);
	int rc = repo ? ingest_give_up(in, repo, a, e) : -1;
	if (!rc && !(in->manifests = manifests_new(e)))
		rc = -1;
	if (!rc) {
		in->notes = quarantine_notes(in->src.data);
		rc = repo_head(repo, commit, e);
	}
	rc = rc ? rc : index_commit(in, repo, commit, a, e);
	repo_close(repo);
	if (rc >= 0)
		ingest_tell(rc ? "unchanged" : "published");
	return rc < 0 ? -1 : 0;
}

int ingest_run(const struct options *o, struct err *e)
{
	struct ingest in = { .o = o, .notes = -1 };
	struct arena *a = arena_new();

	ingest_limits(o);
	int rc = source_find(&in.src, o, a, e);
	rc = rc ? rc : index_head(&in, a, e);
	if (rc && strstr(e->msg, "out of memory"))
		abort();	/* the file in progress is to blame, not the disk */
	if (rc)
		ingest_tell("error %s %s", err_name(e->code), e->msg);
	manifests_free(in.manifests);
	arena_free(a);
	return rc ? 1 : 0;
}
