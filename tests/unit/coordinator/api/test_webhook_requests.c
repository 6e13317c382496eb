/* What a forge is answered, and the jobs that pushes become; test_webhooks reads the pushes. */
#include "tests/http_answers.h"

#include "coordinator/api/webhooks.c"

#include <sys/stat.h>

#include "coordinator/registry/job_table.h"
#include "tests/federation.h"

#define SHA1 "1111111111111111111111111111111111111111"
#define SHA2 "2222222222222222222222222222222222222222"
#define PROJECT(path)                                                                              \
	"\"project\":{\"git_http_url\":\"https://h.example/" path ".git\",\"default_branch\":\"main\"}"
#define PUSH_TO(path)                                                                              \
	"{\"ref\":\"refs/heads/main\",\"before\":\"" SHA1 "\",\"after\":\"" SHA2 "\"," PROJECT(path) "}"

static const struct http_header usual[] = {
	{ "X-Gitlab-Token", "the-secret" },
	{ "X-Gitlab-Event", "Push Hook" },
	{ "X-Gitlab-Event-UUID", "d1" },
	{ "Content-Type", "application/json" },
	{ NULL, NULL },
};

/* Sends an event with the usual headers, of which one has another value, or is missing for NULL. */
static void send_event(
    const char *forge, const char *header_name, const char *value, const char *body)
{
	struct exchange *x = arena_one(a, struct exchange);
	size_t n = 0;

	for (const struct http_header *h = usual; h->name; h++) {
		bool other = header_name && !strcmp(h->name, header_name);
		http_in.headers[n] = (struct http_header){ h->name, other ? value : h->value };
		n += http_in.headers[n].value != NULL;
	}
	http_in.headers[n] = (struct http_header){ 0 };
	*x = (struct exchange){
		.co = co, .caller = &caller_nobody, .rest = forge, .body = body, .n = strlen(body), .a = a
	};
	webhook_post(x);
	http_out_await();
}

static void answered(int status, const char *json)
{
	assert_int_equal(http_out.e.code, 0);
	assert_int_equal(http_out.status, status);
	assert_string_equal(http_out.type, "application/json");
	assert_string_equal(http_out.body.p, json);
}

static void failed_with(int status, enum err_code code, const char *msg)
{
	assert_int_equal(http_out.status, status);
	assert_int_equal(http_out.e.code, code);
	assert_string_equal(http_out.e.msg, msg);
}

static void forges_without_a_secret(void **state)
{
	(void)state;
	send_event("github", NULL, NULL, "{}");
	failed_with(404, ERR_NOT_FOUND, "webhooks of GitHub are off: there is no secret");
	assert_string_equal(
	    http_out.e.hint, "Start the coordinator with --github-webhook-secret-file FILE.");
	send_event("bitbucket", NULL, NULL, "{}");
	failed_with(404, ERR_NOT_FOUND, "no forge is called `bitbucket`");
	assert_string_equal(http_out.e.hint, "Forges are github, gitlab, gitea.");
}

static void proofs(void **state)
{
	(void)state;
	send_event("gitlab", "X-Gitlab-Token", "another", PUSH_TO("shop/svc1"));
	failed_with(401, ERR_FORBIDDEN, "X-Gitlab-Token is wrong");
	assert_string_equal(
	    http_out.e.hint, "Give the webhook the secret in --gitlab-webhook-secret-file.");
	send_event("gitlab", "X-Gitlab-Token", NULL, PUSH_TO("shop/svc1"));
	failed_with(401, ERR_FORBIDDEN, "X-Gitlab-Token is missing");
}

