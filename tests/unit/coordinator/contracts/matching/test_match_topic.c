/* Who gets what is published: queues behind topics, exchanges, expressions, brokers. */
#include "coordinator/contracts/matching/topic_pattern.h"
#include "tests/contract_rows.h"

#define GIVES(want, ...) do { \
	struct match_member m_[] = { __VA_ARGS__ }; \
	assert_string_equal(rows(m_, LEN(m_)), want); \
} while (0)

static struct fact by(const char *framework, struct fact f)
{
	f.framework = framework;
	return f;
}

#define PUBLISH(name, exchange)   fact("consumes", "topic", "PUBLISH", name, exchange)
#define SUBSCRIBE(name, exchange) fact("provides", "topic", "SUBSCRIBE", name, exchange)

static struct fact sent_on(const char *topic, const char *queue)
{
	struct fact f = fact("forwards", "topic", "SUBSCRIBE", topic, NULL);

	f.to = queue;
	return by("sns", f);
}

static void queues_behind_a_topic(void **state)
{
	(void)state;
	GIVES(
	    "SUBSCRIBE billing-queue web>billing contract_name contract_name\nSUBSCRIBE mail-queue web>mail contract_name contract_name\n- SUBSCRIBE other-queue other\n",
	    MEMBER("billing", by("sqs", SUBSCRIBE("billing-queue", NULL))),
	    MEMBER("mail", by("sqs", SUBSCRIBE("mail-queue", NULL))),
	    MEMBER("other", by("sqs", SUBSCRIBE("other-queue", NULL))),
	    MEMBER("infra", sent_on("orders", "billing-queue"), sent_on("orders", "mail-queue"),
	        sent_on("payments", "other-queue")),
	    MEMBER("web", by("sns", PUBLISH("orders", NULL))));
}

static void a_topic_is_no_queue(void **state)
{
	(void)state;
	GIVES("? PUBLISH orders web no-producer\n- SUBSCRIBE orders billing\n", MEMBER("billing", by("sqs", SUBSCRIBE("orders", NULL))),
	    MEMBER("web", by("sns", PUBLISH("orders", NULL))));
	GIVES("SUBSCRIBE orders web>billing contract_name contract_name\n",
	    MEMBER("billing", by("sqs", SUBSCRIBE("orders", NULL))),
	    MEMBER("infra", sent_on("orders", "orders")),
	    MEMBER("web", by("sns", PUBLISH("orders", NULL))));
}

static void a_subscription_is_evidence(void **state)
{
	struct match_member m[] = { MEMBER("billing", by("sqs", SUBSCRIBE("billing-queue", NULL))),
	    MEMBER("infra", sent_on("orders", "billing-queue")),
		MEMBER("web", by("sns", PUBLISH("orders", NULL))) };
	const struct fact *by_whom = &m[1].facts->facts.v[0];
	struct match_result o;
	bool told = false;

	(void)state;
	match(m, LEN(m), a, &o);
	assert_int_equal(o.contracts.n, 1);
	for (size_t i = 0; i < o.contracts.v[0].evidence.n; i++) {
		const struct clue *c = &o.contracts.v[0].evidence.v[i];
		told |= !strcmp(c->repo_uri, "h/shop/infra") && !strcmp(c->file, "src/a.c") && c->line == by_whom->line &&
		    !strcmp(c->text, "sns: orders goes to billing-queue");
	}
	assert_true(told);
	match_result_free(&o);
}

static void subscriptions_in_a_circle_end(void **state)
{
	(void)state;
	GIVES(
	    "SUBSCRIBE c web>c contract_name contract_name contract_name contract_name contract_name\n",
	    MEMBER("c", SUBSCRIBE("c", NULL)),
	    MEMBER("infra", by("test", sent_on("a", "b")), by("test", sent_on("b", "a")),
	        by("test", sent_on("b", "c"))),
	    MEMBER("web", PUBLISH("a", NULL)));
}

static void names_of_a_repository_stay_there(void **state)
{
	(void)state;
	GIVES(
	    "SUBSCRIBE billing web>billing contract_name contract_name contract_name\n- SUBSCRIBE mail mail\n",
	    MEMBER("billing", by("sqs", SUBSCRIBE("billing", NULL))),
	    MEMBER("mail", by("sqs", SUBSCRIBE("mail", NULL))),
	    MEMBER("infra", by("terraform", sent_on("orders", "./aws_sns_topic.this")),
	        by("terraform", sent_on("./aws_sns_topic.this", "billing"))),
	    MEMBER("other", by("terraform", sent_on("letters", "./aws_sns_topic.this")),
	        by("terraform", sent_on("./aws_sns_topic.this", "mail"))),
	    MEMBER("web", by("sns", PUBLISH("orders", NULL))));
}

static void exchanges_are_compared(void **state)
{
	(void)state;
	GIVES("SUBSCRIBE created web>orders contract_name\n- SUBSCRIBE created users\n",
	    MEMBER("orders", SUBSCRIBE("created", "orders")),
	    MEMBER("users", SUBSCRIBE("created", "users")),
	    MEMBER("web", PUBLISH("created", "orders")));
	GIVES("SUBSCRIBE created.# web>orders contract_name\n- SUBSCRIBE created.# users\n",
	    MEMBER("orders", SUBSCRIBE("created.#", "orders")),
	    MEMBER("users", SUBSCRIBE("created.#", "users")),
	    MEMBER("web", PUBLISH("created.eu", "orders")));
}

