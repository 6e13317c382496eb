#include "coordinator/api/http_routes.h"

#include "proto/base/buf.h"

enum {
	ANYBODY = true,
	CALLER = false,
	SMALL = HTTP_BODY_MAX,
	LARGE = HTTP_LARGE_MAX,
	PROBE = true,
	OTHER = false,
};

const struct http_route http_routes[] = {
#define ROUTE(method, path, who, body, what, handler, doc) \
	{ method, path, who, body, what, handler },
#include "coordinator/api/routes.def"
};
const size_t http_nroutes = LEN(http_routes);
