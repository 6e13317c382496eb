#include "shard/ingest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
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
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/msg.h"
#include "shard/build.h"
#include "shard/facts.h"
#include "shard/filter.h"
#include "shard/options.h"
#include "shard/parse.h"
#include "shard/plan.h"
#include "shard/quarantine.h"
#include "shard/repo.h"
#include "shard/source.h"
#include "shard/store.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = 1 };		/* reserves terabytes of address space */
#else
enum { SANITIZED = 0 };
#endif

enum { WINDOW = 64, STACK = 16 << 20, MOST_THREADS = 16 };

/* A file between its parser and the writer. */
struct parsed {
	bool done;
	const char *skip;	/* why it is left out after all */
	const char *language;
	struct arena *a;	/* of the facts */
	struct buf text;
	struct facts facts;
};

struct ingest {
	const struct options *o;
	struct source src;
	struct plan plan;
	int notes;
	pthread_mutex_t lock;	/* guards what follows */
	pthread_cond_t parsed, room;
	size_t next, written;	/* files taken by parsers, files taken by the writer */
	struct parsed window[WINDOW];
	bool stop;
	struct err e;		/* of a parser thread */
};

static void tell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *fmt, ...)
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

/* ---- parsers ---- */

struct parser_thread {
	struct ingest *in;
	int slot;
	pthread_t id;
	struct parser *parser;	/* facts may point into it: it lives until all are written */
};

/* The bytes of a file into facts, or a reason to leave it out. */
static void parse_file(struct ingest *in, const struct planned *p, struct repo *repo, struct parser *parser,
    struct parsed *out)
{
	const struct lang *lang;

	if (repo_blob(repo, p->file.blob, &out->text, NULL)) {
		out->skip = "missing";
		return;
	}
	if ((out->skip = filter_bytes(out->text.p, out->text.n)))
		return;
	if (!(lang = lang_of(p->file.path, out->text.p, out->text.n))) {
		out->skip = "unknown type";
		return;
	}
	out->language = lang_name(lang);
	parse(parser, lang, out->text.p, out->text.n, (int)in->o->file_timeout_ms, out->a, &out->facts);
}

/* The next file to parse, once the writer has room for it; -1 at the end. */
static ssize_t take(struct ingest *in)
{
	ssize_t i = -1;

	pthread_mutex_lock(&in->lock);
	while (!in->stop && in->next < in->plan.n && in->next >= in->written + WINDOW)
		pthread_cond_wait(&in->room, &in->lock);
	if (!in->stop && in->next < in->plan.n)
		i = (ssize_t)in->next++;
	pthread_mutex_unlock(&in->lock);
	return i;
}

static void give(struct ingest *in, size_t i, const struct parsed *p)
{
	pthread_mutex_lock(&in->lock);
	in->window[i % WINDOW] = *p;
	pthread_cond_signal(&in->parsed);
	pthread_mutex_unlock(&in->lock);
}

static void *parse_files(void *arg)
{
	struct parser_thread *t = arg;
	struct ingest *in = t->in;
	struct err e = { 0 };
	struct repo *repo = repo_open(in->src.place, &e);

	t->parser = repo ? parser_new(&e) : NULL;
	for (ssize_t i; t->parser && (i = take(in)) >= 0;) {
		const struct planned *p = &in->plan.v[i];
		struct parsed out = { .done = true, .a = arena_new() };
		quarantine_note(in->notes, t->slot, p->file.blob, p->file.path);
		parse_file(in, p, repo, t->parser, &out);
		quarantine_note(in->notes, t->slot, NULL, NULL);
		give(in, (size_t)i, &out);
	}
	if (!t->parser) {
		pthread_mutex_lock(&in->lock);
		in->e = e;
		in->stop = true;
		pthread_cond_signal(&in->parsed);
		pthread_mutex_unlock(&in->lock);
	}
	repo_close(repo);
	return NULL;
}

/* ---- the writer ---- */

