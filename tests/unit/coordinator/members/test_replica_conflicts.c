/* Which shards of one name are replicas of each other: who is compared with whom, who is asked, and what the answers mean. */
#include "tests/members_clock.h"

static struct wire_peer *asked_peer;
static const char *asked_commit;
static void note_question(struct wire_peer *p, const char *rpc, const struct record *rec,
    const void *m, const char *req, int timeout_ms, bool fail_fast,
    void (*done)(void *, struct wire_reply *), void *arg);

#define wire_call_async note_question
#include "coordinator/members/replica_conflicts.c"
#undef wire_call_async

#include "proto/base/buf.h"
#include "tests/members_by_hand.h"

static struct commit_comparison *question;
static struct replica *one, *two, *three;

static void note_question(struct wire_peer *p, const char *rpc, const struct record *rec,
    const void *q, const char *req, int timeout_ms, bool fail_fast,
    void (*done)(void *, struct wire_reply *), void *arg)
{
	(void)rec, (void)req, (void)timeout_ms;
	assert_string_equal(rpc, "knows");
	assert_true(fail_fast && done == on_knows);
	assert_int_equal(((const struct knows_req *)q)->commits.n, 1);
	asked_commit = arena_str(a, ((const struct knows_req *)q)->commits.v[0]);
	asked_peer = p;
	free(question);
	question = arg;
}

static struct replica *add(const char *name, const char *commit)
{
	struct replica *r = hand_replica(m, name);

	r->peer = (struct wire_peer *)r;
	r->features_known = true;
	r->features = 1u << FEATURE_knows;
	strcpy(r->reported.commit, commit);
	return r;
}

/* Three shards that answer and know each other's questions, with different commits. */
static int begin(void **state)
{
	int rc = hand_begin(state);

	one = add("one", "c1");
	two = add("two", "c2");
	three = add("three", "c3");
	all->began = now_ms - 10000;
	return rc;
}

static int end(void **state)
{
	free(question);
	question = NULL;
	return hand_end(state);
}

/* "name=consistent|conflicting|unchecked" of each. */
static const char *states(void)
{
	static const char *const words[] = { "?", "=", "!" };
	const char *s = "";

	for (const struct replica *r = m->state->replicas; r; r = r->next)
		s = arena_printf(a, "%s%s%s%s", s, *s ? " " : "", r->name, words[r->consistency]);
	return s;
}

static void forget_question(void)
{
	asked_peer = NULL;
	asked_commit = "none";
}

static void asked_is(const struct replica *r, const char *commit)
{
	assert_ptr_equal(asked_peer, r ? r->peer : NULL);
	assert_string_equal(asked_commit, commit);
	forget_question();
}

static void tick(void)
{
	forget_question();
	replica_conflicts_tick(all);
}

/* ---- who is the reference ---- */

static void the_first_that_is_up(void **state)
{
	(void)state;
	two->next = NULL;
	one->answered = false;
	assert_ptr_equal(reference(all, m, now_ms), two);
	assert_string_equal(states(), "one? two=");
	one->answered = true;
	assert_ptr_equal(reference(all, m, now_ms), two); /* it stays */
	two->next = three;
}

static void who_is_up(void **state)
{
	(void)state;
	assert_true(is_up(one));
	one->health = DEGRADED;
	assert_true(is_up(one));
	one->health = DOWN;
	assert_false(is_up(one));
	one->health = HEALTHY;
	*one->reported.commit = 0;
	assert_false(is_up(one));
	strcpy(one->reported.commit, "c");
	one->peer = NULL;
	assert_false(is_up(one));
	one->peer = (struct wire_peer *)one;
	one->answered = false;
	assert_false(is_up(one));
}

static void the_one_with_the_commit_served_last(void **state)
{
	(void)state;
	strcpy(m->state->served, "c2");
	assert_ptr_equal(reference(all, m, now_ms), two);
}

/* Shortly after the start a shard with that commit may still come. */
static void waiting_for_the_commit_served_last(void **state)
{
	(void)state;
	strcpy(m->state->served, "c9");
	three->answered = false;
	all->began = now_ms - GRACE_MS + 1;
	assert_null(reference(all, m, now_ms));
	assert_string_equal(states(), "one? two? three?");
	three->failures = 1; /* it does not */
	assert_ptr_equal(reference(all, m, now_ms), one);
	one->consistency = REPLICA_UNCHECKED;
	three->failures = 0;
	all->began--;
	assert_ptr_equal(reference(all, m, now_ms), one);
	one->consistency = REPLICA_UNCHECKED;
	all->began++;
	strcpy(m->state->served, "c1"); /* it is there */
	assert_ptr_equal(reference(all, m, now_ms), one);
}

