#include "shard/git/linkless_folders.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "proto/base/clock.h"

enum { FOLDERS_BITS = 10, SETTLED_S = 2 };

static struct linkless_folder {
	dev_t device;
	ino_t inode;
	struct timespec changed;
} folders[1 << FOLDERS_BITS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct linkless_folder *place_of(const struct stat *st)
{
	uint64_t spread = (uint64_t)st->st_ino * 0x9e3779b97f4a7c15u;

	return &folders[spread >> (64 - FOLDERS_BITS)];
}

bool linkless_folder_is_known(const struct stat *st)
{
	pthread_mutex_lock(&lock);
	const struct linkless_folder *f = place_of(st);
	bool known = f->inode == st->st_ino && f->device == st->st_dev;
	known = known && f->changed.tv_sec == st->st_ctim.tv_sec;
	known = known && f->changed.tv_nsec == st->st_ctim.tv_nsec;
	pthread_mutex_unlock(&lock);
	return known;
}

void linkless_folder_note(const struct stat *before)
{
	if (clock_real_ms() / 1000 - before->st_ctim.tv_sec < SETTLED_S)
		return;
	pthread_mutex_lock(&lock);
	*place_of(before) = (struct linkless_folder){ before->st_dev, before->st_ino, before->st_ctim };
	pthread_mutex_unlock(&lock);
}