static int wait_parsed(struct ingest *in, size_t i, struct parsed *out, struct err *e)
{
	struct parsed *w = &in->window[i % WINDOW];
	int rc = 0;

	pthread_mutex_lock(&in->lock);
	while (!w->done && !in->stop)
		pthread_cond_wait(&in->parsed, &in->lock);
	if (w->done) {
		*out = *w;
		*w = (struct parsed){ 0 };
		in->written = i + 1;
		pthread_cond_broadcast(&in->room);
	} else {
		*e = in->e;
		rc = -1;
	}
	pthread_mutex_unlock(&in->lock);
	return rc;
}

static int put(struct ingest *in, struct build *b, size_t i, const struct parsed *p, struct err *e)
{
	struct planned *plan = &in->plan.v[i];

	if (p->skip) {
		plan_skip(&in->plan, p->skip, plan->file.path, plan->file.size);
		return 0;
	}
	plan->file.language = p->language;
	if (p->facts.text_only)
		plan_skip(&in->plan, "definitions: no ctags", plan->file.path, plan->file.size);
	if (build_put(b, &plan->file, &p->facts, e))
		return -1;
	bool silent = plan->file.test || plan->file.generated || p->facts.generated;
	for (size_t f = 0; f < p->facts.contracts.n && !silent; f++) {
		struct fact *fact = &p->facts.contracts.v[f];
		fact->file = plan->file.path;
		for (size_t t = 0; t < fact->steps.n; t++)
			if (!fact->steps.v[t].file)	/* facts of a blob know no path */
				fact->steps.v[t].file = plan->file.path;
		if (build_fact(b, fact, e))
			return -1;
	}
	return 0;
}

static int write_files(struct ingest *in, struct build *b, struct err *e)
{
	int64_t told = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < in->plan.n; i++) {
		struct parsed p;
		if (wait_parsed(in, i, &p, e))
			return -1;
		rc = put(in, b, i, &p, e);
		arena_free(p.a);
		buf_free(&p.text);
		if (clock_ms() - told >= 100) {
			tell("parse %zu %zu", i + 1, in->plan.n);
			told = clock_ms();
		}
	}
	return rc;
}

static int write_skips(struct ingest *in, struct build *b, struct err *e)
{
	for (size_t i = 0; i < map_len(in->plan.skips); i++) {
		const struct skipped *s = map_val(in->plan.skips, i);
		if (build_skip(b, map_key(in->plan.skips, i), s->files, s->bytes, s->example, e))
			return -1;
	}
	return 0;
}

static int parse_and_write(struct ingest *in, struct build *b, struct err *e)
{
	struct parser_thread threads[MOST_THREADS];
	int n = in->o->ingest_threads < 1 ? 1 : in->o->ingest_threads > MOST_THREADS ? MOST_THREADS :
	    (int)in->o->ingest_threads;
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (int i = 0; i < n; i++) {
		threads[i] = (struct parser_thread){ .in = in, .slot = i };
		if (pthread_create(&threads[i].id, &attr, parse_files, &threads[i]))
			abort();
	}
	pthread_attr_destroy(&attr);
	int rc = write_files(in, b, e);
	pthread_mutex_lock(&in->lock);
	in->stop = true;
	pthread_cond_broadcast(&in->room);
	pthread_mutex_unlock(&in->lock);
	for (int i = 0; i < n; i++) {
		pthread_join(threads[i].id, NULL);
		parser_free(threads[i].parser);
	}
	for (int i = 0; i < WINDOW; i++) {
		arena_free(in->window[i].a);
		buf_free(&in->window[i].text);
	}
	return rc ? rc : write_skips(in, b, e);
}

/* ---- the whole ---- */