static void one_that_went_down_is_held_for_a_while(void **state)
{
	(void)state;
	one->consistency = two->consistency = REPLICA_CONSISTENT;
	one->health = two->health = DOWN;
	one->down_since = now_ms - HELD_MS + 1;
	two->down_since = now_ms;
	three->consistency = REPLICA_CONFLICTING;
	assert_ptr_equal(find_consistent(m, now_ms), one);
	one->down_since--;
	assert_ptr_equal(find_consistent(m, now_ms), two);
	assert_string_equal(states(), "one? two= three!");
	two->health = HEALTHY;
	assert_ptr_equal(find_consistent(m, now_ms), two);
	two->health = DOWN;
	two->down_since = now_ms - HELD_MS;
	assert_ptr_equal(reference(all, m, now_ms), three); /* its opponents are gone */
	assert_string_equal(states(), "one? two? three=");
	assert_string_equal(three->conflict_reason, "");
}

static void nobody_is_up(void **state)
{
	(void)state;
	one->health = two->health = three->health = DOWN;
	assert_null(reference(all, m, now_ms));
	tick();
	asked_is(NULL, "none");
	assert_string_equal(m->state->served, "");
}

/* ---- who is compared ---- */

static void equal_commits_need_no_question(void **state)
{
	(void)state;
	strcpy(two->reported.commit, "c1");
	three->health = DOWN;
	two->compare_after = now_ms + 5;
	tick();
	asked_is(NULL, "none");
	assert_string_equal(states(), "one= two= three?");
	assert_string_equal(m->state->served, "c1");
	assert_string_equal(two->compared, "c1");
	assert_string_equal(two->compared_to, "c1");
}

static const struct commit_comparison *compared(struct replica *r)
{
	struct commit_comparison *c = compare(all, m, one, r, now_ms);

	if (!c)
		return NULL;
	struct commit_comparison *copy = arena_one(a, struct commit_comparison);
	*copy = *c;
	free(c);
	r->comparing = false;
	return copy;
}

static void what_is_compared(void **state)
{
	(void)state;
	one->consistency = REPLICA_CONSISTENT;
	assert_null(compared(one));
	const struct commit_comparison *c = compared(two);
	assert_int_equal(c->ref, one->bit);
	assert_int_equal(c->other, two->bit);
	assert_string_equal(c->ref_commit, "c1");
	assert_string_equal(c->commit, "c2");
	assert_false(c->asks_other);
	two->comparing = true;
	assert_null(compared(two));
	two->comparing = false;
	two->compare_after = now_ms + 1;
	assert_null(compared(two));
	two->compare_after = now_ms;
	assert_non_null(compared(two));
	strcpy(two->compared, "c2");
	strcpy(two->compared_to, "c1");
	assert_null(compared(two));
	strcpy(two->compared_to, "c0");
	assert_non_null(compared(two));
	strcpy(two->compared, "c0");
	strcpy(two->compared_to, "c1");
	assert_non_null(compared(two));
	/* one that has not said what it knows is given some time */
	two->features_known = false;
	two->dialled = now_ms - GREETING_MS + 1;
	assert_null(compared(two));
	two->dialled--;
	assert_non_null(compared(two));
	/* who can be asked */
	one->features = 0;
	assert_true(compared(two)->asks_other);
	one->features = two->features;
	one->health = DOWN;
	assert_true(compared(two)->asks_other);
	two->features = 0;
	assert_null(compared(two));
	assert_int_equal(two->consistency, REPLICA_CONSISTENT);
	assert_string_equal(two->compared, "c2");
	two->health = DOWN;
	two->consistency = REPLICA_UNCHECKED;
	assert_null(compared(two));
	assert_int_equal(two->consistency, REPLICA_UNCHECKED);
}

/* ---- questions and answers ---- */

static void ask(struct replica *r, bool asks_other)
{
	struct commit_comparison *c = compare(all, m, one, r, now_ms);

	assert_non_null(c);
	c->asks_other = asks_other;
	ask_one(c);
}

static bool answer(bool ok, bool known)
{
	return note_answer(question, ok, known);
}

static void each_is_asked_for_the_others_commit(void **state)
{
	(void)state;
	one->consistency = REPLICA_CONSISTENT;
	ask(two, false);
	asked_is(one, "c2");
	assert_true(two->comparing);
	assert_int_equal(one->refs, 0);
	assert_true(answer(true, false)); /* then the other one */
	assert_true(two->comparing);
	question->asks_other = true;
	assert_false(answer(true, false));
	assert_false(two->comparing);
	assert_string_equal(states(), "one= two! three?");
	assert_string_equal(two->conflict_reason,
	    "other content under this name: it has c2, one has c1 and answers,"
	    " neither has the other's commit; it gets no requests");
	assert_string_equal(two->compared, "c2");
	assert_string_equal(two->compared_to, "c1");
	ask(three, true);
	asked_is(three, "c1");
	assert_false(answer(true, true));
	assert_string_equal(states(), "one= two! three=");
}

