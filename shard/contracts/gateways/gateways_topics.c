/*
 * Which queues get what is sent to a topic: subscriptions of SNS in templates of CloudFormation
 * (SAM, Serverless Framework) and Terraform.  Names that another file of the folder gives are kept
 * as ./FOLDER/TYPE.NAME, and said there to be the same.
 */
#include <string.h>

#include "shard/contracts/gateways/gateways_internal.h"

enum { MOST = 2000, MOST_SUBSCRIPTIONS = 50 };

static void put(struct gateway_config *g, const char *topic, const char *queue, uint32_t line)
{
	if (!topic || !queue || g->out->n >= MOST)
		return;
	g->out->v = grow(g->out->v, &g->out->cap, g->out->n + 1, sizeof *g->out->v);
	g->out->v[g->out->n++] = (struct fact){ .side = "forwards", .kind = "topic",
	    .method = "SUBSCRIBE", .path = topic, .to = queue,
		.framework = g->form, .line = line, .end_line = line };
}

/* What is behind the last colon of an ARN. */
static const char *arn_name(const char *text)
{
	const char *colon = NULL;

	if (!strncmp(text, "arn:", 4))
		colon = strrchr(text, ':');
	if (colon && colon[1] && !strpbrk(colon, "${}"))
		return colon + 1;
	return NULL;
}

/* ---- CloudFormation ---- */

/* The name that a resource of the template gives to its queue or topic, or that it has itself. */
static const char *resource_name(const struct gateway_config *g, const char *root, const char *id)
{
	static const char *const names[] = { "QueueName", "TopicName" };

	for (size_t i = 0; i < LEN(names); i++) {
		const char *name = gateway_get(g, "%s%s.Properties.%s", root, id, names[i]);
		if (name && !strchr(name, '$'))
			return name;
	}
	return id;
}

/*
 * !Ref Orders, !GetAtt Orders.Arn, { Fn::GetAtt: [Orders, Arn] }, { Ref: Orders }, an ARN; NULL:
 * something else.
 */
static const char *resource_meant(const struct gateway_config *g, const char *root, const char *key)
{
	static const char *const below[] = { "", ".Ref", ".Fn::GetAtt[0]", ".Fn::GetAtt" };
	const char *text = NULL;

	for (size_t i = 0; i < LEN(below) && !text; i++)
		text = gateway_get(g, "%s%s", key, below[i]);
	if (!text || arn_name(text)) {
		if (text)
			return arn_name(text);
		return NULL;
	}
	const char *id = arena_strn(g->a, text, strcspn(text, "."));
	if (gateway_has(g, "%s%s", root, id))
		return resource_name(g, root, id);
	return NULL;
}

void topics_cloudformation(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *id = strrchr(base, '.') ? strrchr(base, '.') + 1 : base;
	const char *root = arena_strn(g->a, base, (size_t)(id - base));

	if (!strcmp(s->value, "AWS::SNS::Subscription")) {
		const char *protocol = gateway_get(g, "%s.Properties.Protocol", base);
		if (protocol && !strcmp(protocol, "sqs"))
			put(g, resource_meant(g, root, arena_printf(g->a, "%s.Properties.TopicArn", base)),
			    resource_meant(g, root, arena_printf(g->a, "%s.Properties.Endpoint", base)),
			    s->line);
	}
	for (int i = 0; !strcmp(s->value, "AWS::SNS::Topic") && i < MOST_SUBSCRIPTIONS; i++) {
		const char *one = arena_printf(g->a, "%s.Properties.Subscription[%d]", base, i);
		const char *protocol = gateway_get(g, "%s.Protocol", one);
		if (!protocol)
			break;
		if (!strcmp(protocol, "sqs"))
			put(g, resource_name(g, root, id),
			    resource_meant(g, root, arena_printf(g->a, "%s.Endpoint", one)), s->line);
	}
}

/* ---- Terraform ---- */

/* The folder of the file, for what is known by its name in all files of it. */
static const char *local_name(const struct gateway_config *g, const char *resource)
{
	const char *slash = strrchr(g->path, '/');

	return arena_printf(
	    g->a, "./%.*s%s", slash ? (int)(slash + 1 - g->path) : 0, g->path, resource);
}

