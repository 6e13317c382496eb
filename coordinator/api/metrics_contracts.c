/* /metrics of contracts: how sure links are, and why calls are unresolved, by group. */
#include <stdlib.h>

#include "coordinator/api/metrics_internal.h"
#include "coordinator/calls/context.h"
#include "coordinator/contracts/contract_tables.h"
#include "coordinator/http/http_server.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"

static void put_rows(
    struct buf *out, const char *name, const char *label, const struct tables_tally *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_printf(out, "%s{group=\"", name);
		metrics_label(out, v[i].group);
		buf_printf(out, "\",%s=\"", label);
		metrics_label(out, v[i].what);
		buf_printf(out, "\"} %llu\n", (unsigned long long)v[i].n);
	}
}

void metrics_contracts(struct exchange *x, struct buf *out)
{
	struct tables_tallies t;
	struct err e = { 0 };

	if (tables_tally(x->co->registry, &t, x->a, &e))
		log_error("metrics.contracts", "message=%s", log_quote(e.msg));
	metrics_head(out, "atoll_links", "gauge",
	    "Calls from one repository to another by group and confidence;"
	    " group \"\": all groups but the first hundred by name.");
	put_rows(out, "atoll_links", "confidence", t.links, t.nlinks);
	metrics_head(out, "atoll_unresolved_calls", "gauge",
	    "Calls without a known target by group and reason;"
	    " group \"\": all groups but the first hundred by name.");
	put_rows(out, "atoll_unresolved_calls", "reason", t.reasons, t.nreasons);
}
