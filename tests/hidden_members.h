#ifndef TESTS_HIDDEN_MEMBERS_H
#define TESTS_HIDDEN_MEMBERS_H
/*
 * Two coordinators with the same shards: `full_federation` has all of them, `visible_federation` only those that the guest may see.
 * Both must give the guest the same answers.
 */
#include "tests/federation.h"

#define HIDDEN "svc4"
#define HIDDEN_URI "h.example/shop/svc4"

static const char *const seen[] = { "h.example/shop/svc0", "h.example/shop/svc2", "h.example/shop/svc3", "h.example/shop/svc6" };
static const int seen_ids[] = { 0, 2, 3, 6 };
static const struct caller guest = { .name = "guest", .repo_uris = seen, .n = LEN(seen) }, nobody = { .name = "nobody" };
static struct coordinator *full_federation, *visible_federation;	/* all members; only the guest's */

/* ---- what may differ: times, addresses ---- */

/* The length of a time with milliseconds at `s`, or 0; times of an index have none. */
static inline size_t time_at(const char *s)
{
	static const char like[] = "0000-00-00T00:00:00.000Z";
	size_t n = 0;

	while (like[n] && (like[n] == '0' ? s[n] >= '0' && s[n] <= '9' : s[n] == like[n]))
		n++;
	return like[n] ? 0 : n;
}

/* The length of a value at `s` that may differ, also within escaped text, or 0. */
static inline size_t variable_length(const char *s)
{
	static const char *const keys[] = { "took_ms", "elapsed_ms", "elapsedMs", "uptime_ms", "membership" };

	for (size_t i = 0; i < LEN(keys); i++) {
		size_t n = strlen(keys[i]);
		if (strncmp(s, keys[i], n))
			continue;
		n += strspn(s + n, "\\\": ");
		return n + strcspn(s + n, "\\\",}\n");
	}
	return time_at(s);
}

static inline const char *mask_variable_parts(const char *s)
{
	struct buf b = { 0 };

	while (*s) {
		size_t n = variable_length(s);
		buf_put(&b, n ? "@" : s, 1);
		s += n ? n : 1;
	}
	const char *out = arena_str(a, b.p ? b.p : "");
	buf_free(&b);
	return out;
}

/* The text around the first difference. */
static inline const char *near_difference(const char *x, const char *y)
{
	size_t n = 0;

	while (x[n] && x[n] == y[n])
		n++;
	return x + (n > 200 ? n - 200 : 0);
}

static char hidden_job[64] = "zqx";

/*
 * `@` in the arguments stands for a job of a hidden repository.  Retries, as one coordinator may notice later than the other that a
 * member is healthy or has another index; a leak of hidden members would not disappear.
 */
static inline int same_answers(const struct caller *c, const char *tool, const char *args)
{
	const char *at = strchr(args, '@'), *want, *got;
	int64_t end = clock_ms() + BUSY_MS / 2;

	args = at ? arena_printf(a, "%.*s%s%s", (int)(at - args), args, hidden_job, at + 1) : args;
	for (;; clock_sleep(100)) {
		co = visible_federation;
		want = mask_variable_parts(ask_as(c, tool, args));
		co = full_federation;
		got = mask_variable_parts(ask_as(c, tool, args));
		if (!strcmp(want, got))
			return 0;
		if (clock_ms() >= end)
			break;
	}
	print_error("%s %s of %s\n- …%.600s\n+ …%.600s\n", tool, args, c->name, near_difference(want, got), near_difference(got, want));
	return 1;
}

static inline int requests_to_hidden(void)
{
	int n = 0;

	for (int i = 0; i < SHARDS; i++) {
		bool is_seen = false;
		for (size_t k = 0; k < LEN(seen_ids); k++)
			is_seen |= seen_ids[k] == i;
		n += is_seen ? 0 : request_count(&fakes[i]);
	}
	return n;
}

/* ---- set-up ---- */

static inline struct coordinator *open_visible_federation(void)
{
	char *argv[8 + 2 * LEN(seen_ids)] = { "atoll-coordinator", "--data", arena_printf(a, "%s/less", dir), "--http", "", "--listen",
		arena_printf(a, "ipc://%s/less-members", dir), "--probe-interval-ms=100" };
	int argc = 8;
	struct coordinator_config o = { 0 };
	struct err e = { 0 };

	for (size_t i = 0; i < LEN(seen_ids); i++) {
		argv[argc++] = "--shard";
		argv[argc++] = (char *)fakes[seen_ids[i]].url;
	}
	if (coordinator_options(&o, argc, argv, a, &e))
		fail_msg("%s", e.msg);
	o.search_deadline_ms = SEARCH_MS;
	o.contracts_deadline_ms = SEARCH_MS;
	o.sync_delay_ms = 0;
	o.calls_per_second = 0;
	o.index_max_age = 0;
	struct coordinator *x = coordinator_open(&o, &e);
	if (!x)
		fail_msg("%s", e.msg);
	return x;
}

/* The registry contains the state of the indexes one probe later. */
static inline void wait_saved(void)
{
	is_no_longer_listed("\"pending\"");
	is_no_longer_listed("\"phase\":\"count\"");
}

static inline int hidden_open(void **state)
{
	if (federation_open(state))
		return -1;
	full_federation = co;
	set_index(&fakes[4], 1, 0, "/m3");	/* hidden, and serves the same route as svc3 */
	ask("group_create", "{\"group\":\"dark\",\"repos\":[\"svc4\",\"svc5\"]}");
	ask("group_create", "{\"group\":\"mixed\",\"repos\":[\"svc2\",\"svc3\",\"svc6\",\"svc7\",\"other/svc1\"]}");
	ask("group_add", "{\"group\":\"all\",\"repos\":[\"svc6\"]}");
	visible_federation = co = open_visible_federation();
	for (size_t i = 0; i < LEN(seen); i++)
		wait_health(seen[i], "healthy");
	ask("group_create", "{\"group\":\"all\",\"repos\":[\"svc0\",\"svc2\",\"svc3\",\"svc6\"]}");
	ask("group_create", "{\"group\":\"mixed\",\"repos\":[\"svc2\",\"svc3\",\"svc6\"]}");
	wait_saved();
	co = full_federation;
	wait_saved();
	return 0;
}

static inline int hidden_close(void **state)
{
	coordinator_close(visible_federation);
	co = full_federation;
	return federation_close(state);
}

#endif
