#include "coordinator/members/liveness.h"

#include <math.h>

#include "proto/base/minmax.h"

static const double mean_gain = 0.125, dev_gain = 0.25;
static const double phi_max = 300;	/* beyond, erfc() is 0 */

void liveness_probe_sent(struct liveness *l, int64_t now)
{
	if (!l->silent_since)
		l->silent_since = now;
}

void liveness_probe_answered(struct liveness *l, int64_t now, int64_t took_ms)
{
	double took = 0;

	if (took_ms > 0)
		took = (double)took_ms;
	(void)now;
	if (l->known) {
		l->dev_ms += dev_gain * (fabs(took - l->mean_ms) - l->dev_ms);
		l->mean_ms += mean_gain * (took - l->mean_ms);
	} else if (l->answered) {
		l->mean_ms = took;
		l->dev_ms = took / 2;
		l->known = true;
	}
	l->answered = true;
	l->silent_since = 0;
}

void liveness_forgive(struct liveness *l, int64_t ms)
{
	if (l->silent_since)
		l->silent_since += ms;
}

double liveness_phi(const struct liveness *l, int64_t now)
{
	if (!l->silent_since || now <= l->silent_since)
		return 0;
	double dev = MAX(l->dev_ms, l->least_ms);
	double z = ((double)(now - l->silent_since) - l->mean_ms) / MAX(dev, 1);
	double later = erfc(z / sqrt(2)) / 2;
	if (later > 1e-300)
		return -log10(later);
	return phi_max;
}

void liveness_recovered(struct liveness *l, int64_t now)
{
	l->recovered_at = now;
	l->misses = 0;
	l->open_ms = 0;
	if (l->circuit != CIRCUIT_CLOSED) {
		l->circuit = CIRCUIT_OPEN;
		l->until = now;
	}
}

void liveness_request_answered(struct liveness *l, int64_t now)
{
	if (l->silent_since)
		l->silent_since = now;
	if (l->circuit != CIRCUIT_CLOSED)
		l->recovered_at = now;
	l->circuit = CIRCUIT_CLOSED;
	l->misses = 0;
	l->open_ms = 0;
}

void liveness_request_missed(struct liveness *l, int64_t now, int64_t after_ms)
{
	if (l->circuit == CIRCUIT_OPEN)		/* the request was sent before the circuit opened */
		return;
	if (after_ms < LIVENESS_MISS_MS)
		return;
	l->misses++;
	if (l->misses < LIVENESS_MISSES && l->circuit == CIRCUIT_CLOSED)
		return;
	l->circuit = CIRCUIT_OPEN;
	if (l->open_ms)
		l->open_ms = MIN(2 * l->open_ms, LIVENESS_OPEN_MAX_MS);
	else
		l->open_ms = LIVENESS_OPEN_MS;
	l->until = now + l->open_ms;
}

bool liveness_admits(const struct liveness *l, int64_t now)
{
	return l->circuit == CIRCUIT_CLOSED || now >= l->until;
}

void liveness_request_sent(struct liveness *l, int64_t now)
{
	if (l->circuit == CIRCUIT_CLOSED)
		return;
	l->circuit = CIRCUIT_TRIAL;
	l->until = now + LIVENESS_TRIAL_MS;
}

unsigned liveness_share(const struct liveness *l, int64_t now)
{
	int64_t since = LIVENESS_RAMP_MS;

	if (l->recovered_at)
		since = now - l->recovered_at;
	if (since >= LIVENESS_RAMP_MS)
		return 100;
	if (since > 0)
		return 10 + (unsigned)(90 * since / LIVENESS_RAMP_MS);
	return 10;
}
