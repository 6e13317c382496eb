package main

import "github.com/Khan/genqlient/graphql"

const usersURL = "http://users:8080/query"

var client = graphql.NewClient(usersURL, nil)
