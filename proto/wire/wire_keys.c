/* Cluster keys: of a file that may change while the program runs, or one that was given. */
#include "proto/wire/wire_keys.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "proto/base/clock.h"
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
	char *name;		/* file, or the key itself */
	bool is_file;
	const struct keyring_key *v[KEYS];
	size_t n;
	int64_t next_check_ms;	/* not before */
	struct stat file_stat;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* guards all of it */
static struct keyring *rings;
static struct keyring_key *keys;	/* every one that was ever used: a session may rest on it */

static const struct keyring_key *key_of(const char *text)
{
	struct keyring_key *k = keys;

	while (k && strcmp(k->text, text))
		k = k->next;
	if (k)
		return k;
	k = wire_check_alloc(calloc(1, sizeof *k));
	k->text = wire_check_alloc(strdup(text));
	k->mac = crypto_mac_new(text);
	k->next = keys;
	return keys = k;
}

/* The keys of a file, a line each; lines that begin with # are none. */
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

/* With the lock held.  What cannot be read leaves the keys as they are. */
static void look(struct keyring *r)
{
	const struct keyring_key *v[KEYS];
	struct stat st;
	int64_t now = clock_ms();

	if (!r->is_file || now < r->next_check_ms)
		return;
	r->next_check_ms = now + CHECK_INTERVAL_MS;
	if (stat(r->name, &st))
		st = (struct stat){ 0 };
	if (r->n && st.st_ino == r->file_stat.st_ino && st.st_size == r->file_stat.st_size &&
	    !memcmp(&st.st_mtim, &r->file_stat.st_mtim, sizeof st.st_mtim))
		return;
	FILE *f = fopen(r->name, "re");
	size_t n = f ? read_keys(f, v) : 0;
	if (f)
		fclose(f);
	if (!n)
		log_warn("cluster_key.unreadable", "file=%s message=%s", log_quote(r->name),
		    f ? "empty" : log_quote(strerror(errno)));
	else if (r->n)
		log_info("cluster_key.reloaded", "file=%s keys=%zu", log_quote(r->name), n);
	r->file_stat = st;
	if (n)
		memcpy(r->v, v, sizeof v);
	if (n)
		r->n = n;
}

struct keyring *keyring_of(const struct wire_trust *t)
{
	bool is_file = t->key_file && *t->key_file;
	const char *name = is_file ? t->key_file : t->key;
	struct keyring *r;

	if (!name || !*name)
		return NULL;
	pthread_mutex_lock(&lock);
	for (r = rings; r && (r->is_file != is_file || strcmp(r->name, name)); r = r->next)
		continue;
	if (!r) {
		r = wire_check_alloc(calloc(1, sizeof *r));
		r->name = wire_check_alloc(strdup(name));
		r->is_file = is_file;
		if (!is_file)
			r->v[r->n++] = key_of(name);
		r->next = rings;
		rings = r;
	}
	pthread_mutex_unlock(&lock);
	return r;
}

const struct keyring_key *keyring_at(struct keyring *r, size_t i)
{
	pthread_mutex_lock(&lock);
	look(r);
	const struct keyring_key *k = NULL;
	if (i < r->n)
		k = r->v[i];
	pthread_mutex_unlock(&lock);
	return k;
}

const struct keyring_key *keyring_primary(struct keyring *r)
{
	return r ? keyring_at(r, 0) : NULL;
}

bool keyring_has(struct keyring *r, const struct keyring_key *k)
{
	bool has = false;

	pthread_mutex_lock(&lock);
	look(r);
	for (size_t i = 0; i < r->n; i++)
		has |= r->v[i] == k;
	pthread_mutex_unlock(&lock);
	return has;
}

const struct crypto_mac *key_mac(const struct keyring_key *k)
{
	return k->mac;
}
