#include "shard/formats/value_tree.h"

#include <ctype.h>
#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"

struct xml_reader {
	struct value_tree *t;
	struct value_node *in;
	XML_Parser parser;
	struct buf text;	/* of the current element, since its last child */
	size_t lost;		/* open elements that exceeded a limit */
};

/* Without the namespace, which manifests do not need. */
static const char *local_name(struct value_tree *t, const char *name)
{
	const char *colon = strrchr(name, ':');

	if (colon)
		name = colon + 1;
	return arena_str(t->a, name);
}

static void XMLCALL begin(void *arg, const XML_Char *name, const XML_Char **attribute)
{
	struct xml_reader *r = arg;
	size_t line = XML_GetCurrentLineNumber(r->parser);
	struct value_node *x = NULL;

	if (!r->lost)
		x = value_tree_add(r->t, r->in, local_name(r->t, name), NULL, line);
	r->text.n = 0;
	if (!x) {
		r->lost++;
		return;
	}
	r->in = x;
	for (; *attribute; attribute += 2)
		value_tree_add(
		    r->t, x, local_name(r->t, attribute[0]), arena_str(r->t->a, attribute[1]), line);
}

static void XMLCALL finish(void *arg, const XML_Char *name)
{
	struct xml_reader *r = arg;
	const char *s = r->text.p;
	size_t n = r->text.n;

	(void)name;
	if (r->lost) {
		r->lost--;
		return;
	}
	while (n && isspace((unsigned char)*s)) {
		s++;
		n--;
	}
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	if (n)
		r->in->value = arena_strn(r->t->a, s, n);
	r->text.n = 0;
	r->in = r->in->up;
}

static void XMLCALL characters(void *arg, const XML_Char *s, int n)
{
	struct xml_reader *r = arg;

	buf_put(&r->text, s, (size_t)n);
}

/* Stop at the declaration of an entity, so that no entity can expand to a huge text. */
static void XMLCALL refuse(void *arg, const XML_Char *name, int parameter, const XML_Char *value,
    int n, const XML_Char *base, const XML_Char *system, const XML_Char *public,
    const XML_Char *notation)
{
	struct xml_reader *r = arg;

	(void)name, (void)parameter, (void)value, (void)n, (void)base, (void)system, (void)public,
	    (void)notation;
	XML_StopParser(r->parser, XML_FALSE);
}

void value_tree_read_xml(struct value_tree *t, const char *text, size_t n)
{
	struct xml_reader r = { .t = t, .in = t->root, .parser = XML_ParserCreate(NULL) };

	if (!r.parser)
		die("out of memory: expat");
	if (n > INT32_MAX)
		die("an XML file is larger than expat can read");
	XML_SetUserData(r.parser, &r);
	XML_SetElementHandler(r.parser, begin, finish);
	XML_SetCharacterDataHandler(r.parser, characters);
	XML_SetEntityDeclHandler(r.parser, refuse);
	XML_Parse(r.parser, text, (int)n, 1);
	XML_ParserFree(r.parser);
	buf_free(&r.text);
}
