#include "coordinator/contracts/matching/path_evidence.h"

#include <string.h>

#include "coordinator/contracts/matching/client_address.h"
#include "coordinator/contracts/matching/member_relations.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"

/*
 * Shares in percent, of the different requests to an address: those that a stranger must serve; or
 * else those that any member must serve, together with those that begin like the call.
 */
enum { SERVED_MIN = 34, EXPLAINED_MIN = 50, LIKE_SERVED_MIN = 60 };

/* Different requests that a stranger must serve if a path has a single word that tells something. */
enum { SERVED_BY_STRANGER_MIN = 3 };

/* Of the requests that begin like the call, a stranger serves this share of what the best one does. */
enum { LIKE_BEST_MIN = 50 };

/* Whether a part of the address, or all of it, is unknown. */
static bool has_unknown_base(const struct call_site *s)
{
	return (s->fact->host && strstr(s->fact->host, "{}")) || s->path.based;
}

static bool is_share(size_t part, size_t whole, size_t percent)
{
	return part && part * 100 >= whole * percent;
}

/* Whether enough of what the caller sends to this address is served there. */
static bool is_supported(const struct call_site *s, size_t member)
{
	struct address_support a = address_support(s, member);

	if (!a.called)
		return s->through; /* what a gateway that is named passes on */
	if (a.near_served >= SERVED_BY_STRANGER_MIN &&
	    is_share(a.near_served, a.near_called, SERVED_MIN))
		return true;
	if (is_share(a.served, a.called, SERVED_MIN))
		return is_share(a.like_served, a.like_best, LIKE_BEST_MIN);
	if (!is_share(a.explained, a.called, EXPLAINED_MIN))
		return false;
	return is_share(a.like_served, a.like_called, LIKE_SERVED_MIN) &&
	    is_share(a.like_served, a.like_best, LIKE_BEST_MIN);
}

/* Whether the requests to the address say that it is nobody's here, or another member's. */
static bool is_elsewhere(const struct call_site *s, size_t member)
{
	struct address_support a = address_support(s, member);
	bool foreign = a.called >= SERVED_BY_STRANGER_MIN &&
	    !is_share(a.explained, a.called, EXPLAINED_MIN);

	return foreign || a.like_served < a.like_best || a.served < a.best;
}

/* Whether a stranger serves other requests, too, or all that begin like the call. */
static bool is_one_of_several(const struct call_site *s, size_t member)
{
	struct address_support a = address_support(s, member);

	if (a.served >= SERVED_BY_STRANGER_MIN || s->host_class == HOST_UNREGISTERED)
		return a.served >= SERVED_BY_STRANGER_MIN;
	return a.like_served > 1 && a.like_served == a.like_called;
}

/* Whether a repository that is not evidently related to the caller may be the one. */
static bool may_be_stranger(const struct call_site *s, const struct provider *p,
    const struct path_match *f, enum relation relation)
{
	struct path_words words = path_words(&s->path, &p->path, f);
	bool vague = f->rest || words.guessed || words.taken;

	if (!words.telling || words.removed)
		return false;
	if (relation == RELATION_POSSIBLE && vague)
		return !is_elsewhere(s, p->member);
	if (relation == RELATION_POSSIBLE)
		return is_supported(s, p->member);
	if (vague || p->example)
		return false;
	bool clear = words.telling > 1 && s->host_class != HOST_UNREGISTERED;
	if (!clear && !is_one_of_several(s, p->member))
		return false;
	return is_supported(s, p->member);
}

static bool path_is_text(
    const struct call_site *s, const struct provider *p, const struct path_match *f)
{
	if (!f->literals || p->everywhere)
		return false;
	return f->level < 2 || f->literals > 1 || has_unknown_base(s);
}

bool path_is_evidence(const struct match_context *w, const struct call_site *s,
    const struct provider *p, const struct path_match *f)
{
	bool own = p->member == s->member;

	if (s->host_class == HOST_EXTERNAL || s->path.open)
		return false;
	if (s->through && own)
		return false;
	if (own)
		return s->host_class != HOST_UNREGISTERED &&
		    (f->literals > 0 || (!s->path.n && !p->path.n));
	if (s->host_class == HOST_UNREGISTERED && (f->level || f->rest || f->literals < 2))
		return false;
	if (s->host_class != HOST_UNREGISTERED && !path_is_text(s, p, f))
		return false;
	enum relation relation = member_relation(w->relations, s->member, p->member, NULL);
	return relation == RELATION_EVIDENT || may_be_stranger(s, p, f, relation);
}

/* Whether a gRPC method has a package, and not one that servers of all kinds have. */
static bool has_own_package(const char *path)
{
	static const char *const everywhere[] = { "grpc.", "google.", "helloworld." };
	const char *slash = strchr(path, '/');

	for (size_t i = 0; i < LEN(everywhere); i++)
		if (!strncmp(path, everywhere[i], strlen(everywhere[i])))
			return false;
	return slash && memchr(path, '.', (size_t)(slash - path));
}

bool name_is_evidence(
    const struct match_context *w, const struct call_site *s, const struct provider *p, bool exact)
{
	if (p->member == s->member || (exact && has_own_package(p->fact->path)))
		return true;
	return member_relation(w->relations, s->member, p->member, NULL) != RELATION_NONE;
}

/* Whether a member that only resembles a name may be meant by it. */
static bool may_be_named(
    const struct match_context *w, size_t user, const struct call_site *s, size_t member)
{
	if (member == user || member_relation(w->relations, user, member, NULL) != RELATION_NONE)
		return true;
	if (!s)
		return false;
	return address_support(s, member).served >= SERVED_BY_STRANGER_MIN && is_supported(s, member);
}

void drop_strangers(
    const struct match_context *w, size_t user, const struct call_site *s, struct host_names *h)
{
	size_t *left, n = 0;

	if (!h->loose)
		return;
	left = arena_many(w->a, h->n, size_t);
	for (size_t i = 0; i < h->n; i++)
		if (may_be_named(w, user, s, h->members[i]))
			left[n++] = h->members[i];
	h->members = left;
	h->n = n;
}