/* A name with what variables of the file are by default in it; NULL: not all of them are known. */
static const char *filled(const struct gateway_config *g, const char *text)
{
	struct buf b = { 0 };
	bool known = true;

	while (*text && known) {
		const char *end = !strncmp(text, "${", 2) ? strchr(text, '}') : NULL;
		const char *value = end && !strncmp(text, "${var.", 6) ?
		    gateway_get(g, "variable.%.*s.default", (int)(end - text - 6), text + 6) :
		    end && !strncmp(text, "${local.", 8) ?
		    gateway_get(g, "locals.%.*s", (int)(end - text - 8), text + 8) :
		    NULL;
		known = !end || (value && !strchr(value, '$'));
		if (end && known)
			buf_str(&b, value);
		else
			buf_byte(&b, *text);
		text = end ? end + 1 : text + 1;
	}
	const char *out = NULL;
	if (known && b.n)
		out = arena_strn(g->a, b.p, b.n);
	buf_free(&b);
	return out;
}

/* aws_sqs_queue.orders.arn, module.x.y, an ARN: what it is called; NULL: not to be known. */
static const char *terraform_meant(const struct gateway_config *g, const char *text)
{
	size_t n = strlen(text);

	if (arn_name(text))
		return arn_name(text);
	/* as it was written before 0.12 */
	if (!strncmp(text, "${", 2) && n > 3 && text[n - 1] == '}') {
		text = arena_strn(g->a, text + 2, n - 3);
		n = strlen(text);
	}
	static const char *const tails[] = { ".arn", ".id", "[0].arn" };
	for (size_t i = 0; i < LEN(tails); i++) {
		size_t len = strlen(tails[i]);
		if (n <= len || strcmp(text + n - len, tails[i]) ||
		    (strncmp(text, "aws_sns_topic.", 14) && strncmp(text, "aws_sqs_queue.", 14)))
			continue;
		const char *resource = arena_strn(g->a, text, n - len),
		           *name = gateway_get(g, "resource.%s.name", resource);
		if (strchr(resource, '['))
			return NULL;
		if (name && filled(g, name))
			return filled(g, name);
		return local_name(g, resource);
	}
	return NULL;
}

void topics_subscription(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *protocol = gateway_get(g, "%s.protocol", base),
	           *topic = gateway_get(g, "%s.topic_arn", base);

	if (protocol && topic && !strcmp(protocol, "sqs"))
		put(g, terraform_meant(g, topic), terraform_meant(g, s->value), s->line);
}

/*
 * What a topic is called is, for other files, its resource; what a queue's resource is, its name.
 */
void topics_resource(struct gateway_config *g, const char *base, const struct setting *s)
{
	static const char topics[] = "resource.aws_sns_topic.", queues[] = "resource.aws_sqs_queue.";
	const char *local = local_name(g, base + strlen("resource."));

	if (!strncmp(base, topics, sizeof topics - 1))
		put(g, filled(g, s->value), local, s->line);
	else if (!strncmp(base, queues, sizeof queues - 1))
		put(g, local, filled(g, s->value), s->line);
}

/* google_pubsub_topic.orders.name or .id; a topic's own name, or projects/P/topics/NAME. */
void topics_google(struct gateway_config *g, const char *base, const struct setting *s)
{
	static const char topics[] = "google_pubsub_topic.";
	const char *slash = strrchr(s->value, '/'), *name = gateway_get(g, "%s.name", base),
	           *topic = filled(g, slash ? slash + 1 : s->value);

	if (!strncmp(s->value, topics, sizeof topics - 1)) {
		size_t n = sizeof topics - 1 + strcspn(s->value + sizeof topics - 1, ".[");
		topic = gateway_get(g, "resource.%.*s.name", (int)n, s->value);
		if (topic)
			topic = filled(g, topic);
		else
			topic = NULL;
	}
	put(g, topic && !strpbrk(topic, ".[ ") ? topic : NULL, name ? filled(g, name) : NULL, s->line);
}
