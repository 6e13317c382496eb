/* Any bytes as any record of the wire: the first byte picks it. */
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/record/codec.h"
#include "proto/record/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const struct record *const records[] = { &rec_request, &rec_reply, &rec_hello, &rec_search_res,
		&rec_contracts_res, &rec_status_res, &rec_snippet_req, &rec_file_res };
	struct arena *a = arena_new();
	struct err e = { 0 };

	if (n) {
		const struct record *r = records[p[0] % (sizeof records / sizeof *records)];
		codec_get(r, arena_get(a, 1, r->size), p + 1, n - 1, a, &e);
	}
	arena_free(a);
	return 0;
}
