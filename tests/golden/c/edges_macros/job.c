#include "macros.h"

int job_step(job_t *j, union any *u)
{
	if (j->state == READY)
		j->state = RUNNING;
	u->job->left = MIN(j->left, 3);
	return ((struct job *)u->job)->left;
}
