#include "coordinator/cli/commands/pending_requests.h"

#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pending_request *first;

void pending_request_add(struct pending_request *p)
{
	pthread_mutex_lock(&lock);
	p->next = first;
	if (p->next)
		p->next->prev = p;
	first = p;
	pthread_mutex_unlock(&lock);
}

void pending_request_remove(struct pending_request *p)
{
	pthread_mutex_lock(&lock);
	if (p->prev)
		p->prev->next = p->next;
	else
		first = p->next;
	if (p->next)
		p->next->prev = p->prev;
	pthread_mutex_unlock(&lock);
}

void pending_request_cancel(const char *id)
{
	pthread_mutex_lock(&lock);
	for (struct pending_request *p = first; p; p = p->next)
		if (p->id && !strcmp(p->id, id))
			p->stop = true;
	pthread_mutex_unlock(&lock);
}
