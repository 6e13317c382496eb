#ifndef SHARD_FACTS_OPERATION_H
#define SHARD_FACTS_OPERATION_H
/*
 * A request that a document says is answered, as facts.h has it: operations.h and graphql.h say
 * which documents.
 */

#include <stdint.h>

struct operation {
	/*
	 * openapi, sam, serverless, grpc-gateway; openapi-client, openapi-server: generated code asks
	 * for it, registers it
	 */
	const char *form;
	const char *kind;	/* http, topic; function: nothing by itself, others name it by `label`;
				   reference, item: a path that stands in the file `name`, and what stands there as `path` */
	const char *method, *path;	/* as in a fact: a template */
	const char *bare;	/* the path without what servers have before it; NULL: the same */
	const char *name;	/* operationId; handler as written; package.Service/Method; NULL: none */
	/* where the name is: a controller, the folder of the code; NULL: not said */
	const char *owner;
	const char *label;	/* what the document calls it, for people: an operationId, a resource */
	/* the function that answers, as its template calls it; NULL: not said */
	const char *resource;
	uint32_t line, end_line;
};
#endif
