/* Cluster keys: a configured one, or those in a file that may change while the program runs. */
#include "proto/wire/wire_keys.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/log.h"
#include "proto/net/crypto.h"
#include "proto/wire/wire.h"
#include "proto/wire/wire_internal.h"
#include "proto/wire/wire_proof.h"

enum { KEYS = 8, CHECK_INTERVAL_MS = 1000, LINE = 4096 };

struct keyring_key {
	struct keyring_key *next;
	char *text;
	struct crypto_mac *mac;
};

struct keyring {
	struct keyring *next;
	char *name;		/* the file, or the key itself */
	bool is_file;
	const struct keyring_key *v[KEYS];
	size_t n;
	int64_t next_check_ms;	/* when to check the file again */
	struct stat file_stat;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* guards all rings and keys */
static struct keyring *rings;
static struct keyring_key *keys;	/* all that were ever used, since sessions refer to them */

static const struct keyring_key *key_of(const char *text)
{
	struct keyring_key *k = keys;

	while (k && strcmp(k->text, text))
		k = k->next;
	if (k)
		return k;
	k = xcalloc(1, sizeof *k);
	k->text = xstrdup(text);
	k->mac = crypto_mac_new(text);
	k->next = keys;
	keys = k;
	return k;
}

/* Reads the keys of a file, one per line; lines that begin with # are comments. */
static size_t read_keys(FILE *f, const struct keyring_key **v)
{
	char line[LINE];
	size_t n = 0;

	while (n < KEYS && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\r\n")] = 0;
		if (*line && *line != '#')
			v[n++] = key_of(line);
	}
	return n;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	if (a->st_ino != b->st_ino || a->st_size != b->st_size)
		return false;
	return !memcmp(&a->st_mtim, &b->st_mtim, sizeof a->st_mtim);
}

/* Reads the keys of a file, and logs why there are none. */
static size_t read_file(const char *path, const struct keyring_key **v)
{
	FILE *f = fopen(path, "re");

	if (!f) {
		log_warn("cluster_key.unreadable", "file=%s message=%s", log_quote(path),
		    log_quote(strerror(errno)));
		return 0;
	}
	size_t n = read_keys(f, v);
	fclose(f);
	if (!n)
		log_warn("cluster_key.unreadable", "file=%s message=empty", log_quote(path));
	return n;
}

/* With the lock: reads a changed file again.  If that fails, the old keys stay. */
static void reload_if_changed(struct keyring *r)
{
	const struct keyring_key *v[KEYS];
	struct stat st;
	int64_t now = clock_ms();

	if (!r->is_file || now < r->next_check_ms)
		return;
	r->next_check_ms = now + CHECK_INTERVAL_MS;
	if (stat(r->name, &st))
		st = (struct stat){ 0 };
	if (r->n && same_file(&st, &r->file_stat))
		return;
	size_t n = read_file(r->name, v);
	r->file_stat = st;
	if (!n)
		return;
	if (r->n)
		log_info("cluster_key.reloaded", "file=%s keys=%zu", log_quote(r->name), n);
	memcpy(r->v, v, n * sizeof *v);
	r->n = n;
}

/* With the lock. */
static struct keyring *find(const char *name, bool is_file)
{
	for (struct keyring *r = rings; r; r = r->next)
		if (r->is_file == is_file && !strcmp(r->name, name))
			return r;
	return NULL;
}

/* With the lock. */
static struct keyring *add(const char *name, bool is_file)
{
	struct keyring *r = xcalloc(1, sizeof *r);

	r->name = xstrdup(name);
	r->is_file = is_file;
	if (!is_file)
		r->v[r->n++] = key_of(name);
	r->next = rings;
	rings = r;
	return r;
}

struct keyring *keyring_of(const struct wire_trust *t)
{
	bool is_file = t->key_file && *t->key_file;
	const char *name = t->key;

	if (is_file)
		name = t->key_file;
	if (!name || !*name)
		return NULL;
	pthread_mutex_lock(&lock);
	struct keyring *r = find(name, is_file);
	if (!r)
		r = add(name, is_file);
	pthread_mutex_unlock(&lock);
	return r;
}

const struct keyring_key *keyring_at(struct keyring *r, size_t i)
{
	const struct keyring_key *k = NULL;

	pthread_mutex_lock(&lock);
	reload_if_changed(r);
	if (i < r->n)
		k = r->v[i];
	pthread_mutex_unlock(&lock);
	return k;
}

const struct keyring_key *keyring_primary(struct keyring *r)
{
	if (!r)
		return NULL;
	return keyring_at(r, 0);
}

bool keyring_has(struct keyring *r, const struct keyring_key *k)
{
	bool has = false;

	pthread_mutex_lock(&lock);
	reload_if_changed(r);
	for (size_t i = 0; i < r->n; i++)
		has |= r->v[i] == k;
	pthread_mutex_unlock(&lock);
	return has;
}

const struct crypto_mac *key_mac(const struct keyring_key *k)
{
	return k->mac;
}
