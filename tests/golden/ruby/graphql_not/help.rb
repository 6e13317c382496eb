HELP = "query the graphql endpoint { really }"
LUCENE = "query: { name }"
