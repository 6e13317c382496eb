/* Keeps jobs. */
#include <stdio.h>

#define MAX_JOBS 10
#define MIN(a, b) ((a) < (b) ? (a) : (b))

typedef struct job job;

/* A job. */
typedef struct job {
	int id, *next;
	int (*run)(struct job *);
	struct { int x; } at;
} job_t;

typedef int (*handler)(int);

enum state { READY, RUNNING = 3 };

union value {
	int i;
	double d;
};

static const char *names[] = {
	"a",
	"b",
};
int total, limit = 3;
extern int elsewhere;

int prototype(int a);
char *other_prototype(void);

// Makes a job.
static struct job *
make_job(int id, const char *name)
{
	int local = id;
	return NULL;
}

int (*pick(int i))(int)
{
	return 0;
}

#ifdef DEBUG
void dump(job_t *j) { }
#endif