static void events(void **state)
{
	static const struct {
		const char *header, *value, *body;
		int status;
		const char *json;
	} v[] = {
		{ "X-Gitlab-Event", "", "{}", 200, "{\"status\":\"pong\"}" },
		{ "X-Gitlab-Event", "Tag Push Hook", "{}", 202,
		    "{\"status\":\"ignored\",\"reason\":\"not a push\"}" },
		{ NULL, NULL, "{\"ref\":\"refs/heads/dev\"," PROJECT("shop/svc1") "}", 202,
		    "{\"status\":\"ignored\",\"reason\":\"not the default branch\"}" },
		{ NULL, NULL, PUSH_TO("shop/unknown"), 202,
		    "{\"status\":\"ignored\",\"reason\":\"h.example/shop/unknown is not registered here\"}" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		send_event("gitlab", v[i].header, v[i].value, v[i].body);
		answered(v[i].status, v[i].json);
	}
	send_event("gitlab", "X-Gitlab-Event", NULL, "{}");
	failed_with(400, ERR_INVALID_INPUT, "X-Gitlab-Event is missing");
	send_event("gitlab", NULL, NULL, "{}");
	failed_with(400, ERR_INVALID_INPUT, "the push has no `ref`");
	send_event("gitlab", "Content-Type", NULL, "x=1");
	failed_with(
	    400, ERR_INVALID_INPUT, "the body is neither JSON nor a form with JSON in `payload`");
	assert_string_equal(
	    http_out.e.hint, "Set the content type of the webhook to application/json.");
}

static void a_push_becomes_a_job(void **state)
{
	(void)state;
	send_event("gitlab", NULL, NULL, PUSH_TO("shop/svc1"));
	assert_int_equal(http_out.status, 202);
	const char *first = arena_str(a, http_out.body.p), *id = get(first, "job");
	assert_string_equal(first, arena_printf(a, "{\"status\":\"accepted\",\"job\":%s}", id));
	const char *job = ask("job_show", arena_printf(a, "{\"id\":%s}", id));
	static const char *const parts[] = { "\"kind\":\"update\"",
		"\"repo_uri\":\"h.example/shop/svc1\"", "\"reason\":\"push (GitLab)\"",
		"\"caller\":\"gitlab\"" };
	for (size_t i = 0; i < LEN(parts); i++)
		assert_contains(job, parts[i]);
	struct job row;
	struct err e = { 0 };
	assert_int_equal(job_get(co->registry, json_text(id, a), &row, a, &e), 0);
	assert_string_equal(row.base, SHA1);
	assert_string_equal(row.head, SHA2);
	assert_true(row.due_ms - row.created_ms == co->o.push_delay_ms);
	/* the same delivery again, and another one with the same push */
	send_event("gitlab", NULL, NULL, PUSH_TO("shop/svc1"));
	answered(202, arena_printf(a, "{\"status\":\"repeated\",\"job\":%s}", id));
	send_event("gitlab", "X-Gitlab-Event-UUID", "d2", PUSH_TO("shop/svc1"));
	answered(202, first);
	/* a delivery without an id is never one that was seen */
	send_event("gitlab", "X-Gitlab-Event-UUID", NULL, PUSH_TO("shop/svc1"));
	answered(202, first);
	send_event("gitlab", "X-Gitlab-Event-UUID", NULL, PUSH_TO("shop/svc1"));
	answered(202, first);
}

/* A repository may be known by another of its URLs. */
static void other_urls(void **state)
{
	(void)state;
	send_event("gitlab", "X-Gitlab-Event-UUID", "d3",
	    "{\"ref\":\"refs/heads/main\",\"after\":\"" SHA2 "\",\"project\":{\"git_http_url\":"
	    "\"https://h.example/shop/moved.git\",\"git_ssh_url\":\"git@h.example:shop/gone.git\",\"web_url\":\"https://h.example/shop/svc2\","
	    "\"default_branch\":\"main\"}}");
	assert_int_equal(http_out.status, 202);
	struct job row;
	struct err e = { 0 };
	const char *id = json_text(get(http_out.body.p, "job"), a);
	assert_non_null(id);
	assert_int_equal(job_get(co->registry, id, &row, a, &e), 0);
	assert_string_equal(row.repo_uri, "h.example/shop/svc2");
	assert_null(row.base);
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void pass_gate(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
}

static void a_full_pool(void **state)
{
	(void)state;
	pthread_mutex_lock(&gate);
	while (!pool_run(co->pool, pass_gate, NULL))
		;
	send_event("gitlab", NULL, NULL, "{}");
	pthread_mutex_unlock(&gate);
	failed_with(429, ERR_RATE_LIMITED, "too many requests are waiting");
	assert_string_equal(http_out.header, "Retry-After: 1");
}

static void secrets(void **state)
{
	const char *path = arena_printf(a, "%s/secret", dir);
	const char *before = co->o.gitea_webhook_secret;
	struct err e = { 0 };

	(void)state;
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs("of-gitea\n", f);
	fclose(f);
	assert_int_equal(chmod(path, 0600), 0);
	co->o.gitea_webhook_secret_file = path;
	assert_int_equal(webhooks_open(co, &e), 0);
	assert_string_equal(co->o.gitea_webhook_secret, "of-gitea");
	assert_string_equal(co->o.gitlab_webhook_secret, "the-secret");
	co->o.gitea_webhook_secret_file = arena_printf(a, "%s/none", dir);
	assert_int_equal(webhooks_open(co, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_non_null(strstr(e.msg, "--gitea-webhook-secret-file"));
	co->o.gitea_webhook_secret_file = "";
	co->o.gitea_webhook_secret = before;
}

static int open_all(void **state)
{
	int rc = federation_open(state);

	co->o.gitlab_webhook_secret = "the-secret";
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forges_without_a_secret),
		cmocka_unit_test(proofs),
		cmocka_unit_test(events),
		cmocka_unit_test(a_push_becomes_a_job),
		cmocka_unit_test(other_urls),
		cmocka_unit_test(a_full_pool),
		cmocka_unit_test(secrets),
	};
	int rc = cmocka_run_group_tests(tests, open_all, federation_close);

	buf_free(&http_out.body);
	return rc;
}
