#ifndef SHARD_FACTS_OPERATION_H
#define SHARD_FACTS_OPERATION_H
/*
 * A request that a document declares; operations.h and graphql.h list the kinds of documents.  Part
 * of struct facts.
 */

#include <stdint.h>

struct operation {
	/*
	 * openapi, sam, serverless, grpc-gateway; openapi-client: generated code sends it;
	 * openapi-server: generated code registers it
	 */
	const char *form;
	/*
	 * http, topic; function: used only by others that name it by `label`; reference: a path that is
	 * in the file `name`; item: what is there at `path`
	 */
	const char *kind;
	const char *method, *path;	/* a template, as in a fact */
	const char *bare;	/* the path without the servers' prefix; NULL: the same */
	const char *name;	/* operationId; handler as written; package.Service/Method; or NULL */
	/* where the name is: a controller, or the folder of the code; NULL if unknown */
	const char *owner;
	const char *label;	/* the document's name for it, for people: an operationId, a resource */
	/* the function that answers, as its template names it; NULL if unknown */
	const char *resource;
	uint32_t line, end_line;
};
#endif