static void set_limits(const struct options *o)
{
	rlim_t bytes = (rlim_t)o->ingest_memory_mb << 20, seconds = (rlim_t)o->ingest_seconds * 2;
	struct rlimit memory = { bytes, bytes }, cpu = { seconds, seconds + 10 }, core = { 0, 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fcntl(INGEST_FD, F_SETFD, FD_CLOEXEC);
	mallopt(M_ARENA_MAX, 2);
	setrlimit(RLIMIT_CORE, &core);
	if (o->ingest_memory_mb > 0 && !SANITIZED)
		setrlimit(RLIMIT_AS, &memory);
	if (o->ingest_seconds > 0)
		setrlimit(RLIMIT_CPU, &cpu);
	if (nice(10) < 0 && errno)
		log_debug("ingest.nice", "error=%s", strerror(errno));
}

static bool lock_any(const char *dir, size_t *slots)
{
	DIR *d = opendir(dir);
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

static void wait_slot(const struct options *o)
{
	size_t slots;

	if (!*o->ingest_slots)
		return;
	tell("wait 0 0");
	while (!lock_any(o->ingest_slots, &slots)) {
		if (!slots) {
			log_warn("ingest.slots", "dir=%s message=%s", log_quote(o->ingest_slots),
			    log_quote("it holds no files, so nothing bounds the ingests of this host"));
			return;
		}
		tell("wait 0 0");
		clock_sleep(50 + clock_us() % 100);
	}
}

/* Whether the published index already is what this ingest would make. */
static bool up_to_date(const struct ingest *in, const char *commit)
{
	struct index_info now;

	return !in->o->force && !store_current(in->src.data, &now, NULL) && !strcmp(now.commit, commit) &&
	    !strcmp(now.repo_uri, in->src.repo_uri);
}

static int index_commit(struct ingest *in, struct repo *repo, const char *commit, struct arena *a, struct err *e)
{
	struct index_info info = { .generation = store_next(in->src.data) };
	struct quarantine q = quarantine_read(in->src.data, a);
	const char *branch = repo_branch(repo, a);
	int64_t started = clock_ms();

	snprintf(info.file, sizeof info.file, "index-%lld.db", (long long)info.generation);
	snprintf(info.commit, sizeof info.commit, "%s", commit);
	snprintf(info.repo_uri, sizeof info.repo_uri, "%s", in->src.repo_uri);
	snprintf(info.branch, sizeof info.branch, "%s", branch ? branch : "");
	tell("parse 0 0");
	if (plan_make(&in->plan, repo, commit, (uint64_t)in->o->file_limit, &q, a, e))
		return -1;
	struct build *b = build_new(in->src.data, &info, e);
	int rc = b ? build_name(b, source_service(&in->src, a), e) : -1;
	rc = rc ? rc : parse_and_write(in, b, e);
	if (!rc) {
		tell("publish %zu %zu", in->plan.n, in->plan.n);
		info.ingest_ms = clock_ms() - started;
		rc = build_publish(b, &info, e);
	}
	build_free(b);
	plan_free(&in->plan);
	if (!rc)
		log_info("ingest.done", "repo=%s commit=%.12s generation=%lld files=%lld symbols=%lld documents=%lld "
		    "contracts=%lld bytes=%lld ms=%lld", log_quote(in->src.name), info.commit,
		    (long long)info.generation, (long long)info.files, (long long)info.symbols,
		    (long long)info.documents, (long long)info.contracts, (long long)info.bytes,
		    (long long)info.ingest_ms);
	return rc;
}

static int fetch_and_index(struct ingest *in, struct arena *a, struct err *e)
{
	char commit[REPO_OID];

	wait_slot(in->o);
	tell("fetch 0 0");
	if (source_fetch(&in->src, in->o, a, e))
		return -1;
	struct repo *repo = repo_open(in->src.place, e);
	int rc = repo ? repo_head(repo, commit, e) : -1;
	bool same = !rc && up_to_date(in, commit);
	if (!rc && !same)
		rc = index_commit(in, repo, commit, a, e);
	repo_close(repo);
	if (!rc)
		tell(same ? "unchanged" : "published");
	return rc;
}

int ingest_run(const struct options *o, struct err *e)
{
	struct ingest in = { .o = o, .lock = PTHREAD_MUTEX_INITIALIZER, .parsed = PTHREAD_COND_INITIALIZER,
		.room = PTHREAD_COND_INITIALIZER, .notes = -1 };
	struct arena *a = arena_new();

	set_limits(o);
	in.notes = -1;
	int rc = source_find(&in.src, o, a, e);
	if (!rc) {
		in.notes = quarantine_notes(in.src.data);
		rc = fetch_and_index(&in, a, e);
	}
	if (rc && strstr(e->msg, "out of memory"))
		abort();	/* the file in progress is to blame, not the disk */
	if (rc)
		tell("error %s %s", err_name(e->code), e->msg);
	arena_free(a);
	return rc ? 1 : 0;
}
