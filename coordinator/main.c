#include <sys/stat.h>

#include "coordinator/coordinator.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/net/egress.h"
#include "proto/process/process_limits.h"

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct coordinator_config o = { 0 };
	struct err e = { 0 };
	struct coordinator *co = NULL;
	int rc = coordinator_options(&o, argc, argv, a, &e);

	egress_init(&EGRESS_POLICY(&o));
	umask(077);	/* all files are private to this user */
	limits_raise_files();
	log_init("coordinator", rc ? LOG_INFO : log_level(o.log_level));
	if (!rc)
		co = coordinator_open(&o, &e);
	if (co && *o.offline)
		coordinator_offline(co, &e);
	else if (co)
		coordinator_serve(co);
	coordinator_close(co);
	arena_free(a);
	return err_exit(&e);
}
