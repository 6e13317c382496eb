#include "coordinator/contracts/matching/service_name.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/buf.h"

enum { CORE_LEN_MIN = 3, NAME_LEN_MIN = 2 };	/* letters of the end of a name, of a whole name */

static const char *const addresses[] = { "url", "uri", "host", "hostname", "addr", "address",
	"endpoint", "endpoints", "base", "baseurl", "domain", "origin", "target", "root", "proxy",
	"upstream" };
static const char *const services[] = { "service", "services", "svc", "api", "apis", "server", "ms",
	"microservice", "microservices", "client", "app", "get", "http", "https", "rest", "v1", "v2" };

static bool contains_word(const char *const *v, size_t n, const char *word)
{
	size_t i = 0;

	while (i < n && strcmp(v[i], word))
		i++;
	return i < n;
}

/* Remove a word that is written together with the name: `cartservice`, `baseurl`. */
static void cut_end(char *word, struct name_words *w)
{
	static const struct { const char *end; bool address; } ends[] = {
		{ "service", false }, { "svc", false }, { "api", false }, { "server", false },
		{ "url", true }, { "uri", true }, { "host", true }, { "addr", true },
		{ "endpoint", true },
	};
	size_t n = strlen(word);

	for (size_t i = 0; i < LEN(ends); i++) {
		size_t k = strlen(ends[i].end);
		if (n >= k + CORE_LEN_MIN && !strcmp(word + n - k, ends[i].end)) {
			w->address |= ends[i].address;
			word[n - k] = 0;
			return;
		}
	}
}

static void add_word(struct name_words *w, const char *s, size_t n)
{
	char *word = w->v[w->n];

	if (!n || n >= NAME_CORE || w->n == NAME_WORDS)
		return;
	for (size_t i = 0; i < n; i++)
		word[i] = (char)tolower((unsigned char)s[i]);
	word[n] = 0;
	if (contains_word(addresses, LEN(addresses), word)) {
		w->address = true;
		return;
	}
	if (contains_word(services, LEN(services), word))
		return;
	cut_end(word, w);
	w->n++;
}

/* The length of the word that begins here; 0 if there is none. */
static size_t word_length(const char *p)
{
	size_t n = 0;

	while (isupper((unsigned char)p[n]))
		n++;
	if (n > 1 && islower((unsigned char)p[n]))
		return n - 1;	/* URLBase: URL, Base */
	while (islower((unsigned char)p[n]) || isdigit((unsigned char)p[n]))
		n++;
	if (!n && isalnum((unsigned char)*p))
		return 1;
	return n;
}

void name_words(const char *name, struct name_words *w)
{
	w->n = 0;
	w->address = false;
	for (const char *p = name; *p;) {
		while (*p && !isalnum((unsigned char)*p))
			p++;
		size_t n = word_length(p);
		add_word(w, p, n);
		p += n;
	}
}

bool name_core(const struct name_words *w, size_t i, char out[NAME_CORE])
{
	size_t len = 0, min_len = i ? CORE_LEN_MIN : NAME_LEN_MIN;
	for (; i < w->n; i++) {
		size_t n = strlen(w->v[i]);
		if (len + n + 1 > NAME_CORE)
			return false;
		memcpy(out + len, w->v[i], n);
		len += n;
	}
	out[len] = 0;
	if (len > CORE_LEN_MIN + 1 && out[len - 1] == 's' && out[len - 2] != 's')
		out[--len] = 0;
	return len >= min_len;
}

bool name_is_of(const char *repository, const char *word)
{
	const char *slash = strrchr(repository, '/');
	struct name_words name, other;
	char core[NAME_CORE], wanted[NAME_CORE];

	name_words(slash ? slash + 1 : repository, &name);
	name_words(word, &other);
	if (!other.n || !name_core(&other, 0, wanted))
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (name_core(&name, i, core) && !strcmp(core, wanted))
			return true;
	return false;
}
