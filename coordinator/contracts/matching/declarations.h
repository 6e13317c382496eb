#ifndef COORDINATOR_CONTRACTS_MATCHING_DECLARATIONS_H
#define COORDINATOR_CONTRACTS_MATCHING_DECLARATIONS_H
/*
 * What people declare about calls, in a repository's atoll.yaml or in the operator's routing file:
 * where a call goes (`links`), and where it does not go (`not`).  Both win over all that is
 * computed, and `not` wins over `links`.
 */

#include "coordinator/contracts/matching/match_internal.h"

/* The side of a fact that says that calls do not go to a repository. */
#define DECLARED_NOT "denies"

/* The declarations of all members.  They live in the context's arena. */
struct declarations *declarations_new(const struct match_context *);

/*
 * Set what is declared about a call: a linked call has the host that its link names; a member to
 * which the call does not go is none of those that the host and the variable name.
 */
void declarations_apply(const struct match_context *, struct call_site *);

/* Remove the members to which the call does not go from those that it names. */
void declarations_drop(struct call_site *);

/* Whether anything is declared about calls of the member. */
bool declarations_has(const struct match_context *, size_t member);

/* Whether the call does not go to the member; the `not` that says so, or NULL. */
bool declarations_deny(const struct call_site *, size_t member);
const struct fact *declarations_denial(const struct call_site *, size_t member);

/* Whether a link says where the call goes. */
bool declarations_link(const struct call_site *);

/* Whether the call is only a link's own, and calls in code were found that it is about. */
bool declarations_found(const struct call_site *);

/* Whether the target follows from declarations alone, so that it is certain. */
bool declarations_make_sure(const struct call_site *, const struct match_target *);

/* What is declared about a call, as evidence: at most declarations_count() rows.  Returns them. */
size_t declarations_count(const struct call_site *);
size_t declarations_clues(const struct call_site *, struct clue *out);

/* Note whether the link of a call leads anywhere, once its targets are chosen. */
void declarations_note_targets(const struct call_site *);

/* Append the declarations that contradict each other or mean nothing to the notes of the result. */
void declarations_report(const struct match_context *);

/*
 * Whether a repository has this name: in full, its last segment, that of its folder, or its
 * repo_uri.
 */
bool declarations_name_repository(const char *repo_uri, const char *name, const char *wanted);
#endif
