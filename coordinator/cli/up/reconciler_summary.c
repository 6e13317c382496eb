/* What `atoll up` prints once every repository is ready or has failed. */
#include "coordinator/cli/up/reconciler_internal.h"

#include <stdio.h>
#include <string.h>

#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/up/mcp_clients.h"
#include "coordinator/cli/up/repo_argument.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/process/embedded.h"

/* The options with which `atoll` reaches this coordinator. */
static void put_at(struct buf *b, const struct reconciler *f)
{
	if (strcmp(f->client.url, f->o->url))
		buf_printf(b, " --url %s", f->client.url);
	if (*f->o->ca)
		buf_printf(b, " --ca %s", f->o->ca);
}

/* If `*p` begins with `what`, advance it past that. */
static bool skip(const char **p, const char *what)
{
	size_t n = strlen(what);

	if (strncmp(*p, what, n))
		return false;
	*p += n;
	return true;
}

/* The addresses and the lines to paste into clients. */
static void print_addresses(const struct reconciler *f, bool tokens)
{
	const char *file = "coordinator/cli/data/up.txt";
	struct buf b = { 0 };

	if (tokens)
		file = "coordinator/cli/data/up_token.txt";
	for (const char *p = embedded_contents(file); p && *p;) {
		if (skip(&p, "{url}"))
			buf_str(&b, f->client.url);
		else if (skip(&p, "{clients}"))
			mcp_clients_put(&b, f->client.url, tokens);
		else if (skip(&p, "{at}"))
			put_at(&b, f);
		else
			buf_byte(&b, *p++);
	}
	fwrite(b.p, 1, b.n, stdout);
	buf_free(&b);
	fflush(stdout);
}

/* `web: tls+tcp://10.0.0.7:7710`: the address that the shard of a source announces. */
static void print_shard_address(const struct reconciler *f, const struct source_row *s,
    const struct repo_row *r, struct arena *a)
{
	const char *name = s->source, *host = f->join.address;
	int port = host_join_port(&f->join, source_label(s->source, a));

	if (r)
		name = r->name;
	if (f->join.advertise)
		host = f->join.advertise;
	say(stdout, "%s: tls+tcp://%s:%d\n", name, host, port);
}

void reconciler_print_host_summary(
    const struct reconciler *f, const struct observed_state *v, struct arena *a)
{
	size_t n = 0, ready = 0;

	for (size_t i = 0; i < v->want.sources.n; i++) {
		const struct source_row *s = &v->want.sources.v[i];
		const struct repo_row *r = observed_repo(&v->is, s->repo_uri);
		if (!reconciler_is_for_this_host(f, s))
			continue;
		n++;
		ready += r && !strcmp(r->status, "ready");
		if (f->join.address)
			print_shard_address(f, s, r, a);
	}
	say(stdout,
	    "\n%zu of %zu repositories of host %s ready, for the coordinator at %s;"
	    " shards announce themselves to %s\n",
	    ready, n, f->host, f->client.url, f->join.coordinators.v[0]);
	if (!n)
		printf("Nothing to serve yet: add a repository with `atoll repo add --host %s PATH|URL`.\n",
		    f->host);
	fflush(stdout);
}

void reconciler_print_summary(
    const struct reconciler *f, const struct observed_state *v, unsigned long long contracts)
{
	unsigned long long files = 0, symbols = 0;
	size_t ready = 0, all = v->is.repos.n;

	for (size_t i = 0; i < v->want.sources.n; i++)
		all += !v->want.sources.v[i].repo_uri;	/* its shard has not said what it is */
	for (size_t i = 0; i < v->is.repos.n; i++) {
		files += v->is.repos.v[i].files;
		symbols += v->is.repos.v[i].symbols;
		ready += !strcmp(v->is.repos.v[i].status, "ready") &&
		    strcmp(v->is.repos.v[i].health, "down");
	}
	printf("\n%zu of %zu repositories ready: %llu files, %llu symbols, %llu contracts\n", ready,
	    all, files, symbols, contracts);
	if (!v->want.sources.n)
		printf("Nothing to serve yet: add a repository with `atoll repo add PATH`.\n");
	print_addresses(f, v->is.tokens);
}
