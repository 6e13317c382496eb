#ifndef COORDINATOR_API_HTTP_ROUTES_H
#define COORDINATOR_API_HTTP_ROUTES_H
/* The HTTP endpoints, which routes.def lists. */

#include "coordinator/http/http_server.h"

/* All rows, for http_open. */
extern const struct http_route http_routes[];
extern const size_t http_nroutes;

/* One function per row of routes.def. */
#define ROUTE(method, path, who, body, what, handler, doc) void handler(struct exchange *);
#include "coordinator/api/routes.def"
#endif
