/* How risky a change is: the thresholds that coordinator/contracts/PACKAGES.md shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "coordinator/contracts/impact_risk.h"

static void any_number_that_is_reached_decides(void **state)
{
	(void)state;
	assert_string_equal(impact_risk_level(&(struct impact_size){ 0, 0, 0, 0 }), "LOW");
	assert_string_equal(impact_risk_level(&(struct impact_size){ 4, 2, 0, 0 }), "LOW");
	assert_string_equal(impact_risk_level(&(struct impact_size){ 5, 0, 0, 0 }), "MEDIUM");
	assert_string_equal(impact_risk_level(&(struct impact_size){ 3, 3, 0, 0 }), "MEDIUM");
	assert_string_equal(impact_risk_level(&(struct impact_size){ 0, 0, 1, 0 }), "MEDIUM");
	assert_string_equal(impact_risk_level(&(struct impact_size){ 25, 0, 0, 0 }), "HIGH");
	assert_string_equal(impact_risk_level(&(struct impact_size){ 10, 10, 0, 0 }), "HIGH");
	assert_string_equal(impact_risk_level(&(struct impact_size){ 0, 0, 1, 1 }), "HIGH");
	assert_string_equal(impact_risk_level(&(struct impact_size){ 100, 1, 0, 0 }), "CRITICAL");
	assert_string_equal(impact_risk_level(&(struct impact_size){ 40, 40, 0, 0 }), "CRITICAL");
	assert_string_equal(impact_risk_level(&(struct impact_size){ 0, 0, 10, 0 }), "CRITICAL");
	assert_string_equal(impact_risk_level(&(struct impact_size){ 0, 0, 1, 3 }), "CRITICAL");
}

static void the_higher_one_wins(void **state)
{
	(void)state;
	assert_string_equal(impact_risk_max(NULL, "LOW"), "LOW");
	assert_string_equal(impact_risk_max("HIGH", "MEDIUM"), "HIGH");
	assert_string_equal(impact_risk_max("HIGH", "CRITICAL"), "CRITICAL");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_that_is_reached_decides),
		cmocka_unit_test(the_higher_one_wins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
