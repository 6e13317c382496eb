/* Any bytes as a SCIP index: all its documents, and the names and packages of all its symbols. */
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "shard/graph/scip/scip.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct scip *s = scip_open(p, n, NULL);

	for (size_t i = 0; s && i < scip_document_count(s); i++) {
		struct arena *a = arena_new();
		struct scip_document d;
		if (!scip_document(s, i, a, &d, NULL))
			for (size_t k = 0; k < d.occurrences.n; k++) {
				scip_name(d.occurrences.v[k].symbol, a);
				if (scip_package_length(d.occurrences.v[k].symbol) > n)
					__builtin_trap();
			}
		arena_free(a);
	}
	scip_close(s);
	return 0;
}
