/*
 * Which queues receive what is sent to a topic: SNS subscriptions in templates of CloudFormation
 * (SAM, Serverless Framework) and Terraform.  A name that another file of the folder may define is
 * written as ./FOLDER/TYPE.NAME; that file adds a fact which maps it to the real name.
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

/* The name at the end of an ARN; NULL: it is no ARN, or its name is a variable. */
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

/* The name of a template's queue or topic: its property, else its id. */
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
 * The name that !Ref Orders, !GetAtt Orders.Arn, { Fn::GetAtt: [Orders, Arn] }, { Ref: Orders } or
 * an ARN means; NULL: it is something else.
 */
static const char *resource_meant(const struct gateway_config *g, const char *root, const char *key)
{
	static const char *const below[] = { "", ".Ref", ".Fn::GetAtt[0]", ".Fn::GetAtt" };
	const char *text = NULL;

	for (size_t i = 0; i < LEN(below) && !text; i++)
		text = gateway_get(g, "%s%s", key, below[i]);
	if (!text)
		return NULL;
	if (arn_name(text))
		return arn_name(text);
	const char *id = arena_strn(g->a, text, strcspn(text, "."));
	if (gateway_has(g, "%s%s", root, id))
		return resource_name(g, root, id);
	return NULL;
}

/* Add a subscription, whose keys begin with `one`, if it is of a queue. */
static void put_subscription(
    struct gateway_config *g, const char *root, const char *one, const char *topic, uint32_t line)
{
	const char *protocol = gateway_get(g, "%s.Protocol", one);

	if (protocol && !strcmp(protocol, "sqs"))
		put(g, topic, resource_meant(g, root, arena_printf(g->a, "%s.Endpoint", one)), line);
}

void topics_cloudformation(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *dot = strrchr(base, '.'), *id = base;

	if (dot)
		id = dot + 1;
	const char *root = arena_strn(g->a, base, (size_t)(id - base));
	const char *properties = arena_printf(g->a, "%s.Properties", base);
	if (!strcmp(s->value, "AWS::SNS::Subscription"))
		put_subscription(g, root, properties,
		    resource_meant(g, root, arena_printf(g->a, "%s.TopicArn", properties)), s->line);
	if (strcmp(s->value, "AWS::SNS::Topic"))
		return;
	for (int i = 0; i < MOST_SUBSCRIPTIONS; i++) {
		const char *one = arena_printf(g->a, "%s.Subscription[%d]", properties, i);
		if (!gateway_get(g, "%s.Protocol", one))
			break;
		put_subscription(g, root, one, resource_name(g, root, id), s->line);
	}
}

/* ---- Terraform ---- */

/* The resource's name within the folder of the file, as all files of that folder know it. */
static const char *local_name(const struct gateway_config *g, const char *resource)
{
	const char *slash = strrchr(g->path, '/');
	size_t folder = 0;

	if (slash)
		folder = (size_t)(slash + 1 - g->path);
	return arena_printf(g->a, "./%.*s%s", (int)folder, g->path, resource);
}

/* The default of the variable or local in ${...} at `text`, which ends at `end`; or NULL. */
static const char *default_of(const struct gateway_config *g, const char *text, const char *end)
{
	if (!strncmp(text, "${var.", 6))
		return gateway_get(g, "variable.%.*s.default", (int)(end - text - 6), text + 6);
	if (!strncmp(text, "${local.", 8))
		return gateway_get(g, "locals.%.*s", (int)(end - text - 8), text + 8);
	return NULL;
}

/* A name with the defaults of the file's variables in it; NULL: one of them is unknown. */
static const char *filled(const struct gateway_config *g, const char *text)
{
	struct buf b = { 0 };
	bool known = true;

	while (*text && known) {
		const char *end = NULL;
		if (!strncmp(text, "${", 2))
			end = strchr(text, '}');
		if (!end) {
			buf_byte(&b, *text++);
			continue;
		}
		const char *value = default_of(g, text, end);
		known = value && !strchr(value, '$');
		if (known)
			buf_str(&b, value);
		text = end + 1;
	}
	const char *out = NULL;
	if (known && b.n)
		out = arena_strn(g->a, b.p, b.n);
	buf_free(&b);
	return out;
}

/* The name of a resource of the file, or else its name within the folder. */
static const char *resource_by_name(const struct gateway_config *g, const char *resource)
{
	if (strchr(resource, '['))
		return NULL;
	const char *name = gateway_get(g, "resource.%s.name", resource);
	if (name)
		name = filled(g, name);
	if (name)
		return name;
	return local_name(g, resource);
}

/* The name that aws_sqs_queue.orders.arn or an ARN means; NULL: it is unknown. */
static const char *terraform_meant(const struct gateway_config *g, const char *text)
{
	static const char *const tails[] = { ".arn", ".id", "[0].arn" };
	size_t n = strlen(text);

	if (arn_name(text))
		return arn_name(text);
	/* as it was written before Terraform 0.12 */
	if (!strncmp(text, "${", 2) && n > 3 && text[n - 1] == '}') {
		text = arena_strn(g->a, text + 2, n - 3);
		n = strlen(text);
	}
	if (strncmp(text, "aws_sns_topic.", 14) && strncmp(text, "aws_sqs_queue.", 14))
		return NULL;
	for (size_t i = 0; i < LEN(tails); i++) {
		size_t len = strlen(tails[i]);
		if (n > len && !strcmp(text + n - len, tails[i]))
			return resource_by_name(g, arena_strn(g->a, text, n - len));
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
 * Map names to the resources that other files of the folder use: messages go from a topic's name to
 * its resource, and from a queue's resource to its name.
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

/* The name of the topic of a subscription, or NULL. */
static const char *google_topic(const struct gateway_config *g, const char *text)
{
	static const char topics[] = "google_pubsub_topic.";
	const char *slash = strrchr(text, '/'), *topic = text;

	if (!strncmp(text, topics, sizeof topics - 1)) {
		size_t n = sizeof topics - 1 + strcspn(text + sizeof topics - 1, ".[");
		topic = gateway_get(g, "resource.%.*s.name", (int)n, text);
	} else if (slash) {
		topic = slash + 1;
	}
	if (topic)
		topic = filled(g, topic);
	if (!topic || strpbrk(topic, ".[ "))
		return NULL;
	return topic;
}

/* google_pubsub_topic.orders.name or .id; a topic's own name, or projects/P/topics/NAME. */
void topics_google(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *name = gateway_get(g, "%s.name", base);

	if (name)
		name = filled(g, name);
	put(g, google_topic(g, s->value), name, s->line);
}
