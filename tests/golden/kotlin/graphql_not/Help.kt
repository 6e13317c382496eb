package com.example

const val HELP = "query the graphql endpoint { really }"
const val LUCENE = "query: { name }"
