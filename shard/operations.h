#ifndef SHARD_OPERATIONS_H
#define SHARD_OPERATIONS_H
/*
 * Requests that a document says are answered: OpenAPI, AWS SAM, the Serverless Framework, google.api.http in .proto files.  Who
 * answers them is found when all files are known (answers.h).
 */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct facts;

struct operation {
	const char *form;	/* openapi, sam, serverless, grpc-gateway; openapi-client, openapi-server: generated
				   code asks for it, registers it */
	const char *kind;	/* http, topic; function: nothing by itself, others name it by `label`;
				   reference, item: a path that stands in the file `name`, and what stands there as `path` */
	const char *method, *path;	/* as in a fact: a template */
	const char *bare;	/* the path without what servers have before it; NULL: the same */
	const char *name;	/* operationId; handler as written; package.Service/Method; NULL: none */
	const char *owner;	/* where the name is: a controller, the folder of the code; NULL: not said */
	const char *label;	/* what the document calls it, for people: an operationId, a resource */
	const char *resource;	/* the function that answers, as its template calls it; NULL: not said */
	uint32_t line, end_line;
};

/* What a text of `language` says, in order, into out->operations, in the arena. */
void operations_find(const char *language, const char *text, size_t n, struct arena *, struct facts *out);

/* Requests that collections, plans and .http files make, into out->contracts in order of line. */
void collections_find(const char *language, const char *text, size_t n, struct arena *, struct facts *out);

/*
 * The requests that functions of a generated client make and the routes of a generated server, into out->operations; after its
 * definitions and contracts are known.
 */
void generated_find(const char *text, size_t n, struct arena *, struct facts *out);

/* The name of an operation out of that of one of its functions: NewGetPetRequest is getPet. */
const char *generated_name(const char *name, struct arena *);

/* ---- the forms; each returns how many, in the arena ---- */

struct yaml;

size_t openapi_find(const struct yaml *, struct arena *, struct operation **out);
size_t openapi_items(const struct yaml *, struct arena *, struct operation **out);	/* paths in a file of their own */
size_t serverless_find(const struct yaml *, struct arena *, struct operation **out);
size_t transcoding_find(const char *text, size_t n, struct arena *, struct operation **out);
#endif