static void an_exchange_that_is_not_known_keeps_nobody_apart(void **state)
{
	(void)state;
	GIVES("SUBSCRIBE created web>orders contract_name\n",
	    MEMBER("orders", SUBSCRIBE("created", NULL)), MEMBER("web", PUBLISH("created", "orders")));
	GIVES("SUBSCRIBE created web>orders contract_name\n",
	    MEMBER("orders", SUBSCRIBE("created", "orders")), MEMBER("web", PUBLISH("created", NULL)));
}

/* Without an exchange, the broker puts a message into the queue of that name. */
static void a_queue_comes_before_what_binds_it(void **state)
{
	(void)state;
	GIVES("SUBSCRIBE created web>both contract_name\n- SUBSCRIBE created both\n",
	    MEMBER("both", SUBSCRIBE("created", "{}"), SUBSCRIBE("created", NULL)),
	    MEMBER("web", PUBLISH("created", NULL)));
	GIVES("SUBSCRIBE created web>one contract_name\n", MEMBER("one", SUBSCRIBE("created", "{}")),
	    MEMBER("web", PUBLISH("created", NULL)));
	GIVES("SUBSCRIBE created web>one contract_name\n", MEMBER("one", SUBSCRIBE("created", "{}")),
	    MEMBER("web", PUBLISH("created", "orders")));
}

static void all_of_an_exchange(void **state)
{
	(void)state;
	GIVES("SUBSCRIBE orders web>all contract_name\nSUBSCRIBE created web>one contract_name\n",
	    MEMBER("all", SUBSCRIBE("orders", NULL)), MEMBER("one", SUBSCRIBE("created", "orders")),
	    MEMBER("web", PUBLISH("created", "orders")));
}

static void expressions_are_patterns(void **state)
{
	(void)state;
	GIVES(
	    "SUBSCRIBE ^orders\\.(eu|us)$ web>a contract_name\n- SUBSCRIBE ^orders\\.e$ b\n- SUBSCRIBE ^orders\\.( c\n",
	    MEMBER("a", SUBSCRIBE("^orders\\.(eu|us)$", NULL)),
	    MEMBER("b", SUBSCRIBE("^orders\\.e$", NULL)), MEMBER("c", SUBSCRIBE("^orders\\.(", NULL)),
	    MEMBER("web", PUBLISH("orders.eu", NULL)));
}

static void brokers_are_kept_apart(void **state)
{
	(void)state;
	GIVES(
	    "SUBSCRIBE orders web>any contract_name\nSUBSCRIBE orders web>kafka contract_name\n- SUBSCRIBE orders redis\n",
	    MEMBER("any", SUBSCRIBE("orders", NULL)),
	    MEMBER("kafka", by("kafka", SUBSCRIBE("orders", NULL))),
	    MEMBER("redis", by("redis", SUBSCRIBE("orders", NULL))),
	    MEMBER("web", by("kafka", PUBLISH("orders", NULL))));
}

static bool fits(const char *pattern, const char *name)
{
	struct topic_pattern *p = topic_pattern_new(pattern);
	bool yes = topic_pattern_fits(p, name);

	topic_pattern_free(p);
	return yes;
}

static void patterns_are_bounded(void **state)
{
	char nested[80], forty[64];

	(void)state;
	memset(forty, 'a', sizeof forty - 1);
	forty[sizeof forty - 1] = '\0';
	snprintf(nested, sizeof nested, "^(a+)+b$");
	assert_false(fits(nested, forty));	/* would take 2^63 steps */
	assert_false(fits("^[", "orders"));
	assert_false(fits("^(?<", "orders"));
	assert_true(fits("^", "orders"));
	assert_true(fits("^orders-{}-eu$", "orders-x-eu"));
	assert_true(fits("^orders", "orders.eu"));
	assert_false(fits("^orders", "my.orders"));
	assert_false(topic_is_pattern("{}"));
	assert_true(topic_is_pattern("^orders"));
}

int main(void)
{
	const struct CMUnitTest t[] = {
		cmocka_unit_test(queues_behind_a_topic),
		cmocka_unit_test(a_topic_is_no_queue),
		cmocka_unit_test(a_subscription_is_evidence),
		cmocka_unit_test(subscriptions_in_a_circle_end),
		cmocka_unit_test(names_of_a_repository_stay_there),
		cmocka_unit_test(exchanges_are_compared),
		cmocka_unit_test(an_exchange_that_is_not_known_keeps_nobody_apart),
		cmocka_unit_test(a_queue_comes_before_what_binds_it),
		cmocka_unit_test(all_of_an_exchange),
		cmocka_unit_test(expressions_are_patterns),
		cmocka_unit_test(brokers_are_kept_apart),
		cmocka_unit_test(patterns_are_bounded),
	};

	return cmocka_run_group_tests(t, contract_rows_setup, contract_rows_teardown);
}
