package com.example;

class Help {
	static final String TEXT = "query the graphql endpoint { really }";
	static final String LUCENE = "query: { name }";
}