static void what_answers_mean(void **state)
{
	(void)state;
	one->consistency = REPLICA_CONSISTENT;
	ask(two, false);
	assert_false(answer(false, false)); /* it is asked again later */
	assert_int_equal(two->compare_after, now_ms + AGAIN_MS);
	assert_int_equal(two->consistency, REPLICA_UNCHECKED);
	assert_false(two->comparing);
	now_ms += AGAIN_MS;
	ask(two, false);
	strcpy(two->reported.commit, "c4"); /* meanwhile it has moved on */
	assert_false(answer(true, true));
	assert_int_equal(two->consistency, REPLICA_UNCHECKED);
	ask(two, false);
	strcpy(one->reported.commit, "c5");
	assert_false(answer(true, true));
	assert_int_equal(two->consistency, REPLICA_UNCHECKED);
	ask(two, false);
	two->features = 0; /* one side alone proves no conflict */
	assert_false(answer(true, false));
	assert_int_equal(two->consistency, REPLICA_CONSISTENT);
	/* one that is gone */
	ask(three, false);
	question->other = 64;
	assert_false(answer(true, true));
	question->other = three->bit;
	question->ref = 64;
	assert_false(answer(true, true));
	assert_int_equal(three->consistency, REPLICA_UNCHECKED);
}

static void a_conflict_with_one_that_is_down(void **state)
{
	(void)state;
	members_set_string(&one->host, "the-host");
	one->consistency = REPLICA_CONSISTENT;
	ask(two, true);
	one->health = DOWN;
	assert_false(answer(true, false));
	assert_string_equal(states(), "one= two! three?");
	assert_string_equal(two->conflict_reason,
	    "it does not have c1, which the-host served before it went down;"
	    " it gets no requests for 5 minutes");
	assert_int_equal(two->compare_after, now_ms + AGAIN_MS);
	assert_string_equal(two->compared, "");
}

static void who_cannot_be_asked_now(void **state)
{
	(void)state;
	one->consistency = REPLICA_CONSISTENT;
	struct commit_comparison *c = compare(all, m, one, two, now_ms);
	one->peer = NULL;
	forget_question();
	ask_one(c);
	asked_is(NULL, "none");
	assert_false(two->comparing);
	assert_int_equal(two->compare_after, now_ms + AGAIN_MS);
}

static void all_of_them(void **state)
{
	struct member *other = members_get_or_add(all, "h/two", "two");
	struct replica *x, *y;

	(void)state;
	x = hand_replica(other, "x");
	y = hand_replica(other, "y");
	x->peer = y->peer = (struct wire_peer *)x;
	strcpy(x->reported.commit, "c");
	strcpy(y->reported.commit, "c");
	three->consistency = REPLICA_CONFLICTING;
	tick();
	assert_ptr_equal(asked_peer, one->peer);
	assert_true(two->comparing && three->comparing && !one->comparing);
	assert_string_equal(states(), "one= two? three!");
	assert_int_equal(x->consistency, REPLICA_CONSISTENT);
	assert_int_equal(y->consistency, REPLICA_CONSISTENT);
	assert_string_equal(other->state->served, "c");
	two->comparing = three->comparing = true;
	tick();
	asked_is(NULL, "none");
}

static void who_may_answer(void **state)
{
	(void)state;
	assert_true(replica_may_answer(one));
	two->consistency = REPLICA_CONFLICTING;
	assert_true(replica_may_answer(one));
	assert_false(replica_may_answer(two));
	three->consistency = REPLICA_CONSISTENT;
	assert_false(replica_may_answer(one));
	assert_true(replica_may_answer(three));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_first_that_is_up),
		TEST(who_is_up),
		TEST(the_one_with_the_commit_served_last),
		TEST(waiting_for_the_commit_served_last),
		TEST(one_that_went_down_is_held_for_a_while),
		TEST(nobody_is_up),
		TEST(equal_commits_need_no_question),
		TEST(what_is_compared),
		TEST(each_is_asked_for_the_others_commit),
		TEST(what_answers_mean),
		TEST(a_conflict_with_one_that_is_down),
		TEST(who_cannot_be_asked_now),
		TEST(all_of_them),
		TEST(who_may_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
